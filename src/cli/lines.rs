//! Lines of standard input, of any length and with arbitrary bytes.

use std::io::{self, BufRead, Read};

use super::failure::Failure;

/// The largest length of a line in bytes, far longer than any position.
const LONGEST: usize = 1 << 16;

/// Reads a line of standard input into `line`; `false` at its end.
pub(super) fn read(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, Failure> {
    read_line(input, line).map_err(|e| Failure::usage(format!("cannot read standard input: {e}")))
}

/// The text of a line that should hold `what`.
///
/// # Errors
/// Returns a message if the line is too long, or not text.
pub(super) fn text<'a>(line: &'a [u8], what: &str) -> Result<&'a str, String> {
    if line.len() > LONGEST {
        return Err(format!("cannot read {what}: expected a line of at most {LONGEST} bytes, found a longer one"));
    }
    std::str::from_utf8(line)
        .map_err(|e| format!("cannot read {what}: expected UTF-8, found another byte at offset {}", e.valid_up_to()))
}

/// Reads a line into `line` without its line end, and keeps at most [`LONGEST`] bytes and one more; `false` at the end
/// of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if input.by_ref().take(LONGEST as u64 + 2).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() > LONGEST {
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
    use std::io::BufReader;

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
    fn an_overlong_line_is_cut_and_the_next_is_complete() {
        for extra in [0, 1, 2, 3, 100_000] {
            let mut input = vec![b'x'; LONGEST + extra];
            input.extend(b"\nnext\n");
            let lines = lines(&input);
            assert_eq!((lines.len(), lines[0].len() > LONGEST, &lines[1][..]), (2, extra > 0, &b"next"[..]), "{extra}");
        }
    }
}
