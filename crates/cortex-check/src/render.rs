//! Answers in JSON as people read them: what a client does that has no more than the wire.

use cortex_context::{More, O200kBase, RenderOptions};
use serde_json::Value;

pub use cortex_context::Format;

/// Names what would show more.
fn phrase(more: &More<'_>) -> String {
    format!("{more:?}")
}

/// Renders an envelope from its JSON; `None` where the operation has no such format.
///
/// # Panics
/// Where the JSON is not an answer of its operation.
#[track_caller]
pub fn render(envelope: &Value, format: Format, budget: usize) -> Option<String> {
    let options = RenderOptions {
        budget,
        tokenizer: &O200kBase,
        phrase: &phrase,
    };
    cortex_context::render(envelope, format, &options).expect("an answer reads back from its JSON")
}
