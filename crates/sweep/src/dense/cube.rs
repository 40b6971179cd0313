//! The moves within a block if they are exactly the nine moves that fill one cell each. Many games have these moves,
//! which take half the time of their sweep.
//!
//! The result equals that of [`within`](super::within). Here all is unrolled: the blocks of a group side by side, and
//! in each the nine moves one after the other.

use super::block::EMPTY;
use super::labels::{Labels, TileMoves};
use super::sweep::TileKernel;
use crate::simd::{Boards, Shift};

impl<V: Boards, const DRAWS: bool> TileKernel<'_, V, DRAWS> {
    /// Labels the blocks of group `group` if there is one plane and nothing but moves decides, and stores the labels.
    ///
    /// The macros earn their place: the whole sweep of tactics 5x6, on one core, is about 1.5 times as fast as with the
    /// loops of [`within`](super::within) with AVX-512, and 1.4 times with AVX2 and in plain Rust.
    #[inline(always)]
    pub(super) fn cube(&self, tile: u64, group: usize, found: &TileMoves<V>) {
        /// One round: `found`, and what is not among the labels one cell up.
        macro_rules! round {
            ($found:expr, $labels:expr, $($cell:literal)*) => {{
                let mut wins = $found;
                $(
                    let next = $labels.lowered(const { Shift::of(1 << $cell) });
                    wins = wins.or_without(V::load_block(self.token, &EMPTY[$cell]), next);
                )*
                wins
            }};
        }
        /// Rounds for the blocks named until nothing changes in any of them.
        macro_rules! rounds {
            ($($labels:ident = $block:literal),*) => {{
                $(let mut $labels = found[$block].wins;)*
                loop {
                    let before = ($($labels,)*);
                    $($labels = round!(found[$block].wins, $labels, 0 1 2 3 4 5 6 7 8);)*
                    if rounds!(@same before $($labels)*) {
                        break;
                    }
                }
                $(self.write(0, tile, $block, Labels { wins: $labels, losses: $labels });)*
            }};
            (@same $before:ident $a:ident) => { $a.same($before.0) };
            (@same $before:ident $a:ident $b:ident $c:ident $d:ident) => {
                ($a.same($before.0) & $b.same($before.1)) & ($c.same($before.2) & $d.same($before.3))
            };
            (@same $before:ident $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident) => {
                rounds!(@same $before $a $b $c $d) & ($e.same($before.4) & $f.same($before.5))
            };
        }
        match group {
            0 => rounds!(a = 15),
            1 => rounds!(a = 14, b = 13, c = 11, d = 7),
            2 => rounds!(a = 12, b = 10, c = 9, d = 6, e = 5, f = 3),
            3 => rounds!(a = 8, b = 4, c = 2, d = 1),
            _ => rounds!(a = 0),
        }
    }
}
