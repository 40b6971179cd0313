//! Replies: JSON in the format of the command line, and headers for caches.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value as Json;

/// The time for which an answer stays valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lasting {
    /// A solved position never changes, and the table has all labels of the game.
    Fixed,
    /// The answer may change with another table or file, so caches must revalidate it.
    Revalidate,
}

impl Lasting {
    const fn cache_control(self) -> &'static str {
        match self {
            Self::Fixed => "public, max-age=86400",
            Self::Revalidate => "public, no-cache",
        }
    }
}

/// A tag that identifies one state of an answer, and the time for which it stays valid.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    etag: HeaderValue,
    lasting: Lasting,
}

impl Tag {
    /// The tag of an answer that depends on `parts` and the version of the program.
    pub(super) fn of(parts: &[&[u8]], lasting: Lasting) -> Self {
        let mut hash = blake3::Hasher::new();
        for part in [env!("CARGO_PKG_VERSION").as_bytes()].iter().chain(parts) {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let etag = format!("\"{}\"", &hash.finalize().to_hex()[..20]);
        let etag = HeaderValue::from_str(&etag).unwrap_or_else(|_| unreachable!("quoted hexadecimal digits"));
        Self { etag, lasting }
    }

    /// The reply 304 for a client that already has this state; `None` for other clients.
    pub(super) fn not_modified(&self, asked: &HeaderMap) -> Option<Response> {
        let known = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
        let mut known = known.flat_map(|tags| tags.split(',')).map(|tag| tag.trim().trim_start_matches("W/"));
        known
            .any(|tag| tag == "*" || tag.as_bytes() == self.etag.as_bytes())
            .then(|| (StatusCode::NOT_MODIFIED, self.headers()).into_response())
    }

    fn headers(&self) -> [(HeaderName, HeaderValue); 2] {
        let control = HeaderValue::from_static(self.lasting.cache_control());
        [(header::ETAG, self.etag.clone()), (header::CACHE_CONTROL, control)]
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

/// A JSON reply with `body`, which comes from [`printed`].
pub(super) fn json(tag: &Tag, body: impl Into<Bytes>) -> Response {
    (json_headers(), tag.headers(), body.into()).into_response()
}

/// A JSON reply that caches must not store.
pub(super) fn fresh(body: impl Into<Bytes>) -> Response {
    let control = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (json_headers(), [control], body.into()).into_response()
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
        let tag = Tag::of(&[b"rules", b"labels"], Lasting::Fixed);
        let other = Tag::of(&[b"rule", b"slabels"], Lasting::Fixed);
        let own = tag.etag.to_str().unwrap().to_owned();
        let asked = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
            tag.not_modified(&headers).map(|response| response.status())
        };
        let known = Some(StatusCode::NOT_MODIFIED);
        assert_eq!([asked(&own), asked(&format!("\"x\", W/{own}")), asked("*")], [known; 3]);
        assert_eq!([asked("\"x\""), asked(""), asked(other.etag.to_str().unwrap())], [None; 3]);
        assert!(tag.not_modified(&HeaderMap::new()).is_none());
    }
}
