//! The arguments of `git cortex search`.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use cortex_context::RenderOptions;

use super::{LookFormat, SearchSymbols, TokenizerName, look::duration};

/// Search symbols, the contents of files or their names.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit status: 0 found, 1 nothing is found.\n\nExamples:\n  git cortex search text 'TODO' --in comments\n  \
git cortex search text OrderService --mode identifier --scope 'Project Test Files'\n  git cortex search files 'OS'\n  git cortex search symbols OSSub"
)]
pub(crate) struct Search {
    #[command(subcommand)]
    pub(crate) what: SearchWhat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum SearchWhat {
    /// Find types and members by parts of their names
    Symbols(SearchSymbols),
    /// Find lines in tracked and untracked files, with the declaration around each
    Text(SearchText),
    /// Find files by parts of their names, camel humps or a glob
    Files(SearchFiles),
}

impl SearchWhat {
    /// Whether errors are told in JSON, too.
    pub(crate) fn is_json(&self) -> bool {
        let format = match self {
            Self::Symbols(it) => it.format,
            Self::Text(it) => it.place.format,
            Self::Files(it) => it.place.format,
        };
        format == LookFormat::Json
    }
}

/// Where is searched, and how much is answered.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where to search, and how much to answer")]
pub(crate) struct Where {
    /// The commit to search [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// Only this scope: an expression, or a program as JSON (see `git cortex scope --help`)
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// Size of the answer in Markdown, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 8000)]
    pub(crate) budget: usize,
    /// How to count tokens
    #[arg(long, value_enum, default_value_t = TokenizerName::O200kBase)]
    pub(crate) tokenizer: TokenizerName,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}

impl Where {
    /// How Markdown is written.
    pub(crate) fn render(&self) -> RenderOptions<'static> {
        RenderOptions {
            budget: self.budget,
            tokenizer: self.tokenizer.tokenizer(),
        }
    }
}

/// Find lines in tracked and untracked files, with the declaration around each.
#[derive(Args, Debug)]
#[command(
    after_help = "Files that git ignores are not searched, binary ones neither. Lines are searched one by one. A word or \
identifier is looked up in an index of words, which the first such question makes.\n\nExit status: 0 found, 1 nothing \
is found.\n\nExamples:\n  git cortex search text 'connection string' -i\n  \
git cortex search text 'async\\s+void' --mode regex --in code --file-mask '*.cs,!*.g.cs'\n  \
git cortex search text OrderService --mode identifier --scope 'git:changed:main...HEAD' --context 2"
)]
pub(crate) struct SearchText {
    /// What to search for
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) query: String,
    /// What QUERY is
    #[arg(long, value_enum, default_value_t = TextMode::Plain)]
    pub(crate) mode: TextMode,
    /// Do not tell upper and lower case apart
    #[arg(short, long)]
    pub(crate) ignore_case: bool,
    /// Only files of these globs, of names or of paths; with ! all but them: '*.cs,!test/**'
    #[arg(long = "file-mask", value_name = "GLOBS")]
    pub(crate) masks: Vec<String>,
    /// Lines to show before and after each hit
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) context: usize,
    /// Only in these parts of C# files
    #[arg(long = "in", value_enum, value_name = "PART")]
    pub(crate) within: Option<TextWithin>,
    /// No more than N hits
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) limit: usize,
    /// Answer what was found after this time: 30, 500ms, 2s
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = duration)]
    pub(crate) timeout: Duration,
    #[command(flatten)]
    pub(crate) place: Where,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextMode {
    /// The text itself
    Plain,
    /// A regular expression (the syntax of Rust's regex)
    Regex,
    /// The text where no word goes on before or after it
    Word,
    /// A whole identifier; a leading @ means nothing
    Identifier,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextWithin {
    /// Neither comments nor strings
    Code,
    /// Comments and documentation
    Comments,
    /// String and character literals
    Strings,
}

/// Find files by parts of their names, camel humps or a glob.
#[derive(Args, Debug)]
#[command(
    after_help = "QUERY is a glob where it has one of * ? [ {; otherwise a name, its start, its humps (OS, OrSe), a part of \
it, or with a / a part of a path.\n\nExit status: 0 found, 1 nothing is found.\n\nExamples:\n  \
git cortex search files OrSe\n  git cortex search files 'src/**/*.razor' --at v1.0"
)]
pub(crate) struct SearchFiles {
    /// Part of a name, or a glob
    #[arg(value_name = "QUERY")]
    pub(crate) query: String,
    /// No more than N files
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) place: Where,
}
