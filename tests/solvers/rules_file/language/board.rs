//! Squares, and the places where drawings and lines fit.

use super::file::{Along, Area, At, Drawing, Frame, Layout, Limits, Numbers, Span, Squares};

/// The board of a position: `.` free, `X` and `O` pieces, `*` blocked, `#` no square.
pub(super) type Board = Vec<Vec<char>>;

/// A drawing on the board: squares, which may be beyond the edge, with signs.
pub(super) type Placed = Vec<(At, char)>;

/// The character of a square; `None` if there is no such square.
pub(super) fn look(board: &Board, (row, col): At) -> Option<char> {
    let sign = *board.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?)?;
    (sign != '#').then_some(sign)
}

pub(super) fn put(board: &mut Board, (row, col): At, sign: char) {
    board[row as usize][col as usize] = sign;
}

pub(super) const fn step((row, col): At, (rows, cols): At, times: i32) -> At {
    (row + times * rows, col + times * cols)
}

impl Numbers {
    pub(super) fn all(&self) -> Vec<i32> {
        match self {
            Self::One(number) | Self::Formula(number) => vec![*number],
            Self::List(all) => all.clone(),
            Self::Range(first, last, step) => (*first..=*last).step_by(*step as usize).collect(),
        }
    }
}

impl Area {
    pub(super) fn has(&self, at: At) -> bool {
        let within =
            |part: &Option<Numbers>, number: i32| part.as_ref().is_none_or(|it| it.all().contains(&(number + 1)));
        match self {
            Self::Dark => (at.0 + at.1) % 2 == 0,
            Self::Light => (at.0 + at.1) % 2 == 1,
            Self::List(squares) | Self::Drawing(squares) => squares.contains(&at),
            Self::Table(rows, cols) => within(rows, at.0) && within(cols, at.1),
        }
    }
}

impl Limits {
    /// Whether all of `squares` lie where the keys allow it.
    pub(super) fn allow(&self, squares: &[At]) -> bool {
        let within =
            |part: &Option<Numbers>, number: i32| part.as_ref().is_none_or(|it| it.all().contains(&(number + 1)));
        let inside = |at: &At| {
            self.on.as_ref().is_none_or(|area| area.has(*at)) && within(&self.rows, at.0) && within(&self.cols, at.1)
        };
        let first = squares.iter().min();
        squares.iter().all(inside)
            && self.first_on.as_ref().is_none_or(|area| first.is_none_or(|&at| area.has(at)))
            && self.each.as_ref().is_none_or(|(values, of_rows)| {
                let values = values.all();
                values.iter().any(|value| squares.iter().all(|at| *value == 1 + if *of_rows { at.0 } else { at.1 }))
            })
    }
}

impl Squares {
    pub(super) fn has(&self, (row, col): At) -> bool {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        row.zip(usize::try_from(col).ok()).is_some_and(|(row, col)| row.get(col) == Some(&true))
    }

    /// Every square, in reading order.
    pub(super) fn all(&self) -> Vec<At> {
        let row = |(row, squares): (i32, &Vec<bool>)| (0..squares.len() as i32).map(move |col| (row, col));
        (0..).zip(&self.rows).flat_map(row).filter(|&at| self.has(at)).collect()
    }

    pub(super) fn free(&self) -> Board {
        self.rows.iter().map(|row| row.iter().map(|&it| if it { '.' } else { '#' }).collect()).collect()
    }

    pub(super) const fn is_graph(&self) -> bool {
        matches!(self.layout, Layout::Graph(_))
    }

    /// The neighbours of a square.
    pub(super) fn beside(&self, at: At) -> Vec<At> {
        if let Layout::Graph(lines) = &self.layout {
            let ends = lines.iter().flat_map(|line| line.windows(2)).flat_map(|ab| [(ab[0], ab[1]), (ab[1], ab[0])]);
            return ends.filter(|&(from, _)| from == at.1).map(|(_, to)| (0, to)).collect();
        }
        let more: &[At] = if self.hexagons { &[(-1, 1), (1, -1)] } else { &[] };
        let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().chain(more.iter().copied());
        steps.map(|by| step(at, by, 1)).filter(|&to| self.has(to)).collect()
    }

