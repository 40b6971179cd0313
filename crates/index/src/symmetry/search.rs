//! A search for the least image of a board under all permutations of points, point by point.
//!
//! Boards are compared row by row ([`points`](super::points)). The row of the first point marks its neighbours among
//! the other points. It is least if the neighbours come last. So it splits the other points into two blocks, and later
//! steps only permute points within blocks:
//!
//! ```text
//! blocks of points      first row        the candidates are the points whose row is least;
//! [ a b c d e f ]       0 0 0 1 1        with a first and its neighbours c, f last: [ b d e ] [ c f ] …
//! ```
//!
//! The next point comes from the first block and has the least row: the fewest neighbours in the first block, then in the second,
//! and so on. If several points have the least row, each is tried. *Twins* are points whose exchange leaves the rest of the board
//! unchanged, so only one of them is tried. The number of permutations that lead to the least image equals the number that
//! leave the board unchanged.

use crate::rules::Board;

/// Maximum number of points: a set of points is a word of 16 bits.
pub(super) const MOST: usize = 16;
/// Maximum number of kinds of cells that belong to one point, and of kinds of neighbours.
pub(super) const KINDS: usize = 4;

/// The points that a cell or a mode belongs to. Kinds are counted from 0, separately for one point and for two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// No point: every permutation leaves the cell or mode in its place.
    Fixed,
    /// A point.
    One { kind: u8, point: u8 },
    /// Two points. If the pair is ordered, `to` is a neighbour of `from` of this kind, and `from` is a neighbour of `to` of the next kind.
    Two { kind: u8, from: u8, to: u8, is_ordered: bool },
}

/// The points of a group, and the cells and modes that belong to them.
pub(super) struct Search {
    lots: Vec<u16>,
    of_cell: Vec<Role>,
    of_mode: Vec<Role>,
    /// For each kind of cell with one point, the points that have such a cell.
    ones: Vec<u16>,
    /// For each kind of neighbour and each point, the possible neighbours.
    twos: Vec<[u16; MOST]>,
    fixed: Board,
    /// The cells in the order in which they are compared, the most significant first.
    order: Vec<u8>,
    order_of_modes: Vec<u16>,
    /// The number of cells from each row to the end of the comparison.
    rest: Vec<u32>,
    /// True if cells are compared in the order of their bits.
    is_natural: bool,
    /// The mode of each kind at the first point of each lot.
    first_modes: Vec<(Role, u16)>,
}

/// The contents of a board, point by point.
struct Marks {
    ones: [u16; KINDS],
    twos: [[u16; MOST]; KINDS],
}

/// The points that are not placed yet, in the order of their places.
#[derive(Clone, Copy)]
struct PointBlocks {
    /// The last entry is a dummy: it takes writes of empty blocks.
    blocks: [u16; MOST + 1],
    count: usize,
}

struct Best {
    image: u64,
    hits: u64,
}

impl Search {
    /// The search for lots with these numbers of points, given the roles of cells and modes. `None` if a mode belongs to two points, or
    /// if more than 64 cells are compared.
    pub(super) fn new(lots: &[usize], of_cell: &[Role], of_mode: &[Role]) -> Option<Self> {
        if of_mode.iter().any(|role| matches!(role, Role::Two { .. })) {
            return None;
        }
        let points: usize = lots.iter().sum();
        let firsts = lots.iter().scan(0, |next, lot| Some(std::mem::replace(next, *next + lot)));
        let of_lot = |(first, &lot): (usize, &usize)| (((1u32 << lot) - 1) << first) as u16;
        let (mut ones, mut twos) = (vec![0; KINDS], vec![[0; MOST]; KINDS]);
        let mut fixed = Board::EMPTY;
        for (bit, &role) in (0..).zip(of_cell) {
            match role {
                Role::Fixed => fixed |= Board::bit(bit),
                Role::One { kind, point } => ones[usize::from(kind)] |= 1 << point,
                Role::Two { kind, from, to, is_ordered } => {
                    twos[usize::from(kind)][usize::from(from)] |= 1 << to;
                    twos[usize::from(kind) + usize::from(is_ordered)][usize::from(to)] |= 1 << from;
                }
            }
        }
        let used = |mask: &[u16]| mask.iter().any(|&points| points != 0);
        ones.truncate(ones.iter().rposition(|&mask| mask != 0).map_or(0, |last| last + 1));
        twos.truncate(twos.iter().rposition(|masks| used(masks)).map_or(0, |last| last + 1));
        let mut order: Vec<u8> = fixed.bits().map(|bit| bit as u8).collect();
        order.reverse();
        let mut starts = Vec::new();
        for point in 0..points as u8 {
            starts.push(order.len());
            // A row has first the cells of the point alone, then its neighbours among the later points, kind by kind.
            let place = |role: &Role| match *role {
                Role::One { kind, point: at } if at == point => Some((0, kind, 0)),
                Role::Two { kind, from, to, .. } if from == point && to > point => Some((1, kind, to)),
                Role::Two { kind, from, to, is_ordered } if to == point && from > point => {
                    Some((1, kind + u8::from(is_ordered), from))
                }
                _ => None,
            };
            let mut row: Vec<_> = (0..).zip(of_cell).filter_map(|(bit, role)| Some((place(role)?, bit))).collect();
            row.sort_unstable();
            order.extend(row.into_iter().map(|(_, bit)| bit));
        }
        let rest: Vec<u32> = starts.iter().map(|start| (order.len() - start) as u32).chain([0]).collect();
        // An image is one machine word.
        if rest[0] > u64::BITS {
            return None;
        }
        let is_natural = order.iter().rev().copied().eq(0..of_cell.len() as u8);
        let masks = firsts.zip(lots).map(of_lot).collect::<Vec<_>>();
        let is_first = |role: &Role| match role {
            Role::One { point, .. } => masks.iter().any(|mask| mask.trailing_zeros() == u32::from(*point)),
            _ => false,
        };
        let first_modes = (0..).zip(of_mode).filter(|(_, role)| is_first(role)).map(|(mode, &role)| (role, mode));
        let first_modes = first_modes.collect();
        let mut order_of_modes: Vec<u16> = (0..of_mode.len() as u16).collect();
        order_of_modes.sort_by_key(|&mode| match of_mode[usize::from(mode)] {
            Role::One { kind, point } => (1, u16::from(kind), point),
            _ => (0, mode, 0),
        });
        let (of_cell, of_mode) = (of_cell.to_vec(), of_mode.to_vec());
        Some(Self {
            lots: masks,
            of_cell,
            of_mode,
            ones,
            twos,
            fixed,
            order,
            order_of_modes,
            rest,
            is_natural,
            first_modes,
        })
    }

