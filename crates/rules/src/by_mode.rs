//! A list grouped by mode, so that a position is compared only with the items of its own mode.

use std::ops::Range;

use super::Mode;

/// The ranges of the items of each mode. A list that is already grouped by mode is not copied.
#[derive(Clone)]
pub(super) struct ByMode<T> {
    /// The items sorted by mode, in their original order within a mode; `None` if the list itself is sorted this way.
    sorted: Option<Vec<T>>,
    ranges: Vec<Range<usize>>,
}

impl<T: Copy> ByMode<T> {
    /// Groups `items`, for rules with `modes` modes.
    pub(super) fn new(items: &[T], modes: usize, mode: impl Fn(&T) -> Mode) -> Self {
        let sorted = (!items.is_sorted_by_key(&mode)).then(|| {
            let mut sorted = items.to_vec();
            sorted.sort_by_key(&mode);
            sorted
        });
        let all = sorted.as_deref().unwrap_or(items);
        let first = |number| all.partition_point(|item| usize::from(mode(item).0) < number);
        Self { ranges: (0..modes).map(|number| first(number)..first(number + 1)).collect(), sorted }
    }

    /// The items of `mode`; `items` is the list that was passed to [`new`](Self::new).
    #[inline]
    pub(super) fn of<'a>(&'a self, items: &'a [T], mode: Mode) -> &'a [T] {
        &self.sorted.as_deref().unwrap_or(items)[self.ranges[usize::from(mode.0)].clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_has_its_items_in_their_order() {
        let of = |items: &[(u16, char)]| {
            let by_mode = ByMode::new(items, 4, |item| Mode(item.0));
            let text = |mode| by_mode.of(items, Mode(mode)).iter().map(|item| item.1).collect::<String>();
            ([0, 1, 2, 3].map(text), by_mode.sorted.is_some())
        };
        assert_eq!(of(&[(2, 'a'), (0, 'b'), (2, 'c')]), (["b", "", "ac", ""].map(String::from), true));
        assert_eq!(of(&[(0, 'a'), (0, 'b'), (3, 'c')]), (["ab", "", "", "c"].map(String::from), false));
        assert_eq!(of(&[]), ([""; 4].map(String::from), false));
    }
}
