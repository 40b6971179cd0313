//! Numbers computed from the parameters: `rows`, `2 * n - 1`, `min(run, max(rows, cols))`.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = unary { ("*" | "/" | "%") unary }
//! unary   = "-" unary | digits | name | "(" sum ")" | ("min" | "max") "(" sum { "," sum } ")"
//! ```

use std::borrow::Cow;

use crate::grid::column_name;

/// Parameters with their values.
pub(super) type Values = Vec<(String, i64)>;

/// The length of the longest expression, in bytes.
const MOST_BYTES: usize = 200;
/// The deepest nesting. Expressions are read by recursion, which must not exhaust the stack.
const MOST_NESTED: u32 = 16;

/// The value of `text`. Division rounds towards zero.
///
/// # Errors
/// A description of the mistake in `text`.
pub(super) fn evaluate(text: &str, values: &Values) -> Result<i64, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("expected an expression of at most {MOST_BYTES} bytes"));
    }
    let mut reader = Evaluator { rest: text.trim_start(), values, nested: 0 };
    let value = reader.sum()?;
    match reader.rest.chars().next() {
        None => Ok(value),
        Some(found) => Err(format!("expected an operator at {found:?}")),
    }
}

/// The text with each `{expression}` replaced by its value. If `letters` is set, an expression at the beginning is a
/// column and becomes the letters of that column: `{cols}{rows}` is the last square of a grid.
///
/// # Errors
/// A description of the mistake in `text`.
pub(super) fn filled_in<'a>(text: &'a str, values: &Values, letters: bool) -> Result<Cow<'a, str>, String> {
    if !text.contains(['{', '}']) {
        return Ok(text.into());
    }
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inner, after) = after.split_once('}').ok_or("expected a } after each {")?;
        let value = evaluate(inner, values)?;
        let column = value
            .checked_sub(1)
            .and_then(|column| u32::try_from(column).ok())
            .filter(|_| letters && filled.is_empty() && before.is_empty());
        filled += before;
        filled += &column.map_or_else(|| value.to_string(), column_name);
        rest = after;
    }
    if rest.contains('}') {
        return Err("expected a { before each }".into());
    }
    Ok((filled + rest).into())
}

/// Returns whether `text` can name a parameter.
pub(super) fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let first = text.starts_with(|c: char| c.is_ascii_lowercase());
    first && text.len() <= 32 && text.chars().all(plain) && !["min", "max"].contains(&text)
}

struct Evaluator<'a> {
    rest: &'a str,
    values: &'a Values,
    nested: u32,
}

const TOO_LARGE: &str = "a number in it is too large";

impl<'a> Evaluator<'a> {
    /// Takes `sign` and the blanks after it, if it is next.
    fn sign(&mut self, sign: char) -> bool {
        let after = self.rest.strip_prefix(sign);
        after.inspect(|after| self.rest = after.trim_start()).is_some()
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.sign(sign) { Ok(()) } else { Err(format!("expected {sign:?} {}", self.location())) }
    }

    fn location(&self) -> String {
        self.rest.chars().next().map_or("at its end".into(), |next| format!("at {next:?}"))
    }

    fn word(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }

