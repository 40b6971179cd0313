//! Moves as changes of planes, forward and undone.
//!
//! A move changes the same cells wherever it is legal, except that it may fill cells that are already filled, and that it may take a piece
//! if it fills a line. So the same change makes and undoes it.

use super::filters::{Cells, Filters};
use crate::index::{Content, Kinds, MoveKinds, NoKinds, Planes, Portable, Regions};
use crate::rules::{Board, Mode, Move, Rules, Take, Terminal};
use crate::sparse::moves::bits_of;

/// Maximum number of bytes of all tables of tests. Those of one mode are in use at a time.
const TABLES: usize = 64 << 20;

/// A move as a change, in the planes of its mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The squares and cells that the move changes.
    pub(super) change: Content,
    /// The cells outside of squares that the move fills whether they are empty or not.
    pub(super) open: u64,
    pub(super) kinds: MoveKinds,
    /// The take of its mode that it names, counted from 0.
    pub(super) take: Option<u16>,
    /// True if the move is legal only where no other one is.
    otherwise: bool,
}

/// What a move takes, in the planes of its mode.
pub(super) struct TakeMasks {
    pub(super) cells: Content,
    guards: Vec<Content>,
}

impl TakeMasks {
    /// The pieces of which one is taken on a board with `content`, where a line is filled.
    #[inline(always)]
    pub(super) fn from(&self, content: Content) -> Content {
        let all = both(content, self.cells);
        let mut free = all;
        for &guard in &self.guards {
            if both(content, guard) == guard {
                free = without(free, guard);
            }
        }
        if is_empty(free) { all } else { free }
    }

    /// Returns whether a board with `content` has a piece to take.
    #[inline(always)]
    pub(super) const fn has_any(&self, content: Content) -> bool {
        !is_empty(both(content, self.cells))
    }
}

const fn both(a: Content, b: Content) -> Content {
    Content { first: a.first & b.first, second: a.second & b.second, single: a.single & b.single }
}

/// `a` without `b`.
pub(super) const fn without(a: Content, b: Content) -> Content {
    Content { first: a.first & !b.first, second: a.second & !b.second, single: a.single & !b.single }
}

pub(super) const fn is_empty(content: Content) -> bool {
    content.first as u64 | content.second as u64 | content.single == 0
}

/// Moves, with the tests whether they can be made, or undone, at a board.
pub(super) struct Tested {
    pub(super) tests: Filters,
    /// For moves that may take a piece: tests whether the first of its lines, the second and so on, is filled after the move.
    pub(super) closings: Vec<Filters>,
    pub(super) steps: Vec<Step>,
    /// The moves that are legal only where no other one is, as bits in words; empty if there are none.
    otherwise: Vec<u64>,
}

impl Tested {
    /// Returns whether there are moves that are legal only where no other one is.
    #[inline(always)]
    pub(super) const fn has_otherwise(&self) -> bool {
        !self.otherwise.is_empty()
    }

    /// Returns whether move number `at` is one of those.
    #[inline(always)]
    pub(super) fn is_otherwise(&self, at: usize) -> bool {
        self.otherwise[at / 64] >> (at % 64) & 1 == 1
    }

    /// The moves of word `word` that are legal among `passed`, those that fit a board: all of them, or without those that are legal only
    /// where no other one is.
    #[inline(always)]
    pub(super) fn legal(&self, word: usize, passed: u64, has_other: bool) -> u64 {
        if has_other { passed & !self.otherwise[word] } else { passed }
    }

    /// Returns whether one of the moves in `asked` fits a position with `content` and is legal beside others.
    pub(super) fn has_other(&self, asked: &[u64], content: Content) -> bool {
        let passed = |word: usize| self.tests.first(word, content.first) & self.tests.rest(word, content);
        (0..self.otherwise.len()).any(|word| asked[word] & !self.otherwise[word] & passed(word) != 0)
    }
}

