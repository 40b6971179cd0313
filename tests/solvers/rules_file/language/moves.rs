//! The moves of a position, in the words of the documentation.

use std::collections::BTreeSet;

use super::acts::Try;
use super::board::{Board, look, put};
use super::ends::squares_of;
use super::file::{At, COLOURS, File, Layout, ModeName, MoveTable, Turns};

/// A board, and the number of the mode.
pub(super) type State = (Board, usize);

/// A position after a move, whether the other player is to move there, and what the move gains.
pub(super) type Reply<T> = (T, bool, i32);

impl File {
    /// The side to move; 0 if both players have the same moves.
    pub(super) fn mover(&self, mode: usize) -> usize {
        match &self.turns {
            Turns::None | Turns::List(_) => 0,
            Turns::Sides => mode,
            Turns::Swap(opener) => [0, 1, *opener, 1 - opener][mode],
            Turns::Table(owners, _) => owners[mode % owners.len()],
        }
    }

    /// The colour of the pieces of a side.
    pub(super) const fn colour(&self, side: usize) -> char {
        if self.two_colours { COLOURS[side] } else { 'X' }
    }

    /// The positions after each move. Ends are not tested.
    pub(super) fn moves(&self, (board, mode): &State) -> BTreeSet<Reply<State>> {
        let of = |otherwise: bool| -> BTreeSet<Reply<State>> {
            let tables = self.moves.iter().filter(|table| table.otherwise == otherwise);
            tables.flat_map(|table| self.of_table(table, board, *mode)).collect()
        };
        let mut moves = of(false);
        if let (Turns::Swap(opener), 3) = (&self.turns, *mode) {
            // The players exchange sides: the side to move stays, and the other player moves it.
            moves.insert(((board.clone(), 1 - opener), true, 0));
        }
        if moves.is_empty() { of(true) } else { moves }
    }

    fn of_table(&self, table: &MoveTable, board: &Board, mode: usize) -> Vec<Reply<State>> {
        let mover = self.mover(mode);
        if table.who.side.is_some_and(|side| side != mover) {
            return Vec::new();
        }
        let tries = self.tries(table, board, mover).into_iter();
        let gain = if self.fewest { -table.gains } else { table.gains };
        let follow = |it: Try| -> Vec<Reply<State>> {
            let next = self.next(table, mode, &it);
            let board = if next.is_empty() { None } else { self.finished(table, board, it, mover) };
            board.map_or(Vec::new(), |board| {
                next.into_iter().map(|(mode, turns)| ((board.clone(), mode), turns, gain)).collect()
            })
        };
        tries.flat_map(follow).collect()
    }

    /// The modes to which a move leads, with true if the other player is to move then.
    fn next(&self, table: &MoveTable, mode: usize, it: &Try) -> Vec<(usize, bool)> {
        let again = table.who.again;
        let plain = self.turns.plain();
        let squares = self.squares.all();
        // The mode that a name means in this move.
        let meant = |&(mode, letter): &ModeName| {
            let Some(letter) = letter else { return Some(mode) };
            let square = it.letter(letter)?;
            let number = squares.iter().position(|&at| at == square)?;
            Some(mode + plain * (1 + number))
        };
        match &self.turns {
            Turns::None => vec![(0, !again)],
            Turns::Sides => vec![(if again { mode } else { 1 - mode }, !again)],
            Turns::Swap(opener) => vec![([1, 0, 3, *opener][mode], true)],
            turns => {
                let steps = table.who.steps.iter().filter(|step| meant(&step[0]) == Some(mode));
                let turns_over = |next: usize| match turns {
                    Turns::Table(..) => self.mover(next) != self.mover(mode),
                    _ => !again,
                };
                steps.filter_map(|step| meant(&step[1])).map(|next| (next, turns_over(next))).collect()
            }
        }
    }

    /// The board after `it` and what the keys of every act add, if they allow the move.
    fn finished(&self, table: &MoveTable, before: &Board, mut it: Try, mover: usize) -> Option<Board> {
        if !table.frame.limits.allow(&it.main()) {
            return None;
        }
        self.also(table, &it.arrives).into_iter().for_each(|at| put(&mut it.after, at, 'X'));
        if !table.rests_on.is_empty() {
            let [rested, rests] = [before, &it.after].map(|board| self.resting(board, &table.rests_on));
            rested.difference(&rests).for_each(|&at| put(&mut it.after, at, 'X'));
        }
        if let Some([least, most]) = table.completes {
            let full = |board: &Board, group: &BTreeSet<At>| {
                group.iter().all(|&at| look(board, at) == Some(self.colour(mover)))
            };
            let groups = self.group_sets();
            let count = groups.iter().filter(|group| full(&it.after, group) && !full(before, group)).count() as i32;
            if !(least..=most).contains(&count) {
                return None;
            }
        }
        if table.spares.is_some() {
            let groups = self.group_sets();
            let taken = *it.takes.first()?;
            let colour = look(before, taken)?;
            let is_kept = |at: At| {
                let full = |group: &&BTreeSet<At>| group.iter().all(|&at| look(before, at) == Some(colour));
                groups.iter().filter(full).any(|group| group.contains(&at))
            };
            let all = self.squares.all().into_iter().filter(|&at| look(before, at) == Some(colour));
            if is_kept(taken) && !all.into_iter().all(is_kept) {
                return None;
            }
        }
        Some(it.after)
    }

    /// The free lines from which free lines lead to one of `ground`.
    fn resting(&self, board: &Board, ground: &[i32]) -> BTreeSet<At> {
        let Layout::Between(points) = &self.squares.layout else { return BTreeSet::new() };
        let lines = (0..).zip(points).filter(|&(col, _)| look(board, (0, col)) == Some('.'));
        let lines: Vec<(At, [i32; 2])> = lines.map(|(col, &ends)| ((0, col), ends)).collect();
        let mut reached: BTreeSet<i32> = ground.iter().copied().collect();
        for _ in &lines {
            let touched = lines.iter().filter(|(_, ends)| ends.iter().any(|end| reached.contains(end)));
            let more: Vec<i32> = touched.flat_map(|(_, ends)| *ends).collect();
            reached.extend(more);
        }
        lines.into_iter().filter(|(_, ends)| reached.contains(&ends[0])).map(|line| line.0).collect()
    }

    /// The squares that `also` fills.
    pub(super) fn also(&self, table: &MoveTable, arrives: &[At]) -> Vec<At> {
        let reaches = |way: &str| table.also.contains(&way);
        let is_filled = |from: &At, at: &At| {
            let rows = (reaches("above") || at.0 >= from.0) && (reaches("below") || at.0 <= from.0);
            let cols = (reaches("left") || at.1 >= from.1) && (reaches("right") || at.1 <= from.1);
            rows && cols && !table.also.is_empty()
        };
        self.squares.all().into_iter().filter(|at| arrives.iter().any(|from| is_filled(from, at))).collect()
    }

    /// The different groups.
    fn group_sets(&self) -> &BTreeSet<BTreeSet<At>> {
        self.sets.get_or_init(|| {
            let sets = self.groups.iter().flat_map(|(pattern, frame)| squares_of(&self.squares, pattern, frame));
            sets.map(|squares| squares.into_iter().collect()).collect()
        })
    }
}
