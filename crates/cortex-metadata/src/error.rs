//! Why metadata cannot be read.

use std::{io, path::PathBuf};

/// A file that cannot be read as an assembly, or a table that cannot be read as one.
#[derive(Debug, thiserror::Error)]
pub enum MetadataError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The bytes are no managed assembly, or damaged where everything hangs on them.
    #[error("not a readable assembly: {0}")]
    Image(&'static str),
    /// The built-in table is damaged or of another version.
    #[error("not a readable metadata table: {0}")]
    Table(&'static str),
}
