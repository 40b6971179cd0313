//! The moves of a position as a set of bits.
//!
//! For every position, a solver needs to know whether the game has ended and which moves are legal. Comparing the board
//! with every mask would take longer than all other work. So the board is cut into chunks of a few cells. For each
//! content of a chunk, a table has the moves that this chunk allows, as bits. A move is legal if all chunks allow it:
//!
//! ```text
//! board      [ 10110110 | 00010100 | 00000000 ]
//! table       11011110 & 01011111 & 11110110   = 01010110      moves 1, 2, 4 and 6 are legal
//! ```
//!
//! Terminal patterns are tested in the same method. If a mode has few tests, or its tables would not stay in a core's
//! cache, the tests are made one by one, without branches.

use crate::label::Label;
use crate::reachable::{BoardWord, KeyWord};
use crate::rules::{Board, Ending, Mode, Move, Potential, Rules, Terminal};
use crate::symmetry::Group;

/// Up to this many tests are made one by one, because looking up each chunk would take as long.
const FEW: usize = 8;
/// The widths of chunks in cells, the fastest first.
const WIDTHS: [u32; 3] = [8, 6, 4];
/// Bytes of a table that fit into a core's first cache together with the positions in work.
const NEAR: usize = 8 << 10;
/// Maximum number of bytes of a table that is faster than testing one by one.
const FAR: usize = 256 << 10;
/// Maximum number of bytes of all tables.
pub const ALL: usize = 1 << 20;

/// The moves and terminal patterns of some rules. `W` holds a key.
pub(crate) struct Moves<W: KeyWord> {
    cells: u32,
    /// The set of all cells.
    all: W::Board,
    modes: Vec<OfMode<W>>,
}

/// The moves and terminal patterns of a mode.
pub(crate) struct OfMode<W: KeyWord> {
    moves: Tests<W::Board>,
    /// The moves that are legal only if no other move is, as bits by word. Empty if no move is like that.
    otherwise: Vec<u64>,
    /// For each move: the cells that it fills and the next mode, as bits of a key.
    adds: Vec<W>,
    /// For each move: the cells that it does not empty.
    keeps: Vec<W::Board>,
    rises: Vec<Rise<W::Board>>,
    /// What each move means for the label of its successor. Empty if all are plain.
    turns: Vec<Turn>,
    ends: Tests<W::Board>,
    outcomes: Vec<Terminal>,
    terminal: Terminal,
}

/// The number of levels by which a move raises a position.
#[derive(Clone)]
struct Rise<B> {
    /// The part that does not depend on the board.
    fixed: i32,
    /// The cells that the move fills whether they are empty or not: only empty ones raise the level.
    open: B,
    /// The weights of `open`; empty if all weights are 1.
    weights: Vec<(B, i32)>,
}

impl<B: BoardWord> Rise<B> {
    fn of(m: &Move, potential: &Potential) -> Self {
        let open = m.fills & !m.empty & !m.full;
        let (fixed, _) = potential.rises(&Move { fills: m.fills & !open, ..*m });
        let weights = open.bits().map(|bit| (B::of(Board::bit(bit)), potential.cells()[bit as usize]));
        let weights = if potential.is_filled() { Vec::new() } else { weights.collect() };
        Self { fixed, open: B::of(open), weights }
    }

    /// The rise from a position with `board`.
    #[inline(always)]
    fn from(&self, board: B) -> u32 {
        let new = self.open & !board;
        if self.weights.is_empty() {
            return (self.fixed + new.count() as i32) as u32;
        }
        let of_new: i32 =
            self.weights.iter().filter(|&&(cell, _)| new & cell != B::default()).map(|(_, weight)| weight).sum();
        (self.fixed + of_new) as u32
    }
}

impl<W: KeyWord> Moves<W> {
    /// The moves of `rules`, with levels by `potential`.
    pub(crate) fn new(rules: &Rules, potential: &Potential) -> Self {
        let mut room = ALL;
        let of_mode = |mode: usize| OfMode::new(rules, Mode(mode as u16), potential, &mut room);
        let modes = (0..rules.modes().len()).map(of_mode).collect();
        Self { cells: rules.cells(), all: W::Board::of(Board::full(rules.cells())), modes }
    }

    /// The number of cells of a board.
    #[inline(always)]
    pub(crate) const fn cells(&self) -> u32 {
        self.cells
    }

    /// The set of all cells.
    #[inline(always)]
    pub(crate) const fn all(&self) -> W::Board {
        self.all
    }

    /// The number of the mode, and the board, of the position with `key`.
    #[inline(always)]
    pub(crate) fn split(&self, key: W) -> (usize, W::Board) {
        (key.above(self.cells), key.cells(self.all))
    }

