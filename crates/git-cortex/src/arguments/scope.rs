//! The arguments of `git cortex scope`.

use clap::{Args, Subcommand, ValueEnum};

use super::ReportFormat;

/// List and check scopes: which files, and ranges of files, a question is about.
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
    /// Form of the answer
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
        /// The commit to look at [default: the work tree]
        #[arg(long, value_name = "REVISION")]
        at: Option<String>,
    },
    /// Check a pattern, and write it as the IDE does
    #[command(
        after_help = "Example:\n  git cortex scope validate 'src[App]:Shop..*&&!file:*.g.cs'"
    )]
    Validate {
        /// The pattern
        #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
        pattern: String,
    },
    /// Check a scope, and print it in both of its forms, without looking at any file
    #[command(
        after_help = "Example:\n  git cortex scope describe \"'Project Files' & !pattern(file:*Test//*)\""
    )]
    Describe {
        /// The scope: an expression or a program
        #[arg(value_name = "SCOPE")]
        scope: String,
    },
    /// Find everything that a scope names, and print what it is
    #[command(
        after_help = "Example:\n  git cortex scope resolve 'module(App) & codeowners:@web' --at main"
    )]
    Resolve(Choice),
    /// List the files of a scope, with the ranges of those that are in it in part
    #[command(
        after_help = "Examples:\n  git cortex scope files 'git:worktree & !Tests'\n  \
git cortex scope files 'members:OrderService' --contains src/OrderService.cs"
    )]
    Files {
        #[command(flatten)]
        choice: Choice,
        /// Only whether it has something of this file; exit with 1 if not
        #[arg(long, value_name = "PATH|URL")]
        contains: Option<String>,
        /// Leave out the first N files
        #[arg(long, value_name = "N", default_value_t = 0)]
        offset: usize,
        /// List no more than N files [default: all; 1000 as JSON]
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
        /// End each path with NUL instead of a new line, write it as it is, and leave out the lines of ranges
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
    /// The commit to look at [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// What to do with a name that means nothing here [default: fail, or what the program says]
    #[arg(long, value_enum)]
    pub(crate) missing: Option<Missing>,
    /// A file of 'Open Files', by its path in the repository, or from here with ./; may be repeated
    #[arg(long = "open", value_name = "PATH")]
    pub(crate) open: Vec<String>,
    /// The 'Current File', by its path in the repository, or from here with ./
    #[arg(long = "current", value_name = "PATH")]
    pub(crate) current: Option<String>,
    /// Lines of the 'Selection'; may be repeated
    #[arg(long = "selection", value_name = "PATH:FIRST-LAST", value_parser = lines)]
    pub(crate) selection: Vec<Lines>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missing {
    /// The scope fails
    Fail,
    /// It has no files
    Empty,
    /// It is left out, with the operator before it
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
