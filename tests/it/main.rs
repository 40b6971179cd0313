//! One program of every test that crosses modules: it is linked once and starts at once.
//!
//! `common` is what the tests share; each other module holds one part of the project to what it promises.

mod agree;
mod cli;
mod common;
mod damage;
mod damage_reached;
mod determinism;
mod dominoes;
mod forged;
mod format;
mod hostile;
mod kernels;
mod mnk;
mod oracle;
mod readme;
mod rules_file;
mod save;
mod shipped;
mod shiritori;
mod shiritori_games;
mod sparse;
mod tactics;
mod trail;
mod verify_oracle;
