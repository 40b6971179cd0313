//! A board without pieces, as the page draws it.

use std::fmt::Write as _;

use super::svg::{UNIT, circle, colour, corners, edge, hexagon, moved, path, rounded, short, side, square, text};
use tablegen_games::{Border, Layout, Piece, Scene, ScenePlace, Surface};

/// The row and the column of a place that is named by both, such as `b3`, counted from 1.
fn grid_place(name: &str) -> Option<(&str, u32, u32)> {
    let digits = name.find(|character: char| character.is_ascii_digit())?;
    let (letters, row) = name.split_at(digits);
    if letters.is_empty() || !letters.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return None;
    }
    // A long word is not the name of a column.
    let add = |sum: u32, letter: u8| sum.checked_mul(26)?.checked_add(u32::from(letter) - 96);
    Some((letters, row.parse().ok()?, letters.bytes().try_fold(0, add)?))
}

fn has_rulers(scene: &Scene) -> bool {
    matches!(scene.layout, Layout::Squares | Layout::Hexagons)
        && scene.places.iter().any(|place| grid_place(&place.name).is_some())
}

/// The space before the board, on the left and above, and after it, in units of the scene.
pub(super) fn margins(scene: &Scene) -> [f64; 2] {
    let edge = if scene.looks.borders.iter().any(|edges| !edges.is_empty()) {
        0.2
    } else if scene.looks.surface == Surface::Rack {
        0.1
    } else {
        0.06
    };
    let below = if scene.layout == Layout::Vertices { 0.24 } else { 0.0 };
    let before = match scene.layout {
        _ if !has_rulers(scene) => edge,
        Layout::Hexagons => 0.72,
        _ => 0.45,
    };
    [before + below, edge + below]
}

/// The frame of the board with its margins.
pub(super) fn frame(scene: &Scene) -> [f64; 4] {
    let [before, after] = margins(scene);
    let [width, height] = scene.size.map(|length| (length + before + after) * UNIT);
    [-before * UNIT, -before * UNIT, width, height]
}

/// The board without pieces, on paper. A place that `is_covered` by a piece shows nothing that the page hides below pieces.
pub(super) fn board(scene: &Scene, is_covered: impl Fn(usize) -> bool) -> String {
    let [left, top, width, height] = frame(scene).map(short);
    let mut shapes = format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"{}\"/>",
        colour("paper")
    );
    if has_rulers(scene) {
        shapes += &rulers(scene);
    }
    if scene.looks.surface == Surface::Rack {
        let [width, height] = scene.size.map(|length| length * UNIT + 16.0);
        let fill = colour("rack");
        _ = write!(shapes, "<rect x=\"-8\" y=\"-8\" width=\"{width}\" height=\"{height}\" rx=\"18\" fill=\"{fill}\"/>");
    }
    shapes += &borders(scene);
    shapes += &ground(scene);
    for ends in &scene.lines {
        let [[x1, y1], [x2, y2]] = ends.map(|place| scene.places[place].at.map(|part| short(part * UNIT)));
        let line = format!("stroke=\"{}\" stroke-width=\"5\"", colour("control"));
        _ = write!(shapes, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {line}/>");
    }
    for area in scene.areas.iter().filter(|area| !area.name.is_empty()) {
        let [width, height] = area.size.map(|length| length * UNIT);
        let pit = format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"60\" fill=\"{}\"/>",
            short(-width / 2.0),
            short(-height / 2.0),
            short(width),
            short(height),
            colour("square")
        );
        shapes += &moved(area.at, &pit);
    }
    for (number, place) in scene.places.iter().enumerate() {
        shapes += &moved(place.at, &empty(scene, number, is_covered(number)));
    }
    shapes + &vertices(scene)
}

