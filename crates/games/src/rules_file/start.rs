//! The `[start]` of a rules file: a position, or an opening.

use super::error::Read;
use super::reader::RulesReader;
use super::source::{Item, Keys, tables};
use super::swap::Swap;
use super::turns::Turns;
use crate::rules::{Board, Mode, Position, Start};

impl RulesReader<'_> {
    /// Reads `filled`: a table from the letter of a colour to the area filled in that colour. Adds it to `board`.
    fn filled(&self, item: Item<'_>, mut board: Board) -> Read<Board> {
        let marks = &self.squares.marks;
        let letters: Vec<String> = marks.iter().map(char::to_string).collect();
        for (letter, area) in item.any_keys("filled")?.rest() {
            let colour = letters.iter().position(|mark| mark == letter);
            let colour =
                colour.ok_or_else(|| area.found(format!("one of the letters {}", letters.join(" ")), letter))?;
            let before = self.squares.touched(board);
            for square in self.setup().choose(area)? {
                if before.contains(&square) {
                    let found = format!("{} filled already", self.squares.name(square));
                    return Err(area.found("an area of squares that nothing else fills", found));
                }
                board |= self.squares.cell(square, colour as u32).unwrap_or_default();
            }
        }
        Ok(board)
    }

    /// Reads `start`, a position or a list to choose from. Also returns whether it fixes the side that begins.
    pub(super) fn start(&self, item: Option<Item<'_>>) -> Read<(Start, bool)> {
        let first = if matches!(self.turns, Turns::Swap(_)) { Swap::OPENS } else { Mode(0) };
        let Some(item) = item else { return Ok((Start::At(Position::new(first, Board::EMPTY)), false)) };
        const KEYS: [&str; 4] = ["board", "filled", "side", "mode"];
        let position = |keys: &mut Keys<'_>| -> Read<(Position, bool)> {
            self.refuse_others(keys)?;
            let mode = match &self.turns {
                Turns::Impartial => None,
                Turns::Sides | Turns::Hand(_) | Turns::Swap(_) => keys.take("side"),
                Turns::Modes => keys.take("mode"),
            };
            let mut board = keys.take("board").map_or(Ok(Board::EMPTY), |item| self.cells(item, self.only_colour()))?;
            if let Some(item) = keys.take("filled") {
                board = self.filled(item, board)?;
            }
            let settled = mode.is_some();
            Ok((Position::new(mode.map_or(Ok(first), |item| self.mode(item))?, board), settled))
        };
        if item.is_table() {
            let (start, settled) = position(&mut item.keys("[start]", &[&KEYS])?)?;
            return Ok((Start::At(start), settled));
        }
        let mut choices = Vec::new();
        let before = self.mistakes.count();
        for (_, mut keys) in tables(Some(item), "[[start]]", &[&KEYS]) {
            // The choice does not say who begins: the first player chooses, and the other player moves from it.
            if matches!(self.turns, Turns::Sides | Turns::Hand(_)) && !keys.has("side") && !keys.has_unknown() {
                self.mistakes.note(keys.missing("`side`, the side that moves after the choice,"));
                continue;
            }
            choices.extend(self.mistakes.keep(position(&mut keys)).map(|(position, _)| position));
        }
        item.ensure(!choices.is_empty() || self.mistakes.count() > before, "at least one position to choose", "none")?;
        Ok((Start::Opening(choices), true))
    }
}
