//! Games built by several ranks. The bytes of a table do not depend on the number of ranks.
//!
//! The ranks are threads of this process, each with a pool of one thread. They exchange messages through channels.

mod checkpoints;
mod dense;
mod sparse;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io, thread};

use tablegen::cluster::{Cluster, ClusterConfig, ThreadRank, Transport, thread_ranks};
use tablegen::engine::{Access, BuildOptions, Compress, Engine, EngineError, RankFacts, TableDirs, UseSymmetry};
use tablegen::game::{Dominoes, FileGame, Game, Mnk, Parameters, Plain, Play, Tactics};
use tablegen::label::{Label, LabelKind, LabelSet, Score, Width};
use tablegen::rules::{Descriptor, Rules};
use tablegen::solve::{Method, Options, Solution, SolveError, solve, solve_distributed};

use crate::common::library;
use crate::common::{labels, random};
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
                    slice_cost: 0,
                    slice_cost_on_one_machine: 0,
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
    Ok(solved.save(|_| {}, None)?.how.ranks)
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
            assert_eq!(facts.traffic.slice_bytes, facts.planned_bytes, "{name} by {ranks} ranks");
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

const SPARSE: fn(&mut Job) = |job| job.options.method = Some(Method::Sparse);

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
