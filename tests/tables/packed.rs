//! Compressed tables give the same answers as uncompressed ones, for every solver, and damage in them is found.

use crate::common::games::IMPARTIAL;
use std::ops::ControlFlow;

use crate::common::library::named;
use crate::common::regions::{by_regions, counter, games_by_regions};
use crate::common::{games, positions};
use tablegen::compressed::Compression;
use tablegen::contents::Contents;
use tablegen::engine::export::{Lines, csv};
use tablegen::engine::{ColumnName, Engine, OpenTable, RowOptions, SolveOptions, TableDirs, UseSymmetry};
use tablegen::game::Game;
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Descriptor, Rules};
use tablegen::solve::{Method, Options, Solution, Solver, solve};
use tablegen::table::{SaveTable, Table, TableFault};
use tablegen::verify::{self, Finding};

/// Blocks so small that even a small table has many.
pub(super) const SMALL: Compression = Compression { block: 1 << 10, level: 1 };

/// A solution of each kind, with every label that its rules have.
pub(super) fn solutions() -> Vec<(&'static str, Solution)> {
    let with = |rules: &Rules, method: Method, labels| {
        let solver = if method == Method::Dense { Solver::dense(true) } else { method.into() };
        solve(rules, &Options { labels, ..Options::of(solver) }).expect("small rules")
    };
    let remoteness: LabelSet = [LabelKind::Outcome, LabelKind::Remoteness].into_iter().collect();
    let (motley, dominoes, squares) = (games::motley(), games::dominoes(4), games::squares());
    let cram = named("cram", "rows=4 cols=4");
    let mnk = named("mnk", "rows=3 cols=3 k=3");
    let symmetric = {
        let engine = Engine::new(TableDirs::none());
        let group = engine_group(&engine, mnk.as_ref());
        let options = Options { labels: remoteness, ..Options::of(Solver::Sparse { symmetry: &group }) };
        solve(mnk.rules(), &options).expect("small rules")
    };
    vec![
        ("planes of wins and losses, marked", with(&motley, Method::Dense, remoteness)),
        ("planes of wins", with(cram.rules(), Method::Dense, IMPARTIAL)),
        ("a column of two bits", with(&motley, Method::Sparse, remoteness)),
        ("a column of one bit", with(&dominoes, Method::Sparse, IMPARTIAL)),
        ("up to symmetry", symmetric),
        ("colourings", with(&squares, Method::Coloured, remoteness)),
        ("by regions", by_regions(&games_by_regions()[0], true)),
        ("by regions, in two bytes", by_regions(&counter(9), true)),
        ("colourings of a board", with(mnk.rules(), Method::Coloured, remoteness)),
    ]
}

fn engine_group(engine: &Engine, game: &dyn Game) -> tablegen::symmetry::Group {
    let options =
        SolveOptions { method: Some(Method::Sparse), symmetry: UseSymmetry::Always, ..SolveOptions::default() };
    let again = tablegen::game::of_table(game.rules(), &game.descriptor());
    let source = engine.solve_in_memory(again, &options, None).expect("small rules");
    source.table().expect("a small table").domain().group().clone()
}

fn open(bytes: Vec<u8>) -> Table {
    Table::from_bytes(bytes).expect("a sound table")
}

