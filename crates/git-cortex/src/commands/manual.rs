//! `git cortex man` and `git cortex completions`: what the command line says of itself, for readers and shells.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Command;
use clap_complete::Shell;

use crate::{
    arguments::{self, Completions, Man},
    commands::print_text,
    failure::{Failure, with_context},
};

/// Prints a man page, or writes all of them into a folder.
pub(crate) fn man(options: &Man) -> Result<ExitCode, Failure> {
    let command = named(arguments::command());
    if let Some(folder) = &options.folder {
        return write_all(&command, folder);
    }
    let page = match &options.command {
        None => page(&command)?,
        Some(name) => {
            let found = command.find_subcommand(name).filter(|it| !it.is_hide_set());
            let found = found.ok_or_else(|| {
                let message = "failed to find a command";
                Failure::usage(format!("{message} `{name}`; `git cortex -h` lists all"))
            })?;
            page(found)?
        }
    };
    print_text(&page)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a completion script.
pub(crate) fn completions(options: &Completions) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    let mut command = arguments::command().bin_name("git-cortex");
    clap_complete::generate(options.shell, &mut command, "git-cortex", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if options.shell == Shell::Bash {
        // The generator writes the hyphen of the program's name in two ways, and compares them.
        script = script.replace("git__subcmd__cortex", "git__cortex");
        script.push_str(FOR_GIT);
    }
    print_text(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// What git's own completion calls for `git cortex …`; that of zsh finds `_git-cortex` by itself.
const FOR_GIT: &str = r#"
_git_cortex() {
    local rest=("${words[@]:2}") at=$((cword - 1)) now="$cur" last="$prev"
    local COMP_WORDS=(git-cortex "${rest[@]}") COMP_CWORD=$at
    _git__cortex git-cortex "$now" "$last"
}
"#;

/// Commands by the names of their pages: `git-cortex-map`.
fn named(mut command: Command) -> Command {
    command.build();
    let command = command.name("git-cortex").bin_name("git cortex");
    command.mut_subcommands(|it| {
        let name = it.get_name().to_owned();
        it.display_name(format!("git-cortex-{name}"))
            .bin_name(format!("git cortex {name}"))
    })
}

fn page(command: &Command) -> Result<String, Failure> {
    let mut out = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).render(&mut out);
    with_context(rendered, || "write a man page".to_owned())?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn write_all(command: &Command, folder: &Path) -> Result<ExitCode, Failure> {
    with_context(fs::create_dir_all(folder), || {
        format!("make the folder `{}`", folder.display())
    })?;
    let mut pages: Vec<(PathBuf, String)> = vec![(folder.join("git-cortex.1"), page(command)?)];
    for sub in command
        .get_subcommands()
        .filter(|it| !it.is_hide_set() && it.get_name() != "help")
    {
        let path = folder.join(format!("git-cortex-{}.1", sub.get_name()));
        pages.push((path, page(sub)?));
    }
    for (path, page) in pages {
        with_context(fs::write(&path, page), || {
            format!("write `{}`", path.display())
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
