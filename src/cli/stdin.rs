//! Standard input, which the path `-` names. It can be read only once.

use std::io::{self, StdinLock};
use std::sync::atomic::{AtomicBool, Ordering};

/// The path that names standard input.
pub(super) const PATH: &str = "-";

/// Returns whether the arguments `typed` name standard input.
pub(super) fn is_in(typed: &str) -> bool {
    typed.split(' ').any(|word| word == PATH)
}

static TAKEN: AtomicBool = AtomicBool::new(false);

/// Standard input for its only reader.
///
/// # Errors
/// If it was taken already. The message says what to do.
pub(super) fn take() -> Result<StdinLock<'static>, String> {
    match TAKEN.swap(true, Ordering::Relaxed) {
        false => Ok(io::stdin().lock()),
        true => Err(
            "cannot read standard input twice: expected one use of it, found two; put one of the inputs into a file"
                .into(),
        ),
    }
}
