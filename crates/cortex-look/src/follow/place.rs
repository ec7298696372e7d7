//! Where a member stands.

use cortex_model::RepoPath;

/// Where a member stands on one side.
pub struct Place {
    /// The file.
    pub path: RepoPath,
    /// The first byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}
