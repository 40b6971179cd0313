//! Retrograde analysis over numbered positions, without hash sets.
//!
//! In most cyclic games the number of pieces rarely changes. So positions fall into few *regions*: the mode, and the number of squares
//! of each colour ([`regions`]). Within a region each position has a number. A few look-ups compute the number from the
//! board, and the board from the number ([`subsets`]). Positions with consecutive numbers share the squares of the first colour. So
//! they also share most of the effect of a move on the number, which is computed once for all of them ([`rows`]).
//!
//! The state of a position is a bit or a byte at an address computed from its number. It says whether the position is reachable
//! ([`flood`]), how many moves are left to try, and how the position is decided ([`retro`]). Finally the positions are sorted by
//! code for the table ([`order`]).
//!
//! Up to symmetry, only one choice of the first colour's squares in each class of choices has numbers ([`folds`]). If the regions
//! have too many numbers for each reachable position, or more than memory holds, the caller uses hash sets instead.

mod flood;
mod folds;
mod move_filters;
mod order;
mod pending;
mod planes;
mod regions;
mod retro;
mod rows;
mod sets;
mod steps;
mod subsets;

use std::ops::Range;
use std::sync::atomic::AtomicU8;

use self::flood::{Flow, Known};
use self::folds::Folds;
use self::planes::Planes;
use self::regions::{Region, Regions};
use self::sets::{Pages, Set, SetMemory, WORDS};
use self::steps::Steps;
use super::retro::Labelled;
use super::shards::Cut;
use crate::reachable::{Codes, key_bytes};
use crate::rules::{Position, Rules, Terminal};
use crate::simd::VectorUnit;
use crate::sparse::cost::{MemoryWatch, SoFar};
use crate::symmetry::Group;
use crate::{Options, SolveError, UpTo};

/// Maximum number of numbers for each reachable position.
const MOST_NUMBERS: u64 = 5;
/// Up to this many numbers, any ratio is accepted.
const FEW: u64 = 1 << 23;

/// The rules in the form that all passes read.
struct Game<'a> {
    rules: &'a Rules,
    /// The symmetries up to which positions are stored.
    group: &'a Group,
    planes: Planes,
    steps: Steps,
    regions: Regions,
    cut: Cut,
    unit: VectorUnit,
}

impl<'a> Game<'a> {
    /// `None` if the positions cannot be numbered, codes have too many bits, or a player without a move gets an outcome by the board.
    fn new(rules: &'a Rules, group: &'a Group, roots: &[Position], unit: VectorUnit) -> Option<Self> {
        let codes = Codes::of(rules);
        if codes.bits() > order::MOST_BITS || !rules.terminals().all(Terminal::is_fixed) {
            return None;
        }
        let planes = Planes::of(rules, roots)?;
        let steps = Steps::new(rules, &planes);
        // A move that may fill filled cells has several predecessors, and each would need a symmetry of its own.
        if steps.has_open && !group.is_trivial() {
            return None;
        }
        let folds = if group.is_trivial() { None } else { Some(Folds::new(&planes, group)?) };
        let regions = Regions::new(&planes, &steps, roots, folds)?;
        Some(Self { rules, group, planes, steps, regions, cut: Cut::new(codes, order::MOST_BITS), unit })
    }

    /// The regions that overlap a block, and the words of the block that belong to each.
    fn parts(&self, block: usize) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        let words = block * WORDS..(block + 1) * WORDS;
        let list = &self.regions.list;
        let of = |region: &Region| (region.base >> 6) as usize..(region.base + region.size).div_ceil(64) as usize;
        let first = list.partition_point(|region| of(region).end <= words.start);
        let parts = list[first..].iter().map(of).take_while({
            let end = words.end;
            move |part| part.start < end
        });
        (first..).zip(parts.map(move |part| part.start.max(words.start)..part.end.min(words.end)))
    }

    /// Returns whether `numbers` numbers are few enough for `count` positions.
    const fn is_dense(numbers: u64, count: u64) -> bool {
        numbers <= FEW || numbers <= MOST_NUMBERS * count
    }

    /// The pages of memory for all numbers: large ones if there is memory for every number.
    fn pages(&self, options: &Options<'_>) -> Pages {
        let every = u64::from(self.regions.numbers);
        if self.fits(every, 0, options, &mut MemoryWatch::new(options)) { Pages::Large } else { Pages::Small }
    }

    /// Returns whether memory suffices for labelling `count` positions or more, if `numbers` numbers are touched.
    fn fits(&self, numbers: u64, count: u64, options: &Options<'_>, watch: &mut MemoryWatch) -> bool {
        let finding = numbers * (1 + 5) / 8 + numbers;
        let labelling = numbers * 2 + numbers * 6 / 8;
        let ordering = numbers + numbers / 8 + count * 10;
        let writing = count * 9 + key_bytes(&self.cut.codes, count.max(1));
        let needed = labelling.max(ordering).max(writing);
        watch.check(options, finding, needed, SoFar { positions: count, up_to: UpTo::Unordered }).is_ok()
    }
}

