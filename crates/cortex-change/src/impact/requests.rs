//! Requests over HTTP to actions: strings that are paths of their routes, in files that mention a call of a client.
//!
//! Owns: which strings are paths of which routes. Must not know: how routes are read from attributes.

mod paths;

use self::paths::{PathText, RouteSegments, path_texts};
use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        climb::{Runs, climb},
        next::Member,
        symbols::ChangedSymbol,
        uses::{Found, Places, Want},
    },
    routes,
};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::QueryError;
use cortex_wire::{
    Certainty, MemberChangeKind, Role, UnfollowedActions, UseSide, Via, ViaRelation,
};

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, FileSummary, Receiver, Snapshot};
use cortex_model::{ByteRange, RepoPath};
use cortex_syntax::{Sections, text::decode};
use rayon::prelude::*;

/// Calls and types of clients.
const CLIENTS: [&str; 15] = [
    "DeleteAsync",
    "DeleteFromJsonAsync",
    "GetAsync",
    "GetByteArrayAsync",
    "GetFromJsonAsync",
    "GetStreamAsync",
    "GetStringAsync",
    "HttpRequestMessage",
    "PatchAsJsonAsync",
    "PatchAsync",
    "PostAsJsonAsync",
    "PostAsync",
    "PutAsJsonAsync",
    "PutAsync",
    "SendAsync",
];

/// Requests of so many actions are looked for.
const MAX_ACTIONS: usize = 64;

/// So many texts are read by one thread.
const N_TOGETHER: usize = 16;

/// A route of an action that changed or uses what changed.
struct Route {
    verb: &'static str,
    segments: RouteSegments,
    /// The changed member, by index.
    symbol: usize,
    via: usize,
}

/// Adds the requests to changed actions, and to those that run changed members, on the newer side; gives the number of
/// actions whose requests are not known. O(files that mention a client + files that the climb reads).
pub(crate) fn find(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    source: BlobSource<'_>,
    places: &mut Places,
    vias: &mut Vec<Via>,
) -> Result<UnfollowedActions, QueryError> {
    let snapshot: &Snapshot = ids.snapshot();
    let mut files: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for name in CLIENTS {
        for file in snapshot.files_mentioning(name)? {
            files.entry(file.path.clone()).or_insert(file);
        }
    }
    if files.is_empty() {
        return Ok(UnfollowedActions::default());
    }
    let Actions { routes, unfollowed } = actions(compared, ids, symbols, places, vias)?;
    if routes.is_empty() {
        return Ok(unfollowed);
    }
    let files: Vec<FileSummary> = files.into_values().collect();
    let found = files.par_chunks(N_TOGETHER).flat_map_iter(|files| {
        let mut reader = source.open();
        let found = files.iter().map(|file| {
            let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
            requests(snapshot, file, &text, &routes).map(|found| (file, found))
        });
        found.collect::<Vec<_>>()
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    for (file, found) in found.into_iter().filter(|(_, found)| !found.is_empty()) {
        let at = places.file(file);
        places
            .found
            .extend(found.into_iter().map(|found| Found { file: at, ..found }));
    }
    Ok(unfollowed)
}

/// The actions that are changed or run changed members.
struct Actions {
    routes: Vec<Route>,
    unfollowed: UnfollowedActions,
}

/// The actions among the changed members, the members that use them and those that run these, nearest first.
fn actions(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    places: &Places,
    vias: &mut Vec<Via>,
) -> Result<Actions, QueryError> {
    let is_told = |symbol: &ChangedSymbol| {
        let is_changed = matches!(
            symbol.change,
            MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
        );
        symbol.side == UseSide::New && is_changed
    };
    let changed = symbols.iter().enumerate();
    let changed = changed.filter(|(_, symbol)| is_told(symbol));
    let changed = changed.filter_map(|(at, symbol)| Some(((symbol.key, symbol.member?), at)));
    let users = places.found.iter().filter_map(|found| {
        let (key, tag) = found.inside?;
        let project = &places.files[found.file as usize].projects[found.project as usize];
        let is_product = !compared.is_of_tests(project);
        let at = found.want.symbol;
        (is_product && is_told(&symbols[at])).then_some(((key, tag?), at))
    });
    let mut known: BTreeSet<Member> = BTreeSet::new();
    let mut near: Vec<Runs> = changed.chain(users).collect();
    near.retain(|(member, _)| known.insert(*member));
    let above = climb(compared, ids, &near)?;
    let mut out = Actions {
        routes: Vec::new(),
        unfollowed: UnfollowedActions {
            n: 0,
            has_more: above.is_cut,
        },
    };
    for (member, symbol) in near.into_iter().chain(above.members) {
        let Some((node, at)) = written(ids, member)? else {
            continue;
        };
        let action = &node.members[at];
        let found = routes::of_action(&node, action);
        if found.is_empty() {
            let is_followed = !routes::is_action(&node, action);
            out.unfollowed.n += usize::from(!is_followed);
        }
        if out.routes.len() >= MAX_ACTIONS {
            out.unfollowed.has_more |= !found.is_empty();
            continue;
        }
        for (verb, template) in found {
            let Some(segments) = RouteSegments::new(&template) else {
                continue;
            };
            out.routes.push(Route {
                verb,
                segments,
                symbol,
                via: vias.len(),
            });
            vias.push(Via {
                to: format!("{verb} {template}"),
                relation: ViaRelation::Route,
            });
        }
    }
    Ok(out)
}

/// The declaration of a member in a type that may have actions: one of whose members has an attribute, or a controller.
fn written(
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

/// The requests in one file, with the members around them; their file is not known.
fn requests(
    snapshot: &Snapshot,
    file: &FileSummary,
    text: &[u8],
    routes: &[Route],
) -> Result<Vec<Found>, QueryError> {
    let paths = path_texts(text);
    let mut matching: Vec<(&PathText, &Route)> = Vec::new();
    for path in &paths {
        let is_to = |route: &&Route| {
            path.verb.is_none_or(|verb| verb == route.verb) && route.segments.is_path(&path.text)
        };
        matching.extend(routes.iter().filter(is_to).map(|route| (path, route)));
    }
    let mut out = Vec::new();
    if matching.is_empty() {
        return Ok(out);
    }
    for (project_at, project) in file.projects.iter().enumerate() {
        let Some(facts) = snapshot.facts(file, project, Sections::Declarations)? else {
            continue;
        };
        let bindings = snapshot.bindings(&file.path, project)?;
        let inside = |offset: u32| {
            let has = |range: &ByteRange| range.start <= offset && offset < range.end;
            let declared = bindings.decls.iter().filter_map(|decl| {
                let range = facts.decls.get(decl.decl? as usize)?.range;
                let target = &bindings.targets[decl.symbol? as usize];
                has(&range).then_some((range.end - range.start, target))
            });
            let (_, target) = declared.min_by_key(|(len, _)| *len)?;
            match *target {
                BoundTarget::Type(key) => Some((key, None)),
                BoundTarget::Member(key, tag) => Some((key, Some(tag))),
                BoundTarget::External(..) => None,
            }
        };
        out.extend(matching.iter().map(|(path, route)| Found {
            want: Want {
                member: None,
                symbol: route.symbol,
                via: Some(route.via),
                runs: None,
            },
            file: 0,
            project: project_at as u16,
            offset: path.offset,
            role: Role::Literal,
            certainty: Certainty::Possible,
            inside: inside(path.offset),
            receiver: Receiver::Any,
        }));
    }
    Ok(out)
}
