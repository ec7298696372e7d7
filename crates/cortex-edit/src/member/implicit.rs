//! Constructors that code uses without naming them: those of derived types call that of the base, and a struct with
//! initializers needs one.
//!
//! Source: C# specification, 15.11.2 (constructor initializers) and 16.4.9 (constructors of structs). Must not know: what
//! is removed together with the constructor.

use std::collections::BTreeSet;

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{DeclKind, LineTable, Modifier, RepoPath, TypeKind};
use cortex_semantics::{Compilation, MemberFlags, ProjectId, TypeId, UnitId, UnitKey};
use cortex_syntax::{BodyKind, Decl, DeclId, FileFacts, Sections, text::decode};

use crate::{EditError, located::Located, rename::declared};

/// A place that uses a constructor: the file, the offset in its text, and the line.
pub(super) type Implicit = (RepoPath, u32, u32);

/// The places that call a constructor without naming it: constructors of derived types without `base(…)` or `this(…)`,
/// and derived types without a constructor.
///
/// # Errors
/// Those of the index.
pub(super) fn implicit_calls(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    located: &Located,
) -> Result<BTreeSet<Implicit>, EditError> {
    let mut found = BTreeSet::new();
    // Only what takes no argument is called so.
    let is_open = |decl: &Decl| {
        let params = decl.params.as_deref().unwrap_or_default();
        params
            .iter()
            .all(|it| it.default.is_some() || it.modifiers.contains(Modifier::Params))
    };
    let declaration = located.declarations.iter().find(|it| {
        let decl = it.decl();
        is_instance_constructor(decl) && is_open(decl)
    });
    let (Some(declaration), Some(symbol)) = (declaration, located.symbols.first()) else {
        return Ok(found);
    };
    let Some(owner) = declaration.parent() else {
        return Ok(found);
    };
    let name = declaration.facts.name(owner.name);
    for file in view.snapshot().files_mentioning(name)? {
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        for project in symbols.projects_of(&file.path)? {
            let Some(facts) = symbols.facts(&file.path, project, Sections::Bodies)? else {
                continue;
            };
            let key = UnitKey {
                path: file.path.clone(),
                project: ProjectId::new(project),
            };
            let offsets = symbols.read(|c| {
                let Some(owner) = c.source_type(symbol.key()) else {
                    return Ok(Vec::new());
                };
                Ok(calls_in(c, (c.unit_id(&key), &facts), owner))
            })?;
            let lines = LineTable::new(source.as_bytes());
            found.extend(
                offsets
                    .into_iter()
                    .map(|at| (file.path.clone(), at, lines.position(at).line)),
            );
        }
    }
    Ok(found)
}

fn is_instance_constructor(decl: &Decl) -> bool {
    decl.kind == DeclKind::Constructor && !decl.modifiers.contains(Modifier::Static)
}

/// Where a file calls the constructor of a base class so.
fn calls_in(c: &Compilation<'_>, (unit, facts): (UnitId, &FileFacts), base: TypeId) -> Vec<u32> {
    let mut found = Vec::new();
    for (id, decl) in facts.decls.iter().enumerate() {
        let Some(ty) = c.type_of_decl(unit, id as DeclId) else {
            continue;
        };
        let derives = || {
            let of = c.header(ty).base.and_then(|it| c.def_of(it));
            of == Some(base)
        };
        if decl.kind.type_kind().is_none() || !derives() {
            continue;
        }
        let constructors = facts
            .decls
            .iter()
            .enumerate()
            .filter(|(_, it)| it.parent == Some(id as DeclId) && is_instance_constructor(it));
        for (at, constructor) in constructors {
            if !has_initializer(facts, at as DeclId) {
                found.push(constructor.name_range.start);
            }
        }
        let all = &c.members(ty).all;
        let is_written = |member: &cortex_semantics::MemberId| {
            let member = c.member(*member);
            member.kind == DeclKind::Constructor
                && !member.is_static()
                && !member.is(MemberFlags::SYNTHESIZED)
                && !member.is(MemberFlags::PRIMARY)
        };
        // What the compiler makes, and a primary constructor.
        let is_implicit = decl.params.is_some() || !all.iter().any(is_written);
        if is_implicit && !has_initializer(facts, id as DeclId) {
            found.push(decl.name_range.start);
        }
    }
    found
}

/// Whether a constructor, or a type with a primary one, says which constructor it calls.
fn has_initializer(facts: &FileFacts, decl: DeclId) -> bool {
    let bodies = &facts.bodies;
    (bodies.root_of(decl)).is_some_and(|root| {
        bodies
            .children(root)
            .any(|it| bodies.kind(it) == BodyKind::BaseArguments)
    })
}

/// Where the type of a constructor is a struct that has initial values and would have no constructor.
///
/// # Errors
/// Those of the index.
pub(super) fn needed_by_initializers(
    symbols: &Symbols,
    group: &[Located],
    located: &Located,
) -> Result<Option<String>, EditError> {
    let is_constructor = (located.declarations.iter()).any(|it| is_instance_constructor(it.decl()));
    let Some(symbol) = located.symbols.first().filter(|_| is_constructor) else {
        return Ok(None);
    };
    symbols.read(|c| {
        let find = || -> Result<Option<String>, EditError> {
            let ty = match c.source_type(symbol.key()) {
                Some(ty) => ty,
                None => return Ok(None),
            };
            if !matches!(c.def(ty).kind, TypeKind::Struct | TypeKind::RecordStruct) {
                return Ok(None);
            }
            let mut initialized = None;
            for part in declared::parts_of(symbols, c, ty)? {
                let unit = c.unit_id(&part.unit);
                let project = part.unit.project.index();
                let facts = symbols.facts(&part.unit.path, project, Sections::Bodies)?;
                let Some(facts) = facts else { continue };
                for (id, decl) in facts.decls.iter().enumerate() {
                    let is_type = c.type_of_decl(unit, id as DeclId) == Some(ty)
                        && decl.kind.type_kind().is_some();
                    if is_type && decl.params.is_some() {
                        return Ok(None);
                    }
                    let is_member = decl.parent.is_some_and(|it| {
                        c.type_of_decl(unit, it) == Some(ty)
                            && facts.decls[it as usize].kind.type_kind().is_some()
                    });
                    if !is_member {
                        continue;
                    }
                    let goes = group.iter().flat_map(|it| &it.declarations).any(|it| {
                        it.path == part.unit.path && it.decl().name_range == decl.name_range
                    });
                    if is_instance_constructor(decl) && !goes {
                        return Ok(None);
                    }
                    let is_static = decl.modifiers.contains(Modifier::Static)
                        || decl.kind == DeclKind::Constant;
                    if !is_static && !goes && has_initial_value(&facts, id as DeclId) {
                        let place = format!("{}:{}", part.unit.path, decl.line);
                        initialized.get_or_insert(place);
                    }
                }
            }
            Ok(initialized)
        };
        Ok(find())
    })?
}

fn has_initial_value(facts: &FileFacts, decl: DeclId) -> bool {
    let bodies = &facts.bodies;
    (bodies.root_of(decl)).is_some_and(|root| {
        bodies
            .children(root)
            .any(|it| bodies.kind(it) == BodyKind::Initializer)
    })
}
