//! The files of a side: those of its tree with the overlay on top.

use crate::DerivedError;
use cortex_git::TreeFile;
use cortex_index::{Index, IndexedSide};
use cortex_model::TreeId;

/// Every file of a side, by path; symbolic links and submodules too.
pub fn side_files(index: &Index, side: &IndexedSide) -> Result<Vec<TreeFile>, DerivedError> {
    let tree = side.commit.map(|commit| index.repo.commit(commit));
    let tree: Option<TreeId> = tree.transpose()?.map(|commit| commit.tree);
    let files = tree.map_or(Ok(Vec::new()), |tree| index.repo.tree_files(tree))?;
    let Some(overlay) = &side.overlay else {
        return Ok(files);
    };
    let changes = overlay.changes.iter();
    Ok(crate::files::overlay::laid_over(files, changes)
        .into_values()
        .collect())
}
