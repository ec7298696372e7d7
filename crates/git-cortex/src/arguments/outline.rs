//! The commands that show code and the graph.

use clap::{Args, ValueEnum};

use super::look::{GraphLookFormat, Look, LookFormat, symbol_help};

/// Show what a type, member, namespace, project or folder is, without its code.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "A namespace by its whole name, a project by path or assembly, a folder by its path: of these the most important \
     types are shown. `namespace:X`, `project:X` and `folder:X` leave no doubt; `.` is the repository.\n\n\
     Examples:\n  git cortex outline OrderService\n  git cortex outline OrderService.Submit --docs full\n  \
     git cortex outline Shop.Orders --budget 4000\n  git cortex outline src/Shop --format json --at v1.0"
))]
pub(crate) struct Outline {
    /// The symbol, namespace, project or folder
    #[arg(value_name = "SYMBOL|AREA")]
    pub(crate) what: String,
    /// Which members
    #[arg(long, value_enum, default_value_t = Members::Public)]
    pub(crate) members: Members,
    /// How deep types inside of the type are shown; they are named beyond
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) depth: u32,
    /// How much of the documentation of members
    #[arg(long, value_enum, default_value_t = Docs::First)]
    pub(crate) docs: Docs,
    /// Also the code of all declarations
    #[arg(long)]
    pub(crate) source: bool,
    /// How many types are named that it depends on, and that use it
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = LookFormat::Md)]
    pub(crate) format: LookFormat,
}

/// Show the types to know first, within a budget.
#[derive(Args, Debug)]
#[command(
    after_help = "Types are ranked by who depends on them (PageRank); with --focus, by what is near to it. Types of test \
projects are left out unless they are in focus or --test says otherwise.\n\nExamples:\n  git cortex map --budget 4000\n  \
git cortex map --focus OrderService --focus src/Shop/Payments\n  git cortex map --project Shop.Core --docs first"
)]
pub(crate) struct Map {
    /// Draw the map around this symbol, namespace, project or path; may be repeated
    #[arg(long, value_name = "SYMBOL|AREA")]
    pub(crate) focus: Vec<String>,
    /// Which members
    #[arg(long, value_enum, default_value_t = Members::Public)]
    pub(crate) members: Members,
    /// How much of the documentation of types
    #[arg(long, value_enum, default_value_t = MapDocs::None)]
    pub(crate) docs: MapDocs,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = LookFormat::Md)]
    pub(crate) format: LookFormat,
}

/// Show the code of a type or member, with its documentation and attributes.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Of a partial type all declarations are shown, of overloads all.\n\nExamples:\n  git cortex source OrderService.Submit\n  \
     git cortex source OrderService --at v1.0 --format text\n  git cortex source src/Order.cs:40 --context 5"
))]
pub(crate) struct Source {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Also N lines before and after
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) context: u32,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = LookFormat::Md)]
    pub(crate) format: LookFormat,
}

/// Show what a type depends on, and what depends on it.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Of a member those of its type are shown. With --path-to, exit status 1 means that there is no path.\n\nExamples:\n  \
     git cortex deps OrderService\n  git cortex deps OrderService --in --no-test\n  \
     git cortex deps OrderService --path-to SqlConnection\n  git cortex deps OrderService --format mermaid"
))]
pub(crate) struct Deps {
    /// The type
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Only what it depends on
    #[arg(long)]
    pub(crate) out: bool,
    /// Only who depends on it
    #[arg(long = "in", conflicts_with = "out")]
    pub(crate) into: bool,
    /// One of the shortest paths from it to this type
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["out", "into"])]
    pub(crate) path_to: Option<String>,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// Find types, namespaces or projects that depend on each other in circles.
#[derive(Args, Debug)]
#[command(
    after_help = "For each cycle a small set of dependencies is named without which it is none. Documentation makes no \
cycle, nor do types inside of others. The forms mermaid, dot and graphml have the types of these cycles, with \
--by type alone.\n\nExamples:\n  git cortex cycles --no-test\n  git cortex cycles --by namespace\n  \
git cortex cycles OrderService --format mermaid"
)]
pub(crate) struct Cycles {
    /// Only the cycle of this type
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: Option<String>,
    /// What depends on each other
    #[arg(long, value_enum, default_value_t = By::Type)]
    pub(crate) by: By,
    /// Exit with 1 if there are cycles
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// Find types and members that nothing refers to.
#[derive(Args, Debug)]
#[command(
    after_help = "What may be used although nothing refers to it is counted, with the reason: the public API of a library, \
tests, entry points, overrides and implementations, serializers, reflection, containers. Members of types without \
references are not listed themselves.\n\nExamples:\n  git cortex unused --no-test\n  \
git cortex unused --what types --all --format md\n  git cortex unused --project Shop.Core"
)]
pub(crate) struct Unused {
    /// What to look for
    #[arg(long, value_enum, default_value_t = What::All)]
    pub(crate) what: What,
    /// Also list what may be used, with the reasons
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Members {
    /// Those that others can use
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
