//! Solves games in which positions may repeat, by retrograde analysis.
//!
//! Without a potential ([`Rules::potential`]) there is no order in which each position comes before its successors. So the solver
//! first finds all reachable positions (`flood`). Then it decides them from the end of play backward, by undoing moves
//! (`retro`). A position that stays undecided is a *draw by repetition*.
//!
//! Predecessors are not stored, because a move made of masks can be undone by masks. Both passes use all cores, and the labels do
//! not depend on which core finds them.
//!
//! Positions are entries of hash sets that each fit a core's cache (`shards`). The state takes two bytes a position, and `undo` undoes
//! moves. Most games are solved faster by [regions](crate::regions), which label every board. This solver is for games in which play reaches
//! few of the boards: the L-game has 73,232 reachable positions, and 900 million boards.
//!
//! The alternative is to sweep over all positions until nothing changes. Such a sweep undoes no moves, but it looks up the
//! successors of every undecided position, and it is repeated once for each ply. `docs/contributors/performance.md`
//! compares the times.

mod flood;
mod retro;
mod shards;
pub(super) mod undo;

use std::time::Instant;

use flood::Game;
use shards::Cut;

use crate::domain::Domain;
use crate::label::{ByLabel, Label, Remoteness};
use crate::labelled::Labelled;
use crate::reachable::{Codes, KeyWord, LevelSize, Levels, WideKey};
use crate::rules::{Position, Potential, Rules};
use crate::sparse::{check_symmetries, moves::Moves, outcomes::of_label, roots};
use crate::symmetry::Group;
use crate::{Options, ReachableCount, Solution, SolveError};

/// `$function` for the shortest words that hold keys of positions and entries of hash sets.
macro_rules! by_words {
    ($rules:ident, $function:ident) => {
        match Codes::of($rules) {
            codes if Cut::fits(codes, u32::BITS) => $function::<u64, u32>,
            codes if codes.bits() <= u64::BITS => $function::<u64, u64>,
            codes if Cut::fits(codes, u64::BITS) && $rules.cells() <= u64::BITS => $function::<u128, u64>,
            _ if $rules.cells() <= u64::BITS => $function::<u128, u128>,
            codes if Cut::fits(codes, u64::BITS) => $function::<WideKey, u64>,
            _ => $function::<WideKey, u128>,
        }
    };
}

/// Solves the reachable positions of `rules`, in which positions may repeat.
///
/// Remoteness is among the labels if every win and loss has few enough plies for one. Otherwise the labels are outcomes alone.
pub fn solve(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    let begun = Instant::now();
    let roots = roots(rules, options)?;
    let group = group(rules, &roots, options)?;
    let solved = by_words!(rules, labelled)(rules, group, &roots, options)?;
    let retro::Labelled { keys, codes, counts, has_plies } = solved;
    let levels = levels(rules, codes.len() as u64);
    let outcomes = of_label(rules, &levels, Remoteness::KIND, &codes)?;
    let others: ByLabel<Vec<u8>> = has_plies.then_some((Remoteness::KIND, codes)).into_iter().collect();
    let domain = Domain::Sparse { levels, starts: roots, group: group.clone() };
    let labelled = Labelled { solve_time: begun.elapsed(), ..Labelled::sparse(domain, keys, outcomes, others) };
    Ok(Solution::of_reached(rules, labelled, counts))
}

/// The symmetries to solve by: the trivial group if the positions of a symmetry class may have more moves together than a state can count.
fn group<'a>(rules: &Rules, roots: &[Position], options: &Options<'a>) -> Result<&'a Group, SolveError> {
    let most = |modes: &[Vec<()>]| modes.iter().map(Vec::len).max().unwrap_or(0) as u64;
    let mut of_modes = vec![Vec::new(); rules.modes().len()];
    rules.moves().iter().for_each(|m| of_modes[usize::from(m.mode.0)].push(()));
    let most = most(&of_modes);
    if most > retro::MOST_LEFT {
        return Err(SolveError::TooManyMoves { name: rules.name().into(), found: most, most: retro::MOST_LEFT });
    }
    let group = options.solver.symmetry();
    check_symmetries(rules, group, roots)?;
    Ok(if group.order().saturating_mul(most) <= retro::MOST_LEFT { group } else { Group::trivial() })
}

fn game<'a, K: KeyWord>(rules: &'a Rules, group: &'a Group, bits: u32) -> Game<'a, K> {
    let moves = Moves::new(rules, &Potential::flat(rules));
    Game { rules, group, moves, cut: Cut::new(Codes::of(rules), bits) }
}

fn labelled<K: KeyWord, P: KeyWord>(
    rules: &Rules,
    group: &Group,
    roots: &[Position],
    options: &Options<'_>,
) -> Result<retro::Labelled, SolveError> {
    let game = game::<K>(rules, group, P::BITS);
    let flooded = flood::flood::<K, P>(&game, roots, options)?;
    retro::label(&game, flooded, options)
}

