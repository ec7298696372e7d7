//! Types, parameters and constraints as declarations write them.

use cortex_model::{Modifier, Modifiers};
use cortex_syntax::{
    Constraint, Decl, FileFacts, TypeParam, TypeSyntax, Variance as SyntaxVariance,
};

use crate::{
    compilation::Compilation,
    name::known,
    names::{Ignore, Scope},
    symbol::{CallerInfo, Constraints, Param, RefKind, Variance},
    ty::Ty,
};

/// A type that may have `ref` before it.
pub(super) fn ref_type(
    c: &Compilation<'_>,
    scope: &Scope,
    facts: &FileFacts,
    ty: &TypeSyntax,
) -> (Ty, RefKind) {
    let (ty, ref_kind) = match ty {
        TypeSyntax::Ref(inner) => (&**inner, RefKind::Ref),
        TypeSyntax::RefReadonly(inner) => (&**inner, RefKind::RefReadonly),
        _ => (ty, RefKind::None),
    };
    (c.bind_type(scope, facts, ty, &mut Ignore), ref_kind)
}

/// A parameter of a declaration.
pub(super) fn param(
    c: &Compilation<'_>,
    scope: &Scope,
    facts: &FileFacts,
    param: &cortex_syntax::Param,
) -> Param {
    let ty = param.ty.as_ref();
    Param {
        name: c.name(facts.name(param.name)),
        ty: ty.map_or(Ty::ERROR, |ty| c.bind_type(scope, facts, ty, &mut Ignore)),
        ref_kind: ref_kind(param.modifiers),
        is_params: param.modifiers.contains(Modifier::Params),
        is_optional: param.default.is_some(),
        caller: CallerInfo::None,
    }
}

/// The receiver of an extension block. One that is a type alone has no name, and stands where bases do.
pub(super) fn receiver(
    c: &Compilation<'_>,
    scope: &Scope,
    facts: &FileFacts,
    block: &Decl,
) -> Option<Param> {
    if let Some(receiver) = block.params.as_ref().and_then(|params| params.first()) {
        return Some(param(c, scope, facts, receiver));
    }
    let ty = block.bases.first()?;
    Some(Param {
        name: known::EMPTY,
        ty: c.bind_type(scope, facts, ty, &mut Ignore),
        ref_kind: RefKind::None,
        is_params: false,
        is_optional: false,
        caller: CallerInfo::None,
    })
}

fn ref_kind(modifiers: Modifiers) -> RefKind {
    let has = |modifier| modifiers.contains(modifier);
    if has(Modifier::Out) {
        RefKind::Out
    } else if has(Modifier::In) {
        RefKind::In
    } else if has(Modifier::Ref) && has(Modifier::Readonly) {
        RefKind::RefReadonly
    } else if has(Modifier::Ref) {
        RefKind::Ref
    } else {
        RefKind::None
    }
}

/// The constraints of one type parameter (C# specification, §15.2.5).
pub(super) fn constraints(
    c: &Compilation<'_>,
    scope: &Scope,
    facts: &FileFacts,
    param: &TypeParam,
) -> Constraints {
    let mut types = Vec::new();
    let mut out = Constraints {
        variance: match param.variance {
            SyntaxVariance::None => Variance::None,
            SyntaxVariance::In => Variance::In,
            SyntaxVariance::Out => Variance::Out,
        },
        ..Constraints::default()
    };
    for constraint in &param.constraints {
        match constraint {
            Constraint::Type(ty) => types.push(c.bind_type(scope, facts, ty, &mut Ignore)),
            Constraint::Keyword(word) => match facts.name(*word) {
                "class" | "class?" => out.is_reference = true,
                word @ ("struct" | "unmanaged") => {
                    out.is_unmanaged = word == "unmanaged";
                    out.is_value = true;
                    out.has_new = true;
                }
                "notnull" => out.is_not_null = true,
                "new()" => out.has_new = true,
                "allows ref struct" => out.allows_ref_like = true,
                _ => {}
            },
        }
    }
    out.types = types.into();
    out
}
