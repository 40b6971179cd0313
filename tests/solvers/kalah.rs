//! Kalah. Every reachable position is compared with a search over numbers of seeds, and the start with published outcomes.

use std::collections::HashMap;

use crate::common::sparse_of;
use tablegen::game::{Game, Kalah};
use tablegen::rules::{Node, Outcome, Position};
use tablegen::search::Search;
use tablegen::solve::{Method, check_method};

/// A position as numbers of seeds: the rules again, without cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Seeds {
    houses: [Vec<u32>; 2],
    stores: [u32; 2],
    mover: usize,
}

impl Seeds {
    fn start(houses: usize, seeds: u32) -> Self {
        Self { houses: [vec![seeds; houses], vec![seeds; houses]], stores: [0, 0], mover: 0 }
    }

    /// A random position with `total` seeds, most of which play cannot reach.
    fn random(houses: usize, total: u32, draw: &mut fastrand::Rng) -> Self {
        let mut found = Self::start(houses, 0);
        found.mover = draw.usize(0..2);
        let stored = draw.u32(0..=total);
        for seed in 0..total {
            let player = draw.usize(0..2);
            if seed < stored {
                found.stores[player] += 1;
            } else {
                found.houses[player][draw.usize(0..houses)] += 1;
            }
        }
        found
    }

    fn is_over(&self) -> bool {
        self.houses.iter().any(|houses| houses.iter().sum::<u32>() == 0)
    }

    /// The outcome at the end, for the player to move.
    fn result(&self) -> Outcome {
        let [own, other] =
            [self.mover, 1 - self.mover].map(|player| self.stores[player] + self.houses[player].iter().sum::<u32>());
        Outcome::by(own.cmp(&other))
    }

    /// The position after the mover has sown `house`, if that is a legal move.
    fn sow(&self, house: usize) -> Option<Self> {
        if self.is_over() || self.houses[self.mover][house] == 0 {
            return None;
        }
        let mut after = self.clone();
        let mut hand = std::mem::take(&mut after.houses[self.mover][house]);
        // The seeds go along one row, into the store if it is the mover's, and on along the other row.
        let (mut row, mut next) = (self.mover, house + 1);
        let size = self.houses[0].len();
        while hand > 0 {
            if next < size {
                let was_empty = after.houses[row][next] == 0;
                after.houses[row][next] += 1;
                hand -= 1;
                let opposite = size - 1 - next;
                if hand == 0 && row == self.mover && was_empty && after.houses[1 - row][opposite] > 0 {
                    let captured = std::mem::take(&mut after.houses[1 - row][opposite]);
                    after.stores[row] += captured + std::mem::take(&mut after.houses[row][next]);
                }
                next += 1;
                continue;
            }
            if row == self.mover {
                after.stores[row] += 1;
                hand -= 1;
                if hand == 0 {
                    return Some(after);
                }
            }
            (row, next) = (1 - row, 0);
        }
        after.mover = 1 - self.mover;
        Some(after)
    }

    /// The name of each legal move and the position after it.
    fn moves(&self) -> Vec<(String, Self)> {
        let size = self.houses[0].len();
        let name = |house: usize| char::from(b'a' + (self.mover * size + house) as u8).to_string();
        (0..size).filter_map(|house| Some((name(house), self.sow(house)?))).collect()
    }

    fn text(&self) -> String {
        let row = |player: usize| {
            let houses: Vec<String> = self.houses[player].iter().map(u32::to_string).collect();
            format!("{}:{}", houses.join(","), self.stores[player])
        };
        format!("{}/{} {}", row(0), row(1), ["first", "second"][self.mover])
    }
}

/// The outcome of every position that play reaches from `at`.
fn search(at: &Seeds, met: &mut HashMap<Seeds, Outcome>) -> Outcome {
    if let Some(&outcome) = met.get(at) {
        return outcome;
    }
    let of = |next: &Seeds, outcome: Outcome| if next.mover == at.mover { outcome } else { outcome.flip() };
    let best = at.moves().into_iter().map(|(_, next)| of(&next, search(&next, met))).max();
    let outcome = best.unwrap_or_else(|| at.result());
    met.insert(at.clone(), outcome);
    outcome
}

