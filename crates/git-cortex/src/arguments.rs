//! The command line: what can be said, and its help texts.

pub(crate) mod edit;
pub(crate) mod fresh;
mod groups;
pub(crate) mod hooks;
mod look;
mod manual;
mod outline;
pub(crate) mod pack;
pub(crate) mod scope;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod window;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum, error::ErrorKind};
use cortex_context::{CharsOver4, O200kBase, Tokenizer};

use crate::{failure::Failure, given::Given, paint::ColorWhen};

pub(crate) use self::{
    groups::command,
    look::{
        Callees, Callers, DEFAULT_BUDGET, GraphLookFormat, Hierarchy, Implementations, Look,
        LookFormat, Overrides, Resolve, SearchSymbols, Usages,
    },
    manual::{Completions, Man},
    outline::{By, Cycles, Deps, Docs, Map, MapDocs, Members, Outline, Source, Unused, What},
};

/// Says what is wrong with the arguments, or prints the help that they ask for; gives the exit code.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if error.use_stderr() && wants_json(std::env::args_os().skip(1)) {
        let text = error.render().to_string();
        let text = text.split("\n\n").next().unwrap_or_default();
        let text = text.strip_prefix("error: ").unwrap_or(text).trim();
        return Failure::usage(format!("failed to read the arguments: {text}"))
            .report(ErrorForm::Json);
    }
    if is_help || !error.use_stderr() {
        // Whoever closed the pipe reads no help either.
        let _ = error.print();
        return ExitCode::from(code);
    }
    // Git takes `git cortex --help` for a question about its manual.
    let text = error.render().ansi().to_string();
    match text.rsplit_once("--help") {
        None => anstream::eprint!("{text}"),
        Some((start, end)) => {
            let end = end.replacen("'.", "' or 'git cortex help'.", 1);
            anstream::eprint!("{start}-h{end}");
        }
    }
    ExitCode::from(code)
}

/// Whether arguments that are wrong ask for JSON.
fn wants_json(arguments: impl Iterator<Item = std::ffi::OsString>) -> bool {
    let mut arguments = arguments.take_while(|it| it != "--").peekable();
    while let Some(argument) = arguments.next() {
        if argument == "--format=json" {
            return true;
        }
        if argument == "--format" {
            return arguments.peek().is_some_and(|it| it == "json");
        }
    }
    false
}

