//! The rules, and how they are run over one type.
//!
//! The rules of the SDK are those of its package validation, strict mode included, with the attribute and
//! parameter name rules on. Whatever strict mode says in other words than the default one is told once.

use cortex_model::{Accessibility, TypeKey};
use cortex_semantics::{
    Compilation, MemberFlags, MemberKind, MemberSurface, MethodShape, TypeId, TypeOrigin,
    TypeSurface,
};

use super::{
    answer::{ApiDifference, Mode, Severity},
    attributes,
    candidates::Extent,
    constraints,
    forwards::Forwards,
    hierarchy, members, own, types,
};

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its identifier.
    pub id: &'static str,
    /// What it reports, in one line.
    pub title: &'static str,
}

const fn rule(id: &'static str, title: &'static str) -> Rule {
    Rule { id, title }
}

/// Every rule, by identifier.
pub const RULES: &[Rule] = &[
    rule("CP0001", "a type is missing on one side"),
    rule("CP0002", "a member is missing on one side"),
    rule("CP0003", "the assembly's version is lower, or another"),
    rule("CP0004", "an assembly is missing"),
    rule(
        "CP0005",
        "an abstract member was added to a type that others derive from",
    ),
    rule(
        "CP0006",
        "a member without a body was added to an interface",
    ),
    rule("CP0007", "a base class was removed from a type's hierarchy"),
    rule("CP0008", "an interface was removed from a type's hierarchy"),
    rule("CP0009", "a type can no longer be derived from"),
    rule("CP0010", "an enum's underlying type changed"),
    rule("CP0011", "an enum member's value changed"),
    rule(
        "CP0012",
        "`virtual` or `abstract` was removed from a member",
    ),
    rule("CP0013", "`virtual` was added to a member"),
    rule("CP0014", "an attribute was removed"),
    rule("CP0015", "an attribute's arguments changed"),
    rule("CP0016", "an attribute was added"),
    rule("CP0017", "a parameter has another name"),
    rule("CP0018", "`sealed` was added to an interface member"),
    rule("CP0019", "something is less visible"),
    rule("CP0020", "something is more visible"),
    rule("CP0021", "a generic constraint changed"),
    rule("CX1001", "nullability of references changed"),
    rule("CX1002", "a default value was removed"),
    rule("CX1003", "a member became `required`"),
    rule(
        "CX1004",
        "an argument is passed in another way (`ref`, `in`, `out`, `params`)",
    ),
    rule("CX1005", "`static` was added or removed"),
    rule(
        "CX1006",
        "a field became `readonly` or is no constant any more",
    ),
    rule(
        "CX1007",
        "an overload was added that calls may mean instead, or cannot choose",
    ),
    rule(
        "CX1008",
        "a type is of another kind (`class`, `struct`, `record`, `ref struct`, …)",
    ),
    rule("CX1009", "the variance of a type parameter changed"),
    rule(
        "CX1010",
        "`[Obsolete]` was added as an error, or became one",
    ),
    rule(
        "CX1011",
        "a reference is returned in another way (`ref`, `ref readonly`)",
    ),
    rule("CX1012", "a class became `abstract`"),
    rule("CX2001", "a default value changed"),
    rule("CX2002", "a constant's value changed"),
    rule(
        "CX2003",
        "the body of a member that others override or call virtually changed",
    ),
];

/// Both sides of a comparison.
pub(super) struct Sides<'a, 'w> {
    pub(super) old: &'a Compilation<'w>,
    pub(super) new: &'a Compilation<'w>,
    /// The types that assemblies have by forwarding, on each side.
    pub(super) forwards: &'a [Forwards; 2],
    /// The assembly that is compared.
    pub(super) assembly: &'a str,
}

