//! Which types a signature names: where structural edges go.

use cortex_model::TypeKind;

use crate::{
    compilation::Compilation,
    name::known,
    symbol::{MemberFlags, MemberId, TypeId},
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// The types that the signature of a member names: those of its parameters and result with all type
    /// arguments, and constraints; sorted, each once. The interface of an explicit implementation is named by
    /// the type's head, the receiver of an extension block by nothing. What the compiler makes of a type
    /// names nothing of its own.
    pub fn structural_types(&self, member: MemberId) -> Vec<TypeId> {
        let member = self.member(member);
        let mut out = Vec::new();
        // The signature of a delegate is that of its `Invoke`.
        let is_delegate = self.def(member.owner).kind == TypeKind::Delegate;
        if member.is(MemberFlags::SYNTHESIZED) && !(is_delegate && member.name == known::INVOKE) {
            return out;
        }
        let signature = &member.signature;
        self.add_types(&mut out, signature.ty, 0);
        for param in &signature.params {
            self.add_types(&mut out, param.ty, 0);
        }
        for &param in &signature.type_params {
            for &bound in &self.constraints(param).types {
                self.add_types(&mut out, bound, 0);
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The types that the head of a type names: bases, interfaces, constraints; sorted, each once.
    pub fn structural_types_of_header(&self, ty: TypeId) -> Vec<TypeId> {
        let def = self.def(ty);
        let header = self.header(ty);
        let mut out = Vec::new();
        for &base in header.base.iter().chain(&header.interfaces) {
            self.add_types(&mut out, base, 0);
        }
        let own = def.type_params.len() - usize::from(def.arity);
        for &param in &def.type_params[own..] {
            for &bound in &self.constraints(param).types {
                self.add_types(&mut out, bound, 0);
            }
        }
        out.sort_unstable();
        out.dedup();
        out
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
