//! Texts at the end of the help: examples, and where to find more. The games in the examples are taken from the list of
//! games, so they exist.

use tablegen::game::{FAMILIES, LIBRARY};

/// `lines` under a heading. `{game}` becomes the first game, `{position}` one of its positions and `{option}` one of
/// its options.
fn examples(lines: &[&str]) -> String {
    let Some(family) = FAMILIES.first() else { return String::new() };
    let option = family.parameters.iter().find_map(|option| {
        let value: u32 = option.default?.parse().ok()?;
        Some(format!("--{} {}", option.name, value + 1))
    });
    let fill = |line: &&str| {
        let line = line.replace("{game}", family.name).replace("{position}", family.example);
        format!("  tablegen {}", line.replace("{option}", option.as_deref().unwrap_or_default()))
    };
    format!("Examples:\n{}", lines.iter().map(fill).collect::<Vec<_>>().join("\n"))
}

/// Examples of a command that accepts the options of games, which its help does not list.
fn examples_of_game(lines: &[&str]) -> String {
    format!("Game options: see 'tablegen list GAME'\n\n{}", examples(lines))
}

pub(super) fn main() -> String {
    let statuses = "Exit status:\n  0  done\n  1  a check failed\n  2  bad usage or bad input\n  \
                    3  a table cannot be used\n  4  not enough memory or disk";
    let examples = examples(&["list", "list {game}", "build {game}", "probe {game} '{position}'", "verify {game}"]);
    format!("{examples}\n\n{statuses}\n\nHelp topics: see 'tablegen help'")
}

pub(super) fn build() -> String {
    examples_of_game(&[
        "build {game}",
        "build {game} {option}",
        "build {game} --labels outcome,remoteness",
        "build {game} -o my.tb --json",
        "--tables ~/tables build {game} --memory 4GiB --threads 2",
    ])
}

pub(super) fn probe() -> String {
    examples_of_game(&[
        "probe {game}                     the start position",
        "probe {game} '{position}'",
        "probe {game} @position.txt       the position in a file",
        "probe my.tb '{position}' --json",
        "probe {game} --batch --brief < positions.txt",
    ])
}

pub(super) fn line() -> String {
    examples_of_game(&["line {game}", "line {game} '{position}' --json", "line my.tb '{position}' | head"])
}

pub(super) fn play() -> String {
    examples_of_game(&[
        "play {game}                      you move first",
        "play {game} --side second        perfect play moves first",
        "play {game} '{position}' --two",
        "play {game} < moves.txt",
    ])
}

pub(super) fn info() -> String {
    examples_of_game(&["info {game}", "info my.tb --json", "info my.tb --rules"])
}

pub(super) fn verify() -> String {
    examples_of_game(&[
        "verify {game}",
        "verify my.tb --level bytes",
        "verify my.tb --level labels --sample 1000000",
        "verify my.tb --level oracle --all",
    ])
}

pub(super) fn estimate() -> String {
    examples_of_game(&["estimate {game}", "estimate {game} {option} --json"])
}

pub(super) fn check() -> String {
    let Some(game) = LIBRARY.first() else { return String::new() };
    format!("Examples:\n  tablegen check my.toml\n  tablegen check {} --json", game.name)
}

pub(super) fn certify() -> String {
    examples_of_game(&["certify {game} -o {game}.cert", "certify domineering -o d.cert --json"])
}

pub(super) fn export() -> String {
    examples_of_game(&[
        "export {game} --format npy -o outcomes.npy",
        "export {game} --format csv | head",
        "export {game} --format csv --where 'outcome = loss and filled < 6'",
    ])
}

pub(super) fn stats() -> String {
    examples_of_game(&["stats {game}", "stats my.tb --json", "stats {game} --svg stats.svg"])
}

pub(super) fn sum() -> String {
    "Examples:\n  tablegen sum 'domineering:.../... + 2*clobber:XXO - {1|-1}'\n  \
     tablegen sum 'nim(a=3,b=5,c=0): + *7'"
        .into()
}

pub(super) fn thermograph() -> String {
    "Examples:\n  tablegen thermograph domineering ../.. --svg graph.svg\n  tablegen thermograph '{3||2|1}'".into()
}

pub(super) fn value() -> String {
    "Examples:\n  tablegen value '{1|*}'\n  tablegen value '2*{3|-1} + ^ - 1/2'\n  \
     tablegen value 'domineering:.../... + snort:....'"
        .into()
}

pub(super) fn serve() -> String {
    examples(&["serve", "serve {game} my.toml my.tb", "serve --listen 0.0.0.0:8686 --allow-host my-pc.local"])
}

pub(super) fn list() -> String {
    examples(&["list", "list {game}", "list --json", "--tables ~/tables list"])
}

pub(super) fn completions() -> String {
    "Examples:\n  tablegen completions fish > ~/.config/fish/completions/tablegen.fish\n  \
     tablegen completions zsh > ~/.zfunc/_tablegen     a folder of $fpath\n  \
     source <(tablegen completions bash)               as a line of ~/.bashrc"
        .into()
}

pub(super) fn man() -> String {
    "Examples:\n  tablegen man | man -l -\n  tablegen man --dir ~/.local/share/man/man1".into()
}
