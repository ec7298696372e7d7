//! Which members override or implement which (C# specification, §15.6.5, §19.6.5).
//!
//! Owns: the mapping from virtual and interface members to what stands for them in one type. Must not
//! know: who calls them.

use cortex_model::{Accessibility, TypeKind};

use crate::{
    compilation::Compilation,
    symbol::{Constraints, Member, MemberFlags, MemberId, TypeId, TypeParamId, TypeParamOwner},
    ty::Ty,
    types::{
        signature::{Seen, same_parameters, same_result},
        substitute::Substitution,
    },
};

/// A member that stands for another in a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Implementation {
    /// What runs; declared in source.
    pub member: MemberId,
    /// What is named: a member of a base class or interface, which may be from outside.
    pub of: MemberId,
    /// How.
    pub how: Implements,
}

/// How a member stands for another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Implements {
    /// It overrides it: the nearest declaration that it does so to.
    Override,
    /// It implements it, in its own type or for one derived from it.
    Interface,
}

impl Implements {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Override => "override",
            Self::Interface => "interface",
        }
    }
}

/// One class on the way from a type to `object`.
struct Level<'c> {
    def: TypeId,
    args: &'c [Ty],
    /// The interfaces that it lists, and theirs.
    listed: Vec<Ty>,
    explicit: Vec<MemberId>,
}

