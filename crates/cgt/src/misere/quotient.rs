//! Misère quotients: sums of impartial games, up to what matters for winning in misère play.
//!
//! Two sums of some games and their followers are *equivalent* if adding the same followers to both never lets different players
//! win. The classes form a commutative monoid, the misère quotient (Plambeck, Taming the wild in impartial combinatorial
//! games, 2005; Plambeck and Siegel, Misère quotients for impartial games, 2008).
//!
//! The classes are the states of the smallest automaton that reads a sum game by game and says who wins. It is learned
//! from examples (Angluin, Learning regular sets from queries and counterexamples, 1987), and then proved: for every
//! class, and every set of classes that its moves can lead to, the winner must follow from the moves.

use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::{MisereForm, MisereForms};

/// The number of a generator: a follower that is not the end.
type Generator = usize;

/// Classes as bits.
type Classes = u128;

/// The misère quotient of the sums of some games and their followers.
///
/// Class 0 is that of the end.
///
/// ```
/// # use tablegen_cgt::{MisereForms, MisereQuotient};
/// let mut forms = MisereForms::default();
/// let end = forms.of(&[]);
/// let star = forms.of(&[end]);
/// let star2 = forms.of(&[end, star]);
/// let quotient = MisereQuotient::of(&forms, &[star2]).unwrap();
/// assert_eq!((quotient.order(), quotient.lost().len()), (6, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MisereQuotient {
    /// Whether the player to move loses, for each class.
    is_lost: Vec<bool>,
    /// The class of the sum of two classes.
    sums: Vec<Vec<usize>>,
    /// The games with their classes. The end has class 0.
    games: Vec<(MisereForm, usize)>,
}

impl MisereQuotient {
    /// The largest number of classes.
    pub const MOST: usize = Classes::BITS as usize;
    /// The largest number of sums whose winner is remembered, and of steps of the proof.
    const MOST_STEPS: usize = 1 << 18;

    /// The quotient of the sums of `games` and their followers; `None` if it has more than [`MisereQuotient::MOST`] classes, or
    /// would take long to find.
    #[must_use]
    pub fn of(forms: &MisereForms, games: &[MisereForm]) -> Option<Self> {
        let mut learner = Learner::new(forms, games);
        loop {
            let automaton = learner.automaton()?;
            match learner.counterexample(&automaton)? {
                Some(word) => learner.learn(&word),
                None => return Some(learner.quotient(&automaton)),
            }
        }
    }

    /// The number of classes.
    #[must_use]
    pub fn order(&self) -> usize {
        self.is_lost.len()
    }

    /// The classes of sums that the player to move loses, in order.
    #[must_use]
    pub fn lost(&self) -> Vec<usize> {
        (0..self.order()).filter(|&class| self.is_lost[class]).collect()
    }

    /// The class of one of the games or their followers; `None` for other games.
    #[must_use]
    pub fn class(&self, game: MisereForm) -> Option<usize> {
        self.games.iter().find(|(form, _)| *form == game).map(|&(_, class)| class)
    }

    /// The class of the sum of two classes.
    ///
    /// # Panics
    /// If the quotient lacks one of the classes.
    #[must_use]
    pub fn sum(&self, a: usize, b: usize) -> usize {
        self.sums[a][b]
    }
}

/// A guess at the quotient.
struct Automaton {
    is_lost: Vec<bool>,
    /// A sum of each class, as the generators that lead there.
    words: Vec<Vec<Generator>>,
    /// The class after one more generator.
    steps: Vec<Vec<usize>>,
}

impl Automaton {
    /// The class after the generators of `word`.
    fn run(&self, from: usize, word: &[Generator]) -> usize {
        word.iter().fold(from, |class, &generator| self.steps[class][generator])
    }
}

struct Learner {
    /// The end, and then the games of the generators.
    followers: Vec<MisereForm>,
    /// The options of each generator; `None` is the end.
    options: Vec<Vec<Option<Generator>>>,
    /// Sums that tell classes apart when they are added.
    tests: Vec<Vec<Generator>>,
    /// Whether the player to move loses, for sums in order.
    known: FxHashMap<Vec<Generator>, bool>,
}

impl Learner {
    fn new(forms: &MisereForms, games: &[MisereForm]) -> Self {
        let (mut followers, mut next) = (games.to_vec(), 0);
        followers.push(MisereForm::END);
        while let Some(&follower) = followers.get(next) {
            next += 1;
            let new = forms.options(follower).iter().filter(|option| !followers.contains(option));
            followers.extend(new.copied().collect::<Vec<_>>());
        }
        // The end comes first.
        followers.sort_unstable();
        followers.dedup();
        let number = |form: &MisereForm| followers.iter().position(|follower| follower == form)?.checked_sub(1);
        let options = followers[1..].iter().map(|&form| forms.options(form).iter().map(number).collect()).collect();
        Self { followers, options, tests: vec![Vec::new()], known: FxHashMap::default() }
    }

