//! The layout of blocks: the low cells, and the effects of moves and terminal patterns on blocks.

use rayon::prelude::*;

use super::*;

/// The binary logarithm of the number of boards of a block.
pub(super) const LOW: u32 = 6;

/// Minimum number of blocks that one task clears.
const CLEAR: usize = 1 << 13;

/// Positions that differ in the low cells only.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in super::super) struct Block {
    /// The mode, above the cells that are not low.
    pub(super) key: u64,
    /// A bit for each content of the low cells, set if the block has that position.
    pub(super) boards: u64,
}

/// The six low cells, and the rules as they act on blocks.
pub(in super::super) struct Layout {
    /// The low cells, in order.
    low: [u32; LOW as usize],
    /// The number of other cells.
    cells: u32,
    modes: Vec<OfMode>,
    /// The board of each content of the low cells.
    boards: [u64; 1 << LOW],
}

struct OfMode {
    ends: Vec<End>,
    terminal: Outcome,
}

/// A terminal pattern: its filled and empty cells that are not low, and the contents of the low cells that have the rest of it.
struct End {
    pattern: u64,
    empty: u64,
    boards: u64,
    outcome: Outcome,
}

/// The effects on blocks of all moves with the same effect on keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct InnerMoves {
    /// The contents for which at least one of them is legal.
    pub(super) legal: u64,
    /// Usually the only one; stored here to save an allocation.
    first: InnerMove,
    more: Vec<InnerMove>,
}

/// The effect of a move on blocks: the contents for which it is legal, and by how many bits it rotates them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct InnerMove {
    pub(super) legal: u64,
    pub(super) by: u32,
}

impl InnerMoves {
    const fn of(part: InnerMove) -> Self {
        Self { legal: part.legal, first: part, more: Vec::new() }
    }

    fn add(&mut self, new: InnerMove) {
        self.legal |= new.legal;
        match std::iter::once(&mut self.first).chain(&mut self.more).find(|part| part.by == new.by) {
            Some(part) => part.legal |= new.legal,
            None => self.more.push(new),
        }
    }

    /// Calls `each` with the effect of each move.
    #[inline(always)]
    pub(super) fn each(&self, mut each: impl FnMut(InnerMove)) {
        each(self.first);
        for &part in &self.more {
            each(part);
        }
    }
}

/// The contents of the low cells in which `full` are filled and `empty` are empty, as bits.
fn contents(empty: u64, full: u64) -> u64 {
    (0..1u64 << LOW).filter(|content| content & (empty | full) == full).map(|content| 1 << content).sum()
}

impl Layout {
    /// Returns whether blocks can hold the positions of `rules`.
    pub(super) fn fits(rules: &Rules) -> bool {
        // A move that may fill filled cells does not rotate all contents by the same number of bits.
        let is_open = |m: &Move| !(m.fills & !m.empty & !m.full).is_empty();
        // Nor does a move depend on other moves in the same way in all positions of a block, or an outcome on the board.
        let is_alike = !rules.has_otherwise()
            && !rules.has_gains()
            && rules.terminals().chain(rules.ends().iter().map(|end| end.outcome)).all(|it| it.fixed().is_some());
        is_alike
            && rules.cells() > LOW + 1
            && Codes::of(rules).bits() <= u64::BITS
            && !rules.moves().iter().any(is_open)
    }

    /// The layout of `rules`, which must [fit](Self::fits), with these `low` cells.
    pub(super) fn new(rules: &Rules, mut low: [u32; LOW as usize]) -> Self {
        low.sort_unstable();
        let board = |content: u64| Board::from_word(content).bits().map(|bit| 1 << low[bit as usize]).sum();
        let boards = std::array::from_fn(|content| board(content as u64));
        let mut layout = Self { low, cells: rules.cells() - LOW, modes: Vec::new(), boards };
        let of_mode = |mode: usize| {
            let mode = Mode(mode as u16);
            let ends = rules.ends_of(mode).iter().map(|end| {
                let ((pattern, low), (empty, low_empty)) = (layout.split(end.pattern), layout.split(end.empty));
                End { pattern, empty, boards: contents(low_empty, low), outcome: end.outcome.on(Board::EMPTY) }
            });
            OfMode { ends: ends.collect(), terminal: rules.terminal_in(mode).on(Board::EMPTY) }
        };
        layout.modes = (0..rules.modes().len()).map(of_mode).collect();
        layout
    }

