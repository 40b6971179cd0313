//! Texts of boards in which each square has a character of its own, written and read many at a time.

use std::sync::OnceLock;

use crate::rules::{Board, Mode, Rules};

/// The form of a game's texts of boards, found on first use.
///
/// The form comes from the game's plain writer: the text of the empty board, and what the cells of each square change in it. So a game
/// states its notation once. In that writer, the character of a square must depend on its own cells alone. Texts without such a form are
/// left to the plain writer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Template(OnceLock<Option<Form>>);

impl Template {
    /// Appends the text of `board`, which has `cells` cells, to `out`. It is `plain(board)`.
    pub(crate) fn write(&self, cells: u32, board: Board, out: &mut Vec<u8>, plain: impl Fn(Board) -> String) {
        match self.form(cells, &plain) {
            Some(form) => form.write(board, out),
            None => out.extend_from_slice(plain(board).as_bytes()),
        }
    }

    /// The board of `cells` cells whose text is `text`, letter for letter. `None` if there is none, or no form.
    pub(crate) fn read(&self, cells: u32, text: &str, plain: impl Fn(Board) -> String) -> Option<Board> {
        self.form(cells, &plain)?.read(text.as_bytes())
    }

    fn form(&self, cells: u32, plain: &impl Fn(Board) -> String) -> Option<&Form> {
        self.0.get_or_init(|| Form::of(cells, plain)).as_ref()
    }
}

/// Appends the name of `mode` after a blank to `out`, if there are several modes.
pub(crate) fn write_mode(rules: &Rules, mode: Mode, out: &mut Vec<u8>) {
    if let Some(name) = rules.mode_name(mode) {
        out.push(b' ');
        out.extend_from_slice(name.as_bytes());
    }
}

/// Texts of one length in ASCII, in which each square is one character.
#[derive(Clone, Debug)]
struct Form {
    /// The text of the empty board.
    empty: Vec<u8>,
    /// The character of each cell, by its bit in a board number.
    signs: Vec<Sign>,
    /// The lowest cell of the square at each place of the text.
    lowest: Vec<Option<u8>>,
    /// The number of squares, and the character of a square that is filled in both colours, on a board of two colours. The other
    /// cell of a square has the number of squares added to its bit.
    both: Option<(u32, u8)>,
}

/// The character of a filled cell, and its place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sign {
    place: u16,
    sign: u8,
}

impl Form {
    /// The form of the texts of `plain`; `None` if they have none.
    fn of(cells: u32, plain: &impl Fn(Board) -> String) -> Option<Self> {
        let empty = plain(Board::EMPTY).into_bytes();
        // The only character that the cells of `board` change.
        let change = |board| {
            let text = plain(board);
            let is_as_long = text.is_ascii() && text.len() == empty.len();
            let mut changes = text.bytes().zip(&empty).enumerate().filter(|(_, (sign, free))| sign != *free);
            let (place, (sign, _)) = changes.next().filter(|_| is_as_long)?;
            changes.next().is_none().then_some(Sign { place: place.try_into().ok()?, sign })
        };
        let signs = (0..cells).map(|bit| change(Board::bit(bit))).collect::<Option<Vec<Sign>>>()?;
        let place = |bit: u32| signs[bit as usize].place;
        let half = cells / 2;
        let are_pairs = cells.is_multiple_of(2) && (0..half).all(|bit| place(bit) == place(bit + half));
        let both = if are_pairs {
            let mut all = (0..half).map(|bit| Some(change(Board::bit(bit) | Board::bit(bit + half))?.sign));
            let sign = all.next()??;
            Some((half, sign)).filter(|_| all.all(|other| other == Some(sign))).map(Some)?
        } else {
            None
        };
        let mut lowest = vec![None; empty.len()];
        for bit in 0..both.map_or(cells, |(squares, _)| squares) {
            // Each square has a place of its own.
            if lowest[usize::from(place(bit))].replace(bit as u8).is_some() {
                return None;
            }
        }
        empty.is_ascii().then_some(Self { empty, signs, lowest, both })
    }

    fn write(&self, board: Board, out: &mut Vec<u8>) {
        let first = out.len();
        out.extend_from_slice(&self.empty);
        let text = &mut out[first..];
        for bit in board.bits() {
            let Sign { place, sign } = self.signs[bit as usize];
            text[usize::from(place)] = sign;
        }
        if let Some((squares, sign)) = self.both {
            for bit in (board & board >> squares & Board::full(squares)).bits() {
                text[usize::from(self.signs[bit as usize].place)] = sign;
            }
        }
    }

