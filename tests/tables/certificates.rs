//! Certificates: the separate checker accepts those of every game, and proves nothing false.

mod forged;
mod program;
mod refused;
mod scores;

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use fastrand::Rng;
use indicatif::HumanCount;
use proptest::prelude::*;
use tablegen::certificate::{Certificate, CertificateError, Choice, Claim};
use tablegen::engine::{Engine, TableDirs};
use tablegen::game::{Game, library};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Board, End, Mode, Move, Node, Outcome, Position, Rules, RulesSpec, Start, Terminal};
use tablegen::search::Search;
use tablegen::solve::{Method, Options, solve};
use tablegen::symmetry::Group;
use tablegen::table::Table;

use crate::common::library::named as game;
use crate::common::random;
use crate::common::{sparse, table};

/// The checker, compiled by itself.
fn checker() -> &'static Path {
    static CHECKER: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let compiled = || {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("certify-check");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/certify-check/src/main.rs");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let flags = ["--edition", "2024", "-O", "-C", "overflow-checks=on", "-o"];
        assert!(Command::new(rustc).args(flags).arg(&program).arg(source).status().unwrap().success());
        (folder, program)
    };
    &CHECKER.get_or_init(compiled).1
}

/// What the checker prints about `text`: a proof, or the reason why it is none.
fn check(text: &[u8], part: u64) -> Result<String, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let ran = Command::new(checker()).arg(file.path()).args(["--part", &part.to_string()]).output().unwrap();
    let [out, error] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    match ran.status.code() {
        Some(0) => Ok(out),
        Some(1) if error.starts_with("not proved: ") => Err(error),
        Some(2) if error.starts_with("error: cannot check ") => Err(error),
        code => panic!("{code:?} {error}"),
    }
}

fn certificate<'t>(table: &'t Table, root: Node, choices: &[Choice]) -> Certificate<'t> {
    Certificate::of(table, root, choices, 1 << 20, &|_| ControlFlow::Continue(())).unwrap()
}

fn text(certificate: &Certificate<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    text
}

/// The certificate of the start of a game.
fn of_start(game: Box<dyn Game>, choices: &[Choice]) -> (usize, Outcome, Vec<u8>) {
    let source = Engine::new(TableDirs::none()).source(game, 0).unwrap();
    source.decide(None).unwrap();
    let table = source.table().unwrap();
    let certificate = certificate(table, table.rules().start_node(), choices);
    (certificate.positions(), outcome(&certificate), text(&certificate))
}

/// The outcome that is proved.
fn outcome(certificate: &Certificate<'_>) -> Outcome {
    match certificate.claim {
        Claim::Outcome(outcome) => outcome,
        Claim::Score(bounds) => panic!("a proof of a score {bounds}"),
    }
}

#[test]
fn certificates_of_all_games_are_accepted() {
    let built_in = [
        game("tactics", ""),
        game("tactics", "rows=3 cols=5 run=2"),
        game("tictactoe", ""),
        game("mnk", "rows=3 cols=4"),
        game("dominoes", "n=5"),
        game("connect-four", "rows=4 cols=3 line=3"),
    ];
    // The mills of many men are too large.
    let large = ["lasker-morris", "morabaraba", "nine-mens-morris"];
    let of_library = library().iter().filter(|file| !large.contains(&file.name)).map(|file| game(file.name, ""));
    let mut stated = 0;
    for game in built_in.into_iter().chain(of_library).filter(|game| !game.rules().has_gains()) {
        let name = game.rules().name().to_owned();
        let (positions, outcome, text) = of_start(game, &Choice::ALL);
        for part in [1 << 24, 5 + positions as u64 / 3] {
            let proved = check(&text, part).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(proved.starts_with(&format!("proved: {outcome:?} at ")), "{name}: {proved}");
            assert!(proved.contains(&format!("with {positions} positions")), "{name}: {proved}");
            stated += usize::from(proved.contains("as this program states them"));
        }
    }
    // Five games of the list above, and Connect Four of the library.
    assert!(stated >= 12, "{stated}");
}

#[test]
fn rules_with_gains_have_no_certificates_of_outcomes() {
    let rules = game("dots-and-boxes", "rows=1 cols=1").rules().clone();
    let options = Options { labels: LabelSet::OUTCOME.with(LabelKind::Score), ..Options::of(Method::Sparse) };
    let table = table(&solve(&rules, &options).unwrap());
    let certificate = Certificate::of(&table, rules.start_node(), &Choice::ALL, 1, &|_| ControlFlow::Continue(()));
    assert!(matches!(certificate, Err(CertificateError::Gains)));
}

/// A row of `cells` squares, each filled alone. Who fills a square with the number of a bit of `again` moves again.
fn row(cells: u32, again: u64, terminal: Outcome) -> RulesSpec {
    let moves = (0..cells).map(|cell| Move { again: again >> cell & 1 == 1, ..Move::fill(Board::bit(cell)) });
    RulesSpec { moves: moves.collect(), terminal, ..RulesSpec::new("row", cells) }
}

