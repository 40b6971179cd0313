//! Dominoes: the published search compared with the solvers.
//!
//! `cargo bench --bench dominoes`. The search reimplements the article's minimax with its cut-offs: it walks lines of
//! play from the empty line and does not recognise positions that it has met before. For the same `n`, the reference
//! implementation and the best kernel solve the whole game on one core. Every method must find that the first player
//! wins.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tablegen::game::{Parameters, family};
use tablegen::label::{LabelSet, Value, probe};
use tablegen::rules::{Node, Outcome, Position};
use tablegen::solve::{self, Options, Solution, solve};

/// A line of play over the tiles with values 0 to `n - 1`.
struct Line {
    n: usize,
    played: Vec<bool>,
}

impl Line {
    fn new(n: usize) -> Self {
        Self { n, played: vec![false; n * n] }
    }

    fn mark(&mut self, (a, b): (usize, usize), played: bool) {
        self.played[a * self.n + b] = played;
        self.played[b * self.n + a] = played;
    }

    /// The value of this line: 1 if the first player wins, -1 if the second player does. The search stops at a value
    /// outside `alpha..beta`.
    fn search(&mut self, first_to_move: bool, tail: Option<usize>, mut alpha: i8, mut beta: i8) -> i8 {
        let mut best = if first_to_move { -1 } else { 1 };
        for a in tail.map_or(0..self.n, |tail| tail..tail + 1) {
            for b in 0..self.n {
                if self.played[a * self.n + b] {
                    continue;
                }
                self.mark((a, b), true);
                let reply = self.search(!first_to_move, Some(b), alpha, beta);
                self.mark((a, b), false);
                if first_to_move {
                    best = best.max(reply);
                    alpha = alpha.max(reply);
                } else {
                    best = best.min(reply);
                    beta = beta.min(reply);
                }
                if alpha >= beta {
                    return best;
                }
            }
        }
        best
    }
}

/// The outcome of the opening, from a solution of the whole game.
fn opening(solution: &Solution) -> Outcome {
    let label = |p: Position| solution.outcome(p).map(Value::from).ok_or(p);
    probe(solution.rules(), Node::Opening, label).expect("a label").value.outcome
}

fn dominoes(c: &mut Criterion) {
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("dominoes, who wins from the empty line");
    group.sample_size(10);
    for n in [4usize, 5] {
        assert_eq!(Line::new(n).search(true, None, -1, 1), 1);
        group.bench_function(BenchmarkId::new("the article's alpha-beta", n), |b| {
            b.iter(|| Line::new(n).search(true, None, -1, 1));
        });
    }
    for n in [4usize, 5, 6] {
        let parameters = Parameters::new().with("n", n);
        let game = family("dominoes").and_then(|family| family.make(&parameters)).expect("a small set");
        let twin = || solve::scalar(game.rules(), None, LabelSet::OUTCOME).expect("a small game");
        let dense = || one_core.install(|| solve(game.rules(), &Options::default()).expect("a small game"));
        assert_eq!((opening(&twin()), opening(&dense())), (Outcome::Win, Outcome::Win));
        group.bench_function(BenchmarkId::new("every position, reference implementation", n), |b| b.iter(twin));
        group.bench_function(BenchmarkId::new("every position, kernel", n), |b| b.iter(dense));
    }
    group.finish();
}

criterion_group!(benches, dominoes);
criterion_main!(benches);
