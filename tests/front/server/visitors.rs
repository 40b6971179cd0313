//! Pages of other sites get no answer, on every route. `tests/data/requests/visitors.txt` shows other visitors.

use std::io::Read;

use super::Served;

const RULES: &str = "name = \"mine\"\nboard = { rows = 2, cols = 3 }\nmove = [{ shape = \"XX\", turns = true }]\n";

/// The whole address in the first line counts as well as the header, of which there must be one.
#[test]
fn requests_to_other_hosts_are_refused() {
    let served = Served::new();
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
    let origins = ["https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "http://localhost"];
    for (method, path) in &requests {
        let body = if *method == "POST" { RULES } else { "" };
        let path = format!("/api/v1/{path}");
        // A page can send text without asking first. A picture is requested without an origin.
        let foreign = [("origin", "null"), ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site")];
        for header in origins.map(|origin| ("origin", origin)).into_iter().chain(foreign) {
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
            assert!(reply.all("vary").contains("origin"), "{path}");
        }
    }
}
