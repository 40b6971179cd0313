//! The solver for a game in which positions may repeat: by regions, or by keys where play reaches few of the boards.

use crate::plan::choice::{Choice, within_limit};
use crate::plan::memory_budget::room_left;
use crate::plan::regions::{RegionPlan, region_group};
use crate::roots::roots;
use crate::{Engine, EngineError, UseSymmetry};
use tablegen_games::Game;
use tablegen_solvers::{Method, Options, Watch, count_reachable};

/// Up to this many numbers, a table by regions takes at most some 10 MiB and a few seconds, so positions are not counted.
const FEW: u64 = 1 << 23;
/// Boards for each reachable position, beyond which keys take less time and room.
const SPARSE: u64 = 64;
/// The most positions that are counted. If there are more, keys take seconds, too.
const COUNTED: u64 = 1 << 20;

impl Engine {
    /// The solver for `game`, whose positions may repeat, if the user asks for none.
    ///
    /// # Errors
    /// If counting fails for lack of memory or threads, or the work is stopped.
    pub(crate) fn choose_for_repeating(
        &self,
        game: &dyn Game,
        progress: Option<Watch<'_>>,
    ) -> Result<Choice, EngineError> {
        let chosen = |method, reason: &str| Choice { method, reason: reason.into(), figures: None };
        let Ok(plan) = RegionPlan::new(game, &region_group(game, UseSymmetry::Auto)?) else {
            return Ok(chosen(Method::Cyclic, "positions may repeat, and the board has no regions"));
        };
        if plan.regions().numbers() > FEW {
            self.start_threads()?;
            let (roots, room) = (roots(game), room_left(None));
            let boards: u64 = plan.regions().boards_by_mode(game.rules().modes().len()).iter().sum();
            let max_positions = Some((boards / SPARSE).min(COUNTED));
            let options = Options { roots: &roots, max_positions, room: Some(&room), progress, ..Options::default() };
            if within_limit(count_reachable(game.rules(), &options))?.is_some() {
                return Ok(chosen(Method::Cyclic, "positions may repeat, and play reaches few of the boards"));
            }
        }
        Ok(chosen(Method::Regions, "positions may repeat"))
    }
}
