//! How much of a level each process gathers, so that all have made their parts at once.
//!
//! What there is to gather is known before a level is made, and is dealt out; how many positions that makes is known after. Some regions are
//! reached in more ways than others, and from level to level that changes little.

/// To find a position, and to tell it, takes the time in which so many are gathered.
const FOUND: u128 = 4;
/// What a process would get that did nothing but gather.
const MOST: u128 = 1 << 16;

/// How much each process gathers, in proportion; none are as many as there are, each as much.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::solve::sparse) struct Pace(Vec<u64>);

impl Pace {
    /// Of so many processes, the parts before that of `process`.
    pub(super) fn before(&self, process: u64) -> u64 {
        if self.0.is_empty() { process } else { self.0[..process as usize].iter().sum() }
    }

    /// That of the next level, where a level was made from so many positions that were `gathered`, and each process has found so many of its
    /// own, `of_each`.
    pub(in crate::solve::sparse) fn after(&self, gathered: u64, of_each: &[u64]) -> Self {
        let all = u128::from(self.before(of_each.len() as u64)).max(1);
        let part = |(process, &found): (u64, &u64)| {
            let part = u128::from(self.before(process + 1) - self.before(process));
            let gathered = u128::from(gathered) * part / all;
            (gathered * MOST / (gathered + FOUND * u128::from(found)).max(1)).max(1) as u64
        };
        Self((0..).zip(of_each).map(part).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_finds_more_gathers_less() {
        let even = Pace::default();
        assert_eq!([0, 1, 2, 3].map(|process| even.before(process)), [0, 1, 2, 3]);
        let parts = |pace: &Pace| pace.0.clone();
        let alike = even.after(300, &[50, 50, 50]);
        assert!(parts(&alike).windows(2).all(|two| two[0] == two[1]), "{alike:?}");
        // The first half of what is gathered makes three times as many positions, level after level: both are soon done at once.
        let mut pace = even;
        for _ in 0..9 {
            let first = 2000 * pace.before(1) / pace.before(2);
            let found = |gathered: u64| (gathered.min(1000) * 3 + gathered.saturating_sub(1000)) / 4;
            let of_first = found(first);
            pace = pace.after(2000, &[of_first, found(2000) - of_first]);
        }
        let first = 2000 * pace.before(1) / pace.before(2);
        assert!((600..800).contains(&first), "{first}");
        // Whoever finds nothing, or has nothing to gather, gets something.
        assert!(parts(&Pace::default().after(0, &[0, 7])).iter().all(|&part| part > 0));
    }
}