/// Turn a .NET repository into minimal, exact, always-fresh context for coding agents.
#[derive(Parser, Debug)]
#[command(
    name = "git-cortex",
    bin_name = "git cortex",
    version,
    after_help = "No setup needed: the first command indexes what it reads.\n\nExample:\n  git cortex diff-context HEAD~1"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Run as if git cortex was started in DIR
    #[arg(
        short = 'C',
        value_name = "DIR",
        global = true,
        default_value = ".",
        hide_default_value = true
    )]
    pub(crate) directory: PathBuf,
    /// Target framework to use for projects that target several, or `all` for what any of them has [default: the newest]
    #[arg(long, value_name = "TFM", global = true)]
    pub(crate) tfm: Option<String>,
    /// Stop after this time and print what was found so far: 30, 500ms, 2s [default: no limit for indexing; then 30
    /// for look-ups and searches]
    #[arg(long, value_name = "SECONDS", global = true, value_parser = look::duration)]
    pub(crate) timeout: Option<Duration>,
    /// Suppress progress and notes
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// When to use color: auto, always or never
    #[arg(long, value_enum, value_name = "WHEN", global = true, default_value_t = ColorWhen::Auto, hide_default_value = true, hide_possible_values = true)]
    pub(crate) color: ColorWhen,
    /// Report in JSON how long the answer took
    #[arg(long, global = true)]
    pub(crate) timing: bool,
    /// Do not use the pager (GIT_PAGER, your core.pager, PAGER, less)
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    /// The command as it was given
    #[arg(skip)]
    pub(crate) given: Given,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Explain a change: what it does to types and members, and who depends on them
    DiffContext(DiffContext),
    /// Compare the public API of two commits, by the rules of the .NET SDK and stricter ones
    Api(Api),
    /// Show what happened to a type or member over time
    History(History),
    /// Find the tests that reach a change or a symbol
    Tests(Tests),
    /// List, check and resolve scopes: the files, and ranges of files, that a request covers
    Scope(scope::Scope),
    /// Outline a type, member, namespace, project or folder, without its code
    Outline(Outline),
    /// Show the most important types, within a budget
    Map(Map),
    /// Show the code of a type or member, with its documentation and attributes
    Source(Source),
    /// Show what a type depends on, and what depends on it
    Deps(Deps),
    /// Find dependency cycles between types, namespaces or projects
    Cycles(Cycles),
    /// Find types and members that nothing refers to
    Unused(Unused),
    /// Resolve a name, id or place to a type or member, and list its declarations
    Resolve(Resolve),
    /// Search symbols, file contents and file names, or for what answers a question
    Search(search::Search),
    /// List the parts of the repository by language
    Areas(search::Areas),
    /// List every place that uses a type or member
    Usages(Usages),
    /// List the members that call a member
    Callers(Callers),
    /// List the members that a member calls
    Callees(Callees),
    /// List what implements or derives from a type, or implements a member
    Implementations(Implementations),
    /// List what a member overrides, and what overrides it
    Overrides(Overrides),
    /// Show what a type derives from and what derives from it
    Hierarchy(Hierarchy),
    /// Write outlines of types as files that the repository commits
    ExportContext(fresh::ExportContext),
    /// Check whether committed context is what the sources say
    Check(fresh::Check),
    /// Put outlines of several types into one file, within a token budget
    Pack(pack::Pack),
    /// Show the prompt window: outlines of the types that matter now, within a token budget
    Window(window::Window),
    /// Pin types into the prompt window of everyone who works on the repository
    Pin(window::Pin),
    /// Unpin types from the prompt window
    Unpin(window::Unpin),
    /// Leave types out of your prompt window until a command is about them again
    Dismiss(window::Dismiss),
    /// Put types into your prompt window for a while, or remove them
    Context(window::Context),
    /// Check staged context before each commit
    InstallHooks(hooks::InstallHooks),
    /// Prove what of a change keeps the meaning of the code, and list what is left to read
    Prove(Prove),
    /// Plan a change of the code, and prove what it does to its meaning
    Edit(edit::Edit),
    /// Show an operation to a person, who approves or rejects it
    Review(edit::Review),
    /// Run your build or tests on a copy of the work tree, without and with an operation
    Verify(edit::Verify),
    /// Write the files of an approved operation, all or none
    Apply(edit::Apply),
    /// Give the files of an applied operation the bytes that they had
    Undo(edit::Undo),
    /// List, show and drop operations
    Ops(edit::OpsCommand),
    /// Index commits before the first request needs them
    Index(Index),
    /// Show what is indexed, and what could not be resolved
    Status(Status),
    /// Write the whole graph: projects, types, members, edges, references
    Export(Export),
    /// Remove snapshots that no branch, tag or recent request needs
    Gc(Gc),
    /// Keep answers warm in a process that stays: start, stop, status
    Daemon(serve::Daemon),
    /// Serve the operations to agents over the Model Context Protocol
    Mcp(serve::Mcp),
    /// Print or install a guide for agents
    Guide(serve::Guide),
    /// Print a man page, or write all of them
    Man(Man),
    /// Print completions for a shell
    Completions(Completions),
    /// List the configuration and where each value comes from
    Config(Config),
    /// Serve the parser pool (internal)
    #[command(hide = true, name = "parse-worker")]
    ParseWorker,
}

