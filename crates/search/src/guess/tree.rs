//! A tree of moves that grows where random play says that it matters (UCT: L. Kocsis and C. Szepesvári, 2006).
//!
//! ```text
//! from the root, take the move with the best mean result, plus a bonus for moves that were seldom tried
//! at a position that was not tried before: play at random, and add the result to all positions on the way
//! a position with a winning move is won, and one whose moves all lose is lost: it need not be tried again
//! ```

use std::cmp::Reverse;

use super::playout::{Play, Played, Scene};
use super::random::Random;
use crate::rules::{Outcome, Position, Step};

/// The weight of the bonus for moves that were seldom tried.
const CURIOSITY: f64 = 0.9;
/// Maximum number of branches. Then the tree stops growing.
const MOST_BRANCHES: usize = 1 << 21;

/// A position of the tree. Results are those of the player to move at the root.
struct Branch {
    scene: Scene,
    /// The branches after its moves: `count` from `first` on; `None` until it is tried again.
    moves: Option<(u32, u32)>,
    tries: u32,
    total: f64,
    /// The result if it is certain: 1, 0 or -1.
    certain: Option<i8>,
}

pub(super) struct Tree<'a> {
    play: &'a mut Play,
    branches: Vec<Branch>,
    random: Random,
    steps: Vec<Step>,
}

impl<'a> Tree<'a> {
    /// A tree for a player to move in one of `scenes` after its own move. The scenes are those after the moves of the root.
    pub(super) fn new(play: &'a mut Play, root: Scene, steps: &[Step], seed: u64) -> Self {
        let mut tree = Self { play, branches: vec![Branch::of(root)], random: Random::new(seed), steps: Vec::new() };
        tree.grow(0, steps);
        tree
    }

    /// Adds the branches after the moves of a branch.
    fn grow(&mut self, at: usize, steps: &[Step]) {
        let (scene, first) = (self.branches[at].scene, self.branches.len());
        self.branches.extend(steps.iter().map(|step| Branch::of(scene.after(step))));
        self.branches[at].moves = Some((first as u32, steps.len() as u32));
    }

    /// Tries one more line of play. `known` gives the outcomes of positions that are known for certain. Returns `false` if the result at the
    /// root is certain.
    pub(super) fn try_once(&mut self, known: &mut dyn FnMut(Position) -> Option<Outcome>) -> bool {
        let mut path = vec![0];
        let mut at = 0;
        let worth = loop {
            if let Some(sign) = self.branches[at].certain {
                break self.play.worth(Played { sign, points: 0 });
            }
            if let Some(moves) = self.branches[at].moves {
                at = self.choose(at, moves);
                path.push(at);
                continue;
            }
            let scene = self.branches[at].scene;
            if let Some(outcome) = known(scene.position) {
                self.branches[at].certain = Some(scene.side * (outcome as i8 - 1));
                continue;
            }
            let mut steps = std::mem::take(&mut self.steps);
            let ended = self.play.steps(scene, &mut steps);
            // A branch grows when it is tried for the second time.
            let is_new = self.branches[at].tries == 0 || self.branches.len() >= MOST_BRANCHES;
            if ended.is_none() && !is_new {
                self.grow(at, &steps);
            }
            self.steps = steps;
            if let Some(played) = ended {
                self.branches[at].certain = Some(played.sign);
                break self.play.worth(played);
            }
            if is_new {
                let played = self.play.random(scene, &mut self.random);
                break self.play.worth(played);
            }
        };
        for &at in path.iter().rev() {
            self.branches[at].tries += 1;
            self.branches[at].total += worth;
            self.settle(at);
        }
        self.branches[0].certain.is_none()
    }

    /// The branch to try from `at`: one of its moves whose result is not certain.
    fn choose(&mut self, at: usize, (first, count): (u32, u32)) -> usize {
        let range = first as usize..(first + count) as usize;
        let side = f64::from(self.branches[at].scene.side);
        let tries = f64::from(self.branches[at].tries.max(1)).ln();
        // Moves that were never tried come first, from a random one on.
        let turn = self.random.below(count as usize);
        let (mut best, mut most) = (range.start, f64::NEG_INFINITY);
        for number in 0..count as usize {
            let branch = &self.branches[range.start + (number + turn) % count as usize];
            if branch.certain.is_some() {
                continue;
            }
            let value = match branch.tries {
                0 => f64::INFINITY,
                times => side * branch.total / f64::from(times) + CURIOSITY * (tries / f64::from(times)).sqrt(),
            };
            if value > most {
                (best, most) = (range.start + (number + turn) % count as usize, value);
            }
        }
        best
    }

    /// Makes the result of `at` certain if those of its moves make it so.
    fn settle(&mut self, at: usize) {
        let Branch { scene, moves: Some((first, count)), certain: None, .. } = self.branches[at] else { return };
        let of = |branch: &Branch| branch.certain.map(|sign| sign * scene.side);
        let moves = &self.branches[first as usize..(first + count) as usize];
        let best = moves.iter().filter_map(of).max();
        if best == Some(1) || moves.iter().all(|branch| branch.certain.is_some()) {
            self.branches[at].certain = best.map(|sign| sign * scene.side);
        }
    }

    /// The move of the root that looks best, by its number: a certain win; or the move that was tried most often, unless a certain draw is
    /// better than its mean result. A certain loss only if all are.
    pub(super) fn best(&self) -> Option<usize> {
        let (first, count) = self.branches[0].moves?;
        let side = self.branches[0].scene.side;
        let branch = |number: usize| &self.branches[first as usize + number];
        let certain = |sign: i8| (0..count as usize).find(|&number| branch(number).certain == Some(sign * side));
        let open = (0..count as usize).filter(|&number| branch(number).certain.is_none());
        let most = open.max_by_key(|&number| (branch(number).tries, Reverse(number)));
        let is_bad = |number: usize| f64::from(side) * branch(number).total < 0.0;
        let draw = || certain(0).filter(|_| most.is_none_or(is_bad));
        certain(1).or_else(draw).or(most).or_else(|| certain(-1))
    }
}

impl Branch {
    const fn of(scene: Scene) -> Self {
        Self { scene, moves: None, tries: 0, total: 0.0, certain: None }
    }
}
