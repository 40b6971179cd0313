//! Symmetries of dominoes: every relabelling of the pip values.

use super::{GameError, Graph};
use crate::rules::{RulesError, Symmetry};

/// The exchanges of neighbouring pip values, which generate all relabellings of the values.
pub(super) fn exchanges(values: u32, graph: &Graph, cells: u32) -> Result<Vec<Symmetry>, GameError> {
    // The bit of the tile in a board number.
    let bit = |tile: usize| cells - 1 - tile as u32;
    let exchange = |low: usize| {
        let to = |value| match value {
            value if value == low => low + 1,
            value if value == low + 1 => low,
            value => value,
        };
        let mut of_cells: Vec<u8> = (0..cells as u8).collect();
        for (number, edge) in graph.edges().iter().enumerate() {
            if let Some(image) = graph.edges_between(to(edge.from), to(edge.to)).next() {
                of_cells[bit(number) as usize] = bit(image) as u8;
            }
        }
        let of_modes = (0..values as usize).map(|value| to(value) as u16).collect();
        Symmetry::new(of_cells, of_modes).map_err(|reason| RulesError::Symmetry { index: low, reason }.into())
    };
    (0..values as usize - 1).map(exchange).collect()
}