impl Command {
    /// How an error of the command is told.
    pub(crate) fn error_form(&self) -> ErrorForm {
        let is_json = match self {
            Self::DiffContext(it) => it.format == Format::Json,
            Self::Api(it) => it.format == ApiFormat::Json,
            Self::History(it) => it.format == HistoryFormat::Json,
            Self::Tests(it) => it.format == TestsFormat::Json,
            Self::Areas(it) => it.format == ReportFormat::Json,
            Self::Search(it) => it.what.is_json(),
            Self::Scope(it) => it.format == ReportFormat::Json,
            Self::Outline(it) => it.format == LookFormat::Json,
            Self::Map(it) => it.format == LookFormat::Json,
            Self::Source(it) => it.format == LookFormat::Json,
            Self::Deps(it) => it.format == GraphLookFormat::Json,
            Self::Cycles(it) => it.format == GraphLookFormat::Json,
            Self::Unused(it) => it.format == LookFormat::Json,
            Self::Config(it) => it.format == ReportFormat::Json,
            Self::Resolve(it) => it.format == LookFormat::Json,
            Self::Callers(it) => it.format == GraphLookFormat::Json,
            Self::Callees(it) => it.format == GraphLookFormat::Json,
            Self::Implementations(it) => it.format == GraphLookFormat::Json,
            Self::Overrides(it) => it.format == GraphLookFormat::Json,
            Self::Hierarchy(it) => it.format == GraphLookFormat::Json,
            Self::Usages(it) => it.format == LookFormat::Json,
            Self::ExportContext(it) => it.format == ReportFormat::Json,
            Self::Prove(it) => it.format == ReportFormat::Json,
            Self::Edit(it) => it.format == edit::EditFormat::Json,
            Self::Review(_) => false,
            Self::Apply(it) => it.format == ReportFormat::Json,
            Self::Verify(it) => it.format == ReportFormat::Json,
            Self::Undo(it) => it.format == ReportFormat::Json,
            Self::Ops(it) => it.format == ReportFormat::Json,
            Self::Pack(it) => it.format == ReportFormat::Json,
            Self::Window(it) => it.format == LookFormat::Json,
            Self::Pin(it) => it.format == ReportFormat::Json,
            Self::Unpin(it) => it.format == ReportFormat::Json,
            Self::Dismiss(it) => it.format == ReportFormat::Json,
            Self::Context(it) => it.format == ReportFormat::Json,
            Self::Check(it) => it.format == fresh::CheckFormat::Json,
            Self::Index(it) => it.format == ReportFormat::Json,
            Self::Status(it) => it.format == ReportFormat::Json,
            Self::Gc(it) => it.format == ReportFormat::Json,
            Self::Export(_)
            | Self::InstallHooks(_)
            | Self::Daemon(_)
            | Self::Mcp(_)
            | Self::Guide(_)
            | Self::Man(_)
            | Self::Completions(_)
            | Self::ParseWorker => false,
        };
        if is_json {
            ErrorForm::Json
        } else {
            ErrorForm::Words
        }
    }
}

/// How an error is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorForm {
    /// In words, on standard error.
    Words,
    /// As a JSON object, on standard output.
    Json,
}

/// Explain a change: what it does to types and members, and who depends on them.
#[derive(Args, Debug)]
#[command(
    after_help = "Ranges mean what they mean to `git diff`: one revision is the work tree against it, \
A..B two commits, A...B what B did since it left A.\n\nExamples:\n  git cortex diff-context HEAD~1\n  \
git cortex diff-context main...HEAD --budget 4000\n  git cortex diff-context --cached --format json -- src/"
)]
pub(crate) struct DiffContext {
    /// Range to compare, as in `git diff` [default: the work tree against HEAD]
    #[arg(value_name = "RANGE", num_args = 0..=2)]
    pub(crate) revisions: Vec<String>,
    /// Compare the staged changes
    #[arg(long, visible_alias = "staged")]
    pub(crate) cached: bool,
    /// Maximum size of the output, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 8000)]
    pub(crate) budget: usize,
    /// Code of changed members to show; at most half of the budget while uses are left out
    #[arg(long, value_enum, value_name = "HOW_MUCH", default_value_t = CodeOption::Full)]
    pub(crate) code: CodeOption,
    /// Prove which changed members mean the same (`git cortex prove`), and show the code of the others
    #[arg(long)]
    pub(crate) prove: bool,
    /// Tokenizer that counts the budget
    #[arg(long, value_enum, default_value_t = TokenizerName::O200kBase)]
    pub(crate) tokenizer: TokenizerName,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Md)]
    pub(crate) format: Format,
    /// Exit with 1 if there are changes, as `git diff --exit-code`
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Only files of this scope: an expression, or a program as JSON (see `git cortex scope --help`)
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// Only these paths (git pathspecs)
    #[arg(last = true, value_name = "PATHS")]
    pub(crate) paths: Vec<String>,
}

