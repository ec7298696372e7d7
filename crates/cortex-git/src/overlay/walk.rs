//! The walk over the work tree: which tracked files may have changed, and what is there besides.
//!
//! Knows names, kinds and metadata of files; reads no file but `.gitignore` ones. Each folder is listed once, by
//! several threads; a path of the index is never joined to the root, only compared with names that a listing gave.

use std::{
    fs::{DirEntry, FileType, Metadata},
    path::{Path, PathBuf},
    sync::Mutex,
};

use gix::{
    bstr::{BStr, BString, ByteSlice, ByteVec},
    index::entry::stat::Time,
};
use rustc_hash::FxHashMap;

use super::{
    OverlayNote,
    staged::{Staged, StagedFile, StagedState},
    stat::StatRule,
    untracked,
};
use crate::{change::FileMode, error::GitError};

/// What the walk found.
pub(super) struct Seen {
    /// For each file of the index, in its order.
    pub(super) tracked: Vec<Tracked>,
    /// Files that the index does not have and that are not ignored, sorted by path.
    pub(super) untracked: Vec<FoundFile>,
    pub(super) notes: Vec<OverlayNote>,
    /// The folders that were listed.
    pub(super) folders: Vec<PathBuf>,
}

/// What became of a file of the index.
#[derive(Clone, Debug)]
pub(super) enum Tracked {
    /// It is not there.
    Absent,
    /// It is as the index has it, but perhaps for the mode.
    Unchanged(FileMode),
    /// It is to be read.
    Unsure(FoundFile),
    /// The folder of a submodule is there.
    Submodule(PathBuf),
}

/// A file of the work tree.
#[derive(Clone, Debug)]
pub(super) struct FoundFile {
    pub(super) path: BString,
    pub(super) on_disk: PathBuf,
    pub(super) mode: FileMode,
    pub(super) n_bytes: u64,
}

/// What is the same for all folders.
struct Walk<'a> {
    files: &'a [StagedFile],
    rule: StatRule,
    has_executable_bit: bool,
    has_symlinks: bool,
    ignores_case: bool,
    empty_blob: gix::ObjectId,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    tracked: Vec<(usize, Tracked)>,
    /// Not in the index; a folder stands for all that is in it.
    others: Vec<Other>,
    notes: Vec<OverlayNote>,
    folders: Vec<PathBuf>,
}

/// Something that the index does not have.
pub(super) struct Other {
    pub(super) path: BString,
    pub(super) on_disk: PathBuf,
    pub(super) file_type: FileType,
}

/// A folder to list, with the part of the index that lies in it.
struct Folder {
    path: BString,
    on_disk: PathBuf,
    first: usize,
    end: usize,
}

/// A name in a folder, as the index has it.
#[derive(Clone, Copy)]
enum Child {
    File(usize),
    Folder { first: usize, end: usize },
}

/// Compares the work tree with the index, and lists what is untracked and not ignored.
pub(super) fn walk(
    repo: &gix::Repository,
    index: &gix::index::State,
    staged: &Staged,
) -> Result<Seen, GitError> {
    let root = repo
        .workdir()
        .expect("an overlay of the work tree is only made where there is one");
    let configured = |error| GitError::engine("read the file system's options", error);
    let capabilities = repo.filesystem_options().map_err(configured)?;
    let written = index.timestamp();
    let walk = Walk {
        files: &staged.files,
        rule: StatRule {
            options: repo.stat_options().map_err(configured)?,
            index_written: Time {
                secs: written.unix_seconds() as u32,
                nsecs: written.nanoseconds(),
            },
        },
        has_executable_bit: capabilities.executable_bit,
        has_symlinks: capabilities.symlink,
        ignores_case: capabilities.ignore_case,
        empty_blob: gix::ObjectId::empty_blob(repo.object_hash()),
        found: Mutex::default(),
    };
    let top = Folder {
        path: BString::default(),
        on_disk: root.to_owned(),
        first: 0,
        end: staged.files.len(),
    };
    list(&top.on_disk)?;
    rayon::scope(|scope| walk.enter(scope, top));

    let found = walk.found.into_inner().expect("no thread panicked");
    let initial = |file: &StagedFile| match file.state {
        StagedState::Trusted | StagedState::Skipped => Tracked::Unchanged(file.mode),
        _ => Tracked::Absent,
    };
    let mut tracked: Vec<_> = staged.files.iter().map(initial).collect();
    for (i, state) in found.tracked {
        tracked[i] = state;
    }
    let mut seen = Seen {
        tracked,
        untracked: Vec::new(),
        notes: found.notes,
        folders: found.folders,
    };
    if !found.others.is_empty() {
        untracked::sift(repo, index, capabilities, found.others, &mut seen)?;
    }
    Ok(seen)
}