    /// The key of the position with `board` in mode number `mode`.
    #[inline(always)]
    pub(crate) fn join(&self, mode: u16, board: W::Board) -> W {
        W::of_cells(board) | W::raised(mode.into(), self.cells)
    }

    /// The key of the representative of the position with `key`.
    #[inline(always)]
    pub(crate) fn representative(&self, group: &Group, key: W) -> W {
        if group.is_trivial() {
            return key;
        }
        let (mode, board) = self.split(key);
        let (mode, board) = group.representative_of(Mode(mode as u16), board);
        self.join(mode.0, board)
    }

    /// The moves and terminal patterns of mode number `mode`.
    #[inline(always)]
    pub(crate) fn of(&self, mode: usize) -> &OfMode<W> {
        &self.modes[mode]
    }
}

impl<W: KeyWord> OfMode<W> {
    fn new(rules: &Rules, mode: Mode, potential: &Potential, room: &mut usize) -> Self {
        let (moves, ends) = (rules.moves_of(mode), rules.ends_of(mode));
        let tests = moves.iter().map(Test::of).collect();
        let patterns = ends.iter().map(|end| Test::new(end.empty, end.pattern)).collect();
        let turns: Vec<Turn> = moves.iter().map(|m| Turn::of(rules, m)).collect();
        let add = |board: Board, next: Mode| W::of(board.number() | u128::from(next.0) << rules.cells());
        Self {
            moves: Tests::new(tests, rules.cells(), room),
            otherwise: bits_of(moves, |m| m.otherwise),
            adds: moves.iter().map(|m| add(m.fills, m.next)).collect(),
            keeps: moves.iter().map(|m| !W::Board::of(m.clears)).collect(),
            rises: moves.iter().map(|m| Rise::of(m, potential)).collect(),
            turns: if turns.iter().any(|&turn| turn != Turn::PLAIN) { turns } else { Vec::new() },
            ends: Tests::new(patterns, rules.cells(), room),
            outcomes: ends.iter().map(|end| end.outcome).collect(),
            terminal: rules.terminal_in(mode),
        }
    }

    /// How a terminal pattern has ended the game at `board`, for the player to move. The first pattern that matches decides.
    #[inline(always)]
    pub(crate) fn ended(&self, board: W::Board) -> Option<Ending> {
        (0..self.ends.words()).find_map(|word| {
            let met = self.ends.passed(word, board);
            (met != 0).then(|| at(self.outcomes[64 * word + met.trailing_zeros() as usize], board))
        })
    }

    /// The number of terminal patterns.
    pub(crate) const fn ends(&self) -> usize {
        self.outcomes.len()
    }

    /// The number of words for a set of moves.
    #[inline(always)]
    pub(crate) const fn words(&self) -> usize {
        self.moves.words()
    }

    /// The legal moves at `board` in word `word` of the set of moves: bit `i` is move 64 * `word` + `i`, in the game's own order. Terminal
    /// patterns are ignored.
    #[inline(always)]
    pub(crate) fn legal(&self, word: usize, board: W::Board) -> u64 {
        let legal = self.moves.passed(word, board);
        if self.otherwise.is_empty() || legal & self.otherwise[word] == 0 {
            return legal;
        }
        let goes_first = |word: usize| self.moves.passed(word, board) & !self.otherwise[word] != 0;
        if (0..self.words()).any(goes_first) { legal & !self.otherwise[word] } else { legal }
    }

    /// Calls `each` with the number of each legal move at `board`, in the game's own order. Terminal patterns are ignored.
    #[inline(always)]
    pub(crate) fn each_legal(&self, board: W::Board, mut each: impl FnMut(usize)) {
        for word in 0..self.words() {
            let mut legal = self.legal(word, board);
            while legal != 0 {
                each(64 * word + legal.trailing_zeros() as usize);
                legal &= legal - 1;
            }
        }
    }

    /// The key of the position after move `number`, which is legal at `board`.
    #[inline(always)]
    pub(crate) fn key(&self, number: usize, board: W::Board) -> W {
        W::of_cells(board & self.keeps[number]) | self.adds[number]
    }

    /// As [`key`](Self::key), with the number of levels by which the move raises the position.
    #[inline(always)]
    pub(crate) fn play(&self, number: usize, board: W::Board) -> (W, u32) {
        (self.key(number, board), self.rises[number].from(board))
    }

    /// What move `number` means for the label of its successor.
    #[inline(always)]
    pub(crate) fn turn(&self, number: usize) -> Turn {
        if self.turns.is_empty() { Turn::PLAIN } else { self.turns[number] }
    }

