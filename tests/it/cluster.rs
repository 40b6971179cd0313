//! Games built by several ranks. The bytes of a table do not depend on the number of ranks.
//!
//! The ranks are threads of this process, each with a pool of one thread. They exchange messages through channels.

mod kept;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io, thread};

use tablegen::cluster::{Cluster, ClusterConfig, ThreadRank, Transport, thread_ranks};
use tablegen::engine::{Access, BuildOptions, Compress, Engine, EngineError, RankFacts, TableDirs, UseSymmetry};
use tablegen::game::{Dominoes, Game, Mnk, Plain, Play, Tactics};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Descriptor, Rules};
use tablegen::solve::{Method, Options, Solution, SolveError, solve, solve_distributed};

use crate::common::random;
use crate::rules_file;
use proptest::prelude::*;

type Make = fn() -> Box<dyn Game>;

/// A build to run: its options, its ranks and the faults to simulate.
#[derive(Clone)]
struct Job {
    /// The number of ranks.
    ranks: usize,
    options: BuildOptions,
    /// Ranks that cannot see the folder of the table.
    apart: Vec<usize>,
    /// Ranks on machines of their own.
    remote: Vec<usize>,
    /// A rank sleeps up to this number of microseconds before each message.
    delay: u64,
    /// A rank and the number of messages after which it ends without notice.
    dies: Option<(usize, u64)>,
    patience: Duration,
    /// Write a checkpoint as soon as positions are found; otherwise never write one.
    keeps: bool,
    /// Save the table at the end; otherwise the checkpoint stays.
    saves: bool,
}

impl Job {
    fn new(ranks: usize, path: &Path, labels: LabelSet) -> Self {
        let options = BuildOptions { output: Some(path.to_owned()), labels, ..BuildOptions::default() };
        let patience = Duration::from_secs(60);
        // With three or more ranks, rank 1 is on another machine. Two ranks share one machine.
        let remote = if ranks > 2 { vec![1] } else { Vec::new() };
        let (apart, delay, dies, keeps, saves) = (Vec::new(), 0, None, true, true);
        Self { ranks, options, apart, remote, delay, dies, patience, keeps, saves }
    }
}

/// A rank with the faults of its [`Job`].
struct TroubledRank {
    inner: ThreadRank,
    /// The rank sleeps up to this number of microseconds before each message.
    delay: u64,
    random: fastrand::Rng,
    /// The number of messages until the rank dies; `None` if it does not die.
    left: Option<u64>,
    is_remote: bool,
    is_apart: bool,
}

impl TroubledRank {
    fn new(inner: ThreadRank, job: &Job) -> Self {
        let rank = inner.rank();
        let left = job.dies.filter(|(dying, _)| *dying == rank).map(|(_, left)| left);
        let (is_remote, is_apart) = (job.remote.contains(&rank), job.apart.contains(&rank));
        Self { inner, delay: job.delay, random: fastrand::Rng::with_seed(rank as u64), left, is_remote, is_apart }
    }
}

impl Transport for TroubledRank {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn machine(&self) -> Option<String> {
        if self.is_remote { Some(format!("machine of rank {}", self.rank())) } else { self.inner.machine() }
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> io::Result<()> {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Ok(());
            }
        }
        if self.delay > 0 {
            thread::sleep(Duration::from_micros(self.random.u64(..self.delay)));
        }
        self.inner.send(to, message)
    }

    fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>> {
        if self.left == Some(0) {
            return Ok(None);
        }
        let received = self.inner.receive()?;
        Ok(received.map(|(from, message)| (from, if self.is_apart { elsewhere(message) } else { message })))
    }
}

/// `message` with another name for the folder of the table: the receiving machine must not find the folder.
fn elsewhere(mut message: Vec<u8>) -> Vec<u8> {
    let (name, other) = (b".building", b".nowhere_");
    if let Some(at) = message.windows(name.len()).position(|window| window == name) {
        message[at..at + name.len()].copy_from_slice(other);
    }
    message
}

fn engine() -> Engine {
    // SAFETY: nothing else writes to the files in the folders of these tests.
    Engine::new(TableDirs::none()).with_access(unsafe { Access::mapped() })
}

/// Runs `work` in a pool of one thread.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread").install(work)
}

/// Builds in one process, and returns the bytes of the table.
fn build_alone(game: Box<dyn Game>, options: &BuildOptions) -> Vec<u8> {
    let path = options.output.clone().expect("a path");
    alone(|| {
        let engine = engine();
        let solved = engine.plan(game, options).expect("a small game").solve(None).expect("a small game");
        solved.save(|_| {}, None).expect("a place")
    });
    fs::read(path).expect("a table")
}