    /// Splits `board` into the cells that are not low, moved together, and the content of the low cells.
    fn split(&self, board: Board) -> (u64, u64) {
        let (mut rest, mut content) = (board.low_word(), 0);
        for (bit, &cell) in self.low.iter().enumerate().rev() {
            content |= (rest >> cell & 1) << bit;
            let below = (1 << cell) - 1;
            rest = rest & below | rest >> 1 & !below;
        }
        (rest, content)
    }

    /// The key of the position of `block` with empty low cells.
    #[inline(always)]
    fn first_key(&self, block: Block) -> u64 {
        // The mode, above the cells, moves up with them.
        let mut key = block.key;
        for &cell in &self.low {
            let below = (1 << cell) - 1;
            key = key & below | (key & !below) << 1;
        }
        key
    }

    /// Calls `each` with the key and the bit of each position of `block`.
    #[inline(always)]
    pub(super) fn each(&self, block: Block, mut each: impl FnMut(u64, u32)) {
        let (first, mut boards) = (self.first_key(block), block.boards);
        while boards != 0 {
            let bit = boards.trailing_zeros();
            each(first | self.boards[bit as usize], bit);
            boards &= boards - 1;
        }
    }

    /// The contents with which a terminal pattern ends the game for each outcome (loss, draw, win), in a block whose key has `board`.
    #[inline(always)]
    pub(super) fn ended(&self, mode: usize, board: u64) -> [u64; 3] {
        let (mut all, mut ended) = (0, [0; 3]);
        for end in &self.modes[mode].ends {
            // The first pattern that matches decides.
            let new = if board & (end.pattern | end.empty) == end.pattern { end.boards & !all } else { 0 };
            all |= new;
            ended[end.outcome as usize] |= new;
        }
        ended
    }

    /// The outcome for a player who cannot move in mode number `mode`.
    pub(super) fn terminal(&self, mode: usize) -> Outcome {
        self.modes[mode].terminal
    }
}

impl Item for Block {
    type Key = u64;
    type Layout = Layout;
    type Inner = InnerMoves;
    /// The index of an item plus one; zero marks a free entry.
    type TableEntry = u32;
    const JOINS: bool = true;

    #[inline(always)]
    fn cells(layout: &Layout) -> u32 {
        layout.cells
    }

    #[inline(always)]
    fn all(layout: &Layout) -> u64 {
        Board::full(layout.cells).low_word()
    }

    fn of_position(layout: &Layout, _: &Rules, position: Position) -> Self {
        let (rest, content) = layout.split(position.board);
        Self { key: rest | u64::raised(position.mode.0.into(), layout.cells), boards: 1 << content }
    }

    fn lay_out(layout: &Layout, m: &Move) -> (Move, InnerMoves) {
        let [empty, full, fills, clears] = [m.empty, m.full, m.fills, m.clears].map(|cells| layout.split(cells));
        let legal = contents(empty.1, full.1);
        let from = u64::from(legal.trailing_zeros());
        let by = (from & !clears.1 | fills.1).wrapping_sub(from) % u64::from(u64::BITS);
        let [empty, full, fills, clears] = [empty, full, fills, clears].map(|cells| Board::from_word(cells.0));
        (Move { empty, full, fills, clears, ..*m }, InnerMoves::of(InnerMove { legal, by: by as u32 }))
    }

    fn join(parts: &mut InnerMoves, others: InnerMoves) {
        others.each(|part| parts.add(part));
    }

