//! What the language forbids of the head of a declaration for what the types that it names are, and the type around it.
//!
//! Source: C# specification, §7.5.5, §15.2.2.4, §15.2.4, §15.2.5, §15.6.10, §19.4. Of what is not known whole, nothing is
//! forbidden.
//!
//! Must not know: modifiers that exclude each other, bodies.

use cortex_model::{DeclKind, TypeKind};
use cortex_syntax::{Constraint, Decl, DeclId, TypeSyntax};

use super::File;
use crate::{
    compilation::Compilation,
    load::source::header::declares_extension,
    name::known,
    names::{Ignore, Position, Scope},
    output::{Findings, Misfit},
    special::Special,
    symbol::{Member, MemberFlags, TypeFlags, TypeId, TypeParamId},
    ty::{Ty, TyKind},
};

/// Classes that no code derives from although they are not sealed.
const NO_BASES: [Special; 5] = [
    Special::Array,
    Special::Enum,
    Special::ValueType,
    Special::Delegate,
    Special::MulticastDelegate,
];

/// Classes that no type parameter may be constrained by.
const NO_CONSTRAINTS: [Special; 3] = [Special::Object, Special::Array, Special::ValueType];

/// Operators that come in pairs (C# specification, §15.10.2, §15.10.3).
const PAIRS: [[&str; 2]; 4] = [
    ["op_Equality", "op_Inequality"],
    ["op_LessThan", "op_GreaterThan"],
    ["op_LessThanOrEqual", "op_GreaterThanOrEqual"],
    ["op_True", "op_False"],
];

impl File<'_, '_> {
    /// Adds what is forbidden of the head of a declaration.
    pub(super) fn check_head(&self, id: DeclId, findings: &mut Findings) {
        let decl = &self.facts.decls[id as usize];
        let is_type = decl.kind.type_kind().is_some();
        let position = match is_type {
            true => Position::Header,
            false => Position::Body,
        };
        let scope = self.scope(Some(id), position);
        self.check_constraints((decl, &scope), findings);
        self.check_values((decl, &scope), findings);
        let (is_seen, has_variance) = match is_type {
            true => {
                let Some(ty) = self.c.type_of_decl(self.unit, id) else {
                    return;
                };
                self.check_bases((decl, ty), &scope, findings);
                (
                    self.c.sees_types_of_type(ty),
                    self.c.has_variance_of_type(ty),
                )
            }
            false => {
                let Some(member) = self.c.member_of_decl(self.unit, id) else {
                    return;
                };
                let member = self.c.member(member);
                let is_extension = declares_extension(decl) && decl.kind == DeclKind::Method;
                if !self.c.may_have(member, is_extension) {
                    let misfit = (decl.name_range.start, Misfit::Member);
                    findings.misfits.push(misfit);
                }
                if self.c.is_member_in_cycle(member, decl) {
                    let misfit = (decl.name_range.start, Misfit::Cycle);
                    findings.misfits.push(misfit);
                }
                (
                    self.c.sees_types_of_member(member),
                    self.c.has_variance_of_member(member),
                )
            }
        };
        for (is_allowed, misfit) in [(is_seen, Misfit::Unseen), (has_variance, Misfit::Variance)] {
            if !is_allowed {
                findings.misfits.push((decl.name_range.start, misfit));
            }
        }
    }

    fn read(&self, scope: &Scope, ty: &TypeSyntax) -> Ty {
        self.c.bind_type(scope, self.facts, ty, &mut Ignore)
    }

    /// Where a type is written: its last name.
    fn offset_of(&self, ty: &TypeSyntax) -> Option<u32> {
        let TypeSyntax::Named(segments) = ty else {
            return None;
        };
        let reference = self.facts.refs.get(segments.last()?.reference as usize)?;
        Some(reference.offset)
    }

