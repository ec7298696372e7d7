//! The commands that show code and the graph.

use clap::{Args, ValueEnum};

use super::look::{GraphLookFormat, Look, LookFormat, symbol_help};

/// Outline a type, member, namespace, project or folder, without its code.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "AREA is a namespace by its full name, a project by path or assembly, or a folder by its path; its most important \
     types are shown. Write `namespace:X`, `project:X` or `folder:X` if a name is ambiguous; `.` is the repository.\n\n\
     Examples:\n  git cortex outline OrderService\n  git cortex outline OrderService.Submit --docs full\n  \
     git cortex outline Shop.Orders --budget 4000\n  git cortex outline src/Shop --format json --at v1.0"
))]
pub(crate) struct Outline {
    /// The symbol, namespace, project or folder
    #[arg(value_name = "SYMBOL|AREA")]
    pub(crate) what: String,
    /// Members to show
    #[arg(long, value_enum, default_value_t = Members::Public)]
    pub(crate) members: Members,
    /// Outline nested types up to N levels deep; deeper ones are only named
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) depth: u32,
    /// Documentation to show for members
    #[arg(long, value_enum, default_value_t = Docs::First)]
    pub(crate) docs: Docs,
    /// Also show the code of all declarations
    #[arg(long)]
    pub(crate) source: bool,
    /// Name at most N dependencies and N dependents
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Md)]
    pub(crate) format: LookFormat,
}

/// Show the most important types, within a budget.
#[derive(Args, Debug)]
#[command(
    after_help = "Types are ranked by their dependents (PageRank); with --focus, by their distance to it. Types in test \
projects are left out unless they are in focus or --test is given.\n\nExamples:\n  git cortex map --budget 4000\n  \
git cortex map --focus OrderService --focus src/Shop/Payments\n  git cortex map --project Shop.Core --docs first"
)]
pub(crate) struct Map {
    /// Draw the map around this symbol, namespace, project or path; may be repeated
    #[arg(long, value_name = "SYMBOL|AREA")]
    pub(crate) focus: Vec<String>,
    /// Members to show
    #[arg(long, value_enum, default_value_t = Members::Public)]
    pub(crate) members: Members,
    /// Documentation to show for types
    #[arg(long, value_enum, default_value_t = MapDocs::None)]
    pub(crate) docs: MapDocs,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Md)]
    pub(crate) format: LookFormat,
}

/// Show the code of a type or member, with its documentation and attributes.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Shows all declarations of a partial type, and all overloads of a name.\n\nExamples:\n  git cortex source OrderService.Submit\n  \
     git cortex source OrderService --at v1.0 --format text\n  git cortex source src/Order.cs:40 --context 5"
))]
pub(crate) struct Source {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Show N more lines before and after
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) context: u32,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Md)]
    pub(crate) format: LookFormat,
}

/// Show what a type depends on, and what depends on it.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "For a member, shows the dependencies of its type. Exit status with --path-to: 1 if there is no path.\n\nExamples:\n  \
     git cortex deps OrderService\n  git cortex deps OrderService --in --no-test\n  \
     git cortex deps OrderService --path-to SqlConnection\n  git cortex deps OrderService --format mermaid"
))]
pub(crate) struct Deps {
    /// The type
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Only its dependencies
    #[arg(long)]
    pub(crate) out: bool,
    /// Only its dependents
    #[arg(long = "in", conflicts_with = "out")]
    pub(crate) into: bool,
    /// Show a shortest dependency path to this type
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["out", "into"])]
    pub(crate) path_to: Option<String>,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// Find dependency cycles between types, namespaces or projects.
#[derive(Args, Debug)]
#[command(
    after_help = "For each cycle, lists a small set of dependencies whose removal breaks it. References in documentation and \
nested types do not count. mermaid, dot and graphml draw the types of these cycles (only with \
--by type).\n\nExamples:\n  git cortex cycles --no-test\n  git cortex cycles --by namespace\n  \
git cortex cycles OrderService --format mermaid"
)]
pub(crate) struct Cycles {
    /// Only cycles that contain this type
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: Option<String>,
    /// Nodes of the cycles
    #[arg(long, value_enum, default_value_t = By::Type)]
    pub(crate) by: By,
    /// Exit with 1 if there are cycles
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// Find types and members that nothing refers to.
#[derive(Args, Debug)]
#[command(
    after_help = "Unreferenced symbols that may be in use are only counted, by reason: public API of a library, \
tests, entry points, overrides and implementations, serializers, reflection, containers. Members of unused types \
are not listed.\n\nExamples:\n  git cortex unused --no-test\n  \
git cortex unused --what types --all --format md\n  git cortex unused --project Shop.Core"
)]
pub(crate) struct Unused {
    /// Kind of symbols to list
    #[arg(long, value_enum, default_value_t = What::All)]
    pub(crate) what: What,
    /// Also list unreferenced symbols that may be in use, with the reasons
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Members {
    /// Visible outside the type
    Public,
    /// All
    All,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Docs {
    /// None
    None,
    /// The first sentence of each summary
    First,
    /// All
    Full,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MapDocs {
    /// None
    None,
    /// The first sentence of each summary
    First,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// Types
    Type,
    /// Namespaces
    Namespace,
    /// Projects
    Project,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Types
    Types,
    /// Members of types that are used
    Members,
    /// Both
    All,
}
