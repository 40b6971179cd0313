//! Checkpoints of unfinished builds: a build resumes from damaged files and gives the same table, or refuses them.
//!
//! The first byte of an input chooses a build and how far it came, the second is a set of flags. Changes of the files
//! follow, or with [`RECORDS`] the records of the journal. With [`SEALED`], their checksums are made valid. Such a
//! journal may lie, so the table may differ.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tablegen::compressed::Compression;
use tablegen::game::{Game, Mnk, Play, Tactics};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Descriptor, Rules};
use tablegen::symmetry::Group;
use tablegen_solvers::{Method, Options, Progress, SliceOptions, SlicePlan, SliceTask, Watch, solve_with_checkpoints};
use tablegen_tables::table::{BuildSpec, LevelBuildSpec, LevelCheckpoints, SaveTable, SliceCheckpoints};

/// The flag that makes the checksums of records valid.
const SEALED: u8 = 1;
/// The flag of records in place of changes: each with its length in two bytes.
const RECORDS: u8 = 2;

/// The files of an unfinished build.
const FILES: [&str; 3] = ["table", "edges", "journal"];
const JOURNAL: usize = 2;
/// Bytes of a journal before its first record, and of the checksum of a record.
const HEAD: usize = 36;
const HASH: usize = 32;
/// Bytes of one change: what to do, a place, and two values.
const CHANGE: usize = 5;

/// A build, its table, and its files when it was stopped half-way and at the end.
struct Build {
    rules: Rules,
    /// The slices; `None` for a build level by level.
    plan: Option<SlicePlan>,
    compression: Option<Compression>,
    table: Vec<u8>,
    stopped: [[Vec<u8>; 3]; 2],
}

impl Build {
    fn new(rules: Rules, plan: Option<SlicePlan>, compression: Option<Compression>) -> Self {
        let mut build = Self { rules, plan, compression, table: Vec::new(), stopped: Default::default() };
        let calls = AtomicU64::new(0);
        let count = |_: Progress| {
            calls.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        let place = tempfile::tempdir().expect("a temporary folder");
        build.table = build.run(&place.path().join("whole"), &count, true).expect("a sound build");
        let all = calls.load(Ordering::Relaxed);
        let stop = |_: Progress| match calls.fetch_sub(2, Ordering::Relaxed) > all.div_ceil(2) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let go_on = |_: Progress| ControlFlow::Continue(());
        let watches: [Watch<'_>; 2] = [&stop, &go_on];
        build.stopped = watches.map(|watch| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let _ = build.run(folder.path(), watch, false);
            FILES.map(|name| fs::read(folder.path().join(name)).unwrap_or_default())
        });
        build
    }

    fn labels(&self) -> LabelSet {
        LabelSet::OUTCOME.with(LabelKind::Remoteness)
    }

    /// Builds the table, or resumes the build in `folder`. If it does not `complete`, the files stay.
    fn run(&self, folder: &Path, watch: Watch<'_>, complete: bool) -> Result<Vec<u8>, String> {
        let (rules, descriptor, labels) = (&self.rules, &Descriptor::default(), self.labels());
        let starts = &rules.start_positions();
        let Some(plan) = &self.plan else {
            let spec = LevelBuildSpec { rules, descriptor, roots: &[], group: Group::trivial(), labels };
            let room = Box::new(|_, _| Ok(()));
            let levels =
                LevelCheckpoints::new(folder, &spec, Duration::ZERO, room).map_err(|error| error.to_string())?;
            let options = Options { labels, progress: Some(watch), ..Options::of(Method::Sparse) };
            let solved = solve_with_checkpoints(rules, &options, &levels).map_err(|error| error.to_string())?;
            return Ok(solved.to_bytes(descriptor));
        };
        let spec = BuildSpec { rules, descriptor, starts, labels, compression: self.compression, raw: false };
        let checkpoints = SliceCheckpoints::open(folder, &spec, plan).map_err(|error| error.to_string())?;
        let options = SliceOptions { roots: starts, kernel: None, progress: Some(watch) };
        let swept = plan.solve(rules, &options, &checkpoints).map_err(|error| error.to_string())?;
        if !complete {
            return Ok(Vec::new());
        }
        let complete = checkpoints.complete(&swept, &spec, plan).map_err(|error| error.to_string())?;
        fs::read(complete.table()).map_err(|error| error.to_string())
    }
}

/// The builds: by slices of boards, by compressed slices of boards and of colourings, and by levels.
fn builds() -> &'static [Build; 4] {
    static BUILDS: OnceLock<[Build; 4]> = OnceLock::new();
    BUILDS.get_or_init(|| {
        let tactics = |rows, cols| Tactics::new(rows, cols, 3, Play::Misere).expect("a small board").rules().clone();
        let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
        let boards = |rules: &Rules| {
            let task = SliceTask::boards(rules, None, labels, true);
            // A slice has at least 13 cells.
            SlicePlan::with_slice_cells(&task, rules.cells() - 13, 1 << 30)
        };
        let colourings = |rules: &Rules| {
            let frame = tablegen_solvers::coloured(rules, &[]).expect("rules of two colours");
            SlicePlan::with_slice_cells(&SliceTask::colourings(rules, &frame, labels), 2, 1 << 30)
        };
        let small = Some(Compression { block: 1 << 10, ..Compression::default() });
        let tictactoe = Mnk::new(3, 3, 3, Play::Normal).expect("a small board").rules().clone();
        let plain = Build::new(tactics(2, 7), Some(boards(&tactics(2, 7)).expect("slices")), None);
        let packed = Build::new(tactics(3, 5), Some(boards(&tactics(3, 5)).expect("slices")), small);
        let coloured = Build::new(tictactoe.clone(), Some(colourings(&tictactoe).expect("slices")), small);
        [plain, packed, coloured, Build::new(tactics(2, 4), None, None)]
    })
}