    /// What a type derives from.
    fn check_bases(&self, (decl, id): (&Decl, TypeId), scope: &Scope, findings: &mut Findings) {
        let c = self.c;
        let kind = c.def(id).kind;
        if matches!(kind, TypeKind::Enum | TypeKind::Delegate) {
            return;
        }
        let mut before: Vec<Ty> = Vec::new();
        for (at, written) in decl.bases.iter().enumerate() {
            let base = self.read(scope, written);
            if c.is_partly_unknown(base) {
                continue;
            }
            let is_interface = c.type_kind(base) == Some(TypeKind::Interface);
            let is_allowed = match is_interface {
                true => !before.contains(&base),
                false => at == 0 && c.may_derive(kind, base),
            };
            before.push(base);
            let offset = self.offset_of(written).unwrap_or(decl.name_range.start);
            if !is_allowed {
                findings.misfits.push((offset, Misfit::Base));
            }
            if c.is_derived_from(base, id) {
                findings.misfits.push((offset, Misfit::Cycle));
            }
        }
    }

    /// The types that type parameters are constrained by.
    fn check_constraints(&self, (decl, scope): (&Decl, &Scope), findings: &mut Findings) {
        let c = self.c;
        for param in &decl.type_params {
            for (at, constraint) in param.constraints.iter().enumerate() {
                let Constraint::Type(written) = constraint else {
                    continue;
                };
                let ty = self.read(scope, written);
                let before = &param.constraints[..at];
                let is_itself = || match c.kind(ty) {
                    TyKind::Param(other) => {
                        c.text(c.type_param_name(*other)) == self.facts.name(param.name)
                    }
                    _ => false,
                };
                let is_allowed = c.is_partly_unknown(ty)
                    || !is_itself() && c.may_constrain(ty) && self.may_follow(before, ty);
                if !is_allowed {
                    let offset = self.offset_of(written).unwrap_or(decl.name_range.start);
                    findings.misfits.push((offset, Misfit::Constraint));
                }
            }
        }
    }

    /// Whether a constraint may stand behind others: a class is the first type, and beside `class` and `struct` only one
    /// that says more.
    fn may_follow(&self, before: &[Constraint], ty: Ty) -> bool {
        let c = self.c;
        let is_class = matches!(c.type_kind(ty), Some(TypeKind::Class | TypeKind::Record));
        let is_one = |all: &[Special]| all.iter().any(|&it| c.is_special(ty, it));
        let may_stand_with = |constraint: &Constraint| match constraint {
            Constraint::Type(_) => false,
            Constraint::Keyword(word) => match self.facts.name(*word) {
                "struct" | "unmanaged" => is_one(&[Special::Enum]),
                "class" | "class?" => {
                    is_one(&[Special::Enum, Special::Delegate, Special::MulticastDelegate])
                }
                _ => true,
            },
        };
        !is_class || before.iter().all(may_stand_with)
    }

    /// The types of what a declaration holds, takes and gives.
    fn check_values(&self, (decl, scope): (&Decl, &Scope), findings: &mut Findings) {
        // The receiver of extension members may be a static class.
        let params = decl.params.iter().flatten();
        let params = params.filter(|_| decl.kind != DeclKind::Extension);
        let types = params.filter_map(|it| it.ty.as_ref());
        let mut types = types.chain(decl.ty.as_ref().filter(|_| decl.kind != DeclKind::Enum));
        if types.any(|ty| self.c.names_static_class(self.read(scope, ty))) {
            let misfit = (decl.name_range.start, Misfit::StaticType);
            findings.misfits.push(misfit);
        }
    }
}