fn levels(rules: &Rules, count: u64) -> Levels {
    let levels = Levels::new(rules, &Potential::flat(rules), &[LevelSize { filled: 0, count }]);
    levels.unwrap_or_else(|| unreachable!("there is a root, and no more than a level holds"))
}

/// Counts the reachable positions of `rules`, in which positions may repeat.
pub(super) fn count_reachable(rules: &Rules, options: &Options<'_>) -> Result<ReachableCount, SolveError> {
    fn counted<K: KeyWord, P: KeyWord>(
        rules: &Rules,
        group: &Group,
        roots: &[Position],
        options: &Options<'_>,
    ) -> Result<(u64, u64, u64), SolveError> {
        let game = game::<K>(rules, group, P::BITS);
        let flooded = flood::flood::<K, P>(&game, roots, options)?;
        let of_shard = |(number, shard): (usize, &shards::Shard<P>)| {
            let weights = shard.codes().map(|low| {
                let (mode, board) = game.moves.split(game.cut.key(number, low));
                game.weight(mode, board)
            });
            weights.sum::<u64>()
        };
        let positions = flooded.shards.iter().enumerate().map(of_shard).sum();
        Ok((flooded.count, positions, flooded.watch.peak()))
    }
    let roots = roots(rules, options)?;
    let group = group(rules, &roots, options)?;
    let (count, positions, peak_bytes) = by_words!(rules, counted)(rules, group, &roots, options)?;
    let domain = Domain::Sparse { levels: levels(rules, count), starts: roots, group: group.clone() };
    Ok(ReachableCount { domain, positions, peak_bytes })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::domain::Method;
    use crate::label::LabelSet;
    use crate::rules::{Outcome, RulesSpec, Start, Symmetry};
    use crate::sparse;
    use crate::sparse::random::random_moving;

    /// The value of each reachable position by value iteration: each position is compared with its successors until nothing changes.
    fn iterated(rules: &Rules) -> BTreeMap<Position, Option<(Outcome, u32)>> {
        let mut known: BTreeMap<Position, Option<(Outcome, u32)>> = BTreeMap::new();
        let mut new = rules.start_positions();
        while let Some(position) = new.pop() {
            if known.insert(position, None).is_none() {
                new.extend(rules.moves_from(position).map(|m| m.play(position)));
            }
        }
        let all: Vec<Position> = known.keys().copied().collect();
        // Wins and losses come first, then draws by the rules.
        for draws in [false, true] {
            loop {
                let mut found = Vec::new();
                for &position in all.iter().filter(|position| known[position].is_none()) {
                    let ended = rules.ended(position);
                    let replies: Vec<_> = rules
                        .moves_from(position)
                        .map(|m| {
                            let turned = |outcome: Outcome| {
                                if rules.hands_over(&m) { outcome.flip() } else { outcome }
                            };
                            known[&m.play(position)].map(|(outcome, plies)| (turned(outcome), plies + 1))
                        })
                        .collect();
                    let wins = replies.iter().flatten().filter(|(outcome, _)| *outcome == Outcome::Win);
                    let best = replies.iter().copied().collect::<Option<Vec<_>>>();
                    let value = match (ended, wins.map(|&(_, plies)| plies).min(), best) {
                        (Some(outcome), ..) => Some((outcome, 0)),
                        (None, ..) if replies.is_empty() => {
                            Some((rules.terminal_in(position.mode).on(position.board), 0))
                        }
                        (None, Some(plies), _) => Some((Outcome::Win, plies)),
                        (None, None, Some(best)) => {
                            let outcome = best.iter().map(|(outcome, _)| *outcome).max().unwrap();
                            let longest = best.iter().filter(|reply| reply.0 == outcome).map(|(_, plies)| *plies).max();
                            Some((outcome, longest.unwrap()))
                        }
                        (None, None, None) => None,
                    };
                    found.extend(
                        value.filter(|(outcome, _)| draws || *outcome != Outcome::Draw).map(|value| (position, value)),
                    );
                }
                if found.is_empty() {
                    break;
                }
                found.into_iter().for_each(|(position, value)| _ = known.insert(position, Some(value)));
            }
        }
        known
    }

    /// The rules together with their images under `symmetry`.
    fn closed(rules: &Rules, symmetry: &Symmetry) -> Option<Rules> {
        let spec = rules.clone().into_spec();
        let image = RulesSpec { symmetries: vec![symmetry.clone()], ..spec.clone() };
        let of = |board| symmetry.of_board(board);
        let of_mode = |mode| symmetry.of(Position::new(mode, crate::rules::Board::EMPTY)).mode;
        let moves = spec.moves.iter().map(|m| crate::rules::Move {
            mode: of_mode(m.mode),
            empty: of(m.empty),
            full: of(m.full),
            fills: of(m.fills),
            clears: of(m.clears),
            next: of_mode(m.next),
            ..*m
        });
        let moves = spec.moves.iter().copied().chain(moves).collect();
        let Start::Opening(starts) = &spec.start else { return None };
        let start =
            Start::Opening(starts.iter().copied().chain(starts.iter().map(|&start| symmetry.of(start))).collect());
        RulesSpec { moves, start, ends: Vec::new(), ..image }.build().ok()
    }

    fn compare(rules: &Rules, group: &Group) {
        let expected = iterated(rules);
        let labels = LabelSet::BEST_PLAY;
        let options = Options { labels, ..Options::of(tablegen_solve::Solver::of_reachable(rules, group)) };
        let solved = match options.solver.method() {
            Method::Cyclic => solve(rules, &options).unwrap(),
            _ => sparse::solve(rules, &options).unwrap(),
        };
        let count = |outcome| {
            expected.values().filter(|value| value.map_or(Outcome::Draw, |it| it.0) == outcome).count() as u64
        };
        assert_eq!([Outcome::Win, Outcome::Draw, Outcome::Loss].map(count), {
            let counts = solved.counts();
            [counts.win, counts.draw, counts.loss]
        });
        for (&position, value) in &expected {
            let found = solved.value(position).unwrap();
            let expected = value.map_or((Outcome::Draw, None), |(outcome, plies)| (outcome, Some(plies)));
            assert_eq!((found.outcome, found.remoteness()), expected, "{position:?} of {rules:?}");
        }
        let counted = crate::count_reachable(rules, &options).unwrap();
        assert_eq!((counted.stored(), counted.positions), (solved.count(), expected.len() as u64));
    }

    #[test]
    fn labels_equal_value_iteration() {
        let mut draw = fastrand::Rng::with_seed(11);
        let (mut cyclic, mut endless, mut orbits) = (0, 0, 0);
        for _ in 0..1500 {
            let (cells, moves, ends) = (draw.u32(2..=8), draw.usize(1..50), draw.usize(0..5));
            let rules = random_moving(&mut draw, cells, moves, ends, false);
            cyclic += usize::from(rules.potential().is_none());
            endless += usize::from(iterated(&rules).values().any(Option::is_none));
            compare(&rules, Group::trivial());
            let mut to: Vec<u8> = (0..cells as u8).collect();
            draw.shuffle(&mut to);
            let symmetry = Symmetry::new(to.clone(), vec![0, 1]).unwrap();
            let involution =
                to.iter().enumerate().all(|(from, &to_cell)| usize::from(to[usize::from(to_cell)]) == from);
            if let Some(rules) = closed(&rules, &symmetry).filter(|_| involution) {
                let group = Group::of_rules(&rules, &rules.start_positions()).unwrap();
                orbits += usize::from(group.order() > 1 && rules.potential().is_none());
                compare(&rules, &group);
            }
        }
        assert!(cyclic > 200 && endless > 50 && orbits > 10, "{cyclic} {endless} {orbits}");
    }

    #[test]
    fn a_win_that_takes_too_long_for_a_label_leaves_outcomes() {
        use crate::rules::{Board, Mode, Move};
        let step = |from: u32, to: u32| Move {
            full: Board::bit(from),
            clears: Board::bit(from),
            ..Move::fill(Board::bit(to))
        };
        // A piece steps along a row to its end. Between its steps the other player fills a cell, which the next step empties. A
        // player who cannot move loses. A second piece could step back and forth, so there is no potential.
        let walk = |cells: u32| {
            let flag = Board::bit(cells - 3);
            let mut moves = vec![Move { next: Mode(1), ..Move::fill(flag) }];
            moves.extend((0..cells - 4).map(|cell| {
                let it = step(cell, cell + 1);
                Move { mode: Mode(1), full: it.full | flag, clears: it.clears | flag, ..it }
            }));
            moves.extend([step(cells - 1, cells - 2), step(cells - 2, cells - 1)]);
            let modes = vec!["a".into(), "b".into()];
            let start = Start::At(Position::of(Board::bit(0)));
            let rules = RulesSpec { moves, modes, start, ..RulesSpec::new("walk", cells) }.build().unwrap();
            assert_eq!(rules.potential(), None);
            rules
        };
        let options = Options::of(Method::Cyclic);
        let start = Position::of(Board::bit(0));
        // At the end of the row the other player fills the cell once more.
        let value = solve(&walk(35), &options).unwrap().value(start).unwrap();
        assert_eq!((value.outcome, value.remoteness()), (Outcome::Win, Some(2 * 31 + 1)));
        for cells in [36, 50] {
            let rules = walk(cells);
            let solution = solve(&rules, &options).unwrap();
            let labels = [Outcome::KIND, Remoteness::KIND].map(|kind| solution.contents().labels().contains(kind));
            assert_eq!(labels, [true, false]);
            let expected = iterated(&rules);
            assert!(expected.values().flatten().any(|&(_, plies)| plies == 2 * (cells - 4) + 1));
            for (&position, value) in &expected {
                assert_eq!(solution.outcome(position), Some(value.map_or(Outcome::Draw, |it| it.0)), "{position:?}");
            }
        }
    }
}
