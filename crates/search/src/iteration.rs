//! Value iteration: the independent search of games in which positions may repeat.
//!
//! Each round compares positions with their successors, until a round changes nothing. Round d finds the positions that
//! are won or lost in d plies. After the first round only positions whose successors have changed are compared. Value
//! iteration reads the masks of the rules itself and undoes no moves, so it shares no code with the solver of cyclic
//! games.

use rustc_hash::FxHashMap;

use super::masks::Masks;
use crate::rules::{Outcome, Position, Rules};
use tablegen_labels::Remoteness;

/// The labels of all positions reachable from some roots.
pub struct Iteration {
    numbers: FxHashMap<Position, u32>,
    /// By number of a position: `None` if no round found a value, which makes it a draw by repetition.
    values: Vec<Option<Value>>,
}

/// The reason why value iteration ended without labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoIteration {
    /// More positions are reachable than the limit allows.
    Limit,
    /// The caller stopped the work.
    Stopped,
}

/// An outcome, and the plies to the end.
type Value = (Outcome, u32);

/// The reachable positions as a graph, by number.
struct Play {
    /// The outcome of each position in which the game is over.
    over: Vec<Option<Outcome>>,
    /// The successors of all positions, one position after the other. `true` if the same player moves again.
    replies: Vec<(u32, bool)>,
    /// The end of each position's successors in `replies`.
    ends: Vec<usize>,
}

impl Iteration {
    /// Labels all positions reachable from `roots`, if they are at most `most`. `told` is called from time to time, and
    /// stops the work if it returns `false`. A position takes about 150 bytes, and 12 bytes for each successor.
    ///
    /// # Errors
    /// If there are more positions, or the work is stopped.
    pub fn new(
        rules: &Rules,
        roots: &[Position],
        most: u64,
        mut told: impl FnMut() -> bool,
    ) -> Result<Self, NoIteration> {
        // Numbers of positions are words of 32 bits.
        let most = usize::try_from(most.min(u32::MAX.into())).unwrap_or(usize::MAX);
        let masks = Masks::new(rules);
        let (mut numbers, mut positions): (FxHashMap<Position, u32>, Vec<Position>) = Default::default();
        let mut number = |positions: &mut Vec<Position>, position| {
            *numbers.entry(position).or_insert_with(|| {
                positions.push(position);
                positions.len() as u32 - 1
            })
        };
        roots.iter().for_each(|&root| _ = number(&mut positions, root));
        let mut play = Play { over: Vec::new(), replies: Vec::new(), ends: Vec::new() };
        let mut next = 0;
        while let Some(&position) = positions.get(next) {
            next += 1;
            if next % (1 << 16) == 0 && !told() {
                return Err(NoIteration::Stopped);
            }
            let before = play.replies.len();
            let ended = masks.ended(position).map(|ending| ending.outcome);
            if ended.is_none() {
                for reply in masks.replies(position) {
                    play.replies.push((number(&mut positions, reply.to), reply.again));
                }
            }
            if positions.len() > most {
                return Err(NoIteration::Limit);
            }
            let is_stuck = play.replies.len() == before;
            play.over.push(ended.or_else(|| is_stuck.then(|| masks.terminal(position).outcome)));
            play.ends.push(play.replies.len());
        }
        let (count, before) = (positions.len(), play.before());
        let mut values = vec![None; count];
        // Wins and losses first. A draw by the rules is decided after them, once all its successors are decided.
        for draws in [false, true] {
            let mut open: Vec<u32> = (0..count as u32).collect();
            while !open.is_empty() {
                if !told() {
                    return Err(NoIteration::Stopped);
                }
                let undecided = open.iter().map(|&at| at as usize).filter(|&at| values[at].is_none());
                let found = |at| play.value(at, &values).filter(|value| draws || value.0 != Outcome::Draw);
                let found: Vec<(usize, Value)> = undecided.filter_map(|at| Some((at, found(at)?))).collect();
                open.clear();
                for (at, value) in found {
                    values[at] = Some(value);
                    open.extend(before.of(at));
                }
                open.sort_unstable();
                open.dedup();
            }
        }
        Ok(Self { numbers, values })
    }

    /// The label of `position`; `None` if it is not reachable.
    pub fn label(&self, position: Position) -> Option<Remoteness> {
        let value = self.values[*self.numbers.get(&position)? as usize];
        let label = |(outcome, plies): Value| Remoteness {
            outcome,
            plies: plies.min(u32::from(Remoteness::MOST_IN_WORD) + 1) as u16,
        };
        Some(value.map_or(Remoteness::REPETITION, label))
    }
}

/// For each position, the positions of which it is a successor.
struct Before {
    all: Vec<u32>,
    /// The beginning of each position's list in `all`, and the end of the last one.
    starts: Vec<usize>,
}

