//! The files of a side that have contents.

pub mod overlay;
pub mod side;

use crate::{DerivedError, files::side::side_files, source::Source};
use cortex_git::{Side, TreeFile};
use cortex_index::{Index, IndexedSide};
use cortex_model::{BlobId, RepoPath, TreeId};
use cortex_scope::Ranges;
use rustc_hash::FxHashSet;

/// A file that may be searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Where it is.
    pub path: RepoPath,
    /// What is in it.
    pub blob: BlobId,
    /// Whether the file of the work tree is as git has it, but for what checking out converts.
    pub is_on_disk: bool,
    /// The part that counts; all of it where there is none.
    pub part: Option<Ranges>,
}

impl Candidate {
    /// Whether it is C# by its extension.
    pub fn is_csharp(&self) -> bool {
        self.path.extension().eq_ignore_ascii_case("cs")
    }
}

/// All files of a side that have contents, by path.
pub fn all(index: &Index, side: &IndexedSide) -> Result<Vec<Candidate>, DerivedError> {
    let files = side_files(index, side)?;
    Ok(candidates(Source { index, side }, files))
}

/// The files of the tree that a side lies over, by path. Those that differ in the work tree are as the tree has them.
pub(crate) fn all_of_tree(
    source: Source<'_>,
    tree: TreeId,
) -> Result<Vec<Candidate>, DerivedError> {
    Ok(candidates(source, source.index.repo.tree_files(tree)?))
}

fn candidates(source: Source<'_>, files: Vec<TreeFile>) -> Vec<Candidate> {
    let Source { index, side } = source;
    let has_disk = side.snapshot.side() == Side::WorkTree && index.repo.work_dir().is_some();
    let changes = side.overlay.iter().flat_map(|overlay| &overlay.changes);
    let changed: FxHashSet<&RepoPath> = changes
        .flat_map(|change| change.old.iter().chain(&change.new))
        .map(|file| &file.path)
        .collect();
    let files = files.into_iter().filter(|file| file.mode.is_file());
    let candidate = |file: TreeFile| Candidate {
        is_on_disk: has_disk && !changed.contains(&file.path),
        path: file.path,
        blob: file.blob,
        part: None,
    };
    files.map(candidate).collect()
}

/// The first bytes of an id: two contents of one repository with the same ones are not to be expected, and would
/// have each other's words.
pub(crate) fn key_of(blob: BlobId) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blob.0.as_slice()[..8]);
    u64::from_be_bytes(bytes)
}
