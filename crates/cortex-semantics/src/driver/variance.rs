//! Where variant type parameters may stand in the declarations of their interface or delegate.
//!
//! Source: C# specification, §18.2.3.2; *Variance safety for static interface members*.

use cortex_model::{DeclKind, TypeKind};

use crate::{
    compilation::Compilation,
    name::known,
    symbol::{Member, MemberFlags, RefKind, Signature, TypeId, TypeParamOwner, Variance},
    ty::{Ty, TyKind},
};

/// Which way the values of a type go, seen from who uses the interface or delegate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    In,
    Out,
    Both,
}

impl Way {
    /// The way of a type argument of a type that goes this way.
    fn of_argument(self, variance: Variance) -> Self {
        match (variance, self) {
            (Variance::Out, way) => way,
            (Variance::In, Self::In) => Self::Out,
            (Variance::In, Self::Out) => Self::In,
            _ => Self::Both,
        }
    }
}

impl Compilation<'_> {
    /// Whether the bases of an interface, or what a delegate takes and gives, go the ways of its type parameters.
    pub(super) fn has_variance_of_type(&self, id: TypeId) -> bool {
        if !self.is_variant(id) {
            return true;
        }
        match self.def(id).kind {
            TypeKind::Interface => {
                let mut bases = self.header(id).interfaces.iter();
                bases.all(|&base| self.may_go(id, base, Way::Out))
            }
            TypeKind::Delegate => {
                let invoke = self.members(id).named(known::INVOKE).first();
                invoke.is_none_or(|&it| self.may_call(id, &self.member(it).signature))
            }
            _ => true,
        }
    }

    /// Whether a member of an interface goes the ways of its type parameters. What is static and not virtual is called on
    /// the interface as it is.
    pub(super) fn has_variance_of_member(&self, member: &Member) -> bool {
        let owner = member.owner;
        let dispatches = member.is(MemberFlags::ABSTRACT) || member.is(MemberFlags::VIRTUAL);
        let is_free = member.is_static() && !dispatches || member.is(MemberFlags::EXPLICIT);
        if self.def(owner).kind != TypeKind::Interface || is_free || !self.is_variant(owner) {
            return true;
        }
        let signature = &member.signature;
        match member.kind {
            DeclKind::Method => self.may_call(owner, signature),
            DeclKind::Event => self.may_go(owner, signature.ty, Way::In),
            DeclKind::Property | DeclKind::Indexer => {
                let gives = !member.is(MemberFlags::GETTER)
                    || self.may_go(owner, signature.ty, given(signature.ref_kind));
                let takes =
                    !member.is(MemberFlags::SETTER) || self.may_go(owner, signature.ty, Way::In);
                gives && takes && self.may_take(owner, signature)
            }
            _ => true,
        }
    }

    /// Whether a type has variant type parameters of its own.
    fn is_variant(&self, id: TypeId) -> bool {
        let mut params = self.def(id).type_params.iter();
        params.any(|&it| {
            self.type_param(it).owner == TypeParamOwner::Type(id)
                && self.constraints(it).variance != Variance::None
        })
    }

    fn may_call(&self, owner: TypeId, signature: &Signature) -> bool {
        let constraints = signature.type_params.iter();
        let mut constraints = constraints.flat_map(|&it| self.constraints(it).types.iter());
        self.may_go(owner, signature.ty, given(signature.ref_kind))
            && self.may_take(owner, signature)
            && constraints.all(|&it| self.may_go(owner, it, Way::In))
    }

    fn may_take(&self, owner: TypeId, signature: &Signature) -> bool {
        signature.params.iter().all(|param| {
            let way = match param.ref_kind {
                RefKind::None => Way::In,
                _ => Way::Both,
            };
            self.may_go(owner, param.ty, way)
        })
    }

    /// Whether values of a type may go a way, as far as the type parameters of `owner` are in it.
    fn may_go(&self, owner: TypeId, ty: Ty, way: Way) -> bool {
        match self.kind(ty) {
            TyKind::Param(id) if self.type_param(*id).owner == TypeParamOwner::Type(owner) => {
                match self.constraints(*id).variance {
                    Variance::None => true,
                    Variance::In => way == Way::In,
                    Variance::Out => way == Way::Out,
                }
            }
            TyKind::Array(element, _) => self.may_go(owner, *element, way),
            TyKind::Named { def, args } => {
                let params = self.def(*def).type_params.iter();
                let mut pairs = params.zip(args);
                pairs.all(|(&param, &arg)| {
                    let way = way.of_argument(self.constraints(param).variance);
                    self.may_go(owner, arg, way)
                })
            }
            TyKind::Tuple { elements, .. } => {
                let mut elements = elements.iter();
                elements.all(|&it| self.may_go(owner, it, Way::Both))
            }
            _ => true,
        }
    }
}

/// The way of what is returned: a reference is written as well.
fn given(ref_kind: RefKind) -> Way {
    match ref_kind {
        RefKind::None => Way::Out,
        _ => Way::Both,
    }
}
