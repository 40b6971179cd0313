//! The word lists of Shiritori that the tests use.

pub(crate) const EASY: &str = include_str!("../data/shiritori/easy.txt");
pub(crate) const MEDIUM: &str = include_str!("../data/shiritori/medium.txt");
pub(crate) const HARD: &str = include_str!("../data/shiritori/hard.txt");
