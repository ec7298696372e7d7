//! `cargo xtask demo`: writes the demonstration repository.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;

use crate::{
    cli::{Argument, Arguments, Command},
    demo, workspace,
};

pub(crate) const COMMAND: Command = Command {
    name: "demo",
    summary: "Make the demonstration repository from fixtures/demo",
    help: "
Usage: cargo xtask demo [DIR]

Makes a git repository with a work tree, always with the same commit ids. An older demonstration
repository in the folder is replaced; any other folder that is not empty is left alone.

  DIR   where to make it [default: demo in cargo's target folder]

Example:
  cargo xtask demo ../kilnhouse",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut destination = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Value(value) if destination.is_none() => destination = Some(value.into()),
            other => return other.unexpected(),
        }
    }
    println!("{}", build_at(destination)?.display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the demonstration repository, by default in cargo's target folder, and answers where it is.
pub(crate) fn build_at(destination: Option<PathBuf>) -> Result<PathBuf> {
    let destination = match destination {
        Some(destination) => destination,
        None => workspace::metadata()?.target_directory.join("demo"),
    };
    demo::build(&demo::history(), &destination)?;
    Ok(destination)
}
