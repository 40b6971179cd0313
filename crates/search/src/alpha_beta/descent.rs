//! The search: alpha-beta with a transposition table, on compiled rules.
//!
//! ```text
//! value of a position within a window:
//!     bounds from the table, if they settle the window
//!     each legal move that ends the game: its value
//!     each other move, unless the other player then wins at once
//!     the moves left, most promising first: the value of the position after it, until the window is closed
//! ```
//!
//! Where single cells complete patterns, the search carries two sets of cells: those that complete a pattern for the
//! player to move, and those that do for the other player. Then wins at once are one intersection with the legal moves, and
//! if the other player threatens to win at once, only moves that prevent it are looked at.

use std::cell::Cell;

use super::compiled::Compiled;
use super::order::{LATER, Order};
use super::race::{Side, settled};
use super::scale::{Bounds, Scale};
use super::symmetries::Symmetries;
use super::table::{Access, Place};
use super::word::Word;
use crate::Wanted;
use crate::budget::Budget;
use crate::entry::EntryWord;
use crate::pool::Pool;
use crate::rules::{Mode, Position};
use crate::strong::KnownValues;
use tablegen_index::symmetry::Group;

/// Additional facts for a search, and limits on it.
pub(crate) struct Ask<'a> {
    pub(crate) known: Option<&'a KnownValues<'a>>,
    /// Called now and then with the number of positions expanded so far; the search stops if it returns `false`.
    pub(crate) continues: Option<&'a mut dyn FnMut(u64) -> bool>,
    /// True once `continues` has stopped a search.
    pub(crate) is_stopped: &'a Cell<bool>,
}

impl Ask<'_> {
    /// The same facts and limits, for a part of the search.
    pub(crate) fn again(&mut self) -> Ask<'_> {
        let continues = self.continues.as_mut().map(|it| &mut **it as _);
        Ask { known: self.known, continues, is_stopped: self.is_stopped }
    }

    /// The function that says whether to continue; it notes that it has stopped the search.
    pub(crate) fn watched(&mut self) -> Option<impl FnMut(u64) -> bool> {
        let is_stopped = self.is_stopped;
        self.continues.as_mut().map(move |continues| {
            move |expanded| {
                let goes_on = continues(expanded);
                is_stopped.set(is_stopped.get() || !goes_on);
                goes_on
            }
        })
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.get()
    }
}

/// Why there is no value.
#[derive(PartialEq, Eq)]
pub(super) enum NoValue {
    /// The search stopped at a limit.
    Stopped,
    /// The value depends on positions that may repeat and are not known.
    Unknown,
}

/// The number of moves from the root within which positions of a symmetry class have one place in the table. Further on, that takes longer
/// than it saves.
const MOST_TURNED: u32 = 6;
/// The number of moves from the root within which threads keep apart: positions further on take less time than a note.
const MOST_APART: u32 = 20;
/// Positions between two calls of [`Ask::continues`].
const STEP: u64 = 1 << 12;
/// The number of steps after which a search looks for symmetries.
const EASY: u32 = 2;

/// A position that the search may look at.
#[derive(Clone, Copy)]
pub(super) struct Child<W> {
    pub(super) board: W,
    pub(super) mode: usize,
    pub(super) place: Place<W>,
    /// The cells that complete a pattern for the player to move, and for the other player.
    pub(super) goals: [W; 2],
    pub(super) hands_over: bool,
    /// The points that the move to it gains.
    pub(super) gain: i16,
    /// The number of the move that leads there.
    pub(super) number: usize,
    pub(super) score: i32,
}

/// A search of one game.
pub(super) struct Descent<'a, 'b, W: EntryWord, S> {
    pub(super) scale: S,
    pub(super) rules: &'a Compiled<W>,
    pub(super) table: Access<'a, W, S>,
    pub(super) order: &'a mut Order,
    pub(super) children: &'a mut Vec<Child<W>>,
    pub(super) known: Option<&'a KnownValues<'a>>,
    /// True if some values are known, or must be.
    pub(super) asks: bool,
    /// Symmetries of the rules: positions of a class are searched once, near the root. `None` if they must not be used.
    pub(super) symmetries: Option<&'a Symmetries>,
    /// The number of moves from the root.
    pub(super) depth: u32,
    /// How often [`STEP`] positions were expanded.
    pub(super) steps: u32,
    pub(super) budget: &'a mut Budget<'b>,
}

