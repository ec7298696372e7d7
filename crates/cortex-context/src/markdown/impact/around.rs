//! Types around changed ones, by name and distance.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::ChangeClass;
use cortex_wire::{DiffContext, ImpactedType};

use crate::markdown::twins::unique;

/// The types around changed ones, without those that are told by their lines.
pub(super) struct Around<'a> {
    /// Direct users of types whose own declaration changed, then users of direct users; by distance. Those of tests
    /// show among the tests.
    pub(super) near: Vec<&'a ImpactedType>,
    /// How many are farther away.
    pub(super) n_far: usize,
}

impl<'a> Around<'a> {
    pub(super) fn of(answer: &'a DiffContext) -> Self {
        let impact = &answer.impact;
        // Who names a type of which other members changed need not look.
        let declared = answer.types.iter().filter(|ty| {
            let is_other = ty.old_signature.is_some() || ty.new_signature.is_some();
            is_other || ty.renamed_from.is_some() || ty.class == ChangeClass::Removed
        });
        let declared: BTreeSet<&str> = declared.map(|ty| ty.ty.name.as_str()).collect();
        let direct = unique(impact.direct.iter(), |user| &user.ty.name);
        let direct: Vec<_> = (direct.into_iter())
            .filter(|user| user.n_uses > 0 || declared.contains(user.via.as_str()))
            .collect();
        // Users of changed members are followed member by member.
        let users = (direct.iter()).filter(|user| declared.contains(user.via.as_str()));
        let users: BTreeSet<&str> = users.map(|user| user.ty.name.as_str()).collect();
        let further = unique(impact.further.iter(), |user| (user.distance, &user.ty.name));
        let (next, far): (Vec<_>, Vec<_>) = (further.into_iter())
            .partition(|user| user.distance == 2 && users.contains(user.via.as_str()));
        let near = direct
            .into_iter()
            .filter(|user| user.n_uses == 0 && !user.is_test);
        // Who uses the members that use what changed is told exactly.
        let next = (next.into_iter()).filter(|user| impact.next.is_empty() && !user.is_test);
        Self {
            near: near.chain(next).collect(),
            n_far: match users.is_empty() || !impact.next.is_empty() {
                true => 0,
                false => far.len() + impact.n_beyond,
            },
        }
    }
}

/// Types by distance.
pub(super) fn rings_of<'a>(further: &[&'a ImpactedType]) -> BTreeMap<u32, Vec<&'a ImpactedType>> {
    let mut rings: BTreeMap<u32, Vec<&ImpactedType>> = BTreeMap::new();
    for &user in further {
        rings.entry(user.distance).or_default().push(user);
    }
    rings
}
