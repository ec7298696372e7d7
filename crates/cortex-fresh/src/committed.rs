//! The files under `.context` of one side, by path.

use std::collections::BTreeMap;

use cortex_git::TreeFile;
use cortex_index::{Index, IndexedSide};
use cortex_model::RepoPath;

use crate::FreshError;

/// The folder of everything that a repository commits for this program.
pub const FOLDER: &str = ".context";

/// The folder of outlines.
pub const OUTLINES: &str = ".context/types/";

/// The end of the name of an outline.
pub const OUTLINE_END: &str = ".outline.md";

/// Larger files are not read.
pub const MAX_BYTES: u64 = 4 << 20;

/// The files of the context.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Committed {
    /// By path; symbolic links and submodules too.
    pub files: BTreeMap<RepoPath, TreeFile>,
}

impl Committed {
    /// Lists the context of a side. O(files of the context + what differs in the work tree).
    ///
    /// # Errors
    /// Those of reading the repository.
    pub fn read(index: &Index, side: &IndexedSide) -> Result<Self, FreshError> {
        let mut files = BTreeMap::new();
        if let Some(commit) = side.commit {
            let tree = index.repo.commit(commit)?.tree;
            for file in index.repo.folder_files(tree, FOLDER)? {
                files.insert(file.path.clone(), file);
            }
        }
        for change in side.overlay.iter().flat_map(|overlay| &overlay.changes) {
            if let Some(old) = change.old.as_ref().filter(|old| is_inside(&old.path)) {
                files.remove(&old.path);
            }
            if let Some(new) = change.new.as_ref().filter(|new| is_inside(&new.path)) {
                files.insert(new.path.clone(), new.clone());
            }
        }
        Ok(Self { files })
    }

    /// The ordinary files below a folder.
    pub fn below<'c>(&'c self, folder: &'c str) -> impl Iterator<Item = &'c TreeFile> {
        let from = RepoPath::from(folder);
        let below = self.files.range(from..).map(|(_, file)| file);
        below
            .take_while(move |file| file.path.as_str().starts_with(folder))
            .filter(|file| file.mode.is_file())
    }

    /// The committed outlines.
    pub fn outlines(&self) -> impl Iterator<Item = &TreeFile> {
        let outlines = self.below(OUTLINES);
        outlines.filter(|file| file.path.as_str().ends_with(OUTLINE_END))
    }

    /// What is neither a file nor a folder where this program reads and writes.
    pub fn unsafe_entries(&self) -> impl Iterator<Item = &TreeFile> {
        self.files.values().filter(|file| !file.mode.is_file())
    }

    /// The text of a file; `None` where there is none or it is too large.
    ///
    /// # Errors
    /// Those of reading the repository.
    pub fn text(
        &self,
        index: &Index,
        side: &IndexedSide,
        path: &str,
    ) -> Result<Option<String>, FreshError> {
        let Some(file) = self.files.get(&RepoPath::from(path)) else {
            return Ok(None);
        };
        text_of(index, side, file)
    }
}

/// The text of a file of a side; `None` where it is no file or too large.
///
/// # Errors
/// Those of reading the repository.
pub fn text_of(
    index: &Index,
    side: &IndexedSide,
    file: &TreeFile,
) -> Result<Option<String>, FreshError> {
    let mut blobs = index.blobs(side);
    if !file.mode.is_file() || blobs.blob_size(file.blob)? > MAX_BYTES {
        return Ok(None);
    }
    let bytes = blobs.read_blob(file.blob)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn is_inside(path: &RepoPath) -> bool {
    let path = path.as_str();
    path == FOLDER || path.starts_with(".context/")
}
