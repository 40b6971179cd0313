//! Games that are a race: players place pieces in turn, and a player who cannot place one loses.
//!
//! In Domineering and Col, a move that is not legal never becomes legal again. Then counting settles many positions. Let `K`
//! be the cells that a move fills and needs empty:
//!
//! ```text
//! most      moves that a player can still make: the sets K of these moves are disjoint
//! safe      moves of a set that no move of the other player or of the set makes illegal
//! open      moves of a set such that a move of the other player makes at most one of them illegal,
//!           and moves of both sets make none illegal
//! least     safe + half of open: the player makes moves of `open` as long as there are any, then those of `safe`.
//!           Half is rounded up for the player to move, and down for the other player.
//!
//! the player to move wins     if his least number is greater than the other player's most
//! the player to move loses    if the other player's least number is not smaller than his most
//! ```

use super::shape::Shape;
use super::word::Word;

/// Maximum number of shapes of a player's moves: the count takes a few steps for each.
const MOST_SHAPES: usize = 8;

/// The facts for counting the moves of one mode.
pub(super) struct Race<W> {
    shapes: Vec<Cells>,
    /// For each move, by its number from `first` on, the cells of all moves of the other player that make it illegal.
    touched: Vec<W>,
    first: usize,
    /// The distance of the two cells of every move, if all moves are of this kind.
    pairs: Option<u32>,
    /// The smallest number of cells in the sets `K`.
    smallest: u32,
}

/// The cells of the move of a shape that is not translated.
struct Cells {
    fills: Vec<u32>,
    own: Vec<u32>,
}

/// A player's moves on a board.
struct Moves<W> {
    /// The cells that they fill.
    fills: W,
    /// The maximum number of moves that can still be made.
    most: u32,
}

impl<W: Word> Race<W> {
    /// The facts about the moves `of` a player, where `other` are those of the other player; `None` if the game is no race. The
    /// caller knows that the game ends only for a player without a move, who loses.
    pub(super) fn new(of: &[Shape<W>], other: &[Shape<W>]) -> Option<Self> {
        let places = |shape: &Shape<W>| {
            let fills_new = !(shape.fills & shape.empties).is_empty();
            fills_new && shape.clears.is_empty() && shape.fulls.is_empty()
        };
        if of.len().max(other.len()) > MOST_SHAPES || !of.iter().chain(other).all(places) {
            return None;
        }
        let own = |shape: &Shape<W>| shape.fills & shape.empties;
        let pairs = match of {
            [shape] if shape.fills == shape.empties && shape.fills.count() == 2 => shape.fills.bits().nth(1),
            _ => None,
        };
        let all = |shapes: &[Shape<W>]| -> Vec<(usize, W, W)> {
            let of_shape = |shape: &Shape<W>| -> Vec<(usize, W, W)> {
                let placed = |anchor| (shape.number(anchor), shape.empties << anchor, shape.fills << anchor);
                shape.anchors.bits().map(placed).collect()
            };
            shapes.iter().flat_map(of_shape).collect()
        };
        let (moves, others) = (all(of), all(other));
        let numbers = || moves.iter().map(|it| it.0);
        let (first, last) = (numbers().min()?, numbers().max()?);
        let mut touched = vec![W::ZERO; last - first + 1];
        for &(number, empties, _) in &moves {
            let hits = others.iter().filter(|(_, _, fills)| !(*fills & empties).is_empty());
            touched[number - first] = hits.fold(W::ZERO, |touched, hit| touched | hit.2);
        }
        let cells = |shape: &Shape<W>| Cells { fills: shape.fills.bits().collect(), own: own(shape).bits().collect() };
        Some(Self {
            shapes: of.iter().map(cells).collect(),
            touched,
            first,
            pairs,
            smallest: of.iter().map(|shape| own(shape).count()).min()?,
        })
    }

