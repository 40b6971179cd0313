//! The key `notation`: the notations of positions that the game reads beside its own one.

use super::error::Read;
use super::source::Item;
use crate::Notation;

/// Reads `notation`: a name, or a list of names in the order in which they are tried.
pub(super) fn read(item: Option<Item<'_>>) -> Read<Vec<Notation>> {
    let Some(item) = item else { return Ok(Vec::new()) };
    let items = if item.is_list() { item.list("a list of notations")? } else { vec![item] };
    let mut all = Vec::new();
    for item in items {
        let notation = Notation::ALL[item.word(Notation::NAMES)?];
        item.ensure(!all.contains(&notation), "each notation once", notation.name())?;
        all.push(notation);
    }
    Ok(all)
}
