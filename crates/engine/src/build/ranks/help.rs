//! The work of the ranks other than rank 0.

use super::order::Order;
use super::team::{Team, TeamError};
use crate::plan::options::SolverRun;
use crate::plan::sweep::SweepPlan;
use crate::plan::symmetry::group;
use crate::{BuildOptions, Engine, EngineError, UseSymmetry};
use tablegen_games::Game;
use tablegen_ranks::{ClusterError, MessageKind};

impl Engine {
    /// Executes the orders of rank 0 until it ends the job. Returns the exit status that rank 0 gives.
    ///
    /// # Errors
    /// If this rank fails.
    pub fn help(&self, game: &dyn Game, options: &BuildOptions) -> Result<u8, EngineError> {
        let Some(team) = &self.team else { return Ok(0) };
        loop {
            let message = match team.cluster.wait(MessageKind::Order) {
                Ok((_, message)) => message,
                Err(ClusterError::Ended { status }) => return Ok(status),
                Err(error) => return Err(TeamError::from(error).into()),
            };
            let unknown = || TeamError::from(ClusterError::Transport("rank 0 sent an unknown order".into()));
            let order = Order::decode(&message[1..]).ok_or_else(unknown)?;
            let done = self.execute(team, game, options, &order);
            // If another rank has failed, its error is the cause, and this rank's error a consequence.
            match (done, team.cluster.error()) {
                (_, Some(ClusterError::Ended { status })) => return Ok(status),
                (Err(_), Some(error @ ClusterError::Failed { .. })) => return Err(TeamError::from(error).into()),
                (done, _) => done?,
            }
        }
    }

    /// Executes one order.
    fn execute(&self, team: &Team, game: &dyn Game, options: &BuildOptions, order: &Order) -> Result<(), EngineError> {
        self.start_threads()?;
        match order {
            Order::Slices(order) => {
                let unswept =
                    || ClusterError::Transport("rank 0 ordered a sweep of a game that cannot be swept".into());
                let sweep = SweepPlan::of_order(game, order)?.ok_or_else(|| TeamError::from(unswept()))?;
                team.help_sweep(&sweep, order, self.kernel, options.scratch.as_deref())
            }
            Order::Positions { labels, folds } => {
                let asked = if *folds { UseSymmetry::Always } else { UseSymmetry::Never };
                let group = group(game, asked)?;
                team.solve_positions(&SolverRun::of_reachable(self, game, &group, *labels), None)?;
                Ok(())
            }
        }
    }
}
