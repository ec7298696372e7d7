//! What can go wrong outside this crate, and what the store mends by itself and only tells.

use std::io;
use std::path::PathBuf;

use crate::merkle::PageHash;

/// Why the store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process holds the lock and did not let go of it within the timeout.
    #[error("lock the index store{}", match pid {
        Some(pid) => format!(", which process {pid} is writing"),
        None => String::from(", which another process is using"),
    })]
    Busy {
        /// The writer, where it is known; several readers are not recorded.
        pid: Option<u32>,
    },
    /// The store was written by a newer version of this program.
    #[error("read the index store: its schema is {found}, this program knows {supported}")]
    Newer {
        /// The schema of the store.
        found: u32,
        /// The newest schema that this program reads.
        supported: u32,
    },
    /// The disk, or the quota of the user, is full. What was committed before is intact.
    #[error("write the index store: no space is left")]
    Full,
    /// Any other failure of the file system.
    #[error("access the index store: {0}")]
    Io(#[source] io::Error),
    /// Something in the folder leads elsewhere: nothing is written through it.
    #[error("use the index store at `{}`: it is a symbolic link", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// The database cannot be read and could not be replaced by a fresh one either.
    #[error("read the damaged index store: {0}")]
    Damaged(String),
    /// A page is missing or does not match its hash: whoever needs it builds the map again.
    #[error("read page {0} of a map: it is missing or damaged")]
    DamagedPage(PageHash),
    /// The store was collected or replaced after the batch began, so pages that the batch relies
    /// on may be gone: build the batch again.
    #[error("commit: the index store was collected or replaced meanwhile")]
    Stale,
    /// The caller broke a rule of maps.
    #[error("change a map: {0}")]
    InvalidChange(&'static str),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            // A file that ends too early, or that is no database.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Io(error),
        }
    }
}

impl From<redb::Error> for StoreError {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::Io(error) => error.into(),
            redb::Error::PreviousIo | redb::Error::DatabaseClosed => {
                Self::Io(io::Error::other(error.to_string()))
            }
            redb::Error::DatabaseAlreadyOpen => Self::Busy { pid: None },
            // What is left are contradictions inside the file: this crate opens every table with
            // one definition and one transaction at a time.
            other => Self::Damaged(other.to_string()),
        }
    }
}

macro_rules! from_redb {
    ($($error:ty),*) => {$(
        impl From<$error> for StoreError {
            fn from(error: $error) -> Self {
                redb::Error::from(error).into()
            }
        }
    )*};
}

from_redb! {
    redb::CommitError, redb::CompactionError, redb::DatabaseError, redb::SetDurabilityError, redb::StorageError,
    redb::TableError, redb::TransactionError
}

/// Something that the store found and mended; the command goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The database was unreadable: it was renamed and a fresh one takes its place.
    MovedAside {
        /// Where the damaged database is now.
        to: PathBuf,
        /// What was wrong with it.
        reason: String,
    },
    /// An entry of this kind failed its check: it reads as absent, and the next batch begins with
    /// writing the database anew without it.
    DroppedEntry {
        /// `facts`, `page`, `snapshot` or the namespace of a name.
        kind: String,
    },
    /// A collection dropped nothing, as others were in the middle of answers all the time.
    CollectionDeferred,
    /// The schema was older than this program's: what can be computed again was dropped.
    Migrated {
        /// The schema that was found.
        from: u32,
    },
}
