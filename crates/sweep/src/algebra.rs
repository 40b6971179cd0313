//! Labels of one byte, 64 positions at a time: the vector form of [`Label`].

use crate::derived::Signs;
use crate::label::{Label, MisereNimber, NO_SUCCESSOR, Nimber, Remoteness, Score, Width, ended_code};
use crate::rules::{Ending, Outcome};
use crate::simd::Bytes;
use crate::worth::{Stuck, Worth};

/// A label with its algebras.
pub(crate) trait Lanes: Label {
    /// The algebra for games that can be drawn.
    type WithDraws: Algebra;
    /// The algebra for other games.
    type WithoutDraws: Algebra;
}

impl Lanes for Remoteness {
    type WithDraws = RemotenessLanes<true>;
    type WithoutDraws = RemotenessLanes<false>;
}

impl Lanes for Nimber {
    type WithDraws = NimberLanes<1, false>;
    type WithoutDraws = NimberLanes<1, false>;
}

impl Lanes for MisereNimber {
    type WithDraws = NimberLanes<1, true>;
    type WithoutDraws = NimberLanes<1, true>;
}

impl Lanes for Score {
    type WithDraws = ScoreLanes;
    type WithoutDraws = ScoreLanes;
}

/// A label whose code is a byte.
pub(crate) trait Algebra: Send + Sync {
    /// The state of 64 positions after absorbing some of their successors.
    type Partial<V: Bytes>: Copy;

    /// What a move is worth, made ready to be applied to many lines. It takes no memory for labels to which points do not matter.
    type Worth<V: Bytes>: Copy;

    /// The algebras for blocks that this one cannot hold ([`size`](Self::size)).
    type Wide: Algebra;
    /// The algebra that can hold every block.
    type Widest: Algebra;

    /// `true` if these three differ.
    const HAS_SIZES: bool;

    /// The number of vectors in the state of a line.
    const VECTORS: usize;

    /// `true` if it is used often enough to unroll its code where [`Bytes::HELD`] allows it.
    const UNROLLED: bool;

    /// The outcomes that the codes stand for; `None` if outcomes are not derived from this label.
    const SIGNS: Option<Signs>;

    /// The code that lanes without a move absorb. It changes nothing.
    const ILLEGAL: u8;

    /// Before any successor.
    fn none<V: Bytes>(token: V::Token) -> Self::Partial<V>;

    /// Prepares what a move is worth.
    fn worth<V: Bytes>(token: V::Token, worth: Worth) -> Self::Worth<V>;

    /// Absorbs a successor of each lane by a move of this worth: [`ILLEGAL`](Self::ILLEGAL) in lanes without the move.
    fn absorb<V: Bytes>(token: V::Token, partial: &mut Self::Partial<V>, successors: V, worth: Self::Worth<V>);

    /// The codes.
    fn finish<V: Bytes>(token: V::Token, partial: &Self::Partial<V>, stuck: Stuck) -> V;

    /// The size of the algebra that can distinguish all absorbed codes and `codes`: 0 for the narrowest, 1 for `Wide`,
    /// 2 for `Widest`.
    fn size<V: Bytes>(partial: &Self::Partial<V>, codes: V) -> usize;

    /// The code of a position that is over.
    fn ended(ending: Ending) -> u8;
}

/// Outcome and plies to the end, by the least code of the successors. `DRAWS` says whether there can be draws.
pub(crate) struct RemotenessLanes<const DRAWS: bool>;

impl<const DRAWS: bool> Algebra for RemotenessLanes<DRAWS> {
    type Partial<V: Bytes> = V;
    type Worth<V: Bytes> = ();
    type Wide = Self;
    type Widest = Self;
    const HAS_SIZES: bool = false;
    const VECTORS: usize = 1;
    const UNROLLED: bool = !DRAWS;
    const SIGNS: Option<Signs> = Some(Signs::REMOTENESS);
    const ILLEGAL: u8 = NO_SUCCESSOR;

    #[inline(always)]
    fn none<V: Bytes>(token: V::Token) -> V {
        V::splat(token, NO_SUCCESSOR)
    }

    #[inline(always)]
    fn worth<V: Bytes>(_: V::Token, _: Worth) {}

    #[inline(always)]
    fn absorb<V: Bytes>(_: V::Token, least: &mut V, successors: V, (): ()) {
        *least = least.min(successors);
    }

    /// The cases of [`Remoteness`]'s `finish` without a branch:
    ///
    /// ```text
    /// least        0 … 64        190 … 254     255 = no successor, where a player without a move
    ///                                          has lost     has won
    /// 253 - least  253 … 189     63 … 255      254          254           (modulo 256)
    /// and          + 0           + 2           + 2 = 0      + 0
    /// ```
    #[inline(always)]
    fn finish<V: Bytes>(token: V::Token, least: &V, Stuck { code: terminal, .. }: Stuck) -> V {
        let byte = |byte| V::splat(token, byte);
        let has_won = !DRAWS && terminal != ended_code(Outcome::Loss);
        // The top bit distinguishes the two kinds of code. Adding 1 turns "no successor" into the other kind.
        let two = least.add(byte(u8::from(has_won))).two_if_top();
        let codes = byte(253).sub(*least).add(two);
        if !DRAWS {
            return codes;
        }
        let [shortest, longest] = [ended_code(Outcome::Draw), ended_code(Outcome::Draw) - 64].map(byte);
        let is_draw = least.max(longest).min(shortest).equals(*least);
        let codes = codes.replaced(is_draw, least.sub(byte(1)));
        codes.replaced(least.equals(byte(NO_SUCCESSOR)), byte(terminal))
    }

