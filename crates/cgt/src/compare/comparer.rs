//! Comparison of values.
//!
//! `G <= H` if Left, moving first in `G`, cannot reach a Left option at least `H`, and Right, moving first in `H`,
//! cannot reach a Right option at most `G`. The hints settle most comparisons; the rest are remembered. The recursion
//! runs on a stack in the heap, so deep games cannot overflow the stack of the thread.

use rustc_hash::FxHashMap;

use super::memo::Memo;
use crate::error::Error;
use crate::store::{Hints, Store, Value};

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// The first value is smaller.
    Less,
    /// The values are equal.
    Equal,
    /// The first value is larger.
    Greater,
    /// The values are confused: the player who moves first wins their difference.
    Confused,
}

/// Stands for the game that is being simplified and is not in the store.
pub(super) const DRAFT: Value = Value::from_number(u32::MAX);

/// A game given by its options, which are values of the store.
pub(super) struct Draft<'a> {
    pub(super) lefts: &'a [Value],
    pub(super) rights: &'a [Value],
    pub(super) hints: Hints,
}

/// The games that a comparison can meet: those of the store, and a draft.
pub(super) struct Games<'a> {
    pub(super) store: &'a Store,
    pub(super) draft: Option<Draft<'a>>,
}

impl<'a> Games<'a> {
    #[inline]
    fn hints(&self, game: Value) -> &Hints {
        match &self.draft {
            Some(draft) if game == DRAFT => &draft.hints,
            _ => self.store.hints(game),
        }
    }

    #[inline]
    fn lefts(&self, game: Value) -> &'a [Value] {
        match &self.draft {
            Some(draft) if game == DRAFT => draft.lefts,
            _ => self.store.lefts(game),
        }
    }

    #[inline]
    fn rights(&self, game: Value) -> &'a [Value] {
        match &self.draft {
            Some(draft) if game == DRAFT => draft.rights,
            _ => self.store.rights(game),
        }
    }
}

/// A comparison `g <= h` under way, and the number of options already tried.
#[derive(Clone, Copy, Debug)]
struct Frame {
    g: Value,
    h: Value,
    tried: u32,
}

/// Compares values of one store, remembers results, and simplifies.
///
/// Each thread has its own comparer. Results do not depend on what a comparer remembers. A comparer must not move from
/// one store to another.
#[derive(Clone, Debug)]
pub struct Comparer {
    memo: Memo,
    /// Results that involve the draft, until the draft is simplified.
    drafted: FxHashMap<(Value, Value), bool>,
    frames: Vec<Frame>,
    limit: u64,
    steps_left: u64,
}

impl Default for Comparer {
    /// A comparer that remembers at most 128 MiB of results and takes any number of steps.
    fn default() -> Self {
        Self::new(1 << 27)
    }
}

