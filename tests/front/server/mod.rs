//! Tests of the server: the real program on a free port, and plain HTTP/1.1 over a connection.

#![cfg(unix)]

mod abuse;
mod accessible;
mod against;
mod answers;
mod browser;
mod busy;
mod caching;
mod contrast;
mod damage;
mod docs;
mod front_page;
mod guide;
mod keys;
mod looks;
mod names;
mod offline;
mod openapi;
mod page;
mod paper;
mod pictures;
mod play;
mod refusals;
#[cfg(target_os = "linux")]
mod requests;
mod setting_up;
mod sharing;
mod stopping;
mod teach;
mod uwapi;
mod visitors;
mod work;

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::cli::Home;

/// Longer than any answer in these tests takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server in an empty folder of its own, which is stopped when this value is dropped.
struct Served {
    child: Child,
    address: String,
    home: Home,
}

/// An HTTP response.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    /// The body, and its text.
    bytes: Vec<u8>,
    body: String,
}

/// A connection, which may carry several requests, and the host that they name.
struct Client(BufReader<TcpStream>, String);

impl Served {
    /// Starts a server without further arguments.
    fn new() -> Self {
        Self::with(&[] as &[&str])
    }

    /// Starts a server with `arguments`.
    fn with<S: AsRef<OsStr>>(arguments: &[S]) -> Self {
        Self::among(Home::new(), arguments)
    }

    /// Starts a server in the folder `home` with `arguments`.
    fn among<S: AsRef<OsStr>>(home: Home, arguments: &[S]) -> Self {
        let mut command = home.command(&["serve"]);
        if arguments.iter().all(|argument| argument.as_ref() != "--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let mut child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").map(str::to_owned);
        let Some(address) = address else {
            let mut said = String::new();
            child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
            panic!("expected an address, found {line:?} and {said:?}");
        };
        Self { child, address, home }
    }

    fn connect(&self) -> Client {
        Client::to(&self.address)
    }

    fn get(&self, path: &str) -> Reply {
        self.connect().ask("GET", path, &[], "")
    }

    fn post(&self, path: &str, body: &str) -> Reply {
        self.connect().ask("POST", path, &[], body)
    }

    /// The JSON object in the response for `path`.
    #[track_caller]
    fn json(&self, path: &str) -> Value {
        self.get(path).json(200)
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Sends `signal`, and returns the exit status and the text on stderr.
    fn stop(mut self, signal: Signal) -> (Option<i32>, String) {
        self.signal(signal);
        let status = self.child.wait().unwrap();
        let mut said = String::new();
        self.child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        (status.code(), said)
    }

    /// The private memory of the process, in KiB.
    #[cfg(target_os = "linux")]
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mut said = String::new();
        let _ = self.child.stderr.as_mut().unwrap().read_to_string(&mut said);
        assert!(std::thread::panicking() || !said.contains("panicked"), "{said}");
    }
}

impl Client {
    fn to(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream), address.to_owned())
    }

    /// Sends `bytes` unchanged.
    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.get_mut().write_all(bytes.as_ref()).unwrap();
    }

    fn request(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) {
        let own = [("host", self.1.clone())];
        let own = own.iter().filter(|(own, _)| headers.iter().all(|(name, _)| name != own));
        let all = headers.iter().copied().chain(own.map(|(name, value)| (*name, value.as_str())));
        let headers: String = all.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
        self.send(format!("{method} {path} HTTP/1.1\r\n{headers}{length}\r\n{body}"));
    }

    fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.request(method, path, headers, body);
        self.reply(method != "HEAD").expect("an answer")
    }

    /// The next response; `None` if the connection is closed.
    fn reply(&mut self, has_body: bool) -> Option<Reply> {
        let mut line = String::new();
        if self.0.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let status =
            line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).map(|status| status.parse().unwrap());
        let mut headers = Vec::new();
        loop {
            line.clear();
            self.0.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_owned(), value.to_owned()));
        }
        let mut reply = Reply { status: status.expect("a status"), headers, bytes: Vec::new(), body: String::new() };
        let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
        if has_body && reply.status != 304 {
            let mut body = vec![0; length];
            self.0.read_exact(&mut body).ok()?;
            // A table is no text, and then only its beginning matters.
            reply.body = String::from_utf8_lossy(&body).into_owned();
            reply.bytes = body;
        }
        Some(reply)
    }
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The values of all headers called `name`.
    fn all(&self, name: &str) -> String {
        let named = self.headers.iter().filter(|(known, _)| known == name);
        named.map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The JSON object in the body. The response must have the status `status`.
    #[track_caller]
    fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The error message in the body. The response must have the status `status`.
    #[track_caller]
    fn error(&self, status: u16) -> String {
        let json = self.json(status);
        assert_eq!(json["status"], status);
        let error = json["error"].as_str().expect("a text").to_owned();
        assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
        error
    }
}

/// `text`, escaped for a query.
fn quoted(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
