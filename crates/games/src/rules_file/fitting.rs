//! Suggestions of sizes that fit, for a file that is refused only because of the given parameters.
//!
//! The search lowers the given values together, in proportion, until the board fits. Then it raises them one by one as
//! far as the board still fits. It repeats this with each value kept unchanged. The search reads only the board of each
//! size, so that it can try thousands of sizes. It reads the suggested sizes in full. If the file is refused with all of
//! them, for instance because the game has too many moves, a second search bisects between them and the defaults, and
//! reads every size in full.

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

/// The largest number of sizes that the second search reads.
const BISECTED: u32 = 40;

/// The error `error` of reading `text` with `set`. If the parameters alone are to blame, the error names them instead of
/// a place in the file, and the values that fit.
pub(super) fn with_sizes(error: RulesFileError, text: &str, set: &Parameters) -> RulesFileError {
    let (of_file, of_call): (Vec<&RulesFileError>, Vec<&RulesFileError>) =
        error.mistakes().iter().partition(|mistake| {
            !matches!(mistake, RulesFileError::Value { .. } | RulesFileError::UnknownParameter { .. })
        });
    let Some(first) = of_file.first().filter(|_| !set.is_empty()) else { return error };
    let what = match first {
        RulesFileError::Wrong { expected, found, .. } => format!("expected {expected}, found {found}"),
        RulesFileError::Rules(rules) => rules.to_string(),
        _ => return error,
    };
    let defaults = FileGame::read_as_set(text, &Parameters::new()).ok();
    if !of_call.is_empty() {
        return match defaults {
            Some(_) => RulesFileError::all(of_call.into_iter().cloned().collect(), 0),
            None => error,
        };
    }
    let fits = sizes(text, set, defaults.as_ref());
    if defaults.is_none() && fits.is_empty() {
        return error;
    }
    let value = |name: &str| {
        let known = defaults.iter().flat_map(|game| game.parameters()).find(|parameter| parameter.name == name)?;
        Some((name.to_owned(), known.value.clone()))
    };
    let defaults = set.iter().filter_map(|(name, _)| value(name)).collect::<Vec<_>>();
    RulesFileError::Unfit {
        given: listed(set.iter()),
        what,
        fits,
        defaults: listed(defaults.iter().map(|(n, v)| (&**n, &**v))),
    }
}

/// Parameters with their values, as in `rows=5 cols=6`.
fn listed<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    source::shown(&pairs.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
}

/// The largest sizes that fit, as in `rows=5 cols=6`. The size whose most reduced value is reduced least comes first.
/// `defaults` is the game without given parameters, if the file is accepted then.
fn sizes(text: &str, set: &Parameters, defaults: Option<&FileGame>) -> Vec<String> {
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
    let in_order = |found: &mut Vec<Vec<u32>>| {
        found.sort_by_key(|size| (rank(size), size.clone()));
        found.dedup();
    };
    in_order(&mut found);
    let is_read = |size: &[u32]| FileGame::read_as_set(text, &with(size)).is_ok();
    let mut read: Vec<Vec<u32>> = found.iter().take(READ).filter(|size| is_read(size)).cloned().collect();
    if let Some(game) = defaults.filter(|_| read.is_empty()) {
        let value = |name: &str| game.parameters().iter().find(|parameter| parameter.name == name)?.value.parse().ok();
        let least: Vec<u32> = asked.iter().map(|&(name, asked)| value(name).unwrap_or(asked).min(asked)).collect();
        let mut left = BISECTED;
        let mut is_read = |size: &[u32]| {
            left = left.saturating_sub(1);
            left > 0 && is_read(size)
        };
        read = found.iter().take(NAMED).filter_map(|most| bisected(&least, most, &mut is_read)).collect();
        in_order(&mut read);
    }
    let named = |size: Vec<u32>| {
        let pairs = asked.iter().zip(size).map(|((name, _), value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join(" ")
    };
    read.into_iter().take(NAMED).map(named).collect()
}

/// The largest size from `least` to `most` that is read, if a smaller board is read whenever a larger one is: first with
/// all values raised in proportion, then with each value raised as far as possible. `None` if `least` is not read.
fn bisected(least: &[u32], most: &[u32], is_read: &mut dyn FnMut(&[u32]) -> bool) -> Option<Vec<u32>> {
    let longest = least.iter().zip(most).map(|(&least, &most)| most.saturating_sub(least)).max().filter(|&n| n > 0)?;
    let scaled = |part: u32| -> Vec<u32> {
        least.iter().zip(most).map(|(&least, &most)| least + most.saturating_sub(least) * part / longest).collect()
    };
    if !is_read(least) {
        return None;
    }
    let mut size = scaled(last_that(0, longest, &mut |part| is_read(&scaled(part))));
    for at in 0..size.len() {
        let value = last_that(size[at], most[at].max(size[at]), &mut |value| {
            let mut larger = size.clone();
            larger[at] = value;
            is_read(&larger)
        });
        size[at] = value;
    }
    Some(size)
}

/// The last number from `first` to `last` that `fits`, by bisection. `first` does.
fn last_that(first: u32, last: u32, fits: &mut dyn FnMut(u32) -> bool) -> u32 {
    let (mut good, mut bad) = (first, last + 1);
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if fits(middle) { good = middle } else { bad = middle }
    }
    good
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
