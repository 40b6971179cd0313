//! Drawings and lists, fitted to the available width.

use anstyle::{AnsiColor, Style};

/// Whether standard output is a terminal that can show signs such as domino tiles. Terminals cannot be asked, so
/// TABLEGEN_SIGNS decides.
pub(super) fn has_signs() -> bool {
    let told = std::env::var_os("TABLEGEN_SIGNS").is_some_and(|value| !value.is_empty());
    told && std::io::IsTerminal::is_terminal(&std::io::stdout())
}

/// Columns between adjacent drawings.
const GAP: usize = 3;

/// The width to fit to: the terminal's, or 80 columns if standard output is not a terminal.
pub(super) fn width() -> usize {
    terminal_size::terminal_size_of(std::io::stdout()).map_or(80, |(width, _)| usize::from(width.0).max(1))
}

/// A drawing with its name above it.
pub(super) struct Picture {
    caption: String,
    /// Each line with its styles, and the columns it takes.
    lines: Vec<(String, usize)>,
}

impl Picture {
    /// `drawing` under `caption`, with its differences from `before` highlighted.
    pub(super) fn new(caption: String, drawing: &str, before: &str) -> Self {
        let before: Vec<&str> = before.lines().collect();
        let of_same_size = before.len() == drawing.lines().count();
        let line = |(number, line): (usize, &str)| {
            let styled = if of_same_size { highlight(line, before[number]) } else { line.to_owned() };
            (styled, line.chars().count())
        };
        Self { caption, lines: drawing.lines().enumerate().map(line).collect() }
    }

    fn width(&self) -> usize {
        let drawn = self.lines.iter().map(|(_, width)| *width).max().unwrap_or(0);
        drawn.max(self.caption.chars().count())
    }
}

/// `line` with the characters that differ from `before` highlighted.
fn highlight(line: &str, before: &str) -> String {
    let new = Style::new().bold().fg_color(Some(AnsiColor::Green.into()));
    let mut before = before.chars();
    let mut styled = String::with_capacity(line.len());
    for c in line.chars() {
        match before.next() {
            Some(same) if same == c => styled.push(c),
            _ => styled.push_str(&format!("{new}{c}{new:#}")),
        }
    }
    styled
}

/// The pictures side by side, with an empty line between rows. A row has as many as fit into `width`, and at least
/// one.
pub(super) fn side_by_side(pictures: &[Picture], width: usize) -> String {
    let column = pictures.iter().map(Picture::width).max().unwrap_or(0);
    let in_a_row = ((width + GAP) / (column + GAP)).max(1);
    let rows = pictures.chunks(in_a_row).map(|row| {
        let height = row.iter().map(|picture| picture.lines.len()).max().unwrap_or(0);
        let captions = row.iter().map(|picture| (picture.caption.as_str(), picture.caption.chars().count()));
        let mut lines = vec![in_columns(captions, column)];
        for number in 0..height {
            let line = row.iter().map(|picture| picture.lines.get(number).map_or(("", 0), |(l, w)| (l, *w)));
            lines.push(in_columns(line, column));
        }
        lines.join("\n")
    });
    rows.collect::<Vec<_>>().join("\n\n")
}

/// One line of texts, all but the last padded to `column`.
fn in_columns<'a>(texts: impl Iterator<Item = (&'a str, usize)>, column: usize) -> String {
    let mut line = String::new();
    let mut missing = 0;
    for (text, width) in texts {
        line.extend(std::iter::repeat_n(' ', missing));
        line.push_str(text);
        missing = column - width + GAP;
    }
    line.trim_end_matches(' ').to_owned()
}

/// `lead` and the items, separated by commas. Lines are broken between items to fit `width`; later lines are
/// indented.
pub(super) fn listed(lead: &str, items: &[String], width: usize) -> String {
    const INDENT: &str = "  ";
    let mut lines = vec![lead.to_owned()];
    for (number, item) in items.iter().enumerate() {
        let item = if number + 1 < items.len() { format!("{item},") } else { item.clone() };
        let fits = lines.last().is_some_and(|line| line.chars().count() + 1 + item.chars().count() <= width);
        match lines.last_mut() {
            Some(line) if fits => {
                line.push(' ');
                line.push_str(&item);
            }
            _ => lines.push(format!("{INDENT}{item}")),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Vec<Picture> {
        ["one", "2", "3"].map(|name| Picture::new(name.into(), "ab\ncd", "")).into()
    }

    #[test]
    fn pictures_fill_the_width_and_no_more() {
        let one = "one\nab\ncd\n\n2\nab\ncd\n\n3\nab\ncd";
        assert_eq!(side_by_side(&three(), 1), one);
        assert_eq!(side_by_side(&three(), 8), one);
        assert_eq!(side_by_side(&three(), 9), "one   2\nab    ab\ncd    cd\n\n3\nab\ncd");
        assert_eq!(side_by_side(&three(), 15), "one   2     3\nab    ab    ab\ncd    cd    cd");
        assert_eq!(side_by_side(&[], 80), "");
    }

    #[test]
    fn what_is_new_stands_out() {
        let plain = |text: &str| anstream::adapter::strip_str(text).to_string();
        let styled = side_by_side(&[Picture::new("m".into(), "X*", "X.")], 80);
        assert!(styled.starts_with("m\nX\u{1b}") && plain(&styled) == "m\nX*", "{styled:?}");
    }

    #[test]
    fn lists_break_between_items() {
        let items = ["a1", "b1", "c1-c4"].map(String::from);
        assert_eq!(listed("moves:", &items, 80), "moves: a1, b1, c1-c4");
        assert_eq!(listed("moves:", &items, 10), "moves: a1,\n  b1,\n  c1-c4");
        assert_eq!(listed("none", &[], 10), "none");
    }
}