impl Walk<'_> {
    fn enter<'s>(&'s self, scope: &rayon::Scope<'s>, folder: Folder) {
        let mut found = Found::default();
        match list(&folder.on_disk) {
            Ok(entries) => {
                for inner in self.look_at(&folder, entries, &mut found) {
                    scope.spawn(move |scope| self.enter(scope, inner));
                }
            }
            Err(error) => {
                found.notes.push(unreadable(folder.path.as_bstr(), &error));
                let files = folder.first..folder.end;
                found
                    .tracked
                    .extend(files.map(|i| (i, Tracked::Unchanged(self.files[i].mode))));
            }
        }
        let mut all = self.found.lock().expect("no thread panicked");
        all.tracked.append(&mut found.tracked);
        all.others.append(&mut found.others);
        all.notes.append(&mut found.notes);
        all.folders.push(folder.on_disk);
    }

    /// Matches a listing with the index. Returns the folders to enter.
    fn look_at(&self, folder: &Folder, entries: Vec<DirEntry>, found: &mut Found) -> Vec<Folder> {
        let mut children = self.children(folder);
        let mut folders = Vec::new();
        let mut others = Vec::new();
        for entry in entries {
            let name = entry.file_name();
            let Ok(name) = gix::path::os_str_into_bstr(&name) else {
                continue;
            };
            if is_dot_git(name) {
                continue;
            }
            let child = children.remove(name);
            let listed = Listed {
                path: join(&folder.path, name),
                entry,
            };
            match child {
                Some(child) => self.match_child(child, listed, &mut folders, found),
                None => others.push(listed),
            }
        }
        // A file system that ignores case may list a tracked file under another spelling.
        let mut by_lower_case: FxHashMap<Vec<u8>, Child> = FxHashMap::default();
        if self.ignores_case && !others.is_empty() {
            by_lower_case = children
                .drain()
                .map(|(name, child)| (name.to_ascii_lowercase(), child))
                .collect();
        }
        for listed in others {
            let name = listed
                .path
                .rsplit_once_str("/")
                .map_or(listed.path.as_slice(), |(_, name)| name);
            match by_lower_case.remove(&name.to_ascii_lowercase()) {
                Some(child) => self.match_child(child, listed, &mut folders, found),
                None => found.push_other(listed),
            }
        }
        folders
    }

    fn match_child(
        &self,
        child: Child,
        listed: Listed,
        folders: &mut Vec<Folder>,
        found: &mut Found,
    ) {
        let Ok(file_type) = listed.entry.file_type() else {
            return;
        };
        match child {
            Child::Folder { first, end } if file_type.is_dir() => {
                let own_path = &self.files[first].path[..listed.path.len()];
                folders.push(Folder {
                    path: own_path.into(),
                    on_disk: listed.entry.path(),
                    first,
                    end,
                });
            }
            Child::File(i) if file_type.is_dir() => {
                if self.files[i].mode == FileMode::Submodule {
                    found
                        .tracked
                        .push((i, Tracked::Submodule(listed.entry.path())));
                } else {
                    found.push_other(listed);
                }
            }
            Child::File(i) if file_type.is_file() || file_type.is_symlink() => {
                if self.files[i].state != StagedState::Trusted
                    && let Some(tracked) = self.look_at_file(&self.files[i], &listed.entry)
                {
                    found.tracked.push((i, tracked));
                }
            }
            Child::Folder { .. } | Child::File(_) => found.push_other(listed),
        }
    }

    fn look_at_file(&self, file: &StagedFile, entry: &DirEntry) -> Option<Tracked> {
        let metadata = entry.metadata().ok()?;
        let mut mode = mode_of(&metadata, self.has_executable_bit);
        if mode == FileMode::Symlink && !self.has_symlinks {
            return None;
        }
        if mode.is_file() {
            if file.mode == FileMode::Symlink && !self.has_symlinks {
                mode = FileMode::Symlink;
            } else if file.mode.is_file() && !self.has_executable_bit {
                mode = file.mode;
            }
        }
        let is_same_kind = mode == file.mode || (mode.is_file() && file.mode.is_file());
        if is_same_kind
            && matches!(file.state, StagedState::Normal | StagedState::Skipped)
            && self
                .rule
                .is_certain(&file.stat, file.id == self.empty_blob, &metadata)
        {
            return Some(Tracked::Unchanged(mode));
        }
        Some(Tracked::Unsure(FoundFile {
            path: file.path.clone(),
            on_disk: entry.path(),
            mode,
            n_bytes: metadata.len(),
        }))
    }

    /// The names that the index has in a folder. O(files directly in it + folders log files).
    fn children(&self, folder: &Folder) -> FxHashMap<BString, Child> {
        let mut children = FxHashMap::default();
        let start = if folder.path.is_empty() {
            0
        } else {
            folder.path.len() + 1
        };
        let mut i = folder.first;
        while i < folder.end {
            let rest = &self.files[i].path[start..];
            match rest.find_byte(b'/') {
                None => {
                    children.insert(rest.into(), Child::File(i));
                    i += 1;
                }
                Some(len) => {
                    let prefix = &self.files[i].path[..start + len + 1];
                    let inner = &self.files[i..folder.end];
                    let end = i + inner.partition_point(|file| file.path.starts_with(prefix));
                    children.insert(rest[..len].into(), Child::Folder { first: i, end });
                    i = end;
                }
            }
        }
        children
    }
}

