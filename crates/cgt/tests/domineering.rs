//! Every board of Domineering, one after the other and level by level with several threads.

use std::thread;

use tablegen_cgt::{Batch, Comparer, Error, KnownOptions, OptionSets, Store, Value};

#[derive(Clone, Copy)]
struct Grid {
    rows: u32,
    columns: u32,
}

impl Grid {
    fn boards(self) -> u64 {
        1 << (self.rows * self.columns)
    }

    /// The options of a board, whose filled cells are the bits of `board`. Left places dominoes upright, Right across.
    fn options(self, board: u64, labels: &[Value], options: &mut OptionSets) {
        options.clear();
        let empty = !board;
        for row in 0..self.rows {
            for column in 0..self.columns {
                let cell = row * self.columns + column;
                let (down, right) = (1 << cell | 1 << (cell + self.columns), 0b11 << cell);
                if row + 1 < self.rows && empty & down == down {
                    options.push_left(labels[(board | down) as usize]);
                }
                if column + 1 < self.columns && empty & right == right {
                    options.push_right(labels[(board | right) as usize]);
                }
            }
        }
    }
}

fn one_by_one(grid: Grid) -> Result<(Store, Vec<Value>), Error> {
    let (mut store, mut comparer, mut known) = (Store::default(), Comparer::default(), KnownOptions::default());
    let mut labels = vec![Value::ZERO; grid.boards() as usize];
    let mut options = OptionSets::default();
    for board in (0..grid.boards()).rev() {
        grid.options(board, &labels, &mut options);
        labels[board as usize] = known.get_or_learn(&mut store, &mut comparer, &options)?;
    }
    Ok((store, labels))
}

/// As a solver works: the boards with equally many filled cells form a level.
fn by_level(grid: Grid, threads: usize) -> Result<(Store, Vec<Value>), Error> {
    let (mut store, mut known) = (Store::default(), KnownOptions::default());
    let mut comparers = vec![Comparer::default(); threads];
    let mut labels = vec![Value::ZERO; grid.boards() as usize];
    for level in (0..=grid.rows * grid.columns).rev() {
        let boards: Vec<u64> = (0..grid.boards()).filter(|board| board.count_ones() == level).collect();
        let parts: Vec<&[u64]> = boards.chunks(boards.len().div_ceil(threads)).collect();
        let look_up = |part: &[u64], known: &KnownOptions| -> Result<(Vec<Option<Value>>, Batch), Error> {
            let (mut batch, mut options) = (Batch::default(), OptionSets::default());
            let mut found = Vec::with_capacity(part.len());
            for &board in part {
                grid.options(board, &labels, &mut options);
                found.push(known.get(&options));
                if found.last() == Some(&None) {
                    batch.push(&options)?;
                }
            }
            Ok((found, batch))
        };
        let look_up_all = |known: &KnownOptions| {
            thread::scope(|scope| {
                let workers: Vec<_> = parts.iter().map(|part| scope.spawn(|| look_up(part, known))).collect();
                workers.into_iter().map(|it| it.join().expect("no panic")).collect::<Result<Vec<_>, _>>()
            })
        };
        let batches = look_up_all(&known)?.into_iter().map(|(_, batch)| batch);
        let batch = Batch::merged(batches)?;
        let size = batch.len().div_ceil(threads).max(1);
        let starts = (0..batch.len()).step_by(size);
        let forms = thread::scope(|scope| {
            let workers: Vec<_> = starts
                .zip(&mut comparers)
                .map(|(start, comparer)| {
                    let part = start..batch.len().min(start + size);
                    scope.spawn(|| batch.simplify(part, &store, comparer))
                })
                .collect();
            workers.into_iter().map(|it| it.join().expect("no panic")).collect::<Result<Vec<_>, _>>()
        })?;
        known.learn(&mut store, &batch, forms)?;
        let found = look_up_all(&known)?.into_iter().flat_map(|(found, _)| found).collect::<Vec<_>>();
        for (&board, value) in boards.iter().zip(found) {
            labels[board as usize] = value.expect("the batch had it");
        }
    }
    Ok((store, labels))
}

