//! The arguments of `git cortex search`.

use clap::{Args, Subcommand, ValueEnum};
use cortex_context::{Phrase, RenderOptions};
use cortex_wire::AreaRequest;

use super::{DEFAULT_BUDGET, LookFormat, ReportFormat, SearchSymbols, TokenizerName};

/// Search symbols, file contents and file names, or for what answers a question.
#[derive(Args, Debug)]
#[command(
    subcommand_value_name = "symbols|text|files|ask",
    after_help = "Exit status: 0 found, 1 nothing found.\n\nExamples:\n  git cortex search text 'TODO' --in comments\n  \
git cortex search text OrderService --mode identifier --scope 'Project Test Files'\n  git cortex search files 'OS'\n  git cortex search symbols OSSub\n  git cortex search ask 'JWT authentication handler'"
)]
pub(crate) struct Search {
    #[command(subcommand)]
    pub(crate) what: SearchWhat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum SearchWhat {
    /// Find types and members by parts of their names
    Symbols(SearchSymbols),
    /// Find lines in tracked and untracked files, with the declaration that contains each
    Text(SearchText),
    /// Find files by parts of their names, camel humps or a glob
    Files(SearchFiles),
    /// Find the few files and lines that answer a question, in any language
    #[command(name = "ask", aliases = ["safe", "question"])]
    Safe(SearchSafe),
}

impl SearchWhat {
    /// Whether errors are told in JSON, too.
    pub(crate) fn is_json(&self) -> bool {
        let format = match self {
            Self::Symbols(it) => it.format,
            Self::Text(it) => it.place.shown.format,
            Self::Files(it) => it.place.shown.format,
            Self::Safe(it) => it.shown.format,
        };
        format == LookFormat::Json
    }
}

/// Where is searched.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where to search, and how much to answer")]
pub(crate) struct Where {
    /// Only this scope: an expression, or a program as JSON (see `git cortex scope --help`)
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

/// Which side is looked at, and how the answer is shown.
#[derive(Args, Debug)]
#[command(next_help_heading = "Where to search, and how much to answer")]
pub(crate) struct Shown {
    /// Commit to search [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// Maximum size of the output, in tokens [default: 8000 of Markdown, all of text]
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// Tokenizer that counts the budget
    #[arg(long, value_enum, default_value_t = TokenizerName::O200kBase)]
    pub(crate) tokenizer: TokenizerName,
    /// Output format
    #[arg(long, value_enum, default_value_t = LookFormat::Text)]
    pub(crate) format: LookFormat,
}

impl Shown {
    /// How Markdown is written.
    pub(crate) fn render<'p>(&self, phrase: Phrase<'p>) -> RenderOptions<'p> {
        RenderOptions {
            budget: self.budget.unwrap_or(DEFAULT_BUDGET),
            tokenizer: self.tokenizer.tokenizer(),
            phrase,
        }
    }
}

/// Find lines in tracked and untracked files, with the declaration that contains each.
#[derive(Args, Debug)]
#[command(
    after_help = "Ignored and binary files are not searched. Matches do not span lines. A word or \
identifier is looked up in an index of words, which the first such question makes.\n\nExit status: 0 found, 1 nothing \
found.\n\nExamples:\n  git cortex search text 'connection string' -i\n  \
git cortex search text 'async\\s+void' --mode regex --in code --file-mask '*.cs,!*.g.cs'\n  \
git cortex search text OrderService --mode identifier --scope 'git:changed:main...HEAD' --context 2"
)]
pub(crate) struct SearchText {
    /// What to search for
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) query: String,
    /// How to read QUERY
    #[arg(long, value_enum, default_value_t = TextMode::Plain)]
    pub(crate) mode: TextMode,
    /// Ignore case
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
    /// Only files of this project, by path or assembly; may be repeated
    #[arg(long = "project", value_name = "PATH|ASSEMBLY")]
    pub(crate) projects: Vec<String>,
    /// Only these paths (git's pathspecs); may be repeated
    #[arg(long = "path", value_name = "PATHSPEC")]
    pub(crate) paths: Vec<String>,
    /// Only files of test projects
    #[arg(long, conflicts_with = "no_test")]
    pub(crate) test: bool,
    /// No files of test projects
    #[arg(long)]
    pub(crate) no_test: bool,
    /// List at most N hits
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) place: Where,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextMode {
    /// The text itself
    Plain,
    /// A regular expression (the syntax of Rust's regex)
    Regex,
    /// The text as a whole word
    Word,
    /// A whole identifier; a leading @ is ignored
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
it, or with a / a part of a path.\n\nExit status: 0 found, 1 nothing found.\n\nExamples:\n  \
git cortex search files OrSe\n  git cortex search files 'src/**/*.razor' --at v1.0"
)]
pub(crate) struct SearchFiles {
    /// Part of a name, or a glob
    #[arg(value_name = "QUERY")]
    pub(crate) query: String,
    /// List at most N files
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) place: Where,
}

