//! A guess at the best move, where no search decides a position in time.
//!
//! It knows nothing but the rules: it plays on at random, and follows the moves that do well. It also plays games whose positions may repeat.
//! A guess is not proved. The more lines of play it tries, the better it gets.

mod playout;
mod random;
mod tree;

use playout::{Play, Scene};
use random::Random;
use tree::Tree;

use crate::rules::{Node, Outcome, Position, Rules};

/// How to guess a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// The number of lines of play to try. With 0, the move is random.
    pub tries: u64,
    /// The same seed and number of tries lead to the same move, unless the guess is stopped early.
    pub seed: u64,
}

/// Guesses moves of one game.
///
/// ```
/// # mod tablegen { pub use tablegen_rules as rules; pub mod search { pub use tablegen_search::*; } }
/// use tablegen::rules::{Board, Move, Position, RulesSpec};
/// use tablegen::search::{Guess, Strength};
///
/// // Fill one or two neighbours of four squares in a row; the player who fills the last square wins.
/// let fills = [0b1000, 0b1100, 0b0100, 0b0110, 0b0010, 0b0011, 0b0001];
/// let rules = RulesSpec { moves: fills.map(|f| Move::fill(Board::from_word(f))).to_vec(), ..RulesSpec::new("row-4", 4) }.build()?;
/// let strength = Strength { tries: 1000, seed: 1 };
/// let found = Guess::new(&rules).best(rules.start_node(), 0, strength, None, &mut |_| true);
/// assert_eq!(found, Some(Position::of(Board::from_word(0b0110))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Guess {
    rules: Rules,
    play: Play,
}

/// Lines of play between two calls of `continues`.
const STEP: u64 = 16;

impl Guess {
    /// Guesses moves by `rules`.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), play: Play::new(rules) }
    }

    /// The move from `node` that looks best: the position that it leads to. `None` if the game is over. `lead` is the number of points that
    /// the player to move has more than the other. `known` gives the outcomes of positions that are known for certain, where no points
    /// are gained. `continues` is called now and then with the number of lines tried so far, and stops the guess by returning `false`.
    pub fn best(
        &mut self,
        node: Node,
        lead: i32,
        strength: Strength,
        known: Option<&mut dyn FnMut(Position) -> Option<Outcome>>,
        continues: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Position> {
        let steps = self.rules.choices(node);
        if steps.len() < 2 {
            return steps.first().map(|step| step.to);
        }
        if strength.tries == 0 {
            return Some(steps[Random::new(strength.seed).below(steps.len())].to);
        }
        let mut nothing = |_| None;
        let known = known.filter(|_| !self.rules.has_gains());
        let known: &mut dyn FnMut(Position) -> Option<Outcome> = known.map_or(&mut nothing, |known| known);
        // At an opening, no position is to move from; its place in the tree is never read.
        let position = if let Node::At(position) = node { position } else { steps[0].to };
        let mut tree = Tree::new(&mut self.play, Scene { position, side: 1, lead }, &steps, strength.seed);
        for number in 0..strength.tries {
            if number % STEP == STEP - 1 && !continues(number) {
                break;
            }
            if !tree.try_once(known) {
                break;
            }
        }
        tree.best().map(|number| steps[number].to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, three_in_a_line};
    use crate::rules::{Board, Mode, Move, RulesSpec, Terminal};

    fn guess(rules: &Rules, position: Position, tries: u64, seed: u64) -> Option<Position> {
        Guess::new(rules).best(position.into(), 0, Strength { tries, seed }, None, &mut |_| true)
    }

    #[test]
    fn a_win_at_once_is_found_and_one_of_the_other_player_is_prevented() {
        let rules = three_in_a_line(Grid { rows: 3, cols: 3 }).build().unwrap();
        // X has a1 and b1, and O has a2 and b2; X and then O is to move.
        let board = Board::from_word(0b11 | 0b11_000 << 9);
        for seed in 0..20 {
            let after = |mode| guess(&rules, Position::new(Mode(mode), board), 200, seed).unwrap().board;
            assert_eq!(after(0), board | Board::bit(2), "{seed}");
            assert_eq!(after(1), board | Board::bit(5 + 9), "{seed}");
            // Without its second piece, O must prevent the win.
            let one = board & !Board::bit(4 + 9);
            let after = guess(&rules, Position::new(Mode(1), one), 500, seed).unwrap().board;
            assert_eq!(after, one | Board::bit(2 + 9), "{seed}");
        }
    }

    #[test]
    fn guesses_depend_on_the_seed_and_the_tries_alone() {
        let rules = three_in_a_line(Grid { rows: 4, cols: 4 }).build().unwrap();
        let start = Position::default();
        let all = |tries| (0..30).map(|seed| guess(&rules, start, tries, seed)).collect::<Vec<_>>();
        assert!(all(0) == all(0) && all(20) == all(20));
        let mut random = all(0);
        random.sort_unstable();
        random.dedup();
        assert!(random.len() > 5);
        // A guess that is stopped has a move.
        let stopped =
            Guess::new(&rules)
                .best(start.into(), 0, Strength { tries: 1 << 40, seed: 1 }, None, &mut |tries| tries < 50);
        assert!(stopped.is_some());
    }

    /// Cells 0 and 1 are worth points, and cell 2 ends the game.
    #[test]
    fn points_and_the_lead_count() {
        let gains = |cell, gain| Move { gain, ..Move::fill(Board::bit(cell)) };
        let all = Board::full(3);
        let last = Move { empty: Board::bit(2), ..Move::fill(all) };
        let spec = RulesSpec {
            moves: vec![gains(0, 1), gains(1, 3), last],
            terminals: vec![Terminal::Always(Outcome::Draw)],
            ..RulesSpec::new("points", 3)
        };
        let rules = spec.build().unwrap();
        let best = |lead| {
            let strength = Strength { tries: 300, seed: 3 };
            Guess::new(&rules).best(Position::default().into(), lead, strength, None, &mut |_| true).unwrap().board
        };
        assert_eq!(best(0), Board::bit(1));
        // Whoever leads by one may end the game.
        assert!(best(1) == Board::bit(1) || best(1) == all);
        assert_eq!(best(-2), Board::bit(1));
    }

    #[test]
    fn positions_may_repeat() {
        // One piece goes round three cells for ever, unless a player leaves the round and wins.
        let step = |from: u32, to: u32| Move {
            full: Board::bit(from),
            clears: Board::bit(from),
            ..Move::fill(Board::bit(to))
        };
        let moves = vec![step(0, 1), step(1, 2), step(2, 0), step(1, 3)];
        let rules = RulesSpec { moves, ..RulesSpec::new("round", 4) }.build().unwrap();
        let found = guess(&rules, Position::of(Board::bit(1)), 50, 1);
        assert_eq!(found, Some(Position::of(Board::bit(3))));
        assert!(guess(&rules, Position::of(Board::bit(3)), 50, 1).is_none());
    }

    #[test]
    fn known_positions_are_certain() {
        let rules = three_in_a_line(Grid { rows: 4, cols: 4 }).build().unwrap();
        let wanted = Board::bit(7);
        let mut known = |position: Position| (position.board == wanted).then_some(Outcome::Loss);
        let strength = Strength { tries: 100, seed: 5 };
        let found = Guess::new(&rules).best(Position::default().into(), 0, strength, Some(&mut known), &mut |_| true);
        assert_eq!(found.map(|position| position.board), Some(wanted));
    }
}
