//! When the game is over, in the words of the documentation.

use std::collections::BTreeSet;

use super::board::{Board, Placed, look};
use super::file::{Along, At, COLOURS, EndTable, File, Frame, Part, Pattern, Squares, Turns, Verdict};
use super::moves::State;
use tablegen::rules::Outcome;

/// The outcome for the player to move where the game is over, and the points of that player.
pub(super) type Over = (Outcome, i32);

/// The squares of each place of a shape, a line or a list of squares.
pub(super) fn squares_of(squares: &Squares, pattern: &Pattern, frame: &Frame) -> Vec<Vec<At>> {
    let places: Vec<Vec<At>> = match pattern {
        Pattern::Shape(shape) => {
            let filled = |placed: &Placed| placed.iter().filter(|it| it.1 == 'X').map(|it| it.0).collect();
            squares.placements(shape, frame).iter().map(filled).collect()
        }
        Pattern::Line(lengths) => {
            squares.lines(*lengths, frame.along.as_deref().unwrap_or(&[Along::Rows, Along::Columns]))
        }
        Pattern::Squares(area) => vec![squares.all().into_iter().filter(|&at| area.has(at)).collect()],
        _ => Vec::new(),
    };
    places.into_iter().filter(|place| frame.limits.allow(place)).collect()
}

impl File {
    /// The outcome for the player to move and the points of that player, if a pattern has ended the game.
    pub(super) fn ended(&self, (board, mode): &State) -> Option<Over> {
        let mover = self.mover(*mode);
        let ends = self.ends.iter().filter(|end| !matches!(end.pattern, Pattern::Stuck));
        let fits = |end: &&EndTable| {
            let is_of_mover = end.of_mover == Some(true);
            let owner = if is_of_mover { mover } else { 1 - mover };
            let counts = match &self.turns {
                Turns::None => true,
                Turns::Sides | Turns::Swap(_) => end.side.is_none_or(|side| side == owner),
                Turns::List(_) | Turns::Table(..) => self.is_in(end, *mode),
            };
            counts && self.has_pattern(end, board, self.colour(owner))
        };
        ends.into_iter().find(fits).map(|end| self.outcome(end, board, mover))
    }

    /// The same for a player to move who has no move.
    pub(super) fn stuck(&self, (board, mode): &State) -> Over {
        let mover = self.mover(*mode);
        let fits = |end: &&EndTable| {
            matches!(end.pattern, Pattern::Stuck)
                && match &self.turns {
                    Turns::None => true,
                    Turns::Sides | Turns::Swap(_) => end.side.is_none_or(|side| side == mover),
                    Turns::List(_) | Turns::Table(..) => self.is_in(end, *mode),
                }
        };
        self.ends.iter().find(fits).map_or((self.play, 0), |end| self.outcome(end, board, mover))
    }

    /// Whether `mode` is one of the modes of the end. A name with a letter means the modes of all squares.
    fn is_in(&self, end: &EndTable, mode: usize) -> bool {
        let plain = self.turns.plain();
        end.modes.iter().any(|&(named, letter)| mode % plain == named && letter.is_some() == (mode >= plain))
    }

    fn outcome(&self, end: &EndTable, board: &Board, mover: usize) -> Over {
        let counted = |points: i32| {
            let points = if self.fewest { -points } else { points };
            (Outcome::by(points.cmp(&0)), points)
        };
        match end.verdict {
            // The last mover wins in normal play and loses in misère play, as before a player without a move.
            Verdict::Default => (self.play, 0),
            Verdict::Completer(outcome) => (outcome.flip(), 0),
            Verdict::ToMove(outcome) => (outcome, 0),
            Verdict::Points(points) => counted(points),
            Verdict::Most => {
                let count = |side: usize| board.iter().flatten().filter(|&&sign| sign == COLOURS[side]).count() as i32;
                counted(count(mover) - count(1 - mover))
            }
        }
    }

    fn has_pattern(&self, end: &EndTable, board: &Board, colour: char) -> bool {
        let is_piece = |at: At| look(board, at) == Some(colour);
        // `full` speaks of cells: a blocked square is filled in both colours, and is no piece.
        let filled = |at: At, colour: char| look(board, at).is_some_and(|found| found == colour || found == '*');
        match &end.pattern {
            Pattern::Connects(parts) => {
                let [from, to] = parts.each_ref().map(|part| self.part(part));
                let reached = self.chain(from.into_iter().filter(|&at| is_piece(at)), is_piece);
                to.iter().any(|at| reached.contains(at))
            }
            Pattern::Surrounded => {
                let is_alone = |from: At| {
                    let group = self.chain([from].into_iter(), is_piece);
                    let mut beside = group.iter().flat_map(|&at| self.squares.beside(at));
                    beside.all(|at| look(board, at) != Some('.'))
                };
                self.squares.all().into_iter().any(|at| is_piece(at) && is_alone(at))
            }
            Pattern::Full(cells) => cells.iter().all(|&(of, at)| filled(at, of.unwrap_or(colour))),
            Pattern::Stuck => false,
            pattern => {
                let goes_on = |place: &Vec<At>| {
                    let step = |from: At, to: At| (2 * to.0 - from.0, 2 * to.1 - from.1);
                    let last = place.len() - 1;
                    is_piece(step(place[1], place[0])) || is_piece(step(place[last - 1], place[last]))
                };
                squares_of(&self.squares, pattern, &end.frame)
                    .iter()
                    .any(|place| place.iter().all(|&at| is_piece(at)) && !(end.exactly && goes_on(place)))
            }
        }
    }

    /// The squares that chains of neighbouring squares reach from `from`.
    fn chain(&self, from: impl Iterator<Item = At>, has: impl Fn(At) -> bool) -> BTreeSet<At> {
        let mut reached: BTreeSet<At> = from.collect();
        loop {
            let beside = reached.iter().flat_map(|&at| self.squares.beside(at)).filter(|&at| has(at));
            let more: BTreeSet<At> = beside.chain(reached.iter().copied()).collect();
            if more.len() == reached.len() {
                return reached;
            }
            reached = more;
        }
    }

    fn part(&self, part: &Part) -> Vec<At> {
        let (rows, cols) = (self.squares.rows.len() as i32, self.squares.rows[0].len() as i32);
        let has = |at: At| match part {
            Part::Named("left") => at.1 == 0,
            Part::Named("right") => at.1 == cols - 1,
            Part::Named("top") => at.0 == 0,
            Part::Named(_) => at.0 == rows - 1,
            Part::Area(area) => area.has(at),
        };
        self.squares.all().into_iter().filter(|&at| has(at)).collect()
    }
}
