//! Long work: few solves at a time, limited in time, and cancelled when their client leaves; and short requests meanwhile.
//! `tests/data/requests/refusals.txt` shows single requests that exceed a limit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use super::{Client, Served};

/// A request whose solve takes many seconds and then fails, because the game has too many positions.
const LARGE: &str = "/api/v1/probe?game=cram&rows=8&cols=8";
/// A request whose game, with its many moves, takes still longer before it proves too large.
const TOO_SLOW: &str = "/api/v1/probe?game=amazons&rows=8&cols=8";
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
fn requests_for_one_game_wait_for_one_solve() {
    let served = Served::with(&["--solves", "1"]);
    let path = "/api/v1/probe?game=cram&rows=4&cols=5";
    let mut clients: Vec<Client> = (0..8).map(|_| served.connect()).collect();
    clients.iter_mut().for_each(|client| client.request("GET", path, &[], ""));
    let replies: Vec<_> = clients.iter_mut().map(|client| client.reply(true).unwrap()).collect();
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.body == replies[0].body));
}

/// A failed attempt is shared as well: the next request in the queue does not begin again. Requests that then find no place for a
/// search are refused.
#[test]
fn requests_for_one_game_share_one_time_limit() {
    let served = Served::with(&["--solves", "1", "--time", "1"]);
    let begun = Instant::now();
    let mut clients: Vec<Client> = (0..6).map(|_| served.connect()).collect();
    clients.iter_mut().for_each(|client| client.request("GET", TOO_SLOW, &[], ""));
    for mut client in clients {
        let reply = client.reply(true).unwrap();
        let error = reply.error(503);
        assert!(error.contains("in the time") || error.contains("maximum number of games"), "{error}");
    }
    let taken = begun.elapsed();
    assert!(taken < Duration::from_secs(4), "{taken:?} for a limit of 1 s");
}

/// A rules file with `count` moves, which all do the same.
fn many_moves(count: usize) -> String {
    let moves = vec!["{shape=\"X\"}"; count].join(",");
    format!("name = \"many\"\nboard = {{ rows = 8, cols = 8 }}\nmove = [{moves}]\n")
}

/// The longest time for which one of the usual requests waits while `attack` runs.
fn longest_wait(served: &Served, attack: impl FnOnce()) -> Duration {
    let usual = ["/", "/api/v1/games", "/api/v1/probe?game=tactics", "/api/v1/scene?game=tictactoe", "/uwapi/"];
    // Some answers are made once.
    usual.iter().for_each(|path| assert_eq!(served.get(path).status, 200));
    let is_over = AtomicBool::new(false);
    scope(|scope| {
        let asking = scope.spawn(|| {
            let mut longest = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                for path in usual {
                    let begun = Instant::now();
                    assert_eq!(served.get(path).status, 200, "{path}");
                    longest = longest.max(begun.elapsed());
                }
                sleep(Duration::from_millis(5));
            }
            longest
        });
        attack();
        is_over.store(true, Ordering::Relaxed);
        asking.join().unwrap()
    })
}

/// On two cores without other work, the usual requests wait for less than 0.1 s. Machines that run tests are busy.
const PROMPT: Duration = Duration::from_secs(2);

#[test]
fn clients_that_send_long_rules_and_leave_hold_nobody_up() {
    let served = Served::with(&["--time", "3"]);
    let rules = many_moves(6000);
    let waited = longest_wait(&served, || {
        for _ in 0..2 {
            let mut leaving: Vec<Client> = (0..12).map(|_| served.connect()).collect();
            leaving.iter_mut().for_each(|client| client.request("POST", "/api/v1/scene", &[], &rules));
            sleep(Duration::from_millis(100));
        }
        // Their rules are not read: only those that were being read when they left.
        let begun = Instant::now();
        assert_eq!(served.post("/api/v1/scene", &many_moves(1)).status, 200);
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
        // Clients that stay are answered, or told to come again, within the time.
        let begun = Instant::now();
        let mut staying: Vec<Client> = (0..12).map(|_| served.connect()).collect();
        staying.iter_mut().for_each(|client| client.request("POST", "/api/v1/scene", &[], &rules));
        let statuses: Vec<u16> = staying.iter_mut().map(|client| client.reply(true).unwrap().status).collect();
        assert!(statuses.iter().all(|status| matches!(status, 200 | 503)) && statuses.contains(&200), "{statuses:?}");
        assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    });
    assert!(waited < PROMPT, "{waited:?}");
}

#[test]
fn an_attack_from_a_page_and_many_solves_hold_nobody_up() {
    let served = Served::with(&["--time", "2"]);
    let rules = many_moves(3000);
    let waited = longest_wait(&served, || {
        let mut asking: Vec<Client> = Vec::new();
        for number in 0..30 {
            let mut client = served.connect();
            let foreign = [("origin", "https://evil.example"), ("content-type", "text/plain")];
            match number % 3 {
                0 => client.request("POST", ["/api/v1/solve", "/api/v1/check"][number % 2], &foreign, &rules),
                1 => client.request("GET", TOO_SLOW, &[], ""),
                _ => client.request("GET", TOO_SLOW, &[("host", "evil.example")], ""),
            }
            asking.push(client);
        }
        for (number, client) in asking.iter_mut().enumerate() {
            let reply = client.reply(true).unwrap();
            assert_eq!(reply.status, [403, 503, 421][number % 3], "{}", reply.body);
        }
    });
    assert!(waited < PROMPT, "{waited:?}");
}

#[test]
fn positions_outside_tables_are_searched_like_on_the_command_line() {
    let served = Served::with(&["--solves", "1"]);
    std::fs::write(served.home.path("path.txt"), "a b\nb c\nc d\nd a\n").unwrap();
    let trail = ["trail", "--graph", "path.txt", "--start", "a"];
    assert_eq!(served.home.try_run(&[&["build"], &trail[..], &["--solver", "sparse"]].concat()).status, 0);
    let tables = served.json("/api/v1/tables");
    let name = tables["tables"].as_array().unwrap().iter().find(|table| table["coverage"] == "reachable").unwrap();
    let name = name["game"].as_str().unwrap();
    // The first position is unreachable. The game of the second is too large for a table.
    let trail = [&["probe"], &trail[..], &["{b-c} a", "--json"]].concat();
    let large = ["probe", "tactics", "--rows", "5", "--cols", "8", "0xfffffffff0", "--json"];
    let cases = [(&trail[..], name, "{b-c} a"), (&large[..], "tactics&rows=5&cols=8", "0xfffffffff0")];
    for (typed, game, position) in cases {
        let printed = served.home.try_run(typed).stdout;
        assert!(printed.contains("\"source\":\"search\""), "{typed:?}");
        let reply = served.get(&format!("/api/v1/probe?game={game}&position={}", super::quoted(position)));
        assert_eq!(reply.body, printed);
    }
}
