//! Drawings and lists, fitted to the available width.

use anstyle::{AnsiColor, Style};

use super::wrap::{columns_of, terminal_columns, wrapped};

/// Returns whether standard output is a terminal that can show signs such as domino tiles. A program cannot ask a
/// terminal about this, so the variable TABLEGEN_SIGNS decides.
pub(super) fn has_signs() -> bool {
    let told = std::env::var_os("TABLEGEN_SIGNS").is_some_and(|value| !value.is_empty());
    told && std::io::IsTerminal::is_terminal(&std::io::stdout())
}

/// Blanks between adjacent drawings.
const GAP: usize = 3;

/// The width for output: the terminal's width, or 80 columns if standard output is not a terminal.
pub(super) fn width() -> usize {
    terminal_columns().unwrap_or(80)
}

/// A drawing with a caption above it.
pub(super) struct Picture {
    caption: Vec<String>,
    /// Each line with its styles, and its width in columns.
    lines: Vec<(String, usize)>,
}

impl Picture {
    /// A picture of `drawing` under the lines of `caption`. Differences from `before` are highlighted, and the two
    /// signs in `colours` are coloured.
    pub(super) fn new(caption: Vec<String>, drawing: &str, before: &str, colours: Option<[char; 2]>) -> Self {
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
        drawn.max(self.caption.iter().map(|line| columns_of(line)).max().unwrap_or(0))
    }

    /// Line `number` of the caption, and its width in columns. `lines` is the height of the tallest caption in the row.
    /// Shorter captions are aligned at the bottom, next to their drawings.
    fn caption(&self, number: usize, lines: usize) -> (&str, usize) {
        let line = (number + self.caption.len()).checked_sub(lines).and_then(|number| self.caption.get(number));
        line.map_or(("", 0), |line| (line, columns_of(line)))
    }
}

/// Colours the two signs of `colours` in `drawing`. The signs differ as well, so the drawing is readable without
/// colour.
pub(super) fn coloured(drawing: &str, colours: Option<[char; 2]>) -> String {
    drawing.lines().map(|line| highlight(line, line, colours)).collect::<Vec<_>>().join("\n")
}