/// Prove what of a change keeps the meaning of the code, and list what is left to read.
#[derive(Args, Debug)]
#[command(
    after_help = "Renames, moves, reordered members, other usings, white space and comments are proven by binding both \
sides and comparing every decision, in each target framework. What changed otherwise, and what now means something \
else although its text is the same, is listed to be read.\n\nExit status: 0 all code means the same, 1 something is \
to read.\n\nExamples:\n  git cortex prove HEAD~1\n  git cortex prove main...HEAD\n  git cortex prove --cached\n  git cortex prove --merge main feature\n  \
git cortex prove --patch change.diff"
)]
pub(crate) struct Prove {
    /// Range to compare, as in `git diff` [default: the work tree against HEAD]
    #[arg(value_name = "RANGE", num_args = 0..=2)]
    pub(crate) revisions: Vec<String>,
    /// Compare the staged changes
    #[arg(long, visible_alias = "staged")]
    pub(crate) cached: bool,
    /// Look at the merge of the two commits: what means something else there than in the commit that it comes from
    #[arg(long, conflicts_with = "cached")]
    pub(crate) merge: bool,
    /// Look at what a unified diff would do to the work tree, or to the one commit (-: standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cached", "merge"])]
    pub(crate) patch: Option<PathBuf>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Only these paths (git pathspecs)
    #[arg(last = true, value_name = "PATHS")]
    pub(crate) paths: Vec<String>,
}

/// Compare the public API of two commits, by the rules of the .NET SDK and stricter ones.
#[derive(Args, Debug)]
#[command(
    after_help = "Nothing is built. Every library is compared for one target framework (--tfm). \
CP… are the rules of the SDK's package validation, CX… rules beyond it; docs/api.md has one example for each.\n\n\
Exit status with --exit-code: 0 nothing breaks, 1 something may break, 2 something is undecided.\n\nExamples:\n  \
git cortex api v1.0..v2.0\n  git cortex api main...HEAD --exit-code --allow-file CompatibilitySuppressions.xml\n  \
git cortex api origin/main...HEAD --format github --exit-code --fail-on breaking"
)]
pub(crate) struct Api {
    /// Range to compare, as in `git diff` [default: the work tree against HEAD]
    #[arg(value_name = "RANGE", num_args = 0..=2)]
    pub(crate) revisions: Vec<String>,
    /// Compare the staged changes
    #[arg(long, visible_alias = "staged")]
    pub(crate) cached: bool,
    /// Only this assembly; may be repeated [default: every library]
    #[arg(long = "assembly", value_name = "NAME")]
    pub(crate) assemblies: Vec<String>,
    /// Also list compatible differences, such as additions
    #[arg(long)]
    pub(crate) all: bool,
    /// Exit with 1 if something may break, with 2 if something is undecided
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// With --exit-code: the least severity that fails
    #[arg(long, value_enum, default_value_t = FailOn::SourceBreaking)]
    pub(crate) fail_on: FailOn,
    /// With --exit-code: accept undecided differences
    #[arg(long)]
    pub(crate) allow_undecided: bool,
    /// Accept differences of this rule; may be repeated
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// Accept what a suppression file of the .NET SDK lists; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) allow_file: Vec<PathBuf>,
    /// Size of the answer in Markdown, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 8000)]
    pub(crate) budget: usize,
    /// How to count tokens
    #[arg(long, value_enum, default_value_t = TokenizerName::O200kBase)]
    pub(crate) tokenizer: TokenizerName,
    /// Output format
    #[arg(long, value_enum, default_value_t = ApiFormat::Text)]
    pub(crate) format: ApiFormat,
}

/// Show what happened to a type or member over time.
#[derive(Args, Debug)]
#[command(
    after_help = "SYMBOL is a name or its end (Ns.Type, Type.Member, Type.Member(int)), a documentation id \
(M:Ns.Type.Member), an id from an answer (T_7XPKJFH2), or a place (src/File.cs:12). A removed or \
renamed symbol is found by its last name.\n\nExamples:\n  git cortex history OrderService\n  \
git cortex history OrderService.Submit v1.0..v2.0 --structure\n  git cortex history src/Order.cs:40 HEAD -n 3"
)]
pub(crate) struct History {
    /// The type or member
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
    /// Commits, A..B or B for all its ancestors; missing ones are indexed first [default: the indexed first parents of
    /// HEAD]
    #[arg(value_name = "RANGE")]
    pub(crate) range: Option<String>,
    /// Only structural changes: added, removed, renamed, or another signature, base or attribute
    #[arg(long)]
    pub(crate) structure: bool,
    /// Only changes of the public API
    #[arg(long)]
    pub(crate) api: bool,
    /// Also cosmetic changes: comments, white space and order
    #[arg(long, conflicts_with_all = ["structure", "api"])]
    pub(crate) cosmetic: bool,
    /// Follow only the first parent of merges
    #[arg(long)]
    pub(crate) first_parent: bool,
    /// Show at most the newest N changes
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) max_count: Option<usize>,
    /// Maximum size of Markdown output, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 8000)]
    pub(crate) budget: usize,
    /// Tokenizer that counts the budget
    #[arg(long, value_enum, default_value_t = TokenizerName::O200kBase)]
    pub(crate) tokenizer: TokenizerName,
    /// Output format
    #[arg(long, value_enum, default_value_t = HistoryFormat::Md)]
    pub(crate) format: HistoryFormat,
}

