//! Routes that stay and have another handler than before.

use std::collections::BTreeSet;

use cortex_model::{member_short_id, simple_name};
use cortex_wire::{MemberChangeKind, RouteChange, What};

use super::{ChangedMembers, MemberOf, Place, Route, Routes, authorization::Authorizations};
use crate::changes::Pair;

/// The routes of which a member of another type is the handler now, each with the former one.
pub(super) fn moved(
    [old, new]: &[Routes; 2],
    changed: &ChangedMembers<'_>,
    authorizations: &Authorizations,
) -> Vec<RouteChange> {
    let is_same = |a: &Place, b: &Place| a.identity == b.identity || a.member.0 == b.member.0;
    let pairs = replaced(old, new, is_same);
    let changes = pairs.map(|(route, from, to)| {
        let [of, was_of] = [to, from].map(|it| simple_name(&it.member.0));
        let was = match of == was_of {
            true => {
                let member = from.handler.rsplit('.').next().unwrap_or_default();
                format!("{}.{member}", from.member.0)
            }
            false => from.handler.clone(),
        };
        handed(route, [from, to], was, changed, authorizations)
    });
    changes.collect()
}

/// The routes that attributes give to another member than before: one that is new, or the former one is there still. A
/// member that has another name is none.
pub(super) fn handed_over(
    [old, new]: &[Routes; 2],
    pairs: &[Pair<'_>],
    (changed, authorizations): (&ChangedMembers<'_>, &Authorizations),
) -> Vec<RouteChange> {
    let nodes = pairs.iter().filter_map(|pair| pair.new);
    let members = nodes.flat_map(|node| {
        let ids = node
            .members
            .iter()
            .map(|member| node.full_member_signature(member));
        ids.map(|signature| (node.fqn.clone(), member_short_id(&signature)))
    });
    let there: BTreeSet<MemberOf> = members.collect();
    let pairs = replaced(old, new, |a, b| a.identity == b.identity);
    let is_new = |to: &Place| {
        let member = changed.get(&to.member);
        member.is_some_and(|it| it.change == MemberChangeKind::Added)
    };
    let pairs = pairs.filter(|(_, from, to)| there.contains(&from.member) || is_new(to));
    let changes = pairs.map(|(route, from, to)| {
        let was = from.handler.clone();
        handed(route, [from, to], was, changed, authorizations)
    });
    changes.collect()
}

/// A route that another member handles than before. `was`: the former one.
fn handed(
    route: &Route,
    [from, to]: [&Place; 2],
    was: String,
    changed: &ChangedMembers<'_>,
    authorizations: &Authorizations,
) -> RouteChange {
    let gates = authorizations.difference(&from.member, &to.member);
    RouteChange {
        was: Some(was),
        authorization: gates.authorization,
        filters: gates.filters,
        ..to.change(What::Changed, route, changed)
    }
}

/// The places of routes on both sides that have no like on the other one, paired as they come: before and after.
fn replaced<'p>(
    old: &'p Routes,
    new: &'p Routes,
    is_same: impl Fn(&Place, &Place) -> bool + Copy + 'p,
) -> impl Iterator<Item = (&'p Route, &'p Place, &'p Place)> {
    new.iter().flat_map(move |(route, after)| {
        let before = old.get(route).map_or(&[][..], Vec::as_slice);
        let gone = alone(before, after, is_same);
        let come = alone(after, before, is_same);
        gone.zip(come).map(move |(from, to)| (route, from, to))
    })
}

fn alone<'p>(
    places: &'p [Place],
    others: &'p [Place],
    is_same: impl Fn(&Place, &Place) -> bool + 'p,
) -> impl Iterator<Item = &'p Place> {
    let has = move |place: &Place| others.iter().any(|it| is_same(it, place));
    places.iter().filter(move |place| !has(place))
}
