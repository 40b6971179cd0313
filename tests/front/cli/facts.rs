//! Reports about games and tables: info, estimate, list, verify, export, help, completions, the manual.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::{Home, ran};

const HELP_OF: [&str; 14] = [
    "build",
    "probe",
    "line",
    "play",
    "info",
    "verify",
    "estimate",
    "check",
    "stats",
    "export",
    "list",
    "completions",
    "man",
    "help",
];

#[test]
fn an_estimate_is_right_and_builds_nothing() {
    let home = Home::new();
    let object = home.json(&["estimate", "tactics", "--json", "--rows", "4", "--cols", "5"]);
    assert_eq!((&object["positions"], home.files("").len()), (&json!(1 << 20), 0));
    home.run(&["build", "tactics", "--rows", "4", "--cols", "5", "-o", "mine.tb"]);
    assert_eq!(object["file_bytes"], fs::metadata(home.path("mine.tb")).unwrap().len());

    // A game too large for memory is built in slices, which fit.
    let large = ["estimate", "tactics", "--rows", "5", "--cols", "8", "--memory", "1GiB"];
    let huge = home.json(&[&large[..], &["--json"]].concat());
    assert!(huge["memory_bytes"].as_u64().unwrap() <= 1 << 30 && huge["regions"]["count"].as_u64().unwrap() > 100);
    assert!(huge["sweep_seconds"].as_f64().unwrap() > 1.0 && huge["symmetry"]["order"] == 4);
    // Symmetry of order 4 stores about a quarter of the boards.
    assert!((1 << 35..3 << 34).contains(&huge["file_bytes"].as_u64().unwrap()), "{huge}");
    let every = home.json(&[&large[..], &["--symmetry", "none", "--json"]].concat());
    assert!(every["file_bytes"].as_u64().unwrap() > 1 << 37);
    let text = home.run(&large);
    assert!(text.contains("1,099,511,627,776 (2^40 boards)") && text.contains("  slices     "), "{text}");
    let short = ["estimate", "tactics", "--rows", "5", "--cols", "8", "--memory", "4MiB"];
    let text = home.run(&short);
    assert!(text.contains("fits here  no: not enough memory"), "{text}");
    assert!(text.contains("; allow more with --memory, or let 'tablegen probe' search positions one by one"), "{text}");
    let large = ["estimate", "cram", "--set", "rows=8", "--set", "cols=8"];
    let sized = home.run(&large);
    assert!(sized.contains("; choose a smaller size with --set rows=N --set cols=N, or let "), "{sized}");
    for (command, fits) in [(&short[..], "no"), (&large, "no"), (&["estimate", "tactics"], "yes")] {
        assert_eq!(home.json(&[command, &["--json"]].concat())["fits"], fits, "{command:?}");
    }
    // Both rows name the memory of a build by slices, not that of all boards.
    let needed = home.json(&[&short[..], &["--json"]].concat())["memory_bytes"].as_u64().unwrap();
    assert!((4 << 20..1 << 30).contains(&needed), "{needed}");
    assert!(home.run(&["estimate", "tactics"]).contains("fits here  yes"));
}

