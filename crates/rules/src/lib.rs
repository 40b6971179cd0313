//! A game as data: cells, modes, moves, ends and a start.
//!
//! Everything tablegen solves is a [`Rules`] value. There are no callbacks: the solvers, the table, the probe and the
//! verifiers read these masks and nothing else. A [`RulesSpec`] is the written form. Building it is the only check,
//! so a [`Rules`] value is always sound.
//!
//! In most games each move fills at least one empty cell and empties none. Then every successor of a position has a larger
//! board number, and one pass from the full board down to the empty board labels all positions. In games whose pieces move, a
//! [`Potential`] takes the place of the board number, if there is one.
//!
//! The example is subtraction with one heap of three. The heap is a row of cells filled from the left, and a player who
//! cannot move loses:
//!
//! ```
//! # mod tablegen { pub mod rules { pub use tablegen_rules::*; } }
//! use tablegen::rules::{Board, Move, Outcome, Position, RulesSpec};
//!
//! // Take one or two units:  . . .  ->  X . .  or  X X .
//! let takes = [(0b000, 0b100), (0b000, 0b110), (0b100, 0b010), (0b100, 0b011), (0b110, 0b001)];
//! let rules = RulesSpec {
//!     moves: takes
//!         .map(|(full, fills)| Move { full: Board::from_word(full), ..Move::fill(Board::from_word(fills)) })
//!         .to_vec(),
//!     ..RulesSpec::new("subtraction-3", 3)
//! }
//! .build()?;
//! assert_eq!(rules.moves_from(Position::default()).count(), 2);
//! # Ok::<(), tablegen::rules::RulesError>(())
//! ```

pub mod characters;

mod board;
mod by_mode;
mod cases;
mod count;
mod descriptor;
mod error;
mod lines;
mod outcome;
mod part;
mod phases;
mod play;
mod player;
mod points;
mod position;
mod potential;
pub mod samples;
mod sides;
mod spec;
mod symmetry;
mod take;
mod turn;
mod unreached;

use by_mode::ByMode;
use std::sync::{Arc, OnceLock};

pub use board::Board;
pub use cases::Cases;
pub use count::{Count, CountEnd};
pub use descriptor::Descriptor;
pub use error::RulesError;
pub use lines::Line;
pub use outcome::{Ending, Outcome, Terminal};
pub use part::Part;
pub use phases::Phases;
pub use player::{Player, SweepObstacle};
pub use points::{MOST_IN_BYTE, MOST_POINTS};
pub use position::{End, Mode, Move, Node, Position, Start, Step};
pub use potential::{MOST_LEVELS, Potential};
pub use sides::{NoSides, Sides};
pub use spec::{MAX_CELLS, MAX_COUNTS, MAX_MODES, MAX_MOVES, MAX_NAME, RulesSpec};
pub use symmetry::{NoSymmetry, Symmetry, SymmetryCheck};
pub use take::Take;
use unreached::Unreached;

/// The rules of a two-player game of perfect information in which moves fill cells of a board, and may empty some.
///
/// A value of this type is sound: [`RulesSpec::build`] checks the rules, and nothing changes them afterwards.
#[derive(Clone)]
pub struct Rules {
    spec: RulesSpec,
    moves: ByMode<Move>,
    ends: ByMode<End>,
    sweep_obstacle: Option<SweepObstacle>,
    may_repeat: bool,
    has_otherwise: bool,
    counts_pieces: bool,
    /// Found on first use, because the search may take a while.
    potential: OnceLock<Option<Potential>>,
    phases: OnceLock<Phases>,
    most_points: OnceLock<Option<(u64, u32)>>,
    has_wide_scores: OnceLock<bool>,
    unreached: OnceLock<Option<Arc<Unreached>>>,
}

