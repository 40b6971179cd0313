//! Work on separate threads, all of it bounded: look-ups, which are short; readings of rules, which wait their turn; and
//! solves, which are refused if there are too many.
//!
//! A reading or a solve ends when the time of its request is over, or when nobody waits for it any more.

use std::ops::ControlFlow;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use super::failure::Failure;

/// The longest time for which a client waits for a step of its work that calls no watch, after the time of its request.
const GRACE: Duration = Duration::from_secs(1);

/// A check that long work calls from time to time, on any thread. `Break` tells the work to stop.
pub(super) type Watch<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

/// A request whose client waits for its answer. When this value is dropped, the client has its answer or has left.
pub(super) struct Asker {
    time: Time,
    here: Arc<()>,
}

/// The end of the time for a request.
#[derive(Clone, Copy)]
struct Time {
    /// The time when the work must stop.
    until: Instant,
    /// The time when the client is answered, even if a step of the work goes on.
    latest: Instant,
}

/// The bounds of the work for one or several requests: a time, and the clients that wait.
#[derive(Clone)]
pub(super) struct Bounds {
    time: Time,
    waiting: Weak<()>,
}

impl Asker {
    /// The time that a search for this request may take: a tenth of what is left is for the rest of the answer.
    pub(super) fn time_to_search(&self) -> Duration {
        self.time.until.saturating_duration_since(Instant::now()) / 10 * 9
    }

    /// The bounds of work for this request alone.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds { time: self.time, waiting: Arc::downgrade(&self.here) }
    }

    /// The bounds of work for this request and for others that join it: the time of this request, and the clients that
    /// hold `here`.
    pub(super) fn shared_bounds(&self, here: &Arc<()>) -> Bounds {
        Bounds { time: self.time, waiting: Arc::downgrade(here) }
    }
}

impl Bounds {
    /// True if the work must stop.
    fn are_over(&self) -> bool {
        self.waiting.strong_count() == 0 || Instant::now() >= self.time.until
    }

    /// The clients that wait for the work.
    pub(super) const fn waiting(&self) -> &Weak<()> {
        &self.waiting
    }
}

/// Runs `work`, which must be short whatever a request contains.
pub(super) async fn look_up<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    // The thread fails only if it panicked.
    spawn_blocking(work).await.unwrap_or_else(|_| Err(Failure::internal()))
}

/// Who wrote the rules that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Author {
    /// The games and the tables of the server, of which a request sets options.
    Server,
    /// A client, who sends up to 1 MiB.
    Client,
}

/// The limits of work that can be long.
pub(super) struct BoundedWork {
    solves: Arc<Semaphore>,
    /// The readings of the server's own games, apart from those of sent rules, so that they need not wait for these.
    own: Arc<Semaphore>,
    sent: Arc<Semaphore>,
    time: Duration,
}

impl BoundedWork {
    /// Room for `solves` solves and, on a machine with `cores` cores, for [`readings`](Self::readings). Work for one
    /// request takes at most `time`.
    pub(super) fn new(solves: usize, cores: usize, time: Duration) -> Self {
        let room = |number| Arc::new(Semaphore::new(number));
        Self { solves: room(solves), own: room(2 * cores), sent: room(cores), time }
    }

    /// The number of readings at a time: two per core of the server's games, one per core of sent rules.
    pub(super) const fn readings(cores: usize) -> usize {
        3 * cores
    }

    /// A request that begins now.
    pub(super) fn begin(&self) -> Asker {
        let until = Instant::now() + self.time;
        Asker { time: Time { until, latest: until + GRACE.min(self.time) }, here: Arc::new(()) }
    }

    /// Runs `solve`, which must call its watch from time to time.
    ///
    /// # Errors
    /// If there are too many solves, or `bounds` are over.
    pub(super) async fn solve<T: Send + 'static>(
        &self,
        bounds: &Bounds,
        solve: impl FnOnce(Watch<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let Ok(slot) = Arc::clone(&self.solves).try_acquire_owned() else {
            return Err(Failure::busy("the server is already solving its maximum number of games; try again"));
        };
        let over = Failure::out_of_time;
        within(slot, bounds, over, solve).await
    }

