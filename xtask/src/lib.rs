//! Everything a contributor runs: `cargo xtask <command>`.
//!
//! Owns: the command line of the workspace, the demonstration repository, the loop of checks.
//! Must not know: any crate of the product. It builds and starts them as a user would.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program answers on the terminal"
)]

mod cli;
mod commands;
pub mod demo;
mod process;
pub mod workspace;

use std::{ffi::OsString, process::ExitCode};

/// Runs one command line (without the program's name) and answers with its exit code:
/// 0 done, 1 something failed, 2 the command line was wrong.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match cli::dispatch(arguments.into_iter().collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            for cause in error.chain().skip(1) {
                eprintln!("  caused by: {cause}");
            }
            if error.is::<cli::UsageError>() {
                eprintln!("  hint: `cargo xtask help` lists the commands");
                return ExitCode::from(2);
            }
            ExitCode::FAILURE
        }
    }
}
