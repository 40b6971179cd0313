//! Requests that are too long, or no text. `tests/data/requests/refusals.txt` shows other requests that are refused.

use super::Served;

#[test]
fn a_body_that_is_not_text_is_refused() {
    let served = Served::new();
    let mut client = served.connect();
    client.send(b"POST /api/v1/check HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\n\xff\xfe\xfd\xfc");
    assert!(client.reply(true).unwrap().error(400).contains("UTF-8"));
}

#[test]
fn long_requests_are_refused_and_the_connection_stays() {
    let served = Served::new();
    let long = "#".repeat((1 << 20) + 1);
    let mut client = served.connect();
    assert!(client.ask("POST", "/api/v1/check", &[], &long).error(413).contains("1048576"));
    assert!(client.ask("POST", "/api/v1/check", &[], &long[1..]).error(422).contains("name"));
    assert_eq!(client.ask("GET", "/api/v1/games", &[], "").status, 200);
    // For a much longer body, the server may stop reading but must answer.
    let mut client = served.connect();
    client.send("POST /api/v1/check HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n");
    let chunk = format!("10000\r\n{}\r\n", "#".repeat(1 << 16));
    for _ in 0..130 {
        use std::io::Write;
        if client.0.get_mut().write_all(chunk.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(client.reply(true).map_or(413, |reply| reply.status), 413);
    // A head without an end is refused too.
    let reply = served.get(&format!("/api/v1/probe?game=tactics&position={}", "X".repeat(60_000)));
    assert!(reply.error(400).contains("is not a position"));
    let mut client = served.connect();
    let _ = std::io::Write::write_all(
        client.0.get_mut(),
        format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(200_000)).as_bytes(),
    );
    assert!(client.reply(true).is_none_or(|reply| matches!(reply.status, 414 | 431)));
    assert_eq!(served.get("/api/v1/games").status, 200);
}
