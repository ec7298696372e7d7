//! Answers to Markdown, JSON and patches within a token budget.
//!
//! Owns: what an answer looks like, what its size is in tokens, and what is cut when it does not fit.
//! Must not know: how answers are found, processes, terminals, files.

mod history;
mod json;
mod markdown;
mod patch;
mod text;
mod tokenizer;

pub use history::{history_markdown, history_text};
pub use json::json;
pub use markdown::{RenderOptions, markdown};
pub use patch::patch;
pub use tokenizer::{CharsOver4, O200kBase, Tokenizer};

#[cfg(test)]
mod tests;
