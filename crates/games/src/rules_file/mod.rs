//! Rules files: games that users define in TOML. `docs/reference/rules-keys.md` describes every key.
//!
//! ```
//! # mod tablegen { pub use tablegen_labels as label; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
//! use tablegen::game::{Game, Parameters, FileGame};
//!
//! let cram = r#"
//!     name = "cram-{rows}x{cols}-{play}"
//!     parameters = { rows = 4, cols = 4, play = "normal" }
//!     board = { rows = "rows", cols = "cols" }
//!     move = [{ shape = "XX", turns = true }]
//! "#;
//! let game = FileGame::read(cram, &Parameters::new().with("cols", 5))?;
//! assert_eq!(game.rules().name(), "cram-4x5-normal");
//! assert_eq!(game.rules().moves().len(), 4 * 4 + 3 * 5);
//! # Ok::<(), tablegen::game::RulesFileError>(())
//! ```
//!
//! [`source`] parses the text into a tree of values that know their lines. [`parameters`] and [`expression`] give the
//! parameters their values. [`squares`] maps the squares of the board to cells. [`stamp`] turns a shape or a line into
//! stamps; these make a pattern, which has a placement wherever it fits on the board ([`pattern`]). Placements become
//! moves ([`moves`]) and ends ([`ends`]). [`hand`] makes the modes of a game with pieces in hand, and [`swap`] those of a game in which the
//! players may exchange sides.
//!
//! The work of every step is bounded for any text; see [`FileGame::read`].

mod advice;
mod amounts;
mod area;
mod between;
mod builder;
mod completing;
mod connection;
mod counting;
mod each;
mod end_examples;
mod ends;
mod error;
mod expression;
mod falling;
mod fitting;
mod form;
mod groups;
mod hand;
mod head;
mod liberties;
mod lift;
mod looks;
mod modes;
mod moves;
mod names;
mod naming;
mod notation;
mod notations;
mod outflank;
mod parameters;
mod parts;
mod pattern;
mod placement;
mod points;
mod push;
mod range;
mod reader;
mod report;
mod resting;
mod same;
mod sound;
mod source;
mod squares;
mod stamp;
mod start;
mod statements;
mod surrounded;
mod swap;
mod take;
mod turns;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::rules::{Move, Rules, RulesSpec};

use super::scene::{Looks, Surface};
use super::{GamePart, Notation, Parameters};
use advice::Advice;
pub use advice::MoveExample;
pub use builder::{GameBuilder, Setting};
use end_examples::EndTable;
pub use end_examples::{EndExample, FilePoints};
use error::Read;
pub use error::{FilePlace, RulesFileError};
pub use head::FileHead;
use head::Texts;
use naming::Naming;
pub use parameters::Parameter;
use points::Points;
pub use report::FileReport;
pub use same::is_of_rules_file;
use sound::Limits;
use squares::{Offset, Setup, Squares};
pub use statements::Statement;
use turns::Turns;

/// The family name in the descriptor of a game from a rules file.
pub(super) const FAMILY: &str = "rules-file";
/// The descriptor's parameter that holds the text of the file. No parameter of a file can have this name.
pub(super) const TEXT: &str = "rules.toml";

/// The keys of the file.
const KEYS: [&[&str]; 3] = [
    &head::KEYS,
    &points::KEYS,
    &["sides", "swap", "modes", "hand", "parts", "notation", "board", "group", "move", "end", "start", "looks", "test"],
];

/// A game defined by a rules file, with settled parameters.
#[derive(Clone, Debug)]
pub struct FileGame {
    text: String,
    texts: Texts,
    parameters: Vec<Parameter>,
    squares: Squares,
    turns: Turns,
    /// The side to move in each mode, if the file has modes and two sides.
    owners: Vec<u16>,
    /// The names of the two sides.
    sides: Option<[String; 2]>,
    /// True if the file fixes the side that begins.
    begins: bool,
    /// The names of the players, where positions do not say who is to move.
    players: Option<[String; 2]>,
    /// The name of points.
    unit: String,
    /// True if the players play for the fewest points.
    fewest: bool,
    /// The two ends of the line of each move that is a push.
    pushes: HashMap<Move, [usize; 2]>,
    /// The way in which pieces fall, if they do.
    fall: Option<Offset>,
    looks: Looks,
    /// The squares of each group, if the board has dots around them.
    areas: Vec<Vec<usize>>,
    /// The lines along which pieces move, as pairs of places, if the board is drawn as points.
    lines: Vec<[usize; 2]>,
    /// The points of the picture that rest on the ground.
    ground: Vec<usize>,
    naming: Naming,
    advice: Advice,
    end_tables: Vec<EndTable>,
    statements: Vec<Statement>,
    parts: Vec<GamePart>,
    notations: Vec<Notation>,
    rules: Rules,
    limits: Limits,
}

impl FileGame {
    /// The largest size of a rules file, in bytes.
    pub const MOST_BYTES: usize = source::MOST_BYTES;

