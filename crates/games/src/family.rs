//! Families: games whose parameters are still open.

use super::{FAMILIES, Game, GameError, NotationError, Parameters};

/// A game whose parameters are still open.
pub struct Family {
    /// The name of the game.
    pub name: &'static str,
    /// Other names that people type for it. They name nothing: an error suggests the game.
    pub aliases: &'static [&'static str],
    /// What the game is, in one line.
    pub summary: &'static str,
    /// How positions are written, in one line.
    pub notation: &'static str,
    /// A position to show in examples.
    pub example: &'static str,
    /// The parameters.
    pub parameters: &'static [ParameterSpec],
    /// Usual sizes beside the defaults, small enough to be solved at once: parameters as in `rows=3,cols=4`.
    pub variants: &'static [&'static str],
    /// Reads parameters from a file that holds a position in the game's own format, if that format records any.
    /// [`Family::make_for_file`] uses it. It returns no parameters if this file records none.
    pub read_file_parameters: Option<ReadParameters>,
    /// Makes the game. Missing parameters take their defaults; every given one is listed in `parameters`.
    pub make: fn(&Parameters) -> Result<Box<dyn Game>, GameError>,
}

/// Reads the parameters that the contents of a file record.
pub type ReadParameters = fn(&str) -> Result<Parameters, NotationError>;

/// A parameter of a [`Family`].
pub struct ParameterSpec {
    /// Its name.
    pub name: &'static str,
    /// A placeholder for its value in help texts; empty for a flag.
    pub value: &'static str,
    /// How a user gives its value.
    pub kind: ParameterKind,
    /// What it means, in one line.
    pub help: &'static str,
    /// Its default value, if it has one.
    pub default: Option<&'static str>,
    /// The contents of a file to try the game with, if the user names one.
    pub sample: Option<&'static str>,
}

/// How a user gives the value of a parameter. In [`Parameters`] and in a descriptor every value is a text, whatever its
/// kind, so that a table depends on no other file.
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
/// If there is none; the error lists those there are.
pub fn family(name: &str) -> Result<&'static Family, GameError> {
    let unknown = || GameError::Unknown { name: name.into(), known: FAMILIES.iter().map(|f| f.name).collect() };
    FAMILIES.iter().find(|family| family.name == name).ok_or_else(unknown)
}

impl Family {
    /// The contents of files to try the game with, for the parameters that have no other default.
    #[must_use]
    pub fn samples(&self) -> Parameters {
        let samples = self.parameters.iter().filter_map(|parameter| Some((parameter.name, parameter.sample?)));
        samples.fold(Parameters::new(), |parameters, (name, sample)| parameters.with(name, sample))
    }

    /// Whether games of this family may have rules called `name`: the family's name alone, or followed by numbers or by
    /// the hash of a list.
    #[must_use]
    pub fn may_name(&self, name: &str) -> bool {
        const HASH: usize = 12;
        let Some(rest) = name.strip_prefix(self.name) else { return false };
        let Some(rest) = rest.strip_prefix('-') else { return rest.is_empty() };
        let first = rest.split('-').next().unwrap_or_default();
        let is_hash = first.len() == HASH && first.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash || first.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Makes the game with these parameters, and with the defaults of the others.
    ///
    /// # Errors
    /// If the family has no such parameter, or the parameter cannot have the value.
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

    /// Makes the game for a file that holds a position. The file supplies the parameters it records and `parameters`
    /// lacks. If it contradicts a given parameter, the given one counts, and [`Game::read_file`] reports the
    /// contradiction.
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
