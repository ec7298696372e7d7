//! From the bytes of one C# file to a syntax tree: decoding, preprocessing, repairs, parsing.
//!
//! Owns: encodings, conditional compilation, the rewrites that carry the grammar over what it has
//! no rule for, and the way a tree and its errors come to be. Every step keeps byte offsets and
//! line numbers, so a range of the tree is a range of the decoded text.
//! Must not know: declarations, references, hashes, other files, git.

mod condition;
mod lexer;
mod lexical;
mod offsets;
mod parse;
mod preprocess;
mod repair;
mod source;
mod tokens;
mod type_arguments;

pub use lexical::{Lexical, LexicalKind};
pub use offsets::{FileOffsets, token_at};
pub use parse::{CSharpParser, Parsed, ProgressHook, parse};
pub use preprocess::{
    InactiveRegion, PreprocessProblem, PreprocessProblemKind, Preprocessed, preprocess,
};
pub use repair::{Repair, RepairKind, Repaired, is_keyword, repair};
pub use source::{Encoding, SourceText, decode};
pub use tokens::{CodeToken, CodeTokenKind, tokens};
pub(crate) use type_arguments::{Before, end_of_type_arguments};
