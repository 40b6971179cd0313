//! Simplification and comparison against the reference implementation.

use proptest::prelude::*;
use tablegen_cgt::reference::Tree;
use tablegen_cgt::{Comparer, Comparison, Store, Value};

/// Random trees of at most `depth` moves.
fn tree(depth: u32) -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree::default());
    leaf.prop_recursive(depth, 24, 3, |inner| {
        (prop::collection::vec(inner.clone(), 0..3), prop::collection::vec(inner, 0..3))
            .prop_map(|(lefts, rights)| Tree { lefts, rights })
    })
}

/// Random trees with leaves that are numbers closer to each other than the hints can tell.
fn close_numbers() -> impl Strategy<Value = Tree> {
    let zero = Tree::default();
    let one = Tree { lefts: vec![zero.clone()], rights: vec![] };
    let mut numbers = vec![zero.clone(), one];
    for power in 1..9 {
        numbers.push(Tree { lefts: vec![zero.clone()], rights: vec![numbers[power].clone()] });
    }
    let leaf = (0..numbers.len(), any::<bool>()).prop_map(move |(number, positive)| {
        if positive { numbers[number].clone() } else { numbers[number].negative() }
    });
    leaf.prop_recursive(2, 8, 2, |inner| {
        (prop::collection::vec(inner.clone(), 1..3), prop::collection::vec(inner, 1..3))
            .prop_map(|(lefts, rights)| Tree { lefts, rights })
    })
}

fn store_tree(store: &mut Store, comparer: &mut Comparer, tree: &Tree) -> Value {
    let mut all = |list: &[Tree]| list.iter().map(|tree| store_tree(store, comparer, tree)).collect::<Vec<_>>();
    let (lefts, rights) = (all(&tree.lefts), all(&tree.rights));
    store.simplified(comparer, &lefts, &rights).expect("small games fit")
}

fn value(tree: &Tree) -> (Store, Comparer, Value) {
    let (mut store, mut comparer) = (Store::default(), Comparer::default());
    let value = store_tree(&mut store, &mut comparer, tree);
    (store, comparer, value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn canonical_forms_equal_the_reference(tree in tree(4)) {
        let (store, _, value) = value(&tree);
        prop_assert_eq!(Tree::of(&store, value), tree.canonical());
    }

    #[test]
    fn forms_with_close_numbers_equal_the_reference(tree in close_numbers()) {
        let (store, _, value) = value(&tree);
        prop_assert_eq!(Tree::of(&store, value), tree.canonical());
    }

    #[test]
    fn comparisons_equal_the_reference_and_the_outcome_of_the_difference(g in tree(3), h in tree(3)) {
        let (mut store, mut comparer, first) = value(&g);
        let second = store_tree(&mut store, &mut comparer, &h);
        let difference = g.sum(&h.negative());
        let (left, right) = (difference.wins_moving_first(true), difference.wins_moving_first(false));
        let expected = match (left, right) {
            (true, true) => Comparison::Confused,
            (true, false) => Comparison::Greater,
            (false, true) => Comparison::Less,
            (false, false) => Comparison::Equal,
        };
        prop_assert_eq!(comparer.compare(&store, first, second), Ok(expected));
        prop_assert_eq!(g.at_most(&h), !left);
        // A comparer that remembers little gives the same answer.
        prop_assert_eq!(Comparer::new(0).compare(&store, first, second), Ok(expected));
    }
}
