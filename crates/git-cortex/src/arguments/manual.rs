//! The commands that tell what the command line can do.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Print a man page, or write all of them.
#[derive(Args, Debug)]
#[command(
    after_help = "`git cortex --help` opens git-cortex.1 where man finds it.\n\nExamples:\n  \
git cortex man outline | man -l -\n  git cortex man --folder ~/.local/share/man/man1"
)]
pub(crate) struct Man {
    /// The command [default: the page of all]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) folder: Option<PathBuf>,
}

/// Print completions for a shell.
#[derive(Args, Debug)]
#[command(
    after_help = "In bash and zsh they also complete `git cortex`, where git's own completion is loaded.\n\nExamples:\n  git cortex completions bash > ~/.local/share/bash-completion/completions/git-cortex\n  \
git cortex completions fish > ~/.config/fish/completions/git-cortex.fish"
)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}
