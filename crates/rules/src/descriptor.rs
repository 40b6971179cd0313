//! The record in a table of the game that it came from.

/// Identifies a game well enough to read and write its positions again: the family it belongs to and the parameters
/// it was made with. A table carries the descriptor without interpreting it; only the game's own module does that.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Descriptor {
    /// The family, e.g. `tactics`; empty if the rules do not come from a family.
    pub family: String,
    /// Parameters by name, in the family's own order. A value may be a whole text, for instance a word list.
    pub parameters: Vec<(String, String)>,
}

impl Descriptor {
    /// The value of the parameter called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_names() {
        let parameters = [("rows", "3"), ("cols", "4")].map(|(name, value)| (name.into(), value.into())).to_vec();
        let descriptor = Descriptor { family: "tactics".into(), parameters };
        assert_eq!(["rows", "cols", "run"].map(|name| descriptor.get(name)), [Some("3"), Some("4"), None]);
    }
}
