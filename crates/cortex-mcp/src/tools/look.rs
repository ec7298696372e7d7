//! Tools about code as it is: `symbol`, `usages`, `search`, `map`.

use cortex_service::ServiceError;
use cortex_wire::{
    CallsRequest, Filter, MapRequest, MembersShown, OutlineRequest, RelativesRequest,
    ResolveRequest, SearchFilesRequest, SearchSafeRequest, SearchSymbolsRequest, SearchTextRequest,
    SourceRequest, TestScope, TextSearchMode, UsagesRequest, WireError,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{LOOK, Question, Tool};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new::<Symbol>(
            "symbol",
            "A C# type, member, namespace, project or folder: its outline, its source code, or where it is declared. \
             Use it instead of reading files.",
            LOOK,
            symbol,
        ),
        Tool::new::<Usages>(
            "usages",
            "Every place that uses a type or member, as the compiler binds it: no comments, no namesakes. Also its \
             callers, what it calls, implementations, overrides, hierarchy.",
            LOOK,
            usages,
        ),
        Tool::new::<Search>(
            "search",
            "Find symbols by parts of names, lines by text or regex, files by name; or what a question in words is about.",
            LOOK,
            search,
        ),
        Tool::new::<Map>(
            "map",
            "The most important types of the repository, or around `focus`. Start here in unknown code.",
            LOOK,
            map,
        ),
    ]
}

/// What a scope limits.
fn filter(scope: Option<String>) -> Filter {
    Filter {
        scope,
        ..Filter::default()
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Symbol {
    /// `Type.Member` or its end, an id, `path:line`, `namespace:X`, `project:X`, `folder:X`
    symbol: String,
    /// Default: outline
    show: Option<Show>,
    /// Of an outline, private ones as well
    #[serde(default)]
    all_members: bool,
    /// Revision; default: the work tree
    at: Option<String>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Show {
    Outline,
    Source,
    Declarations,
}

fn symbol(arguments: Symbol) -> Result<Question, ServiceError> {
    let Symbol { symbol, at, .. } = arguments;
    Ok(match arguments.show.unwrap_or(Show::Outline) {
        Show::Outline => {
            let request = OutlineRequest {
                at,
                members: match arguments.all_members {
                    true => MembersShown::All,
                    false => MembersShown::Public,
                },
                ..OutlineRequest::new(symbol)
            };
            Question::new("outline", &request)
        }
        Show::Source => {
            let request = SourceRequest {
                at,
                ..SourceRequest::new(symbol)
            };
            Question::new("source", &request)
        }
        Show::Declarations => {
            let request = ResolveRequest {
                at,
                ..ResolveRequest::new(symbol)
            };
            Question::new("resolve", &request)
        }
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Usages {
    /// As of `symbol`
    symbol: String,
    /// Default: uses
    relation: Option<Relation>,
    /// Count overrides and implementations in
    #[serde(default)]
    with_overrides: bool,
    /// List uses of the name outside of C# too
    #[serde(default)]
    mentions: bool,
    /// Steps of callers and callees
    depth: Option<u32>,
    /// Limits the answer, as `module(Web) & !pattern(file:*.g.cs)`
    scope: Option<String>,
    limit: Option<usize>,
    at: Option<String>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Relation {
    Uses,
    Callers,
    Callees,
    Implementations,
    Overrides,
    Hierarchy,
}

fn usages(arguments: Usages) -> Result<Question, ServiceError> {
    let Usages { symbol, at, .. } = arguments;
    let filter = filter(arguments.scope);
    let relation = arguments.relation.unwrap_or(Relation::Uses);
    let operation = match relation {
        Relation::Uses => "usages",
        Relation::Callers => "callers",
        Relation::Callees => "callees",
        Relation::Implementations => "implementations",
        Relation::Overrides => "overrides",
        Relation::Hierarchy => "hierarchy",
    };
    Ok(match relation {
        Relation::Uses => {
            let mut request = UsagesRequest::new(symbol);
            request.limit = arguments.limit.unwrap_or(request.limit);
            let request = UsagesRequest {
                with_overrides: arguments.with_overrides,
                mentions: arguments.mentions,
                at,
                filter,
                ..request
            };
            Question::new(operation, &request)
        }
        Relation::Callers | Relation::Callees => {
            let mut request = CallsRequest::new(symbol);
            request.limit = arguments.limit.unwrap_or(request.limit);
            request.depth = arguments.depth.unwrap_or(request.depth);
            let request = CallsRequest {
                with_overrides: arguments.with_overrides,
                at,
                filter,
                ..request
            };
            Question::new(operation, &request)
        }
        Relation::Implementations | Relation::Overrides | Relation::Hierarchy => {
            let mut request = RelativesRequest::new(symbol);
            request.limit = arguments.limit.unwrap_or(request.limit);
            let request = RelativesRequest {
                at,
                filter,
                ..request
            };
            Question::new(operation, &request)
        }
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Search {
    query: String,
    /// Default: symbols
    r#for: Option<For>,
    /// Text and regex: upper and lower case are one
    #[serde(default)]
    ignore_case: bool,
    /// As of `usages`
    scope: Option<String>,
    limit: Option<usize>,
    at: Option<String>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum For {
    Symbols,
    Text,
    Regex,
    Files,
    Question,
}

fn search(arguments: Search) -> Result<Question, ServiceError> {
    let Search {
        query, at, scope, ..
    } = arguments;
    let kind = arguments.r#for.unwrap_or(For::Symbols);
    Ok(match kind {
        For::Symbols => {
            let mut request = SearchSymbolsRequest::new(query);
            request.limit = arguments.limit.unwrap_or(request.limit);
            let request = SearchSymbolsRequest {
                at,
                filter: filter(scope),
                ..request
            };
            Question::new("search-symbols", &request)
        }
        For::Text | For::Regex => {
            let mut request = SearchTextRequest::new(query);
            request.limit = arguments.limit.unwrap_or(request.limit);
            let request = SearchTextRequest {
                mode: match kind {
                    For::Regex => TextSearchMode::Regex,
                    _ => TextSearchMode::Plain,
                },
                ignore_case: arguments.ignore_case,
                at,
                scope,
                ..request
            };
            Question::new("search-text", &request)
        }
        For::Files => {
            let mut request = SearchFilesRequest::new(query);
            request.limit = arguments.limit.unwrap_or(request.limit);
            let request = SearchFilesRequest {
                at,
                scope,
                ..request
            };
            Question::new("search-files", &request)
        }
        For::Question => {
            if let Some(scope) = scope {
                let message = format!(
                    "`scope` ({scope}) does not go with `for`: \"question\", which chooses files itself; leave it out"
                );
                return Err(WireError::new(cortex_wire::ErrorCode::InvalidRequest, message).into());
            }
            let mut request = SearchSafeRequest::new(query);
            request.files = arguments.limit.unwrap_or(request.files);
            let request = SearchSafeRequest { at, ..request };
            Question::new("search-safe", &request)
        }
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Map {
    /// Symbols, namespaces, projects or paths
    #[serde(default)]
    focus: Vec<String>,
    /// Test projects alone
    #[serde(default)]
    tests: bool,
    scope: Option<String>,
    at: Option<String>,
}

fn map(arguments: Map) -> Result<Question, ServiceError> {
    let request = MapRequest {
        focus: arguments.focus,
        at: arguments.at,
        filter: Filter {
            tests: match arguments.tests {
                true => TestScope::Only,
                false => TestScope::Any,
            },
            ..filter(arguments.scope)
        },
        ..MapRequest::default()
    };
    Ok(Question::new("map", &request))
}
