//! Leads in texts of positions: the points that the player to move already has more than the other player.
//!
//! A position knows nothing of the points of the moves before it. In a game that counts points, a text may end with them: `XX./... +2`, or
//! `XX./... x+2` after the name of a mode. The last word of the text is the mode, the lead, or both.

use super::NotationError;
use crate::rules::{Node, Rules};

/// The greatest lead that a text can have.
const MOST: i32 = 9_999;

/// The parts of a text that ends with a lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Split<'a> {
    /// The text before the word with the lead.
    pub(super) board: &'a str,
    /// The mode in that word; empty if it has none.
    pub(super) mode: &'a str,
    /// The lead of the player to move.
    pub(super) lead: i32,
    /// The named player who is to move, if the word begins with the name: 0 for the first.
    pub(super) mover: Option<usize>,
}

impl Split<'_> {
    /// The text without its lead, with `between` before the mode.
    pub(super) fn rest(&self, between: char) -> String {
        if self.mode.is_empty() { self.board.into() } else { format!("{}{between}{}", self.board, self.mode) }
    }
}

/// The parts of `text`, if it ends with a lead and the game counts points.
///
/// `players` are the names of the players of a game with a single mode. After such a name stands the lead of the first player, with or
/// without a sign, and the player with the name is to move. It may be missing if it is 0.
///
/// # Errors
/// If the lead is too great.
pub(super) fn split<'a>(
    rules: &Rules,
    players: Option<&[String; 2]>,
    text: &'a str,
) -> Result<Option<Split<'a>>, NotationError> {
    let text = text.trim();
    let Some((board, word)) = text.rsplit_once(char::is_whitespace) else { return Ok(None) };
    let has_modes = rules.modes().len() > 1;
    if !rules.counts_points() || has_modes && rules.modes().iter().any(|mode| mode == word) {
        return Ok(None);
    }
    let unsigned = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &word[unsigned.len()..];
    let name = unsigned.strip_suffix(['+', '-']).unwrap_or(unsigned);
    let (has_sign, is_negative) = (name.len() < unsigned.len(), unsigned.ends_with('-'));
    let player = players.filter(|_| !has_modes).and_then(|players| players.iter().position(|player| player == name));
    let is_lead = match player {
        Some(_) => !(has_sign && digits.is_empty()),
        None => {
            has_sign
                && !digits.is_empty()
                && (name.is_empty() || has_modes && rules.modes().iter().any(|mode| mode == name))
        }
    };
    if !is_lead {
        return Ok(None);
    }
    let size = if digits.is_empty() { Some(0) } else { digits.parse().ok().filter(|size| *size <= MOST) };
    let Some(size) = size else {
        return Err(NotationError::new(text, format!("a lead of at most {MOST} points"), format!("{digits:?}")));
    };
    let turns = is_negative != (player == Some(1));
    let mode = if player.is_some() { "" } else { name };
    Ok(Some(Split { board: board.trim_end(), mode, lead: if turns { -size } else { size }, mover: player }))
}

/// `text`, which is the text of `node`, with `lead` after it.
pub(super) fn written(rules: &Rules, node: Node, text: String, lead: i32) -> String {
    if lead == 0 {
        return text;
    }
    let mode = if let Node::At(position) = node { rules.mode_name(position.mode) } else { None };
    let joins = |mode: &str| text.ends_with(mode) && !rules.modes().contains(&format!("{mode}{lead:+}"));
    let blank = if mode.is_some_and(joins) { "" } else { " " };
    format!("{text}{blank}{lead:+}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Board, Mode, Move, Outcome, Position, RulesSpec};

    fn rules(modes: &[&str]) -> Rules {
        let moves = vec![Move { gain: 1, ..Move::fill(Board::bit(0)) }];
        let modes = modes.iter().map(|&mode| mode.into()).collect();
        RulesSpec { moves, modes, terminal: Outcome::Draw, ..RulesSpec::new("one", 1) }.build().unwrap()
    }

    fn lead(rules: &Rules, text: &str) -> Option<(String, i32)> {
        let players = ["x", "o"].map(String::from);
        split(rules, Some(&players), text).unwrap().map(|split| (split.rest(' '), split.lead))
    }

    #[test]
    fn the_last_word_may_be_a_lead() {
        let (one, two) = (rules(&["-"]), rules(&["x", "y", "y+1"]));
        let found = |text: &str, lead: i32| Some((text.to_owned(), lead));
        assert_eq!(lead(&one, "X. +2"), found("X.", 2));
        assert_eq!(lead(&one, " X.  -12 "), found("X.", -12));
        assert_eq!(lead(&two, "X. x-3"), found("X. x", -3));
        assert_eq!(lead(&two, "X. x +3"), found("X. x", 3));
        // A mode of that name, no number, a text of one word, a number without a sign.
        assert_eq!(["X. y+1", "X. x+", "X.+1", "X. 1"].map(|text| lead(&two, text)), [const { None }; 4]);
        // In a game with sides, others do not lead.
        assert_eq!(lead(&two, "X. o+1"), None);
        assert!(split(&one, None, "X. +10000").unwrap_err().to_string().contains("a lead of at most 9999 points"));
    }

    #[test]
    fn after_a_player_stands_the_lead_of_the_first_player() {
        let one = rules(&["-"]);
        let leads =
            ["x-2", "x2", "x+2", "x0", "x", "o2", "o+2", "o-1", "o"].map(|word| lead(&one, &format!("X. {word}")));
        assert_eq!(leads.map(|found| found.unwrap().1), [-2, 2, 2, 0, 0, -2, -2, 1, 0]);
        let players = ["x", "o"].map(String::from);
        let movers =
            ["X. x+2", "X. o-1", "X. +2"].map(|text| split(&one, Some(&players), text).unwrap().unwrap().mover);
        assert_eq!(movers, [Some(0), Some(1), None]);
        assert_eq!(["z1", "x-", "1"].map(|word| lead(&one, &format!("X. {word}"))), [const { None }; 3]);
    }

    #[test]
    fn games_without_points_have_no_leads() {
        let spec = rules(&["-"]).into_spec();
        let plain = RulesSpec { moves: vec![Move::fill(Board::bit(0))], ..spec }.build().unwrap();
        assert_eq!(lead(&plain, "X. +2"), None);
    }

    #[test]
    fn written_leads_are_read_again() {
        let (one, two) = (rules(&["-"]), rules(&["x", "y", "y+1"]));
        let at = |mode| Node::At(Position::new(Mode(mode), Board::EMPTY));
        assert_eq!(written(&one, at(0), ". ".trim().into(), -2), ". -2");
        assert_eq!(written(&two, at(0), ". x".into(), 2), ". x+2");
        // `y+1` is a mode.
        assert_eq!(written(&two, at(1), ". y".into(), 1), ". y +1");
        assert_eq!(written(&two, Node::Opening, "start".into(), 1), "start +1");
        assert_eq!(written(&two, at(1), ". y".into(), 0), ". y");
    }
}
