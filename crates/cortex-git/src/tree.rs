//! Trees: the files of one, and the raw difference of two.

use std::{cell::RefCell, collections::hash_map::Entry, ops::ControlFlow};

use cortex_model::{BlobId, ObjectId, RepoPath, TreeId};
use gix::{
    bstr::{BStr, BString, ByteSlice},
    diff::tree::{Recorder, Visit, recorder, visit},
    objs::{Find, Kind, TreeRefIter, tree::EntryMode},
};
use rustc_hash::FxHashMap;

use crate::{
    blobs,
    change::{FileChange, FileMode, TreeFile},
    error::GitError,
    ids,
    repository::{Completeness, Repository},
    unfolding::{Unfolding, too_large},
};

/// The entries of a folder by name.
type Entries = FxHashMap<String, (ObjectId, EntryMode)>;

/// See [`Repository::tree_finder`].
pub struct TreeFinder<'r> {
    repo: &'r Repository,
    root: ObjectId,
    folders: FxHashMap<ObjectId, Entries>,
}

impl TreeFinder<'_> {
    /// The file of a path; `None` where there is none. O(entries of the folders on the way that were not read before).
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::TooLarge`], [`GitError::Engine`].
    pub fn find(&mut self, path: &RepoPath) -> Result<Option<TreeFile>, GitError> {
        let mut at = self.root;
        let mut names = path.as_str().split('/').peekable();
        while let Some(name) = names.next() {
            let Some(&(id, mode)) = self.entries(at)?.get(name) else {
                return Ok(None);
            };
            match (names.peek().is_some(), mode.is_tree()) {
                (true, true) => at = id,
                (false, false) => {
                    let mode = FileMode::from_bits(u32::from(mode.value()));
                    return Ok(mode.map(|mode| TreeFile {
                        path: path.clone(),
                        blob: BlobId(id),
                        mode,
                    }));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    fn entries(&mut self, folder: ObjectId) -> Result<&Entries, GitError> {
        Ok(match self.folders.entry(folder) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let repo = self.repo.local();
                let mut raw = Vec::new();
                let completeness = self.repo.completeness();
                blobs::read_object(&repo, completeness, folder, Kind::Tree, &mut raw)?;
                let entries = TreeRefIter::from_bytes(&raw, repo.object_hash()).flatten();
                let named = entries.map(|entry| {
                    let name = RepoPath::from_bytes(entry.filename);
                    let of_entry = (ids::from_gix(entry.oid), entry.mode);
                    (name.as_str().to_owned(), of_entry)
                });
                new.insert(named.collect())
            }
        })
    }
}

impl Repository {
    /// All files of a tree, sorted by the bytes of their paths. O(files).
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::TooLarge`], [`GitError::Engine`].
    pub fn tree_files(&self, tree: TreeId) -> Result<Vec<TreeFile>, GitError> {
        self.files_of(tree.0, "")
    }

    /// The files below one folder at the root of a tree, with their full paths, sorted by them; none where there is no
    /// such folder. O(files of the folder + entries of the root).
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::TooLarge`], [`GitError::Engine`].
    pub fn folder_files(&self, tree: TreeId, folder: &str) -> Result<Vec<TreeFile>, GitError> {
        let repo = self.local();
        let mut raw = Vec::new();
        blobs::read_object(&repo, self.completeness(), tree.0, Kind::Tree, &mut raw)?;
        let found = TreeRefIter::from_bytes(&raw, repo.object_hash()).find(|entry| {
            entry.as_ref().map_or(true, |entry| {
                entry.filename == folder.as_bytes() && entry.mode.is_tree()
            })
        });
        let Some(found) = found else {
            return Ok(Vec::new());
        };
        let found = found
            .map(|entry| ids::from_gix(entry.oid))
            .map_err(|error| GitError::engine(format!("read tree {tree}"), error))?;
        self.files_of(found, folder)
    }

    /// The file of a path in a tree; `None` where there is none. O(entries of the folders on the way).
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::TooLarge`], [`GitError::Engine`].
    pub fn tree_file(&self, tree: TreeId, path: &RepoPath) -> Result<Option<TreeFile>, GitError> {
        self.tree_finder(tree).find(path)
    }

    /// What finds files of a tree by their paths, and reads each folder once.
    pub fn tree_finder(&self, tree: TreeId) -> TreeFinder<'_> {
        TreeFinder {
            repo: self,
            root: tree.0,
            folders: FxHashMap::default(),
        }
    }

    /// The files of a tree that stands at a folder.
    fn files_of(&self, tree: ObjectId, folder: &str) -> Result<Vec<TreeFile>, GitError> {
        let mut files = Vec::new();
        walk_tree(
            &self.local(),
            self.completeness(),
            tree,
            BStr::new(folder),
            &mut |path, blob, mode| {
                files.push(TreeFile {
                    path: RepoPath::from_bytes(path),
                    blob: BlobId(blob),
                    mode,
                });
            },
        )?;
        Ok(files)
    }

    /// The difference of two trees without renames, sorted by path; `None` is the empty tree.
    /// Costs in proportion to what differs.
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::TooLarge`], [`GitError::Engine`].
    pub fn diff_trees(
        &self,
        old: Option<TreeId>,
        new: Option<TreeId>,
    ) -> Result<Vec<FileChange>, GitError> {
        if old == new {
            return Ok(Vec::new());
        }
        let repo = self.local();
        let hash = repo.object_hash();
        let (mut old_bytes, mut new_bytes) = (Vec::new(), Vec::new());
        for (tree, bytes) in [(old, &mut old_bytes), (new, &mut new_bytes)] {
            if let Some(tree) = tree {
                blobs::read_object(&repo, self.completeness(), tree.0, Kind::Tree, bytes)?;
            }
        }
        let objects = NoteMissing {
            repo: &repo,
            missing: std::cell::Cell::new(None),
            unfolding: RefCell::new(Unfolding::default()),
        };
        for (tree, bytes) in [(old, &old_bytes), (new, &new_bytes)] {
            if let Some(tree) = tree {
                objects.unfolding.borrow_mut().read(tree.0, bytes.len());
            }
        }
        let mut delegate = Bounded {
            recorder: Recorder::default(),
            unfolding: &objects.unfolding,
            is_over: false,
        };
        gix::diff::tree(
            TreeRefIter::from_bytes(&old_bytes, hash),
            TreeRefIter::from_bytes(&new_bytes, hash),
            gix::diff::tree::State::default(),
            &objects,
            &mut delegate,
        )
        .map_err(|error| match objects.missing.get() {
            Some(id) => blobs::missing(self.completeness(), id, "tree"),
            None if delegate.is_over => too_large(),
            None => GitError::engine("compare two trees", error),
        })?;
        Ok(into_changes(delegate.recorder.records))
    }
}

/// Calls `each` for the files below `tree` in the order of their paths. `prefix` is put before each path.
pub(crate) fn walk_tree(
    repo: &gix::Repository,
    completeness: Completeness,
    tree: ObjectId,
    prefix: &BStr,
    each: &mut dyn FnMut(&BStr, ObjectId, FileMode),
) -> Result<(), GitError> {
    let mut pending = vec![(prefix.to_owned(), tree, None)];
    let mut bytes = Vec::new();
    let mut unfolding = Unfolding::default();
    while let Some((path, id, mode)) = pending.pop() {
        if let Some(mode) = mode {
            each(path.as_bstr(), id, mode);
            continue;
        }
        blobs::read_object(repo, completeness, id, Kind::Tree, &mut bytes)?;
        unfolding.read(id, bytes.len());
        let first = pending.len();
        for entry in TreeRefIter::from_bytes(&bytes, repo.object_hash()) {
            let entry =
                entry.map_err(|error| GitError::engine(format!("read tree {id}"), error))?;
            let mut child = BString::new(Vec::with_capacity(path.len() + 1 + entry.filename.len()));
            child.extend_from_slice(&path);
            if !path.is_empty() {
                child.push(b'/');
            }
            child.extend_from_slice(entry.filename);
            unfolding.list(child.len())?;
            let mode = u32::from(entry.mode.value());
            pending.push((child, ids::from_gix(entry.oid), FileMode::from_bits(mode)));
        }
        pending[first..].reverse();
    }
    Ok(())
}

/// Turns what the walk recorded into changes, sorted by path.
fn into_changes(records: Vec<recorder::Change>) -> Vec<FileChange> {
    let side = |path: &BString, id: &gix::oid, mode: gix::objs::tree::EntryMode| {
        Some(TreeFile {
            path: RepoPath::from_bytes(path),
            blob: BlobId(ids::from_gix(id)),
            mode: FileMode::from_bits(u32::from(mode.value()))?,
        })
    };
    let mut changes: Vec<_> = records
        .into_iter()
        .filter_map(|record| match record {
            recorder::Change::Addition {
                entry_mode,
                oid,
                path,
                ..
            } => FileChange::between(None, side(&path, &oid, entry_mode)),
            recorder::Change::Deletion {
                entry_mode,
                oid,
                path,
                ..
            } => FileChange::between(side(&path, &oid, entry_mode), None),
            recorder::Change::Modification {
                previous_entry_mode,
                previous_oid,
                entry_mode,
                oid,
                path,
            } => FileChange::between(
                side(&path, &previous_oid, previous_entry_mode),
                side(&path, &oid, entry_mode),
            ),
        })
        .collect();
    changes.sort_by(|a, b| a.path().cmp(b.path()));
    changes
}

/// Finds objects; remembers which one was absent, and how much was read.
struct NoteMissing<'a> {
    repo: &'a gix::Repository,
    missing: std::cell::Cell<Option<ObjectId>>,
    unfolding: RefCell<Unfolding>,
}

impl Find for NoteMissing<'_> {
    fn try_find<'a>(
        &self,
        id: &gix::oid,
        buffer: &'a mut Vec<u8>,
    ) -> gix::Result<Option<gix::objs::Data<'a>>> {
        let found = self.repo.objects.try_find(id, buffer)?;
        match &found {
            Some(tree) => {
                let mut unfolding = self.unfolding.borrow_mut();
                unfolding.read(ids::from_gix(id), tree.data.len());
            }
            None => self.missing.set(Some(ids::from_gix(id))),
        }
        Ok(found)
    }
}

/// Records the changes of files, and gives up on hostile trees.
struct Bounded<'a> {
    recorder: Recorder,
    unfolding: &'a RefCell<Unfolding>,
    is_over: bool,
}

impl Visit for Bounded<'_> {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.recorder.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.recorder.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.recorder.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.recorder.pop_path_component();
    }

    fn visit(&mut self, change: visit::Change) -> visit::Action {
        let path_len = self.recorder.path().len();
        self.is_over |= self.unfolding.borrow_mut().list(path_len).is_err();
        if self.is_over {
            return ControlFlow::Break(());
        }
        if change.entry_mode().is_tree() {
            return ControlFlow::Continue(());
        }
        self.recorder.visit(change)
    }
}
