//! The cost of remoteness and nimbers, as ratios to the cost of outcomes in the same run, as lines of CSV.
//!
//! `cargo bench --bench labels` runs every case. Name cases to run only some: `cargo bench --bench labels -- 5x5`. Runs
//! without and with the label alternate, and each figure is the median of several pairs. Every run must find the known
//! label of the start. Dense games are timed by the seconds of their sweeps, sparse games by the whole solution.

use tablegen::game::{Parameters, family};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Position, Rules};
use tablegen::solve::{self, Kernel, Method, Options, Solution, Solver, solve};

struct Case {
    name: &'static str,
    family: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    method: Method,
    label: LabelKind,
    /// The expected label of the start.
    start: u32,
    /// The number of pairs of runs.
    times: usize,
    /// The reference implementation is fast enough to be measured too.
    twin: bool,
}

const fn tactics(
    name: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    label: LabelKind,
    start: u32,
) -> Case {
    Case { name, family: "tactics", parameters, method: Method::Dense, label, start, times: 5, twin: false }
}

const CASES: &[Case] = &[
    Case { twin: true, ..tactics("5x4", &[("rows", "5"), ("cols", "4"), ("run", "5")], LabelKind::Remoteness, 19) },
    Case {
        twin: true,
        ..tactics("5x4", &[("rows", "5"), ("cols", "4"), ("run", "5"), ("play", "normal")], LabelKind::Nimber, 3)
    },
    tactics("5x5", &[("rows", "5"), ("cols", "5"), ("run", "4")], LabelKind::Remoteness, 18),
    tactics("5x5", &[("rows", "5"), ("cols", "5"), ("run", "5"), ("play", "normal")], LabelKind::Nimber, 7),
    tactics("5x6", &[("rows", "5"), ("cols", "6"), ("run", "6")], LabelKind::Remoteness, 24),
    tactics("5x6", &[("rows", "5"), ("cols", "6"), ("run", "6"), ("play", "normal")], LabelKind::Nimber, 2),
    Case {
        name: "mnk-4-4-4",
        family: "mnk",
        parameters: &[("rows", "4"), ("cols", "4"), ("k", "4")],
        method: Method::Sparse,
        label: LabelKind::Remoteness,
        start: 16,
        times: 3,
        twin: false,
    },
];

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Seconds without the label and seconds with it: the medians of `times` pairs of runs.
fn pairs(case: &Case, times: usize, solve: impl Fn(LabelSet) -> Solution) -> (f64, f64) {
    let seconds = |labels| {
        let solution = solve(labels);
        if labels != LabelSet::OUTCOME {
            let start = solution.value(Position::default()).expect("the start has a label");
            let found = if case.label == LabelKind::Nimber { start.nimber() } else { start.remoteness() };
            assert_eq!(found, Some(case.start), "{}", case.name);
        }
        solution.solve_time().as_secs_f64()
    };
    let both = LabelSet::OUTCOME.with(case.label);
    let (without, with) = (0..times).map(|_| (seconds(LabelSet::OUTCOME), seconds(both))).unzip();
    (median(without), median(with))
}

fn run(case: &Case, rules: &Rules, roots: &[Position]) {
    let print = |program: &str, (without, with): (f64, f64)| {
        let label = with - without;
        println!(
            "{},{},{},{program},{without:.6},{label:.6},{:.2},{:.2}",
            case.name,
            case.label,
            rules.positions(),
            label / without,
            with / without
        );
    };
    let options = Options { roots, ..Options::of(case.method) };
    if case.method == Method::Sparse {
        let solve = |labels| solve(rules, &Options { labels, ..options }).expect("it fits");
        return print("sparse", pairs(case, case.times, solve));
    }
    for kernel in Kernel::available() {
        let solver = match case.method {
            Method::Coloured => Solver::Coloured { kernel: Some(kernel) },
            _ => Solver::Dense { marks: false, kernel: Some(kernel), layout: None },
        };
        let solve = |labels| solve(rules, &Options { solver, labels, ..options }).expect("it fits");
        print(kernel.name(), pairs(case, case.times, solve));
    }
    if case.twin {
        print("scalar", pairs(case, 1, |labels| solve::scalar(rules, None, labels).expect("it fits")));
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!("bench,label,positions,program,outcome_seconds,label_seconds,label_to_outcome,both_to_outcome");
    for case in CASES.iter().filter(|case| wanted.is_empty() || wanted.iter().any(|name| name == case.name)) {
        let parameters = case.parameters.iter().map(|&(k, v)| (k.into(), v.into())).collect::<Vec<_>>();
        let game = family(case.family).and_then(|family| family.make(&Parameters::from(parameters)));
        let game = game.expect("a case's game exists");
        run(case, game.rules(), &game.roots());
    }
}
