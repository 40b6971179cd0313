//! The P-positions of a table, in pieces: positions that the player to move loses, so that the previous player wins.

use super::{EngineError, Source};
use tablegen_index::contents::{ScanCursor, Wanted};
use tablegen_labels::Label;
use tablegen_rules::{Outcome, Position};

/// A position in the list of P-positions; the default is the beginning.
#[derive(Debug, Default)]
pub struct LossCursor(ScanCursor);

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
        let game = self.game();
        let table = self.table().ok_or_else(|| EngineError::Missing { name: game.rules().name().into() })?;
        let contents = table.contents();
        if cursor.0.is_at_start() {
            table.check_label(Outcome::KIND).map_err(EngineError::Read)?;
            table.check_reachability().map_err(EngineError::Read)?;
        }
        // Play reaches only positions of the game.
        let has_others = contents.every_board().is_some();
        let is_proper = |at: &Position| !has_others || game.of_number("", Some(at.mode), at.board).is_ok();
        let losses = contents.scan(&mut cursor.0, Wanted::default(), |piece| {
            piece.with_outcome(Outcome::Loss).filter(is_proper).collect::<Vec<Position>>()
        });
        let losses = losses.map_err(|fault| EngineError::damaged(table, fault))?;
        Ok(losses.map(|losses| losses.concat()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, SolveOptions, TableDirs, UseSymmetry, game};
    use tablegen_games::Parameters;
    use tablegen_solvers::Method;

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
