//! Parameters, type parameters, locals, labels and aliases: what is bound again file by file.

use std::collections::BTreeSet;

use cortex_git::ReadBlob;
use cortex_index::{IndexError, Symbols, unit_key};
use cortex_look::{
    symbol::{offset_at, place_of},
    viewpoint::Viewpoint,
};
use cortex_model::RepoPath;
use cortex_semantics::{
    Compilation, GlobalUsing, LocalBindings, LocalKind, LocalSymbol, MemberFlags, MemberId,
    ProjectId, TypeOrigin, TypeParamId, TypeParamOwner, UnitKey,
};
use cortex_syntax::{FileFacts, Sections, UsingKind, text::decode};

use super::{Found, NamePlaces, Reach, SeenBy, declared, global::mentioning, named_texts};
use crate::{EditError, identifier::bare};

/// What stands at a place.
pub(super) enum AtPlace {
    /// A symbol that snapshots do not store, with every place of its name.
    Local(Box<Found>),
    /// The parameter of a record that is a property as well, by the documentation id of that.
    Property(String),
}

/// Finds every place of the name of a symbol that snapshots do not store; `None` where the text is no place of one.
/// `elsewhere`: its places for another target framework. Where one of them alone compiles that declaration, the symbol is
/// the one that the code of both uses: each may have a declaration of its own.
pub(super) fn find(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    (text, elsewhere): (&str, Option<&NamePlaces>),
) -> Result<Option<AtPlace>, EditError> {
    let Some((path, line, Some(column))) = place_of(text) else {
        return Ok(None);
    };
    let Some(file) = view.snapshot().file(&path)? else {
        return Ok(None);
    };
    let projects = file.projects.iter();
    let Some(project) = projects
        .filter_map(|project| declared::project_id(symbols, project))
        .next()
    else {
        return Ok(None);
    };
    let bytes = view.blobs().read_blob(file.blob)?;
    let source = decode(&bytes);
    let Some(offset) = offset_at(source.as_bytes(), line, column) else {
        return Ok(None);
    };
    let unit = UnitKey { path, project };
    symbols.read(|compilation| {
        let found = || -> Result<Option<AtPlace>, EditError> {
            let locals = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
            let shared = elsewhere.and_then(|places| places.by_file.get(&unit.path));
            let mut shared = shared.into_iter().flatten().map(|place| place.start);
            let at_place = locals.name_at(offset);
            let Some((range, symbol)) =
                at_place.or_else(|| shared.find_map(|it| locals.name_at(it)))
            else {
                return Ok(None);
            };
            let token = source.as_str().get(range.as_usize()).map(bare);
            let named = named(
                symbols,
                compilation,
                view,
                &locals,
                (symbol, token.as_deref()),
            )?;
            let Some((name, kind)) = named else {
                return Ok(None);
            };
            if kind == LocalKind::Namespace {
                return Ok(None);
            }
            if let Some(property) = property_of(compilation, symbol, &name) {
                return Ok(Some(AtPlace::Property(compilation.member_doc_id(property))));
            }
            let mut places = NamePlaces::default();
            add(&unit.path, &locals, symbol, &mut places);
            if let LocalSymbol::Parameter(member, _) | LocalSymbol::Receiver(member) = symbol {
                others(
                    view,
                    symbols,
                    compilation,
                    (symbol, member),
                    &name,
                    &mut places,
                )?;
            }
            if let LocalSymbol::Parameter(..) = symbol {
                named_texts::add_of_parameter(view, symbols, &name, &mut places)?;
            }
            if let LocalSymbol::TypeParameter(param) = symbol {
                other_parts(view, symbols, compilation, (&unit, param), &mut places)?;
            }
            Ok(Some(AtPlace::Local(Box::new(Found {
                subject: None,
                old_name: name,
                places,
                named_files: Vec::new(),
                n_family: 0,
                has_parameters: false,
                reach: Reach::Written,
                parts: BTreeSet::new(),
                // All parts of a type or a method declare its type parameters.
                seen_in: match symbol {
                    LocalSymbol::Declared(_) | LocalSymbol::TypeParameter(_) => {
                        Some(BTreeSet::from([unit.path.clone()]))
                    }
                    _ => None,
                },
                seen_by: match symbol {
                    LocalSymbol::Parameter(..) | LocalSymbol::Receiver(_) => SeenBy::Arguments,
                    _ => SeenBy::OwnFiles,
                },
            }))))
        };
        Ok(found())
    })?
}

