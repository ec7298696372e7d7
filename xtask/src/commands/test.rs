//! `cargo xtask test`: every check that a change must pass.

use std::{process::ExitCode, time::Duration};

use anyhow::Result;

use crate::{
    cli::{Argument, Arguments, Command},
    process::Steps,
    workspace::{cargo, has_cargo_command},
};

pub(crate) const COMMAND: Command = Command {
    name: "test",
    summary: "Run every check: format, lints, tests, documentation tests",
    help: "
Usage: cargo xtask test [-p CRATE]... [-- FILTER]

Runs `cargo fmt --check`, `cargo clippy -D warnings`, all tests and the examples in the documentation, and
`cargo deny` where it is installed. A step that fails does not stop the others; the summary at the end has
one line for each. Tests run under cargo-nextest where it is installed.

  -p, --package CRATE   check only this crate; may be given more than once
  FILTER                run only the tests whose path contains this text

Examples:
  cargo xtask test
  cargo xtask test -p cortex-store -- merkle",
    run,
};

/// A cold build of everything on a small machine takes some minutes.
const BUILD_LIMIT: Duration = Duration::from_secs(45 * 60);
const TEST_LIMIT: Duration = Duration::from_secs(15 * 60);
const QUICK_LIMIT: Duration = Duration::from_secs(5 * 60);

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut packages = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "-p" || option == "--package" => {
                packages.push(arguments.text()?);
            }
            other => return other.unexpected(),
        }
    }
    let selection: Vec<String> = if packages.is_empty() {
        vec!["--workspace".to_owned()]
    } else {
        packages
            .iter()
            .map(|name| format!("--package={name}"))
            .collect()
    };
    let mut steps = Steps::default();

    if has_cargo_command("fmt") {
        let mut fmt = cargo(["fmt", "--check"]);
        match packages.as_slice() {
            [] => fmt.arg("--all"),
            some => fmt.args(some.iter().map(|name| format!("--package={name}"))),
        };
        steps.run("format", &mut fmt, QUICK_LIMIT);
    } else {
        steps.skip("format", "`rustup component add rustfmt` installs it");
    }

    if has_cargo_command("clippy") {
        let mut clippy = cargo(["clippy", "--all-targets"]);
        clippy.args(&selection).args(["--", "-D", "warnings"]);
        steps.run("lints", &mut clippy, BUILD_LIMIT);
    } else {
        steps.skip("lints", "`rustup component add clippy` installs it");
    }

    // Benches are built and linted above; running them is `cargo xtask bench`.
    let kinds = ["--lib", "--bins", "--tests", "--examples"];
    let mut build = cargo(["test", "--no-run"]);
    steps.run(
        "build tests",
        build.args(&selection).args(kinds),
        BUILD_LIMIT,
    );
    let mut tests = if has_cargo_command("nextest") {
        let mut tests = cargo(["nextest", "run", "--no-fail-fast", "--no-tests=pass"]);
        tests.args(&selection).args(kinds).args(&arguments.rest);
        tests
    } else {
        let mut tests = cargo(["test", "--no-fail-fast"]);
        tests
            .args(&selection)
            .args(kinds)
            .arg("--")
            .args(&arguments.rest);
        tests
    };
    steps.run("tests", &mut tests, TEST_LIMIT);
    if arguments.rest.is_empty() {
        let mut doc = cargo(["test", "--doc", "--no-fail-fast"]);
        steps.run("doc tests", doc.args(&selection), BUILD_LIMIT);
    }

    if packages.is_empty() && has_cargo_command("deny") {
        let mut deny = cargo(["deny", "--offline", "check", "bans", "licenses", "sources"]);
        steps.run("dependencies", &mut deny, QUICK_LIMIT);
    }
    Ok(steps.summarize())
}
