//! Rectangular boards of squares: their names, drawings and texts.

use std::ops::RangeInclusive;

use super::{NotationError, number};
use crate::rules::{Board, Symmetry};

/// A board of `rows` times `cols` squares. Squares are numbered in reading order. The first one is the most significant
/// bit of a board number:
///
/// ```text
///     a b c d
///   1 X X X .      rows:     XXX./X.../X.../....
///   2 X . . .      binary:   0b1110_1000_1000_0000
///   3 X . . .      hex:      0xe880
///   4 . . . .      decimal:  59520
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    /// The number of rows. Rows are counted from the top.
    pub rows: u32,
    /// The number of columns. Columns are counted from the left.
    pub cols: u32,
}

impl Grid {
    /// The number of squares.
    #[must_use]
    pub const fn squares(self) -> u32 {
        self.rows * self.cols
    }

    /// The square in row `row` and column `col`, both counted from 0.
    #[must_use]
    pub const fn square(self, row: u32, col: u32) -> Board {
        Board::at(row * self.cols + col, self.squares())
    }

    /// The rows and columns of the squares of `board`, in reading order.
    pub fn coords(self, board: Board) -> impl Iterator<Item = (u32, u32)> {
        let all = (0..self.rows).flat_map(move |row| (0..self.cols).map(move |col| (row, col)));
        all.filter(move |&(row, col)| board.contains(self.square(row, col)))
    }

    /// Every line of squares with one of `lengths`, ordered by its first square in reading order, then by its direction in
    /// `steps` (rows down and columns right), then by its length. A line of a single square is listed once.
    pub(super) fn lines(self, steps: &[(u32, i32)], lengths: RangeInclusive<u32>) -> Vec<Board> {
        let mut lines = Vec::new();
        for (row, col) in self.coords(Board::full(self.squares())) {
            for (number, &(down, right)) in steps.iter().enumerate() {
                let square = |step: u32| {
                    let row = row.checked_add(down * step).filter(|&row| row < self.rows)?;
                    let col = col.checked_add_signed(right * step as i32).filter(|&col| col < self.cols)?;
                    Some(self.square(row, col))
                };
                let line = |length: u32| (0..length).map(square).collect::<Option<Board>>();
                lines.extend(lengths.clone().filter(|&length| length > 1 || number == 0).filter_map(line));
            }
        }
        lines
    }

    /// The reflections of the board, and the reflection in the diagonal if it is square. They generate all rotations
    /// and reflections. A board number has `planes` bits for each square, one for each colour; modes stay unchanged.
    pub(super) fn symmetries(self, planes: u32, modes: usize) -> Vec<Symmetry> {
        type Flip = fn(Grid, u32, u32) -> (u32, u32);
        let Self { rows, cols } = self;
        let flips: [Flip; 3] = [
            |it, row, col| (it.rows - 1 - row, col),
            |it, row, col| (row, it.cols - 1 - col),
            |_, row, col| (col, row),
        ];
        let possible = if rows == cols { &flips[..] } else { &flips[..2] };
        let symmetry = |flip: &Flip| {
            let image = |bit: u32| {
                let (plane, square) = (bit / self.squares(), self.squares() - 1 - bit % self.squares());
                let (row, col) = flip(self, square / cols, square % cols);
                (plane * self.squares() + self.squares() - 1 - (row * cols + col)) as u8
            };
            let cells = (0..planes * self.squares()).map(image).collect();
            Symmetry::new(cells, (0..modes as u16).collect()).unwrap_or_else(|_| unreachable!("a flip moves squares"))
        };
        possible.iter().map(symmetry).collect()
    }

    /// The name of a square: its column in letters and its row, counted from 1 at the top.
    #[must_use]
    pub fn name(row: u32, col: u32) -> String {
        format!("{}{}", column_name(col), row + 1)
    }

    /// The board drawn with the names of its rows and columns, one character per square.
    #[must_use]
    pub fn draw(self, mark: impl Fn(Board) -> char) -> String {
        self.draw_new(mark, |_| false)
    }

    /// Draws the board as [`draw`](Self::draw) does, with brackets around the squares for which `is_new` is true: `
    /// X(O).`.
    #[must_use]
    pub fn draw_new(self, mark: impl Fn(Board) -> char, is_new: impl Fn(Board) -> bool) -> String {
        let margin = self.rows.to_string().len();
        let widths: Vec<usize> = (0..self.cols).map(|col| column_name(col).len()).collect();
        let head = (0..self.cols).map(|col| format!(" {}", column_name(col))).collect::<String>();
        let mut lines = vec![format!("{:margin$}{head}", "")];
        for row in 0..self.rows {
            let squares = (0..self.cols).map(|col| (self.square(row, col), widths[col as usize]));
            let marks = squares.map(|(square, width)| (mark(square), width, is_new(square)));
            lines.push(format!("{:>margin$}{}", row + 1, line_of_marks(marks)));
        }
        lines.join("\n")
    }

