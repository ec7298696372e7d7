//! A namespace gets another name, with those below it: in its declarations, in directives, in qualified names and in
//! documentation. Folders and files stay.
//!
//! Code of the namespace sees the types of the namespaces around it without importing them; where these are others
//! afterwards, its files import what they need.
//!
//! Owns: which places change. Must not know: whether the code means the same afterwards ([`crate::proof`]).

mod checks;
mod occurrence;
mod resolve;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::{
    mentioned::{MentionedName, OtherTexts},
    viewpoint::Viewpoint,
};
use cortex_model::RepoPath;
use cortex_semantics::{LocalSymbol, ProjectId, UnitKey};
use cortex_syntax::{FileFacts, UsingKind, text::decode};
use cortex_wire::{Doubt, DoubtReason, EditKind, Residue, ResidueKind};

pub(crate) use self::resolve::namespace_named;
use self::{
    checks::check,
    occurrence::{NewName, Occurrence},
};
use super::{declared, global::mentioning, local};
use crate::{
    EditError,
    conflicts::Locals,
    draft::Draft,
    move_type::{chain, namespaces_at, needed},
    plan::{Plan, RenamedNamespace},
    proof::{PlaceBefore, Proof},
    text_edit::{TextEdit, TextEdits},
    texts::{Extent, MentioningTexts},
    usings::{Directives, any_facts},
};

/// A rename of a namespace.
pub(crate) struct NamespaceRename {
    /// Full names, without `@`.
    names: RenamedNamespace,
    /// The new name as code writes it.
    written: Vec<String>,
    /// The texts that get the new name as well.
    also: Vec<ResidueKind>,
}

impl NamespaceRename {
    fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help: vec![help.to_owned()],
        }
    }

    fn title(&self) -> String {
        format!("rename `{}` to `{}`", self.names.old, self.names.new)
    }

    /// The namespaces that code of the old one sees without importing them, and that code of the new one does not.
    fn lost(&self) -> BTreeSet<&str> {
        let kept: BTreeSet<&str> = chain(&self.names.new).into_iter().collect();
        let around = chain(&self.names.old).into_iter().skip(1);
        around.filter(|it| !kept.contains(it)).collect()
    }
}

