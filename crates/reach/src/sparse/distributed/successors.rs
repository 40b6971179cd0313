//! The successors of a round's positions, grouped by the ranks that own them.

use super::Distributed;
use super::partition::write_level;
use crate::parallel;
use crate::reachable::KeyWord;

/// Minimum number of positions of a task.
const TASK: usize = 1 << 10;
/// Tasks of a round for each thread.
const TASKS_PER_THREAD: usize = 4;

/// The number of positions of a task in a round of `count` positions.
pub(super) fn task_size(count: usize) -> usize {
    count.div_ceil(TASKS_PER_THREAD * rayon::current_num_threads()).max(TASK)
}

/// Successors in one level that one rank owns.
#[derive(Clone, Default)]
pub(super) struct Group<P> {
    /// Their codes, with duplicates. In a large level, few positions of a round have a common successor.
    pub(super) codes: Vec<P>,
    /// The move to each successor: the index of the position in its task, and whether the same player moves again.
    pub(super) moves: Vec<(u32, bool)>,
}

/// The successors of a task's positions: a [`Group`] for each rank and each number of levels that a move rises.
pub(super) struct TaskSuccessors<P> {
    /// For a rise by one level, a group for each rank; then for a rise by two levels; and so on.
    pub(super) groups: Vec<Group<P>>,
}

impl<P: KeyWord> Distributed<'_, P> {
    /// The successors of the positions in `round`, task by task.
    pub(super) fn successors(&self, round: &[P]) -> Vec<TaskSuccessors<P>> {
        let ranks = self.ranks.size();
        let of_task = |codes: &[P]| {
            let mut groups = vec![Group::default(); self.span as usize * ranks];
            for (index, &code) in codes.iter().enumerate() {
                self.each_successor(code, |rise, successor, again| {
                    let group: &mut Group<P> = &mut groups[(rise as usize - 1) * ranks + self.owner(successor)];
                    group.codes.push(successor);
                    group.moves.push((index as u32, again));
                });
            }
            TaskSuccessors { groups }
        };
        parallel::map(round.chunks(task_size(round.len())), of_task)
    }

    /// A message for each rank with the successors that it owns, found from `level`. Within a level they are in the order of `tasks`.
    pub(super) fn messages(&self, level: u32, tasks: &[TaskSuccessors<P>]) -> Vec<Vec<u8>> {
        let ranks = self.ranks.size();
        let message = |rank: usize| {
            let mut message = Vec::new();
            for rise in 1..=self.span {
                let group = (rise as usize - 1) * ranks + rank;
                let codes = tasks.iter().flat_map(|task| &task.groups[group].codes);
                write_level(&mut message, level + rise, codes.copied());
            }
            message
        };
        parallel::map(0..ranks, message)
    }

    /// Calls `each` for every move from the position with `code`: with the number of levels that the move rises, the
    /// code of the successor's representative, and whether the same player moves again there.
    fn each_successor(&self, code: P, mut each: impl FnMut(u32, P, bool)) {
        let (mode, board) = self.moves.split(self.codes.key(code));
        let of_mode = self.moves.of(mode);
        if of_mode.ended(board).is_some() {
            return;
        }
        for word in 0..of_mode.words() {
            let mut legal = of_mode.legal(word, board);
            while legal != 0 {
                let number = 64 * word + legal.trailing_zeros() as usize;
                legal &= legal - 1;
                let (key, rise) = of_mode.play(number, board);
                let key = self.moves.representative(self.problem.options.solver.symmetry(), key);
                each(rise, self.codes.code_of_key(key), of_mode.is_again(number));
            }
        }
    }
}
