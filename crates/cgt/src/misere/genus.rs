//! Genus symbols of impartial games in misère play.

use std::fmt;

/// The genus symbol of an impartial game: its nimber `g`, and its misère nimbers `g0 g1 g2 …`.
///
/// `gn` is the misère nimber of the game beside `n` copies of `*2`. From some `n` on, two numbers alternate. The symbol
/// `g^g0g1…` ends where they have stood once: `0^120` goes on with 2, 0, 2, 0. (Conway, On Numbers and Games, chapter 12;
/// Winning Ways, chapter 13.)
///
/// ```
/// # use tablegen_cgt::Genus;
/// let end = Genus::of(&[]);
/// let star = Genus::of(&[end.clone()]);
/// let star2 = Genus::of(&[end.clone(), star.clone()]);
/// assert_eq!([end, star, star2].map(|genus| genus.to_string()), ["0^120", "1^031", "2^20"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Genus {
    nimber: u32,
    /// At least two; the last two repeat for ever.
    misere: Vec<u32>,
}

impl Genus {
    /// The genus of the game with `options`.
    #[must_use]
    pub fn of(options: &[Self]) -> Self {
        let nimber = mex(options.iter().map(|option| option.nimber).collect());
        // From here on, the misère nimbers of all options alternate.
        let alternating = options.iter().map(|option| option.misere.len() - 2).max().unwrap_or(0);
        let mut misere: Vec<u32> = Vec::new();
        // The next number follows from the last one and from the options' numbers.
        while misere.len() < alternating + 3 || misere[misere.len() - 1] != misere[misere.len() - 3] {
            let of_options = options.iter().map(|option| option.misere(misere.len()));
            let next = match misere.last() {
                // The end of the game is won by the player to move.
                None if options.is_empty() => 1,
                None => mex(of_options.collect()),
                // A copy of *2 becomes 0 or *1, which changes the last bit.
                Some(last) => mex(of_options.chain([*last, last ^ 1]).collect()),
            };
            misere.push(next);
        }
        while let [.., a, _, b] = misere[..]
            && a == b
        {
            misere.pop();
        }
        Self { nimber, misere }
    }

    /// The nimber.
    #[must_use]
    pub fn nimber(&self) -> u32 {
        self.nimber
    }

    /// The misère nimber of the game beside `copies` of `*2`.
    #[must_use]
    pub fn misere(&self, copies: usize) -> u32 {
        let repeated = self.misere.len() - 2;
        self.misere[if copies < repeated { copies } else { repeated + (copies - repeated) % 2 }]
    }
}

/// `g^g0g1…`, with commas between the misère nimbers if one of them has two digits.
impl fmt::Display for Genus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.misere.iter().any(|&number| number > 9) { "," } else { "" };
        let misere: Vec<String> = self.misere.iter().map(u32::to_string).collect();
        write!(out, "{}^{}", self.nimber, misere.join(between))
    }
}

/// The least number that is not among `numbers`.
fn mex(mut numbers: Vec<u32>) -> u32 {
    numbers.sort_unstable();
    numbers.dedup();
    (0..).zip(&numbers).find(|(number, found)| number != *found).map_or(numbers.len() as u32, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The misère nimber of a game beside `twos` copies of `*2` and `ones` copies of `*1`, by definition.
    fn played(options: &[Vec<usize>], game: usize, twos: usize, ones: usize) -> u32 {
        let mut next: Vec<u32> = options[game].iter().map(|&option| played(options, option, twos, ones)).collect();
        if twos > 0 {
            next.extend([played(options, game, twos - 1, ones), played(options, game, twos - 1, ones + 1)]);
        }
        if ones > 0 {
            next.push(played(options, game, twos, ones - 1));
        }
        if next.is_empty() { 1 } else { mex(next) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn symbols_are_as_defined(choices in prop::collection::vec(any::<u16>(), 8)) {
            let options: Vec<Vec<usize>> =
                (0..8).map(|game| (0..game).filter(|option| choices[game] >> option & 1 == 1).collect()).collect();
            let mut genera: Vec<Genus> = Vec::new();
            for options in &options {
                let of_options: Vec<Genus> = options.iter().map(|&option| genera[option].clone()).collect();
                genera.push(Genus::of(&of_options));
            }
            for (game, genus) in genera.iter().enumerate() {
                for twos in 0..5 {
                    prop_assert_eq!(genus.misere(twos), played(&options, game, twos, 0), "{} {}", genus, twos);
                }
            }
        }
    }
}
