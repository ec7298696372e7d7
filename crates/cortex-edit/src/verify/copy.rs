//! The files of a work tree in a folder of their own, as git has them: nothing of the repository runs while they are
//! written.

use std::{
    fs,
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use cortex_git::{FileMode, TreeFile};
use cortex_index::{Index, IndexedSide};
use cortex_model::RepoPath;
use tempfile::TempDir;

use crate::{
    EditError,
    op::{Op, Ops, failed},
};

/// A copy, until it is dropped.
pub(super) struct Copy {
    folder: TempDir,
    root: PathBuf,
    /// Names the folder, for whoever comes after a process that was killed, and is locked: there is one copy at a time.
    note: fs::File,
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = self.note.set_len(0);
    }
}

/// How the folders are called.
const PREFIX: &str = "git-cortex-verify-";

impl Copy {
    /// Writes the tracked files of a side, with those of the work tree that git does not ignore.
    ///
    /// # Errors
    /// Those of the repository and of the files.
    pub(super) fn of(index: &Index, side: &IndexedSide, ops: &Ops) -> Result<Self, EditError> {
        let temporary = std::env::temp_dir();
        let (mut note, path) = ops.verify_note()?;
        remove_left_over(&mut note, &temporary);
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(&temporary);
        let folder = folder.map_err(failed("make a folder in", &temporary))?;
        let shown = folder.path().to_string_lossy();
        let noted = note.set_len(0).and_then(|()| note.rewind());
        let noted = noted.and_then(|()| note.write_all(shown.as_bytes()));
        noted.map_err(failed("write", &path))?;
        let root = folder.path().join("tree");
        fs::create_dir(&root).map_err(failed("make the folder", &root))?;
        let copy = Self { folder, root, note };
        let mut reader = index.blobs(side);
        let mut links = Vec::new();
        for file in files_of(index, side)? {
            match file.mode {
                FileMode::Submodule => {}
                // Nothing is written through one.
                FileMode::Symlink => links.push(file),
                mode => {
                    let bytes = reader.read_blob(file.blob)?;
                    copy.write(&file.path, &bytes, mode == FileMode::Executable)?;
                }
            }
        }
        for link in links {
            let target = reader.read_blob(link.blob)?;
            copy.link(&link.path, &target)?;
        }
        Ok(copy)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The file that a command writes to.
    pub(super) fn output(&self) -> PathBuf {
        self.folder.path().join("output")
    }

    /// Makes the files those of an operation.
    ///
    /// # Errors
    /// [`EditError::Changed`] where a file is not what the operation was planned on; those of the files.
    pub(super) fn change(&self, ops: &Ops, op: &Op) -> Result<(), EditError> {
        for file in &op.files {
            if let Some(old) = &file.old {
                let place = self.place(&old.path)?;
                let is_same =
                    fs::read(&place).is_ok_and(|bytes| cortex_git::is_content_of(old.blob, &bytes));
                if !is_same {
                    return Err(EditError::Changed {
                        doing: "verify",
                        id: op.id().to_owned(),
                        path: old.path.clone(),
                    });
                }
                fs::remove_file(&place).map_err(failed("remove", &place))?;
            }
        }
        for new in op.files.iter().filter_map(|file| file.new.as_ref()) {
            let bytes = ops.blob(op, new.blob)?;
            self.write(&new.path, &bytes, new.is_executable())?;
        }
        Ok(())
    }

    /// Where a file is; refuses names that lead elsewhere.
    fn place(&self, path: &RepoPath) -> Result<PathBuf, EditError> {
        let is_plain = |part: &str| {
            !part.is_empty()
                && part != "."
                && part != ".."
                && !part.eq_ignore_ascii_case(".git")
                && !part.contains(['\\', '\0'])
        };
        if !path.as_str().split('/').all(is_plain) {
            return Err(EditError::Unsafe {
                path: path.clone(),
                reason: "its name leads elsewhere",
            });
        }
        Ok(self.root.join(path.as_str()))
    }

    fn write(&self, path: &RepoPath, bytes: &[u8], is_executable: bool) -> Result<(), EditError> {
        let place = self.place(path)?;
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
        }
        // One that was there keeps nothing: what a command noted by its time is looked at again.
        fs::write(&place, bytes).map_err(failed("write", &place))?;
        if is_executable {
            make_executable(&place).map_err(failed("write", &place))?;
        }
        Ok(())
    }

    fn link(&self, path: &RepoPath, target: &[u8]) -> Result<(), EditError> {
        let place = self.place(path)?;
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
        }
        make_link(target, &place).map_err(failed("write", &place))
    }
}

/// Removes the folder of a process that was killed.
fn remove_left_over(note: &mut fs::File, temporary: &Path) {
    let mut folder = String::new();
    if note.read_to_string(&mut folder).is_err() {
        return;
    }
    let folder = PathBuf::from(folder);
    let name = folder.file_name().and_then(|it| it.to_str());
    if folder.parent() == Some(temporary) && name.is_some_and(|it| it.starts_with(PREFIX)) {
        let _ = fs::remove_dir_all(&folder);
    }
}

/// The files of a side, each once.
fn files_of(index: &Index, side: &IndexedSide) -> Result<Vec<TreeFile>, EditError> {
    let mut files = match side.commit {
        Some(commit) => index.repo.tree_files(index.repo.commit(commit)?.tree)?,
        None => Vec::new(),
    };
    if let Some(overlay) = &side.overlay {
        for change in &overlay.changes {
            files.retain(|file| {
                let is_old = change.old.as_ref().is_some_and(|old| old.path == file.path);
                !is_old && file.path != *change.path()
            });
        }
        files.extend(overlay.changes.iter().filter_map(|it| it.new.clone()));
    }
    Ok(files)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn make_link(target: &[u8], path: &Path) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(target), path)
}

/// Where links need rights, git writes their targets into files as well.
#[cfg(not(unix))]
fn make_link(target: &[u8], path: &Path) -> io::Result<()> {
    fs::write(path, target)
}