impl Compilation<'_> {
    /// Whether it is a static class.
    pub(crate) fn is_static_class(&self, ty: Ty) -> bool {
        let def = self.def_of(ty);
        def.is_some_and(|def| self.header(def).flags.has(TypeFlags::STATIC))
    }

    /// Whether a type is a static class, or made of one.
    fn names_static_class(&self, ty: Ty) -> bool {
        let any = |types: &[Ty]| types.iter().any(|&it| self.names_static_class(it));
        match self.kind(ty) {
            TyKind::Named { args, .. } => self.is_static_class(ty) || any(args),
            TyKind::Array(element, _) | TyKind::Pointer(element) => {
                self.names_static_class(*element)
            }
            TyKind::Tuple { elements, .. } => any(elements),
            _ => false,
        }
    }

    /// Whether a type of a kind may derive from what is no interface.
    fn may_derive(&self, kind: TypeKind, base: Ty) -> bool {
        let TyKind::Named { def, .. } = self.kind(base) else {
            return false;
        };
        let (def, flags) = (self.def(*def), self.header(*def).flags);
        let is_record = flags.has(TypeFlags::RECORD);
        // Metadata does not tell records.
        let is_of_kind = match kind {
            TypeKind::Class => !is_record,
            TypeKind::Record => {
                is_record || !def.is_source() || self.is_special(base, Special::Object)
            }
            _ => false,
        };
        // Whoever declares these classes derives from them.
        let is_own = || !def.is_source() && NO_BASES.iter().any(|&it| self.is_special(base, it));
        is_of_kind
            && matches!(def.kind, TypeKind::Class | TypeKind::Record)
            && !flags.has(TypeFlags::SEALED)
            && !is_own()
    }

    /// Whether a type parameter may be constrained by a type, first of all.
    fn may_constrain(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Param(_) => true,
            TyKind::Named { def, .. } => {
                let is_sealed = self.header(*def).flags.has(TypeFlags::SEALED);
                !is_sealed && !NO_CONSTRAINTS.iter().any(|&it| self.is_special(ty, it))
            }
            _ => false,
        }
    }

    /// Whether the type of a member may have it: static classes and interfaces have none of objects, and extension methods
    /// stand in static classes alone.
    /// `is_extension`: whether its first parameter says `this`.
    fn may_have(&self, member: &Member, is_extension: bool) -> bool {
        let owner = self.def(member.owner);
        let is_static_class = self.header(member.owner).flags.has(TypeFlags::STATIC);
        if is_extension {
            let is_alone = owner.outer.is_none() && owner.type_params.is_empty();
            return is_static_class && is_alone && member.is_static();
        }
        let is_of_object = !member.is_static()
            && member.kind != DeclKind::Constant
            && !member.is(MemberFlags::EXTENSION_BLOCK);
        if is_static_class && is_of_object {
            return false;
        }
        if !self.has_partner(member)
            || !self.may_convert(member)
            || !self.takes_its_type(member)
            || self.is_made_of_record(member)
        {
            return false;
        }
        // Who sees the type has to set it.
        if member.is(MemberFlags::REQUIRED) && owner.outer.is_none() {
            let setter = member.signature.setter.unwrap_or(member.accessibility);
            if setter.min(member.accessibility) < owner.accessibility {
                return false;
            }
        }
        let has_state = matches!(member.kind, DeclKind::Field | DeclKind::Constructor);
        !(owner.kind == TypeKind::Interface && is_of_object && has_state)
    }

    /// Whether a type has the other operator of a pair as well.
    fn has_partner(&self, member: &Member) -> bool {
        let name = self.text(member.name);
        let partner = PAIRS.iter().find_map(|&[a, b]| match name {
            _ if name == a => Some(b),
            _ if name == b => Some(a),
            _ => None,
        });
        let Some(partner) = partner.filter(|_| member.kind == DeclKind::Operator) else {
            return true;
        };
        let types = |member: &Member| -> Vec<Ty> {
            let params = member.signature.params.iter();
            params.map(|it| it.ty).collect()
        };
        let all = &self.members(member.owner).all;
        let mut others = all.iter().map(|&it| self.member(it));
        others.any(|it| self.text(it.name) == partner && types(it) == types(member))
    }

    /// Whether a member of a record is one that the compiler makes in any case: its own `==` and `!=` (C# specification,
    /// §15.16.3).
    fn is_made_of_record(&self, member: &Member) -> bool {
        let is_record = self.header(member.owner).flags.has(TypeFlags::RECORD);
        let own = self.instance_type(member.owner);
        let mut params = member.signature.params.iter();
        is_record
            && member.kind == DeclKind::Operator
            && matches!(self.text(member.name), "op_Equality" | "op_Inequality")
            && params.all(|it| it.ty == own)
    }

    /// Whether an operator takes its own type, or a conversion takes or gives it (C# specification, §15.10.2 to §15.10.4).
    fn takes_its_type(&self, member: &Member) -> bool {
        let is_asked = matches!(member.kind, DeclKind::Operator | DeclKind::Conversion)
            && member.is_static()
            && !member.is(MemberFlags::EXPLICIT)
            && !member.is(MemberFlags::EXTENSION_BLOCK)
            && self.def(member.owner).kind != TypeKind::Interface;
        let signature = &member.signature;
        let given = (member.kind == DeclKind::Conversion).then_some(signature.ty);
        let params = signature.params.iter().map(|it| it.ty);
        let mut types = params.chain(given);
        let is_own = |ty: Ty| {
            self.is_partly_unknown(ty) || self.def_of(self.strip_nullable(ty)) == Some(member.owner)
        };
        !is_asked || types.any(is_own)
    }

    /// Whether a conversion is one between types that may have one: none of them is an interface or the other one or a
    /// base class of it, and no interface has one of its own (C# specification, §15.10.4, §18.4).
    fn may_convert(&self, member: &Member) -> bool {
        if member.kind != DeclKind::Conversion || member.is(MemberFlags::EXPLICIT) {
            return true;
        }
        let signature = &member.signature;
        let params = signature.params.iter().map(|it| it.ty);
        let types: Vec<Ty> = (params.chain([signature.ty]))
            .map(|it| self.strip_nullable(it))
            .collect();
        if let [from, to] = types[..] {
            let derives = |ty: Ty, base: Ty| self.self_and_bases(ty).any(|it| it == base);
            let is_known = ![from, to].iter().any(|&it| self.is_partly_unknown(it));
            if is_known && (derives(from, to) || derives(to, from)) {
                return false;
            }
        }
        let is_of_interface = types.iter().any(|&it| self.is_interface(it));
        let dispatches = member.is(MemberFlags::ABSTRACT) || member.is(MemberFlags::VIRTUAL);
        let is_in_interface = self.def(member.owner).kind == TypeKind::Interface;
        !is_of_interface && (!is_in_interface || dispatches)
    }

    /// Whether all code that sees a type sees its bases, its constraints and what its parameters and results are.
    fn sees_types_of_type(&self, id: TypeId) -> bool {
        let def = self.def(id);
        let header = self.header(id);
        let bases: &[Ty] = match def.kind {
            TypeKind::Interface => &header.interfaces,
            _ => header.base.as_slice(),
        };
        let own = def.type_params.len() - usize::from(def.arity);
        let constraints = self.constraint_types(&def.type_params[own..]);
        let mut types = bases.iter().copied().chain(constraints);
        let made = match def.kind {
            TypeKind::Delegate => self.members(id).named(known::INVOKE).first().copied(),
            _ => self.primary_constructor(id),
        };
        types.all(|ty| self.is_type_seen_with(id, ty))
            && made.is_none_or(|it| self.sees_types_of_member(self.member(it)))
    }

    /// Whether all code that sees a member sees the types that it names.
    fn sees_types_of_member(&self, member: &Member) -> bool {
        let seen = (member.owner, member.accessibility);
        let signature = &member.signature;
        let params = signature.params.iter().map(|param| param.ty);
        let constraints = self.constraint_types(&signature.type_params);
        let mut types = params.chain([signature.ty]).chain(constraints);
        // What overrides has the types of what it overrides.
        member.is(MemberFlags::EXPLICIT)
            || member.is(MemberFlags::OVERRIDE)
            || types.all(|ty| self.is_seen_with(seen, ty))
    }

    fn constraint_types<'a>(&'a self, params: &'a [TypeParamId]) -> impl Iterator<Item = Ty> + 'a {
        let all = params.iter().map(|&param| &self.constraints(param).types);
        all.flat_map(|types| types.iter().copied())
    }
}
