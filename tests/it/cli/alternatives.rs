//! The choice of the solver, against the time that the other solvers take.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Home;

/// The longest default build that is compared. The next size of a game usually takes more than ten times as long.
const LONGEST: Duration = Duration::from_secs(60);
/// Differences below this are the start of a process.
const SHORTEST: Duration = Duration::from_millis(200);
/// Sizes of each game.
const SIZES: usize = 8;
/// Parameters that are not sizes.
const FIXED: [&str; 3] = ["line", "k", "play"];

/// The time of a build; `None` if it fails or takes longer than `longest`.
fn time(home: &Home, build: &[String], longest: Duration) -> Option<Duration> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablegen"));
    home.isolate(command.args(build));
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success().then(|| begun.elapsed());
        }
        if begun.elapsed() > longest {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        sleep(Duration::from_millis(2));
    }
}

/// The options of growing sizes of a game: the defaults, then each size in turn one larger.
fn sizes(game: &Value) -> Vec<Vec<String>> {
    let all = ["parameters", "options"].iter().filter_map(|key| game[key].as_array()).flatten();
    let number = |option: &Value| option["default"].as_str()?.parse::<u32>().ok();
    let mut sizes: Vec<(&str, u32)> =
        all.filter_map(|option| Some((option["name"].as_str()?, number(option)?))).collect();
    sizes.retain(|(name, _)| !FIXED.contains(name));
    sizes.sort_by_key(|(name, _)| !matches!(*name, "rows" | "cols"));
    let varied = sizes.iter().filter(|(name, _)| matches!(*name, "rows" | "cols")).count().max(1).min(sizes.len());
    let mut found = Vec::new();
    let is_built_in = game["options"].is_array();
    let typed = |(name, size): &(&str, u32)| {
        if is_built_in { [format!("--{name}"), size.to_string()] } else { ["--set".into(), format!("{name}={size}")] }
    };
    for turn in 0..if varied == 0 { 1 } else { SIZES } {
        found.push(sizes.iter().flat_map(typed).collect());
        if varied > 0 {
            sizes[varied - 1 - turn % varied].1 += 1;
        }
    }
    found
}

/// A default build takes at most twice the time of a build by any named solver, also by its own. Prints the table of
/// the performance notebook.
#[test]
#[ignore = "an hour"]
fn no_other_solver_takes_less_than_half_the_time() {
    let home = Home::new();
    let mut wrong = Vec::new();
    let games = home.json(&["list", "--json"])["games"].clone();
    for name in games.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()) {
        let listed = home.json(&["list", name, "--json"]);
        for size in sizes(&listed["games"][0]) {
            let build = |more: &[&str]| -> Vec<String> {
                let more = more.iter().map(|&word| word.to_owned());
                let fixed = ["build", name, "-o", "it.tb", "--force"].map(str::to_owned).into_iter();
                fixed.chain(size.iter().cloned()).chain(more).collect()
            };
            // A word list or a graph is missing, or the next size takes longer still.
            let Some(own) = time(&home, &build(&[]), LONGEST) else { break };
            if own < SHORTEST {
                continue;
            }
            let solver = home.json(&["info", "it.tb", "--json"])["solver"].as_str().unwrap().to_owned();
            let mut row =
                format!("| {name} {} | {solver} | {:.1} s |", size.join(" ").replace("--set ", ""), own.as_secs_f64());
            for other in ["dense", "two-colour", "sparse"] {
                let taken = time(&home, &build(&["--solver", other]), own * 2);
                row += &taken.map_or_else(|| " |".into(), |taken| format!(" {:.1} s |", taken.as_secs_f64()));
                // Other work on the machine may have slowed the first build, so it is repeated.
                let again = || time(&home, &build(&[]), LONGEST).map_or(own, |again| again.min(own));
                if taken.is_some_and(|taken| taken * 2 < own && taken * 2 < again()) {
                    wrong.push(row.clone());
                }
            }
            println!("{row}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
