//! Random headers under valid checksums. Each is refused, or answers without a panic, without endless work and without
//! memory out of proportion to the file.

use std::sync::OnceLock;

use crate::common::forge::{self, Field};
use crate::common::regions::{by_regions, games_by_regions};
use crate::common::{games, scalar, sparse, table_bytes};
use proptest::prelude::*;
use tablegen::game;
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Board, Descriptor, Mode, Node, Position};
use tablegen::solve::{self, Method};
use tablegen::table::{SaveTable, Table};
use tablegen::verify::{self, Options, Scope};

/// One change by the forger.
#[derive(Clone, Debug)]
enum Stroke {
    /// Overwrite the n-th field with a number.
    Set(usize, u64),
    /// Add to the n-th field.
    Add(usize, i8),
    /// Copy one field over another.
    Copy(usize, usize),
    /// Change a byte.
    Byte(usize, u8),
    /// Remove bytes and move up the bytes after them.
    Remove(usize, usize),
    /// Insert bytes and move down the bytes after them.
    Insert(usize, Vec<u8>),
    /// Cut the file to a length, and set that length in the header.
    Resize(usize),
}

fn stroke() -> impl Strategy<Value = Stroke> {
    let place = || 0usize..4096;
    let number = prop_oneof![
        0u64..=70,
        (0u32..64).prop_map(|bit| 1 << bit),
        (0u32..64, -2i64..=2).prop_map(|(bit, off)| (1u64 << bit).wrapping_add_signed(off)),
        (0u64..5).prop_map(|off| u64::MAX - off),
        any::<u64>(),
    ];
    prop_oneof![
        6 => (place(), number).prop_map(|(field, value)| Stroke::Set(field, value)),
        3 => (place(), any::<i8>()).prop_map(|(field, more)| Stroke::Add(field, more)),
        1 => (place(), place()).prop_map(|(from, to)| Stroke::Copy(from, to)),
        2 => (place(), any::<u8>()).prop_map(|(at, byte)| Stroke::Byte(at, byte)),
        1 => (place(), 1usize..40).prop_map(|(at, count)| Stroke::Remove(at, count)),
        1 => (place(), proptest::collection::vec(any::<u8>(), 1..40)).prop_map(|(at, bytes)| Stroke::Insert(at, bytes)),
        1 => (0usize..20_000).prop_map(Stroke::Resize),
    ]
}

