//! Reads games.
//!
//! Brackets are kept on a stack in the heap, so deep nesting cannot overflow the stack of the thread.

use super::open::{Bracket, Open, Prefix};
use super::token::{Text, Token};
use crate::calculator::Calculator;
use crate::dyadic::Dyadic;
use crate::error::Error;
use crate::store::Value;

impl Calculator {
    /// Reads a game: a name as [`name`](Self::name) writes it, or an expression.
    ///
    /// | text | game |
    /// |---|---|
    /// | `3`, `-1/2` | number; a minus sign right before a number belongs to it, so `-1*` is `-1` plus `*` |
    /// | `*`, `*2` | nimber |
    /// | `^`, `vv`, `^3` | ups and downs |
    /// | `^<2>`, `^[2]` | power of up, sum of the first powers of up |
    /// | `1^3*2` | number plus ups plus nimber |
    /// | `Tiny(2)`, `1Miny(2)` | tiny, or a number plus miny |
    /// | `{2\|-1}`, `{0,*\|}`, `{2\|\|1\|0}` | options; a group with more bars contains groups with fewer bars |
    /// | `+-1`, `+-{0,1}` | switch between a game and its negative, or between options and their negatives |
    /// | `-G`, `G + H`, `G - H`, `(G)` | negative, sum, difference |
    /// | `2*G` | multiple; `2*3` is `2` plus `*3`, so write `2*(3)` for 6 |
    /// | `G:H` | ordinal sum, which binds more tightly than multiples |
    ///
    /// # Errors
    /// [`Error::Text`] with the place of the mistake, or another error of the limits.
    pub fn parse(&mut self, text: &str) -> Result<Value, Error> {
        self.counted(|it| GameReader { calculator: it, text: Text::new(text), place: 0 }.read())
    }
}

struct GameReader<'a> {
    calculator: &'a mut Calculator,
    text: Text,
    /// Where the current token starts.
    place: usize,
}

