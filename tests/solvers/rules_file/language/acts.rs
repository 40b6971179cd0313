//! The acts of a player: what a move requires and changes, in the words of the documentation.

use std::collections::BTreeSet;

use super::board::{Board, Placed, look, put, step, steps};
use super::file::{Act, Along, At, COLOURS, Cell, File, MoveTable, Neighbours, Span};

/// One way to make a move.
pub(super) struct Try {
    /// The board after it.
    pub(super) after: Board,
    /// The squares where a piece arrives, or that the move blocks.
    pub(super) arrives: Vec<At>,
    /// The squares that a piece of the mover leaves.
    pub(super) leaves: Vec<At>,
    /// The squares of which a piece is taken.
    pub(super) takes: Vec<At>,
    /// The squares where the drawing wants a piece of the mover that stays.
    pub(super) stays: Vec<At>,
    /// Every square that the drawing changes.
    pub(super) changes: Vec<At>,
    /// The squares that `on` speaks of, if they are not those where a piece arrives.
    pub(super) lies: Option<Vec<At>>,
}

impl Try {
    fn of(board: &Board) -> Self {
        Self {
            after: board.clone(),
            arrives: Vec::new(),
            leaves: Vec::new(),
            takes: Vec::new(),
            stays: Vec::new(),
            changes: Vec::new(),
            lies: None,
        }
    }

    fn arrive(&mut self, at: At, colour: char) {
        put(&mut self.after, at, colour);
        self.arrives.push(at);
        self.changes.push(at);
    }

    fn leave(&mut self, at: At) {
        put(&mut self.after, at, '.');
        self.leaves.push(at);
        self.changes.push(at);
    }

    /// The squares that `on` speaks of.
    pub(super) fn main(&self) -> Vec<At> {
        let arrives =
            if self.arrives.is_empty() { [&self.leaves[..], &self.takes].concat() } else { self.arrives.clone() };
        self.lies.clone().unwrap_or(arrives)
    }

    /// The square of a letter in the name of a mode.
    pub(super) fn letter(&self, letter: char) -> Option<At> {
        let squares = match letter {
            'X' => &self.arrives,
            'L' => &self.leaves,
            _ => &self.stays,
        };
        squares.iter().min().copied()
    }

    /// Puts `sign` on a square where no piece arrives.
    fn change(&mut self, at: At, sign: char) {
        put(&mut self.after, at, sign);
        self.changes.push(at);
    }
}

