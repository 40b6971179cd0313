//! The `tablegen` command: parse and dispatch, nothing else.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
