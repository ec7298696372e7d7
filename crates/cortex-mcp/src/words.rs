//! What the operation layer suggests, in the words of tools and their arguments.

use cortex_context::{More, TestFilter};
use cortex_wire::{ErrorCode, Hint, HistoryFill, Next, Reason, SafeStep, WireError};
use serde_json::{Map, Value, json};

use crate::tools::{Toolset, name_of};

/// The words of one set of tools.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// The tools that can be named.
    pub(crate) toolset: Toolset,
}

impl Words {
    /// What would show more of an answer.
    pub(crate) fn more(&self, more: &More<'_>) -> String {
        let fixed = match more {
            More::Items { total: Some(total) } | More::Tests { total } => {
                return format!("limit: {total}");
            }
            More::Items { total: None } => "a larger limit",
            More::Tokens => "a larger budget",
            More::Time => "a longer time limit of the server",
            More::Json => "format: \"json\"",
            More::Whole {
                tokens,
                items,
                form: _,
            } => return whole(*tokens, *items),
            More::AllMembers => match self.toolset {
                Toolset::Default => "allMembers: true",
                Toolset::All => "members: \"all\"",
            },
            More::Mentions => "`usages` with mentions: true",
            More::WithOverrides => "withOverrides: true",
            More::WithReasons => "all: true",
            More::TestTypes => match self.toolset {
                Toolset::Default => "tests: true",
                Toolset::All => "filter: {\"tests\": \"only\"}",
            },
            More::Focus => "focus",
            More::Files => "a larger limit",
            More::Hierarchy => match self.toolset {
                Toolset::Default => "usages with relation: \"hierarchy\"",
                Toolset::All => "hierarchy",
            },
            More::Implementations => match self.toolset {
                Toolset::Default => "usages with relation: \"implementations\"",
                Toolset::All => "implementations",
            },
            More::ProjectStatus => "git cortex status --projects",
            More::TestsOf { range } => {
                return match range {
                    Some(range) => self.plain_call("tests", &json!({"subjects": [range]})),
                    None => "tests".to_owned(),
                };
            }
            More::RunTests { project, filter } => return run_tests(*project, *filter),
            More::OlderCommits(fill) => return older_commits(fill),
            More::AfterSearch(step) => return after_search(step),
            _ => "",
        };
        fixed.to_owned()
    }

    /// What to do about an error.
    pub(crate) fn hint(&self, error: &WireError) -> Option<String> {
        if error.code == ErrorCode::NotReviewed {
            let how = "A person reviews it with `git cortex review` and its id; once it is approved, ask again.";
            return Some(how.to_owned());
        }
        let fixed = match error.hint.as_ref()? {
            Hint::NameRepository => {
                "The server was not started in a git repository: start it as `git -C FOLDER cortex mcp`."
            }
            Hint::ListProjects => "`git cortex status --projects` lists the projects.",
            Hint::ListKeys => "`git cortex config` lists the keys.",
            Hint::WriteSymbol => {
                "Write a name as OrderService.Submit, or a place as src/Order.cs:12."
            }
            Hint::WriteMoreOfName => "Write more of the name, or an id:",
            Hint::AllowMoreTime => "Ask again: indexing goes on where it stopped.",
            Hint::SearchPlain => "`for`: \"text\" searches for the query as it is written.",
            Hint::WriteGlobs => {
                "Write globs of names or paths, as '*.cs,!*.g.cs' or 'src/**/*.ts'."
            }
            Hint::ListScopes => {
                "Write a scope as module(Web), dir(src/Shop), pattern(file:src//*) or git:changed:HEAD~1, with &, | and !; `git cortex scope list` lists names."
            }
            Hint::SupplyContext => {
                "Write `files(PATH)`: there is no editor here whose files could be meant."
            }
            Hint::WritePattern => {
                "Write a pattern as in the IDE: file[App]:src//*&&!file:*.g.cs; white space counts."
            }
            Hint::WriteSuppressions => {
                "Write it as the .NET SDK does: `<Suppressions>` with `<Suppression>` elements."
            }
            Hint::StartOver => "`git cortex gc --all` starts with an empty index.",
            Hint::WaitForIndex => "Another process is writing the index: ask again in a moment.",
            Hint::FreeSpace => "Free some space on the disk; what was indexed is kept.",
            Hint::Unshallow => "Older commits may have it: `git fetch --unshallow` fetches them.",
            Hint::CheckRepository => "`git fsck --full` shows whether the repository is damaged.",
            Hint::ConvertReferences => "Convert it with `git refs migrate --ref-format=files`.",
            Hint::OneRevision => "Write one revision.",
            Hint::FetchObject { object } => {
                return Some(format!(
                    "This is a partial clone and nothing is fetched by itself: `git cat-file -e {object}` fetches this object."
                ));
            }
            Hint::UpdateProgram => "The index is of a newer version: update git-cortex.",
            Hint::Text { text } | Hint::AskNarrower { text } => return Some(sentence(text)),
            Hint::ChooseKnown => return Some(format!("Choose one of {}.", error.known.join(", "))),
            Hint::LeaveOutFilter { symbols } => {
                return Some(format!(
                    "{symbols} outside of `scope` have this name: leave `scope` out."
                ));
            }
            Hint::QuoteName { quoted } => {
                return Some(format!("Quote the name if it is a single one: {quoted}"));
            }
        };
        Some(fixed.to_owned())
    }

