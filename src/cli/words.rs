//! Numbers and outcomes in words.

use anstyle::{AnsiColor, Style};
use indicatif::{HumanBytes, HumanCount};
use serde_json::Value as Json;
use tablegen::rules::{Mode, Node, Outcome, Rules};
use tablegen::table::Table;

use super::failure::one_line;
use super::tables;

/// The style an outcome is shown in.
pub(super) fn style(outcome: Outcome) -> Style {
    let color = match outcome {
        Outcome::Win => AnsiColor::Green,
        Outcome::Draw => AnsiColor::Yellow,
        Outcome::Loss => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(color.into()))
}

/// The outcome of a position in a sentence.
pub(super) const fn sentence(over: bool, outcome: Outcome) -> &'static str {
    match (over, outcome) {
        (false, Outcome::Win) => "whoever moves here can force a win",
        (false, Outcome::Draw) => "neither player can force a win",
        (false, Outcome::Loss) => "whoever moves here loses against perfect play",
        (true, Outcome::Win) => "the game is over, and whoever would move here has won",
        (true, Outcome::Draw) => "the game is over, and nobody has won",
        (true, Outcome::Loss) => "the game is over, and whoever would move here has lost",
    }
}

/// The outcome of the start, for the two players.
pub(super) fn of_start(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "WIN: the first player can force a win",
        Outcome::Draw => "DRAW: neither player can force a win",
        Outcome::Loss => "LOSS: the second player can force a win",
    }
}

/// `1 move`, `2 moves`.
pub(super) fn counted(count: u64, one: &str) -> String {
    format!("{} {one}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}

/// `12.00 KiB (12,288 bytes)`.
pub(super) fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return counted(bytes, "byte");
    }
    format!("{} ({} bytes)", HumanBytes(bytes), HumanCount(bytes))
}

/// A quantity a second, to three figures: `6.12 G`.
pub(super) fn rate(per_second: f64) -> String {
    let (scale, unit) = match per_second {
        r if r >= 1e9 => (1e9, " G"),
        r if r >= 1e6 => (1e6, " M"),
        r if r >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let scaled = per_second / scale;
    let digits = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
    format!("{scaled:.digits$}{unit}")
}

/// `1.23 s`, or in milliseconds where that says more.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

/// How many positions a game has: `65,536 (2^16)`.
pub(super) fn positions(rules: &Rules) -> String {
    let modes = match rules.modes().len() {
        1 => String::new(),
        modes => format!(" in {modes} modes"),
    };
    let count = rules.positions();
    let digits = u64::try_from(count).map_or_else(|_| count.to_string(), |count| HumanCount(count).to_string());
    format!("{digits} (2^{} boards{modes})", rules.cells())
}

/// A number that JSON readers take for exact: `null` where there is no `u64` for it.
pub(super) fn json_number(number: u128) -> Json {
    u64::try_from(number).map_or(Json::Null, Json::from)
}

/// The name of the mode that `node` is in, where the game has modes.
pub(super) fn mode_of(rules: &Rules, node: Node) -> Option<&str> {
    match node {
        Node::Opening => None,
        Node::At(position) => rules.mode_name(position.mode),
    }
}

/// Where a table is, in one line that no terminal takes for a command.
pub(super) fn source(table: &Table) -> String {
    one_line(&tables::source(table))
}

/// Names of the modes; none where there is only one, which has no name to speak of.
pub(super) fn mode_names(rules: &Rules) -> Vec<&str> {
    (0..rules.modes().len() as u16).filter_map(|mode| rules.mode_name(Mode(mode))).collect()
}

/// `text` in quotes where a shell would take it apart.
pub(super) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%@".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_figures() {
        let rates = [6.123e9, 61.23e6, 612.3e3, 5.0, 0.0].map(rate);
        assert_eq!(rates, ["6.12 G", "61.2 M", "612 k", "5.00", "0.00"]);
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(["XX../..", "", "a b", "it's"].map(shell_word), ["XX../..", "''", "'a b'", r"'it'\''s'"]);
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!((counted(1, "move"), counted(1234, "move")), ("1 move".into(), "1,234 moves".into()));
        assert_eq!((bytes(0), bytes(12288)), ("0 bytes".into(), "12.00 KiB (12,288 bytes)".into()));
    }
}
