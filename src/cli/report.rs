//! Reports in rows, for people or as JSON, so that both contain the same facts.

use tablegen::engine::json::Object;

use super::failure::Failure;
use super::output;
use super::wrap::{terminal_columns, wrapped};

/// A title, named rows of text, and the same content as one JSON object.
pub(super) struct Report {
    title: String,
    rows: Vec<(&'static str, String)>,
    after: String,
    json: Object,
}

impl Report {
    /// A report under `title`, with `json` as its JSON form.
    pub(super) const fn new(title: String, json: Object) -> Self {
        Self { title, rows: Vec::new(), after: String::new(), json }
    }

    /// Adds a row, unless the text is empty.
    pub(super) fn row(&mut self, name: &'static str, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.rows.push((name, text));
        }
    }

    /// Adds a paragraph after the rows.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.after += &format!("\n{text}\n");
    }

    /// Prints the report, as one JSON object or as text. Names are padded to the same width. On a terminal, long texts
    /// are wrapped at words.
    pub(super) fn print(self, json: bool) -> Result<(), Failure> {
        /// The least width of the column of names.
        const NAMES: usize = 10;
        if json {
            return output::print_json(&self.json.into());
        }
        let columns = terminal_columns();
        let names = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(NAMES);
        let row = |(name, text): &(&str, String)| wrapped(&format!("  {name:<names$} "), text, columns) + "\n";
        let rows = self.rows.iter().map(row).collect::<String>();
        output::print(&format!("{}\n{rows}{}", self.title, self.after))
    }
}
