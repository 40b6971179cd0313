//! What is computed of a position: its labels, each a small algebra.
//!
//! A [`Label`] says how the values of a position's successors make its own: absorb each successor, then finish. Played
//! backward over all positions this is retrograde induction, and [`Rules::step`](crate::rules::Rules::step) is its one
//! step. The sparse solver and the verifiers are generic over it, so that a label is defined in one place; the vector
//! kernels alone have it written out for their lanes.

mod counts;
mod kind;
mod outcome;
mod probe;
mod step;
mod width;

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::rules::Outcome;

pub use counts::Counts;
pub(crate) use counts::add_by_mode;
pub use kind::{LabelKind, UnknownLabel};
pub use probe::{Choice, Probe, Value};
pub use width::Width;

/// A label as an algebra over the labels of the successors.
pub trait Label: Copy + Eq + Send + Sync + Debug {
    /// Which label it is.
    const KIND: LabelKind;

    /// What the successors absorbed so far make of a position.
    type Partial: Copy + Send + Sync;

    /// The label of a position at which a pattern ends the game, with `outcome` for the player to move.
    fn ended(outcome: Outcome) -> Self;

    /// No successor absorbed yet.
    fn none() -> Self::Partial;

    /// Absorbs the label of one successor. `Break` if no other successor can change what [`finish`](Self::finish) gives.
    fn absorb(partial: &mut Self::Partial, successor: Self) -> ControlFlow<()>;

    /// The label of a position whose successors were absorbed; without any, `terminal` is its outcome.
    fn finish(partial: Self::Partial, terminal: Outcome) -> Self;

    /// The number that stands for the label in a table, of as many bits as `width` has.
    fn encode(self, width: Width) -> u8;

    /// The label that `number` stands for; `None` if it stands for none.
    fn decode(number: u8, width: Width) -> Option<Self>;
}
