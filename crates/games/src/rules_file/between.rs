//! Squares that are drawn as lines between points.

use super::error::Read;
use super::expression::Values;
use super::source::Item;

/// The points of a drawing, and the two points at the ends of each square, in the order of the squares. The rules do
/// not depend on them.
#[derive(Clone, Debug)]
pub(super) struct Between {
    pub(super) points: Vec<String>,
    pub(super) ends: Vec<[usize; 2]>,
    /// The column and the row of each point, if the file places them.
    pub(super) places: Option<Vec<[f64; 2]>>,
}

impl Between {
    /// Reads `between`, a list of two points for each of `squares` squares.
    pub(super) fn read(item: Item<'_>, values: &Values, squares: usize) -> Read<Self> {
        const WHAT: &str = "two points with a blank between them, as in \"a b\",";
        let mut points: Vec<String> = Vec::new();
        let mut point = |name: &str| {
            points.iter().position(|known| known == name).unwrap_or_else(|| {
                points.push(name.to_owned());
                points.len() - 1
            })
        };
        let mut ends = Vec::new();
        for item in item.list("a list of points, two for each square,")? {
            let text = item.name(WHAT, values, false)?;
            let names: Vec<&str> = text.split_whitespace().collect();
            match names[..] {
                [from, to] if from != to && names.iter().all(|name| name.chars().count() <= 16) => {
                    ends.push([point(from), point(to)]);
                }
                _ => return Err(item.wrong(WHAT)),
            }
        }
        if ends.len() != squares {
            return Err(item.found(format!("{squares} pairs of points, one for each square,"), ends.len().to_string()));
        }
        Ok(Self { points, ends, places: None })
    }

    /// Reads `points`, the places of the points: rows of names, with a dot for each place without a point.
    pub(super) fn place(&mut self, item: Item<'_>) -> Read<()> {
        let mut places = vec![None; self.points.len()];
        for (name, [column, row]) in drawn(item)? {
            let point = self.points.iter().position(|point| *point == name).filter(|&point| places[point].is_none());
            let point = point.ok_or_else(|| item.found("each point of `between` once", format!("{name:?}")))?;
            places[point] = Some([column as f64, row as f64]);
        }
        let missing = self.points.iter().zip(&places).find(|(_, place)| place.is_none());
        if let Some((name, _)) = missing {
            return Err(item.found("each point of `between` once", format!("no {name:?}")));
        }
        self.places = places.into_iter().collect();
        Ok(())
    }
}

/// Reads rows of names, with a dot for each place without one: each name with its column and its row, in reading order.
pub(super) fn drawn(item: Item<'_>) -> Read<Vec<(String, [usize; 2])>> {
    let rows = item.text("rows of points, with a dot for each place without one,")?.lines();
    let mut all = Vec::new();
    for (row, line) in rows.filter(|line| !line.trim().is_empty()).enumerate() {
        let names = line.split_whitespace().enumerate().filter(|(_, name)| *name != ".");
        all.extend(names.map(|(column, name)| (name.to_owned(), [column, row])));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use crate::{FileGame, Game, Parameters};

    /// The vertices of a graph are lines between points, as the squares of a row are, and the points are placed.
    #[test]
    fn vertices_are_lines_between_points() {
        let read = |board: &str| {
            let text = format!(
                "name = 'g'\nmove = [{{ shape = 'X' }}]\n[board]\n{board}\nbetween = ['a c', 'b d', 'a b']\npoints = \"a b\\nd c\""
            );
            FileGame::read(&text, &Parameters::new()).unwrap().scene()
        };
        let (graph, row) = (read("vertices = ['ac', 'bd', 'ab']\nedges = ['ac bd']"), read("row = 3"));
        assert_eq!((&graph.layout, &graph.vertices, graph.size), (&row.layout, &row.vertices, row.size));
        let names: Vec<&str> = graph.places.iter().map(|place| &*place.name).collect();
        assert_eq!(names, ["ac", "bd", "ab"]);
        assert!(graph.places.iter().zip(&row.places).all(|(one, other)| one.ends == other.ends));
    }
}
