//! Text search: which lines of which texts match a query, with the libraries of ripgrep.
//!
//! Owns: what a query means ([`Query`], [`Pattern`]), and how many texts are searched side by side so that the
//! answer has one order and exact limits ([`search`]). Texts are given to it ([`Texts`]).
//! Must not know: git, the store, disk, clocks, programming languages.

mod found;
mod lines;
mod need;
mod pattern;
mod search;
mod text_sink;

#[cfg(test)]
mod tests;

pub use found::{ContextLine, FoundText, Hit, LineText, Outcome};
pub use lines::{MAX_LINE_CHARS, utf16_len};
pub use need::{Need, Piece};
pub use pattern::{Case, Mode, Pattern, PatternError, Query, is_identifier};
pub use search::{SearchOptions, Stop, TextRead, Texts, is_binary, search};
