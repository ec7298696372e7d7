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

mod areas;
mod around;
mod candidates;
mod contents;
mod files;
mod safe;
mod text;
mod words;

pub use areas::{AreasAnswer, AreasQuestion, areas};
pub use cortex_search::{Case as SearchCase, Mode as SearchMode, PatternError, Query as TextQuery};
pub use files::{FileItem, FilesAnswer, FilesQuestion, search_files};
pub use safe::{
    AppliedArea, Coverage, MAX_FILES, SafeAnswer, SafeCall, SafeFile, SafeMode, SafeQuestion,
    search_safe,
};
pub use text::{ContextText, TextAnswer, TextHit, TextHits, TextQuestion, Within, search_text};

pub(crate) use safe::area_files;
