//! Who may ask: requests to other hosts, and from pages of other sites, are refused unless the server was told to admit them.

use std::io::Read;

use super::{Client, Reply, Served, command};

const EVIL: &str = "https://evil.example";
const RULES: &str = "name = \"mine\"\nboard = { rows = 2, cols = 3 }\nmove = [{ shape = \"XX\", turns = true }]\n";

/// The words that a reply has under `name`, in one text.
fn all(reply: &Reply, name: &str) -> String {
    let values = reply.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
    values.collect::<Vec<_>>().join(", ")
}

/// A name that its owner lets lead to this machine makes no page of that name the server's own.
#[test]
fn requests_to_other_hosts_are_refused() {
    let served = Served::with(&["--allow-host", "Solver.example", "--allow-host", "10.1.2.3"]);
    let (_, port) = served.address.rsplit_once(':').unwrap();
    let mut client = served.connect();
    let paths = ["/", "/main.js", "/api/v1/games", "/api/v1/probe?game=tactics", "/uwapi/", "/none"];
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1.evil.example", "10.0.0.5", "", "a/b"] {
        for path in paths {
            let reply = client.ask("GET", path, &[("host", host), ("origin", "http://evil.example")], "");
            assert_eq!(reply.status, 421, "{host:?} {path}: {}", reply.body);
            assert!(reply.error(421).contains("--allow-host"), "{}", reply.body);
        }
        let reply = client.ask("POST", "/api/v1/solve", &[("host", host)], RULES);
        assert_eq!(reply.status, 421, "{host:?}");
    }
    for host in
        ["localhost", &format!("LOCALHOST:{port}"), "127.0.0.1:1", "solver.example", "solver.example:443", "10.1.2.3"]
    {
        for path in &paths[..5] {
            assert_eq!(client.ask("GET", path, &[("host", host)], "").status, 200, "{host} {path}");
        }
    }
    // The whole address in the first line counts as well.
    let raw = |head: &str| {
        let mut client = served.connect();
        client.send(format!("{head}connection: close\r\n\r\n"));
        let mut text = String::new();
        client.0.read_to_string(&mut text).unwrap();
        text.get(9..12).unwrap_or_default().to_owned()
    };
    for (head, status) in [
        ("GET http://evil.example/api/v1/games HTTP/1.1\r\nhost: localhost\r\n", "421"),
        ("GET http://localhost/api/v1/games HTTP/1.1\r\nhost: localhost\r\n", "200"),
        ("GET /api/v1/games HTTP/1.1\r\n", "400"),
        ("GET /api/v1/games HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n", "400"),
        ("GET /api/v1/games HTTP/1.0\r\n", "200"),
    ] {
        assert_eq!(raw(head), status, "{head}");
    }
}

/// A server that listens on every address answers under all of them, but under no name.
#[test]
fn a_server_for_a_network_answers_under_addresses() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::among(home, &["--listen", "0.0.0.0:0"]);
    let mut client = Client::to(&served.address.replace("0.0.0.0", "127.0.0.1"));
    for (host, status) in
        [("192.168.1.7:8686", 200), ("[fe80::1]", 200), ("localhost", 200), ("my-pc", 421), ("my-pc.local", 421)]
    {
        assert_eq!(client.ask("GET", "/api/v1/games", &[("host", host)], "").status, status, "{host}");
    }
}

#[test]
fn pages_of_other_sites_get_no_answer_and_start_no_work() {
    let served = Served::with(&["--solves", "1"]);
    let mut client = served.connect();
    let own = format!("http://{}", served.address);
    let get =
        ["games", "tables", "probe?game=nim", "line?game=nim", "stats?game=nim", "scene?game=nim", "preview?game=nim"];
    let get = get.into_iter().chain(["estimate?game=nim", "rules?game=nim", "keys", "openapi.json"]);
    let posts = ["check", "solve", "line", "stats", "scene", "table"];
    let requests: Vec<(&str, String)> =
        get.map(|path| ("GET", path.to_owned())).chain(posts.map(|path| ("POST", path.to_owned()))).collect();
    let ports = ["http://127.0.0.1", "http://127.0.0.1:1", "http://localhost"];
    for (method, path) in &requests {
        let body = if *method == "POST" { RULES } else { "" };
        let path = format!("/api/v1/{path}");
        // A page can send text without asking first. A picture is requested without an origin.
        let foreign =
            [("origin", EVIL), ("origin", "null"), ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site")];
        for header in foreign.into_iter().chain(ports.map(|origin| ("origin", origin))) {
            let reply = client.ask(method, &path, &[header, ("content-type", "text/plain")], body);
            assert!(reply.error(403).contains("--allow-origin"), "{method} {path} {header:?}: {}", reply.body);
            assert_eq!(reply.header("access-control-allow-origin"), None, "{path}");
        }
        // Programs, the page itself, and addresses that a user types.
        for headers in
            [&[][..], &[("origin", own.as_str())], &[("sec-fetch-site", "same-origin")], &[("sec-fetch-site", "none")]]
        {
            let reply = client.ask(method, &path, headers, body);
            assert_eq!(reply.status, 200, "{method} {path} {headers:?}: {}", reply.body);
            assert!(all(&reply, "vary").contains("origin"), "{path}");
        }
    }
    // The browser asks for other types of content.
    let asked = [("origin", EVIL), ("access-control-request-method", "POST")];
    assert_eq!(client.ask("OPTIONS", "/api/v1/solve", &asked, "").status, 403);
    // Any page may link to the page, but not frame it.
    let page = client.ask("GET", "/", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], "");
    assert!(page.status == 200 && page.header("content-security-policy").unwrap().ends_with("frame-ancestors 'none'"));
}

