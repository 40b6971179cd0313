//! Bytes of a table that are packed in blocks, and one way to read bytes that are packed or not, in memory or in a file.
//!
//! A section of a table is a row of bytes. Packed, it is cut into blocks of one size, each packed by itself, so that a look-up
//! unpacks one block. The blocks may lie in any order: an [`Index`] says where each one is, how long it is and which checksum
//! it has. So blocks can be packed by several threads, and written as they are finished:
//!
//! ```text
//! block block block …   | entry 0 | entry 1 | …                  | hash of entries 0 to 1023 | …
//! in any order          | offset, length, checksum of block 0, … | one for each page of entries
//! ```
//!
//! The entries stand in pages that are checked one by one, so that a table of millions of blocks is opened without reading
//! all of them. `docs/format.md` describes the bytes.
//!
//! [`Bytes`] reads both kinds, and sections of either kind that stay in their file. Nothing here knows what the bytes mean.

mod block;
mod bytes;
mod cache;
mod form;
mod in_blocks;
mod index;

pub(crate) use block::unpack;
pub use block::{DEFAULT_LEVEL, PackedBlock, Packing, is_available, pack};
pub use bytes::{Bytes, Reader};
pub(crate) use cache::Cache;
pub use form::{DEFAULT_BLOCK, Form};
pub(crate) use form::{ENTRY, PAGE};
pub use in_blocks::BlockFault;
pub(crate) use in_blocks::{BlockFile, InBlocks};
pub use index::{Entry, Index};
