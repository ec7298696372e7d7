//! Where a member stands.

use cortex_model::RepoPath;

/// Where a member stands on one side.
pub struct Place {
    pub path: RepoPath,
    pub start: u32,
    pub end: u32,
}
