//! Games that are a race: players place pieces in turn, and a player who cannot place one loses.
//!
//! In Domineering and Col, a move that is not legal never becomes legal again. Then counting settles many positions (N. Bullock, Domineering:
//! solving large combinatorial search spaces, ICGA Journal 25, 2002). Let `K` be the cells that a move fills and needs empty:
//!
//! ```text
//! safe      moves of a set that no move of the other player or of the set makes illegal
//! open      moves of a set that moves of the other player can make illegal
//! doubles   pairs of moves that the other player can make illegal, the second no more once the first is made
//! chances   open moves and doubles, such that a move of the other player spoils at most one of them, and moves of the
//!           set spoil none
//! least     safe + half of the chances + half of the doubles: the player takes a chance as long as there are any, doubles
//!           first, then makes the safe moves and the second ones of doubles. Halves are rounded up for the player to
//!           move, and down for the other player.
//! most      moves that a player can still make: their sets K are disjoint, and lie outside the sets K of the moves
//!           that the other player is sure of
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
    /// The cells that they fill and need empty.
    own: W,
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
        Moves { fills, own, most }
    }
}

/// One move.
#[derive(Clone, Copy)]
struct Placed<W> {
    number: usize,
    empties: W,
    fills: W,
}

/// Moves of a player that do not hinder each other.
#[derive(Clone, Copy)]
struct Chosen<W> {
    /// The cells that none of the next moves may need: those that moves of the set fill, or moves of the other player that spoil one of the set.
    filled: W,
    /// The cells that none of the next moves may fill.
    needed: W,
}

impl<W: Word> Chosen<W> {
    const NONE: Self = Self { filled: W::ZERO, needed: W::ZERO };

    fn admits(self, it: Placed<W>) -> bool {
        (it.empties & self.filled).is_empty() && (it.fills & self.needed).is_empty()
    }

    fn with(self, it: Placed<W>) -> Self {
        Self { filled: self.filled | it.fills, needed: self.needed | it.empties }
    }
}

/// The most cells that are counted for a move.
const CELLS_OF_MOVE: u32 = 2;

/// The moves that a player is sure of, in part.
#[derive(Default)]
struct Least {
    safe: u32,
    doubles: u32,
    chances: u32,
    /// The chances that fill at least 1, 2, … of the cells that the other player's moves need.
    filling: [u32; 2 * CELLS_OF_MOVE as usize],
}

impl Least {
    fn add_chance(&mut self, cells: u32) {
        self.chances += 1;
        self.filling[..cells as usize].iter_mut().for_each(|count| *count += 1);
    }
}

/// A player's moves and the facts for counting them.
#[derive(Clone, Copy)]
pub(super) struct Side<'a, W> {
    pub(super) moves: &'a [Shape<W>],
    pub(super) race: &'a Race<W>,
}

impl<W: Word> Side<'_, W> {
    fn legal(&self, board: W) -> Moves<W> {
        self.race.moves(self.moves, |shape| shape.legal(board))
    }

    /// The moves at the anchors that `legal` gives for each shape.
    fn placed(&self, legal: impl Fn(&Shape<W>) -> W) -> impl Iterator<Item = Placed<W>> {
        self.moves.iter().flat_map(move |shape| {
            legal(shape).bits().map(move |anchor| Placed {
                number: shape.number(anchor),
                empties: shape.empties << anchor,
                fills: shape.fills << anchor,
            })
        })
    }

    /// The most safe moves, where `others` are the cells that the other player can fill.
    fn most_safe(&self, board: W, others: W) -> u32 {
        self.race.moves(self.moves, |shape| shape.legal(board) & !shape.touched_by(others)).most
    }

    /// What the player is sure of on `board`, where the `other` player has the moves `theirs`.
    fn least(&self, board: W, other: &Self, theirs: &Moves<W>) -> Least {
        let (mut chosen, mut least) = (Chosen::NONE, Least::default());
        for safe in self.placed(|shape| shape.legal(board) & !shape.touched_by(theirs.fills)) {
            if chosen.admits(safe) {
                least.safe += 1;
                chosen = chosen.with(safe);
            }
        }
        let cells = |it: Placed<W>| (it.empties & it.fills & theirs.own).count().min(CELLS_OF_MOVE);
        // Another chance must need none of the cells of a move that spoils this one.
        let spoiled = |it: Placed<W>| self.race.touched[it.number - self.race.first] & theirs.fills;
        // No open move counts for more than a double, so that the player who takes doubles first takes most cells first as well.
        let mut fewest = CELLS_OF_MOVE;
        for first in self.placed(|shape| shape.legal(board) & shape.touched_by(theirs.fills)) {
            if !chosen.admits(first) {
                continue;
            }
            let (after, with_first) = (board | first.fills, chosen.with(first));
            let left = other.legal(after).fills;
            let is_saved =
                |shape: &Shape<W>| shape.legal(after) & shape.touched_by(theirs.fills) & !shape.touched_by(left);
            if let Some(second) = self.placed(is_saved).find(|&second| with_first.admits(second)) {
                least.doubles += 1;
                let both = cells(first) + cells(second);
                least.add_chance(both);
                fewest = fewest.min(both);
                chosen = with_first.with(second);
                chosen.filled |= spoiled(first) | spoiled(second);
            }
        }
        for open in self.placed(|shape| shape.legal(board) & shape.touched_by(theirs.fills)) {
            if chosen.admits(open) {
                least.add_chance(cells(open).min(fewest));
                chosen = chosen.with(open);
                chosen.filled |= spoiled(open);
            }
        }
        least
    }
}

/// The value of `board` for the player who moves, if counting settles it. Both players have at least one shape of moves.
pub(super) fn settled<W: Word>([own, other]: [Side<'_, W>; 2], board: W) -> Option<i32> {
    let [mine, theirs] = [own, other].map(|side| side.legal(board));
    // Each side's least number is at most its largest number.
    let begins = mine.most > theirs.most;
    let (side, against, moves, others) = if begins { (own, other, mine, theirs) } else { (other, own, theirs, mine) };
    // Of `count` chances, the player gets every other one.
    let half = |count: u32| (count + u32::from(begins)) / 2;
    let wins = |least: u32, cells: u32| {
        let most = others.most.min(others.own.count().saturating_sub(cells) / against.race.smallest);
        if begins { least > most } else { least >= most }
    };
    // A look at the numbers that there can be at most usually shows that counting settles nothing.
    let safe = side.most_safe(board, others.fills).min(moves.most);
    let chances = (moves.most - safe) / 2 + u32::from(begins);
    if !wins(safe + chances, CELLS_OF_MOVE * chances) {
        return None;
    }
    let least = side.least(board, &against, &others);
    let cells = least.filling.map(half).iter().sum();
    let is_won = wins(least.safe + half(least.chances) + half(least.doubles), cells);
    is_won.then_some(if begins { 1 } else { -1 })
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
mod tests;
