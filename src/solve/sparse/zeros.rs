//! Memory that the system clears.

use std::collections::TryReserveError;

/// `count` zeros. Where there are many, the system provides each page only when it is touched: by the thread that does, and
/// not before it is needed.
pub(super) fn zeros<T: Clone + Default>(count: usize) -> Result<Vec<T>, TryReserveError> {
    // The vector below cannot say that there is no memory.
    Vec::<T>::new().try_reserve_exact(count)?;
    Ok(vec![T::default(); count])
}
