//! Labels: the values computed for a position, each a small algebra.
//!
//! A [`Label`] defines how the values of a position's successors determine its own value: absorb each successor, then
//! finish. Applied backward over all positions, this is retrograde induction, and
//! [`step()`] is its single step. The sparse solver and the verifiers are generic over labels.
//! A label is a variant of [`LabelKind`] with its name and width, a type that implements [`Label`], and a line in
//! [`with_byte_label!`](crate::with_byte_label), from where solvers, tables and verifiers take it. Only the vector kernels
//! have their own code for the lanes.

mod counts;
mod dispatch;
mod kind;
mod misere_nimber;
mod nimber;
mod outcome;
mod probe;
mod remoteness;
mod set;
mod step;
mod undefined;
mod width;

use tablegen_rules as rules;

use std::fmt::Debug;
use std::ops::ControlFlow;

pub use crate::rules::Outcome;

pub use counts::Counts;
pub use counts::{add_each, by_mode, figures};
pub use kind::{LabelKind, UnknownLabel};
pub use misere_nimber::MisereNimber;
pub use nimber::Nimber;
pub use probe::{Choice, Probe, Value, probe};
pub use remoteness::Remoteness;
pub use remoteness::{NO_SUCCESSOR, ended_code};
pub use set::LabelSet;
pub use step::{step, try_step};
pub use undefined::Undefined;
pub use width::Width;

/// A label as an algebra over the labels of the successors.
pub trait Label: Copy + Eq + Send + Sync + Debug + Into<Outcome> {
    /// The kind of this label.
    const KIND: LabelKind;

    /// True if only successors that preserve the outcome of the position matter; a search can skip the others.
    const KEEPS_OUTCOME: bool = false;

    /// True if the outcome of a position follows from its label.
    const DECIDES: bool = true;

    /// The state of a position whose successors are partly absorbed.
    type Partial: Copy + Send + Sync;

    /// The label of a position with a terminal pattern that gives `outcome` to the player to move.
    fn ended(outcome: Outcome) -> Self;

    /// The state before any successor is absorbed.
    fn none() -> Self::Partial;

    /// This label as the other player sees it: the opposite outcome, and equally many plies. A move after which the same player
    /// moves again absorbs the turned label of its successor.
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
