//! Where types and members are declared: the names in their declarations.

use cortex_index::Symbols;
use cortex_model::{DeclKind, RepoPath, TypeKey};
use cortex_semantics::{Compilation, MemberId, ProjectId, TypeId, UnitKey};
use cortex_syntax::{FileFacts, Sections};

use super::NamePlaces;
use crate::EditError;

/// A project's files that declare a type, with their facts.
pub(crate) struct Part {
    pub(crate) unit: UnitKey,
    pub(crate) facts: FileFacts,
}

/// The parts of a type.
pub(crate) fn parts_of(
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    ty: TypeId,
) -> Result<Vec<Part>, EditError> {
    let mut parts = Vec::new();
    for unit in compilation.units_of(ty) {
        let facts = symbols.facts(&unit.path, unit.project.index(), Sections::All)?;
        if let Some(facts) = facts {
            parts.push(Part { unit, facts });
        }
    }
    Ok(parts)
}

/// Adds the names in the declarations of a type, those of its constructors and its finalizer included.
pub(super) fn type_names(
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    ty: TypeId,
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    for part in parts_of(symbols, compilation, ty)? {
        let unit = compilation.unit_id(&part.unit);
        for (id, decl) in part.facts.decls.iter().enumerate() {
            let id = id as u32;
            let is_named_like = match decl.kind {
                DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer => {
                    compilation.type_around_decl(unit, id) == Some(ty)
                }
                _ => compilation.type_of_decl(unit, id) == Some(ty),
            };
            if is_named_like {
                places.add(&part.unit.path, decl.name_range);
            }
        }
    }
    Ok(())
}

/// Adds the names in the declarations of a member.
pub(super) fn member_names(
    symbols: &Symbols,
    compilation: &Compilation<'_>,
    member: MemberId,
    places: &mut NamePlaces,
) -> Result<(), EditError> {
    let declared = compilation.member(member);
    for part in parts_of(symbols, compilation, declared.owner)? {
        let unit = compilation.unit_id(&part.unit);
        for (id, decl) in part.facts.decls.iter().enumerate() {
            let is_it = compilation.member_of_decl(unit, id as u32) == Some(member)
                && decl.kind.type_kind().is_none();
            if is_it {
                places.add(&part.unit.path, decl.name_range);
            }
        }
    }
    Ok(())
}

/// The type of a key, in a compilation.
pub(crate) fn type_id(compilation: &Compilation<'_>, key: TypeKey) -> Result<TypeId, EditError> {
    compilation
        .source_type(key)
        .ok_or_else(|| cortex_index::IndexError::Damaged { what: "type" }.into())
}

/// The project of a path, as compilations count them.
pub(super) fn project_id(symbols: &Symbols, path: &RepoPath) -> Option<ProjectId> {
    let mut projects = symbols.projects().iter();
    let at = projects.position(|record| record.project.path == *path)?;
    Some(ProjectId::new(at))
}

/// Reads the identifiers of a file of a project.
pub(super) fn identifiers(
    symbols: &Symbols,
    bytes: &[u8],
    project: ProjectId,
) -> cortex_syntax::Identifiers {
    symbols.identifiers(bytes, project.index())
}
