//! What a table says of the game it came from.

/// Names a game well enough to read and write its positions again: the family it belongs to and the parameters it was
/// made with. A table carries it and does not look inside; only the game's own module does.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Descriptor {
    /// The family, e.g. `tactics`; empty for rules that come from no family.
    pub family: String,
    /// Parameters by name, in the family's own order. A value may be a whole text, a word list for instance.
    pub parameters: Vec<(String, String)>,
}

impl Descriptor {
    /// The value of the parameter called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