/// Panics unless both tables agree on every position, by every way to ask.
pub(super) fn assert_same(name: &str, plain: &Table, packed: &Table) {
    assert_eq!((plain.rules_hash(), plain.labels()), (packed.rules_hash(), packed.labels()), "{name}");
    assert_eq!((plain.counts_by_mode(), plain.every_by_mode()), (packed.counts_by_mode(), packed.every_by_mode()));
    assert_eq!(plain.orbits_by_mode(), packed.orbits_by_mode(), "{name}");
    let (a, b) = (plain.contents(), packed.contents());
    for position in positions(plain.rules()) {
        assert_eq!(plain.find(position).unwrap(), packed.find(position).unwrap(), "{name}: {position:?}");
        assert_eq!(a.value(position).unwrap(), b.value(position).unwrap(), "{name}: {position:?}");
        if plain.find(position).unwrap().is_some() {
            assert_eq!(plain.value(position).unwrap(), packed.value(position).unwrap(), "{name}: {position:?}");
            assert_eq!(a.is_counted(position).unwrap(), b.is_counted(position).unwrap(), "{name}: {position:?}");
        }
    }
    let on = |_| ControlFlow::Continue(());
    assert_eq!(a.counts_by_fill_count(on).unwrap(), b.counts_by_fill_count(on).unwrap(), "{name}");
    for kind in plain.labels().iter().filter(|&kind| kind != LabelKind::Outcome) {
        assert_eq!(plain.codes(kind), packed.codes(kind), "{name}");
        let bytes = |contents: Contents<'_>| contents.bytes().of(kind).expect("held").all().unwrap().into_owned();
        assert_eq!(bytes(a), bytes(b), "{name}");
    }
    match (a, b) {
        (Contents::Dense(a), Contents::Dense(b)) => {
            assert_eq!(a.planes().bytes().all().unwrap(), b.planes().bytes().all().unwrap());
            assert_eq!(a.planes().counts().unwrap(), b.planes().counts().unwrap(), "{name}");
            let reached = |dense: tablegen::contents::Dense<'_>| {
                dense.reach().map(|reach| reach.marks().bytes().all().unwrap().into_owned())
            };
            assert_eq!(reached(a), reached(b), "{name}");
            for mode in (0..plain.rules().modes().len() as u16).map(tablegen::rules::Mode) {
                assert_eq!(a.planes().wins(mode).unwrap(), b.planes().wins(mode).unwrap());
                assert_eq!(a.planes().losses(mode).unwrap(), b.planes().losses(mode).unwrap());
            }
        }
        (Contents::Sparse(a), Contents::Sparse(b)) => assert!(a.positions().eq(b.positions()), "{name}"),
        (Contents::Coloured(a), Contents::Coloured(b)) => assert!(a.positions().eq(b.positions()), "{name}"),
        (Contents::Regions(a), Contents::Regions(b)) => {
            assert_eq!(a.outcomes().all().unwrap(), b.outcomes().all().unwrap(), "{name}");
        }
        _ => panic!("{name}: contents of another kind"),
    }
}

#[test]
fn compressed_tables_have_the_same_labels() {
    for (name, solution) in solutions() {
        let plain = solution.to_bytes(&Descriptor::default());
        for packing in [SMALL, Compression::default(), Compression { block: 1 << 12, level: 9 }] {
            let packed = solution.to_packed_bytes(&Descriptor::default(), Some(packing));
            let (plain, packed) = (open(plain.clone()), open(packed));
            assert_eq!((plain.packing(), packed.packing().expect("packed").block), (None, packing.block), "{name}");
            assert_same(name, &plain, &packed);
            assert_same(name, &plain, &packed.checked().expect("a sound index"));
        }
    }
}

