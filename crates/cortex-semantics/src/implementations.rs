//! Which members override or implement which (C# specification, §15.6.5, §19.6.5).
//!
//! Owns: the mapping from virtual and interface members to what stands for them in one type. Must not
//! know: who calls them.

use cortex_model::{Accessibility, DeclKind, TypeKind};

use crate::{
    ProjectId, Special, TypeOrigin,
    compilation::Compilation,
    symbol::{
        Constraints, Member, MemberFlags, MemberId, TypeFlags, TypeId, TypeParamId, TypeParamOwner,
    },
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

/// What a type must do about the members of its bases and does not; the compiler rejects it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Gap {
    /// Nothing in the type implements the interface member, or overrides the abstract member (CS0534, CS0535, CS0738).
    Missing(MemberId),
    /// The member overrides or explicitly implements nothing (CS0115, CS0539).
    Nothing(MemberId),
    /// The member has another accessibility than what it overrides, another result, or accessors that what it overrides
    /// or explicitly implements does not have (CS0507, CS0508, CS0539, CS1715, CS0545, CS0546, CS0550).
    Unlike(MemberId),
}

/// What the members of a type stand for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// See [`Compilation::implementations`].
    pub implementations: Vec<Implementation>,
    /// Sorted, each once. None of a type that has an unknown base.
    pub gaps: Vec<Gap>,
}

/// One class on the way from a type to `object`.
struct Level<'c> {
    def: TypeId,
    args: &'c [Ty],
    /// The interfaces that it lists, and theirs.
    listed: Vec<Ty>,
    explicit: Vec<MemberId>,
}

/// Whether types of a kind have members that implement others.
fn has_implementations(kind: TypeKind) -> bool {
    !matches!(kind, TypeKind::Enum | TypeKind::Delegate)
}

/// Whether a property has an accessor that what it stands for does not have.
fn has_accessor_more(member: &Member, of: &Member) -> bool {
    let has_accessors = matches!(member.kind, DeclKind::Property | DeclKind::Indexer);
    let mut accessors = [MemberFlags::GETTER, MemberFlags::SETTER].into_iter();
    has_accessors && accessors.any(|it| member.is(it) && !of.is(it))
}

