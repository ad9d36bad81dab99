//! The command line.
// What a test may do and the program must not.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::exit,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
