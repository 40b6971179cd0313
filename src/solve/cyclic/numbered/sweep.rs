//! The other way to label: sweeps over all positions that are not decided, until a sweep changes nothing.
//!
//! ```text
//! for each number of plies d, from 1, while a sweep decides anything:
//!     on every core: take some positions that are not decided, and look at what their moves lead to;
//!         one whose move wins, as decided in less than d plies, is won in d
//!         one whose moves all lose, so decided, is lost in d
//! the same for draws by the rules, where all moves lead to what is decided
//! ```
//!
//! It undoes no moves and counts none, so it is an independent check of [`super::retro`]; it looks at a position once a sweep, and
//! there are as many sweeps as plies. docs/performance.md has the times of both: nothing but tests takes it.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::flood::Known;
use super::regions::Last;
use super::retro::UNDECIDED;
use super::rows::Row;
use super::sets::{Set, WORDS};
use super::{Found, Game};
use crate::label::{Label, Remoteness, Width};
use crate::rules::{Mode, Outcome};
use crate::solve::SolveError;
use crate::solve::simd::{Unit, Work};

/// Labels what was found, as [`super::retro::label`] does; returns how often it looked at a position.
pub(super) fn label(game: &Game<'_>, found: &Found<'_>) -> Result<u64, SolveError> {
    let Found { known: Known { reached, won, lost, drawn, .. }, labels, .. } = found;
    let blocks = reached.words.len().div_ceil(WORDS);
    // What is not decided is what is reached, without what has ended; the set of what is reached is left for others.
    let open = |word: usize| {
        let ended = [won, lost, drawn].map(|set| set.words[word].load(Relaxed));
        reached.words[word].load(Relaxed) & !(ended[0] | ended[1] | ended[2])
    };
    let mut undecided: Vec<Vec<u64>> = (0..blocks)
        .into_par_iter()
        .map(|block| (block * WORDS..reached.words.len().min((block + 1) * WORDS)).map(open).collect())
        .collect();
    for (set, outcome) in [(won, Outcome::Win), (lost, Outcome::Loss), (drawn, Outcome::Draw)] {
        each(set, |number| labels[number].store(code(outcome, 0), Relaxed));
    }
    let mut visits = 0;
    for draws in [false, true] {
        for plies in 1.. {
            let changes = AtomicBool::new(false);
            let visit = |(block, undecided): (usize, &mut Vec<u64>)| {
                let sweep = Sweep { game, labels, block, undecided, draws, plies, changes: &changes };
                game.unit.run_on_words(sweep)
            };
            visits += undecided.par_iter_mut().enumerate().map(visit).sum::<u64>();
            if !changes.into_inner() {
                break;
            }
            if plies > Remoteness::MOST_REPEATING {
                let name = game.rules.name().to_owned();
                return Err(SolveError::TooLong { name, most: Remoteness::MOST_REPEATING, is_needed: true });
            }
        }
    }
    Ok(visits)
}

/// A label as it is kept: zero where nothing is decided.
fn code(outcome: Outcome, plies: u8) -> u8 {
    Remoteness { outcome, plies }.encode(Width::Eight) ^ UNDECIDED
}

