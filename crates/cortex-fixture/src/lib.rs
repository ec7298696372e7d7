//! The fixture language of the tests: several C# files with their projects in one string.
//!
//! ```
//! use cortex_fixture::Fixture;
//!
//! let fixture = Fixture::parse("
//! //- /App/A.cs project:App refs:Lib
//! class C : Base { }
//! //        ^^^^ Base
//! //- /Lib/B.cs project:Lib
//! public class Base { }
//! ");
//! assert_eq!(fixture.files[0].marks[0].label, "Base");
//! assert_eq!(fixture.project("App").refs, ["Lib"]);
//! ```
//!
//! Owns: the language, and how a fixture becomes files and commits. Must not know: any crate of the
//! product, so that every one of them can be tested with it. For tests only.

mod commit;
mod marks;
mod parse;
mod project;

pub use commit::run_git;
pub use marks::Mark;
pub use parse::{Fixture, FixtureFile};
pub use project::FixtureProject;
