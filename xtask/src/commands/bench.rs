//! `cargo xtask bench`: the criterion benches of the workspace, or whole processes beside others.

mod compare;
mod measure;
mod peers;
mod table;
mod works;

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
       cargo xtask bench --compare [--print] [--runs N] [REPO]...

Runs every bench target of the workspace. Criterion compares each with its last run and keeps its
reports in `criterion` in cargo's target folder.

  -p, --package CRATE   only this crate; may be given more than once
  ARGS                  arguments for criterion: a filter, `--save-baseline NAME`, `--baseline NAME`

With --compare, the release binary of `git cortex` is measured on repositories beside what else is on the
machine (git, tree-sitter alone, and where they are on the PATH Universal Ctags, ripgrep, ast-grep and
@optave/codegraph), in turn, each as a whole process. Nothing is installed, and the repositories are not
written to: the work is done in clones that are thrown away. The table goes into docs/performance.md,
between the lines that mark its place.

      --print           print the table instead
      --runs N          how often each command is run, made odd; what takes more than a minute is
                        run once [default: 5]
  REPO                  a git repository [default: the demonstration repository]

Examples:
  cargo xtask bench -p cortex-syntax -- --baseline main
  cargo xtask bench --compare --print ../efcore",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut wanted = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--compare" && wanted.is_empty() => {
                return compare::run(arguments);
            }
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
