//! Actions of controllers that run what changed, through whatever stands between: which routes lead there.
//!
//! Owns: from where members are climbed to actions. Must not know: how routes are read from attributes, who asks for them.

use crate::{
    diff_context::compared::Compared,
    impact::{
        climb::{Runs, climb, says_what_runs},
        next::Member,
        symbols::ChangedSymbol,
        uses::{Objects, Places},
    },
    routes,
};
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    target::Target,
};
use cortex_look::{QueryError, symbol::doc_id::of_doc_id};
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
    /// The projects of all members that run changed ones, where none of them has a route.
    pub(crate) projects: BTreeSet<RepoPath>,
}

/// The actions among the changed members, the members that use them and those that run these, nearest first, on the newer
/// side. `readers`: those that read by reflection what is gone, with its index. O(files that the climb reads).
pub(crate) fn find(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    (places, vias): (&Places, &[Via]),
    readers: &[(Member, usize)],
) -> Result<Actions, QueryError> {
    let mut out = Actions::default();
    let mut distant: BTreeSet<&str> = BTreeSet::new();
    for to in contracts(vias) {
        if !is_close(compared, ids, to)? {
            distant.insert(to);
        }
    }
    let near = nearest(compared, symbols, (places, vias, &distant), readers);
    let above = climb(compared, ids, &near)?;
    out.unfollowed.has_more = above.is_cut;
    let mut has_running = false;
    for Runs { member, symbol, .. } in near.into_iter().chain(above.members) {
        let header = ids.snapshot().type_header(member.0)?;
        let runs = runs_otherwise(&symbols[symbol]);
        if runs {
            out.projects.extend(header.map(|header| header.project));
        }
        let Some((node, at)) = written(ids, member)? else {
            continue;
        };
        let action = &node.members[at];
        let found = routes::of_action(&node, action);
        if found.is_empty() {
            out.unfollowed.n += usize::from(runs && routes::is_action(&node, action));
        }
        if out.routes.len() >= MAX_ROUTES {
            out.unfollowed.has_more |= !found.is_empty();
            continue;
        }
        has_running |= runs && !found.is_empty();
        let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
        let part = node.parts.get(action.part as usize).or(node.parts.first());
        out.routes
            .extend(found.into_iter().map(|(verb, template)| ReachedRoute {
                verb,
                template,
                handler: format!("{simple}.{}", action.name),
                path: part.map_or_else(|| node.project.clone(), |part| part.path.clone()),
                line: part.map_or(1, |part| part.line),
                project: node.project.clone(),
                symbol,
            }));
    }
    if has_running {
        out.projects.clear();
    }
    Ok(out)
}

/// Whether a member that is named like this may run.
pub(crate) fn names_what_runs(role: Role) -> bool {
    !matches!(
        role,
        Role::Typeof | Role::Nameof | Role::Literal | Role::Doc | Role::Attribute
    )
}

/// Whether a symbol is there and runs otherwise than before.
fn runs_otherwise(symbol: &ChangedSymbol) -> bool {
    let is_changed = matches!(
        symbol.change,
        MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
    );
    symbol.side == UseSide::New && is_changed
}

/// The contracts through which places name changed members, each once.
fn contracts(vias: &[Via]) -> BTreeSet<&str> {
    let contracts = vias
        .iter()
        .filter(|via| matches!(via.relation, ViaRelation::Interface | ViaRelation::Override));
    contracts.map(|via| via.to.as_str()).collect()
}

/// Whether who calls a member of a contract may well run the changed one: few implement it.
fn is_close(compared: &Compared, ids: &DocIds<'_>, contract: &str) -> Result<bool, QueryError> {
    for target in of_doc_id(ids.snapshot(), contract)? {
        if let Target::Member(contract, _) = target
            && !says_what_runs(compared, ids.snapshot(), contract)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The changed members, those that use them, and those that read by reflection what came or went; each once.
/// `distant`: contracts whose callers say little about what runs.
fn nearest(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    (places, vias, distant): (&Places, &[Via], &BTreeSet<&str>),
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
        let is_close = via.is_none_or(|via| !distant.contains(via.to.as_str()));
        let is_read = via.is_some_and(|via| via.relation == ViaRelation::Reflection);
        let runs = Runs {
            member: (key, tag?),
            objects: Objects::at(found),
            symbol: found.want.symbol,
        };
        let is_run = || names_what_runs(found.role) && runs_otherwise(&symbols[runs.symbol]);
        (is_product && is_close && (is_read || is_run())).then_some(runs)
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
