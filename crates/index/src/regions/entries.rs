//! The regions in which play can first enter a part of a game.

use std::collections::{BTreeSet, HashMap};

use super::kinds::{Kinds, check_ends};
use super::list::{MOST_REGIONS, after, ended};
use super::{Content, NoRegions, Planes, Portable};
use crate::rules::{Board, Mode, Position, Rules};

/// One position of each region in which play from `roots`, a start position at least, can first enter the modes of `part`, sorted. `part`
/// says of each mode of `rules` whether the part has it.
///
/// The regions are found as [`Regions::new`](super::Regions::new) finds them. So the index of the part, made from these positions, has the
/// regions that the index of the whole game has in these modes. No board is listed.
///
/// # Errors
/// If the moves have no kinds, or there are too many regions.
pub fn entries(rules: &Rules, roots: &[Position], part: &[bool]) -> Result<Vec<Position>, NoRegions> {
    let planes = Planes::of(rules, roots).ok_or(NoRegions::Planes)?;
    let mut kinds = Kinds::default();
    rules.moves().iter().try_for_each(|m| kinds.of(rules, &planes, m).map(drop))?;
    check_ends(rules, &planes)?;
    let mut by_mode: HashMap<u16, Vec<_>> = HashMap::new();
    kinds.list.iter().for_each(|kind| by_mode.entry(kind.mode).or_default().push(kind));
    let of_root = |root: &Position| (root.mode.0, planes.split(Portable, root.board.low_word()).counts());
    let mut open: Vec<_> = roots.iter().map(of_root).collect();
    let mut known: BTreeSet<_> = open.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some((mode, counts)) = open.pop() {
        if part[usize::from(mode)] {
            found.insert(Position::new(Mode(mode), board(&planes, counts)));
            continue;
        }
        if ended(rules, &planes, mode, counts).is_some() {
            continue;
        }
        let of_mode = by_mode.get(&mode).into_iter().flatten();
        open.extend(
            of_mode.filter_map(|kind| after(rules, &planes, mode, counts, kind)).filter(|&to| known.insert(to)),
        );
        if known.len() > MOST_REGIONS {
            return Err(NoRegions::TooMany);
        }
    }
    Ok(found.into_iter().collect())
}

/// A board with `counts` pieces, on the first squares.
fn board(planes: &Planes, [first, second, single]: [u32; 3]) -> Board {
    let low = |count: u32| Board::full(count).low_word();
    let content = Content { first: low(first) as u32, second: (low(second) << first) as u32, single: low(single) };
    Board::from_word(planes.join(Portable, content))
}
