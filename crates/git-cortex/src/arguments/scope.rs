//! The arguments of `git cortex scope`.

use clap::{Args, Subcommand, ValueEnum};

use super::ReportFormat;

/// List, check and resolve scopes: the files, and ranges of files, that a request covers.
#[derive(Args, Debug)]
#[command(
    after_help = "SCOPE is an expression of scopes with & | ! and parentheses: names as `scope list` shows them, in quotes \
where they have spaces; pattern(…), module(name), dir(path), files(path, …); or a program as JSON; or - to read \
either from standard input. docs/scopes.md explains all of them.\n\nExamples:\n  git cortex scope list\n  \
git cortex scope files \"'Project Files' & !Tests & pattern(file:*.cs)\"\n  \
git cortex scope files 'git:changed:main...HEAD | type:OrderService'\n  \
git cortex scope validate 'file[App]:src//*&&!file:*.g.cs'"
)]
pub(crate) struct Scope {
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, global = true)]
    pub(crate) format: ReportFormat,
    #[command(subcommand)]
    pub(crate) command: ScopeCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ScopeCommand {
    /// List the scopes that exist
    #[command(after_help = "Example:\n  git cortex scope list --at v1.0")]
    List {
        /// Commit to read [default: the work tree]
        #[arg(long, value_name = "REVISION")]
        at: Option<String>,
    },
    /// Check a pattern, and print it as the IDE writes it
    #[command(
        after_help = "Example:\n  git cortex scope validate 'src[App]:Shop..*&&!file:*.g.cs'"
    )]
    Validate {
        /// The pattern
        #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
        pattern: String,
    },
    /// Check a scope and print it as expression and as program, without reading any file
    #[command(
        after_help = "Example:\n  git cortex scope describe \"'Project Files' & !pattern(file:*Test//*)\""
    )]
    Describe {
        /// The scope: an expression or a program
        #[arg(value_name = "SCOPE")]
        scope: String,
    },
    /// Resolve everything that a scope names, and print the result
    #[command(
        after_help = "Example:\n  git cortex scope resolve 'module(App) & codeowners:@web' --at main"
    )]
    Resolve(Choice),
    /// List the files of a scope, with line ranges of files that it covers in part
    #[command(
        after_help = "Examples:\n  git cortex scope files 'git:worktree & !Tests'\n  \
git cortex scope files 'members:OrderService' --contains src/OrderService.cs"
    )]
    Files {
        #[command(flatten)]
        choice: Choice,
        /// Only check whether the scope contains a part of this file; exit with 1 if not
        #[arg(long, value_name = "PATH|URL")]
        contains: Option<String>,
        /// Skip the first N files
        #[arg(long, value_name = "N", default_value_t = 0)]
        offset: usize,
        /// List at most N files [default: all; 1000 as JSON]
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
        /// End each path with NUL instead of a newline, unquoted and without line ranges
        #[arg(short = 'z', long = "null")]
        null: bool,
    },
}

/// A scope, and where it is looked for.
#[derive(Args, Debug)]
pub(crate) struct Choice {
    /// The scope: an expression or a program
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: String,
    /// Commit to read [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// How to treat a name that does not exist here [default: fail, or as the program says]
    #[arg(long, value_enum)]
    pub(crate) missing: Option<Missing>,
    /// A file of 'Open Files': its path in the repository, or relative with ./; may be repeated
    #[arg(long = "open", value_name = "PATH")]
    pub(crate) open: Vec<String>,
    /// The 'Current File': its path in the repository, or relative with ./
    #[arg(long = "current", value_name = "PATH")]
    pub(crate) current: Option<String>,
    /// Lines of the 'Selection'; may be repeated
    #[arg(long = "selection", value_name = "PATH:FIRST-LAST", value_parser = lines)]
    pub(crate) selection: Vec<Lines>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missing {
    /// Fail
    Fail,
    /// Treat it as empty
    Empty,
    /// Skip it, with the operator before it
    Skip,
}

/// Lines of a file, 1-based, both ends included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    pub(crate) path: String,
    pub(crate) first: u32,
    pub(crate) last: u32,
}

fn lines(text: &str) -> Result<Lines, String> {
    let read = || {
        let (path, lines) = text.rsplit_once(':')?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        let path = path.to_owned();
        (1 <= first && first <= last && !path.is_empty()).then_some(Lines { path, first, last })
    };
    read().ok_or_else(|| "not lines such as src/Order.cs:10-20".to_owned())
}
