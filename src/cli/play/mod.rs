//! `tablegen play`: a game in a terminal, or by a program through a pipe.

mod command;
mod editor;
mod human;
mod records;

use std::ffi::OsString;
use std::io::{self, IsTerminal, StdinLock};
use std::time::Duration;

use clap::builder::TypedValueParser;
use tablegen::engine::{Asked, BestLine, EngineError, Match, Opponent, PlayError, Reply, Seat, Skill, Source};
use tablegen::game::did_you_mean;

use super::failure::{self, Failure, error_line};
use super::line::note_outcome_alone;
use super::lines::{self, Lines};
use super::one_of::one_of;
use super::output::{self, Stream};
use super::probe::{self, One, Text};
use super::searching::SearchArgs;
use super::session::Session;
use super::subject::SubjectArgs;
use super::{help, interrupt, stdin};
use command::{Asks, Command};
use editor::Editor;
use human::Human;
use records::Records;

/// Play a game against perfect play, or let two people play.
///
/// Type moves as 'probe' writes them, or 'help' for the commands: hint, undo, line, moves, show, new, quit. Perfect
/// play makes the move that 'probe' lists first: the highest score, the quickest win, or the slowest loss or draw. Where
/// no such move is found within the limit, it guesses, and says so. In a
/// pipe each line of input is a move or a command, and each line of output is a record. The first invalid line ends the run.
/// 'tablegen help json' describes the records.
#[derive(clap::Args)]
#[command(after_help = help::of("play"))]
pub(super) struct Args {
    #[command(flatten)]
    subject: SubjectArgs,
    /// The position where the game begins, in the notation that 'tablegen list GAME' shows, or [MODE:]NUMBER of its
    /// board; @FILE reads it from a file [default: the start]
    #[arg(value_name = "POSITION|@FILE")]
    position: Option<OsString>,
    /// Make the moves of both players
    #[arg(long)]
    two: bool,
    /// The player whose moves you make: the one who moves first or second
    #[arg(
        long,
        value_name = "first|second",
        conflicts_with = "two",
        default_value = "first",
        hide_possible_values = true,
        value_parser = sides()
    )]
    side: Seat,
    /// The skill of the other side: perfect (as far as the limit allows), strong, or a beginner who errs
    #[arg(
        long,
        value_name = "perfect|strong|beginner",
        conflicts_with = "two",
        default_value = "perfect",
        hide_possible_values = true,
        value_parser = skills()
    )]
    skill: Skill,
    /// Vary the guesses of the other side; equal numbers give equal guesses
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    search: SearchArgs,
}

fn skills() -> impl TypedValueParser<Value = Skill> {
    one_of(Skill::NAMED.map(|(name, skill)| (name, skill, "")).to_vec())
}

fn sides() -> impl TypedValueParser<Value = Seat> {
    one_of(vec![("first", Seat::First, ""), ("second", Seat::Second, "")])
}

impl Args {
    /// The player whose moves are perfect play.
    const fn perfect(&self) -> Option<Seat> {
        match self.side {
            _ if self.two => None,
            Seat::First => Some(Seat::Second),
            Seat::Second => Some(Seat::First),
        }
    }
}

/// The longest time for solving a game before it begins.
const SOLVING: Duration = Duration::from_secs(5);

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    // Standard input is taken here, before a rules file or anything else can read it.
    let input = stdin::take().map_err(Failure::usage)?;
    let position = args.position.as_ref().map(Text::of).transpose()?;
    let subject = args.subject.find(session, position.as_ref().and_then(Text::file))?;
    let One { from, asked } = probe::one(session, subject, position.as_ref(), &args.search.for_play())?;
    let damaged = |error| from.damaged(error);
    from.source.decide_in(SOLVING).map_err(damaged)?;
    let opponent = Opponent { skill: args.skill, seed: args.seed, ..Opponent::default() };
    let mut game = InPlay::new(&from.source, asked, args.perfect(), opponent).map_err(damaged)?;
    from.note_solved();
    let start = &game.play.start().answer;
    if !start.over && start.value.is_some_and(|value| !value.has_length() && value.score().is_none()) {
        note_outcome_alone(&from);
    }
    interrupt::handle();
    let is_typed = io::stdin().is_terminal();
    let ended = if is_typed && io::stdout().is_terminal() {
        // The editor reads standard input itself.
        drop(input);
        in_terminal(&mut game)
    } else {
        in_pipe(&mut game, input, is_typed)
    };
    ended.map_err(|end| match end {
        EndOfPlay::Failure(failure) => failure,
        EndOfPlay::Table(error) => damaged(error),
    })
}

