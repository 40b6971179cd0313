//! Conditions on numbers of pieces: `in_hand`, `on_board` and `in_all`.
//!
//! Each key is a table with numbers of pieces of the `mover` and of the `other` side. The pieces in hand are part of
//! the mode. So in each mode a number in hand holds or does not, and a number in all (in hand or on the board) is a
//! number on the board:
//!
//! ```text
//! in_all = { mover = 3 }    in x-0-2: three pieces on the board;   in x-2-2: one;   in x-4-4: never
//! ```

use std::ops::RangeInclusive;

use super::error::Read;
use super::expression::Values;
use super::range;
use super::reader::RulesReader;
use super::source::{Item, Keys};
use super::turns::Turns;
use crate::rules::{Board, Count, MAX_CELLS, Mode, Move};

/// The keys of the conditions.
pub(super) const KEYS: [&str; 3] = ["in_hand", "on_board", "in_all"];

/// Whose pieces a condition counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Mover,
    Other,
    Both,
}

const WHOSE: [(&str, Whose); 3] = [("mover", Whose::Mover), ("other", Whose::Other), ("both", Whose::Both)];

/// The conditions of one table.
pub(super) struct Amounts<'a> {
    /// The pieces in hand of the mover and of the other side.
    in_hand: [RangeInclusive<u32>; 2],
    on_board: Option<OnBoard<'a>>,
}

/// A number of pieces that depends on the board.
struct OnBoard<'a> {
    item: Item<'a>,
    whose: Whose,
    /// Whether pieces in hand count, too.
    in_all: bool,
    range: RangeInclusive<u32>,
}

/// Whether a condition holds in a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fits {
    Never,
    Always,
    /// On boards with such a number of pieces.
    If(Count),
}

/// The largest number in a condition.
const MOST: u32 = 2 * MAX_CELLS;

impl<'a> Amounts<'a> {
    /// Takes the conditions of a table. `from_hand` says of a move whether its piece comes from the hand; it is `None`
    /// for an end.
    fn take(keys: &mut Keys<'a>, values: &Values, from_hand: Option<bool>) -> Read<Self> {
        let in_hand = Self::in_hand(keys, values, from_hand)?;
        let mut on_board = None;
        for (key, in_all) in [("on_board", false), ("in_all", true)] {
            let Some(item) = keys.take(key) else { continue };
            for (whose, item, range) in sides(item, values)? {
                if on_board.is_some() {
                    return Err(item.found("one number of pieces in `on_board` and `in_all`", "several"));
                }
                on_board = Some(OnBoard { item, whose, in_all, range });
            }
        }
        Ok(Self { in_hand, on_board })
    }

    /// Takes the numbers of pieces in hand. Without the key, a move on the board needs the mover's hand empty.
    pub(super) fn in_hand(
        keys: &mut Keys<'_>,
        values: &Values,
        from_hand: Option<bool>,
    ) -> Read<[RangeInclusive<u32>; 2]> {
        let mut in_hand = [0..=MOST, 0..=MOST];
        if from_hand == Some(false) {
            in_hand[0] = 0..=0;
        }
        for (whose, item, range) in keys.take("in_hand").map_or(Ok(Vec::new()), |item| sides(item, values))? {
            match whose {
                Whose::Mover => in_hand[0] = range,
                Whose::Other => in_hand[1] = range,
                Whose::Both => return Err(item.clash("`mover` or `other` in `in_hand`", "`both`")),
            }
        }
        Ok(in_hand)
    }

    /// The number of pieces on the board or in all, if there is one.
    pub(super) fn counted(&self) -> Option<Item<'a>> {
        self.on_board.as_ref().map(|of| of.item)
    }
}

