//! Types and members declared in this repository.
//!
//! Owns: what the declarations of a type say, all its parts together. Must not know: bodies.

pub(crate) mod attributes;
mod constants;
pub(crate) mod header;
mod member;
mod members;
mod records;
mod signature;
mod synthesized;

use cortex_syntax::{Decl, DeclId, FileFacts};
use smallvec::SmallVec;

use crate::{
    compilation::Compilation,
    symbol::{ProjectId, TypeDef, TypeOrigin, UnitId},
};

pub(crate) use header::{header, type_constraints};
pub(crate) use members::members;

/// One declaration of a type.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) unit: UnitId,
    pub(crate) decl: DeclId,
}

/// The declarations of a type, by path and position. A file that several projects of one assembly name
/// compile counts once, in the project that the type is known from.
pub(crate) fn parts(c: &Compilation<'_>, def: &TypeDef) -> SmallVec<[Part; 1]> {
    parts_in(c, def, |project, home| project == home)
}

/// The declarations of a type as the other projects of its assembly name see them, by path and position.
fn variant_parts(c: &Compilation<'_>, def: &TypeDef) -> SmallVec<[Part; 1]> {
    parts_in(c, def, |project, home| project != home)
}

fn parts_in(
    c: &Compilation<'_>,
    def: &TypeDef,
    is_wanted: impl Fn(ProjectId, ProjectId) -> bool,
) -> SmallVec<[Part; 1]> {
    let TypeOrigin::Source { key, project, .. } = &def.origin else {
        return SmallVec::new();
    };
    let mut parts = SmallVec::new();
    for unit in c.world.units_of(*key) {
        if !is_wanted(unit.project, *project) {
            continue;
        }
        let unit = c.unit_id(&unit);
        let decls = c.unit(unit).head(c).declarations(def.id).iter();
        parts.extend(decls.map(|&decl| Part { unit, decl }));
    }
    parts
}

/// The declarations directly inside of another, in source order. O(children · log declarations).
fn children(facts: &FileFacts, parent: DeclId) -> impl Iterator<Item = (DeclId, &Decl)> {
    let decls = &facts.decls;
    let end = decls[parent as usize].range.end;
    let mut next = parent as usize + 1;
    std::iter::from_fn(move || {
        loop {
            let id = next;
            let decl = decls.get(id)?;
            if decl.range.start >= end {
                return None;
            }
            // Whatever stands inside of it comes right after it, in order of start.
            let inside = decls[id + 1..].partition_point(|it| it.range.start < decl.range.end);
            next = id + 1 + inside;
            if decl.parent == Some(parent) {
                return Some((id as DeclId, decl));
            }
            next = id + 1;
        }
    })
}
