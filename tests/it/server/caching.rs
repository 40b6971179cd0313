//! Caching: which answers a cache may keep, and how it revalidates them.

use super::Served;

#[test]
fn an_unchanged_answer_is_not_sent_again() {
    let served = Served::new();
    let mut client = served.connect();
    // A table's answers; an answer solved on the spot, which a table may replace; lists and files, which may change.
    let cases = [
        ("/api/v1/probe?game=tactics&position=0x33ff", "public, max-age=86400"),
        ("/api/v1/line?game=tactics", "public, max-age=86400"),
        ("/api/v1/stats?game=tactics", "public, max-age=86400"),
        ("/api/v1/scene?game=tictactoe", "public, no-cache"),
        ("/api/v1/probe?game=nim", "public, no-cache"),
        ("/api/v1/games", "public, no-cache"),
        ("/api/v1/tables", "public, no-cache"),
        ("/api/v1/openapi.json", "public, no-cache"),
        ("/", "public, no-cache"),
        ("/main.js", "public, no-cache"),
    ];
    for (path, control) in cases {
        let first = client.ask("GET", path, &[], "");
        assert_eq!((first.status, first.header("cache-control")), (200, Some(control)), "{path}");
        let tag = first.header("etag").unwrap();
        for (asked, status) in [(tag, 304), ("\"other\"", 200), (&*format!("\"other\", W/{tag}"), 304)] {
            let again = client.ask("GET", path, &[("if-none-match", asked)], "");
            assert_eq!((again.status, again.header("etag")), (status, Some(tag)), "{path}");
            assert_eq!(again.body.is_empty(), status == 304);
        }
        let head = client.ask("HEAD", path, &[], "");
        assert_eq!((head.status, head.header("etag")), (200, Some(tag)), "{path}");
        assert_eq!(head.header("content-length"), first.header("content-length"));
    }
}

#[test]
fn added_labels_change_the_entity_tag() {
    let served = Served::new();
    let path = "/api/v1/probe?game=tactics&rows=3&cols=3";
    let build =
        |labels| served.cli(&["build", "tactics", "--rows", "3", "--cols", "3", "--labels", labels]).status.success();
    assert!(build("outcome"));
    let plain = served.get(path);
    assert_eq!(
        (plain.json(200)["remoteness"].is_null(), plain.header("cache-control")),
        (true, Some("public, no-cache"))
    );
    assert!(build("outcome,remoteness"));
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let tag = plain.header("etag").unwrap();
    let whole = served.connect().ask("GET", path, &[("if-none-match", tag)], "");
    assert!(whole.json(200)["remoteness"].is_number() && whole.header("etag") != Some(tag));
    assert_eq!(whole.header("cache-control"), Some("public, max-age=86400"));
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let served = Served::new();
    for path in ["/", "/index.html", "/main.js", "/style.css", "/icon.svg"] {
        let reply = served.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        assert!(
            reply.status == 200 && policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{path}"
        );
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        let kind = match path.rsplit('.').next().unwrap() {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => "text/html; charset=utf-8",
        };
        assert_eq!(reply.header("content-type"), Some(kind));
    }
}
