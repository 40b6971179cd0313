//! Outcomes derived from the codes of another label.
//!
//! A code tells the outcome. Where moves gain points, the outcome of a position is the sign of its score, and does not follow from the
//! outcomes after its moves. In other games, no second sweep is needed:
//!
//! ```text
//!                a loss     a draw        a win
//! score          2 … 127    128           129 … 254
//! in two bytes   2 … 32,767 32,768        32,769 … 65,534
//! remoteness     0 … 64     66 … 130      190 … 254
//! ```
//!
//! A kernel writes outcomes with the codes of a whole game. Slices of scores are kept, and their outcomes derived afterwards.

use rayon::prelude::*;

use crate::SolveError;
use crate::label::{LabelKind, LabelSet, Width, ended_code};
use crate::memory::{Plain, values, values_mut};
use crate::rules::{Outcome, Rules};
use crate::simd::{Lane, Line, Unit, Vector, VectorUnit, Work};

/// Words of outcomes that one thread writes at a time.
const STRETCH: usize = 1 << 14;

/// The codes of wins and of losses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signs {
    /// Codes of wins are greater, all others are not.
    no_win: u16,
    /// Codes of losses are not greater, all others are.
    loss: u16,
}

impl Signs {
    pub(crate) const REMOTENESS: Self = Self { no_win: ended_code(Outcome::Draw) as u16, loss: 64 };

    /// Of scores with codes `C`.
    pub(crate) const fn of_scores<C: Lane>() -> Self {
        let no_win = 1 << (C::BITS - 1);
        Self { no_win, loss: no_win - 1 }
    }

    /// The lanes of `codes` that are wins, and those that are losses, a bit each.
    #[inline(always)]
    pub(crate) fn words<V: Vector>(self, codes: V) -> (u64, u64) {
        (codes.above(V::Lane::of(self.no_win)), !codes.above(V::Lane::of(self.loss)))
    }
}

/// The label from which the outcomes of a whole game are derived, if one of `labels` tells them.
///
/// # Errors
/// If moves gain points, and the score is not among `labels`.
pub(crate) fn source(rules: &Rules, labels: LabelSet) -> Result<Option<LabelKind>, SolveError> {
    let found = [LabelKind::Score, LabelKind::Remoteness].into_iter().find(|&kind| labels.contains(kind));
    if rules.has_gains() && found != Some(LabelKind::Score) {
        return Err(SolveError::NeedsScore { name: rules.name().into() });
    }
    Ok(found)
}

/// The sizes of planes in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// A plane of scores: whole lines.
    pub(crate) scores: usize,
    /// The width of a score.
    pub(crate) width: Width,
    /// A plane of wins or of losses: whole words, with a bit for each score of a plane at least.
    pub(crate) outcomes: usize,
    /// `true` if there are planes of losses.
    pub(crate) draws: bool,
}

/// Writes `outcomes` of `sizes` from all planes of `scores`: for each a plane of wins, which a plane of losses follows if there are any.
/// Padding of scores is 0, and so is padding of outcomes. Runs on all cores of the current rayon pool.
pub(crate) fn outcomes(scores: &[u8], sizes: Sizes, unit: VectorUnit, outcomes: &mut [u8]) {
    match sizes.width {
        Width::Sixteen => outcomes_of::<u16>(scores, sizes, unit, outcomes),
        _ => outcomes_of::<u8>(scores, sizes, unit, outcomes),
    }
}

/// As [`outcomes`], from scores with codes `C`.
fn outcomes_of<C: Lane>(scores: &[u8], sizes: Sizes, unit: VectorUnit, outcomes: &mut [u8])
where
    Line<C>: Plain,
{
    let (lines, words) = (values::<Line<C>>(scores), values_mut::<u64>(outcomes));
    let (a_plane, step) = (sizes.scores / size_of::<Line<C>>(), sizes.outcomes / size_of::<u64>());
    if a_plane < step {
        words.fill(0);
    }
    let of_mode = if sizes.draws { 2 * step } else { step };
    for (scores, outcomes) in lines.chunks(a_plane).zip(words.chunks_mut(of_mode)) {
        let (wins, losses) = outcomes.split_at_mut(step);
        let stretches = scores.par_chunks(STRETCH).zip(wins.par_chunks_mut(STRETCH));
        if sizes.draws {
            let stretches = stretches.zip(losses.par_chunks_mut(STRETCH));
            stretches.for_each(|((scores, wins), losses)| unit.run_on_bytes(Derive { scores, wins, losses }));
        } else {
            stretches.for_each(|(scores, wins)| unit.run_on_bytes(Derive { scores, wins, losses: &mut [] }));
        }
    }
}

/// Lines of scores, and the words of outcomes to be written.
struct Derive<'a, C> {
    scores: &'a [Line<C>],
    wins: &'a mut [u64],
    /// Empty if there are no draws.
    losses: &'a mut [u64],
}

impl<C: Lane> Work for Derive<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        let (token, signs) = (C::token(unit), Signs::of_scores::<C>());
        for (scores, wins) in self.scores.iter().zip(self.wins) {
            *wins = signs.words(C::Vector::<U>::load(token, scores)).0;
        }
        for (scores, losses) in self.scores.iter().zip(self.losses) {
            // Padding has the code 0, which is the code of no score.
            let scores = C::Vector::<U>::load(token, scores);
            *losses = signs.words(scores).1 & scores.above(C::ZERO);
        }
    }
}
