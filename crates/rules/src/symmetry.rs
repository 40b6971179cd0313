//! Symmetries: permutations of cells and modes under which the rules stay the same.

use std::collections::{BTreeSet, HashMap, HashSet};

#[cfg(doc)]
use super::Rules;
use super::{Board, Cases, Count, CountEnd, Line, Mode, Move, Position, RulesSpec, Take, Terminal};

/// A permutation of the cells and the modes of a game.
///
/// It is a *symmetry* of rules if it maps moves to moves, terminal patterns to terminal patterns, and roots to roots
/// ([`check`](Self::check)). Then it maps lines of play to lines of play, so a position and its image have the same labels.
///
/// ```text
///   a b c        c b a
///   d e f   ->   f e d      the left-right flip of a board of three by three is a symmetry of tic-tac-toe
///   g h i        i h g
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symmetry {
    /// The image of each bit of a board.
    cells: Vec<u8>,
    /// The image of each mode.
    modes: Vec<u16>,
}

/// Why a permutation is not a symmetry of rules. Moves are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoSymmetry {
    /// A list is not a permutation of the rules' cells or modes.
    #[error("it is not a permutation of the {count} {what}")]
    NotAPermutation {
        /// `cells` or `modes`.
        what: &'static str,
        /// The number of cells or modes in the rules.
        count: usize,
    },
    /// The image of a move is not a move.
    #[error("the image of move {index} is not a move")]
    Move {
        /// Which move.
        index: usize,
    },
    /// A move hands over to the other player and its image does not, or the other way round.
    #[error("move {index} passes the turn and its image does not, or the other way round")]
    Player {
        /// Which move.
        index: usize,
    },
    /// The outcome for a player without a move differs between a mode and its image.
    #[error("a player without a move has different outcomes in mode {} and in its image", mode.0)]
    Terminal {
        /// The mode.
        mode: Mode,
    },
    /// The terminal patterns of a mode are not mapped to the terminal patterns of its image.
    #[error("the terminal patterns of mode {} do not map to those of its image", mode.0)]
    Ends {
        /// The mode.
        mode: Mode,
    },
    /// The image of a root is not a root.
    #[error("mode {} and board {:#x} is a start position, and its image is not", position.mode.0, position.board)]
    Start {
        /// The position.
        position: Position,
    },
}

impl Symmetry {
    /// The permutation that moves bit `i` of a board to bit `cells[i]`, and mode `i` to mode `modes[i]`.
    ///
    /// # Errors
    /// If either list is not a permutation.
    pub fn new(cells: Vec<u8>, modes: Vec<u16>) -> Result<Self, NoSymmetry> {
        let is_permutation = |list: Vec<usize>| {
            let mut seen = vec![false; list.len()];
            list.iter().all(|&to| seen.get_mut(to).is_some_and(|seen| !std::mem::replace(seen, true)))
        };
        if !is_permutation(cells.iter().map(|&to| to.into()).collect()) {
            return Err(NoSymmetry::NotAPermutation { what: "cells", count: cells.len() });
        }
        if !is_permutation(modes.iter().map(|&to| to.into()).collect()) {
            return Err(NoSymmetry::NotAPermutation { what: "modes", count: modes.len() });
        }
        Ok(Self { cells, modes })
    }

    /// The identity permutation.
    #[must_use]
    pub fn identity(cells: u32, modes: usize) -> Self {
        Self { cells: (0..cells as u8).collect(), modes: (0..modes as u16).collect() }
    }