pub fn run(data: &[u8]) {
    let Some((&[chosen, flags], rest)) = data.split_first_chunk() else { return };
    let build = &builds()[usize::from(chosen >> 1) % 4];
    let mut files = build.stopped[usize::from(chosen & 1)].clone();
    if flags & RECORDS == 0 {
        rest.chunks_exact(CHANGE).for_each(|change| apply(change, &mut files));
    } else {
        replace_records(rest, &mut files[JOURNAL]);
    }
    if flags & SEALED != 0 {
        seal(&mut files[JOURNAL]);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in FILES.iter().zip(&files) {
        fs::write(folder.path().join(name), bytes).expect("a writable folder");
    }
    let found = build.run(folder.path(), &|_| ControlFlow::Continue(()), true);
    if flags & SEALED == 0
        && let Ok(table) = found
    {
        assert!(table == build.table, "a build that resumed gives another table");
    }
}

/// Makes one change of a file.
fn apply(change: &[u8], files: &mut [Vec<u8>; 3]) {
    let &[what, low, high, first, second] = change else { return };
    let file = &mut files[usize::from(what & 3).min(JOURNAL)];
    // Later places of a longer file are as likely.
    let step = file.len() / (1 << 16) + 1;
    let at = usize::from(u16::from_le_bytes([low, high])) * step % file.len().max(1);
    match what >> 2 & 7 {
        0 => file.truncate(at),
        1 => file.clear(),
        2 => file.resize(file.len() + usize::from(first), second),
        3 => {
            let end = file.len().min(at + usize::from(first));
            file.drain(at.min(end)..end);
        }
        4 => {
            let end = file.len().min(at + usize::from(first));
            let copy = file[at.min(end)..end].to_vec();
            file.extend(copy);
        }
        5 => file.iter_mut().skip(at).take(8).for_each(|byte| *byte = second),
        6 => file.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= first),
        _ => file.iter_mut().skip(at).take(1).for_each(|byte| *byte = second),
    }
}

/// Gives a journal the records in `rest`.
fn replace_records(mut rest: &[u8], journal: &mut Vec<u8>) {
    journal.truncate(HEAD);
    while let Some((length, more)) = rest.split_first_chunk() {
        let (record, more) = more.split_at(usize::from(u16::from_le_bytes(*length)).min(more.len()));
        journal.extend((record.len() as u32).to_le_bytes());
        journal.extend(record);
        journal.extend([0; HASH]);
        rest = more;
    }
}

/// Makes the checksums of all complete records valid.
fn seal(journal: &mut [u8]) {
    let Some((head, mut rest)) = journal.split_first_chunk_mut::<HEAD>() else { return };
    while let Some(length) = rest.first_chunk().map(|length| u32::from_le_bytes(*length) as usize) {
        let Some((record, more)) = rest.split_at_mut_checked(4 + length) else { break };
        let Some((checksum, more)) = more.split_first_chunk_mut::<HASH>() else { break };
        *checksum = *blake3::Hasher::new().update(head).update(record).finalize().as_bytes();
        rest = more;
    }
}
