//! Laws of the arithmetic, for random games.

use proptest::prelude::*;
use tablegen_cgt::reference::Tree;
use tablegen_cgt::{Calculator, Comparison, Dyadic, Value};

fn tree(depth: u32, size: u32) -> impl Strategy<Value = Tree> {
    Just(Tree::default()).prop_recursive(depth, size, 3, |inner| {
        (prop::collection::vec(inner.clone(), 0..3), prop::collection::vec(inner, 0..3))
            .prop_map(|(lefts, rights)| Tree { lefts, rights })
    })
}

/// Games in which moves are worth much: trees with integers as leaves.
#[derive(Clone, Debug)]
enum Hot {
    Integer(i64),
    Options(Vec<Hot>, Vec<Hot>),
}

fn hot() -> impl Strategy<Value = Hot> {
    (-6..=6_i64).prop_map(Hot::Integer).prop_recursive(3, 16, 2, |inner| {
        (prop::collection::vec(inner.clone(), 1..3), prop::collection::vec(inner, 1..3))
            .prop_map(|(lefts, rights)| Hot::Options(lefts, rights))
    })
}

fn stored(calculator: &mut Calculator, tree: &Tree) -> Value {
    let mut all = |list: &[Tree]| list.iter().map(|tree| stored(calculator, tree)).collect::<Vec<_>>();
    let (lefts, rights) = (all(&tree.lefts), all(&tree.rights));
    calculator.simplified(&lefts, &rights).expect("small games fit")
}

fn stored_hot(calculator: &mut Calculator, hot: &Hot) -> Value {
    match hot {
        Hot::Integer(integer) => calculator.integer(*integer).expect("small integers fit"),
        Hot::Options(lefts, rights) => {
            let mut all = |list: &[Hot]| list.iter().map(|it| stored_hot(calculator, it)).collect::<Vec<_>>();
            let (lefts, rights) = (all(lefts), all(rights));
            calculator.simplified(&lefts, &rights).expect("small games fit")
        }
    }
}