    /// The cells in the order in which they are compared.
    pub(super) fn order_of_cells(&self) -> &[u8] {
        &self.order
    }

    /// The modes in the order in which they are compared; modes of one kind are ordered by their points.
    pub(super) fn order_of_modes(&self) -> &[u16] {
        &self.order_of_modes
    }

    /// The least image of `board` in `mode`, and the number of permutations that leave the position unchanged.
    pub(super) fn least(&self, mode: u16, board: Board) -> (u16, Board, u64) {
        let marks = self.marks(board);
        let mut blocks = PointBlocks::NONE;
        let mut image = mode;
        match self.of_mode[usize::from(mode)] {
            Role::One { kind, point } => {
                for &lot in &self.lots {
                    // The point of the mode comes first in its lot.
                    blocks.push(lot & 1 << point);
                    blocks.push(lot & !(1 << point));
                    if lot >> point & 1 == 1 {
                        let role = Role::One { kind, point: lot.trailing_zeros() as u8 };
                        let found = self.first_modes.iter().find(|(of, _)| *of == role);
                        image = found.map_or(mode, |&(_, mode)| mode);
                    }
                }
            }
            _ => self.lots.iter().for_each(|&lot| blocks.push(lot)),
        }
        let mut best = Best { image: u64::MAX, hits: 0 };
        self.place(&marks, blocks, 0, 0, 1, &mut best);
        (image, self.board(board & self.fixed, best.image), best.hits)
    }

    fn marks(&self, board: Board) -> Marks {
        let mut marks = Marks { ones: [0; KINDS], twos: [[0; MOST]; KINDS] };
        for bit in board.bits() {
            match self.of_cell[bit as usize] {
                Role::Fixed => {}
                Role::One { kind, point } => marks.ones[usize::from(kind)] |= 1 << point,
                Role::Two { kind, from, to, is_ordered } => {
                    marks.twos[usize::from(kind)][usize::from(from)] |= 1 << to;
                    marks.twos[usize::from(kind) + usize::from(is_ordered)][usize::from(to)] |= 1 << from;
                }
            }
        }
        marks
    }

    /// The board with `fixed` and the compared cells of `image`.
    fn board(&self, fixed: Board, image: u64) -> Board {
        if self.is_natural {
            return fixed | Board::from_word(image);
        }
        let compared = self.order.iter().rev();
        let image = compared.enumerate().filter(|(at, _)| image.checked_shr(*at as u32).unwrap_or(0) & 1 == 1);
        fixed | image.map(|(_, &bit)| Board::bit(bit.into())).filter(|bit| self.fixed.is_disjoint(*bit)).collect()
    }

    /// Places the points of `blocks`; the first point gets row number `row`, and `image` has the rows before it. Each least image
    /// found counts for `times` permutations.
    fn place(
        &self,
        marks: &Marks,
        mut blocks: PointBlocks,
        mut row: usize,
        mut image: u64,
        mut times: u64,
        best: &mut Best,
    ) {
        while blocks.count > 0 {
            let first = blocks.blocks[0];
            let length = self.rest[row] - self.rest[row + 1];
            let mut ties = if first & (first - 1) == 0 { first } else { self.least_rows(marks, &blocks) };
            loop {
                let point = ties.trailing_zeros() as usize;
                let twins = if ties & (ties - 1) == 0 { ties } else { self.twins(marks, point, ties) };
                ties &= !twins;
                let (found, after) = self.row(marks, &blocks, point);
                let longer = image.checked_shl(length).unwrap_or(0) | found;
                // Stop if a smaller image is already known.
                let is_worth = best.hits == 0 || longer <= best.image >> self.rest[row + 1];
                let times_here = times * u64::from(COUNTS[usize::from(twins)]);
                if ties == 0 {
                    if !is_worth {
                        return;
                    }
                    (blocks, image, times) = (after, longer, times_here);
                    break;
                }
                if is_worth {
                    self.place(marks, after, row + 1, longer, times_here, best);
                }
            }
            row += 1;
        }
        if best.hits == 0 || image < best.image {
            *best = Best { image, hits: times };
        } else if image == best.image {
            best.hits += times;
        }
    }

