//! Compressed answers, for clients that accept gzip.

use std::io::Write;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::failure::Failure;
use super::work::look_up;

/// The level of compression of what is compressed once and sent often.
pub(super) const HARD: u32 = 9;

/// The least length of a compressed answer in bytes: a shorter one fits into one packet anyway.
const LEAST: usize = 1200;

/// Returns whether a client that sent `headers` accepts gzip.
pub(super) fn is_accepted(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut accepted = accepted.flat_map(|value| value.split(',')).map(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
        (name.trim(), weight)
    });
    accepted.any(|(name, weight): (&str, f32)| name.eq_ignore_ascii_case("gzip") && weight > 0.0)
}

/// `content`, compressed. `level` goes from 1, which is quick, to 9.
pub(super) fn compressed(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 4), Compression::new(level));
    // Writing into memory does not fail.
    let _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default()
}

/// Marks a reply that has a compressed form for the clients that accept it. `is_compressed` says which form it is.
pub(super) fn mark(headers: &mut HeaderMap, is_compressed: bool) {
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

/// Compresses the answer to `request` if it is JSON, long enough and not compressed yet, as files of the page and the list of games are.
pub(super) async fn compress(request: Request, next: Next) -> Response {
    let is_accepted = is_accepted(request.headers()) && request.method().as_str() != "HEAD";
    let response = next.run(request).await;
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    let is_done = response.headers().contains_key(header::CONTENT_ENCODING);
    if !is_json || is_done || response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // The handlers make their bodies in one piece.
    let Ok(body) = to_bytes(body, usize::MAX).await else { return Failure::internal().into_response() };
    let is_compressed = is_accepted && body.len() >= LEAST;
    mark(&mut parts.headers, is_compressed);
    if !is_compressed {
        return Response::from_parts(parts, Body::from(body));
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    match look_up(move || Ok(Bytes::from(compressed(&body, 1)))).await {
        Ok(body) => Response::from_parts(parts, Body::from(body)),
        Err(failure) => failure.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_used_only_where_it_is_accepted() {
        for (accepted, expected) in [
            ("gzip", true),
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.8", true),
            ("gzip;q=0", false),
            ("identity", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(is_accepted(&headers), expected, "{accepted}");
        }
        assert!(!is_accepted(&HeaderMap::new()));
    }
}
