//! A panel with one bar chart.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::hatch::hatch;
use super::{Canvas, DARK, Drawn, Ink, MARGIN, PANEL, TEXT, TITLE, WIDTH, text};

/// The meaning of the bars above a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bars {
    /// Shares of a total, stacked.
    Shares,
    /// Counts, side by side.
    Counts,
}

/// For each number on the axis, the counts by kind.
type Rows = Vec<(i32, Vec<(Ink, u64)>)>;

/// A bar chart over whole numbers.
pub(super) struct Panel {
    title: &'static str,
    /// The title of the horizontal axis.
    numbers: &'static str,
    bars: Bars,
    rows: Rows,
}

/// The fraction of the available width that a bar takes.
const FILLED: f64 = 0.82;
/// The widest bar, in pixels.
const WIDEST: f64 = 64.0;
/// Most ticks on the horizontal axis.
const TICKS: i32 = 20;

impl Panel {
    pub(super) const fn new(title: &'static str, numbers: &'static str, bars: Bars, rows: Rows) -> Self {
        Self { title, numbers, bars, rows }
    }

    /// Draws the panel with its upper end at `top`.
    pub(super) fn draw(&self, root: &Canvas<'_>, top: i32) -> Drawn {
        let (first, last) = (self.rows.first().map_or(0, |row| row.0), self.rows.last().map_or(0, |row| row.0));
        let x = Axis::whole(first, last, TICKS);
        let y = match self.bars {
            Bars::Shares => Axis::percent(),
            Bars::Counts => Axis::counts(self.rows.iter().flat_map(|(_, parts)| parts).map(|&(_, count)| count)),
        };
        text(root, self.title, (MARGIN, top + 22), TITLE, FontStyle::Bold, HPos::Left)?;
        let area = root.clone().shrink((0, top + 42), (WIDTH as u32, (PANEL - 56) as u32));
        // A digit is about 0.6 times as wide as it is high; the rest is room for the title of the axis.
        let labels = (y.letters() as f64 * TEXT / 1.24 * 0.6) as i32 + 58;
        let mut chart = ChartBuilder::on(&area)
            .margin_left(MARGIN - 10)
            .margin_right(MARGIN)
            .margin_top(4)
            .x_label_area_size(56)
            .y_label_area_size(labels)
            .build_cartesian_2d(x, y.clone())?;
        let font = FontDesc::new(FontFamily::SansSerif, TEXT, FontStyle::Normal).color(&DARK);
        let counted = match self.bars {
            Bars::Shares => "share of positions (%)".to_owned(),
            Bars::Counts => format!("positions{}", y.note()),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(DARK.mix(0.2))
            .axis_style(DARK)
            .label_style(font.clone())
            .axis_desc_style(font)
            .x_desc(self.numbers)
            .y_desc(counted)
            .draw()?;
        let room = f64::from(chart.backend_coord(&(1.0, 0.0)).0 - chart.backend_coord(&(0.0, 0.0)).0);
        let width = (room * FILLED).min(WIDEST);
        let floor = chart.backend_coord(&(0.0, y.floor())).1;
        for (number, parts) in &self.rows {
            let middle = f64::from(chart.backend_coord(&(f64::from(*number), y.floor())).0);
            let parts: Vec<_> = parts.iter().filter(|(_, count)| *count > 0).collect();
            let total: u64 = parts.iter().map(|(_, count)| count).sum();
            let mut below = 0;
            for (place, &&(ink, count)) in parts.iter().enumerate() {
                let height = |count: f64| chart.backend_coord(&(0.0, y.at(count))).1;
                let corners = match self.bars {
                    Bars::Shares => {
                        let share = |count: u64| height(count as f64 / total as f64 * 100.0);
                        let (left, right) = sides(middle, width, 0, 1);
                        [(left, share(below + count)), (right, share(below))]
                    }
                    Bars::Counts => {
                        let (left, right) = sides(middle, width, place, parts.len());
                        // A bar for a small count is at least one pixel high.
                        [(left, height(count as f64).min(floor - 1)), (right, floor)]
                    }
                };
                fill(root, corners, ink)?;
                below += count;
            }
        }
        Ok(())
    }
}

/// The left and right side of bar `place` of `bars` bars that share `width` around `middle`.
fn sides(middle: f64, width: f64, place: usize, bars: usize) -> (i32, i32) {
    let side = |place: usize| (middle + width * (place as f64 / bars as f64 - 0.5)).round() as i32;
    (side(place), side(place + 1).max(side(place) + 1))
}

/// Fills the rectangle between its upper left and its lower right corner, and draws its outline.
pub(super) fn fill(root: &Canvas<'_>, corners: [(i32, i32); 2], ink: Ink) -> Drawn {
    let line = DARK.mix(0.6).stroke_width(1);
    root.draw(&Rectangle::new(corners, ink.colour.filled()))?;
    let lines = if ink.hatched { hatch(corners) } else { Vec::new() };
    if !lines.is_empty() {
        root.draw(&PathElement::new(lines, line))?;
    }
    root.draw(&Rectangle::new(corners, line))
}
