//! The file of the Dance Battle puzzle: `n`, then `m`, then `m` lines `a b`, separated by white space.
//!
//! The file records n itself. The two values of a tile may be in either order, as in a line of play.

use crate::NotationError;
use crate::error::Fault;

/// The largest number of pip values. 10 make 55 tiles; 11 would make 66, more than a board has cells.
const MOST_VALUES: u32 = 10;

/// Reads the number of pip values. The error names the expected value.
pub(super) fn read_values(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return Err(format!("a whole number from 1 to {MOST_VALUES}"));
    }
    match text.parse::<u32>() {
        Ok(0) => Err(format!("1 to {MOST_VALUES} pip values (a set of 0 has no tiles)")),
        Ok(values) if values <= MOST_VALUES => Ok(values),
        Ok(values) => {
            let tiles = u64::from(values) * (u64::from(values) + 1) / 2;
            Err(format!(
                "1 to {MOST_VALUES} pip values (a set of {values} has {tiles} tiles: {values} x 2^{tiles} positions)"
            ))
        }
        Err(_) if text.starts_with('-') => Err(format!("1 to {MOST_VALUES} pip values, not a negative number")),
        Err(_) => Err(format!("1 to {MOST_VALUES} pip values, not billions")),
    }
}

/// The contents of a puzzle file.
pub(super) struct Puzzle {
    /// The number of pip values.
    pub(super) n: u32,
    /// The tiles played so far, in order.
    pub(super) tiles: Vec<(u32, u32)>,
}

impl Puzzle {
    /// Reads a puzzle; `None` if the content begins like a position in the game's notation.
    pub(super) fn read(content: &str) -> Result<Option<Self>, NotationError> {
        let is_tile = |word: &str| word.starts_with('{') || word.find('-').is_some_and(|dash| dash > 0);
        match content.split_whitespace().next() {
            Some(word) if is_tile(word) && !is_binary(content) => Ok(None),
            _ => Self::parse(content).map(Some).map_err(|fault| fault.about(content)),
        }
    }

    fn parse(content: &str) -> Result<Self, Fault> {
        const FORM: &str = "a puzzle file (n, m, then m lines `a b`)";
        if is_binary(content) {
            return Err(Fault::new(FORM, "bytes that are not text"));
        }
        let content = content.strip_prefix('\u{feff}').unwrap_or(content);
        let mut words = content.split_whitespace();
        let n = words.next().ok_or_else(|| Fault::new(FORM, "an empty file"))?;
        let n = read_values(n).map_err(|expected| Fault::new(format!("n first, {expected}"), format!("{n:?}")))?;
        let m = words.next().ok_or_else(|| Fault::new("m, the number of tiles played, after n", "nothing"))?;
        let m: usize = m.parse().map_err(|_| Fault::new("m, the number of tiles played", format!("{m:?}")))?;
        let number = |word: &str| {
            let number = word.parse().ok().filter(|number| *number < n);
            let expected = || format!("tiles with numbers from 0 to {}, since n = {n}", n - 1);
            number.ok_or_else(|| Fault::new(expected(), format!("{word:?}")))
        };
        let numbers = words.map(number).collect::<Result<Vec<u32>, Fault>>()?;
        let tiles: Vec<_> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let expected = || format!("{m} tile{}, as m says", if m == 1 { "" } else { "s" });
        if numbers.len() % 2 == 1 {
            return Err(Fault::new(expected(), format!("{} and a half", tiles.len())));
        }
        match tiles.len() {
            found if found < m => Err(Fault::new(expected(), format!("only {found}"))),
            found if found > m => Err(Fault::new(expected(), format!("{found}: {} too many", found - m))),
            _ => Ok(Self { n, tiles }),
        }
    }
}

/// Returns whether `content` has characters that do not occur in text: control characters, or replacements for invalid
/// bytes.
fn is_binary(content: &str) -> bool {
    content.chars().any(|c| c == '\u{fffd}' || c.is_control() && !c.is_whitespace())
}