    /// Reads a rules file, with the parameters in `set` instead of its defaults.
    ///
    /// No text causes a panic, and time and memory are bounded. The text has at most 1 MiB, the board at most 128 cells.
    /// The game has at most 32,768 moves and 131,072 ends, and the total work of placing patterns is limited.
    ///
    /// # Errors
    /// If the text is not a rules file. The error lists up to ten mistakes, each with its place, the expected and the
    /// found value. Also if the file lacks one of the parameters, or a parameter cannot have its value. If the
    /// file is refused only because of the parameters, the error suggests lower values that fit.
    pub fn read(text: &str, set: &Parameters) -> Result<Self, RulesFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self::read_as_set(text, set).map_err(|error| fitting::with_sizes(error, text, set))
    }

    /// Reads a rules file as [`read`](Self::read) does, without a search for sizes that would fit.
    fn read_as_set(text: &str, set: &Parameters) -> Read<Self> {
        let game = Self::read_once(text, set, false)?;
        if game.blocks_squares() { Self::read_once(text, set, true) } else { Ok(game) }
    }

    /// Reads a rules file whose squares can be blocked, or cannot.
    fn read_once(text: &str, set: &Parameters, has_blocks: bool) -> Read<Self> {
        let tree = source::parse(text)?;
        let mistakes = &source::Mistakes::of(text);
        mistakes.refuse_characters(tree.get_ref());
        let mut file = source::Keys::of_file(mistakes, tree.get_ref(), &KEYS);
        let settled = parameters::settle(&mut file, mistakes, set);
        let (texts, name) = Texts::take(&mut file, mistakes);
        // Values computed from a wrong parameter would only repeat its mistake.
        let name = name.filter(|_| settled.is_complete).and_then(|name| mistakes.keep(settled.name(name)));
        let board = mistakes.keep(file.need("board", "the board (a table)")).filter(|_| settled.is_complete);
        let squares = board.and_then(|board| Some((mistakes.keep(Squares::read(board, &settled.values))?, board)));
        let on = squares.as_ref().map(|(squares, _)| squares);
        let (sides, modes) = (file.take("sides"), file.take("modes"));
        let (moves, ends, start, group) = (file.take("move"), file.take("end"), file.take("start"), file.take("group"));
        let (hand, parts, swap) = (file.take("hand"), file.take("parts"), file.take("swap"));
        let points = Points::take(&mut file, mistakes);
        let (unit, fewest) = (mistakes.keep(points.unit()).unwrap_or_default(), points.for_fewest());
        let turns = settled.is_complete.then(|| match hand {
            Some(hand) => hand::read(hand, [sides, modes], [moves, start], on, &settled.values),
            None => turns::read_turns(sides, modes, &settled.values, on),
        });
        let turns = turns.and_then(|read| mistakes.keep(read));
        let turns = match swap {
            Some(swap) => turns.and_then(|read| mistakes.keep(swap::read(swap, hand, start, read))),
            None => turns,
        };
        let sides = turns.as_ref().and_then(|read| read.sides.clone());
        let named_players = mistakes.keep(points.players(turns.as_ref().map(|read| &read.turns))).flatten();
        let turns = turns.map(|read| (read.turns, read.modes, read.owners));
        let statements = statements::read(file.take("test"));
        let notations = mistakes.keep(notations::read(file.take("notation"))).unwrap_or_default();
        let squares = squares.and_then(|(mut squares, board)| {
            squares.has_blocks = has_blocks && squares.colours() == 2;
            if squares.colours() == 2
                && turns.as_ref().is_some_and(|(turns, _, owners)| !matches!(turns, Turns::Sides) && owners.is_empty())
            {
                mistakes.note(board.clash("`sides = [...]`, one for each letter of `colours`", "none"));
                return None;
            }
            Some(squares)
        });
        let (Some(mut squares), Some((turns, modes, owners))) = (squares, turns) else {
            moves::note_unknown_keys(moves, ends, group);
            return Err(mistakes.error());
        };
        let setup = Setup { squares: &squares, values: &settled.values };
        let mut budget = placement::Budget::new();
        let groups = groups::read(group, setup, &mut budget, mistakes);
        let mut reader = reader::RulesReader {
            squares: &squares,
            values: settled.values.clone(),
            turns: turns.clone(),
            modes,
            owners,
            steps: BTreeSet::new(),
            groups,
            terminal: settled.terminal,
            terminals: HashMap::new(),
            pushes: HashMap::new(),
            lines: Vec::new(),
            grounds: Vec::new(),
            spared: BTreeMap::new(),
            heaps: Vec::new(),
            sides: sides.clone().unwrap_or_default(),
            counts: Vec::new(),
            takes: Vec::new(),
            take_numbers: HashMap::new(),
            count_ends: Vec::new(),
            points,
            budget,
            mistakes,
        };
        let (moves, move_tables) = reader.moves(moves);
        let (ends, end_tables) = reader.ends(ends);
        let parts = reader.parts(parts, &moves);
        mistakes.keep(reader.check_points(&moves));
        let start_place = start.map_or(FilePlace::line(1), |item| item.place());
        let start = mistakes.keep(reader.start(start));
        let ground = mistakes.keep(reader.ground()).flatten();
        let named = sides.clone().or_else(|| match (&turns, &reader.modes[..]) {
            (Turns::Sides, [first, second]) => Some([first.clone(), second.clone()]),
            _ => None,
        });
        let looks = mistakes.keep(looks::read(file.take("looks"), setup, named.as_ref()));
        let players = match reader.players() {
            Ok(players) => players,
            Err(found) => {
                let expected = "each mode to belong to one player";
                mistakes.note(RulesFileError::wrong(FilePlace::line(1), expected, found));
                Vec::new()
            }
        };
        let (Some(name), Some((start, begins)), Some(looks), 0) = (name, start, looks, mistakes.count()) else {
            return Err(mistakes.error());
        };
        let (terminals, limits) =
            (reader.terminals(), Limits::new(ground, reader.spared.clone(), reader.heaps.clone()));
        let areas = reader.groups.all().to_vec();
        let rests = reader.grounds.iter().find_map(|(_, rests)| rests.clone()).unwrap_or_default();
        let (counts, takes, count_ends) = (reader.counts, reader.takes, reader.count_ends);
        let (modes, owners, pushes, lines) = (reader.modes, reader.owners, reader.pushes, reader.lines);
        let rules = RulesSpec {
            modes,
            moves,
            lines,
            counts,
            takes,
            count_ends,
            ends,
            terminal: settled.terminal,
            terminals,
            players,
            start,
            ..RulesSpec::new(name, squares.cells())
        }
        .build()?;
        if let Some(table) = move_tables.iter().find(|table| table.moves.iter().any(|m| m.otherwise))
            && rules.potential().is_none()
        {
            let expected = "no `otherwise` in a game whose positions may repeat";
            mistakes.note(RulesFileError::wrong(table.place, expected, "a [[move]] with it"));
            return Err(mistakes.error());
        }
        let naming = Naming::of(&rules, &squares);
        if let Some(first) = rules.start_positions().first() {
            squares.begins = usize::from(owners.get(usize::from(first.mode.0)).copied().unwrap_or(first.mode.0 & 1));
        }
        let idle_ends = end_tables.iter().filter(|table| table.fits_nowhere).map(|table| table.place);
        let idle_ends: Vec<FilePlace> = idle_ends.collect();
        let advice = Advice::of(&rules, &turns, &sides.clone().unwrap_or_default(), &move_tables, &idle_ends);
        let fall = falling::fall(&rules, &squares);
        let looks = looks.settle(fall == Some(Offset { rows: 1, cols: 0 }));
        let game = Self {
            text: text.into(),
            fall,
            areas: if looks.surface == Surface::Dots { areas } else { Vec::new() },
            lines: match looks.surface {
                Surface::Points if !squares.is_graph() => looks::lines(&rules, &squares),
                _ => Vec::new(),
            },
            ground: rests.iter().enumerate().filter(|(_, rests)| **rests).map(|(point, _)| point).collect(),
            looks,
            texts,
            parameters: settled.list,
            squares,
            turns,
            owners,
            sides,
            begins,
            players: named_players,
            unit,
            fewest,
            pushes,
            naming,
            advice,
            end_tables,
            statements,
            parts,
            notations,
            rules,
            limits,
        };
        game.uncovered(start_place).into_iter().for_each(|mistake| mistakes.note(mistake));
        if mistakes.count() > 0 { Err(mistakes.error()) } else { Ok(game) }
    }

    /// The game of a descriptor, if it belongs to a rules file.
    pub(super) fn of_descriptor(descriptor: &crate::rules::Descriptor) -> Option<Self> {
        let (first, set) = descriptor.parameters.split_first()?;
        if descriptor.family != FAMILY || first.0 != TEXT || set.len() > parameters::MOST {
            return None;
        }
        Self::read(&first.1, &Parameters::from(set.to_vec())).ok()
    }

    /// The title of the game, without its parameters. By default it is made from `name`.
    #[must_use]
    pub fn base_title(&self) -> &str {
        &self.texts.title
    }

    /// A summary of the game in one line; empty if the file does not give one.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.texts.summary
    }

    /// Other names of the game, as people write them.
    #[must_use]
    pub fn also(&self) -> &[String] {
        &self.texts.also
    }

    /// The rules in words; empty if the file does not give them. A line break separates paragraphs.
    #[must_use]
    pub fn rules_in_words(&self) -> &str {
        &self.texts.rules
    }

    /// What the file states about positions: its `[[test]]` tables.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parameters with their values.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The names of the two sides, if the file has sides.
    fn named_sides(&self) -> Option<[String; 2]> {
        match self.rules.modes() {
            [first, second] if self.sides.is_none() && self.is_partisan() => Some([first.clone(), second.clone()]),
            _ => self.sides.clone(),
        }
    }

    /// Returns whether the file has two sides, each with moves of its own.
    #[must_use]
    pub const fn is_partisan(&self) -> bool {
        matches!(self.turns, Turns::Sides) || self.sides.is_some()
    }
}
