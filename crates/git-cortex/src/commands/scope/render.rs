//! Scopes for people and for programs.

use std::{borrow::Cow, fmt::Write};

use cortex_look::{ResolvedScope, ScopedFile};
use cortex_scope::{
    AtomKind, Catalog, CatalogItem, PREDEFINED, REPOSITORY, ScopeAtom, ScopeDescriptor, TokenOp,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::count;

/// The version of the forms below.
const SCHEMA: u32 = 1;

/// Data as it travels.
pub(super) fn value(data: &impl Serialize) -> Value {
    serde_json::to_value(data).expect("scopes hold nothing that JSON cannot")
}

pub(super) fn catalog_json(catalog: &Catalog) -> Value {
    let mut out = json!({ "schema": SCHEMA });
    out["items"] = value(&catalog.items);
    out["diagnostics"] = value(&catalog.diagnostics);
    out
}

/// One scope a line, under a heading for each kind; the flavors of a module on one line.
pub(super) fn catalog_text(catalog: &Catalog) -> String {
    let mut out = String::new();
    let mut heading = "";
    for item in &catalog.items {
        let next = heading_of(item);
        if next != heading {
            if !heading.is_empty() {
                out.push('\n');
            }
            let _ = writeln!(out, "{next}");
            heading = next;
        }
        let is_other_flavor =
            item.kind == AtomKind::Module && !item.scope_ref_id.ends_with(":MODULE");
        if is_other_flavor {
            continue;
        }
        let _ = write!(out, "  {}", item.display_name);
        let notes: Vec<&str> = [
            (item.scope_shape != cortex_scope::ScopeShape::Global).then_some("ranges"),
            // What stands in `<…>` says so itself.
            (item.requires_user_input && item.kind == AtomKind::Standard)
                .then_some("told by who asks"),
            item.unavailable.as_deref(),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !notes.is_empty() {
            let _ = write!(out, " ({})", notes.join(", "));
        }
        if item.kind == AtomKind::NamedScope
            && let Some(holder) = holder(item)
            && holder != PREDEFINED
        {
            let _ = write!(out, " ({holder})");
        }
        out.push('\n');
    }
    out
}

fn heading_of(item: &CatalogItem) -> &'static str {
    match item.kind {
        AtomKind::Standard => "Standard",
        AtomKind::ProviderScope => "Of git and the index",
        AtomKind::NamedScope => "Named",
        AtomKind::Module => "Modules, each also as MODULE_WITH_DEPENDENCIES and the like",
        AtomKind::Pattern | AtomKind::Directory | AtomKind::Files => "Given",
    }
}

fn holder(item: &CatalogItem) -> Option<&str> {
    let rest = item.scope_ref_id.strip_prefix("named:")?;
    rest.split_once(':').map(|(holder, _)| holder)
}

/// The scope as an expression, its atoms, and the program.
pub(super) fn descriptor_text(descriptor: &ScopeDescriptor) -> String {
    let mut out = format!("{}\n", descriptor.display_name);
    let _ = writeln!(
        out,
        "shape: {}",
        descriptor.scope_shape.as_str().to_lowercase()
    );
    let program: Vec<&str> = descriptor
        .tokens
        .iter()
        .map(|token| match (token.op, &token.atom_id) {
            (TokenOp::PushAtom, Some(id)) => id.as_str(),
            (op, _) => op.as_str(),
        })
        .collect();
    let _ = writeln!(out, "program: {}", program.join(" "));
    let width = descriptor.atoms.iter().map(|it| it.atom_id.chars().count());
    let width = width.max().unwrap_or(0);
    for atom in &descriptor.atoms {
        let id = &atom.atom_id;
        let _ = writeln!(out, "  {id:width$}  {}", atom_text(atom));
    }
    out
}

fn atom_text(atom: &ScopeAtom) -> String {
    let reference = atom.scope_ref_id.as_deref();
    // Where the stable name is a hash, what it is of.
    let meant = match atom.kind {
        AtomKind::Pattern => atom.pattern_text.clone(),
        AtomKind::Files => Some(atom.file_urls.join(" ")),
        AtomKind::ProviderScope => atom.provider_scope_id.clone(),
        AtomKind::NamedScope if reference.is_none() => atom.named_scope_name.clone(),
        _ => None,
    };
    let parts = [Some(atom.kind.as_str()), reference, meant.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    parts.join("  ")
}

pub(super) fn resolved_json(resolved: &ResolvedScope) -> Value {
    json!({
        "schema": SCHEMA,
        "descriptor": value(&resolved.descriptor),
        "n_files": resolved.scope.n_files(),
    })
}

pub(super) fn resolved_text(resolved: &ResolvedScope) -> String {
    let mut out = descriptor_text(&resolved.descriptor);
    let _ = writeln!(out, "{}", count(resolved.scope.n_files(), "file"));
    out
}

pub(super) fn files_json(resolved: &ResolvedScope, files: &[ScopedFile], offset: usize) -> Value {
    let listed: Vec<Value> = files.iter().map(file_json).collect();
    let total = resolved.scope.n_files();
    json!({
        "schema": SCHEMA,
        "descriptor": value(&resolved.descriptor),
        "n_files": total,
        "offset": offset,
        "has_more": offset.saturating_add(files.len()) < total,
        "files": listed,
    })
}

/// Whether one file was found to be in a scope, and what of it.
pub(super) fn contains_json(resolved: &ResolvedScope, files: &[ScopedFile]) -> Value {
    let listed: Vec<Value> = files.iter().map(file_json).collect();
    json!({
        "schema": SCHEMA,
        "descriptor": value(&resolved.descriptor),
        "contains": !listed.is_empty(),
        "files": listed,
    })
}

fn file_json(file: &ScopedFile) -> Value {
    let mut out = json!({ "url": file.url });
    if let Some(path) = file.url.strip_prefix(REPOSITORY) {
        out["path"] = json!(path);
    }
    if let Some(ranges) = &file.ranges {
        let each = ranges.iter().map(|range| {
            json!({
                "start": range.start,
                "end": range.end,
                "first_line": range.first_line,
                "last_line": range.last_line,
            })
        });
        out["ranges"] = each.collect();
    }
    out
}

/// A path a line, as `grep` takes it; of a file that is in the scope in part, with its lines.
pub(super) fn files_text(files: &[ScopedFile]) -> String {
    let mut out = String::new();
    for file in files {
        out.push_str(&quoted(name_of(file)));
        // Declarations on neighbouring lines are one block to people.
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        for range in file.ranges.iter().flatten() {
            match blocks.last_mut() {
                Some((_, last)) if range.first_line <= *last + 1 => {
                    *last = range.last_line.max(*last);
                }
                _ => blocks.push((range.first_line, range.last_line)),
            }
        }
        for (at, (first, last)) in blocks.into_iter().enumerate() {
            out.push(if at == 0 { ':' } else { ',' });
            let _ = match first == last {
                true => write!(out, "{first}"),
                false => write!(out, "{first}-{last}"),
            };
        }
        out.push('\n');
    }
    out
}

/// The paths as they are, each with a NUL behind it, for `xargs -0`.
pub(super) fn files_null(files: &[ScopedFile]) -> String {
    files.iter().fold(String::new(), |mut out, file| {
        out.push_str(name_of(file));
        out.push('\0');
        out
    })
}

fn name_of(file: &ScopedFile) -> &str {
    file.url.strip_prefix(REPOSITORY).unwrap_or(&file.url)
}

/// A name as git prints it with `core.quotePath=false`: one with control characters, quotes or backslashes is a string
/// of C, so that it never looks like two.
fn quoted(name: &str) -> Cow<'_, str> {
    let is_odd = |c: char| c.is_ascii_control() || matches!(c, '"' | '\\');
    if !name.contains(is_odd) {
        return Cow::Borrowed(name);
    }
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => {
                let _ = write!(out, "\\{:03o}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    Cow::Owned(out)
}