/// Find the tests that reach a change or a symbol.
#[derive(Args, Debug)]
#[command(
    after_help = "Lists the tests of xUnit, NUnit, MSTest and TUnit that can execute the changed code: through calls, \
interfaces, overrides, operators and initializers. Tests that only reach it by reflection are listed as possible. \
Ranges are those of `git diff`; SYMBOL is a name or its end (Ns.Type, Type.Member, Type.Member(int)), a documentation \
id (M:Ns.Type.Member), an id from an answer, or a place (src/File.cs:12).\n\nExamples:\n  git cortex tests HEAD~1\n  \
git cortex tests OrderService.Submit --format md\n  dotnet test --filter \"$(git cortex tests main...HEAD --format filter)\""
)]
pub(crate) struct Tests {
    /// A range, or types and members [default: the work tree against HEAD]
    #[arg(value_name = "RANGE|SYMBOL")]
    pub(crate) asked: Vec<String>,
    /// Read symbols from standard input, one a line
    #[arg(long, conflicts_with = "asked")]
    pub(crate) stdin: bool,
    /// Commit in which to resolve symbols [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// With --format filter or vstest-runsettings: select whole classes or single methods
    #[arg(long, value_enum, default_value_t = TestLevel::Method)]
    pub(crate) level: TestLevel,
    /// List at most the nearest N tests [default: all; 20 in text and Markdown]
    #[arg(long, value_name = "N")]
    pub(crate) max: Option<usize>,
    /// Size of the answer in Markdown, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 8000)]
    pub(crate) budget: usize,
    /// How to count tokens
    #[arg(long, value_enum, default_value_t = TokenizerName::O200kBase)]
    pub(crate) tokenizer: TokenizerName,
    /// Output format
    #[arg(long, value_enum, default_value_t = TestsFormat::Text)]
    pub(crate) format: TestsFormat,
}

/// Index commits before the first request needs them.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  git cortex index HEAD HEAD~1\n  git cortex index --history v1.0..HEAD\n  \
git cortex index --history HEAD --first-parent -n 1000"
)]
pub(crate) struct Index {
    /// Commits to index [default: the work tree]
    #[arg(value_name = "REVISION")]
    pub(crate) revisions: Vec<String>,
    /// Index every commit of a range: A..B, or B for all its ancestors
    #[arg(long, value_name = "RANGE", conflicts_with_all = ["revisions", "fresh"])]
    pub(crate) history: Option<String>,
    /// With --history: follow only the first parent of merges
    #[arg(long, requires = "history")]
    pub(crate) first_parent: bool,
    /// With --history: index at most the newest N commits
    #[arg(short = 'n', long, value_name = "N", requires = "history")]
    pub(crate) max_count: Option<usize>,
    /// Index from scratch instead of from the nearest indexed commit, for comparison
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Show what is indexed, and what could not be resolved.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  git cortex status --projects")]
pub(crate) struct Status {
    /// Commit to read [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// List projects, with what could not be resolved in their files
    #[arg(long)]
    pub(crate) projects: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// Write the whole graph: projects, types, members, edges, references.
#[derive(Args, Debug)]
#[command(
    after_help = "jsonl contains every record of the snapshot (docs/export.md). The other formats contain the type graph alone: for each \
type its id, kind, assembly, strongly connected component, depth, fan-in and fan-out; for each dependency its \
kinds.\n\nExamples:\n  git cortex export --at HEAD > graph.jsonl\n  git cortex export --format dot \
--project App --no-external | dot -Tsvg > graph.svg"
)]
pub(crate) struct Export {
    /// Commit to read [default: the work tree]
    #[arg(long, value_name = "REVISION")]
    pub(crate) at: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    pub(crate) format: ExportFormat,
    /// Only types of this project and what they depend on; not with jsonl [default: all projects]
    #[arg(long = "project", value_name = "PATH|ASSEMBLY")]
    pub(crate) projects: Vec<String>,
    /// Only dependencies of these kinds; not with jsonl [default: all]
    #[arg(long, value_enum)]
    pub(crate) kinds: Option<ExportKinds>,
    /// Leave out types from outside the repository; not with jsonl
    #[arg(long)]
    pub(crate) no_external: bool,
}

