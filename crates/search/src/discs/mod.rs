//! A strong search for games in which lines of pieces turn over and pieces are counted at the end.
//!
//! The kind of game is read from the masks of the rules ([`kind`]). Boards are two words, with one bit for each square. Scores and outcomes are
//! exact.

mod cells;
mod descent;
mod flips;
mod kind;
mod last;
mod listed;
mod root;
mod stable;
mod table;
#[cfg(test)]
mod tests;

use descent::Shared;
use flips::Lines;
use kind::Kind;
use root::{Ask, Best, Found};
use stable::Stable;
use table::Table;
use tablegen_labels::Value;
use tablegen_simd::VectorUnit;

use super::Wanted;
use super::outcome::Effort;
use crate::rules::{Outcome, Position, Rules};

/// What the search knows of a game.
struct Game {
    lines: Lines,
    stable: Option<Stable>,
    /// All squares.
    all: u64,
    /// The squares on which no piece can turn over.
    corners: u64,
    counted: u64,
    more_is_better: bool,
    passes: bool,
}

/// The search of one game.
pub(crate) struct Discs {
    kind: Kind,
    game: Game,
    table: Table,
    /// The instructions that the search uses.
    unit: VectorUnit,
    threads: usize,
    best: Option<Position>,
}

impl Game {
    fn new(kind: &Kind) -> Self {
        let lines = Lines::new(kind);
        let all = u64::MAX >> (64 - kind.squares());
        // A ray turns over all its pieces but the last.
        let turned = kind.rays.iter().flatten().flatten().flat_map(|ray| &ray[..ray.len() - 1]);
        let corners = turned.fold(all, |corners, &square| corners & !(1 << square));
        let stable = lines.shifts().and_then(Stable::new);
        let Kind { counted, more_is_better, passes, .. } = *kind;
        Self { lines, stable, all, corners, counted, more_is_better, passes }
    }

    /// The squares among `free` that lie in regions with an odd number of squares.
    #[inline(always)]
    fn odd_regions(&self, free: u64) -> u64 {
        let (mut rest, mut odd) = (free, 0);
        while rest != 0 {
            let mut region = rest & rest.wrapping_neg();
            let mut border = region;
            while border != 0 {
                let square = border.trailing_zeros();
                let found = self.lines.beside[square as usize & 63] & rest & !region;
                region |= found;
                border = border & (border - 1) | found;
            }
            rest &= !region;
            if region.count_ones() & 1 == 1 {
                odd |= region;
            }
        }
        odd
    }
}

impl Discs {
    /// A search of `rules` with a transposition table of at most `bytes` bytes; `None` if they are of another kind, or if `bytes` are too few.
    pub(crate) fn new(rules: &Rules, bytes: usize) -> Option<Self> {
        let kind = Kind::of(rules)?;
        let (game, table) = (Game::new(&kind), Table::new(bytes)?);
        Some(Self { kind, game, table, unit: VectorUnit::best(), threads: 1, best: None })
    }

    pub(crate) const fn set_threads(&mut self, threads: usize) {
        self.threads = if threads == 0 { 1 } else { threads };
    }

    /// Returns whether the search can find what is `wanted`.
    pub(crate) const fn offers(&self, wanted: Wanted) -> bool {
        matches!(wanted, Wanted::Outcome | Wanted::Score)
    }

    /// Returns whether the search can answer `position`: no square has a piece of both colours.
    pub(crate) fn answers(&self, position: Position) -> bool {
        self.kind.discs(position).is_some()
    }

    /// The best move of the position that was asked last: the position that it leads to. `None` if the game is over there.
    pub(crate) const fn best(&self) -> Option<Position> {
        self.best
    }

    /// The value of `position`. `None` if the search does not [answer](Self::answers) it, if `effort` reaches `end` first, or if `continues`
    /// returns `false`.
    pub(crate) fn value(
        &mut self,
        position: Position,
        wanted: Wanted,
        continues: Option<&mut dyn FnMut(u64) -> bool>,
        effort: &mut Effort,
        end: Effort,
    ) -> Option<Value> {
        self.best = None;
        let discs = self.kind.discs(position)?;
        let free = (self.game.lines.places & !(discs.own | discs.other)).count_ones();
        let limit = end.expanded.saturating_sub(effort.expanded).max(1).ilog2() + 1;
        self.table.reserve(log_buckets(free).min(limit));
        self.table.share(self.threads > 1);
        let Self { game, table, unit, threads, .. } = self;
        let shared = Shared::default();
        let continues = continues.map(|it| it as &mut dyn FnMut(u64) -> bool);
        let ask =
            Ask { game, table, shared: &shared, threads: *threads, discs, wanted, continues, effort: *effort, end };
        let (found, spent) = unit.run_on_words(ask);
        *effort = spent;
        let Found { score, best } = found?;
        self.best = best.and_then(|best| match best {
            Best::Pass => self.kind.passed(position),
            Best::Put { own, other } => Some(self.kind.after(position, own, other)),
        });
        let value = Value::from(Outcome::of_points(score));
        Some(if wanted == Wanted::Score { value.with_score(score) } else { value })
    }
}

/// The logarithm of the number of buckets for a search of a position with `free` free squares.
const fn log_buckets(free: u32) -> u32 {
    if free <= 8 { 1 } else { 2 + (free - 8) * 3 / 2 }
}
