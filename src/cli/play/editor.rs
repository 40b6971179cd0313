//! The line editor of a terminal: tab completes a word, the arrow keys recall earlier lines.

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};

use crate::cli::failure::Failure;

/// Reads lines in a terminal.
pub(super) struct Editor(rustyline::Editor<Words, MemHistory>);

/// The words that can be typed.
struct Words(Vec<String>);

impl Editor {
    pub(super) fn new() -> Result<Self, Failure> {
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let mut editor = rustyline::Editor::with_history(config, history).map_err(|error| failed(&error))?;
        editor.set_helper(Some(Words(Vec::new())));
        Ok(Self(editor))
    }

    /// The next line, typed after `prompt` and completed with `words`; `None` if the user wants to leave.
    pub(super) fn read(&mut self, prompt: &str, words: Vec<String>) -> Result<Option<String>, Failure> {
        self.0.set_helper(Some(Words(words)));
        match self.0.readline(prompt) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }
}

fn failed(error: &ReadlineError) -> Failure {
    Failure::usage(format!("cannot read from the terminal: {error}")).hint("use a pipe")
}

impl Completer for Words {
    type Candidate = String;

    /// The words that start with the text of the line. A word may contain blanks, so it starts at the beginning of the
    /// line.
    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line[..end].trim_start();
        let found = self.0.iter().filter(|word| word.starts_with(typed)).cloned();
        Ok((end - typed.len(), found.collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completion_starts_at_the_beginning_of_the_line() {
        let words = Words(["a1", "a1-b1", "b1 to left", "help"].map(String::from).into());
        let history = MemHistory::new();
        let complete = |line: &str| words.complete(line, line.len(), &Context::new(&history)).unwrap();
        assert_eq!(complete("a"), (0, vec!["a1".into(), "a1-b1".into()]));
        assert_eq!(complete("  b1 t"), (2, vec!["b1 to left".into()]));
        assert_eq!((complete("").1.len(), complete("x").1.len()), (4, 0));
    }
}