/// Find the few files and lines that answer a question, in any language.
#[derive(Args, Debug)]
#[command(
    after_help = "QUERY is an identifier, words of a question, or an expression where it has one of \\ | [ ^ .* .+ (or with \
--regex). Its words are routed to the areas of the repository (`git cortex areas`), the best of which gets three \
quarters of the files to search. What would find everything is refused, with a narrower question.\n\nExit status: 0 \
found, 1 nothing found, 2 refused, 3 more files than --max-files with --strict.\n\nExamples:\n  git cortex search ask 'JWT authentication handler'\n  \
git cortex search ask OrderService --area csharp --mode conservative\n  \
git cortex search ask 'login form' --include-area 'web=frontend/**/*.tsx,!**/*.test.tsx' --format json"
)]
pub(crate) struct SearchSafe {
    /// Words, an identifier or an expression
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) query: String,
    /// QUERY is a regular expression
    #[arg(long)]
    pub(crate) regex: bool,
    /// Only this area, or auto
    #[arg(long, value_name = "AREA", default_value = "auto")]
    pub(crate) area: String,
    /// An area instead of those that are detected; may be repeated
    #[arg(long = "include-area", value_name = "NAME=GLOBS", value_parser = area)]
    pub(crate) include_areas: Vec<AreaRequest>,
    /// How many files of each area to search: 20, 30 (50 of a single one), 50
    #[arg(long, value_enum, default_value_t = SafeModeName::Balanced)]
    pub(crate) mode: SafeModeName,
    /// Search at most N files, 1 to 1000 [default: by --mode]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) max_files: Option<u16>,
    /// Fail if more files contain the words than the limit allows
    #[arg(long)]
    pub(crate) strict: bool,
    /// Show at most N files
    #[arg(long = "files", value_name = "N", default_value_t = 25)]
    pub(crate) files: usize,
    /// Show at most N lines of each of the best files
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) lines: usize,
    #[command(flatten)]
    pub(crate) shown: Shown,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SafeModeName {
    /// 20 files of each area
    Conservative,
    /// 30 files of each area, 50 of a single one
    Balanced,
    /// 50 files of each area
    Broad,
}

/// `NAME=GLOB,!GLOB`: an area by its files.
fn area(text: &str) -> Result<AreaRequest, String> {
    let usage = || "not an area such as web=frontend/**/*.ts,!**/*.d.ts".to_owned();
    let (name, globs) = text.split_once('=').ok_or_else(usage)?;
    let (exclude, globs): (Vec<&str>, Vec<&str>) = split(globs)
        .into_iter()
        .partition(|glob| glob.starts_with('!'));
    if name.trim().is_empty() || globs.is_empty() {
        return Err(usage());
    }
    Ok(AreaRequest {
        name: name.trim().to_owned(),
        globs: globs.into_iter().map(str::to_owned).collect(),
        exclude: exclude.iter().map(|glob| glob[1..].to_owned()).collect(),
    })
}

/// Globs between commas; those in braces separate nothing.
fn split(globs: &str) -> Vec<&str> {
    let (mut out, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in globs.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(globs[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(globs[start..].trim());
    out.retain(|glob| !glob.is_empty());
    out
}

/// List the parts of the repository by language.
#[derive(Args, Debug)]
#[command(
    after_help = "An area is a folder with a language: as `[[area]]` of .context/config.toml says, by files such as \
*.sln, package.json or go.mod, or by a sample of file endings. Projects of one language below a solution or workspace \
of it are one area.\n\nExamples:\n  git cortex areas\n  git cortex areas --at v1.0 --exclude-dir samples --format json"
)]
pub(crate) struct Areas {
    /// Commit to read [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// Sample at most N files
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) sample_limit: usize,
    /// Skip this folder, by name or path; may be repeated
    #[arg(long = "exclude-dir", value_name = "DIR")]
    pub(crate) exclude_dirs: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}
