//! The list of words: reading it, and the reasons to refuse it.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::{GameError, is_unprintable};

/// The largest number of words in a list.
pub(super) const MOST_WORDS: usize = 1 << 20;
/// The largest number of letters with which words begin or end. Each is a mode of the rules.
pub(super) const MOST_LETTERS: usize = crate::rules::MAX_MODES;
/// The length of the longest word, in characters.
const LONGEST: usize = 200;
/// The mark after the first word, if the game starts with that word.
const MARK: &str = "<-";

/// A word, and the numbers of its first and last letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) from: u16,
    pub(super) to: u16,
}

/// A valid list of words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WordList {
    /// The words, in the order of the file.
    pub(super) words: Vec<Word>,
    /// The letters with which words begin or end, sorted.
    pub(super) letters: Vec<char>,
    /// True if the game starts with the first word.
    pub(super) marked: bool,
    /// The number of each word.
    numbers: HashMap<String, usize>,
}

/// The error about line `line`, counted from 1.
fn wrong(line: usize, expected: impl Into<String>, found: impl Into<String>) -> GameError {
    GameError::Line { parameter: "words", line, expected: expected.into(), found: found.into() }
}

/// The error about the list as a whole.
fn wrong_list(expected: impl Into<String>, found: impl Into<String>) -> GameError {
    GameError::Value { parameter: "words", expected: expected.into(), found: found.into() }
}

impl WordList {
    /// Reads a list with one word per line. `#` starts a comment. `<-` after the first word, with any text after it,
    /// means that the game starts with this word. Empty lines are allowed only at the end.
    pub(super) fn read(text: &str) -> Result<Self, GameError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut texts, mut marked, mut blank) = (Vec::new(), false, None);
        let mut lines_of: HashMap<String, usize> = HashMap::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = match content.split_once('#') {
                Some((before, _)) if before.trim().is_empty() => continue,
                Some((before, _)) => before,
                None => content,
            };
            if content.trim().is_empty() {
                blank = blank.or(Some(line));
                continue;
            }
            if let Some(line) = blank {
                return Err(wrong(line, "a word", "an empty line before more words"));
            }
            let word = match content.split_once(MARK) {
                Some(_) if !texts.is_empty() => {
                    return Err(wrong(line, format!("{MARK} after the first word only"), "it after another word"));
                }
                Some((word, _)) => {
                    marked = true;
                    word
                }
                None => content,
            };
            let word = folded(word.trim());
            if word.chars().count() > LONGEST {
                return Err(wrong(line, format!("a word of at most {LONGEST} characters"), "a longer one"));
            }
            if let Some(found) = word.chars().find(|&c| is_strange(c)) {
                return Err(wrong(line, "a word, without blanks, commas, braces or quotes", format!("{found:?}")));
            }
            if word.is_empty() {
                return Err(wrong(line, "a word", "nothing"));
            }
            if let Some(&first) = lines_of.get(&word) {
                return Err(wrong(line, "each word once", format!("{word:?} again, which is in line {first}")));
            }
            if texts.len() == MOST_WORDS {
                return Err(wrong(line, format!("a list of at most {MOST_WORDS} words"), "one more"));
            }
            lines_of.insert(word.clone(), line);
            texts.push(word);
        }
        Self::of(texts, marked)
    }

    fn of(texts: Vec<String>, marked: bool) -> Result<Self, GameError> {
        let ends = |text: &str| text.chars().next().zip(text.chars().next_back());
        let mut letters: Vec<char> = texts.iter().filter_map(|text| ends(text)).flat_map(|(a, b)| [a, b]).collect();
        letters.sort_unstable();
        letters.dedup();
        if texts.is_empty() {
            return Err(wrong(1, "a list of words, one per line", "no word"));
        }
        if letters.len() > MOST_LETTERS {
            let expected = format!("a list whose words begin and end with at most {MOST_LETTERS} letters");
            return Err(wrong_list(expected, format!("{} letters", letters.len())));
        }
        let number = |letter| letters.binary_search(&letter).unwrap_or_default() as u16;
        let numbers = texts.iter().cloned().zip(0..).collect();
        let word = |text: String| {
            let (from, to) = ends(&text).unwrap_or_default();
            Word { from: number(from), to: number(to), text }
        };
        Ok(Self { words: texts.into_iter().map(word).collect(), letters, marked, numbers })
    }

    /// The number of the word `text`, ignoring case and Unicode composition.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        self.numbers.get(&folded(text)).copied()
    }

    /// The number of the letter `text`.
    pub(super) fn find_letter(&self, text: &str) -> Option<u16> {
        let text = folded(text);
        let mut characters = text.chars();
        let letter = characters.next().filter(|_| characters.next().is_none())?;
        self.letters.binary_search(&letter).ok().map(|number| number as u16)
    }

    /// The canonical text of the list. Reading it gives the list again, and equal lists have equal texts.
    pub(super) fn to_text(&self) -> String {
        let line = |(number, word): (usize, &Word)| match (number, self.marked) {
            (0, true) => format!("{} {MARK} start\n", word.text),
            _ => format!("{}\n", word.text),
        };
        self.words.iter().enumerate().map(line).collect()
    }
}

