//! The rules as the boards of one region see them.
//!
//! The cells of the highest places are *region cells*. Which of them are filled names a region: all boards of the other,
//! lower cells. What a move does with region cells says which region it leads to, or comes from; and what it asks of them
//! is met in all of a region or in none of it. So within a region a move is one of the lower cells alone, that leads to
//! the same place in this region or in another one.
//!
//! ```text
//! index of a board:   region (which region)   | place (index within the region)
//! move:               fills 01 of region 10   | fills 0110            leads from region 10 to region 11
//! ```
//!
//! Without region cells there is one region, of all boards.

use crate::rules::{Board, End, Move, Outcome, Rules};

/// Which boards make a region: those with the same of the upper cells filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    /// Cells of the board.
    cells: u32,
    /// How many of the highest places are region cells.
    upper: u32,
}

impl Cut {
    /// The regions of boards of `cells` cells, of which those of the `upper` highest places name the region.
    pub(super) const fn new(cells: u32, upper: u32) -> Self {
        assert!(upper <= cells, "region cells are cells");
        Self { cells, upper }
    }

    /// One region of all boards.
    pub(super) const fn whole(cells: u32) -> Self {
        Self::new(cells, 0)
    }

    /// How many of the highest places are region cells.
    pub(super) const fn upper(self) -> u32 {
        self.upper
    }

    /// Cells of a region's boards.
    pub(super) const fn cells(self) -> u32 {
        self.cells - self.upper
    }

    /// The number of regions.
    pub(super) const fn regions(self) -> u64 {
        1 << self.upper
    }

    /// The region cells among `board`.
    pub(super) const fn region(self, board: Board) -> u64 {
        if self.upper == 0 { 0 } else { board.low_word() >> self.cells() }
    }

    /// The other cells among `board`.
    pub(super) const fn place(self, board: Board) -> Board {
        if self.upper == 0 { board } else { Board::from_word(board.low_word() & ((1 << self.cells()) - 1)) }
    }

    /// `m` without what it does with region cells.
    fn within(self, m: &Move) -> Move {
        Move { empty: self.place(m.empty), full: self.place(m.full), fills: self.place(m.fills), ..*m }
    }
}

/// The rules as the boards of a region see them.
pub(super) struct Part {
    /// Cells of its boards.
    pub(super) cells: u32,
    /// Modes of the rules.
    pub(super) modes: u16,
    /// The outcome for a player who has no move.
    pub(super) terminal: Outcome,
    /// Whether the rules can draw.
    pub(super) draws: bool,
    /// The moves that some of its boards have, or, if they are followed backwards, that led to some of its boards.
    pub(super) moves: Vec<PartMove>,
    /// The patterns that end the game on some of its boards, in the order of the rules.
    pub(super) ends: Vec<End>,
    /// The other regions that moves lead to, or come from: in descending order.
    pub(super) others: Vec<u64>,
}

/// A move of the cells of a region. It may name none of them.
pub(super) struct PartMove {
    /// What it does within the region.
    pub(super) within: Move,
    /// Where it leads to, or comes from: 0 is the region itself, and `n` the one before place `n` of [`Part::others`].
    pub(super) other: usize,
}

impl Part {
    /// All boards of `rules`.
    pub(super) fn whole(rules: &Rules) -> Self {
        Self::new(rules, Cut::whole(rules.cells()), 0)
    }

    /// The region `region` with the moves that its boards have. The boards of `rules` are indices.
    pub(super) fn new(rules: &Rules, cut: Cut, region: u64) -> Self {
        let leading = |m: &Move| {
            let is_met = region & cut.region(m.empty) == 0 && !region & cut.region(m.full) == 0;
            is_met.then(|| region | cut.region(m.fills))
        };
        let moves = rules.moves().iter().filter_map(|m| Some((leading(m)?, cut.within(m))));
        Self::with(rules, cut, region, moves.collect())
    }

    /// The region `region` with the moves that lead to its boards. A move that fills region cells which may be filled already
    /// comes from several regions.
    pub(super) fn backwards(rules: &Rules, cut: Cut, region: u64) -> Self {
        let coming = |m: &Move| {
            let [empty, full, fills] = [m.empty, m.full, m.fills].map(|cells| cut.region(cells));
            let fills = fills & !full;
            let is_so = !region & (fills | full) == 0 && region & empty & !fills == 0;
            let from = if is_so { subsets(fills & !empty) } else { Vec::new() };
            from.into_iter().map(move |held| region & !fills | held)
        };
        let moves = rules.moves().iter().flat_map(|m| coming(m).map(move |from| (from, cut.within(m))));
        Self::with(rules, cut, region, moves.collect())
    }

