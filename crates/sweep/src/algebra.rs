//! Labels of one byte or two, 64 positions at a time: the vector form of [`Label`].

use std::marker::PhantomData;

use crate::derived::Signs;
use crate::label::{Label, NO_SUCCESSOR, Score, Width, ended_code};
use crate::rules::{Ending, Outcome};
use crate::simd::{Bytes, Lane, Unit, Vector};
use crate::worth::{Stuck, Worth};

/// Evaluates `$body` with `$algebra` bound to the algebra of the label `$kind`, which is not the outcome. `$draws` says whether there can
/// be draws, and `$scores` is the width of scores.
///
/// # Panics
/// For the outcome.
macro_rules! with_algebra {
    ($kind:expr, $draws:expr, $scores:expr, $algebra:ident => $body:expr) => {{
        use $crate::algebra::{NimberLanes, RemotenessLanes, ScoreLanes};
        use $crate::label::{LabelKind, Width};
        match ($kind, $draws, $scores) {
            (LabelKind::Outcome, ..) => unreachable!(),
            (LabelKind::Remoteness, true, _) => {
                type $algebra = RemotenessLanes<true>;
                $body
            }
            (LabelKind::Remoteness, false, _) => {
                type $algebra = RemotenessLanes<false>;
                $body
            }
            (LabelKind::Nimber, ..) => {
                type $algebra = NimberLanes<1, false>;
                $body
            }
            (LabelKind::MisereNimber, ..) => {
                type $algebra = NimberLanes<1, true>;
                $body
            }
            (LabelKind::Score, _, Width::Sixteen) => {
                type $algebra = ScoreLanes<u16>;
                $body
            }
            (LabelKind::Score, ..) => {
                type $algebra = ScoreLanes<u8>;
                $body
            }
        }
    }};
}
pub(crate) use with_algebra;

/// The vectors of `U` that hold codes of the algebra `A`.
pub(crate) type VectorOf<U, A> = <<A as Algebra>::Code as Lane>::Vector<U>;

/// A label whose codes have one byte or two.
pub(crate) trait Algebra: Send + Sync {
    /// A code.
    type Code: Lane;

    /// The state of 64 positions after absorbing some of their successors.
    type Partial<U: Unit>: Copy;

    /// What a move is worth, made ready to be applied to many lines. It takes no memory for labels to which points do not matter.
    type Worth<U: Unit>: Copy;

    /// The algebras for blocks that this one cannot hold ([`size`](Self::size)).
    type Wide: Algebra<Code = Self::Code>;
    /// The algebra that can hold every block.
    type Widest: Algebra<Code = Self::Code>;

    /// `true` if these three differ.
    const HAS_SIZES: bool;

    /// The number of vectors in the state of a line.
    const VECTORS: usize;

    /// `true` if it is used often enough to unroll its code where `HELD` of the vectors allows it.
    const UNROLLED: bool;

    /// The outcomes that the codes stand for; `None` if outcomes are not derived from this label.
    const SIGNS: Option<Signs>;

    /// The code that lanes without a move absorb. It changes nothing.
    const ILLEGAL: Self::Code;

    /// Before any successor.
    fn none<U: Unit>(unit: U) -> Self::Partial<U>;

    /// Prepares what a move is worth.
    fn worth<U: Unit>(unit: U, worth: Worth) -> Self::Worth<U>;

    /// Absorbs a successor of each lane by a move of this worth: [`ILLEGAL`](Self::ILLEGAL) in lanes without the move.
    fn absorb<U: Unit>(unit: U, partial: &mut Self::Partial<U>, successors: VectorOf<U, Self>, worth: Self::Worth<U>);

    /// The codes.
    fn finish<U: Unit>(unit: U, partial: &Self::Partial<U>, stuck: Stuck) -> VectorOf<U, Self>;

    /// The size of the algebra that can distinguish all absorbed codes and `codes`: 0 for the narrowest, 1 for `Wide`,
    /// 2 for `Widest`.
    fn size<U: Unit>(partial: &Self::Partial<U>, codes: VectorOf<U, Self>) -> usize;

    /// The code of a position that is over.
    fn ended(ending: Ending) -> u16;
}

/// Outcome and plies to the end, by the least code of the successors. `DRAWS` says whether there can be draws.
pub(crate) struct RemotenessLanes<const DRAWS: bool>;

impl<const DRAWS: bool> Algebra for RemotenessLanes<DRAWS> {
    type Code = u8;
    type Partial<U: Unit> = U::Bytes;
    type Worth<U: Unit> = ();
    type Wide = Self;
    type Widest = Self;
    const HAS_SIZES: bool = false;
    const VECTORS: usize = 1;
    const UNROLLED: bool = !DRAWS;
    const SIGNS: Option<Signs> = Some(Signs::REMOTENESS);
    const ILLEGAL: u8 = NO_SUCCESSOR;

    #[inline(always)]
    fn none<U: Unit>(unit: U) -> U::Bytes {
        U::Bytes::splat(unit.bytes(), NO_SUCCESSOR)
    }

    #[inline(always)]
    fn worth<U: Unit>(_: U, _: Worth) {}

    #[inline(always)]
    fn absorb<U: Unit>(_: U, least: &mut U::Bytes, successors: U::Bytes, (): ()) {
        *least = least.min(successors);
    }