impl GameReader<'_> {
    fn read(mut self) -> Result<Value, Error> {
        let mut open = vec![Open::new(Bracket::Whole)];
        loop {
            let token = self.token()?;
            let Some(top) = open.last_mut() else { return Err(self.expected("the end")) };
            let next = if top.sum.started { self.operator(top, token)? } else { self.operand(top, token)? };
            match next {
                Next::Continue => {}
                Next::Open(bracket) => open.push(Open::new(bracket)),
                Next::Close { game, switched } => {
                    open.pop();
                    let Some(outer) = open.last_mut() else { return Ok(game) };
                    if switched {
                        outer.sum.prefixes.pop();
                    }
                    outer.sum.take(self.calculator, game)?;
                }
            }
        }
    }

    /// Reads a token where a game is expected.
    fn operand(&mut self, top: &mut Open, token: Token) -> Result<Next, Error> {
        let game = match token {
            Token::Minus if self.text.peek().is_some_and(|it| it.is_ascii_digit()) => match self.token()? {
                Token::Number(number) => return self.number(top, -number),
                _ => return Err(self.expected("a number")),
            },
            Token::Number(number) => return self.number(top, number),
            Token::Minus if !top.sum.has_base() => {
                top.sum.prefixes.push(Prefix::Minus);
                return Ok(Next::Continue);
            }
            Token::PlusMinus => {
                top.sum.prefixes.push(Prefix::PlusMinus);
                return Ok(Next::Continue);
            }
            Token::Ups(_) | Token::Power(..) | Token::Powers(..) | Token::Star | Token::Nimber(_) => {
                self.word(top, Dyadic::ZERO, token)?
            }
            Token::OpenParenthesis => return Ok(Next::Open(Bracket::Parenthesis)),
            Token::OpenBrace => {
                let switch = top.sum.prefixes.last() == Some(&Prefix::PlusMinus);
                return Ok(Next::Open(Bracket::Brace { switch, sides: Vec::new() }));
            }
            Token::Tiny | Token::Miny => return self.tiny(Value::ZERO, token == Token::Miny),
            // An empty list of options.
            Token::Bars(_) | Token::CloseBrace if empty_side(top) => return self.end_side(top, token),
            _ => return Err(self.expected("a game")),
        };
        top.sum.take(self.calculator, game)?;
        Ok(Next::Continue)
    }

    /// Reads what follows a number: a factor's game, or ups, a nimber, tiny or miny that belong to it.
    fn number(&mut self, top: &mut Open, number: Dyadic) -> Result<Next, Error> {
        let switched = top.sum.prefixes.last() == Some(&Prefix::PlusMinus);
        let (place, behind) = (self.text.place(), self.text.peek());
        if !switched && behind.is_some() {
            let adjacent = !behind.is_some_and(char::is_whitespace);
            match self.token()? {
                Token::Star if number.is_integer() && !top.sum.has_base() && self.factor_follows() => {
                    top.sum.prefixes.push(Prefix::Times(number.numerator()));
                    return Ok(Next::Continue);
                }
                token @ (Token::Tiny | Token::Miny) if adjacent => {
                    let value = self.calculator.number(number)?;
                    return self.tiny(value, token == Token::Miny);
                }
                token @ (Token::Ups(_) | Token::Power(..) | Token::Powers(..) | Token::Star | Token::Nimber(_))
                    if adjacent =>
                {
                    let game = self.word(top, number, token)?;
                    top.sum.take(self.calculator, game)?;
                    return Ok(Next::Continue);
                }
                _ => self.text.back_to(place),
            }
        }
        let value = self.calculator.number(number)?;
        top.sum.take(self.calculator, value)?;
        Ok(Next::Continue)
    }

    /// True if a game follows that a star before it multiplies.
    fn factor_follows(&mut self) -> bool {
        let place = self.text.place();
        self.text.skip_spaces();
        let follows = match self.text.next() {
            Ok(Token::Number(_) | Token::Ups(_) | Token::Power(..) | Token::Powers(..)) => true,
            Ok(Token::Star | Token::Nimber(_) | Token::Tiny | Token::Miny | Token::PlusMinus) => true,
            token => matches!(token, Ok(Token::OpenBrace | Token::OpenParenthesis)),
        };
        self.text.back_to(place);
        follows
    }

    /// A number plus ups plus a nimber. `token` is the first word behind the number.
    fn word(&mut self, top: &Open, number: Dyadic, token: Token) -> Result<Value, Error> {
        let calculator = &mut *self.calculator;
        let mut game = calculator.number(number)?;
        let nim = |token: &Token| match token {
            Token::Star => Some(1),
            Token::Nimber(size) => Some(*size),
            _ => None,
        };
        let ups = match token {
            Token::Ups(count) => calculator.ups(count, 0)?,
            Token::Power(power, sign) => {
                let ups = calculator.up_power(power)?;
                calculator.multiple(sign, ups)?
            }
            Token::Powers(power, sign) => {
                let ups = calculator.up_powers(power)?;
                calculator.multiple(sign, ups)?
            }
            ref star => {
                let star = calculator.nimber(nim(star).unwrap_or(0))?;
                return calculator.sum(game, star);
            }
        };
        game = calculator.sum(game, ups)?;
        // In `+-^*` the star would not belong to the switch, so it is left to be an error.
        let star_follows = matches!(self.text.peek(), Some('*' | '\u{2217}'));
        if top.sum.prefixes.last() == Some(&Prefix::PlusMinus) || !star_follows {
            return Ok(game);
        }
        let star = nim(&self.token()?).unwrap_or(0);
        let star = self.calculator.nimber(star)?;
        self.calculator.sum(game, star)
    }

    /// Opens the parenthesis of tiny or miny.
    fn tiny(&mut self, number: Value, miny: bool) -> Result<Next, Error> {
        match self.token()? {
            Token::OpenParenthesis => Ok(Next::Open(Bracket::Tiny { number, miny })),
            _ => Err(self.expected("`(`")),
        }
    }

    /// Reads a token where a game has ended.
    fn operator(&mut self, top: &mut Open, token: Token) -> Result<Next, Error> {
        match token {
            Token::Plus | Token::Minus => {
                top.sum.end_term(self.calculator, token == Token::Minus)?;
            }
            Token::Colon => top.sum.started = false,
            Token::PlusMinus => return Err(self.expected("an operator; write `+ -G` or `+ +-G`")),
            Token::Comma if matches!(top.bracket, Bracket::Brace { .. }) => {
                let option = top.sum.finish(self.calculator)?;
                top.list.push(option);
            }
            Token::Bars(_) | Token::CloseBrace if matches!(top.bracket, Bracket::Brace { .. }) => {
                let option = top.sum.finish(self.calculator)?;
                top.list.push(option);
                return self.end_side(top, token);
            }
            Token::CloseParenthesis => match top.bracket {
                Bracket::Parenthesis => return top.sum.finish(self.calculator).map(Next::close),
                Bracket::Tiny { number, miny } => {
                    let argument = top.sum.finish(self.calculator)?;
                    let tiny = if miny { self.calculator.miny(argument)? } else { self.calculator.tiny(argument)? };
                    return self.calculator.sum(number, tiny).map(Next::close);
                }
                _ => return Err(self.expected(ending(&top.bracket))),
            },
            Token::End if matches!(top.bracket, Bracket::Whole) => {
                return top.sum.finish(self.calculator).map(Next::close);
            }
            _ => return Err(self.expected(ending(&top.bracket))),
        }
        Ok(Next::Continue)
    }

    /// Ends a side of a bar, at bars or at a closing brace.
    fn end_side(&mut self, top: &mut Open, token: Token) -> Result<Next, Error> {
        let Bracket::Brace { switch, sides } = &mut top.bracket else { return Err(self.expected("a game")) };
        let mut options = std::mem::take(&mut top.list);
        let next = if let Token::Bars(bars) = token { bars } else { usize::MAX };
        let mut group = false;
        // Fewer bars bind more tightly.
        while let Some((lefts, bars)) = sides.pop_if(|(_, bars)| *bars <= next) {
            if bars == next {
                return Err(self.expected("more or fewer bars than in the same group"));
            }
            options = vec![self.calculator.simplified(&lefts, &options)?];
            group = true;
        }
        if next < usize::MAX {
            sides.push((options, next));
            return Ok(Next::Continue);
        }
        if group {
            return Ok(Next::close(options[0]));
        }
        // Without a bar, the options are those of Left in a switch.
        if !*switch || options.is_empty() {
            return Err(self.expected("`|`"));
        }
        let negatives: Vec<Value> =
            options.iter().map(|&option| self.calculator.negative(option)).collect::<Result<_, _>>()?;
        let game = self.calculator.simplified(&options, &negatives)?;
        Ok(Next::Close { game, switched: true })
    }

    fn token(&mut self) -> Result<Token, Error> {
        self.place = self.text.skip_spaces();
        self.text.next().map_err(|expected| {
            self.place = self.text.place();
            self.expected(expected)
        })
    }

    /// The error that something else stands at the current place.
    fn expected(&self, expected: &'static str) -> Error {
        Error::Text { column: self.place + 1, expected, found: self.text.found(self.place) }
    }
}

/// What reading a token leads to.
enum Next {
    Continue,
    Open(Bracket),
    /// The bracket ends.
    Close {
        game: Value,
        /// True if the bracket belonged to the `+-` before it.
        switched: bool,
    },
}

impl Next {
    const fn close(game: Value) -> Self {
        Self::Close { game, switched: false }
    }
}

/// True where a list of options may be empty: nothing was read since the last bar.
fn empty_side(top: &Open) -> bool {
    matches!(top.bracket, Bracket::Brace { .. }) && top.list.is_empty() && top.sum.is_fresh()
}

/// What may follow a game in a bracket.
const fn ending(bracket: &Bracket) -> &'static str {
    match bracket {
        Bracket::Whole => "an operator or the end",
        Bracket::Parenthesis | Bracket::Tiny { .. } => "an operator or `)`",
        Bracket::Brace { .. } => "an operator, `,`, `|` or `}`",
    }
}
