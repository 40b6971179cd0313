//! The arguments as typed: which of them are options, values of options, and other words.
//!
//! The parser takes every word that begins with a dash for an option. A position or an expression may begin with a dash,
//! too, so words that no option can be are moved behind `--`, where the parser takes them for what they are.

use std::ffi::{OsStr, OsString};

use clap::{Arg, Command};

/// The arguments of a run, after the name of the program.
pub(super) struct Arguments<'a> {
    words: Vec<(&'a OsString, WordKind)>,
    /// The subcommand.
    pub(super) command: Option<&'a Command>,
}

/// The kind of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WordKind {
    /// An option, known or not.
    Option,
    /// The value of the option before it.
    Value,
    /// A word that begins with a dash, but is no option.
    Dashed,
    /// The mark `--`, after which no word is an option.
    End,
    /// The name of the subcommand.
    Command,
    /// Any other word.
    Plain,
}

impl<'a> Arguments<'a> {
    /// Reads `arguments` of the program `cli`.
    pub(super) fn read(arguments: &'a [OsString], cli: &'a Command) -> Self {
        let mut typed = Self { words: Vec::new(), command: None };
        let (mut option, mut has_ended): (Option<&Arg>, bool) = (None, false);
        for word in arguments {
            let text = word.to_string_lossy();
            let dashed = text.len() > 1 && text.starts_with('-');
            let of = option.take();
            let mut kind = match &*text {
                _ if has_ended => WordKind::Plain,
                _ if of.is_some_and(|arg| !dashed || needs_value(arg)) => WordKind::Value,
                "--" => WordKind::End,
                _ if dashed => match typed.option(&text, cli) {
                    Some(arg) => {
                        option = arg.filter(|arg| takes_next(arg));
                        WordKind::Option
                    }
                    None => WordKind::Dashed,
                },
                _ => WordKind::Plain,
            };
            has_ended |= kind == WordKind::End;
            if kind == WordKind::Plain && typed.command.is_none() {
                typed.command = cli.find_subcommand(word);
                kind = typed.command.map_or(kind, |_| WordKind::Command);
            }
            typed.words.push((word, kind));
        }
        typed
    }

    /// The option that `text` is, if no value follows within the same word; `Some(None)` if it is another option, or
    /// reads like one; `None` if it cannot be an option.
    fn option(&self, text: &str, cli: &'a Command) -> Option<Option<&'a Arg>> {
        let all = || self.command.into_iter().chain([cli]).flat_map(Command::get_arguments);
        let long = |name: &str| all().find(|arg| arg.get_long() == Some(name));
        if let Some(name) = text.strip_prefix("--") {
            let is_word = name.starts_with(|c: char| c.is_ascii_lowercase());
            return is_word.then(|| long(name));
        }
        let letters = &text[1..];
        let name = letters.split('=').next().unwrap_or_default();
        if (name.len() > 1 && long(name).is_some()) || !self.takes_dashes() {
            return Some(all().find(|arg| arg.get_short().is_some_and(|short| letters == short.to_string())));
        }
        for (at, letter) in letters.char_indices() {
            match all().find(|arg| arg.get_short() == Some(letter)) {
                Some(arg) if takes_next(arg) => {
                    return Some((at + letter.len_utf8() == letters.len()).then_some(arg));
                }
                Some(_) => {}
                None if "hV".contains(letter) => {}
                // A mistyped short option.
                None if letters.len() == 1 && letter.is_ascii_lowercase() && !self.takes("EXPRESSION") => {
                    return Some(None);
                }
                None => return None,
            }
        }
        Some(None)
    }

    /// Returns whether the subcommand takes a position or an expression.
    fn takes_dashes(&self) -> bool {
        self.takes("POSITION") || self.takes("EXPRESSION")
    }

    /// Returns whether the subcommand takes an argument called `name`.
    pub(super) fn takes(&self, name: &str) -> bool {
        let names = self.command.into_iter().flat_map(Command::get_positionals).filter_map(Arg::get_value_names);
        names.flatten().any(|known| known.split('|').any(|known| known == name))
    }

    /// The arguments for the parser: positions and expressions that begin with a dash come last, behind `--`.
    pub(super) fn for_parser(&self) -> Vec<OsString> {
        let of = |is_dashed: bool| self.words.iter().filter(move |(_, kind)| (*kind == WordKind::Dashed) == is_dashed);
        let needs_mark = of(true).next().is_some() && self.words.iter().all(|(_, kind)| *kind != WordKind::End);
        let word = |(word, _): &(&OsString, WordKind)| (*word).clone();
        of(false).map(word).chain(needs_mark.then(|| "--".into())).chain(of(true).map(word)).collect()
    }

    /// The first argument of the subcommand that is no option, which names a game or a table.
    pub(super) fn subject(&self) -> Option<&'a OsStr> {
        let mut after = self.words.iter().skip_while(|(_, kind)| *kind != WordKind::Command);
        after.find(|(_, kind)| *kind == WordKind::Plain).map(|(word, _)| word.as_os_str())
    }