    /// Returns whether this is the identity permutation.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        (0..).zip(&self.cells).all(|(from, &to)| from == to) && (0..).zip(&self.modes).all(|(from, &to)| from == to)
    }

    /// The image of each bit of a board.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The image of each mode.
    #[must_use]
    pub fn modes(&self) -> &[u16] {
        &self.modes
    }

    /// The image of a set of cells.
    #[must_use]
    pub fn of_board(&self, board: Board) -> Board {
        board.bits().map(|bit| Board::bit(self.cells[bit as usize].into())).collect()
    }

    /// The image of a position.
    #[must_use]
    pub fn of(&self, position: Position) -> Position {
        Position::new(self.of_mode(position.mode), self.of_board(position.board))
    }

    fn of_mode(&self, mode: Mode) -> Mode {
        Mode(self.modes[usize::from(mode.0)])
    }

    /// The image of a move that has neither lines nor a condition nor a take: those have numbers of their own.
    #[must_use]
    pub fn of_move(&self, m: &Move) -> Move {
        let [empty, full, fills, clears] = [m.empty, m.full, m.fills, m.clears].map(|cells| self.of_board(cells));
        Move { mode: self.of_mode(m.mode), empty, full, fills, clears, next: self.of_mode(m.next), ..*m }
    }

    /// This permutation followed by `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self {
            cells: self.cells.iter().map(|&to| next.cells[usize::from(to)]).collect(),
            modes: self.modes.iter().map(|&to| next.modes[usize::from(to)]).collect(),
        }
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = self.clone();
        (0..).zip(&self.cells).for_each(|(from, &to)| inverse.cells[usize::from(to)] = from);
        (0..).zip(&self.modes).for_each(|(from, &to)| inverse.modes[usize::from(to)] = from);
        inverse
    }

    /// Checks that this is a symmetry of the rules and roots that `of` was made for ([`Rules::symmetry_check`]).
    ///
    /// If several terminal patterns match, the first decides. So a run of successive patterns with the same outcome must have such a
    /// run as its image. Moves are compared as a set: listing a move twice makes no difference. Moves that differ only in the cells that
    /// must be empty or filled are cases of one move ([`Cases`]).
    ///
    /// # Errors
    /// Returns the first move, mode or root whose image is wrong.
    pub fn check(&self, of: &SymmetryCheck<'_>) -> Result<(), NoSymmetry> {
        let lengths =
            [("cells", self.cells.len(), of.spec.cells as usize), ("modes", self.modes.len(), of.spec.modes.len())];
        if let Some(&(what, _, count)) = lengths.iter().find(|(_, found, count)| found != count) {
            return Err(NoSymmetry::NotAPermutation { what, count });
        }
        let is_move = |(index, m): (usize, &Move)| {
            let shared = WholeMove::of(of.spec, m);
            let Some((first, cases)) = of.moves.get(&shared) else { return false };
            // All cases of a move are compared at once.
            *first != index
                || of.moves.get(&shared.moved(self)).is_some_and(|(_, images)| {
                    let cells = |cells: Board| self.of_board(cells);
                    cases.moved(cells).are_alike(images)
                })
        };
        if let Some(index) = of.spec.moves.iter().enumerate().position(|m| !is_move(m)) {
            return Err(NoSymmetry::Move { index });
        }
        let keeps_turn = |m: &Move| of.spec.hands_over(m) == of.spec.hands_over(&self.of_move(m));
        if let Some(index) = of.spec.moves.iter().position(|m| !keeps_turn(m)) {
            return Err(NoSymmetry::Player { index });
        }
        let terminal = |mode: Mode| of.spec.terminals.get(usize::from(mode.0)).copied();
        let keeps = |mode: Mode| {
            terminal(mode).map(|it| it.moved(|board| self.of_board(board))) == terminal(self.of_mode(mode))
        };
        if let Some(mode) = (0..of.spec.modes.len() as u16).map(Mode).find(|&mode| !keeps(mode)) {
            return Err(NoSymmetry::Terminal { mode });
        }
        for (mode, rows) in (0..).map(Mode).zip(&of.ends) {
            let of_pattern = |pattern: &[Board; 2]| pattern.map(|cells| self.of_board(cells));
            let image = |(outcome, patterns): &EndRun| {
                (outcome.moved(|cells| self.of_board(cells)), patterns.iter().map(of_pattern).collect())
            };
            if !rows.iter().map(image).eq(of.ends[usize::from(self.of_mode(mode).0)].iter().cloned()) {
                return Err(NoSymmetry::Ends { mode });
            }
        }
        let image =
            |end: &CountEnd| CountEnd { mode: self.of_mode(end.mode), ..end.moved(|cells| self.of_board(cells)) };
        if let Some(mode) = (0..of.spec.modes.len() as u16).map(Mode).find(|&mode| {
            let ends = |mode| of.spec.count_ends.iter().filter(move |end| end.mode == mode);
            !ends(mode).map(image).eq(ends(self.of_mode(mode)).copied())
        }) {
            return Err(NoSymmetry::Ends { mode });
        }
        match of.roots.iter().find(|&&root| !of.roots.contains(&self.of(root))) {
            Some(&position) => Err(NoSymmetry::Start { position }),
            None => Ok(()),
        }
    }
}

