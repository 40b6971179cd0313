//! Positions of every game: a text that a game reads is written and read back as the same position.

use std::sync::OnceLock;

use super::walk;
use tablegen::game::{FAMILIES, Game, LIBRARY, Parameters, Plain, read_position};
use tablegen::rules::{Descriptor, Mode, RulesSpec};

/// The games: the first byte of an input chooses one.
fn games() -> &'static [Box<dyn Game>] {
    static GAMES: OnceLock<Vec<Box<dyn Game>>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let families = FAMILIES.iter().map(|family| family.make(&family.samples()).expect("default parameters"));
        let library = LIBRARY.iter().map(|file| {
            let game = file.read(&Parameters::new()).expect("default parameters");
            Box::new(game) as Box<dyn Game>
        });
        let modes = ["a", "b:c", "0"].map(String::from).to_vec();
        let rules = RulesSpec { modes, ..RulesSpec::new("plain", 100) }.build().expect("sound rules");
        let plain: Box<dyn Game> = Box::new(Plain::new(rules, Descriptor::default()));
        families.chain(library).chain([plain]).collect()
    })
}

pub fn run(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let (Some(game), Ok(text)) = (games().get(usize::from(first)), str::from_utf8(rest)) else { return };
    let game = game.as_ref();
    for read in [game.read(text), read_position(game, text), game.read_file(text)] {
        let Ok(reading) = read else { continue };
        walk::assert_read_back(game, reading.node);
        let with_lead = game.write_with_lead(reading.node, reading.lead);
        let again = read_position(game, &with_lead).map(|again| (again.node, again.lead));
        assert_eq!(again, Ok((reading.node, reading.lead)), "{with_lead:?}");
        let rules = game.rules();
        let is_mode = |mode: Mode| usize::from(mode.0) < rules.modes().len();
        if let tablegen::rules::Node::At(position) = reading.node {
            assert!(is_mode(position.mode) && rules.has(position), "{text:?}");
        }
        for next in rules.replies(reading.node).into_iter().take(8) {
            let _ = (game.write_move(reading.node, next), game.draw_move(reading.node, next));
        }
        let _ = game.players(reading.node);
    }
}
