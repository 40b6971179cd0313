//! Pages of the book on a terminal: paragraphs, items of lists and rows of tables are wrapped at words, and code stays as it is.

use super::wrap::wrapped;

/// The fence around lines of code.
const FENCE: &str = "```";

/// `page`, in Markdown, in lines of at most `columns` columns. Lines of code may be wider.
pub(super) fn fitted(page: &str, columns: usize) -> String {
    let (mut out, mut block, mut in_code) = (String::new(), None, false);
    for line in page.lines() {
        let text = line.trim_start();
        let is_fence = text.starts_with(FENCE);
        if is_fence || in_code || text.is_empty() {
            end(&mut block, columns, &mut out);
            in_code ^= is_fence;
            out += line;
            out.push('\n');
            continue;
        }
        let lead = line.len() - text.len() + mark(text);
        match &mut block {
            Some(Block { text: before, .. }) if mark(text) == 0 && !text.starts_with('#') => {
                before.push(' ');
                *before += text;
            }
            _ => {
                end(&mut block, columns, &mut out);
                block = Some(Block { lead: &line[..lead], text: line[lead..].to_owned() });
            }
        }
        // A heading and a row of a table are one line.
        if text.starts_with(['#', '|']) {
            end(&mut block, columns, &mut out);
        }
    }
    end(&mut block, columns, &mut out);
    out
}

/// A paragraph, an item of a list or a row of a table.
struct Block<'p> {
    /// The blanks and the mark before the text.
    lead: &'p str,
    text: String,
}

/// Writes the block, if there is one.
fn end(block: &mut Option<Block<'_>>, columns: usize, out: &mut String) {
    if let Some(Block { lead, text }) = block.take() {
        *out += &wrapped(lead, &text, Some(columns));
        out.push('\n');
    }
}

/// The length of the mark with which an item of a list or a row of a table begins, with the blank after it; 0 if `line` is neither.
fn mark(line: &str) -> usize {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = if digits > 0 && line[digits..].starts_with('.') {
        digits + 1
    } else {
        usize::from(line.starts_with(['-', '*', '|']))
    };
    if sign > 0 && line[sign..].starts_with(' ') { sign + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_items_and_rows_are_wrapped() {
        let page = "# A title that is long\n\nOne paragraph\nin two lines.\n- an item with\n  two lines\n10. a numbered item\n\n\
                    | key | what it means |\n|---|---|\n";
        let narrow = "# A title that is\nlong\n\nOne paragraph in two\nlines.\n- an item with two\n  lines\n10. a numbered item\n\n\
                      | key | what it\n  means |\n|---|---|\n";
        assert_eq!(fitted(page, 20), narrow);
        assert_eq!(fitted("*word* and\nmore\n", 80), "*word* and more\n");
    }

    #[test]
    fn code_stays_as_it_is() {
        let code = "Text:\n\n```console\n$ tablegen probe   cram --set rows=4\n- no item\n```\n\nAfter it.\n";
        assert_eq!(fitted(code, 10), code);
    }
}
