//! Assemblies that a project references by their files: `Reference` items.
//!
//! Must not know: what is in such a file, whether it is there.

use std::collections::BTreeSet;

use cortex_model::RepoPath;

use crate::{
    files::is_library,
    items::{Item, Items},
    paths::{Location, resolve},
};

/// Where in the repository the assemblies are that a project names by file, tracked or not, sorted. Those
/// elsewhere on a machine are left out.
///
/// "Common MSBuild project items", `Reference`: a `HintPath` says where the file is; without one the
/// reference itself may be its path.
pub(crate) fn libraries(items: &Items<'_, '_>) -> Vec<RepoPath> {
    let paths: BTreeSet<RepoPath> = items
        .of("reference")
        .iter()
        .filter_map(|item| library(item, items))
        .collect();
    paths.into_iter().collect()
}

fn library(item: &Item, items: &Items<'_, '_>) -> Option<RepoPath> {
    let evaluation = &items.evaluation;
    let path = match item.get("hintpath").trim() {
        "" => items.identity(item),
        path => path.to_owned(),
    };
    let Location::Inside(path) = resolve(evaluation.project_folder, &path) else {
        return None;
    };
    let table = &evaluation.workspace.table;
    let tracked = table.find(&path).map(|id| table.path(id).clone());
    let path = tracked.unwrap_or_else(|| path.as_str().into());
    is_library(&path).then_some(path)
}
