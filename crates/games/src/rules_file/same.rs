//! Tables of a rules file whose texts have changed since.

use super::{FAMILY, FileGame, FileHead};
use crate::rules::{Descriptor, Rules};
use crate::{Game, Parameters, of_table};

/// Returns whether a table with these rules and this descriptor belongs to the rules file `text`. The file in the table may
/// have other comments, names and texts if it has the same title and `text` still gives the same rules.
#[must_use]
pub fn is_of_rules_file(rules: &Rules, descriptor: &Descriptor, text: &str) -> bool {
    let game = of_table(rules, descriptor);
    let Some(own) = game.rules_file() else { return false };
    if own == text {
        return true;
    }
    // Reading a head is quick, and nearly all tables of other games end here.
    let title = |text: &str| FileHead::read(text).ok().map(|head| head.title);
    if descriptor.family != FAMILY || title(own) != title(text) {
        return false;
    }
    let set = Parameters::from(descriptor.parameters[1..].to_vec());
    FileGame::read(text, &set).is_ok_and(|game| game.rules() == rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_do_not_matter_but_rules_do() {
        let text = |comment: &str, shape: &str| {
            format!(
                "# {comment}\nname = \"a-{{n}}\"\nsummary = \"{comment}\"\nparameters = {{ n = 4 }}\nboard = {{ row = \"n\" }}\nmove = [{{ shape = \"{shape}\" }}]\n"
            )
        };
        let game = FileGame::read(&text("old", "X"), &Parameters::new().with("n", 5)).unwrap();
        let is_of = |text: &str| is_of_rules_file(game.rules(), &game.descriptor(), text);
        assert!(is_of(&text("old", "X")) && is_of(&text("new", "X")));
        assert!(!is_of(&text("new", "XX")) && !is_of(&text("new", "X").replace("\"a-", "\"b-")) && !is_of(""));
    }
}
