//! Values of boards: for each board a number in a dictionary of canonical forms.
//!
//! In normal play the value of a board says who wins it in any sum of games (Conway, On Numbers and Games). A solver finds the values, a
//! table stores them, and every reader looks them up here. This module knows numbers only; `tablegen-cgt` calculates with the games that
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reachable::append_keys;
    use crate::rules::Position;

    /// Boards of 20 cells, spread over several buckets, in the order of their codes.
    fn listed_boards() -> Vec<Board> {
        let mut boards: Vec<Board> = (0..100u64).map(|it| Board::from_word(it * it * 97 + 5)).collect();
        let codes = BoardIndex::codes(20).unwrap();
        boards.sort_by_key(|&board| codes.code(Position::of(board)));
        boards
    }

    #[test]
    fn listed_boards_have_ranks() {
        let boards = listed_boards();
        let index = BoardIndex::listed(20, boards.len() as u64).unwrap();
        let (codes, mut bytes) = (BoardIndex::codes(20).unwrap(), Vec::new());
        append_keys(&mut bytes, &codes, std::slice::from_ref(&boards), |_, board| codes.code(Position::of(board)))
            .unwrap();
        assert_eq!((index.count(), index.key_bytes()), (100, Some(bytes.len() as u64)));
        let keys = Bytes::Plain(&bytes);
        for board in (0..10000).map(Board::from_word).chain(boards.iter().copied()) {
            let rank = boards.iter().position(|&it| it == board).map(|rank| rank as u64);
            assert_eq!(index.rank(keys, board), Ok(rank));
        }
        let mut found = Vec::new();
        index.boards(keys, 7, 40, |rank, board| found.push((rank, board))).unwrap();
        assert!(found.iter().copied().eq((7..40).zip(boards[7..40].iter().copied())));
        // A look-up reads no bytes but those it names.
        let board = boards[50];
        let touched = index.touched(keys, board).unwrap();
        let mut copy = vec![0xff; bytes.len()];
        touched.iter().for_each(|range| copy[range.clone()].copy_from_slice(&bytes[range.clone()]));
        assert_eq!(index.rank(Bytes::Plain(&copy), board), Ok(Some(50)));
        assert!(touched.iter().all(|range| !range.is_empty() && range.len() < bytes.len() / 2));
        assert_eq!(index.rank(Bytes::Plain(&[]), board).ok(), None);
        assert_eq!(BoardIndex::listed(20, 0), None);
        assert_eq!(BoardIndex::listed(20, 1 << 32), None);
        assert_eq!((BoardIndex::codes(127).is_some(), BoardIndex::codes(128).is_some()), (true, false));
    }

    #[test]
    fn every_board_has_its_number_as_rank() {
        let (index, keys) = (BoardIndex::every(5).unwrap(), Bytes::Plain(&[]));
        assert_eq!((index.count(), index.key_bytes()), (32, None));
        let rank = |board| index.rank(keys, Board::from_word(board)).unwrap();
        assert_eq!([0, 17, 31, 32, 33].map(rank), [Some(0), Some(17), Some(31), None, None]);
        let mut found = Vec::new();
        index.boards(keys, 30, 40, |rank, board| found.push((rank, board.low_word()))).unwrap();
        assert_eq!(found, [(30, 30), (31, 31)]);
        assert!(index.touched(keys, Board::EMPTY).unwrap().iter().all(std::ops::Range::is_empty));
        assert_eq!((BoardIndex::every(40).is_some(), BoardIndex::every(41)), (true, None));
    }

    #[test]
    fn boards_have_the_numbers_of_their_values() {
        let none: &[u32] = &[];
        let (dictionary, options) = write_dictionary([(3, none, none), (1, &[0][..], none)].into_iter()).unwrap();
        let numbers: Vec<u8> = [0u32, 1, 1, 2].into_iter().flat_map(u32::to_le_bytes).collect();
        let values = Values {
            index: &BoardIndex::every(2).unwrap(),
            keys: Bytes::Plain(&[]),
            numbers: Bytes::Plain(&numbers),
            dictionary: Dictionary::new(Bytes::Plain(&dictionary), 2, options),
        };
        let number = |board| values.number(Board::from_word(board));
        assert_eq!([0, 1, 2, 4].map(number), [Ok(Some(0)), Ok(Some(1)), Ok(Some(1)), Ok(None)]);
        // The dictionary has two values, and the numbers end.
        assert_eq!(number(3), Err(LabelFault::NoValue { rank: 3 }));
        assert_eq!(values.number_at(4), Err(LabelFault::NoValue { rank: 4 }));
    }
}
