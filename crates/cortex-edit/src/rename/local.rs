//! Parameters, type parameters, locals, labels and aliases: what is bound again file by file.

use cortex_git::ReadBlob;
use cortex_index::Symbols;
use cortex_look::{
    symbol::{offset_at, place_of},
    viewpoint::Viewpoint,
};
use cortex_model::RepoPath;
use cortex_semantics::{
    Compilation, LocalBindings, LocalKind, LocalSymbol, MemberId, ProjectId, UnitKey,
};
use cortex_syntax::{Sections, text::decode};

use super::{Found, NamePlaces, Reach, declared, global::mentioning};
use crate::EditError;

/// Finds every place of the name of a symbol that snapshots do not store; `None` where the text is no place of one.
pub(super) fn find(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    text: &str,
) -> Result<Option<Found>, EditError> {
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
        let found = || -> Result<Option<Found>, EditError> {
            let locals = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
            let Some(symbol) = locals.symbol_at(offset) else {
                return Ok(None);
            };
            let Some((name, kind)) = named(symbols, compilation, view, &locals, symbol)? else {
                return Ok(None);
            };
            if kind == LocalKind::Namespace {
                return Ok(None);
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
            if let LocalSymbol::TypeParameter(_) = symbol {
                partial_types(
                    view,
                    symbols,
                    compilation,
                    (&unit, symbol),
                    &name,
                    &mut places,
                )?;
            }
            Ok(Some(Found {
                subject: None,
                old_name: name,
                places,
                named_files: Vec::new(),
                n_family: 0,
                has_parameters: false,
                reach: Reach::Written,
            }))
        };
        Ok(found())
    })?
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
    others(
        view,
        symbols,
        compilation,
        (symbol, constructor),
        &name,
        places,
    )
}

/// Adds the uses of a parameter in all files that mention its name: named arguments, and other parts of its type.
fn others(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    (symbol, _member): (LocalSymbol, MemberId),
    name: &str,
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    for (path, project) in mentioning(view, name)? {
        let Some(project) = declared::project_id(symbols, &project) else {
            continue;
        };
        let unit = UnitKey { path, project };
        let locals = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
        add(&unit.path, &locals, symbol, places);
    }
    Ok(())
}

/// Adds the places of a type parameter in the other parts of its type.
fn partial_types(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    (unit, symbol): (&UnitKey, LocalSymbol),
    name: &str,
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    for (path, project) in mentioning(view, name)? {
        if path == unit.path || declared::project_id(symbols, &project) != Some(unit.project) {
            continue;
        }
        let other = UnitKey {
            path,
            project: unit.project,
        };
        let locals = bindings(symbols, compilation, &other, &mut *view.blobs(), view)?;
        add(&other.path, &locals, symbol, places);
    }
    Ok(())
}

/// The local symbols of a file inside a project.
fn bindings(
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

/// The name and the kind of a symbol; `None` where nothing in the source declares it.
fn named(
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    view: &Viewpoint<'_>,
    locals: &LocalBindings,
    symbol: LocalSymbol,
) -> Result<Option<(String, LocalKind)>, EditError> {
    if let Some(declaration) = locals.declarations_of(symbol).next() {
        return Ok(Some((declaration.name.to_string(), declaration.kind)));
    }
    // A named argument of a parameter that another file declares.
    let LocalSymbol::Parameter(member, _) = symbol else {
        return Ok(None);
    };
    for unit in compilation.units_of(compilation.member(member).owner) {
        let there = bindings(symbols, compilation, &unit, &mut *view.blobs(), view)?;
        if let Some(declaration) = there.declarations_of(symbol).next() {
            return Ok(Some((declaration.name.to_string(), declaration.kind)));
        }
    }
    Ok(None)
}
