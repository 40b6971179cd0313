//! Estimates of the number of reachable positions, from a sample of each level.
//!
//! A flood holds every position of a level. A sample holds at most some hundreds, each with a *weight*: the estimated
//! number of positions of its level that it represents. For each level of filled cells, the fewest first:
//!
//! ```text
//! collect the successors of the samples of lower levels, each with the weight of its predecessor
//! if these are more than a sample: draw a sample by weight, with equal weights that keep the sum
//! divide each weight by the number of predecessors, so that a position counts once, however many lead to it
//! ```
//!
//! The weights of a level add up to an estimate of its size. In a tree, this is Knuth's estimate of the tree's size
//! from random lines of play (1975), with Chen's levels (1992). While levels are small, no sample is drawn: duplicates
//! are dropped, and counts are exact.
//!
//! The predecessors of a position are found by undoing moves. But a predecessor counts only if it is reachable, which
//! is unknown, so a few more moves are undone. A position is unreachable if it has a filled cell that no move can have
//! filled, or if all its predecessors are unreachable. All other positions count as reachable. If they are not, the
//! estimate is too small: for library games, by up to a half.

use std::collections::BTreeSet;

use crate::cyclic::undo::ReverseMoves;
use crate::reachable::{BoardWord, Codes, KeyWord};
use crate::rules::{Position, Potential, Rules};
use crate::sparse::moves::Moves;
use crate::sparse::word::with_wide_word;
use crate::{Meter, Phase, SolveError, Watch, go_on};

/// The largest and the smallest size of a sample.
const SAMPLE: usize = 1 << 9;
const LEAST_SAMPLE: usize = 1 << 5;
/// Comparisons of a move with a position, over all levels, that bound the size of samples: some tenths of a second.
const COMPARISONS: u64 = 1 << 28;
/// Comparisons after which predecessors are no longer examined: all count as reachable. The smallest samples exceed
/// [`COMPARISONS`] in games with thousands of moves.
const MOST_COMPARISONS: u64 = 1 << 31;
/// Comparisons of a terminal pattern with a predecessor after which all predecessors count as ongoing: half a second.
const MOST_ENDS: u64 = 1 << 29;
/// Games with more moves than this would take too long.
const MOST_MOVES: usize = 1 << 13;
/// Successors of a position to follow, drawn at random; and while levels are counted exactly.
const FOLLOWED: usize = 16;
const ALL_FOLLOWED: usize = 1 << 9;
/// Predecessors of a position to examine; and the number of possibly reachable ones among them after which to stop.
const ASKED: usize = 1 << 8;
const ENOUGH: usize = 8;
/// Most predecessors to list.
const LISTED: usize = 1 << 12;
/// The number of times that one of several moves is undone to examine a position, and the number of positions to visit
/// for that.
const BACK: u32 = 2;
const LOOKED_AT: u32 = 1 << 6;

/// An estimate of the number of positions reachable from `roots`, in rules whose moves only fill cells. `None` if there
/// are too many moves for a quick estimate, or if positions have no codes. Equal rules have equal estimates.
///
/// # Errors
/// If `progress` stops the work.
pub fn sampled_count(
    rules: &Rules,
    roots: &[Position],
    progress: Option<Watch<'_>>,
) -> Result<Option<u64>, SolveError> {
    sampled_up_to(rules, roots, u64::MAX, progress)
}

/// Like [`sampled_count`], but the work ends as soon as the estimate is more than `most`, and then a number between `most` and the estimate is
/// returned.
///
/// # Errors
/// As [`sampled_count`].
pub fn sampled_up_to(
    rules: &Rules,
    roots: &[Position],
    most: u64,
    progress: Option<Watch<'_>>,
) -> Result<Option<u64>, SolveError> {
    if rules.clears() || rules.moves().len() > MOST_MOVES {
        return Ok(None);
    }
    if Codes::of(rules).bits() > Codes::MOST_BITS {
        return Ok(None);
    }
    with_wide_word!(rules, K => sampled_by(&mut Sampler::<K>::new(rules, roots), rules, most, progress)).map(Some)
}

