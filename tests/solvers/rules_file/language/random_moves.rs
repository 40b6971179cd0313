//! Random moves of a random file.

use super::file::{Act, Drawing, Frame, Layout, ModeName, MoveTable, Neighbours, Turns, Who};
use super::random::Random;

impl Random {
    pub(super) fn move_table(&mut self, has_groups: bool, turns: &Turns) -> MoveTable {
        let (act, frame) = self.act();
        let is_drawn = matches!(act, Act::Shape(_) | Act::Line(_) | Act::Slide(..) | Act::Shoot(_));
        let neighbours = (is_drawn && self.one_in(3)).then(|| self.neighbours());
        let arrives = match &act {
            Act::Shape(shape) => shape.iter().flatten().any(|&sign| sign == 'X'),
            act => matches!(act, Act::Line(_)),
        };
        let may_fill = !self.two_colours && !self.squares.is_graph() && arrives;
        let also = if may_fill && self.one_in(4) {
            let ways = ["right", "below", "left", "above"];
            let one = self.pick(&ways);
            ways.into_iter().filter(|&way| way == one || self.one_in(3)).collect()
        } else {
            Vec::new()
        };
        let completes = (has_groups && is_drawn && self.one_in(2)).then(|| self.span(0, 2));
        let takes_one = match &act {
            Act::Shape(shape) => shape.iter().flatten().filter(|&&sign| "TCXLB".contains(sign)).eq(['T'].iter()),
            _ => false,
        };
        let spares = (has_groups && takes_one && self.rng.bool()).then(|| self.squares.all().len() as i32);
        let fills_one = match &act {
            Act::Shape(shape) => shape.iter().flatten().filter(|&&sign| "XL+".contains(sign)).eq(['X'].iter()),
            Act::Line(lengths) => *lengths == [1, 1],
            _ => false,
        };
        let is_picture = matches!(self.squares.layout, Layout::Between(_));
        let rests = is_picture && fills_one && also.is_empty() && !matches!(neighbours, Some(Neighbours::Sign('+')));
        let rests_on = if rests && self.rng.u8(..4) > 0 { self.some(2, |it| it.rng.i32(1..=4)) } else { Vec::new() };
        let letters = self.letters(&act);
        let mut who = Who { side: None, again: false, steps: Vec::new() };
        if self.sides {
            who.side = self.one_in(3).then(|| self.rng.usize(..2));
            who.again = !matches!(turns, Turns::Swap(_)) && self.one_in(6);
        }
        if matches!(turns, Turns::None) {
            who.again = self.one_in(4);
        }
        if self.modes > 0 {
            let one = self.rng.usize(..self.modes);
            for mode in 0..self.modes {
                if mode == one || self.rng.bool() {
                    let letter = |it: &mut Self| (!letters.is_empty() && it.rng.bool()).then(|| it.pick(&letters));
                    let names: [ModeName; 2] = [(mode, letter(self)), (self.rng.usize(..self.modes), letter(self))];
                    who.steps.push(names);
                }
            }
            who.again = matches!(turns, Turns::List(_)) && self.one_in(4);
        }
        let otherwise = self.one_in(12);
        let gains = if self.points && self.rng.bool() { self.rng.i32(-4..=4) } else { 0 };
        MoveTable { act, frame, neighbours, also, completes, spares, rests_on, otherwise, gains, who }
    }

    /// The letters of squares that every move of `act` has.
    fn letters(&self, act: &Act) -> Vec<char> {
        let stays = if self.two_colours { 'M' } else { 'F' };
        if !self.remembers {
            return Vec::new();
        }
        match act {
            Act::Shape(shape) => {
                let has = |signs: &str| shape.iter().flatten().any(|&sign| signs.contains(sign));
                let letters = [('X', has("XCB")), ('L', has("L")), (stays, has(&stays.to_string()))];
                letters.into_iter().filter(|it| it.1).map(|it| it.0).collect()
            }
            Act::Line(_) | Act::Outflanks => vec!['X'],
            Act::Slide(..) | Act::Lifts(_) => vec!['X', 'L'],
            Act::Shoot(_) => vec!['X', 'M'],
            Act::Push(..) | Act::Take(..) | Act::Cells { .. } | Act::Pass { .. } => Vec::new(),
        }
    }

