//! Replies: JSON in the format of the command line, and headers for caches.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value as Json;

/// A tag that identifies one state of an answer. Caches must ask with it each time, since an answer changes with the rules,
/// the table and the program, and none of them is part of an address.
#[derive(Clone, Debug)]
pub(super) struct Tag(HeaderValue);

impl Tag {
    /// The tag of `content`. It is weak, because a compressed answer has it as well.
    pub(super) fn of(content: &[u8]) -> Self {
        let tag = format!("W/\"{}\"", &blake3::hash(content).to_hex()[..20]);
        Self(HeaderValue::from_str(&tag).unwrap_or_else(|_| unreachable!("quoted hexadecimal digits")))
    }

    /// The reply 304 for a client that already has this state; `None` for other clients.
    pub(super) fn not_modified(&self, asked: &HeaderMap) -> Option<Response> {
        fn opaque(tag: &str) -> &str {
            tag.trim().trim_start_matches("W/")
        }
        let known = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
        let own = opaque(self.0.to_str().unwrap_or_default());
        let mut known = known.flat_map(|tags| tags.split(',')).map(opaque);
        known.any(|tag| tag == "*" || tag == own).then(|| (StatusCode::NOT_MODIFIED, self.headers()).into_response())
    }

    fn headers(&self) -> [(HeaderName, HeaderValue); 2] {
        [(header::ETAG, self.0.clone()), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))]
    }
}

/// The headers of every JSON reply.
pub(super) const fn json_headers() -> [(HeaderName, HeaderValue); 2] {
    [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ]
}

/// The text of `value` in the format of `--json`, including the line end.
pub(super) fn printed(value: &Json) -> Vec<u8> {
    let mut text = value.to_string();
    text.push('\n');
    text.into_bytes()
}

/// A JSON reply with `body`, which comes from [`printed`], or the reply 304 for a client that has it already.
pub(super) fn json(asked: &HeaderMap, body: impl Into<Bytes>) -> Response {
    let body = body.into();
    tagged(&Tag::of(&body), asked, body)
}

/// Like [`json`], for a body whose tag is known.
pub(super) fn tagged(tag: &Tag, asked: &HeaderMap, body: Bytes) -> Response {
    tag.not_modified(asked).unwrap_or_else(|| (json_headers(), tag.headers(), body).into_response())
}

/// A JSON reply that caches must not store.
pub(super) fn fresh(body: impl Into<Bytes>) -> Response {
    let control = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (json_headers(), [control], body.into()).into_response()
}

/// A reply with a JSON object in each line, which caches must not store.
pub(super) fn lines(body: impl Into<Bytes>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, body.into()).into_response()
}

/// A reply with a file to keep.
pub(super) fn download(content: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, content).into_response()
}

/// A reply with a file that `tag` identifies.
pub(super) fn file(tag: &Tag, kind: &'static str, content: Bytes) -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static(kind));
    ([kind], tag.headers(), content).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_recognised_however_it_is_sent() {
        let (tag, other) = (Tag::of(b"win"), Tag::of(b"loss"));
        let own = tag.0.to_str().unwrap().trim_start_matches("W/").to_owned();
        let asked = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
            tag.not_modified(&headers).map(|response| response.status())
        };
        let known = Some(StatusCode::NOT_MODIFIED);
        assert_eq!([asked(&own), asked(&format!("\"x\", W/{own}")), asked("*")], [known; 3]);
        assert_eq!([asked("\"x\""), asked(""), asked(other.0.to_str().unwrap())], [None; 3]);
        assert!(tag.not_modified(&HeaderMap::new()).is_none());
    }
}
