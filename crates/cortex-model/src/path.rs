//! Paths inside a repository: relative to its root, `/` between parts, in git's byte order.

use std::{borrow::Borrow, fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// A path relative to the root of the repository, with `/` between its parts.
///
/// Bytes that are not UTF-8 are kept readable as `\xNN`; ordering is by bytes, as git sorts full paths.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct RepoPath(Arc<str>);

impl RepoPath {
    /// Takes a path as git stores it.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        use std::fmt::Write;
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            for byte in chunk.invalid() {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        Self(text.into())
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The folder that holds it, without a trailing `/`; empty at the root.
    pub fn folder(&self) -> &str {
        self.0.rfind('/').map_or("", |end| &self.0[..end])
    }

    /// What follows the last `.` of the last part; empty where there is none.
    pub fn extension(&self) -> &str {
        self.file_name()
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension)
    }
}

impl From<&str> for RepoPath {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for RepoPath {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl Borrow<str> for RepoPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
