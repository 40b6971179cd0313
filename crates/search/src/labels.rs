//! Exact search with memory for any label: the independent search for remoteness and nimbers.
//!
//! [`Search`] knows only outcomes, and stops at the first win. This search visits every position that can follow, once.
//! If the label allows it, it visits only positions after moves that keep the outcome, which are few. It shares only
//! the label's algebra with the solvers: it reads the masks of the rules itself.

use rustc_hash::FxHashMap;

use super::masks::Masks;
use super::outcome::{Effort, LOOK_UP, LimitReached, Search};
use crate::rules::{Node, Outcome, Position, Rules, Step};
use tablegen_labels::Label;

/// A search for the label `L` in one game. It remembers every label it finds.
pub struct LabelSearch<L> {
    masks: Masks,
    ends: bool,
    limit: u64,
    found: Remembered<L>,
}

struct Remembered<L> {
    memory: FxHashMap<Position, L>,
    /// The effort of all calls so far, and the effort at which this call stops. It includes the positions that the search for
    /// outcomes expands.
    effort: Effort,
    end: Effort,
}

impl<L: Label> LabelSearch<L> {
    /// A search of `rules` that expands at most `limit` positions per call; fewer if each has thousands of moves.
    pub fn new(rules: &Rules, limit: u64) -> Self {
        let found = Remembered { memory: FxHashMap::default(), effort: Effort::default(), end: Effort::default() };
        Self { masks: Masks::new(rules), ends: rules.potential().is_some(), limit, found }
    }

    /// The number of positions expanded in all calls so far.
    pub const fn expanded(&self) -> u64 {
        self.found.effort.expanded
    }

    /// The label of `position`. `outcomes` is a search of the same rules for outcomes. Its limit is changed, so that
    /// both searches together stay within the limit.
    ///
    /// # Errors
    /// [`LimitReached`] if the limit is reached first. The labels found so far are remembered.
    pub fn label(&mut self, position: Position, outcomes: &mut Search) -> Result<L, LimitReached> {
        let found = &mut self.found;
        let Effort { expanded, work } = found.effort;
        found.end = Effort { expanded: expanded + outcomes.expanded(), work }.end(self.limit);
        if !self.ends {
            return Err(LimitReached { limit: self.limit });
        }
        found.label(&self.masks, outcomes, position).ok_or(LimitReached { limit: self.limit })
    }

    /// The label of `position` from the labels of its replies.
    ///
    /// # Errors
    /// Returns any error from `label` for a reply.
    pub fn step<E>(&self, position: Position, mut label: impl FnMut(Position) -> Result<L, E>) -> Result<L, E> {
        step(&self.masks, position, |reply| label(reply.to).map(Some))
    }
}

/// The label of `position` from the labels of its replies; a reply without a label is left out.
fn step<L: Label, E>(
    masks: &Masks,
    position: Position,
    mut label: impl FnMut(Step) -> Result<Option<L>, E>,
) -> Result<L, E> {
    if let Some(ending) = masks.ended(position) {
        return Ok(L::ended(ending));
    }
    let mut partial = L::none();
    for reply in masks.replies(position) {
        let seen = |label: L| if reply.again { label.turned() } else { label };
        if let Some(label) = label(reply)?.map(seen)
            && L::absorb(&mut partial, label.gained(reply.gain)).is_break()
        {
            break;
        }
    }
    Ok(L::finish(partial, masks.terminal(position)))
}

