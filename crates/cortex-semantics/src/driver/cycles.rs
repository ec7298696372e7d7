//! Declarations that depend on themselves: types by their bases, structs by their fields, constants by their values.
//!
//! Constants are followed by the names in their values. Source: C# specification, §15.2.4.2, §15.4, §16.2.2, §18.2.4,
//! §19.4.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{Decl, DeclId, FileFacts, text::tokens};

use super::paths::Path;
use crate::{
    compilation::Compilation,
    names::Position,
    surface::member_at,
    symbol::{Member, MemberFlags, MemberId, MemberOrigin, TypeId, UnitId},
    ty::{Ty, TyKind},
    types::substitute::Substitution,
};

/// How many types the fields of a struct are followed to: far more than structs are nested.
const MAX_TYPES: usize = 64;

/// How many constants the value of one is followed to.
const MAX_CONSTANTS: usize = 256;

impl Compilation<'_> {
    /// Whether a type derives from itself by one of its bases.
    pub(super) fn is_derived_from(&self, base: Ty, id: TypeId) -> bool {
        let is_same = |ty: Ty| self.def_of(ty) == Some(id);
        match self.def(id).kind {
            TypeKind::Interface => {
                is_same(base) || self.all_interfaces(base).iter().any(|&it| is_same(it))
            }
            _ => self.self_and_bases(base).any(is_same),
        }
    }

    /// Whether a declaration depends on itself by what it holds: a field or a property with a field of its own by its type,
    /// a constant by its value.
    pub(super) fn is_member_in_cycle(&self, member: &Member, decl: &Decl) -> bool {
        let is_automatic = || {
            let is_made = ![Modifier::Abstract, Modifier::Extern, Modifier::Partial]
                .into_iter()
                .any(|it| decl.modifiers.contains(it));
            is_made && !decl.accessors.is_empty() && decl.accessors.iter().all(|it| !it.has_body)
        };
        match member.kind {
            DeclKind::Field => self.is_part_of_itself(member),
            DeclKind::Property => is_automatic() && self.is_part_of_itself(member),
            DeclKind::Constant | DeclKind::EnumMember => self.is_computed_from_itself(member),
            _ => false,
        }
    }

    /// Whether a struct consists of itself by one of its members.
    fn is_part_of_itself(&self, member: &Member) -> bool {
        let kind = self.def(member.owner).kind;
        if member.is_static() || !matches!(kind, TypeKind::Struct | TypeKind::RecordStruct) {
            return false;
        }
        let mut known: Vec<Ty> = Vec::new();
        let mut open = vec![member.signature.ty];
        while let Some(ty) = open.pop() {
            if known.contains(&ty) || known.len() > MAX_TYPES {
                continue;
            }
            known.push(ty);
            if let Some(elements) = self.tuple_elements(ty) {
                open.extend_from_slice(elements);
                continue;
            }
            if let Some(inner) = self.nullable_underlying(ty) {
                open.push(inner);
                continue;
            }
            let TyKind::Named { def, args } = self.kind(ty) else {
                continue;
            };
            if *def == member.owner {
                return true;
            }
            let is_struct = self.is_value_type(ty) && self.def(*def).is_source();
            if !is_struct || self.is_enum(ty) {
                continue;
            }
            let by = Substitution {
                types: args,
                method: None,
            };
            let fields = self.members(*def).all.iter().map(|&it| self.member(it));
            let fields = fields.filter(|it| it.kind == DeclKind::Field && !it.is_static());
            open.extend(fields.map(|it| self.substitute(it.signature.ty, by)));
        }
        false
    }

    /// Whether the value of a constant names the constant, by itself or by others.
    fn is_computed_from_itself(&self, member: &Member) -> bool {
        let mut known: Vec<MemberId> = Vec::new();
        let mut open = match member.origin {
            // Of a cycle of members without values of their own there is none.
            MemberOrigin::Source(unit, decl) if self.has_value(unit, decl) => {
                self.constants_named_by(member)
            }
            _ => return false,
        };
        while let Some(id) = open.pop() {
            if id == member.id {
                return true;
            }
            if !known.contains(&id) && known.len() < MAX_CONSTANTS {
                known.push(id);
                open.extend(self.constants_named_by(self.member(id)));
            }
        }
        false
    }

    fn has_value(&self, unit: UnitId, decl: DeclId) -> bool {
        let facts = self.unit(unit).facts(self);
        let decl = facts.decls.get(decl as usize);
        decl.is_some_and(|it| it.value.is_some())
    }

    /// The constants from which one is computed. A member of an enum without a value has that of the one before it, and
    /// one more.
    fn constants_named_by(&self, member: &Member) -> Vec<MemberId> {
        let MemberOrigin::Source(unit, id) = member.origin else {
            return Vec::new();
        };
        let facts: &FileFacts = &self.unit(unit).facts(self);
        let Some(decl) = facts.decls.get(id as usize) else {
            return Vec::new();
        };
        let Some(value) = decl.value else {
            let is_counted = |it: &DeclId| {
                let before = &facts.decls[*it as usize];
                before.parent == decl.parent && before.value.is_some()
            };
            let counted = (0..id).rev().find(is_counted);
            let counted = counted.and_then(|it| self.member_of_decl(unit, it));
            return counted.into_iter().collect();
        };
        let scope = self.scope_of(unit, Some(id), Position::Body);
        let text = facts.name(value);
        let words: Vec<&str> = (tokens(text.as_bytes()).iter())
            .filter_map(|it| text.get(it.range.as_usize()))
            .collect();
        let named = Path::all(&words).into_iter();
        let named = named.filter_map(|path| member_at(self, &scope, &path.names, path.arity));
        let is_constant = |id: &MemberId| self.member(*id).is(MemberFlags::CONST);
        named.map(|it| it.member).filter(is_constant).collect()
    }
}
