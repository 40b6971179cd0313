//! Tables that are read from their file block by block. They give the same answers as in memory, and an error if the
//! file has changed since it was opened.

use std::ops::ControlFlow;
use std::path::Path;

use crate::common::positions;
use crate::packed::{SMALL, assert_same, solutions};
use tablegen::rules::Descriptor;
use tablegen::table::{SaveTable, Table, TableFault};
use tablegen::verify;

/// The most positions that a test looks up in one table.
const SOME: usize = 300;

/// Each solution as an uncompressed table and as a compressed one.
fn tables() -> Vec<(&'static str, Vec<u8>)> {
    let bytes = |(name, solution): (_, tablegen::solve::Solution)| {
        [None, Some(SMALL)].map(|packing| (name, solution.to_packed_bytes(&Descriptor::default(), packing)))
    };
    solutions().into_iter().flat_map(bytes).collect()
}

fn open(file: &Path) -> Table {
    Table::open_by_block(file).expect("a sound table")
}

#[test]
fn a_table_gives_the_same_answers_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it.tb");
    for (name, bytes) in tables() {
        std::fs::write(&file, &bytes).unwrap();
        let whole = Table::from_bytes(bytes).expect("a sound table");
        assert_same(name, &whole, &open(&file));
        let table = open(&file).checked().expect("sound lists");
        assert_eq!((table.file_bytes(), table.path()), (whole.file_bytes(), Some(file.as_path())));
        let options = verify::Options::default();
        assert_eq!(verify::bytes(&table, &options).unwrap(), whole.file_bytes(), "{name}");
        verify::labels(&table, &options).unwrap_or_else(|finding| panic!("{name}: {finding}"));
        for kind in whole.labels().iter() {
            table.check_label(kind).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// A file that changes after it was opened gives an error or the right answer, never a wrong one.
#[test]
fn a_changed_file_gives_errors_and_no_wrong_answers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it.tb");
    let mut draw = fastrand::Rng::with_seed(1);
    for (name, bytes) in tables() {
        std::fs::write(&file, &bytes).unwrap();
        let whole = Table::from_bytes(bytes.clone()).expect("a sound table");
        let on = |_| ControlFlow::Continue(());
        let counts = whole.contents().counts_by_fill_count(on).unwrap();
        // Look up a sample of the positions: each look-up in a damaged block reads the block again.
        let all = positions(whole.rules()).count();
        let some = positions(whole.rules()).step_by(all.div_ceil(SOME));
        let some: Vec<_> = some.map(|position| (position, whole.value(position))).collect();
        for round in 0..6 {
            let (table, counting) = (open(&file), open(&file));
            let mut damaged = bytes.clone();
            match round % 3 {
                0 => damaged.truncate(draw.usize(4096..bytes.len())),
                1 => damaged[4096..].iter_mut().for_each(|byte| *byte = !*byte),
                _ => damaged[draw.usize(4096..bytes.len())] ^= 1 << draw.u32(..8),
            }
            std::fs::write(&file, &damaged).unwrap();
            let mut errors = 0;
            for (position, right) in &some {
                match (table.value(*position), right) {
                    (Ok(found), Ok(right)) => assert_eq!(found, *right, "{name}: {position:?}"),
                    (Err(error), Err(_)) if matches!(error.fault, TableFault::NotReached { .. }) => {}
                    (Ok(found), Err(_)) => panic!("{name}: {position:?}: {found:?}"),
                    (Err(error), _) => {
                        assert!(error.fault.is_damage(), "{name}: {error}");
                        assert!(error.to_string().contains("it.tb: damaged: block "), "{name}: {error}");
                        errors += 1;
                    }
                }
            }
            assert!(errors > 0 || round % 3 != 1, "{name}: every block is wrong");
            if let Ok(found) = counting.contents().counts_by_fill_count(on) {
                assert_eq!(found, counts, "{name}");
            }
            // The table that is still open answers again once its file is restored.
            std::fs::write(&file, &bytes).unwrap();
            for (position, right) in &some {
                assert_eq!(table.value(*position).ok(), right.as_ref().ok().copied(), "{name}");
            }
        }
    }
}
