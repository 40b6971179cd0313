//! The sizes that fit, for a file whose parameters were set so that its board is too large.
//!
//! The values that were set are lowered together, in proportion, until the board fits, and then raised one by one as far as it
//! still fits. The same is done with each of them kept as it was set. Of each size only the board is read, so that thousands can
//! be tried; those that are named are read in full.

use super::parameters;
use super::source::{self, Keys, Mistakes};
use super::squares::Squares;
use super::{FileGame, KEYS, RulesFileError};
use crate::Parameters;
use crate::rules::MAX_CELLS;

/// The most sizes that are named.
const NAMED: usize = 3;
/// The most sizes that are read in full.
const READ: usize = 6;
/// The most sizes whose board is read, and the most bytes of text that are read for it in all.
const TRIED: usize = 4096;
const BYTES: usize = 1 << 24;

/// `error` with the sizes that fit, if it says that the board is too large and lower values of `set` help.
pub(super) fn with_sizes(mut error: RulesFileError, text: &str, set: &Parameters) -> RulesFileError {
    if let RulesFileError::BoardTooLarge { fits, .. } = &mut error {
        *fits = sizes(text, set);
    }
    error
}

/// The largest sizes that fit, as in `rows=5 cols=6`. The first is the one whose most reduced value is reduced least.
fn sizes(text: &str, set: &Parameters) -> Vec<String> {
    let asked: Vec<(&str, u32)> = set.iter().filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect();
    let Ok(tree) = source::parse(text) else { return Vec::new() };
    let with = |values: &[u32]| {
        let pairs = asked.iter().zip(values);
        pairs.fold(set.clone(), |set, (&(name, _), value)| set.with(name, value))
    };
    let mut tries = TRIED.min(BYTES / text.len().max(1));
    let mut fits = |values: &[u32]| {
        let mistakes = Mistakes::of("");
        let mut file = Keys::of_file(&mistakes, tree.get_ref(), &KEYS);
        let settled = parameters::settle(&mut file, &mistakes, &with(values));
        tries = tries.saturating_sub(1);
        tries > 0
            && settled.sound
            && file.take("board").is_some_and(|board| Squares::read(board, &settled.values).is_ok())
    };
    let values: Vec<u32> = asked.iter().map(|&(_, value)| value).collect();
    let mut found: Vec<Vec<u32>> = Vec::new();
    for kept in std::iter::once(None).chain((0..values.len()).map(Some)) {
        for is_reversed in [false, true] {
            found.extend(lowered(&values, kept, is_reversed, &mut fits));
        }
    }
    // How much of each value is left, in parts of a million: the least of them, then all of them.
    let rank = |size: &Vec<u32>| {
        let parts =
            values.iter().zip(size).map(|(&asked, &value)| u64::from(value) * 1_000_000 / u64::from(asked.max(1)));
        std::cmp::Reverse((parts.clone().min(), parts.sum::<u64>()))
    };
    found.sort_by_key(|size| (rank(size), size.clone()));
    found.dedup();
    let is_read = |size: &Vec<u32>| FileGame::read_as_set(text, &with(size)).is_ok();
    let named = |size: Vec<u32>| {
        let pairs = asked.iter().zip(size).map(|((name, _), value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join(" ")
    };
    found.into_iter().take(READ).filter(is_read).take(NAMED).map(named).collect()
}

/// The values `asked`, all but that at `kept` lowered in proportion until the board `fits`, and then raised as far as it fits: the
/// first value first, or the last.
fn lowered(
    asked: &[u32],
    kept: Option<usize>,
    is_reversed: bool,
    fits: &mut dyn FnMut(&[u32]) -> bool,
) -> Option<Vec<u32>> {
    // No side of a board is longer than that.
    let most = |at: usize| asked[at].min(MAX_CELLS);
    let mut lowered: Vec<usize> = (0..asked.len()).filter(|&at| Some(at) != kept).collect();
    let longest = lowered.iter().map(|&at| most(at)).max().filter(|&longest| longest > 0)?;
    let scaled = |part: u32| -> Vec<u32> {
        let value = |at| if Some(at) == kept { asked[at] } else { most(at) * part / longest };
        (0..asked.len()).map(value).collect()
    };
    let mut size = (0..=longest).rev().map(scaled).find(|size| fits(size))?;
    if is_reversed {
        lowered.reverse();
    }
    for at in lowered {
        let higher = std::iter::once(asked[at]).chain((size[at]..=most(at)).rev()).filter(|&value| value > size[at]);
        for value in higher.collect::<Vec<_>>() {
            let before = std::mem::replace(&mut size[at], value);
            if fits(&size) {
                break;
            }
            size[at] = before;
        }
    }
    Some(size)
}