    /// How the game has ended for a player who cannot move at `board`.
    #[inline(always)]
    pub(crate) fn terminal(&self, board: W::Board) -> Ending {
        at(self.terminal, board)
    }
}

/// How the game has ended at `board`.
#[inline(always)]
fn at<B: BoardWord>(terminal: Terminal, board: B) -> Ending {
    match terminal {
        Terminal::Always(outcome) => outcome.into(),
        terminal => terminal.at(board.board()),
    }
}

/// What a move means for the label of its successor: who moves there, and what the move gains.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Turn {
    pub(crate) again: bool,
    gain: i16,
}

impl Turn {
    /// A move that gains nothing, after which the other player moves.
    pub(crate) const PLAIN: Self = Self { again: false, gain: 0 };

    pub(crate) fn of(rules: &Rules, m: &Move) -> Self {
        Self { again: !rules.hands_over(m), gain: m.gain }
    }

    /// The label of the successor as a position absorbs it.
    #[inline(always)]
    pub(crate) fn label<L: Label>(self, successor: L) -> L {
        let label = if self.again { successor.turned() } else { successor };
        label.gained(self.gain)
    }
}

/// A test of a board, which it passes if exactly the cells of `full` are filled among the cells of `care`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Test<B> {
    care: B,
    full: B,
}

impl<B: BoardWord> Test<B> {
    /// A test that no board passes.
    pub(crate) fn never() -> Self {
        let care = B::FULL.lowest();
        Self { care, full: !care }
    }

    /// The test that all cells of `empty` are empty, and all cells of `full` filled.
    #[must_use]
    pub fn new(empty: Board, full: Board) -> Self {
        Self { care: B::of(empty | full), full: B::of(full) }
    }

    /// The test that `m` is legal in its mode.
    pub(crate) fn of(m: &Move) -> Self {
        Self::new(m.empty, m.full)
    }

    #[inline(always)]
    pub(crate) fn is_passed(self, board: B) -> bool {
        board & self.care == self.full
    }
}

/// A list of tests, all made at once.
pub struct Tests<B> {
    count: usize,
    method: TestMethod<B>,
}

enum TestMethod<B> {
    OneByOne(Vec<Test<B>>),
    Chunks {
        /// Cells of a chunk.
        width: u32,
        /// For each word, the first cell of each chunk that one of its tests depends on.
        shifts: Vec<u32>,
        /// The chunks of word `i` begin at number `firsts[i]` of `shifts`, and end where those of the next word begin.
        firsts: Vec<u32>,
        /// The tests that a chunk lets pass, as a word: by chunk as in `shifts`, then content of the chunk.
        table: Vec<u64>,
    },
}

impl<B> Default for Tests<B> {
    fn default() -> Self {
        Self { count: 0, method: TestMethod::OneByOne(Vec::new()) }
    }
}

impl<B: BoardWord> Tests<B> {
    /// Prepares `tests` of boards with `cells` cells. Tables take their bytes from `room`.
    #[must_use]
    pub fn new(tests: Vec<Test<B>>, cells: u32, room: &mut usize) -> Self {
        let count = tests.len();
        let chunk = |cells: B, shift: u32, width: u32| (cells >> shift).low() & low_bits(width);
        let shifts = |word: &[Test<B>], width: u32| -> Vec<u32> {
            let chunks = (0..cells).step_by(width as usize);
            chunks.filter(|&shift| word.iter().any(|test| chunk(test.care, shift, width) != 0)).collect()
        };
        let bytes = |width: u32| {
            let chunks: usize = tests.chunks(64).map(|word| shifts(word, width).len()).sum();
            (chunks * size_of::<u64>()) << width
        };
        let near = WIDTHS.into_iter().find(|&width| bytes(width) <= NEAR);
        let far = WIDTHS.into_iter().rfind(|&width| bytes(width) <= FAR);
        let width = near.or(far).filter(|&width| count > FEW && bytes(width) <= *room);
        let Some(width) = width else { return Self { count, method: TestMethod::OneByOne(tests) } };
        *room -= bytes(width);
        let (mut all, mut firsts, mut table) =
            (Vec::new(), vec![0], Vec::with_capacity(bytes(width) / size_of::<u64>()));
        for word in tests.chunks(64) {
            for shift in shifts(word, width) {
                all.push(shift);
                table.extend((0..1 << width).map(|content: u64| {
                    let of = |cells: B| chunk(cells, shift, width);
                    set(word.iter().map(|test| content & of(test.care) == of(test.full)))
                }));
            }
            firsts.push(all.len() as u32);
        }
        Self { count, method: TestMethod::Chunks { width, shifts: all, firsts, table } }
    }

