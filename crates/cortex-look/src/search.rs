//! Questions that look for something by its text: in the contents of files, and in their names.
//!
//! Owns: which files are looked at, how their contents are read, and what is told of each hit. How a text is
//! searched is `cortex-search`'s.
//! Must not know: wire formats, rendering, budgets.
//!
//! How it is done. The candidates are the files of a side (`candidates.rs`), those of its tree with the overlay on
//! top, less what masks and a scope leave out. A query for one identifier asks the words that are kept of every
//! content (`words.rs`) which of them can have it. The rest is read side by side (`contents.rs`), from the work tree
//! where a file there is what git says, and searched; what was found in C# is told with its place in the code
//! (`around.rs`).

pub(crate) mod area_files;
pub mod areas;
pub(crate) mod around;
pub(crate) mod candidates;
pub mod files;
pub mod safe;
pub(crate) mod scoped;
pub mod text;
pub(crate) mod texts;

pub use cortex_search::{Case as SearchCase, Mode as SearchMode, PatternError, Query as TextQuery};
