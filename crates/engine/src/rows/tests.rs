//! Rows of every kind of table equal single look-ups.

use std::collections::BTreeSet;

use super::*;
use crate::{Engine, SolveOptions, TableDirs, UseSymmetry, game};
use tablegen_games::Parameters;
use tablegen_labels::LabelKind;
use tablegen_rules::{Board, Mode};
use tablegen_solvers::Method;

fn solved(name: &str, method: Method, symmetry: UseSymmetry) -> crate::Source {
    let small = Parameters::new().with("rows", 3).with("cols", 3);
    let made = game(name, &small).or_else(|_| game(name, &Parameters::new()));
    let game = made.unwrap();
    let labels = Some(game.labels());
    let options = SolveOptions { method: Some(method), symmetry, labels, ..SolveOptions::default() };
    Engine::new(TableDirs::none()).solve_in_memory(game, &options, None).unwrap()
}

fn rows(open: &OpenTable, options: &RowOptions) -> Vec<Row> {
    let mut reader = RowReader::new(open, options.clone()).unwrap();
    let (mut all, mut examined) = (Vec::new(), 0);
    while let Some(found) = reader.next(open).unwrap() {
        all.extend(found.rows);
        examined += found.examined;
    }
    assert!(examined >= all.iter().filter(|row| row.reachable != Some(false)).count() as u64);
    all
}

#[test]
fn rows_equal_look_ups() {
    for (name, method, symmetry) in [
        ("domineering", Method::Dense, UseSymmetry::Auto),
        ("cram", Method::Dense, UseSymmetry::Always),
        ("cram", Method::Sparse, UseSymmetry::Never),
        ("cram", Method::Sparse, UseSymmetry::Always),
        ("mnk", Method::Coloured, UseSymmetry::Auto),
        ("mnk", Method::Sparse, UseSymmetry::Always),
        ("hare-and-hounds", Method::Regions, UseSymmetry::Always),
        ("three-mens-morris", Method::Regions, UseSymmetry::Always),
        ("three-mens-morris", Method::Regions, UseSymmetry::Never),
    ] {
        let source = solved(name, method, symmetry);
        let open = source.open_table().unwrap();
        let (table, rules) = (&open.table, open.table.rules());
        let case = format!("{name} {method:?} {symmetry:?}");
        let options = RowOptions { labels: table.labels(), ..RowOptions::default() };
        let found = rows(open, &options);
        assert_eq!(found.len() as u64, table.counts().total(), "{case}");
        // By regions, it is not known which boards play reaches.
        let known = (method != Method::Regions).then_some(true);
        for row in &found {
            assert_eq!((Some(row.value), row.reachable), (table.value(row.position).ok(), known), "{case}");
        }
        let single = found.iter().step_by(7).map(|row| Row::of(open, row.position).unwrap());
        assert!(single.eq(found.iter().step_by(7).map(|&row| Some(row))), "{case}");
        let mut positions: Vec<Position> = found.iter().map(|row| row.position).collect();
        positions.sort_unstable();
        positions.dedup();
        assert_eq!(positions.len(), found.len(), "{case}");
        // A condition leaves those rows that satisfy it, in the same order.
        let condition = Condition::read("outcome=loss and filled<6 or remoteness>5", rules).unwrap();
        let mut expected = found.clone();
        expected.retain(|row| condition.holds(row));
        assert!(!expected.is_empty() && expected.len() < found.len(), "{case}");
        let options = RowOptions { condition: Some(condition), ..options };
        assert_eq!(rows(open, &options), expected, "{case}");
        if method == Method::Regions {
            continue;
        }
        // Unreachable boards come with a condition that names them.
        let condition = Some(Condition::read("not reachable", rules).unwrap());
        let unreachable = rows(open, &RowOptions { condition, ..options.clone() });
        assert!(unreachable.iter().all(|row| row.reachable == Some(false)), "{case}");
        let every = rows(open, &RowOptions { condition: None, every: true, ..options });
        assert_eq!(every.len(), found.len() + unreachable.len(), "{case}");
        if method == Method::Dense {
            assert_eq!(every.len() as u128, rules.positions(), "{case}");
            let position = Position::new(Mode(0), Board::from_word(0));
            assert_eq!(every[0].position, position, "{case}");
        }
    }
}

#[test]
fn representatives_are_one_row_for_each_class_in_any_table() {
    for (name, method, symmetry) in [
        ("mnk", Method::Sparse, UseSymmetry::Always),
        ("mnk", Method::Sparse, UseSymmetry::Never),
        ("mnk", Method::Coloured, UseSymmetry::Never),
        ("cram", Method::Dense, UseSymmetry::Never),
        ("three-mens-morris", Method::Regions, UseSymmetry::Always),
        ("three-mens-morris", Method::Regions, UseSymmetry::Never),
    ] {
        let source = solved(name, method, symmetry);
        let open = source.open_table().unwrap();
        let classes = open.classes().unwrap();
        let found = rows(open, &RowOptions { classes: Some(classes.clone()), ..RowOptions::default() });
        let case = format!("{name} {method:?} {symmetry:?}");
        let of_classes: Vec<_> = found.iter().flat_map(|row| classes.images(row.position)).collect();
        let all: Vec<_> = rows(open, &RowOptions::default()).iter().map(|row| row.position).collect();
        assert_eq!(of_classes.iter().collect::<BTreeSet<_>>(), all.iter().collect(), "{case}");
        assert_eq!(of_classes.len(), all.len(), "{case}");
        assert!(classes.order() > 1 && found.iter().all(|row| row.value.remoteness().is_none()), "{case}");
    }
}

#[test]
fn a_label_that_is_not_held_is_an_error() {
    let source = solved("mnk", Method::Sparse, UseSymmetry::Auto);
    let open = source.open_table().unwrap();
    let condition = Condition::read("nimber=0", open.table.rules()).unwrap();
    let options = RowOptions { condition: Some(condition), ..RowOptions::default() };
    let error = RowReader::new(open, options).unwrap_err();
    let held = open.table.labels();
    assert_eq!(error, RowsError::NotHeld(NotHeld { asked: LabelKind::Nimber, held }));
}
