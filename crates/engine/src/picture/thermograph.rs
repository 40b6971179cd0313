//! A thermograph as a picture: temperatures upwards, values growing to the left, as the literature draws them.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Canvas, DARK, Drawn, MARGIN, PictureError, TEXT, svg_of, text, title};
use crate::ValueFacts;
use tablegen_cgt::{Dyadic, Wall};

/// The size of the picture, in pixels, and the place of the diagram in it.
const WIDTH: i32 = 720;
const HEIGHT: i32 = 590;
const LEFT: i32 = 90;
const RIGHT: i32 = WIDTH - 40;
const TOP: i32 = 150;
const BOTTOM: i32 = HEIGHT - 70;

/// The walls have the colours of wins and losses.
const LEFT_WALL: RGBColor = RGBColor(0, 114, 178);
const RIGHT_WALL: RGBColor = RGBColor(230, 159, 0);

/// Draws the thermograph of a value as an SVG.
///
/// # Errors
/// If the drawing library fails.
pub fn thermograph(facts: &ValueFacts) -> Result<String, PictureError> {
    svg_of(WIDTH, HEIGHT, |root| draw(facts, root))
}

fn draw(facts: &ValueFacts, root: &Canvas<'_>) -> Drawn {
    let graph = &facts.thermograph;
    title(root, WIDTH, &facts.name, &format!("mean {}, temperature {}", graph.mean, graph.temperature))?;

    let walls = [&graph.left, &graph.right];
    let corners = || walls.into_iter().flat_map(Wall::points);
    let scale = Scale::new(corners().map(|corner| corner.value), graph.temperature);
    grid(&scale, corners().map(|corner| corner.value), corners().map(|corner| corner.temperature), root)?;

    let mast = [scale.at(graph.mean, number(graph.temperature)), scale.at(graph.mean, scale.top)];
    root.draw(&PathElement::new(mast.to_vec(), DARK.stroke_width(4)))?;
    for (wall, colour, width) in [(walls[0], LEFT_WALL, 5), (walls[1], RIGHT_WALL, 3)] {
        // After its last corner a wall keeps its value.
        let line = wall.points().iter().map(|corner| scale.at(corner.value, number(corner.temperature)));
        root.draw(&PathElement::new(line.chain([mast[0]]).collect::<Vec<_>>(), colour.stroke_width(width)))?;
    }
    let legend = [("Left wall", LEFT_WALL), ("Right wall", RIGHT_WALL), ("mast", DARK)];
    for (name, (word, colour)) in (0..).zip(legend) {
        let x = MARGIN + name * 150;
        root.draw(&PathElement::new(vec![(x, 98), (x + 24, 98)], colour.stroke_width(4)))?;
        text(root, word, (x + 32, 98), TEXT, FontStyle::Normal, HPos::Left)?;
    }
    Ok(())
}

/// Lines at the corners, with their values and temperatures where there is room.
fn grid(
    scale: &Scale,
    values: impl Iterator<Item = Dyadic>,
    temperatures: impl Iterator<Item = Dyadic>,
    root: &Canvas<'_>,
) -> Drawn {
    const ROOM: [i32; 2] = [64, 24];
    let light = DARK.mix(0.2);
    let font = FontDesc::new(FontFamily::SansSerif, TEXT, FontStyle::Normal).color(&DARK);
    let mut last = None;
    for value in distinct(values) {
        let (x, _) = scale.at(value, -1.0);
        root.draw(&PathElement::new(vec![(x, TOP), (x, BOTTOM)], light.stroke_width(1)))?;
        if last.is_none_or(|last: i32| (last - x).abs() >= ROOM[0]) {
            let at = font.clone().pos(Pos::new(HPos::Center, VPos::Center));
            root.draw(&Text::new(value.to_string(), (x, BOTTOM + 20), at))?;
            last = Some(x);
        }
    }
    let mut last = None;
    for temperature in distinct(temperatures.chain([Dyadic::default()])) {
        let (_, y) = scale.at(scale.middle, number(temperature));
        root.draw(&PathElement::new(vec![(LEFT, y), (RIGHT, y)], light.stroke_width(1)))?;
        if last.is_none_or(|last: i32| (last - y).abs() >= ROOM[1]) {
            let at = font.clone().pos(Pos::new(HPos::Right, VPos::Center));
            root.draw(&Text::new(temperature.to_string(), (LEFT - 10, y), at))?;
            last = Some(y);
        }
    }
    text(root, "value", ((LEFT + RIGHT) / 2 - 30, BOTTOM + 48), TEXT, FontStyle::Normal, HPos::Left)?;
    text(root, "temperature", (MARGIN, TOP - 16), TEXT, FontStyle::Normal, HPos::Left)
}

/// Where values and temperatures lie in the picture.
struct Scale {
    least: f64,
    most: f64,
    /// The temperature at the upper end, above the mast's foot.
    top: f64,
    middle: Dyadic,
}

impl Scale {
    fn new(values: impl Iterator<Item = Dyadic>, temperature: Dyadic) -> Self {
        let values = distinct(values);
        let (least, most) = (number(values[0]), number(values[values.len() - 1]));
        let room = (most - least).max(1.0) * 0.08 + if most > least { 0.0 } else { 0.5 };
        let foot = number(temperature);
        Self { least: least - room, most: most + room, top: foot + (foot + 1.0).max(1.0) * 0.35, middle: values[0] }
    }

    fn at(&self, value: Dyadic, temperature: f64) -> (i32, i32) {
        let x = (self.most - number(value)) / (self.most - self.least) * f64::from(RIGHT - LEFT);
        let y = (self.top - temperature) / (self.top + 1.0) * f64::from(BOTTOM - TOP);
        (LEFT + x.round() as i32, TOP + y.round() as i32)
    }
}

fn number(dyadic: Dyadic) -> f64 {
    dyadic.numerator() as f64 / f64::from(dyadic.exponent()).exp2()
}

fn distinct(numbers: impl Iterator<Item = Dyadic>) -> Vec<Dyadic> {
    let mut numbers: Vec<Dyadic> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
