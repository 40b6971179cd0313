//! HTTP requests: the server answers every request, and never with an internal error.
//!
//! An input is a line with the method and the address, lines of headers, an empty line and a body, as on a connection.

use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tablegen::engine::{Engine, TableDirs};
use tablegen::server::{Catalogue, Limits, Server};
use tokio::runtime::{Builder, Runtime};

/// A server without tables, which may solve small games for a moment.
fn server() -> &'static (Runtime, TowerToHyperService<Router>) {
    static SERVER: OnceLock<(Runtime, TowerToHyperService<Router>)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let limits = Limits {
            solve_time: Duration::from_millis(100),
            memory: Some(1 << 30),
            kept: 1 << 24,
            ..Limits::default()
        };
        let server = Server::new(Engine::new(TableDirs::none()), Catalogue::everything(), limits);
        (runtime, TowerToHyperService::new(server.router()))
    })
}

/// The request that `text` describes; `None` if a connection would refuse it before the server sees it.
fn request(text: &str) -> Option<Request<Body>> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let (method, address) = lines.next()?.split_once(' ')?;
    let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(": ")).collect();
    // Without a host, every request would be refused at once.
    let host = headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")).then_some(("host", "localhost"));
    let headers = headers.into_iter().chain(host);
    let request =
        headers.fold(Request::builder().method(method).uri(address), |all, (name, value)| all.header(name, value));
    request.body(Body::from(body.to_owned())).ok()
}

pub fn run(data: &[u8]) {
    let Some(request) = str::from_utf8(data).ok().and_then(request) else { return };
    let (runtime, service) = server();
    let answer = runtime.block_on(service.call(request)).expect("a service without errors");
    assert_ne!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
}