/// Makes the moves of perfect play until the other player is to move.
fn replies(play: &mut Match<'_>) -> Result<(), EngineError> {
    /// A bound on consecutive moves of one player, which no game exceeds unless the moves go round in circles.
    const MOST: usize = 256;
    for _ in 0..MOST {
        if play.reply()?.is_none() {
            break;
        }
    }
    Ok(())
}

/// The reason why a game ends early.
enum EndOfPlay {
    Failure(Failure),
    /// A table could not be read.
    Table(EngineError),
}

impl From<Failure> for EndOfPlay {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// Plays with lines that are typed after a prompt. An invalid line prints an error, and the game continues.
fn in_terminal(game: &mut InPlay<'_>) -> Result<(), EndOfPlay> {
    #[cfg(unix)]
    interrupt::restoring_terminal();
    let mut editor = Editor::new()?;
    output::print(&Human.begun(&game.play))?;
    while let Some(typed) = editor.read(&human::prompt(&game.play), command::words(&game.play))? {
        // Pasted text may have several lines.
        for line in typed.lines() {
            match game.follow(line, &Human) {
                Ok(Some(answer)) => output::print(&answer)?,
                Ok(None) => return Ok(()),
                Err(Refused::Table(error)) => return Err(EndOfPlay::Table(error)),
                Err(Refused::Line(error)) => {
                    error_line(&error);
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Plays with lines from a pipe, and answers each with records. The first invalid line ends the run, since later lines
/// would not fit the game. If a person types the lines, the game continues instead.
fn in_pipe(game: &mut InPlay<'_>, input: StdinLock<'static>, is_typed: bool) -> Result<(), EndOfPlay> {
    let mut input = Lines::of(input);
    let mut out = Stream::new()?;
    interrupt::streaming();
    out.text(&Records.begun(&game.play))?;
    let mut number = 0u64;
    loop {
        // Flush, so that a program that waits for an answer before its next line receives it.
        out.flush()?;
        let Some(line) = input.next()? else { return Ok(()) };
        number += 1;
        let text = lines::text(line, "a move").map_err(Refused::Line);
        match text.and_then(|text| game.follow(text, &Records)) {
            Ok(Some(answer)) => out.text(&answer)?,
            Ok(None) => return Ok(()),
            Err(Refused::Table(error)) => return Err(EndOfPlay::Table(error)),
            Err(Refused::Line(error)) if is_typed => error_line(&error),
            Err(Refused::Line(error)) => return Err(Failure::usage(format!("line {number}: {error}")).into()),
        }
    }
}

/// A presentation of a game.
trait PlayView {
    /// The game from its beginning.
    fn begun(&self, play: &Match<'_>) -> String;
    /// The moves after the first `from`.
    fn played(&self, play: &Match<'_>, from: usize) -> String;
    /// The position after `count` moves were taken back.
    fn undone(&self, play: &Match<'_>, count: usize) -> String;
    /// The current position.
    fn shown(&self, play: &Match<'_>) -> String;
    /// A best move.
    fn hint(&self, play: &Match<'_>, hint: Option<Reply>) -> String;
    /// All moves.
    fn moves(&self, play: &Match<'_>) -> String;
    /// Best play from the current position.
    fn line(&self, play: &Match<'_>, line: BestLine) -> String;
    /// The valid inputs.
    fn help(&self) -> String;
}

/// A game, and the position where it begins again.
struct InPlay<'s> {
    play: Match<'s>,
    begin: Asked,
}

/// The reason why a line has no answer.
enum Refused {
    Line(String),
    Table(EngineError),
}

impl From<EngineError> for Refused {
    fn from(error: EngineError) -> Self {
        Self::Table(error)
    }
}

impl<'s> InPlay<'s> {
    /// The game from `begin`, after the first move if perfect play makes it.
    fn new(source: &'s Source, begin: Asked, perfect: Option<Seat>, opponent: Opponent) -> Result<Self, EngineError> {
        let mut play = Match::new(source, &begin, perfect)?.with_opponent(opponent);
        replies(&mut play)?;
        Ok(Self { play, begin })
    }

    /// Executes `line`. Returns the answer, or `None` if the game is to end.
    fn follow(&mut self, line: &str, view: &dyn PlayView) -> Result<Option<String>, Refused> {
        if line.trim().is_empty() {
            return Ok(Some(String::new()));
        }
        let answer = match command::read(line, &self.play) {
            Asks::Move(text) => {
                let from = self.play.plies().len();
                if let Err(error) = self.play.play(text) {
                    return Err(refused(error, &self.play));
                }
                replies(&mut self.play)?;
                view.played(&self.play, from)
            }
            Asks::Command(Command::New, text) => {
                let begin = match text {
                    "" => self.begin.clone(),
                    text => self.play.source().read(text).map_err(|error| {
                        let hint = failure::how_to_write(&error, self.play.source().game(), None);
                        Refused::Line(format!("{error}; {hint}"))
                    })?,
                };
                // Without a position, the next game begins where the first one did.
                let new = Self::new(self.play.source(), begin, self.play.perfect(), self.play.opponent())?;
                self.play = new.play;
                view.begun(&self.play)
            }
            Asks::Command(_, rest) if !rest.is_empty() => {
                return Err(Refused::Line(format!(
                    "cannot run the command: expected nothing after it, found {rest:?}"
                )));
            }
            Asks::Command(Command::Undo, _) => match self.play.undo() {
                0 => return Err(Refused::Line("cannot undo: expected a move of yours, found none".into())),
                count => view.undone(&self.play, count),
            },
            Asks::Command(Command::Hint, _) => view.hint(&self.play, self.play.hint()?),
            Asks::Command(Command::Line, _) => view.line(&self.play, self.play.line()?),
            Asks::Command(Command::Moves, _) => view.moves(&self.play),
            Asks::Command(Command::Show, _) => view.shown(&self.play),
            Asks::Command(Command::Help, _) => view.help(),
            Asks::Command(Command::Quit, _) => return Ok(None),
        };
        Ok(Some(answer))
    }
}

/// The error for a bad move in `play`, with advice.
fn refused(error: PlayError, play: &Match<'_>) -> Refused {
    /// Short names that differ in a letter, such as those of squares, are different moves.
    const SHORT: usize = 3;
    Refused::Line(match error {
        PlayError::Engine(error) => return Refused::Table(error),
        PlayError::Over { .. } => format!("{error}; 'new' starts a new game, 'undo' takes back a move"),
        PlayError::NotAMove { ref text, .. } if play.plies().iter().any(|ply| ply.chosen.text == text.trim()) => {
            format!("{error}; {} was played before, and 'moves' lists the moves", text.trim())
        }
        PlayError::NotAMove { ref text, .. } => {
            let words = command::words(play);
            let is_alike = |word: &&str| word.len() > SHORT || word.len() != text.len();
            let near = did_you_mean(text, words.iter().map(String::as_str).filter(is_alike));
            format!("{error}{near}; 'moves' lists the moves, 'help' the commands")
        }
        _ => format!("{error}; type one of the two"),
    })
}
