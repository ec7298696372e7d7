//! The overlay: how the index or the work tree differs from a tree, with the contents that only exist there.

mod content;
mod disk;
mod long_paths;
mod staged;
mod stat;
mod untracked;
mod walk;

use std::{borrow::Cow, collections::BTreeMap, path::PathBuf, sync::Arc};

use cortex_model::{BlobId, Hash, Hasher, ObjectId, RepoPath, TreeId};
use gix::bstr::{BStr, BString};
use rustc_hash::FxHashMap;

use crate::{
    blobs::{BlobReader, ReadBlob},
    change::{FileChange, FileMode, TreeFile},
    error::GitError,
    ids,
    repository::Repository,
    tree::walk_tree,
};
use staged::Staged;

/// What is laid over a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverlayKind {
    /// What is staged.
    Index,
    /// The files that are checked out: staged or not, and untracked ones that are not ignored.
    WorkTree,
}

/// Something about the work tree that a user may have to know.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OverlayNote {
    /// A changed file has the attribute `filter`; the filter was not run, so its bytes were compared as they are.
    FilterNotRun {
        /// The file.
        path: RepoPath,
        /// The name of the filter, such as `lfs`.
        filter: String,
    },
    /// A changed file could not be brought into git's form (line ends, encoding); its bytes were compared as they are.
    NotConverted {
        /// The file.
        path: RepoPath,
        /// Why.
        reason: String,
    },
    /// A file or folder could not be read; tracked files in it count as unchanged, others as absent.
    Unreadable {
        /// The file or folder.
        path: RepoPath,
        /// What the system said.
        reason: String,
    },
    /// An untracked folder is a repository of its own and was left out.
    NestedRepository {
        /// The folder.
        path: RepoPath,
    },
}

/// The difference of the index or the work tree to a tree.
#[derive(Clone)]
pub struct Overlay {
    /// What differs, without renames, sorted by path. Ids are those that git would give to the contents, but for files
    /// of more than 64 MB that git does not have: they are not read, and their ids change with their times.
    pub changes: Vec<FileChange>,
    /// The hash of all changed paths with their new modes and ids: equal contents over an equal tree have equal
    /// digests. It does not cover the tree: a key needs both.
    pub digest: Hash,
    /// Paths with merge conflicts, sorted. In the index, "ours" counts as their content.
    pub conflicts: Vec<RepoPath>,
    /// What a user may have to know, sorted.
    pub notes: Vec<OverlayNote>,
    /// The folders that were listed, as absolute paths: what appears elsewhere in the work tree is ignored, or changes
    /// nothing that the overlay has.
    pub folders: Arc<[PathBuf]>,
    contents: FxHashMap<BlobId, Held>,
    object_hash: gix::hash::Kind,
}

/// A file as it is to become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedFile {
    /// What it is now; `None` for a new one.
    pub old: Option<TreeFile>,
    /// Where it will be, as what, with which bytes; `None` for one that goes.
    pub new: Option<(RepoPath, FileMode, Arc<[u8]>)>,
}

/// Where a content is that may not be in the object database.
#[derive(Clone)]
pub(crate) enum Held {
    Memory(Arc<[u8]>),
    /// Too large to keep; read again when asked for, and checked.
    File {
        path: PathBuf,
        n_bytes: u64,
    },
}

/// A file of the side that is laid over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SideFile {
    pub(crate) path: BString,
    pub(crate) mode: FileMode,
    pub(crate) id: ObjectId,
}

