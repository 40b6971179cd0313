//! Names of small groups.

use std::collections::BTreeMap;

use crate::rules::Symmetry;

/// The name of the abstract group with these elements, if the orders of the elements determine it: `C` for cyclic, `D` for dihedral
/// (`D4`: the turns and flips of a square), `S` for symmetric.
pub(super) fn of(elements: &[Symmetry]) -> String {
    let size = elements.len();
    let mut orders = BTreeMap::new();
    elements.iter().for_each(|element| *orders.entry(order(element)).or_insert(0usize) += 1);
    let of_order = |order: usize| orders.get(&order).copied().unwrap_or(0);
    let twos = of_order(2);
    let is_abelian = || elements.iter().all(|a| elements.iter().all(|b| a.then(b) == b.then(a)));
    let half = size / 2;
    match size {
        _ if of_order(size) > 0 => format!("C{size}"),
        // Every element is its own inverse.
        _ if twos + 1 == size => vec!["C2"; size.ilog2() as usize].join("x"),
        6 => "S3".into(),
        _ if size.is_multiple_of(2)
            && of_order(half) > 0
            && twos == half + usize::from(half.is_multiple_of(2))
            && !is_abelian() =>
        {
            format!("D{half}")
        }
        24 if (twos, of_order(3), of_order(4)) == (9, 8, 6) => "S4".into(),
        120 if (twos, of_order(3), of_order(4), of_order(5)) == (25, 20, 30, 24) => "S5".into(),
        720 if (twos, of_order(3), of_order(4), of_order(5)) == (75, 80, 180, 144) => "S6".into(),
        _ => format!("group of order {size}"),
    }
}

/// The order of `element`: the number of repetitions that give the identity.
fn order(element: &Symmetry) -> usize {
    let mut power = element.clone();
    let mut order = 1;
    while !power.is_identity() {
        power = power.then(element);
        order += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::super::listed::elements;
    use super::*;

    /// The name of the group that these permutations of cells generate.
    fn generated(generators: &[&[u8]]) -> String {
        let generators: Vec<Symmetry> =
            generators.iter().map(|cells| Symmetry::new(cells.to_vec(), vec![0]).unwrap()).collect();
        of(&elements(generators[0].cells().len() as u32, 1, &generators, 1000).unwrap())
    }

    #[test]
    fn names_of_small_groups() {
        let turn = |size: u8| -> Vec<u8> { (0..size).map(|cell| (cell + 1) % size).collect() };
        let flip = |size: u8| -> Vec<u8> { (0..size).rev().collect() };
        for size in 2..7 {
            assert_eq!(generated(&[&turn(size)]), format!("C{size}"));
        }
        assert_eq!(generated(&[&turn(3), &flip(3)]), "S3");
        for size in 4..8 {
            assert_eq!(generated(&[&turn(size), &flip(size)]), format!("D{size}"));
        }
        assert_eq!(generated(&[&[1, 0, 2, 3], &[0, 1, 3, 2]]), "C2xC2");
        assert_eq!(generated(&[&turn(4), &[1, 0, 2, 3]]), "S4");
        assert_eq!(generated(&[&turn(5), &[1, 0, 2, 3, 4]]), "S5");
        // C4xC2 and C3xC3 are abelian; the even permutations of four cells have no element of order 6.
        assert_eq!(generated(&[&[1, 2, 3, 0, 4, 5], &[0, 1, 2, 3, 5, 4]]), "group of order 8");
        assert_eq!(generated(&[&[1, 2, 0, 3, 4, 5], &[0, 1, 2, 4, 5, 3]]), "group of order 9");
        assert_eq!(generated(&[&[1, 2, 0, 3], &[0, 2, 3, 1]]), "group of order 12");
    }

    /// Groups that share their size, or the number of elements of one order, with a group that has a name.
    #[test]
    fn similar_groups_have_no_short_name() {
        // Half of the elements are of order two, as in D9, but none is of order nine.
        let triangles: &[&[u8]] = &[&[1, 2, 0, 3, 4, 5], &[0, 1, 2, 4, 5, 3], &[0, 2, 1, 3, 5, 4]];
        assert_eq!(generated(triangles), "group of order 18");
        // An element is of order six, as in D6, but only one is of order two.
        assert_eq!(generated(&[&[1, 2, 0, 3, 4, 5, 6], &[0, 2, 1, 4, 5, 6, 3]]), "group of order 12");
        // S3xC2xC2 and S3xC2xC2xC5, on 3, 2, 2 and 5 cells.
        let swaps: [&[u8]; 4] = [
            &[1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11],
            &[1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
            &[0, 1, 2, 4, 3, 5, 6, 7, 8, 9, 10, 11],
            &[0, 1, 2, 3, 4, 6, 5, 7, 8, 9, 10, 11],
        ];
        assert_eq!(generated(&swaps), "group of order 24");
        let turn: &[u8] = &[0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 7];
        assert_eq!(generated(&[&swaps[..], &[turn]].concat()), "group of order 120");
        // S3xS5, on 3 and 5 cells.
        let threes: [&[u8]; 2] = [&[1, 2, 0, 3, 4, 5, 6, 7], &[1, 0, 2, 3, 4, 5, 6, 7]];
        let fives: [&[u8]; 2] = [&[0, 1, 2, 4, 5, 6, 7, 3], &[0, 1, 2, 4, 3, 5, 6, 7]];
        assert_eq!(generated(&[threes, fives].concat()), "group of order 720");
    }

    #[test]
    fn groups_of_the_largest_size_are_listed() {
        let turn = [Symmetry::new(vec![1, 2, 3, 0], vec![0]).unwrap()];
        assert_eq!(elements(4, 1, &turn, 4).unwrap().len(), 4);
        assert!(elements(4, 1, &turn, 3).is_none());
    }
}
