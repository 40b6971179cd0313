//! Reading games from text.

mod open;
mod read;
mod token;
