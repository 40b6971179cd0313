//! Answers over HTTP, and a page that asks for them.
//!
//! A [`Server`] turns each request into one call of the [`engine`](crate::engine) and answers with the object that the
//! command line prints with `--json`. `docs/server.md` describes the routes.
//!
//! - `catalogue`: which games and tables there are, by name. No request names a file.
//! - `sources`: opened and solved tables, a bounded number of them.
//! - `work`: what may take long: on threads of its own, few at a time, with an end.
//! - `connections`: senders that are slow, readers that stop, the last answers before the end.
//! - `api`, `answers`, `page`: the routes; `uwapi`: those of the field's own web client.

mod answers;
mod api;
mod app;
mod body;
mod catalogue;
mod connections;
mod failure;
mod page;
mod query;
mod reply;
mod sources;
mod uwapi;
mod work;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

pub use catalogue::{Catalogue, GameEntry};

use crate::engine::Engine;
use app::App;

/// What a server allows itself and its clients.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Games solved or searched at a time; a request beyond that is told to come back.
    pub solves: usize,
    /// How long a game may be solved or searched for one request.
    pub solve_time: Duration,
    /// Memory in bytes that a solve may bring the process to; `None` for what a build may take.
    pub memory: Option<u64>,
    /// Bytes of solved tables that are kept for the next request.
    pub kept: u64,
    /// Connections at a time; further ones wait to be accepted.
    pub connections: usize,
    /// How long a client may take to send the head of a request, or its body, or to take what is written to it.
    pub patience: Duration,
    /// How long the requests that are being answered may take after the server was told to stop.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            solves: 2,
            solve_time: Duration::from_secs(30),
            memory: None,
            kept: 256 << 20,
            connections: 1000,
            patience: Duration::from_secs(10),
            grace: Duration::from_secs(40),
        }
    }
}

/// Tells a running [`Server`] to stop. It answers what it was asked before, and then ends.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    /// A server that is given this runs until [`stop`](Self::stop) is called.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Stops the server. Any thread may call it, at any time.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}

/// A server of answers.
pub struct Server {
    app: Arc<App>,
    limits: Limits,
}

impl Server {
    /// A server that answers about what `catalogue` names, with the tables that `engine` finds.
    #[must_use]
    pub fn new(engine: Engine, catalogue: Catalogue, limits: Limits) -> Self {
        Self { app: Arc::new(App::new(engine, catalogue, &limits)), limits }
    }

    /// Answers those who connect to `listener`, until `stop` is called.
    ///
    /// # Errors
    /// If the system does not give it threads, or cannot listen.
    pub fn run(self, listener: TcpListener, stop: &Stop) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_io()
            .enable_time()
            .worker_threads(threads)
            // Beside the solves, look-ups: short, and as many at a time as there are cores.
            .max_blocking_threads(self.limits.solves + 2 * threads)
            .thread_name("server")
            .build()?;
        let router = api::router(self.app);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            connections::serve(listener, router, &self.limits, stop.0.subscribe()).await
        });
        // What is still running now has outlived its grace: nobody waits for it.
        runtime.shutdown_background();
        served
    }
}
