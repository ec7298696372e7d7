//! What a rule sees: both sides of a comparison.

use crate::compat::{candidates::Extent, forwards::Forwards};
use cortex_model::{Accessibility, TypeKey};
use cortex_semantics::{
    Compilation, MemberFlags, MemberKind, MemberSurface, MethodShape, TypeId, TypeOrigin,
    TypeSurface,
};
use cortex_wire::ApiDifference;

/// Both sides of a comparison.
pub(crate) struct Sides<'a, 'w> {
    pub(crate) old: &'a Compilation<'w>,
    pub(crate) new: &'a Compilation<'w>,
    /// The types that assemblies have by forwarding, on each side.
    pub(crate) forwards: &'a [Forwards; 2],
    /// The assembly that is compared.
    pub(crate) assembly: &'a str,
}

impl Sides<'_, '_> {
    /// A type of the assembly on both sides, found by its name on one; `None` where it is to be left out:
    /// neither side has it in the assembly, or a type around it is not there for others on both sides.
    pub(crate) fn counterparts(&self, key: TypeKey) -> Option<Counterparts> {
        let here = |side: usize| {
            let id = self.compilation(side).source_type(key)?;
            self.is_of_assembly(side, id).then_some(id)
        };
        let (mut left, mut right) = (here(0), here(1));
        match (left, right) {
            (None, None) => return None,
            (Some(id), None) => right = self.find(0, id),
            (None, Some(id)) => left = self.find(1, id),
            (Some(a), Some(b)) => {
                // A type parameter's name is part of the type's, as the SDK has it.
                if self.old.definition_key(a) != self.new.definition_key(b) {
                    right = None;
                }
            }
        }
        let known = left.map(|id| (0, id)).or(right.map(|id| (1, id)));
        if let Some((side, id)) = known
            && let Some(outer) = self.compilation(side).def(id).outer
        {
            let there = self.find(side, outer)?;
            let is_visible = |side: usize, id| self.compilation(side).is_visible_outside(id);
            if !(is_visible(side, outer) && is_visible(1 - side, there)) {
                return None;
            }
        }
        let seen_left = left.filter(|&id| self.old.is_visible_outside(id));
        let seen_right = right.filter(|&id| self.new.is_visible_outside(id));
        (seen_left.is_some() || seen_right.is_some()).then_some(Counterparts {
            ids: [seen_left, seen_right],
            is_hidden: left.is_some() && right.is_some(),
        })
    }

    /// The compilation of one side, 0 the older.
    fn compilation(&self, side: usize) -> &Compilation<'_> {
        [self.old, self.new][side]
    }

    fn is_of_assembly(&self, side: usize, id: TypeId) -> bool {
        let c = self.compilation(side);
        match &c.def(id).origin {
            TypeOrigin::Source { project, .. } => {
                *c.project(*project).assembly == *self.assembly
                    || self.forwards[side].has(self.assembly, c, id)
            }
            TypeOrigin::External { .. } => false,
        }
    }

    /// The type of the same name and assembly on the other side.
    fn find(&self, side: usize, id: TypeId) -> Option<TypeId> {
        let (from, to) = (self.compilation(side), self.compilation(1 - side));
        let name = to.name(from.text(from.def(id).name));
        let key = from.definition_key(id);
        let named = to.source_types_named(name);
        let mut named = named.iter().copied();
        named.find(|&other| self.is_of_assembly(1 - side, other) && to.definition_key(other) == key)
    }
}

/// A type of an assembly on both sides.
#[derive(Clone, Copy)]
pub(crate) struct Counterparts {
    /// The type, on sides where others see it.
    pub(crate) ids: [Option<TypeId>; 2],
    /// Whether a side that lacks it declares it, out of sight of others.
    is_hidden: bool,
}

/// A type on both sides.
pub(crate) struct Pair {
    /// Whether a side that lacks it declares it, out of sight of others.
    pub(crate) is_hidden: bool,
    pub(crate) left: Option<(TypeId, TypeSurface)>,
    pub(crate) right: Option<(TypeId, TypeSurface)>,
}

impl Pair {
    pub(crate) fn read(sides: &Sides<'_, '_>, found: Counterparts, extent: Extent) -> Self {
        let [left, right] = found.ids;
        // What is told of a type that came or went needs no members.
        let is_whole = extent == Extent::Whole && left.is_some() && right.is_some();
        let read = |c: &Compilation<'_>, id: TypeId| {
            let surface = if is_whole {
                c.surface(id)
            } else {
                c.head_surface(id)
            };
            (id, surface)
        };
        Self {
            is_hidden: found.is_hidden,
            left: left.map(|id| read(sides.old, id)),
            right: right.map(|id| read(sides.new, id)),
        }
    }

    /// The type's surface, the newer one first.
    pub(crate) fn surface(&self) -> Option<&TypeSurface> {
        let side = self.right.as_ref().or(self.left.as_ref());
        side.map(|(_, surface)| surface)
    }
}

/// Which mode of the SDK's check is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strictness {
    /// What breaks users.
    Default,
    /// Every difference.
    Strict,
}

/// What a rule sees.
pub(crate) struct Run<'a, 'w> {
    pub(crate) sides: &'a Sides<'a, 'w>,
    pub(crate) strictness: Strictness,
    /// The type on each side.
    pub(crate) ids: [Option<TypeId>; 2],
    /// Whether a side that lacks it declares it, out of sight of others.
    pub(crate) is_hidden: bool,
    pub(crate) out: Vec<ApiDifference>,
}

impl Run<'_, '_> {
    pub(crate) fn is_strict(&self) -> bool {
        self.strictness == Strictness::Strict
    }

    /// Whether a base of the type on one side (0 the older) has a method that stands for another.
    pub(crate) fn inherits(&self, side: usize, shape: &MethodShape) -> bool {
        let c = [self.sides.old, self.sides.new][side];
        self.ids[side].is_some_and(|id| c.inherits_method(id, shape))
    }
}

/// Whether another assembly can see a member, as the SDK's check has it: protected members of types that nobody
/// can derive from are not counted.
pub(crate) fn is_included(ty: &TypeSurface, member: &MemberSurface) -> bool {
    match member.accessibility {
        Accessibility::Public => true,
        Accessibility::Protected | Accessibility::ProtectedInternal => ty.is_inheritable,
        _ => false,
    }
}

pub(crate) fn is_method(member: &MemberSurface) -> bool {
    matches!(
        member.kind,
        MemberKind::Method | MemberKind::Constructor | MemberKind::Accessor
    )
}

pub(crate) fn is(member: &MemberSurface, flag: MemberFlags) -> bool {
    member.flags.has(flag)
}
