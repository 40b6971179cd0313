//! placeholder

pub mod game;
pub mod plane;
pub mod rules;
pub mod shipped;
pub mod solve;
pub mod table;
