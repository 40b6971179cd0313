//! One report of rows, for people or as JSON: what it says and how it is shown are settled in one place.

use tablegen::engine::json::Object;

use super::failure::Failure;
use super::output;

/// A title, rows of a name and a text, and the same as one object of JSON.
pub(super) struct Report {
    title: String,
    rows: Vec<(&'static str, String)>,
    after: String,
    json: Object,
}

impl Report {
    /// A report under `title`, whose JSON is `json`.
    pub(super) const fn new(title: String, json: Object) -> Self {
        Self { title, rows: Vec::new(), after: String::new(), json }
    }

    /// Adds a row; a text that is empty adds none.
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

    /// Prints it, as one object of JSON or in words. Names are padded to the longest usual one.
    pub(super) fn print(self, json: bool) -> Result<(), Failure> {
        /// Columns that the names take.
        const NAMES: usize = 10;
        if json {
            return output::print_json(&self.json.into());
        }
        let rows = self.rows.iter().map(|(name, text)| format!("  {name:<NAMES$} {text}\n")).collect::<String>();
        output::print(&format!("{}\n{rows}{}", self.title, self.after))
    }
}
