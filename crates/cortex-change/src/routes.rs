//! HTTP routes that came, went or are handled by code that changed: what the attributes of controllers and the calls of minimal APIs say.
//!
//! Owns: which routes differ, and why. Must not know: who serves them.

mod attributes;
mod authorization;
mod mapped;
mod moved;
mod served;
mod templates;
mod through;

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::{TypeNode, TypeText};
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_wire::{MemberChange, MemberChangeKind, RouteChange, SymbolImpact, TypeChange, What};

pub(crate) use self::{
    attributes::{
        ANY, Controller, are_declared, is_action, is_controller, name_of, verb_attributes,
    },
    mapped::string,
    served::is_served,
};
use self::{
    attributes::{by_convention, conventional, is_of_routes, of_controller},
    authorization::Authorizations,
    mapped::of_changed_members,
    moved::{handed_over, moved},
    through::{Helper, helpers, indirectly, through_others},
};
use crate::{changes::Pair, diff_context::compared::Compared, impact::actions::ReachedRoute};

/// Where a route stands.
#[derive(Clone)]
struct Place {
    /// The canonical name of the type, and the member that the route is of or whose code maps it.
    member: MemberOf,
    /// What tells it from other places of the same route: the action, or what a call that maps the route is made on.
    /// Branches may map one route several times.
    identity: String,
    handler: String,
    path: RepoPath,
    line: u32,
}

/// A member by the canonical name of its type and its short id: overloads are members of their own.
type MemberOf = (String, String);

/// A verb and a template.
type Route = (String, String);

/// Each place counts once for each route that it has.
type Routes = BTreeMap<Route, Vec<Place>>;

/// The changed members of product code.
type ChangedMembers<'a> = BTreeMap<MemberOf, &'a MemberChange>;

impl Place {
    /// What happened to a route of this place. Of members that changed the very line is known.
    fn change(&self, what: What, route: &Route, changed: &ChangedMembers<'_>) -> RouteChange {
        let (path, line) = match changed.get(&self.member) {
            Some(member) => (&member.path, member.line),
            None => (&self.path, self.line),
        };
        let (verb, template) = route.clone();
        RouteChange {
            what,
            template,
            verb,
            handler: self.handler.clone(),
            path: path.clone(),
            line,
            through: None,
            was: None,
            template_was: None,
            authorization: None,
            filters: None,
            parameters: Vec::new(),
            is_indirect: false,
        }
    }
}

/// Adds a place of a route, unless the same is there.
fn add(routes: &mut Routes, route: Route, place: Place) {
    let places = routes.entry(route).or_default();
    if places.iter().all(|known| known.identity != place.identity) {
        places.push(place);
    }
}

/// The places that one side of a route has more than the other: those that the other side lacks go first.
fn surplus<'p>(places: &'p [Place], others: &[Place]) -> impl Iterator<Item = &'p Place> {
    let has = |place: &Place| others.iter().any(|it| it.identity == place.identity);
    let (common, alone): (Vec<&Place>, Vec<&Place>) = places.iter().partition(|place| has(place));
    let n = places.len().saturating_sub(others.len());
    alone.into_iter().chain(common).take(n)
}

/// The routes of product code that one side has more often than the other, and those that attributes give to members
/// that changed, that run a changed helper of their controller, that other members handle, or that others may call now.
/// `symbols`: the changed symbols with their uses. `reached`: the routes of all actions that run them.
pub(crate) fn changes(
    pairs: &[Pair<'_>],
    types: &[TypeChange],
    (symbols, reached): (&[SymbolImpact], &[ReachedRoute]),
    compared: &Compared,
) -> Result<Vec<RouteChange>, QueryError> {
    let mut sides = [Routes::new(), Routes::new()];
    let conventional = conventional(&compared.new)?;
    for pair in pairs {
        let both = [(&compared.old, pair.before()), (&compared.new, pair.new)];
        for ((snapshot, node), routes) in both.into_iter().zip(&mut sides) {
            if let Some(node) = node.filter(|node| !compared.is_of_tests(&node.project)) {
                let controller = Controller::of(snapshot, node)?;
                of_controller(&controller, routes);
                if conventional.contains(&node.project) {
                    by_convention(&controller, routes);
                }
            }
        }
    }
    let of_attributes = sides.clone();
    for ty in types.iter().filter(|ty| !ty.is_test) {
        of_changed_members(ty, &mut sides);
    }
    let changed = changed_members(types);
    let [old, new] = &sides;
    let mut out = Vec::new();
    for (what, routes, others) in [(What::Removed, old, new), (What::Added, new, old)] {
        for (route, places) in routes {
            let others = others.get(route).map_or(&[][..], Vec::as_slice);
            for place in surplus(places, others) {
                out.push(place.change(what, route, &changed));
            }
        }
    }
    templates::join(&mut out);
    let authorizations = Authorizations::of(pairs, compared)?;
    out.extend(moved(&sides, &changed, &authorizations));
    out.extend(handed_over(
        &of_attributes,
        pairs,
        (&changed, &authorizations),
    ));
    let quiet = Quiet::of(types);
    let loud: Vec<&SymbolImpact> = symbols.iter().filter(|it| !quiet.has(it)).collect();
    let causes = Causes {
        changed,
        helpers: helpers(pairs, &loud, compared)?,
        authorizations,
    };
    out.extend(handled(&of_attributes[1], &causes, &out));
    let overriding = types.iter().flat_map(|ty| &ty.members);
    let overriding =
        overriding.filter(|it| it.change == MemberChangeKind::Added && it.is_override());
    let overriding: BTreeSet<&str> = overriding.filter_map(|it| it.doc_id.as_deref()).collect();
    out.extend(through_others(&loud, &overriding, compared, &out)?);
    let reached = reached.iter().map(|route| (route, &symbols[route.symbol]));
    let reached = reached.filter(|(_, symbol)| !quiet.has(symbol));
    let sides = pairs.iter().filter_map(|pair| pair.before().zip(pair.new));
    let rebased = sides.filter(|(old, new)| base_class(old) != base_class(new));
    let rebased: BTreeSet<&str> = rebased.map(|(_, new)| &*new.fqn).collect();
    out.extend(indirectly(reached, &out, &rebased));
    out.sort();
    // Several projects may compile one file.
    out.dedup();
    Ok(out)
}

/// The class that a type derives from, by how interfaces are called.
fn base_class(node: &TypeNode) -> Option<&TypeText> {
    node.base_list.iter().find(|base| {
        let mut chars = base.simple_name().chars();
        let is_interface =
            chars.next() == Some('I') && chars.next().is_some_and(char::is_uppercase);
        !is_interface
    })
}

/// Changed symbols whose users run what they ran.
struct Quiet<'a> {
    /// Members by documentation id.
    members: BTreeSet<&'a str>,
    /// Types by their names.
    types: BTreeSet<&'a str>,
}

