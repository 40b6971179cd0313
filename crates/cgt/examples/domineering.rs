//! Values of every board of Domineering: `cargo run --release --example domineering -- ROWS COLUMNS`.

use std::time::Instant;

use tablegen_cgt::{Calculator, Comparer, Error, KnownOptions, OptionSets, Store, Value};

fn main() -> Result<(), Error> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("a number of rows or columns"));
    let (rows, columns) = (numbers.next().unwrap_or(4), numbers.next().unwrap_or(4));
    let start = Instant::now();
    let (mut store, mut comparer, mut known) = (Store::default(), Comparer::default(), KnownOptions::default());
    let labels = label(rows, columns, &mut store, &mut comparer, &mut known)?;
    println!(
        "{rows}x{columns}: {} boards, {} values, {} pairs of option lists, {:.3} s; store {} MiB, known {} MiB",
        labels.len(),
        store.len(),
        known.len(),
        start.elapsed().as_secs_f64(),
        store.bytes() >> 20,
        known.bytes() >> 20,
    );
    println!("{}", probe(&store)?);
    Ok(())
}

/// Name, thermograph and best moves of the value with the most options, in a new calculator.
fn probe(store: &Store) -> Result<String, Error> {
    let options = |value: &Value| store.lefts(*value).len() + store.rights(*value).len();
    let widest = store.values().max_by_key(options).unwrap_or_default();
    let start = Instant::now();
    let mut calculator = Calculator::default();
    let value = calculator.import(store, widest)?;
    let graph = calculator.thermograph(value)?.clone();
    let name = calculator.name(value)?;
    let named = start.elapsed().as_micros();
    let best = calculator.left_incentives(value)?.len();
    Ok(format!(
        "widest: {} followers, mean {}, temperature {}, {} characters: {named} us; {best} incentives: {} us",
        store.followers(widest).len(),
        graph.mean,
        graph.temperature,
        name.len(),
        start.elapsed().as_micros(),
    ))
}

/// The value of every board, by the set of its filled cells. Left places dominoes upright, Right across.
fn label(
    rows: u32,
    columns: u32,
    store: &mut Store,
    comparer: &mut Comparer,
    known: &mut KnownOptions,
) -> Result<Vec<Value>, Error> {
    let cells = rows * columns;
    let last_column = (0..rows).fold(0, |set, row| set | 1_u64 << (row * columns + columns - 1));
    let full = (1_u64 << cells) - 1;
    let mut labels = vec![Value::ZERO; 1 << cells];
    let mut options = OptionSets::default();
    for board in (0..=full).rev() {
        let empty = full & !board;
        options.clear();
        for start in bits(empty & empty >> columns) {
            options.push_left(labels[(board | (1 | 1 << columns) << start) as usize]);
        }
        for start in bits(empty & empty >> 1 & !last_column) {
            options.push_right(labels[(board | 0b11 << start) as usize]);
        }
        labels[board as usize] = known.get_or_learn(store, comparer, &options)?;
    }
    Ok(labels)
}

/// The places of the bits of a set.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}
