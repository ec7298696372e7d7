//! Infix notation, the form in which people write programs: `'Project Files' & !pattern(file:*Test//*)`.
//!
//! `!` binds stronger than `&`, and `&` than `|`; both may be doubled. A scope is a name, bare or in quotes (`''`
//! stands for a quote inside), or one of `pattern(…)`, `module(name, flavor)`, `named(holder, name)`, `dir(path)`
//! and `files(path, …)`, whose paths start at the repository root. The text of a pattern is taken verbatim up to the
//! closing parenthesis.

mod print;
mod read;

pub use print::print;
pub(crate) use print::print_checked;
pub use read::{InfixError, compile, compile_in};