    /// The board as rows of characters, separated by slashes.
    #[must_use]
    pub fn rows(self, mark: impl Fn(Board) -> char) -> String {
        let row = |row| (0..self.cols).map(|col| mark(self.square(row, col))).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }

    /// Reads rows of characters, separated by slashes. `mark` gets each square and its character, and returns whether the
    /// character is valid. `legend` describes the valid characters.
    ///
    /// # Errors
    /// If the number of rows is wrong, the length of a row is wrong, or a character is not valid.
    pub fn read_rows(
        self,
        text: &str,
        legend: &str,
        mut mark: impl FnMut(Board, char) -> bool,
    ) -> Result<(), NotationError> {
        let wrong = |expected: String, found: String| NotationError::new(text, expected, found);
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.rows as usize {
            let error = wrong(rows_in_words(self.rows as usize), format!("{}", rows.len()));
            return Err(if rows.len() > 1 { error.of_size() } else { error });
        }
        for (number, row) in (0..).zip(rows) {
            let found = row.chars().count();
            if found != self.cols as usize {
                return Err(wrong(format!("{} squares in row {}", self.cols, number + 1), format!("{found}")).of_size());
            }
            for (col, character) in (0..).zip(row.chars()) {
                if !mark(self.square(number, col), character) {
                    return Err(wrong(legend.into(), format!("{character:?} at {}", Self::name(number, col))));
                }
            }
        }
        Ok(())
    }

    /// Turns a file with one row per line into a text for [`read_rows`](Self::read_rows). Blanks between the squares are
    /// optional.
    pub(super) fn rows_of_lines(content: &str) -> String {
        let rows: Vec<String> = content.trim().lines().map(|line| line.split_whitespace().collect()).collect();
        rows.join("/")
    }

    /// Reads a board number: `0b` and one binary digit per square, `0x` and hexadecimal digits, or decimal digits.
    /// Digits may be separated by `_`. `None` if the text is not a number at all.
    ///
    /// # Errors
    /// If a binary number does not have exactly one digit per square, a digit is not valid, or the number exceeds the
    /// number of the full board.
    pub fn read_number(self, text: &str) -> Option<Result<Board, NotationError>> {
        number::read(text, self.squares(), "squares")
    }

    /// Reads a text that may be a board number of `cells` digits, or rows, which `rows` reads. On a board of one row,
    /// marks such as `0X0` may look like a number. Such a text is a row if it has one character per square. Otherwise, if
    /// both readings are possible, the error shows them.
    ///
    /// # Errors
    /// If the text is neither a number nor rows, or may be both.
    pub(super) fn read_rows_or_number(
        self,
        text: &str,
        cells: u32,
        is_mark: impl Fn(char) -> bool,
        rows: impl FnOnce() -> Result<Board, NotationError>,
    ) -> Result<Board, NotationError> {
        let Some(number) = number::read(text, cells, "squares") else { return rows() };
        // Decimal digits are marks only if all of them are zeros, and then both readings are the empty board.
        let has_prefix = text.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
        if self.rows != 1 || !has_prefix || !text.chars().all(is_mark) {
            return number;
        }
        match (number, text.chars().count() as u32) {
            (Ok(board), squares) if squares != self.cols => {
                let expected = format!("a row of {} squares, or a number that is not also a row", self.cols);
                let found = format!("a row of {squares} squares or the number {}", board.number());
                Err(NotationError::new(text, expected, found))
            }
            _ => rows(),
        }
    }
}

/// Rows of a text, as errors expect them.
pub(super) fn rows_in_words(rows: usize) -> String {
    format!("{rows} rows with / between them")
}

/// Marks in columns of the given widths, each after a blank. New marks are in brackets, which replace blanks so that
/// the columns stay aligned. Neighbours share a pair of brackets: ` X(O O).`.
pub(super) fn line_of_marks(marks: impl Iterator<Item = (char, usize, bool)>) -> String {
    let mut line = String::new();
    let mut was_new = false;
    for (mark, width, is_new) in marks {
        let blanks = line.len()..line.len() + width;
        line.extend(std::iter::repeat_n(' ', width));
        // A mark is one character but may take several bytes. Only blanks lie between two marks.
        if was_new && !is_new {
            line.replace_range(blanks.start..=blanks.start, ")");
        } else if is_new && !was_new {
            line.replace_range(blanks.end - 1..blanks.end, "(");
        }
        line.push(mark);
        was_new = is_new;
    }
    if was_new {
        line.push(')');
    }
    line
}

