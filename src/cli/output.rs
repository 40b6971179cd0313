//! Results on standard output.

use std::io::{self, Write};

use serde_json::Value;

use super::failure::Failure;

/// What standard output is called in errors.
const STDOUT: &str = "standard output";

/// Prints `text`, which may be styled: styles reach terminals only, and none if NO_COLOR is set.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Failure::writing(STDOUT, &e))
}

/// Prints `value` as one line.
pub(super) fn print_json(value: &Value) -> Result<(), Failure> {
    // Never styled, and what looks like a style is part of a text.
    Stream::new().with(|out| writeln!(out, "{value}"))
}

/// Standard output for many lines or many bytes: kept back until there is a good deal of them, never styled.
pub(super) struct Stream(io::BufWriter<io::StdoutLock<'static>>);

impl Stream {
    pub(super) fn new() -> Self {
        Self(io::BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// Writes `line` and a line end.
    pub(super) fn line(&mut self, line: &str) -> Result<(), Failure> {
        let out = self.0.write_all(line.as_bytes()).and_then(|()| self.0.write_all(b"\n"));
        out.map_err(|e| Failure::writing(STDOUT, &e))
    }

    /// Hands everything on.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|e| Failure::writing(STDOUT, &e))
    }

    /// Lets `write` write, then hands everything on.
    pub(super) fn with(mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        write(&mut self.0).and_then(|()| self.0.flush()).map_err(|e| Failure::writing(STDOUT, &e))
    }
}

/// Tells the user something that is no result, as a line on stderr.
pub(super) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", super::text::one_line(text));
}
