//! The text of a file that a pattern is compared with: its path in a module or library, or its qualified names.

use crate::{
    pattern::{Leaf, LeafKind},
    universe::{RootKind, ScopeFile, ScopeModule, Universe},
};

/// Whether a file belongs to the modules or packages that a pattern names.
pub(crate) fn is_in_modules(leaf: &Leaf, file: &ScopeFile, universe: &dyn Universe) -> bool {
    let Some(pattern) = leaf.module() else {
        return true;
    };
    match leaf.kind() {
        LeafKind::Ext | LeafKind::Library => file
            .library
            .and_then(|index| universe.libraries().get(index))
            .is_some_and(|library| pattern.matches_package(&library.package)),
        _ => file
            .modules
            .iter()
            .filter_map(|index| universe.modules().get(*index))
            .any(|module| pattern.matches_module(&[&module.name, &module.project], &module.groups)),
    }
}

/// The path that a file-like pattern is compared with; `None` for files that the pattern does not apply to.
pub(crate) fn path<'f>(
    kind: LeafKind,
    file: &'f ScopeFile,
    modules: &[ScopeModule],
) -> Option<&'f str> {
    let path = match kind {
        LeafKind::Ext => (file.root == RootKind::Library)
            .then(|| file.library_path())
            .flatten()?,
        LeafKind::ProjectPath => in_repository(file)?,
        _ => {
            let path = in_repository(file)?;
            match content_root(file, path, modules) {
                Some(module) => relative_to(path, &module.directory).unwrap_or(path),
                None => path,
            }
        }
    };
    (!path.trim().is_empty()).then_some(path)
}

fn in_repository(file: &ScopeFile) -> Option<&str> {
    file.root
        .is_in_repository()
        .then(|| file.repository_path())
        .flatten()
}

/// The innermost module of a file whose folder contains the file.
fn content_root<'m>(
    file: &ScopeFile,
    path: &str,
    modules: &'m [ScopeModule],
) -> Option<&'m ScopeModule> {
    file.modules
        .iter()
        .filter_map(|index| modules.get(*index))
        .filter(|module| relative_to(path, &module.directory).is_some())
        .max_by_key(|module| module.directory.len())
}

fn relative_to<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    match directory {
        "" => Some(path),
        _ => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}

/// Namespace and file name without extension, for each namespace that a file declares types in; for a file without
/// any, for the namespace that its folder implies.
pub(crate) fn qualified_names(
    file: &ScopeFile,
    declared: &[String],
    modules: &[ScopeModule],
) -> Vec<String> {
    let path = file
        .repository_path()
        .or_else(|| file.library_path())
        .unwrap_or(&file.url);
    let (_, file_name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = file_name
        .rsplit_once('.')
        .map_or(file_name, |(name, _extension)| name);
    if !declared.is_empty() {
        return declared
            .iter()
            .map(|namespace| qualified(namespace, name))
            .collect();
    }
    let module = match file.repository_path() {
        Some(path) => content_root(file, path, modules),
        None => None,
    };
    let inside = module.and_then(|module| relative_to(path, &module.directory));
    let folders = inside
        .unwrap_or(path)
        .rsplit_once('/')
        .map_or("", |(folders, _)| folders)
        .replace('/', ".");
    let root = module.map_or("", |module| module.root_namespace.as_str());
    let namespace = match folders.as_str() {
        "" => root.to_owned(),
        folders => qualified(root, folders),
    };
    vec![qualified(&namespace, name)]
}

/// Joins namespace and name as the IDE does: in the global namespace, the name alone.
fn qualified(namespace: &str, name: &str) -> String {
    match namespace {
        "" => name.to_owned(),
        namespace => format!("{namespace}.{name}"),
    }
}
