//! `cargo xtask install`: puts the binary where git finds it, and its man pages beside it.

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

use crate::{
    cli::{Arguments, Command},
    workspace::{cargo, root},
};

pub(crate) const COMMAND: Command = Command {
    name: "install",
    summary: "Install git-cortex, so that `git cortex` works",
    help: "
Usage: cargo xtask install [-- ARGS]

Builds `git-cortex` with optimizations and installs it with `cargo install`, by default into `~/.cargo/bin`;
then its man pages into `share/man/man1` beside that folder, where man looks for the pages of what is on the
PATH: `git cortex --help` opens them.

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
    if !status.success() {
        return Ok(ExitCode::FAILURE);
    }
    let root = install_root(&arguments.rest)?;
    let pages = root.join("share/man/man1");
    let program = root
        .join("bin")
        .join(format!("git-cortex{}", std::env::consts::EXE_SUFFIX));
    let status = std::process::Command::new(&program)
        .args(["man", "--folder"])
        .arg(&pages)
        .status()
        .with_context(|| format!("failed to start `{}`", program.display()))?;
    Ok(if status.success() {
        println!("man pages are in {}", pages.display());
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Where `cargo install` puts things: `--root`, `CARGO_INSTALL_ROOT`, cargo's home.
fn install_root(arguments: &[OsString]) -> Result<PathBuf> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--root" {
            return Ok(arguments.next().context("--root needs a folder")?.into());
        }
        if let Some(root) = argument.to_str().and_then(|it| it.strip_prefix("--root=")) {
            return Ok(root.into());
        }
    }
    let set = |name| std::env::var_os(name).map(PathBuf::from);
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    let root = set("CARGO_INSTALL_ROOT")
        .or_else(|| set("CARGO_HOME"))
        .or_else(home);
    root.context("find the folder that cargo installs into")
}
