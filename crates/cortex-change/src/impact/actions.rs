//! Actions of controllers that run what changed, through whatever stands between: which routes lead there.
//!
//! Owns: from where members are climbed to actions. Must not know: how routes are read from attributes, who asks for them.

use crate::{
    diff_context::compared::Compared,
    impact::{
        climb::{Runs, climb},
        close::Close,
        next::Member,
        symbols::ChangedSymbol,
        uses::{Objects, Places},
    },
    routes,
};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::QueryError;
use cortex_wire::{MemberChangeKind, Role, UnfollowedActions, UseSide, Via, ViaRelation};

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use cortex_bind::TypeNode;
use cortex_model::RepoPath;

/// So many routes are told.
const MAX_ROUTES: usize = 256;

/// A route of an action that changed, or that runs what changed.
pub(crate) struct ReachedRoute {
    pub(crate) verb: &'static str,
    pub(crate) template: String,
    /// The action: `Type.Member`.
    pub(crate) handler: String,
    /// The file of its type, and the line there.
    pub(crate) path: RepoPath,
    pub(crate) line: u32,
    /// The project of the action.
    pub(crate) project: RepoPath,
    /// The changed member, by index.
    pub(crate) symbol: usize,
}

/// The actions that are changed or run changed members.
#[derive(Default)]
pub(crate) struct Actions {
    /// Their routes, nearest first.
    pub(crate) routes: Vec<ReachedRoute>,
    /// The actions without a route.
    pub(crate) unfollowed: UnfollowedActions,
    /// The projects of all members that run changed ones, where none of them has a route; else those of which a member
    /// that runs one starts the application.
    pub(crate) projects: BTreeSet<RepoPath>,
}

/// The actions among the changed members, the members that use them and those that run these, nearest first, on the newer
/// side. `readers`: those that read by reflection what is gone, with its index. O(files that the climb reads).
pub(crate) fn find(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    (places, vias, close): (&Places, &[Via], &Close),
    readers: &[(Member, usize)],
) -> Result<Actions, QueryError> {
    let mut out = Actions::default();
    let near = nearest(compared, symbols, (places, vias, close), readers);
    let above = climb(compared, ids, &near)?;
    out.unfollowed.has_more = above.is_cut;
    let (mut has_running, mut starting) = (false, BTreeSet::new());
    for Runs { member, symbol, .. } in near.into_iter().chain(above.members) {
        let header = ids.snapshot().type_header(member.0)?;
        let runs = runs_otherwise(&symbols[symbol]);
        if let Some(header) = header.filter(|_| runs) {
            if starts_application(&header.fqn) {
                starting.insert(header.project.clone());
            }
            out.projects.insert(header.project);
        }
        let Some((node, at)) = written(ids, member)? else {
            continue;
        };
        let found = reached(&node, at, symbol);
        if found.is_empty() {
            let action = &node.members[at];
            out.unfollowed.n += usize::from(runs && routes::is_action(&node, action));
        }
        if out.routes.len() >= MAX_ROUTES {
            out.unfollowed.has_more |= !found.is_empty();
            continue;
        }
        has_running |= runs && !found.is_empty();
        out.routes.extend(found);
    }
    if has_running {
        out.projects = starting;
    }
    Ok(out)
}

/// The routes of actions that are gone, where no action that came has them. `ids`: of the older side.
pub(crate) fn gone(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
) -> Result<Vec<ReachedRoute>, QueryError> {
    let mut out = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        if symbol.change == MemberChangeKind::Removed && symbol.side == UseSide::Old {
            out.extend(routes_of(ids, symbol, at)?);
        }
    }
    if out.is_empty() {
        return Ok(out);
    }
    let mut newer = DocIds::new(&compared.new);
    for (at, symbol) in symbols.iter().enumerate() {
        if symbol.side == UseSide::New {
            let there = routes_of(&mut newer, symbol, at)?;
            out.retain(|gone| {
                let is_same = |it: &ReachedRoute| {
                    (it.verb, &it.template, &it.project)
                        == (gone.verb, &gone.template, &gone.project)
                };
                !there.iter().any(is_same)
            });
        }
    }
    out.retain(|gone| !compared.is_of_tests(&gone.project));
    Ok(out)
}

