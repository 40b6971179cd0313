//! Fuzz targets: one module each, whose function `run` takes the bytes of an input and panics if a promise is broken.
//!
//! `tests/tables/fuzzed.rs` of the project includes the same modules and replays the inputs in `corpus/`.

pub mod certificate;
pub mod checkpoint;
pub mod notation;
pub mod request;
pub mod rules;
pub mod table;
pub mod values;

#[allow(dead_code, unreachable_pub, reason = "the tests of the project need more of it")]
#[path = "../../tests/common/forge.rs"]
mod forge;
mod walk;
