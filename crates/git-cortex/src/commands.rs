//! One file for each command: arguments in, answer on standard output, exit code out.

pub(crate) mod diff_context;
pub(crate) mod gc;
pub(crate) mod index;
pub(crate) mod status;

use std::{
    io::{ErrorKind, Write},
    process::ExitCode,
};

use crate::failure::Failure;

/// Prints an answer; a closed pipe is the reader's choice, not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &serde_json::Value) -> Result<ExitCode, Failure> {
    print(&format!("{value:#}\n"))?;
    Ok(ExitCode::SUCCESS)
}
