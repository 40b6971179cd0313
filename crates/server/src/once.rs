//! A value that is made at the first request for it. All requests that come meanwhile share one attempt and its end, even
//! if it fails.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::watch;

use super::failure::Failure;
use super::work::{Asker, Bounds};

/// A value that is made once.
pub(super) struct Once<T>(Mutex<OnceState<T>>);

enum OnceState<T> {
    Empty,
    Coming(Attempt<T>),
    Made(T),
}

/// An attempt to make a value.
struct Attempt<T> {
    /// The requests that wait for it. It stops when there are none left.
    waiting: Weak<()>,
    end: watch::Receiver<Option<Result<T, Failure>>>,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self(Mutex::new(OnceState::Empty))
    }
}

impl<T: Clone + Send + Sync + 'static> Once<T> {
    fn state(&self) -> MutexGuard<'_, OnceState<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value, if it was made.
    pub(super) fn get(&self) -> Option<T> {
        match &*self.state() {
            OnceState::Made(value) => Some(value.clone()),
            OnceState::Empty | OnceState::Coming(_) => None,
        }
    }

    /// True if there is no value and no request waits for one.
    pub(super) fn is_empty(&self) -> bool {
        match &*self.state() {
            OnceState::Made(_) => false,
            OnceState::Coming(attempt) => attempt.waiting.strong_count() == 0,
            OnceState::Empty => true,
        }
    }

    /// Keeps `value`, unless one was made before.
    pub(super) fn set(&self, value: T) {
        let mut state = self.state();
        if !matches!(&*state, OnceState::Made(_)) {
            *state = OnceState::Made(value);
        }
    }

    /// The value. If there is none, waits for the current attempt to make it, or begins one with `make`. An attempt has
    /// the time of the request that began it, and stops when every request for it has left. A later request begins
    /// another attempt after a failure.
    ///
    /// # Errors
    /// If the attempt fails.
    pub(super) async fn get_or_make<F>(
        self: &Arc<Self>,
        asker: &Asker,
        make: impl FnOnce(Bounds) -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let (here, mut end) = {
            let mut state = self.state();
            let joined = match &*state {
                OnceState::Made(value) => return Ok(value.clone()),
                OnceState::Coming(attempt) => attempt.waiting.upgrade().map(|here| (here, attempt.end.clone())),
                OnceState::Empty => None,
            };
            match joined {
                Some(joined) => joined,
                None => {
                    let here = Arc::new(());
                    let (told, end) = watch::channel(None);
                    let bounds = asker.shared_bounds(&here);
                    let waiting = bounds.waiting().clone();
                    *state = OnceState::Coming(Attempt { waiting: waiting.clone(), end: end.clone() });
                    let (once, made) = (Arc::clone(self), make(bounds));
                    tokio::spawn(async move {
                        let made = made.await;
                        once.settle(&waiting, made.as_ref().ok());
                        told.send_replace(Some(made));
                    });
                    (here, end)
                }
            }
        };
        let made = match end.wait_for(Option::is_some).await {
            Ok(made) => made.clone(),
            Err(_) => None,
        };
        drop(here);
        // Without an end, the attempt panicked.
        made.unwrap_or_else(|| Err(Failure::internal()))
    }

    /// Ends the attempt for which `waiting` wait, unless another one began since.
    fn settle(&self, waiting: &Weak<()>, made: Option<&T>) {
        let mut state = self.state();
        if matches!(&*state, OnceState::Coming(attempt) if attempt.waiting.ptr_eq(waiting)) {
            *state = made.map_or(OnceState::Empty, |value| OnceState::Made(value.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::super::work::BoundedWork;
    use super::*;

    #[test]
    fn requests_share_one_attempt_and_its_failure() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
        let work = BoundedWork::new(1, 1, Duration::from_secs(60));
        let attempts = Arc::new(AtomicUsize::new(0));
        runtime.block_on(async {
            let once: Arc<Once<u32>> = Arc::default();
            let ask = |value: Option<u32>| {
                let (once, attempts, asker) = (Arc::clone(&once), Arc::clone(&attempts), work.begin());
                async move {
                    let make = |_| async move {
                        attempts.fetch_add(1, Ordering::Relaxed);
                        tokio::time::sleep(Duration::from_millis(400)).await;
                        value.ok_or_else(|| Failure::busy("later"))
                    };
                    once.get_or_make(&asker, make).await.ok()
                }
            };
            for asking in [ask(None), ask(None), ask(None)].map(tokio::spawn) {
                assert_eq!(asking.await.unwrap(), None);
            }
            assert_eq!((attempts.load(Ordering::Relaxed), once.get()), (1, None));
            for asking in [ask(Some(3)), ask(Some(3))].map(tokio::spawn) {
                assert_eq!(asking.await.unwrap(), Some(3));
            }
            assert_eq!((attempts.load(Ordering::Relaxed), once.get()), (2, Some(3)));
        });
    }

    #[test]
    fn an_attempt_stops_when_every_request_has_left() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
        let work = BoundedWork::new(1, 1, Duration::from_secs(60));
        runtime.block_on(async {
            let once: Arc<Once<u32>> = Arc::default();
            let (left, asker) = (Arc::new(AtomicUsize::new(0)), work.begin());
            let gone = Arc::clone(&left);
            let wait = once.get_or_make(&asker, |bounds| async move {
                while bounds.waiting().strong_count() > 0 {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                gone.store(1, Ordering::Relaxed);
                Err(Failure::busy("nobody waits"))
            });
            assert!(tokio::time::timeout(Duration::from_millis(50), wait).await.is_err());
            while left.load(Ordering::Relaxed) == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            // The next request begins anew.
            assert_eq!(once.get_or_make(&asker, |_| async { Ok(5) }).await.ok(), Some(5));
        });
    }
}