impl<'a> Quiet<'a> {
    fn of(types: &'a [TypeChange]) -> Self {
        // Annotations of reference types run nothing, and who names something by another name runs what it ran.
        let members = types.iter().flat_map(|ty| &ty.members).filter(|member| {
            member.is_annotation_only()
                || member.is_only_renamed()
                || member.is_only_narrower()
                || member.is_only_described_otherwise()
        });
        let is_renamed = |ty: &&TypeChange| ty.renamed_from.is_some() && ty.old_signature.is_none();
        let renamed = types.iter().filter(is_renamed);
        Self {
            members: members.filter_map(|it| it.doc_id.as_deref()).collect(),
            types: renamed.map(|ty| ty.ty.name.as_str()).collect(),
        }
    }

    fn has(&self, symbol: &SymbolImpact) -> bool {
        match symbol.member {
            Some(_) => self.members.contains(symbol.id.as_str()),
            None => self.types.contains(symbol.ty.as_str()),
        }
    }
}

/// Whether all that differs of a member are the routes that attributes give it: the code behind those that stay is the
/// same.
fn is_only_routed(member: &MemberChange) -> bool {
    member.change == MemberChangeKind::Shape
        && !member.notes.is_empty()
        && member.notes.iter().all(|note| is_of_routes(note))
}

/// Why a route that stays is told.
struct Causes<'a> {
    /// Its handler changed.
    changed: ChangedMembers<'a>,
    /// Its handler runs a changed private member of its type.
    helpers: BTreeMap<MemberOf, Helper>,
    /// Others may call it.
    authorizations: Authorizations,
}

/// The changed members of product code.
fn changed_members(types: &[TypeChange]) -> ChangedMembers<'_> {
    let types = types.iter().filter(|ty| !ty.is_test);
    let members = types.flat_map(|ty| {
        let members = ty.members.iter().filter(|member| !member.follows_moves);
        members.map(|member| ((ty.ty.name.clone(), member.id.clone()), member))
    });
    members.collect()
}

/// The routes that stay and whose handlers changed, or something that decides about them.
fn handled(routes: &Routes, causes: &Causes<'_>, differing: &[RouteChange]) -> Vec<RouteChange> {
    let runs_otherwise = |member: &&&MemberChange| {
        matches!(
            member.change,
            MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
        ) && !is_only_routed(member)
            && !member.is_only_renamed()
            && !member.is_unnoticed()
            && !member.is_only_described_otherwise()
    };
    let mut out = Vec::new();
    for (route, places) in routes {
        for place in places {
            let changed = causes.changed.get(&place.member).filter(runs_otherwise);
            let gates = (causes.authorizations).difference(&place.member, &place.member);
            let helper = causes.helpers.get(&place.member);
            let helper = helper.filter(|_| changed.is_none() && gates.is_none());
            if changed.is_none() && helper.is_none() && gates.is_none() {
                continue;
            }
            let mut change = place.change(What::Changed, route, &causes.changed);
            if let Some(helper) = helper {
                (change.path, change.line) = (helper.path.clone(), helper.line);
            }
            let is_told = (differing.iter()).any(|it| {
                let is_route = (&it.verb, &it.template) == (&change.verb, &change.template);
                let is_same = (&it.handler, it.line) == (&change.handler, change.line);
                is_route && is_same && it.template_was.is_none()
            });
            if !is_told {
                out.push(RouteChange {
                    through: helper.map(|helper| helper.name.clone()),
                    authorization: gates.authorization,
                    filters: gates.filters,
                    parameters: changed.map_or_else(Vec::new, |it| it.parameters.clone()),
                    ..change
                });
            }
        }
    }
    out
}
