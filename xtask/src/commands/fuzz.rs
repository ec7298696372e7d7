//! `cargo xtask fuzz`: the fuzz targets, for a bounded time, on the stable toolchain.

use std::{
    fs,
    process::{Command as Process, ExitCode, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};

use crate::{
    cli::{Argument, Arguments, Command, UsageError},
    process::{Steps, run_bounded},
    workspace::{cargo, root},
};

pub(crate) const COMMAND: Command = Command {
    name: "fuzz",
    summary: "Feed the decoders and the parsers with made-up input for a while",
    help: "
Usage: cargo xtask fuzz [TARGET] [--seconds N] [-- ARGS]

Builds the targets of `fuzz/` with coverage instrumentation and runs them under libFuzzer. It needs a C++
compiler and nothing else: no nightly toolchain, no cargo-fuzz (which works on the same folder as well).
Inputs start from `corpus/fuzz/TARGET` and grow in `fuzz/corpus/TARGET`; what breaks a target is kept in
`fuzz/artifacts/TARGET`.

  TARGET          a file of fuzz/fuzz_targets without `.rs` [default: each in turn]
      --seconds N how long to run each target [default: 60]
  ARGS            arguments for libFuzzer, or a file to run once

Examples:
  cargo xtask fuzz parse --seconds 600
  cargo xtask fuzz parse -- fuzz/artifacts/parse/crash-0a1b2c",
    run,
};

const DEFAULT_SECONDS: u64 = 60;
const BUILD_LIMIT: Duration = Duration::from_secs(30 * 60);
/// What a target may take beyond its time: start, corpus, the last input.
const GRACE: Duration = Duration::from_secs(120);

/// What cargo-fuzz passes too, as far as the stable compiler knows it.
const INSTRUMENTATION: &str = "--cfg fuzzing -Ccodegen-units=1 -Cdebug-assertions -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut target = None;
    let mut seconds = DEFAULT_SECONDS;
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--seconds" => seconds = arguments.count()?,
            Argument::Value(value) if target.is_none() => {
                target = Some(value.to_string_lossy().into_owned());
            }
            other => return other.unexpected(),
        }
    }
    let targets = targets()?;
    let chosen = match target {
        None => targets,
        Some(name) if targets.contains(&name) => vec![name],
        Some(name) => {
            let known = targets.join(", ");
            return Err(UsageError(format!("no fuzz target `{name}`; there are: {known}")).into());
        }
    };

    // With a target triple of its own, build scripts and macros stay without instrumentation.
    let host = host_triple()?;
    let mut build = cargo(["build", "--release", "--bins", "--target", &host]);
    build
        .current_dir(root().join("fuzz"))
        .env("RUSTFLAGS", INSTRUMENTATION);
    build.env("CARGO_TARGET_DIR", root().join("fuzz/target"));
    ensure!(
        run_bounded(&mut build, BUILD_LIMIT)?.success(),
        "the fuzz targets do not build"
    );

    let mut steps = Steps::default();
    for name in chosen {
        let own = root().join("fuzz/corpus").join(&name);
        let seeds = root().join("corpus/fuzz").join(&name);
        let artifacts = root().join("fuzz/artifacts").join(&name);
        fs::create_dir_all(&own)?;
        fs::create_dir_all(&artifacts)?;
        let mut fuzz = Process::new(
            root()
                .join("fuzz/target")
                .join(&host)
                .join("release")
                .join(&name),
        );
        fuzz.arg(format!("-artifact_prefix={}/", artifacts.display()));
        if arguments
            .rest
            .iter()
            .all(|word| word.as_encoded_bytes().starts_with(b"-"))
        {
            fuzz.arg(format!("-max_total_time={seconds}"));
            fuzz.args(["-timeout=10", "-print_final_stats=0"]).arg(own);
            if seeds.exists() {
                fuzz.arg(seeds);
            }
        }
        fuzz.args(&arguments.rest);
        steps.run(&name, &mut fuzz, Duration::from_secs(seconds) + GRACE);
    }
    Ok(steps.summarize())
}

fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "rs") {
            let stem = path.file_stem().context("a file has a name")?;
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn host_triple() -> Result<String> {
    let output = Process::new("rustc")
        .arg("-vV")
        .stderr(Stdio::inherit())
        .output()?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
        .context("rustc does not name its host")
}
