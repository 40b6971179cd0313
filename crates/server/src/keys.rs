//! The meaning of each key of a rules file, for editors. It is taken from the reference page, so it is written once.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json, json};

const REFERENCE: &str = include_str!("../../../docs/reference/rules-keys.md");

/// The tables of a rules file with the meaning of each key, as JSON. The keys that stand above the first table are in
/// the table `file`.
pub(super) static KEYS: LazyLock<String> = LazyLock::new(|| json!({"tables": tables(REFERENCE)}).to_string());

/// The tables of keys in a page. A heading such as `` ## `[[move]]` `` names the table, and the row `| key | …` the columns.
fn tables(page: &str) -> Map<String, Json> {
    let mut tables = Map::new();
    let (mut table, mut columns) = (String::new(), Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            table = if heading == "The file" { "file".into() } else { heading.replace(['`', '[', ']'], "") };
        }
        let cells: Vec<&str> = line.strip_prefix("| ").map_or_else(Vec::new, cells);
        match cells.first() {
            None if line.starts_with('|') => {}
            None => columns.clear(),
            Some(&"key") => columns = cells,
            Some(first) => {
                let cell = |name| columns.iter().position(|column| *column == name).and_then(|at| cells.get(at));
                let Some((meaning, example)) = cell("meaning").zip(cell("example")) else { continue };
                let of_table = tables.entry(table.clone()).or_insert_with(|| json!({}));
                for key in first.split('`').skip(1).step_by(2) {
                    of_table[key] = json!({"meaning": plain(meaning), "example": example.replace('`', "")});
                }
            }
        }
    }
    tables
}

/// The cells of a row. Code may contain `|`, which is escaped then.
fn cells(row: &str) -> Vec<&str> {
    row.trim_end().trim_end_matches('|').split(" | ").map(str::trim).collect()
}

/// `text` without the signs of Markdown. References to other parts of the page are left out.
fn plain(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // The label of the link is at the end, and its address at the beginning of the part.
        if let (Some(at), Some((_, after))) = (plain.rfind('['), part.split_once(')')) {
            match &plain[at + 1..] {
                "below" => plain.truncate(plain[..at].trim_end_matches([',', ' ']).len()),
                _ => drop(plain.remove(at)),
            }
            plain += after;
        }
    }
    plain.replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_meaning_and_an_example() {
        let tables = tables(REFERENCE);
        let names: Vec<&String> = tables.keys().collect();
        assert_eq!(names, ["file", "parameters", "board", "move", "group", "end", "start", "test", "looks"]);
        assert_eq!(tables["board"]["cols"], json!({"meaning": "a grid", "example": "rows = 4, cols = \"cols\""}));
        assert_eq!(tables["move"]["turns"]["example"], "turns = true");
        for (table, keys) in &tables {
            for (key, of_key) in keys.as_object().unwrap() {
                let meaning = of_key["meaning"].as_str().unwrap();
                assert!(
                    !meaning.is_empty() && !meaning.contains('`') && !meaning.contains("]("),
                    "{table}.{key}: {meaning}"
                );
            }
        }
    }

    #[test]
    fn references_are_left_out() {
        assert_eq!(plain("an [area](#areas) of `[1, 2]`, [below](#x); more"), "an area of [1, 2]; more");
    }
}