/// The positions to label, and working memory.
struct Found<'a> {
    known: Known<'a>,
    /// The labels, initially zero.
    labels: &'a [AtomicU8],
    /// Empty sets for the layers.
    empty: [Set<'a>; 2],
    count: u64,
}

/// The number of reachable positions, and the peak memory.
pub(super) struct Count {
    pub(super) positions: u64,
    pub(super) peak: u64,
}

/// Counts the positions that are reachable from `roots`; `None` if hash sets are better.
pub(super) fn count(rules: &Rules, roots: &[Position], options: &Options<'_>) -> Result<Option<Count>, SolveError> {
    let Some(game) = Game::new(rules, Group::trivial(), roots, VectorUnit::best()) else { return Ok(None) };
    let numbers = game.regions.numbers;
    let Ok(mut rooms) = PositionMemory::new(numbers, game.pages(options)) else { return Ok(None) };
    let (known, done) = rooms.known();
    let mut watch = MemoryWatch::new(options);
    Ok(match flood::flood(&game, &known, &done, roots, options, &mut watch)? {
        Flow::All(positions) => Some(Count { positions, peak: watch.peak() }),
        Flow::TooSparse => None,
    })
}

/// Labels the positions that are reachable from `roots`, up to the symmetries of `group`; `None` if hash sets are better.
pub(super) fn solve(
    rules: &Rules,
    group: &Group,
    roots: &[Position],
    options: &Options<'_>,
    unit: VectorUnit,
) -> Result<Option<Labelled>, SolveError> {
    let Some(game) = Game::new(rules, group, roots, unit) else { return Ok(None) };
    let numbers = game.regions.numbers;
    let pages = game.pages(options);
    let (Ok(mut rooms), Ok(mut room), Ok(mut lost)) =
        (PositionMemory::new(numbers, pages), SetMemory::of_bytes(numbers, pages), SetMemory::of_bits(numbers, pages))
    else {
        return Ok(None);
    };
    let labels = room.bytes();
    let (count, has_plies) = {
        let (known, done) = rooms.known();
        let found = flood::flood(&game, &known, &done, roots, options, &mut MemoryWatch::new(options))?;
        let Flow::All(count) = found else { return Ok(None) };
        done.clear();
        (count, retro::label(&game, Found { known, labels, empty: [done, lost.set()], count }, options)?)
    };
    let mut reached = rooms.into_reached();
    drop(lost);
    let refused = |_| SolveError::Refused { positions: count, up_to: UpTo::Unordered };
    let (shards, counts) = order::ordered(&game, &reached.set(), labels, count).map_err(refused)?;
    drop((reached, room));
    order::written(&game, shards, counts, has_plies).map(Some).map_err(refused)
}

/// Memory for the states of all numbers.
struct PositionMemory {
    reached: SetMemory,
    left: SetMemory,
    ended: [SetMemory; 3],
    done: SetMemory,
}

impl PositionMemory {
    fn new(numbers: u32, pages: Pages) -> Result<Self, SolveError> {
        let bits = || SetMemory::of_bits(numbers, pages);
        Ok(Self {
            reached: bits()?,
            left: SetMemory::of_bytes(numbers, pages)?,
            ended: [bits()?, bits()?, bits()?],
            done: bits()?,
        })
    }

    /// The states of positions, initially unknown, and an empty set.
    fn known(&mut self) -> (Known<'_>, Set<'_>) {
        let [won, lost, drawn] = self.ended.each_mut().map(SetMemory::set);
        let known = Known { reached: self.reached.set(), left: self.left.bytes(), won, lost, drawn };
        (known, self.done.set())
    }

