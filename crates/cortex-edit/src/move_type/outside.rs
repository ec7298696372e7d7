//! All other code that names a type which moves.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::target::Target;
use cortex_index::Symbols;
use cortex_look::{uses::uses, viewpoint::Viewpoint};
use cortex_model::RepoPath;
use cortex_syntax::{
    FileFacts,
    text::{FileOffsets, decode},
};

use super::{Moving, inside::qualifier_before, namespaces_at, new_text};
use crate::{
    EditError,
    identifier::bare,
    rename::text_range,
    text_edit::TextEdit,
    usings::{Directives, any_facts},
};

/// Adds the edits of the files that use the type.
pub(super) fn add(
    views: &[(&Viewpoint<'_>, &Symbols)],
    moving: &Moving<'_>,
    edits: &mut BTreeMap<RepoPath, Vec<TextEdit>>,
) -> Result<(), EditError> {
    let mut places: BTreeMap<RepoPath, BTreeSet<(u32, u32)>> = BTreeMap::new();
    for (view, _) in views {
        let mut reader = view.blobs();
        let mut symbols = moving.located.symbols.clone();
        if moving.has_extensions() {
            symbols.extend(members_of(view, &moving.located.symbols)?);
        }
        let mut found = uses(view, &symbols)?;
        found.sort_by(|a, b| a.file.cmp(&b.file));
        for of_file in found.chunk_by(|a, b| a.file == b.file) {
            let bytes = reader.read_blob(of_file[0].blob)?;
            let offsets = FileOffsets::new(&decode(&bytes), bytes.len());
            let ranges = of_file.iter().map(|it| text_range(&offsets, it.range));
            let all = places.entry(of_file[0].file.clone()).or_default();
            all.extend(ranges.map(|range| (range.start, range.end)));
        }
    }
    let is_gone = !is_left(views, moving)?;
    if is_gone {
        let last = moving.old.rsplit('.').next().unwrap_or_default();
        for (view, _) in views {
            for file in view.snapshot().files_mentioning(&bare(last))? {
                places.entry(file.path).or_default();
            }
        }
    }
    let (view, symbols) = views[0];
    let mut reader = view.blobs();
    for (path, ranges) in places {
        let Some(file) = view.snapshot().file(&path)? else {
            continue;
        };
        let Some(facts) = any_facts(symbols, &path, &file.projects)? else {
            continue;
        };
        let bytes = reader.read_blob(file.blob)?;
        let source = decode(&bytes);
        let text = source.as_str();
        let is_declaring = moving.located.declarations.iter().any(|it| it.path == path);
        let mut of_file = qualified(moving, text, &ranges);
        if !is_declaring {
            let mut directives = Directives::of(view, views, &path, text, &facts)?;
            if (ranges.iter()).any(|&(start, end)| needs_import(moving, &facts, text, (start, end)))
            {
                directives.import(&moving.new);
            }
            if is_gone {
                directives.take_out(&moving.old);
            }
            of_file.extend(
                directives
                    .edits()
                    .map_err(|reason| moving.request.refused(reason, &[]))?,
            );
        }
        if !of_file.is_empty() {
            edits.entry(path).or_default().extend(of_file);
        }
    }
    Ok(())
}

/// The members of some types: code that names an extension need not name its type.
fn members_of(view: &Viewpoint<'_>, types: &[Target]) -> Result<Vec<Target>, EditError> {
    let mut out = Vec::new();
    for ty in types {
        let symbols = view.snapshot().symbols(ty.key())?;
        let tags = (0..symbols.members.len()).map(|at| symbols.tag(at));
        out.extend(tags.map(|tag| Target::Member(ty.key(), tag)));
    }
    Ok(out)
}

/// Whether a place needs the new namespace to be imported: the name of the type stands there alone, or what else is
/// used stands behind a value, as extensions do.
fn needs_import(
    moving: &Moving<'_>,
    facts: &FileFacts,
    text: &str,
    (start, end): (u32, u32),
) -> bool {
    let token = text.get(start as usize..end as usize).unwrap_or_default();
    if namespaces_at(facts, start).contains(&moving.new) {
        return false;
    }
    let is_directive = facts.usings.iter().any(|using| using.range.contains(start));
    match is_name(moving, token) {
        true => !crate::usings::is_qualified(text, start) && !is_directive,
        false => moving.has_extensions() && crate::usings::is_qualified(text, start),
    }
}

fn is_name(moving: &Moving<'_>, token: &str) -> bool {
    let name = moving.located.declarations[0].name();
    let token = bare(token);
    token == name || name.strip_suffix("Attribute") == Some(&token)
}

/// The edits that give names the new qualifier.
fn qualified(moving: &Moving<'_>, text: &str, places: &BTreeSet<(u32, u32)>) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    for &(start, end) in places {
        let token = text.get(start as usize..end as usize).unwrap_or_default();
        if !is_name(moving, token) {
            continue;
        }
        let Some(range) = qualifier_before(text, start) else {
            continue;
        };
        let written = &text[range.as_usize()];
        let (global, names) = match written.strip_prefix("global::") {
            Some(rest) => ("global::", rest),
            None => ("", written),
        };
        let names: String = names.chars().filter(|it| !it.is_whitespace()).collect();
        let names = names.trim_end_matches('.');
        // An alias of a namespace is no end of it, and stays.
        let is_end = moving.old == names
            || moving
                .old
                .strip_suffix(names)
                .is_some_and(|rest| rest.ends_with('.'));
        if is_end {
            edits.push(new_text(range, format!("{global}{}.", moving.new)));
        }
    }
    edits
}

/// Whether something is left in the old namespace: another type, or another namespace.
fn is_left(views: &[(&Viewpoint<'_>, &Symbols)], moving: &Moving<'_>) -> Result<bool, EditError> {
    let below = format!("{}.", moving.old);
    let is_there = |namespace: &str| namespace == moving.old || namespace.starts_with(&below);
    if is_there(&moving.new) {
        return Ok(true);
    }
    for (view, symbols) in views {
        let is_moved = |key| moving.located.symbols.iter().any(|it| it.key() == key);
        for (key, node) in view.snapshot().types()? {
            let namespace = node
                .fqn
                .rsplit_once('.')
                .map_or("", |(namespace, _)| namespace);
            if !is_moved(key) && !node.fqn.contains('+') && is_there(namespace) {
                return Ok(true);
            }
        }
        let mut files = symbols.assembly_files().into_iter();
        if files.any(|file| file.namespaces().iter().any(|it| is_there(it))) {
            return Ok(true);
        }
    }
    Ok(false)
}