/// The options of a value.
type Form = (Vec<Value>, Vec<Value>);

/// The values simplest first, as option lists, and the labels in these numbers.
fn dictionary(store: &Store, labels: &[Value]) -> (Vec<Form>, Vec<Value>) {
    let new = store.simplest_first();
    let sorted = store.renumbered(&new).expect("a permutation");
    let forms = sorted.values().map(|value| (sorted.lefts(value).to_vec(), sorted.rights(value).to_vec()));
    (forms.collect(), labels.iter().map(|value| new[value.index()]).collect())
}

#[test]
fn threads_do_not_change_the_numbers() {
    let grid = Grid { rows: 3, columns: 4 };
    let (store, labels) = by_level(grid, 1).expect("it fits");
    for threads in [2, 3, 7] {
        let (other, others) = by_level(grid, threads).expect("it fits");
        assert_eq!(labels, others, "{threads} threads");
        assert!(store.values().all(|value| store.options(value) == other.options(value)), "{threads} threads");
    }
    let (other, others) = one_by_one(grid).expect("it fits");
    assert_ne!(labels, others, "another order gives other numbers");
    assert_eq!(dictionary(&store, &labels), dictionary(&other, &others));
}

#[test]
fn a_dictionary_is_simplest_first_and_read_back() {
    let (store, labels) = one_by_one(Grid { rows: 3, columns: 4 }).expect("it fits");
    let (forms, _) = dictionary(&store, &labels);
    let (mut read, mut comparer) = (Store::default(), Comparer::default());
    for (number, (lefts, rights)) in forms.iter().enumerate().skip(1) {
        let value = read.push(&mut comparer, lefts, rights).expect("a canonical form");
        assert_eq!(value.index(), number);
    }
    let birthdays: Vec<u32> = read.values().map(|value| read.birthday(value)).collect();
    assert!(birthdays.is_sorted());
    assert_eq!(read.simplest_first(), read.values().collect::<Vec<_>>());
}

#[test]
fn unsound_dictionaries_are_refused() {
    let value = Value::from_number;
    // 0, 1, -1, *, {1|-1}, 2, {*|}, which is 0.
    let rows: [(&[u32], &[u32], Option<&str>); 9] = [
        (&[0], &[], None),
        (&[], &[0], None),
        (&[0], &[0], None),
        (&[1], &[2], None),
        (&[1], &[], None),
        (&[3], &[], Some("expected a canonical form, found dominated or reversible options")),
        (&[0, 1], &[], Some("expected a canonical form, found dominated or reversible options")),
        (&[6], &[], Some("expected options with smaller numbers, found an option with a larger one")),
        (&[1], &[2], Some("expected a new value, found a value that came before")),
    ];
    let (mut store, mut comparer) = (Store::default(), Comparer::default());
    for (lefts, rights, mistake) in rows {
        let [lefts, rights] = [lefts, rights].map(|list| list.iter().map(|&it| value(it)).collect::<Vec<_>>());
        let pushed = store.push(&mut comparer, &lefts, &rights);
        let found = pushed.err().map(|error| error.to_string());
        assert_eq!(found, mistake.map(|mistake| format!("cannot read value 6: {mistake}")), "{lefts:?} {rights:?}");
    }
    let twice = [value(1), value(1)];
    assert!(store.push(&mut comparer, &twice, &[]).is_err());
}

#[test]
fn values_of_all_boards() {
    // Of 4x5 and 5x5, see the ignored test.
    for (rows, columns, count) in [(2, 2, 5), (4, 4, 717)] {
        let (store, _) = one_by_one(Grid { rows, columns }).expect("it fits");
        assert_eq!(store.len(), count, "{rows}x{columns}");
    }
}

#[test]
#[ignore = "takes seconds in the release profile"]
fn values_of_all_boards_of_larger_grids() {
    for (rows, columns, count) in [(4, 5, 5_891), (5, 4, 5_891), (5, 5, 107_584)] {
        let (store, _) = one_by_one(Grid { rows, columns }).expect("it fits");
        assert_eq!(store.len(), count, "{rows}x{columns}");
    }
}
