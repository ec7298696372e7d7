//! Programs as people write them: `'Project Files' & !pattern(file:*Test//*)`.
//!
//! `!` binds stronger than `&`, and `&` than `|`; both may be doubled. A scope is a name, bare or in quotes (`''`
//! stands for a quote inside), or one of `pattern(…)`, `module(name, flavor)`, `named(holder, name)`, `dir(path)`
//! and `files(path, …)`, whose paths are those of the repository. The text of a pattern is taken as it stands up to the parenthesis that closes it.

mod print;
mod read;

pub use print::print;
pub(crate) use print::print_checked;
pub use read::{InfixError, compile, compile_in};
