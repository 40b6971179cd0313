//! Who may ask: the hosts under which a server answers, and the origins whose pages may read its answers.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::uri::Authority;
use thiserror::Error;

/// The visitors that a server admits besides its own page and programs.
#[derive(Clone, Debug, Default)]
pub struct Visitors {
    /// The origins whose pages may read `/api/v1` and show the server's page in a frame.
    pub origins: Vec<AllowedOrigin>,
    /// The hosts under which the server answers, besides its address and `localhost`.
    pub hosts: Vec<HostName>,
}

/// An origin whose pages may read answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AllowedOrigin {
    /// Every origin.
    Any,
    /// A scheme, a host and perhaps a port, as a browser writes them.
    Of(OriginText),
}

/// An origin as a browser writes it: in small letters, without the usual port of its scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OriginText(String);

/// A host, without its port: a name in small letters, or an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostName(String);

/// The reason why a text names no visitor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum VisitorError {
    /// It is no origin.
    #[error("expected an origin such as https://example.org (a scheme and a host, without a path), or *")]
    Origin,
    /// It is no host.
    #[error("expected a host such as solver.example.org, without a scheme and a port")]
    Host,
}

impl FromStr for AllowedOrigin {
    type Err = VisitorError;

    fn from_str(text: &str) -> Result<Self, VisitorError> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let text = text.to_ascii_lowercase();
        let (scheme, place) = text.split_once("://").ok_or(VisitorError::Origin)?;
        let is_scheme = scheme.starts_with(|c: char| c.is_ascii_lowercase())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        let (host, port) = split(place).filter(|_| is_scheme).ok_or(VisitorError::Origin)?;
        let usual = match scheme {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        let port = port.filter(|&port| Some(port) != usual).map_or_else(String::new, |port| format!(":{port}"));
        Ok(Self::Of(OriginText(format!("{scheme}://{host}{port}"))))
    }
}

impl FromStr for HostName {
    type Err = VisitorError;

    fn from_str(text: &str) -> Result<Self, VisitorError> {
        // An address of version 6 stands in brackets if a port may follow.
        let text = if text.parse::<IpAddr>().is_ok_and(|ip| ip.is_ipv6()) { format!("[{text}]") } else { text.into() };
        match split(&text) {
            Some((host, None)) => Ok(Self(host)),
            _ => Err(VisitorError::Host),
        }
    }
}

impl HostName {
    /// The address that it is, if it is no name.
    fn address(&self) -> Option<IpAddr> {
        let text = self.0.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(&self.0);
        text.parse().ok().map(|address: IpAddr| address.to_canonical())
    }
}

/// The host, in small letters and without a final dot, and the port of an authority such as `example.org:80`.
fn split(authority: &str) -> Option<(String, Option<u16>)> {
    let parsed = Authority::from_str(authority).ok()?;
    let host = parsed.host().to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_sound = match is_address {
        Some(address) => address.parse::<IpAddr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(is_name) && !host.split('.').any(str::is_empty),
    };
    let port = match authority.get(parsed.host().len()..)? {
        "" => None,
        port => Some(port.strip_prefix(':')?.parse().ok()?),
    };
    (is_sound && authority.is_ascii()).then(|| (host.to_owned(), port))
}

impl Visitors {
    /// Returns whether a server that listens on the address `listened` answers under `host`, which may have a port. Any
    /// port will do, because proxies and forwarded ports change it. `None` stands for every address of the machine: then
    /// every address will do, since only names can be made to lead elsewhere.
    pub(super) fn admit_host(&self, listened: Option<IpAddr>, host: &str) -> bool {
        let Some((host, _)) = split(host) else { return false };
        let host = HostName(host);
        if host.0 == "localhost" || self.hosts.contains(&host) {
            return true;
        }
        let listened = listened.filter(|address| !address.is_unspecified());
        host.address().is_some_and(|address| listened.is_none_or(|own| own.to_canonical() == address))
    }

    /// True if pages of every origin may read answers.
    pub(super) fn admit_all(&self) -> bool {
        self.origins.contains(&AllowedOrigin::Any)
    }