impl Repository {
    /// Compares the index or the work tree with `base`, which is usually the tree of `HEAD`; `None` is the empty tree.
    ///
    /// Files whose size and times are those that the index recorded are not read. Nothing is written, no filter is
    /// run, no symbolic link is followed. Line ends, `ident` and encodings are undone as attributes and
    /// `core.autocrlf` say; a file with the very bytes of its blob is unchanged, even if git
    /// would convert it when it is next staged. Submodules count by the commit that is checked out in them; files marked
    /// `assume-unchanged`, and `skip-worktree` ones of a sparse checkout, count as the index has them.
    /// A bare repository has no work tree: its overlay is empty.
    ///
    /// `core.excludesFile` and `core.attributesFile` are only honored in the user's configuration, not in the
    /// repository's own.
    ///
    /// # Errors
    /// [`GitError::MissingObject`] for trees, [`GitError::Engine`] for a damaged index, [`GitError::Io`].
    pub fn overlay(&self, base: Option<TreeId>, kind: OverlayKind) -> Result<Overlay, GitError> {
        let repo = self.local();
        let mut overlay = Overlay {
            changes: Vec::new(),
            digest: Hash::ZERO,
            conflicts: Vec::new(),
            notes: Vec::new(),
            folders: Arc::default(),
            contents: FxHashMap::default(),
            object_hash: repo.object_hash(),
        };
        if kind == OverlayKind::Index || !self.is_bare() {
            let index = staged::open_index(&repo)?;
            let staged = Staged::new(&repo, self.completeness(), &index)?;
            overlay.conflicts = staged.conflicts();
            let base = match base {
                Some(base) if staged.tree == Some(ids::to_gix(base.0)) => staged.index_side(),
                Some(base) => {
                    let mut files = Vec::with_capacity(staged.files.len());
                    let completeness = self.completeness();
                    walk_tree(
                        &repo,
                        completeness,
                        base.0,
                        BStr::new(""),
                        &mut |path, id, mode| {
                            files.push(SideFile {
                                path: path.to_owned(),
                                mode,
                                id,
                            });
                        },
                    )?;
                    files
                }
                None => Vec::new(),
            };
            let side = match kind {
                OverlayKind::Index => staged.index_side(),
                OverlayKind::WorkTree => {
                    let mut seen = walk::walk(&repo, &index, &staged)?;
                    overlay.folders = std::mem::take(&mut seen.folders).into();
                    let read = content::read(self, &index, &staged, seen)?;
                    overlay.notes = read.notes;
                    overlay.contents = read.contents;
                    read.side
                }
            };
            overlay.changes = compare(base, side);
        }
        overlay.notes.sort();
        overlay.notes.dedup();
        overlay.digest = digest(&overlay.changes);
        Ok(overlay)
    }
}

impl Repository {
    /// What a side will be once some files are as planned: `over` what lies over the tree now, if anything does.
    /// Nothing is written. Each path counts once, as the last that is said of it.
    ///
    /// # Errors
    /// [`GitError::Engine`] where a content cannot be hashed.
    pub fn planned_overlay(
        &self,
        over: Option<&Overlay>,
        planned: &[PlannedFile],
    ) -> Result<Overlay, GitError> {
        let object_hash = self.local().object_hash();
        // By path: what the tree has, and what there will be.
        let mut sides: BTreeMap<RepoPath, (Option<TreeFile>, Option<TreeFile>)> = BTreeMap::new();
        let mut contents = over.map(|over| over.contents.clone()).unwrap_or_default();
        for change in over.iter().flat_map(|over| &over.changes) {
            sides.insert(
                change.path().clone(),
                (change.old.clone(), change.new.clone()),
            );
        }
        for file in planned {
            if let Some(old) = &file.old {
                let side = sides
                    .entry(old.path.clone())
                    .or_insert_with(|| (Some(old.clone()), None));
                side.1 = None;
            }
        }
        for (path, mode, bytes) in planned.iter().filter_map(|file| file.new.as_ref()) {
            let id = BlobId(disk::hash_blob(object_hash, bytes)?);
            contents.insert(id, Held::Memory(bytes.clone()));
            sides.entry(path.clone()).or_default().1 = Some(TreeFile {
                path: path.clone(),
                blob: id,
                mode: *mode,
            });
        }
        let changes: Vec<FileChange> = sides
            .into_values()
            .filter(|(old, new)| old != new)
            .flat_map(|(old, new)| FileChange::between(old, new))
            .collect();
        Ok(Overlay {
            digest: digest(&changes),
            changes,
            conflicts: over.map(|over| over.conflicts.clone()).unwrap_or_default(),
            notes: over.map(|over| over.notes.clone()).unwrap_or_default(),
            folders: over.map(|over| over.folders.clone()).unwrap_or_default(),
            contents,
            object_hash,
        })
    }
}