impl Comparer {
    /// A comparer that remembers at most `bytes` bytes of results, but at least 16 KiB. The memory grows with use.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let memo = Memo::new(bytes);
        Self { memo, drafted: FxHashMap::default(), frames: Vec::new(), limit: u64::MAX, steps_left: u64::MAX }
    }

    /// Allows `steps` further steps. A step is a comparison that the hints do not settle.
    pub const fn allow(&mut self, steps: u64) {
        self.limit = steps;
        self.steps_left = steps;
    }

    /// The steps that are still allowed.
    pub(crate) const fn steps_left(&self) -> u64 {
        self.steps_left
    }

    /// Counts `steps` further steps.
    ///
    /// # Errors
    /// [`Error::Steps`] if fewer are allowed.
    pub fn spend(&mut self, steps: u64) -> Result<(), Error> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(Error::Steps { limit: self.limit })?;
        Ok(())
    }

    /// Whether `g <= h`.
    ///
    /// # Errors
    /// [`Error::Steps`] if it takes more steps than allowed.
    pub fn at_most(&mut self, store: &Store, g: Value, h: Value) -> Result<bool, Error> {
        self.compare_in(&Games { store, draft: None }, g, h)
    }

    /// How `g` compares with `h`.
    ///
    /// # Errors
    /// [`Error::Steps`] if it takes more steps than allowed.
    pub fn compare(&mut self, store: &Store, g: Value, h: Value) -> Result<Comparison, Error> {
        Ok(match (self.at_most(store, g, h)?, self.at_most(store, h, g)?) {
            (true, true) => Comparison::Equal,
            (true, false) => Comparison::Less,
            (false, true) => Comparison::Greater,
            (false, false) => Comparison::Confused,
        })
    }

    /// Forgets what it knows of the last draft.
    pub(super) fn forget_draft(&mut self) {
        self.drafted.clear();
    }

    /// Whether `g <= h`, by hints and memory alone.
    #[inline]
    fn known(&self, view: &Games<'_>, g: Value, h: Value) -> Option<bool> {
        if g == h {
            return Some(true);
        }
        let (first, second) = (view.hints(g), view.hints(h));
        first.at_most(second).or_else(|| {
            if first.number && second.number {
                Some(view.store.number(g) <= view.store.number(h))
            } else if g == DRAFT || h == DRAFT {
                self.drafted.get(&(g, h)).copied()
            } else {
                self.memo.get(g.number(), h.number())
            }
        })
    }

    #[inline]
    pub(super) fn compare_in(&mut self, view: &Games<'_>, g: Value, h: Value) -> Result<bool, Error> {
        match self.known(view, g, h) {
            Some(known) => Ok(known),
            None => self.search(view, g, h),
        }
    }

    fn search(&mut self, view: &Games<'_>, g: Value, h: Value) -> Result<bool, Error> {
        self.frames.clear();
        self.frames.push(Frame { g, h, tried: 0 });
        // Whether the comparison that was finished last is true.
        let mut answer = false;
        while let Some(&Frame { g, h, mut tried }) = self.frames.last() {
            let (lefts, rights) = (moves_of_left(view, g), moves_of_right(view, h));
            let refutation = |i: usize| match lefts.get(i) {
                Some(&left) => Some((h, left)),
                None => rights.get(i - lefts.len()).map(|&right| (right, g)),
            };
            let mut open = None;
            if tried == 0 {
                self.spend(1)?;
                // First look for a refutation that is known already.
                let count = lefts.len() + rights.len();
                answer = (0..count).filter_map(refutation).any(|(a, b)| self.known(view, a, b) == Some(true));
            }
            while let (false, Some((a, b))) = (answer, refutation(tried as usize)) {
                tried += 1;
                match self.known(view, a, b) {
                    Some(true) => answer = true,
                    Some(false) => {}
                    None => {
                        open = Some(Frame { g: a, h: b, tried: 0 });
                        break;
                    }
                }
            }
            if let Some(open) = open {
                let top = self.frames.len() - 1;
                self.frames[top].tried = tried;
                self.frames.push(open);
                continue;
            }
            // A true comparison refutes the one below it on the stack.
            answer = !answer;
            self.remember(g, h, answer);
            self.frames.pop();
        }
        Ok(answer)
    }

    fn remember(&mut self, g: Value, h: Value, answer: bool) {
        if g == DRAFT || h == DRAFT {
            self.drafted.insert((g, h), answer);
        } else {
            self.memo.set(g.number(), h.number(), answer);
        }
    }
}

/// Left's moves in `game` that matter in a comparison: none if it is a number, because no player needs to move in a
/// number while there is another game.
#[inline]
fn moves_of_left<'a>(view: &Games<'a>, game: Value) -> &'a [Value] {
    if view.hints(game).number { &[] } else { view.lefts(game) }
}

/// Right's moves in `game` that matter in a comparison.
#[inline]
fn moves_of_right<'a>(view: &Games<'a>, game: Value) -> &'a [Value] {
    if view.hints(game).number { &[] } else { view.rights(game) }
}
