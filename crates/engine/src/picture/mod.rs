//! Statistics as a picture: one SVG with a panel for each label.
//!
//! The colours are the palette of Okabe and Ito, which people with any kind of colour vision can tell apart. They also
//! differ in lightness, and losses are hatched, so that a grey print is readable. The bytes depend only on the
//! statistics, and not on the time, a path or the system's fonts.

mod axis;
mod hatch;
mod panel;
mod thermograph;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Stats;
use axis::with_commas;
use panel::{Bars, Panel};
use tablegen_labels::{Counts, Label, Remoteness};
use tablegen_rules::Outcome;
pub use thermograph::thermograph;

/// The error of a picture that could not be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PictureError(String);

/// The size of the picture and of its parts, in pixels.
const WIDTH: i32 = 960;
const HEAD: i32 = 128;
const PANEL: i32 = 340;
const MARGIN: i32 = 24;

/// Sizes of text. The drawing library divides a size by 1.24 when it writes it into the file.
const NAME: f64 = 33.0;
const TITLE: f64 = 25.0;
const TEXT: f64 = 21.5;

/// The fill of one kind of bars.
#[derive(Clone, Copy)]
struct Ink {
    colour: RGBColor,
    hatched: bool,
}

/// The colour of text, axes and hatches.
const DARK: RGBColor = RGBColor(34, 34, 34);

const fn ink(outcome: Outcome) -> Ink {
    match outcome {
        // Blue, yellow and orange, with a third, five sixths and two thirds of the lightness of white.
        Outcome::Win => Ink { colour: RGBColor(0, 114, 178), hatched: false },
        Outcome::Draw => Ink { colour: RGBColor(240, 228, 66), hatched: false },
        Outcome::Loss => Ink { colour: RGBColor(230, 159, 0), hatched: true },
    }
}

/// Bluish green.
const OF_NUMBERS: Ink = Ink { colour: RGBColor(0, 158, 115), hatched: false };

/// Reddish purple.
const OF_VALUES: Ink = Ink { colour: RGBColor(204, 121, 167), hatched: false };

/// Draws `stats` as an SVG: the shares of the outcomes by filled cells, and a histogram of each label in the table.
///
/// # Errors
/// If the drawing library fails.
pub fn svg(stats: &Stats) -> Result<String, PictureError> {
    let panels = panels(stats);
    svg_of(WIDTH, HEAD + PANEL * panels.len() as i32, |root| {
        head(stats, root)?;
        for (number, panel) in (0..).zip(&panels) {
            panel.draw(root, HEAD + PANEL * number)?;
        }
        Ok(())
    })
}

/// The canvas. All coordinates are pixels of the whole picture.
type Canvas<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

/// An SVG of `width` times `height` pixels with the drawing that `draw` makes on white.
fn svg_of(width: i32, height: i32, draw: impl FnOnce(&Canvas<'_>) -> Drawn) -> Result<String, PictureError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        let drawn = root.fill(&WHITE).and_then(|()| draw(&root)).and_then(|()| root.present());
        drawn.map_err(|error| PictureError(error.to_string()))?;
    }
    Ok(svg)
}

/// Draws a name and a line below it, in a picture of `width` pixels.
fn title(root: &Canvas<'_>, width: i32, name: &str, below: &str) -> Drawn {
    // A bold letter is about 0.6 times as wide as it is high.
    let letters = name.chars().count().max(1) as f64;
    let size = NAME.min(f64::from(width - 2 * MARGIN) / letters / 0.62 * 1.24);
    text(root, name, (MARGIN, 34), size, FontStyle::Bold, HPos::Left)?;
    text(root, below, (MARGIN, 68), TEXT, FontStyle::Normal, HPos::Left)
}

/// The outcomes that can occur, best first.
fn outcomes(stats: &Stats) -> impl Iterator<Item = Outcome> + use<> {
    let can_draw = stats.can_draw;
    Outcome::BEST_FIRST.into_iter().filter(move |&outcome| can_draw || outcome != Outcome::Draw)
}