/// A move with its test, and a test for each of its lines, whether it is filled after the move. `None` stands for a test that no board
/// passes.
struct Asked {
    test: Option<Cells>,
    closings: Vec<Option<Cells>>,
    step: Step,
}

/// The moves of a mode that is stored, and of the modes that lead to it.
pub(super) struct OfMode {
    pub(super) moves: Tested,
    pub(super) ends: Filters,
    /// The outcome of each terminal pattern; the first that matches decides.
    pub(super) outcomes: Vec<Terminal>,
    pub(super) terminal: Terminal,
    /// What moves of this mode take, and what moves that lead here take, in the planes of the mode before the move.
    pub(super) takes: Vec<TakeMasks>,
    /// The moves that lead here: first those after which the other player moves, then the others.
    pub(super) back: [Tested; 2],
    pub(super) takes_back: Vec<TakeMasks>,
}

/// The moves of some rules, by mode.
pub(super) struct Steps {
    /// `None` for modes that another is stored for.
    pub(super) modes: Vec<Option<OfMode>>,
    /// For each kind, true if the same player moves again.
    pub(super) again: Vec<bool>,
    /// True if a player ever moves again.
    pub(super) has_again: bool,
}

impl Steps {
    pub(super) fn new(rules: &Rules, index: &Regions) -> Result<Self, NoKinds> {
        let mut maker = Maker { rules, index, kinds: Kinds::default(), room: TABLES };
        let modes = 0..rules.modes().len() as u16;
        // The kinds have the numbers that they have in the index.
        let kinds = rules.moves().iter().map(|m| maker.kinds.of(rules, index.planes(), m));
        let kinds = kinds.collect::<Result<Vec<MoveKinds>, _>>()?;
        let modes = modes.map(|mode| index.swap()[usize::from(mode)].is_none().then(|| maker.of_mode(mode, &kinds)));
        let modes = modes.collect();
        let again: Vec<bool> = maker.kinds.list.iter().map(|kind| kind.again).collect();
        Ok(Self { modes, has_again: again.contains(&true), again })
    }
}

struct Maker<'a> {
    rules: &'a Rules,
    index: &'a Regions,
    kinds: Kinds,
    room: usize,
}

