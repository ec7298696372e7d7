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
//! Must not know: arguments of a command line, rendering.

mod change;
mod lines;
mod look;
mod repository;

pub use cortex_look::Family;
pub use expect_test::{Expect, expect};
pub use repository::Repository;
