//! The rows of a board as a game's own notation writes them, and the translation of other signs into its signs.

use crate::error::Fault;
use crate::rules::{Node, Position};
use crate::{Game, Reading, position_of};

/// The signs of free squares in other notations.
const FREE: [char; 3] = ['.', '_', '-'];
/// A square outside of the board.
pub(super) const HOLE: char = '#';
/// A square filled in both colours.
const BLOCKED: char = '*';

/// The rows of a game whose own notation is rows of signs, perhaps with a mode after them.
pub(super) struct Shape<'g> {
    game: &'g dyn Game,
    /// The number of squares in each row, with holes.
    pub(super) rows: Vec<usize>,
    /// The sign of a piece: of the first side, then of the second, or of both.
    pub(super) signs: Vec<char>,
    has_holes: bool,
    /// The names of the sides, the one that begins first.
    sides: Option<[String; 2]>,
}

impl<'g> Shape<'g> {
    /// `None` if the own notation of `game` is not rows of signs.
    pub(super) fn of(game: &'g dyn Game) -> Option<Self> {
        let start = *game.rules().start_positions().first()?;
        let text = game.write(start.into());
        let board = text.split(' ').next().unwrap_or_default();
        let mut signs = game.colours().map_or_else(|| vec!['X'], Vec::from);
        let is_sign = |c: char| c == '.' || c == HOLE || c == BLOCKED || c == '/' || signs.contains(&c);
        if board.is_empty() || !board.chars().all(is_sign) {
            return None;
        }
        let mut sides = game.sides();
        let begins = game.players(start.into()).map(|[mover, _]| mover);
        if let Some([first, second]) = &mut sides
            && begins.is_some_and(|name| name == *second)
        {
            std::mem::swap(first, second);
            signs.reverse();
        }
        let rows = board.split('/').map(|row| row.chars().count()).collect();
        Some(Self { game, rows, signs, has_holes: board.contains(HOLE), sides })
    }

    /// The number of squares, with holes.
    pub(super) fn squares(&self) -> usize {
        self.rows.iter().sum()
    }

    /// The game's own sign for `sign`: a piece of the side that begins is X, x, @ or its own sign, one of the other side O or its own sign.
    pub(super) fn own(&self, sign: char) -> Option<char> {
        let is = |own: &&char| own.eq_ignore_ascii_case(&sign);
        if FREE.contains(&sign) {
            return Some('.');
        }
        if sign == HOLE && self.has_holes {
            return Some(HOLE);
        }
        if let Some(&own) = self.signs.iter().find(is) {
            return Some(own);
        }
        match (sign, &self.signs[..]) {
            ('X' | 'x' | '@', [first, ..]) => Some(*first),
            ('#' | '*', [one]) => Some(*one),
            ('O' | 'o', [_, second]) => Some(*second),
            ('#' | '*', [_, _]) => Some(BLOCKED),
            _ => None,
        }
    }

    /// The name of the mode in which the side moves that `word` names, or the mode itself.
    fn mode(&self, word: &str) -> Option<&'g str> {
        let rules = self.game.rules();
        if let Some(mode) = rules.modes().iter().find(|mode| mode.eq_ignore_ascii_case(word)) {
            return Some(mode);
        }
        let mut letters = word.chars();
        let side = match (letters.next()?, letters.next(), &self.signs[..]) {
            (sign, None, [_, second]) if second.eq_ignore_ascii_case(&sign) => 1,
            (sign, None, [first, _]) if first.eq_ignore_ascii_case(&sign) => 0,
            ('X' | 'x' | '*' | '@' | 'B' | 'b' | 'L' | 'l', None, _) => 0,
            ('O' | 'o' | 'W' | 'w' | 'R' | 'r', None, _) => 1,
            _ => ["first", "second"].iter().position(|name| name.eq_ignore_ascii_case(word))?,
        };
        let name = &self.sides.as_ref()?[side];
        let moves = |at: &usize| {
            let position = Position::new(crate::rules::Mode(*at as u16), Default::default());
            self.game.players(position.into()).is_some_and(|[mover, _]| mover == *name)
        };
        // A mode may also say more than the side, such as pieces in hand.
        let mut modes = (0..rules.modes().len()).filter(moves);
        let named = rules.modes().iter().find(|mode| *mode == name);
        let only = modes.next().filter(|_| modes.next().is_none()).map(|at| &rules.modes()[at]);
        named.or(only).map(String::as_str)
    }

    /// Reads the board `signs`, which are the game's own, without slashes, with the side or mode `word` to move.
    pub(super) fn read(&self, signs: &str, word: Option<&str>) -> Result<Reading, Fault> {
        let mut signs = signs.chars();
        let rows: Vec<String> = self.rows.iter().map(|&length| signs.by_ref().take(length).collect()).collect();
        let mut text = rows.join("/");
        if let Some(word) = word {
            let modes = self.game.rules().modes();
            let mode = self.mode(word).ok_or_else(|| {
                let form = self.game.modes_in_words(word);
                let form = form.unwrap_or_else(|| format!("one of {}", crate::number::listed(modes)));
                Fault::new(format!("{form} after the board"), format!("{word:?}"))
            })?;
            if modes.len() > 1 {
                // Games in which the board decides do not write the mode.
                let with_mode = format!("{text} {mode}");
                if let Ok(reading) = self.game.read(&with_mode) {
                    return Ok(reading);
                }
                let reading = self.game.read(&text).map_err(Fault::from)?;
                let found = self.game.rules().mode_name(position_of(reading.node).mode).unwrap_or_default();
                if found == mode {
                    return Ok(reading);
                }
                return Err(Fault::new(format!("{found} to move on this board"), mode));
            }
        }
        text = text.trim().to_owned();
        self.game.read(&text).map_err(Fault::from)
    }

    /// The squares of `node` in one row, and its mode, if the own notation writes one.
    pub(super) fn write(&self, node: Node) -> Option<(String, Option<String>)> {
        let text = self.game.write(node);
        let (board, mode) = text.split_once(' ').map_or((&*text, None), |(board, mode)| (board, Some(mode)));
        let signs: String = board.chars().filter(|&c| c != '/').collect();
        let is_sign = |c: char| c == '.' || c == HOLE || c == BLOCKED || self.signs.contains(&c);
        let fits = signs.chars().count() == self.squares() && signs.chars().all(is_sign);
        fits.then(|| (signs, mode.map(str::to_owned)))
    }

    /// The sign X or O of a piece in `sign`, which is the game's own.
    pub(super) fn usual(&self, sign: char) -> char {
        match self.signs.iter().position(|&own| own == sign) {
            Some(0) => 'X',
            Some(_) => 'O',
            None => sign,
        }
    }

    /// X or O for the side to move at `node`; `None` if that does not tell the mode.
    pub(super) fn side(&self, node: Node) -> Option<char> {
        let [mover, _] = self.game.players(node)?;
        let side = self.sides.as_ref()?.iter().position(|name| *name == mover)?;
        let sign = ['X', 'O'][side];
        let mode = self.game.rules().mode_name(position_of(node).mode)?;
        (self.mode(&sign.to_string())? == mode).then_some(sign)
    }
}
