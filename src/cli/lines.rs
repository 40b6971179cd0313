//! Lines of standard input, of any length and with arbitrary bytes.

use std::io::{self, BufRead, BufReader, Read};

use tablegen::engine::json::LONGEST_LINE;
pub(super) use tablegen::engine::json::text_of_line as text;

use super::failure::Failure;

/// The mark with which some editors begin a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The lines of an input. A byte order mark at the beginning is dropped.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    has_begun: bool,
}

impl<R: Read> Lines<R> {
    pub(super) fn of(input: R) -> Self {
        // The standard library's own buffer of standard input does not show whether more input is available.
        Self { input: BufReader::with_capacity(1 << 16, input), line: Vec::new(), has_begun: false }
    }

    /// Returns whether reading the next line may have to wait for it.
    pub(super) fn may_wait(&self) -> bool {
        self.input.buffer().is_empty()
    }

    /// The next line without its line end; `None` at the end of the input. A line longer than [`LONGEST_LINE`] is cut, but
    /// stays longer than that.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, Failure> {
        let read = read_line(&mut self.input, &mut self.line);
        if !read.map_err(|e| Failure::usage(format!("cannot read standard input: {e}")))? {
            return Ok(None);
        }
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let line = self.line.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first);
        Ok(Some(line.unwrap_or(&self.line)))
    }
}

/// Reads a line into `line` without its line end, and keeps at most [`LONGEST_LINE`] bytes and one more; `false` at the end
/// of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if input.by_ref().take(LONGEST_LINE as u64 + 2).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() > LONGEST_LINE {
        skip_line(input)?;
    }
    Ok(true)
}

/// Discards the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (done, used) = (buffer.is_empty() || end.is_some(), end.map_or(buffer.len(), |end| end + 1));
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Vec<u8>> {
        let mut input = BufReader::with_capacity(7, input);
        let (mut line, mut lines) = (Vec::new(), Vec::new());
        while read_line(&mut input, &mut line).unwrap() {
            lines.push(line.clone());
        }
        lines
    }

    #[test]
    fn all_line_ends_are_accepted() {
        assert_eq!(lines(b"a\nb\r\n\nc"), [&b"a"[..], b"b", b"", b"c"]);
        assert_eq!(lines(b""), Vec::<Vec<u8>>::new());
        assert_eq!(lines(b"\xff\n"), [b"\xff"]);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_at_the_beginning_only() {
        let mut lines = Lines::of("\u{feff}\u{feff}a\n\u{feff}b\n".as_bytes());
        let mut next = || lines.next().unwrap().map(|line| String::from_utf8(line.to_vec()).unwrap());
        assert_eq!([next(), next(), next()], [Some("\u{feff}a".into()), Some("\u{feff}b".into()), None]);
    }

    #[test]
    fn an_overlong_line_is_cut_and_the_next_is_complete() {
        for extra in [0, 1, 2, 3, 100_000] {
            let mut input = vec![b'x'; LONGEST_LINE + extra];
            input.extend(b"\nnext\n");
            let lines = lines(&input);
            assert_eq!(
                (lines.len(), lines[0].len() > LONGEST_LINE, &lines[1][..]),
                (2, extra > 0, &b"next"[..]),
                "{extra}"
            );
        }
    }
}
