//! Every answer from its JSON, for clients that know no operation of their own.

use cortex_wire::{
    ApiAnswer, AreasAnswer, CallsAnswer, CheckAnswer, ConfigAnswer, CyclesAnswer, DepsAnswer,
    DiffContext, EditAnswer, Envelope, ExportContextAnswer, FilesAnswer, MapAnswer, OpAnswer,
    OpsListAnswer, OutlineOrMap, PackAnswer, PackListAnswer, ProveAnswer, RelativesAnswer,
    ResolveAnswer, SafeAnswer, ScopeDescribeAnswer, ScopeFilesAnswer, ScopeListAnswer,
    ScopeResolveAnswer, ScopeValidateAnswer, SearchAnswer, SourceAnswer, StatusAnswer,
    SymbolHistory, TestsAnswer, TextAnswer, UnusedAnswer, UsagesAnswer, WindowAnswer,
};
use serde_json::Value;

use crate::{
    ApiShown, Mend, ProjectsShown, RenderOptions, api_markdown, api_text, areas_text,
    calls_markdown, calls_text, check_text, config_text, cycles_markdown, cycles_text,
    deps_markdown, deps_text, edit_text, export_context_text, history_markdown, history_text,
    map_markdown, map_text, markdown, op_text, ops_text, outline_markdown, outline_text,
    pack_list_text, pack_text, prove_text, relatives_markdown, relatives_text, resolve_markdown,
    resolve_text, scope_describe_text, scope_files_text, scope_list_text, scope_resolve_text,
    scope_validate_text, search_files_markdown, search_files_text, search_markdown,
    search_safe_markdown, search_safe_text, search_text, search_text_markdown, search_text_text,
    source_markdown, source_text, status_text, tests_markdown, tests_text, unused_markdown,
    unused_text, usages_markdown, usages_text, window_markdown, window_text,
};

/// What an answer is rendered for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Lines for a terminal.
    Text,
    /// Markdown within the budget.
    Markdown,
}

/// How many tests of a symbol are listed.
const N_TESTS: usize = 20;

/// Renders an envelope; `None` where its operation has no such format.
///
/// # Errors
/// Where the answer is not one of its operation.
pub fn render(
    envelope: &Value,
    format: Format,
    options: &RenderOptions<'_>,
) -> serde_json::Result<Option<String>> {
    /// The text and the Markdown of a type of answers.
    macro_rules! either {
        ($answer:ty, $text:expr, $markdown:expr) => {{
            let envelope: Envelope<$answer> = serde_json::from_value(envelope.clone())?;
            Some(match format {
                Format::Text => $text(&envelope, options),
                Format::Markdown => $markdown(&envelope, options),
            })
        }};
    }
    macro_rules! text {
        ($answer:ty, $text:expr) => {{
            let envelope: Envelope<$answer> = serde_json::from_value(envelope.clone())?;
            (format == Format::Text).then(|| $text(&envelope.answer))
        }};
    }
    Ok(match envelope["operation"].as_str().unwrap_or_default() {
        "diff-context" => {
            let envelope: Envelope<DiffContext> = serde_json::from_value(envelope.clone())?;
            (format == Format::Markdown).then(|| markdown(&envelope.answer, options))
        }
        "api" => either!(
            ApiAnswer,
            |it: &Envelope<ApiAnswer>, _| api_text(&it.answer, ApiShown::Notable),
            |it: &Envelope<ApiAnswer>, options| api_markdown(
                &it.answer,
                ApiShown::Notable,
                options
            )
        ),
        "history" => either!(
            SymbolHistory,
            |it: &Envelope<SymbolHistory>, options| history_text(&it.answer, options),
            |it: &Envelope<SymbolHistory>, options| history_markdown(&it.answer, options)
        ),
        "tests" => either!(
            TestsAnswer,
            |it: &Envelope<TestsAnswer>, options| tests_text(&it.answer, N_TESTS, options),
            |it: &Envelope<TestsAnswer>, options| tests_markdown(&it.answer, N_TESTS, options)
        ),
        "outline" => either!(OutlineOrMap, outline_text, outline_markdown),
        "map" => either!(MapAnswer, map_text, map_markdown),
        "source" => either!(SourceAnswer, source_text, source_markdown),
        "resolve" => either!(ResolveAnswer, resolve_text, resolve_markdown),
        "search-symbols" => either!(SearchAnswer, search_text, search_markdown),
        "search-text" => either!(TextAnswer, search_text_text, search_text_markdown),
        "search-files" => either!(FilesAnswer, search_files_text, search_files_markdown),
        "search-safe" => either!(SafeAnswer, search_safe_text, search_safe_markdown),
        "usages" => either!(UsagesAnswer, usages_text, usages_markdown),
        "callers" | "callees" => either!(CallsAnswer, calls_text, calls_markdown),
        "implementations" | "overrides" | "hierarchy" => {
            either!(RelativesAnswer, relatives_text, relatives_markdown)
        }
        "deps" => either!(DepsAnswer, deps_text, deps_markdown),
        "cycles" => either!(CyclesAnswer, cycles_text, cycles_markdown),
        "unused" => either!(UnusedAnswer, unused_text, unused_markdown),
        "prove" => text!(ProveAnswer, prove_text),
        "areas" => text!(AreasAnswer, areas_text),
        "scope-list" => text!(ScopeListAnswer, scope_list_text),
        "scope-validate" => text!(ScopeValidateAnswer, scope_validate_text),
        "scope-describe" => text!(ScopeDescribeAnswer, scope_describe_text),
        "scope-resolve" => text!(ScopeResolveAnswer, scope_resolve_text),
        "scope-files" => text!(ScopeFilesAnswer, scope_files_text),
        "status" => text!(StatusAnswer, |answer| status_text(
            answer,
            ProjectsShown::Counted
        )),
        "config" => text!(ConfigAnswer, config_text),
        "export-context" => text!(ExportContextAnswer, export_context_text),
        "check" => text!(CheckAnswer, |answer| check_text(
            answer,
            &Mend {
                fix: "check with fix",
                unpin: "unpin",
                aliases: "export-context with aliases",
                restore: "ops-list",
                review: "review",
                drop: "ops-drop",
            }
        )),
        edit if edit.starts_with("edit-") => {
            text!(EditAnswer, |answer| edit_text(answer, "review it"))
        }
        "ops-list" | "ops-drop" => text!(OpsListAnswer, ops_text),
        "ops-show" | "ops-apply" | "ops-undo" => text!(OpAnswer, op_text),
        "window" | "pin" | "unpin" | "dismiss" | "context-add" | "context-clear" => either!(
            WindowAnswer,
            |it: &Envelope<WindowAnswer>, _| window_text(&it.answer),
            window_markdown
        ),
        "pack-build" | "pack-show" => text!(PackAnswer, pack_text),
        "pack-list" | "pack-remove" => text!(PackListAnswer, pack_list_text),
        _ => None,
    })
}