/// Builds with several ranks, and returns the facts that rank 0 reports.
fn build(make: &(dyn Fn() -> Box<dyn Game> + Sync), job: &Job) -> Result<Option<RankFacts>, EngineError> {
    let mut results: Vec<Result<Option<RankFacts>, EngineError>> = thread::scope(|scope| {
        let rank = |inner: ThreadRank| {
            scope.spawn(move || {
                let rank = inner.rank();
                let transport = TroubledRank::new(inner, job);
                let config = ClusterConfig {
                    timeout: job.patience,
                    region_cost: 0,
                    region_cost_on_one_machine: 0,
                    checkpoint_delay: if job.keeps { Duration::ZERO } else { Duration::from_secs(3600) },
                };
                let cluster = Arc::new(Cluster::start(move || Ok(transport), config).expect("a thread"));
                let result = alone(|| one(&cluster, make(), job));
                let status = match &result {
                    Ok(_) => 0,
                    Err(error) => error.kind() as u8,
                };
                if rank > 0 && status > 0 {
                    cluster.give_up(status, &result.as_ref().expect_err("a failure").to_string());
                    cluster.wait_for_end();
                }
                cluster.end(status);
                result
            })
        };
        let threads: Vec<_> = thread_ranks(job.ranks).into_iter().map(rank).collect();
        threads.into_iter().map(|thread| thread.join().expect("no rank panics")).collect()
    });
    results.remove(0)
}

/// The work of one rank.
fn one(cluster: &Arc<Cluster>, game: Box<dyn Game>, job: &Job) -> Result<Option<RankFacts>, EngineError> {
    let options = &job.options;
    let engine = engine().joined(cluster, game.as_ref(), options, |_| {})?;
    if cluster.rank() > 0 {
        engine.help(game.as_ref(), options)?;
        return Ok(None);
    }
    let solved = engine.plan(game, options)?.solve(None)?;
    if !job.saves {
        return Ok(None);
    }
    Ok(solved.save(|_| {}, None)?.ranks)
}

