//! `cargo xtask gen`: makes the committed data that other programs' files are the source of.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

use crate::{
    cli::{Argument, Arguments, Command},
    workspace::{cargo, root},
};

pub(crate) const COMMAND: Command = Command {
    name: "gen",
    summary: "Generate the reference of all operations, or the table of the base class library",
    help: "
Usage: cargo xtask gen [--check]
       cargo xtask gen bcl [PACKS]

Writes `docs/reference` and `docs/schema` from the registry of operations. With --check nothing is written, and the
exit status is 1 if they are not up to date.

With `bcl`: reads the reference assemblies of .NET and writes the types and members that they declare to
`crates/cortex-metadata/data/bcl.bin`. Equal packs give equal bytes; the table is compared with the assemblies
before it is written.

  PACKS   the folder with `Microsoft.NETCore.App.Ref` and `Microsoft.AspNetCore.App.Ref`
          [default: `packs` in DOTNET_ROOT]

Examples:
  cargo xtask gen
  cargo xtask gen bcl /usr/lib/dotnet/packs",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut is_check = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Value(value) if value == "bcl" && !is_check => return bcl(arguments),
            Argument::Option(name) if name == "--check" => is_check = true,
            argument => return argument.unexpected(),
        }
    }
    let package = ["run", "--quiet", "--package", "cortex-service"];
    let mut generate = cargo(package);
    generate
        .args(["--example", "reference", "--"])
        .arg(root().join("docs"));
    if is_check {
        generate.arg("--check");
    }
    Ok(match generate.status()?.success() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Writes the table of the base class library.
fn bcl(mut arguments: Arguments) -> Result<ExitCode> {
    let mut packs = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Value(value) if packs.is_none() => packs = Some(PathBuf::from(value)),
            argument => return argument.unexpected(),
        }
    }
    let packs = match packs {
        Some(packs) => packs,
        None => {
            let installed = std::env::var_os("DOTNET_ROOT");
            PathBuf::from(installed.context("DOTNET_ROOT is not set; name the folder of packs")?)
                .join("packs")
        }
    };
    let packs = std::path::absolute(packs).context("cannot find the folder of packs")?;
    let status = cargo([
        "run",
        "--release",
        "--quiet",
        "--package",
        "cortex-metadata",
    ])
    .args(["--example", "pack", "--"])
    .arg(packs)
    .arg(root().join("crates/cortex-metadata/data/bcl.bin"))
    .status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
