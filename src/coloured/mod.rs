//! Positions of two-colour games: which squares are occupied, and how they are coloured.
//!
//! A square that either of two players can mark takes two cells of the board, one for each colour, and no play fills both.
//! So it has three states and not four: 3^16 positions for sixteen squares where boards would be 2^32. [`Squares`] finds such
//! pairs of cells in the rules; a cell without a partner is a square of its own, with two states.
//!
//! A position is then a set of occupied squares and a colouring of those among them that are pairs. The colourings of a set
//! stand side by side: bit `i` of a colouring is the colour of the `i`-th occupied pair, counted from the lowest.
//!
//! ```text
//! squares      5 4 3 2 1 0                 colouring  0 0   0 1   1 0   1 1
//! a set        . # . . # .   (0b010010)    square 4   a     a     b     b
//!                                          square 1   a     b     a     b
//! ```
//!
//! Sets follow each other by number, each with its colourings in whole words. A move occupies squares, so
//! each successor lies further up, as it does on boards.
//!
//! Up to symmetry, regions of sets stand for one another ([`SquareFold`]).

mod bits;
mod fold;
mod frame;
mod offsets;
mod squares;

pub(crate) use bits::{gathered, scattered};
pub use fold::SquareFold;
pub(crate) use fold::SquareSymmetry;
pub(crate) use frame::MOST_SQUARES;
pub use frame::{Frame, Place};
pub(crate) use offsets::Offsets;
pub use squares::{Square, Squares, Unpaired};

/// Colourings in a word of bits; a set has whole words.
pub(crate) const WORD: u64 = 64;
/// The power of two that [`WORD`] is.
pub(crate) const WORD_LOG: u32 = 6;
