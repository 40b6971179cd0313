//! Outcomes counted by the number of filled cells.
//!
//! A layout only reorders the bits of a board. So the number of filled cells of a board is the number of ones in its index. In a word of 64
//! positions the ones of the low six bits of an index are those of the place in the word, and all other ones are the same
//! for the whole word.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::planes::or_stopped;
use super::{Conflict, PlaneFault};
use crate::compressed::{BlockFault, Bytes};
use crate::label::Counts;
use crate::rules::{MAX_CELLS, Mode};

/// A number for each number of filled cells.
type ByFilled = [u64; MAX_CELLS as usize + 1];

const NONE: ByFilled = [0; MAX_CELLS as usize + 1];

/// The number of positions of `mode` with each outcome, by their number of filled cells: item `k` is of the boards with
/// `k` filled cells. There is a plane of wins and, if draws are possible, a plane of losses, of boards of `cells` cells. If `among` is given,
/// only positions that are set there count. `counted` is called with the number of bytes just counted; `None` if it breaks. Counted on
/// all cores of the current rayon pool if there are many.
///
/// # Errors
/// If a position is marked both a win and a loss, or a block cannot be unpacked: the bytes are damaged.
pub(crate) fn of_planes(
    cells: u32,
    mode: Mode,
    wins: Bytes<'_>,
    [losses, among]: [Option<Bytes<'_>>; 2],
    counted: &(impl Fn(u64) -> ControlFlow<()> + Sync),
) -> Result<Option<Vec<Counts>>, PlaneFault> {
    if let Some(losses) = losses
        && let Some(index) = first_common(wins, losses)?
    {
        return Err(Conflict { mode, index }.into());
    }
    let positions = 1 << cells;
    let count = |plane: Bytes<'_>| ones_by_fill_count(plane, among, positions, counted);
    let Some(wins) = count(wins)? else { return Ok(None) };
    let losses = match losses.map(count).transpose()? {
        Some(None) => return Ok(None),
        losses => losses.flatten(),
    };
    let boards = (0..=u64::from(cells)).scan(1u128, |boards, filled| {
        let these = *boards;
        *boards = these * u128::from(u64::from(cells) - filled) / u128::from(filled + 1);
        Some(these as u64)
    });
    let goes_on = &|_| ControlFlow::Continue(());
    let marked = among.map(|among| ones_by_fill_count(among, None, positions, goes_on)).transpose()?.flatten();
    let of = |(filled, boards): (usize, u64)| {
        let boards = marked.map_or(boards, |marked| marked[filled]);
        let win = wins[filled];
        match losses {
            Some(losses) => Counts { win, draw: boards - win - losses[filled], loss: losses[filled] },
            None => Counts { win, draw: 0, loss: boards - win },
        }
    };
    Ok(Some(boards.enumerate().map(of).collect()))
}

/// Bytes that one task counts.
const PIECE: usize = 1 << 20;

/// The index of the first bit that is set in both planes.
fn first_common(a: Bytes<'_>, b: Bytes<'_>) -> Result<Option<u64>, BlockFault> {
    let in_piece = |(number, (a, b)): (usize, (Bytes<'_>, Bytes<'_>))| {
        let (a, b) = match a.all().and_then(|a| Ok((a, b.all()?))) {
            Ok(pieces) => pieces,
            Err(fault) => return Some(Err(fault)),
        };
        let (a, b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
        let common = |(a, b): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*a) & u64::from_le_bytes(*b);
        let (word, common) = a.iter().zip(b).map(common).enumerate().find(|&(_, common)| common != 0)?;
        Some(Ok((number * PIECE) as u64 * 8 + word as u64 * 64 + u64::from(common.trailing_zeros())))
    };
    a.par_pieces(PIECE).zip(b.par_pieces(PIECE)).enumerate().find_map_first(in_piece).transpose()
}

/// The number of bits that are set in a plane and in `among`, if it is given, by the ones of their index; only the first `positions` bits
/// count. `None` if `counted`, which is called with the bytes of each piece, breaks.
fn ones_by_fill_count(
    plane: Bytes<'_>,
    among: Option<Bytes<'_>>,
    positions: u64,
    counted: &(impl Fn(u64) -> ControlFlow<()> + Sync),
) -> Result<Option<ByFilled>, BlockFault> {
    if positions < plane.len() as u64 * 8 {
        // Padding does not count, whatever it holds.
        let mut ones = NONE;
        let bit = |plane: &[u8], index: u64| plane[index as usize / 8] >> (index % 8) & 1 == 1;
        let (bits, among) = (plane.all()?, among.map(|among| among.all()).transpose()?);
        let is_among = |index| among.as_ref().is_none_or(|among| bit(among, index));
        for index in (0..positions).filter(|&index| bit(&bits, index) && is_among(index)) {
            ones[index.count_ones() as usize] += 1;
        }
        return Ok(counted(plane.len() as u64).is_continue().then_some(ones));
    }
    let of_piece = |(number, piece): (usize, Bytes<'_>)| {
        let first = number * PIECE;
        let among = among.map(|among| among.range(first..first + piece.len())).transpose().map_err(Some)?;
        let piece = piece.all().map_err(Some)?;
        let ones = of_words(&piece, among.as_ref().unwrap_or(&piece), (first / WORD_BYTES) as u64);
        if counted(piece.len() as u64).is_continue() { Ok(ones) } else { Err(None) }
    };
    let sum = |a: ByFilled, b: ByFilled| Ok(std::array::from_fn(|filled| a[filled] + b[filled]));
    or_stopped(plane.par_pieces(PIECE).enumerate().map(of_piece).try_reduce(|| NONE, sum))
}

/// Bytes of a word of 64 positions.
const WORD_BYTES: usize = 8;
/// Words that are added up before the sums are distributed: their places have six bits, as those in a word.
const GROUP: usize = 64;
/// Bits of a sum in a register that holds seven of them. At most 20 words of a group have equally many ones in their place,
/// and at most 20 of their bits have equally many ones in theirs: 400 is less than 2^9.
const FIELD: u32 = 9;
/// A register with a sum for 0 to 6 ones.
type Fields = u64;

/// For the value of a byte, how many of its bits have a place with 0, 1, 2 or 3 ones.
static OF_BYTE: [Fields; 256] = {
    let mut fields = [0; 256];
    let mut value = 0;
    while value < 256 {
        let mut place = 0u32;
        while place < 8 {
            fields[value] += (value as u64 >> place & 1) << (FIELD * place.count_ones());
            place += 1;
        }
        value += 1;
    }
    fields
};

/// The number of bits that are set in the words of `bytes` and of `among`, by the ones of their index; the first word has
/// number `first`, a multiple of [`GROUP`].
fn of_words(bytes: &[u8], among: &[u8], first: u64) -> ByFilled {
    let mut ones = NONE;
    let ((words, _), (among, _)) = (bytes.as_chunks::<WORD_BYTES>(), among.as_chunks::<WORD_BYTES>());
    for (number, (group, among)) in words.chunks(GROUP).zip(among.chunks(GROUP)).enumerate() {
        // By the ones of the place of a word in its group.
        let mut sums = [0; 7];
        for (place, (word, among)) in group.iter().zip(among).enumerate() {
            let both = u64::from_le_bytes(*word) & u64::from_le_bytes(*among);
            sums[place.count_ones() as usize] += of_word(both.to_le_bytes());
        }
        let above = (first / GROUP as u64 + number as u64).count_ones() as usize;
        for (of_place, sum) in sums.into_iter().enumerate() {
            for in_word in 0..7 {
                ones[above + of_place + in_word] += sum >> (FIELD * in_word as u32) & ((1 << FIELD) - 1);
            }
        }
    }
    ones
}

/// How many bits of a word have a place with 0 to 6 ones.
#[inline(always)]
fn of_word(bytes: [u8; WORD_BYTES]) -> Fields {
    // The ones of a byte's place add to those in the byte.
    let [b0, b1, b2, b3, b4, b5, b6, b7] = bytes.map(|byte| OF_BYTE[usize::from(byte)]);
    b0 + ((b1 + b2 + b4) << FIELD) + ((b3 + b5 + b6) << (2 * FIELD)) + (b7 << (3 * FIELD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Width;
    use crate::plane::{Planes, Shape};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A plane of random bits.
    fn noise(bytes: usize, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..bytes).map(|_| random.u8(..)).collect()
    }

    /// The counts of the planes of `mode`.
    fn counts(
        shape: Shape,
        bytes: &[u8],
        mode: Mode,
        counted: &(impl Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Result<Option<Vec<Counts>>, PlaneFault> {
        let planes = Planes::new(shape, bytes).unwrap();
        let losses = shape.draws().then(|| planes.plane(mode, true));
        of_planes(shape.cells(), mode, planes.plane(mode, false), [losses, None], counted)
    }

    #[test]
    fn counts_equal_a_plain_count() {
        for (cells, width) in
            (1..=16).flat_map(|cells| [(cells, Width::One), (cells, Width::Two)]).chain([(24, Width::Two)])
        {
            let shape = Shape::new(cells, 2, width);
            let half = shape.plane_bytes().unwrap() as usize;
            let mut bytes = noise(shape.bytes().unwrap() as usize, u64::from(cells));
            if shape.draws() {
                // No position is both.
                for (win, loss) in [(0, 1), (2, 3)] {
                    for byte in 0..half {
                        bytes[loss * half + byte] &= !bytes[win * half + byte];
                    }
                }
            }
            let planes = Planes::new(shape, &bytes).unwrap();
            for mode in [Mode(0), Mode(1)] {
                let told = AtomicU64::new(0);
                let counted = |bytes| {
                    told.fetch_add(bytes, Ordering::Relaxed);
                    ControlFlow::Continue(())
                };
                let mut plain = vec![Counts::default(); cells as usize + 1];
                for index in 0..1u64 << cells {
                    plain[index.count_ones() as usize].add(planes.outcome(mode, index).unwrap());
                }
                assert_eq!(counts(shape, &bytes, mode, &counted), Ok(Some(plain)), "{cells} cells");
                assert_eq!(told.into_inner(), half as u64 * shape.planes_a_mode());
            }
        }
    }

    #[test]
    fn a_full_plane_has_every_board() {
        let shape = Shape::new(20, 1, Width::One);
        let bytes = vec![u8::MAX; shape.bytes().unwrap() as usize];
        let counts = counts(shape, &bytes, Mode(0), &|_| ControlFlow::Continue(()));
        let wins: Vec<u64> = counts.unwrap().unwrap().iter().map(|counts| counts.win).collect();
        // Row 20 of Pascal's triangle.
        let row = [1, 20, 190, 1140, 4845, 15504, 38760, 77520, 125_970, 167_960, 184_756];
        assert_eq!(wins[..=10], row);
        assert!(wins.iter().eq(wins.iter().rev()) && wins.len() == 21);
    }

    #[test]
    fn damage_is_found_and_the_work_can_be_stopped() {
        let shape = Shape::new(24, 1, Width::Two);
        let mut bytes = vec![0; shape.bytes().unwrap() as usize];
        let stopped = counts(shape, &bytes, Mode(0), &|_| ControlFlow::Break(()));
        assert_eq!(stopped, Ok(None));
        for at in [0x12_3456, 0x12_3456 + (1 << 21)] {
            bytes[at] = 0b1010_0000;
        }
        let found = counts(shape, &bytes, Mode(0), &|_| ControlFlow::Continue(()));
        assert_eq!(found, Err(Conflict { mode: Mode(0), index: 0x12_3456 * 8 + 5 }.into()));
    }
}