impl<W: Word, S: Scale> Descent<'_, '_, W, S> {
    /// The value of the position on `board` in `mode`, which is not over by a pattern: exact if it lies between `alpha` and `beta`,
    /// otherwise a bound on the same side.
    pub(super) fn value(&mut self, mode: usize, board: W, alpha: i32, beta: i32) -> Result<i32, NoValue> {
        self.children.clear();
        let (goals, place) = (self.goals(mode, board), self.place(mode, board, 0));
        let root = Child { board, mode, place, goals, hands_over: true, gain: 0, number: 0, score: 0 };
        self.expand(&root, alpha, beta)
    }

    /// The place of a position in the table, `depth` moves from the root. Near the root, all positions of a symmetry class have one place. They
    /// are searched as they are, because what is known of the order of moves belongs to them.
    #[inline(always)]
    fn place(&self, mode: usize, board: W, depth: u32) -> Place<W> {
        if depth < MOST_TURNED
            && let Some(group) = self.symmetries.and_then(Symmetries::group)
        {
            return self.place_of_class(mode, board, group);
        }
        self.table.place(mode, board)
    }

    /// The place of a position after a move, which the search looks at soon.
    #[inline(always)]
    pub(super) fn next_place(&self, mode: usize, board: W) -> Place<W> {
        let place = self.place(mode, board, self.depth + 1);
        self.table.prefetch(place);
        place
    }

    #[inline(never)]
    fn place_of_class(&self, mode: usize, board: W, group: &Group) -> Place<W> {
        let position = group.representative(Position::new(Mode(mode as u16), board.board()));
        self.table.place(position.mode.0.into(), W::of_board(position.board))
    }

    /// The cells that complete a pattern for the player to move in `mode`, and for the other player.
    fn goals(&self, mode: usize, board: W) -> [W; 2] {
        let of = &self.rules.modes[mode];
        let other = of.next.map_or(W::ZERO, |next| self.rules.modes[next].goals.completing(board));
        [of.goals.completing(board), other]
    }

    /// The value of a position: exact if it lies between `alpha` and `beta`, otherwise a bound on the same side.
    fn expand(&mut self, at: &Child<W>, mut alpha: i32, mut beta: i32) -> Result<i32, NoValue> {
        if S::WANTED == Wanted::Plies
            && let Some(value) = self.scale.too_soon(alpha, beta, self.rules.modes[at.mode].soonest)
        {
            return Ok(value);
        }
        let known = self.table.bounds(at.place);
        if known.low >= beta || known.low == known.high {
            return Ok(known.low);
        }
        if known.high <= alpha {
            return Ok(known.high);
        }
        (alpha, beta) = (alpha.max(known.low), beta.min(known.high));
        if self.asks
            && let Some(value) = self.known(at)?
        {
            return Ok(value);
        }
        let before = self.budget.effort.expanded;
        self.count()?;
        if let Some(value) = self.rules.modes[at.mode].bound(&self.rules.modes, at.board, alpha, beta) {
            return Ok(value);
        }
        if let Some(value) = self.counted(at, alpha, beta) {
            return Ok(value);
        }
        let first = self.children.len();
        let mut best = self.children_of(at, beta);
        // True if a child that is not known could be better than `best`.
        let mut is_open = false;
        if best < beta && self.children.len() > first {
            best = best.max(self.best_known(first, beta));
            if best < beta {
                self.bring_best_to_end(at.mode, first);
            } else {
                self.children.truncate(first);
            }
            // Threads begin with the same move, which usually is the best. Of the others they put off those that another thread is searching
            // (J.-C. Weill, The ABDADA distributed minimax search algorithm, 1996).
            let pool = self.table.pool().filter(|_| self.depth < MOST_APART);
            let (mut is_begun, mut fresh) = (false, self.children.len() - first);
            // The first move usually closes the window, so the others are sorted after it.
            let mut is_sorted = false;
            while self.children.len() > first
                && let Some(child) = self.children.pop()
            {
                if let Some(pool) = pool
                    && fresh > 0
                {
                    fresh -= 1;
                    if is_begun && pool.is_busy(child.place.low()) {
                        self.children.insert(first, child);
                        continue;
                    }
                }
                is_begun = true;
                let note = pool.and_then(|pool| pool.begin(child.place.low()));
                let low = alpha.max(best);
                let (hands_over, gain) = (child.hands_over, child.gain.into());
                let (least, most) = self.scale.window(low, beta, hands_over, gain);
                self.depth += 1;
                let value = self.expand(&child, least, most);
                self.depth -= 1;
                note.into_iter().for_each(Pool::end);
                let value = match value {
                    Ok(value) => self.scale.of_move(value, hands_over, gain),
                    Err(NoValue::Unknown) => {
                        is_open = true;
                        i32::MIN
                    }
                    Err(NoValue::Stopped) => return Err(NoValue::Stopped),
                };
                if value > best {
                    best = value;
                }
                if best >= beta {
                    self.order.reward(child.number, self.children.len() - first);
                    break;
                }
                if !is_sorted {
                    is_sorted = true;
                    self.children[first..].sort_by_key(|child| child.score);
                }
            }
        }
        self.children.truncate(first);
        if is_open && best < beta {
            return Err(NoValue::Unknown);
        }
        let bounds = Bounds {
            low: if best > alpha { best.max(known.low) } else { known.low },
            high: if best < beta { best.min(known.high) } else { known.high },
        };
        self.table.store(at.place, bounds, self.budget.effort.expanded - before);
        Ok(best)
    }

