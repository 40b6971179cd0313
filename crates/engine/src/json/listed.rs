//! What `list --json` shows: games, tables, and unfinished builds.

use serde_json::{Value as Json, json};

use super::{Object, object, part, table_rules};
use crate::facts::reachable;
use crate::{EngineError, ListedTable, PartFacts, RegionFacts, RulesFacts, UnfinishedTable};
use tablegen_games::{
    AbsentGame, Family, FileGame, FileHead, Kind, LibraryGame, Notation, Parameter, Parameters, featured,
};
use tablegen_tables::table::Table;

/// An unfinished table, as `list --json` shows it.
#[must_use]
pub fn unfinished(table: &UnfinishedTable) -> Json {
    json!({"path": table.table.display().to_string(), "folder": table.folder.display().to_string(), "bytes": table.bytes})
}

/// A built-in game, as `list --json` shows it.
#[must_use]
pub fn family(family: &Family) -> Json {
    let options = family.parameters.iter().map(|option| {
        let mut all = object([
            ("name", json!(option.name)),
            ("value", json!(option.value)),
            ("help", json!(option.help)),
            ("default", json!(option.default)),
        ]);
        if let Some(sample) = option.sample {
            all.insert("sample".into(), json!(sample));
        }
        Json::from(all)
    });
    json!({
        "name": family.name,
        "title": family.title,
        "kind": family.kind.name(),
        "featured": featured(family.name),
        "summary": family.summary,
        "also": family.also,
        "rules": family.rules,
        "notation": family.notation,
        "example": family.example,
        "notations": family.make(&family.samples()).map_or_else(|_| Vec::new(), |game| names(game.notations())),
        "options": options.collect::<Vec<_>>(),
        "variants": family.variants,
        "large": family.large,
    })
}

/// A well-known game that tablegen does not have, as `list --json` shows it.
#[must_use]
pub fn absent(game: &AbsentGame) -> Json {
    json!({"names": game.names, "reason": game.reason})
}

/// A library rules file, as `list --json` shows it.
#[must_use]
pub fn bundled(game: &LibraryGame) -> Json {
    let file = format!("games/{}.toml", game.name);
    let mut all = rules_file(game.name, &file, Some(game.kind), Some(&game.head()));
    all["variants"] = json!(game.variants);
    all["large"] = json!(game.large);
    all
}

/// A rules file called `name`, with content `text`, in the same form as a library rules file.
#[must_use]
pub fn named_rules_file(name: &str, file: &str, text: &str) -> Json {
    let kind = FileGame::read(text, &Parameters::new()).ok().map(|game| Kind::of(&game));
    let head = FileHead::read(text).ok().filter(|_| kind.is_some());
    rules_file(name, file, kind, head.as_ref())
}

/// A rules file. `head` is `None` if it cannot be read.
fn rules_file(name: &str, file: &str, kind: Option<Kind>, head: Option<&FileHead>) -> Json {
    let (title, summary, parameters) =
        head.map_or((name, "", &[][..]), |head| (&*head.title, &*head.summary, &head.parameters[..]));
    let (also, rules) = head.map_or((&[][..], ""), |head| (&head.also[..], &*head.rules));
    let parameters = parameters.iter().map(|parameter: &Parameter| {
        json!({"name": parameter.name, "help": parameter.help, "default": parameter.default, "expected": parameter.expected})
    });
    let kind = kind.map(Kind::name);
    let mut all = json!({"name": name, "title": title, "kind": kind, "featured": featured(name), "summary": summary, "also": also, "rules": rules, "rules_file": file, "parameters": parameters.collect::<Vec<_>>()});
    all["notations"] = json!(head.map_or_else(Vec::new, |head| names(&head.notations)));
    if let Some(head) = head.filter(|head| !head.parts.is_empty()) {
        all["parts"] = json!(head.parts);
    }
    all
}

/// The names of the notations that a game names.
fn names(notations: &[Notation]) -> Vec<&'static str> {
    notations.iter().map(|notation| notation.name()).collect()
}

/// A file that was found, as `list --json` shows it. For a file that cannot be used, `error` returns the message.
#[must_use]
pub fn listed(listed: &ListedTable, error: impl FnOnce(&EngineError) -> String) -> Json {
    match &listed.table {
        Ok(table) => {
            let mut all = listed_facts(table);
            all.extend(object([("file_bytes", json!(table.file_bytes())), ("source", json!(listed.source))]));
            all.into()
        }
        Err(fault) => json!({"source": listed.source, "error": error(fault)}),
    }
}

fn listed_facts(table: &Table) -> Object {
    let mut all = table_rules(&RulesFacts::of(table.rules()), reachable(table), RegionFacts::of(table));
    all.extend(part(PartFacts::of(table).as_ref()));
    all
}
