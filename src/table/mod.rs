//! A solved game in one file: written whole or not at all, opened in O(1), probed by an index, a load and a bit.
//!
//! [`Draft`] writes a table, [`Table`] reads one, [`verify_bytes`] and [`verify_labels`] check one. A table carries its
//! rules, so it needs nothing else to be understood. `docs/format.md` describes every byte.

mod atomic_file;
mod codec;
mod error;
mod header;
mod reached_draft;
mod reader;
mod storage;
mod verify;
mod verify_reached;
mod writer;

pub use atomic_file::write_atomically;
pub use codec::rules_hash;
pub use error::{TableError, TableFault};
pub use header::{MAGIC, VERSION};
pub use reached_draft::{ReachedDraft, reached_file_bytes};
pub use reader::{Reached, Table};
pub use storage::Storage;
pub use verify::{Finding, Labels, verify_bytes, verify_labels};
pub use writer::{Draft, file_bytes};
