//! The options of a search: its limit, its threads, its memory, and the labels it finds.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::builder::TypedValueParser;
use tablegen::engine::{self, Engine, MAX_THREADS, SearchLimit, SearchOptions, SearchSetup, Wanted};
use tablegen::game::Game;

use super::failure::Failure;
use super::one_of::one_of;
use super::size;
use super::text::{bytes, counted};

/// The largest number of positions by default.
const POSITIONS: u64 = 1_000_000;
/// The time of a search in a game: there are two searches for each move of a person, and a guess.
const PLAY_TIME: Duration = Duration::from_millis(400);

/// The options of a search.
#[derive(clap::Args)]
pub(super) struct SearchArgs {
    /// If no table answers, search at most N positions for each answer, or fewer if each has thousands of moves; or
    /// search for a time, as in 500ms, 5s or 2m; beyond that limit, the outcome is unknown [default: 1000000; for 'play' 400ms]
    #[arg(long, value_name = "N|TIME", allow_negative_numbers = true, value_parser = clap::value_parser!(SearchLimit))]
    limit: Option<SearchLimit>,
    /// Search for this label as well: remoteness or score [default: score where players count, none elsewhere]
    #[arg(long, value_name = "LABEL", hide_possible_values = true, value_parser = labels())]
    labels: Option<Wanted>,
    /// Search and solve with N threads [default: 1 for a search, one per core to solve a game]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    threads: Option<NonZeroUsize>,
    /// Remember positions of a search in at most SIZE of memory, 1GiB for instance [default: 64MiB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size::parse)]
    memory: Option<u64>,
}

fn labels() -> impl TypedValueParser<Value = Wanted> {
    one_of(Wanted::ALL.map(|wanted| (wanted.name(), wanted, "")).into())
}

impl SearchArgs {
    /// The limit, and what to find.
    pub(super) fn options(&self) -> SearchOptions {
        let limit = self.limit.unwrap_or(SearchLimit::Positions(POSITIONS));
        SearchOptions { limit, wanted: self.labels.unwrap_or(Wanted::Outcome) }
    }

    /// Refuses a label that `game` does not have.
    ///
    /// # Errors
    /// If `game` does not have it.
    pub(super) fn check(&self, game: &dyn Game) -> Result<(), Failure> {
        let has = |wanted| engine::check_wanted(game, wanted);
        has(self.options().wanted).map_err(|error| {
            let failure = Failure::usage(format!("--labels: {error}"));
            match [Wanted::Score, Wanted::Plies].into_iter().find(|&other| has(other).is_ok()) {
                Some(other) => failure.hint(format!("use --labels {}", other.name())),
                None => failure,
            }
        })
    }

    /// The same options, with a limit for players who wait.
    pub(super) fn for_play(&self) -> Self {
        let limit = Some(self.limit.unwrap_or(SearchLimit::Time(PLAY_TIME)));
        Self { limit, labels: self.labels, threads: self.threads, memory: self.memory }
    }

    /// The options for a command that needs a table.
    pub(super) const fn none() -> Self {
        Self { limit: Some(SearchLimit::Positions(0)), labels: None, threads: None, memory: None }
    }

    /// `engine` with these threads and this memory.
    ///
    /// # Errors
    /// If there are too many threads, or the memory is too small.
    pub(super) fn engine(&self, engine: Engine) -> Result<Engine, Failure> {
        let mut setup = SearchSetup::DEFAULT;
        if let Some(memory) = self.memory {
            let least = SearchSetup::LEAST_BYTES;
            setup.bytes = usize::try_from(memory).unwrap_or(usize::MAX);
            if setup.bytes < least {
                let message = format!("--memory: expected at least {}, found {}", bytes(least as u64), bytes(memory));
                return Err(Failure::usage(message).hint("give a unit, as in 64MiB"));
            }
        }
        let Some(threads) = self.threads.map(NonZeroUsize::get) else { return Ok(engine.with_search(setup)) };
        if threads > MAX_THREADS {
            let message = format!("--threads: expected 1 to {MAX_THREADS} threads, found {threads}");
            return Err(Failure::usage(message).hint("use one thread per core at most"));
        }
        setup.threads = threads;
        Ok(engine.with_search(setup).with_threads(Some(threads)))
    }
}

/// The limit in words: `a search of up to 1,000,000 positions`, `a search of 5 s`.
pub(super) fn in_words(limit: SearchLimit) -> String {
    match limit {
        SearchLimit::Positions(1) => "a search of 1 position".into(),
        SearchLimit::Positions(positions) => format!("a search of up to {}", counted(positions, "position")),
        SearchLimit::AtOnce | SearchLimit::Time(_) => format!("a search of {limit}"),
    }
}

/// The option with a limit that is likely to do where `limit` did not, in steps that a person waits for: `--limit 10s`.
pub(super) fn longer(limit: SearchLimit) -> String {
    /// About the positions that a search visits in a second.
    const PER_SECOND: u64 = 1_000_000;
    /// A longer search takes at least so many times as long.
    const LEAST: u64 = 5;
    const STEPS: [(u64, &str); 5] = [(10, "10s"), (60, "1m"), (600, "10m"), (3600, "60m"), (36_000, "600m")];
    let seconds = match limit {
        SearchLimit::AtOnce => 0,
        SearchLimit::Positions(positions) => positions / PER_SECOND,
        SearchLimit::Time(time) => time.as_secs(),
    };
    let least = seconds.saturating_mul(LEAST);
    let step = STEPS.iter().find(|(step, _)| *step >= least).map(|(_, step)| (*step).to_owned());
    format!("--limit {}", step.unwrap_or_else(|| format!("{}m", (least / 60).max(1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_search_takes_several_times_as_long() {
        let longer = |limit: &str| longer(limit.parse().unwrap());
        let steps = [("0", "10s"), ("1000000", "10s"), ("400ms", "10s"), ("2s", "10s"), ("5s", "1m"), ("10s", "1m")];
        for (limit, step) in steps.into_iter().chain([("1m", "10m"), ("100000000", "10m"), ("60m", "600m")]) {
            assert_eq!(longer(limit), format!("--limit {step}"), "{limit}");
        }
        // Every step is a limit, and longer than the one before.
        let mut limit = "10s".to_owned();
        for _ in 0..6 {
            let next = longer(&limit).replace("--limit ", "");
            let time = |text: &str| match text.parse() {
                Ok(SearchLimit::Time(time)) => time,
                other => panic!("{other:?}"),
            };
            assert!(time(&next) >= 5 * time(&limit), "{limit} {next}");
            limit = next;
        }
    }

    #[test]
    fn limits_in_words() {
        let words = ["1", "1000000", "5s", "1500ms"].map(|limit| in_words(limit.parse().unwrap()));
        assert_eq!(
            words,
            [
                "a search of 1 position",
                "a search of up to 1,000,000 positions",
                "a search of 5 s",
                "a search of 1500 ms"
            ]
        );
    }
}
