//! The `tablegen` command.
fn main() {}