    /// A value that settles a window, if counting moves gives one.
    #[inline(always)]
    fn counted(&self, at: &Child<W>, alpha: i32, beta: i32) -> Option<i32> {
        let of = &self.rules.modes[at.mode];
        let race = of.race.as_ref()?;
        let other = &self.rules.modes[of.next?];
        let sides = [Side { moves: &of.shapes, race }, Side { moves: &other.shapes, race: other.race.as_ref()? }];
        // A win is at least 1 on every scale.
        settled(sides, at.board).filter(|&sign| if sign > 0 { beta <= 1 } else { alpha >= -1 })
    }

    /// Gives the children from number `first` on their scores, where these were left for later, and puts the last one with the best score at
    /// the end. The others stay in order.
    #[inline(always)]
    fn bring_best_to_end(&mut self, mode: usize, first: usize) {
        let children = &mut self.children[first..];
        let (mut best, mut score) = (0, i32::MIN);
        for (number, child) in children.iter_mut().enumerate() {
            if child.score == LATER {
                child.score = self.order.score(self.rules, mode, child);
            }
            if child.score >= score {
                (best, score) = (number, child.score);
            }
        }
        children[best..].rotate_left(1);
    }

    /// The best value that the table holds for a child from number `first` on, or one that is at least `beta`.
    fn best_known(&self, first: usize, beta: i32) -> i32 {
        let mut best = i32::MIN;
        for child in &self.children[first..] {
            let bounds = self.table.bounds(child.place);
            let own = if child.hands_over { bounds.high } else { bounds.low };
            best = best.max(self.scale.of_move(own, child.hands_over, child.gain.into()));
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The value of a position that is known; an error if it must be known and is not.
    #[inline(never)]
    fn known(&mut self, at: &Child<W>) -> Result<Option<i32>, NoValue> {
        let position = Position::new(Mode(at.mode as u16), at.board.board());
        let known = self.known.and_then(|known| known(position, S::WANTED));
        let known = known.and_then(|value| self.scale.known(value));
        if known.is_none() && self.rules.modes[at.mode].may_repeat {
            return Err(NoValue::Unknown);
        }
        Ok(known)
    }

    /// Counts a position.
    #[inline(always)]
    fn count(&mut self) -> Result<(), NoValue> {
        self.budget.count().ok_or(NoValue::Stopped)?;
        if self.budget.effort.expanded.is_multiple_of(STEP) { self.step() } else { Ok(()) }
    }

    /// Does what is done now and then.
    #[inline(never)]
    fn step(&mut self) -> Result<(), NoValue> {
        self.steps += 1;
        if self.steps == EASY {
            self.symmetries.inspect(|symmetries| symmetries.find());
        }
        if self.budget.goes_on() { Ok(()) } else { Err(NoValue::Stopped) }
    }
}
