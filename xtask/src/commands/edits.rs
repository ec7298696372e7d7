//! `cargo xtask edits`: every symbol of a repository can get another name, every method other parameters, and the code
//! means what it meant.

use std::{
    path::PathBuf,
    process::{Command as Process, ExitCode},
};

use anyhow::{Result, ensure};

use crate::{
    cli::{Argument, Arguments, Command},
    workspace,
};

pub(crate) const COMMAND: Command = Command {
    name: "edits",
    summary: "Edit symbols of real repositories, and compare with indexes made from nothing",
    help: "
Usage: cargo xtask edits [--sample N] [--seed S] [--oracle K] [--hostile | --signatures | --misfits] REPO...

Checks the newest commit of each repository out in a temporary folder, and plans to rename types, members,
parameters and locals of it, one edit each, to names that nothing has. Counts what is proven, what is not and
why, and what is refused and why; another meaning breaks the law. K of the edits are also applied by git to
another checkout that is indexed from nothing: its export must be the one of before under the map of names.
They are applied and undone as well, and every byte must be as it was.

      --sample N    how many edits [default: 200]
      --oracle K    how many of them are compared with an index made from nothing [default: 20]
      --seed S      chooses the symbols [default: 1]
      --hostile     rename to what siblings, or words of the same file, are called: what is proven must hold
      --signatures  give methods and constructors one parameter more or less, or swap two of them: what is proven
                    must have the same references
      --misfits     edit nothing: list what binding takes for forbidden in the code as it is, which compiles
  REPO              a git repository

Example:
  cargo xtask edits --sample 400 --hostile ../Polly",
    run,
};

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let (mut n_sample, mut n_oracle, mut seed, mut asked) = (200, 20, 1, "fresh");
    let mut repositories: Vec<PathBuf> = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--sample" => n_sample = arguments.count()?,
            Argument::Option(option) if option == "--oracle" => n_oracle = arguments.count()?,
            Argument::Option(option) if option == "--seed" => seed = arguments.count()?,
            Argument::Option(option) if option == "--hostile" => asked = "hostile",
            Argument::Option(option) if option == "--signatures" => asked = "signatures",
            Argument::Option(option) if option == "--misfits" => asked = "misfits",
            Argument::Value(value) => repositories.push(value.into()),
            other => return other.unexpected(),
        }
    }
    ensure!(!repositories.is_empty(), "name a repository");
    let selection = ["--package", "cortex-check", "--bin", "edit-law"];
    let program = workspace::build_release(&selection, "edit-law")?;
    let mut code = ExitCode::SUCCESS;
    for repository in repositories {
        println!("{}", repository.display());
        let counts = [n_sample, n_oracle, seed].map(|count| count.to_string());
        let mut law = Process::new(&program);
        law.arg(&repository);
        if asked != "misfits" {
            law.args(counts);
        }
        law.arg(asked);
        if !law.status()?.success() {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}
