//! Words and signs of a text.

use crate::dyadic::Dyadic;

/// A word or sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A number without a sign.
    Number(Dyadic),
    /// A number of ups, negative for downs: `^`, `vv`, `^3`.
    Ups(i64),
    /// A power of up or down, `^<3>`: the power, and 1 or -1.
    Power(u32, i64),
    /// The first powers of up or down, `^[3]`: how many, and 1 or -1.
    Powers(u32, i64),
    /// `*`.
    Star,
    /// `*2`: a star, and digits right behind it.
    Nimber(u32),
    Plus,
    Minus,
    /// `+-`.
    PlusMinus,
    /// `:`.
    Colon,
    Comma,
    /// Bars: `|`, `||` and so on.
    Bars(usize),
    OpenBrace,
    CloseBrace,
    OpenParenthesis,
    CloseParenthesis,
    Tiny,
    Miny,
    End,
    /// Anything else. It is not skipped.
    Other,
}

/// A text, read from left to right.
#[derive(Clone, Debug)]
pub(super) struct Text {
    characters: Vec<char>,
    place: usize,
}

/// What was expected, where a text cannot be cut into tokens.
pub(super) type Unreadable = &'static str;

impl Text {
    pub(super) fn new(text: &str) -> Self {
        Self { characters: text.chars().collect(), place: 0 }
    }

    /// Moves to the next character that is not a space, and returns its place.
    pub(super) fn skip_spaces(&mut self) -> usize {
        while self.peek().is_some_and(char::is_whitespace) {
            self.place += 1;
        }
        self.place
    }

