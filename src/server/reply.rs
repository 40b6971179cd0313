//! Answers: JSON as the command line prints it, and what caches may do with it.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value as Json;

/// How long an answer stays right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lasting {
    /// A solved position never changes, and all that its game has is known of it.
    Settled,
    /// More may be known tomorrow, or another file be there: ask whether it is still this.
    Asking,
}

impl Lasting {
    const fn cache_control(self) -> &'static str {
        match self {
            Self::Settled => "public, max-age=86400",
            Self::Asking => "public, no-cache",
        }
    }
}

/// What identifies one state of an answer, and how long it stays right.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    etag: HeaderValue,
    lasting: Lasting,
}

impl Tag {
    /// The tag of an answer that follows from `parts` and from the version of the program.
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

    /// The short answer to a client that has this state already.
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

/// The headers of everything that is JSON.
pub(super) const fn json_headers() -> [(HeaderName, HeaderValue); 2] {
    [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ]
}

/// `value` as `--json` prints it, line end included.
pub(super) fn printed(value: &Json) -> Vec<u8> {
    let mut text = value.to_string();
    text.push('\n');
    text.into_bytes()
}

/// An answer in `body`, which [`printed`] made.
pub(super) fn json(tag: &Tag, body: impl Into<Bytes>) -> Response {
    (json_headers(), tag.headers(), body.into()).into_response()
}

/// An answer that no cache keeps.
pub(super) fn fresh(body: impl Into<Bytes>) -> Response {
    let control = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (json_headers(), [control], body.into()).into_response()
}

/// A file of the page.
pub(super) fn file(tag: &Tag, kind: &'static str, content: &'static [u8]) -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static(kind));
    ([kind], tag.headers(), content).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_recognised_however_it_is_sent() {
        let tag = Tag::of(&[b"rules", b"labels"], Lasting::Settled);
        let other = Tag::of(&[b"rule", b"slabels"], Lasting::Settled);
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
