//! Types that must have other members in one snapshot than in another: those below an interface or an abstract class
//! that differs. Their own files may be the same.
//!
//! Source: C# specification, §15.2.2.2 (abstract classes), §19.6.5 (interface implementations).

use std::collections::BTreeSet;

use cortex_bind::{MemberNode, ParamNode, TypeNode, TypeText};
use cortex_model::{Accessibility, Modifier, Modifiers, TypeKey, TypeKind};

use crate::{IndexError, Snapshot};

impl Snapshot {
    /// The types of the newer of two snapshots below a type that demands other members there, or that has other bases
    /// itself; these included. O(differing pages + types below).
    pub fn types_demanded_otherwise(
        old: &Self,
        new: &Self,
    ) -> Result<BTreeSet<TypeKey>, IndexError> {
        let mut todo = Vec::new();
        Self::differing_types(old, new, &mut |key, before, after| {
            if let (Some(before), Some(after)) = (before, after)
                && !demands_the_same(&before, &after)
            {
                todo.push(key);
            }
        })?;
        let mut found: BTreeSet<TypeKey> = todo.iter().copied().collect();
        while let Some(key) = todo.pop() {
            let below = new.derived_types(key)?;
            todo.extend(below.into_iter().filter(|it| found.insert(*it)));
        }
        Ok(found)
    }
}

fn demands_the_same(before: &TypeNode, after: &TypeNode) -> bool {
    before.base_list == after.base_list && demands(before).eq(demands(after))
}

/// What types below must implement or override, in the order of the members. Members of interfaces that have a body
/// are among them.
fn demands(node: &TypeNode) -> impl Iterator<Item = Demand<'_>> {
    let is_interface = node.kind == TypeKind::Interface;
    let members = node.members.iter().filter(move |member| {
        let is_abstract = member.modifiers.contains(Modifier::Abstract);
        is_abstract || is_interface && member.accessibility != Accessibility::Private
    });
    members.map(Demand)
}

/// A member; equal to one that the same members implement.
struct Demand<'n>(&'n MemberNode);

impl PartialEq for Demand<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.0, other.0);
        let signature = |it: &MemberNode| (it.kind, it.modifiers, it.type_params.len());
        let kinds = |it: &MemberNode| -> Vec<_> { it.accessors.iter().map(|it| it.kind).collect() };
        signature(a) == signature(b)
            && (&a.name, &a.ty) == (&b.name, &b.ty)
            && types(a).eq(types(b))
            && kinds(a) == kinds(b)
    }
}

/// The types of parameters, and how they are passed.
fn types(member: &MemberNode) -> impl Iterator<Item = (&TypeText, Modifiers)> {
    let params: &[ParamNode] = member.params.as_deref().unwrap_or_default();
    params.iter().map(|it| (&it.ty, it.modifiers))
}