impl Before {
    fn of(&self, at: usize) -> &[u32] {
        &self.all[self.starts[at]..self.starts[at + 1]]
    }
}

impl Play {
    /// The successors of position `at`.
    fn replies(&self, at: usize) -> &[(u32, bool)] {
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.replies[begin..self.ends[at]]
    }

    /// The graph with all its edges turned round.
    fn before(&self) -> Before {
        let mut starts = vec![0; self.ends.len() + 1];
        self.replies.iter().for_each(|&(reply, _)| starts[reply as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let (mut all, mut next) = (vec![0; self.replies.len()], starts.clone());
        for at in 0..self.ends.len() {
            for &(reply, _) in self.replies(at) {
                all[next[reply as usize]] = at as u32;
                next[reply as usize] += 1;
            }
        }
        Before { all, starts }
    }

    /// The value of position `at`, if the values of its successors decide it.
    fn value(&self, at: usize, values: &[Option<Value>]) -> Option<Value> {
        if let Some(outcome) = self.over[at] {
            return Some((outcome, 0));
        }
        let (mut quickest, mut best, mut is_whole) = (None, None, true);
        for &(reply, is_again) in self.replies(at) {
            let Some((outcome, plies)) = values[reply as usize] else {
                is_whole = false;
                continue;
            };
            let outcome = if is_again { outcome } else { outcome.flip() };
            if outcome == Outcome::Win {
                quickest = Some(quickest.map_or(plies, |least: u32| least.min(plies)));
            }
            // The best outcome without a win, and the longest game among equal ones.
            best = best.max(Some((outcome, plies)));
        }
        match (quickest, best) {
            (Some(plies), _) => Some((Outcome::Win, plies + 1)),
            (None, Some((outcome, plies))) if is_whole => Some((outcome, plies + 1)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::alpha_beta::tests::random::motley;
    use super::super::{LabelSearch, Search};
    use super::*;
    use crate::rules::samples::{Grid, men};

    fn labels(rules: &Rules) -> Iteration {
        Iteration::new(rules, &rules.start_positions(), u64::MAX, || true).unwrap()
    }

    #[test]
    fn labels_without_repetition_equal_those_of_a_search() {
        let mut rng = Rng::with_seed(11);
        for rules in (0..200).map(|_| motley(&mut rng).build().unwrap()).filter(|rules| rules.potential().is_some()) {
            let (found, mut outcomes) = (labels(&rules), Search::new(&rules));
            let mut search = LabelSearch::<Remoteness>::new(&rules, u64::MAX);
            for &position in found.numbers.keys() {
                assert_eq!(found.label(position).unwrap(), search.label(position, &mut outcomes).unwrap());
            }
        }
    }

    /// A win has a reply that loses soonest, a loss has only replies that win, and a repetition avoids both.
    #[test]
    fn labels_with_repetition_follow_from_those_of_replies() {
        let rules = men(Grid { rows: 3, cols: 3 }, 3).build().unwrap();
        let found = labels(&rules);
        let mut kinds = std::collections::HashSet::new();
        for &position in found.numbers.keys() {
            let label = found.label(position).unwrap();
            kinds.insert((label.outcome, label == Remoteness::REPETITION));
            if let Some(outcome) = rules.ended(position) {
                assert_eq!(label, Remoteness { outcome, plies: 0 });
                continue;
            }
            let replies: Vec<Remoteness> = rules.successors(position).map(|it| found.label(it).unwrap()).collect();
            let plies = |of: Outcome| replies.iter().filter(move |reply| reply.outcome == of).map(|reply| reply.plies);
            let expected = match plies(Outcome::Loss).min() {
                Some(least) => Remoteness { outcome: Outcome::Win, plies: least + 1 },
                None if replies.contains(&Remoteness::REPETITION) => Remoteness::REPETITION,
                None => Remoteness { outcome: Outcome::Loss, plies: plies(Outcome::Win).max().map_or(0, |it| it + 1) },
            };
            assert_eq!(label, expected, "{position:?}");
        }
        assert_eq!(kinds.len(), 3);
        // The work can be stopped in any round, and has a limit.
        let (rounds, roots) = (std::cell::Cell::new(0), rules.start_positions());
        let told = || rounds.replace(rounds.get() + 1) < 2;
        assert_eq!(Iteration::new(&rules, &roots, u64::MAX, told).err(), Some(NoIteration::Stopped));
        let within = |most| Iteration::new(&rules, &roots, most, || true).err();
        let count = found.numbers.len() as u64;
        assert_eq!([within(count), within(count - 1)], [None, Some(NoIteration::Limit)]);
        assert_eq!(labels(&rules).label(Position::default()), None);
    }
}
