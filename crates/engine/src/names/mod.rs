//! The game or table that a name refers to, and where tables are.

pub(crate) mod dirs;
pub(crate) mod meaning;
pub(crate) mod open;
pub(crate) mod part;
pub(crate) mod target;