impl Stroke {
    fn apply(&self, table: &mut Vec<u8>) {
        // Changes of the padding show little, so only the content of the header is changed.
        let fields: Vec<Field> = forge::fields(table).into_iter().filter(|field| field.name != "padding").collect();
        let field = |n: usize| fields[n % fields.len()].at.clone();
        let content = fields.last().map_or(1, |field| field.at.end).min(table.len());
        match self {
            Self::Set(n, value) => {
                let at = field(*n);
                let size = at.len().min(8);
                table[at.start..at.start + size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
            Self::Add(n, more) => {
                if let Some(byte) = table[field(*n)].first_mut() {
                    *byte = byte.wrapping_add_signed(*more);
                }
            }
            Self::Copy(from, to) => {
                let (from, to) = (field(*from), field(*to));
                let size = from.len().min(to.len());
                table.copy_within(from.start..from.start + size, to.start);
            }
            Self::Byte(at, byte) => table[at % content] = *byte,
            Self::Remove(at, count) => {
                let at = at % content;
                let end = (at + count).min(content);
                table.copy_within(end..content, at);
                table[content - (end - at)..content].fill(0);
            }
            Self::Insert(at, bytes) => {
                let at = at % content;
                let whole = table.len();
                table.splice(at..at, bytes.iter().copied());
                table.truncate(whole);
            }
            Self::Resize(length) => {
                table.resize((*length).max(4096), 0);
                let length = table.len() as u64;
                table[16..24].copy_from_slice(&length.to_le_bytes());
            }
        }
    }
}

/// Asks every kind of question of a table that was accepted.
fn exercise(table: &Table) {
    let rules = table.rules();
    assert!(table.counts().total() == table.contents().count() || table.domain().has_representatives());
    let sample = Options { scope: Scope::Sample { count: 20, seed: 0 }, limit: Some(1000), ..Options::default() };
    let _ = verify::bytes(table, &Options::default());
    let _ = verify::labels(table, &Options::default());
    let _ = verify::labels(table, &sample);
    let _ = verify::oracle(table, &sample);
    let _ = table.probe(Node::Opening);
    let boards = (0..1500).flat_map(|board| (0..2).map(move |mode| Position::new(Mode(mode), Board::from_word(board))));
    for p in boards.filter(|&p| rules.has(p)) {
        let _ = table.probe(p);
    }
    assert!(table.outcome(Position { board: !Board::EMPTY, ..Position::default() }).is_err() || rules.cells() == 64);
    let game = game::of_table(rules, table.descriptor());
    let _ = (game.write(Node::Opening), game.draw(rules.start_node()), format!("{table:?}"));
}

/// The tables to forge, three dense and three sparse: with a descriptor that names a family, with one that does not,
/// and with one that does not and remoteness as well.
fn originals() -> &'static [Vec<u8>; 6] {
    static ORIGINALS: OnceLock<[Vec<u8>; 6]> = OnceLock::new();
    ORIGINALS.get_or_init(|| {
        let parameters = vec![("rows".to_owned(), "4".to_owned()), ("words".into(), "a\nb".into())];
        let named = |family: &str| Descriptor { family: family.into(), parameters: parameters.clone() };
        let [dense, sparse] = [scalar(&games::motley()), sparse(&games::motley())];
        let bytes = |family| [dense.to_bytes(&named(family)), sparse.to_bytes(&named(family))];
        let ([a, b], [c, d]) = (bytes(""), bytes("tactics"));
        let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
        let [e, f] = [Method::Dense, Method::Sparse].map(|method| {
            let options = solve::Options { labels, ..solve::Options::of(method) };
            table_bytes(&solve::solve(&games::motley(), &options).expect("small rules"))
        });
        [a, b, c, d, e, f]
    })
}

fn forge_and_exercise(original: &[u8], strokes: &[Stroke], resealed: bool) {
    let mut bytes = original.to_vec();
    for stroke in strokes {
        stroke.apply(&mut bytes);
    }
    if resealed {
        forge::seal_header(&mut bytes);
    }
    if let Ok(table) = Table::from_bytes(bytes) {
        exercise(&table);
        if let Ok(checked) = table.checked() {
            exercise(&checked);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]
    #[test]
    fn forged_headers_of_dense_tables(strokes in prop::collection::vec(stroke(), 1..4), number in 0usize..3, resealed: bool) {
        forge_and_exercise(&originals()[2 * number], &strokes, resealed);
    }

    #[test]
    fn forged_headers_of_sparse_tables(strokes in prop::collection::vec(stroke(), 1..4), number in 0usize..3, resealed: bool) {
        forge_and_exercise(&originals()[1 + 2 * number], &strokes, resealed);
    }
}

/// Tables by regions to forge: with labels of one byte and of two.
fn by_region() -> &'static [Vec<u8>; 3] {
    static TABLES: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    TABLES.get_or_init(|| games_by_regions().map(|rules| table_bytes(&by_regions(&rules, true))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn forged_headers_of_tables_by_regions(strokes in prop::collection::vec(stroke(), 1..4), number in 0usize..3, resealed: bool) {
        forge_and_exercise(&by_region()[number], &strokes, resealed);
    }
}

/// The tests above need some forgeries to be accepted when they are opened.
#[test]
fn some_forgeries_are_opened() {
    use proptest::strategy::ValueTree;
    for original in [table_bytes(&scalar(&games::motley())), table_bytes(&sparse(&games::motley()))] {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let opened = (0..1000).filter(|_| {
            let mut bytes = original.clone();
            stroke().new_tree(&mut runner).expect("nothing is rejected").current().apply(&mut bytes);
            forge::seal_header(&mut bytes);
            bytes != original && Table::from_bytes(bytes).is_ok()
        });
        let opened = opened.count();
        assert!((20..900).contains(&opened), "{opened}");
    }
}
