//! How accessible types are, and with them what they are part of. Must not know: what an edit writes.
//!
//! Source: C# specification, §7.5.5 (accessibility constraints).

use cortex_model::Accessibility;
use cortex_semantics::{Compilation, Ty, TyKind, TypeId};

/// The least accessible of a type and the types around it.
pub(crate) fn accessibility(c: &Compilation<'_>, ty: TypeId) -> Accessibility {
    let types = std::iter::successors(Some(ty), |&it| c.def(it).outer);
    let declared = types.map(|it| c.def(it).accessibility);
    declared.min().unwrap_or(Accessibility::Public)
}

/// The least accessible of the types that a type is made of.
pub(crate) fn least_accessible(c: &Compilation<'_>, ty: Ty) -> Accessibility {
    let least = |types: &[Ty]| {
        let parts = types.iter().map(|&it| least_accessible(c, it));
        parts.min().unwrap_or(Accessibility::Public)
    };
    match c.kind(ty) {
        TyKind::Named { def, args } => accessibility(c, *def).min(least(args)),
        TyKind::Array(element, _) | TyKind::Pointer(element) => least_accessible(c, *element),
        TyKind::Tuple { elements, .. } => least(elements),
        _ => Accessibility::Public,
    }
}