impl Rules {
    /// The same game with its cells renumbered: `to` maps each set of cells by one permutation. The name, the modes and the order of
    /// the moves do not change; symmetries are left out.
    #[must_use]
    pub fn renumbered(&self, to: impl Fn(Board) -> Board + Copy) -> Self {
        let at = |position: Position| Position::new(position.mode, to(position.board));
        let (moves, ends, spec) = (self.moves().iter(), self.ends().iter(), self.spec());
        let renumbered = Self::from_sound(RulesSpec {
            moves: moves
                .map(|m| Move { empty: to(m.empty), full: to(m.full), fills: to(m.fills), clears: to(m.clears), ..*m })
                .collect(),
            lines: spec.lines.iter().map(|list| list.iter().map(|line| line.moved(to)).collect()).collect(),
            counts: spec.counts.iter().map(|count| count.moved(to)).collect(),
            takes: spec.takes.iter().map(|take| take.moved(to)).collect(),
            count_ends: spec.count_ends.iter().map(|end| end.moved(to)).collect(),
            ends: ends.map(|end| end.moved(to)).collect(),
            start: match self.start() {
                Start::At(position) => Start::At(at(*position)),
                Start::Opening(choices) => Start::Opening(choices.iter().copied().map(at).collect()),
            },
            terminals: spec.terminals.iter().map(|terminal| terminal.moved(to)).collect(),
            symmetries: Vec::new(),
            ..spec.clone()
        });
        if self.counts_points() {
            // The bound may depend on the order of the cells, and tables depend on the bound.
            let _ = renumbered.most_points.set(self.most_points());
        }
        renumbered
    }

    /// Makes rules from a `spec` that the caller knows to be sound.
    pub(crate) fn from_sound(spec: RulesSpec) -> Self {
        let modes = spec.modes.len();
        let (moves, ends) = (ByMode::new(&spec.moves, modes, |m| m.mode), ByMode::new(&spec.ends, modes, |e| e.mode));
        let sweep_obstacle = SweepObstacle::of(&spec);
        let has_otherwise = spec.moves.iter().any(|m| m.otherwise);
        let clears = |m: &Move| !m.clears.is_empty() || m.lines.is_some() || m.takes.is_some();
        let may_repeat = spec.moves.iter().any(|m| m.is_pass() || clears(m));
        let conditional = spec.moves.iter().any(|m| m.when.is_some() || m.takes.is_some());
        let counts_pieces = conditional || !spec.count_ends.is_empty();
        let (potential, phases) = (OnceLock::new(), OnceLock::new());
        let (most_points, has_wide_scores, unreached) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self {
            spec,
            moves,
            ends,
            sweep_obstacle,
            may_repeat,
            has_otherwise,
            counts_pieces,
            potential,
            phases,
            most_points,
            has_wide_scores,
            unreached,
        }
    }

    /// The specification that these rules were built from.
    #[must_use]
    pub const fn spec(&self) -> &RulesSpec {
        &self.spec
    }

    /// The specification without its symmetries, for a caller who changes the rules: a change may break a symmetry.
    #[must_use]
    pub fn into_spec(self) -> RulesSpec {
        RulesSpec { symmetries: Vec::new(), ..self.spec }
    }

    /// Canonical name; it also names the table's file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Cells of the board, 1 to 128.
    #[must_use]
    pub const fn cells(&self) -> u32 {
        self.spec.cells
    }

    /// Names of the control states, at least one. [`Mode`] is an index into them.
    #[must_use]
    pub fn modes(&self) -> &[String] {
        &self.spec.modes
    }

