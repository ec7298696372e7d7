//! `cargo xtask install`: puts the binary where git finds it.

use std::process::ExitCode;

use anyhow::Result;

use crate::{
    cli::{Arguments, Command},
    workspace::{cargo, root},
};

pub(crate) const COMMAND: Command = Command {
    name: "install",
    summary: "Install git-cortex, so that `git cortex` works",
    help: "
Usage: cargo xtask install [-- ARGS]

Builds `git-cortex` with optimisations and installs it with `cargo install`, by default into `~/.cargo/bin`.

  ARGS   further arguments for cargo install

Example:
  cargo xtask install -- --root ~/.local",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    if let Some(argument) = arguments.next()? {
        return argument.unexpected();
    }
    let status = cargo(["install", "--locked", "--path"])
        .arg(root().join("crates/git-cortex"))
        .args(&arguments.rest)
        .status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