/// The routes that a changed symbol has as an action, or by its members as a type.
fn routes_of(
    ids: &mut DocIds<'_>,
    symbol: &ChangedSymbol,
    at: usize,
) -> Result<Vec<ReachedRoute>, QueryError> {
    let members = match symbol.member {
        Some(tag) => {
            let found = written(ids, (symbol.key, tag))?;
            found.map(|(node, member)| (node, vec![member]))
        }
        None => {
            let node = ids.snapshot().type_node(symbol.key)?;
            let node = node.filter(routes::is_controller);
            node.map(|node| {
                let all = (0..node.members.len()).collect();
                (node, all)
            })
        }
    };
    let Some((node, members)) = members else {
        return Ok(Vec::new());
    };
    let of_member = |member: usize| reached(&node, member, at);
    Ok(members.into_iter().flat_map(of_member).collect())
}

/// The routes of an action of a type, which lead to a changed symbol.
fn reached(node: &TypeNode, member: usize, symbol: usize) -> Vec<ReachedRoute> {
    let action = &node.members[member];
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    let part = node.parts.get(action.part as usize).or(node.parts.first());
    let found = routes::of_action(node, action).into_iter();
    let found = found.map(|(verb, template)| ReachedRoute {
        verb,
        template,
        handler: format!("{simple}.{}", action.name),
        path: part.map_or_else(|| node.project.clone(), |part| part.path.clone()),
        line: part.map_or(1, |part| part.line),
        project: node.project.clone(),
        symbol,
    });
    found.collect()
}

/// Whether a member that is named like this may run.
pub(crate) fn names_what_runs(role: Role) -> bool {
    !matches!(
        role,
        Role::Typeof | Role::Nameof | Role::Literal | Role::Doc | Role::Attribute
    )
}

/// Whether a type is one that starts an application of ASP.NET Core by its name.
fn starts_application(fqn: &str) -> bool {
    let simple = fqn.rsplit(['.', '+']).next().unwrap_or(fqn);
    simple == "Program" || simple.starts_with("Startup")
}

/// Whether a symbol is there and runs otherwise than before.
fn runs_otherwise(symbol: &ChangedSymbol) -> bool {
    symbol.side == UseSide::New && symbol.runs_otherwise()
}

/// The changed members, those that use them, and those that read by reflection what came or went; each once.
/// Callers of contracts of many types are left out.
fn nearest(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    (places, vias, close): (&Places, &[Via], &Close),
    readers: &[(Member, usize)],
) -> Vec<Runs> {
    let changed = symbols.iter().enumerate();
    let changed = changed.filter(|(_, symbol)| runs_otherwise(symbol));
    let changed = changed.filter_map(|(symbol, of)| {
        Some(Runs {
            member: (of.key, of.member?),
            objects: Objects::Any,
            symbol,
        })
    });
    let users = places.found.iter().filter_map(|found| {
        let (key, tag) = found.inside?;
        let project = &places.files[found.file as usize].projects[found.project as usize];
        let is_product = !compared.is_of_tests(project);
        let via = found.want.via.map(|at| &vias[at]);
        let is_read = via.is_some_and(|via| via.relation == ViaRelation::Reflection);
        let runs = Runs {
            member: (key, tag?),
            objects: Objects::at(found),
            symbol: found.want.symbol,
        };
        let is_run = || names_what_runs(found.role) && runs_otherwise(&symbols[runs.symbol]);
        (is_product && close.has(found) && (is_read || is_run())).then_some(runs)
    });
    let readers = readers.iter().map(|&(member, symbol)| Runs {
        member,
        objects: Objects::Any,
        symbol,
    });
    let mut near: Vec<Runs> = Vec::new();
    let mut known: BTreeMap<Member, usize> = BTreeMap::new();
    for runs in changed.chain(users).chain(readers) {
        match known.entry(runs.member) {
            Entry::Vacant(entry) => {
                entry.insert(near.len());
                near.push(runs);
            }
            Entry::Occupied(entry) => {
                let objects = &mut near[*entry.get()].objects;
                *objects = std::mem::replace(objects, Objects::Any).or(runs.objects);
            }
        }
    }
    near
}

/// The declaration of a member in a type that may have actions: one of whose members has an attribute, or a controller.
pub(crate) fn written(
    ids: &mut DocIds<'_>,
    (key, tag): Member,
) -> Result<Option<(TypeNode, usize)>, QueryError> {
    let Some(node) = ids.snapshot().type_node(key)? else {
        return Ok(None);
    };
    let has_attributes = (node.members.iter()).any(|member| !member.attributes.is_empty());
    if !has_attributes && !routes::is_controller(&node) {
        return Ok(None);
    }
    let Some(known) = ids.ty(key)? else {
        return Ok(None);
    };
    let wanted = known.index(tag);
    let declared = written_members(&node, &known);
    let at = (wanted.is_some()).then(|| declared.iter().position(|at| *at == wanted));
    Ok(at.flatten().map(|at| (node, at)))
}
