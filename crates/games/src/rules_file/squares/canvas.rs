//! Drawings in characters, in which lines join points.

use super::Squares;
use crate::grid::Grid;
use crate::rules_file::between::Between;

/// Characters by rows and columns, which grow as far as something is drawn.
#[derive(Default)]
pub(super) struct Canvas {
    rows: Vec<Vec<char>>,
}

/// A column and a row of a canvas.
pub(super) type Spot = [usize; 2];

impl Canvas {
    fn place(&mut self, [x, y]: Spot) -> &mut char {
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        let row = &mut self.rows[y];
        if row.len() <= x {
            row.resize(x + 1, ' ');
        }
        &mut row[x]
    }

    pub(super) fn put(&mut self, at: Spot, character: char) {
        *self.place(at) = character;
    }

    /// Writes `text` with its middle at a spot; the left one of two middles.
    pub(super) fn centred(&mut self, [x, y]: Spot, text: &str) {
        let first = x.saturating_sub(text.chars().count().saturating_sub(1) / 2);
        text.chars().enumerate().for_each(|(n, character)| self.put([first + n, y], character));
    }

    /// Draws the line between two spots, where nothing is drawn yet. Two slanted lines cross in an `x`.
    pub(super) fn line(&mut self, from: Spot, to: Spot) {
        let [dx, dy] = [0, 1].map(|axis| to[axis] as f64 - from[axis] as f64);
        let sign = match () {
            () if dy.abs() * 3.0 < dx.abs() => '-',
            () if dx.abs() * 3.0 < dy.abs() => '|',
            () if (dx > 0.0) == (dy > 0.0) => '\\',
            () => '/',
        };
        let steps = dx.abs().max(dy.abs());
        for step in 1..steps as usize {
            let part = step as f64 / steps;
            let at = [from[0] as f64 + part * dx, from[1] as f64 + part * dy].map(|part| part.round() as usize);
            let place = self.place(at);
            match (*place, sign) {
                (' ', _) => *place = sign,
                ('/', '\\') | ('\\', '/') => *place = 'x',
                _ => {}
            }
        }
    }

