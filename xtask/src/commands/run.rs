//! `cargo xtask run`: the product's main job on a repository, in one command.

use std::{
    ffi::OsString,
    path::PathBuf,
    process::{Command as Process, ExitCode},
};

use anyhow::{Context, Result};

use super::demo;
use crate::{
    cli::{Argument, Arguments, Command},
    workspace,
};

pub(crate) const COMMAND: Command = Command {
    name: "run",
    summary: "Build the release binary and show what the last commit of a repository means",
    help: "
Usage: cargo xtask run [REPO] [-- ARGS]

Builds `git-cortex` with optimizations and runs it in a repository. The index that it makes is kept
in the folder `cortex` of that repository's git directory.

  REPO   a git repository [default: the demonstration repository, made anew]
  ARGS   arguments for git-cortex [default: diff-context HEAD~1]

Examples:
  cargo xtask run
  cargo xtask run ../my-solution -- diff-context main...HEAD --format json",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut repository: Option<PathBuf> = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Value(value) if repository.is_none() => repository = Some(value.into()),
            other => return other.unexpected(),
        }
    }
    let binary = workspace::build_release_binary()?;
    let repository = match repository {
        Some(repository) => repository,
        None => demo::build_at(None)?,
    };
    let mut words = arguments.rest;
    if words.is_empty() {
        words = ["diff-context", "HEAD~1"].map(OsString::from).into();
    }
    let status = Process::new(&binary)
        .args(&words)
        .current_dir(&repository)
        .status()
        .with_context(|| {
            format!(
                "cannot run {} in {}",
                binary.display(),
                repository.display()
            )
        })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
