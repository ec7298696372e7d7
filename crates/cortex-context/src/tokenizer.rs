//! How large a text is for a model.

mod o200k;

pub use o200k::O200kBase;

/// Counts the tokens of a text.
pub trait Tokenizer: Sync {
    /// Its name, as options spell it.
    fn name(&self) -> &'static str;

    /// The number of tokens of `text`, without the markers of a conversation.
    fn count(&self, text: &str) -> usize;
}

/// A quarter of the characters, rounded up: a rule of thumb that needs no vocabulary.
#[derive(Clone, Copy, Debug, Default)]
pub struct CharsOver4;

impl Tokenizer for CharsOver4 {
    fn name(&self) -> &'static str {
        "chars/4"
    }

    fn count(&self, text: &str) -> usize {
        text.chars().count().div_ceil(4)
    }
}
