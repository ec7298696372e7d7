//! The commands that look at one snapshot, and the options that all of them take.

use std::time::Duration;

use clap::{Args, ValueEnum};
use cortex_context::{Phrase, RenderOptions};
use cortex_wire::{Filter, Role, TestScope};

use super::TokenizerName;
use crate::{commands::scope_text, failure::Failure};

/// What every command takes that looks at one snapshot.
#[derive(Args, Debug)]
#[command(next_help_heading = "Filters and limits")]
pub(crate) struct Look {
    /// Commit to read [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// Only this project, by path or assembly; may be repeated [default: all projects]
    #[arg(long = "project", value_name = "PATH|ASSEMBLY")]
    pub(crate) projects: Vec<String>,
    /// Only these paths (git pathspecs); may be repeated [default: all paths]
    #[arg(long = "path", value_name = "PATHSPEC")]
    pub(crate) paths: Vec<String>,
    /// Only this scope: an expression, or a program as JSON (see `git cortex scope --help`)
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// Only test projects
    #[arg(long, conflicts_with = "no_test")]
    pub(crate) test: bool,
    /// Skip test projects
    #[arg(long)]
    pub(crate) no_test: bool,
    /// List at most N items [default: 200]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        hide_default_value = true
    )]
    pub(crate) limit: usize,
    /// Maximum size of the output, in tokens [default: 8000 of Markdown, all of text]
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// Tokenizer that counts the budget
    #[arg(long, value_enum, default_value_t = TokenizerName::O200kBase)]
    pub(crate) tokenizer: TokenizerName,
}

/// So many tokens Markdown has where nothing else is wanted.
pub(crate) const DEFAULT_BUDGET: usize = 8000;

impl Look {
    /// Which part of the repository the answer may cover.
    pub(crate) fn filter(&self) -> Result<Filter, Failure> {
        Ok(Filter {
            scope: scope_text(self.scope.as_deref())?,
            projects: self.projects.clone(),
            paths: self.paths.clone(),
            tests: match (self.test, self.no_test) {
                (true, _) => TestScope::Only,
                (false, true) => TestScope::Without,
                (false, false) => TestScope::Any,
            },
        })
    }

    /// How Markdown is written.
    pub(crate) fn render<'p>(&self, phrase: Phrase<'p>) -> RenderOptions<'p> {
        RenderOptions {
            budget: self.budget.unwrap_or(DEFAULT_BUDGET),
            tokenizer: self.tokenizer.tokenizer(),
            phrase,
        }
    }
}

/// A time in seconds, or with the suffix `ms`, `s` or `m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let end = text
        .trim_end_matches(|c: char| c.is_ascii_alphabetic())
        .len();
    let (number, unit) = text.split_at(end);
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" => 60.0,
        _ => return Err("not a time such as 30, 500ms or 2s".to_owned()),
    };
    let seconds: Option<f64> = number.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds * scale).ok())
        .ok_or_else(|| "not a time such as 30, 500ms or 2s".to_owned())
}

/// The role that a word names.
fn role(text: &str) -> Result<Role, String> {
    let word = match text {
        "create" | "new" => "creation",
        other => other,
    };
    let found = Role::ALL.iter().find(|role| role.word() == word);
    found.copied().ok_or_else(|| {
        let words: Vec<&str> = Role::ALL.iter().map(|role| role.word()).collect();
        format!("choose one of {}", words.join(", "))
    })
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LookFormat {
    /// For people
    Text,
    /// Markdown, within the budget
    #[value(alias = "markdown")]
    Md,
    /// Everything, with ids and positions
    Json,
}

/// What SYMBOL may be: the same words in the help of every command that takes one.
macro_rules! symbol_help {
    ($rest:literal) => {
        concat!(
            "SYMBOL is a name or its end (Ns.Type, Type.Member, Type.Member(int)), with * and ? as wildcards, \
             a documentation id (M:Ns.Type.Member), an id from an answer (T_7XPKJFH2), or a place \
             (src/File.cs:12).\n\n",
            $rest
        )
    };
}
pub(super) use symbol_help;

/// Resolve a name, id or place to a type or member, and list its declarations.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Exit status: 0 found, 1 no symbol has this name, 2 several have it.\n\nExamples:\n  git cortex resolve OrderService\n  \
     git cortex resolve 'OrderService.Submit(Order)' --format json\n  git cortex resolve src/Order.cs:40 --at v1.0"
))]
pub(crate) struct Resolve {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}

