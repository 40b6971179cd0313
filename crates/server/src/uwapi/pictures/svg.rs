//! Shapes of SVG files, with the colours and outlines of the page.
//!
//! Colours, in the light theme, and outlines of pieces are read from the page's own files. One unit of a scene is 100 units of a
//! file.

use tablegen_games::{Colour, Scene};

/// The style sheet of the page, which has the colours.
const STYLE: &str = include_str!("../../page/style.css");
/// The pieces of the page, which have the outlines.
const PIECES: &str = include_str!("../../page/pieces.js");
pub(super) const UNIT: f64 = 100.0;

/// The colour called `name` in the light theme of the page.
pub(super) fn colour(name: &str) -> &'static str {
    let after = STYLE.split_once(&format!("--{name}: light-dark(")).map(|(_, after)| after);
    after.and_then(|after| after.split(',').next()).expect("the style sheet has every colour")
}

/// The first outline after `label` in the page's pieces.
pub(super) fn outline(label: &str) -> &'static str {
    let after = PIECES.split_once(label).map(|(_, after)| after);
    after.and_then(|after| after.split('"').find(|part| part.starts_with('M'))).expect("the pieces have every outline")
}

/// An SVG file that shows `shapes` in a frame: left, top, width and height, in units of the file.
pub(super) fn file([left, top, width, height]: [f64; 4], shapes: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\"><style>text{{font-family:system-ui,sans-serif;\
         text-anchor:middle;dominant-baseline:central}}</style>{shapes}</svg>\n",
        short(left),
        short(top),
        short(width),
        short(height)
    )
}

/// `shapes`, moved by an offset in units of the scene.
pub(super) fn moved([x, y]: [f64; 2], shapes: &str) -> String {
    format!("<g transform=\"translate({} {})\">{shapes}</g>", short(x * UNIT), short(y * UNIT))
}

/// The nearest whole number; the larger one if two are, as on the page.
pub(super) fn rounded(number: f64) -> f64 {
    (number + 0.5).floor()
}

/// A number with at most two decimals.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

pub(super) fn text(at: [f64; 2], style: &str, words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x=\"{}\" y=\"{}\" {style}>{words}</text>", short(at[0]), short(at[1]))
}

pub(super) fn square(half: f64, corner: u32, style: &str) -> String {
    format!("<rect x=\"-{half}\" y=\"-{half}\" width=\"{0}\" height=\"{0}\" rx=\"{corner}\" {style}/>", 2.0 * half)
}

pub(super) fn circle(radius: u32, style: &str) -> String {
    format!("<circle r=\"{radius}\" {style}/>")
}

/// The corners of a hexagon, the top one first, clockwise.
pub(super) fn corners(radius: f64) -> [[f64; 2]; 6] {
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|number: f64| {
        let angle = std::f64::consts::FRAC_PI_3 * number;
        [radius * angle.sin(), -radius * angle.cos()]
    })
}

pub(super) fn hexagon(radius: f64, style: &str) -> String {
    let points = corners(radius).map(|[x, y]| format!("{},{}", short(x), short(y))).join(" ");
    format!("<polygon points=\"{points}\" {style}/>")
}

/// The path of an edge, from vertex to vertex through the middle of its place, from which it is measured.
pub(super) fn path(scene: &Scene, number: usize) -> String {
    let place = &scene.places[number];
    let ends = place.ends.unwrap_or_default();
    let [[x, y], [to_x, to_y]] =
        ends.map(|vertex| [0, 1].map(|axis| rounded((scene.vertices[vertex].at[axis] - place.at[axis]) * UNIT)));
    if ends[0] == ends[1] {
        // A loop: from the vertex around the middle and back.
        let control = [-y - x * 0.6, x - y * 0.6, y - x * 0.6, -x - y * 0.6].map(short).join(" ");
        return format!("M{x} {y}C{control} {x} {y}");
    }
    let [cx, cy] = [-(x + to_x) / 2.0, -(y + to_y) / 2.0].map(short);
    format!("M{x} {y}Q{cx} {cy} {to_x} {to_y}")
}

pub(super) fn edge(path: &str, stroke: &str, line: &str) -> String {
    let cap = if line.contains("dasharray") { "butt" } else { "round" };
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-linecap=\"{cap}\" {line}/>")
}

pub(super) fn side(side: Colour) -> &'static str {
    colour(&format!("c-{}", side.name()))
}

/// The colour of text on a piece of this colour.
pub(super) fn on(side: Colour) -> &'static str {
    colour(match side {
        Colour::White | Colour::Yellow => "on-bright",
        Colour::Black => "on-black",
        _ => "on-deep",
    })
}
