//! Drawings and lists, fitted to the available width.

use anstyle::{AnsiColor, Style};

use super::wrap::terminal_columns;

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
    terminal_columns().unwrap_or(80)
}

/// A drawing with its name above it.
pub(super) struct Picture {
    caption: String,
    /// Each line with its styles, and the columns it takes.
    lines: Vec<(String, usize)>,
}

impl Picture {
    /// `drawing` under `caption`, with its differences from `before` highlighted and the signs of two `colours` in theirs.
    pub(super) fn new(caption: String, drawing: &str, before: &str, colours: Option<[char; 2]>) -> Self {
        let before: Vec<&str> = before.lines().collect();
        let of_same_size = before.len() == drawing.lines().count();
        let line = |(number, line): (usize, &str)| {
            let before = if of_same_size { before[number] } else { line };
            let styled = highlight(line, before, colours);
            (styled, line.chars().count())
        };
        Self { caption, lines: drawing.lines().enumerate().map(line).collect() }
    }

    fn width(&self) -> usize {
        let drawn = self.lines.iter().map(|(_, width)| *width).max().unwrap_or(0);
        drawn.max(self.caption.chars().count())
    }
}

/// `drawing` with the signs of two `colours` in theirs. The signs differ as well, so nothing is said by colour alone.
pub(super) fn coloured(drawing: &str, colours: Option<[char; 2]>) -> String {
    drawing.lines().map(|line| highlight(line, line, colours)).collect::<Vec<_>>().join("\n")
}

/// `line` with the characters that differ from `before` highlighted, and the signs of two `colours` in theirs.
fn highlight(line: &str, before: &str, colours: Option<[char; 2]>) -> String {
    let bold = Style::new().bold();
    let new = bold.fg_color(Some(AnsiColor::Green.into()));
    // Outcomes have the other colours.
    let styles = [AnsiColor::Cyan, AnsiColor::Magenta].map(|colour| bold.fg_color(Some(colour.into())));
    let of_sign = |c| colours?.into_iter().zip(styles).find_map(|(sign, style)| (sign == c).then_some(style));
    let mut before = before.chars();
    let mut styled = String::with_capacity(line.len());
    for c in line.chars() {
        let is_new = before.next() != Some(c);
        match if is_new { Some(new) } else { of_sign(c) } {
            Some(style) => styled.push_str(&format!("{style}{c}{style:#}")),
            None => styled.push(c),
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
        ["one", "2", "3"].map(|name| Picture::new(name.into(), "ab\ncd", "", None)).into()
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
        let styled = side_by_side(&[Picture::new("m".into(), "X*", "X.", None)], 80);
        assert!(styled.starts_with("m\nX\u{1b}") && plain(&styled) == "m\nX*", "{styled:?}");
    }

    #[test]
    fn colours_differ_from_each_other_and_from_what_is_new() {
        let styled = side_by_side(&[Picture::new("m".into(), "XO.*", "XO..", Some(['X', 'O']))], 80);
        let codes: Vec<&str> = styled.split("\u{1b}[1m\u{1b}[").skip(1).filter_map(|rest| rest.get(..2)).collect();
        assert_eq!(codes, ["36", "35", "32"], "{styled:?}");
        assert_eq!(coloured("X.\n.O", None), "X.\n.O");
        assert_eq!(anstream::adapter::strip_str(&coloured("LR\n..", Some(['L', 'R']))).to_string(), "LR\n..");
    }

    #[test]
    fn lists_break_between_items() {
        let items = ["a1", "b1", "c1-c4"].map(String::from);
        assert_eq!(listed("moves:", &items, 80), "moves: a1, b1, c1-c4");
        assert_eq!(listed("moves:", &items, 10), "moves: a1,\n  b1,\n  c1-c4");
        assert_eq!(listed("none", &[], 10), "none");
    }
}
