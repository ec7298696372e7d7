//! `cargo xtask bench`: the criterion benches of the workspace.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::{
    cli::{Argument, Arguments, Command},
    workspace::{cargo, metadata},
};

pub(crate) const COMMAND: Command = Command {
    name: "bench",
    summary: "Run the benches",
    help: "
Usage: cargo xtask bench [-p CRATE]... [-- ARGS]

Runs every bench target of the workspace. Criterion compares each with its last run and keeps its
reports in `criterion` in cargo's target folder.

  -p, --package CRATE   only this crate; may be given more than once
  ARGS                  arguments for criterion: a filter, `--save-baseline NAME`, `--baseline NAME`

Example:
  cargo xtask bench -p cortex-syntax -- --baseline main",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut wanted = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "-p" || option == "--package" => {
                wanted.push(arguments.text()?);
            }
            other => return other.unexpected(),
        }
    }
    let mut selection = Vec::new();
    for package in metadata()?.packages {
        let benches = package
            .targets
            .iter()
            .filter(|it| it.kind.iter().any(|kind| kind == "bench"));
        let names: Vec<_> = benches
            .map(|bench| format!("--bench={}", bench.name))
            .collect();
        if !names.is_empty() && (wanted.is_empty() || wanted.contains(&package.name)) {
            selection.push(format!("--package={}", package.name));
            selection.extend(names);
        }
    }
    ensure!(!selection.is_empty(), "no bench target matches");
    let mut command = cargo(["bench"]);
    command.args(selection).arg("--").args(&arguments.rest);
    Ok(if command.status()?.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
