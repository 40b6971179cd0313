//! Positions of Kalah as texts and as drawings.

use super::pits::Pits;
use crate::error::Fault;
use crate::rules::{Board, Position};
use crate::side::{SIDES, Side};

/// Reads a position such as `2,2,2:0/2,2,2:0 first`. The first player is to move if the text names nobody.
pub(super) fn read(pits: Pits, text: &str) -> Result<Position, Fault> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let side = match words.pop_if(|word| words_a_side(word)) {
        None => Side::First,
        Some(word) => {
            let expected = || format!("the player to move after the board, {}", SIDES.map(Side::name).join(" or "));
            SIDES
                .into_iter()
                .find(|side| side.name() == word.to_lowercase())
                .ok_or_else(|| Fault::new(expected(), format!("{word:?}")))?
        }
    };
    let text: String = words.concat();
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIDES.len() {
        let expected =
            format!("the pits of two players with / between them, such as {}", write_board(pits, pits.start()));
        return Err(Fault::new(expected, if text.is_empty() { "none".into() } else { rows.len().to_string() }));
    }
    let mut seeds = Vec::with_capacity(pits.count() as usize);
    for (side, row) in SIDES.into_iter().zip(rows) {
        read_row(pits, side, row, &mut seeds)?;
    }
    Ok(Position::new(side.mode(), board_of(pits, &seeds)?))
}

/// Returns whether `word` stands for a player rather than for a part of the board.
fn words_a_side(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
}

/// Reads the pits of `side`, such as `2,2,2:0`.
fn read_row(pits: Pits, side: Side, row: &str, seeds: &mut Vec<u64>) -> Result<(), Fault> {
    let (name, houses) = (side.name(), pits.houses);
    let (row, store) = row.split_once(':').ok_or_else(|| {
        let expected = format!("a colon and the seeds in the store after the houses of the {name} player");
        Fault::new(expected, format!("{row:?}"))
    })?;
    let found = row.split(',').count();
    if found != houses as usize {
        let many = if houses == 1 { "1 house".into() } else { format!("{houses} houses with commas between them") };
        return Err(Fault::new(format!("{many} for the {name} player"), found.to_string()).of_size());
    }
    for number in row.split(',').chain([store]) {
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let parsed = number.parse::<u64>().ok().filter(|_| is_number);
        seeds.push(parsed.ok_or_else(|| Fault::new("a number of seeds in each pit", format!("{number:?}")))?);
    }
    Ok(())
}

/// The board with this number of seeds in each pit.
fn board_of(pits: Pits, seeds: &[u64]) -> Result<Board, Fault> {
    let found = seeds.iter().fold(0u64, |sum, &seeds| sum.saturating_add(seeds));
    if found != u64::from(pits.total()) {
        return Err(Fault::new(format!("{} seeds in all", pits.total()), found.to_string()));
    }
    // No pit has more seeds than all pits together.
    Ok(pits.board(&seeds.iter().map(|&seeds| seeds as u32).collect::<Vec<_>>()))
}

/// Checks that each pit of `board` is filled from the left, and that no seed is missing.
pub(super) fn check(pits: Pits, board: Board) -> Result<(), Fault> {
    let seeds: Vec<u32> = (0..pits.count()).map(|pit| pits.seeds_in(board, pit)).collect();
    if pits.board(&seeds) != board {
        let expected = format!("the seeds of each pit, such as {}", write_board(pits, pits.start()));
        return Err(Fault::new(expected, "a number that stands for no board"));
    }
    board_of(pits, &seeds.into_iter().map(u64::from).collect::<Vec<_>>()).map(|_| ())
}

/// The text of a position, which [`read`] reads.
pub(super) fn write(pits: Pits, position: Position) -> String {
    format!("{} {}", write_board(pits, position.board), Side::of_mode(position.mode).name())
}

fn write_board(pits: Pits, board: Board) -> String {
    let row = |side| {
        let houses: Vec<String> = pits.houses_of(side).map(|pit| pits.seeds_in(board, pit).to_string()).collect();
        format!("{}:{}", houses.join(","), pits.seeds_in(board, pits.store_of(side)))
    };
    SIDES.map(row).join("/")
}

