//! Arguments of the commands that serve agents.

use clap::{Args, ValueEnum};

/// Serve the operations to agents over the Model Context Protocol.
#[derive(Args, Debug)]
#[command(
    after_help = "The server speaks over standard input and output, and answers for the repository it was started in. Its \
answers are those of the files on disk when a tool is called. It offers no way to approve an edit: a person does, with \
`git cortex review`.\n\nExamples:\n  claude mcp add cortex -- git cortex mcp\n  git -C ~/src/app cortex mcp --toolsets all"
)]
pub(crate) struct Mcp {
    /// Which tools to offer: default for a few that cover what agents do, all for one per operation
    #[arg(long, value_enum, value_name = "SET", default_value_t = Toolsets::Default, hide_default_value = true, hide_possible_values = true)]
    pub(crate) toolsets: Toolsets,
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
