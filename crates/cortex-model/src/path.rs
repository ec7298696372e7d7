//! Paths inside a repository: relative to its root, `/` between parts, in git's byte order.

use std::{
    borrow::{Borrow, Cow},
    fmt,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

/// A path relative to the root of the repository, with `/` between its parts.
///
/// Bytes that are not UTF-8 are kept readable as `\xnn`, and backslashes beside them as `\x5c`, so that no two paths look
/// alike; ordering is by bytes, as git sorts full paths.
#[derive(
    Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct RepoPath(Arc<str>);

impl RepoPath {
    /// Takes a path as git stores it.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        use std::fmt::Write;
        if let Ok(text) = std::str::from_utf8(bytes)
            && next_escape(text).is_none()
        {
            return Self(text.into());
        }
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(&chunk.valid().replace('\\', "\\x5c"));
            for byte in chunk.invalid() {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        Self(text.into())
    }

    /// The path as git stores it.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        let mut rest = self.as_str();
        let Some(mut next) = next_escape(rest) else {
            return Cow::Borrowed(rest.as_bytes());
        };
        let mut out = Vec::with_capacity(rest.len());
        loop {
            let (at, byte) = next;
            out.extend_from_slice(&rest.as_bytes()[..at]);
            out.push(byte);
            rest = &rest[at + ESCAPE_LEN..];
            match next_escape(rest) {
                Some(found) => next = found,
                None => break,
            }
        }
        out.extend_from_slice(rest.as_bytes());
        Cow::Owned(out)
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

    /// The last part without its extension.
    pub fn file_stem(&self) -> &str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// What follows the last `.` of the last part; empty where there is none.
    pub fn extension(&self) -> &str {
        self.file_name()
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension)
    }
}

/// What `\xnn` takes.
const ESCAPE_LEN: usize = 4;

/// The first `\xnn` of a text: where it is, and its byte.
fn next_escape(text: &str) -> Option<(usize, u8)> {
    text.match_indices("\\x").find_map(|(at, _)| {
        let digits = text.get(at + 2..at + ESCAPE_LEN)?;
        let is_ours = digits
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let byte = u8::from_str_radix(digits, 16).ok()?;
        is_ours.then_some((at, byte))
    })
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::RepoPath;

    #[test]
    fn bytes_that_are_no_text_are_readable() {
        let text = |bytes: &[u8]| RepoPath::from_bytes(bytes).to_string();
        assert_eq!(text(b"a/\xff.cs"), "a/\\xff.cs");
        assert_eq!(text(b"a/\\xff.cs"), "a/\\x5cxff.cs");
        assert_eq!(text(b"a\\b.cs"), "a\\b.cs");
    }

    proptest! {
        #[test]
        fn every_path_comes_back(bytes in proptest::collection::vec(
            prop_oneof![Just(b'\\'), Just(b'x'), Just(b'f'), Just(b'0'), any::<u8>()], 0..12))
        {
            let path = RepoPath::from_bytes(&bytes);
            prop_assert_eq!(&*path.to_bytes(), &*bytes);
        }
    }
}
