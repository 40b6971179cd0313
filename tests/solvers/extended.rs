//! Labels added to a table. One solve with all labels gives the same bytes, and no label is solved twice.

use crate::common::games::IMPARTIAL;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::common::{forge, games, kernels, random, reachable};
use proptest::prelude::*;
use tablegen::engine::{BuildOptions, Engine, EngineError, ErrorKind, Limit, TableDirs, game};
use tablegen::game::{Game, Parameters, Play, Tactics};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::plane::Layout;
use tablegen::rules::{Descriptor, Outcome, Rules, RulesSpec};
use tablegen::solve::{Method, Options, Phase, Progress, SolveError, Solver, solve};
use tablegen::table::{SaveTable, Table};
use tablegen::verify;

const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);
const NIMBER: LabelSet = LabelSet::OUTCOME.with(LabelKind::Nimber);

fn bytes(rules: &Rules, options: &Options<'_>) -> Vec<u8> {
    solve(rules, options).expect("small rules").to_bytes(&Descriptor::default())
}

fn open(bytes: Vec<u8>) -> Table {
    Table::from_bytes(bytes).expect("a table just written")
}

/// Panics unless the table of `old`, extended by `labels`, equals the table of both.
fn assert_extends(rules: &Rules, way: &Options<'_>, old: LabelSet, labels: LabelSet) {
    let extended = open(bytes(rules, &Options { labels: old, ..*way }));
    let extended = extended.extended(&Options { labels, ..*way }).expect("small rules");
    let whole = bytes(rules, &Options { labels: old.union(labels), ..*way });
    assert_eq!(extended.file_bytes(&Descriptor::default()), whole.len() as u64);
    assert!(
        extended.to_bytes(&Descriptor::default()).expect("sound bytes") == whole,
        "{}: {old} and then {labels}",
        rules.name()
    );
}

fn ways() -> Vec<Options<'static>> {
    let sparse = Options::of(Method::Sparse);
    kernels().into_iter().chain([sparse]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn remoteness_added_to_random_rules(rules in random::small()) {
        for way in ways() {
            assert_extends(&rules, &way, LabelSet::OUTCOME, REMOTENESS);
        }
        // Nimbers need rules without terminal patterns, in normal play.
        let spec = RulesSpec { ends: Vec::new(), terminal: Outcome::Loss, ..rules.into_spec() };
        let rules = spec.build().expect("sound rules");
        for way in ways() {
            for (old, labels) in [(LabelSet::OUTCOME, IMPARTIAL), (REMOTENESS, NIMBER), (NIMBER, REMOTENESS)] {
                assert_extends(&rules, &way, old, labels);
            }
        }
    }
}

#[test]
fn games_of_every_kind() {
    for rules in [games::tictactoe(), games::motley(), games::domineering(3, 4), games::drawn_kayles(9)] {
        ways().iter().for_each(|way| assert_extends(&rules, way, LabelSet::OUTCOME, REMOTENESS));
    }
    for rules in [games::dominoes(4), games::chomp(3, 5)] {
        ways().iter().for_each(|way| assert_extends(&rules, way, REMOTENESS, NIMBER));
    }
}

/// An extended table keeps its layout, even if a solver would choose another one today.
#[test]
fn a_table_keeps_its_layout() {
    let rules = tactics(3, 5, Play::Normal).rules().clone();
    let layout = Layout::reading_order(15);
    let way = Options::of(Solver::Dense { marks: false, kernel: None, layout: Some(&layout) });
    let extended = open(bytes(&rules, &way)).extended(&Options { labels: IMPARTIAL, ..Options::default() });
    let whole = bytes(&rules, &Options { labels: IMPARTIAL, ..way });
    assert!(extended.expect("small rules").to_bytes(&Descriptor::default()).expect("sound bytes") == whole);
}

#[test]
fn labels_that_cannot_be_added() {
    let table = |way: &Options<'_>| open(bytes(tactics(3, 5, Play::Misere).rules(), way));
    for way in ways() {
        let error = table(&way).extended(&Options { labels: NIMBER, ..way }).expect_err("misère play");
        assert!(matches!(error, SolveError::Undefined { label: LabelKind::Nimber, .. }), "{error}");
        let within = |max_bytes| table(&way).extended(&Options { labels: REMOTENESS, max_bytes, ..way });
        let error = within(Some((1 << 15) - 1)).expect_err("a byte too little");
        assert!(matches!(error, SolveError::LabelMemory { .. } | SolveError::DenseMemory { .. }), "{error}");
        assert!(within(Some(1 << 15)).is_ok());
    }
}

/// Forged keys of unreachable positions, under valid checksums.
#[test]
fn forged_keys_cause_no_panic() {
    let rules = tactics(3, 3, Play::Normal).rules().clone();
    let sound = bytes(&rules, &Options::of(Method::Sparse));
    let keys = forge::sections(&sound)[0].clone();
    let mut random = fastrand::Rng::with_seed(7);
    let mut refused = 0;
    for _ in 0..300 {
        let mut wrong = sound.clone();
        wrong[random.usize(keys.clone())] ^= 1 << random.u32(..8);
        forge::seal_all(&mut wrong);
        match open(wrong).extended(&Options { labels: IMPARTIAL, ..Options::default() }) {
            Err(SolveError::Keys) => refused += 1,
            Err(error) => panic!("{error}"),
            // The flipped bit is one that no look-up reads.
            Ok(_) => {}
        }
    }
    assert!(refused > 150, "{refused} of 300 are refused");
}

