//! The time of one question: an outcome and a whole probe of the 4x4 table, compared with computing the outcome from
//! the outcomes of the successors.
//!
//! `cargo bench --bench probe`. Every answer is checked before anything is timed.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tablegen::game::{Game, Play, Tactics};
use tablegen::label::{LabelSet, step};
use tablegen::rules::{Board, Outcome, Position};
use tablegen::solve::{self, Options, solve};
use tablegen::table::{SaveTable, Table};

/// Every board once, in a random order, which defeats the prefetcher.
fn shuffled() -> Vec<Position> {
    let mut boards: Vec<Position> = (0..1 << 16).map(|board| Position::of(Board::from_word(board))).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut boards);
    boards
}

fn probe(c: &mut Criterion) {
    let game = Tactics::new(4, 4, 4, Play::Misere).expect("a small board");
    let rules = game.rules();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("probe.tb");
    let solution = solve(rules, &Options::default()).expect("a small game");
    solution.save(&game.descriptor(), &path).expect("a table");
    let table = Table::open(&path).expect("the table just written");
    let checked = Table::open(&path).expect("the table just written").checked().expect("sound");

    let boards = shuffled();
    let twin = solve::scalar(rules, None, LabelSet::OUTCOME).expect("a small game");
    for &board in &boards {
        let expected = twin.outcome(board).expect("a label");
        assert_eq!(table.outcome(board).expect("a label"), expected);
        assert_eq!(checked.outcome(board).expect("a label"), expected);
    }
    let labels = twin.contents().every_board().expect("the reference implementation labels every board");

    let mut group = c.benchmark_group("one outcome of tactics 4x4, of 65536 in random order");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let wins = |outcome: &dyn Fn(Position) -> Outcome| {
        boards.iter().filter(|&&board| outcome(black_box(board)) == Outcome::Win).count()
    };
    group.bench_function("table", |b| {
        b.iter(|| boards.iter().filter(|&&p| table.outcome(black_box(p)).is_ok_and(|o| o == Outcome::Win)).count());
    });
    group.bench_function("table, checksums checked", |b| {
        b.iter(|| boards.iter().filter(|&&p| checked.outcome(black_box(p)).is_ok_and(|o| o == Outcome::Win)).count());
    });
    group.bench_function("scalar step from the successors", |b| {
        let label = |p: Position| labels.planes().outcome(p.mode, p.board.low_word()).unwrap_or(Outcome::Draw);
        b.iter(|| wins(&|p| step(rules, p, label)));
    });
    group.finish();

    c.bench_function("a whole probe of the empty 4x4 board, 64 moves best first", |b| {
        b.iter(|| table.probe(black_box(Position::default())).expect("a label"));
    });
}

criterion_group!(benches, probe);
criterion_main!(benches);