/// The estimate by a new `sampler` of `rules`, or a number between `most` and the estimate.
fn sampled_by<K: KeyWord>(
    sampler: &mut Sampler<K>,
    rules: &Rules,
    most: u64,
    progress: Option<Watch<'_>>,
) -> Result<u64, SolveError> {
    let meter = Meter::new(progress, Phase::Find, None);
    let mut waiting: Vec<Vec<Weighted<K>>> = vec![Vec::new(); rules.cells() as usize + 1];
    for &root in &sampler.roots {
        waiting[sampler.level(root)].push((root, 1.0));
    }
    let (mut all, mut is_whole) = (0.0, true);
    let mut size = SAMPLE;
    for filled in 0..waiting.len() {
        let mut level = std::mem::take(&mut waiting[filled]);
        go_on(meter.add(level.len() as u64))?;
        if is_whole {
            // All lower levels are known completely, and so is this one.
            level.sort_unstable_by_key(|&(key, _)| key);
            level.dedup_by_key(|&mut (key, _)| key);
            level.iter_mut().for_each(|(_, weight)| *weight = 1.0);
            all += level.len() as f64;
            is_whole = level.len() <= size;
            sampler.draw(&mut level, size);
            if !is_whole {
                size = LEAST_SAMPLE;
            }
        } else {
            sampler.draw(&mut level, size);
            let before = sampler.compared;
            for (key, weight) in &mut level {
                go_on(meter.add(0))?;
                *weight /= sampler.predecessors(*key);
                all += *weight;
            }
            let of_each = (sampler.compared - before) / (level.len() as u64).max(1);
            let affordable = COMPARISONS / waiting.len() as u64 / of_each.max(1);
            size = usize::try_from(affordable).unwrap_or(SAMPLE).clamp(LEAST_SAMPLE, SAMPLE);
        }
        // The levels that are left only add to it.
        if all as u64 > most {
            break;
        }
        let most = if is_whole { ALL_FOLLOWED } else { FOLLOWED };
        for (key, weight) in level {
            is_whole &= sampler.follow(key, weight, most, &mut waiting);
        }
    }
    Ok(all as u64)
}

/// The key of a position, and its weight.
type Weighted<K> = (K, f64);

/// The sample of a game whose keys fit into `K`.
struct Sampler<K: KeyWord> {
    moves: Moves<K>,
    undo: ReverseMoves<K>,
    /// For each move, the cells that are filled after it for certain, and the cells that it fills. Duplicates are
    /// dropped, and modes are ignored.
    steps: Vec<[K::Board; 2]>,
    roots: Vec<K>,
    /// The cells that are filled in some root.
    begun: K::Board,
    random: fastrand::Rng,
    /// True if the order of moves does not matter, as far as filled cells tell. Then any of them can be undone first.
    is_unordered: bool,
    /// The number of comparisons of a step with a board so far.
    compared: u64,
    /// The number of comparisons of a terminal pattern with a predecessor so far.
    compared_ends: u64,
}

impl<K: KeyWord> Sampler<K> {
    fn new(rules: &Rules, roots: &[Position]) -> Self {
        let moves = Moves::new(rules, &Potential::filled(rules));
        let roots = rules.starts_and(roots);
        let begun = K::Board::of(roots.iter().map(|root| root.board).collect());
        let key = |root: &Position| moves.join(root.mode.0, K::Board::of(root.board));
        let roots = roots.iter().map(key).collect();
        let steps: BTreeSet<[K::Board; 2]> =
            rules.moves().iter().map(|m| [m.full | m.fills, m.fills].map(K::Board::of)).collect();
        let is_unordered = rules.ends().is_empty() && rules.moves().iter().all(|m| m.full.is_empty());
        let (undo, steps, random) =
            (ReverseMoves::new(rules), steps.into_iter().collect(), fastrand::Rng::with_seed(0));
        Self { moves, undo, steps, roots, begun, random, is_unordered, compared: 0, compared_ends: 0 }
    }

    fn board(&self, key: K) -> K::Board {
        self.moves.split(key).1
    }

    fn level(&self, key: K) -> usize {
        self.board(key).count() as usize
    }

    /// If `level` has more than `size` positions, draws a sample of `size` positions by weight. Each gets an equal part
    /// of the sum of weights.
    fn draw(&mut self, level: &mut Vec<Weighted<K>>, size: usize) {
        if level.len() <= size {
            return;
        }
        let part = level.iter().map(|(_, weight)| weight).sum::<f64>() / size as f64;
        let mut next = self.random.f64() * part;
        let mut drawn = Vec::with_capacity(size);
        let mut passed = 0.0;
        for &(key, weight) in level.iter() {
            passed += weight;
            while next < passed && drawn.len() < size {
                drawn.push((key, part));
                next += part;
            }
        }
        *level = drawn;
    }