/// In the certificate, the modes say who moves again. The start may be an opening, and ends may be draws.
#[test]
fn certificates_of_rules_in_which_a_player_moves_again_are_accepted() {
    let end =
        |pattern, outcome| End { mode: Mode(0), pattern: Board::from_word(pattern), outcome, empty: Board::EMPTY };
    let most = Terminal::Most { own: Board::from_word(0b0110), other: Board::from_word(0b1011) };
    for again in 0..16 {
        for terminal in [Outcome::Loss, Outcome::Draw] {
            let ends = vec![end(0b0111, most), end(0b1010, Terminal::Points(-1))];
            let choices = [1, 6].map(|board| Position::of(Board::from_word(board))).to_vec();
            let spec = row(4, again, terminal);
            for spec in [
                spec.clone(),
                RulesSpec { ends: ends.clone(), ..spec.clone() },
                RulesSpec { start: Start::Opening(choices), ends, ..spec },
            ] {
                let rules = spec.build().unwrap();
                accepted(&rules, 16);
                let table = table(&sparse(&rules));
                let certificate = certificate(&table, rules.start_node(), &Choice::ALL);
                let proved = check(&text(&certificate), 1 << 24).unwrap();
                assert!(proved.starts_with(&format!("proved: {:?} at ", outcome(&certificate))), "{proved} {rules:?}");
            }
        }
    }
}

/// Each row of the page has the number of positions, and of bytes.
#[test]
fn the_page_has_the_sizes() {
    const PAGE: &str = include_str!("../../docs/reference/certificates.md");
    let lines: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("| `certify ")).collect();
    let row = |line: &&str| {
        let command = line.split('`').nth(1).unwrap();
        let mut words = command.split(' ').skip(1);
        let (name, mut options) = (words.next().unwrap(), Vec::new());
        while let Some(option) = words.next() {
            let word = words.next().unwrap();
            options.push(match option {
                "--set" => word.to_owned(),
                _ => format!("{}={word}", option.trim_start_matches("--")),
            });
        }
        let options = options.join(" ");
        let (positions, outcome, text) = of_start(game(name, &options), &Choice::ALL);
        let first = of_start(game(name, &options), &[Choice::First]).0;
        let [positions, first, bytes] = [positions, first, text.len()].map(|n| HumanCount(n as u64).to_string());
        format!("| `{command}` | {outcome} | {positions} | {first} | {bytes} |")
    };
    let found: Vec<String> = lines.iter().map(row).collect();
    assert!(found == lines && found.len() > 10, "{}", found.join("\n"));
}

#[test]
fn shipped_certificates_are_accepted() {
    for (name, positions) in [("tactics", 384), ("dominoes", 187)] {
        let (found, _, text) = of_start(game(name, ""), &Choice::ALL);
        let file = format!("tables/{}.cert", game(name, "").rules().name());
        let shipped = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file)).unwrap();
        assert!(shipped == text && found == positions, "{file}: {found}");
        check(&shipped, 1 << 24).unwrap();
    }
}

/// The page draws a reply to each first move of Tactics, after which the certificate goes on.
#[test]
fn the_page_draws_the_first_replies() {
    const PAGE: &str = include_str!("../../docs/reference/certificates.md");
    let game = game("tactics", "");
    let drawing = PAGE.split("```text\n").find(|part| part.starts_with("1 . . 2")).unwrap();
    let lines: Vec<&str> = drawing.split("```").next().unwrap().lines().collect();
    let table = table(&crate::common::dense(game.rules()));
    let certificate = certificate(&table, game.rules().start_node(), &Choice::ALL);
    let members = &certificate.strategies[0].members;
    let group = Group::of_rules(game.rules(), &[]).unwrap();
    let at = |board| Position::new(Mode(0), board);
    let (mut first_moves, mut moves) = (BTreeSet::new(), 0);
    for rows in lines.split(|line| line.is_empty()) {
        for board in 0..rows[0].split("    ").count() {
            let drawn = rows.iter().map(|row| row.split("    ").nth(board).unwrap().replace(' ', ""));
            let drawn = drawn.collect::<Vec<String>>().join("/");
            let of = |player: char| -> Board {
                let text: String = drawn
                    .chars()
                    .map(|c| {
                        if c == player {
                            'X'
                        } else if c == '/' {
                            c
                        } else {
                            '.'
                        }
                    })
                    .collect();
                let Node::At(position) = game.read(&text).unwrap().node else { panic!("{text}") };
                position.board
            };
            let (first, both) = (of('1'), of('1') | of('2'));
            let reaches = |from, to| game.rules().successors(at(from)).any(|next| next.board == to);
            assert!(reaches(Board::EMPTY, first) && reaches(first, both), "{drawn}");
            let class = |board| group.representative(at(board));
            assert!(members.iter().any(|(member, _)| group.representative(*member) == class(both)), "{drawn}");
            moves += group.orbit(at(first));
            assert!(first_moves.insert(class(first)), "{drawn} is drawn twice");
        }
    }
    assert_eq!((moves, first_moves.len()), (64, 11));
}

