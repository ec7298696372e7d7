//! Where the daemon of a repository is found.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use cortex_model::Hasher;
use cortex_service::Variables;

use crate::transport;

/// Where the daemon of a repository is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The socket, or on Windows the file that names the pipe. It is there while a daemon listens, and after one was
    /// killed.
    pub address: PathBuf,
    lock: PathBuf,
}

impl Place {
    /// That of an index in this folder.
    pub fn of(index: &Path) -> Self {
        Self {
            address: transport::address_of(index),
            lock: index.join("daemon.lock"),
        }
    }

    /// What other programs connect to: the path of the socket, or the name of the pipe.
    pub fn shown(&self) -> String {
        transport::shown(&self.address)
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
}

/// The variables that answers depend on.
const VARIABLES: [&str; 17] = [
    "DOTNET_ROOT",
    "NUGET_PACKAGES",
    "NUGET_FALLBACK_PACKAGES",
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
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