    /// What stands at a place, for an error.
    pub(super) fn found(&self, place: usize) -> String {
        match self.characters.get(place) {
            Some(character) => format!("`{character}`"),
            None => "the end".into(),
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.characters.get(self.place).copied()
    }

    /// The next token. After an error, the place is where it was found.
    pub(super) fn next(&mut self) -> Result<Token, Unreadable> {
        self.skip_spaces();
        let Some(character) = self.peek() else { return Ok(Token::End) };
        if character.is_ascii_digit() {
            return self.number();
        }
        if character.is_ascii_alphabetic() && character != 'v' {
            return Ok(self.word());
        }
        self.place += 1;
        Ok(match character {
            '\u{bd}' => return Dyadic::new(1, 1).map(Token::Number).map_err(|_| "a number"),
            '\u{bc}' => return Dyadic::new(1, 2).map(Token::Number).map_err(|_| "a number"),
            '\u{be}' => return Dyadic::new(3, 2).map(Token::Number).map_err(|_| "a number"),
            '\u{21d1}' => Token::Ups(2),
            '\u{21d3}' => Token::Ups(-2),
            '^' | '\u{2191}' => return self.ups(character, 1),
            'v' | '\u{2193}' => return self.ups(character, -1),
            '*' | '\u{2217}' if self.at_digit() => {
                Token::Nimber(self.digits()?.try_into().map_err(|_| "a nimber below 2^32")?)
            }
            '*' | '\u{2217}' => Token::Star,
            '+' if self.peek() == Some('-') => {
                self.place += 1;
                Token::PlusMinus
            }
            '\u{b1}' => Token::PlusMinus,
            '+' => Token::Plus,
            '-' => Token::Minus,
            ':' => Token::Colon,
            ',' => Token::Comma,
            '|' => {
                let start = self.place - 1;
                while self.peek() == Some('|') {
                    self.place += 1;
                }
                Token::Bars(self.place - start)
            }
            '{' => Token::OpenBrace,
            '}' => Token::CloseBrace,
            '(' => Token::OpenParenthesis,
            ')' => Token::CloseParenthesis,
            _ => {
                self.place -= 1;
                Token::Other
            }
        })
    }

    fn at_digit(&self) -> bool {
        self.peek().is_some_and(|it| it.is_ascii_digit())
    }

    fn digits(&mut self) -> Result<i64, Unreadable> {
        let start = self.place;
        let mut value: i64 = 0;
        while let Some(digit) = self.peek().and_then(|it| it.to_digit(10)) {
            value = match value.checked_mul(10).and_then(|it| it.checked_add(digit.into())) {
                Some(value) => value,
                None => {
                    self.place = start;
                    return Err("a number below 2^63");
                }
            };
            self.place += 1;
        }
        if self.place == start { Err("a number") } else { Ok(value) }
    }

    fn number(&mut self) -> Result<Token, Unreadable> {
        let numerator = self.digits()?;
        let mut exponent = 0;
        let is_decimal = self.characters.get(self.place + 1).is_some_and(char::is_ascii_digit);
        if self.peek() == Some('.') && is_decimal {
            return self.decimals(numerator);
        }
        if self.peek() == Some('/') {
            self.place += 1;
            let start = self.place;
            let denominator = self.digits()?;
            if !denominator.unsigned_abs().is_power_of_two() {
                self.place = start;
                return Err("a power of 2");
            }
            exponent = denominator.trailing_zeros();
        }
        Dyadic::new(numerator, exponent).map(Token::Number).map_err(|_| "a number with a denominator up to 2^62")
    }

    /// The digits after the point of a number: `0.75` is 3/4.
    fn decimals(&mut self, whole: i64) -> Result<Token, Unreadable> {
        const EXPECTED: Unreadable = "a decimal that is a fraction with a power of 2 below, such as 0.75";
        self.place += 1;
        let start = self.place;
        let decimals = self.digits()?;
        let count = u32::try_from(self.place - start).unwrap_or(u32::MAX);
        let read = || {
            let all = whole.checked_mul(10_i64.checked_pow(count)?)?.checked_add(decimals)?;
            let fives = 5_i64.checked_pow(count)?;
            if all % fives == 0 { Dyadic::new(all / fives, count).ok() } else { None }
        };
        let number = read();
        number.map(Token::Number).ok_or_else(|| {
            self.place = start;
            EXPECTED
        })
    }

    fn word(&mut self) -> Token {
        let rest = &self.characters[self.place..];
        let word: String = rest.iter().take_while(|it| it.is_ascii_alphabetic()).collect();
        let token = match word.as_str() {
            "Tiny" => Token::Tiny,
            "Miny" => Token::Miny,
            _ => return Token::Other,
        };
        self.place += word.len();
        token
    }

    /// Ups or downs, after the first sign.
    fn ups(&mut self, sign: char, direction: i64) -> Result<Token, Unreadable> {
        let follows = |at: usize| self.characters.get(self.place + at).copied();
        if direction > 0 && follows(0) == Some('-') && follows(1).is_some_and(|it| it.is_ascii_digit()) {
            self.place -= 1;
            return Err("`v` or `-1^`, since `^-1` is down in some programs and up minus 1 in others");
        }
        let (close, power) = match self.peek() {
            Some('<') => ('>', true),
            Some('[') => (']', false),
            _ => {
                let mut count = 1;
                while self.peek() == Some(sign) {
                    self.place += 1;
                    count += 1;
                }
                if count == 1 && self.at_digit() {
                    count = self.digits()?;
                }
                return Ok(Token::Ups(count * direction));
            }
        };
        self.place += 1;
        let start = self.place;
        let number = u32::try_from(self.digits()?).ok().filter(|&number| number > 0);
        let Some(number) = number else {
            self.place = start;
            return Err("a power from 1 to 2^32");
        };
        if self.peek() != Some(close) {
            return Err(if power { "`>`" } else { "`]`" });
        }
        self.place += 1;
        Ok(if power { Token::Power(number, direction) } else { Token::Powers(number, direction) })
    }

    /// The place of the next character.
    pub(super) const fn place(&self) -> usize {
        self.place
    }

    /// Goes back to a place.
    pub(super) const fn back_to(&mut self, place: usize) {
        self.place = place;
    }
}