    fn into_reached(self) -> SetMemory {
        self.reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cyclic::by_codes;
    use crate::rules::samples::{Grid, men};
    use crate::rules::{Board, End, Mode, Move, Outcome, Player, RulesSpec, Start, Symmetry};
    use crate::sparse::random::random_moving;

    /// Compares the labels of numbered positions with the labels of the pass over hash sets, for each instruction set. Returns whether
    /// the positions are numbered.
    fn compare(rules: &Rules, group: &Group, roots: &[Position]) -> bool {
        let options = Options::default();
        let plain = by_codes(rules, group, roots, &options);
        let name = rules.name();
        let is_numbered = |found: Result<Option<Labelled>, SolveError>| match (found, &plain) {
            (Ok(None), _) => false,
            (Ok(Some(numbered)), Ok(plain)) => {
                assert!(numbered == *plain, "{name}");
                true
            }
            (Err(numbered), Err(plain)) => {
                assert_eq!(numbered.to_string(), plain.to_string());
                true
            }
            (numbered, _) => panic!("{name}: {:?} in place of {}", numbered.err(), plain.is_ok()),
        };
        let [portable, numbered] = [VectorUnit::Portable, VectorUnit::best()]
            .map(|unit| is_numbered(solve(rules, group, roots, &options, unit)));
        assert_eq!(portable, numbered);
        if let (true, Ok(plain), true) = (numbered, &plain, group.is_trivial()) {
            let counted = count(rules, roots, &options).unwrap().unwrap();
            assert_eq!(counted.positions, plain.codes.len() as u64, "{name}");
        }
        numbered
    }

    /// Random rules in which pieces of two colours are placed, step, flip others and take them; one cell belongs to no square.
    fn random_men(draw: &mut fastrand::Rng) -> Rules {
        let squares = draw.u32(2..=5);
        let cell = |colour: u32, square: u32| Board::bit(colour * squares + square);
        let aside = Board::bit(2 * squares);
        let moves = (0..draw.usize(4..60)).map(|_| {
            let (mine, a, b) = (draw.u32(..2), draw.u32(..squares), draw.u32(..squares));
            let (own, other, there) = (cell(mine, a), cell(1 - mine, a), cell(mine, b));
            let free = there | cell(1 - mine, b);
            let none = Board::EMPTY;
            let (full, empty, fills, clears) = match draw.u8(..10) {
                0 => (none, own | other, own, none),
                1 => (other, if draw.bool() { own } else { none }, own, other),
                2 => (other, none, none, other),
                3 => (own | cell(1 - mine, b), none, there, own | cell(1 - mine, b)),
                4 => (own, free, there | aside, own),
                5 => (own | aside, free, there, own | aside),
                _ => (own, free, there, own),
            };
            let (fills, clears) = if a == b && fills.contains(own) && !clears.is_disjoint(fills) {
                (none, clears & !fills | own)
            } else {
                (fills, clears)
            };
            let full = full | clears;
            let (mode, next) = (Mode(draw.u16(..2)), Mode(draw.u16(..2)));
            Move { mode, next, empty: empty & !full, full, clears, ..Move::fill(fills) }
        });
        let moves: Vec<Move> = moves.filter(|m| !m.fills.is_empty() || !m.clears.is_empty()).collect();
        let moves = moves.into_iter().filter(|m| m.fills.is_disjoint(m.full) || !m.clears.is_empty()).collect();
        let ends = (0..draw.usize(..4)).map(|_| {
            let pattern = cell(draw.u32(..2), draw.u32(..squares)) | cell(draw.u32(..2), draw.u32(..squares));
            let empty = if draw.bool() { cell(draw.u32(..2), draw.u32(..squares)) & !pattern } else { Board::EMPTY };
            End { mode: Mode(draw.u16(..2)), pattern, outcome: Outcome::BEST_FIRST[draw.usize(..3)], empty }
        });
        let ends = ends.collect();
        let start = (0..draw.usize(1..3)).map(|_| {
            let mode = Mode(draw.u16(..2));
            let men = (0..squares).map(|square| match draw.u8(..3) {
                0 => Board::EMPTY,
                colour => cell(u32::from(colour) - 1, square),
            });
            Position::new(mode, men.collect())
        });
        let start = Start::Opening(start.collect());
        let players = (0..2).map(|_| if draw.bool() { Player::First } else { Player::Second }).collect();
        let terminals = (0..2).map(|_| Outcome::BEST_FIRST[draw.usize(..3)].into()).collect();
        let (modes, cells) = (vec!["a".into(), "b".into()], 2 * squares + 1);
        let spec = RulesSpec { modes, moves, ends, terminals, ..RulesSpec::new("men", cells) };
        let players = if draw.bool() { players } else { Vec::new() };
        RulesSpec { start, players, ..spec }.build().unwrap()
    }

    #[test]
    fn labels_equal_the_pass_over_hash_sets() {
        let mut draw = fastrand::Rng::with_seed(21);
        let (mut numbered, mut squares) = (0, 0);
        for _ in 0..1500 {
            let (cells, moves, ends) = (draw.u32(2..=9), draw.usize(1..60), draw.usize(0..5));
            let rules = random_moving(&mut draw, cells, moves, ends, false);
            numbered += usize::from(compare(&rules, Group::trivial(), &rules.start_positions()));
        }
        for _ in 0..2500 {
            let rules = random_men(&mut draw);
            let roots = rules.start_positions();
            squares += usize::from(Planes::of(&rules, &roots).is_some_and(|planes| planes.pairs() > 1));
            numbered += usize::from(compare(&rules, Group::trivial(), &roots));
        }
        assert!(numbered > 3900 && squares > 1000, "{numbered} {squares}");
    }

    /// The rules together with their images under permutations of the squares of men.
    fn closed(rules: &Rules, draw: &mut fastrand::Rng) -> Option<Rules> {
        let squares = (rules.cells() - 1) / 2;
        let mut to: Vec<u8> = (0..squares as u8).collect();
        draw.shuffle(&mut to);
        let colours = to.iter().copied().chain(to.iter().map(|square| square + squares as u8));
        let symmetry = Symmetry::new(colours.chain([2 * squares as u8]).collect(), vec![0, 1]).unwrap();
        let mut powers = vec![symmetry.clone()];
        while let Some(last) = powers.last().filter(|last| !last.is_identity()) {
            let next = last.then(&symmetry);
            powers.push(next);
        }
        let spec = rules.clone().into_spec();
        let of_move = |it: &Symmetry, m: &Move| Move {
            empty: it.of_board(m.empty),
            full: it.of_board(m.full),
            fills: it.of_board(m.fills),
            clears: it.of_board(m.clears),
            ..*m
        };
        let moves = powers.iter().flat_map(|it| spec.moves.iter().map(move |m| of_move(it, m))).collect();
        // All terminal patterns get one outcome, because the first match decides and images may change the order.
        let outcome = spec.ends.first().map(|end| end.outcome);
        let of_end = |it: &Symmetry, end: &End| End {
            pattern: it.of_board(end.pattern),
            empty: it.of_board(end.empty),
            outcome: outcome.unwrap_or(end.outcome),
            ..*end
        };
        let ends = powers.iter().flat_map(|it| spec.ends.iter().map(move |end| of_end(it, end))).collect();
        let Start::Opening(starts) = &spec.start else { return None };
        let starts = powers.iter().flat_map(|it| starts.iter().map(move |&start| it.of(start))).collect();
        RulesSpec { moves, ends, start: Start::Opening(starts), ..spec }.build().ok()
    }

    #[test]
    fn labels_up_to_symmetry_equal_the_pass_over_hash_sets() {
        let mut draw = fastrand::Rng::with_seed(22);
        let (mut folded, mut fixed) = (0, 0);
        for _ in 0..2500 {
            let rules = random_men(&mut draw);
            let Some(rules) = closed(&rules, &mut draw) else { continue };
            let roots = rules.start_positions();
            let Ok(group) = Group::of_rules(&rules, &roots) else { continue };
            if !group.is_trivial() && compare(&rules, &group, &roots) {
                folded += 1;
                fixed += usize::from(group.order() > 2);
            }
        }
        assert!(folded > 250 && fixed > 120, "{folded} {fixed}");
    }

    #[test]
    fn games_of_men_that_step() {
        for (rows, cols, count) in [(3, 3, 3), (3, 4, 2), (4, 4, 3)] {
            let rules = men(Grid { rows, cols }, count).build().unwrap();
            let roots = rules.start_positions();
            assert_eq!(rules.potential(), None, "{rows}x{cols}");
            let group = Group::of_rules(&rules, &roots).unwrap();
            assert!(compare(&rules, Group::trivial(), &roots), "{rows}x{cols}");
            assert!(group.is_trivial() || compare(&rules, &group, &roots), "{rows}x{cols}");
        }
    }
}
