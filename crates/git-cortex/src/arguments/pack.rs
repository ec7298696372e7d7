//! Arguments of `git cortex pack`.

use clap::{Args, Subcommand};

use super::{ReportFormat, TokenizerName};

/// Put outlines of several types into one file, within a token budget.
#[derive(Args, Debug)]
#[command(
    after_help = "A filter is made of terms, joined by AND (&&, or nothing), OR (||), ! and parentheses: namespace:, \
type:, access:, kind:, project:, path:, tag:, depends: (X+ also through others), changed: (a range) and scope:. Values \
may have the wildcards * and ?, and stand in double quotes where they have spaces; case does not matter.\n\nWhat a \
filter selects is completed by its direct public dependencies, cut to the budget (types with the fewest uses go first) \
and ordered so that dependencies come first. .context/packs/NAME.md records the filter; `git cortex check` finds packs \
that are stale.\n\nExamples:\n  git cortex pack build orders --filter 'namespace:Shop.Orders access:public'\n  \
git cortex pack build users --filter 'depends:IOrders+ !path:tests' --budget 4000\n  git cortex pack list"
)]
pub(crate) struct Pack {
    #[command(subcommand)]
    pub(crate) what: What,
    /// Form of the answer
    #[arg(long, value_enum, global = true, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum What {
    /// Build a pack and write its file
    Build(Build),
    /// List packs, and whether they are fresh
    List(List),
    /// Print a pack
    Show(Show),
    /// Write packs anew from their recorded filters
    Rebuild(Rebuild),
    /// Remove the file of a pack
    Remove(Remove),
    /// Show how a pack differs from what its filter selects now
    Diff(Show),
}

/// Build a pack and write its file.
#[derive(Args, Debug)]
pub(crate) struct Build {
    /// Its name: letters, digits, - _ and .
    pub(crate) name: String,
    /// Which types
    #[arg(long, value_name = "FILTER")]
    pub(crate) filter: String,
    /// Size of the pack, in tokens [default: 8000]
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// How to count tokens [default: o200k_base]
    #[arg(long, value_enum)]
    pub(crate) tokenizer: Option<TokenizerName>,
    /// Leave out dependencies
    #[arg(long)]
    pub(crate) no_dependencies: bool,
    /// Print the pack, and write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

/// List packs, and whether they are fresh.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// The commit to look at [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
}

/// Print a pack, or its difference.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Its name
    pub(crate) name: String,
    /// The commit to look at [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
}

/// Write packs anew from their recorded filters.
#[derive(Args, Debug)]
pub(crate) struct Rebuild {
    /// Their names [default: all]
    pub(crate) names: Vec<String>,
}

/// Remove the file of a pack.
#[derive(Args, Debug)]
pub(crate) struct Remove {
    /// Its name
    pub(crate) name: String,
}
