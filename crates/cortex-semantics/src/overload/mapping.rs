//! What the type parameters in a candidate's signature stand for: those of its container and its own, in
//! one step, so that a method may be called with its own type parameters as arguments.
//!
//! Must not know: how type arguments are inferred.

use crate::{
    compilation::Compilation,
    symbol::{TypeParamId, TypeParamOwner},
    ty::{Ty, TyKind},
};

/// Type parameters and what stands for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapping<'a> {
    /// Arguments of the container, by position.
    pub(super) types: &'a [Ty],
    /// Type parameters of the method or local function.
    pub(super) params: &'a [TypeParamId],
    /// Their arguments; those that are missing stay as they are.
    pub(super) args: &'a [Ty],
}

/// Types nested deeper are unknown.
const MAX_NESTED: u32 = 64;

impl Mapping<'_> {
    /// A type of the candidate's signature, constructed.
    pub(super) fn apply(&self, c: &Compilation<'_>, ty: Ty) -> Ty {
        if self.types.is_empty() && self.params.is_empty() {
            return ty;
        }
        self.at(c, ty, 0)
    }

    fn at(&self, c: &Compilation<'_>, ty: Ty, depth: u32) -> Ty {
        if depth > MAX_NESTED {
            return Ty::ERROR;
        }
        match c.kind(ty) {
            TyKind::Error | TyKind::Dynamic | TyKind::None | TyKind::Unbound(_) => ty,
            TyKind::Param(id) => self.param(c, ty, *id),
            TyKind::Named { args, .. } if args.is_empty() => ty,
            TyKind::Named { def, args } => c.named(*def, &self.all(c, args, depth)),
            TyKind::Array(element, rank) => c.array(self.at(c, *element, depth + 1), *rank),
            TyKind::Pointer(element) => {
                let element = self.at(c, *element, depth + 1);
                c.intern(TyKind::Pointer(element))
            }
            TyKind::FunctionPointer(parts) => {
                c.intern(TyKind::FunctionPointer(self.all(c, parts, depth)))
            }
            TyKind::Tuple { elements, names } => c.intern(TyKind::Tuple {
                elements: self.all(c, elements, depth),
                names: names.clone(),
            }),
            TyKind::Anonymous(members) => {
                let members = members.iter();
                let each = members.map(|&(name, ty)| (name, self.at(c, ty, depth + 1)));
                c.intern(TyKind::Anonymous(each.collect()))
            }
        }
    }

    fn all(&self, c: &Compilation<'_>, types: &[Ty], depth: u32) -> Box<[Ty]> {
        let types = types.iter();
        types.map(|&ty| self.at(c, ty, depth + 1)).collect()
    }

    fn param(&self, c: &Compilation<'_>, ty: Ty, id: TypeParamId) -> Ty {
        if let Some(index) = self.params.iter().position(|&param| param == id) {
            return self.args.get(index).copied().unwrap_or(ty);
        }
        let param = c.type_param(id);
        match param.owner {
            TypeParamOwner::Type(_) => {
                let found = self.types.get(usize::from(param.index));
                found.copied().unwrap_or(ty)
            }
            _ => ty,
        }
    }
}

/// Whether a type has one of the type parameters that `is_one` says anywhere in it.
pub(super) fn mentions(
    c: &Compilation<'_>,
    ty: Ty,
    is_one: &mut dyn FnMut(TypeParamId) -> bool,
) -> bool {
    mentions_at(c, ty, is_one, 0)
}

fn mentions_at(
    c: &Compilation<'_>,
    ty: Ty,
    is_one: &mut dyn FnMut(TypeParamId) -> bool,
    depth: u32,
) -> bool {
    if depth > MAX_NESTED {
        return false;
    }
    match c.kind(ty) {
        TyKind::Error | TyKind::Dynamic | TyKind::None | TyKind::Unbound(_) => false,
        TyKind::Param(id) => is_one(*id),
        TyKind::Named { args: types, .. }
        | TyKind::FunctionPointer(types)
        | TyKind::Tuple {
            elements: types, ..
        } => {
            let mut types = types.iter();
            types.any(|&ty| mentions_at(c, ty, is_one, depth + 1))
        }
        TyKind::Array(element, _) | TyKind::Pointer(element) => {
            mentions_at(c, *element, is_one, depth + 1)
        }
        TyKind::Anonymous(members) => {
            let mut members = members.iter();
            members.any(|&(_, ty)| mentions_at(c, ty, is_one, depth + 1))
        }
    }
}

impl Compilation<'_> {
    /// Whether a type is unknown somewhere in it.
    pub(crate) fn is_partly_unknown(&self, ty: Ty) -> bool {
        is_partly_unknown(self, ty)
    }
}

/// Whether a type is unknown somewhere in it.
pub(super) fn is_partly_unknown(c: &Compilation<'_>, ty: Ty) -> bool {
    is_partly_unknown_at(c, ty, 0)
}

fn is_partly_unknown_at(c: &Compilation<'_>, ty: Ty, depth: u32) -> bool {
    if depth > MAX_NESTED {
        return true;
    }
    match c.kind(ty) {
        TyKind::Error => true,
        TyKind::Dynamic | TyKind::None | TyKind::Unbound(_) | TyKind::Param(_) => false,
        TyKind::Named { args: types, .. }
        | TyKind::FunctionPointer(types)
        | TyKind::Tuple {
            elements: types, ..
        } => {
            let mut types = types.iter();
            types.any(|&ty| is_partly_unknown_at(c, ty, depth + 1))
        }
        TyKind::Array(element, _) | TyKind::Pointer(element) => {
            is_partly_unknown_at(c, *element, depth + 1)
        }
        TyKind::Anonymous(members) => {
            let mut members = members.iter();
            members.any(|&(_, ty)| is_partly_unknown_at(c, ty, depth + 1))
        }
    }
}
