//! Random rules that are always valid and shrink to rules that a person can follow.
//!
//! They target errors of kernels that work on 512 boards at once. The low nine cells are inside a block and the others
//! choose the block. So some moves use only low cells, some only high cells, and some both. Some moves need filled
//! cells, some fill cells that are filled already, and some need cells empty without filling them. Modes lead to each
//! other in cycles, so that moves inside a block chain through several modes. Games of 13 cells or more have several
//! groups of eight blocks. Crowded games have more moves than a machine word or a vector has bits.

use proptest::collection::vec;
use proptest::prelude::*;
use tablegen::rules::{Board, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Start, Terminal};

/// Rules of 1 to 12 cells, most of them of 9 to 12: one to eight blocks.
pub(crate) fn small() -> impl Strategy<Value = Rules> {
    rules(prop_oneof![1 => 1u32..=8, 3 => 9u32..=12], 0..=24)
}

/// Rules of 13 to 15 cells: more than one group of eight blocks.
pub(crate) fn large() -> impl Strategy<Value = Rules> {
    rules(13u32..=15, 0..=40)
}

/// Small rules with passes to later modes, moves that are legal only without others, and outcomes by the board.
pub(crate) fn with_passes() -> impl Strategy<Value = Rules> {
    let passes = vec((0u16..4, 0u16..4, cell_numbers(2)), 0..=4);
    let terminals = vec(prop_oneof![outcome().prop_map(Some), Just(None)], 4);
    let cells = (any::<u64>(), any::<u64>());
    (small(), passes, vec(any::<bool>(), 8), terminals, cells).prop_map(|(rules, passes, flags, terminals, cells)| {
        let mut spec = rules.into_spec();
        let modes = spec.modes.len() as u16;
        let mask = |numbers: &[u32]| numbers.iter().map(|number| Board::bit(number % spec.cells)).collect();
        let pass = |(mode, next, full): (u16, u16, Vec<u32>)| Move {
            mode: Mode(mode % modes),
            next: Mode(next % modes),
            full: mask(&full),
            ..Move::fill(Board::EMPTY)
        };
        // A pass to an earlier mode could be repeated.
        let passes: Vec<Move> = passes.into_iter().map(pass).filter(|m| m.mode < m.next).collect();
        spec.moves.extend(passes);
        spec.moves.iter_mut().zip(flags.iter().cycle()).for_each(|(m, &flag)| m.otherwise = flag);
        let part = |bits: u64| Board::from_word(bits) & Board::full(spec.cells);
        let most = Terminal::Most { own: part(cells.0), other: part(cells.1) };
        let terminals = terminals.into_iter().map(|it| it.map_or(most, Terminal::from));
        spec.terminals = terminals.take(modes.into()).collect();
        spec.build().expect("sound rules")
    })
}

/// The part of the board that has the cells of a move.
#[derive(Clone, Copy, Debug)]
enum Region {
    Anywhere,
    Low,
    High,
}

/// A move before the number of cells and modes is known. Its cells are numbers modulo the cells of the board. So
/// shrinking can try a smaller board without drawing the moves again.
#[derive(Clone, Debug)]
struct RawMove {
    region: Region,
    mode: u16,
    next: u16,
    /// A cell that must be empty and is filled.
    new: u32,
    /// More cells that must be empty and are filled.
    more: Vec<u32>,
    /// Cells that must be empty and stay empty.
    empty: Vec<u32>,
    /// Cells that must be filled.
    full: Vec<u32>,
    /// Cells that are filled, whether they were empty or not.
    fills: Vec<u32>,
}

fn cell_numbers(most: usize) -> impl Strategy<Value = Vec<u32>> {
    vec(0u32..64, 0..=most)
}

fn raw_move() -> impl Strategy<Value = RawMove> {
    let region = prop_oneof![Just(Region::Anywhere), Just(Region::Low), Just(Region::High)];
    // Half of the moves are plain: a game in which all moves have conditions ends soon.
    let plain = (cell_numbers(2), Just(vec![]), Just(vec![]), Just(vec![]));
    let cells = prop_oneof![
        2 => plain,
        1 => (cell_numbers(2), cell_numbers(2), Just(vec![]), Just(vec![])),
        1 => (cell_numbers(2), cell_numbers(1), cell_numbers(2), Just(vec![])),
        1 => (cell_numbers(2), cell_numbers(1), cell_numbers(1), cell_numbers(3)),
    ];
    let modes = (0u16..4, 0u16..4);
    (region, modes, 0u32..64, cells).prop_map(|(region, (mode, next), new, (more, empty, full, fills))| RawMove {
        region,
        mode,
        next,
        new,
        more,
        empty,
        full,
        fills,
    })
}

impl RawMove {
    fn on(&self, cells: u32, modes: u16) -> Move {
        let place = |number: u32| match self.region {
            Region::Anywhere => number % cells,
            Region::Low => number % cells.min(9),
            Region::High => cells - 1 - number % cells.saturating_sub(9).max(1),
        };
        let mask = |numbers: &[u32]| numbers.iter().fold(0, |mask, &number| mask | 1u64 << place(number));
        let new = 1 << place(self.new) | mask(&self.more);
        let empty = new | mask(&self.empty);
        Move {
            mode: Mode(self.mode % modes),
            next: Mode(self.next % modes),
            empty: Board::from_word(empty),
            full: Board::from_word(mask(&self.full) & !empty),
            ..Move::fill(Board::from_word(new | mask(&self.fills)))
        }
    }
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![Just(Outcome::Loss), Just(Outcome::Win), Just(Outcome::Draw)]
}

/// A mode and cells: a position or a terminal pattern.
fn raw_position(most: usize) -> impl Strategy<Value = (u16, Vec<u32>)> {
    (0u16..4, cell_numbers(most))
}

/// Rules of as many cells and moves as the arguments say.
pub(crate) fn rules(
    cells: impl Strategy<Value = u32>,
    moves: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Rules> {
    let ends = vec((raw_position(4), outcome()), 0..=5);
    // Half of the games can draw: they have two planes per mode, the others one.
    let draws = any::<bool>();
    // Most games start on an empty or nearly empty board, from which play lasts longer.
    let first = prop_oneof![1 => vec(raw_position(6), 1..=5), 3 => vec(raw_position(1), 1..=5)];
    let start = (any::<bool>(), first);
    (cells, 1u16..=4, vec(raw_move(), moves), ends, outcome(), draws, start).prop_map(
        |(cells, modes, moves, ends, terminal, draws, (opening, first))| {
            let settle = |outcome| if draws || outcome != Outcome::Draw { outcome } else { Outcome::Loss };
            let mask =
                |numbers: &[u32]| Board::from_word(numbers.iter().fold(0, |mask, number| mask | 1 << (number % cells)));
            let position = |(mode, numbers): &(u16, Vec<u32>)| Position::new(Mode(mode % modes), mask(numbers));
            let first: Vec<Position> = first.iter().map(position).collect();
            let end = |(at, outcome): &((u16, Vec<u32>), Outcome)| {
                let Position { mode, board: pattern } = position(at);
                End { mode, pattern, outcome: settle(*outcome).into(), empty: Board::EMPTY }
            };
            RulesSpec {
                modes: (0..modes).map(|mode| format!("m{mode}")).collect(),
                moves: moves.iter().map(|m| m.on(cells, modes)).collect(),
                ends: ends.iter().map(end).collect(),
                terminal: settle(terminal),
                start: if opening { Start::Opening(first) } else { Start::At(first[0]) },
                ..RulesSpec::new("random", cells)
            }
            .build()
            .expect("sound rules")
        },
    )
}
