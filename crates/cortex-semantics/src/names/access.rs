//! §7.5: what can be named from where.

use cortex_bind::InternalsVisible;
use cortex_model::{Accessibility, DeclKind};

use super::Access;
use crate::{
    compilation::Compilation,
    symbol::{ExternalId, MemberFlags, MemberId, ProjectId, Sym, TypeId, TypeOrigin},
    ty::{Ty, TyKind},
    types::MAX_BASES,
};

impl Compilation<'_> {
    /// §7.5.2: whether a member can be named. A constructor in a base initializer is accessed with
    /// `through: None`, one in `new T()` through `T`.
    pub fn is_accessible(&self, sym: Sym, from: Access) -> bool {
        let member = self.member(sym.member);
        let needs_receiver =
            !member.is(MemberFlags::STATIC) || member.kind == DeclKind::Constructor;
        self.is_declared_in(sym.member, member.owner, from.project)
            && self.is_type_accessible(member.owner, from)
            && self.allows(
                member.accessibility,
                member.owner,
                from,
                if needs_receiver { from.through } else { None },
            )
    }

    /// Whether a project has a member: one variant of a project lacks what only others compile. Other projects see
    /// the members of all variants.
    fn is_declared_in(&self, member: MemberId, owner: TypeId, project: ProjectId) -> bool {
        let variants = self.caches.variants_of_member.borrow();
        let Some(projects) = variants.get(&member) else {
            return true;
        };
        let TypeOrigin::Source { project: home, .. } = self.def(owner).origin else {
            return true;
        };
        let is_variant = self.project(home).assembly == self.project(project).assembly;
        !is_variant || projects.contains(&project)
    }

    /// Whether a type can be named, with the types around it. That a file-local type is seen by its file
    /// alone is told by [`Compilation::lookup_type_name`].
    pub fn is_type_accessible(&self, def: TypeId, from: Access) -> bool {
        let mut next = Some(def);
        for _ in 0..MAX_BASES {
            let Some(id) = next else { return true };
            let def = self.def(id);
            next = def.outer;
            let is_open = match def.outer {
                Some(outer) => self.allows(def.accessibility, outer, from, None),
                None => {
                    def.accessibility == Accessibility::Public
                        || self.internals(id, from.project) == InternalsVisible::Yes
                }
            };
            if !is_open {
                return false;
            }
        }
        false
    }

    /// How internals of a type's assembly are seen from a project.
    pub fn internals(&self, def: TypeId, from: ProjectId) -> InternalsVisible {
        match self.def(def).origin {
            TypeOrigin::Source { project, .. } if project == from => InternalsVisible::Yes,
            TypeOrigin::Source { project, .. } => self
                .project(from)
                .sees(project)
                .unwrap_or(InternalsVisible::No),
            TypeOrigin::External { assembly, .. } => {
                if self.is_friend(assembly, from) {
                    InternalsVisible::Yes
                } else {
                    InternalsVisible::No
                }
            }
        }
    }

    fn is_friend(&self, assembly: ExternalId, from: ProjectId) -> bool {
        if let Some(&found) = self.caches.friends.borrow().get(&(assembly, from)) {
            return found;
        }
        let name = &self.project(from).assembly;
        let friends = self.world.externals()[assembly.index()].friends();
        let found = friends
            .iter()
            .any(|friend| friend.eq_ignore_ascii_case(name));
        self.caches
            .friends
            .borrow_mut()
            .insert((assembly, from), found);
        found
    }

    /// Whether a declaration inside of `owner` with an accessibility can be named.
    pub(super) fn allows(
        &self,
        accessibility: Accessibility,
        owner: TypeId,
        from: Access,
        through: Option<Ty>,
    ) -> bool {
        let is_internal = || self.internals(owner, from.project) == InternalsVisible::Yes;
        match accessibility {
            Accessibility::Public => true,
            Accessibility::Internal | Accessibility::File => is_internal(),
            Accessibility::Private => self.around(from).any(|id| id == owner),
            Accessibility::Protected => self.is_in_derived(owner, from, through),
            Accessibility::ProtectedInternal => {
                is_internal() || self.is_in_derived(owner, from, through)
            }
            Accessibility::PrivateProtected => {
                is_internal() && self.is_in_derived(owner, from, through)
            }
        }
    }

    /// The types around an access, inner to outer.
    fn around(&self, from: Access) -> impl Iterator<Item = TypeId> + '_ {
        std::iter::successors(from.container, |&id| self.def(id).outer).take(MAX_BASES)
    }

    /// §7.5.4: whether a type around the access derives from `owner`, and is accessed through itself or a type
    /// derived from it.
    fn is_in_derived(&self, owner: TypeId, from: Access, through: Option<Ty>) -> bool {
        self.around(from).any(|around| {
            self.inherits(around, owner)
                && through.is_none_or(|through| {
                    through.is_error() || {
                        let receiver = self.class_of(through);
                        receiver.is_some_and(|def| self.inherits(def, around))
                    }
                })
        })
    }

    /// The class whose members a value of a type has.
    fn class_of(&self, ty: Ty) -> Option<TypeId> {
        match self.kind(ty) {
            TyKind::Param(_) => self.def_of(self.effective_base(ty)),
            _ => self.def_of(ty),
        }
    }

    /// Whether a type is, derives from or (an interface) extends another.
    fn inherits(&self, def: TypeId, base: TypeId) -> bool {
        if def == base {
            return true;
        }
        let ty = self.instance_type(def);
        if self
            .chain(ty)
            .iter()
            .any(|&ty| self.def_of(ty) == Some(base))
        {
            return true;
        }
        let is_interface = |id| self.def(id).kind == cortex_model::TypeKind::Interface;
        is_interface(base)
            && self
                .all_interfaces(ty)
                .iter()
                .any(|&ty| self.def_of(ty) == Some(base))
    }
}
