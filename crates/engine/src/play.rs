//! A game in progress: moves in text form, replies by perfect play, and undo.

use std::ops::ControlFlow;

use unicode_normalization::UnicodeNormalization;

use super::line::best_move;
use super::{Answered, Asked, BestLine, EngineError, LineEnd, Opponent, Ply, Reply, Skill, Source};
use tablegen_games::{AnswerMove, FoundMove, NamedMove, Prefix, find_move};
use tablegen_rules::Outcome;

/// One of the two players of a game in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seat {
    /// The player who moves first.
    First,
    /// The other player.
    Second,
}

/// A game in progress: its first position, its moves, and the players.
///
/// ```
/// # mod tablegen { pub mod engine { pub use tablegen_engine::*; } pub use tablegen_games as game; }
/// use tablegen::engine::{Asked, Engine, Match, Seat, TableDirs, game};
/// use tablegen::game::Parameters;
///
/// let engine = Engine::new(TableDirs::none());
/// let source = engine.source(game("tactics", &Parameters::new())?, 1_000_000)?;
/// let mut play = Match::new(&source, &source.read("XXXX/XXXX/XXXX/XX..")?, Some(Seat::Second))?;
/// play.play("c4")?;
/// // Perfect play has to fill the last square.
/// play.reply()?;
/// assert_eq!((play.plies()[1].chosen.text.as_str(), play.winner()), ("d4", Some("first")));
/// play.undo();
/// assert!(play.plies().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Match<'s> {
    source: &'s Source,
    /// The moves made so far.
    line: BestLine,
    /// The player whose moves the program makes.
    perfect: Option<Seat>,
    opponent: Opponent,
}