impl File {
    /// The ways in which the board and the keys of the act itself allow the move.
    pub(super) fn tries(&self, table: &MoveTable, board: &Board, mover: usize) -> Vec<Try> {
        let (own, other) = (self.colour(mover), self.colour(1 - mover));
        let squares = &self.squares;
        let along = |default: &[Along]| -> Vec<At> {
            table.frame.along.as_deref().unwrap_or(default).iter().flat_map(steps).collect()
        };
        let straight = || along(&[Along::Rows, Along::Columns]);
        let drawn = |places: &[Placed]| -> Vec<Try> {
            places.iter().filter_map(|placed| self.drawn(table, board, placed.clone(), [own, other])).collect()
        };
        // Lines of squares from each square, with the signs of the first, of those between and of the last.
        let lines = |[least, most]: Span, signs: [char; 3]| -> Vec<Placed> {
            let ways = squares.all().into_iter().flat_map(|from| straight().into_iter().map(move |by| (from, by)));
            let line = |(from, by): (At, At), length: i32| {
                (0..=length)
                    .map(|times| {
                        (
                            step(from, by, times),
                            if times == 0 { signs[0] } else { signs[1 + usize::from(times == length)] },
                        )
                    })
                    .collect::<Placed>()
            };
            let all = ways.flat_map(|way| (least..=most).map(move |length| line(way, length)));
            all.filter(|placed| placed.iter().all(|&(at, _)| squares.has(at))).collect()
        };
        match &table.act {
            Act::Shape(shape) => drawn(squares.placements(shape, &table.frame)),
            Act::Line([least, most]) => drawn(&lines([least - 1, most - 1], ['X', 'X', 'X'])),
            Act::Slide(far, false) => drawn(&lines(*far, ['L', 'o', 'X'])),
            Act::Slide(far, true) => {
                // The next square is no free square.
                let stopped = |mut line: Placed| {
                    let (from, last) = (line[0].0, line[line.len() - 1].0);
                    let before = line[line.len() - 2].0;
                    let beyond = (2 * last.0 - before.0, 2 * last.1 - before.1);
                    assert!(from != last);
                    line.push((beyond, '|'));
                    line
                };
                drawn(&lines(*far, ['L', 'o', 'X']).into_iter().map(stopped).collect::<Vec<_>>())
            }
            Act::Shoot(far) => drawn(&lines(*far, ['M', 'o', 'B'])),
            Act::Push(lengths, enters) => {
                let lines = lines([lengths[0] - 1, lengths[1] - 1], ['.', '.', '.']).into_iter();
                let lines = lines.map(|line| line.into_iter().map(|it| it.0).collect::<Vec<At>>());
                lines.filter_map(|line| self.pushed(board, &line, *enters, own)).collect()
            }
            Act::Outflanks => {
                let steps = along(&[Along::Rows, Along::Columns, Along::Diagonals]);
                let free = squares.all().into_iter().filter(|&at| look(board, at) == Some('.'));
                let turned = |from: At| {
                    let line = |by: &At| -> Vec<At> {
                        let squares = (1..).map(|times| step(from, *by, times));
                        let others: Vec<At> = squares.take_while(|&at| look(board, at) == Some(other)).collect();
                        let last = step(from, *by, others.len() as i32 + 1);
                        if look(board, last) == Some(own) { others } else { Vec::new() }
                    };
                    steps.iter().flat_map(line).collect::<Vec<At>>()
                };
                let place = |from: At| {
                    let turned = turned(from);
                    let mut it = Try::of(board);
                    it.arrive(from, own);
                    turned.iter().for_each(|&at| it.change(at, own));
                    (!turned.is_empty()).then_some(it)
                };
                free.filter_map(place).collect()
            }
            Act::Lifts(shape) => {
                let places = squares.placements(shape, &table.frame).iter();
                let places: BTreeSet<BTreeSet<At>> =
                    places.map(|placed| placed.iter().map(|it| it.0).collect()).collect();
                let lifted = places.iter().filter(|from| from.iter().all(|&at| look(board, at) == Some(own)));
                // On a square that the piece covers before and after, it stays.
                let lay = |(from, to): (&BTreeSet<At>, &BTreeSet<At>)| {
                    let mut it = Try::of(board);
                    from.difference(to).for_each(|&at| it.leave(at));
                    it.stays.extend(from.intersection(to));
                    let fits = from != to && to.difference(from).all(|&at| look(board, at) == Some('.'));
                    to.difference(from).for_each(|&at| it.arrive(at, own));
                    it.lies = Some(to.iter().copied().collect());
                    fits.then_some(it)
                };
                lifted.flat_map(|from| places.iter().map(move |to| (from, to))).filter_map(lay).collect()
            }
            Act::Take(numbers, from_each) => {
                numbers.iter().flat_map(|&number| self.taken(board, number, *from_each)).collect()
            }
            Act::Cells { fills, clears, empty, full } => {
                let fits = empty.as_ref().unwrap_or(fills).iter().all(|&cell| !self.is_filled(board, cell))
                    && clears.iter().chain(full).all(|&cell| self.is_filled(board, cell));
                fits.then(|| self.with_cells(board, fills, clears)).into_iter().collect()
            }
            Act::Pass { empty, full } => {
                let fits = empty.iter().all(|&cell| !self.is_filled(board, cell))
                    && full.iter().all(|&cell| self.is_filled(board, cell));
                fits.then(|| Try::of(board)).into_iter().collect()
            }
        }
    }