#[test]
fn every_check_passes() {
    for (name, solution) in solutions() {
        let bytes = solution.to_packed_bytes(&Descriptor::default(), Some(SMALL));
        let size = bytes.len() as u64;
        for table in [open(bytes.clone()), open(bytes).checked().expect("a sound index")] {
            let options = verify::Options::default();
            assert_eq!(verify::bytes(&table, &options).unwrap_or_else(|e| panic!("{name}: {e}")), size, "{name}");
            verify::labels(&table, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
            verify::oracle(&table, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
            for kind in table.labels().iter() {
                table.check_label(kind).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
    }
}

#[test]
fn bytes_do_not_depend_on_threads() {
    for (name, solution) in solutions() {
        let bytes = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| solution.to_packed_bytes(&Descriptor::default(), Some(SMALL)))
        };
        let one = bytes(1);
        assert!([2, 3, 7].into_iter().all(|threads| bytes(threads) == one), "{name}");
    }
}

/// Flips every bit after the header of a tiny table: checksums cover all of them.
#[test]
fn every_flipped_bit_of_a_tiny_table_is_found() {
    let solution = solve(&games::motley(), &Options::of(Solver::dense(true))).expect("small rules");
    let sound = solution.to_packed_bytes(&Descriptor::default(), Some(SMALL));
    for bit in 4096 * 8..sound.len() * 8 {
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let found = verify::bytes(&open(bytes), &verify::Options::default());
        assert!(matches!(found, Err(Finding::Bytes(_))), "bit {bit}");
    }
}

/// Flips bits in tables of each kind. The check finds the change, and no unchecked read panics.
#[test]
fn a_flipped_bit_is_found_in_every_part() {
    for (name, solution) in solutions() {
        let sound = solution.to_packed_bytes(&Descriptor::default(), Some(SMALL));
        let whole = open(sound.clone());
        let share = (sound.len() * 8 / 300).max(1);
        for bit in (0..sound.len() * 8).step_by(share) {
            let mut bytes = sound.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let what = format!("{name}: bit {bit}");
            let Ok(table) = Table::from_bytes(bytes.clone()) else { continue };
            let found = verify::bytes(&table, &verify::Options::default());
            assert!(matches!(found, Err(Finding::Bytes(_))), "{what}");
            // Without checks an answer may be wrong but does not panic. With checks it is right or an error.
            let ask = || positions(solution.rules()).skip(bit % 97).step_by(97);
            ask().for_each(|position| drop(table.value(position)));
            let Ok(table) = table.checked() else { continue };
            for position in ask() {
                if let Ok(found) = table.value(position) {
                    assert_eq!(Some(found), whole.value(position).ok(), "{what}: {position:?}");
                }
            }
        }
    }
}

/// Reading a block that cannot be decompressed is an error.
#[test]
fn a_block_that_cannot_be_decompressed_is_an_error() {
    let (_, solution) = solutions().swap_remove(0);
    let mut bytes = solution.to_packed_bytes(&Descriptor::default(), Some(SMALL));
    // The first section begins after the header, with the magic number of its first frame.
    let start = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    assert_eq!(bytes[start..start + 4], [0x28, 0xb5, 0x2f, 0xfd], "a frame of zstd");
    bytes[start] ^= 1;
    let table = open(bytes);
    let fault =
        positions(table.rules()).find_map(|position| table.find(position).err()).expect("a damaged block").fault;
    assert!(matches!(fault, TableFault::Labels(_)) && fault.is_damage(), "{fault}");
    assert!(fault.to_string().ends_with("does not decompress to its size"), "{fault}");
    let on = |_| ControlFlow::Continue(());
    assert!(table.contents().counts_by_fill_count(on).is_err());
    assert!(verify::labels(&table, &verify::Options::default()).is_err());
    assert!(verify::oracle(&table, &verify::Options::default()).is_err());
}

#[test]
fn labels_added_to_a_compressed_table_equal_one_solve() {
    for (name, whole) in solutions() {
        let solver = match whole.domain().method() {
            Method::Dense => Solver::dense(true),
            Method::Coloured => Method::Coloured.into(),
            // Labels by regions are solved together.
            Method::Regions => continue,
            Method::Sparse | Method::Cyclic => Solver::of_reachable(whole.rules(), whole.domain().group()),
        };
        let options = Options { labels: whole.contents().labels(), ..Options::of(solver) };
        let few = Options { labels: LabelSet::OUTCOME, ..options };
        let few = solve(whole.rules(), &few).expect("small rules");
        let packing = Compression { block: 1 << 12, ..Compression::default() };
        let table = open(few.to_packed_bytes(&Descriptor::default(), Some(packing)));
        let extended = table.extended(&options).unwrap_or_else(|e| panic!("{name}: {e}"));
        let bytes = extended.to_bytes(&Descriptor::default()).expect("sound bytes");
        assert!(bytes == whole.to_packed_bytes(&Descriptor::default(), Some(packing)), "{name}");
    }
}

/// Arrays, lines of best play, and look-ups of many boards.
#[test]
fn exports_are_equal() {
    for (name, solution) in solutions() {
        let tables = [None, Some(SMALL)]
            .map(|packing| OpenTable::new(open(solution.to_packed_bytes(&Descriptor::default(), packing))));
        for label in tables[0].table.labels().iter() {
            let lines = tables.each_ref().map(|open| {
                let mut out = Vec::new();
                let lines = Lines::of_labels(&[ColumnName::Label(label)], false);
                let reader = lines.reader(open, RowOptions::default()).unwrap();
                csv(open, reader, &lines, &mut out, &|_| {}).unwrap();
                out
            });
            assert!(lines[0] == lines[1], "{name}");
            let arrays = tables.each_ref().map(|open| {
                let mut out = Vec::new();
                let Contents::Dense(dense) = open.table.contents() else { return out };
                tablegen::engine::export::npy(dense, label, &mut out, &|_| {}).unwrap();
                out
            });
            assert!(arrays[0] == arrays[1], "{name}");
        }
    }
}