fn tactics(rows: u32, cols: u32, play: Play) -> Box<dyn Game> {
    Box::new(Tactics::new(rows, cols, 4, play).expect("a board of ordinary size"))
}

/// An engine with one folder of its own.
struct Place {
    folder: tempfile::TempDir,
    engine: Engine,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let engine = Engine::new(TableDirs::only(vec![folder.path().to_owned()]));
        Self { folder, engine }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("it.tb")
    }

    fn options(&self, method: Method, labels: LabelSet) -> BuildOptions {
        BuildOptions { output: Some(self.path()), method: Some(method), labels, ..BuildOptions::default() }
    }

    /// Builds, and returns the reported phases, the labels kept and solved, and the bytes.
    fn build(&self, game: Box<dyn Game>, options: &BuildOptions) -> (Vec<Phase>, [LabelSet; 2], Vec<u8>) {
        let phases = Mutex::new(Vec::new());
        let note = |progress: Progress| {
            assert!(progress.total.is_none_or(|total| progress.done <= total), "{progress:?}");
            phases.lock().expect("nobody panics").push(progress.phase);
            ControlFlow::Continue(())
        };
        let solved = self.engine.plan(game, options).expect("there is room").solve(Some(&note)).expect("a small game");
        let built = solved.save(|_| {}, Some(&note)).expect("a table");
        assert!(built.how.kept.iter().all(|label| !built.solved().contains(label)));
        let mut phases = phases.into_inner().expect("nobody panics");
        phases.dedup();
        let labels = [built.how.kept.clone(), built.solved()];
        let labels = labels.map(|names| names.iter().map(|name| name.parse::<LabelKind>().expect("a label")).collect());
        (phases, labels, fs::read(self.path()).expect("a table"))
    }
}

/// The build keeps labels of the existing table, and keeps none with `force`.
#[test]
fn a_build_solves_the_labels_that_its_table_lacks() {
    let remoteness = Phase::LabelWith(LabelKind::Remoteness);
    for (method, whole, more) in [
        (
            Method::Dense,
            &[Phase::Allocate, Phase::Sweep, Phase::Allocate, remoteness, Phase::Count, Phase::Write][..],
            &[Phase::Check, Phase::Allocate, remoteness, Phase::Write][..],
        ),
        (
            Method::Sparse,
            // Labelling remoteness also labels the outcomes.
            &[Phase::Find, remoteness, Phase::Write],
            &[Phase::Check, remoteness, Phase::Write],
        ),
    ] {
        let place = Place::new();
        let build = |labels, force| {
            place.build(tactics(3, 4, Play::Misere), &BuildOptions { force, ..place.options(method, labels) })
        };
        let (_, _, alone) = build(LabelSet::OUTCOME, false);
        let (phases, labels, extended) = build(REMOTENESS, false);
        assert_eq!((&*phases, labels), (more, [LabelSet::OUTCOME, REMOTENESS]));
        // The table lacks no label: the build solves all of them again, and loses none.
        let (phases, labels, again) = build(LabelSet::OUTCOME, false);
        assert_eq!((&*phases, labels), (whole, [LabelSet::OUTCOME, REMOTENESS]));
        assert!(again == extended && again.len() > alone.len());
        let (phases, _, forced) = build(LabelSet::OUTCOME, true);
        assert!(forced == alone && !phases.contains(&remoteness));
        let (phases, _, forced) = build(REMOTENESS, true);
        assert!(forced == extended && *phases == *whole);
    }
}

/// A table of another kind or with other roots is not extended: its labels are solved again.
#[test]
fn a_table_of_another_kind_is_not_extended() {
    let place = Place::new();
    let build = |method, labels| place.build(tactics(3, 4, Play::Normal), &place.options(method, labels));
    build(Method::Dense, NIMBER);
    let (phases, labels, bytes) = build(Method::Sparse, REMOTENESS);
    assert!(phases.contains(&Phase::Find) && !phases.contains(&Phase::Check));
    assert_eq!(labels, [LabelSet::OUTCOME, REMOTENESS.union(NIMBER)]);
    let whole = Options { labels: REMOTENESS.union(NIMBER), ..Options::of(Method::Sparse) };
    let game = tactics(3, 4, Play::Normal);
    assert!(bytes == solve(game.rules(), &whole).expect("small rules").to_bytes(&game.descriptor()));

    let root = [reachable(open(bytes).contents()).roots()[0]];
    let next = game.rules().moves_from(root[0]).next().expect("a move").play(root[0]);
    let elsewhere = Options { roots: &[next], ..Options::of(Method::Sparse) };
    let other = solve(game.rules(), &elsewhere).expect("small rules").to_bytes(&game.descriptor());
    fs::write(place.path(), other).expect("a file");
    let (phases, ..) = build(Method::Sparse, REMOTENESS);
    assert!(phases.contains(&Phase::Find) && !phases.contains(&Phase::Check));
}