/// Draws the game's name, the number of positions, and the legend of the colours.
fn head(stats: &Stats, root: &Canvas<'_>) -> Drawn {
    /// The side of a coloured square in the legend.
    const SWATCH: i32 = 18;
    let which = if stats.counts_every_board { "all positions, reachable or not" } else { "the reachable ones" };
    let total = format!("{} positions: {which}", with_commas(stats.counts.total()));
    title(root, WIDTH, &stats.name, &total)?;
    let mut x = MARGIN;
    for outcome in outcomes(stats) {
        let corners = [(x, 100 - SWATCH / 2), (x + SWATCH, 100 + SWATCH / 2)];
        panel::fill(root, corners, ink(outcome))?;
        text(root, outcome.name(), (x + SWATCH + 8, 100), TEXT, FontStyle::Normal, HPos::Left)?;
        x += 100;
    }
    text(root, "for the player to move", (x, 100), TEXT, FontStyle::Normal, HPos::Left)
}

/// Writes `text`, vertically centred at `at`.
fn text(root: &Canvas<'_>, text: &str, at: (i32, i32), size: f64, style: FontStyle, side: HPos) -> Drawn {
    let font = FontDesc::new(FontFamily::SansSerif, size, style);
    root.draw(&Text::new(text.to_owned(), at, font.color(&DARK).pos(Pos::new(side, VPos::Center))))
}

