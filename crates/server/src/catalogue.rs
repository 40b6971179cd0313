//! The catalogue: the games and tables that a server answers about, by name.
//!
//! A request names a game or a table, never a file. The server opens only files in the folders of tables, and files
//! named when it was started.

use std::path::PathBuf;

use serde_json::Value as Json;

use super::failure::{Failure, shortened};
use tablegen_engine::{Engine, EngineError, ListedTable, OpenTable, json, rules_file};
use tablegen_games::{
    FAMILIES, Family, FileHead, Game, GameError, LIBRARY, Layout, LibraryGame, ParameterKind, Parameters,
    about_unknown, called, game_meant, is_of_rules_file,
};

/// The games and the tables that a server answers about.
#[derive(Clone)]
pub struct Catalogue {
    games: Vec<(String, GameEntry)>,
    /// Table files, by the names of their rules; `None` means every table in the folders.
    tables: Option<Vec<(String, PathBuf)>>,
}

/// A game of a [`Catalogue`].
#[derive(Clone)]
pub enum GameEntry {
    /// A built-in game.
    Family(&'static Family),
    /// A rules file of the library.
    Bundled(&'static LibraryGame),
    /// The text of another rules file, and the name of that file.
    RulesFile {
        /// The text.
        text: String,
        /// The name of the file, as shown by `list`.
        file: String,
    },
}

/// The meaning of a name in a request.
pub(super) enum Meaning<'a> {
    Family(&'static Family),
    /// The text of a rules file.
    RulesFile(&'a str),
    /// The text of a rules file, and the name of a part of the game.
    Part(&'a str, &'a str),
    /// A table, to be found by the name of its rules.
    Table,
}

impl Catalogue {
    /// Every game, and every table in the folders.
    #[must_use]
    pub fn everything() -> Self {
        let families = FAMILIES.iter().map(|family| (family.name.to_owned(), GameEntry::Family(family)));
        let bundled = LIBRARY.iter().map(|game| (game.name.to_owned(), GameEntry::Bundled(game)));
        Self { games: families.chain(bundled).collect(), tables: None }
    }

    /// An empty catalogue, to which games and tables can be added.
    #[must_use]
    pub const fn nothing() -> Self {
        Self { games: Vec::new(), tables: Some(Vec::new()) }
    }

    /// Adds a game, unless the catalogue has one with this name.
    pub fn add_game(&mut self, name: impl Into<String>, game: GameEntry) {
        let name = name.into();
        if self.games.iter().all(|(known, _)| *known != name) {
            self.games.push((name, game));
        }
    }

    /// Adds the table at `path`. `name` is the name of its rules.
    pub fn add_table(&mut self, name: impl Into<String>, path: impl Into<PathBuf>) {
        let (name, tables) = (name.into(), self.tables.get_or_insert_default());
        if tables.iter().all(|(known, _)| *known != name) {
            tables.push((name, path.into()));
        }
    }

    /// The table files that were named when the server was started.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.tables.iter().flatten().map(|(_, path)| path.clone()).collect()
    }

    /// The meaning of `name`: a game, a part of a game (`GAME.PART`), else a table.
    pub(super) fn meaning<'a>(&'a self, name: &'a str) -> Result<Meaning<'a>, Failure> {
        if name.contains(['/', '\\']) || name.ends_with(".toml") || name.ends_with(".tb") {
            return Err(Failure::bad(format!(
                "expected the name of a game or a table, found {:?}, which may be a file; name files when you start the \
                 server, or send a rules file to /api/v1/solve",
                shortened(name)
            )));
        }
        let game = |name: &str| self.games.iter().find(|(known, _)| known == name).map(|(_, game)| game);
        if let Some(entry) = game(name) {
            return Ok(match entry {
                GameEntry::Family(family) => Meaning::Family(family),
                GameEntry::Bundled(LibraryGame { text, .. }) => Meaning::RulesFile(text),
                GameEntry::RulesFile { text, .. } => Meaning::RulesFile(text),
            });
        }
        let part = name.split_once('.').and_then(|(whole, part)| Some((game(whole)?.text()?, part)));
        Ok(part.map_or(Meaning::Table, |(text, part)| Meaning::Part(text, part)))
    }

    /// Opens the table called `name`.
    pub(super) fn open(&self, engine: &Engine, name: &str) -> Result<OpenTable, Failure> {
        let opened = match &self.tables {
            None => engine.open_named(name)?,
            Some(tables) => {
                let found = tables.iter().find(|(known, _)| known == name);
                found.map(|(_, path)| engine.open(path)).transpose()?
            }
        };
        opened.ok_or_else(|| self.unknown(name))
    }

    /// The name of the game that is called `name` in other words, and `options` with the parameters that `name` has.
    pub(super) fn called(&self, name: &str, options: Vec<(String, String)>) -> Option<(String, Vec<(String, String)>)> {
        let (game, set) = called(name)?;
        self.games.iter().find(|(known, _)| known == game)?;
        let of_name = set.iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
        let of_name = of_name.filter(|(key, _)| options.iter().all(|(given, _)| given != key));
        Some((game.to_owned(), of_name.chain(options.iter().cloned()).collect()))
    }

    fn unknown(&self, name: &str) -> Failure {
        let known = || self.games.iter().map(|(known, _)| known.as_str());
        let near = about_unknown(name, known());
        Failure::unknown(format!(
            "there is no game and no table called {:?}{near}; /api/v1/games and /api/v1/tables list all",
            shortened(name)
        ))
        .suggesting(game_meant(name, known()))
    }

    /// The games, in the format of `list --json`.
    pub(super) fn games(&self) -> Vec<Json> {
        let shown = |(name, game): &(String, GameEntry)| match game {
            GameEntry::Family(family) => json::family(family),
            GameEntry::Bundled(game) => json::bundled(game),
            GameEntry::RulesFile { text, file } => json::named_rules_file(name, file, text),
        };
        self.games.iter().map(shown).collect()
    }

    /// The tables, in the format of `list --json`.
    pub(super) fn tables(&self, engine: &Engine) -> Vec<Json> {
        self.listed(engine).iter().map(|listed| json::listed(listed, EngineError::to_string)).collect()
    }

    fn listed(&self, engine: &Engine) -> Vec<ListedTable> {
        match &self.tables {
            None => engine.tables(),
            Some(tables) => {
                let listed = |(_, path): &(String, PathBuf)| ListedTable {
                    source: path.display().to_string(),
                    table: engine.open(path).map(|open| open.table),
                };
                tables.iter().map(listed).collect()
            }
        }
    }

    /// A summary of the game called `name` in one line.
    pub(super) fn about(&self, name: &str) -> Option<String> {
        self.games.iter().find(|(known, _)| known == name).map(|(_, game)| game.summary())
    }

    /// The sample parameters of the game called `name`.
    pub(super) fn samples(&self, name: &str) -> Parameters {
        let game = self.games.iter().find(|(known, _)| known == name);
        game.map(|(_, game)| game.samples()).unwrap_or_default()
    }

    /// The games that are drawn in a layout accepted by `is_drawn`, each with its tables. A table whose game is not in
    /// the catalogue becomes a game of its own.
    pub(super) fn drawn(&self, engine: &Engine, is_drawn: fn(Layout) -> bool) -> Vec<DrawnGame> {
        let mut all: Vec<DrawnGame> = Vec::new();
        for (name, game) in &self.games {
            // A game that requires a word list or a graph is shown with its sample.
            let made = [(OwnVariant::Default, Parameters::new()), (OwnVariant::Example, game.samples())]
                .into_iter()
                .find_map(|(own, parameters)| Some((own, game.make(&parameters).ok()?)));
            let drawn = made.filter(|(_, made)| is_drawn(made.scene().layout));
            if let Some((own, _)) = drawn {
                all.push(DrawnGame { name: name.clone(), own: Some(own), sizes: game.variants(), tables: Vec::new() });
            }
        }
        for table in self.listed(engine).into_iter().filter_map(|listed| listed.table.ok()) {
            let open = OpenTable::new(table);
            if !is_drawn(open.game.scene().layout) {
                continue;
            }
            let table = open.table.rules().name().to_owned();
            let owner = self.games.iter().find(|(_, game)| game.is_of(&open)).map_or(&table, |(name, _)| name);
            let at = all.iter().position(|known| known.name == *owner);
            let at = at.unwrap_or_else(|| {
                all.push(DrawnGame { name: owner.clone(), own: None, sizes: &[], tables: Vec::new() });
                all.len() - 1
            });
            if !all[at].tables.contains(&table) {
                all[at].tables.push(table);
            }
        }
        all
    }
}

/// A game whose board can be drawn.
pub(super) struct DrawnGame {
    pub(super) name: String,
    /// The variant without given parameters; `None` for a table without its game.
    pub(super) own: Option<OwnVariant>,
    /// Lists of parameters for usual sizes, such as `rows=3,cols=4`.
    pub(super) sizes: &'static [&'static str],
    /// The names of its tables.
    pub(super) tables: Vec<String>,
}

/// The variant of a game without given parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OwnVariant {
    /// Every parameter has its default.
    Default,
    /// The parameters are the game's samples.
    Example,
}

