//! Texts from files: a list of words, a graph, a rules file or a position.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Maximum size in bytes of the file that gives the value of a parameter: a list of a million words.
pub const MOST_PARAMETER_BYTES: u64 = 16 << 20;

/// The reason why a text was not read, and from which file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot read {name}: {what}")]
pub struct TextError {
    /// The name of the file.
    pub name: String,
    /// The fault.
    pub what: String,
}

/// The content of the text file at `path`, of at most `most` bytes.
///
/// # Errors
/// If the file does not exist, is larger, or is not UTF-8.
pub fn text_file(path: &Path, most: u64) -> Result<String, TextError> {
    let name = path.display().to_string();
    let fault = |what: String| TextError { name: name.clone(), what };
    if path.is_dir() {
        return Err(fault("expected a text file, found a folder".into()));
    }
    let mut file = File::open(path).map_err(|e| fault(e.to_string()))?;
    text_of(&name, &mut file, most)
}

/// The text in `source`, which is called `name`, of at most `most` bytes. A byte order mark, which some editors write,
/// is dropped.
///
/// # Errors
/// As [`text_file`].
pub fn text_of(name: &str, source: &mut dyn Read, most: u64) -> Result<String, TextError> {
    let fault = |what: String| TextError { name: name.into(), what };
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes).map_err(|e| fault(e.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(fault(format!("expected a text file of at most {} MiB, found a larger one", most >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let bad = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..bad].iter().filter(|&&byte| byte == b'\n').count();
        let byte = e.as_bytes().get(bad).copied().unwrap_or_default();
        fault(format!("expected UTF-8, found byte {byte:#04x} in line {line}"))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
