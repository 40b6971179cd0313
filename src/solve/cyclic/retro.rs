//! The backward pass: retrograde analysis, layer by layer of remoteness.
//!
//! ```text
//! count the moves of every position; those without one, and those at which a pattern ends the game, are decided in 0 plies
//! for each number of plies d, from 0, while positions are won or lost in d:
//!     on every core: take some of them; undo the moves that lead there, and deal the positions before them out to shards
//!     on every core: take a shard; of its positions that are not decided,
//!         one whose move wins                          is won in d + 1
//!         one whose move loses has a move less to try; without any left it is lost in d + 1
//! the same for draws by the rules: a position whose last other moves draw is a draw in d + 1
//! what nothing has decided is a draw by repetition
//! ```
//!
//! A win is found from the quickest loss that it leads to, a loss from the slowest win, so the plies are those of best play.
//!
//! Up to symmetry, moves from an orbit to another are not as many as moves back. But counted from all positions of an orbit
//! they are; so a position that stands for an orbit of n has n times its moves to try, and an orbit of m takes m at once.

use std::collections::TryReserveError;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::flood::{Flooded, Game, Task, batches};
use super::shards::{Settled, Shard};
use super::undo::Undo;
use crate::label::{Counts, Label, Remoteness, Width, add_each};
use crate::reachable::{KeyWord, append_keys};
use crate::rules::Outcome;
use crate::solve::sparse::fetch::fetch;
use crate::solve::sparse::lists::{ListBuilder, Lists};
use crate::solve::sparse::sort::SortBuffers;
use crate::solve::{Meter, Options, Phase, SolveError};

/// A state: what is known of a position in the two top bits, and below the plies; or how many moves are left to try.
type State = u16;
const NUMBER: State = 0x3fff;
const LOSS: State = 0x4000;
const DRAW: State = 0x8000;
const WIN: State = 0xc000;

/// The most that may be left to try.
pub(super) const MOST_LEFT: u64 = NUMBER as u64;

const fn outcome(state: State) -> Outcome {
    match state & !NUMBER {
        LOSS => Outcome::Loss,
        WIN => Outcome::Win,
        _ => Outcome::Draw,
    }
}

const fn decided(outcome: Outcome, plies: u16) -> State {
    plies
        | match outcome {
            Outcome::Loss => LOSS,
            Outcome::Draw => DRAW,
            Outcome::Win => WIN,
        }
}

/// A shard, and the states of its positions.
struct Board<P> {
    shard: Settled<P>,
    states: Vec<State>,
}

/// Positions before others, by shard; and what each takes off the moves to try, or 0 if it is won.
type Before<P> = Vec<(u64, Lists<P>)>;

/// The labels of all positions.
#[cfg_attr(test, derive(PartialEq, Debug))]
pub(super) struct Labelled {
    pub(super) keys: Vec<u8>,
    /// Remoteness, in the order of the keys.
    pub(super) codes: Vec<u8>,
    pub(super) counts: Vec<Counts>,
}

/// Labels what was found.
pub(super) fn label<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    flooded: Flooded<P>,
    options: &Options<'_>,
) -> Result<Labelled, SolveError> {
    let Flooded { shards, count, .. } = flooded;
    let refused = game.refused(count);
    let undo = Undo::<K>::new(game.rules);
    let mut meter = Meter::new(options.progress, Phase::Label, Some(count));
    let begun: Vec<_> = shards
        .into_par_iter()
        .enumerate()
        .map_init(SortBuffers::new, |room, (number, shard)| begin(game, number, shard, room))
        .collect::<Result<_, _>>()
        .map_err(&refused)?;
    let (mut boards, mut last, mut draws) = (Vec::new(), Vec::new(), Vec::new());
    for (board, ended, drawn) in begun {
        boards.push(board);
        last.push(ended);
        draws.push(drawn);
    }
    let name = || game.rules.name().to_owned();
    let too_long = || SolveError::TooLong { name: name(), most: Remoteness::MOST_REPEATING, is_needed: true };
    for (mut last, without) in [(last, Outcome::Loss), (draws, Outcome::Draw)] {
        let mut plies = 0;
        while last.iter().any(|last| !last.is_empty()) {
            if plies > u16::from(Remoteness::MOST_REPEATING) {
                return Err(too_long());
            }
            let done = last.iter().map(Vec::len).sum::<usize>() as u64;
            if meter.add(done).is_break() {
                return Err(SolveError::Cancelled);
            }
            last = layer(game, &undo, &mut boards, &last, (without, plies + 1)).map_err(&refused)?;
            plies += 1;
        }
    }
    let labelled = finish(game, boards, count).map_err(&refused)?;
    match meter.finish() {
        ControlFlow::Continue(()) => Ok(labelled),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}

/// A board, the places of its positions that are won or lost at once, and of those that are drawn.
type Begun<P> = (Board<P>, Vec<u32>, Vec<u32>);

/// Counts the moves of the positions of a shard.
fn begin<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    number: usize,
    shard: Shard<P>,
    room: &mut SortBuffers<P>,
) -> Result<Begun<P>, TryReserveError> {
    let shard = shard.settle(game.cut.below, room)?;
    let (mut states, mut ended, mut drawn) = (Vec::new(), Vec::new(), Vec::new());
    states.try_reserve_exact(shard.codes().len())?;
    for (at, &low) in (0u32..).zip(shard.codes()) {
        let (mode, board) = game.moves.split(game.cut.key(number, low));
        let of_mode = game.moves.of(mode);
        let moves = || (0..of_mode.words()).map(|word| of_mode.legal(word, board).count_ones()).sum::<u32>();
        let outcome = of_mode.ended(board);
        let left = if outcome.is_some() { 0 } else { u64::from(moves()) * game.weight(mode, board) };
        if left == 0 {
            let outcome = outcome.unwrap_or(of_mode.terminal());
            states.push(decided(outcome, 0));
            if outcome == Outcome::Draw { drawn.push(at) } else { ended.push(at) }
        } else {
            // Checked before: no position has more.
            states.push(left.min(MOST_LEFT) as State);
        }
    }
    Ok((Board { shard, states }, ended, drawn))
}