    /// Returns whether `option` stands before the subcommand, as `Some(true)`, or after the mark `--`, as `Some(false)`.
    pub(super) fn misplaced(&self, option: &str) -> Option<bool> {
        let at = self.words.iter().position(|(word, _)| *word == option)?;
        let is_before = self.words[at..].iter().any(|&(_, kind)| kind == WordKind::Command);
        let is_after = self.words[..at].iter().any(|(_, kind)| *kind == WordKind::End);
        if is_before || is_after { Some(is_before) } else { None }
    }

    /// The words that are options, each with the words after it.
    pub(super) fn options(&self) -> impl Iterator<Item = (String, impl Iterator<Item = String>)> {
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        let of = move |at: usize| {
            let after =
                self.words[at + 1..].iter().take_while(|(_, kind)| [WordKind::Value, WordKind::Plain].contains(kind));
            (text(self.words[at].0), after.map(move |(word, _)| text(word)))
        };
        (0..self.words.len()).filter(|&at| self.words[at].1 == WordKind::Option).map(of)
    }
}

/// Returns whether `arg` takes the next word as its value, if that word fits.
fn takes_next(arg: &Arg) -> bool {
    arg.get_action().takes_values() && !arg.is_require_equals_set()
}

/// Returns whether `arg` cannot stand without a value.
fn needs_value(arg: &Arg) -> bool {
    arg.get_num_args().is_none_or(|count| count.min_values() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cli() -> Command {
        let limit = || Arg::new("limit").long("limit");
        let position = || Arg::new("position").value_name("POSITION|@FILE");
        let probe = Command::new("probe")
            .arg(Arg::new("game"))
            .arg(position())
            .arg(limit())
            .arg(Arg::new("brief").long("brief").action(clap::ArgAction::SetTrue));
        let certify = Command::new("certify").arg(Arg::new("game")).arg(position()).arg(Arg::new("output").short('o'));
        let value = Command::new("value").arg(Arg::new("expression").value_name("EXPRESSION")).arg(limit());
        let build = Command::new("build").arg(Arg::new("game"));
        Command::new("it").arg(Arg::new("tables").long("tables")).subcommands([probe, certify, value, build])
    }

    /// The words for the parser.
    fn parsed(line: &str) -> String {
        let (cli, words) = (cli(), line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let parsed = Arguments::read(&words, &cli).for_parser();
        parsed.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn positions_with_a_dash_come_last() {
        for (line, expected) in [
            ("probe g -X./...", "probe g -- -X./..."),
            ("probe -X./... g --brief", "probe g --brief -- -X./..."),
            ("probe g ---XO--- --limit 3", "probe g --limit 3 -- ---XO---"),
            ("probe --tables build g -1", "probe --tables build g -- -1"),
            ("probe g -hX/..", "probe g -- -hX/.."),
            ("value -1 --limit 5", "value --limit 5 -- -1"),
            ("value -v", "value -- -v"),
            ("probe g --X..", "probe g -- --X.."),
            ("certify g -X.. -o x", "certify g -o x -- -X.."),
        ] {
            assert_eq!(parsed(line), expected);
        }
    }

    #[test]
    fn options_and_their_values_stay() {
        for line in [
            "probe g --brief",
            "probe g --brif",
            "probe g -brief",
            "probe g -o x",
            "probe g -h",
            "probe g --limit -1",
            "probe g -",
            "probe g -- -X..",
            "certify g -ox",
            "certify g -o -X",
            "build -X..",
            "-X",
        ] {
            assert_eq!(parsed(line), line);
        }
    }

    #[test]
    fn the_subject_is_the_first_word_after_the_command() {
        let (cli, words) = (cli(), ["--tables", "probe", "build", "--x", "nim"].map(OsString::from));
        let typed = Arguments::read(&words, &cli);
        assert_eq!((typed.command.map(Command::get_name), typed.subject()), (Some("build"), Some(OsStr::new("nim"))));
    }
}