    /// The lines without blanks at their ends.
    pub(super) fn finish(self) -> String {
        let line = |row: Vec<char>| row.into_iter().collect::<String>().trim_end().to_owned();
        self.rows.into_iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Squares {
    /// The squares as lines between dots. A free line shows its name, and a line for which `is_new` is true has brackets.
    ///
    /// ```text
    ///  +----+ d1 +
    ///  |    c2   e2
    ///  + b3 + d3 +
    /// ```
    pub(in crate::rules_file) fn draw_dots(
        &self,
        is_filled: impl Fn(usize) -> bool,
        is_new: impl Fn(usize) -> bool,
    ) -> String {
        let Grid { rows, cols } = self.grid;
        let widest = self.squares.iter().map(|&square| self.name(square).chars().count()).max().unwrap_or(0);
        let step = widest + 3;
        // Names of three letters stand around their line.
        let dot = |col: usize| 1 + col / 2 * step;
        let mut canvas = Canvas::default();
        for (row, col) in
            (0..rows as usize).step_by(2).flat_map(|row| (0..cols as usize).step_by(2).map(move |col| (row, col)))
        {
            canvas.put([dot(col), row], '+');
        }
        for &square in &self.squares {
            let (row, col) = (square / cols as usize, square % cols as usize);
            let is_across = row % 2 == 0;
            let middle = if is_across { dot(col) + step / 2 } else { dot(col) };
            if !is_filled(square) {
                canvas.centred([middle, row], &self.name(square));
                continue;
            }
            let brackets = if is_across {
                canvas.line([dot(col), row], [dot(col) + step, row]);
                [dot(col) + 1, dot(col) + step - 1]
            } else {
                canvas.put([middle, row], '|');
                [middle - 1, middle + 1]
            };
            if is_new(square) {
                canvas.put([brackets[0], row], '(');
                canvas.put([brackets[1], row], ')');
            }
        }
        canvas.finish()
    }

    /// The squares as lines of a picture, if the file places its points. `label` is the text on a square, or `None` if its
    /// line is gone. The points of `ground` stand on the ground.
    pub(in crate::rules_file) fn draw_picture(
        &self,
        label: impl Fn(usize) -> Option<String>,
        ground: &[usize],
    ) -> Option<String> {
        const STEP: f64 = 4.0;
        let Between { ends, places, .. } = self.between()?;
        let spots: Vec<Spot> = places.as_ref()?.iter().map(|at| at.map(|part| (part * STEP) as usize + 1)).collect();
        let mut canvas = Canvas::default();
        for [x, y] in ground.iter().map(|&point| spots[point]) {
            canvas.centred([x, y + 1], "===");
        }
        let (mut labels, mut drawn) = (Vec::new(), ground.to_vec());
        for (n, (&square, &[from, to])) in self.squares.iter().zip(ends).enumerate() {
            let Some(text) = label(square) else { continue };
            canvas.line(spots[from], spots[to]);
            drawn.extend([from, to]);
            // Several lines between two points share them: each has its label at another part of the way.
            let is_beside = |other: &&[usize; 2]| **other == [from, to] || **other == [to, from];
            let before = ends[..n].iter().filter(is_beside).count();
            let part = (before + 1) as f64 / (ends.iter().filter(is_beside).count() + 1) as f64;
            let (low, high) = (spots[from.min(to)], spots[from.max(to)]);
            let along =
                |axis: usize| (low[axis] as f64 + part * (high[axis] as f64 - low[axis] as f64)).round() as usize;
            labels.push(([along(0), along(1)], text));
        }
        drawn.into_iter().for_each(|point| canvas.put(spots[point], 'o'));
        labels.into_iter().for_each(|(at, text)| canvas.centred(at, &text));
        Some(canvas.finish())
    }

    /// The squares as a table of lines between points: each stands in the row of one of its points and in the column of the other. `label`
    /// is the text on a square, or `None` if its line is gone, and a line for which `is_new` is true has brackets. `None` if most
    /// pairs of points have no line, or if several lines join the same points.
    ///
    /// ```text
    ///    2   3   4
    /// 1  a1  R   c1
    /// 2      B  (R)
    /// 3          a3
    /// ```
    pub(in crate::rules_file) fn draw_pairs(
        &self,
        label: impl Fn(usize) -> Option<String>,
        is_new: impl Fn(usize) -> bool,
    ) -> Option<String> {
        let Between { points, ends, .. } = self.between()?;
        let pairs: Vec<[usize; 2]> = ends.iter().map(|&[from, to]| [from.min(to), from.max(to)]).collect();
        let [rows, cols] = [0, 1].map(|end| {
            let mut all: Vec<usize> = pairs.iter().map(|pair| pair[end]).collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        let square = |pair| pairs.iter().position(|&other| other == pair).map(|place| self.squares[place]);
        if 2 * pairs.len() < rows.len() * cols.len() || (1..pairs.len()).any(|n| pairs[..n].contains(&pairs[n])) {
            return None;
        }
        let names = self.squares.iter().map(|&square| self.name(square));
        let widest =
            |names: &mut dyn Iterator<Item = String>| names.map(|name| name.chars().count()).max().unwrap_or(0);
        let margin = widest(&mut points.iter().cloned());
        let width = widest(&mut names.chain(points.iter().cloned())) + 2;
        let cell = |row: usize, col: usize| {
            let square = square([row, col])?;
            label(square).map(|text| if is_new(square) { format!("({text})") } else { text })
        };
        let line = |head: &str, cells: &mut dyn Iterator<Item = String>| {
            let cells: String = cells.map(|text| format!("{text:^width$}")).collect();
            format!("{head:>margin$} {cells}").trim_end().to_owned()
        };
        let head = line("", &mut cols.iter().map(|&col| points[col].clone()));
        let row = |&row: &usize| line(&points[row], &mut cols.iter().map(|&col| cell(row, col).unwrap_or_default()));
        Some(std::iter::once(head).chain(rows.iter().map(row)).collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::Canvas;
    use crate::{Parameters, bundled};

    fn drawn(name: &str, position: &str) -> String {
        let game = bundled(name, &Parameters::new()).unwrap().unwrap();
        game.draw(game.read(position).unwrap().node)
    }

    #[test]
    fn lines_join_spots_and_leave_what_is_drawn() {
        let mut canvas = Canvas::default();
        canvas.centred([2, 0], "abc");
        canvas.line([0, 0], [4, 0]);
        canvas.line([0, 0], [0, 3]);
        canvas.line([4, 0], [1, 3]);
        assert_eq!(canvas.finish(), " abc\n|  /\n| /");
    }

    #[test]
    fn lines_between_dots_have_names_until_they_are_drawn() {
        let dots = " +----+ d1 +\n |    c2   e2\n + b3 + d3 +\n a4   c4   e4\n + b5 + d5 +";
        assert_eq!(drawn("dots-and-boxes", "#X#.#/X#.#./#.#.#/.#.#./#.#.# x"), dots);
        let game = bundled("nimstring", &Parameters::new()).unwrap().unwrap();
        let start = game.rules().start_node();
        let moved = game.rules().replies(start).into_iter().find(|to| game.write_move(start, *to) == "b1").unwrap();
        assert!(game.draw_move(start, moved).unwrap().starts_with(" +(--)+ d1 +\n a2"));
    }

    #[test]
    fn pictures_stand_on_the_ground_and_name_their_lines_by_colour() {
        // The tree alone.
        let tree = drawn("hackenbush", "XXXXXX...XXX left");
        assert!(tree.contains("h1  i1") && tree.contains("g1") && !tree.contains("a1"), "{tree}");
        assert!(tree.ends_with("red: g1 i1\nblue: h1\ngreen: none"), "{tree}");
        // Only what stands on the ground has ground below it.
        assert!(tree.contains("\n===     ===     ===         ===\n"), "{tree}");
    }

    #[test]
    fn mills_have_lines_between_their_points() {
        let mills = drawn("nine-mens-morris", "X../.../.../....../.../.../..O x-8-8");
        let expected = "  a b c d e f g\n7 X-----.-----.\n6 | .---.---. |\n5 | | .-.-. | |\n4 .-.-.   .-.-.\n\
                        3 | | .-.-. | |\n2 | .---.---. |\n1 .-----.-----O";
        assert_eq!(mills, expected);
        assert!(
            drawn("morabaraba", ".../.../.../....../.../.../... x-12-12").contains("7 .-----.-----.\n  |\\    |    /|")
        );
    }

    #[test]
    fn boards_of_points_have_their_diagonals() {
        let morris = drawn("three-mens-morris", "X.O/.X./... o-1-2");
        assert_eq!(morris, "  a b c\n1 X-.-O\n  |\\|/|\n2 .-X-.\n  |/|\\|\n3 .-.-.");
        // Holes have no point, and lines cross between points.
        assert_eq!(drawn("pong-hau-ki", "B#B/#.#/W#W black"), "  a b c\n1 B   B\n  |\\ /|\n2 | . |\n  |/ \\|\n3 W---W");
        assert!(drawn("dao", "BW.W/.BB./..W./W..B black").contains("1 B-W-.-W\n  |x|x|x|"));
        // Rows and columns need no lines.
        assert_eq!(drawn("capture-go", ".../.B./... white"), "  a b c\n1 . . .\n2 . B .\n3 . . .");
        let game = bundled("three-mens-morris", &Parameters::new()).unwrap().unwrap();
        let start = game.rules().start_node();
        let moved = game.rules().replies(start).into_iter().find(|to| game.write_move(start, *to) == "a1").unwrap();
        assert!(game.draw_move(start, moved).unwrap().starts_with("  a b c\n1(X).-.\n  |"));
    }

    #[test]
    fn lines_between_all_points_are_a_table() {
        let sim = drawn("sim", "RB.../....#/...##/..###/.#### red");
        let expected = "   2   3   4   5   6\n1  R   B   c1  d1  e1\n2      a2  b2  c2  d2\n3          a3  b3  c3\n\
                        4              a4  b4\n5                  a5";
        assert_eq!(sim, expected);
        let game = bundled("triangles", &Parameters::new()).unwrap().unwrap();
        let start = game.rules().start_node();
        let moved = game.rules().replies(start).into_iter().find(|to| game.write_move(start, *to) == "b2").unwrap();
        assert!(game.draw_move(start, moved).unwrap().contains("\n2      a2 (R)  c2"));
    }
}