/// The board as it lies on the table: the second player sits above it, and sowing goes round it counterclockwise.
///
/// ```text
///      f  e  d
///      2  2  2
///   0           0
///      2  2  2
///      a  b  c
/// ```
pub(super) fn draw(pits: Pits, board: Board) -> String {
    let width = pits.total().to_string().len();
    let seeds = |pit| pits.seeds_in(board, pit).to_string();
    let column = |text: String| format!("  {text:>width$}");
    let row = |houses: &[u32], text: &dyn Fn(u32) -> String| {
        let columns: String = houses.iter().map(|&house| column(text(house))).collect();
        format!("{:width$}{columns}", "")
    };
    let above: Vec<u32> = pits.houses_of(Side::Second).rev().collect();
    let below: Vec<u32> = pits.houses_of(Side::First).collect();
    let [right, left] = SIDES.map(|side| seeds(pits.store_of(side)));
    let between = format!("{left:>width$}{}{}", row(&above, &|_| String::new()).split_off(width), column(right));
    let name = |house| pits.name(house);
    [row(&above, &name), row(&above, &seeds), between, row(&below, &seeds), row(&below, &name)].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PITS: Pits = Pits { houses: 3, seeds: 2 };

    fn refusal(pits: Pits, text: &str) -> String {
        let Fault { expected, found, .. } = read(pits, text).expect_err(text);
        format!("expected {expected}, found {found}")
    }

    #[test]
    fn the_forms_of_a_position() {
        let start = Position::new(Side::First.mode(), PITS.start());
        for text in ["2,2,2:0/2,2,2:0 first", "2,2,2:0/2,2,2:0", " 2,2,2:0 / 2,2,2:0\tFirst ", "2, 2, 2: 0/2,2,02:0"] {
            assert_eq!(read(PITS, text), Ok(start), "{text}");
        }
        assert_eq!(write(PITS, start), "2,2,2:0/2,2,2:0 first");
        let text = "0,0,12:0/0,0,0:0 second";
        assert_eq!(write(PITS, read(PITS, text).unwrap()), text);
        assert_eq!(write(Pits { houses: 1, seeds: 1 }, Position::default()), "0:0/0:0 first");
    }

    #[test]
    fn texts_that_are_not_positions() {
        let refusal = |text| refusal(PITS, text);
        let rows = "expected the pits of two players with / between them, such as 2,2,2:0/2,2,2:0, found ";
        assert_eq!([refusal(""), refusal("2,2,2:0")], ["none", "1"].map(|found| format!("{rows}{found}")));
        assert_eq!(refusal("2,2,2:0/2,2,2:1"), "expected 12 seeds in all, found 13");
        assert_eq!(refusal("2,2,2:0/2,2,1:0 second"), "expected 12 seeds in all, found 11");
        assert_eq!(
            refusal("2,2:0/2,2,2:0"),
            "expected 3 houses with commas between them for the first player, found 2"
        );
        assert_eq!(
            refusal("2,2,2:0/2,2,2,2:0"),
            "expected 3 houses with commas between them for the second player, found 4"
        );
        assert_eq!(
            refusal("2,2,2:0/2,2,2"),
            "expected a colon and the seeds in the store after the houses of the second player, found \"2,2,2\""
        );
        for (text, found) in [("2,-2,2:0/2,2,2:0", "\"-2\""), ("2,,2:0/2,2,2:0", "\"\""), ("2,2,2:x/2,2,2:0", "\"x\"")]
        {
            assert_eq!(refusal(text), format!("expected a number of seeds in each pit, found {found}"));
        }
        assert!(refusal("2,2,2:0/2,2,2:0 third").ends_with("after the board, first or second, found \"third\""));
        let many = u64::MAX;
        assert!(refusal(&format!("{many},{many},2:0/2,2,2:0")).contains("expected 12 seeds in all"));
        let single = super::read(Pits { houses: 1, seeds: 1 }, "1,1:0/0:0").unwrap_err();
        assert_eq!(single.expected, "1 house for the first player");
    }

    #[test]
    fn boards_with_a_gap_or_without_a_seed_are_refused() {
        assert_eq!(check(PITS, PITS.start()), Ok(()));
        let gap = PITS.board(&[0, 2, 2, 0, 2, 2, 2, 0]) | PITS.cell(0, 1) | PITS.cell(0, 2);
        assert!(check(PITS, gap).unwrap_err().found.contains("stands for no board"));
        assert_eq!(check(PITS, Board::EMPTY), Err(Fault::new("12 seeds in all", "0")));
    }

    #[test]
    fn the_board_is_drawn_as_it_lies_on_the_table() {
        let drawn = "     f   e   d\n     3   2   1\n 0              10\n     0   0   0\n     a   b   c";
        // A different total does not matter for the drawing.
        assert_eq!(draw(PITS, PITS.board(&[0, 0, 0, 10, 1, 2, 3, 0])), drawn);
        let single = Pits { houses: 1, seeds: 1 };
        assert_eq!(draw(single, single.start()), "   b\n   1\n0     0\n   1\n   a");
    }
}
