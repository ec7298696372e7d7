//! The vocabulary `o200k_base`, read where it lies in the program.
//!
//! Owns: counting. Nothing is built at run time, so the first count costs what the second does, but for
//! the pages of the program that it touches.

mod classes;
mod layout;
mod merge;
mod pieces;
mod vocabulary;

use super::Tokenizer;
use pieces::Pieces;

/// The vocabulary `o200k_base`; texts of special tokens count as ordinary text.
#[derive(Clone, Copy, Debug, Default)]
pub struct O200kBase;

impl Tokenizer for O200kBase {
    fn name(&self) -> &'static str {
        "o200k_base"
    }

    /// O(n log n) in the bytes of the longest word, O(n) in those of the text.
    fn count(&self, text: &str) -> usize {
        Pieces::new(text)
            .map(|piece| merge::count(piece.as_bytes()))
            .sum()
    }
}

#[cfg(test)]
mod tests;
