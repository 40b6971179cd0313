//! Best play by both players, from a position to the end of the game.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::points::{ahead, players_of, sign};
use super::{Answered, Asked, EngineError, Origin, SearchOptions, Source, Stop, Wanted};
use tablegen_games::{Answer, AnswerMove, Reading};
use tablegen_labels::{LabelSet, Value};
use tablegen_rules::{Node, Outcome};
use tablegen_solvers::SolveError;

/// A line of best play. Each player makes the best move that [`Source::answer`] finds: the quickest win, or the slowest
/// loss or draw. If the source has no remoteness, any move that keeps the outcome; but if positions may repeat, the plies
/// that the table lacks are computed.
pub struct BestLine {
    /// The position where the line begins.
    pub start: Answered,
    /// The names of the player who moves first in the line, and of the other player.
    pub players: [String; 2],
    /// The points of the player who moves first in the line, and of the other player, from before the line. If only a lead is known, the
    /// player who leads has that many points.
    pub before: [i32; 2],
    /// The moves.
    pub plies: Vec<Ply>,
    /// The reason why it ends.
    pub end: LineEnd,
}

/// A move of a line.
pub struct Ply {
    /// The move, with its value for the player who makes it.
    pub chosen: AnswerMove,
    /// The position after it.
    pub after: Answered,
    /// True if the other player is to move after it.
    pub hands_over: bool,
    /// True if it was made without knowing that it is a best move.
    pub is_guess: bool,
}

/// The reason why a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LineEnd {
    /// The player to move has no move.
    Stuck,
    /// A terminal pattern ends the game.
    Pattern,
    /// The position has occurred before: best play cycles, and the game is drawn by repetition.
    Repetition,
    /// The game is not over, but the search did not find the outcome, or a move that keeps it, within its limit.
    Unknown,
}

impl LineEnd {
    /// `stuck`, `pattern` or `repetition`: the rule that ended the game. `None` if it is not over.
    #[must_use]
    pub const fn rule(self) -> Option<&'static str> {
        match self {
            Self::Stuck => Some("stuck"),
            Self::Pattern => Some("pattern"),
            Self::Repetition => Some("repetition"),
            Self::Unknown => None,
        }
    }
}

impl BestLine {
    /// The last position.
    #[must_use]
    pub fn last(&self) -> &Answered {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The names of the player to move after `plies` moves, and of the other player.
    #[must_use]
    pub fn players_after(&self, plies: usize) -> [&str; 2] {
        let [first, second] = &self.players;
        if self.is_first(plies) { [first, second] } else { [second, first] }
    }

    /// True if, after `count` plies, the player who moved first is to move. Plies not made yet are assumed to alternate.
    pub(super) fn is_first(&self, count: usize) -> bool {
        let over = self.plies.iter().take(count).filter(|ply| ply.hands_over).count();
        (over + count.saturating_sub(self.plies.len())).is_multiple_of(2)
    }

    /// The name of the winner; `None` if the game is drawn or not over.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        let (answer, [mover, other]) = (&self.last().answer, self.players_after(self.plies.len()));
        match answer.outcome().filter(|_| answer.over)? {
            Outcome::Win => Some(mover),
            Outcome::Draw => None,
            Outcome::Loss => Some(other),
        }
    }

    /// True if moves were chosen by outcome alone, because the source has neither remoteness nor a score for the first position.
    #[must_use]
    pub fn is_by_outcome_alone(&self) -> bool {
        self.start.answer.value.is_some_and(|value| !value.has_length() && value.score().is_none())
            && !self.plies.is_empty()
    }
}