    /// Returns whether the player to move loses a sum; `None` if that takes too long.
    fn is_lost(&mut self, mut sum: Vec<Generator>) -> Option<bool> {
        sum.sort_unstable();
        if let Some(&known) = self.known.get(&sum) {
            return Some(known);
        }
        if self.known.len() >= MisereQuotient::MOST_STEPS {
            return None;
        }
        let mut is_lost = !sum.is_empty();
        for next in self.moves(&sum) {
            if self.is_lost(next)? {
                is_lost = false;
                break;
            }
        }
        self.known.insert(sum, is_lost);
        Some(is_lost)
    }

    /// The sums after one move.
    fn moves(&self, sum: &[Generator]) -> Vec<Vec<Generator>> {
        let at_once = |at: &usize| *at == 0 || sum[*at] != sum[*at - 1];
        let mut all = Vec::new();
        for at in (0..sum.len()).filter(at_once) {
            for option in &self.options[sum[at]] {
                let others = sum[..at].iter().chain(&sum[at + 1..]).copied();
                all.push(others.chain(*option).collect());
            }
        }
        all
    }

    /// The classes that the tests tell apart.
    fn automaton(&mut self) -> Option<Automaton> {
        let mut automaton = Automaton { is_lost: Vec::new(), words: vec![Vec::new()], steps: Vec::new() };
        let mut classes: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
        classes.insert(self.row(&[])?, 0);
        while automaton.steps.len() < automaton.words.len() {
            let word = automaton.words[automaton.steps.len()].clone();
            automaton.is_lost.push(self.is_lost(word.clone())?);
            let mut steps = Vec::new();
            for generator in 0..self.options.len() {
                let next = [&word[..], &[generator]].concat();
                let class = *classes.entry(self.row(&next)?).or_insert(automaton.words.len());
                if class == automaton.words.len() {
                    if class == MisereQuotient::MOST {
                        return None;
                    }
                    automaton.words.push(next);
                }
                steps.push(class);
            }
            automaton.steps.push(steps);
        }
        Some(automaton)
    }

    /// Whether the player to move loses `word` with each test added.
    fn row(&mut self, word: &[Generator]) -> Option<Vec<bool>> {
        (0..self.tests.len()).map(|test| self.is_lost([word, &self.tests[test][..]].concat())).collect()
    }

    /// The first of `words` for which the automaton names the wrong winner.
    fn wrong(&mut self, automaton: &Automaton, words: Vec<Vec<Generator>>) -> Option<Option<Vec<Generator>>> {
        for word in words {
            if self.is_lost(word.clone())? != automaton.is_lost[automaton.run(0, &word)] {
                return Some(Some(word));
            }
        }
        Some(None)
    }

    /// A sum for which the automaton names the wrong winner; `Some(None)` if it is right for all sums.
    fn counterexample(&mut self, automaton: &Automaton) -> Option<Option<Vec<Generator>>> {
        match self.disorder(automaton)? {
            Some(word) => Some(Some(word)),
            None => self.fault(automaton),
        }
    }

