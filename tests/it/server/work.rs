//! Long solves: few at a time, limited in time, and cancelled when their client leaves.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Client, Served};

/// A request whose solve takes many seconds and then fails, because the game has too many positions.
const LARGE: &str = "/api/v1/probe?game=cram&rows=8&cols=8";
/// A request that is solved at once.
const SMALL: &str = "/api/v1/probe?game=nim";

/// Sends a large request, and returns when the server is solving it and has no capacity for another solve.
fn busy(served: &Served) -> Client {
    let begun = Instant::now();
    for round in 0.. {
        let mut asking = served.connect();
        asking.request("GET", LARGE, &[], "");
        sleep(Duration::from_millis(150));
        // Ask for another game each time, because the server keeps solved games.
        let reply = served.get(&format!("/api/v1/probe?game=kayles&pins={}", 2 + round % 16));
        if reply.status == 503 {
            assert_eq!(reply.header("retry-after"), Some("1"));
            assert!(reply.error(503).contains("try again"));
            return asking;
        }
        // The small request may have taken the capacity first.
        assert!(begun.elapsed() < super::PATIENCE, "{}", reply.body);
    }
    unreachable!("it ends in time")
}

#[test]
fn a_closed_connection_ends_the_solve_for_it() {
    let served = Served::with(&["--solves", "1", "--time", "3600"]);
    let asking = busy(&served);
    // Look-ups are answered meanwhile, and so are games solved before.
    assert_eq!(served.get("/api/v1/probe?game=tactics").status, 200);
    drop(asking);
    let closed = Instant::now();
    while served.get(SMALL).status == 503 {
        assert!(closed.elapsed() < Duration::from_secs(2), "it keeps working although the client has left");
        sleep(Duration::from_millis(5));
    }
    assert_eq!(served.get(SMALL).status, 200);
}

#[test]
fn no_solve_takes_longer_than_its_time() {
    let served = Served::with(&["--solves", "1", "--time", "1"]);
    // With its many moves, this game takes longer before it proves too large.
    let reply = served.get("/api/v1/probe?game=amazons&rows=4&cols=5");
    assert!(reply.error(503).contains("in the time"), "{}", reply.body);
    assert_eq!(served.get(SMALL).status, 200);
}

#[test]
fn no_solve_takes_more_memory_than_it_may() {
    let served = Served::with(&["--memory", "17MiB"]);
    assert!(served.get("/api/v1/probe?game=dominoes&n=6").error(503).contains("memory"));
    assert_eq!(served.get(SMALL).status, 200);
}

#[test]
fn requests_for_one_game_wait_for_one_solve() {
    let served = Served::with(&["--solves", "1"]);
    let path = "/api/v1/probe?game=cram&rows=4&cols=5";
    let mut clients: Vec<Client> = (0..8).map(|_| served.connect()).collect();
    clients.iter_mut().for_each(|client| client.request("GET", path, &[], ""));
    let replies: Vec<_> = clients.iter_mut().map(|client| client.reply(true).unwrap()).collect();
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.body == replies[0].body));
}

#[test]
fn positions_outside_tables_are_searched_like_on_the_command_line() {
    let served = Served::with(&["--solves", "1"]);
    std::fs::write(served.path("path.txt"), "a b\nb c\nc d\nd a\n").unwrap();
    let trail = ["trail", "--graph", "path.txt", "--start", "a"];
    assert!(served.cli(&[&["build"], &trail[..], &["--solver", "sparse"]].concat()).status.success());
    let tables = served.json("/api/v1/tables");
    let name = tables["tables"].as_array().unwrap().iter().find(|table| table["coverage"] == "reachable").unwrap();
    let name = name["game"].as_str().unwrap();
    // The first position is unreachable. The game of the second is too large for a table.
    let trail = [&["probe"], &trail[..], &["{b-c} a", "--json"]].concat();
    let large = ["probe", "tactics", "--rows", "5", "--cols", "8", "0xfffffffff0", "--json"];
    let cases = [(&trail[..], name, "{b-c} a"), (&large[..], "tactics&rows=5&cols=8", "0xfffffffff0")];
    for (typed, game, position) in cases {
        let printed = served.cli(typed);
        assert!(String::from_utf8_lossy(&printed.stdout).contains("\"source\":\"search\""), "{typed:?}");
        let reply = served.get(&format!("/api/v1/probe?game={game}&position={}", super::quoted(position)));
        assert_eq!(reply.body.as_bytes(), &*printed.stdout);
    }
}

/// Random play decides whether symmetry is worth using. In this game it never ends.
#[test]
fn a_game_that_may_repeat_forever_frees_its_place() {
    let served = Served::with(&["--solves", "1"]);
    let rules = "name = \"three\"\nboard = { row = 3 }\nmove = [{ shape = \"LX\", flips = true }]\nstart = { board = \"X.X\" }\n";
    for _ in 0..2 {
        assert_eq!(served.post("/api/v1/solve", rules).json(200)["repetition"], true);
    }
}