impl<L: Label> Remembered<L> {
    /// The label of `position`. `None` if the limit is reached first, or at once if positions may repeat. Each move
    /// leads to a higher level, so recursion is no deeper than the number of levels.
    fn label(&mut self, masks: &Masks, outcomes: &mut Search, position: Position) -> Option<L> {
        if let Some(&known) = self.memory.get(&position) {
            return Some(known);
        }
        let [moves, ends] = masks.tests(position);
        self.effort.work += ends;
        if let Some(ending) = masks.ended(position) {
            return Some(L::ended(ending));
        }
        if self.left(outcomes) == 0 || self.effort.work >= self.end.work {
            return None;
        }
        self.effort.expanded += 1;
        self.effort.work += moves;
        let kept = if L::KEEPS_OUTCOME { Some(self.outcome(outcomes, position)?) } else { None };
        let label = step(masks, position, |reply| {
            self.effort.work += LOOK_UP;
            if let Some(kept) = kept {
                let after = self.outcome(outcomes, reply.to).ok_or(())?;
                if (if reply.again { after } else { after.flip() }) != kept {
                    return Ok(None);
                }
            }
            self.label(masks, outcomes, reply.to).map(Some).ok_or(())
        });
        let label = label.ok()?;
        self.memory.insert(position, label);
        Some(label)
    }

    /// The outcome of `position`; `None` if the limit is reached first.
    fn outcome(&self, outcomes: &mut Search, position: Position) -> Option<Outcome> {
        outcomes.set_limit(self.left(outcomes));
        outcomes.outcome(Node::At(position)).ok()
    }

    /// The number of positions that may still be expanded, by both searches together.
    const fn left(&self, outcomes: &Search) -> u64 {
        self.end.expanded.saturating_sub(self.effort.expanded + outcomes.expanded())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Move, Outcome, RulesSpec};
    use tablegen_labels::{Nimber, Remoteness};

    /// Kayles: one or two neighbours of `pins` in a row.
    fn kayles(pins: u32) -> Rules {
        let one = (0..pins).map(|pin| Move::fill(Board::bit(pin)));
        let two = (1..pins).map(|pin| Move::fill(Board::bit(pin) | Board::bit(pin - 1)));
        RulesSpec { moves: one.chain(two).collect(), ..RulesSpec::new("row", pins) }.build().expect("sound rules")
    }

    #[test]
    fn searched_labels_are_right() {
        // OEIS A002186.
        let nimber = |pins| {
            let rules = kayles(pins);
            let found =
                LabelSearch::<Nimber>::new(&rules, 1 << 20).label(Position::default(), &mut Search::new(&rules));
            found.map(|nimber| nimber.0)
        };
        let nimbers: Vec<u8> = (1..=12).map(|pins| nimber(pins).expect("a small game")).collect();
        assert_eq!(nimbers, [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]);
        let mut outcomes = Search::new(&kayles(3));
        let mut search = LabelSearch::<Remoteness>::new(&kayles(3), 1 << 20);
        let middle = search.label(Position::of(Board::from_word(0b010)), &mut outcomes).expect("a small game");
        assert_eq!(middle, Remoteness { outcome: Outcome::Loss, plies: 2 });
        let start = search.label(Position::default(), &mut outcomes).expect("a small game");
        assert_eq!(start, Remoteness { outcome: Outcome::Win, plies: 3 });
    }

    #[test]
    fn searches_resume_after_a_limit() {
        let mut outcomes = Search::new(&kayles(10));
        let mut search = LabelSearch::<Nimber>::new(&kayles(10), 100);
        assert_eq!(search.label(Position::default(), &mut outcomes), Err(LimitReached { limit: 100 }));
        assert_eq!(search.expanded(), 100);
        let more = (0..20).find_map(|_| search.label(Position::default(), &mut outcomes).ok());
        assert_eq!(more, Some(Nimber(2)));
        // A line of play that the limit cut off is expanded again.
        assert!(search.expanded() < 1 << 11);
        // The limit includes the search for outcomes, and moves that do not keep the outcome are not expanded.
        let mut search = LabelSearch::<Remoteness>::new(&kayles(10), 20);
        assert_eq!(search.label(Position::default(), &mut outcomes), Err(LimitReached { limit: 20 }));
        assert!(outcomes.expanded() <= 20);
        let mut search = LabelSearch::<Remoteness>::new(&kayles(10), u64::MAX);
        // All 1,024 sets of pins are reachable.
        assert!(search.label(Position::default(), &mut outcomes).is_ok() && search.expanded() < 1 << 10);
    }
}
