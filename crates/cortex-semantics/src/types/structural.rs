//! Which types a signature names: where structural edges go.

use cortex_model::{DeclKind, EdgeKind, TypeKind};

use crate::{
    compilation::Compilation,
    name::known,
    symbol::{MemberFlags, MemberId, TypeId},
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// The types that a type's head and the signatures of its members name, with where; unsorted, with
    /// repetition. What the compiler makes of a type names nothing of its own.
    pub fn signature_types(&self, ty: TypeId) -> Vec<(TypeId, EdgeKind)> {
        let mut out = Vec::new();
        let def = self.def(ty);
        let header = self.header(ty);
        for &base in header.base.iter().chain(&header.interfaces) {
            // An interface extends interfaces; in base lists of others they are implemented.
            let implements = self.is_interface(base) || def.kind == TypeKind::Interface;
            let kind = if implements {
                EdgeKind::Implements
            } else {
                EdgeKind::Inherits
            };
            // The arguments of a base are named by it.
            self.add_all(&mut out, base, kind);
        }
        let own = def.type_params.len() - usize::from(def.arity);
        for &param in &def.type_params[own..] {
            for &bound in &self.constraints(param).types {
                self.add_all(&mut out, bound, EdgeKind::Constraint);
            }
        }
        for &member in &self.members(ty).all {
            self.add_signature(&mut out, member);
        }
        out
    }

    /// The interface of an explicit implementation is named by the type's head, the receiver of an extension
    /// block by nothing.
    fn add_signature(&self, out: &mut Vec<(TypeId, EdgeKind)>, member: MemberId) {
        let member = self.member(member);
        // The signature of a delegate is that of its `Invoke`.
        let is_delegate = self.def(member.owner).kind == TypeKind::Delegate;
        if member.is(MemberFlags::SYNTHESIZED) && !(is_delegate && member.name == known::INVOKE) {
            return;
        }
        let signature = &member.signature;
        let kind = match member.kind {
            DeclKind::Property | DeclKind::Indexer => EdgeKind::Property,
            DeclKind::Event => EdgeKind::Event,
            DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => EdgeKind::Field,
            _ => EdgeKind::Return,
        };
        self.add_all(out, signature.ty, kind);
        for param in &signature.params {
            self.add_all(out, param.ty, EdgeKind::Parameter);
        }
        for &param in &signature.type_params {
            for &bound in &self.constraints(param).types {
                self.add_all(out, bound, EdgeKind::Constraint);
            }
        }
    }

    fn add_all(&self, out: &mut Vec<(TypeId, EdgeKind)>, ty: Ty, kind: EdgeKind) {
        let mut types = Vec::new();
        self.add_types(&mut types, ty, 0);
        out.extend(types.into_iter().map(|ty| (ty, kind)));
    }

    fn add_types(&self, out: &mut Vec<TypeId>, ty: Ty, depth: u32) {
        if depth > 64 {
            return;
        }
        let mut all = |types: &[Ty]| {
            for &ty in types {
                self.add_types(out, ty, depth + 1);
            }
        };
        match self.kind(ty) {
            TyKind::Named { def, args } => {
                all(args);
                out.push(*def);
            }
            TyKind::Unbound(def) => out.push(*def),
            TyKind::Array(element, _) | TyKind::Pointer(element) => all(&[*element]),
            TyKind::FunctionPointer(parts) => all(parts),
            TyKind::Tuple { elements, .. } => all(elements),
            TyKind::Anonymous(members) => {
                for &(_, ty) in members {
                    self.add_types(out, ty, depth + 1);
                }
            }
            TyKind::Error | TyKind::Dynamic | TyKind::None | TyKind::Param(_) => {}
        }
    }
}
