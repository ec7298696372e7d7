//! The files of a side that have contents.

pub mod overlay;
pub mod side;

use crate::{DerivedError, files::side::side_files};
use cortex_git::Side;
use cortex_index::{Index, IndexedSide};
use cortex_model::{BlobId, RepoPath};
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
    let has_disk = side.snapshot.side() == Side::WorkTree && index.repo.work_dir().is_some();
    let changed: FxHashSet<&RepoPath> = side
        .overlay
        .iter()
        .flat_map(|overlay| &overlay.changes)
        .filter_map(|change| Some(&change.new.as_ref()?.path))
        .collect();
    let files = side_files(index, side)?.into_iter();
    Ok(files
        .filter(|file| file.mode.is_file())
        .map(|file| Candidate {
            is_on_disk: has_disk && !changed.contains(&file.path),
            path: file.path,
            blob: file.blob,
            part: None,
        })
        .collect())
}