/// Successive terminal patterns of a mode that have the same outcome: the cells that are filled, and the cells that are empty.
type EndRun = (Terminal, BTreeSet<[Board; 2]>);

/// What the cases of a move share, with its lines, its condition and its take in place of their numbers.
#[derive(PartialEq, Eq, Hash)]
struct WholeMove {
    plain: Move,
    /// `None` if the move has none of them. Rules may have a hundred thousand moves without.
    parts: Option<Box<MoveParts>>,
}

/// What a move has besides its sets of cells.
#[derive(PartialEq, Eq, Hash)]
struct MoveParts {
    lines: BTreeSet<Line>,
    when: Option<Count>,
    take: Option<Take>,
}

impl WholeMove {
    fn of(spec: &RulesSpec, m: &Move) -> Self {
        let parts = || MoveParts {
            lines: spec.lines_of(m).iter().copied().collect(),
            when: m.when.map(|number| spec.counts[usize::from(number)]),
            take: spec.take_of(m).map(|take| take.moved(|cells| cells)),
        };
        let has_parts = m.lines.is_some() || m.when.is_some() || m.takes.is_some();
        Self {
            plain: Move { lines: None, when: None, takes: None, ..Cases::shared(m) },
            parts: has_parts.then(|| Box::new(parts())),
        }
    }

    fn moved(&self, by: &Symmetry) -> Self {
        let to = |cells| by.of_board(cells);
        let moved = |parts: &MoveParts| MoveParts {
            lines: parts.lines.iter().map(|line| line.moved(to)).collect(),
            when: parts.when.map(|count| count.moved(to)),
            take: parts.take.as_ref().map(|take| take.moved(to)),
        };
        Self { plain: by.of_move(&self.plain), parts: self.parts.as_deref().map(|parts| Box::new(moved(parts))) }
    }
}

/// The parts of rules that a symmetry must keep, prepared for checking several permutations.
pub struct SymmetryCheck<'a> {
    spec: &'a RulesSpec,
    /// The moves, each with the index of its first case and its cases.
    moves: HashMap<WholeMove, (usize, Cases)>,
    /// The runs of each mode, in their order.
    ends: Vec<Vec<EndRun>>,
    roots: HashSet<Position>,
}

impl<'a> SymmetryCheck<'a> {
    pub(super) fn new(spec: &'a RulesSpec, roots: &[Position]) -> Self {
        let mut rows: Vec<Vec<EndRun>> = vec![Vec::new(); spec.modes.len()];
        for end in &spec.ends {
            let rows = &mut rows[usize::from(end.mode.0)];
            match rows.last_mut() {
                Some((outcome, patterns)) if *outcome == end.outcome => {
                    patterns.insert([end.pattern, end.empty]);
                }
                _ => rows.push((end.outcome, BTreeSet::from([[end.pattern, end.empty]]))),
            }
        }
        let mut cases: HashMap<WholeMove, (usize, Vec<[Board; 2]>)> = HashMap::new();
        for (index, m) in spec.moves.iter().enumerate() {
            cases.entry(WholeMove::of(spec, m)).or_insert((index, Vec::new())).1.push([m.empty, m.full]);
        }
        let moves = cases.into_iter().map(|(m, (first, cases))| (m, (first, cases.into_iter().collect()))).collect();
        Self { spec, moves, ends: rows, roots: roots.iter().copied().collect() }
    }

