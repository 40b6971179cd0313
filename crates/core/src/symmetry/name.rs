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
        1 => "trivial".into(),
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
