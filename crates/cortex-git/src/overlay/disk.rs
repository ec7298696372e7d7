//! Files of the work tree as bytes, and the ids that git gives to them. Never follows a symbolic link.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    time::UNIX_EPOCH,
};

use cortex_model::ObjectId;
use gix::objs::Kind;

use crate::{error::GitError, ids};

/// A file that grows while it is read is cut off here rather than followed.
const MAX_READ_BYTES: u64 = 128 << 20;

/// The id that git gives to a content.
pub(super) fn hash_blob(kind: gix::hash::Kind, content: &[u8]) -> Result<ObjectId, GitError> {
    gix::objs::compute_hash(kind, Kind::Blob, content)
        .map(|id| ids::from_gix(&id))
        .map_err(|error| GitError::engine("hash a file", error))
}

/// Opens a file that the walk saw as a regular one; refuses it if it is something else by now.
fn open_regular(path: &Path) -> io::Result<File> {
    let before = std::fs::symlink_metadata(path)?;
    if !before.is_file() {
        return Err(io::Error::other("it is no longer an ordinary file"));
    }
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        // It may have become a named pipe: do not wait for its other end.
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let opened = file.metadata()?;
        if (opened.dev(), opened.ino()) != (before.dev(), before.ino()) {
            return Err(io::Error::other("it was replaced while it was opened"));
        }
    }
    Ok(file)
}

pub(super) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_regular(path)?
        .take(MAX_READ_BYTES)
        .read_to_end(&mut content)?;
    Ok(content)
}

pub(super) fn read_link(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::symlink_metadata(path)?;
    if !metadata.is_symlink() {
        // Without symbolic links, a checkout writes their targets into ordinary files.
        return read_regular(path);
    }
    let target = std::fs::read_link(path)?;
    let target = gix::path::into_bstr(target).map_err(io::Error::other)?;
    Ok(gix::path::to_unix_separators_on_windows(target)
        .into_owned()
        .into())
}

/// Stands for the content of a large file that git does not know: an id of its place, length and time. No object has
/// such an id, and nothing is read.
pub(super) fn place_id(kind: gix::hash::Kind, path: &Path) -> io::Result<ObjectId> {
    let metadata = std::fs::symlink_metadata(path)?;
    let since = metadata.modified()?.duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default();
    let place = [
        b"git-cortex large file\0".as_slice(),
        path.as_os_str().as_encoded_bytes(),
        &metadata.len().to_le_bytes(),
        &since.as_nanos().to_le_bytes(),
    ]
    .concat();
    hash_blob(kind, &place).map_err(io::Error::other)
}

pub(super) fn hash_stream(kind: gix::hash::Kind, path: &Path) -> io::Result<ObjectId> {
    let mut file = open_regular(path)?;
    let n_bytes = file.metadata()?.len();
    gix::objs::compute_stream_hash(
        kind,
        Kind::Blob,
        &mut file,
        n_bytes,
        &mut gix::progress::Discard,
        &std::sync::atomic::AtomicBool::new(false),
    )
    .map(|id| ids::from_gix(&id))
    .map_err(io::Error::other)
}