    fn sum(&mut self) -> Result<i64, String> {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err(format!("expected an expression nested at most {MOST_NESTED} deep"));
        }
        let mut sum = self.product()?;
        loop {
            sum = if self.sign('+') {
                sum.checked_add(self.product()?)
            } else if self.sign('-') {
                sum.checked_sub(self.product()?)
            } else {
                self.nested -= 1;
                return Ok(sum);
            }
            .ok_or(TOO_LARGE)?;
        }
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut product = self.unary()?;
        loop {
            product = if self.sign('*') {
                product.checked_mul(self.unary()?).ok_or(TOO_LARGE)?
            } else if self.sign('/') {
                product.checked_div(self.unary()?).ok_or("a division in it has no result")?
            } else if self.sign('%') {
                product.checked_rem(self.unary()?).ok_or("a division in it has no result")?
            } else {
                return Ok(product);
            };
        }
    }

    fn unary(&mut self) -> Result<i64, String> {
        let mut negative = false;
        while self.sign('-') {
            negative = !negative;
        }
        let value = self.atom()?;
        if negative { value.checked_neg().ok_or_else(|| TOO_LARGE.into()) } else { Ok(value) }
    }

    fn atom(&mut self) -> Result<i64, String> {
        if self.sign('(') {
            let value = self.sum()?;
            return self.expect(')').map(|()| value);
        }
        let digits = self.word(|c| c.is_ascii_digit());
        if !digits.is_empty() {
            return digits.parse().map_err(|_| TOO_LARGE.into());
        }
        match self.word(|c| c.is_ascii_alphanumeric() || c == '_') {
            "" => Err(format!("expected a number or a parameter {}", self.location())),
            "min" => self.best(i64::min),
            "max" => self.best(i64::max),
            name => match self.values.iter().find(|(known, _)| known == name) {
                Some((_, value)) => Ok(*value),
                None => {
                    let known: Vec<&str> = self.values.iter().map(|(known, _)| known.as_str()).collect();
                    Err(match &known[..] {
                        [] => format!("{name} is no number, and the file has no parameters"),
                        _ => format!("{name} is not a known parameter ({})", known.join(", ")),
                    })
                }
            },
        }
    }

    fn best(&mut self, better: fn(i64, i64) -> i64) -> Result<i64, String> {
        self.expect('(')?;
        let mut best = self.sum()?;
        while self.sign(',') {
            best = better(best, self.sum()?);
        }
        self.expect(')').map(|()| best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, String> {
        evaluate(text, &vec![("rows".into(), 4), ("n".into(), 7)])
    }

    #[test]
    fn expressions() {
        for (text, expected) in [
            ("rows", 4),
            (" 2 * n - 1 ", 13),
            ("2+3*4", 14),
            ("(2+3)*4", 20),
            ("7/2 + 7%2", 4),
            ("-n + 10", 3),
            ("--n", 7),
            ("min(n, max(rows, 5), 9)", 5),
            ("10-3-2", 5),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn names_with_parameters_in_them() {
        let fill = |text, letters| filled_in(text, &vec![("rows".into(), 4), ("cols".into(), 28)], letters);
        let right = |text, letters| fill(text, letters).unwrap().into_owned();
        assert_eq!((right("a{rows}", true), right("b{rows - 1}", true)), ("a4".into(), "b3".into()));
        assert_eq!((right("{cols}{rows}", true), right("{cols}", false)), ("ab4".into(), "28".into()));
        assert_eq!((right("{0}1", true), right("plain", true)), ("01".into(), "plain".into()));
        for (text, expected) in [("a{rows", "a }"), ("a}", "a {"), ("a{size}", "size is not"), ("a{}", "at its end")] {
            assert!(fill(text, true).unwrap_err().contains(expected), "{text}");
        }
        assert_eq!(right("{0-9223372036854775807-1}", true), "-9223372036854775808", "no overflow");
    }

    #[test]
    fn texts_that_are_not_expressions() {
        let refusal = |text: &str| value(text).expect_err(text);
        assert!(refusal("").contains("expected a number or a parameter at its end"));
        assert!(refusal("2 +").contains("at its end") && refusal("2 3").contains("expected an operator at '3'"));
        assert!(refusal("cols").contains("cols is not a known parameter (rows, n)"));
        assert!(refusal("1/0").contains("no result") && refusal("1 % (n-7)").contains("no result"));
        assert!(refusal("99999999999999999999").contains("too large"));
        assert!(refusal("9223372036854775807 + 1").contains("too large"));
        assert!(refusal("(0-9223372036854775807-1)/(0-1)").contains("no result"), "the one overflow of a division");
        assert!(refusal("min 3").contains("expected '(' at '3'") && refusal("(1").contains("expected ')'"));
        assert!(refusal(&"(".repeat(100)).contains("nested at most 16"));
        assert!(refusal(&"1+".repeat(200)).contains("at most 200 bytes"));
        assert!(refusal("é").contains("'é'"));
    }
}
