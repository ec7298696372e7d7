//! Writing files of the context to the work tree: never through a symbolic link, each file whole or not at all.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use cortex_git::{Ownership, Repository};
use cortex_model::RepoPath;

use crate::{FreshError, committed::FOLDER};

/// What is to be written and removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Writes {
    /// Files with their bytes.
    pub files: Vec<(RepoPath, Vec<u8>)>,
    /// Files to remove.
    pub removed: Vec<RepoPath>,
}

impl Writes {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.removed.is_empty()
    }

    /// Writes and removes. Whoever reads meanwhile finds each file as it was or as it will be.
    ///
    /// # Errors
    /// [`FreshError::Unsafe`] before anything is written; [`FreshError::Io`].
    pub fn apply(&self, repo: &Repository) -> Result<(), FreshError> {
        let root = repo.work_dir().ok_or(FreshError::NoWorkTree)?;
        if repo.ownership() != Ownership::Trusted {
            return Err(FreshError::Unsafe {
                path: RepoPath::from(FOLDER),
                reason: "the repository belongs to another user",
            });
        }
        let mut places = Vec::with_capacity(self.files.len());
        for (path, bytes) in &self.files {
            places.push((place(root, path, Purpose::Write)?, bytes));
        }
        let mut removed = Vec::with_capacity(self.removed.len());
        for path in &self.removed {
            removed.push(place(root, path, Purpose::Remove)?);
        }
        // Where case does not matter, a file may go that would otherwise be the one just written.
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        let written: std::collections::BTreeSet<String> =
            places.iter().map(|(path, _)| lower(path)).collect();
        let (first, last): (Vec<_>, Vec<_>) =
            (removed.into_iter()).partition(|path| written.contains(&lower(path)));
        for path in first {
            remove(&path)?;
        }
        for (path, bytes) in places {
            write(&path, bytes)?;
        }
        for path in last {
            remove(&path)?;
        }
        Ok(())
    }
}

/// What a place is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Write,
    /// What is there may have a name that not every system has.
    Remove,
}

/// Where a file of the context is on disk.
fn place(root: &Path, path: &RepoPath, purpose: Purpose) -> Result<PathBuf, FreshError> {
    let refuse = |reason| FreshError::Unsafe {
        path: path.clone(),
        reason,
    };
    let mut place = root.to_owned();
    let mut parts = path.as_str().split('/').peekable();
    if parts.peek() != Some(&FOLDER) {
        return Err(refuse("it is not in the folder of the context"));
    }
    while let Some(part) = parts.next() {
        let is_portable = !part.contains(['\\', ':', '\0']);
        let may_be_odd = purpose == Purpose::Remove && !cfg!(windows);
        if matches!(part, "" | "." | "..") || !(is_portable || may_be_odd) {
            return Err(refuse("its name is not one that every system has"));
        }
        place.push(part);
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_symlink() => {
                return Err(refuse("a symbolic link leads elsewhere"));
            }
            Ok(found) if parts.peek().is_some() && !found.is_dir() => {
                return Err(refuse("a file is in the place of its folder"));
            }
            Ok(found) if parts.peek().is_none() && found.is_dir() => {
                return Err(refuse("a folder is in its place"));
            }
            _ => {}
        }
    }
    Ok(place)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FreshError> {
    let failed = |action, path: &Path| {
        let path = path.to_owned();
        move |source| FreshError::Io {
            action,
            path,
            source,
        }
    };
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(failed("create the folder", folder))?;
    let temporary = folder.join(format!(".git-cortex-{}.tmp", std::process::id()));
    let result = create_new(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result.map_err(failed("write", path))
}

/// A file that was left by a process that was killed gives way.
fn create_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use io::Write;
    let open = || fs::File::options().write(true).create_new(true).open(path);
    let mut file = match open() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(path)?;
            open()?
        }
        result => result?,
    };
    file.write_all(bytes)
}

fn remove(path: &Path) -> Result<(), FreshError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(FreshError::Io {
            action: "remove",
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}