    /// A sum that the automaton gets wrong because the order of its games matters there.
    fn disorder(&mut self, automaton: &Automaton) -> Option<Option<Vec<Generator>>> {
        let count = self.options.len();
        for class in 0..automaton.words.len() {
            for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let ends = [[a, b], [b, a]].map(|word| automaton.run(class, &word));
                if ends[0] == ends[1] {
                    continue;
                }
                let rows = [self.row(&automaton.words[ends[0]])?, self.row(&automaton.words[ends[1]])?];
                let differs = (0..self.tests.len()).find(|&test| rows[0][test] != rows[1][test]);
                let test = differs.map(|test| self.tests[test].clone()).unwrap_or_default();
                let word = &automaton.words[class];
                let words = [
                    &automaton.words[ends[0]][..],
                    &automaton.words[ends[1]],
                    &[&word[..], &[a, b]].concat(),
                    &[&word[..], &[b, a]].concat(),
                ];
                let words = words.map(|word| [word, &test].concat());
                return self.wrong(automaton, words.to_vec());
            }
        }
        Some(None)
    }

    /// A sum that the automaton gets wrong although the order of games does not matter. Each sum has a class, and a set of
    /// classes to which its moves lead. All such pairs are visited.
    fn fault(&mut self, automaton: &Automaton) -> Option<Option<Vec<Generator>>> {
        let lost = automaton
            .is_lost
            .iter()
            .enumerate()
            .fold(0, |lost: Classes, (class, &is)| lost | Classes::from(is) << class);
        let mut seen: FxHashSet<(usize, Classes)> = FxHashSet::from_iter([(0, 0)]);
        let mut pairs = vec![(0, 0, Vec::new())];
        while let Some((class, moves, word)) = pairs.pop() {
            for generator in 0..self.options.len() {
                let to = automaton.steps[class][generator];
                let kept = (0..automaton.words.len()).filter(|&other| moves >> other & 1 == 1);
                let kept = kept.map(|other| automaton.steps[other][generator]);
                let moved = self.options[generator]
                    .iter()
                    .map(|option| option.map_or(class, |option| automaton.steps[class][option]));
                let to_moves = kept.chain(moved).fold(0, |all: Classes, class| all | 1 << class);
                let word = [&word[..], &[generator]].concat();
                if automaton.is_lost[to] != (to_moves & lost == 0) {
                    let mut sum = word.clone();
                    sum.sort_unstable();
                    let words = [vec![word], self.moves(&sum)].concat();
                    return self.wrong(automaton, words);
                }
                if seen.insert((to, to_moves)) {
                    if seen.len() > MisereQuotient::MOST_STEPS {
                        return None;
                    }
                    pairs.push((to, to_moves, word));
                }
            }
        }
        Some(None)
    }

    /// The quotient, from an automaton that is right for all sums.
    fn quotient(&self, automaton: &Automaton) -> MisereQuotient {
        let row = |a| automaton.words.iter().map(|word| automaton.run(a, word)).collect();
        let sums = (0..automaton.words.len()).map(row).collect();
        let class = |follower: usize| follower.checked_sub(1).map_or(0, |generator| automaton.steps[0][generator]);
        let games = self.followers.iter().enumerate().map(|(number, &form)| (form, class(number))).collect();
        MisereQuotient { is_lost: automaton.is_lost.clone(), sums, games }
    }

    /// Adds the ends of `word` to the tests. One of them tells two sums apart that the automaton confuses.
    fn learn(&mut self, word: &[Generator]) {
        for from in 0..word.len() {
            let mut test = word[from..].to_vec();
            test.sort_unstable();
            if !self.tests.contains(&test) {
                self.tests.push(test);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The forms of the games whose options are earlier games.
    fn forms(options: &[Vec<usize>]) -> (MisereForms, Vec<MisereForm>) {
        let (mut forms, mut all) = (MisereForms::default(), Vec::new());
        for options in options {
            all.push(forms.of(&options.iter().map(|&option| all[option]).collect::<Vec<_>>()));
        }
        (forms, all)
    }

    /// Returns whether the player to move loses the sum of `games`, by definition.
    fn is_lost(options: &[Vec<usize>], games: &[usize]) -> bool {
        let mut moves = (0..games.len()).flat_map(|at| {
            options[games[at]].iter().map(move |&option| [&games[..at], &[option], &games[at + 1..]].concat())
        });
        games.iter().any(|&game| !options[game].is_empty()) && moves.all(|next| !is_lost(options, &next))
    }

    /// Plambeck and Siegel: nim up to 2^n - 1 has 2^n + 2 classes, and the octal game 0.123 has 20.
    #[test]
    fn quotients_are_as_large_as_published() {
        let nim: Vec<Vec<usize>> = (0..8).map(|heap| (0..heap).collect()).collect();
        let (nim, heaps) = forms(&nim);
        let orders = [1, 2, 3, 4, 7].map(|heap| MisereQuotient::of(&nim, &[heaps[heap]]).unwrap().order());
        assert_eq!(orders, [2, 6, 6, 10, 10]);

        let taken = |heap: usize| match heap {
            0 => vec![],
            1 => vec![0],
            2 => vec![],
            3 => vec![1, 0],
            _ => vec![heap - 2, heap - 3],
        };
        let octal: Vec<Vec<usize>> = (0..=20).map(taken).collect();
        let (octal, heaps) = forms(&octal);
        assert_eq!(MisereQuotient::of(&octal, &heaps).unwrap().order(), 20);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn classes_decide_who_wins(choices in prop::collection::vec(any::<u16>(), 6)) {
            let options: Vec<Vec<usize>> =
                (0..6).map(|game| (0..game).filter(|option| choices[game] >> option & 1 == 1).collect()).collect();
            let (forms, all) = forms(&options);
            let Some(quotient) = MisereQuotient::of(&forms, &all) else { return Ok(()) };
            let lost = |class| quotient.lost().contains(&class);
            let classes: Vec<(usize, usize)> = (0..6).map(|game| (game, quotient.class(all[game]).unwrap())).collect();
            let mut sums = vec![(Vec::new(), 0)];
            for _ in 0..3 {
                for (games, class) in sums.clone() {
                    for &(game, of_game) in classes.iter().filter(|(game, _)| games.iter().all(|other| other <= game)) {
                        sums.push(([&games[..], &[game]].concat(), quotient.sum(class, of_game)));
                    }
                }
            }
            for (games, class) in sums {
                prop_assert_eq!(is_lost(&options, &games), lost(class), "{:?} of {:?}", games, options);
            }
            // No two classes are alike.
            for (a, b) in (0..quotient.order()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                prop_assert_eq!(quotient.sum(a, b), quotient.sum(b, a));
                prop_assert!((0..quotient.order()).any(|c| lost(quotient.sum(a, c)) != lost(quotient.sum(b, c))));
            }
        }
    }
}
