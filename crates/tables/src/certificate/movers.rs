//! The rules of a certificate: at each position they say who is to move, or the players take turns.
//!
//! In some rules the same player may move again in any mode. Then each mode becomes two, one for each player:
//!
//! ```text
//! modes of the table              0              1
//! modes of the certificate     0     2        1     3
//! player                       1     2        1     2
//! ```

use std::borrow::Cow;

use super::CertificateError;
use crate::rules::{CountEnd, End, Mode, Move, Player, Position, Rules, RulesSpec, Start, Symmetry};

/// The rules that a certificate states.
#[derive(Clone, Debug)]
pub(super) struct Movers<'t> {
    rules: Cow<'t, Rules>,
    /// The number of modes of the table.
    modes: u16,
}

impl<'t> Movers<'t> {
    /// The rules of a certificate from a table of `rules`.
    ///
    /// # Errors
    /// If there would be too many modes or moves.
    pub(super) fn of(rules: &'t Rules) -> Result<Self, CertificateError> {
        let modes = rules.modes().len() as u16;
        let rules = match rules.moves().iter().any(|m| m.again) {
            true => Cow::Owned(with_players(rules.spec(), modes).build().map_err(|_| CertificateError::MovesAgain)?),
            false => Cow::Borrowed(rules),
        };
        Ok(Self { rules, modes })
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position of the table with the labels of `position`.
    pub(super) const fn in_table(&self, position: Position) -> Position {
        Position::new(Mode(position.mode.0 % self.modes), position.board)
    }
}

/// The rules with a mode for each player in place of each mode. The first player is to move at the root, in a mode of the same number.
fn with_players(spec: &RulesSpec, modes: u16) -> RulesSpec {
    let of = |mode: Mode, player: u16| Mode(mode.0 + player * modes);
    let both = || [0u16, 1].into_iter();
    let moves = both().flat_map(|player| {
        spec.moves.iter().map(move |m| {
            let next = of(m.next, if m.again { player } else { 1 - player });
            Move { mode: of(m.mode, player), next, again: false, ..*m }
        })
    });
    let ends = both().flat_map(|player| spec.ends.iter().map(move |end| End { mode: of(end.mode, player), ..*end }));
    let count_ends = both()
        .flat_map(|player| spec.count_ends.iter().map(move |end| CountEnd { mode: of(end.mode, player), ..*end }));
    let symmetries = spec.symmetries.iter().filter_map(|symmetry| {
        let of_modes = both().flat_map(|player| symmetry.modes().iter().map(move |&mode| of(Mode(mode), player).0));
        Symmetry::new(symmetry.cells().to_vec(), of_modes.collect()).ok()
    });
    // After the first player has chosen, the second one is to move.
    let start = match &spec.start {
        Start::At(position) => Start::At(*position),
        Start::Opening(choices) => {
            Start::Opening(choices.iter().map(|at| Position::new(of(at.mode, 1), at.board)).collect())
        }
    };
    RulesSpec {
        modes: (0..2 * u32::from(modes)).map(|mode| mode.to_string()).collect(),
        moves: moves.collect(),
        ends: ends.collect(),
        count_ends: count_ends.collect(),
        terminals: both().flat_map(|_| spec.terminals.iter().copied()).collect(),
        players: both()
            .flat_map(|player| (0..modes).map(move |_| [Player::First, Player::Second][usize::from(player)]))
            .collect(),
        symmetries: symmetries.collect(),
        start,
        ..spec.clone()
    }
}