/// The labels that games with these rules have.
fn labels(rules: &Rules) -> LabelSet {
    LabelKind::ALL.into_iter().filter(|kind| kind.undefined_by(rules).is_none()).collect()
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Builds with all labels, in one process and with each number of `ranks`, and compares the bytes. Returns the facts of
/// each build.
fn compare(
    make: &(dyn Fn() -> Box<dyn Game> + Sync),
    ranks: &[usize],
    change: impl Fn(&mut Job),
) -> Vec<Option<RankFacts>> {
    let place = Place::new();
    let labels = labels(make().rules());
    let name = make().rules().name().to_owned();
    let mut first = Job::new(1, &place.file("one.tb"), labels);
    change(&mut first);
    let expected = build_alone(make(), &first.options);
    let of = |&ranks: &usize| {
        let mut job = Job::new(ranks, &place.file(&format!("{ranks}.tb")), labels);
        change(&mut job);
        let facts = build(make, &job).unwrap_or_else(|error| panic!("{name} by {ranks} ranks: {error}"));
        if let Some(facts) = facts.filter(|facts| facts.without_folder == 0) {
            // The traffic equals the plan: a slice is transferred at most once for each use.
            assert_eq!(facts.traffic.region_bytes, facts.planned_bytes, "{name} by {ranks} ranks");
        }
        let found = fs::read(job.options.output.expect("a path")).expect("a table");
        assert!(found == expected, "{name}: {ranks} ranks write other bytes");
        facts
    };
    ranks.iter().map(of).collect()
}

fn tactics(rows: u32, cols: u32) -> Box<dyn Game> {
    Box::new(Tactics::new(rows, cols, 4, Play::Misere).expect("a board"))
}

const DENSE: fn(&mut Job) = |job| job.options.method = Some(Method::Dense);

#[test]
fn dense_tables_by_ranks() {
    let facts = compare(&|| tactics(4, 5), &[1, 2, 3, 4, 8], DENSE);
    let ranks: Vec<_> = facts.iter().map(|facts| facts.expect("by ranks")).collect();
    assert_eq!(ranks.iter().map(|facts| facts.ranks).collect::<Vec<_>>(), [1, 2, 3, 4, 8]);
    assert!(ranks[1..].iter().all(|facts| facts.traffic.regions > 0), "{ranks:?}");
    assert!(ranks.iter().all(|facts| facts.without_folder == 0), "{ranks:?}");
}

/// On one machine, ranks read slices from shared memory; slices are sent only to other machines.
#[test]
fn slices_are_sent_only_to_other_machines() {
    for ranks in [2, 3] {
        let sent = |remote: Vec<usize>| {
            let facts = compare(&|| tactics(4, 5), &[ranks], |job| {
                DENSE(job);
                job.options.labels = LabelSet::OUTCOME;
                job.remote.clone_from(&remote);
            });
            facts[0].expect("by ranks").traffic
        };
        let (none, one, all) = (sent(Vec::new()), sent(vec![1]), sent((0..ranks).collect()));
        assert!(none.regions > 0 && [one.regions, all.regions] == [none.regions; 2], "{none:?} {one:?} {all:?}");
        assert!(all.bytes > all.region_bytes, "{all:?}");
        assert!(none.bytes < none.region_bytes && none.bytes < one.bytes, "{none:?} {one:?}");
        assert!(ranks == 2 || one.bytes < all.bytes, "{one:?} {all:?}");
    }
}

/// Rank 0 alone sweeps a board that is smaller than a slice.
#[test]
fn small_boards_by_ranks() {
    for (rows, cols) in [(1, 4), (3, 3), (3, 4)] {
        let facts = compare(&|| tactics(rows, cols), &[1, 2, 3], DENSE);
        assert!(facts.iter().all(Option::is_none), "{facts:?}");
    }
}

#[test]
fn boards_up_to_symmetry_by_ranks() {
    compare(&|| tactics(4, 5), &[2, 3], |job| {
        DENSE(job);
        job.options.symmetry = UseSymmetry::Always;
    });
}

#[test]
fn compressed_tables_by_ranks() {
    compare(&|| tactics(4, 5), &[3], |job| {
        DENSE(job);
        job.options.compress = Compress::Always;
    });
}

#[test]
fn two_colour_tables_by_ranks() {
    compare(&|| Box::new(Mnk::new(3, 4, 4, Play::Normal).expect("a board")), &[1, 2, 3, 8], |job| {
        job.options.method = Some(Method::Coloured);
    });
}

#[test]
fn two_colour_tables_up_to_symmetry_by_ranks() {
    compare(&|| Box::new(Mnk::new(3, 3, 3, Play::Normal).expect("a board")), &[2, 3], |job| {
        job.options.method = Some(Method::Coloured);
        job.options.symmetry = UseSymmetry::Always;
    });
}

#[test]
fn modes_and_rules_files_by_ranks() {
    compare(&|| Box::new(Dominoes::new(5, Play::Normal).expect("a set")), &[2, 4], DENSE);
    compare(&|| Box::new(rules_file::game("domineering", "rows=4 cols=4")), &[3], |job| {
        DENSE(job);
        job.options.labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    });
}

/// Rank 0 writes for ranks that cannot see the folder, whether all slices are in files of their own or some are in the
/// folder.
#[test]
fn ranks_that_cannot_see_the_folder() {
    for apart in [vec![1, 2], vec![2]] {
        let facts = compare(&|| tactics(4, 5), &[3], |job| {
            DENSE(job);
            job.apart.clone_from(&apart);
        });
        assert_eq!(facts[0].map(|facts| facts.without_folder), Some(apart.len()));
    }
}

/// Slow ranks delay the build and do not end it.
#[test]
fn slow_ranks_do_not_end_a_build() {
    for delay in [300, 3000] {
        compare(&|| tactics(4, 4), &[2, 3, 5], |job| {
            DENSE(job);
            job.delay = delay;
        });
    }
}

/// A rank that ends without notice ends the build with one error that names the rank. Another number of ranks, or one
/// process, resumes from the checkpoint.
#[test]
fn a_rank_that_dies_is_named_and_the_build_resumes() {
    let labels = labels(tactics(4, 5).rules());
    let mut resumed = 0;
    for (number, dying, others) in [(20, 1, 4), (60, 2, 1), (90, 1, 2), (80, 0, 3), (50, 2, 0)] {
        let place = Place::new();
        let mut first = Job::new(1, &place.file("one.tb"), labels);
        DENSE(&mut first);
        // Compress in any case: by default, one process would compress slices as it finishes them, and several ranks
        // would not.
        first.options.compress = Compress::Always;
        let expected = build_alone(tactics(4, 5), &first.options);
        let mut job = Job { patience: Duration::from_millis(900), dies: Some((dying, number)), ..first };
        (job.ranks, job.options.output) = (3, Some(place.file("some.tb")));
        let error = build(&|| tactics(4, 5), &job).expect_err("a rank has died").to_string();
        if dying > 0 {
            assert!(error.starts_with(&format!("rank {dying} has not been heard of")), "{error}");
        }
        assert!(!place.file("some.tb").exists());
        (job.dies, job.patience) = (None, Duration::from_secs(60));
        if others == 0 {
            assert!(build_alone(tactics(4, 5), &job.options) == expected, "one process goes on with other bytes");
        } else {
            job.ranks = others;
            build(&|| tactics(4, 5), &job).expect("it goes on");
            assert!(
                fs::read(place.file("some.tb")).expect("a table") == expected,
                "{others} ranks go on with other bytes"
            );
        }
        resumed += 1;
    }
    assert_eq!(resumed, 5);
}

/// Ranks with different options do not start, and no rank starts if one has too little memory.
#[test]
fn ranks_with_different_options_do_not_start() {
    let place = Place::new();
    let job = Job::new(3, &place.file("a.tb"), LabelSet::OUTCOME);
    let calls = std::sync::Mutex::new(0);
    let other = || {
        let mut calls = calls.lock().expect("no panic");
        *calls += 1;
        tactics(4, if *calls == 2 { 4 } else { 5 })
    };
    let error = build(&other, &job).expect_err("different games").to_string();
    assert!(error.contains("reads other rules"), "{error}");
    let mut job = Job::new(2, &place.file("b.tb"), LabelSet::OUTCOME);
    DENSE(&mut job);
    job.options.memory = Some(1 << 20);
    let error = build(&|| tactics(4, 5), &job).expect_err("too little memory");
    assert_eq!(error.kind(), tablegen::engine::ErrorKind::Resources, "{error}");
    assert!(fs::read_dir(place.0.path()).expect("a folder").next().is_none(), "nothing is left");
}

const SPARSE: fn(&mut Job) = |job| job.options.method = Some(Method::Sparse);

#[test]
fn sparse_tables_by_ranks() {
    let reached: Vec<Make> = vec![
        || tactics(4, 4),
        || Box::new(Dominoes::new(5, Play::Normal).expect("a set")),
        || Box::new(Mnk::new(3, 3, 3, Play::Normal).expect("a board")),
        || Box::new(rules_file::game("node-kayles", "rows=3 cols=4")),
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
fn ranks_have_the_memory_that_one_lacks() {
    let game = Mnk::new(3, 4, 3, Play::Normal).expect("a board");
    let with = |max_bytes| Options { method: Method::Sparse, max_bytes, ..Options::default() };
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
        all.remove(0).expect("that of the first")
    });
    assert!(bytes.is_some() && is_equal(&solved, &alone_solution, game.rules()));
}

/// Moves that empty cells, and players who move again.
#[test]
fn pieces_that_move_by_ranks() {
    let moving: [Make; 2] = [
        || Box::new(rules_file::game("clobber", "rows=3 cols=4")),
        || Box::new(rules_file::game("dots-and-boxes", "rows=2 cols=2")),
    ];
    for make in &moving {
        compare(make, &[3], |job| job.options.labels = LabelSet::OUTCOME.with(LabelKind::Remoteness));
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
        assert!(error.starts_with(&format!("rank {dying} has not been heard of")), "{error}");
        assert!(!place.file("some.tb").exists());
    }
}

/// If positions may repeat, rank 0 works alone.
#[test]
fn rank_0_alone_solves_games_that_may_repeat() {
    let make: Make = || Box::new(rules_file::game("three-mens-morris", ""));
    compare(&make, &[2], |job| job.options.labels = LabelSet::OUTCOME);
}

/// Repeats the test of slow ranks for a hundred delays.
#[test]
#[ignore = "minutes"]
fn slow_ranks_do_not_end_a_build_a_hundred_times() {
    for time in 0..100 {
        compare(&|| tactics(4, 4), &[2 + time / 4 % 4], |job| {
            [DENSE, SPARSE][time % 2](job);
            if time.is_multiple_of(3) {
                job.remote.clear();
            }
            job.delay = 100 + 20 * time as u64;
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    /// Modes, terminal patterns, draws, openings, moves that fill cells that may be filled already.
    #[test]
    fn random_rules_by_three_ranks(rules in random::large()) {
        for method in [DENSE, SPARSE] {
            compare(&|| Box::new(Plain::new(rules.clone(), Descriptor::default())), &[3], |job| {
                method(job);
                let moves = rules.moves().len();
                if moves.is_multiple_of(2) {
                    (job.remote, job.keeps) = (Vec::new(), false);
                }
                if moves.is_multiple_of(4) {
                    job.options.labels = LabelSet::OUTCOME;
                }
            });
        }
    }
}