    /// The moves at the anchors that `legal` gives for each shape.
    fn moves(&self, of: &[Shape<W>], legal: impl Fn(&Shape<W>) -> W) -> Moves<W> {
        let (mut fills, mut own, mut last) = (W::ZERO, W::ZERO, W::ZERO);
        for (shape, cells) in of.iter().zip(&self.shapes) {
            last = legal(shape);
            fills = cells.fills.iter().fold(fills, |fills, &cell| fills | last << cell);
            own = cells.own.iter().fold(own, |own, &cell| own | last << cell);
        }
        let most = match self.pairs {
            Some(distance) => disjoint_pairs(last, distance),
            None => own.count() / self.smallest,
        };
        Moves { fills, most }
    }

    /// The most safe moves, where `others` are the cells that the other player can fill.
    fn most_safe(&self, of: &[Shape<W>], board: W, others: W) -> u32 {
        self.moves(of, |shape| shape.legal(board) & !shape.touched_by(others)).most
    }

    /// The numbers of safe and of open moves, where `others` are the cells that the other player can fill.
    fn least(&self, of: &[Shape<W>], board: W, others: W) -> [u32; 2] {
        let (mut filled, mut needed) = (W::ZERO, W::ZERO);
        let mut counts = [0; 2];
        for (kind, count) in counts.iter_mut().enumerate() {
            for shape in of {
                let touched = shape.touched_by(others);
                let is_safe = kind == 0;
                for anchor in (shape.legal(board) & if is_safe { !touched } else { touched }).bits() {
                    let (empties, fills) = (shape.empties << anchor, shape.fills << anchor);
                    if !(empties & filled).is_empty() || !(fills & needed).is_empty() {
                        continue;
                    }
                    *count += 1;
                    filled |= fills;
                    needed |= empties;
                    if !is_safe {
                        // Another open move must need none of the cells of a move that makes this one illegal.
                        filled |= self.touched[shape.number(anchor) - self.first] & others;
                    }
                }
            }
        }
        counts
    }
}

/// A player's moves and the facts for counting them.
#[derive(Clone, Copy)]
pub(super) struct Side<'a, W> {
    pub(super) moves: &'a [Shape<W>],
    pub(super) race: &'a Race<W>,
}

/// The value of `board` for the player who moves, if counting settles it. Both players have at least one shape of moves.
pub(super) fn settled<W: Word>([own, other]: [Side<'_, W>; 2], board: W) -> Option<i32> {
    let [mine, theirs] = [own, other].map(|side| side.race.moves(side.moves, |shape| shape.legal(board)));
    // Each side's least number is at most its largest number.
    let (side, most, others) =
        if mine.most > theirs.most { (own, mine.most, theirs.fills) } else { (other, theirs.most, mine.fills) };
    let settled = |safe: u32, open: u32| {
        if mine.most > theirs.most {
            (safe + open.div_ceil(2) > theirs.most).then_some(1)
        } else {
            (safe + open / 2 >= mine.most).then_some(-1)
        }
    };
    // A look at the numbers that there can be at most usually shows that counting settles nothing.
    let safe = side.race.most_safe(side.moves, board, others).min(most);
    settled(safe, most - safe)?;
    let [safe, open] = side.race.least(side.moves, board, others);
    settled(safe, open)
}

/// The maximum number of disjoint pairs of cells at this distance: the lower cells of the pairs are `anchors`.
fn disjoint_pairs<W: Word>(mut anchors: W, distance: u32) -> u32 {
    let mut count = 0;
    // Of the pairs in a chain, every other one, from the lowest on.
    while !anchors.is_empty() {
        let lowest = anchors & !(anchors << distance);
        count += lowest.count();
        anchors &= !(lowest | lowest << distance);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_in_chains() {
        // Cells 0 to 6 in a row: six pairs, three of them disjoint.
        assert_eq!(disjoint_pairs(0b11_1111u64, 1), 3);
        assert_eq!(disjoint_pairs(0b1_1111u64, 1), 3);
        assert_eq!(disjoint_pairs(0b1001_0110u128, 2), 3);
        assert_eq!(disjoint_pairs(0u64, 1), 0);
    }
}
