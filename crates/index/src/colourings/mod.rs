//! Positions of two-colour games: occupied sets and their colourings.
//!
//! A square that two players can mark takes two cells of the board, one for each colour, and no line of play fills both. So it has
//! three states, not four: sixteen squares have 3^16 positions, while their cells have 2^32 boards. [`Squares`] finds such
//! pairs of cells in the rules. A cell without a partner is a square with two states.
//!
//! A position is then an occupied set and a colouring of its pairs. The colourings of a set are stored side by side: bit `i` of a
//! colouring is the colour of the `i`-th occupied pair, counted from the lowest.
//!
//! ```text
//! squares      5 4 3 2 1 0                 colouring  0 0   0 1   1 0   1 1
//! a set        . # . . # .   (0b010010)    square 4   a     a     b     b
//!                                          square 1   a     b     a     b
//! ```
//!
//! Only the sets that play can have are stored ([`Sets`]): where pieces fall, no square is occupied above a free one. They are stored
//! by ascending number, each with its colourings in whole words. A move occupies squares, so each successor has a higher address,
//! as in a dense table.
//!
//! On large boards some squares are split into one square for each colour ([`Frame::split`]), so that slices of sets are small enough
//! for memory. Up to symmetry, slices represent each other ([`SquareFold`]).

mod bits;
mod fold;
mod frame;
mod numbered;
mod offsets;
mod sets;
mod shape;
mod split;
mod squares;

pub use bits::{gathered, scattered};
pub use fold::SquareFold;
pub use fold::SquareSymmetry;
pub use frame::MOST_SQUARES;
pub use frame::{Frame, Place};
pub use numbered::{MOST_LISTED, Numbered};
pub(crate) use offsets::Offsets;
pub use sets::Sets;
pub use shape::ColouredShape;
pub use squares::{Square, Squares, Unpaired};

/// Colourings in a word of bits; a set has whole words.
pub const WORD: u64 = 64;
/// Binary logarithm of [`WORD`].
pub const WORD_LOG: u32 = 6;
