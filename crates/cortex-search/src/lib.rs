//! Text search: finds the lines of many texts that match a query, with ripgrep's libraries.
//!
//! Owns: queries and their compiled form ([`Query`], [`Pattern`]), and the parallel search of many texts with one order
//! and exact limits ([`search`]). The caller provides the texts ([`Texts`]).
//! Must not know: git, the store, disk, clocks, programming languages.

mod found;
mod lines;
mod matcher;
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
pub use search::{SearchOptions, TextRead, Texts, is_binary, search};
