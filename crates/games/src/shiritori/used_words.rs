//! The used words and the current letter: a position of the true game, and its notation.

use super::words::WordList;
use crate::NotationError;
use crate::rules::Board;

/// A position of the true game: the used words and the current letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UsedWords {
    /// One bit per word, by its number in the list.
    words: Vec<u64>,
    /// The letter with which the next word must begin; `None` if every letter is allowed.
    pub(super) letter: Option<u16>,
}

impl UsedWords {
    /// The start: only the start word is used, if there is one.
    pub(super) fn start(list: &WordList) -> Self {
        let mut used = Self { words: vec![0; list.words.len().div_ceil(64)], letter: None };
        if list.marked {
            used.insert(0);
            used.letter = Some(list.words[0].to);
        }
        used
    }

    pub(super) fn has(&self, word: usize) -> bool {
        self.words[word / 64] >> (word % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, word: usize) {
        self.words[word / 64] |= 1 << (word % 64);
    }

    /// The numbers of the used words, in the order of the list.
    pub(super) fn words(&self) -> impl Iterator<Item = usize> + '_ {
        let numbers = self.words.iter().enumerate();
        numbers.flat_map(|(index, &bits)| Board::from_word(bits).bits().map(move |bit| index * 64 + bit as usize))
    }

    /// The canonical text: `{word,word} letter`, with the words in the order of the list. If any word may open the
    /// game, the text of the start is `{}`.
    pub(super) fn write(&self, list: &WordList) -> String {
        let words = joined(self.words(), list);
        match self.letter {
            None => format!("{{{words}}}"),
            Some(letter) => format!("{{{words}}} {}", list.letters[usize::from(letter)]),
        }
    }

    /// Reads the used words, in order, or `{word,word,…} letter`.
    ///
    /// # Errors
    /// If a word is not in the list, is used twice or begins with the wrong letter. Also if no word of the list begins
    /// or ends with the letter, or if the set lacks the start word.
    pub(super) fn read(text: &str, list: &WordList) -> Result<Self, NotationError> {
        match text.trim().strip_prefix('{') {
            Some(set) => Self::read_set(text, set, list),
            None => Self::read_line(text, list),
        }
    }

    fn read_line(text: &str, list: &WordList) -> Result<Self, NotationError> {
        let mut used = Self { words: vec![0; list.words.len().div_ceil(64)], letter: None };
        for (index, spelt) in text.split_whitespace().enumerate() {
            let word = used.add(text, spelt, list)?;
            if index == 0 && list.marked && word != 0 {
                let start = &list.words[0].text;
                return Err(NotationError::new(text, format!("the start word {start} first"), format!("{spelt:?}")));
            }
            let (from, to) = (list.words[word].from, list.words[word].to);
            if let Some(wanted) = used.letter.filter(|&wanted| wanted != from) {
                let wanted = list.letters[usize::from(wanted)];
                let expected = format!("a word that begins with {wanted:?}");
                return Err(NotationError::new(text, expected, format!("{spelt:?}")));
            }
            used.letter = Some(to);
        }
        Ok(if used.letter.is_none() { Self::start(list) } else { used })
    }

    fn read_set(text: &str, set: &str, list: &WordList) -> Result<Self, NotationError> {
        let Some((words, letter)) = set.split_once('}') else {
            return Err(NotationError::new(text, "a } after the words", "none"));
        };
        let mut used = Self { words: vec![0; list.words.len().div_ceil(64)], letter: None };
        if !words.trim().is_empty() {
            for spelt in words.split(',') {
                used.add(text, spelt.trim(), list)?;
            }
        }
        if list.marked && !used.has(0) {
            let expected = format!("the start word {} among the used words", list.words[0].text);
            return Err(NotationError::new(text, expected, "other words"));
        }
        let letter = letter.trim();
        if letter.is_empty() && words.trim().is_empty() {
            return Ok(used);
        }
        used.letter = list.find_letter(letter);
        if used.letter.is_none() {
            let letters: String = list.letters.iter().take(64).collect();
            let found = if letter.is_empty() { "none".into() } else { format!("{letter:?}") };
            return Err(NotationError::new(text, format!("one of the letters {letters} after the words"), found));
        }
        Ok(used)
    }

    /// Adds the word spelt as `spelt` and returns its number.
    fn add(&mut self, text: &str, spelt: &str, list: &WordList) -> Result<usize, NotationError> {
        let Some(word) = list.find(spelt) else {
            return Err(NotationError::new(text, "words of the list", format!("{spelt:?}")));
        };
        if self.has(word) {
            return Err(NotationError::new(text, "each word once", format!("{spelt:?} again")));
        }
        self.insert(word);
        Ok(word)
    }
}

/// The canonical text of the position after `word` is said. `before` are the numbers of the words used before it.
pub(super) fn write_after(before: &[usize], word: usize, list: &WordList) -> String {
    let (first, last) = before.split_at(before.partition_point(|&used| used < word));
    let words = joined(first.iter().copied().chain([word]).chain(last.iter().copied()), list);
    format!("{{{words}}} {}", list.letters[usize::from(list.words[word].to)])
}

fn joined(words: impl Iterator<Item = usize>, list: &WordList) -> String {
    words.map(|number| list.words[number].text.as_str()).collect::<Vec<_>>().join(",")
}
