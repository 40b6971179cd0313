//! Games whose pieces move: positions per second and peak memory per position, as lines of CSV.
//!
//! `cargo bench --bench moving` runs every case. Name cases to run only some:
//! `cargo bench --bench moving -- clobber-4x5`. Each figure is the median of several runs, with and without symmetry,
//! with one thread and with two. Each run is a process of its own, because the system reports one peak of memory per
//! process. Every run must find the known number of positions.

use std::process::Command;
use std::time::Instant;

use tablegen::engine;
use tablegen::game::{Game, Parameters};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::solve::{Options, Solver, solve};
use tablegen::symmetry::Group;

struct Case {
    name: &'static str,
    /// The name of a game in the library, or the text of a rules file.
    game: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// The number of reachable positions.
    reached: u64,
}

/// A rules file: pieces move to a neighbouring free square, and three in a line win.
macro_rules! men {
    ($rows:literal x $cols:literal, $x:literal, $o:literal) => {
        concat!(
            "name = \"men-",
            $rows,
            "x",
            $cols,
            "\"\n",
            "summary = \"move a piece to a free neighbouring square; three in a line win\"\n",
            "sides = [\"x\", \"o\"]\n\n",
            "[board]\nrows = ",
            $rows,
            "\ncols = ",
            $cols,
            "\ncolours = \"XO\"\n\n",
            "[[move]]\nshape = \"LX\"\nturns = true\n\n",
            "[[end]]\nline = 3\nalong = [\"rows\", \"columns\", \"diagonals\"]\ncompleter = \"wins\"\n\n",
            "[start]\nfilled = { X = ",
            $x,
            ", O = ",
            $o,
            " }\nside = \"x\"\n"
        )
    };
}

/// Four pieces against four on 3 x 7 squares.
const MEN: &str = men!(3 x 7, r#"["a1", "b1", "f1", "g1"]"#, r#"["a3", "b3", "f3", "g3"]"#);

/// Three pieces against four on 5 x 5 squares, where a position takes more bits.
const LARGE: &str = men!(5 x 5, r#"["a1", "b1", "d1"]"#, r#"["a5", "b5", "d5", "e5"]"#);

const CASES: &[Case] = &[
    // Play always ends: a potential orders the positions into levels.
    Case { name: "clobber-4x5", game: "clobber", parameters: &[("rows", "4"), ("cols", "5")], reached: 26_787_440 },
    Case {
        name: "breakthrough-6x3",
        game: "breakthrough",
        parameters: &[("rows", "6"), ("cols", "3"), ("ranks", "2")],
        reached: 35_546_763,
    },
    Case { name: "konane-4x7", game: "konane", parameters: &[("rows", "4"), ("cols", "7")], reached: 36_638_209 },
    Case {
        name: "toads-and-frogs-7-5-7",
        game: "toads-and-frogs",
        parameters: &[("toads", "7"), ("gap", "5"), ("frogs", "7")],
        reached: 35_984_890,
    },
    // Positions may repeat.
    Case { name: "men-3x7", game: MEN, parameters: &[], reached: 12_899_742 },
    Case { name: "men-5x5", game: LARGE, parameters: &[], reached: 15_965_460 },
    Case { name: "dodgem-4x4", game: "dodgem", parameters: &[("size", "4")], reached: 395_294 },
];

const RUNS: usize = 3;

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Solves `case`; prints the reachable positions, the stored positions, the seconds taken and the peak memory in bytes.
fn run(case: &Case, symmetry: bool, threads: usize) {
    let set = case.parameters.iter().fold(Parameters::new(), |all, (key, value)| all.with(*key, *value));
    let game: Box<dyn Game> = if case.game.contains('\n') {
        Box::new(engine::rules_file(case.game, &set).expect("a rules file"))
    } else {
        engine::game(case.game, &set).expect("a game of the library")
    };
    let rules = game.rules();
    let roots = game.roots();
    let starts = if roots.is_empty() { rules.start_positions() } else { roots.clone() };
    let group = if symmetry { Group::of_rules(rules, &starts) } else { Ok(Group::trivial().clone()) };
    let group = group.expect("symmetries of the game");
    let is_acyclic = rules.potential().is_some();
    let labels = if is_acyclic { LabelSet::OUTCOME } else { LabelSet::OUTCOME.with(LabelKind::Remoteness) };
    let options = Options { roots: &roots, labels, ..Options::of(Solver::of_reachable(rules, &group)) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let before = engine::peak_bytes().unwrap_or(0);
    let begun = Instant::now();
    let solution = pool.install(|| solve(rules, &options)).expect("memory for the game");
    let seconds = begun.elapsed().as_secs_f64();
    let peak = engine::peak_bytes().unwrap_or(0) - before;
    println!("{} {} {seconds} {peak}", solution.counts().total(), solution.count());
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if let [child, name, symmetry, threads] = &asked[..]
        && child == "one"
    {
        let case = CASES.iter().find(|case| case.name == name).expect("a case");
        return run(case, symmetry == "auto", threads.parse().expect("a number"));
    }
    println!("game,symmetry,threads,reached,stored,seconds,reached_per_second,peak_bytes_per_stored");
    for case in CASES.iter().filter(|case| asked.is_empty() || asked.iter().any(|name| name == case.name)) {
        for (symmetry, threads) in [("none", 2), ("none", 1), ("auto", 2)] {
            let (mut seconds, mut peaks, mut found) = (Vec::new(), Vec::new(), (0, 0));
            for _ in 0..RUNS {
                let this = std::env::current_exe().expect("a path");
                let mut child = Command::new(this);
                let output =
                    child.args(["one", case.name, symmetry, &threads.to_string()]).output().expect("a process");
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                let text = String::from_utf8_lossy(&output.stdout);
                let figures: Vec<f64> = text.split_whitespace().map(|it| it.parse().expect("a figure")).collect();
                found = (figures[0] as u64, figures[1] as u64);
                seconds.push(figures[2]);
                peaks.push(figures[3]);
            }
            let (reached, stored) = found;
            assert_eq!(reached, case.reached, "{}", case.name);
            let (seconds, peak) = (median(seconds), median(peaks));
            let (rate, bytes) = (reached as f64 / seconds, peak / stored as f64);
            println!("{},{symmetry},{threads},{reached},{stored},{seconds:.4},{rate:.0},{bytes:.1}", case.name);
        }
    }
}
