//! Tactics 5x5 swept by each kernel of this machine, on one core, compared with the reference implementation.
//!
//! `cargo bench --bench sweep`. Every run counts the losses, so that no wrong sweep is timed. `cargo bench --bench
//! record` measures larger boards and records the figures.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use tablegen::game::{Game, Play, Tactics};
use tablegen::label::LabelSet;
use tablegen::solve::{self, Kernel, Options, Solution, Solver, solve};

/// The number of losses on 5x5 squares with runs of up to 4, in misère play.
const LOSSES: u64 = 3_266_909;

fn check(solution: &Solution) {
    assert_eq!(solution.counts().loss, LOSSES);
}

fn sweep(c: &mut Criterion) {
    let game = Tactics::new(5, 5, 4, Play::Misere).expect("a small board");
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("tactics 5x5 run 4 misere, 2^25 positions, one core");
    group.throughput(Throughput::Elements(game.rules().positions() as u64)).sample_size(10);
    group.sampling_mode(SamplingMode::Flat);
    for kernel in Kernel::available() {
        let options = Options::of(Solver::Dense { marks: false, kernel: Some(kernel), layout: None });
        let sweep = || one_core.install(|| solve(game.rules(), &options).expect("a small game"));
        check(&sweep());
        group.bench_function(kernel.name(), |b| b.iter(sweep));
    }
    let twin = || solve::scalar(game.rules(), None, LabelSet::OUTCOME).expect("a small game");
    check(&twin());
    group.bench_function("reference implementation", |b| b.iter(twin));
    group.finish();
}

criterion_group!(benches, sweep);
criterion_main!(benches);
