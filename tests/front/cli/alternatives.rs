//! The choice of the solver, against the time that the other solvers take.

use std::fs::{remove_dir_all, remove_file};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Home;

/// The longest default build that is compared.
const LONGEST: Duration = Duration::from_secs(600);
/// Differences below this are the start of a process.
const SHORTEST: Duration = Duration::from_millis(200);
/// Sizes of each game.
const SIZES: usize = 8;
/// Parameters that are not sizes.
const FIXED: [&str; 3] = ["line", "k", "play"];

/// The table of a build.
const TABLE: &str = "it.tb";

/// The time of a build; `None` if it fails or takes longer than `longest`. Then nothing of it is left.
fn time(home: &Home, build: &[String], longest: Duration) -> Option<Duration> {
    // Removing a large table takes a second.
    let _ = remove_file(home.path(TABLE));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablegen"));
    home.isolate(command.args(build));
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while begun.elapsed() <= longest {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success().then(|| begun.elapsed());
        }
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let _ = remove_dir_all(home.path(&format!("{TABLE}.building")));
    None
}

/// True if `tablegen estimate` expects a build that takes at most [`LONGEST`] and fits on the disk.
fn is_expected(home: &Home, estimate: &[String]) -> bool {
    let ran = home.try_run(estimate);
    if ran.status != 0 {
        return false;
    }
    let figures: Value = serde_json::from_str(&ran.stdout).unwrap();
    let sweeps = figures["sweep_seconds"].as_f64().unwrap_or(0.0);
    sweeps <= LONGEST.as_secs_f64() && figures["may_fill_disk"] != true
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

/// A default build takes at most twice the time of a build by any named solver, also by its own, in each game that several solvers
/// can solve. Prints the table of the performance notebook.
#[test]
#[ignore = "hours"]
fn no_other_solver_takes_less_than_half_the_time() {
    let home = Home::new();
    let mut wrong = Vec::new();
    let games = home.json(&["list", "--json"])["games"].clone();
    for name in games.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()) {
        let listed = home.json(&["list", name, "--json"]);
        let sizes = sizes(&listed["games"][0]);
        let with = |command: &[&str], size: &[String], more: &[&str]| -> Vec<String> {
            let (command, more) = (command.iter().map(|&word| word.into()), more.iter().map(|&word| word.into()));
            command.chain(size.iter().cloned()).chain(more).collect()
        };
        let can_solve =
            |solver: &&str| home.try_run(&with(&["estimate", name], &sizes[0], &["--solver", solver])).status == 0;
        let solvers: Vec<&str> = ["dense", "two-colour", "sparse"].into_iter().filter(can_solve).collect();
        if solvers.len() < 2 {
            continue;
        }
        for size in sizes {
            let build = |more: &[&str]| with(&["build", name, "-o", TABLE], &size, more);
            if !is_expected(&home, &with(&["estimate", name], &size, &["--json"])) {
                break;
            }
            // The size does not fit into memory, or the next size takes longer still.
            let Some(own) = time(&home, &build(&[]), LONGEST) else { break };
            if own < SHORTEST {
                continue;
            }
            let solver = home.json(&["info", TABLE, "--json"])["solver"].as_str().unwrap().to_owned();
            let mut row =
                format!("| {name} {} | {solver} | {:.1} s |", size.join(" ").replace("--set ", ""), own.as_secs_f64());
            for other in &solvers {
                // A build that is no faster than the default proves nothing, so it is stopped.
                let taken = time(&home, &build(&["--solver", other]), own);
                row += &taken.map_or_else(|| " |".into(), |taken| format!(" {other} {:.1} s |", taken.as_secs_f64()));
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
