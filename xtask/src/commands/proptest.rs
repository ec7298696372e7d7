//! `cargo xtask proptest`: the property-based tests with many more cases than an ordinary run.

use std::process::ExitCode;

use anyhow::Result;

use super::snapshots::users_of_test_dependency;
use crate::{
    cli::{Argument, Arguments, Command},
    workspace::cargo,
};

pub(crate) const COMMAND: Command = Command {
    name: "proptest",
    summary: "Run the property-based tests with many cases",
    help: "
Usage: cargo xtask proptest [--cases N] [-p CRATE]... [-- FILTER]

Runs the tests of the crates that use proptest with PROPTEST_CASES set. A case that fails is written to
`proptest-regressions/` beside its test: commit it with the repair.

      --cases N         cases of each property [default: 4096]
  -p, --package CRATE   only this crate; may be given more than once [default: all that use proptest]
  FILTER                run only the tests whose path contains this text

Example:
  cargo xtask proptest --cases 100000 -p cortex-store -- merkle",
    run,
};

const DEFAULT_CASES: u64 = 4096;

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut cases = DEFAULT_CASES;
    let mut packages = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--cases" => cases = arguments.count()?,
            Argument::Option(option) if option == "-p" || option == "--package" => {
                packages.push(arguments.text()?);
            }
            other => return other.unexpected(),
        }
    }
    if packages.is_empty() {
        packages = users_of_test_dependency("proptest")?;
    }
    let status = cargo(["test", "--no-fail-fast", "--lib", "--bins", "--tests"])
        .args(packages.iter().map(|name| format!("--package={name}")))
        .arg("--")
        .args(&arguments.rest)
        .env("PROPTEST_CASES", cases.to_string())
        .status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