    /// A drawing whose signs fit the board.
    fn drawn(&self, table: &MoveTable, board: &Board, mut placed: Placed, [own, other]: [char; 2]) -> Option<Try> {
        let signed = |signs: &str| placed.iter().filter(|it| signs.contains(it.1)).map(|it| it.0).collect::<Vec<At>>();
        let arrives = Some(signed("XCB")).filter(|all| !all.is_empty()).unwrap_or_else(|| signed("LT"));
        let around = arrives.iter().flat_map(|&at| self.squares.beside(at)).filter(|at| !arrives.contains(at));
        let around: BTreeSet<At> = around.collect();
        if let Some(Neighbours::Sign(sign)) = table.neighbours {
            placed.extend(around.iter().map(|&at| (at, sign)));
        }
        let mut it = Try::of(board);
        for &(at, sign) in &placed {
            let found = look(board, at);
            let fits = match sign {
                'X' | 'o' | 'B' => found == Some('.'),
                '-' => matches!(found, None | Some('.')),
                'L' | 'M' => found == Some(own),
                'm' => found != Some(own),
                'Y' | 'T' | 'C' => found == Some(other),
                'y' => found != Some(other),
                'F' => found.is_some_and(|found| found != '.'),
                '#' => found.is_none(),
                '|' => found != Some('.'),
                _ => true,
            };
            if !fits {
                return None;
            }
            match sign {
                'X' | 'C' => it.arrive(at, own),
                'L' => it.leave(at),
                'T' => {
                    it.change(at, '.');
                    it.takes.push(at);
                }
                'M' | 'F' => it.stays.push(at),
                'B' => it.arrive(at, '*'),
                '+' if found.is_some() => it.change(at, 'X'),
                _ => {}
            }
        }
        if let Some(Neighbours::Counts(counts)) = &table.neighbours {
            let fits = |(sign, [least, most]): &(char, Span)| {
                let counted = |at: &&At| {
                    let found = look(board, **at);
                    found
                        == Some(match sign {
                            'o' => '.',
                            'Y' => other,
                            _ => own,
                        })
                };
                let also = self.also(table, &it.arrives);
                let count =
                    around.iter().filter(|at| !it.changes.contains(at) && !also.contains(at)).filter(counted).count()
                        as i32;
                (*least..=*most).contains(&count)
            };
            if !counts.iter().all(fits) {
                return None;
            }
        }
        Some(it)
    }

    /// The line one square further towards its first square.
    fn pushed(&self, board: &Board, line: &[At], enters: bool, own: char) -> Option<Try> {
        let (first, last) = (line[0], line[line.len() - 1]);
        let by = (last.0 - line[line.len() - 2].0, last.1 - line[line.len() - 2].1);
        let out = look(board, first)?;
        let is_from_edge = !self.squares.has(step(last, by, 1));
        let comes_out = out == own || (enters && out == '.');
        if !is_from_edge || !comes_out || line.iter().any(|&at| look(board, at) == Some('*')) {
            return None;
        }
        let mut it = Try::of(board);
        for pair in line.windows(2) {
            let sign = look(board, pair[1])?;
            it.change(pair[0], sign);
        }
        it.change(last, if enters { own } else { '.' });
        it.lies = Some(vec![first]);
        Some(it)
    }

    /// The squares taken from heaps, which are rows, or the parts of a row between holes.
    fn taken(&self, board: &Board, number: i32, from_each: bool) -> Vec<Try> {
        let firsts = self.squares.all().into_iter().filter(|&at| !self.squares.has(step(at, (0, 1), -1)));
        let heap = |first: At| -> Option<Vec<At>> {
            let squares = (0..).map(|times| step(first, (0, 1), times)).take_while(|&at| self.squares.has(at));
            let free: Vec<At> = squares.filter(|&at| look(board, at) == Some('.')).collect();
            free.len().checked_sub(number as usize).map(|rest| free[rest..].to_vec())
        };
        let heaps: Vec<Option<Vec<At>>> = firsts.map(heap).collect();
        let taken: Vec<Vec<At>> = if from_each {
            heaps.into_iter().collect::<Option<Vec<_>>>().map(|all| all.concat()).into_iter().collect()
        } else {
            heaps.into_iter().flatten().collect()
        };
        let fill = |squares: Vec<At>| {
            let mut it = Try::of(board);
            squares.into_iter().for_each(|at| it.arrive(at, 'X'));
            it
        };
        taken.into_iter().map(fill).collect()
    }

    fn is_filled(&self, board: &Board, (colour, at): Cell) -> bool {
        look(board, at).is_some_and(|found| found == colour || found == '*')
    }

    fn with_cells(&self, board: &Board, fills: &[Cell], clears: &[Cell]) -> Try {
        let mut it = Try::of(board);
        for (cells, filled) in [(clears, false), (fills, true)] {
            for &(colour, at) in cells {
                let other = COLOURS[usize::from(colour == COLOURS[0])];
                let has_other = self.is_filled(&it.after, (other, at));
                let sign = match (filled, has_other) {
                    (true, true) => '*',
                    (true, false) => colour,
                    (false, true) => other,
                    (false, false) => '.',
                };
                it.change(at, sign);
                if filled { it.arrives.push(at) } else { it.leaves.push(at) }
            }
        }
        it
    }
}
