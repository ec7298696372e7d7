//! Which namespace a request names.

use std::collections::BTreeSet;

use cortex_index::Symbols;
use cortex_look::{
    QueryError,
    symbol::{offset_at, place_of},
    uses::edit_target,
    viewpoint::Viewpoint,
};
use cortex_semantics::{LocalSymbol, UnitKey};
use cortex_syntax::text::decode;

use super::{NamespaceRename, RenamedNamespace};
use cortex_wire::ResidueKind;

use crate::{
    EditError,
    identifier::{bare, written},
    move_type::chain,
    rename::{Rename, declared, local},
};

/// The namespace that a request names, by its full name, its documentation id or a place of it; `None` where it names
/// something else. A type or member of the same name comes first, unless the new name has several parts.
///
/// # Errors
/// [`EditError::Refused`] for an id that nothing declares and for a new name that is none; those of the index.
pub(crate) fn namespace_named(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &Rename<'_>,
) -> Result<Option<NamespaceRename>, EditError> {
    let refused = |reason: String, help: &str| EditError::Refused {
        doing: format!("rename `{}` to `{}`", request.symbol, request.to),
        reason,
        help: vec![help.to_owned()],
    };
    let id = request.symbol.trim().strip_prefix("N:");
    let plain = |text: &str| -> String {
        let parts: Vec<String> = text.split('.').map(|it| bare(it.trim())).collect();
        parts.join(".")
    };
    // Most requests name a symbol: reading every namespace costs more than looking it up.
    let is_asked = id.is_some() || place_of(request.symbol).is_some() || request.to.contains('.');
    if !is_asked && is_symbol(views[0].0, request.symbol)? {
        return Ok(None);
    }
    let declared = source_namespaces(views)?;
    let old = match (id, at_place(views, request.symbol)?) {
        (Some(id), _) => Some(plain(id)),
        (None, Some(name)) => Some(name),
        (None, None) => Some(plain(request.symbol)).filter(|it| declared.contains(it)),
    };
    let Some(old) = old else { return Ok(None) };
    if !declared.contains(&old) {
        let help = "name a namespace that code of this repository declares";
        return Err(refused(
            format!("no code declares the namespace `{old}`"),
            help,
        ));
    }
    let parts = request.to.trim().split('.');
    let parts: Result<Vec<String>, String> = parts.map(|part| written(part.trim())).collect();
    let help = "give the full new name of the namespace";
    let written = parts.map_err(|reason| refused(reason, help))?;
    let new: Vec<String> = written.iter().map(|part| bare(part)).collect();
    if request.also.contains(&ResidueKind::File) {
        let reason = "files that are not C# are listed and not changed for a namespace".to_owned();
        return Err(refused(reason, "ask for comments and strings alone"));
    }
    Ok(Some(NamespaceRename {
        also: request.also.to_vec(),
        names: RenamedNamespace {
            old,
            new: new.join("."),
        },
        written,
    }))
}

/// Whether a type or member is called exactly so.
fn is_symbol(view: &Viewpoint<'_>, text: &str) -> Result<bool, EditError> {
    match edit_target(view, text) {
        Ok(target) => Ok(target.subject.redirected_from.is_none()),
        Err(QueryError::SymbolNotFound { .. }) => Ok(false),
        // Several are.
        Err(QueryError::AmbiguousSymbol { .. }) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// The namespaces that have types of the repository, and those around them.
pub(super) fn source_namespaces(
    views: &[(&Viewpoint<'_>, &Symbols)],
) -> Result<BTreeSet<String>, EditError> {
    let mut all = BTreeSet::new();
    for (view, _) in views {
        for (_, node) in view.snapshot().types()? {
            let namespace = namespace_of(&node.fqn);
            if !namespace.is_empty() && !all.contains(namespace) {
                all.extend(chain(namespace).into_iter().map(str::to_owned));
            }
        }
    }
    Ok(all)
}

/// The namespace in the full name of a type.
pub(super) fn namespace_of(fqn: &str) -> &str {
    let outermost = fqn.split('+').next().unwrap_or_default();
    outermost.rsplit_once('.').map_or("", |(it, _)| it)
}

/// The namespace that a place names or declares.
fn at_place(views: &[(&Viewpoint<'_>, &Symbols)], text: &str) -> Result<Option<String>, EditError> {
    let Some((path, line, Some(column))) = place_of(text) else {
        return Ok(None);
    };
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(&path)? else {
            continue;
        };
        let projects = file.projects.iter();
        let project = projects
            .filter_map(|it| declared::project_id(symbols, it))
            .next();
        let Some(project) = project else { continue };
        let mut reader = view.blobs();
        let bytes = reader.read_blob(file.blob)?;
        let Some(offset) = offset_at(decode(&bytes).as_bytes(), line, column) else {
            continue;
        };
        let unit = UnitKey {
            path: path.clone(),
            project,
        };
        let found = symbols.read(|compilation| {
            let bound = local::bindings(symbols, compilation, &unit, &mut *reader, view);
            Ok(bound.map(|bound| match bound.symbol_at(offset) {
                Some(LocalSymbol::Namespace(name)) => Some(compilation.text(name).to_owned()),
                _ => None,
            }))
        })??;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