/// List every place that uses a type or member.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "--project, --path, --test and --no-test filter the listed places.\n\nExamples:\n  \
     git cortex usages OrderService.Submit\n  git cortex usages Order.Total --kind write\n  \
     git cortex usages Order --mentions\n  git cortex usages IOrderService.Submit --with-overrides --no-test\n  \
     git cortex usages OrderService --at HEAD --format json"
))]
pub(crate) struct Usages {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Also uses of members that it overrides or implements, and of those that override or implement it
    #[arg(long)]
    pub(crate) with_overrides: bool,
    /// Only these roles: call, read, write, creation, base, attribute, nameof, doc, …; may be repeated
    #[arg(long = "kind", value_name = "ROLE", value_delimiter = ',', value_parser = role)]
    pub(crate) roles: Vec<Role>,
    /// Also list places outside of C# that have its name: SQL, Razor, XAML, JSON, YAML, project files
    #[arg(long)]
    pub(crate) mentions: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}

/// List the members that call a member, or use a type's members.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Examples:\n  git cortex callers OrderService.Submit\n  git cortex callers OrderService.Submit --depth 3 --no-test\n  \
     git cortex callers OrderService.Submit --depth 2 --format mermaid"
))]
pub(crate) struct Callers {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Follow calls up to N steps
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) depth: u32,
    /// Also calls of the members that it overrides or implements, which may run it
    #[arg(long)]
    pub(crate) with_overrides: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// List the members that a member calls.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Types from outside the repository are listed by name, without their members.\n\nExamples:\n  git cortex callees OrderService.Submit\n  \
     git cortex callees OrderService.Submit --depth 2 --with-overrides --format dot"
))]
pub(crate) struct Callees {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Follow calls up to N steps
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) depth: u32,
    /// Also the overrides and implementations of called members, which may run instead
    #[arg(long)]
    pub(crate) with_overrides: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// List what implements an interface or derives from a type, or implements or overrides a member.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Examples:\n  git cortex implementations IOrderService\n  git cortex implementations IOrderService.Submit --no-test"
))]
pub(crate) struct Implementations {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// List what a member overrides, and what overrides it.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Of a type, the same for each of its members.\n\nExamples:\n  git cortex overrides Shape.Area\n  git cortex overrides Circle --format json"
))]
pub(crate) struct Overrides {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// Show what a type derives from and what derives from it; the same for a member.
#[derive(Args, Debug)]
#[command(after_help = symbol_help!(
    "Bases from outside the repository are shown if its sources name them.\n\nExamples:\n  git cortex hierarchy OrderService\n  \
     git cortex hierarchy IOrderService --format mermaid"
))]
pub(crate) struct Hierarchy {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = GraphLookFormat::Text)]
    pub(crate) format: GraphLookFormat,
}

/// Find types and members by parts of their names.
#[derive(Args, Debug)]
#[command(
    after_help = "QUERY works like Go to Symbol in an IDE: the start of a name, its humps (OS or OrSer for \
OrderService), the start of a word in it, or a name with * and ?; with a container before a dot (Orders.Submit), or \
running from a type into a member (OSSub for OrderService.Submit). Capitals match the start of a hump.\n\nExamples:\n  \
git cortex search symbols OSSub\n  git cortex search symbols 'Order*' --kind type --no-test\n  \
git cortex search symbols Orders.Submit --format json"
)]
pub(crate) struct SearchSymbols {
    /// Parts of a name
    #[arg(value_name = "QUERY")]
    pub(crate) query: String,
    /// Only these kinds: type, member, class, interface, method, property, …
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
    /// Also types from outside the repository that its code names
    #[arg(long)]
    pub(crate) external: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphLookFormat {
    /// For people
    Text,
    /// Markdown, within the budget
    #[value(alias = "markdown")]
    Md,
    /// Everything, with ids and positions
    Json,
    /// A Mermaid flowchart
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// GraphML
    Graphml,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::duration;

    #[test]
    fn times_are_in_seconds_unless_said_otherwise() {
        for (text, millis) in [
            ("30", 30_000),
            ("0.5", 500),
            ("500ms", 500),
            ("2s", 2_000),
            ("1m", 60_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "-1", "2h", "s", "1e999"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
