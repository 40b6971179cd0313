//! The moves within a block: rounds until nothing changes.
//!
//! The rounds end: such a move only fills cells, so a position with k low cells empty is right after k + 1 rounds. A
//! round that changes nothing has found the unique solution.

use super::allowed::Ops;
use super::block::{EMPTY, bits_of};
use super::labels::{Fixed, LabelMoves, Labels};
use super::op::{Op, WITHIN};
use super::plan::ModePlan;
use super::scratch::{ModeScratch, Scratch};
use super::sweep::TileKernel;
use crate::rules::Outcome;
use crate::simd::{Boards, Shift};

impl<V: Boards, const DRAWS: bool> TileKernel<'_, V, DRAWS> {
    /// Labels a block in every mode, after its moves into other blocks were gathered, and stores the labels.
    #[inline(always)]
    pub(super) fn within(&self, tile: u64, block: usize, scratch: &mut Scratch<V>) {
        for (number, plan) in self.sweep.plan.modes.iter().enumerate() {
            let mode = &mut scratch.modes[number];
            if !mode.moves_decide {
                mode.fixed = self.fixed(tile, block, plan, mode);
            }
            scratch.labels[number] = self.labels(mode, mode.moves[block]);
        }
        while self.round(tile, block, scratch) {}
        for (number, &labels) in scratch.labels.iter().enumerate() {
            self.write(number, tile, block, labels);
        }
    }

    /// Makes every move within a block once more, in every mode. Returns whether a label changed.
    #[inline(always)]
    fn round(&self, tile: u64, block: usize, scratch: &mut Scratch<V>) -> bool {
        let mut has_changed = false;
        for (number, plan) in self.sweep.plan.modes.iter().enumerate() {
            if plan.low_singles == 0 && plan.ops.low.is_empty() {
                continue;
            }
            let mode = &scratch.modes[number];
            let before = scratch.labels[number];
            let mut moves = mode.moves[block];
            self.low_moves(tile, block, &plan.ops.low, mode.far.of(WITHIN), &scratch.labels, &mut moves);
            self.single_moves(plan.low_singles, before, &mut moves);
            let labels = self.labels(mode, moves);
            has_changed |= !labels.same::<DRAWS>(before);
            scratch.labels[number] = labels;
        }
        has_changed
    }

    /// The labels of a block whose moves are `moves`.
    #[inline(always)]
    fn labels(&self, mode: &ModeScratch<V>, moves: LabelMoves<V>) -> Labels<V> {
        if mode.moves_decide { moves.labels(self.every()) } else { mode.fixed.complete(moves) }
    }

    /// Adds the operations within a block to `moves`. `labels` are the labels of the block, by mode.
    #[inline(always)]
    fn low_moves(
        &self,
        tile: u64,
        block: usize,
        ops: &Ops<Op>,
        far: &[u64],
        labels: &[Labels<V>],
        moves: &mut LabelMoves<V>,
    ) {
        for op in ops.allowed(tile, far) {
            if op.legal >> block & 1 == 1 {
                let Labels { wins, losses } = labels[usize::from(op.next)];
                let losses = if DRAWS { self.moved(op, losses) } else { losses };
                moves.add::<DRAWS>(self.mask(op), Labels { wins: self.moved(op, wins), losses });
            }
        }
    }

    /// Adds the moves that fill one of the low cells `cells` alone to `moves`. The other argument is the labels of the
    /// block.
    #[inline(always)]
    fn single_moves(&self, cells: u16, Labels { wins, losses }: Labels<V>, moves: &mut LabelMoves<V>) {
        for cell in bits_of(cells) {
            let shift = Shift::of(1 << cell);
            let losses = if DRAWS { losses.lowered(shift) } else { losses };
            moves.add::<DRAWS>(V::load_block(self.token, &EMPTY[cell]), Labels { wins: wins.lowered(shift), losses });
        }
    }

    /// The positions of a block that moves do not decide. Terminal patterns take precedence over having no move.
    #[inline(always)]
    fn fixed(&self, tile: u64, block: usize, plan: &ModePlan, mode: &ModeScratch<V>) -> Fixed<V> {
        let mut fixed = Fixed::none(self.token);
        let terminal = self.sweep.plan.terminal;
        // A position without a move gathers no win and nothing safe, so it becomes a loss without help.
        if terminal != Outcome::Loss {
            let has_move = self.has_move(tile, block, plan, mode);
            fixed.fix(self.every().without(has_move), terminal);
        }
        for end in &plan.ends {
            if end.is_met(tile, block) {
                fixed.fix(V::load_block(self.token, &end.mask), end.outcome);
            }
        }
        fixed
    }

    /// The positions of a block that have a move.
    #[inline(always)]
    fn has_move(&self, tile: u64, block: usize, plan: &ModePlan, mode: &ModeScratch<V>) -> V {
        if plan.mid_singles & !(block as u8) != 0 {
            return self.every();
        }
        let mut has_move = V::none(self.token);
        for (list, ops) in plan.ops.lists().into_iter().enumerate() {
            for op in ops.allowed(tile, mode.far.of(list)) {
                if op.legal >> block & 1 == 1 {
                    has_move = has_move.or(self.mask(op));
                }
            }
        }
        for cell in bits_of(plan.low_singles) {
            has_move = has_move.or(V::load_block(self.token, &EMPTY[cell]));
        }
        has_move
    }
}
