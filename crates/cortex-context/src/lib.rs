//! Answers to Markdown, JSON and patches within a token budget.
//!
//! Owns: what an answer looks like, what its size is in tokens, and what is cut when it does not fit.
//! Must not know: how answers are found, processes, terminals, files.

mod api;
mod history;
mod json;
mod look;
mod markdown;
mod patch;
mod reaching;
mod text;
mod tokenizer;

pub use api::{
    ApiRender, ApiShown, api_counts, api_github, api_jsonl, api_markdown, api_sarif, api_text,
};
pub use history::{history_markdown, history_text};
pub use json::json;
pub use look::{
    calls_markdown, calls_text, relatives_markdown, relatives_text, resolve_markdown, resolve_text,
    search_markdown, search_text, usages_markdown, usages_text,
};
pub use markdown::{RenderOptions, markdown};
pub use patch::patch;
pub use reaching::{TestsLevel, tests_filter, tests_json, tests_jsonl, tests_markdown, tests_text};
pub use tokenizer::{CharsOver4, O200kBase, Tokenizer};

#[cfg(test)]
mod tests;
