//! Compressed sections of a table, and one interface for reading bytes, compressed or not, in memory or in a file.
//!
//! A section of a table is a sequence of bytes. A compressed section is cut into blocks of equal size. Each block is
//! compressed by itself, so a lookup decompresses one block. The blocks may be in any order: an [`Index`] has the
//! offset, the length and the checksum of each. So several threads can compress blocks, and write them as they finish:
//!
//! ```text
//! block block block …   | entry 0 | entry 1 | …                  | hash of entries 0 to 1023 | …
//! in any order          | offset, length, checksum of block 0, … | one for each page of entries
//! ```
//!
//! The entries are grouped in pages, each with its own checksum. So a table with millions of blocks is opened without
//! reading all entries. `docs/reference/format.md` describes the bytes.
//!
//! [`Bytes`] reads compressed and uncompressed sections, in memory or in a file. This module does not know what the
//! bytes mean.

mod block;
mod bytes;
mod cache;
mod form;
mod in_blocks;
mod index;

pub use block::decompress;
pub use block::{CompressedBlock, Compression, DEFAULT_LEVEL, compress, is_available};
pub use bytes::{Bytes, Reader};
pub use cache::Cache;
pub use form::{DEFAULT_BLOCK, Form};
pub use form::{ENTRY, PAGE};
pub use in_blocks::BlockFault;
pub use in_blocks::{BlockFile, InBlocks};
pub use index::{Entry, Index};
