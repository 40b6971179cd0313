//! Turns: the sides and modes of a rules file, their names, and the modes that each move connects.

use super::error::Read;
use super::expression::Values;
use super::hand::Hand;
use super::names;
use super::source::Item;
use super::squares::Squares;
use super::swap::Swap;
use crate::is_unprintable;
use crate::rules::{MAX_NAME, Mode};

/// The largest number of modes in a rules file.
pub(super) const MOST_MODES: usize = 256;

/// The meaning of the modes in a game.
#[derive(Clone, Debug)]
pub(super) enum Turns {
    /// A single mode: the game is impartial.
    Impartial,
    /// Two modes, one for each side to move.
    Sides,
    /// Modes that the file defines. Each move names the mode it leads to.
    Modes,
    /// Modes made from the pieces that each side has in hand.
    Hand(Hand),
    /// The two sides, and two modes for a swap after the first move.
    Swap(Swap),
}

/// The mode in which a move is made, and the mode it leads to.
#[derive(Clone)]
pub(super) enum ModeStep {
    Between(Mode, Mode),
    /// Names with letters. Each placement of the move has modes of its own.
    Named(String, String),
}

/// The values of `sides` and `modes`.
pub(super) struct Sides {
    pub(super) turns: Turns,
    /// The names of the modes.
    pub(super) modes: Vec<String>,
    /// The side to move in each mode, if the file assigns modes to sides.
    pub(super) owners: Vec<u16>,
    pub(super) sides: Option<[String; 2]>,
}

/// Reads `sides` or `modes`. `squares` is the board, or `None` if it cannot be read; then names with letters are
/// skipped.
pub(super) fn read_turns(
    sides: Option<Item<'_>>,
    modes: Option<Item<'_>>,
    values: &Values,
    squares: Option<&Squares>,
) -> Read<Sides> {
    let plain = |turns, modes| Sides { turns, modes, owners: Vec::new(), sides: None };
    let (item, turns, count) = match (sides, modes) {
        (None, None) => return Ok(plain(Turns::Impartial, vec!["-".into()])),
        (Some(sides), Some(modes)) if modes.is_table() => {
            return owned_modes(sides, modes, values, squares);
        }
        (Some(item), Some(_)) => return Err(item.clash("either `sides` or `modes`", "both")),
        (Some(item), None) => (item, Turns::Sides, 2..=2),
        (None, Some(item)) => (item, Turns::Modes, least_modes(squares)..=MOST_MODES),
    };
    let expected = match turns {
        Turns::Sides => "the names of the two sides, as in [\"left\", \"right\"],".to_owned(),
        _ => format!("a list of 1 to {MOST_MODES} names"),
    };
    let list = item.list(&expected)?;
    if matches!(turns, Turns::Sides) && !count.contains(&list.len()) {
        return Err(item.wrong(expected));
    }
    let mut modes: Vec<String> = Vec::new();
    for item in list {
        let named = "a name that no other mode has, without commas, quotes or blanks around it,";
        let text = item.text(named)?;
        // Names of sides are not expanded.
        let listed =
            if matches!(turns, Turns::Sides) { vec![text.to_owned()] } else { all_names(item, text, values, squares)? };
        for name in listed {
            if !is_name(&name) || modes.contains(&name) {
                return Err(item.wrong(named));
            }
            modes.push(name);
        }
        // Each name is compared with all others.
        item.ensure(modes.len() <= *count.end(), expected.as_str(), "more")?;
    }
    item.ensure(count.contains(&modes.len()), expected, format!("{} names", modes.len()))?;
    Ok(plain(turns, modes))
}

/// The smallest number of modes. It is 0 if the board cannot be read, since all names may have been skipped.
fn least_modes(squares: Option<&Squares>) -> usize {
    usize::from(squares.is_some())
}

/// Returns whether `name` can name a mode.
fn is_name(name: &str) -> bool {
    let breaks = |c: char| is_unprintable(c) || ",\"{}".contains(c);
    !name.is_empty() && name.trim().len() == name.len() && name.len() <= MAX_NAME && !name.contains(breaks)
}

/// The names of modes that `text` expands to. A letter becomes each square of the board.
pub(super) fn all_names(item: Item<'_>, text: &str, values: &Values, squares: Option<&Squares>) -> Read<Vec<String>> {
    let names = listed(item, text, values)?;
    Ok(match squares {
        Some(squares) => names.into_iter().flat_map(|name| names::of_all_squares(name, squares)).collect(),
        None => names.into_iter().filter(|name| !names::has_square(name)).collect(),
    })
}

/// The names that `text` expands to. Letters stay.
pub(super) fn listed(item: Item<'_>, text: &str, values: &Values) -> Read<Vec<String>> {
    let wrong = |fault| item.found("names of modes", format!("{}: {fault}", super::source::shown(text)));
    names::listed(text, values).map_err(wrong)
}

/// Reads `modes` as a table that assigns each mode to a side.
fn owned_modes(sides: Item<'_>, modes: Item<'_>, values: &Values, squares: Option<&Squares>) -> Read<Sides> {
    let expected = "the names of the two sides, as in [\"left\", \"right\"],";
    let list = sides.list(expected)?;
    let [first, second] = list[..] else { return Err(sides.wrong(expected)) };
    let sides = [first.text(expected)?, second.text(expected)?];
    let (mut names, mut owners) = (Vec::new(), Vec::new());
    for (name, item) in modes.any_keys("modes")?.rest() {
        let owner = item.word(&sides)? as u16;
        for name in all_names(item, name, values, squares)? {
            if !is_name(&name) || names.contains(&name) {
                return Err(
                    item.wrong("names of modes, each once, without commas, quotes, braces or blanks around them")
                );
            }
            owners.push(owner);
            names.push(name);
        }
        // Each name is compared with all others.
        if names.len() > MOST_MODES {
            break;
        }
    }
    if !(least_modes(squares)..=MOST_MODES).contains(&names.len()) {
        return Err(modes.wrong(format!("1 to {MOST_MODES} modes")));
    }
    Ok(Sides { turns: Turns::Modes, modes: names, owners, sides: Some(sides.map(str::to_owned)) })
}
