//! Answers to Markdown, JSON and patches within a token budget.
//!
//! Owns: what an answer looks like, what its size is in tokens, and what is cut when it does not fit.
//! Must not know: how answers are found, processes, terminals, files.

mod api;
mod areas;
mod care;
mod check;
mod cut;
mod documentation;
mod edit;
mod history;
mod json;
mod look;
mod markdown;
mod more;
mod pack;
mod patch;
mod prove;
mod reaching;
mod render;
mod sarif;
mod scope;
mod search;
pub mod text;
mod tokenizer;
mod tree;
mod window;

pub use api::{ApiShown, api_counts, api_github, api_jsonl, api_markdown, api_sarif, api_text};
pub use areas::areas_text;
pub use care::{ProjectsShown, config_text, gc_text, index_text, status_text};
pub use check::{
    Mend, check_github, check_junit, check_message, check_sarif, check_text, export_context_text,
    verdict_text,
};
pub use cut::cut_text;
pub use documentation::{DocStyle, documentation, first_line};
pub use edit::{edit_text, op_text, ops_text, verified};
pub use history::{history_markdown, history_text};
pub use json::json;
pub use look::{
    calls_markdown, calls_text, relatives_markdown, relatives_text, resolve_markdown, resolve_text,
    search_markdown, search_text, usages_markdown, usages_text,
};
pub use look::{
    cycles_markdown, cycles_text, deps_markdown, deps_text, map_markdown, map_text,
    outline_markdown, outline_text, source_markdown, source_text, unused_markdown, unused_text,
};
pub use markdown::{RenderOptions, markdown};
pub use more::{Form, More, Phrase, TestFilter};
pub use pack::{pack_diff_text, pack_list_text, pack_text};
pub use patch::patch;
pub use prove::prove_text;
pub use reaching::{
    MAX_EXPRESSION, TestsExpression, TestsLevel, nearest_tests, tests_filter, tests_filter_within,
    tests_jsonl, tests_markdown, tests_run_settings, tests_text,
};
pub use render::{Format, render};
pub use scope::{
    scope_describe_text, scope_files_null, scope_files_text, scope_list_text, scope_resolve_text,
    scope_validate_text,
};
pub use search::{
    search_files_markdown, search_files_text, search_safe_markdown, search_safe_text,
    search_text_markdown, search_text_text,
};
pub use tokenizer::{CharsOver4, O200kBase, Tokenizer};
pub use window::{window_markdown, window_text};

#[cfg(test)]
mod tests;