    /// The region with `moves`, each with the region that it leads to or comes from.
    fn with(rules: &Rules, cut: Cut, region: u64, moves: Vec<(u64, Move)>) -> Self {
        let mut others: Vec<u64> = moves.iter().map(|&(other, _)| other).filter(|&other| other != region).collect();
        others.sort_unstable_by(|a, b| b.cmp(a));
        others.dedup();
        let place = |other| others.iter().position(|&found| found == other).map_or(0, |place| place + 1);
        let moves = moves.into_iter().map(|(other, within)| PartMove { within, other: place(other) }).collect();
        let is_met = |end: &&End| !region & cut.region(end.pattern) == 0;
        let ends = rules.ends().iter().filter(is_met).map(|end| End { pattern: cut.place(end.pattern), ..*end });
        Self {
            cells: cut.cells(),
            modes: rules.modes().len() as u16,
            terminal: rules.terminal(),
            draws: rules.can_draw(),
            ends: ends.collect(),
            moves,
            others,
        }
    }

    /// The moves made in `mode`.
    pub(super) fn moves_of(&self, mode: u16) -> impl Iterator<Item = &PartMove> {
        self.moves.iter().filter(move |m| m.within.mode.0 == mode)
    }

    /// The patterns of `mode`, the last first: what is applied later decides.
    pub(super) fn ends_of(&self, mode: u16) -> impl Iterator<Item = &End> {
        self.ends.iter().rev().filter(move |end| end.mode.0 == mode)
    }
}

impl PartMove {
    /// Whether it leads to another region, or comes from one.
    pub(super) const fn is_elsewhere(&self) -> bool {
        self.other != 0
    }

    /// Where the planes of the region and mode lie that it leads to, or comes from, among those of all modes of the region
    /// itself, then of each of [`Part::others`]: `mode` is that one.
    pub(super) const fn base(&self, modes: u16, mode: u16) -> u32 {
        self.other as u32 * modes as u32 + mode as u32
    }
}

/// Every set of the cells of `cells`.
pub(super) fn subsets(cells: u64) -> Vec<u64> {
    let next = |set: &u64| if *set == cells { None } else { Some((*set | !cells).wrapping_add(1) & cells) };
    std::iter::successors(Some(0), next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Mode, Position, RulesSpec};

    /// Rules with moves of every kind: that ask for filled cells, and that fill cells which may be filled already.
    fn bites() -> Rules {
        let moves = (0..6u32).flat_map(|cell| {
            let bite = Move { empty: Board::bit(cell), ..Move::fill(Board::from_word(0b11_1111 >> cell << cell)) };
            let asks = Move { full: Board::bit((cell + 2) % 6), next: Mode(1), ..Move::fill(Board::bit(cell)) };
            [bite, asks, Move { mode: Mode(1), ..asks }]
        });
        let ends = [0b10_0001, 0b1_1000, 0b110].map(|pattern| End {
            mode: Mode(u16::from(pattern == 0b110)),
            outcome: Outcome::Draw,
            pattern: Board::from_word(pattern),
        });
        let modes = vec!["a".into(), "b".into()];
        RulesSpec { moves: moves.collect(), ends: ends.to_vec(), modes, ..RulesSpec::new("bites", 6) }.build().unwrap()
    }

    /// Successors, predecessors and ends of every position, region by region, are those of the rules.
    #[test]
    fn regions_together_are_the_board() {
        let rules = bites();
        let all = || (0..64).flat_map(|board| [0, 1].map(|mode| Position::new(Mode(mode), Board::from_word(board))));
        for upper in 0..=6 {
            let cut = Cut::new(6, upper);
            let mut leads: Vec<(Position, Position)> = Vec::new();
            let mut comes = leads.clone();
            for region in 0..cut.regions() {
                let at = |region: u64, place: Board| Board::from_word(region << cut.cells() | place.low_word());
                let (part, back) = (Part::new(&rules, cut, region), Part::backwards(&rules, cut, region));
                let other =
                    |part: &Part, m: &PartMove| m.other.checked_sub(1).map_or(region, |other| part.others[other]);
                for place in (0..1 << cut.cells()).map(Board::from_word) {
                    for m in part.moves.iter().filter(|m| m.within.is_legal(Position::new(m.within.mode, place))) {
                        let to = at(other(&part, m), place | m.within.fills);
                        let from = Position::new(m.within.mode, at(region, place));
                        leads.push((from, Position::new(m.within.next, to)));
                    }
                    for m in &back.moves {
                        let from = other(&back, m);
                        // The places in the other region that it comes from.
                        for before in (0..1 << cut.cells()).map(Board::from_word) {
                            let was = Position::new(m.within.mode, before);
                            if m.within.is_legal(was) && before | m.within.fills == place {
                                let to = Position::new(m.within.next, at(region, place));
                                comes.push((Position::new(m.within.mode, at(from, before)), to));
                            }
                        }
                    }
                    for mode in [0, 1] {
                        let met = |end: &&End| place.contains(end.pattern);
                        let board = at(region, place);
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
            assert_eq!(leads, expected, "{upper} region cells");
            expected.dedup();
            assert_eq!(comes, expected, "{upper} region cells, backwards");
        }
    }
}