    /// Adds the successors of the position with `key`, by up to `most` random moves, to the `waiting` levels. Returns
    /// true if these are all moves.
    fn follow(&mut self, key: K, weight: f64, most: usize, waiting: &mut [Vec<Weighted<K>>]) -> bool {
        let (mode, board) = self.moves.split(key);
        let of_mode = self.moves.of(mode);
        if of_mode.ended(board).is_some() {
            return true;
        }
        let mut legal = Vec::new();
        of_mode.each_legal(board, |number| legal.push(number));
        let most = most.min(legal.len());
        let weight = weight * legal.len() as f64 / most as f64;
        for followed in 0..most {
            let drawn = self.random.usize(followed..legal.len());
            legal.swap(followed, drawn);
            let after = of_mode.key(legal[followed], board);
            waiting[self.level(after)].push((after, weight));
        }
        most == legal.len()
    }

    /// An estimate of the number of reachable predecessors of the position with `key`, plus one if it is a root.
    fn predecessors(&mut self, key: K) -> f64 {
        let mut before = self.before(key);
        let (mut asked, mut possible) = (0, 0);
        while asked < ASKED.min(before.len()) && possible < ENOUGH {
            let drawn = self.random.usize(asked..before.len());
            before.swap(asked, drawn);
            possible += usize::from(self.is_possible(before[asked], BACK, &mut 0));
            asked += 1;
        }
        let begins = if self.roots.contains(&key) { 1.0 } else { 0.0 };
        // The position was found, so it has at least one.
        ((possible * before.len()) as f64 / asked.max(1) as f64 + begins).max(1.0)
    }

    /// The predecessors of the position with `key`.
    fn before(&mut self, key: K) -> Vec<K> {
        let (mode, board) = self.moves.split(key);
        let mut before = Vec::new();
        self.undo.each(mode, board, |key, _| {
            if before.len() < LISTED {
                before.push(key);
            }
        });
        self.compared += before.len() as u64;
        before
    }

    /// True if the position with `key` may be reachable and ongoing, as far as undoing moves tells. One of several
    /// moves is undone at most `back` times. `looked` counts the positions visited; beyond a limit, any position may be
    /// reachable.
    fn is_possible(&mut self, key: K, back: u32, looked: &mut u32) -> bool {
        *looked += 1;
        let (mode, board) = self.moves.split(key);
        if self.compared_ends < MOST_ENDS {
            let of_mode = self.moves.of(mode);
            self.compared_ends += of_mode.ends() as u64;
            if of_mode.ended(board).is_some() {
                return false;
            }
        }
        let none = K::Board::default();
        let Some(next) = self.rarest(board) else { return false };
        if next == none || back == 0 || *looked > LOOKED_AT || self.compared > MOST_COMPARISONS {
            return true;
        }
        let mut before = self.before(key);
        if self.is_unordered {
            before.retain(|&before| self.board(before) & next == none);
            if before.is_empty() {
                // The last move filled other cells, so nothing is known.
                return true;
            }
            before.retain(|&before| self.rarest(self.board(before)).is_some());
        }
        let back = if before.len() == 1 { back } else { back - 1 };
        before.into_iter().any(|before| self.is_possible(before, back, looked))
    }

