//! Unix sockets: a file that the user alone can open.

use std::{
    fs, io,
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::net::{
    UnixListener,
    unix::{OwnedReadHalf, OwnedWriteHalf},
};

use super::Stream;

/// Longer paths cannot be the address of a socket.
const MAX_ADDRESS: usize = 100;

/// The socket for an index in this folder.
pub(crate) fn address_of(index: &Path) -> PathBuf {
    let socket = index.join("daemon.sock");
    if socket.as_os_str().len() <= MAX_ADDRESS {
        return socket;
    }
    let id = cortex_model::Hash::of(index.as_os_str().as_encoded_bytes()).short();
    (std::env::temp_dir().join(format!("git-cortex-{id}"))).join("daemon.sock")
}

/// What other programs connect to.
pub(crate) fn shown(address: &Path) -> String {
    address.display().to_string()
}

/// Connects to who listens.
///
/// # Errors
/// Where nobody does.
pub(crate) fn connect(address: &Path) -> io::Result<UnixStream> {
    UnixStream::connect(address)
}

impl Stream for UnixStream {
    fn wait_at_most(&mut self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time))
    }
}

/// A socket that the user alone can open, until it is dropped.
pub(crate) struct Listener {
    listener: UnixListener,
    address: PathBuf,
    user: u32,
}

impl Listener {
    /// Listens for the user that `lock`, a file of this process, belongs to. The folder of the socket is made for that
    /// user alone; what a killed process left is removed.
    ///
    /// # Errors
    /// Where the folder is somebody else's, or cannot be written.
    pub(crate) fn bind(address: &Path, lock: &fs::File) -> io::Result<Self> {
        let folder = address.parent().unwrap_or(Path::new("."));
        if !folder.exists() {
            fs::DirBuilder::new().mode(0o700).create(folder)?;
        }
        let user = lock.metadata()?.uid();
        let found = fs::symlink_metadata(folder)?;
        if !found.is_dir() || found.uid() != user {
            let why = format!("`{}` belongs to another user", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        match fs::remove_file(address) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(address)?;
        fs::set_permissions(address, fs::Permissions::from_mode(0o600))?;
        Ok(Self {
            listener,
            address: address.to_path_buf(),
            user,
        })
    }

    /// The next client; `None` for somebody else's, which is closed without a word.
    ///
    /// # Errors
    /// Those of the system, such as too many open files.
    pub(crate) async fn accept(&mut self) -> io::Result<Option<(OwnedReadHalf, OwnedWriteHalf)>> {
        let (stream, _) = self.listener.accept().await?;
        let is_user = stream.peer_cred().is_ok_and(|peer| peer.uid() == self.user);
        Ok(is_user.then(|| stream.into_split()))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Who asks now finds nobody, and answers for itself.
        let _ = fs::remove_file(&self.address);
        // A folder of its own has nothing else; that of the index has the lock.
        let _ = self.address.parent().map(fs::remove_dir);
    }
}
