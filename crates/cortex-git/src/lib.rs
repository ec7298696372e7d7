//! Git, as the rest of `git cortex` sees it: commits, trees, blobs, ranges, differences and the work tree.
//!
//! Owns: every use of `gix`. A repository is opened in one place, always with reduced trust, and nothing
//! that a repository's configuration names is ever run: no filter, hook, text conversion, file system monitor,
//! pager, credential helper or ssh command, and no object is fetched. Nothing but `stage.rs` writes to the repository.
//! Must not know: C#, projects, the store, the terminal.

mod blobs;
mod change;
mod error;
mod history;
mod ids;
mod lines;
mod merge;
mod overlay;
mod parameters;
mod paths;
mod range;
mod rename;
mod repository;
mod revision;
mod similarity;
mod stage;
mod time;
mod tree;
mod unfolding;
mod work_file;

pub use blobs::{BlobReader, ReadBlob, is_content_of};
pub use change::{ChangeStatus, FileChange, FileMode, FileSide, TreeFile};
pub use error::{Advice, GitError};
pub use history::{Commit, FirstParents, Parents};
pub use lines::{LineDiff, LineHunk, diff_lines, is_binary};
pub use merge::{Merged, merge_texts};
pub use overlay::{Overlay, OverlayKind, OverlayNote, OverlayReader, PlannedFile};
pub use paths::PathFilter;
pub use range::{Cached, MAX_RANGE_COMMITS, Range, RangeSpec, Side};
pub use rename::{RenameOptions, Renames, find_renames};
pub use repository::{ConfigOwner, ConfigScope, ConfigValue, Ownership, Repository};
pub use stage::{IndexEntry, NotNow};
pub use time::{iso_time, parse_time};
pub use tree::TreeFinder;
pub use work_file::WorkFile;
