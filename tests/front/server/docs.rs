//! A server gives the answers shown in `docs/reference/http.md`: each `curl` command stands before its answer.

use std::fs;

use super::Served;
use crate::cli::matches;

#[test]
fn the_page_shows_the_answers_of_a_server() {
    let served = Served::new();
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/http.md")).unwrap();
    let mut commands = 0;
    for example in page.split("```sh\ncurl -s ").skip(1) {
        let (command, rest) = example.split_once("\n```\n\n```text\n").expect("an answer after the command");
        let (shown, _) = rest.split_once("\n```\n").expect("the end of the answer");
        let (before, address) = command.trim_end_matches('\'').split_once('\'').unwrap();
        let path = address.strip_prefix("http://127.0.0.1:8686").unwrap();
        let reply = match before.trim().strip_prefix("--data-binary @") {
            None => served.get(path),
            Some(file) => {
                let file = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
                served.post(path, &fs::read_to_string(file).unwrap())
            }
        };
        assert!(matches(shown, reply.body.trim_end()), "{command}\n{shown}\nanswer:\n{}", reply.body);
        commands += 1;
    }
    assert!(commands >= 5);
    for (shown, answer, fits) in
        [("a[..]c", "abc", true), ("a[..]", "abc", true), ("a[..]b", "abc", false), ("ab", "abc", false)]
    {
        assert_eq!(matches(shown, answer), fits, "{shown}");
    }
}