/// Plans to rename a namespace. At the places of `qualified` names are written from `global::` on.
///
/// # Errors
/// [`EditError::Refused`] for what cannot be renamed so, [`EditError::NoChange`]; those of the index.
pub(crate) fn plan_namespace(
    views: &[(&Viewpoint<'_>, &Symbols)],
    renaming: &NamespaceRename,
    qualified: &BTreeSet<PlaceBefore>,
) -> Result<Draft, EditError> {
    if renaming.names.old == renaming.names.new {
        return Err(EditError::NoChange {
            doing: renaming.title(),
        });
    }
    let gone = check(views, renaming)?;
    let mut places: BTreeMap<RepoPath, BTreeSet<Occurrence>> = BTreeMap::new();
    for view in views {
        add_places(*view, renaming, &gone, &mut places)?;
    }
    let importing = importing_everywhere(views, renaming)?;
    for path in importing.files.iter() {
        places.entry(path.clone()).or_default();
    }
    let mut edits = BTreeMap::new();
    for (path, occurrences) in &places {
        let of_file = OfFile {
            renaming,
            gone: &gone,
            everywhere: &importing.namespaces,
            qualified,
        };
        let made = of_file.edits(views, path, occurrences)?;
        if !made.is_empty() {
            let overlap = || renaming.refused(format!("two places of `{path}` overlap"), "");
            edits.insert(path.clone(), TextEdits::new(made).ok_or_else(overlap)?);
        }
    }
    let (view, _) = views[0];
    if !renaming.also.is_empty() {
        let texts = MentioningTexts::find(view, &renaming.names.old, Extent::CSharp)?;
        texts.add_edits(view, (&renaming.also, &renaming.names.new), &mut edits)?;
    }
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    plan.edits_strings = renaming.also.contains(&ResidueKind::String);
    plan.namespace = Some(renaming.names.clone());
    let segments = [&renaming.names.old, &renaming.names.new].map(|it| it.rsplit('.').next());
    let first = renaming.names.new.split('.').next();
    let names = segments.into_iter().chain([first]).flatten();
    Ok(Draft {
        kind: EditKind::Rename,
        title: renaming.title(),
        subject: None,
        n_family: 0,
        names: names.map(str::to_owned).collect(),
        locals: Locals::Kept,
        old_name: Some(renaming.names.old.clone()),
        left_alone: BTreeMap::new(),
        plan,
    })
}

/// Adds where the files of a view name the namespace, one around it that goes, or, inside of the namespace, another one
/// by a part of its name.
fn add_places(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    renaming: &NamespaceRename,
    gone: &BTreeSet<String>,
    places: &mut BTreeMap<RepoPath, BTreeSet<Occurrence>>,
) -> Result<(), EditError> {
    let lost = renaming.lost();
    let last = |namespace: &str| namespace.rsplit('.').next().unwrap_or_default().to_owned();
    let mut units: BTreeSet<(RepoPath, usize)> = BTreeSet::new();
    for namespace in std::iter::once(&renaming.names.old).chain(gone) {
        for (path, project) in mentioning(view, &last(namespace))? {
            let project = declared::project_id(symbols, &project);
            units.extend(project.map(|project| (path, project.index())));
        }
    }
    let types = view.snapshot().types()?;
    let types = types.into_iter().filter(|(_, node)| {
        let namespace = resolve::namespace_of(&node.fqn);
        renaming.names.renamed(namespace).is_some()
    });
    symbols.read(|compilation| {
        let add = || -> Result<(), EditError> {
            // What only declares the namespace mentions no name.
            for (key, _) in types {
                let declaring = compilation.units_of(declared::type_id(compilation, key)?);
                units.extend(
                    declaring
                        .into_iter()
                        .map(|it| (it.path, it.project.index())),
                );
            }
            for (path, project) in units {
                let project = ProjectId::new(project);
                let unit = UnitKey { path, project };
                let mut reader = view.blobs();
                let bound = local::bindings(symbols, compilation, &unit, &mut *reader, view)?;
                let name_of = |symbol| match symbol {
                    LocalSymbol::Namespace(name) => Some(compilation.text(name)),
                    _ => None,
                };
                let mut found = BTreeSet::new();
                for declaration in &bound.declarations {
                    if name_of(declaration.symbol) == Some(&renaming.names.old) {
                        found.insert(Occurrence::declaration(declaration.range));
                    }
                }
                for used in &bound.uses {
                    let Some(name) = name_of(used.symbol) else {
                        continue;
                    };
                    let parent = name.rsplit_once('.').map_or("", |(parent, _)| parent);
                    if name == renaming.names.old {
                        found.insert(Occurrence::of(used.range));
                    } else if lost.contains(parent) && renaming.names.renamed(name).is_none() {
                        found.insert(Occurrence::other(used.range, parent));
                    }
                }
                places.entry(unit.path).or_default().extend(found);
            }
            Ok(())
        };
        Ok(add())
    })?
}

/// What project files import into every file of theirs.
#[derive(Default)]
struct ImportedEverywhere {
    /// The namespaces that get another name.
    namespaces: BTreeSet<String>,
    /// The files of these projects.
    files: BTreeSet<RepoPath>,
}

fn importing_everywhere(
    views: &[(&Viewpoint<'_>, &Symbols)],
    renaming: &NamespaceRename,
) -> Result<ImportedEverywhere, EditError> {
    let mut found = ImportedEverywhere::default();
    for (view, symbols) in views {
        let mut projects = BTreeSet::new();
        for record in symbols.projects() {
            let usings = record.project.usings.iter().map(|using| &using.target);
            let mut own = usings.filter(|it| renaming.names.renamed(it).is_some());
            if let Some(namespace) = own.next() {
                found.namespaces.insert(namespace.clone());
                found.namespaces.extend(own.cloned());
                projects.insert(&record.project.path);
            }
        }
        if projects.is_empty() {
            continue;
        }
        let files = view.snapshot().files()?.into_iter();
        let compiled = files.filter(|file| file.projects.iter().any(|it| projects.contains(it)));
        found.files.extend(compiled.map(|file| file.path));
    }
    Ok(found)
}

/// What is known about the edits of every file.
struct OfFile<'f> {
    renaming: &'f NamespaceRename,
    gone: &'f BTreeSet<String>,
    everywhere: &'f BTreeSet<String>,
    qualified: &'f BTreeSet<PlaceBefore>,
}

impl OfFile<'_> {
    /// The edits of one file.
    fn edits(
        &self,
        views: &[(&Viewpoint<'_>, &Symbols)],
        path: &RepoPath,
        occurrences: &BTreeSet<Occurrence>,
    ) -> Result<Vec<TextEdit>, EditError> {
        let (view, symbols) = views[0];
        let Some(file) = view.snapshot().file(path)? else {
            return Ok(Vec::new());
        };
        let Some(facts) = any_facts(symbols, path, &file.projects)? else {
            return Ok(Vec::new());
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let text = source.as_str();
        let renaming = self.renaming;
        let mut directives = Directives::of(view, views, path, text, &facts)?;
        // A directive of what the file imports already goes.
        let is_twice = imports(&facts, text, &renaming.names.new);
        let mut edits = Vec::new();
        for occurrence in occurrences {
            if is_twice && is_import(&facts, text, occurrence, &renaming.names.old) {
                directives.take_out(&renaming.names.old);
                continue;
            }
            let name = NewName {
                old: &renaming.names.old,
                new: &renaming.written,
                is_global: occurrence.has_place_of(text, path, self.qualified),
                is_directive: (facts.usings.iter())
                    .any(|using| using.range.contains(occurrence.range.start)),
            };
            let is_inside = || {
                let around = namespaces_at(&facts, occurrence.range.start);
                around.contains(&renaming.names.old)
            };
            let made = occurrence.edits(text, &name, &is_inside);
            edits.extend(made.map_err(|reason| {
                let lines = cortex_model::LineTable::new(text.as_bytes());
                let line = lines.position(occurrence.range.start).line;
                let help = "write that namespace in one declaration, or in one name, first";
                renaming.refused(format!("{path}:{line}: {reason}"), help)
            })?);
        }
        for namespace in self.gone {
            directives.take_out(namespace);
        }
        let mut imported = BTreeSet::new();
        let lost = renaming.lost();
        let is_inside = (facts.decls.iter()).any(|decl| {
            decl.kind == cortex_model::DeclKind::Namespace
                && namespaces_at(&facts, decl.name_range.start).contains(&renaming.names.old)
        });
        if is_inside && !lost.is_empty() || !self.everywhere.is_empty() {
            for namespace in needed(views, &|_| Ok(Vec::new()), path, text)? {
                if is_inside && lost.contains(namespace.as_str()) {
                    imported.insert(namespace);
                } else if self.everywhere.contains(&namespace) && !is_inside {
                    imported.extend(renaming.names.renamed(&namespace));
                }
            }
        }
        for namespace in &imported {
            directives.import(namespace);
        }
        let made = directives.edits();
        edits.extend(made.map_err(|reason| {
            let help = "write its using directives outside of `#if` first";
            renaming.refused(format!("{path}: {reason}"), help)
        })?);
        Ok(edits)
    }
}

/// Whether a file imports a namespace by its full name.
fn imports(facts: &FileFacts, text: &str, namespace: &str) -> bool {
    let mut usings = facts.usings.iter();
    usings
        .any(|using| using.kind == UsingKind::Namespace && imported(text, using.range) == namespace)
}

/// Whether a place is in a directive that imports a namespace by its full name, and does nothing else.
fn is_import(facts: &FileFacts, text: &str, occurrence: &Occurrence, namespace: &str) -> bool {
    let mut usings = facts.usings.iter();
    usings.any(|using| {
        using.range.contains(occurrence.range.start)
            && using.kind == UsingKind::Namespace
            && !using.global
            && imported(text, using.range) == namespace
    })
}

/// What stands between `using` and `;`.
fn imported(text: &str, range: cortex_model::ByteRange) -> String {
    let text = text.get(range.as_usize()).unwrap_or_default();
    let text = text.trim_start_matches("global ").trim_end_matches(';');
    let text = text.trim().strip_prefix("using").unwrap_or_default();
    let name: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    name.strip_prefix("global::")
        .map(str::to_owned)
        .unwrap_or(name)
}

/// Lists the comments and strings that have the old name and stay as they are, and the lines outside of C#. What a
/// project imports by it is not imported any more.
///
/// # Errors
/// Those of the index.
pub(crate) fn add_mentions(
    view: &Viewpoint<'_>,
    (renaming, plan): (&NamespaceRename, &Plan),
    found: &mut Proof,
) -> Result<(), EditError> {
    let old = &renaming.names.old;
    MentioningTexts::find(view, old, Extent::CSharp)?.add_residue(plan, found);
    let name = MentionedName {
        name: old.rsplit('.').next().unwrap_or_default().to_owned(),
        is_type: false,
        languages: &[],
    };
    for mention in OtherTexts::of(view.index, view.side).places_of(&name)? {
        if !has_name(&mention.text, old) {
            continue;
        }
        let place = (mention.file.clone(), mention.line);
        let is_import = mention.text.trim_start().starts_with("<Using ");
        if is_import {
            found.doubts.entry(place).or_insert(Doubt {
                file: mention.file,
                line: mention.line,
                reason: DoubtReason::Mentioned,
                used_by: None,
            });
        } else {
            found.residue.entry(place).or_insert(Residue {
                file: mention.file,
                line: mention.line,
                kind: ResidueKind::File,
                text: mention.text,
            });
        }
    }
    Ok(())
}

/// Whether a text has a full name that is not the end of a longer one.
pub(crate) fn has_name(text: &str, name: &str) -> bool {
    let is_part = |it: char| it == '_' || it.is_alphanumeric();
    let mut all = text.match_indices(name);
    all.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(|it| is_part(it) || it == '.') && !behind.is_some_and(is_part)
    })
}
