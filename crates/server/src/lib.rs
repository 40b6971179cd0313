//! The HTTP server: answers for programs, and a web page that uses them.
//!
//! A [`Server`] turns each request into one call of the [`engine`](tablegen_engine) and answers with the object that the
//! command line prints with `--json`. `docs/reference/http.md` describes the routes.
//!
//! - `catalogue`: the games and tables, by name. No request names a file.
//! - `visitors`, `guard`: the hosts and origins of requests that are answered.
//! - `sources`: opened and solved tables; `cache`, `once`: values that are made once for all requests that wait.
//! - `work`: long work on separate threads, limited in number and time.
//! - `gzip`: answers for clients that accept gzip.
//! - `connections`: timeouts for slow clients, and the orderly end of the server.
//! - `api`, `answers`, `keys`, `page`: the routes; `uwapi`: the routes for the web client GamesmanUni.

mod answers;
mod api;
mod app;
mod batch;
mod body;
mod cache;
mod catalogue;
mod connections;
mod failure;
mod guard;
mod gzip;
mod keys;
mod once;
mod page;
mod query;
mod reply;
mod sources;
mod uwapi;
mod visitors;
mod work;

use std::io;
use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

pub use catalogue::{Catalogue, GameEntry};
pub use visitors::{AllowedOrigin, HostName, OriginText, VisitorError, Visitors};

use app::App;
use guard::Guard;
use tablegen_engine::Engine;
use work::BoundedWork;

/// The limits of a server and its clients.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest number of games solved or searched at a time. Further requests are refused and can be repeated
    /// later.
    pub solves: usize,
    /// The time limit of one request for solving or searching a game.
    pub solve_time: Duration,
    /// The largest memory of the process in bytes while it solves; `None` for the default limit of a build.
    pub memory: Option<u64>,
    /// The size of the cache for solved tables in bytes.
    pub kept: u64,
    /// The largest number of connections. Further ones wait to be accepted.
    pub connections: usize,
    /// The time that a client may take to send the head of a request, or its body, or to read what is written to it.
    pub patience: Duration,
    /// The time that current requests may take after the server was told to stop.
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

/// A handle that stops a running [`Server`]. The server answers its current requests before it ends.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    /// A handle for a server, which runs until [`stop`](Self::stop) is called.
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

/// An HTTP server.
pub struct Server {
    engine: Engine,
    catalogue: Catalogue,
    limits: Limits,
    visitors: Visitors,
}

impl Server {
    /// A server for the games and tables in `catalogue`, with tables that `engine` finds. It admits no pages of other
    /// origins, and answers only under the address that it listens on and under `localhost`.
    #[must_use]
    pub fn new(engine: Engine, catalogue: Catalogue, limits: Limits) -> Self {
        Self { engine, catalogue, limits, visitors: Visitors::default() }
    }

    /// The same server, which admits `visitors` as well.
    #[must_use]
    pub fn with_visitors(self, visitors: Visitors) -> Self {
        Self { visitors, ..self }
    }

    /// The service that answers requests to any address of the machine, without connections and their limits: the fuzz
    /// targets call it.
    #[doc(hidden)]
    pub fn router(self) -> axum::Router {
        self.service(None)
    }

    fn service(self, listened: Option<IpAddr>) -> axum::Router {
        let app = App::new(self.engine, self.catalogue, &self.limits, &self.visitors);
        api::router(Arc::new(app), Guard { listened, visitors: self.visitors })
    }

    /// Answers the clients that connect to `listener`, until `stop` is called.
    ///
    /// # Errors
    /// If the system refuses threads, or the server cannot listen.
    pub fn run(self, listener: TcpListener, stop: &Stop) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let (listened, limits, cores) = (listener.local_addr()?.ip(), self.limits.clone(), cores());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_io()
            .enable_time()
            .worker_threads(cores)
            // Threads for the solves and the readings, and two per core for look-ups, which are short.
            .max_blocking_threads(limits.solves + BoundedWork::readings(cores) + 2 * cores)
            .thread_name("server")
            .build()?;
        let router = self.service(Some(listened));
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            connections::serve(listener, router, &limits, stop.0.subscribe()).await
        });
        // The remaining work has exceeded its grace period, so nobody waits for it.
        runtime.shutdown_background();
        served
    }
}

/// The number of cores of this machine.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