    fn act(&mut self) -> (Act, Frame) {
        let placed = |it: &mut Self, act: Act| {
            let frame = Frame { along: it.along(), limits: it.limits(), ..Frame::default() };
            (act, frame)
        };
        let kind = self.rng.u8(..if self.squares.is_graph() { 11 } else { 20 });
        let (rows, cols) = self.size();
        let far = rows.max(cols) - 1;
        match kind {
            0..9 => (Act::Shape(self.move_shape()), self.turned()),
            9 => {
                let (fills, clears) = (self.cells(2), if self.one_in(3) { self.cells(1) } else { Vec::new() });
                let empty = self.one_in(3).then(|| [self.cells(1), fills[..1].to_vec()].concat());
                let full = if self.one_in(3) { self.cells(1) } else { Vec::new() };
                (Act::Cells { fills, clears, empty, full }, Frame::default())
            }
            10 => {
                let empty = if self.one_in(2) { self.cells(1) } else { Vec::new() };
                let full = if self.one_in(3) { self.cells(1) } else { Vec::new() };
                (Act::Pass { empty, full }, Frame::default())
            }
            11 | 12 => {
                let span = self.span(1, 3);
                placed(self, Act::Line(span))
            }
            13 => {
                let span = self.span(1, far.max(1));
                let furthest = self.rng.bool();
                placed(self, Act::Slide(span, furthest))
            }
            14 | 15 if self.two_colours => {
                let span = self.span(1, far.max(1));
                placed(self, Act::Shoot(span))
            }
            16 | 17 if self.two_colours => placed(self, Act::Outflanks),
            14..=16 => {
                let numbers = self.some(2, |it| it.rng.i32(1..=3));
                let each = self.one_in(3);
                (Act::Take(numbers, each), Frame { limits: self.limits(), ..Frame::default() })
            }
            18 => {
                let span = self.span(2, 3);
                let enters = self.rng.bool();
                placed(self, Act::Push(span, enters))
            }
            _ => (Act::Lifts(self.drawing("XX.", "X")), self.turned()),
        }
    }

    fn move_shape(&mut self) -> Drawing {
        let common: &[&str] = match (self.squares.is_graph(), self.two_colours) {
            (true, false) => &["X", "XX", "LX", "LFX", "XoX", "FX"],
            (true, true) => &["X", "XX", "LX", "LC", "LYX", "LTX", "LMX", "LXY"],
            (false, false) => &["X", "X", "XX", "LX", "L", "XL", "LLX", "X.L", "X#", "X+", "XF"],
            (false, true) => &["X", "X", "XX", "LX", "LC", "LTX", "LYX", "T", "XB", "XM", "L", "X#", "B", "MB"],
        };
        if self.squares.is_graph() || self.one_in(2) {
            return vec![self.pick(common).chars().collect()];
        }
        if self.two_colours { self.drawing("XXo-L#|..MmYyTCB", "XXLTCB") } else { self.drawing("XXo-L#|..F+", "XXL") }
    }

    fn neighbours(&mut self) -> Neighbours {
        if self.rng.bool() {
            let signs: &[char] = if self.two_colours { &['m', 'y', '-'] } else { &['+', '-'] };
            return Neighbours::Sign(self.pick(signs));
        }
        let signs: &[char] = if self.two_colours { &['o', 'M', 'Y'] } else { &['o', 'F'] };
        let counted: Vec<char> = signs.iter().copied().filter(|_| self.rng.bool()).collect();
        let counted = if counted.is_empty() { vec![signs[0]] } else { counted };
        Neighbours::Counts(counted.into_iter().map(|sign| (sign, self.span(0, 3))).collect())
    }
}