    /// Returns whether pages of `origin` may read answers. A browser writes an origin in one way only.
    pub(super) fn admit_origin(&self, origin: &str) -> bool {
        self.origins.iter().any(|known| match known {
            AllowedOrigin::Any => true,
            AllowedOrigin::Of(known) => known.0 == origin,
        })
    }

    /// The pages that may show the server's page in a frame, in the words of a `Content-Security-Policy`.
    pub(super) fn frame_ancestors(&self) -> String {
        let texts: Vec<&str> = self
            .origins
            .iter()
            .map(|origin| match origin {
                AllowedOrigin::Any => "*",
                AllowedOrigin::Of(text) => text.0.as_str(),
            })
            .collect();
        if texts.is_empty() { "'none'".into() } else { texts.join(" ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_as_browsers_write_them() {
        let read = |text: &str| text.parse::<AllowedOrigin>();
        for (text, written) in [
            ("https://Example.org", "https://example.org"),
            ("https://example.org:443", "https://example.org"),
            ("http://example.org:443", "http://example.org:443"),
            ("http://[::1]:5173", "http://[::1]:5173"),
            ("chrome-extension://abc", "chrome-extension://abc"),
        ] {
            assert_eq!(read(text), Ok(AllowedOrigin::Of(OriginText(written.into()))), "{text}");
        }
        assert_eq!(read("*"), Ok(AllowedOrigin::Any));
        for text in [
            "",
            "example.org",
            "localhost:3000",
            "https://",
            "https://example.org/",
            "https://example.org/page",
            "//example.org",
            "https://a b",
            "https://example.org:x",
            "https://example.org:99999",
            "https://u@example.org",
            "https://*.org",
            "https://exämple.org",
            "https://example.org?a",
            "https://a..b",
            "null",
        ] {
            assert_eq!(read(text), Err(VisitorError::Origin), "{text}");
        }
    }

    #[test]
    fn hosts_have_no_scheme_and_no_port() {
        let read = |text: &str| text.parse::<HostName>().map(|host| host.0);
        assert_eq!(read("Solver.Example.org."), Ok("solver.example.org".into()));
        assert_eq!(
            [read("10.0.0.5"), read("::1"), read("[::1]")],
            ["10.0.0.5", "[::1]", "[::1]"].map(|host| Ok(host.into()))
        );
        for text in ["", "a:80", "a:", "http://a", "a/b", "a b", "*", "u@a", ".", "a..b", "[x]"] {
            assert_eq!(read(text), Err(VisitorError::Host), "{text}");
        }
    }

    #[test]
    fn a_server_answers_under_its_own_hosts_only() {
        let visitors = Visitors { hosts: vec!["solver.example.org".parse().unwrap()], ..Visitors::default() };
        let admits = |listened: &str, host: &str| visitors.admit_host(Some(listened.parse().unwrap()), host);
        for host in [
            "127.0.0.1:8686",
            "127.0.0.1",
            "localhost:8686",
            "LOCALHOST.",
            "Solver.example.org",
            "solver.example.org:443",
        ] {
            assert!(admits("127.0.0.1", host), "{host}");
        }
        for host in
            ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.5", "", "a@localhost", "[::1]"]
        {
            assert!(!admits("127.0.0.1", host), "{host}");
        }
        assert!(admits("::1", "[::1]:80") && admits("::ffff:10.0.0.5", "10.0.0.5"));
        // On every address of the machine, names are still refused.
        for listened in ["0.0.0.0", "::"] {
            assert!(
                admits(listened, "10.0.0.5:80") && admits(listened, "[fe80::1]") && !admits(listened, "evil.example")
            );
        }
    }

    #[test]
    fn origins_are_admitted_and_may_show_the_page() {
        let of = |texts: &[&str]| {
            let origins = texts.iter().map(|text| text.parse().unwrap()).collect();
            Visitors { origins, ..Visitors::default() }
        };
        let some = of(&["https://a.example", "http://b.example:3000"]);
        assert!(
            some.admit_origin("http://b.example:3000") && !some.admit_origin("http://b.example") && !some.admit_all()
        );
        assert!(!some.admit_origin("null") && of(&["*"]).admit_origin("null"));
        assert_eq!(some.frame_ancestors(), "https://a.example http://b.example:3000");
        assert_eq!([of(&[]), of(&["*"])].map(|all| all.frame_ancestors()), ["'none'", "*"]);
    }
}
