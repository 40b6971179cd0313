//! Pieces that no move can turn over any more.
//!
//! A piece lies on a few lines of squares, one for each shift. Along a line it cannot turn over if it lies at an end of the line, if the
//! whole line is filled, or if a piece of the same colour beside it cannot turn over at all.

use super::flips::Shifts;

/// The lines of a board, one kind for each shift.
pub(super) struct Stable {
    by: [u32; 4],
    /// For each shift, the squares that have a neighbour on the line that is higher, and lower.
    above: [u64; 4],
    below: [u64; 4],
    /// The squares at which 1, 2 or 4 steps up or down the line end.
    rising: [[u64; 3]; 4],
    falling: [[u64; 3]; 4],
}

impl Stable {
    /// The lines of these rays; `None` if some line has more than eight squares.
    pub(super) fn new(shifts: &Shifts) -> Option<Self> {
        let Shifts { by, up, down, .. } = *shifts;
        if shifts.is_long() {
            return None;
        }
        let mut this = Self { by, above: [0; 4], below: [0; 4], rising: [[0; 3]; 4], falling: [[0; 3]; 4] };
        for at in 0..4 {
            let by = by[at];
            (this.above[at], this.below[at]) = (up[at] | down[at] >> by, down[at] | up[at] << by);
            let [one, two] = [by, (2 * by).min(63)];
            let double = |one_step: u64, shift: fn(u64, u32) -> u64| {
                let two_steps = one_step & shift(one_step, one);
                [one_step, two_steps, two_steps & shift(two_steps, two)]
            };
            this.rising[at] = double(this.below[at], |squares, by| squares << by);
            this.falling[at] = double(this.above[at], |squares, by| squares >> by);
        }
        Some(this)
    }

    /// Pieces among `own` that cannot turn over any more, on a board with these `free` squares. There may be others.
    #[inline(always)]
    pub(super) fn of(&self, own: u64, free: u64) -> u64 {
        let mut settled = [0; 4];
        let mut all = own;
        for (at, settled) in settled.iter_mut().enumerate() {
            let (by, rising, falling) = (self.by[at], &self.rising[at], &self.falling[at]);
            let [two, four] = [(2 * by).min(63), (4 * by).min(63)];
            let mut high = free;
            high |= rising[0] & high << by;
            high |= rising[1] & high << two;
            high |= rising[2] & high << four;
            let mut low = free;
            low |= falling[0] & low >> by;
            low |= falling[1] & low >> two;
            low |= falling[2] & low >> four;
            *settled = !(high | low) | !(self.above[at] & self.below[at]);
            all &= *settled;
        }
        let mut stable = 0;
        while all != stable {
            stable = all;
            all = own;
            for (at, settled) in settled.iter().enumerate() {
                let by = self.by[at];
                all &= settled | stable << by & self.below[at] | stable >> by & self.above[at];
            }
        }
        stable
    }
}

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::super::tests::{game, grid, random_board, random_games};
    use super::super::{Game, Lines};
    use crate::rules::{Mode, Position};

    /// Plays random moves and passes to the end.
    #[test]
    fn stable_pieces_never_turn_over() {
        let mut rng = fastrand::Rng::with_seed(2);
        let sizes = [(3, 5), (4, 4), (6, 6), (8, 8)];
        let grids =
            sizes.map(|(rows, cols)| (game(&grid(rows, cols), true, 1, true).build().unwrap(), (rows * cols) as u32));
        let (mut stable_in, mut stable_pieces) = (0, 0);
        for (rules, squares) in grids.into_iter().chain(random_games(5, 100)) {
            let kind = Kind::of(&rules).unwrap();
            let Game { lines, stable: Some(stable), all, .. } = Game::new(&kind) else { continue };
            stable_in += 1;
            for _ in 0..50 {
                let free = rng.u32(1..=squares.min(16));
                let position = Position::new(Mode(0), random_board(&mut rng, squares, free));
                let pieces = kind.discs(position).unwrap();
                let (mut own, mut other) = (pieces.own, pieces.other);
                let kept = [own, other].map(|of| stable.of(of, all & !(own | other)));
                stable_pieces += kept[0].count_ones();
                let mut is_first = true;
                let mut passes = 0;
                while passes < 2 {
                    let moves: Vec<u32> = (0..64).filter(|&it| lines.moves(own, other) >> it & 1 == 1).collect();
                    passes = if moves.is_empty() { passes + 1 } else { 0 };
                    if let Some(&square) = rng.choice(&moves) {
                        let turned = lines.flips(square, own, other);
                        (own, other) = (own | turned | 1 << square, other & !turned);
                    }
                    let [of_own, of_other] = if is_first { kept } else { [kept[1], kept[0]] };
                    assert!(of_own & !own | of_other & !other == 0, "{kind:?} {position:?}");
                    (own, other, is_first) = (other, own, !is_first);
                }
            }
        }
        assert!(stable_in > 10 && stable_pieces > 1_000, "{stable_in} {stable_pieces}");
    }

    #[test]
    fn corners_and_full_lines_are_stable() {
        let kind = Kind::of(&game(&grid(8, 8), true, 1, true).build().unwrap()).unwrap();
        let stable = super::Stable::new(Lines::new(&kind).shifts().unwrap()).unwrap();
        // From a corner, each row is shorter than the one before.
        assert_eq!(stable.of(0x0107_0f0f, !0x0107_0f0f), 0x0103_070f);
        // Without the corner, none of these is.
        assert_eq!(stable.of(0x0107_0f0e, !0x0107_0f0e), 0);
        assert_eq!(stable.of(!0, 0), !0);
    }
}
