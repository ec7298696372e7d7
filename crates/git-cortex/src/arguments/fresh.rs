//! Arguments of the commands about committed context.

use clap::{Args, ValueEnum};

use super::ReportFormat;

/// Write outlines of types as files that the repository commits.
#[derive(Args, Debug)]
#[command(
    after_help = "One file for each type, .context/types/<TypeId>.outline.md: its declaration, documentation and public \
members as the source writes them. A change of one type never changes the file of another, so branches that touch \
different types merge without conflicts.\n\nWhat is exported is recorded in .context/outlines.json: later exports and \
`git cortex check` follow it. Files that did not change are not written, files without a type are removed.\n\n\
Examples:\n  git cortex export-context\n  git cortex export-context --scope Production\n  \
git cortex export-context OrderService IOrderService"
)]
pub(crate) struct ExportContext {
    /// Only these types: names, ids or places [default: what is recorded; all public types at first]
    #[arg(value_name = "TYPE", conflicts_with_all = ["public", "all", "scope"])]
    pub(crate) types: Vec<String>,
    /// All public types
    #[arg(long, conflicts_with = "all")]
    pub(crate) public: bool,
    /// All types, internal and private ones too
    #[arg(long)]
    pub(crate) all: bool,
    /// Only types declared in this scope: an expression (see `git cortex scope --help`)
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// Also write .context/aliases.json: what types were called in the last 100 commits, so that their former ids and
    /// names can be followed without the history
    #[arg(long)]
    pub(crate) aliases: bool,
    /// Show what would be written, and write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Check whether committed context is what the sources say.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit status: 0 fresh, 1 stale, 2 if that could not be decided.\n\nA policy says how bad each kind of \
problem is: rule=error, rule=warning or rule=ignore, with `all` for every rule, max-stale-semantics=N and max-stale-semantics-days=N. It is read \
from [check] policy in .context/config.toml of the base commit (of HEAD for uncommitted changes), then cortex.checkPolicy \
of git's configuration, then --policy; later ones win.\n\nExamples:\n  git cortex check\n  \
git cortex check --base origin/main --format github\n  git cortex check --fix\n  git cortex check --cached --quiet"
)]
pub(crate) struct Check {
    /// List only problems that the change since this revision made; others are counted
    #[arg(long, value_name = "REVISION")]
    pub(crate) base: Option<String>,
    /// Check this commit [default: the work tree]
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["cached", "fix"])]
    pub(crate) at: Option<String>,
    /// Check what is staged
    #[arg(long, visible_alias = "staged", conflicts_with = "fix")]
    pub(crate) cached: bool,
    /// How bad a kind of problem is, such as semantic-stale=error; may be repeated
    #[arg(long, value_name = "RULE=SEVERITY")]
    pub(crate) policy: Vec<String>,
    /// Write anew in the work tree what the sources determine
    #[arg(long)]
    pub(crate) fix: bool,
    /// Show the difference from each committed file to the fresh one
    #[arg(long)]
    pub(crate) explain: bool,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// Everything
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations for GitHub workflows
    Github,
    /// JUnit, for GitLab, Azure and others
    Junit,
}
