//! A piece on its place, as the page draws it.

use super::board;
use super::svg::{UNIT, circle, colour, edge, hexagon, on, outline, path, side, square, text};
use tablegen_games::{Colour, Layout, Piece, Scene, Surface};

/// Half the side of a square around the middle of a place that contains its piece, in units of the file.
pub(super) fn reach(scene: &Scene, number: usize) -> f64 {
    let place = &scene.places[number];
    let far = |vertex: usize| {
        let [x, y] = [0, 1].map(|axis| (scene.vertices[vertex].at[axis] - place.at[axis]).abs());
        x.max(y) * UNIT
    };
    // A loop is as wide as it is long, and its line has a width.
    place.ends.map_or(50.0, |ends| (ends.map(far).into_iter().fold(0.0, f64::max) * 1.6 + 15.0).ceil())
}

/// The kind of the piece on a place in this state, or on a free place if moves take pieces away.
fn kind(scene: &Scene, state: u8) -> Piece {
    scene.looks.pieces[usize::from(state.max(1)) - 1]
}

/// The colour of the side whose piece is on a place in this state.
fn owner(scene: &Scene, state: u8) -> Colour {
    match state {
        1 | 2 if scene.signs.len() > 1 => scene.looks.colours[usize::from(state) - 1],
        1 if scene.areas.iter().any(|area| !area.name.is_empty()) => scene.looks.colours[0],
        _ => Colour::Plain,
    }
}

/// The piece on a place in a state, around its middle; `None` if it shows the board alone.
pub(super) fn piece(scene: &Scene, number: usize, state: u8) -> Option<String> {
    let looks = &scene.looks;
    let kind = kind(scene, state);
    let owner = owner(scene, state);
    let (fill, ink, line) = (side(owner), on(owner), colour("man-line"));
    let man = |fill: &str| format!("fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"4\" stroke-linejoin=\"round\"");
    let is_gone = matches!(kind, Piece::Gone | Piece::Toppled);
    if scene.layout == Layout::Edges {
        let paint = looks.paint_of(number).unwrap_or(Colour::Plain);
        let (stroke, line) = match state {
            0 if is_gone => (side(paint), "stroke-width=\"14\""),
            0 => return None,
            _ if is_gone => return None,
            _ if looks.surface == Surface::Dots => (fill, "stroke-width=\"13\""),
            2 => (fill, "stroke-width=\"15\" stroke-dasharray=\"26 10\""),
            _ => (fill, "stroke-width=\"15\""),
        };
        return Some(edge(&path(scene, number), stroke, line));
    }
    if kind == Piece::Toppled {
        let paint = looks.paint_of(number).unwrap_or(Colour::Plain);
        return (state == 0).then(|| board::domino(&man(side(paint))));
    }
    if is_gone {
        return (state == 0).then(|| circle(25, &man(side(Colour::Brown))));
    }
    if state == 0 {
        return None;
    }
    let letter = |fill: &str, sign: char| {
        text([0.0, 1.0], &format!("font-size=\"34\" font-weight=\"700\" fill=\"{fill}\""), &sign.to_string())
    };
    let sign = scene.signs.get(usize::from(state) - 1).copied().unwrap_or('*');
    let stroke = format!(
        "fill=\"none\" stroke=\"{fill}\" stroke-width=\"13\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
    );
    let drawn = |d: &str, style: &str| format!("<path d=\"{d}\" {style}/>");
    Some(match kind {
        Piece::Gone | Piece::Toppled => return None,
        Piece::Blocks => match scene.layout {
            Layout::Vertices => circle(34, &format!("fill=\"{fill}\"")),
            Layout::Hexagons => hexagon(49.5, &format!("fill=\"{fill}\"")),
            _ => square(38.0, 8, &format!("fill=\"{fill}\"")),
        },
        Piece::Discs => {
            let radius = if looks.surface == Surface::Rack { 40 } else { 34 };
            let groove = format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"3\" opacity=\".3\"");
            circle(radius, &man(fill)) + &circle(radius - 10, &groove)
        }
        Piece::Signs if sign == 'X' => drawn(outline("\"X\""), &stroke),
        Piece::Signs if sign == 'O' => circle(27, &stroke),
        Piece::Signs => letter(colour("ink"), sign),
        Piece::Letters => circle(34, &man(fill)) + &letter(ink, sign),
        Piece::Queens | Piece::Kings | Piece::Knights | Piece::Pawns => {
            drawn(outline(&format!("{}:", kind.name())), &man(fill))
        }
        Piece::Cars => {
            let turned = if state == 2 { " transform=\"rotate(-90)\"" } else { "" };
            drawn(outline("\"cars\""), &(man(fill) + turned))
        }
        Piece::Arrows => drawn(outline("\"arrows\""), &stroke),
    })
}

/// A name for the picture of a piece, which tells it from all others.
pub(super) fn name(scene: &Scene, number: usize, state: u8) -> String {
    let looks = &scene.looks;
    let paint = looks.paint_of(number).unwrap_or(Colour::Plain).name();
    let sign = scene.signs.get(usize::from(state.max(1)) - 1).map_or(0, |&sign| u32::from(sign));
    let colour = owner(scene, state).name();
    let (piece, layout) = (kind(scene, state).name(), scene.layout.name());
    let surface = looks.surface.name();
    if scene.layout == Layout::Edges {
        let path = path(scene, number).replace(|letter: char| "MQC ".contains(letter), "_");
        format!("edges-{piece}-{surface}-{state}-{colour}-{paint}{path}")
    } else {
        format!("{piece}-{layout}-{surface}-{state}-{colour}-{paint}-{sign:x}")
    }
}
