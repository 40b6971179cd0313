//! The labels that a build keeps of the table that it replaces.

use super::EngineError;
use super::roots::{marks_boards, roots};
use tablegen_core::contents::{Coloured, Contents, Dense};
use tablegen_core::label::LabelSet;
use tablegen_core::progress::Meter;
use tablegen_core::symmetry::Group;
use tablegen_games::Game;
use tablegen_solve::{Method, Options, Phase, SolveError, Watch};
use tablegen_tables::table::{Extended, Table};
use tablegen_tables::verify::{self, Finding};

/// The reason why a table could not be extended.
pub(super) enum NotExtended {
    /// The table is damaged. Everything can still be solved from scratch.
    Damaged(String),
    /// Solving failed.
    Failed(EngineError),
}

/// The labels of `table` that a build of `game` in its place keeps: all that the game has.
pub(super) fn labels_kept(table: &Table, game: &dyn Game) -> LabelSet {
    table.labels().intersection(game.labels())
}

/// The number of reachable positions recorded in `table`, if it used the same roots as a build of `game` would.
pub(super) fn reached(table: &Table, game: &dyn Game) -> Option<u64> {
    match table.contents() {
        Contents::Sparse(sparse) if sparse.roots() == roots(game) => Some(table.counts().total()),
        Contents::Coloured(coloured) if is_followed_from(coloured, game) => Some(table.counts().total()),
        Contents::Coloured(_) => None,
        Contents::Dense(dense) if dense.reach().is_some() && is_marked_alike(dense, game) => {
            Some(table.counts().total())
        }
        Contents::Folded(folded)
            if folded.roots().is_some_and(|roots| roots == game.rules().starts_and(&game.roots())) =>
        {
            Some(table.counts().total())
        }
        Contents::Sparse(_) | Contents::Dense(_) | Contents::Folded(_) => None,
    }
}

/// True if the reachability bits of `coloured` have the roots that a build of `game` would use.
fn is_followed_from(coloured: Coloured<'_>, game: &dyn Game) -> bool {
    coloured.frame().roots() == game.rules().starts_and(&game.roots())
}

/// True if `dense` has the reachability bits that a build of `game` would make, with the same roots or none at all.
fn is_marked_alike(dense: Dense<'_>, game: &dyn Game) -> bool {
    let roots = marks_boards(game.rules()).then(|| game.rules().starts_and(&game.roots()));
    dense.reach().map(|reach| reach.roots()) == roots.as_deref()
}

/// True if `table`, of the rules of `game`, lacks only labels compared with a build by `method`, with the symmetries of
/// `group` and with `labels`. If it `recompresses` the table, no label need be missing.
pub(super) fn lacks_labels_alone(
    table: &Table,
    game: &dyn Game,
    (method, group): (Method, Option<&Group>),
    labels: LabelSet,
    recompresses: bool,
) -> bool {
    let is_alike = match method {
        Method::Dense => matches!(table.contents(), Contents::Dense(dense) if is_marked_alike(dense, game)),
        Method::Sparse | Method::Cyclic => {
            let is_alike = matches!(table.contents(), Contents::Sparse(sparse) if sparse.group() == group);
            is_alike && reached(table, game).is_some()
        }
        Method::Coloured => {
            let is_alike =
                |coloured: Coloured<'_>| coloured.frame().fold().is_none() && is_followed_from(coloured, game);
            matches!(table.contents(), Contents::Coloured(coloured) if is_alike(coloured))
        }
    };
    is_alike && (recompresses || labels != table.labels()) && labels.intersection(table.labels()) == table.labels()
}

/// Checks every byte of `table`, and solves those labels of `options` that it lacks.
pub(super) fn extend(table: Table, options: &Options<'_>) -> Result<Extended, NotExtended> {
    match check(&table, options.progress) {
        Ok(()) => {}
        Err(Finding::Cancelled) => return Err(NotExtended::Failed(SolveError::Cancelled.into())),
        Err(finding) => return Err(NotExtended::Damaged(finding.to_string())),
    }
    table.extended(options).map_err(|error| match error {
        SolveError::Keys => NotExtended::Damaged(error.to_string()),
        error => NotExtended::Failed(error.into()),
    })
}

fn check(table: &Table, progress: Option<Watch<'_>>) -> Result<(), Finding> {
    let mut meter = Meter::new(progress, Phase::Check, Some(table.file_bytes()));
    let tell = |bytes| meter.add(bytes);
    verify::bytes(table, &verify::Options { progress: Some(&tell), ..verify::Options::default() })?;
    if meter.finish().is_break() { Err(Finding::Cancelled) } else { Ok(()) }
}