/// The property that the parameter of a record is as well.
fn property_of(compilation: &Compilation<'_>, symbol: LocalSymbol, name: &str) -> Option<MemberId> {
    let LocalSymbol::Parameter(member, _) = symbol else {
        return None;
    };
    let constructor = compilation.member(member);
    if !constructor.is(MemberFlags::PRIMARY) {
        return None;
    }
    let named = compilation.members(constructor.owner);
    let mut named = named.named(compilation.name(name)).iter().copied();
    named.find(|&it| compilation.member(it).is(MemberFlags::POSITIONAL))
}

/// Adds what a property of a record is called as a parameter.
pub(super) fn positional(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    property: MemberId,
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    let declared = compilation.member(property);
    let Some(constructor) = compilation.primary_constructor(declared.owner) else {
        return Ok(());
    };
    let params = &compilation.member(constructor).signature.params;
    let Some(at) = params.iter().position(|param| param.name == declared.name) else {
        return Ok(());
    };
    let symbol = LocalSymbol::Parameter(constructor, at as u16);
    let name = compilation.text(declared.name).to_owned();
    // Nothing need mention it where it is declared.
    for unit in compilation.units_of(declared.owner) {
        let locals = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
        add(&unit.path, &locals, symbol, places);
    }
    others(
        view,
        symbols,
        compilation,
        (symbol, constructor),
        &name,
        places,
    )
}

/// Adds the uses of a parameter in all files that write its name: named arguments, and other parts of its type.
fn others(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    (symbol, member): (LocalSymbol, MemberId),
    name: &str,
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    let mut files: BTreeSet<(RepoPath, RepoPath)> = mentioning(view, name)?.into_iter().collect();
    files.extend(writing_beside(view, compilation, (member, name))?);
    for (path, project) in files {
        let Some(project) = declared::project_id(symbols, &project) else {
            continue;
        };
        let unit = UnitKey { path, project };
        let locals = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
        add(&unit.path, &locals, symbol, places);
    }
    Ok(())
}

/// The files that have to do with the type of a member and write a name, each in every project that compiles it: in the
/// index, a name that is that of a local variable as well counts as the variable.
fn writing_beside(
    view: &Viewpoint<'_>,
    compilation: &Compilation<'_>,
    (member, name): (MemberId, &str),
) -> Result<Vec<(RepoPath, RepoPath)>, EditError> {
    let owner = compilation.def(compilation.member(member).owner);
    let TypeOrigin::Source { key, .. } = owner.origin else {
        return Ok(Vec::new());
    };
    let mut reader = view.blobs();
    let mut out = Vec::new();
    for file in view.snapshot().referrers(key, None)? {
        let bytes = reader.read_blob(file.blob)?;
        let source = decode(&bytes);
        // A name may be written with escapes.
        if [name, "\\u", "\\U"]
            .iter()
            .any(|it| source.as_str().contains(it))
        {
            let projects = file.projects.into_iter();
            out.extend(projects.map(|project| (file.path.clone(), project)));
        }
    }
    Ok(out)
}

/// Adds the places of a type parameter in the other parts of its type or member, which may do no more than declare it.
fn other_parts(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    (unit, param): (&UnitKey, TypeParamId),
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    let owner = match compilation.type_param(param).owner {
        TypeParamOwner::Type(owner) => owner,
        TypeParamOwner::Method(member) => compilation.member(member).owner,
        TypeParamOwner::Local(_) => return Ok(()),
    };
    for other in compilation.units_of(owner) {
        if other != *unit {
            let locals = bindings(symbols, compilation, &other, &mut *view.blobs(), view)?;
            add(
                &other.path,
                &locals,
                LocalSymbol::TypeParameter(param),
                places,
            );
        }
    }
    Ok(())
}

/// Takes out the places that name an alias which is called like the type that it means: the alias keeps its name.
/// `aliasing`: the files that may have one of their own.
pub(super) fn leave_aliases(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    (name, aliasing): (&str, &BTreeSet<RepoPath>),
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    let aliased = projects_with_alias(symbols, name)?;
    for (path, ranges) in &mut places.by_file {
        if aliased.is_empty() && !aliasing.contains(path) {
            continue;
        }
        for project in symbols.projects_of(path)? {
            let facts = symbols.facts(path, project, Sections::All)?;
            let in_file = facts.is_some_and(|facts| has_alias(&facts, name));
            if !in_file && !aliased.contains(&project) {
                continue;
            }
            let unit = unit_key(&(path.clone(), project));
            symbols.read(|compilation| {
                let leave = || -> Result<Vec<u32>, EditError> {
                    let locals = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
                    let uses = locals.uses.iter();
                    let of_alias = uses.filter(|it| matches!(it.symbol, LocalSymbol::Alias(..)));
                    Ok(of_alias.map(|it| it.range.start).collect())
                };
                Ok(leave().map(|named| ranges.retain(|range| !named.contains(&range.start))))
            })??;
        }
    }
    Ok(())
}

