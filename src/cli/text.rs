//! One-line texts: numbers in words, and text made safe for terminals and shells.

use indicatif::{HumanBytes, HumanCount};
use tablegen::game::{AnswerMove, Game, Notation, move_written};
use tablegen::label::LabelSet;

/// A count with its noun: `1 move`, `2 moves`.
pub(super) fn counted(count: u64, one: &str) -> String {
    format!("{} {one}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}

/// A count of any size: `1,234`, and to two figures from 10^18 on, as in `1.6 * 10^29`.
pub(super) fn large(count: u128) -> String {
    const EXACT: u64 = 10u64.pow(18);
    match u64::try_from(count) {
        Ok(count) if count < EXACT => HumanCount(count).to_string(),
        _ => format!("{count:.1e}").replace('e', " * 10^"),
    }
}

/// A number of bytes in two forms: `12.00 KiB (12,288 bytes)`. The largest one stands for any larger number too.
pub(super) fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return counted(bytes, "byte");
    }
    if bytes == u64::MAX {
        return HumanBytes(bytes).to_string();
    }
    format!("{} ({} bytes)", HumanBytes(bytes), HumanCount(bytes))
}

/// The names of `labels` as typed: `outcome,remoteness`.
pub(super) fn label_names(labels: LabelSet) -> String {
    labels.names().collect::<Vec<_>>().join(",")
}

/// A rate per second, to three figures: `6.12 G`.
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

/// A time, `1.23 s`, or in milliseconds if it is short.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

/// An estimated time in its two largest units: `12 s`, `8 min`, `1 h 43 min`, `3 days 4 h`.
pub(super) fn rough_time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        0 => "less than a second".into(),
        1..120 => format!("{seconds} s"),
        120..6000 => format!("{minutes} min"),
        6000..172_800 => format!("{hours} h {} min", minutes % 60),
        _ => format!("{} {} h", counted(hours / 24, "day"), hours % 24),
    }
}

/// The line without its middle if it is very long. The beginning states the problem, and the end says what to do next.
pub(super) fn elided(line: &str) -> String {
    const SIDE: usize = 600;
    let first = line.char_indices().nth(SIDE).map(|(end, _)| end);
    let last = line.char_indices().nth_back(SIDE).map(|(start, _)| start);
    match (first, last) {
        (Some(end), Some(start)) if end < start => format!("{} … {}", &line[..end], &line[start..]),
        _ => line.to_owned(),
    }
}

/// The text on one line without terminal commands: line ends become spaces, other control characters become `\…`.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => line.push(' '),
            c if c.is_control() || turns_text(c) => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}

/// Returns whether `c` breaks a line or changes the text direction, although it is not a control character.
const fn turns_text(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The name of the move `m`; in a game whose first notation is that of columns, with the digit of its column: `c2 (3)`.
pub(super) fn move_name(game: &dyn Game, m: &AnswerMove) -> String {
    let has_columns = game.notations().first() == Some(&Notation::Columns);
    let column = if has_columns { move_written(game, &m.text, &m.position) } else { None };
    match column.filter(|column| column.ends_with(|sign: char| sign.is_ascii_digit())) {
        Some(column) => format!("{} ({column})", m.text),
        None => m.text.clone(),
    }
}

/// The text, in quotes if a shell would split or expand it.
pub(super) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%@".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_lose_their_middle() {
        assert_eq!(elided("as it is"), "as it is");
        let long = format!("first {} last", "é".repeat(100_000));
        let line = elided(&long);
        assert!(line.starts_with("first é") && line.ends_with("é last") && line.chars().count() < 1300, "{line}");
    }

    #[test]
    fn texts_become_one_line_without_terminal_commands() {
        assert_eq!(one_line("a\nb\u{1b}[2Jc\u{7}"), "a b\\u{1b}[2Jc\\u{7}");
        assert_eq!(one_line("a\u{202e}b\u{2028}c"), "a\\u{202e}b\\u{2028}c");
    }

    #[test]
    fn rates_have_three_figures() {
        let rates = [6.123e9, 61.23e6, 612.3e3, 5.0, 0.0].map(rate);
        assert_eq!(rates, ["6.12 G", "61.2 M", "612 k", "5.00", "0.00"]);
    }

    #[test]
    fn long_times_are_in_hours_and_days() {
        let times = [0.3, 12.4, 150.0, 6177.6, 10_000.0, 200_000.0].map(rough_time);
        assert_eq!(times, ["less than a second", "12 s", "2 min", "1 h 42 min", "2 h 46 min", "2 days 7 h"]);
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(["XX../..", "", "a b", "it's"].map(shell_word), ["XX../..", "''", "'a b'", r"'it'\''s'"]);
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!((counted(1, "move"), counted(1234, "move")), ("1 move".into(), "1,234 moves".into()));
        assert_eq!((bytes(0), bytes(12288)), ("0 bytes".into(), "12.00 KiB (12,288 bytes)".into()));
        assert_eq!([1234, 1 << 97].map(large), ["1,234", "1.6 * 10^29"]);
    }
}
