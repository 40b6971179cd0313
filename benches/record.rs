//! The sweeps in `docs/contributors/performance.md`, as lines of CSV: by kernel and number of threads, each with its
//! ratio to another figure of the same run.
//!
//! `benches/record.sh FILE` runs this program and adds the machine, the date and the commit. Name cases to run only
//! some: `cargo bench --bench record -- 5x6`. Every sweep must find the known number of losses.

use std::time::Instant;

use tablegen::game::{Parameters, family};
use tablegen::label::LabelSet;
use tablegen::solve::{self, Kernel, Options, Solution, Solver, solve};

/// A game to sweep.
struct Case {
    name: &'static str,
    family: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    losses: u64,
    /// The number of runs, of which the fastest counts.
    times: u32,
    /// The reference implementation is fast enough to be measured too.
    twin: bool,
}

const CASES: &[Case] = &[
    Case {
        name: "5x5",
        family: "tactics",
        parameters: &[("rows", "5"), ("cols", "5"), ("run", "4")],
        losses: 3_266_909,
        times: 7,
        twin: true,
    },
    Case {
        name: "5x6",
        family: "tactics",
        parameters: &[("rows", "5"), ("cols", "6"), ("run", "6")],
        losses: 90_559_716,
        times: 5,
        twin: false,
    },
    Case { name: "dominoes-6", family: "dominoes", parameters: &[("n", "6")], losses: 3_401_244, times: 7, twin: true },
    Case {
        name: "dominoes-7",
        family: "dominoes",
        parameters: &[("n", "7")],
        losses: 491_473_997,
        times: 5,
        twin: false,
    },
];

/// Seconds of the sweep alone and of the whole solution, each the best of several runs.
fn time(case: &Case, solve: impl Fn() -> Solution) -> (f64, f64) {
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..case.times {
        let begin = Instant::now();
        let solution = solve();
        let all = begin.elapsed().as_secs_f64();
        assert_eq!(solution.counts().loss, case.losses, "{}", case.name);
        let sweep = solution.solve_time().as_secs_f64();
        best = (best.0.min(sweep), best.1.min(all));
    }
    best
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!("bench,positions,kernel,threads,sweep_seconds,solve_seconds,positions_per_second,ratio,ratio_to");
    for case in CASES.iter().filter(|case| wanted.is_empty() || wanted.iter().any(|name| name == case.name)) {
        let parameters = case.parameters.iter().map(|&(k, v)| (k.into(), v.into())).collect::<Vec<_>>();
        let game = family(case.family).and_then(|family| family.make(&Parameters::from(parameters)));
        let game = game.expect("a case's game exists");
        let rules = game.rules();
        let positions = rules.positions() as f64;
        let print = |kernel: &str, threads: usize, (sweep, all): (f64, f64), base: f64, to: &str| {
            let (rate, ratio) = (positions / sweep, base / sweep);
            println!("{},{positions},{kernel},{threads},{sweep:.6},{all:.6},{rate:.4e},{ratio:.2},{to}", case.name);
        };
        let scalar = || solve::scalar(rules, None, LabelSet::OUTCOME).expect("it fits");
        let twin = case.twin.then(|| time(&Case { times: 1, ..*case }, scalar));
        if let Some(twin) = twin {
            print("scalar", 1, twin, twin.0, "scalar twin");
        }
        for kernel in Kernel::available() {
            let options = Options::of(Solver::Dense { marks: false, kernel: Some(kernel), layout: None });
            let mut one = None;
            for threads in [1, 2] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let found = time(case, || pool.install(|| solve(rules, &options).expect("it fits")));
                let alone = *one.get_or_insert(found.0);
                match twin {
                    Some(twin) if threads == 1 => print(kernel.name(), 1, found, twin.0, "scalar twin"),
                    _ => print(kernel.name(), threads, found, alone, "one thread"),
                }
            }
        }
    }
}