impl Sides<'_, '_> {
    /// A type of the assembly on both sides, found by its name on one; `None` where it is to be left out:
    /// neither side has it in the assembly, or a type around it is not there for others on both sides.
    pub(super) fn counterparts(&self, key: TypeKey) -> Option<Counterparts> {
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
pub(super) struct Counterparts {
    /// The type, on sides where others see it.
    pub(super) ids: [Option<TypeId>; 2],
    /// Whether a side that lacks it declares it, out of sight of others.
    is_hidden: bool,
}

/// A type on both sides.
pub(super) struct Pair {
    /// Whether a side that lacks it declares it, out of sight of others.
    pub(super) is_hidden: bool,
    pub(super) left: Option<(TypeId, TypeSurface)>,
    pub(super) right: Option<(TypeId, TypeSurface)>,
}

impl Pair {
    pub(super) fn read(sides: &Sides<'_, '_>, found: Counterparts, extent: Extent) -> Self {
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
    pub(super) fn surface(&self) -> Option<&TypeSurface> {
        let side = self.right.as_ref().or(self.left.as_ref());
        side.map(|(_, surface)| surface)
    }
}

/// Which mode of the SDK's check is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strictness {
    /// What breaks users.
    Default,
    /// Every difference.
    Strict,
}

/// What a rule sees.
pub(super) struct Run<'a, 'w> {
    pub(super) sides: &'a Sides<'a, 'w>,
    pub(super) strictness: Strictness,
    /// The type on each side.
    pub(super) ids: [Option<TypeId>; 2],
    /// Whether a side that lacks it declares it, out of sight of others.
    pub(super) is_hidden: bool,
    pub(super) out: Vec<ApiDifference>,
}

impl Run<'_, '_> {
    pub(super) fn is_strict(&self) -> bool {
        self.strictness == Strictness::Strict
    }

    /// Whether a base of the type on one side (0 the older) has a method that stands for another.
    pub(super) fn inherits(&self, side: usize, shape: &MethodShape) -> bool {
        let c = [self.sides.old, self.sides.new][side];
        self.ids[side].is_some_and(|id| c.inherits_method(id, shape))
    }
}

/// Everything that differs in a type, with its members. Nested types are compared on their own.
pub(super) fn run(sides: &Sides<'_, '_>, pair: &Pair) -> Vec<ApiDifference> {
    let ids = [
        pair.left.as_ref().map(|(id, _)| *id),
        pair.right.as_ref().map(|(id, _)| *id),
    ];
    let in_mode = |strictness| {
        let mut run = Run {
            sides,
            strictness,
            ids,
            is_hidden: pair.is_hidden,
            out: Vec::new(),
        };
        let left = pair.left.as_ref().map(|(_, surface)| surface);
        let right = pair.right.as_ref().map(|(_, surface)| surface);
        types::must_exist(&mut run, left, right);
        if let (Some(left), Some(right)) = (left, right) {
            types::compare(&mut run, left, right);
            hierarchy::compare(&mut run, left, right);
            constraints::of_type(&mut run, left, right);
            attributes::of_type(&mut run, left, right);
            members::compare(&mut run, left, right);
        }
        run.out
    };
    let default = in_mode(Strictness::Default);
    let strict = in_mode(Strictness::Strict);
    let is_same = |a: &ApiDifference, b: &ApiDifference| {
        (&a.rule, a.what, &a.symbol) == (&b.rule, b.what, &b.symbol)
    };
    let mut out: Vec<ApiDifference> = Vec::new();
    for mut it in default {
        let is_in_both = strict.iter().any(|other| is_same(&it, other));
        it.mode = if is_in_both {
            Mode::Both
        } else {
            Mode::Breaking
        };
        out.push(it);
    }
    for mut it in strict {
        if !out.iter().any(|other| is_same(&it, other)) {
            it.mode = Mode::Strict;
            // What the default mode does not report breaks nobody.
            it.severity = Severity::Compatible;
            out.push(it);
        }
    }
    if let (Some((_, left)), Some((_, right))) = (&pair.left, &pair.right) {
        own::compare(left, right, &mut out);
    }
    for it in &mut out {
        it.ty = pair
            .surface()
            .map_or_else(String::new, |ty| ty.name.clone());
    }
    out
}

/// Whether another assembly can see a member, as the SDK's check has it: protected members of types that nobody
/// can derive from are not counted.
pub(super) fn is_included(ty: &TypeSurface, member: &MemberSurface) -> bool {
    match member.accessibility {
        Accessibility::Public => true,
        Accessibility::Protected | Accessibility::ProtectedInternal => ty.is_inheritable,
        _ => false,
    }
}

pub(super) fn is_method(member: &MemberSurface) -> bool {
    matches!(
        member.kind,
        MemberKind::Method | MemberKind::Constructor | MemberKind::Accessor
    )
}

pub(super) fn is(member: &MemberSurface, flag: MemberFlags) -> bool {
    member.flags.has(flag)
}
