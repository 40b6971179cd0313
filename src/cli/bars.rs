//! Tables of numbers with a bar in each row, fitted to the available width.

use std::fmt::Display;
use std::iter::Sum;

/// A table with a bar in each row.
pub(super) struct Bars {
    columns: Vec<Column>,
    /// The parts of each row's bar: a sign and a number.
    parts: Vec<Vec<(char, u64)>>,
    /// The number that a bar of full length shows; 0 if each row is its own whole.
    whole: u64,
}

/// A column of numbers below a heading.
struct Column {
    heading: String,
    numbers: Vec<String>,
    rank: u8,
}

/// Blanks before the table and between its columns.
const GAP: usize = 2;
/// The shortest useful bar. Columns with the least important numbers are left out to make room for it.
const LEAST_BAR: usize = 10;
/// The longest useful bar.
const LONGEST_BAR: usize = 60;
/// The largest number of rows in a table.
pub(super) const MOST_ROWS: usize = 64;

impl Bars {
    /// A table whose first column has `numbers` under `heading`. A bar of full length shows `whole`. If `whole` is 0,
    /// each row is its own whole.
    pub(super) fn new(heading: &str, numbers: Vec<String>, whole: u64) -> Self {
        let first = Column { heading: heading.into(), numbers, rank: 0 };
        Self { columns: vec![first], parts: Vec::new(), whole }
    }

    /// Adds a column. If the width is too small, columns with the highest rank are left out first. Columns of rank 0
    /// stay.
    pub(super) fn column(&mut self, heading: &str, rank: u8, numbers: impl Iterator<Item = String>) {
        self.columns.push(Column { heading: heading.into(), numbers: numbers.collect(), rank });
    }

    /// Adds the bars: the parts of each row.
    pub(super) fn bars(&mut self, parts: impl Iterator<Item = Vec<(char, u64)>>) {
        self.parts = parts.collect();
    }

    /// The table in lines of at most `columns` columns, if the columns of rank 0 leave room for that.
    pub(super) fn lines(mut self, columns: usize) -> String {
        let bar = loop {
            let used: usize = self.columns.iter().map(|column| column.width() + GAP).sum();
            let left = columns.saturating_sub(used + GAP);
            let last = self.columns.iter().map(|column| column.rank).max().unwrap_or(0);
            if left >= LEAST_BAR || last == 0 {
                break left.min(LONGEST_BAR);
            }
            self.columns.retain(|column| column.rank < last);
        };
        let head = self.columns.iter().map(|column| column.cell(&column.heading)).collect::<String>();
        let mut lines = head + "\n";
        for (row, parts) in self.parts.iter().enumerate() {
            let numbers: String = self.columns.iter().map(|column| column.cell(&column.numbers[row])).collect();
            let line = format!("{numbers}{:GAP$}{}", "", drawn(parts, self.whole, bar));
            lines += &format!("{}\n", line.trim_end());
        }
        lines
    }
}

impl Column {
    fn width(&self) -> usize {
        let widths = self.numbers.iter().chain([&self.heading]).map(|text| text.chars().count());
        widths.max().unwrap_or(0)
    }

    fn cell(&self, text: &str) -> String {
        format!("{:GAP$}{text:>width$}", "", width = self.width())
    }
}

/// A bar of at most `columns` columns. Each nonzero part gets at least one column.
fn drawn(parts: &[(char, u64)], whole: u64, columns: usize) -> String {
    let total: u64 = parts.iter().map(|(_, part)| part).sum();
    let whole = if whole == 0 { total } else { whole };
    let scaled = |part: u64| (u128::from(part) * columns as u128 + u128::from(whole) / 2) / u128::from(whole.max(1));
    let mut lengths: Vec<usize> =
        parts.iter().map(|&(_, part)| usize::from(part > 0).max(scaled(part) as usize)).collect();
    // Rounding must not make the bar longer or shorter than all parts together.
    let least = lengths.iter().filter(|&&length| length > 0).count();
    let wanted = (scaled(total) as usize).max(least).min(columns.max(least));
    while let Some(longest) = (0..lengths.len()).max_by_key(|&part| (lengths[part], parts[part].1)) {
        match lengths.iter().sum::<usize>() {
            sum if sum > wanted && lengths[longest] > 1 => lengths[longest] -= 1,
            sum if sum < wanted => lengths[longest] += 1,
            _ => break,
        }
    }
    parts.iter().zip(lengths).map(|(&(sign, _), length)| String::from(sign).repeat(length)).collect()
}

