//! Solves games in which positions may repeat, region by region.
//!
//! The regions of the [index](crate::index) that lead to each other are a group, and groups are solved from the last one back. Within a
//! group, positions are decided in layers of plies from the ends of play, by undoing moves; what stays undecided is a draw by repetition.
//! Every board of a region is labelled, whether play reaches it or not.
//!
//! - [`steps`]: moves as changes of planes; [`filters`]: which moves fit a board.
//! - [`layout`]: the rows of a region; [`group`]: a group in memory; [`cells`]: the state of its positions; [`sets`]: what a layer has decided.
//! - [`ahead`]: the forward pass, which finds the ends of play and what moves out of the group are worth ([`events`]).
//! - [`back`], [`layers`]: undoing moves, layer by layer.
//! - [`store`]: the labels of finished groups.
//!
//! Memory holds the group that is being solved and the regions that its moves lead to.

mod ahead;
mod back;
mod cells;
mod events;
mod filters;
mod group;
mod layers;
mod layout;
mod sets;
mod steps;
mod store;
#[cfg(test)]
mod tests;

pub use layers::solve_groups;
pub use store::{InMemory, RegionLabels, RegionStore};