/// Highlights the characters of `line` that differ from `before`, and colours the two signs of `colours`.
fn highlight(line: &str, before: &str, colours: Option<[char; 2]>) -> String {
    let bold = Style::new().bold();
    let new = bold.fg_color(Some(AnsiColor::Green.into()));
    // Green, yellow and red are the colours of outcomes.
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

/// The pictures side by side, with an empty line between rows. A row has at least one picture, and more if they fit
/// into `width`.
pub(super) fn side_by_side(pictures: &[Picture], width: usize) -> String {
    let column = pictures.iter().map(Picture::width).max().unwrap_or(0);
    let in_a_row = ((width + GAP) / (column + GAP)).max(1);
    let rows = pictures.chunks(in_a_row).map(|row| {
        let height = row.iter().map(|picture| picture.lines.len()).max().unwrap_or(0);
        let captions = row.iter().map(|picture| picture.caption.len()).max().unwrap_or(0);
        let caption = |number| in_columns(row.iter().map(|picture| picture.caption(number, captions)), column);
        let mut lines: Vec<String> = (0..captions).map(caption).collect();
        for number in 0..height {
            let line = row.iter().map(|picture| picture.lines.get(number).map_or(("", 0), |(l, w)| (l, *w)));
            lines.push(in_columns(line, column));
        }
        lines.join("\n")
    });
    rows.collect::<Vec<_>>().join("\n\n")
}

/// One line of texts. Every text but the last is padded to `column` columns.
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

/// The indentation of lines that belong to another line.
const INDENT: &str = "  ";

/// `lead` and the items, separated by commas. Lines are broken between items to fit `width`; later lines are indented.
pub(super) fn listed(lead: &str, items: &[String], width: usize) -> String {
    broken(lead, items, INDENT.len(), width)
}

/// Lists under `heading`, each after its own lead. All lists begin in one column. If that leaves too few columns, each
/// list begins below its lead.
pub(super) fn lists(heading: &str, lists: &[(String, Vec<String>)], width: usize) -> String {
    /// The smallest useful width for a list, even if its items are shorter.
    const LEAST: usize = 24;
    let lead = lists.iter().map(|(lead, _)| lead.chars().count()).max().unwrap_or(0) + INDENT.len();
    let longest = lists.iter().flat_map(|(_, items)| items).map(|item| item.chars().count() + 1).max().unwrap_or(0);
    let is_wide = lead + INDENT.len() + longest.max(LEAST) <= width;
    let list = |(name, items): &(String, Vec<String>)| match is_wide {
        true => broken(&format!("{:<lead$} ", format!("{INDENT}{name}")), items, lead + INDENT.len(), width),
        false => {
            let name = wrapped("", name.trim_start(), Some(width));
            format!("{name}\n{}", broken(&INDENT[1..], items, INDENT.len(), width))
        }
    };
    std::iter::once(wrapped("", heading, Some(width))).chain(lists.iter().map(list)).collect::<Vec<_>>().join("\n")
}

/// `lead` and the items, separated by commas. Lines are broken between items to fit `width`; later lines are indented by
/// `indent`.
fn broken(lead: &str, items: &[String], indent: usize, width: usize) -> String {
    let mut lines = vec![lead.to_owned()];
    for (number, item) in items.iter().enumerate() {
        let item = if number + 1 < items.len() { format!("{item},") } else { item.clone() };
        let fits = |line: &String| line.trim().is_empty() || line.chars().count() + 1 + item.chars().count() <= width;
        match lines.last_mut() {
            Some(line) if fits(line) => {
                line.push(' ');
                line.push_str(&item);
            }
            _ => lines.push(format!("{:indent$}{item}", "")),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Vec<Picture> {
        ["one", "2", "3"].map(|name| Picture::new(vec![name.into()], "ab\ncd", "", None)).into()
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
    fn changed_characters_are_highlighted() {
        let plain = |text: &str| anstream::adapter::strip_str(text).to_string();
        let styled = side_by_side(&[Picture::new(vec!["m".into()], "X*", "X.", None)], 80);
        assert!(styled.starts_with("m\nX\u{1b}") && plain(&styled) == "m\nX*", "{styled:?}");
    }

    #[test]
    fn colours_differ_from_each_other_and_from_highlights() {
        let styled = side_by_side(&[Picture::new(vec!["m".into()], "XO.*", "XO..", Some(['X', 'O']))], 80);
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

    #[test]
    fn lists_begin_in_one_column_or_under_their_leads() {
        let items = ["a1", "b1", "c1-c4"].map(String::from).to_vec();
        let both = [(" 9 plies".to_owned(), items.clone()), ("10 plies".to_owned(), items)];
        assert_eq!(lists("losing:", &both, 80), "losing:\n   9 plies  a1, b1, c1-c4\n  10 plies  a1, b1, c1-c4");
        let long = [("1 ply".to_owned(), (1..=12).map(|n| format!("a{n:02}")).collect())];
        let wide = "losing:\n  1 ply  a01, a02, a03, a04, a05,\n         a06, a07, a08, a09, a10,\n         a11, a12";
        assert_eq!(lists("losing:", &long, 34), wide);
        let narrow = "losing:\n9 plies\n  a1, b1,\n  c1-c4\n10 plies\n  a1, b1,\n  c1-c4";
        assert_eq!(lists("losing:", &both, 9), narrow);
    }

    #[test]
    fn captions_are_aligned_at_the_bottom() {
        let tall = Picture::new(vec!["c3".into(), "3 plies".into()], "ab", "", None);
        let short = Picture::new(vec!["d4".into()], "cd", "", None);
        assert_eq!(side_by_side(&[tall, short], 80), "c3\n3 plies   d4\nab        cd");
    }
}
