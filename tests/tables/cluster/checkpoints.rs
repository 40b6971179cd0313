//! Checkpoints of builds by several ranks: reachable positions are stored level by level. However a build ends and
//! whatever happens to its checkpoint, a later build with any number of ranks writes the same bytes.

use tablegen::engine::{ErrorKind, LevelFacts};

use super::*;

/// A build that left a checkpoint, and the bytes that its table must have.
struct Begun {
    place: Place,
    make: Make,
    job: Job,
    expected: Vec<u8>,
    /// The files of the checkpoint, with all positions found and labelled: names and bytes.
    kept: Vec<(&'static str, Vec<u8>)>,
}

const FILES: [&str; 2] = ["table", "journal"];

impl Begun {
    /// Runs a build by three ranks that ends before it writes the table.
    fn new(make: Make, labels: LabelSet, symmetry: UseSymmetry) -> Self {
        let place = Place::new();
        let mut job = Job::new(3, &place.file("one.tb"), labels);
        SPARSE(&mut job);
        job.options.symmetry = symmetry;
        let expected = build_alone(make(), &job.options);
        job.options.output = Some(place.file("some.tb"));
        build(&make, &Job { saves: false, ..job.clone() }).expect("all is found");
        let of = |name| (name, fs::read(place.file("some.tb.building").join(name)).expect("it is kept"));
        let kept = FILES.map(of).into();
        Self { place, make, job, expected, kept }
    }

    fn folder(&self) -> PathBuf {
        self.place.file("some.tb.building")
    }

