//! Arguments of the commands about the prompt window.

use clap::{Args, Subcommand};

use super::{LookFormat, ReportFormat, TokenizerName};

/// Pin types into the prompt window of everyone who works on the repository.
#[derive(Args, Debug)]
#[command(
    after_help = "Pins are recorded in .context/window.json, which the repository commits. A path pins the types that \
its files declare, also those that come later. Pinned types take at most 60 percent of the budget: those that do not \
fit wait for room.\n\nExamples:\n  git cortex pin OrderService\n  git cortex pin src/Orders/ IClock"
)]
pub(crate) struct Pin {
    /// Names, ids or places of symbols, or paths of files and folders
    #[arg(value_name = "SYMBOL|PATH", required = true)]
    pub(crate) subjects: Vec<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Unpin types from the prompt window.
#[derive(Args, Debug)]
pub(crate) struct Unpin {
    /// What is pinned, as recorded, as a path or as a symbol
    #[arg(value_name = "SYMBOL|PATH", required = true)]
    pub(crate) subjects: Vec<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Leave types out of your prompt window until a command is about them again.
#[derive(Args, Debug)]
#[command(
    after_help = "Pinned types stay.\n\nExamples:\n  git cortex dismiss OrderService\n  git cortex dismiss T_2H7F3K9Q"
)]
pub(crate) struct Dismiss {
    /// Names, ids or places of symbols
    #[arg(value_name = "SYMBOL", required = true)]
    pub(crate) subjects: Vec<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Put types into your prompt window for a while, or remove them.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  git cortex context add OrderService\n  git cortex context add --minutes 120 IClock\n  \
git cortex context add pack:orders\n  git cortex context clear"
)]
pub(crate) struct Context {
    #[command(subcommand)]
    pub(crate) what: ContextWhat,
    /// Form of the answer
    #[arg(long, value_enum, global = true, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ContextWhat {
    /// Put types into your prompt window for a while
    Add(ContextAdd),
    /// Remove what was put into it
    Clear,
}

/// Put types into your prompt window for a while.
#[derive(Args, Debug)]
pub(crate) struct ContextAdd {
    /// Names, ids or places of symbols; pack:NAME for a pack whose types count more
    #[arg(value_name = "SYMBOL", required = true)]
    pub(crate) subjects: Vec<String>,
    /// For how long [default: 30]
    #[arg(long, value_name = "MINUTES")]
    pub(crate) minutes: Option<u32>,
}

/// Show the prompt window: outlines of the types that matter now, within a token budget.
#[derive(Args, Debug)]
#[command(
    after_help = "Pinned types come first (see `git cortex pin`), then what commands were about in the last half hour \
with its bases and dependencies, then what they were about before. Commands about symbols are recorded beside the \
index, on this machine alone; `git config cortex.accessHistory off` records nothing.\n\nExamples:\n  \
git cortex window --format md --budget 4000\n  git cortex window --write"
)]
pub(crate) struct Window {
    /// Size of the window, in tokens [default: what is recorded; 8000]
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// How to count tokens [default: o200k_base]
    #[arg(long, value_enum)]
    pub(crate) tokenizer: Option<TokenizerName>,
    /// Write it to .context/prompt_window.md, which git then ignores; later commands keep it up to date
    #[arg(long)]
    pub(crate) write: bool,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}
