//! Random play from a position to the end.

use super::random::Random;
use crate::masks::Masks;
use crate::rules::{Ending, Position, Rules, Step};

/// Maximum number of moves of random play. Longer play counts as a draw.
const MOST_MOVES: u32 = 512;
/// The part of a result that the points have. The rest depends on who wins.
const PART_OF_POINTS: f64 = 0.05;

/// A position of a line of play, as seen by the player who was to move at its beginning.
#[derive(Clone, Copy)]
pub(super) struct Scene {
    pub(super) position: Position,
    /// 1 if that player is to move, and -1 if the other one is.
    pub(super) side: i8,
    /// The points by which that player leads.
    pub(super) lead: i32,
}

impl Scene {
    /// The scene after a move.
    pub(super) fn after(self, step: &Step) -> Self {
        Self {
            position: step.to,
            side: if step.again { self.side } else { -self.side },
            lead: self.lead + i32::from(self.side) * i32::from(step.gain),
        }
    }
}

/// The result of play for the player who was to move at its beginning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Played {
    /// 1 for a win, 0 for a draw and -1 for a loss.
    pub(super) sign: i8,
    pub(super) points: i32,
}

/// Play by the rules.
pub(super) struct Play {
    masks: Masks,
    has_gains: bool,
    /// A large number of points.
    most_points: f64,
    replies: Vec<Step>,
}

impl Play {
    pub(super) fn new(rules: &Rules) -> Self {
        let most_points = rules.most_points().map_or(1, |(score, _)| score.max(1)) as f64;
        Self { masks: Masks::new(rules), has_gains: rules.has_gains(), most_points, replies: Vec::new() }
    }

    /// What `scene` leads to; the result if play is over there.
    pub(super) fn steps(&self, scene: Scene, steps: &mut Vec<Step>) -> Option<Played> {
        steps.clear();
        if let Some(ending) = self.masks.ended(scene.position) {
            return Some(self.result(scene, ending));
        }
        steps.extend(self.masks.replies(scene.position));
        steps.is_empty().then(|| self.result(scene, self.masks.terminal(scene.position)))
    }

    fn result(&self, scene: Scene, ending: Ending) -> Played {
        let points = scene.lead + i32::from(scene.side) * i32::from(ending.points);
        let of_outcome = scene.side * (ending.outcome as i8 - 1);
        Played { sign: if self.has_gains { points.signum() as i8 } else { of_outcome }, points }
    }

    /// A number from -1 to 1 that is greater for better results.
    pub(super) fn worth(&self, played: Played) -> f64 {
        let points = (f64::from(played.points) / self.most_points).clamp(-1.0, 1.0);
        f64::from(played.sign) * (1.0 - PART_OF_POINTS) + points * PART_OF_POINTS
    }

    /// The result of random play from `scene`.
    pub(super) fn random(&mut self, mut scene: Scene, random: &mut Random) -> Played {
        let mut steps = std::mem::take(&mut self.replies);
        let mut played = Played { sign: 0, points: scene.lead };
        for _ in 0..MOST_MOVES {
            if let Some(result) = self.steps(scene, &mut steps) {
                played = result;
                break;
            }
            scene = scene.after(&steps[random.below(steps.len())]);
        }
        self.replies = steps;
        played
    }
}
