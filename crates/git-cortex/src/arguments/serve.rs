//! Arguments of the commands that serve agents.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand, ValueEnum};

use super::look::duration;

/// Serve the operations to agents over the Model Context Protocol.
#[derive(Args, Debug)]
#[command(
    after_help = "The server speaks over standard input and output, and answers for the repository it was started in. Its \
answers are those of the files on disk when a tool is called. It offers no way to approve an edit: a person does, with \
`git cortex review`.\n\nWith --http it speaks streamable HTTP on 127.0.0.1 instead, to any number of clients that send the token of the file that is printed; pages in a browser are refused.\n\nExamples:\n  claude mcp add cortex -- git cortex mcp\n  git -C ~/src/app cortex mcp --toolsets all\n  git cortex mcp --http --port 7331"
)]
pub(crate) struct Mcp {
    /// Which tools to offer: default for a few that cover what agents do, all for one per operation
    #[arg(long, value_enum, value_name = "SET", default_value_t = Toolsets::Default, hide_default_value = true, hide_possible_values = true)]
    pub(crate) toolsets: Toolsets,

    /// Serve over HTTP on the loopback address
    #[arg(long)]
    pub(crate) http: bool,

    /// Port to listen on, with --http [default: any free one]
    #[arg(
        long,
        value_name = "PORT",
        requires = "http",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) port: u16,

    /// File of the token that clients must send, with --http; made where there is none [default: mcp-token beside the index]
    #[arg(long, value_name = "PATH", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,
}

/// Which tools to offer.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Toolsets {
    /// A few.
    Default,
    /// One per operation.
    All,
}

/// Print or install a guide for agents.
#[derive(Args, Debug)]
#[command(
    after_help = "The guide tells an agent in under 600 tokens which command answers what.\n\n--install writes it into a file \
of the work tree: agents into AGENTS.md, claude into CLAUDE.md (each as a block of its own, which a second --install \
updates and --uninstall removes), skill into .claude/skills/git-cortex/SKILL.md.\n\nExamples:\n  git cortex guide\n  \
git cortex guide --install agents"
)]
pub(crate) struct Guide {
    /// Write it into a file of the work tree: agents, claude or skill
    #[arg(
        long,
        value_enum,
        value_name = "WHERE",
        hide_possible_values = true,
        conflicts_with = "uninstall"
    )]
    pub(crate) install: Option<GuideFile>,
    /// Remove it from a file of the work tree: agents, claude or skill
    #[arg(long, value_enum, value_name = "WHERE", hide_possible_values = true)]
    pub(crate) uninstall: Option<GuideFile>,
}

/// A file that agents read.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GuideFile {
    /// `AGENTS.md`.
    Agents,
    /// `CLAUDE.md`.
    Claude,
    /// `.claude/skills/git-cortex/SKILL.md`.
    Skill,
}

/// Keep answers warm in a process that stays.
#[derive(Args, Debug)]
#[command(
    after_help = "One daemon serves one repository with all its work trees. It speaks JSON-RPC 2.0 with Content-Length headers, \
as language servers do, over a Unix socket that you alone can open (a named pipe on Windows), or over standard input and output. While it runs, \
commands ask it instead of reading the index themselves, and print the same. `git config --global cortex.daemon auto` \
makes commands start one; GIT_CORTEX_DAEMON=off makes one command not ask.\n\nExamples:\n  git cortex daemon start\n  git cortex daemon status\n  git cortex daemon stop"
)]
pub(crate) struct Daemon {
    #[command(subcommand)]
    pub(crate) what: DaemonWhat,
}

/// What to do about the daemon.
#[derive(Subcommand, Debug)]
pub(crate) enum DaemonWhat {
    /// Start it, unless it runs
    Start(DaemonStart),
    /// End it
    Stop,
    /// Show whether it runs, and what it did
    Status,
    /// Serve one client over standard input and output
    Stdio,
}

/// How to start it.
#[derive(Args, Debug)]
pub(crate) struct DaemonStart {
    /// End after this time without a request: 30, 10m [default: 30m]
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(crate) idle: Option<Duration>,
    /// Serve in this process instead of a new one
    #[arg(long)]
    pub(crate) foreground: bool,
}
