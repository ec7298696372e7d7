//! From declarations to symbols, and what the types of a file declare.
//!
//! Must not know: how symbols are loaded.

use cortex_model::{Accessibility, DeclKind, TypeKind};
use cortex_syntax::DeclId;

use crate::{
    compilation::Compilation,
    symbol::{
        Member, MemberFlags, MemberId, MemberOrigin, TypeId, TypeOrigin, TypeParamId,
        TypeParamOwner, UnitId,
    },
    world::UnitKey,
};

impl Compilation<'_> {
    /// What forbids the name of a parameter of a record, for people: the record itself, what the compiler makes, and a
    /// member that is no value of its type (C# specification of records). `None` for parameters of other members.
    pub fn rival_of_positional(&self, constructor: MemberId, at: u16) -> Option<String> {
        let constructor = self.member(constructor);
        let owner = self.def(constructor.owner);
        let is_record = matches!(owner.kind, TypeKind::Record | TypeKind::RecordStruct);
        if !is_record || !constructor.is(MemberFlags::PRIMARY) {
            return None;
        }
        let param = constructor.signature.params.get(usize::from(at))?;
        let own = self.instance_type(owner.id);
        if param.name == owner.name {
            return Some(self.display_type(own));
        }
        let is_own = match self.text(param.name) {
            "Clone" => true,
            "EqualityContract" => owner.kind == TypeKind::Record,
            _ => false,
        };
        if is_own {
            let name = self.text(param.name);
            return Some(format!("the compiler's own `{name}`"));
        }
        let bases = self
            .self_and_bases(own)
            .filter_map(|base| self.def_of(base));
        let mut named = bases.flat_map(|base| self.members(base).named(param.name).iter().copied());
        let nearest = named.find(|&it| {
            let member = self.member(it);
            match member.owner == owner.id {
                true => !member.is(MemberFlags::POSITIONAL),
                false => member.accessibility != Accessibility::Private,
            }
        })?;
        let member = self.member(nearest);
        let is_value = match member.kind {
            DeclKind::Property => member.is(MemberFlags::GETTER),
            DeclKind::Field => true,
            _ => false,
        };
        let is_generic = !self.def(member.owner).type_params.is_empty();
        let is_same =
            is_generic || self.without_names(member.signature.ty) == self.without_names(param.ty);
        (!is_value || member.is_static() || !is_same).then(|| self.display_member(nearest))
    }

    /// The type that a declaration makes.
    pub fn type_of_decl(&self, unit: UnitId, decl: DeclId) -> Option<TypeId> {
        let types = &self.unit(unit).head(self).types;
        let at = types.binary_search_by_key(&decl, |(ty, _)| ty.decl).ok()?;
        types[at].1
    }

    /// The files that declare parts of a type of the repository, by path; none of a type from outside.
    pub fn units_of(&self, ty: TypeId) -> Vec<UnitKey> {
        match self.def(ty).origin {
            TypeOrigin::Source { key, .. } => self.world.units_of(key),
            TypeOrigin::External { .. } => Vec::new(),
        }
    }

    /// The type that declares a type parameter, where one does.
    pub fn type_of_param(&self, param: TypeParamId) -> Option<TypeId> {
        match self.type_param(param).owner {
            TypeParamOwner::Type(owner) => Some(owner),
            TypeParamOwner::Method(_) | TypeParamOwner::Local(_) => None,
        }
    }

    /// The innermost type around a declaration; not what it makes itself.
    pub fn type_around_decl(&self, unit: UnitId, decl: DeclId) -> Option<TypeId> {
        let facts = self.unit(unit).facts(self);
        let mut next = facts.decls.get(decl as usize)?.parent;
        while let Some(id) = next {
            if let Some(found) = self.type_of_decl(unit, id) {
                return Some(found);
            }
            next = facts.decls[id as usize].parent;
        }
        None
    }

    /// The member that a declaration makes, all its partial declarations the same; of top-level
    /// statements the method whose body they are.
    pub fn member_of_decl(&self, unit: UnitId, decl: DeclId) -> Option<MemberId> {
        let find = || {
            let members = self.caches.member_of_decl.borrow();
            members.get(&(unit, decl)).copied()
        };
        find().or_else(|| {
            let own = self.type_of_decl(unit, decl);
            let owner = own.or_else(|| self.type_around_decl(unit, decl))?;
            self.members(owner);
            find()
        })
    }

    /// The constructor that a type's parameter list makes.
    pub fn primary_constructor(&self, ty: TypeId) -> Option<MemberId> {
        let members = self.members(ty).all.iter().copied();
        members
            .into_iter()
            .find(|&id| self.member(id).is(MemberFlags::PRIMARY))
    }

    /// The members that a type declares and that the compiler makes, in the order of
    /// [`crate::MemberTable::all`]; accessors belong to their property or event.
    pub fn declared_members(&self, ty: TypeId) -> impl Iterator<Item = &Member> {
        let members = self.members(ty).all.iter();
        members.map(|&id| self.member(id)).filter(|member| {
            let is_source = matches!(member.origin, MemberOrigin::Source(..));
            is_source && member.kind != DeclKind::TopLevel
        })
    }
}

/// What kind of symbol a member is: `method`, `field`, `property` or `event`.
pub fn member_word(kind: DeclKind) -> &'static str {
    match kind {
        DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => "field",
        DeclKind::Property | DeclKind::Indexer => "property",
        DeclKind::Event => "event",
        _ => "method",
    }
}
