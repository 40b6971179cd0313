//! How a search works: when it gives up, what it finds beside the outcome, and what it may use.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use tablegen_search::Wanted;

/// The most work of a search for one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchLimit {
    /// Look-ups, and searches of a few milliseconds near the end of play. Nothing is solved.
    AtOnce,
    /// A number of positions; fewer if each has thousands of moves.
    Positions(u64),
    /// A time.
    Time(Duration),
}

impl SearchLimit {
    /// The most positions; without end if the limit is a time.
    pub(crate) const fn positions(self) -> u64 {
        match self {
            Self::AtOnce => 0,
            Self::Positions(positions) => positions,
            Self::Time(_) => u64::MAX,
        }
    }

    /// The most positions of a search that cannot be stopped after a time, at about a million a second.
    pub(crate) const fn estimated_positions(self) -> u64 {
        match self {
            Self::AtOnce => 0,
            Self::Positions(positions) => positions,
            Self::Time(time) => time.as_micros() as u64,
        }
    }

    /// The time at which a search that begins now must stop.
    pub(crate) fn until(self) -> Option<Instant> {
        if let Self::Time(time) = self { Instant::now().checked_add(time) } else { None }
    }

    /// The same limit, or `positions` positions if that is less; if the limit is a time, the time that they usually take.
    pub(crate) fn at_most(self, positions: u64) -> Self {
        match self {
            Self::Time(time) => Self::Time(time.min(Duration::from_micros(positions))),
            _ if self.estimated_positions() <= positions => self,
            _ => Self::Positions(positions),
        }
    }

    /// What is left of the limit after `spent`; all of it if it is no time.
    pub(crate) fn after(self, spent: Duration) -> Self {
        if let Self::Time(time) = self { Self::Time(time.saturating_sub(spent)) } else { self }
    }
}

impl Default for SearchLimit {
    fn default() -> Self {
        Self::Positions(0)
    }
}

impl From<u64> for SearchLimit {
    fn from(positions: u64) -> Self {
        Self::Positions(positions)
    }
}

/// `1000000 positions`, `5 s`, `20 ms`.
impl fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtOnce => f.write_str("a few positions"),
            Self::Positions(1) => f.write_str("1 position"),
            Self::Positions(positions) => write!(f, "{positions} positions"),
            Self::Time(time) if time.subsec_millis() > 0 => write!(f, "{} ms", time.as_millis()),
            Self::Time(time) => write!(f, "{} s", time.as_secs()),
        }
    }
}

/// Reads a limit: `1000000`, `500ms`, `5s`, `2.5m`, `1h`.
impl FromStr for SearchLimit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let wrong = || LimitError;
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let seconds = match unit {
            "" => return number.parse().map(Self::Positions).map_err(|_| wrong()),
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
        // Times are told in milliseconds.
        let whole = u64::try_from(time.as_millis()).ok().filter(|&milliseconds| milliseconds > 0);
        whole.map(|milliseconds| Self::Time(Duration::from_millis(milliseconds))).ok_or_else(wrong)
    }
}

/// A text that is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a number of positions, or a time such as 500ms, 5s or 2m")]
pub struct LimitError;

/// The limit of a search for one answer, and what it finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// The limit.
    pub limit: SearchLimit,
    /// What is found beside the outcome. In a game that players count, a search finds scores unless plies are wanted.
    pub wanted: Wanted,
}

impl<L: Into<SearchLimit>> From<L> for SearchOptions {
    fn from(limit: L) -> Self {
        Self { limit: limit.into(), wanted: Wanted::Outcome }
    }
}

impl SearchOptions {
    /// The same options, which ask for what is `wanted`.
    #[must_use]
    pub const fn wanting(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }
}

/// What the search of a source may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchSetup {
    /// The most bytes of its table of positions.
    pub bytes: usize,
    /// The number of threads.
    pub threads: usize,
}

impl SearchSetup {
    /// One thread and 64 MiB.
    pub const DEFAULT: Self = Self { bytes: 64 << 20, threads: 1 };
    /// The least memory with which any game can be searched, in bytes.
    pub const LEAST_BYTES: usize = 1 << 20;
}

impl Default for SearchSetup {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_positions_or_times() {
        let read = |text: &str| text.parse::<SearchLimit>();
        let time = |milliseconds| Ok(SearchLimit::Time(Duration::from_millis(milliseconds)));
        assert_eq!([read("0"), read("1000000")], [0, 1_000_000].map(|number| Ok(SearchLimit::Positions(number))));
        assert_eq!([read("500ms"), read("5s"), read("2m")], [time(500), time(5000), time(120_000)]);
        assert_eq!([read("0.5s"), read("1.5m"), read("1h")], [time(500), time(90_000), time(3_600_000)]);
        for text in
            ["", "s", "-1", "5 s", "5d", "0s", "1.5", "1.5.5s", ".s", "99999999999999999999", "9999999999999999999m"]
        {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