/// Unwraps results of small games.
macro_rules! fits {
    ($result:expr) => {
        $result.expect("small games fit")
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn games_are_an_ordered_group(g in tree(3, 12), h in tree(3, 12), k in tree(2, 6)) {
        let mut it = Calculator::default();
        let (a, b, c) = (stored(&mut it, &g), stored(&mut it, &h), stored(&mut it, &k));
        let sum = fits!(it.sum(a, b));
        prop_assert_eq!(sum, stored(&mut it, &g.sum(&h)));
        prop_assert_eq!(sum, fits!(it.sum(b, a)));
        let (left, right) = (fits!(it.sum(sum, c)), fits!(it.sum(b, c)));
        prop_assert_eq!(left, fits!(it.sum(a, right)));
        let negative = fits!(it.negative(a));
        prop_assert_eq!(negative, stored(&mut it, &g.negative()));
        prop_assert_eq!(fits!(it.sum(a, negative)), Value::ZERO);
        prop_assert_eq!(fits!(it.difference(sum, b)), a);
        let (with_a, with_b) = (fits!(it.sum(a, c)), fits!(it.sum(b, c)));
        prop_assert_eq!(it.compare(a, b), it.compare(with_a, with_b));
        let difference = fits!(it.difference(a, b));
        prop_assert_eq!(it.compare(a, b), it.compare(difference, Value::ZERO));
        prop_assert_eq!(it.store().sign(difference).is_none(), it.compare(a, b) == Ok(Comparison::Confused));
        prop_assert_eq!(fits!(it.multiple(3, a)), { let twice = fits!(it.sum(a, a)); fits!(it.sum(twice, a)) });
        prop_assert_eq!(fits!(it.multiple(-2, a)), { let twice = fits!(it.sum(a, a)); fits!(it.negative(twice)) });
    }

    #[test]
    fn ordinal_sums_follow_their_definition(g in tree(3, 8), h in tree(3, 8), k in tree(2, 4)) {
        fn ordinal(base: &Tree, above: &Tree) -> Tree {
            let all = |here: &[Tree], above: &[Tree]| {
                here.iter().cloned().chain(above.iter().map(|it| ordinal(base, it))).collect()
            };
            Tree { lefts: all(&base.lefts, &above.lefts), rights: all(&base.rights, &above.rights) }
        }
        let mut it = Calculator::default();
        let (a, b, c) = (stored(&mut it, &g), stored(&mut it, &h), stored(&mut it, &k));
        let sum = fits!(it.ordinal_sum(a, b));
        let base = Tree::of(it.store(), a);
        prop_assert_eq!(sum, stored(&mut it, &ordinal(&base, &h)));
        // The colon principle: the order of the second games is the order of the sums.
        let other = fits!(it.ordinal_sum(a, c));
        if it.at_most(b, c) == Ok(true) {
            prop_assert_eq!(it.at_most(sum, other), Ok(true));
        }
    }

    #[test]
    fn means_add_and_temperatures_do_not_rise(g in hot(), h in hot()) {
        let mut it = Calculator::default();
        let (a, b) = (stored_hot(&mut it, &g), stored_hot(&mut it, &h));
        let sum = fits!(it.sum(a, b));
        let [first, second, both] = [a, b, sum].map(|value| fits!(it.thermograph(value)).clone());
        prop_assert_eq!(Ok(both.mean), first.mean.plus(second.mean));
        prop_assert!(both.temperature <= first.temperature.max(second.temperature));
        for (value, graph) in [(a, first), (b, second), (sum, both)] {
            let stops = it.stops(value);
            prop_assert_eq!(graph.left.at(Dyadic::ZERO), Ok(stops.left));
            prop_assert_eq!(graph.right.at(Dyadic::ZERO), Ok(stops.right));
            prop_assert!(stops.right <= graph.mean && graph.mean <= stops.left);
            prop_assert_eq!(graph.left.points().last().map(|point| point.value), Some(graph.mean));
            match it.store().number(value) {
                Some(number) => {
                    let expected = Dyadic::new(-1, number.exponent());
                    prop_assert_eq!((Ok(graph.temperature), graph.mean), (expected, number));
                }
                None => prop_assert!(graph.temperature >= Dyadic::ZERO),
            }
            let negative = fits!(it.negative(value));
            let mirrored = fits!(it.thermograph(negative));
            prop_assert_eq!((mirrored.mean, mirrored.temperature), (-graph.mean, graph.temperature));
        }
    }

    #[test]
    fn numbers_compare_and_add_as_numbers(m in -2000..2000_i64, n in -2000..2000_i64, j in 0..12_u32, k in 0..12_u32) {
        let mut it = Calculator::default();
        let (x, y) = (fits!(Dyadic::new(m, j)), fits!(Dyadic::new(n, k)));
        let (a, b) = (fits!(it.number(x)), fits!(it.number(y)));
        prop_assert_eq!(it.at_most(a, b), Ok(x <= y));
        let (sum, exact) = (fits!(it.sum(a, b)), fits!(x.plus(y)));
        prop_assert_eq!(it.store().number(sum), Some(exact));
        let switch = fits!(it.simplified(&[a], &[b]));
        prop_assert_eq!(it.store().is_number(switch), x < y);
        let stops = it.stops(switch);
        if x >= y {
            prop_assert_eq!((stops.left, stops.right), (x, y));
        } else {
            prop_assert!(x < stops.left && stops.left < y);
        }
    }

    #[test]
    fn no_player_needs_to_move_in_a_number(g in hot(), numerator in -9..9_i64, exponent in 0..4_u32) {
        let mut it = Calculator::default();
        let game = stored_hot(&mut it, &g);
        let number = fits!(it.number(fits!(Dyadic::new(numerator, exponent))));
        if !it.store().is_number(game) {
            let sum = fits!(it.sum(game, number));
            let (lefts, rights) = it.store().options(game);
            let (lefts, rights) = (lefts.to_vec(), rights.to_vec());
            let mut moved = |list: &[Value]| {
                let mut list: Vec<_> = list.iter().map(|&option| fits!(it.sum(option, number))).collect();
                list.sort_unstable();
                list
            };
            prop_assert_eq!((moved(&lefts), moved(&rights)), {
                let (lefts, rights) = it.store().options(sum);
                (lefts.to_vec(), rights.to_vec())
            });
        }
    }

    #[test]
    fn reduced_forms_differ_by_an_infinitesimal(g in hot(), small in tree(3, 8)) {
        let mut it = Calculator::default();
        let (hot, small) = (stored_hot(&mut it, &g), stored(&mut it, &small));
        let value = fits!(it.sum(hot, small));
        let reduced = fits!(it.reduced(value));
        prop_assert_eq!(fits!(it.reduced(reduced)), reduced);
        let difference = fits!(it.difference(value, reduced));
        prop_assert_eq!(it.number_part(difference), Some(Dyadic::ZERO));
        prop_assert!(it.store().birthday(reduced) <= it.store().birthday(value));
        for infinitesimal in ["*", "^", "Tiny(1)", "{1|*||v}"] {
            let infinitesimal = fits!(it.parse(infinitesimal));
            if it.number_part(infinitesimal) == Some(Dyadic::ZERO) {
                let near = fits!(it.sum(value, infinitesimal));
                prop_assert_eq!(fits!(it.reduced(near)), reduced);
            }
        }
    }

    #[test]
    fn atomic_weights_add(g in tree(4, 20), h in tree(4, 20)) {
        // A tree in which each player can move wherever the other can is all-small.
        fn all_small(tree: &Tree) -> Tree {
            if tree.lefts.is_empty() || tree.rights.is_empty() {
                return Tree::default();
            }
            let all = |list: &[Tree]| list.iter().map(all_small).collect();
            Tree { lefts: all(&tree.lefts), rights: all(&tree.rights) }
        }
        let mut it = Calculator::default();
        let (a, b) = (stored(&mut it, &all_small(&g)), stored(&mut it, &all_small(&h)));
        let sum = fits!(it.sum(a, b));
        let mut weight = |value| fits!(it.atomic_weight(value)).expect("all-small");
        let (first, second, both) = (weight(a), weight(b), weight(sum));
        prop_assert_eq!(both, fits!(it.sum(first, second)));
        // The two-ahead rule (Winning Ways, chapter 8).
        let two = fits!(it.integer(2));
        if it.at_most(two, first) == Ok(true) {
            prop_assert_eq!(it.compare(a, Value::ZERO), Ok(Comparison::Greater));
        }
    }

    #[test]
    fn incentives_are_the_best_gains(g in hot()) {
        let mut it = Calculator::default();
        let value = stored_hot(&mut it, &g);
        let gains = fits!(it.left_incentives(value));
        for left in it.store().lefts(value).to_vec() {
            let gain = fits!(it.difference(left, value));
            prop_assert!(gains.iter().any(|&best| it.at_most(gain, best) == Ok(true)));
        }
        let negative = fits!(it.negative(value));
        let mut mirrored = fits!(it.right_incentives(negative));
        mirrored.sort_unstable();
        prop_assert_eq!(gains, mirrored);
    }
}
