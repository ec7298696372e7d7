//! `cargo xtask laws`: kills, flipped bits, full disks and many processes, many times each.

use std::process::ExitCode;

use anyhow::Result;

use crate::{
    cli::{Argument, Arguments, Command},
    workspace::cargo,
};

pub(crate) const COMMAND: Command = Command {
    name: "laws",
    summary: "Run the tests of what the index survives at full size",
    help: "
Usage: cargo xtask laws [--kills N] [--flips N] [--processes N] [--operations N] [-- FILTER]

Runs the tests of kills, flipped bits, full disks and many processes in release mode, so many times as
they have to hold; an ordinary run does a few of each. Takes about half an hour.

      --kills N       kills of a command, each at another moment [default: 1000]
      --flips N       flipped bits, each in an index of its own [default: 10000]
      --processes N   processes at the same time [default: 16]
      --operations N  commands that each of them runs [default: 200]
  FILTER              run only the tests whose path contains this text

Example:
  cargo xtask laws --kills 100 -- kill",
    run,
};

/// What the tests of this kind have in their names.
const NAMES: [&str; 4] = ["kill", "flip", "full_disk", "many_processes"];

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut counts = [
        ("--kills", "CORTEX_KILLS", 1_000),
        ("--flips", "CORTEX_FLIPS", 10_000),
        ("--processes", "CORTEX_PROCESSES", 16),
        ("--operations", "CORTEX_OPERATIONS", 200),
    ];
    while let Some(argument) = arguments.next()? {
        let known = match &argument {
            Argument::Option(option) => counts.iter_mut().find(|count| count.0 == option),
            Argument::Value(_) => None,
        };
        match known {
            Some(count) => count.2 = arguments.count()?,
            None => return argument.unexpected(),
        }
    }
    let packages = ["--package=cortex-store", "--package=git-cortex"];
    let mut tests = cargo(["test", "--release", "--no-fail-fast", "--lib", "--tests"]);
    tests.args(packages).arg("--");
    match arguments.rest.is_empty() {
        true => tests.args(NAMES),
        false => tests.args(&arguments.rest),
    };
    tests.envs(counts.map(|(_, name, count)| (name, count.to_string())));
    Ok(match tests.status()?.success() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