impl Compilation<'_> {
    /// What the members of source stand for in a type: what those that it declares override, and for every
    /// member of every interface of it and its base classes what implements it there. Sorted, each once.
    /// An interface implements members of others explicitly alone. Cost: all members of all its interfaces.
    pub fn implementations(&self, ty: TypeId) -> Vec<Implementation> {
        if !has_implementations(self.def(ty).kind) {
            return Vec::new();
        }
        if self.def(ty).kind == TypeKind::Interface {
            return self.implemented_by_interface(ty);
        }
        let mut found = self.overrides(ty);
        let own = self.instance_type(ty);
        if !self.all_interfaces(own).is_empty() {
            let levels = self.levels(own);
            self.each_interface_member(own, &levels, &mut |_, of, member| {
                found.extend(member.and_then(|member| self.implementation(member, of)));
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The same, and which obligations of the type are not met. Cost: also all members of its base classes.
    pub fn standing(&self, ty: TypeId) -> Standing {
        if !has_implementations(self.def(ty).kind) {
            return Standing::default();
        }
        if self.def(ty).kind == TypeKind::Interface {
            return self.standing_of_interface(ty);
        }
        let own = self.instance_type(ty);
        let levels = self.levels(own);
        let mut found = self.overrides(ty);
        let mut gaps = Vec::new();
        self.each_interface_member(own, &levels, &mut |interface, of, member| {
            let is_met = match member {
                Some(member) => self.has_accessors_of(member, of),
                None => self.needs_no_member(own, &levels, interface, of),
            };
            if !is_met {
                gaps.push(Gap::Missing(of));
            }
            found.extend(member.and_then(|member| self.implementation(member, of)));
        });
        gaps.extend(self.members_of_nothing(ty));
        gaps.extend(self.members_unlike_their_bases(ty));
        if !self.header(ty).flags.has(TypeFlags::ABSTRACT) {
            gaps.extend(self.abstract_members(own).into_iter().map(Gap::Missing));
        }
        if self.has_unknown_base(&levels) {
            gaps.clear();
        }
        gaps.sort_unstable();
        gaps.dedup();
        found.sort_unstable();
        found.dedup();
        Standing {
            implementations: found,
            gaps,
        }
    }

    fn standing_of_interface(&self, ty: TypeId) -> Standing {
        let bases = self.header(ty).interfaces.iter();
        let is_known = !bases.into_iter().any(|base| base.is_error());
        let mut gaps = Vec::new();
        if is_known {
            gaps.extend(self.members_of_nothing(ty));
            gaps.extend(self.members_unlike_their_bases(ty));
        }
        gaps.sort_unstable();
        Standing {
            implementations: self.implemented_by_interface(ty),
            gaps,
        }
    }

    /// The members of other interfaces that one implements for whatever implements it (§19.4.2).
    fn implemented_by_interface(&self, ty: TypeId) -> Vec<Implementation> {
        let members = self.members(ty).all.iter();
        let found = members.filter_map(|&id| {
            let member = self.member(id);
            let of = self.named_in_interface(member, member.signature.explicit?)?;
            Some(Implementation {
                member: id,
                of,
                how: Implements::Interface,
            })
        });
        let mut found: Vec<Implementation> = found.collect();
        found.sort_unstable();
        found
    }

    fn overrides(&self, ty: TypeId) -> Vec<Implementation> {
        let members = self.members(ty).all.iter();
        let found = members.filter_map(|&member| {
            Some(Implementation {
                member,
                of: self.overridden_member(member)?,
                how: Implements::Override,
            })
        });
        found.collect()
    }

    /// What a member of source implements; one from outside is not told.
    fn implementation(&self, member: MemberId, of: MemberId) -> Option<Implementation> {
        let is_source = self.def(self.member(member).owner).is_source();
        is_source.then_some(Implementation {
            member,
            of,
            how: Implements::Interface,
        })
    }

    /// Every member of the interfaces of a type, with the interface as constructed and what implements it there.
    fn each_interface_member(
        &self,
        own: Ty,
        levels: &[Level<'_>],
        tell: &mut dyn FnMut(Ty, MemberId, Option<MemberId>),
    ) {
        for &interface in self.all_interfaces(own).iter() {
            let Some(def) = self.def_of(interface) else {
                continue;
            };
            for &of in &self.members(def).all {
                tell(
                    interface,
                    of,
                    self.implementation_in(levels, interface, self.member(of)),
                );
            }
        }
    }

    /// Whether a property has the accessors that it must have to implement another one.
    fn has_accessors_of(&self, member: MemberId, of: MemberId) -> bool {
        let [member, of] = [member, of].map(|it| self.member(it));
        let accessors = [MemberFlags::GETTER, MemberFlags::SETTER];
        !self.def(member.owner).is_source()
            || (accessors.iter()).all(|&accessor| !of.is(accessor) || member.is(accessor))
    }

    /// Whether a member of an interface may be without an implementation in a class: it has a body, another interface
    /// implements it, or a base class from outside does so with a member that is not read.
    fn needs_no_member(&self, own: Ty, levels: &[Level<'_>], interface: Ty, of: MemberId) -> bool {
        let member = self.member(of);
        let is_demanded = member.is(MemberFlags::ABSTRACT)
            && !member.is(MemberFlags::EXPLICIT)
            && member.accessibility != Accessibility::Private;
        let mut classes = levels.iter().filter(|it| !self.def(it.def).is_source());
        if !is_demanded || classes.any(|class| class.listed.contains(&interface)) {
            return true;
        }
        let seen = Seen {
            member,
            types: self.args_of(interface),
        };
        self.all_interfaces(own).iter().any(|&other| {
            let Some(def) = self.def_of(other) else {
                return false;
            };
            let by = Substitution {
                types: self.args_of(other),
                method: None,
            };
            let mut named = self.members(def).all.iter().map(|&id| self.member(id));
            named.any(|it| {
                let written = it.signature.explicit.map(|it| self.substitute(it, by));
                it.name == member.name
                    && written.is_some_and(|written| {
                        self.without_names(written) == self.without_names(interface)
                    })
                    && same_parameters(
                        self,
                        Seen {
                            member: it,
                            types: by.types,
                        },
                        seen,
                    )
            })
        })
    }

    /// The members that a type declares as overrides or explicit implementations of what there is not.
    fn members_of_nothing(&self, ty: TypeId) -> Vec<Gap> {
        let members = self.members(ty).all.iter().copied();
        let of_nothing = members.filter(|&id| {
            let member = self.member(id);
            if member.is(MemberFlags::SYNTHESIZED) {
                return false;
            }
            match member.signature.explicit {
                Some(interface) => !self.is_in_interface(member, interface),
                None => member.is(MemberFlags::OVERRIDE) && self.overridden_member(id).is_none(),
            }
        });
        of_nothing.map(Gap::Nothing).collect()
    }

    /// The overrides and explicit implementations of a type that are not as what they stand for wants them (C#
    /// specification, §15.6.5, §15.7.6, §19.6.2).
    fn members_unlike_their_bases(&self, ty: TypeId) -> Vec<Gap> {
        let members = self.members(ty).all.iter().copied();
        let unlike = members.filter(|&id| match self.member(id).signature.explicit {
            Some(interface) => {
                let of = self.named_in_interface(self.member(id), interface);
                of.is_some_and(|of| !self.is_like_in_interface(id, interface, of))
            }
            None => {
                let found = self.overridden(id);
                found.is_some_and(|(base, of)| !self.is_like(id, base, of))
            }
        });
        unlike.map(Gap::Unlike).collect()
    }

    /// Whether an explicit implementation has the result of what it implements, and no accessor more.
    fn is_like_in_interface(&self, id: MemberId, interface: Ty, of: MemberId) -> bool {
        let (member, of) = (self.member(id), self.member(of));
        let seen = Seen {
            member: of,
            types: self.args_of(interface),
        };
        let own = Seen { member, types: &[] };
        let is_known = !member.signature.ty.is_error() && !of.signature.ty.is_error();
        (!is_known || same_result(self, own, seen)) && !has_accessor_more(member, of)
    }

    fn is_like(&self, id: MemberId, base: Ty, of: MemberId) -> bool {
        let (member, of) = (self.member(id), self.member(of));
        let seen = Seen {
            member: of,
            types: self.args_of(base),
        };
        let own = Seen { member, types: &[] };
        let [ty, of_ty] = [member, of].map(|it| it.signature.ty);
        // Since C# 9 the result may be a more derived class.
        let may_vary = || {
            member.signature.ref_kind == of.signature.ref_kind
                && !member.is(MemberFlags::SETTER)
                && self.is_reference_type(ty)
                && !self.is_value_type(of_ty)
                && of_ty != self.special(Special::Void)
        };
        let is_result =
            ty.is_error() || of_ty.is_error() || same_result(self, own, seen) || may_vary();
        // In another assembly the part for its own is left out.
        let is_accessible = member.accessibility == of.accessibility
            || of.accessibility == Accessibility::ProtectedInternal
                && member.accessibility == Accessibility::Protected
                && self.project_of_type(member.owner) != self.project_of_type(of.owner);
        is_result && is_accessible && !has_accessor_more(member, of)
    }

    /// The project that declares a type; `None` of one from outside.
    fn project_of_type(&self, ty: TypeId) -> Option<ProjectId> {
        match self.def(ty).origin {
            TypeOrigin::Source { project, .. } => Some(project),
            TypeOrigin::External { .. } => None,
        }
    }

    /// Whether an interface has the member that another one implements explicitly; an unknown one may have it.
    fn is_in_interface(&self, member: &Member, interface: Ty) -> bool {
        self.def_of(interface).is_none() || self.named_in_interface(member, interface).is_some()
    }

    /// The member of an interface that another one implements explicitly.
    fn named_in_interface(&self, member: &Member, interface: Ty) -> Option<MemberId> {
        let def = self.def_of(interface)?;
        let seen = Seen { member, types: &[] };
        let mut named = self.members(def).named(member.name).iter().copied();
        named.find(|&id| {
            let of = Seen {
                member: self.member(id),
                types: self.args_of(interface),
            };
            same_parameters(self, seen, of)
        })
    }

    /// The abstract members of the base classes of a type that nothing in it or in between overrides.
    fn abstract_members(&self, own: Ty) -> Vec<MemberId> {
        let classes: Vec<TypeId> = (self.self_and_bases(own))
            .filter_map(|it| self.def_of(it))
            .collect();
        let mut open: Vec<MemberId> = Vec::new();
        for &class in classes.iter().rev() {
            // A class from outside that is not abstract leaves nothing open.
            if !self.def(class).is_source() && !self.header(class).flags.has(TypeFlags::ABSTRACT) {
                open.clear();
                continue;
            }
            for &id in &self.members(class).all {
                let member = self.member(id);
                if let Some(of) = self.overridden_member(id) {
                    open.retain(|&it| it != of);
                }
                if member.is(MemberFlags::ABSTRACT) {
                    open.push(id);
                }
            }
        }
        open
    }

    /// Whether a type, or one of its bases, names a base that is not known: what it converts to, and which members it has,
    /// is not known either.
    pub(crate) fn has_unknown_bases(&self, ty: Ty) -> bool {
        self.self_and_bases(ty).any(|ty| {
            let header = self.def_of(ty).map(|def| self.header(def));
            header.is_some_and(|header| {
                let mut bases = header.base.iter().chain(&header.interfaces);
                bases.any(|base| base.is_error())
            })
        })
    }

    /// Whether a class, or one of its bases, names a base that is not known.
    fn has_unknown_base(&self, levels: &[Level<'_>]) -> bool {
        levels.iter().any(|level| {
            let header = self.header(level.def);
            let mut bases = header.base.iter().chain(&header.interfaces);
            bases.any(|base| base.is_error())
                || level.listed.iter().any(|it| self.def_of(*it).is_none())
        })
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
