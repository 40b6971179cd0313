//! The check of each request before it is answered: that it was sent to this server, and that no page of another site sent
//! it, unless the server admits that site.
//!
//! Any page that a browser shows can make the browser send requests to this server. A page cannot choose the headers `Host`,
//! `Origin` and `Sec-Fetch-Site`, which say where it comes from. Programs send no `Origin`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::failure::{Failure, shortened};
use super::visitors::Visitors;

/// The addresses whose answers cost time, or would tell a page of another site something.
const GUARDED: &str = "/api/";

/// The relation of the sender of a request to this server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sender {
    /// A program, the server's page, or a user who typed the address.
    Own,
    /// A page of another origin that the server admits, with the value of `Access-Control-Allow-Origin` for it.
    Guest(HeaderValue),
    /// A page of another site.
    Foreign,
}

/// What a server knows about its visitors.
pub(super) struct Guard {
    /// The address on which the server listens; `None` for every address.
    pub(super) listened: Option<IpAddr>,
    pub(super) visitors: Visitors,
}

/// Answers `request`, unless it was not meant for this server or comes from a page that is not admitted.
pub(super) async fn check(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    if let Err(failure) = guard.host(&request) {
        return failure.into_response();
    }
    let sender = guard.sender(request.headers());
    let is_guarded = request.uri().path().starts_with(GUARDED);
    let mut response = if is_guarded && sender == Sender::Foreign {
        refused(request.headers()).into_response()
    } else if is_guarded && matches!(sender, Sender::Guest(_)) && is_preflight(&request) {
        preflight()
    } else {
        request.extensions_mut().insert(sender.clone());
        next.run(request).await
    };
    if is_guarded {
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        if let Sender::Guest(origin) = sender {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag, retry-after"));
        }
    }
    response
}

/// The failure of a request from a page that the server does not admit.
pub(super) fn refused(headers: &HeaderMap) -> Failure {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).filter(|&origin| origin != "null");
    let (page, url) = match origin.map(shortened) {
        Some(origin) => (format!("a page of {origin}"), origin),
        None => ("a page of another site".into(), "URL"),
    };
    let message = format!("{page} may not use this server; start the server with --allow-origin {url} to admit it");
    Failure::new(StatusCode::FORBIDDEN, message)
}

impl Guard {
    /// Checks that `request` was sent to this server. Otherwise a name that leads here only since the page was loaded, which
    /// its owner arranged, would make a page of that name the server's own.
    fn host(&self, request: &Request) -> Result<(), Failure> {
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let (named, more) = (hosts.next(), hosts.next());
        let named = named.map(|host| host.to_str().unwrap_or_default());
        let target = request.uri().authority().map(|authority| authority.as_str());
        if more.is_some() || (named.is_none() && request.version() == Version::HTTP_11) {
            return Err(Failure::bad("expected one header Host, which names this server"));
        }
        match named.into_iter().chain(target).find(|host| !self.visitors.admit_host(self.listened, host)) {
            None => Ok(()),
            Some(host) => {
                let host = shortened(host);
                let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
                let message = format!(
                    "expected a request to this server's address or to localhost, found one to {host:?}; start the server with \
                     --allow-host {name} to answer under that name"
                );
                Err(Failure::new(StatusCode::MISDIRECTED_REQUEST, message))
            }
        }
    }

    /// The sender of a request with these headers.
    fn sender(&self, headers: &HeaderMap) -> Sender {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let Some(origin) = origins.next() else {
            // A picture or a frame of another site is requested without an origin, but browsers say where it is.
            let site = headers.get(HeaderName::from_static("sec-fetch-site")).map(HeaderValue::as_bytes);
            let is_own = site.is_none_or(|site| matches!(site, b"same-origin" | b"none"));
            return if is_own || self.visitors.admit_all() { Sender::Own } else { Sender::Foreign };
        };
        let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
        let text = origin.to_str().unwrap_or_default();
        let place = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
        let is_own = place.zip(host).is_some_and(|(place, host)| place.as_bytes().eq_ignore_ascii_case(host));
        match () {
            () if origins.next().is_some() => Sender::Foreign,
            () if is_own => Sender::Own,
            () if self.visitors.admit_all() => Sender::Guest(HeaderValue::from_static("*")),
            () if self.visitors.admit_origin(text) => Sender::Guest(origin.clone()),
            () => Sender::Foreign,
        }
    }
}

fn is_preflight(request: &Request) -> bool {
    request.method().as_str() == "OPTIONS" && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a browser that asks, for a page, whether the page may send a request.
fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST")),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type, if-none-match")),
        (header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600")),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(origins: &[&str], headers: &[(&'static str, &str)]) -> Sender {
        let origins = origins.iter().map(|origin| origin.parse().unwrap()).collect();
        let guard = Guard { listened: None, visitors: Visitors { origins, ..Visitors::default() } };
        let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        guard.sender(&HeaderMap::from_iter(headers))
    }

    #[test]
    fn a_sender_is_known_by_headers_that_pages_cannot_choose() {
        let host = ("host", "127.0.0.1:8686");
        let guest = |origin| Sender::Guest(HeaderValue::from_static(origin));
        let a = "https://a.example";
        for (origins, headers, expected) in [
            // Programs, a typed address, the page itself, and the page behind a proxy that speaks https.
            (&[][..], &[host][..], Sender::Own),
            (&[], &[host, ("sec-fetch-site", "none")], Sender::Own),
            (&[], &[host, ("sec-fetch-site", "same-origin")], Sender::Own),
            (&[], &[host, ("origin", "http://127.0.0.1:8686")], Sender::Own),
            (&[], &[("host", "Solver.example"), ("origin", "https://solver.example")], Sender::Own),
            // Pages of other sites and of other ports of this machine, and pictures in them.
            (&[], &[host, ("origin", a)], Sender::Foreign),
            (&[], &[host, ("origin", "null")], Sender::Foreign),
            (&[], &[host, ("origin", "http://127.0.0.1:3000")], Sender::Foreign),
            (&[], &[host, ("origin", "http://127.0.0.1")], Sender::Foreign),
            (&[], &[("origin", "http://127.0.0.1:8686")], Sender::Foreign),
            (&[], &[host, ("sec-fetch-site", "cross-site")], Sender::Foreign),
            (&[], &[host, ("sec-fetch-site", "same-site")], Sender::Foreign),
            // Admitted origins.
            (&[a], &[host, ("origin", a)], guest(a)),
            (&[a], &[host, ("origin", "https://b.example")], Sender::Foreign),
            (&[a], &[host, ("sec-fetch-site", "cross-site")], Sender::Foreign),
            (&["*"], &[host, ("origin", a)], guest("*")),
            (&["*"], &[host, ("origin", "http://127.0.0.1:8686")], Sender::Own),
            (&["*"], &[host, ("sec-fetch-site", "cross-site")], Sender::Own),
        ] {
            assert_eq!(sender(origins, headers), expected, "{origins:?} {headers:?}");
        }
    }
}