struct Listed {
    path: BString,
    entry: DirEntry,
}

impl Found {
    fn push_other(&mut self, listed: Listed) {
        if let Ok(file_type) = listed.entry.file_type() {
            self.others.push(Other {
                on_disk: listed.entry.path(),
                path: listed.path,
                file_type,
            });
        }
    }
}

pub(super) fn list(folder: &Path) -> Result<Vec<DirEntry>, GitError> {
    let failed = |source| GitError::Io {
        action: "list the folder",
        path: folder.to_owned(),
        source,
    };
    std::fs::read_dir(folder)
        .map_err(failed)?
        .collect::<Result<_, _>>()
        .map_err(failed)
}

pub(super) fn join(folder: &BString, name: &BStr) -> BString {
    let mut path = BString::new(Vec::with_capacity(folder.len() + 1 + name.len()));
    path.push_str(folder);
    if !folder.is_empty() {
        path.push_byte(b'/');
    }
    path.push_str(name);
    path
}

/// Whether git never looks at a name, in any spelling that some file system takes for `.git`.
pub(super) fn is_dot_git(name: &BStr) -> bool {
    name.eq_ignore_ascii_case(b".git")
}

pub(super) fn unreadable(path: &BStr, error: &dyn std::error::Error) -> OverlayNote {
    OverlayNote::Unreadable {
        path: cortex_model::RepoPath::from_bytes(path),
        reason: error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string),
    }
}

/// What a file is by its metadata.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "other systems have no executable bit")
)]
pub(super) fn mode_of(metadata: &Metadata, has_executable_bit: bool) -> FileMode {
    if metadata.is_symlink() {
        return FileMode::Symlink;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if has_executable_bit && metadata.mode() & 0o100 != 0 {
            return FileMode::Executable;
        }
    }
    FileMode::Regular
}