    fn read(&self, text: &[u8]) -> Option<Board> {
        if text.len() != self.empty.len() {
            return None;
        }
        let mut board = Board::EMPTY;
        for (place, (&sign, free)) in text.iter().zip(&self.empty).enumerate() {
            if sign != *free {
                board |= self.filled(u32::from(self.lowest[place]?), sign)?;
            }
        }
        Some(board)
    }

    /// The cells that show `sign` on the square whose lowest cell is `bit`.
    fn filled(&self, bit: u32, sign: u8) -> Option<Board> {
        let shows = |bit: u32| self.signs[bit as usize].sign == sign;
        match self.both {
            _ if shows(bit) => Some(Board::bit(bit)),
            Some((squares, _)) if shows(bit + squares) => Some(Board::bit(bit + squares)),
            Some((squares, both)) if sign == both => Some(Board::bit(bit) | Board::bit(bit + squares)),
            _ => None,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::rules::{Node, Position};
    use crate::{FAMILIES, Game, LIBRARY, Parameters};

    /// Boards of a game: none filled, each cell, all, and some others.
    pub(crate) fn boards(cells: u32) -> impl Iterator<Item = Board> {
        let mixed = (1..400u128).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
        let sparse = mixed.clone().map(|number| number & number.rotate_left(29) & number.rotate_left(61));
        let all = (0..128).map(|bit| 1 << bit).chain([0, u128::MAX]).chain(mixed).chain(sparse);
        all.map(move |number| Board::from_number(number) & Board::full(cells))
    }

    #[test]
    fn every_game_writes_the_texts_of_its_plain_writer() {
        let library = LIBRARY.iter().map(|game| Box::new(game.read(&Parameters::new()).unwrap()) as Box<dyn Game>);
        let families = FAMILIES.iter().filter_map(|family| family.make(&Parameters::new()).ok());
        for game in library.chain(families) {
            let (mut out, modes) = (Vec::new(), game.rules().modes().len() as u16);
            let at = |(board, mode)| Node::At(Position::new(Mode(mode), board));
            let nodes = boards(game.rules().cells()).zip((0..modes).cycle()).map(at);
            for node in nodes.chain([game.rules().start_node()]) {
                let before = out.len();
                game.write_to(node, &mut out);
                assert_eq!(String::from_utf8_lossy(&out[before..]), game.write(node), "{}", game.rules().name());
            }
        }
    }

    #[test]
    fn texts_of_two_colours_are_written_and_read_back() {
        // The first colour has the higher cells. The middle of three squares is free in every text.
        let plain = |board: Board| {
            let sign = |square: u32| match [board.has(2 + square), board.has(square)] {
                [false, false] => '.',
                [true, false] => 'X',
                [false, true] => 'O',
                [true, true] => '*',
            };
            format!("{}#{}", sign(1), sign(0))
        };
        let template = Template::default();
        for (number, text) in [(0b0000, ".#."), (0b1001, "X#O"), (0b0111, "O#*"), (0b1111, "*#*")] {
            let (board, mut out) = (Board::from_word(number), Vec::new());
            template.write(4, board, &mut out, plain);
            assert_eq!((out.as_slice(), plain(board).as_str()), (text.as_bytes(), text));
            assert_eq!(template.read(4, text, plain), Some(board));
        }
        for other in ["", ".#", "..", ".#.#", "x#.", ".X.", ".#-", "\u{e9}."] {
            assert_eq!(template.read(4, other, plain), None, "{other}");
        }
    }

    #[test]
    fn texts_without_a_form_are_left_to_the_plain_writer() {
        // One sign outside ASCII; a text whose length changes; two cells in one place.
        let forms: [fn(Board) -> String; 3] = [
            |board| if board.has(0) { "\u{25cf}".into() } else { "abc".into() },
            |board| board.number().to_string().repeat(board.count() as usize),
            |board| if board.count() == 1 { "1".into() } else { "0".into() },
        ];
        for plain in forms {
            let (template, mut out) = (Template::default(), Vec::new());
            boards(3).for_each(|board| template.write(3, board, &mut out, plain));
            assert_eq!(String::from_utf8(out).unwrap(), boards(3).map(plain).collect::<String>());
            assert_eq!(template.read(3, &plain(Board::bit(0)), plain), None);
        }
    }
}