impl Source {
    /// The line of best play from the position. It ends early if a search does not find the outcome.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn line(&self, asked: &Asked) -> Result<BestLine, EngineError> {
        self.line_within(asked, self.options(), &|| ControlFlow::Continue(()))
    }

    /// Like [`line`](Self::line), with other options of the search for each ply, and with a function that is
    /// called before each ply and may stop the work.
    ///
    /// # Errors
    /// As [`line`](Self::line), and if the work is stopped.
    pub fn line_within(
        &self,
        asked: &Asked,
        options: impl Into<SearchOptions>,
        watch: Stop<'_>,
    ) -> Result<BestLine, EngineError> {
        let options = options.into();
        let mut line = self.line_from(asked, options, watch)?;
        let mut seen = HashSet::new();
        loop {
            if watch().is_break() {
                return Err(SolveError::Cancelled.into());
            }
            let answer = &line.last().answer;
            if answer.value.is_some_and(|value| value.repetition)
                && let Some(node) = answer.node
                && !seen.insert(node)
            {
                line.end = LineEnd::Repetition;
                return Ok(line);
            }
            if answer.over {
                line.end = self.rule_at(answer);
                return Ok(line);
            }
            let Some(chosen) = best_move(answer) else { return Ok(line) };
            line.plies.push(self.made_within(chosen, options, watch)?);
        }
    }

    /// The names of the player to move at `answer` and of the other player: the game's own names if the position
    /// determines them, otherwise `first` and `second`.
    pub(super) fn line_from(
        &self,
        asked: &Asked,
        options: SearchOptions,
        watch: Stop<'_>,
    ) -> Result<BestLine, EngineError> {
        let start = self.answer_in_play(asked, options, watch)?;
        let players = match asked {
            Asked::Node(reading) => players_of(self.game(), reading),
            Asked::Text(_) => None,
        };
        let players = players.unwrap_or_else(|| ["first", "second"].map(String::from));
        let before = ahead(sign(self.game()) * start.answer.lead);
        Ok(BestLine { start, players, before, plies: Vec::new(), end: LineEnd::Unknown })
    }

    /// The move `chosen`, and the answer for the position that it leads to.
    pub(super) fn made(&self, chosen: AnswerMove) -> Result<Ply, EngineError> {
        self.made_within(chosen, self.options(), &|| ControlFlow::Continue(()))
    }

    fn made_within(&self, chosen: AnswerMove, options: SearchOptions, watch: Stop<'_>) -> Result<Ply, EngineError> {
        let after = self.answer_in_play(
            &self.asked_at(chosen.to.map(Node::At), chosen.lead, &chosen.position),
            options,
            watch,
        )?;
        let hands_over = !chosen.again;
        Ok(Ply { chosen, after, hands_over, is_guess: false })
    }

    /// The request for the position that an answer gives as `node`, `lead` and `text`.
    pub(super) fn asked_at(&self, node: Option<Node>, lead: i32, text: &str) -> Asked {
        match node {
            Some(node) if self.game().off_table().is_none() => Asked::Node(Reading { lead, ..Reading::from(node) }),
            _ => Asked::Text(Some(text.to_owned())),
        }
    }

    /// True if the value of each position of `line` is known, so that no search would find a better line.
    #[must_use]
    pub fn is_line_settled(&self, line: &BestLine) -> bool {
        self.is_line_settled_for(line, Wanted::Outcome)
    }

    /// Like [`is_line_settled`](Self::is_line_settled), if the question asks for what is `wanted`.
    #[must_use]
    pub fn is_line_settled_for(&self, line: &BestLine, wanted: Wanted) -> bool {
        let mut all = std::iter::once(&line.start).chain(line.plies.iter().map(|ply| &ply.after));
        all.all(|at| self.is_settled_for(at, wanted))
    }

    /// True if a table of the game could hold remoteness, and this source has none.
    #[must_use]
    pub fn could_have_remoteness(&self) -> bool {
        // No table holds the plies of a game that goes beyond its rules.
        self.lacks(LabelSet::BEST_PLAY) != LabelSet::OUTCOME && self.game().off_table().is_none()
    }

    /// The labels among `labels` that the game has and the table that was found does not hold, so that a build could add them. Games
    /// solved on the spot already have every label that is possible.
    #[must_use]
    pub fn lacks(&self, labels: LabelSet) -> LabelSet {
        let Some(table) = self.table().filter(|_| self.origin() == Origin::Table) else { return LabelSet::OUTCOME };
        // Plies that are too long for a label are left out of every table.
        let too_long = if table.lacks_plies() { LabelSet::BEST_PLAY } else { LabelSet::OUTCOME };
        labels.minus(table.labels()).minus(too_long).intersection(self.game().labels())
    }

    /// The labels that the game has and this source would have without a table, but the table that was found does not hold.
    /// Answers from a table have only its labels.
    #[must_use]
    pub fn lacking(&self) -> LabelSet {
        if self.game().is_reduced() { LabelSet::OUTCOME } else { self.lacks(self.game().usual_labels()) }
    }

    /// The rule that ended the game at `answer`.
    pub(super) fn rule_at(&self, answer: &Answer) -> LineEnd {
        match answer.node {
            Some(Node::At(position)) if self.game().rules().ended(position).is_some() => LineEnd::Pattern,
            _ => LineEnd::Stuck,
        }
    }
}

/// The first of the best moves. In a lost position every move qualifies, even if a search did not determine its value.
pub(super) fn best_move(answer: &Answer) -> Option<AnswerMove> {
    let outcome = answer.outcome()?;
    let lost = || answer.moves.first().filter(|_| outcome == Outcome::Loss);
    let best = answer.best().next().or_else(lost)?;
    Some(AnswerMove { value: best.value.or(Some(Value::from(outcome))), ..best.clone() })
}
