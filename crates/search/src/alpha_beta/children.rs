//! The moves of a position, as a search looks at them: those that settle its value at once, and those that must be searched.

use super::compiled::ModeRules;
use super::descent::{Child, Descent};
use super::order::LATER;
use super::scale::Scale;
use super::shape::Shape;
use super::word::Word;
use crate::outcome::LOOK_UP;

impl<W: Word, S: Scale> Descent<'_, '_, W, S> {
    /// The value for a player who completes a pattern at once, and wins.
    #[inline(always)]
    fn win_at_once(&self) -> i32 {
        self.scale.of_move(self.scale.ended(-1), true, 0)
    }

    /// The value for a player who moves, where the other player then wins at once.
    #[inline(always)]
    fn beaten(&self) -> i32 {
        self.scale.of_move(self.win_at_once(), true, 0)
    }

    /// Appends the positions after the moves from `at` that must be searched. Returns the best value of the other moves; less
    /// than every value if there is none.
    pub(super) fn children_of(&mut self, at: &Child<W>, beta: i32) -> i32 {
        let rules = self.rules;
        let of = &rules.modes[at.mode];
        let mut best = i32::MIN;
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
            is_last_resort = is_last_resort || shape.otherwise && best == i32::MIN && self.children.len() == first;
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
            self.budget.effort.work += 1;
            if let (Some(value), Some(cell)) = (of.goal, shape.single) {
                let ended = legal & at.goals[0] >> cell;
                if !ended.is_empty() {
                    best = best.max(self.scale.of_move(self.scale.ended(-value), true, 0));
                    if best >= beta {
                        return best;
                    }
                    legal &= !ended;
                }
            }
            for anchor in legal.bits() {
                if needs.iter().any(|&need| (need & shape.fills << anchor).is_empty()) {
                    best = best.max(self.beaten());
                    continue;
                }
                let board = shape.play(at.board, anchor);
                let number = shape.number(anchor);
                if shape.is_tested
                    && let Some(worth) = rules.ended(number, shape.next, board, &mut self.budget.effort.work)
                {
                    best = best.max(self.scale.of_move(self.scale.ended(worth), shape.hands_over, shape.gain.into()));
                    if best >= beta {
                        return best;
                    }
                    continue;
                }
                let next = &rules.modes[shape.next];
                let goals = self.goals_after(of, next, at, board);
                if next.wins_at_once(board, goals[0]) {
                    // Then the move hands over: see `ModeRules::goal`. If it does not, the player wins.
                    best = best.max(self.scale.of_move(self.win_at_once(), shape.hands_over, 0));
                    if best >= beta {
                        return best;
                    }
                    continue;
                }
                // Often the table settles the position, so that the order does not matter.
                let score = LATER;
                let (mode, hands_over, gain) = (shape.next, shape.hands_over, shape.gain);
                let place = self.next_place(mode, board);
                self.children.push(Child { board, mode, place, goals, hands_over, gain, number, score });
            }
        }
        // Finding a child in the table, counting its moves and completing its patterns takes about this.
        self.budget.effort.work += (self.children.len() - first) as u64 * LOOK_UP;
        let is_stuck = best == i32::MIN && self.children.len() == first;
        if is_stuck { self.scale.ended(of.without_move(at.board)) } else { best }
    }

    /// Appends the positions after the moves from `at` that turn over lines. Returns the best value of those that end the game.
    fn turned(&mut self, of: &ModeRules<W>, at: &Child<W>) -> Option<i32> {
        let rules = self.rules;
        let mut best = None;
        self.budget.effort.work += of.turning.len() as u64;
        for m in &of.turning {
            let Some(board) = m.play(at.board) else { continue };
            let (mode, hands_over, gain, number) = (m.next, m.hands_over, m.gain, m.number);
            if let Some(worth) = rules.ended(number, mode, board, &mut self.budget.effort.work) {
                best = best.max(Some(self.scale.of_move(self.scale.ended(worth), hands_over, m.gain.into())));
                continue;
            }
            let next = &rules.modes[mode];
            let goals = self.goals_after(of, next, at, board);
            // Moves that leave the other player few moves of this kind go first.
            let score = self.order.after_turning(next.turning.iter().filter(|m| m.is_legal(board)).count(), number);
            self.budget.effort.work += next.turning.len() as u64;
            let place = self.next_place(mode, board);
            self.children.push(Child { board, mode, place, goals, hands_over, gain, number, score });
        }
        best
    }

    /// Appends the positions after the moves of `shape`, which have a condition or may take pieces. Returns the best value of those that end
    /// the game; less than every value if none does.
    #[inline(never)]
    fn by_number(&mut self, at: &Child<W>, shape: &Shape<W>) -> i32 {
        let rules = self.rules;
        let mut best = i32::MIN;
        self.budget.effort.work += 1;
        for anchor in shape.legal_by_number(at.board).bits() {
            let (after, number) = (shape.play(at.board, anchor), shape.number(anchor));
            let choices = shape.takes.get(&anchor).map_or(W::ZERO, |&take| rules.takes[usize::from(take)].from(after));
            let count = choices.count().max(1);
            self.budget.effort.work += u64::from(count);
            let mut rest = choices;
            for _ in 0..count {
                let cell = rest & !rest.without_lowest();
                rest &= !cell;
                let board = after & !cell;
                if shape.is_tested
                    && let Some(worth) = rules.ended(number, shape.next, board, &mut self.budget.effort.work)
                {
                    best = best.max(self.scale.of_move(self.scale.ended(worth), shape.hands_over, shape.gain.into()));
                    continue;
                }
                // Rules with numbers of pieces have no goals.
                let goals = [W::ZERO; 2];
                let score = self.order.after_taking(!choices.is_empty(), number);
                let (mode, hands_over, gain) = (shape.next, shape.hands_over, shape.gain);
                let place = self.next_place(mode, board);
                self.children.push(Child { board, mode, place, goals, hands_over, gain, number, score });
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
