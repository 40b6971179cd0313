//! All tests that cross modules, as one program: it is linked once and starts at once.
//!
//! `common` is what the tests share; each other module checks what one part of the project promises.

mod agree;
mod by_block;
mod cli;
mod cluster;
mod colour_regions;
mod coloured;
mod common;
mod damage;
mod determinism;
mod dominoes;
mod engine;
mod examples;
mod extended;
mod forged;
mod format;
mod hostile;
mod kernels;
mod labels;
mod limits;
mod line;
mod marked;
mod mnk;
mod oracle;
mod packed;
mod play;
mod readme;
mod regions;
mod rules_file;
mod save;
mod server;
mod shipped;
mod shiritori;
mod shiritori_games;
mod sparse;
mod stats;
mod symmetry;
mod tactics;
mod trail;
mod verify_oracle;
