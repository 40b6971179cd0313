//! Caching: a cache asks for each answer whether it is still valid. Answers are compressed for clients that accept it.

use std::io::Read;

use super::Served;

#[test]
fn an_unchanged_answer_is_not_sent_again() {
    let served = Served::new();
    let mut client = served.connect();
    // Answers from a table and answers solved on the spot, lists, and files: a build, other rules or another program may
    // change each of them, and no address shows that.
    let paths = [
        "/api/v1/probe?game=tactics&position=0x33ff",
        "/api/v1/line?game=tactics",
        "/api/v1/stats?game=tactics",
        "/api/v1/scene?game=tictactoe",
        "/api/v1/preview?game=kayles",
        "/api/v1/rules?game=kayles",
        "/api/v1/probe?game=nim",
        "/api/v1/probe?game=tactics&rows=5&cols=8&position=0xfffffffff0",
        "/api/v1/games",
        "/api/v1/tables",
        "/api/v1/keys",
        "/api/v1/openapi.json",
        "/uwapi/",
        "/uwapi/tablegen-tictactoe/",
        "/uwapi/tablegen-tictactoe/default/",
        "/uwapi/tablegen-tictactoe/default/positions/?p=1_.../.../...",
        "/uwapi/tablegen-tictactoe/default/instructions/",
        "/",
        "/main.js",
        "/favicon.ico",
    ];
    for path in paths {
        let first = client.ask("GET", path, &[], "");
        assert_eq!((first.status, first.header("cache-control")), (200, Some("no-cache")), "{path}");
        let tag = first.header("etag").unwrap();
        let strong = tag.strip_prefix("W/").unwrap();
        for (asked, status) in [(tag, 304), ("\"other\"", 200), (&*format!("\"other\", {strong}"), 304)] {
            let again = client.ask("GET", path, &[("if-none-match", asked)], "");
            assert_eq!((again.status, again.header("etag")), (status, Some(tag)), "{path}");
            assert_eq!(again.body.is_empty(), status == 304);
        }
        let head = client.ask("HEAD", path, &[], "");
        assert_eq!((head.status, head.header("etag")), (200, Some(tag)), "{path}");
        assert_eq!(head.header("content-length"), first.header("content-length"));
    }
}

/// The same name of a game may mean other rules after a restart, with a table or without one.
#[test]
fn other_rules_of_the_same_name_give_other_tags() {
    let rules = |terminal: &str| {
        format!(
            "name = \"mine\"\nplay = \"{terminal}\"\nboard = {{ rows = 2, cols = 3 }}\nmove = [{{ shape = \"XX\", turns = true }}]\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let file = file.to_str().unwrap();
    for is_built in [false, true] {
        let mut known: Vec<(String, String)> = Vec::new();
        for terminal in ["normal", "misere"] {
            std::fs::write(file, rules(terminal)).unwrap();
            let served = Served::with(&[file]);
            if is_built {
                served.home.run(&["build", file]);
            }
            let mut client = served.connect();
            let paths = ["probe", "line", "stats", "scene"].map(|what| format!("/api/v1/{what}?game=mine"));
            let position = "/uwapi/tablegen-mine/default/positions/?p=1_.../...".to_owned();
            for (number, path) in paths.into_iter().chain([position]).enumerate() {
                let reply = match known.get(number) {
                    Some((tag, _)) if terminal == "misere" => client.ask("GET", &path, &[("if-none-match", tag)], ""),
                    _ => client.ask("GET", &path, &[], ""),
                };
                // The drawing of the board does not show who wins.
                if terminal == "misere" && path.contains("scene") {
                    assert_eq!(reply.status, 304, "{path}");
                    continue;
                }
                let tag = reply.header("etag").unwrap().to_owned();
                let source = if is_built { "table" } else { "solved" };
                assert!(!path.contains("probe") || reply.json(200)["source"] == source, "{path}: {}", reply.body);
                match known.get(number) {
                    Some((before, body)) => assert!(*before != tag && *body != reply.body, "{path}"),
                    None => known.push((tag, reply.body)),
                }
            }
        }
    }
}

/// Unpacks `body` with the program that every Unix has.
fn unpacked(body: &[u8]) -> Vec<u8> {
    let mut child = std::process::Command::new("gzip")
        .arg("-dc")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, body) = (child.stdin.take().unwrap(), body.to_owned());
    let writing = std::thread::spawn(move || std::io::Write::write_all(&mut input, &body).unwrap());
    let mut text = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut text).unwrap();
    writing.join().unwrap();
    assert!(child.wait().unwrap().success());
    text
}

#[test]
fn answers_are_compressed_for_clients_that_accept_it() {
    let served = Served::new();
    let mut client = served.connect();
    let gzip = [("accept-encoding", "br, gzip;q=0.5")];
    let paths = ["/", "/main.js", "/style.css", "/api/v1/games", "/api/v1/scene?game=amazons", "/uwapi/"];
    for path in paths {
        let plain = client.ask("GET", path, &[("accept-encoding", "gzip;q=0")], "");
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        let small = client.ask("GET", path, &gzip, "");
        assert_eq!((small.status, small.header("content-encoding")), (200, Some("gzip")), "{path}");
        assert_eq!((small.header("vary"), plain.header("vary")), (Some("accept-encoding"), Some("accept-encoding")));
        assert_eq!(unpacked(&small.bytes), plain.body.as_bytes(), "{path}");
        assert!(small.bytes.len() * 10 < plain.body.len() * 9, "{path}: {} bytes", small.bytes.len());
        // One tag names both forms.
        let tag = small.header("etag").unwrap();
        assert_eq!(plain.header("etag"), Some(tag), "{path}");
        let known = client.ask("GET", path, &[gzip[0], ("if-none-match", tag)], "");
        assert_eq!((known.status, known.bytes.len()), (304, 0), "{path}");
        assert_eq!(client.ask("HEAD", path, &gzip, "").status, 200);
    }
    // An error and a short answer are sent as they are.
    for path in ["/api/v1/probe?game=none", "/api/v1/probe?game=nim&a=1&b=0&c=0"] {
        assert_eq!(client.ask("GET", path, &gzip, "").header("content-encoding"), None, "{path}");
    }
}
