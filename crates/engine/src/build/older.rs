//! The labels that a build keeps of the table that it replaces.

use crate::EngineError;
use crate::build::plan::Plan;
use crate::plan::cost::SolverTraits;
use crate::roots::{marks_boards, roots};
use tablegen_games::Game;
use tablegen_index::domain::Domain;
use tablegen_labels::LabelSet;
use tablegen_solvers::{Options, Phase, SolveError, Watch};
use tablegen_tables::table::{Extended, Table};
use tablegen_tables::verify::{self, Finding};
use tablegen_work::progress::Meter;

/// The reason why a table could not be extended.
pub(crate) enum NotExtended {
    /// The table is damaged. Everything can still be solved from scratch.
    Damaged(String),
    /// Solving failed.
    Failed(EngineError),
}

/// The labels of `table` that a build of `game` in its place keeps: all that the game has.
pub(crate) fn labels_kept(table: &Table, game: &dyn Game) -> LabelSet {
    table.labels().intersection(game.labels())
}

/// The number of reachable positions recorded in `table`, if it used the same starts as a build of `game` would.
pub(crate) fn reached(table: &Table, game: &dyn Game) -> Option<u64> {
    let domain = table.domain();
    let starts = match domain {
        // Boards that play cannot reach are counted as well.
        Domain::Regions { .. } => return None,
        Domain::Sparse { .. } => roots(game),
        Domain::Dense { .. } | Domain::Coloured(_) => game.rules().starts_and(&game.roots()),
    };
    (domain.starts() == starts).then(|| table.counts().total())
}

impl Plan<'_> {
    /// True if `table`, of the rules of the game, lacks only labels compared with this build. If the build compresses the
    /// table anew or adds values, no label need be missing.
    pub(crate) fn only_adds_to(&self, table: &Table) -> bool {
        let (game, domain) = (self.game.as_ref(), table.domain());
        let is_alike = match domain {
            // Without reachability bits there are no starts to compare.
            Domain::Dense { fold: Some(_), .. } => false,
            Domain::Dense { starts, .. } if starts.is_empty() => !marks_boards(game),
            Domain::Dense { .. } => marks_boards(game) && reached(table, game).is_some(),
            Domain::Coloured(frame) => frame.fold().is_none() && reached(table, game).is_some(),
            Domain::Sparse { .. } => domain.group() == &self.group && reached(table, game).is_some(),
            Domain::Regions { starts, .. } => domain.group() == &self.group && *starts == roots(game),
        };
        let (lacks, method) = (self.labels != table.labels(), self.choice.method);
        let rewrites = self.options.compress.recompresses(table) || self.values && table.values().is_none();
        let can_add = !lacks || SolverTraits::of(method).adds_labels;
        let has_all = self.labels.intersection(table.labels()) == table.labels();
        is_alike && domain.method() == method && can_add && (rewrites || lacks) && has_all
    }
}

/// Checks every byte of `table`, and solves those labels of `options` that it lacks.
pub(crate) fn extend(table: Table, options: &Options<'_>) -> Result<Extended, NotExtended> {
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