    /// The filled cell of `board` that the fewest moves can have filled: 0 if no cell needs a move, `None` if some cell
    /// cannot have been filled.
    fn rarest(&mut self, board: K::Board) -> Option<K::Board> {
        self.compared += self.steps.len() as u64;
        // The cells that at least one move can have filled, and the cells that several can.
        let none = K::Board::default();
        let (mut one, mut several) = (none, none);
        for &[needed, fills] in &self.steps {
            if needed & !board == none {
                several = several | one & fills;
                one = one | fills;
            }
        }
        let made = board & !self.begun;
        let forced = made & one & !several;
        (made & !one == none).then(|| if forced == none { made.lowest() } else { forced.lowest() })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use tablegen_games::{FileGame, Game, Parameters, bundled};

    use super::*;
    use crate::sparse::random::random_rules;
    use crate::{Options, count_reachable};

    fn game(name: &str, set: &Parameters) -> Box<dyn Game> {
        bundled(name, set).expect("a game of the library").expect("a size that it has")
    }

    fn counted(rules: &Rules) -> u64 {
        count_reachable(rules, &Options::default()).unwrap().stored()
    }

    #[test]
    fn small_levels_are_counted() {
        let mut draw = fastrand::Rng::with_seed(31);
        for _ in 0..300 {
            let (cells, moves) = (draw.u32(1..=8), draw.usize(1..30));
            let rules = random_rules(&mut draw, cells, moves, 2);
            assert_eq!(sampled_count(&rules, &[], None).unwrap(), Some(counted(&rules)));
        }
    }

    #[test]
    fn large_levels_are_estimated() {
        for (name, set) in [
            ("connect-four", Parameters::new().with("rows", 4).with("cols", 4)),
            ("snort", Parameters::new().with("rows", 3).with("cols", 5)),
            ("domineering", Parameters::new().with("rows", 4).with("cols", 5)),
            ("dawsons-kayles", Parameters::new().with("pins", 28)),
            ("node-kayles", Parameters::new().with("rows", 4).with("cols", 5)),
        ] {
            let game = game(name, &set);
            let (count, about) = (counted(game.rules()), sampled_count(game.rules(), &[], None).unwrap().unwrap());
            assert!(about > count / 2 && about < count * 3 / 2, "{name}: about {about} for {count}");
        }
    }

    #[test]
    fn an_estimate_is_always_the_same() {
        let game = game("dawsons-kayles", &Parameters::new().with("pins", 40));
        let of_this = || sampled_count(game.rules(), &[], None).unwrap();
        assert_eq!(of_this(), of_this());
    }

    /// Two vertices of a complete graph: 1,770 moves, each of which can be undone on almost every board. The work is bounded.
    #[test]
    fn the_work_of_wide_games_is_bounded() {
        let edges = (0..60).flat_map(|a| (0..a).map(move |b| format!("'{a} {b}'"))).collect::<Vec<_>>().join(",");
        let text = format!("name = 'k60'\nboard = {{ edges = [{edges}] }}\nmove = [{{ shape = 'XX' }}]\n");
        let game = FileGame::read(&text, &Parameters::new()).unwrap();
        let mut sampler = Sampler::<u128>::new(game.rules(), &[]);
        let estimate = sampled_by(&mut sampler, game.rules(), u64::MAX, None).unwrap();
        // The number of even sets of vertices.
        assert!((1_u64 << 58..1 << 60).contains(&estimate), "{estimate}");
        // Then each sample takes a few comparisons with every move.
        assert!(sampler.compared < MOST_COMPARISONS / 8 * 9, "{}", sampler.compared);
    }

    /// Of 102,790 terminal patterns, half are compared with each predecessor.
    #[test]
    fn the_work_of_games_with_many_ends_is_bounded() {
        let game = game("hex", &Parameters::new().with("rows", 8).with("cols", 6));
        let mut sampler = Sampler::<crate::reachable::WideKey>::new(game.rules(), &[]);
        let estimate = sampled_by(&mut sampler, game.rules(), u64::MAX, None).unwrap();
        // The boards with as many stones of either side, or one more of the side that begins, are about 10^22.
        assert!(estimate > 1 << 60, "{estimate}");
        assert!(sampler.compared_ends < MOST_COMPARISONS / 8 * 9, "{}", sampler.compared_ends);
    }

    /// The work ends early if the estimate is large, and does not change a small one.
    #[test]
    fn a_bound_ends_the_sample() {
        let game = game("domineering", &Parameters::new().with("rows", 8).with("cols", 8));
        let sample = |most: u64| {
            let mut sampler = Sampler::<u128>::new(game.rules(), &[]);
            let estimate = sampled_by(&mut sampler, game.rules(), most, None).unwrap();
            (estimate, sampler.compared)
        };
        let (whole, compared) = sample(u64::MAX);
        assert_eq!(sample(whole), (whole, compared));
        let (early, fewer) = sample(1 << 28);
        assert!((1 << 28..whole).contains(&early) && fewer < compared / 2, "{early} {whole} {fewer} {compared}");
    }

    #[test]
    fn it_can_be_stopped() {
        let game = game("domineering", &Parameters::new().with("rows", 8).with("cols", 8));
        let stopped = sampled_count(game.rules(), &[], Some(&|_| ControlFlow::Break(())));
        assert!(matches!(stopped, Err(SolveError::Cancelled)));
    }
}
