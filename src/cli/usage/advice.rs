//! Advice on arguments that the parser refuses: the option that was probably meant.

use std::ffi::OsStr;

use clap::Arg;
use tablegen::engine::{Meaning, meaning};
use tablegen::game::{LibraryGame, did_you_mean, nearest};

use crate::cli::arguments::Arguments;
use crate::cli::subject::meaning_in_words;
use crate::cli::text::shell_word;

/// The option that sets a parameter of a rules file.
const SET: &str = "--set";

/// The option of an address with a port, for which other programs have several options.
const LISTEN: &str = "listen";

/// The advice for an option of other programs that names a port or an address.
fn of_address(name: &str, typed: &Arguments<'_>) -> Option<String> {
    let value = |usual: &str| value_of(name, typed).unwrap_or_else(|| usual.into());
    let address = match name {
        "port" => format!("127.0.0.1:{}", value("PORT")),
        "host" | "address" | "addr" | "bind" | "ip" => match value("ADDRESS") {
            address if address.contains(':') => address,
            address => format!("{address}:PORT"),
        },
        _ => return None,
    };
    Some(format!("use --{LISTEN} {}", shell_word(&address)))
}

/// Returns whether `text` is the name of a game, without a position.
fn is_game(text: &str) -> bool {
    matches!(
        meaning(text.as_ref()),
        Ok(Meaning::Family(_) | Meaning::Bundled(_) | Meaning::Part(..) | Meaning::RulesFile(_))
    )
}

