//! Positions that the rules of a file cover. Reading refuses others, since the moves would not be those of the game there:
//!
//! - Nothing in the file blocks squares, and the position has a square that is filled in both colours. Then the masks do not
//!   test the other colour of a piece.
//! - A line of the picture hangs in the air, although `rests_on` takes such lines away.
//! - A heap, from which `take` takes squares, has a filled square between its free squares.
//! - A player has more pieces than `spares` allows for, or than have left the hand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::{FileGame, FilePlace, RulesFileError, Turns, resting, take};
use crate::rules::{Board, Mode, Position, Rules};
use crate::{Game, NotationError, Parameters};

/// The largest number of pieces of a colour in the positions of a mode, and the place of the number.
pub(super) type Spared = BTreeMap<(Mode, u32), (u32, FilePlace)>;

/// What every position of the game meets.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    /// The points on which lines rest, if lines fall.
    pub(super) ground: Option<Vec<bool>>,
    /// The numbers of pieces that `spares` allows for.
    pub(super) spared: Spared,
    /// The heaps from which moves take squares.
    heaps: Vec<Vec<usize>>,
    /// Whether the rules are right on boards with blocked squares, found on first use.
    knows_blocks: OnceLock<bool>,
}

impl Limits {
    pub(super) fn new(ground: Option<Vec<bool>>, spared: Spared, heaps: Vec<Vec<usize>>) -> Self {
        Self { ground, spared, heaps, knows_blocks: OnceLock::new() }
    }
}

impl FileGame {
    /// Returns whether play can lead to a square that is filled in both colours.
    pub(super) fn blocks_squares(&self) -> bool {
        let starts = self.rules.start_positions();
        let mut moves = self.rules.moves().iter().flat_map(|m| self.rules.each_line(m));
        starts.iter().any(|start| self.squares.are_blocked(start.board)) || moves.any(|m| self.squares.may_block(&m))
    }

    /// Returns whether the rules are right on boards with blocked squares: reading the file for such boards gives the same rules.
    fn knows_blocks(&self) -> bool {
        let with_blocks = || {
            let set = self.parameters.iter().fold(Parameters::new(), |set, it| set.with(&it.name, &it.value));
            Self::read_once(&self.text, &set, true).is_ok_and(|game| game.rules == self.rules)
        };
        self.squares.has_blocks || *self.limits.knows_blocks.get_or_init(with_blocks)
    }

    /// The position, if the rules cover it. Errors quote `text`.
    pub(super) fn covered(&self, text: &str, position: Position) -> Result<Position, NotationError> {
        let wrong = |expected: String, found: String| Err(NotationError::new(text, expected, found));
        if self.squares.are_blocked(position.board) && !self.knows_blocks() {
            let expected = "at most one colour on each square, since nothing in this game blocks squares";
            return wrong(expected.into(), "a square in both colours".into());
        }
        if let Some(line) = self.hanging(position.board) {
            let expected = "lines that others join to the ground";
            return wrong(expected.into(), format!("{line}, which hangs in the air"));
        }
        if let Some(square) = self.gap(position.board) {
            let expected = "the free squares of each heap on the left of its filled squares, since moves `take` them";
            return wrong(expected.into(), format!("{square}, which is free"));
        }
        if let Turns::Hand(hand) = &self.turns {
            for (colour, mark) in (0..).zip(&self.squares.marks) {
                let most = hand.most_on_board(position.mode, colour).unwrap_or(u32::MAX);
                let pieces = self.squares.pieces(position.board, colour);
                if pieces > most {
                    let mode = self.rules.mode_name(position.mode).unwrap_or_default();
                    let expected =
                        format!("at most {most} pieces {mark} on the board in {mode}, as many as left the hand");
                    return wrong(expected, pieces.to_string());
                }
            }
        }
        for (&(mode, colour), &(most, _)) in self.limits.spared.iter().filter(|((mode, _), _)| *mode == position.mode) {
            let pieces = self.squares.pieces(position.board, colour);
            if pieces > most {
                let mode = self.rules.mode_name(mode).map_or(String::new(), |mode| format!(" in {mode}"));
                let mark = self.squares.marks[colour as usize];
                return wrong(
                    format!("at most {most} pieces {mark}{mode}, the number in `spares`"),
                    pieces.to_string(),
                );
            }
        }
        Ok(position)
    }

    /// The name of a line that hangs in the air, if lines fall.
    pub(super) fn hanging(&self, board: Board) -> Option<String> {
        let ground = self.limits.ground.as_ref()?;
        resting::hanging(&self.squares, ground, board).map(|square| self.squares.name(square))
    }

    /// The name of a free square that lies to the right of a filled one in its heap, if moves take squares from heaps.
    fn gap(&self, board: Board) -> Option<String> {
        take::gap(&self.squares, &self.limits.heaps, board).map(|square| self.squares.name(square))
    }

    /// The mistakes that the start and the course of play show.
    pub(super) fn uncovered(&self, start: FilePlace) -> Vec<RulesFileError> {
        let starts = self.rules.start_positions();
        let hanging = starts.iter().find_map(|position| self.hanging(position.board));
        let hanging = hanging.map(|line| {
            let expected = "a start in which other lines join each line to the ground";
            RulesFileError::wrong(start, expected, format!("{line}, which hangs in the air"))
        });
        let gap = starts.iter().find_map(|position| self.gap(position.board)).map(|square| {
            let expected = "a start in which the free squares of each heap lie on the left, since moves `take` them";
            RulesFileError::wrong(start, expected, format!("{square}, which is free"))
        });
        let roots = self.rules.starts_and(&self.roots());
        let spared = self.limits.spared.iter().filter_map(|(&(mode, colour), &(most, place))| {
            let of_colour = self.squares.all().iter().filter_map(|&square| self.squares.cell(square, colour)).collect();
            let found = most_pieces(&self.rules, &roots, of_colour)[usize::from(mode.0)];
            let expected = || format!("at least {found} for `spares`, as many pieces as a player may have");
            (found > most).then(|| RulesFileError::wrong(place, expected(), most.to_string()))
        });
        hanging.into_iter().chain(gap).chain(spared).collect()
    }
}

/// An upper bound on the number of filled cells of `of` in the positions of each mode. It follows from the numbers that each
/// move needs and changes.
fn most_pieces(rules: &Rules, roots: &[Position], of: Board) -> Vec<u32> {
    let count = |cells: Board| (cells & of).count();
    let mut most: Vec<Option<u32>> = vec![None; rules.modes().len()];
    for root in roots {
        let most = &mut most[usize::from(root.mode.0)];
        *most = (*most).max(Some(count(root.board)));
    }
    // The cells that a move needs empty and filled, that it may fill in addition, and that it empties.
    let steps: BTreeSet<[u32; 6]> = rules
        .moves()
        .iter()
        .flat_map(|m| rules.each_line(m))
        .map(|m| {
            let [empty, full, fills, clears] = [m.empty, m.full, m.fills & !m.full, m.clears].map(count);
            [m.mode.0.into(), m.next.0.into(), empty, full, fills, clears]
        })
        .collect();
    loop {
        let before = most.clone();
        for &[mode, next, empty, full, fills, clears] in &steps {
            let room = of.count() - empty;
            let Some(pieces) = most[mode as usize].map(|most| most.min(room)).filter(|&pieces| pieces >= full) else {
                continue;
            };
            let after = (pieces - clears + fills).min(of.count());
            most[next as usize] = most[next as usize].max(Some(after));
        }
        if most == before {
            return most.into_iter().map(Option::unwrap_or_default).collect();
        }
    }
}
