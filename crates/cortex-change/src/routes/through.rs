//! Actions that did not change and run what did: a private member of their controller, or what they name.
//!
//! Must not know: how a route is read from attributes.

use cortex_bind::MemberNode;
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    target::Target,
};
use cortex_index::{MemberTag, Snapshot};
use cortex_look::{QueryError, symbol::doc_id::of_doc_id};
use cortex_model::{Accessibility, LineTable, RepoPath, member_short_id};
use cortex_syntax::text::decode;
use cortex_wire::{
    LineUse, MemberChangeKind, RouteChange, SymbolImpact, UseSide, ViaRelation, What,
};

use std::collections::{BTreeMap, BTreeSet};

use super::{MemberOf, attributes::Controller};
use crate::{
    changes::Pair,
    diff_context::compared::Compared,
    impact::{
        actions::{self, ReachedRoute, written},
        uses::{Want, Wanted, find},
    },
};

/// A changed private member that an action runs.
pub(super) struct Helper {
    /// `Type.Member`.
    pub(super) name: String,
    /// Where the action runs it, or what leads to it.
    pub(super) path: RepoPath,
    pub(super) line: u32,
}

/// The actions that run changed private members of their types and did not change themselves.
pub(super) fn helpers(
    pairs: &[Pair<'_>],
    symbols: &[&SymbolImpact],
    compared: &Compared,
) -> Result<BTreeMap<MemberOf, Helper>, QueryError> {
    let mut out = BTreeMap::new();
    let mut ids = DocIds::new(&compared.new);
    for pair in pairs {
        let Some(node) = pair.new.filter(|it| !compared.is_of_tests(&it.project)) else {
            continue;
        };
        if Controller::of(&compared.new, node)?.members().is_empty() {
            continue;
        }
        let Some(known) = ids.ty(pair.key)? else {
            continue;
        };
        let written = written_members(node, &known).into_iter();
        let members: Vec<(String, (MemberTag, &MemberNode))> = (written.zip(&node.members))
            .filter_map(|(at, member)| Some((known.member(at?), (known.symbols.tag(at?), member))))
            .collect();
        let by_tag: BTreeMap<MemberTag, (MemberTag, &MemberNode)> =
            members.iter().map(|(_, it)| (it.0, *it)).collect();
        let by_id: BTreeMap<String, (MemberTag, &MemberNode)> = members.into_iter().collect();
        let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
        let text = |path: &RepoPath| {
            let side = compared.new_side(path)?;
            Some(decode(compared.texts.get(side.blob)).as_bytes().to_vec())
        };
        let add = |out: &mut BTreeMap<MemberOf, Helper>, action, helper: Helper| {
            let id = member_short_id(&node.full_member_signature(action));
            out.entry((node.fqn.clone(), id)).or_insert(helper);
        };
        for symbol in symbols {
            let is_changed = matches!(
                symbol.change,
                MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
            );
            let changed = by_id.get(&symbol.id).filter(|(_, member)| {
                is_changed
                    && symbol.side == UseSide::New
                    && member.accessibility == Accessibility::Private
            });
            let Some((_, changed)) = changed else {
                continue;
            };
            let name = format!("{simple}.{}", changed.name);
            // Through other private members.
            let mut seen: BTreeSet<MemberTag> = BTreeSet::new();
            let mut ring: Vec<MemberTag> = Vec::new();
            for used in symbol.uses.iter().filter(|used| !used.is_test) {
                let inside = used.inside.as_ref().and_then(|id| by_id.get(id));
                let Some(&(tag, member)) = inside else {
                    continue;
                };
                let helper = Helper {
                    name: name.clone(),
                    path: used.path.clone(),
                    line: used.at.line,
                };
                add(&mut out, member, helper);
                if member.accessibility == Accessibility::Private && seen.insert(tag) {
                    ring.push(tag);
                }
            }
            while let Some(tag) = ring.pop() {
                let want = Want::of(Some(tag), 0);
                let wanted = Wanted::from([(pair.key, vec![want])]);
                let places = find(&compared.new, &wanted)?;
                for found in &places.found {
                    let inside = found.inside.filter(|(key, _)| *key == pair.key);
                    let tag = inside.and_then(|(_, tag)| tag);
                    let Some(&(tag, member)) = tag.and_then(|tag| by_tag.get(&tag)) else {
                        continue;
                    };
                    let path = &places.files[found.file as usize].path;
                    if let Some(text) = text(path) {
                        let helper = Helper {
                            name: name.clone(),
                            path: path.clone(),
                            line: LineTable::new(&text).position(found.offset).line,
                        };
                        add(&mut out, member, helper);
                    }
                    if member.accessibility == Accessibility::Private && seen.insert(tag) {
                        ring.push(tag);
                    }
                }
            }
        }
    }
    Ok(out)
}

/// So many routes are told of actions that run changed members of other types.
const MAX_THROUGH: usize = 64;

/// The routes of actions that name changed members of other types and did not change themselves, each once. `overriding`:
/// new members that run where what they override ran, by documentation id. `told`: the routes about which more is known.
pub(super) fn through_others(
    symbols: &[&SymbolImpact],
    overriding: &BTreeSet<&str>,
    compared: &Compared,
    told: &[RouteChange],
) -> Result<Vec<RouteChange>, QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let mut known: BTreeSet<(String, String)> = (told.iter())
        .map(|route| (route.verb.clone(), route.template.clone()))
        .collect();
    let mut actions: BTreeMap<&str, Vec<ActionRoute>> = BTreeMap::new();
    let mut out = Vec::new();
    let is_changed = |symbol: &&&SymbolImpact| {
        let runs_otherwise = matches!(
            symbol.change,
            MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
        );
        let runs_otherwise = runs_otherwise || overriding.contains(&*symbol.id);
        symbol.side == UseSide::New && runs_otherwise && symbol.member.is_some()
    };
    for symbol in symbols.iter().filter(is_changed) {
        let simple = symbol.ty.rsplit(['.', '+']).next().unwrap_or(&symbol.ty);
        let member = symbol.member.as_deref().unwrap_or_default();
        let is_one_of_several = has_product_sibling(compared, ids.snapshot(), symbol)?;
        for used in symbol.uses.iter().filter(|used| names_what_runs(used)) {
            let Some(inside) = used.inside.as_deref() else {
                continue;
            };
            if !actions.contains_key(inside) {
                actions.insert(inside, routes_of(&mut ids, inside)?);
            }
            for route in &actions[inside] {
                if out.len() >= MAX_THROUGH {
                    return Ok(out);
                }
                if known.insert((route.verb.to_owned(), route.template.clone())) {
                    out.push(RouteChange {
                        what: What::Changed,
                        template: route.template.clone(),
                        verb: route.verb.to_owned(),
                        handler: route.handler.clone(),
                        path: used.path.clone(),
                        line: used.at.line,
                        through: Some(format!("{simple}.{member}")),
                        was: None,
                        template_was: None,
                        authorization: None,
                        filters: None,
                        parameters: Vec::new(),
                        // Which implementation runs is decided elsewhere.
                        is_indirect: is_one_of_several && used.via.is_some(),
                    });
                }
            }
        }
    }
    Ok(out)
}