/// The word in the form in which words are compared: composed (NFC) and in lower case.
pub(super) fn folded(text: &str) -> String {
    // Lower-casing may decompose characters; composing never makes upper case.
    text.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// Returns whether `c` has a meaning of its own in the notation of positions or in the format of the list.
fn is_strange(c: char) -> bool {
    c.is_whitespace() || is_unprintable(c) || matches!(c, ',' | '{' | '}' | '"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        WordList::read(text).unwrap().words.into_iter().map(|word| word.text).collect()
    }

    fn refusal(text: &str) -> String {
        WordList::read(text).unwrap_err().to_string()
    }

    #[test]
    fn lines_comments_and_ends() {
        assert_eq!(words("ab\n# none\n  bc # a comment\r\ncd\n\n\n"), ["ab", "bc", "cd"]);
        assert_eq!(words("\u{feff}a"), ["a"]);
        let list = WordList::read("psouvqk  <- start word\nkhb").unwrap();
        assert!(list.marked && list.words[0].text == "psouvqk");
        assert_eq!(list.letters, ['b', 'k', 'p']);
        assert_eq!((list.words[1].from, list.words[1].to), (1, 0));
        assert_eq!(WordList::read(&list.to_text()), Ok(list));
    }

    #[test]
    fn letters_are_composed_and_lowered() {
        // An e with a combining acute, a capital; and kana with a combining voiced mark.
        let list = WordList::read("E\u{301}tE\u{301}\nか\u{3099}っき").unwrap();
        assert_eq!(list.words[0].text, "été");
        assert_eq!(list.letters, ['é', 'が', 'き']);
        assert_eq!((list.find("ÉTÉ"), list.find("がっき"), list.find("ete")), (Some(0), Some(1), None));
        assert_eq!(
            (list.find_letter("E\u{301}"), list.find_letter("ée"), list.find_letter("z")),
            (Some(0), None, None)
        );
    }

    #[test]
    fn errors_name_the_line() {
        assert!(refusal("ab\n\nbc").contains("line 2: expected a word, found an empty line before more words"));
        assert!(
            refusal("ab\n# x\nAB").contains("line 3: expected each word once, found \"ab\" again, which is in line 1")
        );
        assert!(refusal("ab\nb c").contains("line 2") && refusal("ab\nb c").contains("' '"));
        assert!(refusal("ra\u{202e}t").contains("line 1"));
        assert!(refusal("a,b").contains("line 1") && refusal("a,b").contains("','"));
        assert!(refusal("ab\nbc <- start").contains("line 2: expected <- after the first word only"));
        assert!(refusal("# nothing\n\n").contains("no word") && refusal("").contains("no word"));
        assert!(refusal("<- start").contains("line 1: expected a word"));
        assert!(refusal(&"é".repeat(201)).contains("at most 200 characters"));
        let many: String = (0..=MOST_WORDS).map(|n| format!("w{n}w\n")).collect();
        assert!(refusal(&many).contains("line 1048577: expected a list of at most 1048576 words"));
    }
}