    /// Runs `read`, which reads rules of `author` and what a request says about them. It waits for its turn.
    ///
    /// # Errors
    /// If `bounds` are over before it is done.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        author: Author,
        bounds: &Bounds,
        read: impl FnOnce(Watch<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let over = || Failure::busy("the server is reading other rules, or these take too long to read; try again");
        let room = match author {
            Author::Server => &self.own,
            Author::Client => &self.sent,
        };
        let turn = timeout_at(bounds.time.until.into(), Arc::clone(room).acquire_owned()).await;
        let Ok(Ok(slot)) = turn else { return Err(over()) };
        within(slot, bounds, over, read).await
    }
}

/// Runs `work` on another thread, and gives `slot` back at its end. A step that calls no watch may be long. If work goes on for
/// more than [`GRACE`] after its time, the client gets the failure `over`, and the slot stays taken until the end.
async fn within<T: Send + 'static>(
    slot: OwnedSemaphorePermit,
    bounds: &Bounds,
    over: fn() -> Failure,
    work: impl FnOnce(Watch<'_>) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let watched = bounds.clone();
    let work = move || {
        let watch = || if watched.are_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let done = if watched.are_over() { Err(over()) } else { work(&watch) };
        drop(slot);
        done
    };
    match timeout_at(bounds.time.latest.into(), spawn_blocking(work)).await {
        Ok(done) => done.unwrap_or_else(|_| Err(Failure::internal())),
        Err(_) => Err(over()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<F: Future>(future: F) -> F::Output {
        tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap().block_on(future)
    }

    /// Work that ends only when its watch says so.
    fn endless(watch: Watch<'_>) -> Result<(), Failure> {
        while watch().is_continue() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(Failure::out_of_time())
    }

    #[test]
    fn readings_wait_their_turn_and_solves_do_not() {
        let work = Arc::new(BoundedWork::new(1, 1, Duration::from_millis(300)));
        run(async {
            let (first, asker) = (Arc::clone(&work), work.begin());
            let solving = tokio::spawn(async move { first.solve(&asker.bounds(), endless).await });
            tokio::time::sleep(Duration::from_millis(50)).await;
            let asker = work.begin();
            assert!(work.solve(&asker.bounds(), |_| Ok(())).await.is_err());
            assert!(solving.await.unwrap().is_err());
            // The place is free again.
            let asker = work.begin();
            assert!(work.solve(&asker.bounds(), |_| Ok(())).await.is_ok());
            let (first, asker) = (Arc::clone(&work), work.begin());
            let slow = |_: Watch<'_>| {
                std::thread::sleep(Duration::from_millis(100));
                Ok(1)
            };
            let reading = tokio::spawn(async move { first.read(Author::Client, &asker.bounds(), slow).await });
            tokio::time::sleep(Duration::from_millis(20)).await;
            let asker = work.begin();
            assert_eq!(work.read(Author::Client, &asker.bounds(), |_| Ok(2)).await.ok(), Some(2));
            assert_eq!(reading.await.unwrap().ok(), Some(1));
        });
    }

    #[test]
    fn work_ends_with_its_time_or_its_client() {
        let work = BoundedWork::new(1, 1, Duration::from_millis(100));
        run(async {
            let begun = Instant::now();
            let asker = work.begin();
            // A step that calls no watch: the client is answered all the same.
            let step = |_: Watch<'_>| {
                std::thread::sleep(Duration::from_millis(1500));
                Ok(())
            };
            assert!(work.read(Author::Client, &asker.bounds(), step).await.is_err());
            // The readings of the server's games do not wait for it.
            let other = work.begin();
            assert!(work.read(Author::Server, &other.bounds(), |_| Ok(())).await.is_ok());
            assert!(begun.elapsed() < Duration::from_millis(1400));
            // No work begins for a client that has left.
            let left = work.begin();
            let bounds = left.bounds();
            drop(left);
            assert!(work.solve(&bounds, |_| Ok(())).await.is_err());
        });
    }
}
