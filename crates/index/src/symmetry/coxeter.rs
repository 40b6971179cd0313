//! Recognition of groups of all permutations of some points, from their generators.
//!
//! The n - 1 exchanges of neighbouring points generate the symmetric group on n points. They are characterised by their products
//! (Moore 1897; Coxeter 1934): each is its own inverse, the product of two neighbours has order three, and all others commute.
//! If n is 5 or more, any group with n - 1 such generators is the symmetric group.

use crate::rules::Symmetry;

/// Minimum number of points. With fewer points, the one or two points of a cell could not be distinguished from the
/// other points.
pub(super) const FEWEST: usize = 5;

/// Exchanges of neighbouring points, in the order of the points.
pub(super) type Chain = Vec<Symmetry>;

#[derive(PartialEq, Eq)]
enum Product {
    Commutes,
    HasOrderThree,
    Other,
}

fn product(a: &Symmetry, b: &Symmetry) -> Product {
    let once = a.then(b);
    let twice = once.then(&once);
    match (twice.is_identity(), twice.then(&once).is_identity()) {
        (true, _) => Product::Commutes,
        (false, true) => Product::HasOrderThree,
        (false, false) => Product::Other,
    }
}

/// The chains of exchanges among `generators`, which must be in the order of their points. A generator that continues no chain is
/// skipped. Exchanges of different chains commute.
pub(super) fn chains(generators: &[Symmetry]) -> Vec<Chain> {
    let mut chains: Vec<Chain> = Vec::new();
    for swap in generators.iter().filter(|it| it.then(it).is_identity()) {
        let commutes = |members: &[Symmetry]| members.iter().all(|member| product(member, swap) == Product::Commutes);
        let continued = chains.iter().position(|chain| {
            let (last, before) = chain.split_last().unwrap_or_else(|| unreachable!("a chain has members"));
            product(last, swap) == Product::HasOrderThree && commutes(before)
        });
        let is_alone = |except: Option<usize>| {
            let others = chains.iter().enumerate().filter(|&(number, _)| Some(number) != except);
            others.into_iter().all(|(_, chain)| commutes(chain))
        };
        match continued {
            Some(number) if is_alone(Some(number)) => chains[number].push(swap.clone()),
            None if is_alone(None) => chains.push(vec![swap.clone()]),
            _ => {}
        }
    }
    chains.retain(|chain| chain.len() + 1 >= FEWEST);
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swap(cells: u8, a: u8, b: u8) -> Symmetry {
        let image = |cell| {
            if cell == a {
                b
            } else if cell == b {
                a
            } else {
                cell
            }
        };
        Symmetry::new((0..cells).map(image).collect(), vec![0]).unwrap()
    }

    #[test]
    fn chains_are_found_among_other_generators() {
        let first: Vec<Symmetry> = (0..4).map(|point| swap(12, point, point + 1)).collect();
        let second: Vec<Symmetry> = (5..11).map(|point| swap(12, point, point + 1)).collect();
        let rotation = Symmetry::new((0..12).map(|cell| (cell + 1) % 12).collect(), vec![0]).unwrap();
        let all = [&first[..2], &second[..], &first[2..], &[rotation, swap(12, 4, 5)]].concat();
        assert_eq!(chains(&all), [first, second]);
        // An exchange of two points that are not neighbours is skipped, and the chain goes on.
        let first = [swap(12, 0, 1), swap(12, 1, 2), swap(12, 2, 3), swap(12, 3, 4)];
        assert_eq!(chains(&[&first[..2], &[swap(12, 0, 2)], &first[2..]].concat()), [first]);
        // Three or four points make no chain.
        assert_eq!(chains(&[swap(4, 0, 1), swap(4, 1, 2), swap(4, 2, 3)]), [] as [Chain; 0]);
        // The product has order three, but the fourth exchange does not commute with the first.
        assert_eq!(chains(&[swap(6, 0, 1), swap(6, 1, 2), swap(6, 2, 3), swap(6, 0, 3)]), [] as [Chain; 0]);
    }
}
