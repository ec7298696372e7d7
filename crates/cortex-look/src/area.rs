//! Parts of a repository that hold types: namespaces, projects, folders.
//!
//! Owns: what a text means that is no symbol. Must not know: what is asked of an area.

use crate::{QueryError, viewpoint::Viewpoint};
use cortex_derived::dependencies::{Dependencies, Type};
use cortex_wire::Area;

use cortex_model::RepoPath;

/// Whether a type is in a part of the repository.
pub(crate) fn has_type(area: &Area, all: &Dependencies, ty: &Type) -> bool {
    match area {
        Area::Repository => true,
        Area::Namespace(name) => {
            let rest = ty.fqn.strip_prefix(name.as_str());
            rest.is_some_and(|it| it.starts_with('.'))
        }
        Area::Project(path) => all.project(ty).path == *path,
        Area::Folder(path) => is_below(all.path(ty).as_str(), path.as_str()),
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|it| it.is_empty() || it.starts_with('/') || folder.is_empty())
}

/// Finds the area that a text means beyond doubt: what is marked as one (`namespace:X`, `project:X`, `folder:X`),
/// a namespace by its whole name, a path. `.` is the repository.
pub(crate) fn certain_area(view: &Viewpoint<'_>, text: &str) -> Result<Option<Area>, QueryError> {
    let text = text.trim();
    if let Some((word, name)) = text.split_once(':') {
        let found = match word {
            "namespace" => namespace(view, name)?,
            "project" => project(view, name)?,
            "folder" => folder(view, name)?,
            _ => None,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    if matches!(text, "." | "./") {
        return Ok(Some(Area::Repository));
    }
    if text.contains('/') {
        return Ok(match project(view, text)? {
            Some(found) => Some(found),
            None => folder(view, text)?,
        });
    }
    namespace(view, text)
}

/// Finds the area that a text means where it is no symbol: a project by its assembly, a folder.
pub(crate) fn likely_area(view: &Viewpoint<'_>, text: &str) -> Result<Option<Area>, QueryError> {
    let text = text.trim();
    Ok(match project(view, text)? {
        Some(found) => Some(found),
        None => folder(view, text)?,
    })
}

fn namespace(view: &Viewpoint<'_>, name: &str) -> Result<Option<Area>, QueryError> {
    let is_one = !name.is_empty() && view.snapshot().has_namespace(name)?;
    Ok(is_one.then(|| Area::Namespace(name.to_owned())))
}

/// By path, by file name or by assembly.
fn project(view: &Viewpoint<'_>, name: &str) -> Result<Option<Area>, QueryError> {
    if name.is_empty() {
        return Ok(None);
    }
    if let Some(record) = view.snapshot().project(&RepoPath::from(name))? {
        return Ok(Some(Area::Project(record.project.path)));
    }
    if name.contains('/') {
        return Ok(None);
    }
    let mut records = view.snapshot().projects()?.into_iter();
    let found = records.find(|record| {
        let project = &record.project;
        project.assembly.eq_ignore_ascii_case(name) || project.path.file_name() == name
    });
    Ok(found.map(|record| Area::Project(record.project.path)))
}

fn folder(view: &Viewpoint<'_>, path: &str) -> Result<Option<Area>, QueryError> {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if path.is_empty() {
        return Ok(None);
    }
    let files = view.snapshot().files()?;
    let has = files.iter().any(|file| is_below(file.path.as_str(), path));
    Ok(has.then(|| Area::Folder(RepoPath::from(path))))
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn a_folder_is_not_the_start_of_a_name() {
        assert!(is_below("src/A/B.cs", "src/A"));
        assert!(is_below("src/A/B.cs", "src/A/B.cs"));
        assert!(!is_below("src/AB/B.cs", "src/A"));
        assert!(is_below("src/A/B.cs", ""));
    }
}
