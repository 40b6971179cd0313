//! The key `each`: a table that counts several times, once for each value of a name.
//!
//! ```toml
//! [[end]]
//! each = { r = "1..3" }
//! full = ["a{r}", "b{r}", "c{r}"]
//! ```
//!
//! The names are parameters within the table. With several names there is a table for each combination, and a range may use
//! the names before it.

use super::error::Read;
use super::expression::{self, Values};
use super::placement::Budget;
use super::range;
use super::source::{self, Item, Keys};

/// The work of reading a table once more: it limits the tables of a file to 32,768.
const WORK: usize = 256;
/// The smallest and the largest value of a name.
const LIMITS: std::ops::RangeInclusive<i64> = -1_000_000..=1_000_000;

/// A table with values of its names.
pub(super) struct EachTable<'a> {
    pub(super) table: Item<'a>,
    pub(super) keys: Keys<'a>,
    /// The parameters of the file and the names of `each`; `None` if the table has no `each`.
    pub(super) values: Option<Values>,
}

/// The tables of a list as from [`source::tables`], each as often as its key `each` says. The key must be `known`.
pub(super) fn tables<'a>(
    item: Option<Item<'a>>,
    what: &'static str,
    known: &[&[&str]],
    values: &Values,
    budget: &mut Budget,
) -> Vec<EachTable<'a>> {
    let mut all = Vec::new();
    for (table, mut keys) in source::tables(item, what, known) {
        let Some(each) = keys.take("each") else {
            all.push(EachTable { table, keys, values: None });
            continue;
        };
        let mistakes = table.mistakes();
        for values in mistakes.keep(combinations(each, values, budget)).unwrap_or_default() {
            let Some(mut keys) = mistakes.keep(table.keys(what, known)) else { break };
            keys.take("each");
            all.push(EachTable { table, keys, values: Some(values) });
        }
    }
    all
}

/// The values of all parameters for each combination of the names in `each`.
fn combinations(each: Item<'_>, values: &Values, budget: &mut Budget) -> Read<Vec<Values>> {
    let mut all = vec![values.clone()];
    for (name, item) in each.any_keys("`each`")?.rest() {
        if !expression::is_name(name) || all.first().is_some_and(|values| values.iter().any(|(known, _)| known == name))
        {
            return Err(item.found("a name that no parameter has, of `a-z 0-9 _`, a letter first", format!("{name:?}")));
        }
        let mut longer = Vec::new();
        for values in all {
            for number in range::numbers(item, &values, &LIMITS)? {
                budget.spend(item, WORK)?;
                longer.push([&values[..], &[(name.to_owned(), number)]].concat());
            }
        }
        all = longer;
    }
    Ok(all)
}
