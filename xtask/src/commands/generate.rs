//! `cargo xtask gen`: makes the committed data that other programs' files are the source of.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

use crate::{
    cli::{Argument, Arguments, Command},
    workspace::{cargo, root},
};

pub(crate) const COMMAND: Command = Command {
    name: "gen",
    summary: "Generate the built-in table of the base class library",
    help: "
Usage: cargo xtask gen [PACKS]

Reads the reference assemblies of .NET and writes the types and members that they declare to
`crates/cortex-metadata/data/bcl.bin`. Equal packs give equal bytes; the table is compared with the assemblies
before it is written.

  PACKS   the folder with `Microsoft.NETCore.App.Ref` and `Microsoft.AspNetCore.App.Ref`
          [default: `packs` in DOTNET_ROOT]

Example:
  cargo xtask gen /usr/lib/dotnet/packs",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
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