/// The share of `part` in `whole`, in percent. A share is not rounded to 0 or 100 unless it is exactly that.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".into();
    }
    let tenths = (u128::from(part) * 2000 + u128::from(whole)) / (2 * u128::from(whole));
    match tenths {
        0 if part > 0 => "<0.1".into(),
        1000 if part < whole => ">99.9".into(),
        tenths => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

/// Adds up neighbours in `rows` until at most [`MOST_ROWS`] groups are left. Each group has the first and the last
/// number of its rows, and their sum.
pub(super) fn grouped<N: Copy + PartialEq + Display, T: Copy + Sum>(rows: &[(N, T)]) -> Vec<(String, T)> {
    let of_group = |group: &[(N, T)]| {
        let (first, last) = (group[0].0, group[group.len() - 1].0);
        let name = if first == last { first.to_string() } else { format!("{first}-{last}") };
        (name, group.iter().map(|&(_, number)| number).sum())
    };
    rows.chunks(rows.len().div_ceil(MOST_ROWS).max(1)).map(of_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_the_length_of_their_parts() {
        let of = |win, draw, loss, whole| drawn(&[('#', win), ('=', draw), ('.', loss)], whole, 10);
        assert_eq!(of(1, 0, 1, 0), "#####.....");
        assert_eq!(of(1, 1, 1, 0).len(), 10);
        // Few, but not none.
        assert_eq!(of(999_999, 1, 0, 0), "#########=");
        assert_eq!(of(1, u64::MAX / 2, 1, 0), "#========.");
        assert_eq!(of(5, 0, 0, 10), "#####");
        assert_eq!(of(1, 0, 0, u64::MAX), "#");
        assert_eq!(of(0, 0, 0, 10), "");
        assert_eq!(of(0, 0, 0, 0), "");
        assert_eq!(drawn(&[('#', 3), ('.', 1)], 0, 0), "#.");
        for seed in 0..1000u64 {
            let parts = [seed * 7919 % 101, seed * 104_729 % 1009, seed % 3];
            let bar = drawn(&[('#', parts[0]), ('=', parts[1]), ('.', parts[2])], 0, 37);
            assert_eq!(bar.len(), if parts == [0; 3] { 0 } else { 37 }, "{parts:?}");
        }
    }

    #[test]
    fn shares_are_not_rounded_to_nothing_or_all() {
        let shares = [(0, 7), (1, 1_000_000), (1, 3), (999_999, 1_000_000), (7, 7), (0, 0)].map(|(a, b)| percent(a, b));
        assert_eq!(shares, ["0.0", "<0.1", "33.3", ">99.9", "100.0", "-"]);
        assert_eq!(percent(u64::MAX / 2, u64::MAX), "50.0");
    }

    #[test]
    fn tables_have_at_most_as_many_rows_as_a_screen() {
        let rows = |count: u32| grouped(&(0..count).map(|number| (number, 1u64)).collect::<Vec<_>>());
        assert_eq!(rows(64).last(), Some(&("63".to_owned(), 1)));
        let many = rows(65);
        assert_eq!((many.len(), &many[0], &many[32]), (33, &("0-1".to_owned(), 2), &("64".to_owned(), 1)));
        assert!(rows(0).is_empty());
    }

    #[test]
    fn columns_make_room_for_the_bar() {
        let lines = |columns| {
            let mut bars = Bars::new("plies", vec!["0".into(), "12".into()], 10);
            bars.column("wins", 2, ["1,000,000", "7"].map(String::from).into_iter());
            bars.column("win %", 1, ["100.0", "<0.1"].map(String::from).into_iter());
            bars.bars([vec![('#', 10)], vec![('#', 1)]].into_iter());
            bars.lines(columns)
        };
        let wide = "  plies       wins  win %\n      0  1,000,000  100.0  ##########\n     12          7   <0.1  #\n";
        assert_eq!(lines(37), wide);
        let narrow = "  plies  win %\n      0  100.0  ####################\n     12   <0.1  ##\n";
        assert_eq!(lines(36), narrow);
        assert_eq!(lines(20), "  plies\n      0  ##########\n     12  #\n".replace("##########", "###########"));
        assert!(lines(200).lines().all(|line| line.len() <= 27 + LONGEST_BAR));
    }
}
