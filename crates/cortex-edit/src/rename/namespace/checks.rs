//! What a namespace must not become: one that has a type of the same name, or the name of a type.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;

use super::{NamespaceRename, resolve::namespace_of};
use crate::{EditError, move_type::chain};

/// Refuses what cannot be renamed; the namespaces around the old one in which nothing is left.
///
/// # Errors
/// [`EditError::Refused`]; those of the index.
pub(super) fn check(
    views: &[(&Viewpoint<'_>, &Symbols)],
    renaming: &NamespaceRename,
) -> Result<BTreeSet<String>, EditError> {
    let names = &renaming.names;
    // The namespaces afterwards.
    let mut after = BTreeSet::new();
    for (view, symbols) in views {
        for file in symbols.assembly_files() {
            let namespaces = file.namespaces();
            if namespaces.iter().any(|it| names.renamed(it).is_some()) {
                let name = file.path.file_name().unwrap_or(file.path.as_os_str());
                let name = name.to_string_lossy();
                let reason = format!("the assembly `{name}` declares the namespace as well");
                let help = "rename a namespace below it that only this repository declares";
                return Err(renaming.refused(reason, help));
            }
            after.extend(namespaces);
        }
        let (mut moved, mut stays) = (BTreeMap::new(), BTreeSet::new());
        for (_, node) in view.snapshot().types()? {
            let namespace = namespace_of(&node.fqn);
            match names.renamed(namespace) {
                Some(new) => {
                    let name = &node.fqn[namespace.len()..];
                    moved.insert(format!("{new}{name}"), node.fqn.clone());
                    after.extend(chain(&new).into_iter().map(str::to_owned));
                }
                None => {
                    if !namespace.is_empty() {
                        after.extend(chain(namespace).into_iter().map(str::to_owned));
                    }
                    stays.insert(node.fqn.clone());
                }
            }
        }
        if let Some((new, old)) = moved.iter().find(|(new, _)| stays.contains(*new)) {
            let reason = format!("`{old}` would be `{new}`, and there is one already");
            return Err(renaming.refused(reason, "rename or move one of the two types first"));
        }
        let is_type = |it: &&String| stays.contains(*it) || moved.contains_key(*it);
        if let Some(ty) = after.iter().find(is_type) {
            let reason = format!("`{ty}` is a type, and would be a namespace as well");
            return Err(renaming.refused(reason, "give the namespace another name"));
        }
        outside(symbols, renaming, moved.keys())?;
    }
    let around = chain(&names.old).into_iter().skip(1);
    Ok(around
        .filter(|it| !after.contains(*it))
        .map(str::to_owned)
        .collect())
}

/// Refuses types that would be called like some from outside.
fn outside<'t>(
    symbols: &Symbols,
    renaming: &NamespaceRename,
    types: impl Iterator<Item = &'t String>,
) -> Result<(), EditError> {
    let found = symbols.read(|compilation| {
        let mut outermost = types.filter(|it| !it.contains('+'));
        Ok(outermost.find(|ty| {
            let (namespace, name) = ty.rsplit_once('.').unwrap_or(("", ty));
            let (name, arity) = name.split_once('`').unwrap_or((name, "0"));
            let named = compilation
                .external_types_named(compilation.name(namespace), compilation.name(name));
            let is_same = |id| compilation.def(id).arity.to_string() == arity;
            named.iter().any(|&id| is_same(id))
        }))
    })?;
    match found {
        None => Ok(()),
        Some(ty) => {
            let reason = format!("`{ty}` is a type from outside as well");
            Err(renaming.refused(reason, "give the namespace another name"))
        }
    }
}
