//! Answers about positions, from a table, a solution or a search.

pub(crate) mod answering;
pub(crate) mod assembly;
pub(crate) mod in_memory;
pub(crate) mod looking;
pub(crate) mod on_demand;
pub(crate) mod question;
pub(crate) mod reply;
mod short;
pub(crate) mod source;
pub(crate) mod telling;
