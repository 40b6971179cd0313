//! Work on separate threads: short look-ups, and solves, which are limited in number and time.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::failure::Failure;

/// A check that long work calls from time to time, on any thread. `Break` tells the work to stop.
pub(super) type Watch<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

/// Runs `work`, which must be short.
pub(super) async fn look_up<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    // The thread fails only if it panicked.
    spawn_blocking(work).await.unwrap_or_else(|_| Err(Failure::internal()))
}

/// The slots for long work.
pub(super) struct SolveSlots {
    free: Arc<Semaphore>,
    time: Duration,
}

impl SolveSlots {
    pub(super) fn new(slots: usize, time: Duration) -> Self {
        Self { free: Arc::new(Semaphore::new(slots)), time }
    }

    /// Runs `work`, which must call its watch from time to time. The watch stops the work when its time is up. It also
    /// does so when this future is dropped because the client has closed the connection.
    pub(super) async fn long<T: Send + 'static>(
        &self,
        work: impl FnOnce(Watch<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let Ok(slot) = Arc::clone(&self.free).try_acquire_owned() else {
            return Err(Failure::busy("the server is already solving its maximum number of games; try again"));
        };
        let (left, until) = (Arc::new(AtomicBool::new(false)), Instant::now() + self.time);
        let waiting = Waiting(Arc::clone(&left));
        let work = move || {
            let is_over = || left.load(Ordering::Relaxed) || Instant::now() >= until;
            let done = work(&|| if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
            drop(slot);
            done
        };
        let done = spawn_blocking(work).await.unwrap_or_else(|_| Err(Failure::internal()));
        drop(waiting);
        done
    }
}

/// A guard that marks its work as abandoned when it is dropped.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
