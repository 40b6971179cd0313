//! What the other ranks do for rank 0.

use super::order::Order;
use super::planes::Planes;
use super::regions::Regions;
use super::symmetry::{Care, group};
use super::team::{Team, TeamError};
use super::{BuildOptions, Engine, EngineError, UseSymmetry};
use crate::cluster::{Lost, Mail};
use crate::game::Game;

impl Engine {
    /// Does what rank 0 orders, until it ends the job. Returns the status with which it does.
    ///
    /// # Errors
    /// If this rank cannot go on.
    pub fn help(&self, game: &dyn Game, options: &BuildOptions) -> Result<u8, EngineError> {
        let Some(team) = &self.team else { return Ok(0) };
        loop {
            let letter = match team.cluster.wait(Mail::Order) {
                Ok((_, letter)) => letter,
                Err(Lost::Ended { status }) => return Ok(status),
                Err(lost) => return Err(TeamError::from(lost).into()),
            };
            let lost = || TeamError::from(Lost::Transport("rank 0 wants something unknown".into()));
            let order = Order::of(&letter[1..]).ok_or_else(lost)?;
            let helped = self.help_once(team, game, options, &order);
            // Whatever this rank makes of it: why the job ends is known better elsewhere.
            match (helped, team.cluster.lost()) {
                (_, Some(Lost::Ended { status })) => return Ok(status),
                (Err(_), Some(lost @ Lost::Failed { .. })) => return Err(TeamError::from(lost).into()),
                (helped, _) => helped?,
            }
        }
    }

    fn help_once(
        &self,
        team: &Team,
        game: &dyn Game,
        options: &BuildOptions,
        order: &Order,
    ) -> Result<(), EngineError> {
        self.start_threads()?;
        let asked = |folds| if folds { UseSymmetry::Always } else { UseSymmetry::Never };
        match order {
            Order::Regions(order) => {
                let planes = Planes::of(game, order.method)?;
                let planes =
                    planes.map(|planes| planes.folded(asked(order.folds), order.labels, Care::Build)).transpose()?;
                let planes = planes.ok_or_else(|| TeamError::from(Lost::Transport("no planes to sweep".into())))?;
                let regions = Regions::of_order(game, order, &planes, team)?;
                regions.help(game, order, self.kernel, options.scratch.as_deref(), team)
            }
            Order::Positions { labels, folds } => {
                let group = group(game, asked(*folds))?;
                team.solve_positions(game, group.as_ref(), *labels, None, None)?;
                Ok(())
            }
        }
    }
}