    /// Resumes with `ranks` ranks, or in one process if `ranks` is 0, from the checkpoint after `change`. Returns the
    /// levels that the checkpoint provided.
    fn go_on(&self, ranks: usize, change: impl FnOnce(&mut [(&'static str, Vec<u8>)])) -> LevelFacts {
        let mut kept = self.kept.clone();
        change(&mut kept);
        fs::create_dir_all(self.folder()).expect("a folder");
        kept.iter().for_each(|(name, bytes)| fs::write(self.folder().join(name), bytes).expect("a file"));
        let path = self.place.file("some.tb");
        let facts = if ranks == 0 {
            alone(|| {
                let engine = engine();
                let solved = engine.plan((self.make)(), &self.job.options).expect("a small game").solve(None);
                solved.expect("a small game").save(|_| {}, None).expect("a place").how.levels
            })
        } else {
            let job = Job { ranks, ..self.job.clone() };
            build(&self.make, &job).expect("the build resumes");
            LevelFacts::default()
        };
        assert!(fs::read(&path).expect("a table") == self.expected, "{ranks} ranks resume with other bytes");
        assert!(!self.folder().exists(), "nothing is left");
        fs::remove_file(path).expect("a table");
        facts
    }
}

/// Games with symmetries, draws, modes, labels of all kinds, pieces that move, and moves that skip levels.
fn games() -> Vec<(Make, LabelSet, UseSymmetry)> {
    let remoteness = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    let [nimbers, scores] = [LabelKind::Nimber, LabelKind::Score].map(|kind| LabelSet::OUTCOME.with(kind));
    vec![
        (|| tactics(3, 4), remoteness, UseSymmetry::Never),
        (|| tactics(4, 4), LabelSet::OUTCOME, UseSymmetry::Always),
        (|| Box::new(Dominoes::new(4, Play::Normal).expect("a set")), nimbers.union(remoteness), UseSymmetry::Always),
        (|| Box::new(Dominoes::new(4, Play::Normal).expect("a set")), nimbers, UseSymmetry::Never),
        (|| Box::new(Mnk::new(3, 3, 3, Play::Normal).expect("a board")), remoteness, UseSymmetry::Always),
        (|| Box::new(library::game("clobber", "rows=3 cols=3")), remoteness, UseSymmetry::Never),
        (|| Box::new(library::game("dots-and-boxes", "rows=1 cols=3")), scores, UseSymmetry::Always),
    ]
}

/// Wherever the journal ends, other numbers of ranks resume the build, and so does one process.
#[test]
fn other_ranks_resume_wherever_a_build_ends() {
    let mut random = fastrand::Rng::with_seed(7);
    for (number, (make, labels, symmetry)) in games().into_iter().enumerate() {
        let begun = Begun::new(make, labels, symmetry);
        // Resume from the whole checkpoint.
        let all = begun.go_on(0, |_| {});
        assert!(all.found > 3 && all.labelled.is_multiple_of(all.found), "{all:?}");
        for ranks in 1..=4 {
            begun.go_on(ranks, |_| {});
        }
        let (mut least, whole) = (all, begun.kept[1].1.len());
        let times = if number == 0 { 24 } else { 6 };
        for time in 0..times {
            let length = whole * time / times;
            let facts = begun.go_on(random.usize(..=4), |kept| {
                kept[1].1.truncate(length);
                // Data that the journal does not list may be missing.
                if time % 3 == 0 {
                    let table = &mut kept[0].1;
                    table.truncate(table.len() * (time + 1) / times);
                }
            });
            if facts != LevelFacts::default() {
                assert!(facts.found <= all.found && facts.labelled <= all.labelled);
                least.found = least.found.min(facts.found);
            }
        }
        if number == 0 {
            assert!(least.found < all.found, "some builds ended in the midst of the flood");
        }
    }
}

/// Changed data is detected and computed again.
#[test]
fn changed_data_is_computed_again() {
    let mut random = fastrand::Rng::with_seed(8);
    for (make, labels, symmetry) in games() {
        let begun = Begun::new(make, labels, symmetry);
        for time in 0..8 {
            begun.go_on(random.usize(..=4), |kept| {
                let (_, bytes) = &mut kept[time % 2];
                for _ in 0..random.usize(1..3) {
                    // The head of the journal identifies the table, so changing it would mean another table.
                    let first = if time % 2 == 1 { 36 } else { 0 };
                    let at = random.usize(first..bytes.len());
                    match random.u8(..4) {
                        0 if time % 2 == 0 => bytes[at..].fill(0),
                        1 => bytes.truncate(at.max(first + 1)),
                        _ => bytes[at] ^= 1 << random.u8(..8),
                    }
                }
            });
        }
        // One of the two files is empty.
        begun.go_on(2, |kept| kept[0].1.clear());
        begun.go_on(0, |kept| kept[1].1.clear());
    }
}

/// A rank that ends without notice, at any message, ends the build. Other ranks resume from its checkpoint.
#[test]
fn ranks_that_die_leave_a_checkpoint() {
    let mut random = fastrand::Rng::with_seed(9);
    let labels = labels(tactics(4, 4).rules());
    let (place, mut died) = (Place::new(), 0);
    let mut job = Job::new(3, &place.file("one.tb"), labels);
    SPARSE(&mut job);
    let expected = build_alone(tactics(4, 4), &job.options);
    for time in 0..8 {
        let path = place.file(&format!("{time}.tb"));
        job.options.output = Some(path.clone());
        (job.ranks, job.patience, job.dies) = (3, Duration::from_millis(1500), Some((time % 3, random.u64(10..300))));
        match build(&|| tactics(4, 4), &job) {
            Ok(_) => {}
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Resources, "{error}");
                died += 1;
                assert!(!path.exists());
                (job.dies, job.patience) = (None, Duration::from_secs(60));
                match time % 5 {
                    0 => drop(build_alone(tactics(4, 4), &job.options)),
                    ranks => {
                        job.ranks = ranks;
                        build(&|| tactics(4, 4), &job).expect("the build resumes");
                    }
                }
            }
        }
        assert!(fs::read(&path).expect("a table") == expected, "other ranks resume with other bytes");
        assert!(!place.file(&format!("{time}.tb.building")).exists(), "nothing is left");
    }
    assert!(died >= 4, "only {died} builds were stopped");
}

/// A build of another table, or of the same table with other options, is refused.
#[test]
fn a_checkpoint_of_another_table_is_refused() {
    let all = labels(tactics(3, 4).rules());
    let begun = Begun::new(|| tactics(3, 4), LabelSet::OUTCOME, UseSymmetry::Never);
    let folder = begun.folder();
    let refused = |make: Make, change: &dyn Fn(&mut Job)| {
        let mut job = begun.job.clone();
        change(&mut job);
        let error = build(&make, &job).expect_err("another table grows there");
        assert!(error.to_string().contains("expected the same rules, options and version, found others"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(folder.join("journal").exists(), "it stays");
    };
    refused(|| tactics(4, 4), &|_| {});
    refused(|| tactics(3, 4), &|job| job.options.labels = all);
    refused(|| tactics(3, 4), &|job| job.options.symmetry = UseSymmetry::Always);
    refused(|| tactics(4, 4), &DENSE);
    // The checkpoint does not depend on compression, nor on `force`, which concerns only the table.
    let mut job = begun.job.clone();
    (job.options.force, job.saves) = (true, false);
    build(&begun.make, &job).expect("the same table");
    // One process alone does not replace the checkpoint either.
    let mut options = begun.job.options.clone();
    options.labels = all;
    let refusal = alone(|| engine().plan(tactics(3, 4), &options).err().map(|error| error.kind()));
    assert_eq!((refusal, folder.join("journal").exists()), (Some(ErrorKind::Input), true));
    options.output = Some(begun.place.file("all.tb"));
    let of_all = build_alone(tactics(3, 4), &options);
    // `restart` discards the checkpoint.
    let mut job = begun.job.clone();
    (job.options.restart, job.options.labels) = (true, all);
    build(&begun.make, &job).expect("the build starts again");
    assert!(fs::read(begun.place.file("some.tb")).expect("a table") == of_all && !folder.exists());
}

/// A checkpoint in a scratch folder.
#[test]
fn a_checkpoint_in_a_scratch_folder() {
    let begun = Begun::new(|| tactics(3, 4), LabelSet::OUTCOME, UseSymmetry::Never);
    begun.go_on(2, |_| {});
    let mut job = begun.job.clone();
    job.options.scratch = Some(begun.place.file("scratch"));
    fs::create_dir(begun.place.file("scratch")).expect("a folder");
    build(&begun.make, &Job { saves: false, ..job.clone() }).expect("all is found");
    assert!(begun.place.file("scratch/some.tb.building/journal").exists() && !begun.folder().exists());
    build(&begun.make, &job).expect("the build resumes");
    assert!(fs::read(begun.place.file("some.tb")).expect("a table") == begun.expected);
    assert!(!begun.place.file("scratch/some.tb.building").exists());
}
