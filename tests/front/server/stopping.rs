//! A server that is stopped finishes the requests in progress and accepts no others.

use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::Served;

const RULES: &str = "name = \"four\"\nboard = { rows = 1, cols = 4 }\nmove = [{ shape = \"XX\" }]\n";

#[test]
fn requests_in_progress_are_finished() {
    for signal in [Signal::INT, Signal::TERM] {
        let served = Served::new();
        // One connection is idle, and the other has sent half of its request.
        let mut idle = served.connect();
        assert_eq!(idle.ask("GET", "/api/v1/games", &[], "").status, 200);
        let mut asking = served.connect();
        let (half, rest) = RULES.split_at(RULES.len() / 2);
        asking.send(format!(
            "POST /api/v1/solve HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{half}",
            RULES.len()
        ));
        sleep(Duration::from_millis(100));
        served.signal(signal);
        let begun = Instant::now();
        while TcpStream::connect(&served.address).is_ok() {
            assert!(begun.elapsed() < super::PATIENCE, "it still accepts connections");
            sleep(Duration::from_millis(10));
        }
        asking.send(rest);
        assert_eq!(asking.reply(true).expect("an answer").json(200)["game"], "four");
        assert!(asking.reply(true).is_none() && idle.reply(true).is_none());
        let mut served = served;
        assert_eq!(served.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let served = Served::new();
    let mut asking = served.connect();
    asking.send("POST /api/v1/solve HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nname");
    sleep(Duration::from_millis(100));
    served.signal(Signal::TERM);
    sleep(Duration::from_millis(100));
    let (status, said) = served.stop(Signal::TERM);
    assert_eq!(status, Some(143));
    assert_eq!(said, "error: ended by SIGTERM; no files were left behind\n");
}

#[test]
fn an_address_in_use_is_an_error() {
    let served = Served::new();
    let ran = served.home.try_run(&["serve", "--listen", &served.address]);
    assert!(matches!(ran.status, 2 | 3) && ran.stdout.is_empty(), "{}", ran.stderr);
    assert!(ran.failed(ran.status).contains("cannot listen on"), "{}", ran.stderr);
}
