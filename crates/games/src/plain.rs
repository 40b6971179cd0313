//! A notation for any rules: a mode and a board number.

use super::number::named_mode;
use super::{Game, NotationError, Reading};
use crate::rules::{Board, Descriptor, Mode, Node, Position, Rules};

/// The notation of rules that belong to no family: `mode:board` with the board as a number, or only the number if there
/// is only one mode. The opening, if there is one, is `start`.
pub struct Plain {
    rules: Rules,
    descriptor: Descriptor,
}

impl Plain {
    /// The notation of `rules`. Tables of these rules will hold `descriptor`.
    #[must_use]
    pub const fn new(rules: Rules, descriptor: Descriptor) -> Self {
        Self { rules, descriptor }
    }
}

impl Game for Plain {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn descriptor(&self) -> Descriptor {
        self.descriptor.clone()
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        if text == "start" {
            return Ok(self.rules.start_node().into());
        }
        let expected = |modes| format!("one of the modes {modes}");
        let (mode, number) = match text.rsplit_once(':') {
            Some((mode, number)) => (named_mode(&self.rules, text, mode, expected)?, number),
            None if self.rules.modes().len() == 1 => (Mode(0), text),
            None => return Err(NotationError::new(text, "mode:board", "no colon")),
        };
        let board = match number.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let full = Board::full(self.rules.cells());
        match board.ok().map(Board::from_number) {
            Some(board) if full.contains(board) => Ok(Position::new(mode, board).into()),
            _ => Err(NotationError::new(text, format!("a board from 0 to {full:#x}"), format!("{number:?}"))),
        }
    }

    fn write(&self, node: Node) -> String {
        match node {
            Node::Opening => "start".into(),
            Node::At(position) => match self.rules.mode_name(position.mode) {
                Some(mode) => format!("{mode}:{:#x}", position.board),
                None => format!("{:#x}", position.board),
            },
        }
    }

    fn write_move(&self, _: Node, to: Position) -> String {
        self.write(to.into())
    }

    fn draw(&self, node: Node) -> String {
        self.write(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RulesSpec, Start};

    #[test]
    fn written_positions_read_back() {
        let start = Start::Opening(vec![Position::default()]);
        let rules = RulesSpec { modes: vec!["a".into(), "b:c".into()], start, ..RulesSpec::new("plain", 6) }
            .build()
            .expect("sound rules");
        let game = Plain::new(rules, Descriptor::default());
        let nodes = [Node::Opening, Position::new(Mode(1), Board::from_word(63)).into(), Position::default().into()];
        for node in nodes {
            assert_eq!(game.read(&game.write(node)).unwrap().node, node);
        }
        for text in ["", "0", "b:0", "a:64", "a:0x40", "a:", "c:1"] {
            assert!(game.read(text).is_err(), "{text:?}");
        }
    }
}