    fn room(count: usize) -> Result<Vec<Self>, TryReserveError> {
        // If one core cleared all blocks, the other cores would wait for it.
        let mut room = Vec::new();
        room.try_reserve_exact(count)?;
        (0..count).into_par_iter().with_min_len(CLEAR).map(|_| Self::default()).collect_into_vec(&mut room);
        Ok(room)
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn count(self) -> u64 {
        self.boards.count_ones().into()
    }

    #[inline(always)]
    fn played(self, key: u64, parts: &InnerMoves) -> Self {
        let mut boards = 0;
        parts.each(|part| boards |= (self.boards & part.legal).rotate_left(part.by));
        Self { key, boards }
    }

    #[inline(always)]
    fn is_some(self) -> bool {
        self.boards != 0
    }

    fn is_on(self, _: &Layout, _: &Potential, _: u32) -> bool {
        // In a layout, each move rises by the same number of levels wherever it is legal.
        true
    }

    #[inline(always)]
    fn split_ended(self, layout: &Layout) -> (Option<Self>, Option<Self>) {
        let (mode, board) = super::super::item::split::<Self>(layout, self.key);
        let ended = layout.ended(mode, board).iter().fold(0, |all, ended| all | ended);
        let of = |boards: u64| (boards != 0).then_some(Self { boards, ..self });
        (of(self.boards & !ended), of(self.boards & ended))
    }

    fn drop_duplicates(room: &mut Scratch<Self>, _: u64, items: &mut Vec<Self>) -> Result<(), TryReserveError> {
        items.try_reserve(room.gathered.len())?;
        if let [only] = room.gathered[..] {
            items.push(only);
            return Ok(());
        }
        let bits = room.clear_places()?;
        let Scratch { gathered, table } = room;
        let table = &mut table[..1 << bits];
        let start = items.len();
        for &block in &*gathered {
            let mut at = (block.key.wrapping_mul(FACTOR) >> (u64::BITS - bits)) as usize;
            loop {
                let place = &mut table[at];
                if *place == 0 {
                    items.push(block);
                    *place = (items.len() - start) as u32;
                    break;
                }
                let found = &mut items[start + *place as usize - 1];
                if found.key == block.key {
                    found.boards |= block.boards;
                    break;
                }
                at = (at + 1) & ((1 << bits) - 1);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::random::random_moving;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Moves and terminal patterns act on a block as on each of its positions.
        #[test]
        fn blocks_move_as_their_positions_do(seed: u64, cells in 8u32..=63, moves in 1usize..60, ends in 0usize..6) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let rules = random_moving(&mut draw, cells, moves, ends, false);
            let mut spec = rules.into_spec();
            spec.moves.retain(|m| (m.fills & !m.empty & !m.full).is_empty());
            let rules = spec.build().unwrap();
            if !Layout::fits(&rules) {
                return Ok(());
            }
            let mut all: Vec<u32> = (0..cells).collect();
            draw.shuffle(&mut all);
            let layout = Layout::new(&rules, all[..LOW as usize].try_into().unwrap());
            let moves = Moves::<u64>::new(&rules, &Potential::flat(&rules));
            let alone = |key: u64| {
                let (mode, board) = moves.split(key);
                Block::of_position(&layout, &rules, Position::new(Mode(mode as u16), Board::from_word(board)))
            };
            for _ in 0..20 {
                let position = Position::new(Mode(draw.u16(..2)), Board::from_word(draw.u64(..) & draw.u64(..)) & Board::full(cells));
                let block = Block { boards: draw.u64(..), ..Block::of_position(&layout, &rules, position) };
                let mut keys = Vec::new();
                layout.each(block, |key, bit| keys.push((key, bit)));
                prop_assert_eq!(keys.len() as u64, block.count());
                for &(key, bit) in &keys {
                    prop_assert_eq!(alone(key), Block { boards: 1 << bit, ..block });
                    let ended = layout.ended(position.mode.0.into(), block.key & Board::full(layout.cells).low_word());
                    let of = moves.of(position.mode.0.into()).ended(moves.split(key).1).map(|ending| ending.outcome);
                    let expected = Outcome::BEST_FIRST.into_iter().find(|&outcome| ended[outcome as usize] >> bit & 1 == 1);
                    prop_assert_eq!(of, expected);
                }
                for m in rules.moves_of(position.mode) {
                    let (laid, parts) = Block::lay_out(&layout, m);
                    let (_, board) = super::super::super::item::split::<Block>(&layout, block.key);
                    let is_legal = laid.empty.is_disjoint(Board::from_word(board)) && Board::from_word(board).contains(laid.full);
                    let after = board & !laid.clears.low_word() | laid.fills.low_word() | u64::raised(m.next.0.into(), layout.cells);
                    let next = block.played(after, &parts);
                    let mut expected = 0;
                    for &(key, _) in &keys {
                        let (_, board) = moves.split(key);
                        let one = Position::new(position.mode, Board::from_word(board));
                        if m.is_legal(one) {
                            let to = Block::of_position(&layout, &rules, m.play(one));
                            prop_assert!(is_legal);
                            prop_assert_eq!(to.key, next.key);
                            expected |= to.boards;
                        }
                    }
                    prop_assert!(!is_legal || next.boards == expected);
                }
            }
        }
    }
}
