//! Declarations that depend on themselves: types by their bases, structs by their fields, constants by their values.
//!
//! Constants are followed as far as the members of one type. Source: C# specification, §15.2.4.2, §15.4, §16.2.2, §18.2.4,
//! §19.4.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{Decl, FileFacts, text::tokens};

use crate::{
    compilation::Compilation,
    symbol::{Member, MemberId, MemberOrigin, TypeId},
    ty::{Ty, TyKind},
    types::substitute::Substitution,
};

/// How many types the fields of a struct are followed to: far more than structs are nested.
const MAX_TYPES: usize = 64;

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

    /// Whether the value of a constant names the constant, by itself or by others of the type.
    fn is_computed_from_itself(&self, member: &Member) -> bool {
        let mut known: Vec<MemberId> = Vec::new();
        let mut open = self.constants_named_by(member);
        while let Some(id) = open.pop() {
            if id == member.id {
                return true;
            }
            if !known.contains(&id) {
                known.push(id);
                open.extend(self.constants_named_by(self.member(id)));
            }
        }
        false
    }

    /// The constants of its type that the value of a constant names without a type before them, or with that type.
    fn constants_named_by(&self, member: &Member) -> Vec<MemberId> {
        let MemberOrigin::Source(unit, decl) = member.origin else {
            return Vec::new();
        };
        let facts: &FileFacts = &self.unit(unit).facts(self);
        let Some(value) = facts.decls.get(decl as usize).and_then(|it| it.value) else {
            return Vec::new();
        };
        let text = facts.name(value);
        let words: Vec<&str> = (tokens(text.as_bytes()).iter())
            .filter_map(|it| text.get(it.range.as_usize()))
            .collect();
        let owner = self.text(self.def(member.owner).name);
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let is_of_other = at > 0 && words[at - 1] == "." && (at < 2 || words[at - 2] != owner);
            // In `nameof` nothing is computed.
            let is_named = at > 1 && words[at - 1] == "(" && words[at - 2] == "nameof";
            if is_of_other || is_named || words.get(at + 1) == Some(&".") {
                continue;
            }
            let named = self.members(member.owner).named(self.name(word));
            let named = named.iter().copied();
            found.extend(named.filter(|&it| {
                matches!(
                    self.member(it).kind,
                    DeclKind::Constant | DeclKind::EnumMember
                )
            }));
        }
        found
    }
}
