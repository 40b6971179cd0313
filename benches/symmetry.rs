//! Games solved with and without symmetry, one after the other in the same process, as lines of CSV.
//!
//! `cargo bench --bench symmetry` runs every case. Name cases to run only some: `cargo bench --bench symmetry --
//! mnk-4-4-4`. Each figure is the median of several runs. Every run must find the known number of reachable positions.
//! The last column is the time of a probe with all its moves, the median over positions of random play.

use std::time::Instant;

use tablegen::engine;
use tablegen::game::Parameters;
use tablegen::rules::{Node, Position};
use tablegen::solve::{Options, Solver, solve};
use tablegen::symmetry::Group;
use tablegen::table::{SaveTable, Table};

struct Case {
    name: &'static str,
    game: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// The number of reachable positions.
    reached: u64,
    /// The game also fits into memory without symmetry.
    both: bool,
    times: usize,
}

const CASES: &[Case] = &[
    Case {
        name: "mnk-4-4-4",
        game: "mnk",
        parameters: &[("rows", "4"), ("cols", "4"), ("k", "4")],
        reached: 9_722_011,
        both: true,
        times: 9,
    },
    Case {
        name: "mnk-4-4-3",
        game: "mnk",
        parameters: &[("rows", "4"), ("cols", "4"), ("k", "3")],
        reached: 6_036_001,
        both: true,
        times: 9,
    },
    Case {
        name: "connect-four-4-5",
        game: "connect-four",
        parameters: &[("rows", "4"), ("cols", "5")],
        reached: 3_945_711,
        both: true,
        times: 9,
    },
    Case { name: "sim", game: "sim", parameters: &[], reached: 2_230_702, both: true, times: 9 },
    Case { name: "dominoes-6", game: "dominoes", parameters: &[("n", "6")], reached: 2_040_606, both: true, times: 9 },
    Case {
        name: "dominoes-8",
        game: "dominoes",
        parameters: &[("n", "8")],
        reached: 32_678_226_344,
        both: false,
        times: 3,
    },
];

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("game,symmetry,order,stored,bytes,seconds,reached_per_second,probe_microseconds");
    for case in CASES.iter().filter(|case| asked.is_empty() || asked.iter().any(|name| name == case.name)) {
        let set = case.parameters.iter().fold(Parameters::new(), |all, (key, value)| all.with(*key, *value));
        let game = engine::game(case.game, &set).expect("a game of the library");
        let (rules, roots) = (game.rules(), game.roots());
        let starts = if roots.is_empty() { rules.start_positions() } else { roots.clone() };
        for uses in [true, false].into_iter().filter(|&uses| uses || case.both) {
            let (mut seconds, mut last) = (Vec::new(), None);
            for _ in 0..case.times {
                drop(last.take());
                let begun = Instant::now();
                let group = if uses { Group::of_rules(rules, &starts) } else { Ok(Group::trivial().clone()) };
                let group = group.expect("symmetries of the game");
                let options = Options { roots: &roots, ..Options::of(Solver::of_reachable(rules, &group)) };
                let solution = solve(rules, &options).expect("memory for the game");
                seconds.push(begun.elapsed().as_secs_f64());
                last = Some((solution, group.order()));
            }
            let Some((solution, order)) = last else { continue };
            assert_eq!(solution.counts().total(), case.reached, "{}", case.name);
            let bytes = solution.to_bytes(&game.descriptor());
            let (stored, size, seconds) = (solution.count(), bytes.len(), median(seconds));
            let table = Table::from_bytes(bytes).expect("a table just written");
            println!(
                "{},{},{order},{stored},{size},{seconds:.4},{:.0},{:.2}",
                case.name,
                if uses { "auto" } else { "none" },
                case.reached as f64 / seconds,
                probe(&table)
            );
        }
    }
}

/// The median time of a probe with all its moves, in microseconds, over a thousand positions of random play.
fn probe(table: &Table) -> f64 {
    let (mut draw, mut times) = (fastrand::Rng::with_seed(1), Vec::new());
    while times.len() < 1000 {
        let mut node = table.rules().start_node();
        loop {
            let begun = Instant::now();
            let probe = table.probe(node).expect("a reachable position");
            times.push(begun.elapsed().as_secs_f64() * 1e6);
            let replies: Vec<Position> = probe.moves.iter().map(|choice| choice.to).collect();
            let Some(&next) = draw.choice(&replies) else { break };
            node = Node::At(next);
        }
    }
    median(times)
}