#[test]
fn help_has_examples_that_run() {
    let home = Home::new();
    fs::write(home.path("position.txt"), "0xffff").unwrap();
    fs::write(home.path("positions.txt"), "0xffff\n").unwrap();
    fs::write(home.path("moves.txt"), "a1\nhint\n").unwrap();
    home.run(&["build", "tactics", "-o", "my.tb"]);
    fs::write(home.path("my.toml"), tablegen::game::LIBRARY[0].text).unwrap();
    for command in HELP_OF {
        let help = home.run(&[command, "--help"]);
        assert!(help.contains("Examples:\n  tablegen "), "{command}: {help}");
        for line in help.split("Examples:\n").nth(1).unwrap().lines().take_while(|line| line.starts_with("  ")) {
            let example =
                line.split("   ").next().unwrap().trim().replacen("tablegen", env!("CARGO_BIN_EXE_tablegen"), 1);
            if example.contains("completions") || example.contains("man -l") {
                continue;
            }
            let mut shell = Command::new("sh");
            home.isolate(
                shell.args(["-c", line.split("  ").find(|part| !part.is_empty()).map(|_| &example[..]).unwrap()]),
            );
            let ran = ran(shell.output().unwrap());
            assert_eq!(ran.status, 0, "{example}: {}", ran.stderr);
        }
    }
    assert!(home.run(&["--help"]).contains("Exit status"));
    assert_eq!(home.run(&["--version"]), format!("tablegen {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_are_scripts() {
    let home = Home::new();
    for (shell, sign) in [("bash", "complete -F"), ("zsh", "#compdef tablegen"), ("fish", "complete -c tablegen")] {
        let script = home.run(&["completions", shell]);
        assert!(script.contains(sign) && script.contains("--rows") || script.contains("-l rows"), "{shell}");
        let file = home.path(shell);
        fs::write(&file, script).unwrap();
        match Command::new(shell).arg("-n").arg(&file).output() {
            Ok(output) => assert!(output.status.success(), "{shell}: {output:?}"),
            Err(_) => eprintln!("skipped: there is no {shell} here to read its script"),
        }
    }
}

/// What `shell` prints for `line`; `None` if it is not installed here.
fn in_shell(home: &Home, shell: &str, line: &str) -> Option<String> {
    let mut command = Command::new(shell);
    home.isolate(command.args(["-c", line]));
    let Ok(output) = command.output() else {
        eprintln!("skipped: there is no {shell} here");
        return None;
    };
    assert!(output.status.success(), "{shell}: {output:?}");
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// Names of games, topics, labels and notations complete the words that are typed.
#[test]
fn words_are_completed() {
    let home = Home::new();
    let lines = [
        ("probe kayl", "kayles"),
        ("estimate domineer", "domineering"),
        ("check connect-f", "connect-four"),
        ("thermograph snor", "snort"),
        ("help rules-k", "rules-keys"),
        ("help thermogr", "thermograph"),
        ("build nim --labels remot", "remoteness"),
        ("export nim --label misere", "misere-nimber"),
        ("probe nim --notation hea", "heaps"),
        ("build nim --solver reg", "regions"),
    ];
    for shell in ["bash", "fish", "zsh"] {
        fs::write(home.path(shell), home.run(&["completions", shell])).unwrap();
    }
    for (line, expected) in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let bash = format!(
            "source ./bash; COMP_WORDS=(tablegen {line}); COMP_CWORD={}; _tablegen tablegen {last} {before}; \
             echo \"${{COMPREPLY[*]}}\"",
            words.len()
        );
        assert_eq!(in_shell(&home, "bash", &bash).as_deref(), Some(expected), "{line}");
        if let Some(found) = in_shell(&home, "fish", &format!("source ./fish; complete -C'tablegen {line}'")) {
            let names: Vec<&str> = found.lines().filter_map(|line| line.split('\t').next()).collect();
            assert_eq!(names, [expected], "{line}");
        }
    }
    // For zsh, a function has the games, and files as well.
    let zsh = fs::read_to_string(home.path("zsh")).unwrap();
    assert!(zsh.contains(":_tablegen_games'") && zsh.contains("        'kayles:knock down one pin"), "{zsh}");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let home = Home::new();
    assert!(home.run(&["man"]).contains(".TH tablegen"));
    let ran = home.try_run(&["man", "--dir", "pages"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let pages = home.files("pages");
    assert!(pages.contains(&"tablegen.1".into()));
    for command in HELP_OF.into_iter().chain(["serve"]) {
        assert!(pages.contains(&format!("tablegen-{command}.1")), "{command} has no page in {pages:?}");
    }
    for page in pages {
        let text = fs::read_to_string(home.path("pages").join(&page)).unwrap();
        assert!(text.is_ascii(), "{page}: {:?}", text.lines().find(|line| !line.is_ascii()));
    }
}