/// Remove snapshots that no branch, tag or recent request needs.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  git cortex gc")]
pub(crate) struct Gc {
    /// Remove everything that can be computed again
    #[arg(long)]
    pub(crate) all: bool,
    /// Keep snapshots used within this many days
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    pub(crate) days: u32,
    /// Shrink the index to this size, with git's suffixes k, m and g; removes the least recently used snapshots first
    /// [default: cortex.maxSize, or 2g]
    #[arg(long, value_name = "SIZE", value_parser = size, hide_default_value = true)]
    pub(crate) max_size: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// List the configuration and where each value comes from.
#[derive(Args, Debug)]
#[command(
    after_help = "Later layers win: built in, ~/.config/git-cortex/config.toml, git config cortex.*, \
.context/config.toml, the environment, the command line.\n\nExamples:\n  git cortex config\n  \
git config --global cortex.maxSize 4g"
)]
pub(crate) struct Config {
    /// Only this key, such as maxSize
    pub(crate) key: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

fn size(text: &str) -> Result<u64, String> {
    cortex_service::bytes_of(text).ok_or_else(|| "not a size such as 500m or 2g".to_owned())
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Markdown, within the budget
    #[value(alias = "markdown")]
    Md,
    /// Everything, uncut, with ids and positions
    Json,
    /// The unified diff, annotated per hunk
    Patch,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeOption {
    /// None: what changed is listed without its code
    None,
    /// Changed lines and the two lines around them
    Changed,
    /// Whole members, as far as the budget allows
    Full,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FailOn {
    /// Changes that break compiled callers
    Breaking,
    /// Also changes that may break callers when they are recompiled
    SourceBreaking,
    /// Also changes of behavior
    #[value(alias = "behavioural")]
    Behavioral,
    /// Any difference
    Any,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApiFormat {
    /// For people
    Text,
    /// Markdown
    #[value(alias = "markdown")]
    Md,
    /// Everything, with positions
    Json,
    /// Everything, one JSON object a line, as the SDK's two modes report it
    Jsonl,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations for GitHub workflows
    Github,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HistoryFormat {
    /// For people, uncut
    Text,
    /// Markdown, within the budget
    #[value(alias = "markdown")]
    Md,
    /// Everything, uncut, with ids and positions
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TestsFormat {
    /// For people
    Text,
    /// Markdown
    #[value(alias = "markdown")]
    Md,
    /// Everything, with the way from each test
    Json,
    /// An object for each symbol, on a line of its own
    Jsonl,
    /// An expression for `dotnet test --filter`, of whole classes or namespaces where methods are too long
    Filter,
    /// A settings file for `dotnet test --settings`, for filters of any length
    VstestRunsettings,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TestLevel {
    /// Whole classes
    Class,
    /// Methods
    Method,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportFormat {
    /// Every record, one JSON object a line
    Jsonl,
    /// The type graph for Graphviz
    Dot,
    /// The type graph as a Mermaid flowchart
    Mermaid,
    /// The type graph as GraphML
    Graphml,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportKinds {
    /// Those that show in signatures
    Structural,
    /// All
    All,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenizerName {
    /// The tokens of current models
    #[value(name = "o200k_base")]
    O200kBase,
    /// A quarter of the characters: fast, rough
    #[value(name = "chars/4")]
    CharsOver4,
}

impl TokenizerName {
    /// What counts.
    pub(crate) fn tokenizer(self) -> &'static dyn Tokenizer {
        match self {
            Self::O200kBase => &O200kBase,
            Self::CharsOver4 => &CharsOver4,
        }
    }
}