/// Coq accepts the strategy for Tactics, and not without one of its positions.
#[test]
#[ignore = "needs coqc, from Debian's package coq"]
fn a_proof_assistant_accepts_tactics() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root.join("proofs/Tactics.v"), folder.path().join("Tactics.v")).unwrap();
    let certificate = root.join("tables/tactics-4x4-run4-misere.cert");
    let members = Command::new("python3").arg(root.join("proofs/members.py")).arg(certificate).output().unwrap();
    let members = String::from_utf8(members.stdout).unwrap();
    let compile = |text: &str| {
        fs::write(folder.path().join("Members.v"), text).unwrap();
        let coqc = |file| Command::new("coqc").current_dir(folder.path()).arg(file).output().unwrap();
        assert!(coqc("Members.v").status.success());
        coqc("Tactics.v")
    };
    let proved = compile(&members);
    assert_eq!((proved.status.code(), &*proved.stdout), (Some(0), &b"Closed under the global context\n"[..]));
    let less: Vec<&str> =
        members.lines().enumerate().filter(|(number, _)| number % 10 != 9).map(|(_, line)| line).collect();
    let refused = compile(&less.join("\n"));
    assert!(!refused.status.success(), "{}", String::from_utf8_lossy(&refused.stderr));
}

/// The text with a random change: a byte, a line less, or two lines exchanged.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = rng.usize(..lines.len());
    match rng.u32(..4) {
        0 => drop(lines.remove(at)),
        1 => {
            let other = rng.usize(..lines.len());
            lines.swap(at, other);
        }
        _ => {
            let place = rng.usize(..lines[at].len());
            let new = *rng.choice(b"0123456789abcdef ,").unwrap() as char;
            lines[at].replace_range(place..=place, &new.to_string());
        }
    }
    let mut words: Vec<String> = lines.iter().map(|line| line.replace("outcome loss", "outcome win")).collect();
    if rng.u32(..8) > 0 {
        words = lines;
    }
    words.join("\n") + "\n"
}

/// The checker states the rules of these games itself. So whatever stands in a certificate, what it proves is true.
#[test]
fn nothing_false_is_proved() {
    let mut rng = Rng::with_seed(40);
    let (mut proved, mut refused) = (0, 0);
    for game in [
        game("tactics", "rows=2 cols=4"),
        game("tictactoe", ""),
        game("dominoes", "n=3"),
        game("connect-four", "rows=3 cols=3 line=3"),
    ] {
        let rules = game.rules().clone();
        let (_, _, text) = of_start(game, &Choice::ALL);
        let text = String::from_utf8(text).unwrap();
        for _ in 0..100 {
            let damaged = damaged(&text, &mut rng);
            let Ok(claim) = check(damaged.as_bytes(), 1 << 24) else {
                refused += 1;
                continue;
            };
            if !claim.contains("as this program states them") {
                continue;
            }
            let (outcome, rest) = claim.strip_prefix("proved: ").unwrap().split_once(" at ").unwrap();
            let root = match rest.split_once(", ").unwrap().0.split_once(' ').unwrap() {
                ("the", _) => Node::Opening,
                (mode, board) => Node::At(Position::new(
                    Mode(mode.parse().unwrap()),
                    Board::from_number(u128::from_str_radix(board, 16).unwrap()),
                )),
            };
            let expected = Search::new(&rules).outcome(root).unwrap();
            assert_eq!(outcome, format!("{expected:?}"), "{claim} of\n{damaged}");
            proved += 1;
        }
    }
    assert!(proved > 10 && refused > 200, "{proved} {refused}");
}

/// The page says how much code a reader of the checker must trust.
#[test]
fn the_checker_is_short() {
    let source = |file| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/certify-check/src").join(file);
        fs::read_to_string(path).unwrap()
    };
    let code = ["main.rs", "text.rs", "rules.rs", "nibbles.rs"].map(source).concat();
    let lines = code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    assert!(lines < 800, "{lines}");
}

/// Every reachable position of `rules` has a certificate that is accepted.
fn accepted(rules: &Rules, roots: usize) {
    let table = table(&sparse(rules));
    let found: Vec<Position> = crate::common::held(&sparse(rules)).map(|(position, _)| position).collect();
    let step = found.len().div_ceil(roots);
    for &root in found.iter().step_by(step) {
        let certificate = certificate(&table, root.into(), &Choice::ALL);
        let proved = check(&text(&certificate), 1 << 24).unwrap_or_else(|error| panic!("{root:?}: {error}\n{rules:?}"));
        assert!(proved.starts_with(&format!("proved: {:?} at ", outcome(&certificate))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn certificates_of_random_rules_are_accepted(rules in random::small()) {
        accepted(&rules, 4);
    }

    #[test]
    fn certificates_of_random_rules_with_passes_are_accepted(rules in random::with_passes()) {
        prop_assume!(rules.potential().is_some());
        accepted(&rules, 4);
    }
}