    /// The cases of the remoteness's `finish` without a branch:
    ///
    /// ```text
    /// least        0 … 64        190 … 254     255 = no successor, where a player without a move
    ///                                          has lost     has won
    /// 253 - least  253 … 189     63 … 255      254          254           (modulo 256)
    /// and          + 0           + 2           + 2 = 0      + 0
    /// ```
    #[inline(always)]
    fn finish<U: Unit>(unit: U, least: &U::Bytes, Stuck { code, .. }: Stuck) -> U::Bytes {
        let (byte, terminal) = (|byte| U::Bytes::splat(unit.bytes(), byte), u8::of(code));
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
    fn size<U: Unit>(_: &U::Bytes, _: U::Bytes) -> usize {
        0
    }

    fn ended(ending: Ending) -> u16 {
        ended_code(ending.outcome).into()
    }
}

/// Net points still to come, by the most that a move is worth, in codes `C`.
pub(crate) struct ScoreLanes<C>(PhantomData<C>);

/// [`Worth`] in vectors.
#[derive(Clone, Copy)]
pub(crate) struct WorthLanes<V> {
    flips: V,
    adds: V,
    takes: V,
}

impl<C: Lane> Algebra for ScoreLanes<C> {
    type Code = C;
    type Partial<U: Unit> = C::Vector<U>;
    type Worth<U: Unit> = WorthLanes<C::Vector<U>>;
    type Wide = Self;
    type Widest = Self;
    const HAS_SIZES: bool = false;
    const VECTORS: usize = 1;
    const UNROLLED: bool = true;
    const SIGNS: Option<Signs> = Some(Signs::of_scores::<C>());
    const ILLEGAL: C = C::MAX;

    #[inline(always)]
    fn none<U: Unit>(unit: U) -> C::Vector<U> {
        C::Vector::<U>::splat(C::token(unit), C::ZERO)
    }

    #[inline(always)]
    fn worth<U: Unit>(unit: U, worth: Worth) -> WorthLanes<C::Vector<U>> {
        let lanes = |code| C::Vector::<U>::splat(C::token(unit), C::of(code));
        WorthLanes { flips: lanes(worth.flips), adds: lanes(worth.adds), takes: lanes(worth.takes) }
    }

    #[inline(always)]
    fn absorb<U: Unit>(_: U, most: &mut C::Vector<U>, successors: C::Vector<U>, worth: WorthLanes<C::Vector<U>>) {
        *most = most.max(successors.xor(worth.flips).add(worth.adds).minus(worth.takes));
    }

    #[inline(always)]
    fn finish<U: Unit>(unit: U, most: &C::Vector<U>, stuck: Stuck) -> C::Vector<U> {
        let lanes = |code| C::Vector::<U>::splat(C::token(unit), C::of(code));
        let has_move = most.max(lanes(stuck.floor)).equals(*most);
        lanes(stuck.code).replaced(has_move, *most)
    }

    #[inline(always)]
    fn size<U: Unit>(_: &C::Vector<U>, _: C::Vector<U>) -> usize {
        0
    }

    fn ended(ending: Ending) -> u16 {
        Score::ended(ending).code(if C::BITS == u8::BITS { Width::Eight } else { Width::Sixteen })
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
    type Code = u8;
    type Partial<U: Unit> = Taken<U::Bytes, PAIRS>;
    type Worth<U: Unit> = ();
    type Wide = NimberLanes<2, MISERE>;
    type Widest = NimberLanes<3, MISERE>;
    const HAS_SIZES: bool = true;
    const VECTORS: usize = 2 * PAIRS + 1;
    const UNROLLED: bool = PAIRS == 1;
    const SIGNS: Option<Signs> = None;
    /// Its top bits keep it out of every plane, and make it less than any value as a signed number.
    const ILLEGAL: u8 = 0xc0;

    #[inline(always)]
    fn none<U: Unit>(unit: U) -> Taken<U::Bytes, PAIRS> {
        let zero = U::Bytes::splat(unit.bytes(), 0);
        Taken { planes: [(zero, zero); PAIRS], greatest: zero }
    }

    #[inline(always)]
    fn worth<U: Unit>(_: U, _: Worth) {}

    #[inline(always)]
    fn absorb<U: Unit>(unit: U, taken: &mut Taken<U::Bytes, PAIRS>, successors: U::Bytes, (): ()) {
        taken.greatest = taken.greatest.max_signed(successors);
        for (pair, planes) in taken.planes.iter_mut().enumerate() {
            let (low, high) = successors.one_hot(unit.bytes(), pair as u8, pair + 1 == PAIRS);
            *planes = (planes.0.or(low), planes.1.or(high));
        }
    }

    #[inline(always)]
    fn finish<U: Unit>(unit: U, taken: &Taken<U::Bytes, PAIRS>, _: Stuck) -> U::Bytes {
        let token = unit.bytes();
        let byte = |byte| U::Bytes::splat(token, byte);
        let full = byte(u8::MAX);
        let (mut least, mut all) = (byte(0), full);
        for plane in taken.planes.iter().flat_map(|&(low, high)| [low, high]) {
            least = least.add(plane.trailing_ones(token).and(all));
            all = all.and(plane.equals(full));
        }
        if !MISERE {
            return least;
        }
        let zero = byte(0);
        let any = taken.planes.iter().fold(zero, |any, &(low, high)| any.or(low).or(high));
        least.replaced(any.equals(zero), byte(1))
    }

    #[inline(always)]
    fn size<U: Unit>(taken: &Taken<U::Bytes, PAIRS>, codes: U::Bytes) -> usize {
        let greatest = taken.greatest.max_signed(codes);
        if !greatest.exceeds(15) { 0 } else { 1 + usize::from(greatest.exceeds(31)) }
    }

    fn ended(_: Ending) -> u16 {
        u16::from(MISERE)
    }
}
