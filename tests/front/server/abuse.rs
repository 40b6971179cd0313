//! Malformed requests, slow senders and readers that stop: the server keeps answering, and its memory does not grow.

use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use tablegen::engine::{Engine, TableDirs};
use tablegen::server::{Catalogue, Limits, Server, Stop};

use super::{Client, Served};

/// A malformed request, from random bytes to one that is almost right.
fn malformed(number: usize, seed: &mut u64) -> Vec<u8> {
    let mut random = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize
    };
    let good = b"GET /api/v1/probe?game=tactics&position=XX../XX../..../.... HTTP/1.1\r\nhost: localhost\r\n\r\n";
    match number % 8 {
        0 => (0..random() % 300).map(|_| random() as u8).collect(),
        1 => {
            let mut bytes = good.to_vec();
            for _ in 0..=random() % 4 {
                let at = random() % bytes.len();
                bytes[at] = random() as u8;
            }
            bytes
        }
        2 => good[..random() % good.len()].to_vec(),
        3 => b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        4 => b"POST /api/v1/solve HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\n".to_vec(),
        5 => b"POST /api/v1/check HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".to_vec(),
        6 => {
            let text: String = (0..random() % 60).map(|_| char::from(b' ' + (random() % 95) as u8)).collect();
            let text = super::quoted(&text);
            format!(
                "GET /api/v1/{}?game={text}&position={text} HTTP/1.1\r\n\r\n",
                ["probe", "line", "stats", "scene"][random() % 4]
            )
            .into_bytes()
        }
        _ => format!("POST /api/v1/solve HTTP/1.1\r\ncontent-length: 5000\r\n\r\n{}", "[".repeat(5000)).into_bytes(),
    }
}

/// Sends `number` malformed requests, and `number` requests whose connection closes before the answer, while `slow`
/// connections send nothing more. Checks that the server still answers and has not grown.
fn abused(number: usize, slow: usize) {
    let served = Served::new();
    let path = "/api/v1/probe?game=tactics&position=0x33ff";
    let answer = served.get(path).body;
    let mut seed = 7;
    let mut round = |number: usize| {
        let mut waiting: Vec<Client> = (0..slow).map(|_| served.connect()).collect();
        waiting.iter_mut().for_each(|client| client.send("GET /api/v1/pro"));
        for request in 0..number {
            let mut client = served.connect();
            let _ = client.0.get_mut().write_all(&malformed(request, &mut seed));
            let _ = client.0.get_mut().shutdown(Shutdown::Write);
            while client.reply(true).is_some() {}
            let mut leaving = served.connect();
            leaving.request("GET", "/api/v1/games", &[], "");
        }
    };
    // The first rounds fill the buffers and caches that the server keeps.
    round(number / 8);
    round(number / 8);
    #[cfg(target_os = "linux")]
    let before = served.memory();
    round(number);
    let begun = Instant::now();
    assert_eq!(served.get(path).body, answer);
    assert!(begun.elapsed() < Duration::from_secs(10), "it still answers, but slowly");
    #[cfg(target_os = "linux")]
    {
        let after = served.memory();
        assert!(after < before + (8 << 10), "{before} KiB before, {after} KiB after");
    }
    assert_eq!(served.stop(rustix::process::Signal::TERM), (Some(0), String::new()));
}

#[test]
fn malformed_requests_do_no_harm() {
    abused(400, 100);
}

#[test]
#[ignore = "takes a minute: cargo test --test front -- --ignored ten_thousand"]
fn ten_thousand_malformed_requests_do_no_harm() {
    abused(10_000, 900);
}

/// A server in this process that waits 300 ms for its clients and accepts 40 at a time.
fn impatient() -> &'static str {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let limits = Limits { patience: Duration::from_millis(300), connections: 40, ..Limits::default() };
        let server = Server::new(Engine::new(TableDirs::none()), Catalogue::everything(), limits);
        thread::spawn(move || server.run(listener, &Stop::new()).unwrap());
        address
    })
}

#[test]
fn slow_senders_are_disconnected() {
    let heads = ["", "GET /api", "GET /api/v1/games HTTP/1.1\r\nhost: localhost\r\n"];
    let mut clients: Vec<Client> = heads.iter().map(|_| Client::to(impatient())).collect();
    clients.iter_mut().zip(heads).for_each(|(client, head)| client.send(head));
    let mut idle = Client::to(impatient());
    assert_eq!(idle.ask("GET", "/api/v1/games", &[], "").status, 200);
    let mut sending = Client::to(impatient());
    sending.send("POST /api/v1/solve HTTP/1.1\r\nhost: localhost\r\ncontent-length: 90\r\n\r\nname");
    assert!(sending.reply(true).unwrap().error(408).contains("rules file"));
    for mut client in clients {
        // The server may answer 408 first, and then closes the connection.
        let last = client.reply(true);
        assert!(last.is_none_or(|reply| reply.status == 408) && client.reply(true).is_none());
    }
    assert!(idle.reply(true).is_none());
}

#[test]
fn readers_that_stop_are_disconnected() {
    const ASKED: usize = 3000;
    let mut client = Client::to(impatient());
    let asked = "GET /api/v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(ASKED);
    let mut stream = client.0.get_ref().try_clone().unwrap();
    let sending = thread::spawn(move || drop(stream.write_all(asked.as_bytes())));
    thread::sleep(Duration::from_millis(1500));
    let mut read = 0;
    while client.reply(true).is_some_and(|reply| reply.status == 200) {
        read += 1;
    }
    assert!(read < ASKED, "it waited for a reader that had stopped");
    sending.join().unwrap();
}

#[test]
fn connections_above_the_limit_wait() {
    let silent: Vec<TcpStream> = (0..60).map(|_| TcpStream::connect(impatient()).unwrap()).collect();
    let mut client = Client::to(impatient());
    assert_eq!(client.ask("GET", "/api/v1/games", &[], "").status, 200);
    drop(silent);
}
