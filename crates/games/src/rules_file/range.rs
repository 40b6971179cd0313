//! Numbers in lists: a number, or a range with an optional step, as in `"1..rows by 2"`.

use std::ops::RangeInclusive;

use super::error::Read;
use super::expression::{self, Values};
use super::source::Item;

/// The most numbers of a range.
const MOST: i64 = 1 << 12;

/// Reads a number, a range, or a list of both; all numbers lie within `limits`. A range that ends before it begins is
/// empty.
pub(super) fn numbers(item: Item<'_>, values: &Values, limits: &RangeInclusive<i64>) -> Read<Vec<i64>> {
    if item.is_list() {
        let all = item.list("")?.into_iter().map(|item| of_item(item, values, limits));
        return all.collect::<Result<Vec<Vec<i64>>, _>>().map(|all| all.concat());
    }
    of_item(item, values, limits)
}

/// Reads a number, a list of the least and the most, or a range that may be open: `"..3"`, `"4.."`. All numbers are at
/// most `most`. `what` describes them in errors.
pub(super) fn bounds(item: Item<'_>, values: &Values, most: u32, what: &str) -> Read<RangeInclusive<u32>> {
    let expected =
        || format!("{what} from 0 to {most}, the least and the most, or a range such as \"..3\" or \"4..\",");
    let range = match item.as_text().and_then(|text| text.split_once("..")) {
        None => item.interval(values, most, what)?,
        Some((first, last)) => {
            let end = |text: &str, open: u32| {
                if text.trim().is_empty() {
                    return Ok(open);
                }
                let wrong = |fault: String| item.found(expected(), format!("{}: {fault}", item.described()));
                let number = expression::evaluate(text, values).map_err(wrong)?;
                let number = u32::try_from(number).ok().filter(|&number| number <= most);
                number.ok_or_else(|| item.wrong(expected()))
            };
            end(first, 0)?..=end(last, most)?
        }
    };
    // A range such as "1..0" holds for no number, and parameters may make it.
    item.ensure(!item.is_list() || range.start() <= range.end(), expected(), item.described())?;
    Ok(range)
}

fn of_item(item: Item<'_>, values: &Values, limits: &RangeInclusive<i64>) -> Read<Vec<i64>> {
    let Some((first, last)) = item.as_text().and_then(|text| text.split_once("..")) else {
        return Ok(vec![item.signed(values, limits)?]);
    };
    let (least, most) = (limits.start(), limits.end());
    let expected = || format!("whole numbers from {least} to {most}, as in \"{least}..{most}\"");
    let end = |text: &str| {
        let wrong = |fault: String| item.found(expected(), format!("{}: {fault}", item.described()));
        expression::evaluate(text, values).map_err(wrong)
    };
    let (last, step) = last.split_once(" by ").map_or((last, Ok(1)), |(last, step)| (last, end(step)));
    let (first, last, step) = (end(first)?, end(last)?, step?);
    let Some(step) = usize::try_from(step).ok().filter(|&step| step > 0) else {
        return Err(item.found("a step of at least 1", item.described()));
    };
    if first < *least || last > *most {
        return Err(item.found(expected(), format!("{}: it is {first}..{last}", item.described())));
    }
    // The first number has no upper limit and the last no lower one: such a range is empty.
    if last.saturating_sub(first) >= MOST {
        return Err(item.found(format!("a range of at most {MOST} numbers"), item.described()));
    }
    Ok((first..=last).step_by(step).collect())
}