/// Does something with each number of a set.
fn each(set: &Set<'_>, to_do: impl Fn(usize) + Sync) {
    set.words.par_iter().enumerate().for_each(|(at, word)| {
        let mut word = word.load(Relaxed);
        while word != 0 {
            to_do(64 * at + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    });
}

/// Looks at the positions of a block that are not decided.
struct Sweep<'a> {
    game: &'a Game<'a>,
    labels: &'a [AtomicU8],
    block: usize,
    undecided: &'a mut [u64],
    /// Whether draws are decided; else wins and losses.
    draws: bool,
    plies: u8,
    changes: &'a AtomicBool,
}

impl Work for Sweep<'_> {
    /// How many there are.
    type Output = u64;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> u64 {
        let Self { game, labels, block, undecided, draws, plies, changes } = self;
        let [of_win, of_loss, of_draw] =
            [Outcome::Win, Outcome::Loss, Outcome::Draw].map(|outcome| code(outcome, plies));
        // What is decided in this sweep counts in the next one.
        let new = if draws { [of_draw; 2] } else { [of_win, of_loss] };
        let mut count = 0;
        for (number, words) in game.parts(block) {
            let (region, leads) = (&game.regions.list[number], game.regions.ahead(number));
            let moves = &game.steps.ahead[usize::from(region.mode)].moves;
            let mut row = Row::of_moves(&game.regions, moves, leads);
            let mut last = Last::new();
            let is_again = |index: usize| {
                let kind = &game.steps.kinds[moves.steps[index].kind as usize];
                !game.rules.turns_over(Mode(kind.mode), Mode(kind.next))
            };
            let again: Vec<bool> = (0..moves.steps.len()).map(is_again).collect();
            for word in words {
                let here = &mut undecided[word - block * WORDS];
                let mut open = *here;
                count += u64::from(open.count_ones());
                while open != 0 {
                    let bit = open & open.wrapping_neg();
                    let number = (word as u32) << 6 | open.trailing_zeros();
                    open ^= bit;
                    let content = game.regions.content(unit, region, number, &mut last);
                    row.enter(content.first);
                    // Wins found now, and whether all moves lead to what was decided before.
                    let (mut wins, mut all) = (false, true);
                    'moves: for word in 0..row.tests.words() {
                        let mut legal = row.tests.passed(word, content);
                        while legal != 0 {
                            let index = 64 * word + legal.trailing_zeros() as usize;
                            legal &= legal - 1;
                            let label = labels[row.ahead(unit, index, content) as usize].load(Relaxed);
                            let is_decided = label != 0 && !new.contains(&label);
                            all &= is_decided;
                            if is_decided && !draws {
                                let outcome = Remoteness::decode(label ^ UNDECIDED, Width::Eight);
                                let outcome = outcome.map_or(Outcome::Draw, |it| it.outcome);
                                // A draw is no loss: its position stays as it is until draws are decided.
                                all &= outcome != Outcome::Draw;
                                wins |= outcome == if again[index] { Outcome::Win } else { Outcome::Loss };
                            }
                            if if draws { !all } else { wins } {
                                break 'moves;
                            }
                        }
                    }
                    let label = match (wins, all) {
                        (true, _) => of_win,
                        (false, true) if draws => of_draw,
                        (false, true) => of_loss,
                        (false, false) => continue,
                    };
                    labels[number as usize].store(label, Relaxed);
                    *here ^= bit;
                    changes.store(true, Relaxed);
                }
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::{retro, solve_by};
    use crate::engine;
    use crate::game::{FileGame, Game, Parameters};
    use crate::solve::Options;
    use crate::solve::simd::VectorUnit;

    /// Men who step to a free square beside them; three in a line win.
    fn men(rows: u32, cols: u32, x: &str, o: &str) -> Box<dyn Game> {
        let text = format!(
            "name = \"men\"\nsides = [\"x\", \"o\"]\nboard = {{ rows = {rows}, cols = {cols}, colours = \"XO\" }}\n\
             move = [{{ shape = \"LX\", turns = true }}]\n\
             end = [{{ line = 3, along = [\"rows\", \"columns\", \"diagonals\"], completer = \"wins\" }}]\n\
             start = {{ filled = {{ X = {x}, O = {o} }}, side = \"x\" }}\n"
        );
        Box::new(FileGame::read(&text, &Parameters::new()).unwrap())
    }

    #[test]
    #[ignore = "takes minutes, and prints times: docs/performance.md has them"]
    fn times_of_both_ways() {
        let library = |name: &str, set: Parameters| engine::game(name, &set).unwrap();
        let games = [
            men(3, 7, r#"["a1", "b1", "f1", "g1"]"#, r#"["a3", "b3", "f3", "g3"]"#),
            men(5, 5, r#"["a1", "b1", "d1"]"#, r#"["a5", "b5", "d5", "e5"]"#),
            library("dodgem", Parameters::new().with("size", 4)),
            library("quixo", Parameters::new().with("size", 3)),
            library("achi", Parameters::new()),
            library("three-mens-morris", Parameters::new()),
            library("hare-and-hounds", Parameters::new()),
        ];
        for game in games {
            let (rules, options) = (game.rules(), Options::default());
            let roots = rules.starts_and(&game.roots());
            let (mut found, mut visits) = ([const { Vec::new() }; 2], 0);
            let mut count = 0;
            let mut undone = |found: &mut Vec<Duration>| {
                let label = |game: &super::Game<'_>, all: super::Found<'_>, options: &Options<'_>| {
                    count = all.count;
                    let begun = Instant::now();
                    let done = retro::label(game, all, options);
                    found.push(begun.elapsed());
                    done
                };
                solve_by(label, rules, None, &roots, &options, VectorUnit::best()).unwrap();
            };
            let mut swept = |found: &mut Vec<Duration>| {
                let label = |game: &super::Game<'_>, all: super::Found<'_>, _: &Options<'_>| {
                    let begun = Instant::now();
                    visits = super::label(game, &all)?;
                    found.push(begun.elapsed());
                    Ok(())
                };
                solve_by(label, rules, None, &roots, &options, VectorUnit::best()).unwrap();
            };
            for _ in 0..5 {
                undone(&mut found[0]);
                swept(&mut found[1]);
            }
            let [undone, swept] = found.map(|mut times| {
                times.sort_unstable();
                times[times.len() / 2]
            });
            let (ratio, visits) = (swept.div_duration_f64(undone), visits as f64 / count as f64);
            println!(
                "{}: {count} positions, undone {undone:?}, swept {swept:?}: {ratio:.1}; {visits:.1} visits each",
                rules.name()
            );
        }
    }
}
