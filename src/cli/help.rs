//! Texts at the end of the help: examples, and where to find more. The games in the examples are taken from the list of
//! games, so they exist.

use tablegen::game::{FAMILIES, LIBRARY};

/// Examples of the commands that accept the options of games, which their help does not list.
const WITH_OPTIONS: [(&str, &[&str]); 10] = [
    (
        "build",
        &[
            "build {game}",
            "build {game} {option}",
            "build {game} --labels outcome,remoteness",
            "build {game} -o my.tb --json",
            "--tables ~/tables build {game} --memory 4GiB --threads 2",
        ],
    ),
    (
        "probe",
        &[
            "probe {game}                     the start position",
            "probe {game} '{position}'",
            "probe {game} @position.txt       the position in a file",
            "probe my.tb '{position}' --json",
            "probe {game} --batch --brief < positions.txt",
        ],
    ),
    ("line", &["line {game}", "line {game} '{position}' --json", "line my.tb '{position}' | head"]),
    (
        "play",
        &[
            "play {game}                      you move first",
            "play {game} --side second        perfect play moves first",
            "play {game} '{position}' --two",
            "play {game} < moves.txt",
        ],
    ),
    ("info", &["info {game}", "info my.tb --json", "info my.tb --rules"]),
    (
        "verify",
        &[
            "verify {game}",
            "verify my.tb --level bytes",
            "verify my.tb --level labels --sample 1000000",
            "verify my.tb --level oracle --all",
        ],
    ),
    ("estimate", &["estimate {game}", "estimate {game} {option} --json"]),
    (
        "certify",
        &[
            "certify {game} -o {game}.cert",
            "certify domineering -o d.cert --json",
            "certify reversi --score -o reversi.cert",
        ],
    ),
    (
        "export",
        &[
            "export {game} --format npy -o outcomes.npy",
            "export {game} --format csv | head",
            "export {game} --format csv --where 'outcome = loss and filled < 6'",
        ],
    ),
    ("stats", &["stats {game}", "stats my.tb --json", "stats {game} --svg stats.svg"]),
];

/// Examples of the other commands.
const OTHERS: [(&str, &[&str]); 7] = [
    ("check", &["check my.toml", "check {library} --json"]),
    ("sum", &["sum 'domineering:.../... + 2*clobber:XXO - {1|-1}'", "sum 'nim(a=3,b=5,c=0): + *7'"]),
    ("thermograph", &["thermograph domineering ../.. --svg graph.svg", "thermograph '{3||2|1}'"]),
    ("value", &["value '{1|*}'", "value '2*{3|-1} + ^ - 1/2'", "value 'domineering:.../... + snort:....'"]),
    ("serve", &["serve", "serve {game} my.toml my.tb", "serve --listen 0.0.0.0:8686 --allow-host my-pc.local"]),
    (
        "list",
        &[
            "list",
            "list {game}",
            "list {library} --rules > my.toml",
            "list --find othello",
            "list --json",
            "--tables ~/tables list",
        ],
    ),
    ("man", &["man | man -l -", "man --dir ~/.local/share/man/man1"]),
];

/// The examples of `command`.
pub(super) fn of(command: &str) -> String {
    let among =
        |list: &[(&str, &[&str])]| list.iter().find(|(name, _)| *name == command).map(|(_, lines)| examples(lines));
    let with_options = || Some(format!("Game options: see 'tablegen list GAME'\n\n{}", among(&WITH_OPTIONS)?));
    with_options().or_else(|| among(&OTHERS)).unwrap_or_else(|| unreachable!("every command has examples"))
}

/// `lines` under a heading. `{game}` becomes the first game, `{position}` one of its positions and `{option}` one of
/// its options; `{library}` becomes the first game of the library.
fn examples(lines: &[&str]) -> String {
    let (Some(family), Some(library)) = (FAMILIES.first(), LIBRARY.first()) else { return String::new() };
    let option = family.parameters.iter().find_map(|option| {
        let value: u32 = option.default?.parse().ok()?;
        Some(format!("--{} {}", option.name, value + 1))
    });
    let fill = |line: &&str| {
        let line = line.replace("{game}", family.name).replace("{library}", library.name);
        let line = line.replace("{position}", family.example);
        format!("  tablegen {}", line.replace("{option}", option.as_deref().unwrap_or_default()))
    };
    format!("Examples:\n{}", lines.iter().map(fill).collect::<Vec<_>>().join("\n"))
}

pub(super) fn main() -> String {
    let statuses = "Exit status:\n  0  done\n  1  a check failed\n  2  bad usage or bad input\n  \
                    3  a table cannot be used\n  4  not enough memory or disk";
    let examples = examples(&["list", "list {game}", "build {game}", "probe {game} '{position}'", "verify {game}"]);
    format!("{examples}\n\n{statuses}\n\nHelp topics: see 'tablegen help'")
}

pub(super) fn completions() -> String {
    let files = [
        "completions fish > ~/.config/fish/completions/tablegen.fish",
        "completions zsh > ~/.zfunc/_tablegen     a folder of $fpath",
    ];
    examples(&files) + "\n  source <(tablegen completions bash)               as a line of ~/.bashrc"
}
