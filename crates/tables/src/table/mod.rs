//! Tables: a solved game in one file, written atomically, opened in constant time and probed with an index, a load and
//! a bit.
//!
//! [`Solution::save`](crate::solve::Solution::save) writes a table, [`Table`] reads one, and
//! [`verify`](crate::verify) checks one. A table carries its rules, so it can be understood without anything else.
//! `docs/reference/format.md` describes every byte.

mod blocks;
mod checkpoints;
mod codec;
mod domain;
mod error;
mod extended;
mod file;
mod header;
mod lock;
mod look_up;
mod on_disk;
mod order;
mod pack;
mod reader;
mod regions_codec;
mod rules_codec;
mod section;
mod storage;
mod valued;
mod writer;

pub use checkpoints::{
    BuildSpec, Complete, LevelBuildSpec, LevelCheckpoints, RegionBuildSpec, RegionCheckpoints, RegionSections,
    RegionTallies, Room, SliceCheckpoints, Unfinished, checkpoint_bytes, checkpoint_folder, checkpointed_table,
    has_checkpoints, region_reading_bytes, remove_checkpoints,
};
pub use checkpoints::{TOKEN, plane_kind_numbers, plane_kind_of};
pub use codec::{Decoder, Encoder, VERSION};
pub use error::{TableError, TableFault};
pub use extended::Extended;
pub use file::{read_at, write_at};
pub use header::MAGIC;
pub use lock::{BuildLock, release_locks};
pub use reader::Table;
pub use rules_codec::rules_hash;
pub use storage::Storage;
pub use writer::{NewTable, SaveTable, file_bytes};