impl Maker<'_> {
    /// `cells` in the planes of `mode`.
    fn split(&self, mode: u16, cells: Board) -> Content {
        self.planes().split(Portable, cells.low_word()).turned(self.index.orders().is_turned(mode))
    }

    fn planes(&self) -> &Planes {
        self.index.planes()
    }

    fn step(
        &self,
        m: &Move,
        kinds: MoveKinds,
        takes: &mut Vec<TakeMasks>,
        known: &mut Vec<(Board, Vec<Board>)>,
    ) -> Step {
        let mode = m.mode.0;
        let (change, open) = ((m.fills & !kinds.open) | m.clears, self.split(mode, kinds.open).single);
        let take = m.takes.map(|number| {
            let Take { cells, guards, .. } = &self.rules.spec().takes[usize::from(number)];
            let named = (*cells, guards.clone());
            let at = known.iter().position(|it| *it == named).unwrap_or_else(|| {
                let guards = guards.iter().map(|&guard| self.split(mode, guard)).collect();
                takes.push(TakeMasks { cells: self.split(mode, *cells), guards });
                known.push(named);
                known.len() - 1
            });
            at as u16
        });
        // A cell that the move needs filled and fills again does not change.
        let change = change & !(m.fills & m.full);
        Step { change: self.split(mode, change), open, kinds, take, otherwise: m.otherwise }
    }

    fn of_mode(&mut self, mode: u16, kinds: &[MoveKinds]) -> OfMode {
        let rules = self.rules;
        let (mut takes, mut known) = (Vec::new(), Vec::new());
        let all = || rules.moves().iter().zip(kinds);
        let mut moves = Vec::new();
        for (m, kinds) in all().filter(|(m, _)| m.mode.0 == mode) {
            let is_possible = self.planes().is_possible(m.empty, m.full);
            let test = is_possible.then(|| (self.split(mode, m.empty), self.split(mode, m.full)));
            let closing = |&line: &Board| {
                let before = line & !m.fills;
                let fits = before.is_disjoint(m.clears) && before.is_disjoint(m.empty) && is_possible;
                fits.then(|| (self.split(mode, m.empty), self.split(mode, m.full | before)))
            };
            let closings = self.lines(m).iter().map(closing).collect();
            moves.push(Asked { test, closings, step: self.step(m, *kinds, &mut takes, &mut known) });
        }
        let moves = self.tested(moves);
        let ends = rules.ends_of(Mode(mode));
        let patterns = ends.iter().map(|end| {
            let is_possible = self.planes().is_possible(end.empty, end.pattern);
            is_possible.then(|| (self.split(mode, end.empty), self.split(mode, end.pattern)))
        });
        let patterns: Vec<_> = patterns.collect();
        let mut room = self.room;
        let ends_filters = Filters::new(&patterns, self.planes(), &mut room);
        self.room = room;
        let (mut takes_back, mut known) = (Vec::new(), Vec::new());
        let back = [false, true].map(|is_again| {
            let mut moves = Vec::new();
            for (m, kinds) in all() {
                let next = self.index.swap()[usize::from(m.next.0)].unwrap_or(m.next.0);
                let is_stored = self.index.swap()[usize::from(m.mode.0)].is_none();
                if next != mode || !is_stored || is_again == rules.hands_over(m) {
                    continue;
                }
                let Some(after) = self.after(m) else { continue };
                let closing = |&line: &Board| Some((Content::default(), self.split(m.mode.0, line)));
                let closings = self.lines(m).iter().map(closing).collect();
                let step = self.step(m, *kinds, &mut takes_back, &mut known);
                moves.push(Asked { test: Some(after), closings, step });
            }
            self.tested(moves)
        });
        OfMode {
            moves,
            ends: ends_filters,
            outcomes: ends.iter().map(|end| end.outcome).collect(),
            terminal: rules.terminal_in(Mode(mode)),
            takes,
            back,
            takes_back,
        }
    }

    /// The lines of what `m` takes.
    fn lines(&self, m: &Move) -> &[Board] {
        m.takes.map_or(&[], |number| &self.rules.spec().takes[usize::from(number)].lines)
    }

    /// The test whether a board may be one after `m`, in the planes of the mode before it; `None` if no board is.
    fn after(&self, m: &Move) -> Option<Cells> {
        // The partners of cells that the move needs filled are empty before the move. If it does not fill them, they are still empty
        // afterwards.
        let partners = Board::from_word(self.planes().partners(Portable, m.full.low_word()));
        if !partners.is_disjoint(m.full) || !self.planes().is_possible(m.empty, m.full) {
            return None;
        }
        let empty = m.clears | (m.empty | partners) & !m.fills;
        let full = m.fills | m.full & !m.clears;
        empty.is_disjoint(full).then(|| (self.split(m.mode.0, empty), self.split(m.mode.0, full)))
    }

    /// The moves with their tests. Those that ask the same of the first plane stand together: then only few words have moves that fit a row.
    fn tested(&mut self, moves: Vec<Asked>) -> Tested {
        let mut moves = moves;
        let of_first = |it: &Asked| it.test.map(|(empty, full)| (empty.first | full.first, full.first));
        moves.sort_by_key(of_first);
        let most = moves.iter().map(|it| it.closings.len()).max().unwrap_or(0);
        let mut filters = |tests: Vec<Option<Cells>>| Filters::new(&tests, self.index.planes(), &mut self.room);
        let closing = |at: usize| moves.iter().map(|it| it.closings.get(at).copied().flatten()).collect();
        let closings = (0..most).map(|at| filters(closing(at))).collect();
        let tests = filters(moves.iter().map(|it| it.test).collect());
        let steps: Vec<Step> = moves.into_iter().map(|it| it.step).collect();
        let otherwise = bits_of(&steps, |step| step.otherwise);
        Tested { tests, closings, steps, otherwise }
    }
}
