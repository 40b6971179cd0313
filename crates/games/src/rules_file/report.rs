//! What `check` shows of a rules file.

use super::{EndExample, FileGame, FilePoints, MoveExample, Parameter, Turns};
use crate::rules::{Outcome, Position, Start, Terminal};

/// A summary of the game that a rules file defines, made without solving it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileReport {
    /// The name of the rules.
    pub name: String,
    /// A summary of the game in one line; empty if the file does not give one.
    pub summary: String,
    /// The origin of the game; empty if the file does not give one.
    pub source: String,
    /// The rules in words; empty if the file does not give them.
    pub rules: String,
    /// The parameters with their values.
    pub parameters: Vec<Parameter>,
    /// The number of squares or vertices, without holes.
    pub squares: u32,
    /// The number of cells: one for each square and colour.
    pub cells: u32,
    /// The names of the modes; empty if there is only one mode.
    pub modes: Vec<String>,
    /// The number of moves.
    pub moves: usize,
    /// The number of patterns that end the game.
    pub ends: usize,
    /// The number of pairs of a mode and a board, which is the number of positions in a dense table.
    pub positions: u128,
    /// The rule for a player without a move, in words.
    pub play: &'static str,
    /// True if the two sides have different moves.
    pub partisan: bool,
    /// The board before the first move, with the names of its squares.
    pub drawing: String,
    /// Warnings about likely mistakes in the file, in lines of text.
    pub warnings: Vec<String>,
    /// Each `[[move]]` of the file with one of its moves, up to 64 of them.
    pub examples: Vec<MoveExample>,
    /// Each `[[end]]` of the file with one of its patterns, up to 64 of them.
    pub end_examples: Vec<EndExample>,
    /// The points that the file counts, if it counts any.
    pub points: Option<FilePoints>,
    /// True if the second player may exchange sides after the first turn.
    pub swap: bool,
    /// The pieces that each side has in hand at the start, if there is a hand.
    pub in_hand: Option<[u32; 2]>,
}

impl FileGame {
    /// The warnings of reading the file, or that its start is over, if they do not say why.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.advice.warnings.clone();
        let is_over = |start: &Position| self.rules.choices((*start).into()).is_empty();
        if warnings.is_empty() && self.rules.start_positions().iter().all(is_over) {
            warnings.push("the game is over at its start".into());
        }
        warnings
    }

    /// A summary of the game that the file defines, made without solving it.
    #[must_use]
    pub fn report(&self) -> FileReport {
        let rules = &self.rules;
        let of_modes = &rules.spec().terminals;
        let counts_points = match &of_modes[..] {
            [] => rules.has_gains() && rules.terminal() == Outcome::Draw,
            all => all.iter().all(|terminal| matches!(terminal, Terminal::Most { .. })),
        };
        FileReport {
            name: rules.name().into(),
            summary: self.texts.summary.clone(),
            source: self.texts.source.clone(),
            rules: self.texts.rules.clone(),
            parameters: self.parameters.clone(),
            squares: self.squares.count(),
            cells: rules.cells(),
            modes: if rules.modes().len() == 1 { Vec::new() } else { rules.modes().to_vec() },
            moves: rules.moves().len(),
            ends: rules.ends().len() + rules.spec().count_ends.len(),
            positions: rules.positions(),
            play: match rules.terminal() {
                _ if counts_points => {
                    if self.fewest {
                        "points: the player with fewer points wins when a player cannot move"
                    } else {
                        "points: the player with more points wins when a player cannot move"
                    }
                }
                _ if !of_modes.is_empty() => "by mode: the mode decides the outcome for a player who cannot move",
                Outcome::Loss => "normal: the player who cannot move loses",
                Outcome::Win => "misere: the player who cannot move wins",
                Outcome::Draw => "draw: the game is a draw when a player cannot move",
            },
            partisan: self.is_partisan(),
            drawing: self.drawing(match rules.start() {
                Start::At(position) => *position,
                Start::Opening(_) => Position::default(),
            }),
            warnings: self.warnings(),
            examples: self.advice.examples(self),
            end_examples: self.end_examples(),
            points: self.counted_points(),
            swap: matches!(self.turns, Turns::Swap(_)),
            in_hand: if let Turns::Hand(hand) = &self.turns { Some(hand.full()) } else { None },
        }
    }
}
