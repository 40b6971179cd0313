//! Impartial games in misère play, in which the player who cannot move wins.
//!
//! - `forms`: canonical forms.
//! - `genus`: genus symbols.
//! - `quotient`: misère quotients.

mod forms;
mod genus;
mod quotient;

pub use forms::{MisereForm, MisereForms};
pub use genus::Genus;
pub use quotient::MisereQuotient;