fn position(game: &Kalah, at: &Seeds) -> Position {
    let text = at.text();
    let node = game.read(&text).unwrap_or_else(|error| panic!("{error}")).node;
    assert_eq!(game.write(node), text);
    let Node::At(position) = node else { panic!("{text}: a position") };
    position
}

/// Panics unless the rules have the moves of the model at this position, each exactly once.
#[track_caller]
fn assert_moves(game: &Kalah, at: &Seeds) {
    let from = position(game, at);
    let next = game.rules().moves_from(from).map(|m| m.play(from));
    let found: Vec<_> = next.map(|to| (game.write_move(from.into(), to), game.write(to.into()))).collect();
    let expected: Vec<_> = at.moves().into_iter().map(|(name, next)| (name, next.text())).collect();
    assert_eq!(found, expected, "{}", at.text());
}

#[test]
fn every_reachable_position_agrees_with_the_model() {
    for (houses, seeds) in [(1, 1), (1, 5), (1, 15), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (4, 1)] {
        let game = Kalah::new(houses, seeds).unwrap();
        let (solution, mut met) = (sparse_of(&game), HashMap::new());
        search(&Seeds::start(houses as usize, seeds), &mut met);
        assert_eq!(solution.count(), met.len() as u64, "{houses} {seeds}");
        for (at, &outcome) in &met {
            assert_eq!(solution.outcome(position(&game, at)), Some(outcome), "{}", at.text());
            assert_moves(&game, at);
        }
    }
}

#[test]
fn positions_that_play_cannot_reach_agree_with_the_model() {
    let mut draw = fastrand::Rng::with_seed(11);
    for (houses, seeds, searched) in [(1, 8, 50), (2, 2, 50), (2, 5, 0), (3, 2, 0), (4, 1, 0), (5, 1, 0)] {
        let game = Kalah::new(houses, seeds).unwrap();
        let (mut plain, mut met) = (Search::new(game.rules()), HashMap::new());
        for round in 0..300 {
            let at = Seeds::random(houses as usize, 2 * houses * seeds, &mut draw);
            assert_moves(&game, &at);
            if round < searched {
                let found = plain.outcome(position(&game, &at).into()).unwrap();
                assert_eq!(found, search(&at, &mut met), "{}", at.text());
            }
        }
    }
}

/// Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23 (2000) 139-147: the outcome for the player who begins, by
/// houses, with one seed in each house, two seeds, and so on.
#[test]
fn starts_have_their_published_outcomes() {
    use Outcome::{Draw, Loss, Win};
    let published: [&[Outcome]; 4] =
        [&[Draw, Loss, Win, Loss, Win, Draw], &[Win, Loss, Loss, Loss, Win], &[Draw, Win], &[Win]];
    for (houses, outcomes) in (1..).zip(published) {
        for (seeds, &outcome) in (1..).zip(outcomes) {
            let game = Kalah::new(houses, seeds).unwrap();
            let start = game.rules().start_positions()[0];
            assert_eq!(sparse_of(&game).outcome(start), Some(outcome), "{houses} {seeds}");
        }
    }
}

/// The model has the published outcome of larger boards, too, so it plays by the published rule.
#[test]
fn the_model_has_published_outcomes_of_larger_boards() {
    for (houses, seeds, outcome) in [(3, 3, Outcome::Win), (4, 2, Outcome::Win), (5, 1, Outcome::Draw)] {
        assert_eq!(search(&Seeds::start(houses, seeds), &mut HashMap::new()), outcome, "{houses} {seeds}");
    }
}

/// The largest sizes that the help names can be built, and one more seed is refused.
#[test]
fn the_largest_sizes_have_tables() {
    for (houses, seeds) in [(1, 15), (2, 5), (3, 2), (4, 1), (5, 1)] {
        let game = Kalah::new(houses, seeds).unwrap();
        assert_eq!(check_method(game.rules(), Method::Sparse).map_err(|error| error.to_string()), Ok(()));
        assert!(houses > 2 || sparse_of(&game).count() > 0, "{houses} {seeds}");
        assert!(Kalah::new(houses, seeds + 1).is_err(), "{houses} {seeds}");
    }
}
