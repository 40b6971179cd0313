//! Which games and tables there are, by name.
//!
//! A request names a game or a table, never a file: the only files that are opened are those that the folders of tables
//! list, and those that were named when the server was started.

use std::path::PathBuf;

use serde_json::Value as Json;

use super::failure::Failure;
use crate::engine::{Engine, EngineError, ListedTable, OpenTable, json, rules_file};
use tablegen_games::{
    FAMILIES, Family, Game, GameError, LIBRARY, Layout, LibraryGame, ParameterKind, Parameters, about_unknown,
    game_meant,
};

/// The games and the tables that a server answers about.
#[derive(Clone)]
pub struct Catalogue {
    games: Vec<(String, GameEntry)>,
    /// Table files, by the names of their rules; `None` for all that the folders have.
    tables: Option<Vec<(String, PathBuf)>>,
}

/// A game of a [`Catalogue`].
#[derive(Clone)]
pub enum GameEntry {
    /// A built-in game.
    Family(&'static Family),
    /// A rules file of the library.
    Bundled(&'static LibraryGame),
    /// The text of another rules file, and what to call the file.
    RulesFile {
        /// The text.
        text: String,
        /// The name of the file, as `list` would show it.
        file: String,
    },
}

/// What a name in a request means.
pub(super) enum Meaning<'a> {
    Family(&'static Family),
    /// The text of a rules file.
    RulesFile(&'a str),
    /// A table by the name of its rules.
    Table,
}

impl Catalogue {
    /// Every game, and every table that is found.
    #[must_use]
    pub fn everything() -> Self {
        let families = FAMILIES.iter().map(|family| (family.name.to_owned(), GameEntry::Family(family)));
        let bundled = LIBRARY.iter().map(|game| (game.name.to_owned(), GameEntry::Bundled(game)));
        Self { games: families.chain(bundled).collect(), tables: None }
    }

    /// No game and no table, to which some are added.
    #[must_use]
    pub const fn nothing() -> Self {
        Self { games: Vec::new(), tables: Some(Vec::new()) }
    }

    /// Adds a game, unless there is one of that name.
    pub fn add_game(&mut self, name: impl Into<String>, game: GameEntry) {
        let name = name.into();
        if self.games.iter().all(|(known, _)| *known != name) {
            self.games.push((name, game));
        }
    }

    /// Adds the table at `path`; `name` is that of its rules.
    pub fn add_table(&mut self, name: impl Into<String>, path: impl Into<PathBuf>) {
        let (name, tables) = (name.into(), self.tables.get_or_insert_default());
        if tables.iter().all(|(known, _)| *known != name) {
            tables.push((name, path.into()));
        }
    }

    /// The table files that were named.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.tables.iter().flatten().map(|(_, path)| path.clone()).collect()
    }

    /// What `name` means: first a game, then a table.
    pub(super) fn meaning(&self, name: &str) -> Result<Meaning<'_>, Failure> {
        if name.contains(['/', '\\']) || name.ends_with(".toml") || name.ends_with(".tb") {
            return Err(Failure::bad(format!(
                "the name of a game or of a table is expected, found {:?}, which may be a file; files are named when the \
                 server is started, and rules files can be sent to /api/v1/solve",
                shortened(name)
            )));
        }
        match self.games.iter().find(|(known, _)| known == name) {
            Some((_, GameEntry::Family(family))) => Ok(Meaning::Family(family)),
            Some((_, GameEntry::Bundled(game))) => Ok(Meaning::RulesFile(game.text)),
            Some((_, GameEntry::RulesFile { text, .. })) => Ok(Meaning::RulesFile(text)),
            None => Ok(Meaning::Table),
        }
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

    fn unknown(&self, name: &str) -> Failure {
        let known = || self.games.iter().map(|(known, _)| known.as_str());
        let near = about_unknown(name, known());
        Failure::unknown(format!(
            "there is no game and no table called {:?}{near}; /api/v1/games and /api/v1/tables list all",
            shortened(name)
        ))
        .suggesting(game_meant(name, known()))
    }

    /// The games, as `list --json` shows them.
    pub(super) fn games(&self) -> Vec<Json> {
        let shown = |(name, game): &(String, GameEntry)| match game {
            GameEntry::Family(family) => json::family(family),
            GameEntry::Bundled(game) => json::bundled(game),
            GameEntry::RulesFile { text, file } => json::named_rules_file(name, file, text),
        };
        self.games.iter().map(shown).collect()
    }

    /// The tables, as `list --json` shows them.
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

    /// What the game called `name` is, in one line.
    pub(super) fn about(&self, name: &str) -> Option<String> {
        self.games.iter().find(|(known, _)| known == name).map(|(_, game)| game.summary())
    }

    /// The parameters that the game called `name` offers to try.
    pub(super) fn samples(&self, name: &str) -> Parameters {
        let game = self.games.iter().find(|(known, _)| known == name);
        game.map(|(_, game)| game.samples()).unwrap_or_default()
    }

    /// The games whose boards are drawn in one of the layouts that `is_drawn` accepts, with the tables of each. A table whose
    /// game is not among them is one by itself.
    pub(super) fn drawn(&self, engine: &Engine, is_drawn: fn(Layout) -> bool) -> Vec<DrawnGame> {
        let mut all: Vec<DrawnGame> = Vec::new();
        for (name, game) in &self.games {
            // A game that needs a list or a graph has the one that it offers to try.
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

/// A game whose board is drawn.
pub(super) struct DrawnGame {
    pub(super) name: String,
    /// How it is played if nothing is said of its parameters; `None` for a table without its game.
    pub(super) own: Option<OwnVariant>,
    /// Parameters of usual sizes, as in `rows=3,cols=4`.
    pub(super) sizes: &'static [&'static str],
    /// The names of its tables.
    pub(super) tables: Vec<String>,
}

/// The variant of a game that is played if nothing is said of its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OwnVariant {
    /// Every parameter has its default.
    Default,
    /// The parameters are those that the game offers to try.
    Example,
}

impl GameEntry {
    fn make(&self, parameters: &Parameters) -> Result<Box<dyn Game>, GameError> {
        match self {
            Self::Family(family) => family.make(parameters),
            Self::Bundled(LibraryGame { text, .. }) => Ok(Box::new(rules_file(text, parameters)?)),
            Self::RulesFile { text, .. } => Ok(Box::new(rules_file(text, parameters)?)),
        }
    }

    /// The parameters that the game offers to try.
    fn samples(&self) -> Parameters {
        match self {
            Self::Family(family) => family.samples(),
            Self::Bundled(_) | Self::RulesFile { .. } => Parameters::new(),
        }
    }

    /// Parameters of usual sizes.
    const fn variants(&self) -> &'static [&'static str] {
        match self {
            Self::Family(family) => family.variants,
            Self::Bundled(game) => game.variants,
            Self::RulesFile { .. } => &[],
        }
    }

    /// Whether `open` is a table of this game.
    fn is_of(&self, open: &OpenTable) -> bool {
        match self {
            Self::Family(family) => open.game.descriptor().family == family.name,
            Self::Bundled(LibraryGame { text, .. }) => open.game.rules_file() == Some(text),
            Self::RulesFile { text, .. } => open.game.rules_file() == Some(text),
        }
    }

    fn summary(&self) -> String {
        match self {
            Self::Family(family) => family.summary.to_owned(),
            Self::Bundled(game) => game.summary(),
            Self::RulesFile { text, .. } => {
                rules_file(text, &Parameters::new()).map_or_else(|_| String::new(), |game| game.summary().to_owned())
            }
        }
    }
}

/// The parameters of `family` in `options`. Where the command line takes the name of a file, a request gives the text of the
/// file itself; one that may be a name is refused, because no request reads a file.
pub(super) fn parameters_of(family: &Family, options: Vec<(String, String)>) -> Result<Parameters, Failure> {
    let is_file = |name: &str| {
        family.parameters.iter().any(|parameter| parameter.name == name && parameter.kind == ParameterKind::File)
    };
    match options.iter().find(|(name, value)| is_file(name) && !value.contains('\n')) {
        Some((name, value)) => Err(Failure::bad(format!(
            "{name}: the text of the file itself is expected, with its line ends, found {:?}, which may be the name of a \
             file; no request reads a file",
            shortened(value)
        ))),
        None => Ok(Parameters::from(options)),
    }
}

/// The beginning of a name that a client sent.
fn shortened(name: &str) -> &str {
    const MOST: usize = 80;
    name.char_indices().nth(MOST).map_or(name, |(end, _)| &name[..end])
}
