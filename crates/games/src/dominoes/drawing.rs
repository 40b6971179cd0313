//! Drawings: a line of play tile by tile, and a set of tiles as a chart.

use super::Dominoes;
use crate::Drawing;
use crate::line::WalkStep;
use crate::rules::{Board, Node};

/// A line of play, tile by tile: `|0|1||1|3|`.
pub(super) fn draw_line(steps: &[WalkStep]) -> Drawing {
    let plain = steps.iter().map(|step| format!("|{}|{}|", step.from, step.to)).collect();
    let tiles = steps.iter().map(|step| pictograph(step.from, step.to).map(String::from));
    Drawing { plain, pictographs: tiles.collect::<Option<Vec<String>>>().map(|tiles| tiles.join(" ")) }
}

/// The domino tile with `from` on the left and `to` on the right, if Unicode has it: it stops at the double six.
fn pictograph(from: usize, to: usize) -> Option<char> {
    const ZERO_ZERO: u32 = 0x1f031;
    let exists = from < 7 && to < 7;
    exists.then(|| char::from_u32(ZERO_ZERO + (from * 7 + to) as u32)).flatten()
}

impl Dominoes {
    /// The set of played tiles as a chart, one tile per square: its low number is on the left, its high number above.
    pub(super) fn chart(&self, node: Node) -> String {
        let (board, tail) = match node {
            Node::Opening => (Board::EMPTY, "any"),
            Node::At(position) => (position.board, self.line().vertex(position.mode)),
        };
        let mut drawn = " ".to_owned();
        let mut row = None;
        (0..self.values).for_each(|high| drawn += &format!(" {high}"));
        for (number, edge) in self.graph.edges().iter().enumerate() {
            if row != Some(edge.from) {
                row = Some(edge.from);
                drawn += &format!("\n{}{}", edge.from, "  ".repeat(edge.from));
            }
            drawn += if board.contains(self.graph.cell(number)) { " X" } else { " ." };
        }
        drawn + "\ntail " + tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_pictographs_up_to_the_double_six() {
        let drawn = |tiles: &[(usize, usize)]| {
            let steps: Vec<WalkStep> = tiles.iter().map(|&(from, to)| WalkStep { edge: 0, from, to }).collect();
            let Drawing { plain, pictographs } = draw_line(&steps);
            (plain, pictographs)
        };
        let line = ("|0|0||0|6||6|6|".to_owned(), Some("\u{1f031} \u{1f037} \u{1f061}".to_owned()));
        assert_eq!(drawn(&[(0, 0), (0, 6), (6, 6)]), line);
        assert_eq!(drawn(&[(0, 7)]), ("|0|7|".to_owned(), None));
    }
}
