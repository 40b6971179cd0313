//! All tests that cross modules, as one program, because it links and starts only once.
//!
//! `common` has shared code. Each other module tests one part of the project.

mod agree;
mod board_values;
mod by_block;
mod cli;
mod cluster;
mod common;
mod connect_four;
mod damage;
mod determinism;
mod dominoes;
mod engine;
mod examples;
mod extended;
mod forged;
mod format;
mod gallery;
mod hostile;
mod kernels;
mod labels;
mod limits;
mod line;
mod mnk;
mod oracle;
mod packed;
mod play;
mod reachability_bits;
mod readme;
mod rules_file;
mod save;
mod search;
mod server;
mod shipped;
mod shiritori;
mod shiritori_games;
mod slices;
mod sparse;
mod stats;
mod symmetry;
mod tactics;
mod trail;
mod two_colour;
mod two_colour_slices;
mod verify_oracle;
mod wide;
