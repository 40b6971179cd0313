//! Results on standard output.

use std::io::{self, Write};

use serde_json::Value;

use super::failure::Failure;
use super::open_stdout;
use super::wrap::{columns_of_terminal, wrapped};

/// The name of standard output in errors.
const STDOUT: &str = "standard output";

/// Standard output, if it can be written to.
fn stdout() -> Result<io::Stdout, Failure> {
    if open_stdout::is_open() {
        return Ok(io::stdout());
    }
    let found = "expected a stream that is open for writing, found a closed one; redirect it to a file or to /dev/null";
    Err(Failure::usage(format!("cannot write to {STDOUT}: {found}")))
}

/// Prints `text`, which may be styled. Styles are written only to terminals, and not if NO_COLOR is set.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::AutoStream::auto(stdout()?);
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Failure::writing(STDOUT, &e))
}

/// Prints `value` as one line.
pub(super) fn print_json(value: &Value) -> Result<(), Failure> {
    // Never styled, because control characters in a text belong to the text.
    Stream::new()?.with(|out| writeln!(out, "{value}"))
}

/// Standard output for many lines or bytes: buffered and never styled.
pub(super) struct Stream(io::BufWriter<io::Stdout>);

impl Stream {
    pub(super) fn new() -> Result<Self, Failure> {
        stdout().map(|out| Self(io::BufWriter::with_capacity(1 << 16, out)))
    }

    /// Writes `line` and a line end.
    pub(super) fn line(&mut self, line: &str) -> Result<(), Failure> {
        let out = self.0.write_all(line.as_bytes()).and_then(|()| self.0.write_all(b"\n"));
        out.map_err(|e| Failure::writing(STDOUT, &e))
    }

    /// Writes `text`, which has line ends of its own.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.0.write_all(text.as_bytes()).map_err(|e| Failure::writing(STDOUT, &e))
    }

    /// Writes everything that is buffered.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|e| Failure::writing(STDOUT, &e))
    }

    /// Calls `write`, then writes everything that is buffered.
    pub(super) fn with(mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        write(&mut self.0).and_then(|()| self.0.flush()).map_err(|e| Failure::writing(STDOUT, &e))
    }
}

/// Prints a message that is not a result, as one line on stderr. On a terminal it is wrapped at words.
pub(super) fn note(text: &str) {
    let text = wrapped("", &super::text::one_line(text), columns_of_terminal(io::stderr()));
    let _ = writeln!(anstream::stderr(), "{text}");
}
