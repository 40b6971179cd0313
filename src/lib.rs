//! placeholder

pub mod game;
pub mod plane;
pub mod reached;
pub mod rules;
pub mod solve;
pub mod table;