#[test]
fn pages_of_admitted_origins_read_answers_and_frame_the_page() {
    let home = "https://course.example";
    let served = Served::with(&["--allow-origin", home, "--allow-origin", "http://localhost:5173"]);
    let mut client = served.connect();
    for (method, path, body) in
        [("GET", "probe?game=nim", ""), ("POST", "solve", RULES), ("GET", "probe?game=none", "")]
    {
        let reply = client.ask(method, &format!("/api/v1/{path}"), &[("origin", home)], body);
        assert_eq!(reply.header("access-control-allow-origin"), Some(home), "{path}: {}", reply.body);
        assert!(all(&reply, "vary").contains("origin"));
        if let Some(tag) = reply.header("etag") {
            let known =
                client.ask(method, &format!("/api/v1/{path}"), &[("origin", home), ("if-none-match", tag)], body);
            assert_eq!((known.status, known.header("access-control-allow-origin")), (304, Some(home)));
        }
    }
    let asked = [
        ("origin", home),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type"),
    ];
    let reply = client.ask("OPTIONS", "/api/v1/solve", &asked, "");
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (204, Some(home)));
    assert!(reply.header("access-control-allow-methods").unwrap().contains("POST"));
    assert!(reply.header("access-control-allow-headers").unwrap().contains("content-type"));
    for origin in [EVIL, "http://course.example", "https://course.example:8443", "null"] {
        assert_eq!(client.ask("GET", "/api/v1/games", &[("origin", origin)], "").status, 403, "{origin}");
    }
    let policy = served.get("/").header("content-security-policy").unwrap().to_owned();
    assert!(policy.ends_with("frame-ancestors https://course.example http://localhost:5173"), "{policy}");

    let open = Served::with(&["--allow-origin", "*"]);
    let mut client = open.connect();
    for headers in [&[("origin", EVIL)][..], &[("origin", "null")]] {
        let reply = client.ask("GET", "/api/v1/games", headers, "");
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some("*")));
    }
    assert_eq!(client.ask("GET", "/api/v1/games", &[("sec-fetch-site", "cross-site")], "").status, 200);
    assert!(open.get("/").header("content-security-policy").unwrap().ends_with("frame-ancestors *"));
}

/// Any page may read what needs no solve, since GamesmanUni is a page of another site.
#[test]
fn the_client_of_another_site_reads_what_needs_no_solve() {
    let served = Served::new();
    let mut client = served.connect();
    let mut ask = |origin: &str, path: &str| {
        let reply = client.ask("GET", path, &[("origin", origin)], "");
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
        reply.status
    };
    let solved = "/uwapi/tablegen-nim/default/positions/";
    for path in [
        "/uwapi/",
        "/uwapi/tablegen-nim/",
        "/uwapi/tablegen-nim/default/",
        "/uwapi/tablegen-nim/default/instructions/",
        "/uwapi/tablegen-tactics/default/positions/",
        "/uwapi/pictures.tar",
    ] {
        assert_eq!(ask(EVIL, path), 200, "{path}");
    }
    assert_eq!(ask(EVIL, solved), 403);
    // The answer is there once somebody else has asked.
    assert_eq!((served.get(solved).status, ask(EVIL, solved)), (200, 200));
    let admitting = Served::with(&["--allow-origin", EVIL]);
    assert_eq!(admitting.connect().ask("GET", solved, &[("origin", EVIL)], "").status, 200);
}

#[test]
fn wrong_origins_and_hosts_are_bad_usage() {
    let home = tempfile::tempdir().unwrap();
    let origins =
        ["example.org", "https://example.org/", "https://example.org/page", "https://", "localhost:3000", "null", ""];
    let hosts = ["https://example.org", "example.org:80", "a/b", "*", ""];
    let cases =
        origins.map(|text| ("--allow-origin", text)).into_iter().chain(hosts.map(|text| ("--allow-host", text)));
    for (option, text) in cases {
        let ran = command(&home, &["serve", "--listen", "127.0.0.1:0", &format!("{option}={text}")]).output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(
            (ran.status.code(), ran.stdout.len(), said.lines().count()),
            (Some(2), 0, 1),
            "{option} {text}: {said}"
        );
        assert!(said.starts_with("error: ") && said.contains(option) && said.contains("expected"), "{text}: {said}");
    }
}
