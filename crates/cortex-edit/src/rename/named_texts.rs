//! The strings in attributes that name what is renamed.
//!
//! Must not know: which attributes have such strings ([`super::attribute_texts`]).

use std::collections::BTreeSet;

use cortex_derived::target::Target;
use cortex_index::Symbols;
use cortex_look::{text_mentions::mentions_in_csharp, viewpoint::Viewpoint};
use cortex_model::{ByteRange, RepoPath};
use cortex_semantics::{Compilation, ProjectId, TypeId, UnitId, UnitKey};
use cortex_syntax::{DeclId, FileFacts, Sections, text::decode};

use super::{
    NamePlaces,
    attribute_texts::{Naming, NamingText, names_in_id, naming_texts},
    declared,
    global::used_places,
};
use crate::EditError;

/// A file inside of a project, with its text.
pub(super) struct File {
    pub(super) unit: UnitKey,
    pub(super) facts: FileFacts,
    pub(super) text: String,
}

impl File {
    fn texts_named<'f>(&'f self, name: &'f str) -> impl Iterator<Item = NamingText> + 'f {
        let is_it = move |range: ByteRange| self.text.get(range.as_usize()) == Some(name);
        let all = naming_texts(&self.facts, &self.text).into_iter();
        all.filter(move |it| is_it(it.range))
    }
}

/// Adds the strings that name a parameter: those in the attributes of the declarations that declare it.
pub(super) fn add_of_parameter(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    name: &str,
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    let paths: Vec<RepoPath> = places.by_file.keys().cloned().collect();
    for path in paths {
        for file in files_at(view, symbols, &path, &|_| true)? {
            let named = places.by_file.get(&path).map_or(&[][..], Vec::as_slice);
            let found: Vec<ByteRange> = (file.texts_named(name))
                .filter(|it| {
                    let Naming::Parameter(decl) = it.naming else {
                        return false;
                    };
                    named
                        .iter()
                        .any(|place| declaring(&file.facts, *place, name) == Some(decl))
                })
                .map(|it| it.range)
                .collect();
            places.add_texts(&path, found);
        }
    }
    Ok(())
}

/// The innermost declaration around a place that has a parameter of a name.
fn declaring(facts: &FileFacts, place: ByteRange, name: &str) -> Option<DeclId> {
    let around = (facts.decls.iter().zip(0..)).filter(|(decl, _)| {
        let mut params = decl.params.iter().flatten();
        decl.range.contains(place.start) && params.any(|param| facts.name(param.name) == name)
    });
    around.map(|(_, id)| id).last()
}

/// Adds the strings that name one of some types or members by its name or its documentation id. `only`: the files that
/// may name them; all files otherwise.
pub(super) fn add_of_symbols(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    (all, ids): (&[Target], &[Option<String>]),
    (name, only): (&str, Option<&BTreeSet<RepoPath>>),
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    let mentions = mentions_in_csharp(view, name, only)?.into_iter();
    let paths: BTreeSet<RepoPath> = mentions
        .filter(|mention| mention.is_string)
        .map(|mention| mention.file)
        .collect();
    let owners: Vec<Target> = (all.iter())
        .filter(|symbol| matches!(symbol, Target::Member(..)))
        .map(|symbol| Target::Type(symbol.key()))
        .collect();
    let mut uses_of_owners: Option<NamePlaces> = None;
    for path in paths {
        for file in files_at(view, symbols, &path, &|_| true)? {
            let by_id = naming_texts(&file.facts, &file.text);
            let by_id = by_id.iter().filter(|it| it.naming == Naming::Id);
            let in_ids: Vec<ByteRange> = by_id.flat_map(|it| in_id(&file, it.range, ids)).collect();
            places.add_texts(&path, in_ids);
            let mut found = Vec::new();
            for text in file.texts_named(name).filter(|_| !owners.is_empty()) {
                let is_of_owner = match text.naming {
                    Naming::Parameter(_) | Naming::Id => false,
                    Naming::MemberAround(decl) => symbols.read(|compilation| {
                        let unit = compilation.unit_id(&file.unit);
                        Ok(inherits(compilation, (unit, decl), &owners))
                    })??,
                    Naming::MemberOf(offset) => {
                        if uses_of_owners.is_none() {
                            uses_of_owners = Some(used_places(view, &owners, None)?.0);
                        }
                        let uses = uses_of_owners
                            .iter()
                            .flat_map(|uses| uses.by_file.get(&path));
                        uses.flatten().any(|place| place.contains(offset))
                    }
                };
                if is_of_owner {
                    found.push(text.range);
                }
            }
            places.add_texts(&path, found);
        }
    }
    Ok(())
}

/// Where a documentation id in a text has the name of one of the symbols.
fn in_id(file: &File, range: ByteRange, ids: &[Option<String>]) -> Vec<ByteRange> {
    let text = &file.text[range.as_usize()];
    let names = ids.iter().flatten().flat_map(|id| names_in_id(text, id));
    let names = names.map(|it| ByteRange {
        start: range.start + it.start,
        end: range.start + it.end,
    });
    names.collect()
}

/// Whether the type around a declaration is one of some types, or inherits from one.
fn inherits(
    compilation: &Compilation<'_>,
    (unit, decl): (UnitId, DeclId),
    owners: &[Target],
) -> Result<bool, EditError> {
    let Some(around) = type_around(compilation, unit, decl) else {
        return Ok(false);
    };
    let mut types = Vec::with_capacity(owners.len());
    for owner in owners {
        types.push(declared::type_id(compilation, owner.key())?);
    }
    let mut next = Some(compilation.instance_type(around));
    while let Some(ty) = next {
        let Some(definition) = compilation.def_of(ty) else {
            break;
        };
        if types.contains(&definition) {
            return Ok(true);
        }
        next = compilation.base_type(ty);
    }
    Ok(false)
}

/// The type that a declaration is, or is in.
fn type_around(compilation: &Compilation<'_>, unit: UnitId, decl: DeclId) -> Option<TypeId> {
    let own = compilation.type_of_decl(unit, decl);
    own.or_else(|| compilation.type_around_decl(unit, decl))
}

/// A file, inside of each project that compiles it; nothing where its text is of no interest.
pub(super) fn files_at(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    path: &RepoPath,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<File>, EditError> {
    let Some(summary) = view.snapshot().file(path)? else {
        return Ok(Vec::new());
    };
    let bytes = view.blobs().read_blob(summary.blob)?;
    let source = decode(&bytes);
    let mut out = Vec::new();
    if !is_wanted(source.as_str()) {
        return Ok(out);
    }
    for project in symbols.projects_of(path)? {
        if let Some(facts) = symbols.facts(path, project, Sections::Bodies)? {
            out.push(File {
                unit: UnitKey {
                    path: path.clone(),
                    project: ProjectId::new(project),
                },
                facts,
                text: source.as_str().to_owned(),
            });
        }
    }
    Ok(out)
}
