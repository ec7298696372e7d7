//! Whether type arguments are what type parameters want (C# specification, §8.4.5).

use cortex_model::{Accessibility, TypeKind};

use super::{Resolved, candidate::Candidate};
use crate::{
    compilation::Compilation,
    name::{Name, known},
    special::Special,
    symbol::{Constraints, MemberFlags, TypeFlags, TypeId},
    ty::{Ty, TyKind},
    types::substitute::Substitution,
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

/// What decides whether a type may be a type argument, besides its bases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentTraits {
    /// Whether it is a type of values.
    pub is_value: bool,
    /// Whether its values live on the stack alone.
    pub is_ref_like: bool,
    /// Whether it is a reference or holds one, whatever its own type arguments are.
    pub is_managed: bool,
    /// Whether `new()` creates one.
    pub is_creatable: bool,
}

impl Compilation<'_> {
    /// What decides whether a type may be a type argument.
    pub fn argument_traits(&self, def: TypeId) -> ArgumentTraits {
        let number = self.special(Special::Int32);
        let args = vec![number; self.def(def).type_params.len()];
        let ty = self.named(def, &args);
        ArgumentTraits {
            is_value: self.is_value_type(ty),
            is_ref_like: is_ref_like(self, ty),
            is_managed: self.is_managed(ty),
            is_creatable: has_public_constructor(self, ty) && !self.has_required_members(ty),
        }
    }

    /// Whether the type arguments of a type are what its type parameters want.
    pub(crate) fn has_fitting_arguments(&self, ty: Ty) -> bool {
        let TyKind::Named { def, args } = self.kind(ty) else {
            return true;
        };
        let by = Substitution {
            types: args,
            method: None,
        };
        let params = &self.def(*def).type_params;
        (params.iter().zip(args)).all(|(&param, &arg)| {
            let wanted = self.constraints(param);
            let mut bounds = wanted.types.iter();
            self.fits(arg, wanted)
                && bounds.all(|&bound| converts(self, arg, self.substitute(bound, by)))
        })
    }

    /// Whether the type arguments of a called method are what its type parameters want, beyond what decides which method
    /// is called.
    pub(super) fn method_takes(&self, resolved: &Resolved) -> bool {
        let params = &self.member(resolved.sym.member).signature.type_params;
        let mut pairs = params.iter().zip(&resolved.type_args);
        pairs.all(|(&param, &arg)| self.fits(arg, self.constraints(param)))
    }

    /// Whether a type argument is what a constraint wants that is no type.
    fn fits(&self, arg: Ty, wanted: &Constraints) -> bool {
        meets(self, arg, wanted)
            && !(wanted.is_unmanaged && self.is_managed(arg))
            && !(wanted.has_new && self.has_required_members(arg))
    }

    /// Whether a new object of a type has members that its creation must set, whichever constructor makes it.
    fn has_required_members(&self, ty: Ty) -> bool {
        let is_set = self.def_of(ty).is_some_and(|def| {
            let constructors = self.members(def).named(known::CTOR).iter();
            let mut open = constructors.filter(|&&it| self.member(it).signature.params.is_empty());
            open.any(|&it| self.has_attribute(it, "SetsRequiredMembers"))
        });
        !is_set && self.required_members(ty).next().is_some()
    }

    /// The names of the members that the creation of an object must set.
    pub fn required_members(&self, ty: Ty) -> impl Iterator<Item = Name> + '_ {
        let types = self.self_and_bases(ty);
        let members = types.filter_map(|it| self.def_of(it)).flat_map(|def| {
            let all = self.members(def).all.iter();
            all.map(|&member| self.member(member))
        });
        members
            .filter(|member| member.is(MemberFlags::REQUIRED))
            .map(|member| member.name)
    }
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