/// The numbers of a table from `mover`, `other` or `both`.
fn sides<'a>(item: Item<'a>, values: &Values) -> Read<Vec<(Whose, Item<'a>, RangeInclusive<u32>)>> {
    let known = WHOSE.map(|(word, _)| word);
    let mut keys = item.keys("numbers of pieces", &[&known])?;
    let given = WHOSE.into_iter().filter_map(|(word, whose)| keys.take(word).map(|item| (whose, item)));
    let read =
        |(whose, item): (Whose, Item<'a>)| Ok((whose, item, range::bounds(item, values, MOST, "a number of pieces")?));
    let all = given.map(read).collect::<Read<Vec<_>>>()?;
    item.ensure(!all.is_empty() || keys.has_unknown(), "a number for `mover` or `other`", "none")?;
    Ok(all)
}

impl RulesReader<'_> {
    /// Takes the conditions of a table. `from_hand` says of a move whether its piece comes from the hand; it is `None`
    /// for an end.
    ///
    /// # Errors
    /// If the file cannot have them, or no board has such a number of pieces.
    pub(super) fn take_amounts<'a>(&self, keys: &mut Keys<'a>, from_hand: Option<bool>) -> Read<Amounts<'a>> {
        let hand = if let Turns::Hand(hand) = &self.turns { Some(hand.full()) } else { None };
        if let Some(item) = ["in_hand", "in_all"].into_iter().filter(|_| hand.is_none()).find_map(|key| keys.get(key)) {
            return Err(item.found("`hand` of the file", "none"));
        }
        let amounts = Amounts::take(keys, &self.values, from_hand)?;
        let Some(of) = &amounts.on_board else { return Ok(amounts) };
        of.item.ensure(self.squares.colours() == 2, "a [board] with `colours`", "none")?;
        let hand = hand.filter(|_| of.in_all).unwrap_or_default();
        let most =
            self.squares.count() + if of.whose == Whose::Both { hand[0] + hand[1] } else { hand[0].max(hand[1]) };
        let expected = format!("a number of pieces that is possible, at most {most},");
        of.item.ensure(*of.range.start() <= most, expected, of.item.described())?;
        Ok(amounts)
    }

    /// Whether the conditions hold in `mode`.
    pub(super) fn fits(&self, amounts: &Amounts<'_>, mode: Mode) -> Fits {
        let mover = self.colour(mode);
        let left = match &self.turns {
            Turns::Hand(hand) => hand.holding(mode).left,
            _ => [0, 0],
        };
        let of = |colour: u32| left[colour as usize];
        if ![mover, 1 - mover].iter().zip(&amounts.in_hand).all(|(&colour, range)| range.contains(&of(colour))) {
            return Fits::Never;
        }
        let Some(on_board) = &amounts.on_board else { return Fits::Always };
        let colours = match on_board.whose {
            Whose::Mover => vec![mover],
            Whose::Other => vec![1 - mover],
            Whose::Both => vec![0, 1],
        };
        let in_hand = if on_board.in_all { colours.iter().map(|&colour| of(colour)).sum() } else { 0 };
        let most: u32 = colours.iter().map(|&colour| self.most_on_board(mode, colour)).sum();
        let most = most.min(self.squares.count());
        let (least, last) = (on_board.range.start().saturating_sub(in_hand), on_board.range.end().checked_sub(in_hand));
        let Some(last) = last.filter(|&last| least <= most && least <= last) else { return Fits::Never };
        if least == 0 && last >= most {
            return Fits::Always;
        }
        let cells = colours.iter().map(|&colour| self.squares.of_colour(colour)).collect();
        Fits::If(Count { cells, least: least as u8, most: last.min(self.squares.count()) as u8 })
    }

    /// An upper bound on the pieces of `colour` on the boards of `mode`.
    pub(super) fn most_on_board(&self, mode: Mode, colour: u32) -> u32 {
        let of_hand = match &self.turns {
            Turns::Hand(hand) => hand.most_on_board(mode, colour),
            _ => None,
        };
        of_hand.unwrap_or(u32::MAX).min(self.squares.count())
    }

    /// Returns whether play may put pieces on all of `cells` in `mode`.
    pub(super) fn may_have(&self, mode: Mode, cells: Board) -> bool {
        let fits = |colour: u32| (cells & self.squares.of_colour(colour)).count() <= self.most_on_board(mode, colour);
        (0..self.squares.colours()).all(fits)
    }

    /// Returns whether `m`, which needs more pieces than `count` allows, can ever be made.
    pub(super) fn may_meet(m: &Move, count: &Count) -> bool {
        (m.full & count.cells).count() <= u32::from(count.most)
    }

    /// The number of the condition `count`.
    pub(super) fn condition(&mut self, count: Count) -> u16 {
        let known = self.counts.iter().position(|known| *known == count);
        known.unwrap_or_else(|| {
            self.counts.push(count);
            self.counts.len() - 1
        }) as u16
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::Position;
    use crate::{FileGame, Game, Parameters, position_of};

    /// A row of five points: two pieces each, which step; the mover's last piece jumps; nobody with a single piece in
    /// all goes on if the other side has two.
    const ROW: &str = r#"
        name = "g"
        sides = ["x", "o"]
        hand = { x = 2, o = 2 }
        parameters = { jumps = { default = 1, least = 0 } }
        board = { row = 5, colours = "XO" }
        move = [
            { shape = "X", from = "hand" },
            { shape = "LX", turns = true, in_all = { mover = "2.." } },
            { lifts = "X", in_all = { mover = "..jumps" } },
            { shape = "LT", turns = true },
        ]
        end = [
            { in_all = { mover = 0 }, outcome = "loss" },
            { on_board = { both = "..2" }, in_hand = { mover = 0, other = 0 }, outcome = "draw" },
        ]
    "#;

    fn after(game: &FileGame, text: &str) -> Vec<String> {
        let at: Position = position_of(game.read(text).unwrap().node);
        let all = game.rules().moves_from(at).map(|m| game.write_move(at.into(), m.play(at)));
        all.collect()
    }

    #[test]
    fn numbers_in_all_are_numbers_on_the_board_in_each_mode() {
        let game = FileGame::read(ROW, &Parameters::new()).unwrap();
        assert_eq!(after(&game, "X.X.O x"), ["a1>b1", "c1>b1", "c1>d1"]);
        assert_eq!(after(&game, "X.O.O x"), ["a1>b1", "a1>d1"]);
        assert_eq!(after(&game, "XOO.. x"), ["a1>d1", "a1>e1", "a1>xb1"]);
        assert_eq!(after(&game, "X.O.. x"), [""; 0], "two pieces are left");
        assert_eq!(
            game.rules().ended(position_of(game.read("X.O.. x").unwrap().node)),
            Some(crate::rules::Outcome::Draw)
        );
        // A piece of x was taken, and one is in hand: the game goes on.
        assert_eq!(after(&game, "....O x-1-1"), ["a1", "b1", "c1", "d1"]);
        // The jumps are left out, and no condition that always holds is tested: with two pieces in hand no piece is on
        // the board.
        let none = FileGame::read(ROW, &Parameters::new().with("jumps", 0)).unwrap();
        assert_eq!(after(&none, "X.O.O x"), [""; 0]);
        assert!(none.report().warnings.is_empty(), "{:?}", none.report().warnings);
        let ends = &game.rules().spec().count_ends;
        assert!(ends.iter().all(|end| game.rules().modes()[usize::from(end.mode.0)] != "x-2-2"), "{ends:?}");
    }
}