    /// Every move, in the game's own order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.spec.moves
    }

    /// Patterns that end the game; the first that matches decides.
    #[must_use]
    pub fn ends(&self) -> &[End] {
        &self.spec.ends
    }

    /// The outcome for a player without a move.
    #[must_use]
    pub const fn terminal(&self) -> Outcome {
        self.spec.terminal
    }

    /// The outcome for a player without a move in `mode`.
    #[must_use]
    #[inline]
    pub fn terminal_in(&self, mode: Mode) -> Terminal {
        self.spec.terminals.get(usize::from(mode.0)).copied().unwrap_or(Terminal::Always(self.spec.terminal))
    }

    /// The outcome for a player without a move in each mode.
    pub fn terminals(&self) -> impl Iterator<Item = Terminal> + '_ {
        (0..self.spec.modes.len() as u16).map(|mode| self.terminal_in(Mode(mode)))
    }

    /// Returns whether numbers of pieces matter: they make moves legal or end the game, or a filled line takes a piece in the same ply. Only
    /// the solver by regions and searches know such rules.
    #[must_use]
    pub const fn counts_pieces(&self) -> bool {
        self.counts_pieces
    }

    /// Returns whether some move is legal only if no other move is ([`Move::otherwise`]).
    #[must_use]
    #[inline]
    pub const fn has_otherwise(&self) -> bool {
        self.has_otherwise
    }

    /// The player to move in `mode`; `None` if the players move in turn, whatever the modes are.
    #[must_use]
    pub fn player(&self, mode: Mode) -> Option<Player> {
        self.spec.player(mode)
    }

    /// Why no sweep of all boards solves these rules; `None` if a sweep solves them.
    #[must_use]
    pub const fn sweep_obstacle(&self) -> Option<SweepObstacle> {
        self.sweep_obstacle
    }

    /// Weights whose sum every move raises, so that no position repeats. `None` if no weights were found; then positions may repeat. If no move empties a cell, the sum is the number of filled cells.
    #[must_use]
    pub fn potential(&self) -> Option<&Potential> {
        self.potential.get_or_init(|| Potential::find(self)).as_ref()
    }

    /// In which modes positions may repeat.
    #[must_use]
    pub fn phases(&self) -> &Phases {
        self.phases.get_or_init(|| Phases::of(self))
    }

    /// Returns whether moves empty cells.
    #[must_use]
    pub fn clears(&self) -> bool {
        self.sweep_obstacle == Some(SweepObstacle::Clears)
    }

    /// Returns whether moves empty cells or are passes. In other games no position repeats. In these games, positions repeat unless
    /// there is a [`potential`](Self::potential).
    #[must_use]
    pub const fn may_repeat(&self) -> bool {
        self.may_repeat
    }

    /// The start: a position, or the first player's choice of one.
    #[must_use]
    pub const fn start(&self) -> &Start {
        &self.spec.start
    }

    /// Symmetries that the game's author knows; they may be generators only.
    #[must_use]
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.spec.symmetries
    }

    /// The check for symmetries of these rules that also map `roots` to each other.
    #[must_use]
    pub fn symmetry_check(&self, roots: &[Position]) -> SymmetryCheck<'_> {
        SymmetryCheck::new(&self.spec, roots)
    }

    /// The moves of `mode`, in the game's own order.
    ///
    /// # Panics
    /// If the rules lack that mode.
    #[must_use]
    #[inline]
    pub fn moves_of(&self, mode: Mode) -> &[Move] {
        self.moves.of(&self.spec.moves, mode)
    }

    /// The patterns that end the game in `mode`, in their order.
    ///
    /// # Panics
    /// If the rules lack that mode.
    #[must_use]
    #[inline]
    pub fn ends_of(&self, mode: Mode) -> &[End] {
        self.ends.of(&self.spec.ends, mode)
    }

    /// The number of pairs of a mode and a board: a dense table has a label for each. `u128::MAX` stands for larger numbers.
    #[must_use]
    pub const fn positions(&self) -> u128 {
        let modes = self.spec.modes.len() as u128;
        if modes.leading_zeros() < self.spec.cells { u128::MAX } else { modes << self.spec.cells }
    }

    /// Returns whether play can end in a draw: by a terminal pattern, for a player without a move, or because gains and points at the end
    /// cancel each other.
    #[must_use]
    pub fn can_draw(&self) -> bool {
        self.has_gains()
            || self.terminals().any(Terminal::can_draw)
            || self.spec.ends.iter().any(|end| end.outcome.can_draw())
            || self.spec.count_ends.iter().any(|end| end.outcome == Outcome::Draw)
    }

    /// The node at which the game begins.
    #[must_use]
    pub const fn start_node(&self) -> Node {
        match self.spec.start {
            Start::At(position) => Node::At(position),
            Start::Opening(_) => Node::Opening,
        }
    }

    /// The start, or every choice of the opening: sorted and without duplicates.
    #[must_use]
    pub fn start_positions(&self) -> Vec<Position> {
        let mut positions = match &self.spec.start {
            Start::At(position) => vec![*position],
            Start::Opening(choices) => choices.clone(),
        };
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The starts and `roots` together: sorted and without duplicates.
    #[must_use]
    pub fn starts_and(&self, roots: &[Position]) -> Vec<Position> {
        let mut all = [self.start_positions().as_slice(), roots].concat();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The name of `mode`, or `None` in a game that has only one mode, which needs no name.
    #[must_use]
    pub fn mode_name(&self, mode: Mode) -> Option<&str> {
        if self.spec.modes.len() == 1 { None } else { self.spec.modes.get(usize::from(mode.0)).map(String::as_str) }
    }

    /// Returns whether the mode and the board of `position` exist in these rules.
    #[must_use]
    #[inline]
    pub const fn has(&self, position: Position) -> bool {
        (position.mode.0 as usize) < self.spec.modes.len() && Board::full(self.spec.cells).contains(position.board)
    }
}

impl PartialEq for Rules {
    /// Returns whether the games are the same. Symmetries are not compared, because they follow from the rest.
    fn eq(&self, other: &Self) -> bool {
        self.spec.same_game(&other.spec)
    }
}

impl Eq for Rules {}

impl std::hash::Hash for Rules {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.spec.name.hash(state);
        self.spec.moves.hash(state);
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two modes, a line and a pattern.
    fn spec() -> RulesSpec {
        let mark = Move { next: Mode(1), lines: Some(0), ..Move::fill(Board::bit(0)) };
        let line = Line { empty: Board::bit(1), full: Board::bit(2), fills: Board::bit(1), clears: Board::bit(2) };
        RulesSpec {
            modes: vec!["a".into(), "b".into()],
            moves: vec![mark],
            lines: vec![vec![line]],
            ends: vec![End {
                mode: Mode(0),
                pattern: Board::bit(3),
                outcome: Outcome::Win.into(),
                empty: Board::EMPTY,
            }],
            terminals: vec![Terminal::Always(Outcome::Loss); 2],
            players: vec![Player::First, Player::Second],
            ..RulesSpec::new("game", 4)
        }
    }

    #[test]
    fn rules_are_equal_if_every_part_is() {
        let rules = spec().build().unwrap();
        assert_eq!(rules, spec().build().unwrap());
        let changes: [fn(&mut RulesSpec); 10] = [
            |it| it.name.push('s'),
            |it| it.cells += 1,
            |it| it.terminal = Outcome::Draw,
            |it| it.terminals[1] = Terminal::Always(Outcome::Win),
            |it| it.players.reverse(),
            |it| it.moves[0].fills |= Board::bit(1),
            |it| it.lines[0][0].full |= Board::bit(3),
            |it| it.ends.clear(),
            |it| it.modes[1] = "c".into(),
            |it| it.start = Start::At(Position::new(Mode(1), Board::EMPTY)),
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut spec = spec();
            change(&mut spec);
            assert_ne!(spec.build().unwrap(), rules, "{number}");
        }
        let state = std::hash::RandomState::new();
        let hashed = |rules: &Rules| std::hash::BuildHasher::hash_one(&state, rules);
        assert_eq!(hashed(&rules), hashed(&spec().build().unwrap()));
        assert_ne!(hashed(&rules), hashed(&RulesSpec::new("other", 4).build().unwrap()));
        assert!(format!("{rules:?}").contains("game"));
    }

    #[test]
    fn positions_outside_the_rules_are_told_apart() {
        let rules = spec().build().unwrap();
        let has = |mode, board| rules.has(Position::new(Mode(mode), Board::from_word(board)));
        assert_eq!([has(0, 0), has(1, 0b1111), has(2, 0), has(0, 0b10000)], [true, true, false, false]);
        assert_eq!([0, 1, 2].map(|mode| rules.mode_name(Mode(mode))), [Some("a"), Some("b"), None]);
        assert!(rules.may_repeat() && rules.sweep_obstacle() == Some(SweepObstacle::Clears));
        let plain = RulesSpec::new("plain", 1).build().unwrap();
        assert_eq!((plain.mode_name(Mode(0)), plain.may_repeat(), plain.sweep_obstacle()), (None, false, None));
    }

    #[test]
    fn positions_and_draws_are_counted_and_found() {
        let of = |cells, modes: u16| {
            let modes = (0..modes).map(|mode| mode.to_string()).collect();
            RulesSpec { modes, ..RulesSpec::new("r", cells) }.build().unwrap().positions()
        };
        assert_eq!([of(3, 5), of(127, 1), of(126, 3)], [40, 1 << 127, 3 << 126]);
        assert_eq!([of(128, 1), of(127, 2)], [u128::MAX; 2]);
        let can_draw = |outcome, terminal| {
            let ends = vec![End {
                mode: Mode(0),
                pattern: Board::bit(0),
                outcome: Terminal::Always(outcome),
                empty: Board::EMPTY,
            }];
            RulesSpec { ends, terminal, ..RulesSpec::new("r", 2) }.build().unwrap().can_draw()
        };
        assert!(!can_draw(Outcome::Win, Outcome::Loss) && can_draw(Outcome::Draw, Outcome::Loss));
        assert!(can_draw(Outcome::Win, Outcome::Draw));
    }

    #[test]
    fn games_are_over_without_a_move_or_at_a_pattern() {
        let ends =
            vec![End { mode: Mode(0), pattern: Board::bit(1), outcome: Outcome::Win.into(), empty: Board::EMPTY }];
        let moves = vec![Move::fill(Board::bit(0))];
        let rules = RulesSpec { ends, moves, ..RulesSpec::new("r", 2) }.build().unwrap();
        let is_over = |board| rules.is_over(Position::of(Board::from_word(board)));
        assert_eq!([0b00, 0b01, 0b10].map(is_over), [false, true, true]);
    }
}
