//! The rules, restricted to the boards of one slice.
//!
//! The cells of the highest places are the *slice cells*. Their filled set is the number of a slice: all boards of the
//! other, lower cells. All boards of a slice meet a move's conditions on slice cells, or none does. So within a slice a
//! move concerns lower cells alone. It leads to the same slice or to another one, which follows from the slice cells
//! that it fills.
//!
//! ```text
//! index of a board:   slice (which slice)   | place (index within the slice)
//! move:               fills 01 of slice 10   | fills 0110            leads from slice 10 to slice 11
//! ```
//!
//! Without slice cells there is one slice, of all boards.

use crate::label::{LabelKind, Width};
use crate::rules::{Board, End, Move, Outcome, Rules};
use crate::worth::{self, Worth};

/// A cut of the boards into slices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    /// Cells of the board.
    cells: u32,
    /// The number of slice cells.
    upper: u32,
}

impl Cut {
    /// The slices of boards of `cells` cells, `upper` of which are slice cells.
    pub(super) const fn new(cells: u32, upper: u32) -> Self {
        assert!(upper <= cells, "slice cells are cells");
        Self { cells, upper }
    }

    /// One slice of all boards.
    pub(super) const fn whole(cells: u32) -> Self {
        Self::new(cells, 0)
    }

    /// The number of slice cells.
    pub(super) const fn upper(self) -> u32 {
        self.upper
    }

    /// The number of other cells.
    pub(super) const fn cells(self) -> u32 {
        self.cells - self.upper
    }

    /// The number of slices.
    pub(super) const fn slices(self) -> u64 {
        1 << self.upper
    }

    /// The slice of `board`.
    pub(super) const fn slice(self, board: Board) -> u64 {
        if self.upper == 0 { 0 } else { board.low_word() >> self.cells() }
    }

    /// The place of `board` within its slice: its other cells.
    pub(super) const fn place(self, board: Board) -> Board {
        if self.upper == 0 { board } else { Board::from_word(board.low_word() & ((1 << self.cells()) - 1)) }
    }

    /// `m` without its slice cells.
    fn within(self, m: &Move) -> Move {
        Move { empty: self.place(m.empty), full: self.place(m.full), fills: self.place(m.fills), ..*m }
    }
}

/// The rules, restricted to the boards of a slice.
pub(super) struct Part {
    /// Cells of a board within the slice.
    pub(super) cells: u32,
    /// Modes of the rules.
    pub(super) modes: u16,
    /// The outcome for a player without a move.
    pub(super) terminal: Outcome,
    /// `true` if the rules can draw.
    pub(super) draws: bool,
    /// The width of scores.
    pub(super) scores: Width,
    /// The least code of a score where there is a move.
    pub(super) floor: u16,
    /// The moves from boards of the slice, or in a backward part the moves to them.
    pub(super) moves: Vec<PartMove>,
    /// The terminal patterns of boards of the slice, in the order of the rules.
    pub(super) ends: Vec<End>,
    /// The other slices that moves lead to, or in a backward part come from, in descending order.
    pub(super) others: Vec<u64>,
}

/// A move, restricted to the cells within a slice. It may name none of them.
pub(super) struct PartMove {
    /// The move without its slice cells.
    pub(super) within: Move,
    /// What it is worth.
    pub(super) worth: Worth,
    /// The slice that it leads to, or comes from: 0 for the slice itself, `n` for the slice `n - 1` of [`Part::others`].
    pub(super) other: usize,
}

impl Part {
    /// All boards of `rules`.
    pub(super) fn whole(rules: &Rules) -> Self {
        Self::new(rules, Cut::whole(rules.cells()), 0)
    }

    /// The part of `slice`, with the moves from its boards. The boards of `rules` are indices.
    pub(super) fn new(rules: &Rules, cut: Cut, slice: u64) -> Self {
        let leading = |m: &Move| {
            let is_met = slice & cut.slice(m.empty) == 0 && !slice & cut.slice(m.full) == 0;
            is_met.then(|| slice | cut.slice(m.fills))
        };
        let moves = rules.moves().iter().filter_map(|m| Some((leading(m)?, m)));
        Self::with(rules, cut, slice, moves.collect())
    }

    /// The backward part of `slice`, with the moves to its boards. A move that fills slice cells which may be filled
    /// already comes from several slices.
    pub(super) fn backwards(rules: &Rules, cut: Cut, slice: u64) -> Self {
        let coming = |m: &Move| {
            let [empty, full, fills] = [m.empty, m.full, m.fills].map(|cells| cut.slice(cells));
            let fills = fills & !full;
            let is_so = !slice & (fills | full) == 0 && slice & empty & !fills == 0;
            let from = if is_so { subsets(fills & !empty) } else { Vec::new() };
            from.into_iter().map(move |held| slice & !fills | held)
        };
        let moves = rules.moves().iter().flat_map(|m| coming(m).map(move |from| (from, m)));
        Self::with(rules, cut, slice, moves.collect())
    }

    /// The part of a slice with `moves`, each with the slice that it leads to or comes from.
    fn with(rules: &Rules, cut: Cut, slice: u64, moves: Vec<(u64, &Move)>) -> Self {
        let mut others: Vec<u64> = moves.iter().map(|&(other, _)| other).filter(|&other| other != slice).collect();
        others.sort_unstable_by(|a, b| b.cmp(a));
        others.dedup();
        let place = |other| others.iter().position(|&found| found == other).map_or(0, |place| place + 1);
        let of = |(other, m): (u64, &Move)| PartMove {
            within: cut.within(m),
            worth: Worth::of(rules, m),
            other: place(other),
        };
        let moves = moves.into_iter().map(of).collect();
        let is_met = |end: &&End| !slice & cut.slice(end.pattern) == 0;
        let ends = rules.ends().iter().filter(is_met).map(|end| End { pattern: cut.place(end.pattern), ..*end });
        Self {
            cells: cut.cells(),
            modes: rules.modes().len() as u16,
            terminal: rules.terminal(),
            draws: rules.can_draw(),
            scores: LabelKind::Score.width(rules),
            floor: worth::floor(rules),
            ends: ends.collect(),
            moves,
            others,
        }
    }