fn panels(stats: &Stats) -> Vec<Panel> {
    let kinds: Vec<Outcome> = outcomes(stats).collect();
    let parts = |counts: Counts| kinds.iter().map(|&outcome| (ink(outcome), counts.with(outcome))).collect::<Vec<_>>();
    let by_filled = stats.by_filled.iter().map(|level| (level.filled as i32, parts(level.counts)));
    let mut panels = vec![Panel::new(Outcome::ABOUT.heading, Outcome::ABOUT.axis, Bars::Shares, by_filled.collect())];
    if let Some(plies) = &stats.remoteness {
        let rows = (0..).zip(plies).map(|(plies, counts)| (plies, parts(*counts))).collect();
        panels.push(Panel::new(Remoteness::ABOUT.heading, Remoteness::ABOUT.axis, Bars::Counts, rows));
    }
    for (kind, counts) in stats.numbers.iter() {
        let rows = counts.rows().map(|(number, count)| (number, vec![(OF_NUMBERS, count)])).collect();
        panels.push(Panel::new(kind.about().heading, kind.about().axis, Bars::Counts, rows));
    }
    if let Some(values) = &stats.values {
        let rows = (0..).zip(&values.temperatures).map(|(range, boards)| (range, vec![(OF_VALUES, *boards)])).collect();
        panels.push(Panel::new("Temperatures of boards that are no numbers", values.unit(), Bars::Counts, rows));
    }
    panels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumberCounts;
    use tablegen_index::contents::FilledCounts;
    use tablegen_labels::{ByLabel, Nimber};

    /// Statistics with every label, of `rows` rows each, with counts up to `most`.
    fn stats(name: &str, rows: u32, most: u64) -> Stats {
        let counts = |row: u32| Counts { win: most >> row.min(63), draw: u64::from(row % 3), loss: u64::from(row) };
        Stats {
            name: name.into(),
            part: None,
            counts: counts(0),
            can_draw: true,
            counts_every_board: true,
            by_mode: Vec::new(),
            by_filled: (0..rows).map(|row| FilledCounts { filled: row, counts: counts(row) }).collect(),
            by_region: Vec::new(),
            remoteness: Some((0..rows).map(counts).collect()),
            repetitions: 0,
            numbers: [(
                Nimber::KIND,
                NumberCounts { least: 0, counts: (0..rows).map(|row| counts(row).win).collect() },
            )]
            .into_iter()
            .collect(),
            values: None,
        }
    }

    /// The values of attribute `name` in all elements `element`.
    fn numbers(svg: &str, element: &str, name: &str) -> Vec<f64> {
        let tags = svg.split('<').filter(|tag| tag.starts_with(element));
        let value = |tag: &str| tag.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.parse().ok();
        tags.filter_map(value).collect()
    }

    #[test]
    fn everything_is_inside_the_picture() {
        for (rows, most) in [(1, 1), (2, 0), (10, 1000), (65, 1 << 40), (65, u64::MAX / 128)] {
            let stats = stats("a-game", rows, most);
            let svg = svg(&stats).unwrap();
            assert_eq!(svg, self::svg(&stats).unwrap(), "equal statistics are one picture");
            let (width, height) = (f64::from(WIDTH), f64::from(HEAD + 3 * PANEL));
            for element in ["rect", "text"] {
                assert!(numbers(&svg, element, "x").iter().all(|x| (0.0..=width).contains(x)), "{rows} rows");
                assert!(numbers(&svg, element, "y").iter().all(|y| (0.0..=height).contains(y)), "{rows} rows");
            }
            let right = numbers(&svg, "rect", "x").into_iter().zip(numbers(&svg, "rect", "width"));
            assert!(right.map(|(x, wide)| x + wide).all(|right| right <= width), "{rows} rows");
        }
    }

    #[test]
    fn lines_of_text_do_not_overlap() {
        for (name, rows, most) in [("a-game", 65, 1 << 40), ("a-game", 12, 50), (&"long-name-".repeat(20), 3, 9)] {
            let svg = svg(&stats(name, rows, most)).unwrap();
            // Only horizontal text: titles of vertical axes have columns of their own.
            let texts: Vec<&str> = svg.split("<text ").skip(1).filter(|tag| !tag.contains("rotate(")).collect();
            let boxed = texts.iter().map(|tag| {
                let number = |name: &str| tag.split_once(&format!("{name}=\"")).unwrap().1.split_once('"').unwrap().0;
                let letters = tag.split_once('>').unwrap().1.split_once("</text").unwrap().0.trim().chars().count();
                let (x, y) = (number("x").parse::<f64>().unwrap(), number("y").parse::<f64>().unwrap());
                let size = number("font-size").parse::<f64>().unwrap();
                let wide = letters as f64 * size * 0.62;
                let left = match number("text-anchor") {
                    "start" => x,
                    "middle" => x - wide / 2.0,
                    _ => x - wide,
                };
                assert!(left >= 0.0 && left + wide <= f64::from(WIDTH) + 1.0, "{tag}");
                (left, left + wide, y - size / 2.0, y + size / 2.0)
            });
            let boxed: Vec<_> = boxed.collect();
            for (number, a) in boxed.iter().enumerate() {
                for (other, b) in boxed.iter().enumerate().skip(number + 1) {
                    let apart = a.1 <= b.0 || b.1 <= a.0 || a.3 <= b.2 || b.3 <= a.2;
                    assert!(apart, "{} and {}", texts[number], texts[other]);
                }
            }
        }
    }

    #[test]
    fn there_is_a_panel_for_each_label_and_a_colour_for_each_outcome() {
        let all = stats("a<b&c", 5, 100);
        let with_all = svg(&all).unwrap();
        assert!(with_all.contains("a&lt;b&amp;c") && !with_all.contains("a<b"));
        for text in ["plies to the end", "nimber (Grundy value)", "filled cells", "share of positions (%)", "draw"] {
            assert!(with_all.contains(text), "{text}");
        }
        let outcomes = Stats { remoteness: None, numbers: ByLabel::NONE, can_draw: false, ..all };
        let outcomes = svg(&outcomes).unwrap();
        assert!(!outcomes.contains("plies") && !outcomes.contains("Grundy") && !outcomes.contains("draw\n"));
        assert!(outcomes.len() < with_all.len() && !with_all.contains("log scale"));
        assert!(svg(&stats("g", 5, 1 << 20)).unwrap().contains("positions (log scale)"));
    }
}