    #[inline(always)]
    fn size<V: Bytes>(_: &V, _: V) -> usize {
        0
    }

    fn ended(ending: Ending) -> u8 {
        ended_code(ending.outcome)
    }
}

/// Net points still to come, by the most that a move is worth.
pub(crate) struct ScoreLanes;

/// [`Worth`] in vectors.
#[derive(Clone, Copy)]
pub(crate) struct WorthLanes<V> {
    flips: V,
    adds: V,
    takes: V,
}

impl Algebra for ScoreLanes {
    type Partial<V: Bytes> = V;
    type Worth<V: Bytes> = WorthLanes<V>;
    type Wide = Self;
    type Widest = Self;
    const HAS_SIZES: bool = false;
    const VECTORS: usize = 1;
    const UNROLLED: bool = true;
    const SIGNS: Option<Signs> = Some(Signs::SCORE);
    const ILLEGAL: u8 = u8::MAX;

    #[inline(always)]
    fn none<V: Bytes>(token: V::Token) -> V {
        V::splat(token, 0)
    }

    #[inline(always)]
    fn worth<V: Bytes>(token: V::Token, worth: Worth) -> WorthLanes<V> {
        let lanes = |byte| V::splat(token, byte);
        WorthLanes { flips: lanes(worth.flips), adds: lanes(worth.adds), takes: lanes(worth.takes) }
    }

    #[inline(always)]
    fn absorb<V: Bytes>(_: V::Token, most: &mut V, successors: V, worth: WorthLanes<V>) {
        *most = most.max(successors.xor(worth.flips).add(worth.adds).minus(worth.takes));
    }

    #[inline(always)]
    fn finish<V: Bytes>(token: V::Token, most: &V, stuck: Stuck) -> V {
        let has_move = most.max(V::splat(token, stuck.floor)).equals(*most);
        V::splat(token, stuck.code).replaced(has_move, *most)
    }

    #[inline(always)]
    fn size<V: Bytes>(_: &V, _: V) -> usize {
        0
    }

    fn ended(ending: Ending) -> u8 {
        Score::ended(ending).encode(Width::Eight)
    }
}

/// Grundy values, by the set of the successors' values: a bit for each value, eight values a plane, two planes a pair.
/// Values beyond the pairs are not distinguished. A value is at most the number of plies, so three pairs are enough for
/// every dense table. A two-colour table with a value of 48 would have 2^48 labels at least.
///
/// In misère play a position without a move has 1.
pub(crate) struct NimberLanes<const PAIRS: usize, const MISERE: bool>;

/// A set of Grundy values for each lane.
#[derive(Clone, Copy)]
pub(crate) struct Taken<V, const PAIRS: usize> {
    planes: [(V, V); PAIRS],
    /// The greatest value absorbed.
    greatest: V,
}

impl<const PAIRS: usize, const MISERE: bool> Algebra for NimberLanes<PAIRS, MISERE> {
    type Partial<V: Bytes> = Taken<V, PAIRS>;
    type Worth<V: Bytes> = ();
    type Wide = NimberLanes<2, MISERE>;
    type Widest = NimberLanes<3, MISERE>;
    const HAS_SIZES: bool = true;
    const VECTORS: usize = 2 * PAIRS + 1;
    const UNROLLED: bool = PAIRS == 1;
    const SIGNS: Option<Signs> = None;
    /// Its top bits keep it out of every plane, and make it less than any value as a signed number.
    const ILLEGAL: u8 = 0xc0;

    #[inline(always)]
    fn none<V: Bytes>(token: V::Token) -> Taken<V, PAIRS> {
        let zero = V::splat(token, 0);
        Taken { planes: [(zero, zero); PAIRS], greatest: zero }
    }

    #[inline(always)]
    fn worth<V: Bytes>(_: V::Token, _: Worth) {}

    #[inline(always)]
    fn absorb<V: Bytes>(token: V::Token, taken: &mut Taken<V, PAIRS>, successors: V, (): ()) {
        taken.greatest = taken.greatest.max_signed(successors);
        for (pair, planes) in taken.planes.iter_mut().enumerate() {
            let (low, high) = successors.one_hot(token, pair as u8, pair + 1 == PAIRS);
            *planes = (planes.0.or(low), planes.1.or(high));
        }
    }

    #[inline(always)]
    fn finish<V: Bytes>(token: V::Token, taken: &Taken<V, PAIRS>, _: Stuck) -> V {
        let full = V::splat(token, u8::MAX);
        let (mut least, mut all) = (V::splat(token, 0), full);
        for plane in taken.planes.iter().flat_map(|&(low, high)| [low, high]) {
            least = least.add(plane.trailing_ones(token).and(all));
            all = all.and(plane.equals(full));
        }
        if !MISERE {
            return least;
        }
        let zero = V::splat(token, 0);
        let any = taken.planes.iter().fold(zero, |any, &(low, high)| any.or(low).or(high));
        least.replaced(any.equals(zero), V::splat(token, 1))
    }

    #[inline(always)]
    fn size<V: Bytes>(taken: &Taken<V, PAIRS>, codes: V) -> usize {
        let greatest = taken.greatest.max_signed(codes);
        if !greatest.exceeds(15) { 0 } else { 1 + usize::from(greatest.exceeds(31)) }
    }

    fn ended(_: Ending) -> u8 {
        u8::from(MISERE)
    }
}