    /// A suggested request, with what it is good for.
    pub(crate) fn next(&self, next: &Next) -> String {
        let call = self.call(&next.operation, &next.request);
        match next.reason {
            Reason::MoreItems => format!("{call} shows more."),
            Reason::WithoutFilter => format!("{call} searches without `scope`."),
            Reason::WithOverrides => format!("{call} includes overrides and implementations."),
            Reason::OlderCommits => format!("Older commits may have it: {call} indexes them."),
            Reason::Narrower | Reason::AsPlainText => format!("Try {call}."),
            Reason::ListNames => format!("{call} lists all names."),
        }
    }

    /// A request as a call of a tool, in Markdown.
    fn call(&self, operation: &str, request: &Value) -> String {
        format!("`{}`", self.plain_call(operation, request))
    }

    /// A request as a call of a tool: its name and its arguments.
    fn plain_call(&self, operation: &str, request: &Value) -> String {
        let (tool, arguments) = match self.toolset {
            Toolset::All => (name_of(operation), request.clone()),
            Toolset::Default => match of_few(operation, request) {
                Some((tool, arguments)) => (tool.to_owned(), Value::Object(arguments)),
                None => return format!("git cortex {}", operation.replace('-', " ")),
            },
        };
        format!("{tool} {}", without_defaults(arguments))
    }
}

/// A fragment as a sentence.
fn sentence(fragment: &str) -> String {
    let mut chars = fragment.chars();
    let first = chars.next().map(char::to_uppercase);
    let end = match fragment.ends_with(['.', '?', ')']) {
        true => "",
        false => ".",
    };
    format!(
        "{}{}{end}",
        first.into_iter().flatten().collect::<String>(),
        chars.as_str()
    )
}

