//! `cargo xtask snapshots`: compares renderings with their recorded snapshots, and records them anew.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::{
    cli::{Argument, Arguments, Command},
    workspace::{cargo, metadata},
};

pub(crate) const COMMAND: Command = Command {
    name: "snapshots",
    summary: "Compare renderings with their snapshots, or accept the new ones",
    help: "
Usage: cargo xtask snapshots [--accept] [-p CRATE]...

Runs the tests of the crates that use insta. Without `--accept`, a rendering that differs is shown as a
difference and left beside its snapshot as `.snap.new`. With it, the snapshots are overwritten: read
`git diff` before you commit them.

      --accept          overwrite the snapshots
  -p, --package CRATE   only this crate; may be given more than once [default: all that use insta]

Example:
  cargo xtask snapshots --accept -p cortex-context",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut update = "new";
    let mut packages = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--accept" => update = "always",
            Argument::Option(option) if option == "-p" || option == "--package" => {
                packages.push(arguments.text()?);
            }
            other => return other.unexpected(),
        }
    }
    if packages.is_empty() {
        packages = users_of_test_dependency("insta")?;
    }
    let status = cargo(["test", "--no-fail-fast", "--lib", "--bins", "--tests"])
        .args(packages.iter().map(|name| format!("--package={name}")))
        .env("INSTA_UPDATE", update)
        // Inline snapshots are rewritten in place as well.
        .env(
            "INSTA_FORCE_PASS",
            if update == "always" { "1" } else { "0" },
        )
        .status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The crates whose tests use the named crate, in cargo's order.
///
/// # Errors
/// When there is none: a run over no tests would look like success.
pub(crate) fn users_of_test_dependency(dependency: &str) -> Result<Vec<String>> {
    let packages = metadata()?.packages.into_iter();
    let users = packages.filter(|package| package.depends_on(dependency, Some("dev")));
    let names: Vec<String> = users.map(|package| package.name).collect();
    if names.is_empty() {
        bail!("no crate of the workspace has {dependency} among its dev-dependencies");
    }
    Ok(names)
}