impl Compilation<'_> {
    /// What the members of source stand for in a type: what those that it declares override, and for every
    /// member of every interface of it and its base classes what implements it there. Sorted, each once.
    /// An interface itself implements nothing. Cost: all members of all its interfaces.
    pub fn implementations(&self, ty: TypeId) -> Vec<Implementation> {
        let def = self.def(ty);
        let mut found = Vec::new();
        if matches!(
            def.kind,
            TypeKind::Interface | TypeKind::Enum | TypeKind::Delegate
        ) {
            return found;
        }
        for &member in &self.members(ty).all {
            if let Some(of) = self.overridden_member(member) {
                found.push(Implementation {
                    member,
                    of,
                    how: Implements::Override,
                });
            }
        }
        let own = self.instance_type(ty);
        let interfaces = self.all_interfaces(own);
        if interfaces.is_empty() {
            return found;
        }
        let levels = self.levels(own);
        for &interface in interfaces.iter() {
            let Some(of) = self.def_of(interface) else {
                continue;
            };
            for &of in &self.members(of).all {
                let Some(member) = self.implementation_in(&levels, interface, self.member(of))
                else {
                    continue;
                };
                if self.def(self.member(member).owner).is_source() {
                    found.push(Implementation {
                        member,
                        of,
                        how: Implements::Interface,
                    });
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What runs for a member of an interface where a type, as constructed, stands behind it.
    pub fn implementation_of(&self, ty: Ty, interface: Ty, of: MemberId) -> Option<MemberId> {
        self.implementation_in(&self.levels(ty), interface, self.member(of))
    }

    fn levels(&self, ty: Ty) -> Vec<Level<'_>> {
        let levels = self.self_and_bases(ty).filter_map(|ty| {
            let def = self.def_of(ty)?;
            let args = self.args_of(ty);
            let by = Substitution {
                types: args,
                method: None,
            };
            let mut listed = Vec::new();
            for &interface in &self.header(def).interfaces {
                let interface = self.substitute(interface, by);
                listed.push(interface);
                listed.extend_from_slice(&self.all_interfaces(interface));
            }
            let all = self.members(def).all.iter().copied();
            let explicit = all.filter(|&id| self.member(id).is(MemberFlags::EXPLICIT));
            Some(Level {
                def,
                args,
                listed,
                explicit: explicit.collect(),
            })
        });
        levels.collect()
    }

    /// §19.6.5: an explicit implementation in the type or the nearest base class that has one; else a
    /// public member of the first class at or above the most derived one that lists the interface.
    fn implementation_in(
        &self,
        levels: &[Level<'_>],
        interface: Ty,
        of: &Member,
    ) -> Option<MemberId> {
        let is_overridable = of.is(MemberFlags::ABSTRACT) || of.is(MemberFlags::VIRTUAL);
        if !is_overridable
            || of.is(MemberFlags::EXPLICIT)
            || of.accessibility == Accessibility::Private
        {
            return None;
        }
        let wanted = Seen {
            member: of,
            types: self.args_of(interface),
        };
        let plain = self.without_names(interface);
        let mut is_listed = false;
        for level in levels {
            let seen = |member| Seen {
                member,
                types: level.args,
            };
            let by = Substitution {
                types: level.args,
                method: None,
            };
            let mut explicit = level.explicit.iter().copied();
            let explicit = explicit.find(|&id| {
                let member = self.member(id);
                let written = member.signature.explicit;
                member.name == of.name
                    && written.is_some_and(|written| {
                        let written = self.substitute(written, by);
                        written == interface || self.without_names(written) == plain
                    })
                    && same_parameters(self, seen(member), wanted)
            });
            if explicit.is_some() {
                return explicit;
            }
            is_listed |= level.listed.iter().any(|&it| {
                it == interface
                    || self.def_of(it) == self.def_of(interface) && self.without_names(it) == plain
            });
            if !is_listed {
                continue;
            }
            let mut named = self.members(level.def).named(of.name).iter().copied();
            let implicit = named.find(|&id| {
                let member = self.member(id);
                member.accessibility == Accessibility::Public
                    && member.kind == of.kind
                    && member.is_static() == of.is_static()
                    && same_parameters(self, seen(member), wanted)
                    && same_result(self, seen(member), wanted)
            });
            if implicit.is_some() {
                return implicit;
            }
        }
        None
    }

    /// The member that an `override` overrides: the nearest of its signature in the base classes (§15.6.5).
    pub fn overridden_member(&self, id: MemberId) -> Option<MemberId> {
        self.overridden(id).map(|(_, of)| of)
    }

    /// The same with the base class, as constructed, that declares it.
    pub(crate) fn overridden(&self, id: MemberId) -> Option<(Ty, MemberId)> {
        let member = self.member(id);
        if !member.is(MemberFlags::OVERRIDE) {
            return None;
        }
        let own = Seen { member, types: &[] };
        let bases = self.self_and_bases(self.instance_type(member.owner));
        for base in bases.skip(1) {
            let def = self.def_of(base)?;
            let mut named = self.members(def).named(member.name).iter().copied();
            let found = named.find(|&id| {
                let of = self.member(id);
                let seen = Seen {
                    member: of,
                    types: self.args_of(base),
                };
                let is_overridable = of.is(MemberFlags::VIRTUAL)
                    || of.is(MemberFlags::ABSTRACT)
                    || of.is(MemberFlags::OVERRIDE);
                is_overridable
                    && of.kind == member.kind
                    && of.accessibility != Accessibility::Private
                    && same_parameters(self, own, seen)
            });
            if let Some(of) = found {
                return Some((base, of));
            }
        }
        None
    }

    /// The constraints that an override or explicit implementation takes over from what it stands for
    /// (§15.6.5): those of the type parameter at the same place.
    pub(crate) fn inherited_constraints(&self, param: TypeParamId) -> Option<Constraints> {
        let param = self.type_param(param);
        let TypeParamOwner::Method(id) = param.owner else {
            return None;
        };
        let member = self.try_member(id)?;
        let (container, of) = match member.signature.explicit {
            Some(interface) => {
                let def = self.def_of(interface)?;
                let wanted = Seen { member, types: &[] };
                let mut named = self.members(def).named(member.name).iter().copied();
                let of = named.find(|&id| {
                    let seen = Seen {
                        member: self.member(id),
                        types: self.args_of(interface),
                    };
                    same_parameters(self, wanted, seen)
                })?;
                (interface, of)
            }
            None => self.overridden(id)?,
        };
        let of_param = *self
            .member(of)
            .signature
            .type_params
            .get(usize::from(param.index))?;
        let inherited = self.constraints(of_param);
        let own = member.signature.type_params.iter();
        let own: Vec<Ty> = own.map(|&param| self.param_type(param)).collect();
        let by = Substitution {
            types: self.args_of(container),
            method: Some((of, &own)),
        };
        let types = inherited.types.iter();
        Some(Constraints {
            types: types.map(|&ty| self.substitute(ty, by)).collect(),
            ..inherited.clone()
        })
    }
}
