//! `tablegen certify`: where the certificate goes, and what is refused.

use std::fs;

use super::Home;

#[test]
fn a_certificate_goes_to_a_file_or_to_standard_output() {
    let home = Home::new();
    let shown = home.run(&["certify", "tactics"]);
    let facts = home.json(&["certify", "tactics", "-o", "t.cert", "--json"]);
    assert_eq!(fs::read_to_string(home.path("t.cert")).unwrap(), shown);
    assert_eq!((&facts["positions"], &facts["outcome"]), (&384.into(), &"loss".into()));
    assert_eq!(facts["bytes"], shown.len());
    // From a position in the middle.
    let shown = home.run(&["certify", "tactics", "XXXX/XXXX/XXXX/XX.."]);
    assert!(shown.contains("\nroot 0 fffc\noutcome win\nstrategy mover win 1\n0 7fff\nend"), "{shown}");
}

/// The game answers texts itself, because words that cancel are no moves of the rules in the table.
#[test]
fn a_game_of_more_positions_than_its_rules_has_certificates() {
    let home = Home::new();
    fs::write(home.path("words"), "tower\nrat\ntar\nrug\ngnat\ntent\n").unwrap();
    home.run(&["build", "shiritori", "--words", "words", "-o", "it.tb"]);
    let certified = |position: &[&str]| {
        let ran = home.try_run(&[&["certify", "it.tb"], position].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stderr.contains("they leave out moves that cancel each other"), "{}", ran.stderr);
        ran.stdout
    };
    let start = certified(&[]);
    assert!(start.contains("\nchoice ") && start.contains("\noutcome win\n"), "{start}");
    // The words that are left have the outcome of a position of the rules.
    for (position, outcome) in [("tar", "win"), ("tower rug", "loss"), ("{} t", "loss")] {
        let outcome_of = home.json(&["probe", "it.tb", position, "--json"])["outcome"].clone();
        assert_eq!(outcome_of, outcome, "{position}");
        let text = certified(&[position]);
        assert!(text.contains("\nroot ") && text.contains(&format!("\noutcome {outcome}\n")), "{position}: {text}");
    }
    let error = home.fails(2, &["certify", "it.tb", "rat"]);
    assert!(error.contains("expected a position of the rules in the table, found rat"), "{error}");
}

#[test]
fn what_has_no_certificate_is_refused() {
    let home = Home::new();
    let error = home.fails(2, &["certify", "tactics", "--json"]);
    assert!(error.contains("-o"), "{error}");
    let error = home.fails(4, &["certify", "tactics", "--limit", "100", "-o", "t.cert"]);
    assert!(error.contains("more than 100 positions; raise --limit") && !home.path("t.cert").exists(), "{error}");
    home.run(&["build", "tactics", "-o", "t.tb"]);
    let error = home.fails(2, &["certify", "tactics", "-o", "t.tb"]);
    assert!(error.contains("t.tb"), "{error}");
    let mut bytes = fs::read(home.path("t.tb")).unwrap();
    bytes[9000] ^= 1;
    fs::write(home.path("t.tb"), bytes).unwrap();
    let error = home.fails(3, &["certify", "t.tb"]);
    assert!(error.contains("checksum"), "{error}");
}