/// Whether the product has another member that implements or overrides what a changed one does.
fn has_product_sibling(
    compared: &Compared,
    snapshot: &Snapshot,
    symbol: &SymbolImpact,
) -> Result<bool, QueryError> {
    for id in &symbol.siblings {
        for target in of_doc_id(snapshot, id)? {
            let Target::Member(key, _) = target else {
                continue;
            };
            let header = snapshot.type_header(key)?;
            if header.is_some_and(|it| !compared.is_of_tests(&it.project)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The routes of actions that run changed members through others, or make objects of types with other bases, each once.
/// `told`: the routes about which more is known. `rebased`: these types, by canonical name.
pub(super) fn indirectly<'a>(
    reached: impl Iterator<Item = (&'a ReachedRoute, &'a SymbolImpact)>,
    told: &[RouteChange],
    rebased: &BTreeSet<&str>,
) -> Vec<RouteChange> {
    let mut known: BTreeSet<(&str, &str)> = (told.iter())
        .map(|route| (route.verb.as_str(), route.template.as_str()))
        .collect();
    let mut out = Vec::new();
    for (route, symbol) in reached {
        let simple = symbol.ty.rsplit(['.', '+']).next().unwrap_or(&symbol.ty);
        let through = match symbol.member.as_deref() {
            Some(member) => format!("{simple}.{member}"),
            None if rebased.contains(&*symbol.ty) => simple.to_owned(),
            None => continue,
        };
        // What an action did itself is told of it, or nothing that matters.
        let is_own = route.handler == through;
        if (!is_own || route.is_served) && known.insert((route.verb, &route.template)) {
            out.push(RouteChange {
                what: What::Changed,
                template: route.template.clone(),
                verb: route.verb.to_owned(),
                handler: route.handler.clone(),
                path: route.path.clone(),
                line: route.line,
                through: (!is_own).then_some(through),
                was: None,
                template_was: None,
                authorization: None,
                filters: None,
                parameters: Vec::new(),
                is_indirect: !is_own,
            });
        }
    }
    out
}

/// A route of an action.
struct ActionRoute {
    verb: &'static str,
    template: String,
    handler: String,
}

/// The routes of a member of the newer side, by its documentation id.
fn routes_of(ids: &mut DocIds<'_>, id: &str) -> Result<Vec<ActionRoute>, QueryError> {
    let mut out = Vec::new();
    for target in of_doc_id(ids.snapshot(), id)? {
        let Target::Member(key, tag) = target else {
            continue;
        };
        let Some((node, at)) = written(ids, (key, tag))? else {
            continue;
        };
        let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
        let action = &node.members[at];
        let routes = Controller::of(ids.snapshot(), &node)?
            .entries_of(action)
            .into_iter();
        out.extend(routes.map(|(verb, template)| ActionRoute {
            verb,
            template,
            handler: format!("{simple}.{}", action.name),
        }));
    }
    Ok(out)
}

/// Whether product code that runs names a changed member or a contract of it, or makes an object that starts otherwise.
fn names_what_runs(used: &LineUse) -> bool {
    let via = used.via.as_ref().map(|via| via.relation);
    let is_contract = matches!(
        via,
        None | Some(
            ViaRelation::Interface
                | ViaRelation::Override
                | ViaRelation::Caller
                | ViaRelation::Creation
        )
    );
    !used.is_test && is_contract && actions::names_what_runs(used.role)
}