/// Whether a text may have a using directive that makes a name an alias: `=` or a comment follows the name, or names are
/// written with escapes.
pub(super) fn may_have_alias(text: &str, name: &str) -> bool {
    let mut all = text.match_indices(name);
    all.any(|(at, _)| text[at + name.len()..].trim_start().starts_with(['=', '/']))
        || text.contains("\\u")
        || text.contains("\\U")
}

fn has_alias(facts: &FileFacts, name: &str) -> bool {
    let mut kinds = facts.usings.iter().map(|using| using.kind);
    kinds.any(|kind| matches!(kind, UsingKind::Alias(alias) if facts.name(alias) == name))
}

/// The projects that give all of their files an alias of a name.
fn projects_with_alias(symbols: &Symbols, name: &str) -> Result<BTreeSet<usize>, EditError> {
    let is_it =
        |using: &GlobalUsing| matches!(using, GlobalUsing::Alias(alias, _) if alias == name);
    let with_alias = symbols.read(|compilation| {
        let mut found = BTreeSet::new();
        for project in 0..symbols.projects().len() {
            let view = compilation.project(ProjectId::new(project));
            let has = |unit: &UnitKey| -> Result<bool, IndexError> {
                let facts = symbols.facts(&unit.path, project, Sections::Declarations)?;
                Ok(facts.is_some_and(|facts| has_alias(&facts, name)))
            };
            let mut is_aliased = view.usings.iter().any(is_it);
            for unit in &view.global_using_units {
                is_aliased = is_aliased || has(unit)?;
            }
            if is_aliased {
                found.insert(project);
            }
        }
        Ok(found)
    })?;
    Ok(with_alias)
}

/// The local symbols of a file inside a project.
pub(crate) fn bindings(
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    unit: &UnitKey,
    reader: &mut dyn ReadBlob,
    view: &Viewpoint<'_>,
) -> Result<LocalBindings, EditError> {
    let project: ProjectId = unit.project;
    let facts = symbols.facts(&unit.path, project.index(), Sections::Bodies)?;
    let (Some(facts), Some(file)) = (facts, view.snapshot().file(&unit.path)?) else {
        return Ok(LocalBindings::default());
    };
    let bytes = reader.read_blob(file.blob)?;
    let identifiers = declared::identifiers(symbols, &bytes, project);
    Ok(compilation.local_bindings(unit, &facts, &identifiers))
}

fn add(path: &RepoPath, locals: &LocalBindings, symbol: LocalSymbol, places: &mut NamePlaces) {
    for declaration in locals.declarations_of(symbol) {
        places.add(path, declaration.range);
    }
    for used in locals.uses_of(symbol) {
        places.add(path, used.range);
    }
}

/// The name and the kind of a symbol; `None` where nothing in the source declares it. Of the names that the parts of a
/// partial member give a parameter, the one that is written where it was found.
fn named(
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    view: &Viewpoint<'_>,
    locals: &LocalBindings,
    (symbol, written): (LocalSymbol, Option<&str>),
) -> Result<Option<(String, LocalKind)>, EditError> {
    let mut declared = names_of(locals, symbol);
    if declared.is_empty()
        && let LocalSymbol::Parameter(member, _) = symbol
    {
        // A named argument of a parameter that another file declares.
        for unit in compilation.units_of(compilation.member(member).owner) {
            let there = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
            declared.extend(names_of(&there, symbol));
        }
    }
    let at = declared
        .iter()
        .position(|(name, _)| Some(name.as_str()) == written);
    Ok(declared.into_iter().nth(at.unwrap_or_default()))
}

/// The names that the declarations of a symbol in a file give it.
fn names_of(locals: &LocalBindings, symbol: LocalSymbol) -> Vec<(String, LocalKind)> {
    let declared = locals.declarations_of(symbol);
    declared.map(|it| (it.name.to_string(), it.kind)).collect()
}
