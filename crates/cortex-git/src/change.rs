//! Files of a tree and the changes between two trees: plain data.

use std::fmt;

use cortex_model::{BlobId, RepoPath};

/// What a path is in git's eyes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FileMode {
    /// An ordinary file (100644).
    Regular,
    /// A file that may be run (100755).
    Executable,
    /// A symbolic link; its content is the target (120000).
    Symlink,
    /// A commit of another repository (160000); its "blob" is the id of that commit.
    Submodule,
}

impl FileMode {
    /// The number that git writes, such as `0o100644`.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Regular => 0o100_644,
            Self::Executable => 0o100_755,
            Self::Symlink => 0o120_000,
            Self::Submodule => 0o160_000,
        }
    }

    /// Whether it has text or bytes of its own: an ordinary or an executable file.
    pub const fn is_file(self) -> bool {
        matches!(self, Self::Regular | Self::Executable)
    }

    /// Takes git's number as tolerantly as git does; `None` for a folder.
    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        match bits & 0o170_000 {
            0o100_000 if bits & 0o100 != 0 => Some(Self::Executable),
            0o100_000 => Some(Self::Regular),
            0o120_000 => Some(Self::Symlink),
            0o160_000 => Some(Self::Submodule),
            _ => None,
        }
    }
}

/// One file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeFile {
    /// Its full path.
    pub path: RepoPath,
    /// Its content, or the commit of a submodule.
    pub blob: BlobId,
    /// What it is.
    pub mode: FileMode,
}

/// A file as it is on one side of a change.
pub type FileSide = TreeFile;

/// How a file changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeStatus {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// Its content is different, and perhaps whether it may be run.
    Modified,
    /// Only whether it may be run is different (`M` to git).
    ModeChanged,
    /// It became something else: a file, a symbolic link, a submodule.
    TypeChanged,
    /// It has another path, and perhaps other content.
    Renamed {
        /// Per cent of the content that stayed; 100 means equal bytes.
        similarity: u8,
    },
}

impl ChangeStatus {
    /// The letter of `git diff --name-status`.
    pub const fn letter(self) -> char {
        match self {
            Self::Added => 'A',
            Self::Deleted => 'D',
            Self::Modified | Self::ModeChanged => 'M',
            Self::TypeChanged => 'T',
            Self::Renamed { .. } => 'R',
        }
    }
}

/// The change of one file.
#[derive(Clone, PartialEq, Eq)]
pub struct FileChange {
    /// How it changed.
    pub status: ChangeStatus,
    /// The old side; `None` exactly if added.
    pub old: Option<FileSide>,
    /// The new side; `None` exactly if deleted.
    pub new: Option<FileSide>,
}

impl FileChange {
    /// The path to show: the new one, or the old one of a deleted file.
    pub fn path(&self) -> &RepoPath {
        self.new
            .as_ref()
            .or(self.old.as_ref())
            .map(|side| &side.path)
            .expect("a change has a side")
    }

    /// Puts two sides together; `None` if they are equal or both absent.
    pub fn between(old: Option<FileSide>, new: Option<FileSide>) -> Option<Self> {
        let status = match (&old, &new) {
            (None, None) => return None,
            (None, Some(_)) => ChangeStatus::Added,
            (Some(_), None) => ChangeStatus::Deleted,
            (Some(old), Some(new)) if old.mode == new.mode && old.blob == new.blob => return None,
            (Some(old), Some(new)) if old.mode == new.mode => ChangeStatus::Modified,
            (Some(old), Some(new)) if old.mode.is_file() && new.mode.is_file() => {
                if old.blob == new.blob {
                    ChangeStatus::ModeChanged
                } else {
                    ChangeStatus::Modified
                }
            }
            (Some(_), Some(_)) => ChangeStatus::TypeChanged,
        };
        Some(Self { status, old, new })
    }
}

impl fmt::Debug for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status.letter())?;
        for side in [&self.old, &self.new].into_iter().flatten() {
            write!(
                f,
                " {} {:o} {}",
                side.path,
                side.mode.bits(),
                side.blob.0.short()
            )?;
        }
        Ok(())
    }
}
