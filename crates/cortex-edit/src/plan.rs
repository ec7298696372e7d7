//! What an edit does to files, before anything is written.

use std::{collections::BTreeMap, sync::Arc};

use cortex_git::{FileMode, PlannedFile, TreeFile};
use cortex_index::{Index, IndexedSide};
use cortex_model::{BlobId, RepoPath};
use cortex_semantics::{FilePositions, Positions};

use crate::{EditError, text_edit::TextEdits};

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct FilePlan {
    /// The file as it is.
    pub old: TreeFile,
    /// Where it will be: elsewhere where the edit renames it.
    pub new_path: RepoPath,
    /// What changes in it.
    pub edits: TextEdits,
    /// Its bytes as they are.
    pub old_bytes: Arc<[u8]>,
    /// Its bytes as they will be.
    pub new_bytes: Arc<[u8]>,
}

/// The files that an edit changes, by the path that they have now.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// See above.
    pub files: BTreeMap<RepoPath, FilePlan>,
}

impl Plan {
    /// Reads the files of a side, and applies edits to them. `moved`: files that are renamed, by path; they need no
    /// edits.
    ///
    /// # Errors
    /// Those of reading and encoding.
    pub fn of_edits(
        index: &Index,
        side: &IndexedSide,
        edits: BTreeMap<RepoPath, TextEdits>,
        moved: &BTreeMap<RepoPath, RepoPath>,
    ) -> Result<Self, EditError> {
        let mut reader = index.blobs(side);
        let mut all = edits;
        for path in moved.keys() {
            all.entry(path.clone()).or_default();
        }
        let mut files = BTreeMap::new();
        for (path, edits) in all {
            let old = tree_file(index, side, &path)?;
            let old_bytes = reader.read_blob(old.blob)?;
            let new_bytes = edits.apply(&old_bytes)?;
            let plan = FilePlan {
                new_path: moved.get(&path).unwrap_or(&path).clone(),
                edits,
                old_bytes: old_bytes.into(),
                new_bytes: new_bytes.into(),
                old,
            };
            files.insert(path, plan);
        }
        Ok(Self { files })
    }

    /// The files as the index takes them.
    pub fn planned_files(&self) -> Vec<PlannedFile> {
        let planned = self.files.values().map(|file| PlannedFile {
            old: Some(file.old.clone()),
            new: Some((file.new_path.clone(), file.old.mode, file.new_bytes.clone())),
        });
        planned.collect()
    }

    /// Whether a file gets another path.
    pub fn moves_files(&self) -> bool {
        self.files
            .values()
            .any(|file| file.new_path != file.old.path)
    }

    /// How many places it changes.
    pub fn n_edits(&self) -> usize {
        self.files.values().map(|file| file.edits.all().len()).sum()
    }
}

/// A file of a side with its mode.
fn tree_file(index: &Index, side: &IndexedSide, path: &RepoPath) -> Result<TreeFile, EditError> {
    let changes = side.overlay.iter().flat_map(|overlay| &overlay.changes);
    let mut new = changes.filter_map(|change| change.new.as_ref());
    if let Some(file) = new.find(|file| file.path == *path) {
        return Ok(file.clone());
    }
    let found = match side.commit {
        Some(commit) => {
            let tree = index.repo.commit(commit)?.tree;
            index.repo.tree_file(tree, path)?
        }
        None => None,
    };
    found.ok_or_else(|| EditError::Refused {
        doing: format!("edit `{path}`"),
        reason: "it is no file of the repository".to_owned(),
        help: Vec::new(),
    })
}

/// Positions before an edit: where they are afterwards.
pub struct Before<'p>(pub &'p Plan);

/// Positions after an edit, as far as they were there before.
pub struct After<'p> {
    by_new_path: BTreeMap<&'p RepoPath, &'p TextEdits>,
}

impl<'p> After<'p> {
    /// Of a plan.
    pub fn new(plan: &'p Plan) -> Self {
        let files = plan.files.values();
        Self {
            by_new_path: files.map(|file| (&file.new_path, &file.edits)).collect(),
        }
    }
}

impl Positions for Before<'_> {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        match self.0.files.get(path) {
            Some(file) => FilePositions {
                path: file.new_path.clone(),
                offset: Box::new(|offset| file.edits.new_position(offset)),
                side: "old",
            },
            None => FilePositions {
                path: path.clone(),
                offset: Box::new(Some),
                side: "old",
            },
        }
    }
}

impl Positions for After<'_> {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        let offset: Box<dyn Fn(u32) -> Option<u32>> = match self.by_new_path.get(path) {
            Some(edits) => Box::new(|offset| edits.was_there(offset).then_some(offset)),
            None => Box::new(Some),
        };
        FilePositions {
            path: path.clone(),
            offset,
            side: "new",
        }
    }
}

/// A file that an operation changes, as its record has it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// The file as it was; `None` for a new one.
    pub old: Option<FileState>,
    /// The file as it will be; `None` for one that goes.
    pub new: Option<FileState>,
}

/// A file on one side of an operation.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileState {
    /// Its path.
    pub path: RepoPath,
    /// Its content, as git names it.
    pub blob: BlobId,
    /// Its mode, as git writes it.
    pub mode: u32,
}

impl FileState {
    /// A file of a tree.
    pub fn new(path: &RepoPath, blob: BlobId, mode: FileMode) -> Self {
        Self {
            path: path.clone(),
            blob,
            mode: mode.bits(),
        }
    }

    /// Whether it may be run.
    pub fn is_executable(&self) -> bool {
        self.mode == FileMode::Executable.bits()
    }
}
