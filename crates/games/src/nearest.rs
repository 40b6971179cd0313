//! Spelling suggestions: the known word that is nearest to a mistyped one.

/// The longest word that is compared with others, in characters.
const LONGEST: usize = 64;

/// The word of `known` that `word` probably means. This is the word that needs the fewest typing slips, at most one for
/// every three letters, or else the first word that begins with `word`. Of words with equally many slips, one that begins with
/// `word`, or with which `word` begins, comes first: `moves` means `move` and not `modes`. `None` if no word is near.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed: Vec<char> = word.to_lowercase().chars().take(LONGEST + 1).collect();
    if typed.is_empty() || typed.len() > LONGEST {
        return None;
    }
    let near = known.into_iter().filter_map(|candidate| {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        let most = (typed.len().min(letters.len()) / 3).max(1);
        let slips = slips(&typed, &letters);
        let begins = typed.len() >= 3 && letters.starts_with(&typed);
        // A word of two letters is one slip away from many other words of two letters.
        let fits = slips <= most && (letters.len() > 2 || slips < letters.len());
        let differs = !letters.starts_with(&typed) && !typed.starts_with(&letters);
        (fits || begins).then_some(((if fits { slips } else { LONGEST }, differs), candidate))
    });
    near.min_by_key(|(rank, _)| *rank).map(|(_, candidate)| candidate)
}

/// The text ` (did you mean WORD?)` if a known word is near, otherwise an empty text.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |word| format!(" (did you mean {word}?)"))
}

/// The number of letters to add, to remove, to replace or to swap with the next one (optimal string alignment
/// distance).
fn slips(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let before = &rows[i - 1];
            let replaced = before[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(before[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        let slips = |a: &str, b: &str| slips(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(slips("tactics", "tactics"), 0);
        assert_eq!([slips("tatcics", "tactics"), slips("tactic", "tactics"), slips("tactixs", "tactics")], [1; 3]);
        assert_eq!((slips("", "abc"), slips("ca", "abc"), slips("é", "e")), (3, 3, 1));
    }

    #[test]
    fn the_nearest_word_is_suggested_and_a_far_one_is_not() {
        let known = ["tactics", "dominoes", "domineering", "nim", "tictactoe", "rows"];
        let nearest = |word| nearest(word, known);
        assert_eq!(
            (nearest("tatcics"), nearest("Tactics"), nearest("domino")),
            (Some("tactics"), Some("tactics"), Some("dominoes"))
        );
        assert_eq!(
            (nearest("tic-tac-toe"), nearest("rosw"), nearest("nym")),
            (Some("tictactoe"), Some("rows"), Some("nim"))
        );
        assert_eq!((nearest("dominee"), nearest("domine")), (Some("dominoes"), Some("dominoes")));
        assert_eq!(
            (nearest("chess"), nearest(""), nearest("go"), nearest(&"tactics".repeat(99))),
            (None, None, None, None)
        );
        assert_eq!(super::nearest("moves", ["modes", "move"]), Some("move"), "an ending is the likelier slip");
        assert_eq!(super::nearest("mode", ["move", "modes"]), Some("modes"));
        assert_eq!(did_you_mean("tatcics", known), " (did you mean tactics?)");
        assert_eq!(did_you_mean("chess", known), "");
    }
}
