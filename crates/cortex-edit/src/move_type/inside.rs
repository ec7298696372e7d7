//! The files of a type that moves: the name of their namespace, and what they have to import of the one that was around
//! them.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, DeclKind, RepoPath};
use cortex_semantics::{Compilation, Findings, MemberFlags, ProjectId, Target, TypeId, UnitKey};
use cortex_syntax::Sections;

use super::{MoveType, Moving, chain, new_text, project::types_of};
use crate::{
    EditError,
    located::Located,
    text_edit::{TextEdit, TextEdits},
    usings::{Directives, is_qualified},
};

/// Adds the edits of the files of the type.
pub(super) fn add(
    views: &[(&Viewpoint<'_>, &Symbols)],
    moving: &Moving<'_>,
    edits: &mut BTreeMap<RepoPath, Vec<TextEdit>>,
) -> Result<(), EditError> {
    let (view, _) = views[0];
    let around_new: BTreeSet<&str> = chain(&moving.new).into_iter().collect();
    let lost: BTreeSet<&str> = (chain(&moving.old).into_iter())
        .filter(|namespace| !around_new.contains(namespace))
        .collect();
    let mut done = BTreeSet::new();
    for declaration in &moving.located.declarations {
        if !done.insert(&declaration.path) {
            continue;
        }
        let (path, facts) = (&declaration.path, &declaration.facts);
        let namespace = facts.decls.iter().find(|it| it.kind == DeclKind::Namespace);
        let Some(namespace) = namespace else { continue };
        let of_file = edits.entry(path.clone()).or_default();
        of_file.push(new_text(namespace.name_range, moving.new.clone()));
        let types = |compilation: &Compilation<'_>| moving.types(compilation);
        let needed = needed(views, &types, path, &declaration.text)?;
        let needed = needed.iter().filter(|it| lost.contains(it.as_str()));
        let mut directives = Directives::of(view, views, path, &declaration.text, facts)?;
        for namespace in needed {
            directives.import(namespace);
        }
        of_file.extend(
            directives
                .edits()
                .map_err(|reason| moving.request.refused(reason, &[]))?,
        );
    }
    Ok(())
}

/// The directives of files that go to another project, for what the old one imports into each file. `lost`: that.
pub(super) fn imports(
    views: &[(&Viewpoint<'_>, &Symbols)],
    located: &Located,
    request: &MoveType<'_>,
    lost: &BTreeSet<String>,
) -> Result<BTreeMap<RepoPath, TextEdits>, EditError> {
    let (view, _) = views[0];
    let mut out = BTreeMap::new();
    for declaration in &located.declarations {
        let path = &declaration.path;
        let types = |c: &Compilation<'_>| types_of(c, &located.symbols);
        let needed = needed(views, &types, path, &declaration.text)?;
        let mut directives =
            Directives::of(view, views, path, &declaration.text, &declaration.facts)?;
        directives.leave(lost);
        for namespace in needed.intersection(lost) {
            directives.import(namespace);
        }
        let edits = directives.edits();
        let edits = edits.map_err(|reason| request.refused(reason, &[]))?;
        out.extend(TextEdits::new(edits).map(|edits| (path.clone(), edits)));
    }
    Ok(out)
}

/// The types that move.
type MovedTypes<'t> = &'t dyn Fn(&Compilation<'_>) -> Result<Vec<TypeId>, EditError>;

/// The namespaces that the code of a file needs for types that stay.
pub(crate) fn needed(
    views: &[(&Viewpoint<'_>, &Symbols)],
    moved: MovedTypes<'_>,
    path: &RepoPath,
    text: &str,
) -> Result<BTreeSet<String>, EditError> {
    let mut out = BTreeSet::new();
    for (view, symbols) in views {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        let projects = file.projects.iter();
        for project in projects.filter_map(|it| symbols.project_index(it)) {
            let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
                continue;
            };
            let unit = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            symbols.read(|compilation| {
                let bound = compilation.bind_unit(&unit, &facts);
                let types = moved(compilation);
                for (_, findings) in &bound.decls {
                    let types = types.as_deref().unwrap_or_default();
                    add_needed(compilation, findings, (types, text), &mut out);
                }
                Ok(())
            })?;
        }
    }
    Ok(out)
}

fn add_needed(
    compilation: &Compilation<'_>,
    findings: &Findings,
    (types, text): (&[TypeId], &str),
    out: &mut BTreeSet<String>,
) {
    let mut add = |ty: TypeId| {
        if !Moving::is_moved(compilation, types, ty) {
            let namespace = compilation.text(compilation.def(ty).namespace);
            out.insert(namespace.to_owned());
        }
    };
    for found in &findings.refs {
        match found.target {
            Target::Type(ty) if !is_qualified(text, found.offset) => {
                add(ty);
                // What is not qualified may be inherited; then the import is one too many, and nothing else.
            }
            Target::Type(_) => {}
            Target::Member(member) => {
                let declared = compilation.member(member);
                let is_extension = declared.is(MemberFlags::EXTENSION)
                    || declared.is(MemberFlags::EXTENSION_BLOCK);
                let is_constructor = declared.kind == DeclKind::Constructor;
                let is_attribute = is_constructor && !is_qualified(text, found.offset);
                if is_extension || is_attribute {
                    add(declared.owner);
                }
            }
        }
    }
    for used in &findings.uses {
        let declared = compilation.member(used.target);
        if declared.is(MemberFlags::EXTENSION) || declared.is(MemberFlags::EXTENSION_BLOCK) {
            add(declared.owner);
        }
    }
}

/// What stands before a name and a dot: names, dots and colons, back to where they begin.
pub(crate) fn qualifier_before(text: &str, name: u32) -> Option<ByteRange> {
    let before = text.get(..name as usize)?.trim_end();
    if !before.ends_with('.') || before.ends_with("..") {
        return None;
    }
    let is_part =
        |it: char| it == '_' || it == '@' || it.is_alphanumeric() || it == '.' || it == ':';
    let start = before.trim_end_matches(is_part).len();
    Some(ByteRange {
        start: start as u32,
        end: name,
    })
}