/// The reason why a move could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The game is over.
    #[error("cannot play {text:?}: the game is over")]
    Over {
        /// The given text.
        text: String,
    },
    /// No move of the player to move matches the text.
    #[error("cannot play {text:?}: expected {}", if *moves == 1 { "the only move".into() } else { format!("one of {moves} moves") })]
    NotAMove {
        /// The given text.
        text: String,
        /// The number of legal moves.
        moves: usize,
    },
    /// Several moves match the text.
    #[error("cannot play {text:?}: expected one move, found two: {first} and {second}")]
    Ambiguous {
        /// The given text.
        text: String,
        /// A matching move: its text, or the position after it if both moves have the same text.
        first: String,
        /// Another matching move.
        second: String,
    },
    /// The position after the move cannot be answered.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl<'s> Match<'s> {
    /// A game that begins at `from`. Perfect play makes the moves of the player `perfect`, each time
    /// [`reply`](Self::reply) is called.
    ///
    /// # Errors
    /// As [`Source::answer`].
    pub fn new(source: &'s Source, from: &Asked, perfect: Option<Seat>) -> Result<Self, EngineError> {
        let line = source.line_from(from, source.options(), &|| ControlFlow::Continue(()))?;
        Ok(Self { source, line, perfect, opponent: Opponent::default() })
    }

    /// The same game, in which `opponent` makes the moves instead of perfect play.
    #[must_use]
    pub fn with_opponent(self, opponent: Opponent) -> Self {
        Self { opponent, ..self }
    }

    /// The player who makes the moves instead of a person.
    #[must_use]
    pub const fn opponent(&self) -> Opponent {
        self.opponent
    }

    /// The source of its answers.
    #[must_use]
    pub const fn source(&self) -> &'s Source {
        self.source
    }

    /// The moves made so far, as a line.
    pub(crate) const fn made(&self) -> &BestLine {
        &self.line
    }

    /// The first position.
    #[must_use]
    pub const fn start(&self) -> &Answered {
        &self.line.start
    }

    /// The moves made so far.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.line.plies
    }

    /// The position after the first `plies` moves, or after all moves if there are fewer.
    #[must_use]
    pub fn after(&self, plies: usize) -> &Answered {
        let last = plies.min(self.line.plies.len()).checked_sub(1);
        last.map_or(&self.line.start, |last| &self.line.plies[last].after)
    }

    /// The current position.
    #[must_use]
    pub fn now(&self) -> &Answered {
        self.line.last()
    }

    /// The names of the player to move after `plies` moves, and of the other player.
    #[must_use]
    pub fn players_after(&self, plies: usize) -> [&str; 2] {
        self.line.players_after(plies)
    }

    /// The player whose moves perfect play makes.
    #[must_use]
    pub const fn perfect(&self) -> Option<Seat> {
        self.perfect
    }

    /// True if perfect play makes the move after `plies` moves.
    #[must_use]
    pub fn is_perfect(&self, plies: usize) -> bool {
        self.perfect.is_some_and(|seat| (seat == Seat::First) == self.line.is_first(plies))
    }

    /// The name of the winner; `None` if the game is drawn or not over.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        self.line.winner()
    }

    /// The reason why the game is over; `None` if it is not.
    #[must_use]
    pub fn end(&self) -> Option<LineEnd> {
        let answer = &self.now().answer;
        answer.over.then(|| self.source.rule_at(answer))
    }

    /// The legal move that `text` names: by its text, by another name ([`Game::other_names`]), by the position after it, or by the
    /// beginning of its text if no other move begins so. Case is ignored if that leaves one move.
    ///
    /// [`Game::other_names`]: tablegen_games::Game::other_names
    ///
    /// # Errors
    /// If no move matches, or several do.
    pub fn find(&self, text: &str) -> Result<&AnswerMove, PlayError> {
        let moves = &self.now().answer.moves;
        let text = text.trim();
        if moves.is_empty() {
            return Err(PlayError::Over { text: text.into() });
        }
        let typed: String = text.nfc().collect();
        let named: Vec<NamedMove<'_>> =
            moves.iter().map(|m| NamedMove { text: &m.text, position: &m.position }).collect();
        match find_move(self.source.game(), &named, &typed, Prefix::Any) {
            FoundMove::One(found) => Ok(&moves[found]),
            FoundMove::Several(first, second) => {
                let (first, second) = (&moves[first], &moves[second]);
                let name = |m: &AnswerMove| if first.text == second.text { &m.position } else { &m.text }.clone();
                Err(PlayError::Ambiguous { text: text.into(), first: name(first), second: name(second) })
            }
            FoundMove::None => Err(PlayError::NotAMove { text: text.into(), moves: moves.len() }),
        }
    }

    /// Makes the move that `text` names, for the player to move.
    ///
    /// # Errors
    /// As [`find`](Self::find) and [`Source::answer`]. The game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<&Ply, PlayError> {
        let chosen = self.find(text)?.clone();
        Ok(self.make(chosen, false)?)
    }

    /// Makes the move of perfect play or of the [opponent](Self::with_opponent), if it is its turn and the game is not over.
    ///
    /// # Errors
    /// As [`Source::answer`]. The game is then unchanged.
    pub fn reply(&mut self) -> Result<Option<&Ply>, EngineError> {
        if !self.is_perfect(self.line.plies.len()) {
            return Ok(None);
        }
        let Some(Reply { chosen, proved }) = self.reply_of(self.opponent)? else { return Ok(None) };
        self.make(chosen, !proved && self.opponent.skill == Skill::Perfect).map(Some)
    }

    /// The best move of the player to move: the quickest win, or the slowest loss or draw. Without remoteness, it is a
    /// move that keeps the outcome. If the outcome is unknown, it is a guess. `None` if the game is over.
    ///
    /// # Errors
    /// As [`Source::answer`].
    pub fn hint(&self) -> Result<Option<Reply>, EngineError> {
        self.reply_of(Opponent { skill: Skill::Perfect, ..self.opponent })
    }

    fn reply_of(&self, opponent: Opponent) -> Result<Option<Reply>, EngineError> {
        self.source.reply(self.now(), opponent, self.line.plies.len(), &|| ControlFlow::Continue(()))
    }

    /// The best move at move `number`, counted from 0, if the move made was worse in outcome, or in score if scores are known.
    #[must_use]
    pub fn missed(&self, number: usize) -> Option<AnswerMove> {
        let before = &self.after(number).answer;
        let chosen = &self.line.plies.get(number)?.chosen;
        let made = chosen.outcome()?;
        let score = |m: &AnswerMove| m.value.and_then(|value| value.score());
        if let (Some(best), Some(own)) = (best_move(before), score(chosen))
            && let Some(most) = score(&best)
        {
            return (own < most).then_some(best);
        }
        let rank = |outcome| Outcome::BEST_FIRST.iter().position(|&best| best == outcome);
        best_move(before).filter(|best| best.outcome().is_some_and(|best| rank(best) < rank(made)))
    }

    /// Undoes the last move that perfect play did not make, and all moves after it. Returns the number of moves undone:
    /// 0 if perfect play made all moves.
    pub fn undo(&mut self) -> usize {
        let Some(last) = (0..self.line.plies.len()).rev().find(|&number| !self.is_perfect(number)) else { return 0 };
        let undone = self.line.plies.len() - last;
        self.line.plies.truncate(last);
        undone
    }

    /// The line of best play from the current position, with the players of this game.
    ///
    /// # Errors
    /// As [`Source::answer`].
    pub fn line(&self) -> Result<BestLine, EngineError> {
        let answer = &self.now().answer;
        let line = self.source.line(&self.source.asked_at(answer.node, answer.lead, &answer.position))?;
        let players = self.players_after(self.line.plies.len()).map(str::to_owned);
        Ok(BestLine { players, before: self.gained(), ..line })
    }

    fn make(&mut self, chosen: AnswerMove, is_guess: bool) -> Result<&Ply, EngineError> {
        let made = self.source.made(chosen)?;
        self.line.plies.push(Ply { is_guess, ..made });
        Ok(&self.line.plies[self.line.plies.len() - 1])
    }
}
