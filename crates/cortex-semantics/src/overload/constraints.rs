//! Whether type arguments are what type parameters want (C# specification, §8.4.5).

use cortex_model::{Accessibility, TypeKind};

use super::candidate::Candidate;
use crate::{
    compilation::Compilation,
    name::known,
    symbol::{Constraints, TypeFlags},
    ty::{Ty, TyKind},
};

/// Whether a candidate's type arguments meet the constraints of its type parameters.
pub(super) fn are_met(c: &Compilation<'_>, candidate: &Candidate<'_>) -> bool {
    let mapping = candidate.mapping(c);
    let params = candidate.member.signature.type_params.iter();
    params.zip(&candidate.method_args).all(|(&param, &arg)| {
        let wanted = c.constraints(param);
        meets(c, arg, wanted) && {
            let mut bounds = wanted.types.iter();
            bounds.all(|&bound| converts(c, arg, mapping.apply(c, bound)))
        }
    })
}

/// Everything but the types.
fn meets(c: &Compilation<'_>, arg: Ty, wanted: &Constraints) -> bool {
    if arg.is_error() {
        return true;
    }
    if wanted.is_reference && !c.is_reference_type(arg) {
        return false;
    }
    if wanted.is_value && (!c.is_value_type(arg) || c.nullable_underlying(arg).is_some()) {
        return false;
    }
    if !wanted.allows_ref_like && is_ref_like(c, arg) {
        return false;
    }
    !wanted.has_new || wanted.is_value || has_public_constructor(c, arg)
}

fn is_ref_like(c: &Compilation<'_>, arg: Ty) -> bool {
    match c.kind(arg) {
        TyKind::Named { def, .. } => {
            c.def(*def).kind == TypeKind::Struct && c.header(*def).flags.has(TypeFlags::REF_LIKE)
        }
        TyKind::Pointer(_) | TyKind::FunctionPointer(_) => true,
        TyKind::Param(param) => c.constraints(*param).allows_ref_like,
        _ => false,
    }
}

fn has_public_constructor(c: &Compilation<'_>, arg: Ty) -> bool {
    match c.kind(arg) {
        TyKind::Param(param) => {
            let own = c.constraints(*param);
            own.has_new || own.is_value
        }
        TyKind::Named { def, .. } => match c.def(*def).kind {
            TypeKind::Class | TypeKind::Record => {
                !c.header(*def).flags.has(TypeFlags::ABSTRACT) && {
                    let mut constructors = c.members(*def).named(known::CTOR).iter();
                    constructors.any(|&id| {
                        let member = c.member(id);
                        member.signature.params.is_empty()
                            && member.accessibility == Accessibility::Public
                    })
                }
            }
            kind => matches!(
                kind,
                TypeKind::Struct | TypeKind::RecordStruct | TypeKind::Enum
            ),
        },
        TyKind::Array(..) => false,
        _ => true,
    }
}

/// By identity, reference or boxing conversion, or as a type parameter with the constraint.
fn converts(c: &Compilation<'_>, arg: Ty, bound: Ty) -> bool {
    arg == bound
        || arg.is_error()
        || bound.is_error()
        || arg == Ty::DYNAMIC
        || c.standard_implicit(arg, bound)
}