    /// The number of words that hold one bit for each test.
    #[inline(always)]
    #[must_use]
    pub const fn words(&self) -> usize {
        self.count.div_ceil(64)
    }

    /// The tests from number 64 * `word` that the board passes, as bits.
    #[inline(always)]
    #[must_use]
    pub fn passed(&self, word: usize, board: B) -> u64 {
        match &self.method {
            TestMethod::OneByOne(tests) => {
                let tests = tests.get(64 * word..).unwrap_or_default();
                set(tests.iter().take(64).map(|test| test.is_passed(board)))
            }
            TestMethod::Chunks { width, shifts, firsts, table } => {
                let all = low_bits((self.count - 64 * word).min(64) as u32);
                (firsts[word] as usize..firsts[word + 1] as usize).fold(all, |passed, chunk| {
                    let content = ((board >> shifts[chunk]).low() & low_bits(*width)) as usize;
                    passed & table[(chunk << width) + content]
                })
            }
        }
    }
}

/// The indices of the `members` that are true, as bits.
#[inline(always)]
fn set(members: impl Iterator<Item = bool>) -> u64 {
    members.enumerate().fold(0, |set, (number, is_in)| set | u64::from(is_in) << number)
}

/// Those of `members` for which `is_in` holds, as bits in words; empty if there are none.
pub(crate) fn bits_of<T>(members: &[T], is_in: impl Fn(&T) -> bool) -> Vec<u64> {
    let words: Vec<u64> = members.chunks(64).map(|word| set(word.iter().map(&is_in))).collect();
    if words.iter().any(|&word| word != 0) { words } else { Vec::new() }
}

/// A word with its lowest `bits` bits set; all bits if `bits` is 64 or more.
#[inline(always)]
const fn low_bits(bits: u32) -> u64 {
    if bits < 64 { (1 << bits) - 1 } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::super::random::{random_moving, random_rules};
    use super::*;
    use crate::reachable::Codes;
    use crate::rules::Position;
    use crate::sparse::word::with_key_word;
    use proptest::prelude::*;

    fn check<W: KeyWord + std::fmt::Debug>(rules: &Rules, boards: impl Iterator<Item = u128>) {
        let Some(potential) = rules.potential() else { return };
        let (moves, codes) = (Moves::<W>::new(rules, potential), Codes::of(rules));
        for (number, board) in boards.enumerate() {
            let position =
                Position::new(Mode(number as u16 % 2), Board::from_number(board) & Board::full(rules.cells()));
            let key = codes.key(W::of(codes.code(position)));
            let (mode, board) = moves.split(key);
            assert_eq!((mode, board.board()), (position.mode.0.into(), position.board));
            let of_mode = moves.of(mode);
            assert_eq!(of_mode.ended(board), rules.ending(position));
            let mut found = Vec::new();
            of_mode.each_legal(board, |number| found.push(of_mode.play(number, board)));
            let plain: Vec<_> = rules
                .successors(position)
                .map(|next| (W::of(codes.code(next)), potential.level(next) - potential.level(position)))
                .collect();
            let found: Vec<_> = found.into_iter().map(|(key, rise)| (codes.code_of_key(key), rise)).collect();
            assert_eq!(found, plain);
        }
    }

    proptest! {
        /// Moves, their order, successors and terminal patterns agree with the rules, for every method.
        #[test]
        fn moves_equal_the_rules(seed: u64, cells in 1u32..=126, size in 0u32..13, moving: bool) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let (moves, ends) = (draw.usize(..1 << size), draw.usize(..1 << size));
            let rules = if moving {
                random_moving(&mut draw, cells, moves, ends, true)
            } else {
                random_rules(&mut draw, cells, moves, ends)
            };
            let boards: Vec<u128> = (0..20).map(|_| draw.u128(..) & draw.u128(..)).collect();
            with_key_word!(&rules, W => check::<W>(&rules, boards.into_iter()));
        }
    }

    #[test]
    fn tables_are_used_where_they_pay() {
        let mut draw = fastrand::Rng::with_seed(1);
        let mut width = |cells, tests| {
            let tests = (0..tests).map(|_| Test { care: u64::MAX >> (64 - cells), full: draw.u64(..) });
            match Tests::new(tests.collect(), cells, &mut { ALL }).method {
                TestMethod::OneByOne(_) => None,
                TestMethod::Chunks { width, .. } => Some(width),
            }
        };
        assert_eq!(
            [(32, 8), (32, 9), (32, 65), (50, 45), (64, 4000), (64, 1 << 16)]
                .map(|(cells, tests)| { width(cells, tests) }),
            [None, Some(8), Some(6), Some(6), Some(4), None]
        );
    }
}
