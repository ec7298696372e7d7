//! Constructors that call that of their base class without naming it (C# specification, §15.11.2, §15.11.5).
//!
//! Must not know: constructors that say which one they call.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{BodyKind, DeclId};

use super::File;
use crate::{
    binder::Binder,
    compilation::Compilation,
    name::known,
    names::{Access, Position},
    output::{Findings, Misfit},
    symbol::{MemberFlags, Param, Sym, TypeId},
    ty::{Ty, TyKind},
};

impl File<'_, '_> {
    /// Adds a constructor that calls one of its base class without arguments, where none takes that; of a type without
    /// constructors, the type.
    pub(super) fn check_base_call(&self, id: DeclId, findings: &mut Findings) {
        let Some(owner) = self.calls_base(id) else {
            return;
        };
        let project = self.c.unit(self.unit).key.project;
        let from = Access {
            container: Some(owner),
            project,
            through: None,
        };
        if !self.c.has_base_to_call(owner, from) {
            let offset = self.facts.decls[id as usize].name_range.start;
            findings.misfits.push((offset, Misfit::BaseConstructor));
        }
    }

    /// Adds what makes the `params` collection of the constructor that a declaration calls without naming it.
    pub(super) fn bind_base_call(&self, id: DeclId, findings: &mut Findings) {
        let Some(base) = self
            .calls_base(id)
            .and_then(|it| self.c.collecting_base(it))
        else {
            return;
        };
        let scope = self.scope(Some(id), Position::Body);
        let mut binder = Binder::new(self.c, &self.facts.bodies, self.names, scope);
        binder.recording = self.recording;
        binder.decl = Some(id);
        binder.out = std::mem::take(findings);
        binder.call_implicitly(base, self.facts.decls[id as usize].name_range.start);
        *findings = binder.out;
        findings.touched.append(&mut binder.touched);
        findings.asked.append(&mut binder.asked);
    }

    /// The class of a declaration that calls a constructor of the base class without saying so.
    fn calls_base(&self, id: DeclId) -> Option<TypeId> {
        let decl = &self.facts.decls[id as usize];
        let is_partial = decl.modifiers.contains(Modifier::Partial);
        let owner = match decl.kind {
            // The part with the body says it.
            DeclKind::Constructor if is_partial && decl.body_range.start == decl.body_range.end => {
                return None;
            }
            DeclKind::Constructor => {
                let member = self.c.member_of_decl(self.unit, id)?;
                self.c.member(member).owner
            }
            DeclKind::Class | DeclKind::Record => {
                let ty = self.c.type_of_decl(self.unit, id)?;
                let is_made = decl.params.is_some() || self.c.has_default_constructor(ty);
                is_made.then_some(ty)?
            }
            _ => return None,
        };
        let root = self.roots[id as usize + 1];
        let bodies = &self.facts.bodies;
        let says = |root| {
            let mut parts = bodies.children(root);
            parts.any(|it| bodies.kind(it) == BodyKind::BaseArguments)
        };
        (!root.is_some_and(says)).then_some(owner)
    }
}

impl Compilation<'_> {
    /// Whether the compiler makes a constructor without parameters of a type.
    fn has_default_constructor(&self, ty: TypeId) -> bool {
        let all = self.members(ty).named(known::CTOR).iter();
        let mut all = all.map(|&it| self.member(it));
        all.any(|it| it.is(MemberFlags::SYNTHESIZED) && it.signature.params.is_empty())
    }

    /// The base of a class that has a constructor with a `params` collection which is no array.
    fn collecting_base(&self, class: TypeId) -> Option<Ty> {
        if !matches!(self.def(class).kind, TypeKind::Class | TypeKind::Record) {
            return None;
        }
        let base = self.base_type(self.instance_type(class))?;
        let constructors = self.members(self.def_of(base)?).named(known::CTOR);
        let mut last = constructors
            .iter()
            .filter_map(|&it| self.member(it).signature.params.last());
        let collects = |it: &Param| it.is_params && !matches!(self.kind(it.ty), TyKind::Array(..));
        last.any(collects).then_some(base)
    }

    /// Whether the base of a class has a constructor that can be called from there without arguments, as far as is known.
    fn has_base_to_call(&self, class: TypeId, from: Access) -> bool {
        if !matches!(self.def(class).kind, TypeKind::Class | TypeKind::Record) {
            return true;
        }
        let Some(base) = self.base_type(self.instance_type(class)) else {
            return true;
        };
        let Some(def) = self.def_of(base).filter(|_| !self.is_partly_unknown(base)) else {
            return true;
        };
        let constructors = self.members(def).named(known::CTOR);
        let mut may_be_called = constructors.iter().map(|&member| {
            let mut params = self.member(member).signature.params.iter();
            let sym = Sym {
                member,
                container: base,
            };
            params.all(|it| it.is_optional || it.is_params) && self.is_accessible(sym, from)
        });
        constructors.is_empty() || may_be_called.any(|it| it)
    }
}
