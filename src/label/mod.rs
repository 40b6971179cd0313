//! What is computed for a position: its labels, each a small algebra.
//!
//! A [`Label`] defines how the values of a position's successors determine its own value: absorb each successor, then
//! finish. Applied backward over all positions, this is retrograde induction, and
//! [`step`] is its single step. The sparse solver, which takes many such steps side
//! by side, and the verifiers are generic over it, so a label is defined in one place; only the vector kernels have it
//! written out for their lanes.

mod counts;
mod kind;
mod nimber;
mod outcome;
mod probe;
mod remoteness;
mod set;
mod step;
mod undefined;
mod width;

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::rules::Outcome;

pub use counts::Counts;
pub(crate) use counts::add_each;
pub use kind::{LabelKind, UnknownLabel};
pub use nimber::Nimber;
pub use probe::{Choice, Probe, Value, probe};
pub use remoteness::Remoteness;
pub(crate) use remoteness::{NO_SUCCESSOR, ended_code};
pub use set::LabelSet;
pub use step::{step, try_step};
pub use undefined::Undefined;
pub use width::Width;

/// A label as an algebra over the labels of the successors.
pub trait Label: Copy + Eq + Send + Sync + Debug {
    /// Which kind of label it is.
    const KIND: LabelKind;

    /// True if only those successors matter that leave the position its outcome: a search need not look into the others.
    const KEEPS_OUTCOME: bool = false;

    /// What the successors absorbed so far determine about a position.
    type Partial: Copy + Send + Sync;

    /// The label of a position at which a pattern ends the game, with `outcome` for the player to move.
    fn ended(outcome: Outcome) -> Self;

    /// The state before any successor is absorbed.
    fn none() -> Self::Partial;

    /// The label that a successor where the other player moves would need to be worth the same as this one, where the player
    /// of the move goes on: its outcome turned over, and as many plies.
    fn turned(self) -> Self;

    /// Absorbs the label of one successor. `Break` if no further successor can change the result of
    /// [`finish`](Self::finish).
    fn absorb(partial: &mut Self::Partial, successor: Self) -> ControlFlow<()>;

    /// The label of a position after its successors are absorbed; without successors, `terminal` is its outcome.
    fn finish(partial: Self::Partial, terminal: Outcome) -> Self;

    /// The number that represents the label in a table, with the number of bits that `width` gives.
    fn encode(self, width: Width) -> u8;

    /// The label that `number` represents; `None` if it does not represent one.
    fn decode(number: u8, width: Width) -> Option<Self>;
}
