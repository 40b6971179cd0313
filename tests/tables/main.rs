//! Files of tables: damage, checkpoints, checks, certificates, builds by several processes, and the engine that opens and builds them.

mod by_block;
mod by_regions;
mod certificates;
mod cluster;
mod common;
mod damage;
mod engine;
mod forged;
mod format;
mod fuzzed;
mod hostile;
mod many_points;
mod packed;
mod save;
mod shipped;
mod stats;
mod unsafe_code;
mod verify_oracle;
