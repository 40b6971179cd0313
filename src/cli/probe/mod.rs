//! `tablegen probe`: the value of a position and of each of its moves.

mod batch;
mod data_set;
mod human;
mod origin;

pub(super) use human::{head, moves, unsettled};
pub(super) use origin::{LabelSource, One, PlaceArgs, label_source, labelled, one};

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::TypedValueParser;
use tablegen::engine::{Asked, Origin, Source, UNKNOWN, Wanted, json};
use tablegen::game::{Game, Notation, Reading};
use tablegen::label::LabelKind;
use tablegen::rules::Node;

use super::failure::{self, Failure};
use super::labels::Labels;
use super::one_of::one_of;
use super::searching::SearchArgs;
use super::session::Session;
use super::subject::{self, PositionFile, SubjectArgs};
use super::text::shell_word;
use super::{help, interrupt, output, stdin, usage};

/// Show the value of a position and of each of its moves.
///
/// Answers come from a table. If there is no table and the game is small, it is solved in memory first. A search
/// answers positions that the table does not hold because they are unreachable. It also answers positions of larger
/// games: it finds the exact outcome, or says that the outcome is unknown. A board has at most 128 cells: a larger size of
/// a game is refused, whatever the position.
#[derive(clap::Args)]
#[command(after_help = help::of("probe"))]
pub(super) struct Args {
    #[command(flatten)]
    subject: SubjectArgs,
    /// The position in the notation that 'tablegen list GAME' shows, or [MODE:]NUMBER of its board; @FILE reads it from
    /// a file, @- from standard input [default: the start]
    #[arg(value_name = "POSITION|@FILE")]
    position: Option<OsString>,
    /// Read positions from standard input, one per line, and answer each on one line
    #[arg(long)]
    batch: bool,
    /// With --batch, read rows of CSV with one field for each square, and add the outcome as a field. SQUARES says which fields have
    /// squares: rows (in reading order), columns (each from the bottom), or names of squares with commas between them and - for
    /// another field. x and o are the pieces of the two players, b is a blank
    #[arg(long, value_name = "SQUARES", requires = "batch", conflicts_with_all = ["brief", "json"])]
    csv: Option<String>,
    /// With --csv, compare the class in COLUMN, a name or a number from 1, with the outcome for the player who begins, as in
    /// '--class 10 win=positive draw=negative loss=negative'; if a class differs, the exit status is 1
    #[arg(long, value_name = "COLUMN|OUTCOME=WORD", requires = "csv", num_args = 2..=4)]
    class: Vec<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// Print only the outcome
    #[arg(long, conflicts_with = "json")]
    brief: bool,
    /// Write the position in this notation as well; 'tablegen list GAME' names the notations
    #[arg(long, value_name = "NAME", conflicts_with = "brief", hide_possible_values = true, value_parser = notations())]
    notation: Option<Notation>,
    /// Print a JSON object; with --batch one per line
    #[arg(long)]
    json: bool,
}

fn notations() -> impl TypedValueParser<Value = Notation> {
    one_of(Notation::ALL.iter().map(|&notation| (notation.name(), notation, "")).collect())
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if let Some(position) = args.position.as_ref().filter(|_| args.batch) {
        return Err(not_from_input(position));
    }
    // Standard input is taken here, before a rules file or anything else can read it.
    let input = args.batch.then(stdin::take).transpose().map_err(Failure::usage)?;
    let position = args.position.as_ref().map(Text::of).transpose()?;
    let content = position.as_ref().and_then(Text::file);
    let subject = args.subject.find(session, content)?;
    if let Some(input) = input {
        interrupt::handle();
        let from = label_source(session, subject, &args.search)?;
        return batch::run(args, &from, input);
    }
    let One { from, asked } = one(session, subject, position.as_ref(), &args.search)?;
    let source = &from.source;
    let notation = args.notation.map(|it| (it, asked.text_in(source.game(), it)));
    if let Some((_, Err(error))) = &notation {
        if !error.is_of_position {
            return Err(Failure::usage(error));
        }
        output::note(&error.to_string());
    }
    let notation = notation.map(|(notation, text)| (notation, text.ok()));
    if args.brief {
        let brief = source.brief(&asked).map_err(|error| from.damaged(error))?;
        from.note_solved();
        note_out_of_reach(brief.is_out_of_reach);
        if brief.outcome_name() == UNKNOWN {
            from.note_not_found("the outcome", args.search.options());
        }
        return output::print(&format!("{}\n", brief.outcome_name()));
    }
    let answered = source.answer(&asked).map_err(|error| from.damaged(error))?;
    from.note_solved();
    from.note_unknown(&answered, args.search.options(), !args.json);
    note_out_of_reach(answered.is_out_of_reach);
    if source.origin_of(&answered.answer) == Origin::Table.name() && !answered.answer.over {
        note_lacking(source, from.build.as_ref(), args.search.options().wanted);
    }
    if args.json {
        output::Stream::new()?.with(|out| writeln!(out, "{}", json::answered_text_in(source, &answered, notation)))
    } else {
        let notation = notation.and_then(|(notation, text)| Some((notation, text?)));
        let number = position.as_ref().and_then(|text| text.number_of(&asked));
        output::print(&human::report(&from.source, &answered, notation, number, super::drawing::width()))
    }
}

