//! The graph file: a text format for graphs, with one edge per line.
//!
//! ```text
//! a b           # an edge without a label is named by its ends: a-b
//! b c top       # an edge with the label top
//! c d
//! d a           # edges with the same ends and no labels are numbered: d-a#1, d-a#2
//! d a
//! ```

use std::collections::HashSet;

use crate::rules::{MAX_CELLS, MAX_NAME};
use crate::{Edge, GameError, Graph, is_unprintable};

/// The parameter whose value is the text of the file.
pub(super) const PARAMETER: &str = "graph";

/// A description of a line, for errors.
const LINE: &str = "an edge, `u v` or `u v label`";

/// Reads the text of a graph file.
pub(super) fn read(text: &str, directed: bool) -> Result<Graph, GameError> {
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    let mut lines = Vec::new();
    for (line, content) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let words: Vec<&str> = content.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
        if let Some(word) = words.iter().find(|word| !is_plain(word)) {
            let expected = "a name of at most 128 bytes without control characters, quotes, commas or braces";
            return Err(wrong(line, expected, format!("{word:?}")));
        }
        let (from, to, label) = match words[..] {
            [] => continue,
            [from, to] => (from, to, None),
            [from, to, label] => (from, to, Some(label)),
            ref words => {
                let found = format!("{} word{}", words.len(), if words.len() == 1 { "" } else { "s" });
                return Err(wrong(line, LINE, found));
            }
        };
        if lines.len() == MAX_CELLS as usize {
            let expected = format!("a graph of at most {MAX_CELLS} edges (one cell for each)");
            return Err(wrong(line, &expected, "one more".into()));
        }
        lines.push(line);
        graph.add_edge(label.unwrap_or_default(), from, to);
    }
    if lines.is_empty() {
        return Err(wrong(0, LINE, "no edge in the whole file".into()));
    }
    let graph = with_names(&graph);
    match first_repeated(graph.edges().iter().map(|edge| edge.name.as_str())) {
        Some((name, edge)) => Err(repeated(lines[edge], name)),
        None => Ok(graph),
    }
}

/// The text of a graph file that reads as `graph`: one edge per line, each with its label.
pub(super) fn write(graph: &Graph) -> String {
    let vertex = |vertex: usize| &graph.vertices()[vertex];
    let line = |edge: &Edge| format!("{} {} {}\n", vertex(edge.from), vertex(edge.to), edge.name);
    graph.edges().iter().map(line).collect()
}

/// Refuses a graph in which two edges have the same name. Such a graph did not come from a file; the error counts edges
/// as lines.
pub(super) fn check_names(graph: &Graph) -> Result<(), GameError> {
    let names = graph.edges().iter().map(|edge| edge.name.as_str());
    first_repeated(names).map_or(Ok(()), |(name, edge)| Err(repeated(edge, name)))
}

/// The graph with a name for each edge that has none.
fn with_names(graph: &Graph) -> Graph {
    let mut named = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
    let edges = graph.edges();
    for (number, edge) in edges.iter().enumerate() {
        let alike = |other: &Edge| other.name.is_empty() && graph.ways(other).any(|way| way == (edge.from, edge.to));
        let [from, to] = [edge.from, edge.to].map(|vertex| graph.vertices()[vertex].as_str());
        let copies = edges.iter().filter(|other| alike(other)).count();
        let name = match edges[..number].iter().filter(|other| alike(other)).count() {
            _ if !edge.name.is_empty() => edge.name.clone(),
            _ if copies == 1 => format!("{from}-{to}"),
            earlier => format!("{from}-{to}#{}", earlier + 1),
        };
        named.add_edge(name, from, to);
    }
    named
}

/// Returns whether `word` can name a vertex or an edge, in the rules and in the notation of positions.
fn is_plain(word: &str) -> bool {
    let breaks = |c: char| is_unprintable(c) || matches!(c, ',' | '"' | '{' | '}');
    word.len() <= MAX_NAME && !word.contains(breaks)
}

/// The first name that equals an earlier one, and its index.
fn first_repeated<'a>(names: impl Iterator<Item = &'a str>) -> Option<(&'a str, usize)> {
    let mut seen = HashSet::new();
    names.enumerate().find(|(_, name)| !seen.insert(*name)).map(|(index, name)| (name, index))
}

/// The error about line `line`, counted from 0.
fn wrong(line: usize, expected: &str, found: String) -> GameError {
    GameError::Line { parameter: PARAMETER, line: line + 1, expected: expected.into(), found }
}

fn repeated(line: usize, name: &str) -> GameError {
    wrong(line, "a name that no other edge has", format!("{name:?} again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_graphs_read_back() {
        let text = "a b\n\nb c top # the top\n\tc d\r\nd a\nd a\nb b\n";
        for directed in [false, true] {
            let graph = read(text, directed).unwrap();
            let names: Vec<&str> = graph.edges().iter().map(|edge| edge.name.as_str()).collect();
            assert_eq!(names, ["a-b", "top", "c-d", "d-a#1", "d-a#2", "b-b"]);
            assert_eq!(read(&write(&graph), directed).as_ref(), Ok(&graph));
        }
    }

    #[test]
    fn lines_that_are_not_edges() {
        let refusal = |text: &str| read(text, false).expect_err(text).to_string();
        assert!(refusal("").contains("no edge in the whole file") && refusal("# nothing\n").contains("no edge"));
        assert!(refusal("a b\nc\n").contains("graph, line 2: expected an edge"));
        assert!(refusal("a b\n\na b c d\n").contains("line 3") && refusal("a b c d").contains("found 4 words"));
        assert!(refusal("a b x\nc d x\n").contains("line 2") && refusal("a b x\n#\nc d x").contains("line 3"));
        assert!(refusal("a b\nc d a-b\n").contains("\"a-b\" again"));
        assert!(refusal("a,b c").contains("without control characters") && refusal("a b {c}").contains("braces"));
        assert!(refusal("a\0 b").contains("line 1"));
        assert!(refusal(&"v".repeat(129)).contains("128 bytes"));
        let edges = |n: usize| (0..n).map(|i| format!("{i} {}\n", i + 1)).collect::<String>();
        assert!(read(&edges(128), false).is_ok());
        assert!(refusal(&edges(129)).contains("line 129: expected a graph of at most 128 edges"));
    }
}
