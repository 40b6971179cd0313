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

use super::compiled::{Compiled, ModeRules, value_of};
use super::order::Order;
use super::race::{Side, settled};
use super::shape::Shape;
use super::table::{Bounds, Table};
use super::word::Word;
use crate::outcome::{Effort, LOOK_UP};
use crate::rules::{Mode, Outcome, Position};

/// Additional facts for a search, and limits on it.
pub(super) struct Ask<'a> {
    /// The outcome of a position, if it is known for certain.
    pub(super) known: Option<&'a mut dyn FnMut(Position) -> Option<Outcome>>,
    /// Called now and then with the number of positions expanded so far; the search stops if it returns `false`.
    pub(super) continues: Option<&'a mut dyn FnMut(u64) -> bool>,
}

/// Why there is no value.
#[derive(PartialEq, Eq)]
pub(super) enum NoValue {
    /// The search stopped at a limit.
    Stopped,
    /// The value depends on positions that may repeat and are not known.
    Unknown,
}

/// Positions between two calls of [`Ask::continues`].
const STEP: u64 = 1 << 12;

/// A position that the search may look at.
#[derive(Clone, Copy)]
pub(super) struct Child<W> {
    pub(super) board: W,
    pub(super) mode: usize,
    /// The cells that complete a pattern for the player to move, and for the other player.
    pub(super) goals: [W; 2],
    pub(super) hands_over: bool,
    /// The number of the move that leads there.
    pub(super) number: usize,
    pub(super) score: i32,
}

/// A search of one game.
pub(super) struct Descent<'a, W> {
    pub(super) rules: &'a Compiled<W>,
    pub(super) table: &'a mut Table<W>,
    pub(super) order: &'a mut Order,
    pub(super) children: &'a mut Vec<Child<W>>,
    pub(super) ask: Ask<'a>,
    /// True if some outcomes are known, or must be.
    pub(super) asks: bool,
    pub(super) effort: Effort,
    /// The effort at which the search stops.
    pub(super) end: Effort,
}