    /// The places of a drawing in each of its directions. Every sign that needs a square has one.
    pub(super) fn placements<'a>(&self, shape: &Drawing, frame: &'a Frame) -> &'a [Placed] {
        frame.places.get_or_init(|| self.find_placements(shape, frame))
    }

    fn find_placements(&self, shape: &Drawing, frame: &Frame) -> Vec<Placed> {
        if self.is_graph() {
            return self.on_graph(&shape[0]);
        }
        let size = self.rows.len().max(self.rows.iter().map(Vec::len).max().unwrap_or(0)) as i32;
        let mut found = Vec::new();
        for shape in oriented(shape, frame) {
            for by in (-size..size).flat_map(|row| (-size..size).map(move |col| (row, col))) {
                let signs = (0..)
                    .zip(&shape)
                    .flat_map(|(row, signs)| (0..).zip(signs).map(move |(col, &sign)| ((row, col), sign)));
                let placed: Placed = signs.filter(|it| it.1 != '.').map(|(at, sign)| (step(at, by, 1), sign)).collect();
                let fits = |&(at, sign): &(At, char)| match sign {
                    '#' => !self.has(at),
                    '-' | '+' | 'm' | 'y' | '|' => true,
                    _ => self.has(at),
                };
                if placed.iter().all(fits) {
                    found.push(placed);
                }
            }
        }
        found
    }

    fn on_graph(&self, shape: &[char]) -> Vec<Placed> {
        let all = self.all().into_iter();
        match *shape {
            [sign] => all.map(|at| vec![(at, sign)]).collect(),
            [a, b] => all.flat_map(|at| self.beside(at).into_iter().map(move |to| vec![(at, a), (to, b)])).collect(),
            _ => {
                let Layout::Graph(lines) = &self.layout else { panic!("a shape of a graph") };
                let ways = lines.iter().flat_map(|line| line.windows(shape.len()));
                let ways = ways.flat_map(|way| [way.to_vec(), way.iter().rev().copied().collect()]);
                ways.map(|way| way.into_iter().map(|vertex| (0, vertex)).zip(shape.iter().copied()).collect()).collect()
            }
        }
    }

    /// Lines of `length` squares and their continuation: the first square, and a function of the number of steps.
    /// Both directions of a line are found.
    pub(super) fn lines(&self, lengths: Span, along: &[Along]) -> Vec<Vec<At>> {
        let steps: Vec<At> = along.iter().flat_map(steps).collect();
        let mut found = Vec::new();
        for (from, by) in self.all().into_iter().flat_map(|from| steps.iter().map(move |&by| (from, by))) {
            for length in lengths[0]..=lengths[1] {
                let line: Vec<At> = (0..length).map(|times| step(from, by, times)).collect();
                if line.iter().all(|&at| self.has(at)) {
                    found.push(line);
                }
            }
        }
        found
    }
}

/// The steps in both directions.
pub(super) fn steps(along: &Along) -> Vec<At> {
    let one: &[At] = match along {
        Along::Rows => &[(0, 1)],
        Along::Columns => &[(1, 0)],
        Along::Diagonals => &[(1, 1), (1, -1)],
        Along::Step(rows, cols) => &[(*rows, *cols)],
    };
    one.iter().flat_map(|&(row, col)| [(row, col), (-row, -col)]).collect()
}

/// The drawing in the directions of `turns` and `flips`.
pub(super) fn oriented(shape: &Drawing, frame: &Frame) -> Vec<Drawing> {
    let left_right =
        |shape: &Drawing| -> Drawing { shape.iter().map(|row| row.iter().rev().copied().collect()).collect() };
    let top_bottom = |shape: &Drawing| -> Drawing { shape.iter().rev().cloned().collect() };
    let turned = |shape: &Drawing| -> Drawing {
        (0..shape[0].len()).map(|col| shape.iter().rev().map(|row| row[col]).collect()).collect()
    };
    let mut all = vec![shape.clone()];
    match frame.flips {
        None | Some("false") => {}
        Some("true" | "\"left-right\"") => all.push(left_right(shape)),
        Some("\"top-bottom\"") => all.push(top_bottom(shape)),
        _ => all.extend([left_right(shape), top_bottom(shape), left_right(&top_bottom(shape))]),
    }
    if frame.turns {
        for at in 0..all.len() {
            let mut shape = all[at].clone();
            for _ in 0..3 {
                shape = turned(&shape);
                all.push(shape.clone());
            }
        }
    }
    all
}