/// The report on an option `--set` that has no KEY=VALUE, and advice: `--set rows 6`, `--set rows:6`, `--set rows= 6`.
pub(super) fn about_set(typed: &Arguments<'_>) -> Option<(String, String)> {
    for (option, mut after) in typed.options() {
        let first = match option.strip_prefix("--set=") {
            Some(value) => Some(value.to_owned()),
            None if option == SET => after.next(),
            None => continue,
        };
        let Some(first) = first else {
            return Some(("--set: expected KEY=VALUE, found none".into(), see_parameters(typed)));
        };
        let (key, value) = first.split_once(['=', ':']).unwrap_or((&first, ""));
        if key.is_empty() {
            return Some((format!("--set: expected KEY=VALUE, found {first}"), see_parameters(typed)));
        }
        if first.contains(',') && value.contains('=') {
            let each = first.split(',').map(|each| format!("{SET} {}", shell_word(each))).collect::<Vec<_>>();
            return Some((format!("--set: expected one KEY=VALUE, found {first}"), format!("use {}", each.join(" "))));
        }
        if !value.is_empty() && first[key.len()..].starts_with('=') {
            continue;
        }
        let second = if value.is_empty() { after.next().filter(|word| !is_game(word)) } else { None };
        let found = [Some(first.clone()), second.clone()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let found = format!("--set: expected KEY=VALUE, found {found}");
        let value = second.as_deref().unwrap_or(value).trim_start_matches('=');
        return Some(match value {
            "" => (found, see_parameters(typed)),
            value => (found, format!("use {SET} {}", shell_word(&format!("{key}={value}")))),
        });
    }
    None
}

/// The place where the parameters of the game are listed.
fn see_parameters(typed: &Arguments<'_>) -> String {
    let game = typed.subject().map_or_else(|| "GAME".into(), |game| shell_word(&game.to_string_lossy()));
    format!("see its parameters with 'tablegen list {game}'")
}

/// The word that was probably meant instead of the unknown argument `word`, as ` (did you mean WORD?)`, and advice.
pub(super) fn about_unknown(word: &str, typed: &Arguments<'_>) -> (String, Option<String>) {
    if let Some(advice) = about_expression(word, typed) {
        return (String::new(), Some(advice));
    }
    let Some(name) = word.strip_prefix("--") else {
        if let Some((key, value)) = word.split_once('=') {
            let option =
                typed.subject().filter(|_| takes_set(typed)).and_then(|subject| as_option(subject, key, value));
            return (String::new(), option.map(|option| format!("use {option}")));
        }
        return (long_with_one_dash(word, typed), None);
    };
    let name = name.split('=').next().unwrap_or(name);
    let visible: Vec<&str> = visible_options(typed).collect();
    if let Some(is_before) = typed.misplaced(word).filter(|_| visible.contains(&name)) {
        let command = typed.command.map_or("the command", clap::Command::get_name);
        let place = if is_before { format!("after {command}") } else { "before --".into() };
        return (String::new(), Some(format!("write it {place}")));
    }
    if let Some(advice) = of_address(name, typed).filter(|_| !visible.contains(&name) && visible.contains(&LISTEN)) {
        return (String::new(), Some(advice));
    }
    let near = |known: &[&str]| nearest(name, known.iter().copied()).map(|near| format!(" (did you mean --{near}?)"));
    let value = || value_of(name, typed).unwrap_or_else(|| "VALUE".into());
    let game = typed.subject().filter(|_| takes_set(typed)).and_then(|game| meaning_in_words(game).ok());
    match game {
        Some(Meaning::Family(family)) if accepts_families(typed) => {
            let options = family.parameters.iter().map(|parameter| parameter.name);
            let all: Vec<&str> = visible.iter().copied().chain(options).collect();
            let see = || format!("see its options with 'tablegen list {}'", family.name);
            near(&all).map_or_else(|| (String::new(), Some(see())), |near| (near, None))
        }
        Some(Meaning::Bundled(game) | Meaning::Part(game, _)) => of_library(game, name, &value(), near(&visible)),
        Some(Meaning::RulesFile(_)) => match near(&visible) {
            Some(near) => (near, None),
            None => {
                let set = shell_word(&format!("{name}={}", value()));
                (String::new(), Some(format!("a parameter of a rules file is set with {SET} {set}")))
            }
        },
        _ => (near(&visible).unwrap_or_default(), None),
    }
}

/// The advice for the argument `word` that follows an expression: terms have their positions and their options within themselves. `None` if
/// the command takes no expression, or the argument is an option that no game has.
fn about_expression(word: &str, typed: &Arguments<'_>) -> Option<String> {
    if !typed.takes("EXPRESSION") {
        return None;
    }
    let subject = typed.subject()?;
    let game = subject.to_str().filter(|text| is_game(text));
    let Some(name) = word.strip_prefix("--") else {
        return Some(match game {
            Some(_) if typed.takes("POSITION") => "write the position in quotes".into(),
            Some(game) => format!("write {}", shell_word(&format!("{game}:{word}"))),
            None => "write the expression in quotes".into(),
        });
    };
    let name = name.split('=').next().unwrap_or(name);
    let value = value_of(name, typed)?;
    let (key, value) = if word == SET { value.split_once('=')? } else { (name, &*value) };
    as_option(game?.as_ref(), key, value)?;
    Some(format!("write options in brackets: {}", shell_word(&format!("{}({key}={value})", game?))))
}

/// The advice for the option `name` with `value`, which a command does not have, before the library game `game`. `near`
/// names an option of the command.
fn of_library(game: &LibraryGame, name: &str, value: &str, near: Option<String>) -> (String, Option<String>) {
    let parameters = game.head().parameters;
    let known = || parameters.iter().map(|parameter| parameter.name.as_str());
    let set = |name: &str| {
        format!("a parameter of a rules file is set with {SET} {}", shell_word(&format!("{name}={value}")))
    };
    match (known().find(|&known| known == name), near, nearest(name, known())) {
        (Some(name), ..) => (String::new(), Some(set(name))),
        (None, Some(near), _) => (near, None),
        (None, None, Some(name)) => (did_you_mean(name, [name]), Some(set(name))),
        _ => (String::new(), Some(format!("see its parameters with 'tablegen list {}'", game.name))),
    }
}

/// `key=value` as an option of the game that `subject` names, if the game may have that parameter.
pub(in crate::cli) fn as_option(subject: &OsStr, key: &str, value: &str) -> Option<String> {
    let set = || Some(format!("{SET} {}", shell_word(&format!("{key}={value}"))));
    match meaning_in_words(subject).ok()? {
        Meaning::Family(family) => {
            let parameter = family.parameters.iter().find(|parameter| parameter.name == key)?;
            Some(format!("--{} {}", parameter.name, shell_word(value)))
        }
        Meaning::Bundled(game) | Meaning::Part(game, _) => {
            game.head().parameters.iter().any(|parameter| parameter.name == key).then(set).flatten()
        }
        Meaning::RulesFile(_) => key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(set).flatten(),
        Meaning::Table(_) => None,
    }
}

/// The suggestion for a long option typed with one dash, of which `letter` is the beginning: `-json`.
fn long_with_one_dash(letter: &str, typed: &Arguments<'_>) -> String {
    let words = typed.options().filter(|(word, _)| letter.len() == 2 && word.starts_with(letter));
    let names: Vec<String> = words.map(|(word, _)| word.trim_start_matches('-').to_owned()).collect();
    let meant = visible_options(typed).find(|known| known.len() > 1 && names.iter().any(|name| name == known));
    meant.map_or_else(String::new, |name| format!(" (did you mean --{name}?)"))
}

/// The value typed for the option `name`.
fn value_of(name: &str, typed: &Arguments<'_>) -> Option<String> {
    typed.options().find_map(|(word, mut after)| {
        let rest = word.strip_prefix("--")?.strip_prefix(name)?;
        rest.strip_prefix('=').map(str::to_owned).or_else(|| after.next().filter(|_| rest.is_empty()))
    })
}

/// The names of the options that the help of the command shows.
fn visible_options<'t>(typed: &Arguments<'t>) -> impl Iterator<Item = &'t str> + use<'t> {
    let own = typed.command.into_iter().flat_map(clap::Command::get_arguments);
    own.filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long).chain(["tables", "help"])
}

/// Returns whether the command takes parameters of rules files.
fn takes_set(typed: &Arguments<'_>) -> bool {
    let mut arguments = typed.command.into_iter().flat_map(clap::Command::get_arguments);
    arguments.any(|arg| arg.get_long() == SET.strip_prefix("--"))
}

/// Returns whether the command takes the options of built-in games, which its help hides.
fn accepts_families(typed: &Arguments<'_>) -> bool {
    let mut arguments = typed.command.into_iter().flat_map(clap::Command::get_arguments);
    arguments.any(|arg| arg.is_hide_set() && arg.get_long() == SET.strip_prefix("--"))
}
