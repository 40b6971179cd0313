//! Options that have one of a few words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A word, its value and its help, which may be empty.
pub(super) type Word<T> = (&'static str, T, &'static str);

/// The parser of an option that has one of `words`.
pub(super) fn one_of<T>(words: Vec<Word<T>>) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let shown =
        words.iter().map(|&(word, _, help)| PossibleValue::new(word).help(Some(help).filter(|help| !help.is_empty())));
    PossibleValuesParser::new(shown.collect::<Vec<_>>()).map(move |typed| {
        let found = words.iter().find(|(word, ..)| *word == typed);
        found.unwrap_or_else(|| unreachable!("clap admits only these words")).1
    })
}
