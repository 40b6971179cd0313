//! The symmetries of a grid of squares, computed from rows and columns without the library.

use tablegen::rules::Board;

/// The image of the square in row `row` and column `col`, on a board of `rows` by `cols` squares.
type Symmetry = fn(u32, u32, u32, u32) -> (u32, u32);

/// The four symmetries of a rectangle: identity, mirror, flip and half turn. Then the four that only a square has: the
/// transposition, composed with each of the first four.
const SYMMETRIES: [Symmetry; 8] = [
    |r, c, _, _| (r, c),
    |r, c, _, cols| (r, cols - 1 - c),
    |r, c, rows, _| (rows - 1 - r, c),
    |r, c, rows, cols| (rows - 1 - r, cols - 1 - c),
    |r, c, _, _| (c, r),
    |r, c, _, cols| (c, cols - 1 - r),
    |r, c, rows, _| (rows - 1 - c, r),
    |r, c, rows, cols| (rows - 1 - c, cols - 1 - r),
];

/// For each symmetry, the image of each bit of a board with `planes` bits per square. Each plane is in reading order,
/// from its most significant bit.
pub(crate) fn bit_maps(rows: u32, cols: u32, planes: u32) -> Vec<Vec<u32>> {
    let squares = rows * cols;
    let image = |bit: u32, symmetry: Symmetry| {
        let (plane, place) = (bit / squares, squares - 1 - bit % squares);
        let (row, col) = symmetry(place / cols, place % cols, rows, cols);
        plane * squares + squares - 1 - (row * cols + col)
    };
    let symmetries = &SYMMETRIES[..if rows == cols { 8 } else { 4 }];
    symmetries.iter().map(|&symmetry| (0..planes * squares).map(|bit| image(bit, symmetry)).collect()).collect()
}

/// The board with each bit moved to the place that `map` names.
pub(crate) fn image(board: Board, map: &[u32]) -> Board {
    Board::from_word(board.bits().fold(0, |image, bit| image | 1 << map[bit as usize]))
}