impl GameEntry {
    /// The text of its rules file, if it has one.
    fn text(&self) -> Option<&str> {
        match self {
            Self::Family(_) => None,
            Self::Bundled(LibraryGame { text, .. }) => Some(text),
            Self::RulesFile { text, .. } => Some(text),
        }
    }

    fn make(&self, parameters: &Parameters) -> Result<Box<dyn Game>, GameError> {
        match self {
            Self::Family(family) => family.make(parameters),
            Self::Bundled(LibraryGame { text, .. }) => Ok(Box::new(rules_file(text, parameters)?)),
            Self::RulesFile { text, .. } => Ok(Box::new(rules_file(text, parameters)?)),
        }
    }

    /// The sample parameters of the game.
    fn samples(&self) -> Parameters {
        match self {
            Self::Family(family) => family.samples(),
            Self::Bundled(_) | Self::RulesFile { .. } => Parameters::new(),
        }
    }

    /// Lists of parameters for usual sizes.
    const fn variants(&self) -> &'static [&'static str] {
        match self {
            Self::Family(family) => family.variants,
            Self::Bundled(game) => game.variants,
            Self::RulesFile { .. } => &[],
        }
    }

    /// Returns whether `open` is a table of this game.
    fn is_of(&self, open: &OpenTable) -> bool {
        match self {
            Self::Family(family) => open.game.descriptor().family == family.name,
            Self::Bundled(_) | Self::RulesFile { .. } => {
                self.text().is_some_and(|text| is_of_rules_file(open.table.rules(), open.table.descriptor(), text))
            }
        }
    }

    fn summary(&self) -> String {
        match self {
            Self::Family(family) => family.summary.to_owned(),
            Self::Bundled(game) => game.head().summary,
            Self::RulesFile { text, .. } => FileHead::read(text).map(|head| head.summary).unwrap_or_default(),
        }
    }
}

/// Reads the parameters of `family` from `options`. A parameter that is a file on the command line is the text of the
/// file in a request. A value that may be the name of a file is refused, because requests cannot read files.
pub(super) fn parameters_of(family: &Family, options: Vec<(String, String)>) -> Result<Parameters, Failure> {
    let is_file = |name: &str| {
        family.parameters.iter().any(|parameter| parameter.name == name && parameter.kind == ParameterKind::File)
    };
    match options.iter().find(|(name, value)| is_file(name) && !value.contains('\n')) {
        Some((name, value)) => Err(Failure::bad(format!(
            "{name}: expected the text of the file, with its line ends, found {:?}, which may be the name of a file; no \
             request reads a file",
            shortened(value)
        ))),
        None => Ok(Parameters::from(options)),
    }
}
