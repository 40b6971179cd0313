//! A request that cannot be answered gets the right status and a one-line reason.

use std::fs;

use super::{Served, quoted};

#[test]
fn a_wrong_request_gets_its_reason() {
    let served = Served::new();
    let cases = [
        (400, "probe", "needs game"),
        (400, "probe?game=tactics&position=XX../XX..", "4 rows with / between them"),
        (400, "probe?game=tactics&rows=0", "rows: expected a whole number"),
        (400, "probe?game=tactics&n=4", "no parameter n"),
        (400, "probe?game=chomp&rows=x", "rows"),
        (400, "probe?game=chomp&height=4", "height"),
        (400, "probe?game=tactics&rows=4&rows=4", "once"),
        (400, "games?all=1", "all"),
        (400, "stats?game=tactics&position=0", "no position"),
        (404, "probe?game=tactcs", "did you mean tactics?"),
        (404, "probe?game=connect4", "did you mean connect-four?"),
        (404, "probe?game=mancala", "did you mean kalah?"),
        (404, "probe?game=awari", "called \"awari\": if positions repeat, each player takes the seeds"),
        (404, "probe?game=", "no game and no table"),
        (404, "probe?game=tactics&rows=5&cols=8", "build it with"),
        (404, "nothing", "openapi.json"),
        (404, "", "openapi.json"),
    ];
    for (status, path, says) in cases {
        let reply = served.get(&format!("/api/v1/{path}"));
        assert!(reply.error(status).contains(says), "{path}: {}", reply.body);
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    for (method, path, allowed) in [
        ("POST", "probe", "GET,HEAD"),
        ("GET", "solve", "POST"),
        ("DELETE", "line", "GET,HEAD,POST"),
        ("PUT", "check", "POST"),
    ] {
        let reply = served.connect().ask(method, &format!("/api/v1/{path}"), &[], "");
        assert!(reply.error(405).contains(method));
        assert_eq!(reply.header("allow"), Some(allowed));
    }
}

#[test]
fn no_request_names_a_file() {
    let served = Served::new();
    fs::write(served.path("secret.toml"), "name = \"secret\"").unwrap();
    fs::write(served.path("words.txt"), "tower\nrat\n").unwrap();
    assert!(served.cli(&["build", "tactics", "--rows", "2", "-o", "other.tb"]).status.success());
    fs::create_dir_all(served.path("data/tablegen/tables")).unwrap();
    let names = [
        "secret.toml",
        "./secret.toml",
        "other.tb",
        "../other.tb",
        "/etc/passwd",
        "..",
        "data/../other",
        "..\\other.tb",
        "other.tb\0",
        "\0",
        "@words.txt",
        "-",
        "../../../other",
    ];
    for name in names {
        let reply = served.get(&format!("/api/v1/probe?game={}", quoted(name)));
        assert!(matches!(reply.status, 400 | 404), "{name:?}: {}", reply.body);
        reply.error(reply.status);
    }
    for (game, option) in [("shiritori", "words"), ("trail", "graph")] {
        for value in ["words.txt", "/etc/passwd", "@words.txt", ""] {
            let said = served.get(&format!("/api/v1/probe?game={game}&{option}={}", quoted(value))).error(400);
            assert!(said.contains("no request reads a file"), "{said}");
        }
    }
    // A position is never read from a file.
    served.get("/api/v1/probe?game=tactics&position=@words.txt").error(400);
    // An address never names a file outside the page.
    for path in ["/../secret.toml", "/page/index.html", "/%2e%2e/secret.toml", "//etc/passwd", "/index.html/"] {
        served.get(path).error(404);
    }
}

#[test]
fn a_bad_rules_file_has_its_mistakes_by_place() {
    let served = Served::new();
    let bad = "name = \"bad\"\nboard = { rows = 0, cols = 4 }\nmove = [{ shape = \"XX\", turn = true }]\n";
    for route in ["check", "solve", "line", "stats", "scene"] {
        let reply = served.post(&format!("/api/v1/{route}"), bad).json(422);
        let mistakes = reply["mistakes"].as_array().unwrap();
        assert!(mistakes.iter().any(|mistake| mistake["line"] == 2 && mistake["column"] == 18), "{reply}");
    }
    let good = "name = \"good\"\nboard = { rows = 1, cols = 4 }\nmove = [{ shape = \"XX\" }]\n";
    served.post("/api/v1/check", good).json(200);
    assert!(served.post("/api/v1/check?rows=3", good).error(400).contains("no parameters"));
    assert!(
        served.post("/api/v1/check", &good.replace("good", "tactics-4x4")).error(422).contains("belongs to tactics")
    );
    assert!(served.post("/api/v1/solve", "").error(400).contains("found nothing"));
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

#[test]
fn a_damaged_table_gives_no_answer() {
    let served = Served::new();
    assert!(served.cli(&["build", "tactics", "--rows", "3"]).status.success());
    let path = served.path("data/tablegen/tables/tactics-3x4-run4-misere.tb");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let reply = served.get("/api/v1/stats?game=tactics&rows=3");
    assert!(reply.error(503).contains("build it again"), "{}", reply.body);
    assert_eq!(served.get("/api/v1/probe?game=tactics").status, 200);
}
