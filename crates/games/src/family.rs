//! Families: games whose parameters are not set yet.

use super::{FAMILIES, Game, GameError, Kind, NotationError, Parameters, Play};

/// A game whose parameters are not set yet.
pub struct Family {
    /// The name of the game.
    pub name: &'static str,
    /// The name as people write it, for headings.
    pub title: &'static str,
    /// The name of its rules, with parameters in braces; empty if it has the hash of a file.
    pub rules_name: &'static str,
    /// The kind of the game.
    pub kind: Kind,
    /// Other names of the game, as people write them. Searches find the game by them, and errors suggest it for them.
    pub also: &'static [&'static str],
    /// A summary of the game in one line.
    pub summary: &'static str,
    /// The rules in words.
    pub rules: &'static str,
    /// The notation of positions, in one line.
    pub notation: &'static str,
    /// A position to show in examples.
    pub example: &'static str,
    /// The parameters.
    pub parameters: &'static [ParameterSpec],
    /// Usual sizes beside the defaults, each quick to solve. Each is a parameter list such as `rows=3,cols=4`.
    pub variants: &'static [&'static str],
    /// Sizes that everybody knows and that are too large to be solved in a moment, as in [`variants`](Self::variants). A search answers near
    /// the end.
    pub large: &'static [&'static str],
    /// Reads the parameters that a position file in the game's own format records. `None` if the format records no
    /// parameters. The function returns no parameters if this file records none. [`Family::make_for_file`] calls it.
    pub read_file_parameters: Option<ReadParameters>,
    /// Makes the game. Missing parameters take their defaults; every given one is listed in `parameters`.
    pub make: fn(&Parameters) -> Result<Box<dyn Game>, GameError>,
}

/// Reads the parameters that the contents of a file record.
pub type ReadParameters = fn(&str) -> Result<Parameters, NotationError>;

/// A parameter of a [`Family`].
pub struct ParameterSpec {
    /// The name of the parameter.
    pub name: &'static str,
    /// A placeholder for the value in help texts; empty for a flag.
    pub value: &'static str,
    /// The way in which a user gives the value.
    pub kind: ParameterKind,
    /// The meaning of the parameter, in one line.
    pub help: &'static str,
    /// The default value, if there is one.
    pub default: Option<&'static str>,
    /// The contents of a sample file for the parameter, if users give the value as a file.
    pub sample: Option<&'static str>,
}

impl ParameterSpec {
    const fn text(name: &'static str, value: &'static str, default: Option<&'static str>, help: &'static str) -> Self {
        Self { name, value, kind: ParameterKind::Text, help, default, sample: None }
    }

    /// A whole number.
    pub(super) const fn number(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::text(name, "N", Some(default), help)
    }

    /// A word without a default, which help texts call `value`.
    pub(super) const fn word(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::text(name, value, None, help)
    }

    /// The rule for the last move.
    pub(super) const fn play(default: Play, help: &'static str) -> Self {
        let value = match default {
            Play::Normal => "normal|misere",
            Play::Misere => "misere|normal",
        };
        Self::text("play", value, Some(default.name()), help)
    }

    /// The contents of a file, of which `sample` is an example.
    pub(super) const fn file(name: &'static str, sample: &'static str, help: &'static str) -> Self {
        Self { kind: ParameterKind::File, sample: Some(sample), ..Self::text(name, "FILE", None, help) }
    }

    /// A flag, which is not set by default.
    pub(super) const fn flag(name: &'static str, help: &'static str) -> Self {
        Self { kind: ParameterKind::Flag, ..Self::text(name, "", Some("false"), help) }
    }
}

/// The way in which a user gives the value of a parameter. [`Parameters`] and descriptors hold every value as text,
/// even the contents of a file. So a table does not depend on another file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// The user gives the value itself.
    Text,
    /// The user names a file, and its contents (UTF-8) are the value.
    File,
    /// The value is `true` or `false`. Naming the parameter without a value means `true`.
    Flag,
}

/// The family called `name`.
///
/// # Errors
/// If no family has this name. The error lists the families.
pub fn family(name: &str) -> Result<&'static Family, GameError> {
    let unknown = || GameError::Unknown { name: name.into(), known: FAMILIES.iter().map(|f| f.name).collect() };
    FAMILIES.iter().find(|family| family.name == name).ok_or_else(unknown)
}

impl Family {
    /// The sample files, for parameters without another default.
    #[must_use]
    pub fn samples(&self) -> Parameters {
        let samples = self.parameters.iter().filter_map(|parameter| Some((parameter.name, parameter.sample?)));
        samples.fold(Parameters::new(), |parameters, (name, sample)| parameters.with(name, sample))
    }

    /// Returns whether games of this family may have rules called `name`: the family's name alone, or followed by
    /// numbers or by the hash of a word list.
    #[must_use]
    pub fn may_name(&self, name: &str) -> bool {
        const HASH: usize = 12;
        let Some(rest) = name.strip_prefix(self.name) else { return false };
        let Some(rest) = rest.strip_prefix('-') else { return rest.is_empty() };
        let first = rest.split('-').next().unwrap_or_default();
        let is_hash = first.len() == HASH && first.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash || first.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Makes the game with `parameters`. All other parameters have their defaults.
    ///
    /// # Errors
    /// If the family lacks one of the parameters, or a parameter cannot have its value.
    pub fn make(&self, parameters: &Parameters) -> Result<Box<dyn Game>, GameError> {
        let known = || self.parameters.iter().map(|parameter| parameter.name);
        for (name, _) in parameters.iter() {
            if !known().any(|parameter| parameter == name) {
                let parameter = name.to_owned();
                return Err(GameError::UnknownParameter { family: self.name, parameter, known: known().collect() });
            }
        }
        (self.make)(parameters)
    }

    /// Makes the game for a file that holds a position. Parameters that the file records are added to `parameters`. If
    /// both give a parameter, `parameters` wins, and [`Game::read_file`] reports the contradiction.
    ///
    /// # Errors
    /// As [`make`](Self::make), and if the file cannot be read.
    pub fn make_for_file(&self, parameters: &Parameters, content: &str) -> Result<Box<dyn Game>, GameError> {
        let mut all = parameters.clone();
        if let Some(read) = self.read_file_parameters {
            let of_file = read(content)?;
            of_file.iter().filter(|(name, _)| parameters.get(name).is_none()).for_each(|(n, value)| all.set(n, value));
        }
        self.make(&all)
    }
}