    /// The points of the first block whose row is least if they come first.
    #[inline(always)]
    fn least_rows(&self, marks: &Marks, blocks: &PointBlocks) -> u16 {
        let (mut least, mut ties) = (u64::MAX, 0u16);
        let mut rest = blocks.blocks[0];
        while rest != 0 {
            let point = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let found = match self.twos[..] {
                [can] => self.row_of_one_kind(marks, blocks, point, can[point]),
                _ => self.row(marks, blocks, point).0,
            };
            if found <= least {
                ties = if found < least { 0 } else { ties } | 1 << point;
                least = found;
            }
        }
        ties
    }

    /// The row of `point` in the first place, if there is only one kind of neighbours.
    #[inline(always)]
    fn row_of_one_kind(&self, marks: &Marks, blocks: &PointBlocks, point: usize, can: u16) -> u64 {
        let mut row = self.ones_of(marks, point);
        let marked = marks.twos[0][point];
        for &block in &blocks.blocks[..blocks.count] {
            let block = block & can;
            row = row << COUNTS[usize::from(block)] | LAST[usize::from(COUNTS[usize::from(block & marked)])];
        }
        row
    }

    /// The beginning of the row of `point`: the cells that belong to it alone.
    #[inline(always)]
    fn ones_of(&self, marks: &Marks, point: usize) -> u64 {
        let mut row = 0;
        for (has, marked) in self.ones.iter().zip(&marks.ones) {
            row = row << (has >> point & 1) | u64::from(marked >> point & 1);
        }
        row
    }

    /// The row of `point` in the first place, and the blocks of the points after it.
    #[inline(always)]
    fn row(&self, marks: &Marks, blocks: &PointBlocks, point: usize) -> (u64, PointBlocks) {
        let mut row = self.ones_of(marks, point);
        let mut after = PointBlocks::NONE;
        after.push(blocks.blocks[0] & !(1 << point));
        for &block in &blocks.blocks[1..blocks.count] {
            after.push(block);
        }
        for (can, marked) in self.twos.iter().zip(&marks.twos) {
            let (can, marked) = (can[point], marked[point]);
            let mut parted = PointBlocks::NONE;
            for &block in &after.blocks[..after.count] {
                let near = block & marked;
                // Either every point of a block can have such a neighbour, or none can.
                row = row << COUNTS[usize::from(block & can)] | LAST[usize::from(COUNTS[usize::from(near)])];
                parted.push(block & !marked);
                parted.push(near);
            }
            after = parted;
        }
        (row, after)
    }

    /// The twins of `point` among `ties`, including itself. All of `ties` are in one block, so they have the same neighbours among the
    /// placed points.
    #[inline(always)]
    fn twins(&self, marks: &Marks, point: usize, ties: u16) -> u16 {
        let mut twins = 1 << point;
        let mut rest = ties & !twins;
        while rest != 0 {
            let other = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let both = 1u16 << point | 1 << other;
            let is_twin = |marked: &[u16; MOST]| {
                let are_alike = (marked[point] ^ marked[other]) & !both == 0;
                are_alike && marked[point] >> other & 1 == marked[other] >> point & 1
            };
            let is_one = |marked: &u16| marked >> point & 1 == marked >> other & 1;
            if marks.ones.iter().all(is_one) && marks.twos[..self.twos.len()].iter().all(is_twin) {
                twins |= 1 << other;
            }
        }
        twins
    }
}

/// The number of points in each set. This is a table because not every machine has the instruction.
static COUNTS: [u8; 1 << MOST] = {
    let mut counts = [0; 1 << MOST];
    let mut set = 1;
    while set < counts.len() {
        counts[set] = counts[set / 2] + (set % 2) as u8;
        set += 1;
    }
    counts
};

/// For each number of neighbours, the end of a row in which the neighbours come last.
static LAST: [u64; MOST + 1] = {
    let mut last = [0; MOST + 1];
    let mut count = 1;
    while count <= MOST {
        last[count] = last[count - 1] << 1 | 1;
        count += 1;
    }
    last
};

impl PointBlocks {
    const NONE: Self = Self { blocks: [0; MOST + 1], count: 0 };

    /// Appends `block`, unless it is empty.
    #[inline(always)]
    fn push(&mut self, block: u16) {
        // The entry is always written, because a branch here would be mispredicted.
        self.blocks[self.count] = block;
        self.count += usize::from(block != 0);
    }
}
