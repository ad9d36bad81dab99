//! The program: see [`parlor::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::cli::run()
}