impl Overlay {
    /// The content with this id, if the overlay has it: always, if it is in no object database.
    ///
    /// # Errors
    /// [`GitError::ChangedMeanwhile`] or [`GitError::Io`] for a large file that has changed since.
    pub fn content(&self, id: BlobId) -> Result<Option<Cow<'_, [u8]>>, GitError> {
        match self.contents.get(&id) {
            None => Ok(None),
            Some(Held::Memory(content)) => Ok(Some(Cow::Borrowed(content))),
            Some(Held::File { path, .. }) => {
                let failed = |source| GitError::Io {
                    action: "read",
                    path: path.clone(),
                    source,
                };
                let content = disk::read_regular(path).map_err(failed)?;
                let is_same = disk::hash_blob(self.object_hash, &content)? == id.0
                    || disk::place_id(self.object_hash, path).map_err(failed)? == id.0;
                if !is_same {
                    return Err(GitError::ChangedMeanwhile { path: path.clone() });
                }
                Ok(Some(Cow::Owned(content)))
            }
        }
    }

    /// A reader that looks here first and then in the object database.
    pub fn reader(&self, blobs: BlobReader) -> OverlayReader<'_> {
        OverlayReader {
            overlay: self,
            blobs,
        }
    }
}

/// Reads contents of an overlay and of the object database below it.
pub struct OverlayReader<'a> {
    overlay: &'a Overlay,
    blobs: BlobReader,
}

impl ReadBlob for OverlayReader<'_> {
    fn read_blob(&mut self, id: BlobId) -> Result<Vec<u8>, GitError> {
        match self.overlay.content(id)? {
            Some(content) => Ok(content.into_owned()),
            None => self.blobs.read(id),
        }
    }

    fn blob_size(&mut self, id: BlobId) -> Result<u64, GitError> {
        match self.overlay.contents.get(&id) {
            Some(Held::Memory(content)) => Ok(content.len() as u64),
            Some(Held::File { n_bytes, .. }) => Ok(*n_bytes),
            None => self.blobs.header_size(id),
        }
    }
}

/// Merges two sides, each sorted by path.
fn compare(old: Vec<SideFile>, new: Vec<SideFile>) -> Vec<FileChange> {
    let tree_file = |file: &SideFile| TreeFile {
        path: RepoPath::from_bytes(&file.path),
        blob: BlobId(file.id),
        mode: file.mode,
    };
    let mut changes = Vec::new();
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(old), Some(new)) => old.path.cmp(&new.path),
        };
        let old = old.next_if(|_| order.is_le());
        let new = new.next_if(|_| order.is_ge());
        if let (Some(old), Some(new)) = (old, new)
            && old == new
        {
            continue;
        }
        changes.extend(FileChange::between(old.map(tree_file), new.map(tree_file)));
    }
    changes.sort_by(|a, b| a.path().cmp(b.path()));
    changes
}

fn digest(changes: &[FileChange]) -> Hash {
    let mut hasher = Hasher::new("overlay-v1");
    hasher.number(changes.len() as u64);
    for change in changes {
        hasher.field(change.path().as_str().as_bytes());
        match &change.new {
            Some(new) => hasher
                .number(u64::from(new.mode.bits()))
                .field(new.blob.0.as_slice()),
            None => hasher.number(0),
        };
    }
    hasher.finish()
}
