//! Boards of mill games as drawings, and what follows from them: points, neighbours and lines of three.

/// Two squares, one inside the other, joined at the middles of their sides: the board of Six Men's Morris.
pub(crate) const TWO_SQUARES: &str = r"
o---o---o
|   |   |
| o-o-o |
| |   | |
o-o   o-o
| |   | |
| o-o-o |
|   |   |
o---o---o";

/// Three squares inside each other, joined at the middles of their sides: the board of Nine Men's Morris.
pub(crate) const THREE_SQUARES: &str = r"
o-----o-----o
|     |     |
| o---o---o |
| |   |   | |
| | o-o-o | |
| | |   | | |
o-o-o   o-o-o
| | |   | | |
| | o-o-o | |
| |   |   | |
| o---o---o |
|     |     |
o-----o-----o";

/// Nine points with rows, columns and diagonals: the board of Three Men's Morris.
pub(crate) const NINE_POINTS: &str = r"
o-o-o
|\|/|
o-o-o
|/|\|
o-o-o";

/// The points of a drawing, numbered in reading order.
pub(crate) struct Drawing {
    /// The neighbours of each point.
    pub(crate) next: Vec<Vec<usize>>,
    /// The lines of exactly three points.
    pub(crate) lines: Vec<[usize; 3]>,
    /// For each point the other two points of each of its lines.
    pub(crate) partners: Vec<Vec<[usize; 2]>>,
}

impl Drawing {
    /// Reads a drawing: `o` is a point, and strokes `-`, `|`, `\` and `/` join points.
    pub(crate) fn read(text: &str) -> Self {
        let rows: Vec<&[u8]> = text.trim_start_matches('\n').lines().map(str::as_bytes).collect();
        let at = |row: usize, col: usize| rows.get(row).and_then(|row| row.get(col)).copied().unwrap_or(b' ');
        let squares = (0..rows.len()).flat_map(|row| (0..rows[row].len()).map(move |col| (row, col)));
        let points: Vec<(usize, usize)> = squares.filter(|&(row, col)| at(row, col) == b'o').collect();
        let number = |row, col| points.iter().position(|&point| point == (row, col)).expect("a point");

        // The point that strokes lead to from a point, in one direction.
        let follow = |from: usize, stroke: u8, down: usize, right: isize| {
            let (mut row, mut col) = points[from];
            loop {
                (row, col) = (row + down, col.wrapping_add_signed(right));
                match at(row, col) {
                    b'o' => return Some(number(row, col)),
                    found if found == stroke => {}
                    _ => return None,
                }
            }
        };
        let mut next = vec![Vec::new(); points.len()];
        let mut lines = Vec::new();
        for (stroke, down, right) in [(b'-', 0, 1), (b'|', 1, 0), (b'\\', 1, 1), (b'/', 1, -1)] {
            let after: Vec<Option<usize>> = (0..points.len()).map(|from| follow(from, stroke, down, right)).collect();
            for (from, to) in after.iter().enumerate().filter_map(|(from, to)| Some((from, (*to)?))) {
                next[from].push(to);
                next[to].push(from);
            }
            // A line begins at a point to which no stroke leads.
            for first in (0..points.len()).filter(|&point| !after.contains(&Some(point))) {
                let line: Vec<usize> = std::iter::successors(Some(first), |&point| after[point]).collect();
                lines.extend(<[usize; 3]>::try_from(line));
            }
        }
        let others = |point| {
            let through = lines.iter().filter(move |line: &&[usize; 3]| line.contains(&point));
            through.map(move |line| {
                let mut others = line.iter().copied().filter(|&other| other != point);
                [others.next().expect("three points"), others.next().expect("three points")]
            })
        };
        let partners = (0..points.len()).map(|point| others(point).collect()).collect();
        Self { next, lines, partners }
    }

    pub(crate) fn points(&self) -> usize {
        self.next.len()
    }

    /// The permutations of the points that keep the lines, and the neighbours as well if `keep_neighbours`.
    pub(crate) fn symmetries(&self, keep_neighbours: bool) -> Vec<Vec<usize>> {
        let (mut found, mut open) = (Vec::new(), vec![Vec::new()]);
        while let Some(images) = open.pop() {
            if images.len() == self.points() {
                found.push(images);
                continue;
            }
            for image in (0..self.points()).filter(|image| !images.contains(image)) {
                let mut longer: Vec<usize> = images.clone();
                longer.push(image);
                if self.is_kept(&longer, keep_neighbours) {
                    open.push(longer);
                }
            }
        }
        found
    }

    /// Returns whether the last of `images`, those of the first points, fits the images before it.
    fn is_kept(&self, images: &[usize], keep_neighbours: bool) -> bool {
        let (last, image) = (images.len() - 1, images[images.len() - 1]);
        let is_line = |mut line: [usize; 3]| {
            line.sort_unstable();
            self.lines.iter().any(|known| {
                let mut known = *known;
                known.sort_unstable();
                known == line
            })
        };
        let in_one_line = |a: usize, b: usize| self.partners[a].iter().any(|others| others.contains(&b));
        (0..last).all(|other| {
            (!keep_neighbours || self.next[last].contains(&other) == self.next[image].contains(&images[other]))
                && in_one_line(last, other) == in_one_line(image, images[other])
        }) && self.partners[last].iter().all(|others| {
            others.iter().any(|&other| other >= last) || is_line([image, images[others[0]], images[others[1]]])
        }) && self.partners[last].len() == self.partners[image].len()
    }
}

#[test]
fn boards_of_the_rules() {
    let facts = |text| {
        let drawing = Drawing::read(text);
        let strokes = drawing.next.iter().map(Vec::len).sum::<usize>() / 2;
        let symmetries = [true, false].map(|keep_neighbours| drawing.symmetries(keep_neighbours).len());
        (drawing.points(), strokes, drawing.lines.len(), symmetries)
    };
    // Turns and reflections of the square, the inside turned out, and with lines alone any order of the three squares.
    assert_eq!(facts(NINE_POINTS), (9, 16, 8, [8, 8]));
    assert_eq!(facts(TWO_SQUARES), (16, 20, 8, [16, 128]));
    assert_eq!(facts(THREE_SQUARES), (24, 32, 16, [16, 48]));
}