/// If a byte in any section has changed, the build reports it and solves everything.
#[test]
fn a_damaged_table_is_not_extended() {
    for method in [Method::Dense, Method::Sparse] {
        let place = Place::new();
        let build = |labels| place.build(tactics(3, 4, Play::Normal), &place.options(method, labels));
        let (_, _, old) = build(REMOTENESS);
        let (_, _, whole) = build(REMOTENESS.union(NIMBER));
        for section in forge::sections(&old) {
            let mut damaged = old.clone();
            damaged[section.start + 5] ^= 4;
            fs::write(place.path(), &damaged).expect("a file");
            let plan = place.engine.plan(tactics(3, 4, Play::Normal), &place.options(method, NIMBER));
            let plan = plan.expect("there is room");
            assert!(plan.kept().is_some() && plan.labels() == REMOTENESS.union(NIMBER));
            let solved = plan.solve(None).expect("a small game");
            assert!(solved.damage().is_some_and(|damage| damage.contains("checksum")), "{:?}", solved.damage());
            let built = solved.save(|_| {}, None).expect("a table");
            assert!(
                built.how.kept.is_empty()
                    && built.solved() == ["outcome", "remoteness", "nimber"]
                    && built.how.damage.is_some()
            );
            assert!(fs::read(place.path()).expect("a table") == whole);
        }
    }
}

/// Keys of other positions under valid checksums.
#[test]
fn a_forged_table_is_not_extended() {
    let place = Place::new();
    let options = |labels| place.options(Method::Sparse, labels);
    let (_, _, mut forged) = place.build(tactics(3, 4, Play::Normal), &options(LabelSet::OUTCOME));
    let (_, _, whole) = place.build(tactics(3, 4, Play::Normal), &options(REMOTENESS));
    let keys = forge::sections(&forged)[0].clone();
    forged[keys.start + keys.len() / 2] ^= 0x55;
    forge::seal_all(&mut forged);
    fs::write(place.path(), &forged).expect("a file");
    let plan = place.engine.plan(tactics(3, 4, Play::Normal), &options(REMOTENESS)).expect("there is room");
    let solved = plan.solve(None).expect("a small game");
    assert!(solved.damage().is_some_and(|damage| damage.contains("keys")), "{:?}", solved.damage());
    solved.save(|_| {}, None).expect("a table");
    assert!(fs::read(place.path()).expect("a table") == whole);
}

/// If the build is stopped at any time, the old table stays as it was, without any other file.
#[test]
fn a_cancelled_extension_leaves_the_old_table() {
    for method in [Method::Dense, Method::Sparse] {
        let place = Place::new();
        let options = |labels| place.options(method, labels);
        let (_, _, old) = place.build(tactics(3, 4, Play::Misere), &options(LabelSet::OUTCOME));
        for stop in [Phase::Check, Phase::LabelWith(LabelKind::Remoteness), Phase::Write] {
            let watch = |progress: Progress| match progress.phase == stop {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let plan = place.engine.plan(tactics(3, 4, Play::Misere), &options(REMOTENESS)).expect("there is room");
            let ended = plan.solve(Some(&watch)).and_then(|solved| solved.save(|_| {}, Some(&watch)));
            assert_eq!(ended.err().expect("it is stopped").kind(), ErrorKind::Cancelled, "{stop:?}");
            assert!(fs::read(place.path()).expect("a table") == old);
            assert_eq!(fs::read_dir(place.folder.path()).expect("a folder").count(), 1);
        }
    }
}

/// The build counts the memory before it starts: the table that it reads and the labels that it adds.
#[test]
fn an_extension_that_does_not_fit_is_refused_before_it_starts() {
    let place = Place::new();
    let sim = || game("sim", &Parameters::new()).expect("a game of the library");
    let options = place.options(Method::Sparse, LabelSet::OUTCOME);
    place.build(sim(), &options);
    let memory = Some(fs::metadata(place.path()).expect("a table").len());
    let error = place.engine.plan(sim(), &BuildOptions { memory, labels: REMOTENESS, ..options }).err();
    let error = error.expect("the table alone is as large");
    assert!(matches!(&error, EngineError::Shortage(shortage) if shortage.limit == Limit::Requested), "{error}");
}

/// The added labels pass the same checks as the old ones.
#[test]
fn an_extended_table_passes_its_checks() {
    for way in ways() {
        let extended = open(bytes(tactics(3, 4, Play::Normal).rules(), &way));
        let extended = extended.extended(&Options { labels: IMPARTIAL, ..way }).expect("small rules");
        let table = open(extended.to_bytes(&Descriptor::default()).expect("sound bytes"));
        verify::bytes(&table, &verify::Options::default()).expect("right bytes");
        verify::labels(&table, &verify::Options::default()).expect("right labels");
    }
}