/// A place without its piece, around its middle.
fn empty(scene: &Scene, number: usize, is_covered: bool) -> String {
    let place = &scene.places[number];
    let paint = scene.looks.paint_of(number);
    let line = paint.map_or(String::new(), |paint| format!(" stroke=\"{}\" stroke-width=\"4\"", side(paint)));
    let cell = format!("fill=\"{}\"{line}", colour("square"));
    if scene.layout == Layout::Edges {
        let (stroke, dashes) = match scene.looks.surface {
            _ if scene.looks.takes_away() => ("rule", "stroke-width=\"4\" stroke-dasharray=\"6 8\""),
            Surface::Dots => ("rule", "stroke-width=\"6\""),
            _ => ("control", "stroke-width=\"8\""),
        };
        return edge(&path(scene, number), colour(stroke), dashes);
    }
    let name = match scene.layout {
        Layout::Vertices => text(name_at(scene, number), &name_style(), &place.name),
        _ => String::new(),
    };
    let shape = match scene.looks.surface {
        Surface::Rack => circle(40, &format!("fill=\"{}\"", colour("paper"))),
        Surface::Points if is_covered => name,
        Surface::Points => {
            let stroke = paint.map_or(colour("control"), side);
            circle(25, &format!("fill=\"{}\" stroke=\"{stroke}\" stroke-width=\"4\"", colour("surface"))) + &name
        }
        Surface::Checkers => {
            // If the board has squares of one colour alone, they are the dark ones.
            let is_odd = |place: &ScenePlace| (place.at[0].floor() + place.at[1].floor()) % 2.0 != 0.0;
            let is_dark = is_odd(place) || !scene.places.iter().any(is_odd);
            let fill = colour(if is_dark { "dark-square" } else { "square" });
            square(49.0, 0, &format!("fill=\"{fill}\"{line}"))
        }
        _ => match scene.layout {
            Layout::Hexagons => hexagon(55.0, &cell),
            Layout::Vertices => circle(40, &cell) + &name,
            // The places of a pit have no outline of their own.
            _ if scene.areas.iter().any(|area| !area.name.is_empty()) => String::new(),
            _ => square(46.0, 9, &cell),
        },
    };
    // Where a move takes counters away, an empty place has the outline of one.
    if scene.looks.pieces[0] == Piece::Toppled && !is_covered {
        return shape
            + &domino(&format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"4\" stroke-dasharray=\"6 6\"",
                colour("rule")
            ));
    }
    let hollow = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"4\" stroke-dasharray=\"6 6\"", colour("rule"));
    if scene.looks.pieces[0] == Piece::Gone && !is_covered { shape + &circle(25, &hollow) } else { shape }
}

fn name_style() -> String {
    let (fill, paper) = (colour("dim"), colour("paper"));
    format!("font-size=\"24\" fill=\"{fill}\" stroke=\"{paper}\" stroke-width=\"7\" paint-order=\"stroke\"")
}

/// The location of a vertex's name, in a direction in which no line leaves it.
fn name_at(scene: &Scene, number: usize) -> [f64; 2] {
    const DISTANCE: f64 = 60.0;
    let [x, y] = scene.places[number].at;
    let towards = |&[a, b]: &[usize; 2]| {
        let other = if a == number { b } else { a };
        let [px, py] = scene.places[other].at;
        (a == number || b == number).then(|| (py - y).atan2(px - x))
    };
    let mut angles: Vec<f64> = scene.lines.iter().filter_map(towards).collect();
    angles.sort_by(f64::total_cmp);
    let Some(&first) = angles.first() else { return [0.0, DISTANCE] };
    let following = angles.iter().skip(1).copied().chain([first + std::f64::consts::TAU]);
    let gaps = angles.iter().zip(following).map(|(&angle, next)| (next - angle, angle));
    let (gap, angle) = gaps.reduce(|best, one| if one.0 > best.0 + 0.01 { one } else { best }).unwrap_or((0.0, first));
    [(angle + gap / 2.0).cos(), (angle + gap / 2.0).sin()].map(|part| rounded(part * DISTANCE))
}

/// The vertices between edges, each with its name if names are short.
pub(super) fn vertices(scene: &Scene) -> String {
    let is_named = scene.vertices.iter().all(|vertex| (1..3).contains(&vertex.name.chars().count()));
    let (ink, surface) = (colour("ink"), colour("surface"));
    let style = match scene.looks.surface {
        Surface::Dots => format!("fill=\"{ink}\""),
        _ => format!("fill=\"{surface}\" stroke=\"{ink}\" stroke-width=\"5\""),
    };
    let letters = format!("font-size=\"27\" font-weight=\"600\" fill=\"{ink}\"");
    let drawn = scene.vertices.iter().map(|vertex| {
        let name = if is_named { text([0.0, 1.0], &letters, &vertex.name) } else { String::new() };
        moved(vertex.at, &(circle(if is_named { 27 } else { 11 }, &style) + &name))
    });
    drawn.collect()
}

/// The ground below each point of a picture that stands on it.
fn ground(scene: &Scene) -> String {
    let style = format!("stroke=\"{}\" stroke-width=\"10\" stroke-linecap=\"round\"", colour("control"));
    let below = |&point: &usize| {
        let [x, y] = scene.vertices[point].at.map(|part| part * UNIT);
        format!("<path d=\"M{} {}h100\" {style}/>", short(x - 50.0), short(y + 14.0))
    };
    scene.ground.iter().map(below).collect()
}