impl<W: Word> Descent<'_, W> {
    /// The value of the position on `board` in `mode`, which is not over by a pattern.
    pub(super) fn value(&mut self, mode: usize, board: W) -> Result<i8, NoValue> {
        self.children.clear();
        let goals = self.goals(mode, board);
        let root = Child { board, mode, goals, hands_over: true, number: 0, score: 0 };
        // Most positions are won or lost, so the first of two windows usually settles the value.
        let value = self.expand(&root, 0, 1)?;
        if value == 0 && self.rules.can_draw { self.expand(&root, -1, 0) } else { Ok(value) }
    }

    /// The cells that complete a pattern for the player to move in `mode`, and for the other player.
    fn goals(&self, mode: usize, board: W) -> [W; 2] {
        let of = &self.rules.modes[mode];
        let other = of.next.map_or(W::ZERO, |next| self.rules.modes[next].goals.completing(board));
        [of.goals.completing(board), other]
    }

    /// The value of a position: exact if it lies between `alpha` and `beta`, otherwise a bound on the same side.
    fn expand(&mut self, at: &Child<W>, mut alpha: i8, mut beta: i8) -> Result<i8, NoValue> {
        let place = self.table.place(at.mode, at.board);
        let known = self.table.bounds(place);
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
        let before = self.effort.expanded;
        self.count()?;
        if let Some(value) = self.rules.modes[at.mode].bound(&self.rules.modes, at.board, alpha, beta) {
            return Ok(value);
        }
        if let Some(value) = self.counted(at) {
            return Ok(value);
        }
        let first = self.children.len();
        let mut best = self.children_of(at, beta);
        // True if a child that is not known could be better than `best`.
        let mut is_open = false;
        if best < beta && self.children.len() > first {
            best = best.max(self.best_known(first));
            if best < beta {
                self.children[first..].sort_by_key(|child| child.score);
            } else {
                self.children.truncate(first);
            }
            while self.children.len() > first
                && let Some(child) = self.children.pop()
            {
                let low = alpha.max(best);
                let value = match child.hands_over {
                    true => self.expand(&child, -beta, -low).map(|value| -value),
                    false => self.expand(&child, low, beta),
                };
                let value = match value {
                    Ok(value) => value,
                    Err(NoValue::Unknown) => {
                        is_open = true;
                        continue;
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
        self.table.store(place, bounds, self.effort.expanded - before);
        Ok(best)
    }

    /// The value of a position that counting moves settles.
    #[inline(always)]
    fn counted(&self, at: &Child<W>) -> Option<i8> {
        let of = &self.rules.modes[at.mode];
        let race = of.race.as_ref()?;
        let other = &self.rules.modes[of.next?];
        settled(Side { moves: &of.shapes, race }, Side { moves: &other.shapes, race: other.race.as_ref()? }, at.board)
    }

    /// The best value that the table holds for a child from number `first` on.
    fn best_known(&self, first: usize) -> i8 {
        let of = |child: &Child<W>| {
            let bounds = self.table.bounds(self.table.place(child.mode, child.board));
            if child.hands_over { -bounds.high } else { bounds.low }
        };
        self.children[first..].iter().map(of).max().unwrap_or(i8::MIN)
    }

    /// Appends the positions after the moves from `at` that must be searched. Returns the best value of the other moves; less
    /// than every value if there is none.
    fn children_of(&mut self, at: &Child<W>, beta: i8) -> i8 {
        let rules = self.rules;
        let of = &rules.modes[at.mode];
        let mut best = i8::MIN;
        let first = self.children.len();
        let needs = self.needs(of, at);
        if let Some(value) = self.turned(of, at) {
            best = value;
            if best >= beta {
                return best;
            }
        }
        let mut is_last_resort = false;
        for shape in &of.shapes {
            // These shapes come last, and count only if no other shape has a legal move.
            is_last_resort = is_last_resort || shape.otherwise && best == i8::MIN && self.children.len() == first;
            if shape.otherwise && !is_last_resort {
                break;
            }
            if shape.by_number {
                best = best.max(self.by_number(at, shape));
                if best >= beta {
                    return best;
                }
                continue;
            }
            let mut legal = shape.legal(at.board);
            self.effort.work += 1;
            if let (Some(value), Some(cell)) = (of.goal, shape.single) {
                let ended = legal & at.goals[0] >> cell;
                if !ended.is_empty() {
                    best = best.max(value);
                    if best >= beta {
                        return best;
                    }
                    legal &= !ended;
                }
            }
            for anchor in legal.bits() {
                if needs.iter().any(|&need| (need & shape.fills << anchor).is_empty()) {
                    best = best.max(-1);
                    continue;
                }
                let board = shape.play(at.board, anchor);
                let number = shape.number(anchor);
                if shape.is_tested
                    && let Some(value) = rules.ended(number, shape.next, board, &mut self.effort.work)
                {
                    best = best.max(if shape.hands_over { -value } else { value });
                    if best >= beta {
                        return best;
                    }
                    continue;
                }
                let next = &rules.modes[shape.next];
                let goals = self.goals_after(of, next, at, board);
                if next.wins_at_once(board, goals[0]) {
                    // Then the move hands over: see `ModeRules::goal`. If it does not, the player wins.
                    best = best.max(if shape.hands_over { -1 } else { 1 });
                    if best >= beta {
                        return best;
                    }
                    continue;
                }
                let score = self.order.score(rules, at.mode, shape, board, goals, number);
                let (mode, hands_over) = (shape.next, shape.hands_over);
                self.children.push(Child { board, mode, goals, hands_over, number, score });
            }
        }
        // Finding a child in the table, counting its moves and completing its patterns takes about this.
        self.effort.work += (self.children.len() - first) as u64 * LOOK_UP;
        let is_stuck = best == i8::MIN && self.children.len() == first;
        if is_stuck { value_of(of.terminal.on(at.board.board())) } else { best }
    }

    /// Appends the positions after the moves from `at` that turn over lines. Returns the best value of those that end the game.
    fn turned(&mut self, of: &ModeRules<W>, at: &Child<W>) -> Option<i8> {
        let rules = self.rules;
        let mut best = None;
        self.effort.work += of.turning.len() as u64;
        for m in &of.turning {
            let Some(board) = m.play(at.board) else { continue };
            let (mode, hands_over, number) = (m.next, m.hands_over, m.number);
            if let Some(value) = rules.ended(number, mode, board, &mut self.effort.work) {
                best = best.max(Some(if hands_over { -value } else { value }));
                continue;
            }
            let next = &rules.modes[mode];
            let goals = self.goals_after(of, next, at, board);
            // Moves that leave the other player few moves of this kind go first.
            let score = self.order.after_turning(next.turning.iter().filter(|m| m.is_legal(board)).count(), number);
            self.effort.work += next.turning.len() as u64;
            self.children.push(Child { board, mode, goals, hands_over, number, score });
        }
        best
    }

    /// Appends the positions after the moves of `shape`, which have a condition or may take pieces. Returns the best value of those that end
    /// the game; less than every value if none does.
    #[inline(never)]
    fn by_number(&mut self, at: &Child<W>, shape: &Shape<W>) -> i8 {
        let rules = self.rules;
        let mut best = i8::MIN;
        self.effort.work += 1;
        for anchor in shape.legal_by_number(at.board).bits() {
            let (after, number) = (shape.play(at.board, anchor), shape.number(anchor));
            let choices = shape.takes.get(&anchor).map_or(W::ZERO, |&take| rules.takes[usize::from(take)].from(after));
            let count = choices.count().max(1);
            self.effort.work += u64::from(count);
            let mut rest = choices;
            for _ in 0..count {
                let cell = rest & !rest.without_lowest();
                rest &= !cell;
                let board = after & !cell;
                if shape.is_tested
                    && let Some(value) = rules.ended(number, shape.next, board, &mut self.effort.work)
                {
                    best = best.max(if shape.hands_over { -value } else { value });
                    continue;
                }
                // Rules with numbers of pieces have no goals.
                let goals = [W::ZERO; 2];
                let score = self.order.after_taking(!choices.is_empty(), number);
                let (mode, hands_over) = (shape.next, shape.hands_over);
                self.children.push(Child { board, mode, goals, hands_over, number, score });
            }
        }
        best
    }

    /// The goals after a move from `at` to `board`.
    #[inline(always)]
    fn goals_after(&self, of: &ModeRules<W>, next: &ModeRules<W>, at: &Child<W>, board: W) -> [W; 2] {
        let own = if of.keeps_next_goals { at.goals[1] } else { next.goals.completing(board) };
        let Some(after) = next.next else { return [own, W::ZERO] };
        [own, self.rules.modes[after].goals.completing(board)]
    }

    /// Sets of cells of which a move must fill one each, because the other player wins at once otherwise.
    #[inline(always)]
    fn needs(&self, of: &ModeRules<W>, at: &Child<W>) -> Needs<W> {
        let mut needs = Needs { sets: [W::ZERO; 2], count: 0 };
        let Some(next) = of.next.map(|next| &self.rules.modes[next]) else { return needs };
        if next.goal != Some(1) || at.goals[1].is_empty() || !of.keeps_wins {
            return needs;
        }
        for shape in &next.shapes {
            let cell = shape.single.unwrap_or(0);
            let wins = (at.goals[1] >> cell) & shape.anchors;
            if wins.is_empty() {
                continue;
            }
            for anchor in (wins & shape.legal(at.board)).bits() {
                needs.sets[needs.count] = shape.empties << anchor;
                needs.count += 1;
                if needs.count == needs.sets.len() {
                    return needs;
                }
            }
        }
        needs
    }

    /// The value of a position that is known; an error if it must be known and is not.
    #[inline(never)]
    fn known(&mut self, at: &Child<W>) -> Result<Option<i8>, NoValue> {
        let position = Position::new(Mode(at.mode as u16), at.board.board());
        let known = self.ask.known.as_mut().and_then(|known| known(position));
        if known.is_none() && self.rules.modes[at.mode].may_repeat {
            return Err(NoValue::Unknown);
        }
        Ok(known.map(value_of))
    }

    /// Counts a position.
    #[inline(always)]
    fn count(&mut self) -> Result<(), NoValue> {
        if self.effort.reaches(self.end) {
            return Err(NoValue::Stopped);
        }
        self.effort.expanded += 1;
        if self.effort.expanded.is_multiple_of(STEP)
            && let Some(continues) = &mut self.ask.continues
            && !continues(self.effort.expanded)
        {
            return Err(NoValue::Stopped);
        }
        Ok(())
    }
}

/// Sets of cells, at most two.
struct Needs<W> {
    sets: [W; 2],
    count: usize,
}

impl<W> Needs<W> {
    #[inline(always)]
    fn iter(&self) -> std::slice::Iter<'_, W> {
        self.sets[..self.count].iter()
    }
}