/// The letters of a column: `a` to `z`, then `aa`, `ab` and so on, as in spreadsheets.
pub(super) fn column_name(col: u32) -> String {
    let letter = char::from(b'a' + (col % 26) as u8);
    match col / 26 {
        0 => letter.to_string(),
        more => column_name(more - 1) + &letter.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Grid = Grid { rows: 2, cols: 3 };

    #[test]
    fn squares_are_counted_in_reading_order() {
        assert_eq!(WIDE.square(0, 0), Board::from_word(0b100_000));
        assert_eq!(WIDE.square(1, 2), Board::from_word(1));
        assert_eq!(WIDE.coords(Board::from_word(0b010_001)).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        assert_eq!([0, 25, 26, 39].map(|col| Grid::name(0, col)), ["a1", "z1", "aa1", "an1"]);
    }

    #[test]
    fn drawings() {
        let mark = |square| if Board::from_word(0b110_001).contains(square) { 'X' } else { '.' };
        assert_eq!(WIDE.rows(mark), "XX./..X");
        assert_eq!(WIDE.draw(mark), "  a b c\n1 X X .\n2 . . X");
        let tall = Grid { rows: 10, cols: 1 }.draw(|_| '.');
        assert!(tall.starts_with("   a\n 1 .\n") && tall.ends_with("\n10 ."));
    }

    #[test]
    fn new_marks_are_in_brackets() {
        let line = |text: &str, new: &str, width| {
            line_of_marks(text.chars().zip(new.chars()).map(|(mark, new)| (mark, width, new == '1')))
        };
        assert_eq!(line("XO.X", "0000", 1), " X O . X");
        assert_eq!(line("XO.X", "0100", 1), " X(O). X");
        assert_eq!(line("XO.X", "1101", 1), "(X O).(X)");
        assert_eq!(line("XO.X", "1111", 1), "(X O . X)");
        assert_eq!(line("XO.X", "0110", 2), "  X (O  .) X");
        let mark = |square| if Board::from_word(0b110_001).contains(square) { 'X' } else { '.' };
        assert_eq!(WIDE.draw_new(mark, |square| square == Board::from_word(1)), "  a b c\n1 X X .\n2 . .(X)");
    }

    #[test]
    fn numbers() {
        let read = |text| WIDE.read_number(text).expect("a number").map_err(|e| e.to_string());
        assert_eq!(read("0b110_001"), Ok(Board::from_word(0b110_001)));
        assert_eq!(
            (read("0x31"), read("0X3f"), read("63"), read("6_3")),
            (Ok(Board::from_word(49)), Ok(Board::from_word(63)), Ok(Board::from_word(63)), Ok(Board::from_word(63)))
        );
        assert!(
            read("0b11000").unwrap_err().contains("expected a binary digit for each of the 6 squares, found 5 digits")
        );
        assert!(read("0b1100012").unwrap_err().contains("expected binary digits, found '2'"));
        assert!(read("0b").unwrap_err().contains("found none"));
        assert!(read("64").unwrap_err().contains("from 0 to 63 = 0x3f"));
        assert!(read("0xfffffffffffffffffffffff").unwrap_err().contains("a larger one"));
        assert!(read("0xfg").unwrap_err().contains("'g'"));
        assert!(WIDE.read_number("XX./...").is_none() && WIDE.read_number("").is_none());
    }

    #[test]
    fn rows_are_counted() {
        let read = |text| {
            let mut board = Board::EMPTY;
            let mark = |square, character| {
                if character == 'X' {
                    board |= square;
                }
                "X.".contains(character)
            };
            WIDE.read_rows(text, "X or .", mark).map(|()| board).map_err(|e| e.to_string())
        };
        assert_eq!(read("X../..X"), Ok(Board::from_word(0b100_001)));
        assert!(read("X..").unwrap_err().contains("expected 2 rows with / between them, found 1"));
        assert!(read("X../..X/").unwrap_err().contains("found 3"));
        assert!(read("X../..").unwrap_err().contains("expected 3 squares in row 2, found 2"));
        assert!(read("X../.é.").unwrap_err().contains("'é' at b2"));
    }
}
