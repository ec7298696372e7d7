//! How far types can be seen, and with them what names them. Must not know: what an edit writes.
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

/// Whether a member of a type, declared with an accessibility, is nowhere seen where a type that it names is not.
pub(crate) fn is_seen_with(
    c: &Compilation<'_>,
    (owner, member): (TypeId, Accessibility),
    ty: Ty,
) -> bool {
    match c.kind(ty) {
        TyKind::Named { def, args } => {
            is_type_seen(c, (owner, member), *def)
                && args.iter().all(|&it| is_seen_with(c, (owner, member), it))
        }
        TyKind::Array(element, _) | TyKind::Pointer(element) => {
            is_seen_with(c, (owner, member), *element)
        }
        TyKind::Tuple { elements, .. } => elements
            .iter()
            .all(|&it| is_seen_with(c, (owner, member), it)),
        _ => true,
    }
}

/// What limits where a declaration is seen: how far, and in which type; from the inside out.
fn limits(c: &Compilation<'_>, ty: TypeId) -> Vec<(Accessibility, Option<TypeId>)> {
    let types = std::iter::successors(Some(ty), |&it| c.def(it).outer);
    types
        .map(|it| (c.def(it).accessibility, c.def(it).outer))
        .collect()
}

fn is_type_seen(c: &Compilation<'_>, (owner, member): (TypeId, Accessibility), ty: TypeId) -> bool {
    let own: Vec<(Accessibility, Option<TypeId>)> = std::iter::once((member, Some(owner)))
        .chain(limits(c, owner))
        .collect();
    let is_inside = |inner: Option<TypeId>, outer: Option<TypeId>| {
        let mut around = std::iter::successors(inner, |&it| c.def(it).outer);
        outer.is_none() || around.any(|it| Some(it) == outer)
    };
    limits(c, ty)
        .into_iter()
        .all(|(limit, around)| match limit {
            Accessibility::Public => true,
            Accessibility::Private => own
                .iter()
                .any(|&(own, inside)| own == Accessibility::Private && is_inside(inside, around)),
            Accessibility::Internal => own.iter().any(|&(own, _)| {
                !matches!(
                    own,
                    Accessibility::Public
                        | Accessibility::Protected
                        | Accessibility::ProtectedInternal
                )
            }),
            Accessibility::File => own.iter().any(|&(own, _)| own == Accessibility::File),
            // Derived types see it as well: those are not looked for.
            Accessibility::Protected
            | Accessibility::ProtectedInternal
            | Accessibility::PrivateProtected => {
                own.iter().any(|&(own, _)| own != Accessibility::Public)
            }
        })
}
