//! Rows of data sets that have one field for each square of a board.

use crate::answer::question::numbered;
use tablegen_games::{Game, NotationError, Scene};
use tablegen_rules::{Board, Position};

/// A square in a row, with its cell in each colour.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Square {
    name: String,
    cells: Vec<Board>,
}

/// Which field of a row has which square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SquareFields {
    /// The square of each field; `None` for a field that is not a square.
    squares: Vec<Option<Square>>,
    /// The signs of the colours.
    signs: Vec<char>,
    /// True if they are all squares of the board, and rows have no further ones.
    is_whole: bool,
}

impl SquareFields {
    /// The fields that `text` names: `rows`, all squares in reading order; `columns`, all squares column by column, each from the bottom;
    /// or a list of squares and `-`, with commas between them.
    ///
    /// # Errors
    /// If the game has no such square, a square is named twice, squares are not what the game has, or a board does not tell who moves.
    pub fn read(game: &dyn Game, text: &str) -> Result<Self, NotationError> {
        let Scene { mut places, signs, areas, .. } = game.scene();
        if areas.iter().any(|area| !area.name.is_empty()) {
            return Err(NotationError::new(text, "a game with pieces on squares", "pits"));
        }
        let starts = game.rules().start_positions();
        if starts.iter().any(|start| game.of_number("", None, start.board).is_err()) {
            let found = "one in which either player may be on move on one board";
            return Err(NotationError::new(text, "a game whose pieces tell who moves", found));
        }
        if text == "columns" {
            places.sort_by(|a, b| a.at[0].total_cmp(&b.at[0]).then(b.at[1].total_cmp(&a.at[1])));
        }
        let square =
            |place: &tablegen_games::ScenePlace| Square { name: place.name.clone(), cells: place.cells.clone() };
        if matches!(text, "rows" | "columns") {
            let squares = places.iter().map(|place| Some(square(place))).collect();
            return Ok(Self { squares, signs, is_whole: true });
        }
        let mut squares: Vec<Option<Square>> = Vec::new();
        for name in text.split(',') {
            let found = places.iter().find(|place| place.name == name);
            if found.is_none() && name != "-" {
                let expected = "rows, columns, or names of squares and - with commas between them";
                return Err(NotationError::new(text, expected, format!("{name:?}")));
            }
            if squares.iter().flatten().any(|square| square.name == name) {
                return Err(NotationError::new(text, "each square once", format!("{name} twice")));
            }
            squares.push(found.map(square));
        }
        Ok(Self { squares, signs, is_whole: false })
    }

    /// The number of fields that a row has at least.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.squares.len()
    }

    /// True if `fields` are the names of columns: one of the squares has no sign, and no two have the same name.
    #[must_use]
    pub fn is_heading(&self, fields: &[&str]) -> bool {
        let of_squares =
            || self.squares.iter().zip(fields).filter_map(|(square, field)| square.as_ref().map(|_| field));
        let mut names: Vec<&str> = of_squares().map(|name| name.trim()).collect();
        names.sort_unstable();
        let is_named = fields.len() >= self.squares.len() && names.windows(2).all(|pair| pair[0] != pair[1]);
        is_named && of_squares().any(|field| self.state(field).is_none())
    }

    /// The position of `game` in a row with these fields. The numbers of pieces tell whose turn it is.
    ///
    /// # Errors
    /// If a field is missing or has no sign, or the game has no such position.
    pub fn position(&self, game: &dyn Game, fields: &[&str]) -> Result<Position, NotationError> {
        if fields.len() < self.squares.len() {
            let expected = format!("at least {} fields", self.squares.len());
            return Err(NotationError::new(&fields.join(","), expected, fields.len().to_string()));
        }
        let is_square = |field: &&str| !field.trim().is_empty() && self.state(field).is_some();
        if let Some(field) = fields.get(self.squares.len()).filter(|field| self.is_whole && is_square(field)) {
            let expected = format!("{} squares, and then other columns", self.squares.len());
            let found = format!("{} fields, and one more square {field:?}", fields.len());
            return Err(NotationError::new(&fields.join(","), expected, found));
        }
        let mut board = Board::EMPTY;
        for (square, field) in self.squares.iter().zip(fields) {
            let Some(Square { name, cells }) = square else { continue };
            let cell = match self.state(field) {
                Some(0) => continue,
                Some(colour) => cells.get(colour - 1).copied().filter(|cell| *cell != Board::EMPTY),
                None => None,
            };
            let Some(cell) = cell else {
                let expected = format!("x, o or b at {name}");
                return Err(NotationError::new(&fields.join(","), expected, format!("{field:?}")));
            };
            board |= cell;
        }
        numbered(game, "", None, board)
            .map_err(|error| NotationError::new(&fields.join(","), error.expected, error.found))
    }

    /// The colour of the sign `field`, from 1; 0 for a free square. `x` and `o` are the first and the second colour of every game.
    fn state(&self, field: &str) -> Option<usize> {
        let field = field.trim();
        if field.is_empty() {
            return Some(0);
        }
        let mut signs = field.chars();
        let (Some(sign), None) = (signs.next(), signs.next()) else { return None };
        if let Some(colour) = self.signs.iter().position(|&own| own == sign) {
            return Some(colour + 1);
        }
        match sign {
            'b' | '.' | '_' | '-' => Some(0),
            'x' | 'X' => Some(1),
            'o' | 'O' => Some(2),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use tablegen_games::Parameters;

    #[test]
    fn rows_and_columns_name_all_squares() {
        let four = game("connect-four", &Parameters::new().with("rows", 2).with("cols", 3)).unwrap();
        let of = |text: &str, row: &str| {
            let fields: Vec<&str> = row.split(',').collect();
            let position = SquareFields::read(four.as_ref(), text)?.position(four.as_ref(), &fields);
            position.map(|position| four.write(position.into()))
        };
        // The bottom of the first column, and of the second one.
        let expected = Ok(".../XO. x".to_owned());
        assert_eq!(of("columns", "x,b,o,b,b,b,win"), expected);
        assert_eq!(of("rows", "b,b,b,x,o,b"), expected);
        assert_eq!(of("-,a2,b2", "7,x,o"), expected);
        for (text, row) in [("rows", "b,b"), ("rows", "b,b,b,x,?,b"), ("a2,a2", "x,x"), ("z9", "x")] {
            assert!(of(text, row).is_err(), "{text} {row}");
        }
        let fields = SquareFields::read(four.as_ref(), "rows").unwrap();
        assert!(fields.is_heading(&["a1", "b1", "c1", "a2", "b2", "c2", "class"]) && fields.count() == 6);
        assert!(!fields.is_heading(&["x", "o", "b", "b", "b", "b", "win"]));
        // Numbers that repeat, and a row with other separators, are data that cannot be read.
        assert!(!fields.is_heading(&["1", "-1", "0", "0", "0", "0"]) && !fields.is_heading(&["x;o;b;b;b;b"]));
        // A row of a larger board is none of this board, whatever its first fields are.
        let larger = of("rows", "b,b,b,x,o,b,b,b,win").expect_err("a larger board").to_string();
        assert!(larger.contains("6 squares") && of("-,a2,b2", "7,x,o,x").is_ok(), "{larger}");
    }

    #[test]
    fn games_that_such_rows_cannot_describe_are_refused() {
        for (name, found) in [("kalah", "pits"), ("reversi", "either player")] {
            let game = game(name, &Parameters::new()).unwrap();
            let error = SquareFields::read(game.as_ref(), "rows").expect_err(name).to_string();
            assert!(error.contains(found), "{error}");
        }
    }
}
