//! Compares the solvers of two-colour games, run one after the other in the same process, as lines of CSV.
//!
//! `cargo bench --bench coloured` runs every case. Name cases to run only some:
//! `cargo bench --bench coloured -- mnk-4-4-4`. Each figure is the median of several runs. `solved_seconds` is the time
//! to solve the game in memory, and `labelled_seconds` the time of the sweeps or of the sparse solver's search alone.
//! Every run must find the known number of reachable positions.

use std::time::Instant;

use tablegen::engine;
use tablegen::game::Parameters;
use tablegen::solve::{Method, Options, solve};

struct Case {
    name: &'static str,
    game: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    methods: &'static [Method],
    /// The number of reachable positions.
    reached: u64,
    times: usize,
}

const BOTH: &[Method] = &[Method::Coloured, Method::Sparse];

const CASES: &[Case] = &[
    Case {
        name: "mnk-4-4-4",
        game: "mnk",
        parameters: &[("rows", "4"), ("cols", "4"), ("k", "4")],
        methods: BOTH,
        reached: 9_722_011,
        times: 9,
    },
    Case {
        name: "mnk-4-4-3",
        game: "mnk",
        parameters: &[("rows", "4"), ("cols", "4"), ("k", "3")],
        methods: BOTH,
        reached: 6_036_001,
        times: 9,
    },
    Case { name: "sim", game: "sim", parameters: &[], methods: BOTH, reached: 2_230_702, times: 9 },
    Case {
        name: "mnk-4-5-4",
        game: "mnk",
        parameters: &[("rows", "4"), ("cols", "5"), ("k", "4")],
        methods: &[Method::Coloured],
        reached: 674_794_169,
        times: 3,
    },
    Case {
        name: "connect-four-5-5",
        game: "connect-four",
        parameters: &[("rows", "5"), ("cols", "5")],
        methods: &[Method::Sparse],
        reached: 69_763_700,
        times: 1,
    },
];

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("game,solver,program,positions,solved_seconds,labelled_seconds,reached_per_second");
    for case in CASES.iter().filter(|case| asked.is_empty() || asked.iter().any(|name| name == case.name)) {
        let set = case.parameters.iter().fold(Parameters::new(), |all, (key, value)| all.with(*key, *value));
        let game = engine::game(case.game, &set).expect("a game of the library");
        let roots = game.roots();
        for &method in case.methods {
            let (mut solved, mut labelled, mut program, mut positions) = (Vec::new(), Vec::new(), "", 0);
            for _ in 0..case.times {
                let begun = Instant::now();
                let options = Options { roots: &roots, ..Options::of(method) };
                let solution = solve(game.rules(), &options).expect("memory for the game");
                solved.push(begun.elapsed().as_secs_f64());
                labelled.push(solution.solve_time().as_secs_f64());
                assert_eq!(solution.counts().total(), case.reached, "{}", case.name);
                (program, positions) = (solution.program(), solution.count());
            }
            let (solved, labelled) = (median(solved), median(labelled));
            let rate = case.reached as f64 / solved;
            println!("{},{},{program},{positions},{solved:.4},{labelled:.4},{rate:.0}", case.name, method.name());
        }
    }
}