    /// The outcome for a player without a move, for each mode; empty if all modes agree.
    pub fn terminals(&self) -> impl Iterator<Item = (Mode, Terminal)> + '_ {
        (0..).map(Mode).zip(self.spec.terminals.iter().copied())
    }

    /// The terminal patterns: for each its mode, the number of its run there, its outcome, and its filled and empty cells.
    pub fn ends(&self) -> impl Iterator<Item = (Mode, usize, Terminal, [Board; 2])> + '_ {
        let of_row = |mode, (number, (outcome, patterns)): (usize, &EndRun)| -> Vec<_> {
            patterns.iter().map(|&pattern| (mode, number, *outcome, pattern)).collect()
        };
        let modes = (0..).map(Mode).zip(&self.ends);
        modes.flat_map(move |(mode, rows)| rows.iter().enumerate().flat_map(move |row| of_row(mode, row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Outcome, Player, RulesError, RulesSpec, Start};

    /// Three cells in a row; the middle one may be filled by either of two modes.
    fn row() -> RulesSpec {
        let fill = |cell, mode| Move { mode: Mode(mode), next: Mode(1 - mode), ..Move::fill(Board::bit(cell)) };
        let moves = vec![fill(0, 0), fill(1, 0), fill(1, 1), fill(2, 1)];
        let ends = [(0, 0b011), (1, 0b110)];
        let ends = ends.map(|(mode, pattern)| End {
            mode: Mode(mode),
            pattern: Board::from_word(pattern),
            outcome: Outcome::Draw.into(),
            empty: Board::EMPTY,
        });
        let start = Start::Opening([0, 1].map(|mode| Position::new(Mode(mode), Board::EMPTY)).to_vec());
        let modes = vec!["left".into(), "right".into()];
        RulesSpec { modes, moves, ends: ends.to_vec(), start, ..RulesSpec::new("row", 3) }
    }

    fn turn() -> Symmetry {
        Symmetry::new(vec![2, 1, 0], vec![1, 0]).unwrap()
    }

    #[test]
    fn images() {
        let turn = turn();
        assert_eq!(
            turn.of(Position::new(Mode(0), Board::from_word(0b011))),
            Position::new(Mode(1), Board::from_word(0b110))
        );
        assert!(turn.then(&turn).is_identity() && turn.inverse() == turn);
        let round = Symmetry::new(vec![1, 2, 0], vec![0]).unwrap();
        assert!(round.then(&round.inverse()).is_identity() && !round.then(&round).is_identity());
        assert!(Symmetry::new(vec![1, 1], vec![0]).is_err() && Symmetry::new(vec![0, 1], vec![1]).is_err());
    }

    #[test]
    fn conditions_and_takes_have_images() {
        let count = |cells| Count { cells: Board::from_word(cells), least: 1, most: 1 };
        let take =
            |line, cell| Take { lines: vec![Board::from_word(line)], cells: Board::bit(cell), guards: Vec::new() };
        let mut spec = row();
        (spec.counts, spec.takes) = (vec![count(0b110), count(0b011)], vec![take(0b011, 2), take(0b110, 0)]);
        for (at, m) in [(0, 0), (1, 3)] {
            (spec.moves[m].when, spec.moves[m].takes) = (Some(at), Some(at));
        }
        spec.count_ends = [(0, 0b001), (1, 0b100)]
            .map(|(mode, cells)| CountEnd { mode: Mode(mode), count: count(cells), outcome: Outcome::Win })
            .to_vec();
        let reason = |change: &dyn Fn(&mut RulesSpec)| {
            let mut spec = RulesSpec { symmetries: vec![turn()], ..spec.clone() };
            change(&mut spec);
            match spec.build() {
                Err(RulesError::Symmetry { reason, .. }) => Some(reason),
                Err(error) => panic!("{error}"),
                Ok(_) => None,
            }
        };
        assert_eq!(reason(&|_| {}), None);
        let wrong = Some(NoSymmetry::Move { index: 0 });
        assert_eq!(reason(&|spec| spec.moves[3].when = None), wrong);
        assert_eq!(reason(&|spec| spec.counts[1].least = 0), wrong);
        assert_eq!(reason(&|spec| spec.takes[1].guards.push(Board::bit(1))), wrong);
        assert_eq!(reason(&|spec| spec.count_ends.truncate(1)), Some(NoSymmetry::Ends { mode: Mode(0) }));
        assert_eq!(reason(&|spec| spec.count_ends[1].count.least = 0), Some(NoSymmetry::Ends { mode: Mode(0) }));
    }

    #[test]
    fn what_is_offered_is_checked() {
        let with = |change: &dyn Fn(&mut RulesSpec), symmetry: Symmetry| {
            let mut spec = RulesSpec { symmetries: vec![symmetry], ..row() };
            change(&mut spec);
            match spec.build() {
                Ok(_) => None,
                Err(RulesError::Symmetry { index: 0, reason }) => Some(reason),
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(with(&|_| {}, turn()), None);
        assert_eq!(with(&|_| {}, Symmetry::identity(3, 2)), None);
        let too_short = Some(NoSymmetry::NotAPermutation { what: "cells", count: 3 });
        assert_eq!(with(&|_| {}, Symmetry::identity(2, 2)), too_short);
        let flip = Symmetry::new(vec![2, 1, 0], vec![0, 1]).unwrap();
        assert_eq!(with(&|_| {}, flip), Some(NoSymmetry::Move { index: 0 }));
        assert_eq!(with(&|spec| spec.ends.truncate(1), turn()), Some(NoSymmetry::Ends { mode: Mode(0) }));
        let needs_empty = with(&|spec| spec.ends[0].empty = Board::bit(2), turn());
        assert_eq!(needs_empty, Some(NoSymmetry::Ends { mode: Mode(0) }));
        assert_eq!(
            with(&|spec| spec.ends[0].outcome = Outcome::Win.into(), turn()),
            Some(NoSymmetry::Ends { mode: Mode(0) })
        );
        let position = Position::default();
        assert_eq!(with(&|spec| spec.start = Start::At(position), turn()), Some(NoSymmetry::Start { position }));
    }

    #[test]
    fn ends_that_may_match_together_keep_their_order() {
        // If both cells are filled, both patterns match and the first decides. So swapping the cells would swap the outcomes.
        let end = |pattern, outcome| End {
            mode: Mode(0),
            pattern: Board::from_word(pattern),
            outcome: Terminal::Always(outcome),
            empty: Board::EMPTY,
        };
        let ends = |outcomes: [Outcome; 2]| vec![end(0b01, outcomes[0]), end(0b10, outcomes[1])];
        let moves = vec![Move::fill(Board::from_word(0b01)), Move::fill(Board::from_word(0b10))];
        let swap = Symmetry::new(vec![1, 0], vec![0]).unwrap();
        let is_symmetric = |outcomes| {
            let (moves, symmetries) = (moves.clone(), vec![swap.clone()]);
            RulesSpec { moves, symmetries, ends: ends(outcomes), ..RulesSpec::new("two", 2) }.build().is_ok()
        };
        assert!(is_symmetric([Outcome::Win; 2]) && !is_symmetric([Outcome::Win, Outcome::Loss]));
    }

    #[test]
    fn images_of_moves_hand_over_as_the_moves_do() {
        // The move of mode 0 leads to mode 2, and its image leads from mode 1 to mode 3.
        let refusal = |players: &[Player]| {
            let moves = [0, 1].map(|mode| Move { mode: Mode(mode), next: Mode(mode + 2), ..Move::fill(Board::bit(0)) });
            let spec = RulesSpec {
                modes: ["a", "b", "c", "d"].map(String::from).to_vec(),
                moves: moves.to_vec(),
                players: players.to_vec(),
                start: Start::Opening([0, 1].map(|mode| Position::new(Mode(mode), Board::EMPTY)).to_vec()),
                symmetries: vec![Symmetry::new(vec![0], vec![1, 0, 3, 2]).unwrap()],
                ..RulesSpec::new("two-ways", 1)
            };
            match spec.build() {
                Ok(_) => None,
                Err(RulesError::Symmetry { index: 0, reason }) => Some(reason),
                Err(error) => panic!("{error}"),
            }
        };
        let (first, second) = (Player::First, Player::Second);
        for both in [vec![], vec![first; 4], vec![first, second, second, first]] {
            assert_eq!(refusal(&both), None);
        }
        assert_eq!(refusal(&[first, first, second, first]), Some(NoSymmetry::Player { index: 0 }));
    }
}
