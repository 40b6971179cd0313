//! Positions that users ask about.

use tablegen_games::{
    Game, Notation, NotationError, Reading, UnwrittenError, or_numbered, read_position, read_position_file, write_as,
};
use tablegen_rules::{Board, Mode, Node, Position};

/// A position to answer.
#[derive(Clone, Debug)]
pub enum Asked {
    /// A position of the rules.
    Node(Reading),
    /// A text that the game itself answers; `None` is the start position.
    Text(Option<String>),
}

impl Asked {
    /// The position of `game` that `text` names, in one of its notations or by its board number; `None` or
    /// no text is the start position. Surrounding blanks are ignored. A text of several lines is read like [a file](Self::in_file).
    ///
    /// # Errors
    /// If the text is not a position of the game. The error may name another [size](NotationError::size).
    pub fn typed(game: &dyn Game, text: Option<&str>) -> Result<Self, NotationError> {
        let Some(text) = text else { return Self::read(game, None) };
        if text.trim().contains('\n') {
            return Self::in_file(game, text);
        }
        Self::read(game, Some(text)).map_err(|error| error.with_size(game, text))
    }

    /// Like [`typed`](Self::typed), without a look at other sizes, for one of many texts.
    pub(crate) fn read(game: &dyn Game, text: Option<&str>) -> Result<Self, NotationError> {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        match (text, game.off_table()) {
            (Some(text), Some(off_table)) => match off_table.check(text) {
                Ok(()) => Ok(Self::Text(Some(text.into()))),
                Err(own) => {
                    let reading = or_numbered(game, text, Err(own))?;
                    Ok(Self::Text(Some(game.write(reading.node))))
                }
            },
            (Some(text), None) => read_position(game, text).map(Self::Node),
            (None, Some(_)) => Ok(Self::Text(None)),
            (None, None) => Ok(Self::Node(game.rules().start_node().into())),
        }
    }

    /// The position of `game` with this board, in `mode`; if that is `None`, in the mode that the board implies.
    ///
    /// # Errors
    /// If the mode or the board does not exist in the rules, or the board does not imply a mode.
    pub fn numbered(game: &dyn Game, mode: Option<Mode>, board: Board) -> Result<Self, NotationError> {
        let text = match mode {
            Some(mode) => format!("{}:{board:#x}", mode.0),
            None => format!("{board:#x}"),
        };
        let node = Node::At(numbered(game, &text, mode, board)?);
        Ok(match game.off_table() {
            Some(_) => Self::Text(Some(game.write(node))),
            None => Self::Node(node.into()),
        })
    }

    /// The text of the position of `game` in `notation`.
    ///
    /// # Errors
    /// If the game does not have the notation, or the notation cannot write the position.
    pub fn text_in(&self, game: &dyn Game, notation: Notation) -> Result<String, UnwrittenError> {
        match self {
            Self::Node(reading) => write_as(game, reading.node, reading.lead, notation),
            Self::Text(_) => Err(UnwrittenError::no_notation(game, notation)),
        }
    }

    /// Like [`text_in`](Self::text_in), with `None` for a position that the notation cannot write.
    ///
    /// # Errors
    /// If the game does not have the notation.
    pub fn optional_text_in(&self, game: &dyn Game, notation: Notation) -> Result<Option<String>, UnwrittenError> {
        match self.text_in(game, notation) {
            Err(error) if error.is_of_position => Ok(None),
            text => text.map(Some),
        }
    }

    /// The position of `game` in `content`, the content of a file.
    ///
    /// # Errors
    /// As [`typed`](Self::typed).
    pub fn in_file(game: &dyn Game, content: &str) -> Result<Self, NotationError> {
        let read = match game.off_table() {
            Some(_) => Self::read(game, Some(content)),
            None => read_position_file(game, content).map(Self::Node),
        };
        read.map_err(|error| error.with_size(game, content))
    }
}

/// The position of `game` with this board, in `mode` or in the mode that the board implies. Errors quote `text`.
pub(crate) fn numbered(
    game: &dyn Game,
    text: &str,
    mode: Option<Mode>,
    board: Board,
) -> Result<Position, NotationError> {
    let (rules, full) = (game.rules(), Board::full(game.rules().cells()));
    if !full.contains(board) {
        return Err(NotationError::new(text, format!("a board from 0 to {full:#x}"), format!("{board:#x}")));
    }
    if let Some(Mode(mode)) = mode.filter(|&mode| !rules.has(Position::new(mode, board))) {
        let expected = format!("a mode from 0 to {}", rules.modes().len() - 1);
        return Err(NotationError::new(text, expected, mode.to_string()));
    }
    game.of_number(text, mode, board)
}
