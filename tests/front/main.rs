//! The command line, the server with its page, the examples, and the pages of the documentation.

mod cli;
mod common;
mod examples;
mod gallery;
mod other_programs;
mod readme;
mod server;