/// Undoes the moves that lead to positions at the places `last`; returns the places of those that are decided by that, in
/// `plies`. One that has no moves left to try has the outcome `without`.
fn layer<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    undo: &Undo<K>,
    boards: &mut [Board<P>],
    last: &[Vec<u32>],
    (without, plies): (Outcome, u16),
) -> Result<Vec<Vec<u32>>, TryReserveError> {
    let count = boards.iter().map(|board| board.states.len() as u64).sum();
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); boards.len()];
    for tasks in batches(last, count, size_of::<P>()) {
        let found: Vec<Before<P>> =
            tasks.par_iter().map(|task| before(game, undo, boards, task)).collect::<Result<_, _>>()?;
        let decide = |(number, (board, next)): (usize, (&mut Board<P>, &mut Vec<u32>))| {
            let Board { shard, states } = board;
            let used = found.iter().flatten().map(|(_, lists)| lists.of(number).len()).sum();
            fetch(shard.codes(), used);
            fetch(states, used);
            for (takes, lists) in found.iter().flatten() {
                let after = |state: State| match takes {
                    0 => decided(Outcome::Win, plies),
                    _ if u64::from(state) == *takes => decided(without, plies),
                    _ => (u64::from(state).wrapping_sub(*takes)) as State,
                };
                for &low in lists.of(number) {
                    // What is not there is not reached.
                    let Some(at) = shard.find(low) else { continue };
                    let before = states[at];
                    let state = if before > NUMBER { before } else { after(before) };
                    states[at] = state;
                    if state > NUMBER && before <= NUMBER {
                        next.try_reserve(1)?;
                        next.push(at as u32);
                    }
                }
            }
            Ok::<_, TryReserveError>(())
        };
        boards.par_iter_mut().zip(&mut next).enumerate().try_for_each(decide)?;
    }
    Ok(next)
}

/// The positions before those at the places of a task.
fn before<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    undo: &Undo<K>,
    boards: &[Board<P>],
    task: &Task<'_, u32>,
) -> Result<Before<P>, TryReserveError> {
    // For each number that is taken off.
    let mut found: Vec<(u64, ListBuilder<K>)> = vec![(0, game.deal()?)];
    for &(number, places) in task {
        let Board { shard, states } = &boards[number];
        for &at in places {
            let (mode, board) = game.moves.split(game.cut.key(number, shard.codes()[at as usize]));
            let outcome = outcome(states[at as usize]);
            let weight = game.weight(mode, board);
            let of_weight = match found.iter().position(|&(takes, _)| takes == weight) {
                Some(of_weight) => of_weight,
                None => {
                    found.push((weight, game.deal()?));
                    found.len() - 1
                }
            };
            // Where the same player moved on, and where not.
            let list = |for_mover: Outcome| if for_mover == Outcome::Win { 0 } else { of_weight };
            let (again, turned) = (list(outcome), list(outcome.flip()));
            undo.each(mode, board, |key, is_again| {
                found[if is_again { again } else { turned }].1.push(game.code(key));
            });
        }
    }
    found.into_iter().map(|(takes, deal)| Ok((takes, deal.lists()?))).collect()
}

/// The labels as a table has them.
fn finish<K: KeyWord, P: KeyWord>(
    game: &Game<'_, K>,
    boards: Vec<Board<P>>,
    count: u64,
) -> Result<Labelled, TryReserveError> {
    let modes = game.rules.modes().len();
    let sorted = |(number, Board { shard, states }): (usize, Board<P>)| {
        let mut labels: Vec<u8> = Vec::new();
        labels.try_reserve_exact(states.len())?;
        let mut counts = vec![Counts::default(); modes];
        for (&low, &state) in shard.codes().iter().zip(&states) {
            let label = if state > NUMBER {
                // There are no more plies than a label holds: checked layer by layer.
                Remoteness { outcome: outcome(state), plies: (state & NUMBER) as u8 }
            } else {
                Remoteness::REPETITION
            };
            let (mode, _) = game.moves.split(game.cut.key::<K, P>(number, low));
            counts[mode].add(label.outcome);
            labels.push(label.encode(Width::Eight));
        }
        Ok((shard.into_codes(), labels, counts))
    };
    type Sorted<P> = (Vec<P>, Vec<u8>, Vec<Counts>);
    let sorted: Vec<Sorted<P>> =
        boards.into_par_iter().enumerate().map(sorted).collect::<Result<_, TryReserveError>>()?;
    let (mut shards, mut codes, mut counts) = (Vec::new(), Vec::new(), vec![Counts::default(); modes]);
    codes.try_reserve_exact(count as usize)?;
    for (lows, of_shard, of_modes) in sorted {
        shards.push(lows);
        codes.extend(of_shard);
        counts = add_each(counts, of_modes);
    }
    let (mut keys, below) = (Vec::new(), game.cut.below);
    append_keys(&mut keys, &game.cut.codes, &shards, |shard, low: P| K::raised(shard, below) | K::of(low.number()))?;
    Ok(Labelled { keys, codes, counts })
}
