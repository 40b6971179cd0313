//! The text of a certificate: a file, or standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use super::rules::{Position, position};

/// The first bytes of a certificate, and of a table.
const CERTIFICATE: &[u8] = b"certificate ";
const TABLE: &[u8] = b"\x89TBG\r\n\x1a\n";
/// Strategies are read several times, so the text of a pipe is kept in memory. It may have this many bytes: 1 GiB.
const MOST: u64 = 1 << 30;

/// A text that can be read several times.
pub(crate) trait Text: BufRead + Seek {}

impl<T: BufRead + Seek> Text for T {}

/// Opens the certificate at `path`; `-` is standard input.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Text>, String> {
    if path == Path::new("-") {
        return in_memory(io::stdin(), "standard input");
    }
    let name = path.display().to_string();
    let unread = |error: io::Error| format!("cannot read {name}: {error}");
    let mut file = File::open(path).map_err(unread)?;
    if !file.metadata().map_err(unread)?.is_file() {
        return in_memory(file, &name);
    }
    begin(&mut file, &name)?;
    file.rewind().map_err(unread)?;
    Ok(Box::new(BufReader::new(file)))
}

/// Reads the first bytes, which must be those of a certificate.
fn begin(from: &mut impl Read, name: &str) -> Result<Vec<u8>, String> {
    let mut first = Vec::new();
    let read = from.take(CERTIFICATE.len() as u64).read_to_end(&mut first);
    read.map_err(|error| format!("cannot read {name}: {error}"))?;
    let found = match &first[..] {
        CERTIFICATE => return Ok(first),
        found if found.starts_with(TABLE) => "a table; 'tablegen certify' makes a certificate from it",
        _ => "another text; 'tablegen certify' writes certificates",
    };
    Err(format!("cannot check {name}: expected a certificate, found {found}"))
}

/// Keeps the text of a pipe in memory.
fn in_memory(mut from: impl Read, name: &str) -> Result<Box<dyn Text>, String> {
    let mut text = begin(&mut from, name)?;
    from.take(MOST).read_to_end(&mut text).map_err(|error| format!("cannot read {name}: {error}"))?;
    if text.len() as u64 > MOST {
        return Err(format!("cannot check {name}: expected at most {MOST} bytes, found more; save them to a file"));
    }
    Ok(Box::new(Cursor::new(text)))
}

/// The lines of a certificate.
pub(crate) struct Lines {
    pub(crate) file: Box<dyn Text>,
    /// The number of lines read.
    pub(crate) number: u64,
}

impl Lines {
    pub(crate) fn next(&mut self) -> Result<String, String> {
        let mut line = String::new();
        self.number += 1;
        // Lines of rules with 4,096 modes are shorter.
        let read = (&mut self.file).take(1 << 16).read_line(&mut line);
        let read = read.map_err(|error| format!("line {}: cannot read it: {error}", self.number))?;
        if read == 0 || line.pop() != Some('\n') {
            return Err(format!("line {}: the certificate is cut short, or the line is too long", self.number));
        }
        Ok(line)
    }

    /// A member, and its number, or 0.
    pub(crate) fn member(&mut self, has_number: bool) -> Result<(Position, i64), String> {
        let line = self.next()?;
        let words: Vec<&str> = line.split(' ').collect();
        let number = if has_number { words.get(2).and_then(|number| number.parse::<i32>().ok()) } else { Some(0) };
        let member = position(&words).zip(number).filter(|_| words.len() == 2 + usize::from(has_number));
        let member = member.map(|(position, number)| (position, number.into()));
        member.ok_or_else(|| format!("line {}: expected a position, found {line:?}", self.number))
    }

    /// The place of the next line.
    pub(crate) fn place(&mut self) -> Result<(u64, u64), String> {
        Ok((self.file.stream_position().map_err(|e| e.to_string())?, self.number))
    }

    pub(crate) fn go(&mut self, (byte, number): (u64, u64)) -> Result<(), String> {
        self.number = number;
        self.file.seek(SeekFrom::Start(byte)).map(|_| ()).map_err(|e| e.to_string())
    }

    /// Returns whether nothing follows.
    pub(crate) fn are_over(&mut self) -> bool {
        self.file.fill_buf().is_ok_and(<[u8]>::is_empty)
    }
}