/// Notes which labels the table lacks that an answer without a table would have, and what finds them. `build` is the command that builds the
/// table.
fn note_lacking(source: &Source, build: Option<&String>, wanted: Wanted) {
    let Some(table) = source.table() else { return };
    let lacking = source.lacking();
    // A table in the program has what most people need, if it has plies.
    if table.path().is_none() && !lacking.contains(LabelKind::Remoteness) {
        return;
    }
    let names: Vec<&str> = lacking.others().map(|label| label.name()).collect();
    if names.is_empty() {
        return;
    }
    let labels = Labels::typed(table.labels().union(lacking));
    let adds = |build: &String| format!("'{build}{labels}' adds {}", if names.len() == 1 { "it" } else { "them" });
    let can_search = wanted == Wanted::Outcome && source.game().off_table().is_none();
    let is_searched = can_search && lacking.contains(LabelKind::Remoteness);
    let searches = is_searched.then(|| "--labels remoteness searches for the plies".to_owned());
    let ways: Vec<String> = searches.into_iter().chain(build.map(adds)).collect();
    let ways = if ways.is_empty() { String::new() } else { format!("; {}", ways.join(", ")) };
    output::note(&format!("the table has no {}{ways}", names.join(" and no ")));
}

/// Notes that play does not reach the position, if that is known.
fn note_out_of_reach(is_out_of_reach: bool) {
    if is_out_of_reach {
        output::note("play cannot reach this position from the start: the answer is for the board as it was read");
    }
}

/// The failure that a batch has the argument `position`, which may name its file.
fn not_from_input(position: &OsStr) -> Failure {
    let text = position.to_string_lossy();
    let file = text.strip_prefix('@').unwrap_or(&text);
    let file = if Path::new(file).is_file() { shell_word(file) } else { "FILE".into() };
    let found = format!("--batch: expected positions on standard input, found the argument {}", shell_word(&text));
    Failure::usage(found).hint(format!("use --batch < {file}"))
}

/// A position as the user gives it.
pub(super) enum Text {
    /// The text itself.
    Typed(String),
    /// A text with `@` in front that names no file, and the error of reading one. Some notations write a piece as `@`.
    AtSign(String, String),
    /// The content of a file.
    InFile(PositionFile),
}

impl Text {
    pub(super) fn of(text: &OsString) -> Result<Self, Failure> {
        let Some(text) = text.to_str() else {
            return Err(Failure::usage(
                "cannot read the position: expected UTF-8, found other bytes; see 'tablegen probe --help'",
            ));
        };
        let Some(file) = text.strip_prefix('@') else { return Ok(Self::Typed(text.into())) };
        if file.is_empty() {
            return Err(Failure::usage("cannot read the position: expected the name of a file after @, found none")
                .hint("@- reads standard input"));
        }
        let path = Path::new(file);
        match subject::read_text(path, subject::MOST_BYTES) {
            // No text is the start, for games whose files say more than a position as well.
            Ok(content) if content.trim().is_empty() => Ok(Self::Typed(String::new())),
            Ok(content) => Ok(Self::InFile(PositionFile { name: subject::shown(path), content })),
            Err(found) if file != stdin::PATH && !path.exists() => Ok(Self::AtSign(text.into(), found)),
            Err(found) => Err(no_file(&found)),
        }
    }

    /// The text, if it consists of digits that were read as the number of the board of `asked`.
    fn number_of(&self, asked: &Asked) -> Option<&str> {
        let (Self::Typed(text), Asked::Node(Reading { node: Node::At(position), .. })) = (self, asked) else {
            return None;
        };
        let text = text.trim();
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        (digits && text.parse() == Ok(position.board.number())).then_some(text)
    }

    /// The file, if the position is in one.
    pub(super) const fn file(&self) -> Option<&PositionFile> {
        if let Self::InFile(file) = self { Some(file) } else { None }
    }
}

/// The failure that the file of a position cannot be read.
fn no_file(found: &str) -> Failure {
    Failure::usage(found).hint("@FILE names a file that holds one position")
}

/// The position that `text` names in `game`, which is typed as `word` unless it comes from a table; `None` is the start.
fn read(game: &dyn Game, word: Option<&str>, text: Option<&Text>) -> Result<Asked, Failure> {
    // An option without its dashes is taken for a position.
    let as_option = |text: Option<&str>| {
        let (key, value) = text?.split_once('=')?;
        usage::as_option(word?.as_ref(), key, value)
    };
    let typed = |text| {
        Asked::typed(game, text).map_err(|error| match as_option(text) {
            Some(option) => Failure::usage(error).hint(format!("use {option}")),
            None => {
                let hint = failure::how_to_write(&error, game, word);
                Failure::usage(error).hint(hint)
            }
        })
    };
    match text {
        // Its starts are the boards at which play may enter it.
        None if game.part().is_some() => {
            let examples = game.rules().start_positions();
            let example = examples.first().map(|&start| shell_word(&game.write(start.into()))).unwrap_or_default();
            Err(Failure::usage("cannot answer for the start: a part of a game has none, so expected a position")
                .hint(format!("try {example}")))
        }
        None => typed(None),
        Some(Text::Typed(text)) => typed(Some(text)),
        Some(Text::AtSign(text, found)) => Asked::typed(game, Some(text)).map_err(|_| no_file(found)),
        Some(Text::InFile(PositionFile { name, content })) => Asked::in_file(game, content).map_err(|error| {
            let failure = Failure::usage(format!("{name}: {error}"));
            let lines = content.lines().filter(|line| !line.trim().is_empty());
            match lines.clone().next().filter(|first| lines.count() > 1 && Asked::typed(game, Some(first)).is_ok()) {
                Some(_) => failure.hint(format!(
                    "the file has {} lines; use --batch < {}",
                    content.lines().count(),
                    shell_word(name)
                )),
                None => failure,
            }
        }),
    }
}
