//! Values of boards: for each board a number in a dictionary of canonical forms.
//!
//! In normal play the value of a board says who wins it in any sum of games (Conway, On Numbers and Games). A solver finds the values, a
//! table stores them, and every reader looks them up here. This module knows numbers only; `tablegen-values` calculates with the games that
//! they stand for.

mod dictionary;
mod index;

use crate::compressed::Bytes;
use crate::contents::LabelFault;
use crate::rules::Board;

pub use dictionary::{Dictionary, Entry, write_dictionary};
pub use index::BoardIndex;

/// Bytes of the number of a value.
pub const NUMBER: usize = size_of::<u32>();

/// The values of boards, borrowed from wherever they are.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The boards, and the rank of each.
    pub index: &'a BoardIndex,
    /// The keys of listed boards; empty if every board has a value.
    pub keys: Bytes<'a>,
    /// The number of the value of each board, by rank: 32 bits each.
    pub numbers: Bytes<'a>,
    /// The canonical forms, by number.
    pub dictionary: Dictionary<'a>,
}

impl Values<'_> {
    /// The number of the value of `board`; `None` if the board is not listed.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn number(&self, board: Board) -> Result<Option<u32>, LabelFault> {
        let Some(rank) = self.index.rank(self.keys, board)? else { return Ok(None) };
        self.number_at(rank).map(Some)
    }

    /// The number of the value of the board with `rank`.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn number_at(&self, rank: u64) -> Result<u32, LabelFault> {
        let bytes = self.numbers.array(rank as usize * NUMBER)?;
        let number = bytes.map(u32::from_le_bytes).filter(|&number| number < self.dictionary.len());
        number.ok_or(LabelFault::NoValue { rank })
    }
}
