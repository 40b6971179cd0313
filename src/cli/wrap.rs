//! Wrapping of text at words, to fit a terminal. Output for programs is never wrapped.

use std::io::IsTerminal;

use anstream::adapter::strip_str;

/// The columns of standard output, if it is a terminal.
pub(super) fn terminal_columns() -> Option<usize> {
    columns_of_terminal(std::io::stdout())
}

/// The columns of `stream`, if it is a terminal. If the terminal has no width, the variable COLUMNS decides, or else it
/// is 80.
#[cfg(unix)]
pub(super) fn columns_of_terminal(stream: impl IsTerminal + std::os::fd::AsFd) -> Option<usize> {
    // The number of rows is ignored, because it is 0 if only the columns were set.
    let known = || rustix::termios::tcgetwinsize(stream.as_fd()).map_or(0, |size| usize::from(size.ws_col));
    stream.is_terminal().then(|| in_order([known(), typed_columns()]))
}

/// The columns of `stream`, if it is a terminal. If the terminal has no width, the variable COLUMNS decides, or else it
/// is 80.
#[cfg(windows)]
pub(super) fn columns_of_terminal(stream: impl IsTerminal + std::os::windows::io::AsHandle) -> Option<usize> {
    let known = || terminal_size::terminal_size_of(stream.as_handle()).map_or(0, |(width, _)| usize::from(width.0));
    stream.is_terminal().then(|| in_order([known(), typed_columns()]))
}

/// The number in the variable COLUMNS; 0 if there is none.
fn typed_columns() -> usize {
    std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The first known number of columns.
fn in_order(columns: [usize; 2]) -> usize {
    columns.into_iter().find(|&columns| columns > 0).unwrap_or(80)
}

/// The columns that `text` takes, without its styles.
pub(super) fn columns_of(text: &str) -> usize {
    strip_str(text).to_string().chars().count()
}

/// The text after `lead`, wrapped at words into lines of at most `columns` columns. Later lines are aligned with the
/// text, or only slightly indented if that leaves too few columns. Only a line with a single long word is wider. `None`
/// wraps nothing.
pub(super) fn wrapped(lead: &str, text: &str, columns: Option<usize>) -> String {
    /// The smallest useful width.
    const LEAST: usize = 24;
    let Some(columns) = columns else { return format!("{lead}{text}") };
    let (width, blanks) = (columns_of(lead), lead.len() - lead.trim_start_matches(' ').len());
    let longest = text.split(' ').map(columns_of).max().unwrap_or(0);
    let indent = if columns < width + longest.max(LEAST) { (blanks + 2).min(width) } else { width };
    let mut lines = lead.to_owned();
    let mut used = width;
    // True if the line has a word of the text.
    let mut begun = false;
    for word in text.split(' ') {
        let length = columns_of(word);
        let gap = usize::from(begun);
        // Breaking a line that is still empty at the indent would gain no columns.
        if used + gap + length > columns && (begun || used > indent) {
            lines.truncate(lines.trim_end_matches(' ').len());
            lines += &format!("\n{:indent$}", "");
            used = indent;
        } else if begun {
            lines.push(' ');
            used += 1;
        }
        lines += word;
        used += length;
        begun = true;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_wrap_at_words_and_align_with_the_text() {
        let text = "every position fits into memory";
        assert_eq!(wrapped("  solver     ", text, None), format!("  solver     {text}"));
        assert_eq!(wrapped("  solver     ", text, Some(80)), format!("  solver     {text}"));
        let narrow = "  solver     every position fits into\n             memory";
        assert_eq!(wrapped("  solver     ", text, Some(40)), narrow);
    }

    #[test]
    fn narrow_terminals_use_their_whole_width() {
        let narrow = "  solver     every\n    position fits\n    into memory";
        assert_eq!(wrapped("  solver     ", "every position fits into memory", Some(18)), narrow);
        // A long word gets a line of its own, and only that line is too wide.
        let long = "  rules\n    0123456789abcdef\n    and more";
        assert_eq!(wrapped("  rules      ", "0123456789abcdef and more", Some(15)), long);
        assert_eq!(wrapped("", "a very narrow one", Some(1)), "a\nvery\nnarrow\none");
    }

    #[test]
    fn styles_take_no_columns() {
        let styled = "\u{1b}[1m\u{1b}[32mWIN\u{1b}[0m: the end";
        assert_eq!(wrapped("", styled, Some(12)), styled);
        assert_eq!(wrapped("", styled, Some(10)), styled.replace(" end", "\nend"));
    }
}
