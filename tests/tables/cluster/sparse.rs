//! Sparse tables built by several ranks.

use super::*;

#[test]
fn sparse_tables_by_ranks() {
    let reached: Vec<Make> = vec![
        || tactics(4, 4),
        || Box::new(Dominoes::new(5, Play::Normal).expect("a set")),
        || Box::new(Mnk::new(3, 3, 3, Play::Normal).expect("a board")),
        || Box::new(library::game("node-kayles", "rows=3 cols=4")),
    ];
    for (number, make) in reached.iter().enumerate() {
        let ranks: &[usize] = if number == 0 { &[1, 2, 3, 4, 8] } else { &[2, 3] };
        for symmetry in [UseSymmetry::Never, UseSymmetry::Always] {
            compare(make, ranks, |job| {
                SPARSE(job);
                job.options.symmetry = symmetry;
            });
        }
    }
}

/// Two solutions have equal counts and equal values in all reachable positions.
fn is_equal(one: &Solution, other: &Solution, rules: &Rules) -> bool {
    let (mut new, mut seen) = (rules.start_positions(), std::collections::HashSet::new());
    while let Some(position) = new.pop() {
        if one.value(position) != other.value(position) || one.value(position).is_none() {
            return false;
        }
        new.extend(rules.moves_from(position).map(|m| m.play(position)).filter(|&next| seen.insert(next)));
    }
    one.counts() == other.counts() && one.count() == other.count()
}

/// Several ranks solve a game that does not fit into the memory of one.
#[test]
fn several_ranks_solve_a_game_too_large_for_one() {
    let game = Mnk::new(3, 4, 3, Play::Normal).expect("a board");
    let with = |max_bytes| Options { max_bytes, ..Options::of(Method::Sparse) };
    let alone_solution = solve(game.rules(), &with(None)).expect("a small game");
    let short = |bytes: &u64| matches!(solve(game.rules(), &with(Some(*bytes))), Err(SolveError::SparseMemory { .. }));
    // The largest memory limit, in steps of 64 KiB, with which one process fails.
    let bytes = (1..100).map(|step| step << 16).take_while(short).last();
    let solved = thread::scope(|scope| {
        let rank = |ranks| {
            scope.spawn(move || {
                let cluster = Cluster::start(move || Ok(ranks), ClusterConfig::default()).expect("a thread");
                let game = Mnk::new(3, 4, 3, Play::Normal).expect("a board");
                let solved = alone(|| solve_distributed(game.rules(), &with(bytes), &cluster, None));
                cluster.end(0);
                solved.expect("enough memory")
            })
        };
        let threads: Vec<_> = thread_ranks(4).into_iter().map(rank).collect();
        let mut all: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("no rank panics")).collect();
        all.remove(0).expect("the result of the first rank")
    });
    assert!(bytes.is_some() && is_equal(&solved, &alone_solution, game.rules()));
}

/// Moves that empty cells, players who move again, scores of two bytes, and codes of more than 64 and 128 bits.
#[test]
fn pieces_that_move_by_ranks() {
    const COINS: &str = include_str!("../../../docs/examples/coins.toml");
    let moving: [Make; 5] = [
        || Box::new(library::read(COINS, "coins=10").expect("sound rules")),
        || Box::new(library::game("clobber", "rows=3 cols=4")),
        || Box::new(library::game("dots-and-boxes", "rows=2 cols=2")),
        || Box::new(library::game("toads-and-frogs", "toads=1 gap=20 frogs=11")),
        || Box::new(library::game("toads-and-frogs", "toads=20 gap=1 frogs=20")),
    ];
    for make in &moving {
        let wanted = LabelSet::OUTCOME.with(LabelKind::Remoteness).with(LabelKind::Score);
        let labels = wanted.intersection(make().labels());
        compare(make, &[3], move |job| job.options.labels = labels);
    }
}

/// Slow ranks delay the build; a rank that falls silent ends it.
#[test]
fn sparse_tables_by_ranks_that_sleep_or_die() {
    for keeps in [true, false] {
        compare(&|| tactics(4, 4), &[3], |job| {
            SPARSE(job);
            (job.keeps, job.delay) = (keeps, 300);
        });
    }
    for (dying, number) in [(1, 20), (2, 60), (1, 60)] {
        let place = Place::new();
        let mut job = Job::new(3, &place.file("some.tb"), LabelSet::OUTCOME);
        SPARSE(&mut job);
        (job.patience, job.dies) = (Duration::from_secs(2), Some((dying, number)));
        let error = build(&|| tactics(4, 4), &job).expect_err("a rank has died").to_string();
        assert!(error.starts_with(&format!("rank {dying} has sent nothing for")), "{error}");
        assert!(!place.file("some.tb").exists());
    }
}

/// If positions may repeat, rank 0 works alone.
#[test]
fn rank_0_alone_solves_games_that_may_repeat() {
    let make: Make = || Box::new(library::game("three-mens-morris", ""));
    compare(&make, &[2], |job| job.options.labels = LabelSet::OUTCOME);
}