/// An upright domino, or its outline.
pub(super) fn domino(style: &str) -> String {
    format!("<rect x=\"-17\" y=\"-43\" width=\"34\" height=\"62\" rx=\"5\" {style}/>")
}

/// The mark of the current vertex, which shows around it.
pub(super) fn here() -> String {
    circle(38, &format!("fill=\"{}\"", colour("stone")))
}

/// The names of rows and columns.
fn rulers(scene: &Scene) -> String {
    let mut columns: Vec<(&str, [f64; 2])> = Vec::new();
    let mut rows: Vec<(u32, [f64; 2])> = Vec::new();
    for place in &scene.places {
        let Some((letters, row, _)) = grid_place(&place.name) else { continue };
        if columns.iter().all(|(known, _)| *known != letters) {
            columns.push((letters, place.at));
        }
        match rows.iter_mut().find(|(known, _)| *known == row) {
            Some((_, at)) if at[0] > place.at[0] => *at = place.at,
            Some(_) => {}
            None => rows.push((row, place.at)),
        }
    }
    let is_slanted = scene.layout == Layout::Hexagons;
    let beside = |along: f64| if is_slanted { along - 0.95 } else { -0.2 };
    let style = format!("font-size=\"20\" fill=\"{}\"", colour("dim"));
    let label = |[x, y]: [f64; 2], name: &str| text([x * UNIT, y * UNIT], &style, name);
    let columns = columns.iter().map(|(name, [x, y])| label([*x, beside(*y)], name));
    let rows = rows.iter().map(|(name, [x, y])| label([beside(*x), *y], &name.to_string()));
    columns.chain(rows).collect()
}

/// The edges of the board in the colours of the sides that own them.
fn borders(scene: &Scene) -> String {
    let points: Vec<[f64; 2]> = match scene.layout {
        Layout::Hexagons => corners(66.0).to_vec(),
        Layout::Squares => vec![[-56.0, -56.0], [56.0, -56.0], [56.0, 56.0], [-56.0, 56.0]],
        _ => return String::new(),
    };
    // The corners of a hexagon or a square that lie along an edge of the board.
    let along = |border: Border| -> &[usize] {
        match (scene.layout == Layout::Hexagons, border) {
            (true, Border::Top) => &[5, 0, 1],
            (true, Border::Bottom) => &[4, 3, 2],
            (true, Border::Left) => &[5, 4, 3],
            (true, Border::Right) => &[0, 1, 2],
            (false, Border::Top) => &[0, 1],
            (false, Border::Bottom) => &[3, 2],
            (false, Border::Left) => &[0, 3],
            (false, Border::Right) => &[1, 2],
        }
    };
    let grid: Vec<(u32, u32, [f64; 2])> = scene
        .places
        .iter()
        .filter_map(|place| grid_place(&place.name).map(|(_, row, column)| (row, column, place.at)))
        .collect();
    let last_row = grid.iter().map(|place| place.0).max();
    let last_column = grid.iter().map(|place| place.1).max();
    let is_at = |border: Border, row: u32, column: u32| match border {
        Border::Top => row == 1,
        Border::Bottom => Some(row) == last_row,
        Border::Left => column == 1,
        Border::Right => Some(column) == last_column,
    };
    let mut shapes = String::new();
    for (edges, owner) in scene.looks.borders.iter().zip(scene.looks.colours) {
        for &border in edges {
            let touched = grid.iter().filter(|(row, column, _)| is_at(border, *row, *column));
            let path: Vec<String> = touched
                .flat_map(|&(_, _, [x, y])| along(border).iter().map(move |&corner| (x, y, corner)))
                .map(|(x, y, corner)| {
                    let [cx, cy] = points[corner];
                    format!("{} {}", short(x * UNIT + cx), short(y * UNIT + cy))
                })
                .collect();
            _ = write!(
                shapes,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"15\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                path.join("L"),
                side(owner)
            );
        }
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::grid_place;

    #[test]
    fn only_names_of_a_column_and_a_row_are_places_of_a_grid() {
        assert_eq!([grid_place("b3"), grid_place("ab12")], [Some(("b", 3, 2)), Some(("ab", 12, 28))]);
        assert_eq!(["b", "3", "B3", "first store 1", "averylongword1"].map(grid_place), [None; 5]);
    }
}
