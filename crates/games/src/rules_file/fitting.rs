//! Suggestions of sizes that fit, for a file whose parameters make the board too large.
//!
//! The search lowers the given values together, in proportion, until the board fits. Then it raises them one by one as
//! far as the board still fits. It repeats this with each value kept unchanged. The search reads only the board of each
//! size, so that it can try thousands of sizes. It reads the suggested sizes in full.

use super::parameters;
use super::source::{self, Keys, Mistakes};
use super::squares::Squares;
use super::{FileGame, KEYS, RulesFileError};
use crate::Parameters;
use crate::rules::MAX_CELLS;

/// The largest number of suggested sizes.
const NAMED: usize = 3;
/// The largest number of sizes that are read in full.
const READ: usize = 6;
/// The largest number of sizes whose board is read, and the largest number of bytes of text read for them in all.
const TRIED: usize = 4096;
const BYTES: usize = 1 << 24;

/// Adds the sizes that fit to `error`, if the board is too large and lower values of `set` help.
pub(super) fn with_sizes(mut error: RulesFileError, text: &str, set: &Parameters) -> RulesFileError {
    if let RulesFileError::BoardTooLarge { fits, .. } = &mut error {
        *fits = sizes(text, set);
    }
    error
}

/// The largest sizes that fit, as in `rows=5 cols=6`. The size whose most reduced value is reduced least comes first.
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
            && settled.is_complete
            && file.take("board").is_some_and(|board| Squares::read(board, &settled.values).is_ok())
    };
    let values: Vec<u32> = asked.iter().map(|&(_, value)| value).collect();
    let mut found: Vec<Vec<u32>> = Vec::new();
    for kept in std::iter::once(None).chain((0..values.len()).map(Some)) {
        for is_reversed in [false, true] {
            found.extend(lowered(&values, kept, is_reversed, &mut fits));
        }
    }
    // The rank of a size: the least share that is left of a value, in millionths, then the sum of all shares.
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

/// The size found from `asked`: all values but the one at `kept` are lowered in proportion until the board `fits`. Then
/// they are raised as far as the board fits, starting with the first value, or with the last if `is_reversed`.
fn lowered(
    asked: &[u32],
    kept: Option<usize>,
    is_reversed: bool,
    fits: &mut dyn FnMut(&[u32]) -> bool,
) -> Option<Vec<u32>> {
    // No side of a board is longer than `MAX_CELLS`.
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
