//! Requests in `tests/data/requests/`, and what a server answers.
//!
//! The files have the form of [sessions](crate::cli::sessions), whose commands run here in the folder of the server. A command
//! that begins with a method is a request for each of its paths, and goes on with headers and a body. The answer for a path is
//! the status, and the reason if it is an error; equal answers in succession are shown once. At the end of the command,
//! `| get KEYS` prints values of the body, and `| head NAMES` prints headers. In a request, `$PORT` is the port of the server,
//! and `$TAG` is the entity tag of the answer before. `serve` ends the server and starts another one with its options.
//!
//! `TABLEGEN_WRITE_SESSIONS=1 cargo test --test front server::requests` writes the current answers into the files, where they
//! differ. Review the difference.

use crate::cli::Home;
use crate::cli::sessions::{assert_tested, compare, file, output, picked, plain};

use super::{Reply, Served};

#[test]
fn every_file_of_requests_has_a_test() {
    assert_tested("requests", include_str!("requests.rs"));
}

#[test]
fn gamesman() {
    check("gamesman");
}

#[test]
fn page() {
    check("page");
}

#[test]
fn refusals() {
    check("refusals");
}

#[test]
fn rules_files() {
    check("rules_files");
}

#[test]
fn tables() {
    check("tables");
}

#[test]
fn visitors() {
    check("visitors");
}

/// Sends the requests of the file called `name`.
#[track_caller]
fn check(name: &str) {
    let (mut served, mut tag) = (Served::new(), String::new());
    compare(&file("requests", name), |command| {
        let (first, rest) = command.split_once(' ').unwrap_or((command, ""));
        match first {
            "serve" => {
                let home = std::mem::replace(&mut served.home, Home::new());
                served = Served::among(home, &rest.split(' ').collect::<Vec<_>>());
                Vec::new()
            }
            "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS" => answers(&served, first, rest, &mut tag),
            _ => output(&served.home, command),
        }
    });
}

/// The answers to the requests with `method` for the paths in `request`. Replaces `tag` by the last entity tag.
fn answers(served: &Served, method: &str, request: &str, tag: &mut String) -> Vec<String> {
    let (_, port) = served.address.rsplit_once(':').unwrap();
    let request = request.replace("$PORT", port).replace("$TAG", tag);
    let (line, more) = request.split_once('\n').unwrap_or((&request, ""));
    let (paths, shown) = line.split_once(" | ").unwrap_or((line, ""));
    let headers: Vec<(&str, &str)> = more.lines().map_while(header).collect();
    let body: String = more.lines().skip(headers.len()).map(|line| format!("{line}\n")).collect();
    let mut client = served.connect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for path in paths.split(' ') {
        let reply = client.ask(method, path, &headers, &body);
        *tag = reply.header("etag").unwrap_or_default().to_owned();
        found.push(shown_of(&served.home, &reply, shown));
    }
    found.dedup();
    found.concat()
}

/// The name and the value in a line of a header.
fn header(line: &str) -> Option<(&str, &str)> {
    line.split_once(':').map(|(name, value)| (name, value.trim()))
}

/// The status and the reason, and the parts of `reply` that `shown` names.
fn shown_of(home: &Home, reply: &Reply, shown: &str) -> Vec<String> {
    let mut lines = vec![reply.status.to_string()];
    if reply.status >= 400 {
        // No cache keeps an error.
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{}", reply.body);
        lines[0] += &format!(" {}", plain(home, &reply.error(reply.status)));
    }
    for part in shown.split(" | ").filter(|part| !part.is_empty()) {
        match part.split_once(' ') {
            Some(("get", keys)) => lines.extend(picked(&reply.body, keys).lines().map(str::to_owned)),
            Some(("head", names)) => {
                lines.extend(names.split(' ').map(|name| format!("{name}: {}", reply.all(name))));
            }
            _ => panic!("{part}"),
        }
    }
    lines.into_iter().map(|line| format!("  {line}")).collect()
}
