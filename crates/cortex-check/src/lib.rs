//! Checks of answers, for tests: a fixture, a request, and the lines that it must answer.
//!
//! ```
//! use cortex_check::Repository;
//! use expect_test::expect;
//!
//! let repository = Repository::parse("class C { void M() => N(); void N() { } }");
//! repository.check_usages("C.N", expect![["
//!     A.cs:1:23 call exact in M:C.M
//!     found
//! "]]);
//! ```
//!
//! Owns: how a fixture is indexed in this process, and how answers become lines. An answer is one line for each item,
//! in the order of the answer. `UPDATE_EXPECT=1` rewrites the expected lines.
//! [`Repository`] asks the engines about a commit, [`Service`] every operation about a work tree, with the renderings
//! of its answers.
//! Must not know: arguments of a command line.

mod change;
pub mod edits;
mod form;
mod lines;
mod look;
pub mod programs;
mod render;
mod repository;
mod service;

pub use cortex_look::Family;
pub use expect_test::{Expect, expect};
pub use form::{answer_of, check_form};
pub use render::{Format, render};
pub use repository::Repository;
pub use serde_json::{Value, json};
pub use service::{Service, error_lines, warnings, with};
