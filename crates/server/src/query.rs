//! The query of a request: pairs of a name and a value.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::failure::Failure;

/// The largest number of names in a query. Every game has fewer options.
const MOST: usize = 64;

/// The names and values of a query that have not been taken yet, in order.
pub(super) struct Query(Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Self::read(parts.uri.query())
    }
}

impl Query {
    /// Reads `text`, the part of an address after `?`.
    pub(super) fn read(text: Option<&str>) -> Result<Self, Failure> {
        let pairs = form_urlencoded::parse(text.unwrap_or_default().as_bytes()).into_owned();
        let pairs: Vec<(String, String)> = pairs.take(MOST + 1).collect();
        if pairs.len() > MOST {
            return Err(Failure::bad(format!("expected at most {MOST} names in a query, found more")));
        }
        let twice = (1..pairs.len()).find(|&at| pairs[..at].iter().any(|(name, _)| *name == pairs[at].0));
        match twice {
            Some(at) => Err(Failure::bad(format!("expected {:?} once in the query, found it twice", pairs[at].0))),
            None => Ok(Self(pairs)),
        }
    }

    /// Takes the value of `name`.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes the value of `name`, which is required.
    pub(super) fn need(&mut self, name: &str) -> Result<String, Failure> {
        self.take(name).ok_or_else(|| Failure::bad(format!("the query needs {name}=...")))
    }

    /// The remaining pairs, which are the options of a game.
    pub(super) fn rest(self) -> Vec<(String, String)> {
        self.0
    }

    /// Refuses the query if any pair is left.
    pub(super) fn nothing_left(self) -> Result<(), Failure> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(Failure::bad(format!("this address does not support {name:?} in the query"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_once_and_the_rest_stays_in_order() {
        let mut query = Query::read(Some("rows=5&position=XX..%2F....+&cols=&game=a%26b")).ok().unwrap();
        assert_eq!(query.take("position").as_deref(), Some("XX../.... "));
        assert_eq!((query.need("game").ok().as_deref(), query.take("game")), (Some("a&b"), None));
        assert!(query.need("game").is_err());
        assert_eq!(query.rest(), [("rows".into(), "5".into()), ("cols".into(), String::new())]);
        assert!(Query::read(None).is_ok_and(|query| query.nothing_left().is_ok()));
        assert!(Query::read(Some("a=1")).is_ok_and(|query| query.nothing_left().is_err()));
    }

    #[test]
    fn a_query_is_bounded_and_has_no_name_twice() {
        assert!(Query::read(Some("a=1&b=2&a=1")).is_err());
        let many = |count: usize| (0..count).map(|n| format!("n{n}=")).collect::<Vec<_>>().join("&");
        assert!(Query::read(Some(&many(64))).is_ok() && Query::read(Some(&many(65))).is_err());
    }
}
