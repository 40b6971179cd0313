//! The ways in which a value can be written.

use crate::store::Value;

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A short name of an uptimal.
    Short,
    /// `+-` and the Left options.
    PlusMinus,
    /// A number plus tiny: the number, and the argument of tiny.
    Tiny(Value, Value),
    /// A number plus miny: the number, and the argument of miny.
    Miny(Value, Value),
    /// Options with this number of bars between them.
    Bars(u8),
}
