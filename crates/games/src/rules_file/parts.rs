//! Parts of a game: names that a file gives to some of its modes, such as those after all men are put.

use super::amounts::Amounts;
use super::error::Read;
use super::expression;
use super::reader::RulesReader;
use super::source::Item;
use super::turns::Turns;
use crate::GamePart;
use crate::rules::{Mode, Move};

/// The most parts in a file.
const MOST: usize = 32;
/// Names that would be endings of files: GAME.toml is a rules file, GAME.tb a table.
const ENDINGS: [&str; 2] = ["tb", "toml"];

impl RulesReader<'_> {
    /// Reads `parts`: a table with the modes of each part. Mistakes are noted.
    pub(super) fn parts(&self, item: Option<Item<'_>>, moves: &[Move]) -> Vec<GamePart> {
        let Some(item) = item else { return Vec::new() };
        let Some(keys) = self.mistakes.keep(item.any_keys("parts")) else { return Vec::new() };
        let all = keys.rest();
        if all.len() > MOST {
            self.mistakes.note(item.found(format!("at most {MOST} parts"), all.len().to_string()));
            return Vec::new();
        }
        let read = |(name, item): (&str, Item<'_>)| {
            let modes = self.mistakes.keep(self.part(name, item, moves))?;
            Some(GamePart { name: name.into(), modes })
        };
        all.into_iter().filter_map(read).collect()
    }

    /// The modes of the part called `name`, in the order of their numbers.
    fn part(&self, name: &str, item: Item<'_>, moves: &[Move]) -> Read<Vec<Mode>> {
        if !expression::is_name(name) || ENDINGS.contains(&name) {
            let expected =
                "a name of a-z 0-9 _, a letter first, not min, max, tb or toml, at most 32 characters, for a part";
            return Err(item.clash(expected, &format!("{:?}", super::source::shown(name))));
        }
        let mut modes: Vec<Mode> = match &self.turns {
            Turns::Impartial | Turns::Sides | Turns::Swap(_) => {
                return Err(item.found("`modes` or `hand` of the file", "none"));
            }
            Turns::Hand(hand) if item.is_table() => {
                let mut keys = item.keys("a part", &[&["in_hand"]])?;
                if !keys.has("in_hand") && !keys.has_unknown() {
                    return Err(keys.missing("`in_hand`"));
                }
                let [mover, other] = Amounts::in_hand(&mut keys, &self.values, None)?;
                let fits = |&(_, holding): &(Mode, super::hand::Holding)| {
                    let own = usize::from(holding.side);
                    mover.contains(&holding.left[own]) && other.contains(&holding.left[1 - own])
                };
                hand.of_side(None).filter(fits).map(|(mode, _)| mode).collect()
            }
            Turns::Modes | Turns::Hand(_) => self.listed_modes(item)?,
        };
        modes.sort_unstable();
        modes.dedup();
        item.ensure(!modes.is_empty(), "at least one mode", "none")?;
        let name = |mode: Mode| super::source::shown(&self.modes[usize::from(mode.0)]);
        match moves.iter().find(|m| modes.contains(&m.mode) && !modes.contains(&m.next)) {
            Some(m) => Err(item
                .found("modes that play does not leave", format!("a move from {} to {}", name(m.mode), name(m.next)))),
            None => Ok(modes),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{FileGame, Game, Parameters};

    const HAND: &str = "name = 'g'\nsides = ['x', 'o']\nboard = { row = 4, colours = 'XO' }\nhand = { x = 1, o = 1 }\n\
        move = [{ shape = 'X', from = 'hand' }, { shape = 'LX', turns = true }]\n";
    const MODES: &str = "name = 'g'\nmodes = ['a', 'b', 'c1', 'c2']\nboard = { row = 4 }\n\
        move = [{ shape = 'X', mode = ['a', 'b', 'c1'], next = ['b', 'c1', 'c2'] }]\n";

    fn parts(head: &str, parts: &str) -> Result<Vec<(String, String)>, String> {
        let game =
            FileGame::read(&format!("{head}parts = {parts}\n"), &Parameters::new()).map_err(|e| e.to_string())?;
        let names = |modes: &[crate::rules::Mode]| {
            let name = |mode: &crate::rules::Mode| game.rules().modes()[usize::from(mode.0)].clone();
            modes.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        Ok(game.parts().iter().map(|part| (part.name.clone(), names(&part.modes))).collect())
    }

    #[test]
    fn parts_are_some_modes() {
        let of = |head, text| parts(head, text).unwrap().into_iter().map(|(_, modes)| modes).collect::<Vec<_>>();
        assert_eq!(of(HAND, "{ moving = { in_hand = { mover = 0, other = 0 } } }"), ["x o"]);
        assert_eq!(
            of(HAND, "{ late = { in_hand = { mover = '..1', other = 0 } }, all = ['x', 'o'] }"),
            ["o-0-1 x o", "x o"]
        );
        assert_eq!(of(MODES, "{ late = ['c{1..2}', 'b'], last = 'c2' }"), ["b c1 c2", "c2"]);
    }

    #[test]
    fn modes_that_play_leaves_are_no_part() {
        let refusal = |head, text| parts(head, text).unwrap_err();
        assert!(refusal(MODES, "{ early = ['a', 'b'] }").contains("modes that play does not leave"));
        assert!(refusal(MODES, "{ early = ['a', 'b'] }").contains("a move from b to c1"));
        assert!(refusal(HAND, "{ early = { in_hand = { mover = 1 } } }").contains("does not leave"));
        assert!(refusal(HAND, "{ none = { in_hand = { mover = 2 } } }").contains("at least one mode"));
        assert!(refusal(HAND, "{ toml = ['x', 'o'] }").contains("not min, max, tb or toml"));
        assert!(refusal(HAND, "{ moving = {} }").contains("`in_hand`"));
        assert!(refusal(HAND, "{ moving = ['y'] }").contains("one of x-1-1"));
        let plain = "name = 'g'\nboard = { row = 4 }\nmove = [{ shape = 'X' }]\n";
        assert!(refusal(plain, "{ moving = ['x'] }").contains("`modes` or `hand` of the file"));
    }
}
