//! The vocabulary `o200k_base`.

use super::Tokenizer;

/// The vocabulary `o200k_base`.
#[derive(Clone, Copy, Debug, Default)]
pub struct O200kBase;

impl Tokenizer for O200kBase {
    fn name(&self) -> &'static str {
        "o200k_base"
    }

    fn count(&self, text: &str) -> usize {
        tiktoken::get_encoding("o200k_base").map_or(text.len(), |encoding| encoding.count(text))
    }
}
