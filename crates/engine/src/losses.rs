//! The P-positions of a table, in pieces: positions that the player to move loses, so that the previous player wins.

use rayon::prelude::*;

use super::by_board::{Boards, ByBoard};
use super::{EngineError, Source};
use tablegen_games::Game;
use tablegen_index::contents::{Contents, LabelFault};
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelKind;
use tablegen_rules::{Board, Mode, Outcome, Position};
use tablegen_tables::table::TableFault;

/// Positions to examine in one step, in tables that are not read in pieces of boards. Under symmetry, all positions of
/// the classes are counted.
const STEP: u64 = 1 << 16;

/// A position in the list of P-positions; the default is the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LossCursor {
    /// The mode, in a dense table.
    mode: u16,
    /// The next board, or the next rank.
    next: u64,
}

impl Source {
    /// The next P-positions from `cursor` on, possibly none; `None` after the last. Works on all cores of the current
    /// rayon pool.
    ///
    /// A dense table is read by mode and board number. It skips boards that are not positions of the game and, with
    /// reachability bits, unreachable ones. In other tables the reachable positions are read in the order in which they
    /// are stored. Under symmetry, all positions of each class are returned.
    ///
    /// # Errors
    /// If there is no table, or it is damaged.
    pub fn losses_from(&self, cursor: &mut LossCursor) -> Result<Option<Vec<Position>>, EngineError> {
        let table = self.table().ok_or_else(|| EngineError::Missing { name: self.game().rules().name().into() })?;
        if *cursor == LossCursor::default() {
            table.check_label(LabelKind::Outcome).map_err(EngineError::Read)?;
            table.check_reachability().map_err(EngineError::Read)?;
        }
        let contents = table.contents();
        let found = match Boards::of(contents) {
            Some(boards) => by_board(self.game(), boards, contents, cursor),
            None => by_rank(contents, cursor),
        };
        found.map_err(|fault| EngineError::damaged(table, TableFault::Labels(fault)))
    }
}

fn by_board(
    game: &dyn Game,
    boards: Boards<'_>,
    contents: Contents<'_>,
    cursor: &mut LossCursor,
) -> Result<Option<Vec<Position>>, LabelFault> {
    if u32::from(cursor.mode) >= boards.modes() {
        return Ok(None);
    }
    let labels = ByBoard::new(boards, LabelKind::Outcome);
    let reader = labels.unwrap_or_else(|_| unreachable!("every table holds outcomes"));
    let (mode, first) = (Mode(cursor.mode), cursor.next);
    let mut outcomes = vec![0; reader.piece()];
    reader.read(mode, first, &mut outcomes)?;
    let is_loss = |&(_, &outcome): &(u64, &u8)| outcome == super::numbers::of_outcome(Outcome::Loss);
    let losses =
        (first..).zip(&outcomes).filter(is_loss).map(|(board, _)| Position::new(mode, Board::from_word(board)));
    let is_proper = |at: &Position| game.of_number("", Some(at.mode), at.board).is_ok();
    let mut found = Vec::new();
    for at in losses.filter(is_proper) {
        if contents.is_counted(at)? {
            found.push(at);
        }
    }
    cursor.next += outcomes.len() as u64;
    if cursor.next >= boards.boards() {
        (cursor.mode, cursor.next) = (cursor.mode + 1, 0);
    }
    Ok(Some(found))
}

fn by_rank(contents: Contents<'_>, cursor: &mut LossCursor) -> Result<Option<Vec<Position>>, LabelFault> {
    let group = match contents {
        Contents::Sparse(sparse) => sparse.group(),
        Contents::Dense(_) | Contents::Coloured(_) => Group::trivial(),
    };
    let step = STEP / group.order().clamp(1, STEP);
    let end = contents.count().min(cursor.next + step);
    if cursor.next >= end {
        return Ok(None);
    }
    let loss = |rank: u64| {
        let position = contents.unrank(rank)?;
        let is_loss = contents.is_counted(position)? && contents.outcome(position)? == Some(Outcome::Loss);
        Ok(if is_loss { group.images(position) } else { Vec::new() })
    };
    let found: Result<Vec<Vec<Position>>, LabelFault> = (cursor.next..end).into_par_iter().map(loss).collect();
    cursor.next = end;
    Ok(Some(found?.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, SolveOptions, TableDirs, UseSymmetry, game};
    use tablegen_games::Parameters;
    use tablegen_solve::Method;

    #[test]
    fn losses_match_the_counts() {
        let small = Parameters::new().with("rows", 3).with("cols", 3);
        let cases = [
            ("domineering", small.clone(), Method::Dense, UseSymmetry::Auto),
            ("cram", small.clone(), Method::Sparse, UseSymmetry::Never),
            ("cram", small.clone(), Method::Sparse, UseSymmetry::Auto),
            ("mnk", small.clone(), Method::Coloured, UseSymmetry::Auto),
            ("mnk", small, Method::Sparse, UseSymmetry::Auto),
        ];
        for (name, parameters, method, symmetry) in cases {
            let options = SolveOptions { method: Some(method), symmetry, ..SolveOptions::default() };
            let engine = Engine::new(TableDirs::none());
            let source = engine.solve_in_memory(game(name, &parameters).unwrap(), &options, None).unwrap();
            let (table, mut cursor, mut all) = (source.table().unwrap(), LossCursor::default(), Vec::new());
            while let Some(losses) = source.losses_from(&mut cursor).unwrap() {
                all.extend(losses);
            }
            assert_eq!(all.len() as u64, table.counts().loss, "{name} {method:?}");
            assert!(all.iter().all(|&at| table.find(at).unwrap() == Some(Outcome::Loss)), "{name} {method:?}");
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len() as u64, table.counts().loss, "{name} {method:?}");
        }
    }
}
