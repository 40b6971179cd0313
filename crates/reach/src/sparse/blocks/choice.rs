//! Chooses the six cells that make the fullest blocks.

use rustc_hash::FxHashSet;

use super::layout::LOW;
use crate::parallel;
use crate::reachable::KeyWord;

/// Positions of the sample whose blocks are counted.
const LOOKS: usize = 128;

/// Chooses low cells among `cells` cells for the positions with `keys`. Returns them with the average number of
/// positions in a block, in hundredths. `None` if there are no positions.
///
/// The choice is greedy: first the best pair of cells, then one cell after the other.
pub(super) fn choose<W: KeyWord>(keys: &[W], cells: u32) -> Option<([u32; LOW as usize], u32)> {
    if keys.is_empty() {
        return None;
    }
    let step = keys.len().div_ceil(LOOKS);
    let looks: Vec<W> = keys.iter().copied().step_by(step).collect();
    let all: FxHashSet<W> = keys.iter().copied().collect();
    let pairs: Vec<Vec<u32>> = (0..cells).flat_map(|high| (0..high).map(move |low| vec![low, high])).collect();
    let mut low = best(&looks, &all, &pairs)?;
    while low.len() < LOW as usize {
        let with = |&cell: &u32| !low.contains(&cell);
        let longer: Vec<Vec<u32>> = (0..cells).filter(with).map(|cell| [&low[..], &[cell]].concat()).collect();
        low = best(&looks, &all, &longer)?;
    }
    let blocks: f64 = looks.iter().map(|&key| 1.0 / f64::from(others(key, &all, &low))).sum();
    Some((low.try_into().ok()?, (100.0 * looks.len() as f64 / blocks) as u32))
}

/// The first of `choices` with the fewest blocks.
fn best<W: KeyWord>(looks: &[W], all: &FxHashSet<W>, choices: &[Vec<u32>]) -> Option<Vec<u32>> {
    let blocks = |cells: &Vec<u32>| looks.iter().map(|&key| 1.0 / f64::from(others(key, all, cells))).sum();
    let of: Vec<f64> = parallel::map(choices, blocks);
    let least = (0..choices.len()).min_by(|&a, &b| of[a].total_cmp(&of[b]))?;
    Some(choices[least].clone())
}

/// The number of positions that agree with `key` in all cells except `cells`.
fn others<W: KeyWord>(key: W, all: &FxHashSet<W>, cells: &[u32]) -> u32 {
    let flipped = |set: u32| {
        let flip = |key: W, (bit, &cell): (usize, &u32)| {
            if set >> bit & 1 == 1 { key ^ W::of(1 << cell) } else { key }
        };
        cells.iter().enumerate().fold(key, flip)
    };
    (0..1 << cells.len()).filter(|&set| all.contains(&flipped(set))).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn cells_in_which_positions_differ_make_blocks() {
        let mut draw = fastrand::Rng::with_seed(1);
        // All ways to fill three of six cells, for random contents of the other cells.
        let low = [3, 8, 9, 17, 20, 29];
        let tops: Vec<u64> = (0..500).map(|_| draw.u64(..1 << 32) & draw.u64(..)).collect();
        let low_cells: u64 = low.iter().map(|&cell| 1 << cell).sum();
        let content =
            |set: u32| low.iter().enumerate().map(|(bit, &cell)| u64::from(set >> bit & 1) << cell).sum::<u64>();
        let of_top = |top: &u64| {
            let top = *top & !low_cells;
            (0..64u32).filter(|set| set.count_ones() == 3).map(move |set| top | content(set)).collect::<Vec<_>>()
        };
        let keys: BTreeSet<u64> = tops.iter().flat_map(of_top).collect();
        let keys: Vec<u64> = keys.into_iter().collect();
        let (mut found, hundredths) = choose(&keys, 32).unwrap();
        found.sort_unstable();
        assert_eq!((found, hundredths), (low, 2000));
        assert_eq!(choose::<u64>(&[], 32), None);
    }
}
