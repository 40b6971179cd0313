//! Names of values.

mod order;
mod recognise;
mod write;
