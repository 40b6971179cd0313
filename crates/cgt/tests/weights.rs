//! Atomic weights against their definition: outcomes of sums with a large heap, by a search of plays.

use std::collections::{BTreeSet, HashMap};

use tablegen_cgt::{Calculator, Dyadic, Value};

/// Plays of a sum of values and a heap of Nim.
struct Plays<'a> {
    it: &'a Calculator,
    known: HashMap<(Vec<Value>, u32, bool), bool>,
}

impl Plays<'_> {
    /// True if the player who moves first wins: Left if `left` is true.
    fn wins(&mut self, mut parts: Vec<Value>, heap: u32, left: bool) -> bool {
        parts.retain(|&part| part != Value::ZERO);
        parts.sort_unstable();
        let key = (parts, heap, left);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let parts = &key.0;
        let mut found = (0..heap).any(|smaller| !self.wins(parts.clone(), smaller, !left));
        for at in 0..parts.len() {
            let (lefts, rights) = self.it.store().options(parts[at]);
            for &option in if left { lefts } else { rights } {
                let mut after = parts.clone();
                after[at] = option;
                found = found || !self.wins(after, heap, !left);
            }
        }
        self.known.insert(key, found);
        found
    }

    fn outcome(&mut self, parts: &[Value], heap: u32) -> [bool; 2] {
        [true, false].map(|left| self.wins(parts.to_vec(), heap, left))
    }
}

/// Larger than every nimber in the games below.
const LARGE: u32 = 8;

/// Infinitesimals that are not all-small, and some all-small ones.
fn infinitesimals(it: &mut Calculator) -> Vec<Value> {
    let base = ["0", "*", "^", "v", "^^", "1", "-1", "{1|0}", "{0|-1}", "{2|^}", "{v|-2}"];
    let base = base.map(|text| it.parse(text).expect("it fits"));
    let mut games = |lefts: &[Value], rights: &[Value]| {
        let pairs = lefts.iter().flat_map(|&left| rights.iter().map(move |&right| (left, right)));
        let found = pairs.map(|(left, right)| it.simplified(&[left], &[right]).expect("it fits"));
        found.collect::<BTreeSet<Value>>().into_iter().collect::<Vec<_>>()
    };
    let first = games(&base, &base);
    let mut all = [games(&first, &base), games(&base, &first)].concat();
    all.sort_unstable();
    all.dedup();
    all.retain(|&game| it.number_part(game) == Some(Dyadic::ZERO));
    all
}

#[test]
fn weights_are_right_by_their_definition() {
    let mut it = Calculator::default();
    let games = infinitesimals(&mut it);
    let others = ["0", "*", "^", "v", "1", "-1", "+-1", "^*2", "{0|v}", "{0||0|-1}", "{2|0}", "{^|-1}"];
    let others = others.map(|text| it.parse(text).expect("it fits"));
    let [up, down] = ["^", "v"].map(|text| it.parse(text).expect("it fits"));
    let weights: Vec<Option<Value>> = games.iter().map(|&game| it.atomic_weight(game).expect("it fits")).collect();
    let mut plays = Plays { it: &it, known: HashMap::new() };
    let (mut with, mut without, mut large) = (0, 0, 0);
    for (&game, weight) in games.iter().zip(weights) {
        let ups = |count: i64| vec![if count < 0 { down } else { up }; count.unsigned_abs() as usize];
        let number = weight.and_then(|weight| it.store().number(weight));
        match (weight, number) {
            // As many ups as the weight behave alike beside every game.
            (Some(_), Some(number)) if number.is_integer() => {
                let like = ups(number.numerator());
                for &other in &others {
                    let found = plays.outcome(&[game, other], LARGE);
                    assert_eq!(
                        found,
                        plays.outcome(&[&like[..], &[other]].concat(), LARGE),
                        "{game:?} beside {other:?}"
                    );
                }
                with += usize::from(!it.store().is_all_small(game));
                large += usize::from(number.numerator().abs() > 1);
            }
            (Some(_), _) => {}
            // Beside up or down, and ups of the other sign, the game does not behave like any number of ups.
            (None, _) => {
                for count in -4..=4 {
                    let alike = [up, down].map(|near| {
                        let found = plays.outcome(&[&ups(-count)[..], &[game, near]].concat(), LARGE);
                        found == plays.outcome(&[near], LARGE)
                    });
                    assert_ne!(alike, [true; 2], "{game:?} is like {count} ups");
                }
                without += 1;
            }
        }
    }
    assert!(with > 50 && without > 20 && large > 20, "{with} {without} {large}");
}
