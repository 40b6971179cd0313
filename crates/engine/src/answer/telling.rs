//! The progress of a search, which is told once the search has taken a while.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::{SearchLimit, Source};

/// The time after which a search is told. Most searches are over before.
const PATIENCE: Duration = Duration::from_millis(300);

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchProgress {
    /// The positions that it has expanded.
    pub done: u64,
    /// The most positions; `None` if the limit is a time.
    pub most: Option<u64>,
    /// The time at which it stops, if the limit is a time.
    pub until: Option<Instant>,
}

/// A function that is called with the progress of a search, and may stop it.
pub type SearchTeller = Box<dyn Fn(SearchProgress) -> ControlFlow<()> + Send + Sync>;

/// What is told of a search of a source.
pub(super) struct Telling<'s> {
    source: &'s Source,
    progress: SearchProgress,
    begun: Instant,
    /// The positions that the kept search had expanded before.
    before: Option<u64>,
    teller: Option<SearchTeller>,
}

impl<'s> Telling<'s> {
    /// A search that begins now, within `limit`, and stops at `until` if the limit is a time.
    pub(super) fn new(source: &'s Source, limit: SearchLimit, until: Option<Instant>) -> Self {
        let most = if let SearchLimit::Positions(positions) = limit { Some(positions) } else { None };
        let progress = SearchProgress { done: 0, most, until };
        Self { source, progress, begun: Instant::now(), before: None, teller: None }
    }

    /// Tells that the search has expanded `expanded` positions in all; 0 if that is not known.
    pub(super) fn tell(&mut self, expanded: u64) -> ControlFlow<()> {
        if expanded > 0 {
            let before = *self.before.get_or_insert(expanded);
            self.progress.done = self.progress.done.max(expanded.saturating_sub(before));
        }
        if self.teller.is_none() && self.begun.elapsed() >= PATIENCE {
            self.teller = self.source.tell_search();
        }
        self.teller.as_ref().map_or(ControlFlow::Continue(()), |tell| tell(self.progress))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::{Asked, Engine, TableDirs, game};
    use tablegen_games::Parameters;

    /// A long search tells the positions that it has expanded and the time at which it stops, and may be stopped. A short one tells nothing.
    #[test]
    fn long_searches_are_told() {
        let large = || game("hex", &Parameters::new().with("rows", 6).with("cols", 6)).unwrap();
        let told: Arc<Mutex<Vec<SearchProgress>>> = Arc::default();
        let source = |most: usize| {
            let told = Arc::clone(&told);
            let source = Engine::new(TableDirs::none()).source(large(), SearchLimit::Positions(0)).unwrap();
            source.with_search_teller(move || -> SearchTeller {
                let told = Arc::clone(&told);
                Box::new(move |progress| {
                    let mut told = told.lock().unwrap();
                    told.push(progress);
                    if told.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })
            })
        };
        let start = Asked::typed(large().as_ref(), None).unwrap();
        source(usize::MAX).answer_within(&start, SearchLimit::Positions(100)).unwrap();
        assert!(told.lock().unwrap().is_empty());
        source(usize::MAX).answer_within(&start, SearchLimit::Time(Duration::from_millis(1500))).unwrap();
        let of_time = std::mem::take(&mut *told.lock().unwrap());
        assert!(of_time.iter().all(|it| it.most.is_none() && it.until.is_some()), "{of_time:?}");
        assert!(of_time.len() > 1 && of_time.is_sorted_by_key(|it| it.done), "{of_time:?}");
        assert!(source(3).answer_within(&start, SearchLimit::Positions(u64::MAX)).is_err());
        assert!(told.lock().unwrap().iter().all(|it| it.most.is_some() && it.until.is_none()));
    }
}
