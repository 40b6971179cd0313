//! Outcomes derived from labels of one byte.
//!
//! A code tells the outcome. Where moves gain points, the outcome of a position is the sign of its score, and does not follow from the
//! outcomes after its moves. In other games, no second sweep is needed:
//!
//! ```text
//!                a loss     a draw        a win
//! score          2 … 127    128           129 … 254
//! remoteness     0 … 64     66 … 130      190 … 254
//! ```
//!
//! A kernel writes outcomes with the codes of a whole game. Slices of scores are kept, and their outcomes derived afterwards.

use rayon::prelude::*;

use crate::SolveError;
use crate::label::{LabelKind, LabelSet, NO_POINTS, ended_code};
use crate::memory::{values, values_mut};
use crate::rules::{Outcome, Rules};
use crate::simd::{Bytes, LANES, Line, Unit, VectorUnit, Work};

/// Words of outcomes that one thread writes at a time.
const STRETCH: usize = 1 << 14;

/// The codes of wins and of losses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signs {
    /// Codes of wins are greater, all others are not.
    no_win: u8,
    /// Codes of losses are not greater, all others are.
    loss: u8,
}

impl Signs {
    pub(crate) const SCORE: Self = Self { no_win: NO_POINTS, loss: NO_POINTS - 1 };
    pub(crate) const REMOTENESS: Self = Self { no_win: ended_code(Outcome::Draw), loss: 64 };

    /// The lanes of `codes` that are wins, and those that are losses, a bit each.
    #[inline(always)]
    pub(crate) fn words<V: Bytes>(self, codes: V) -> (u64, u64) {
        (codes.above(self.no_win), !codes.above(self.loss))
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
    /// A plane of wins or of losses: whole words, with a bit for each byte of a plane of scores at least.
    pub(crate) outcomes: usize,
    /// `true` if there are planes of losses.
    pub(crate) draws: bool,
}

/// Writes `outcomes` of `sizes` from all planes of `scores`: for each a plane of wins, which a plane of losses follows if there are any.
/// Padding of scores is 0, and so is padding of outcomes. Runs on all cores of the current rayon pool.
pub(crate) fn outcomes(scores: &[u8], sizes: Sizes, unit: VectorUnit, outcomes: &mut [u8]) {
    let (lines, words) = (values::<Line>(scores), values_mut::<u64>(outcomes));
    let (a_plane, step) = (sizes.scores / LANES, sizes.outcomes / size_of::<u64>());
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
struct Derive<'a> {
    scores: &'a [Line],
    wins: &'a mut [u64],
    /// Empty if there are no draws.
    losses: &'a mut [u64],
}

impl Derive<'_> {
    #[inline(always)]
    fn run_with<V: Bytes>(self, token: V::Token) {
        for (scores, wins) in self.scores.iter().zip(self.wins) {
            *wins = Signs::SCORE.words(V::load(token, scores)).0;
        }
        for (scores, losses) in self.scores.iter().zip(self.losses) {
            // Padding has the code 0, which is the code of no score.
            let scores = V::load(token, scores);
            *losses = Signs::SCORE.words(scores).1 & scores.above(0);
        }
    }
}

impl Work for Derive<'_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        self.run_with::<U::Bytes>(unit.bytes());
    }
}
