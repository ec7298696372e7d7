//! Where the daemon of a repository is found: a socket that the user alone can open.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use cortex_model::Hasher;
use cortex_service::Variables;

/// Longer paths cannot be the address of a socket.
const MAX_ADDRESS: usize = 100;

/// Where the daemon of a repository is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The socket.
    pub socket: PathBuf,
    lock: PathBuf,
}

impl Place {
    /// That of an index in this folder.
    pub fn of(index: &Path) -> Self {
        let socket = index.join("daemon.sock");
        let socket = match socket.as_os_str().len() <= MAX_ADDRESS {
            true => socket,
            false => {
                let id = cortex_model::Hash::of(index.as_os_str().as_encoded_bytes()).short();
                (std::env::temp_dir().join(format!("git-cortex-{id}"))).join("daemon.sock")
            }
        };
        Self {
            socket,
            lock: index.join("daemon.lock"),
        }
    }

    /// Takes the place; `None` where another process has it. It is free again when the file is dropped.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub(crate) fn claim(&self) -> io::Result<Option<File>> {
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&self.lock)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Makes the folder of the socket, for this user alone, and removes what a killed process left.
    ///
    /// # Errors
    /// Where the folder is somebody else's, or cannot be written.
    #[cfg(unix)]
    pub(crate) fn prepare(&self) -> io::Result<u32> {
        use std::os::unix::fs::{DirBuilderExt, MetadataExt};
        let folder = self.socket.parent().unwrap_or(Path::new("."));
        if !folder.exists() {
            fs::DirBuilder::new().mode(0o700).create(folder)?;
        }
        let user = fs::metadata(&self.lock)?.uid();
        let found = fs::symlink_metadata(folder)?;
        if !found.is_dir() || found.uid() != user {
            let why = format!("`{}` belongs to another user", folder.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        match fs::remove_file(&self.socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(user),
        }
    }
}

/// The variables that answers depend on.
const VARIABLES: [&str; 14] = [
    "DOTNET_ROOT",
    "NUGET_PACKAGES",
    "NUGET_FALLBACK_PACKAGES",
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "GIT_CORTEX_DIR",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
];

/// A digest of what answers depend on in an environment. A client whose environment has another one asks for itself.
pub fn environment_digest(variables: &Variables) -> String {
    let mut hasher = Hasher::new("environment-v1");
    let count = variables("GIT_CONFIG_COUNT");
    let count = count.and_then(|count| count.to_str()?.parse::<u64>().ok());
    let mut names: Vec<String> = VARIABLES.map(str::to_owned).to_vec();
    for n in 0..count.unwrap_or(0).min(64) {
        names.extend([
            format!("GIT_CONFIG_KEY_{n}"),
            format!("GIT_CONFIG_VALUE_{n}"),
        ]);
    }
    for name in names {
        let value = variables(&name);
        hasher.number(u64::from(value.is_some()));
        hasher.field(value.unwrap_or_default().as_encoded_bytes());
    }
    hasher.finish().short()
}