    /// The moves in `mode`.
    pub(super) fn moves_of(&self, mode: u16) -> impl Iterator<Item = &PartMove> {
        self.moves.iter().filter(move |m| m.within.mode.0 == mode)
    }

    /// The terminal patterns of `mode` in reverse order: the kernel applies all of them, and the first of the rules,
    /// applied last, decides.
    pub(super) fn ends_of(&self, mode: u16) -> impl Iterator<Item = &End> {
        self.ends.iter().rev().filter(move |end| end.mode.0 == mode)
    }
}

impl PartMove {
    /// `true` if it leads to another slice, or comes from one.
    pub(super) const fn is_elsewhere(&self) -> bool {
        self.other != 0
    }

    /// The number of the planes that it leads to, or comes from, in mode `mode`. All modes of the slice itself are
    /// numbered first, then all modes of each of [`Part::others`].
    pub(super) const fn base(&self, modes: u16, mode: u16) -> u32 {
        self.other as u32 * modes as u32 + mode as u32
    }
}

/// Every set of the cells of `cells`.
fn subsets(cells: u64) -> Vec<u64> {
    let next = |set: &u64| if *set == cells { None } else { Some((*set | !cells).wrapping_add(1) & cells) };
    std::iter::successors(Some(0), next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Mode, Position, RulesSpec};

    /// Rules with moves of every kind, such as moves that need filled cells and moves that fill cells which may be
    /// filled already.
    fn bites() -> Rules {
        let moves = (0..6u32).flat_map(|cell| {
            let bite = Move { empty: Board::bit(cell), ..Move::fill(Board::from_word(0b11_1111 >> cell << cell)) };
            let asks = Move { full: Board::bit((cell + 2) % 6), next: Mode(1), ..Move::fill(Board::bit(cell)) };
            [bite, asks, Move { mode: Mode(1), ..asks }]
        });
        let ends = [0b10_0001, 0b1_1000, 0b110].map(|pattern| End {
            mode: Mode(u16::from(pattern == 0b110)),
            outcome: Outcome::Draw.into(),
            pattern: Board::from_word(pattern),
            empty: Board::EMPTY,
        });
        let modes = vec!["a".into(), "b".into()];
        RulesSpec { moves: moves.collect(), ends: ends.to_vec(), modes, ..RulesSpec::new("bites", 6) }.build().unwrap()
    }

    /// Successors, predecessors and terminal patterns of every position, slice by slice, equal those of the rules.
    #[test]
    fn slices_together_are_the_board() {
        let rules = bites();
        let all = || (0..64).flat_map(|board| [0, 1].map(|mode| Position::new(Mode(mode), Board::from_word(board))));
        for upper in 0..=6 {
            let cut = Cut::new(6, upper);
            let mut leads: Vec<(Position, Position)> = Vec::new();
            let mut comes = leads.clone();
            for slice in 0..cut.slices() {
                let at = |slice: u64, place: Board| Board::from_word(slice << cut.cells() | place.low_word());
                let (part, back) = (Part::new(&rules, cut, slice), Part::backwards(&rules, cut, slice));
                let other =
                    |part: &Part, m: &PartMove| m.other.checked_sub(1).map_or(slice, |other| part.others[other]);
                for place in (0..1 << cut.cells()).map(Board::from_word) {
                    for m in part.moves.iter().filter(|m| m.within.is_legal(Position::new(m.within.mode, place))) {
                        let to = at(other(&part, m), place | m.within.fills);
                        let from = Position::new(m.within.mode, at(slice, place));
                        leads.push((from, Position::new(m.within.next, to)));
                    }
                    for m in &back.moves {
                        let from = other(&back, m);
                        // The places in the other slice from which the move comes.
                        for before in (0..1 << cut.cells()).map(Board::from_word) {
                            let was = Position::new(m.within.mode, before);
                            if m.within.is_legal(was) && before | m.within.fills == place {
                                let to = Position::new(m.within.next, at(slice, place));
                                comes.push((Position::new(m.within.mode, at(from, before)), to));
                            }
                        }
                    }
                    for mode in [0, 1] {
                        let met = |end: &&End| place.contains(end.pattern);
                        let board = at(slice, place);
                        let found = part.ends_of(mode).filter(met).count();
                        assert_eq!(
                            found,
                            rules.ends_of(Mode(mode)).iter().filter(|end| board.contains(end.pattern)).count()
                        );
                    }
                }
            }
            let moves_of = |p: Position| {
                let legal = rules.moves_of(p.mode).iter().filter(move |m| m.is_legal(p));
                legal.map(move |m| (p, m.play(p)))
            };
            let mut expected: Vec<_> = all().flat_map(moves_of).collect();
            for list in [&mut leads, &mut comes, &mut expected] {
                list.sort_unstable();
            }
            comes.dedup();
            assert_eq!(leads, expected, "{upper} slice cells");
            expected.dedup();
            assert_eq!(comes, expected, "{upper} slice cells, backwards");
        }
    }
}