/// A request as one of the few tools has it; `None` where none does.
fn of_few(operation: &str, request: &Value) -> Option<(&'static str, Map<String, Value>)> {
    let mut arguments = Map::new();
    let mut take = |name: &str, from: &str| {
        if let Some(value) = request.pointer(from).filter(|it| !it.is_null()) {
            arguments.insert(name.to_owned(), value.clone());
        }
    };
    let more = |mut arguments: Map<String, Value>, name: &str, value: &str| {
        arguments.insert(name.to_owned(), json!(value));
        arguments
    };
    take("at", "/at");
    take("limit", "/limit");
    Some(match operation {
        "outline" | "source" | "resolve" => {
            take("symbol", "/symbol");
            arguments.remove("limit");
            let show = match operation {
                "outline" => "outline",
                "source" => "source",
                _ => "declarations",
            };
            ("symbol", more(arguments, "show", show))
        }
        "usages" | "callers" | "callees" | "implementations" | "overrides" | "hierarchy" => {
            take("symbol", "/symbol");
            take("withOverrides", "/withOverrides");
            take("scope", "/filter/scope");
            let relation = if operation == "usages" {
                "uses"
            } else {
                operation
            };
            ("usages", more(arguments, "relation", relation))
        }
        "search-symbols" | "search-text" | "search-files" | "search-safe" => {
            take("query", "/query");
            take("scope", "/scope");
            take("scope", "/filter/scope");
            let kind = match (operation, request["mode"].as_str()) {
                ("search-symbols", _) => "symbols",
                ("search-files", _) => "files",
                ("search-safe", _) => "question",
                (_, Some("regex")) => "regex",
                _ => "text",
            };
            ("search", more(arguments, "for", kind))
        }
        "tests" => {
            take("of", "/subjects");
            ("tests", arguments)
        }
        "map" => {
            take("focus", "/focus");
            arguments.remove("limit");
            ("map", arguments)
        }
        _ => return None,
    })
}

/// Arguments without those that say what would be so without them.
fn without_defaults(arguments: Value) -> Value {
    const DEFAULTS: [(&str, &str); 8] = [
        ("limit", "200"),
        ("limit", "1000"),
        ("depth", "1"),
        ("withOverrides", "false"),
        ("relation", "\"uses\""),
        ("show", "\"outline\""),
        ("for", "\"symbols\""),
        ("filter", "{}"),
    ];
    let Value::Object(fields) = arguments else {
        return arguments;
    };
    let is_said = |name: &str, value: &Value| {
        let text = value.to_string();
        !value.is_null() && value != &json!([]) && !DEFAULTS.contains(&(name, text.as_str()))
    };
    let fields = fields
        .into_iter()
        .filter(|(name, value)| is_said(name, value));
    Value::Object(fields.collect())
}

fn whole(tokens: Option<usize>, items: Option<usize>) -> String {
    let limit = items
        .map(|items| format!(" and limit: {items}"))
        .unwrap_or_default();
    match tokens {
        Some(tokens) => format!("the same call with budget: {tokens}{limit}"),
        None => format!("the same call with format: \"json\"{limit}"),
    }
}

fn run_tests(project: Option<&str>, filter: TestFilter<'_>) -> String {
    let project = project.map_or(String::new(), |path| format!(" \"{path}\""));
    match filter {
        TestFilter::Expression(text) => format!("dotnet test{project} --filter \"{text}\""),
        TestFilter::OfRange { range, or } => {
            let others = or.map_or(String::new(), |text| format!("|{text}"));
            format!(
                "dotnet test{project} --filter \"$(git cortex tests {range} --format filter){others}\""
            )
        }
    }
}

fn older_commits(fill: &HistoryFill) -> String {
    match fill {
        HistoryFill::Unshallow => "git fetch --unshallow".to_owned(),
        HistoryFill::IndexRange { from, to } => {
            format!("git cortex index --history {from}..{to} --first-parent")
        }
        HistoryFill::IndexCommits { newest, count } => {
            format!("git cortex index --history {newest} --first-parent -n {count}")
        }
    }
}

fn after_search(step: &SafeStep) -> String {
    match step {
        SafeStep::NarrowToFolder {
            folder,
            hits,
            total,
        } => format!(
            "{folder} has {hits} of {total} hits: search there with for: \"text\" and scope: \"dir({folder})\""
        ),
        SafeStep::MoreTime => "time limit reached: ask a narrower question".to_owned(),
        SafeStep::MoreFiles { left, .. } => {
            format!("{left} more files contain these words: add a word")
        }
        SafeStep::NoFiles => "no files to search".to_owned(),
        SafeStep::EmptyArea { area } => format!("{area} has no files"),
        SafeStep::OtherAreas { area } => format!("no line in {area} matches"),
        SafeStep::OtherWords => {
            "no file contains any of these words: try a synonym, or part of a word".to_owned()
        }
        SafeStep::PartOfWord => {
            "no line contains these words: try for: \"text\" with part of a word".to_owned()
        }
    }
}
