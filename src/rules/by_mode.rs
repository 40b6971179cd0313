//! A list sorted by mode, so that a position is held only against the items of its own mode.

use std::ops::Range;

use super::Mode;

/// Where the items of each mode stand. A list whose modes already stand together is not copied.
#[derive(Clone)]
pub(super) struct ByMode<T> {
    /// The items sorted by mode, those of one mode in their own order; `None` if the list itself is so sorted.
    sorted: Option<Vec<T>>,
    ranges: Vec<Range<usize>>,
}

impl<T: Copy> ByMode<T> {
    /// Sorts `items`, of rules with `modes` modes.
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

    /// The items of `mode`; `items` is the list that was sorted.
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
