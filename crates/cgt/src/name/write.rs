//! Names, as CGSuite 2 prints them.
//!
//! A value is written in the first of the ways of [`Calculator::name`] that fits. A group is written without braces if it is the only option of its player; at four bars braces start again.
//!
//! CGSuite prints large integers of any size; here an integer is at most 65,535, because its form has as many moves.

use crate::calculator::Calculator;
use crate::error::Error;
use crate::shape::Shape;
use crate::store::Value;

/// Bars at which braces start again.
const MOST_BARS: u8 = 4;

/// A piece of a name that is still to be written.
enum Piece {
    Text(String),
    Game {
        value: Value,
        /// Options need braces.
        braces: bool,
        /// A name of several words needs parentheses.
        parentheses: bool,
    },
}

impl Calculator {
    /// The name of a value, as CGSuite prints it. [`parse`](Self::parse) reads it back. The first of these ways that fits
    /// is taken:
    ///
    /// | value | name |
    /// |---|---|
    /// | number, plus ups, plus nimber | `1/2`, `*2`, `^`, `vv*`, `1^3*2`, powers of up `^<2>`, sums of powers `^[3]` |
    /// | its own negative | `+-1`, `+-(1*)`, `+-{2\|1}`, or `+-{0,1}` with several Left options |
    /// | a number plus tiny or miny | `Tiny(2)`, `1Miny(1/2)` |
    /// | any other | `{2\|-1}`, `{2\|\|1\|0}`: a group with more bars contains groups with fewer bars |
    ///
    /// # Errors
    /// [`Error::Characters`] if the name is too long, or another error of the limits.
    pub fn name(&mut self, value: Value) -> Result<String, Error> {
        self.counted(|it| {
            let mut name = String::new();
            let mut waiting = vec![Piece::Game { value, braces: true, parentheses: false }];
            while let Some(piece) = waiting.pop() {
                match piece {
                    Piece::Text(text) => {
                        name.push_str(&text);
                        if name.len() > it.limits().characters {
                            return Err(Error::Characters { limit: it.limits().characters });
                        }
                    }
                    Piece::Game { value, braces, parentheses } => {
                        it.spend(1)?;
                        let pieces = it.pieces(value, braces, parentheses)?;
                        waiting.extend(pieces.into_iter().rev());
                    }
                }
            }
            Ok(name)
        })
    }

    /// The pieces of the name of a value.
    fn pieces(&mut self, value: Value, braces: bool, parentheses: bool) -> Result<Vec<Piece>, Error> {
        let shape = self.shape(value)?;
        let game = |value, braces, parentheses| Piece::Game { value, braces, parentheses };
        let mut pieces = Vec::new();
        match shape {
            Shape::Short => {
                let uptimal = self.uptimals[&value].as_ref();
                let name = uptimal.and_then(|it| Some((it.name()?, it.is_compact())));
                pieces.push(Piece::Text(match name {
                    Some((name, compact)) if parentheses && !compact => format!("({name})"),
                    Some((name, _)) => name,
                    None => String::new(),
                }));
            }
            Shape::PlusMinus => {
                pieces.push(text("+-"));
                let lefts = &self.in_order[&value][0];
                if let [left] = lefts[..] {
                    pieces.push(game(left, true, true));
                } else {
                    pieces.push(text("{"));
                    list(&mut pieces, lefts, true);
                    pieces.push(text("}"));
                }
            }
            Shape::Tiny(number, argument) | Shape::Miny(number, argument) => {
                let word = if matches!(shape, Shape::Tiny(..)) { "Tiny(" } else { "Miny(" };
                if parentheses {
                    pieces.push(text("("));
                }
                if number != Value::ZERO {
                    pieces.push(game(number, false, false));
                }
                pieces.extend([text(word), game(argument, true, false), text(")")]);
                if parentheses {
                    pieces.push(text(")"));
                }
            }
            Shape::Bars(bars) => {
                let [lefts, rights] = &self.in_order[&value];
                let braces = braces || bars == MOST_BARS;
                if braces {
                    pieces.push(text("{"));
                }
                list(&mut pieces, lefts, lefts.len() > 1);
                pieces.push(Piece::Text("|".repeat(bars.into())));
                list(&mut pieces, rights, rights.len() > 1);
                if braces {
                    pieces.push(text("}"));
                }
            }
        }
        Ok(pieces)
    }

    /// How a value is written. Finds it for everything that play reaches from the value as well.
    fn shape(&mut self, value: Value) -> Result<Shape, Error> {
        if let Some(&shape) = self.shapes.get(&value) {
            return Ok(shape);
        }
        self.order_options(value)?;
        for follower in self.store().followers(value) {
            if !self.shapes.contains_key(&follower) {
                let shape = self.shape_from_options(follower)?;
                self.shapes.insert(follower, shape);
            }
        }
        Ok(self.shapes[&value])
    }

    fn shape_from_options(&mut self, value: Value) -> Result<Shape, Error> {
        let uptimal = self.uptimals[&value].as_ref();
        let is_uptimal = uptimal.is_some();
        if uptimal.is_some_and(|it| it.name().is_some()) {
            return Ok(Shape::Short);
        }
        if self.negative(value)? == value {
            return Ok(Shape::PlusMinus);
        }
        if !is_uptimal && let Some(shape) = self.tiny_shape(value)? {
            return Ok(shape);
        }
        let bars = self.in_order[&value].iter().map(|options| match options[..] {
            [option] => match self.shapes[&option] {
                Shape::Bars(bars) => bars % MOST_BARS,
                _ => 0,
            },
            _ => 0,
        });
        Ok(Shape::Bars(1 + bars.max().unwrap_or(0)))
    }

    /// The shape of a number plus tiny or miny: `{x||x|h}` with `h` below `x` in the mean is `x` plus tiny of `x - h`.
    fn tiny_shape(&mut self, value: Value) -> Result<Option<Shape>, Error> {
        let (&[left], &[right]) = self.store().options(value) else { return Ok(None) };
        if self.store().is_number(left)
            && let (&[back], &[threat]) = self.store().options(right)
            && back == left
            && self.mean(threat)? < self.mean(left)?
        {
            return Ok(Some(Shape::Tiny(left, self.difference(left, threat)?)));
        }
        if self.store().is_number(right)
            && let (&[threat], &[back]) = self.store().options(left)
            && back == right
            && self.mean(threat)? > self.mean(right)?
        {
            return Ok(Some(Shape::Miny(right, self.difference(threat, right)?)));
        }
        Ok(None)
    }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.into())
}

/// Adds options with commas between them.
fn list(pieces: &mut Vec<Piece>, options: &[Value], braces: bool) {
    for (i, &value) in options.iter().enumerate() {
        if i > 0 {
            pieces.push(text(","));
        }
        pieces.push(Piece::Game { value, braces, parentheses: false });
    }
}
