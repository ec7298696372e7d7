//! Whether two members have the same signature (C# specification, §7.6), as they are seen through their
//! types.

use crate::{
    compilation::Compilation,
    symbol::{Member, MemberFlags, Param},
    ty::Ty,
    types::substitute::Substitution,
};

/// A member and the arguments of the type that it is seen through.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) member: &'a Member,
    /// Arguments for the type parameters of its type; empty where they stay as they are.
    pub(crate) types: &'a [Ty],
}

/// Whether two partial declarations are of one member.
pub(crate) fn same_declaration(c: &Compilation<'_>, a: &Member, b: &Member) -> bool {
    let is_same_block = |a: Option<Param>, b: Option<Param>| a.map(|it| it.ty) == b.map(|it| it.ty);
    a.name == b.name
        && a.kind == b.kind
        && a.signature.explicit == b.signature.explicit
        && is_same_block(a.signature.receiver, b.signature.receiver)
        && a.is(MemberFlags::STATIC) == b.is(MemberFlags::STATIC)
        && same_parameters(
            c,
            Seen {
                member: a,
                types: &[],
            },
            Seen {
                member: b,
                types: &[],
            },
        )
}

/// Whether arity, parameter types and the ways of passing them are the same; type parameters of methods
/// are the same by position.
pub(crate) fn same_parameters(c: &Compilation<'_>, a: Seen<'_>, b: Seen<'_>) -> bool {
    let (left, right) = (&a.member.signature, &b.member.signature);
    if left.params.len() != right.params.len() || left.type_params.len() != right.type_params.len()
    {
        return false;
    }
    let mut params = left.params.iter().zip(&right.params);
    params.all(|(l, r)| l.ref_kind == r.ref_kind && same_type(c, a, l.ty, b, r.ty))
}

/// Whether the results are the same as well.
pub(crate) fn same_result(c: &Compilation<'_>, a: Seen<'_>, b: Seen<'_>) -> bool {
    let (left, right) = (&a.member.signature, &b.member.signature);
    left.ref_kind == right.ref_kind && same_type(c, a, left.ty, b, right.ty)
}

fn same_type(c: &Compilation<'_>, a: Seen<'_>, left: Ty, b: Seen<'_>, right: Ty) -> bool {
    if left == right && a.types.is_empty() && b.types.is_empty() {
        return true;
    }
    let by = Substitution {
        types: a.types,
        method: None,
    };
    let left = c.substitute(left, by);
    let params = a.member.signature.type_params.iter();
    let as_left: Vec<Ty> = params.map(|&param| c.param_type(param)).collect();
    let by = Substitution {
        types: b.types,
        method: (!as_left.is_empty()).then_some((b.member.id, &as_left)),
    };
    let right = c.substitute(right, by);
    left == right || c.without_names(left) == c.without_names(right)
}
