//! Tables by the nibbles of a board, four bits each, for what would otherwise be asked of a board bit by bit or mask by mask.

/// The nibbles of a board, the lowest first, each with its place.
fn nibbles(cells: u32, board: u128) -> impl Iterator<Item = usize> {
    (0..cells.div_ceil(4) as usize).map(move |at| 16 * at + (board >> (4 * at) & 15) as usize)
}

/// For each nibble and each of its contents, a row of words.
#[derive(Default)]
struct Rows {
    cells: u32,
    /// The words of a row.
    width: usize,
    words: Vec<u64>,
}

impl Rows {
    /// `word` gets the first bit of a nibble, a board on which the other nibbles are 0, and a place of the row.
    fn new(cells: u32, width: usize, word: impl Fn(u32, u128, usize) -> u64) -> Self {
        let all = u128::MAX >> (128 - cells);
        let contents = |shift: u32| (0..16).map(move |content| (shift, content << shift & all));
        let boards = (0..cells).step_by(4).flat_map(contents);
        let words = boards.flat_map(|(shift, board)| (0..width).map(move |at| (shift, board, at)));
        Self { cells, width, words: words.map(|(shift, board, at)| word(shift, board, at)).collect() }
    }

    /// The rows for a board.
    fn of(&self, board: u128) -> impl Iterator<Item = &[u64]> {
        nibbles(self.cells, board).map(|row| &self.words[row * self.width..][..self.width])
    }
}

/// Many tests of a board: whether cells are empty, and others full.
#[derive(Default)]
pub(crate) struct Tests(Rows);

impl Tests {
    /// The tests that the cells of the first mask are empty, and those of the second mask full.
    pub(crate) fn new(cells: u32, masks: &[[u128; 2]]) -> Self {
        let passes =
            |shift: u32, board: u128, [empty, full]: [u128; 2]| board & empty | !board & full & 15 << shift == 0;
        let word = |shift: u32, board: u128, at: usize| {
            let tests = masks[64 * at..].iter().take(64);
            tests.enumerate().map(|(bit, &test)| u64::from(passes(shift, board, test)) << bit).sum()
        };
        Self(Rows::new(cells, masks.len().div_ceil(64), word))
    }

    /// The numbers of the tests that the board passes, in order.
    pub(crate) fn passed(&self, board: u128) -> impl Iterator<Item = usize> {
        (0..self.0.width).flat_map(move |at| {
            let some = |left: u64, row: &[u64]| Some(left & row[at]).filter(|&left| left != 0);
            let mut left = self.0.of(board).try_fold(u64::MAX, some).unwrap_or(0);
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(64 * at + bit)
            })
        })
    }
}

/// The images of a board under several permutations of its bits, 64 bits after the other.
#[derive(Default)]
pub(crate) struct Images(Vec<Rows>);

impl Images {
    /// `image` is the image of a board under the permutation with this number, below `count`.
    pub(crate) fn new(cells: u32, count: usize, image: impl Fn(usize, u128) -> u128) -> Self {
        let part = |shift: u32| Rows::new(cells, count, |_, board, number| (image(number, board) >> shift) as u64);
        Self((0..cells).step_by(64).map(part).collect())
    }

    pub(crate) fn of(&self, board: u128) -> impl Iterator<Item = u128> {
        let part = |rows: &Rows| {
            let mut images = vec![0; rows.width];
            for row in rows.of(board) {
                images.iter_mut().zip(row).for_each(|(image, part)| *image |= part);
            }
            images
        };
        let parts: Vec<Vec<u64>> = self.0.iter().map(part).collect();
        let image = move |at| parts.iter().rev().fold(0, |image, part| image << 64 | u128::from(part[at]));
        (0..self.0.first().map_or(0, |rows| rows.width)).map(image)
    }
}
