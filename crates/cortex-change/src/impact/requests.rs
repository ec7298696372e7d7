//! Requests over HTTP to actions: strings that are paths of their routes, in files that mention a call of a client.
//!
//! Owns: which strings are paths of which routes. Must not know: how routes are read from attributes.

mod paths;
mod template;

use self::{
    paths::{PathText, path_texts},
    template::{Template, without_query},
};
use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        around::Declared,
        climb::{Runs, climb},
        next::Member,
        symbols::ChangedSymbol,
        uses::{Found, Objects, Places, Want},
    },
    routes,
};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::QueryError;
use cortex_wire::{
    Certainty, MemberChangeKind, Role, UnfollowedActions, UseSide, Via, ViaRelation,
};

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use cortex_bind::TypeNode;
use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, FileSummary, Receiver, Snapshot};
use cortex_model::{RepoPath, TypeKey};
use cortex_syntax::text::decode;
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
    template: Template,
    /// The project of the action.
    project: RepoPath,
    /// The changed member, by index.
    symbol: usize,
    via: usize,
}

impl Route {
    fn has(&self, path: &PathText) -> bool {
        let text = without_query(&path.text);
        // A word alone says little: it must be all of the route.
        path.verb
            .is_none_or(|verb| self.verb == verb || self.verb == routes::ANY)
            && self.template.matches(text)
            && (text.contains('/') || !self.template.takes_text(text))
    }

    /// Whether a request with this path may be another action's, whose template says more of it.
    fn takes_text(&self, path: &PathText) -> bool {
        self.template.takes_text(without_query(&path.text))
    }
}

/// The strings of a file that are paths of routes, each with the index of the route.
struct Requests {
    file: FileSummary,
    paths: Vec<(PathText, usize)>,
}

/// What runs changed members and may be asked for over HTTP in a way that is not known.
#[derive(Default)]
pub(crate) struct Unfollowed {
    /// The actions without a route.
    pub(crate) actions: UnfollowedActions,
    /// The projects of all members that run changed ones, where none of them has a route.
    pub(crate) projects: BTreeSet<RepoPath>,
}

/// Adds the requests to changed actions, and to those that run changed members, on the newer side; gives what is asked
/// for in other ways. O(files that mention a client + files that the climb reads).
pub(crate) fn find(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    source: BlobSource<'_>,
    places: &mut Places,
    vias: &mut Vec<Via>,
) -> Result<Unfollowed, QueryError> {
    let snapshot: &Snapshot = ids.snapshot();
    let mut files: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for name in CLIENTS {
        for file in snapshot.files_mentioning(name)? {
            files.entry(file.path.clone()).or_insert(file);
        }
    }
    if files.is_empty() {
        return Ok(Unfollowed::default());
    }
    let Actions { routes, unfollowed } = actions(compared, ids, symbols, places, vias)?;
    if routes.is_empty() {
        return Ok(unfollowed);
    }
    let files: Vec<FileSummary> = files.into_values().collect();
    let requests = files.par_chunks(N_TOGETHER).flat_map_iter(|files| {
        let mut reader = source.open();
        let requests = files.iter().map(|file| {
            let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
            Ok(Requests::new(file, &text, &routes))
        });
        requests.collect::<Vec<_>>()
    });
    let mut requests = requests.collect::<Result<Vec<_>, QueryError>>()?;
    leave_to_others(compared, snapshot, &routes, &mut requests)?;
    requests.retain(|of_file| !of_file.paths.is_empty());
    let found = requests.into_par_iter().map(|of_file| {
        let found = of_file.places(snapshot, &routes)?;
        Ok((of_file.file, found))
    });
    for (file, found) in found.collect::<Result<Vec<_>, QueryError>>()? {
        let at = places.file(&file);
        places
            .found
            .extend(found.into_iter().map(|found| Found { file: at, ..found }));
    }
    Ok(unfollowed)
}

/// Drops the requests that routing gives to another action of the project, whose template is more specific.
fn leave_to_others(
    compared: &Compared,
    snapshot: &Snapshot,
    routes: &[Route],
    requests: &mut [Requests],
) -> Result<(), QueryError> {
    let open = requests.iter().flat_map(|of_file| &of_file.paths);
    let open = open.filter(|(path, route)| routes[*route].takes_text(path));
    let projects: BTreeSet<&RepoPath> = open.map(|(_, route)| &routes[*route].project).collect();
    if projects.is_empty() {
        return Ok(());
    }
    let all = routes_in(compared, snapshot, &projects)?;
    for of_file in requests {
        of_file.paths.retain(|(path, route)| {
            let route = &routes[*route];
            let is_others = |(project, verb, template): &(RepoPath, &str, Template)| {
                *project == route.project
                    && *verb == route.verb
                    && template.precedes(&route.template)
                    && template.matches(without_query(&path.text))
            };
            !route.takes_text(path) || !all.iter().any(is_others)
        });
    }
    Ok(())
}

/// Every route that attributes give to actions of some projects. Reads the types of the files that name a verb.
fn routes_in(
    compared: &Compared,
    snapshot: &Snapshot,
    projects: &BTreeSet<&RepoPath>,
) -> Result<Vec<(RepoPath, &'static str, Template)>, QueryError> {
    let mut files: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for attribute in routes::verb_attributes() {
        for file in snapshot.files_mentioning(attribute)? {
            files.entry(file.path.clone()).or_insert(file);
        }
    }
    let mut types: BTreeSet<TypeKey> = BTreeSet::new();
    for file in files.values() {
        for project in file.projects.iter().filter(|it| projects.contains(it)) {
            let bindings = snapshot.bindings(&file.path, project)?;
            types.extend(bindings.targets.iter().filter_map(|target| match target {
                BoundTarget::Type(key) => Some(*key),
                _ => None,
            }));
        }
    }
    let mut out = Vec::new();
    for key in types {
        let Some(node) = snapshot.type_node(key)? else {
            continue;
        };
        if compared.is_of_tests(&node.project) || !projects.contains(&node.project) {
            continue;
        }
        let found = (node.members.iter()).flat_map(|member| routes::of_action(&node, member));
        out.extend(found.filter_map(|(verb, template)| {
            Some((node.project.clone(), verb, Template::new(&template)?))
        }));
    }
    Ok(out)
}

/// The actions that are changed or run changed members.
struct Actions {
    routes: Vec<Route>,
    unfollowed: Unfollowed,
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
        let runs = Runs {
            member: (key, tag?),
            objects: Objects::at(found),
            symbol: found.want.symbol,
        };
        (is_product && is_told(&symbols[runs.symbol])).then_some(runs)
    });
    let mut near: Vec<Runs> = Vec::new();
    let mut known: BTreeMap<Member, usize> = BTreeMap::new();
    for runs in changed.chain(users) {
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
    let above = climb(compared, ids, &near)?;
    let mut out = Actions {
        routes: Vec::new(),
        unfollowed: Unfollowed {
            actions: UnfollowedActions {
                n: 0,
                has_more: above.is_cut,
            },
            projects: BTreeSet::new(),
        },
    };
    for Runs { member, symbol, .. } in near.into_iter().chain(above.members) {
        let header = ids.snapshot().type_header(member.0)?;
        (out.unfollowed.projects).extend(header.map(|header| header.project));
        let Some((node, at)) = written(ids, member)? else {
            continue;
        };
        let action = &node.members[at];
        let found = routes::of_action(&node, action);
        if found.is_empty() {
            let is_followed = !routes::is_action(&node, action);
            out.unfollowed.actions.n += usize::from(!is_followed);
        }
        if out.routes.len() >= MAX_ACTIONS {
            out.unfollowed.actions.has_more |= !found.is_empty();
            continue;
        }
        for (verb, template) in found {
            let Some(segments) = Template::new(&template) else {
                continue;
            };
            out.routes.push(Route {
                verb,
                template: segments,
                project: node.project.clone(),
                symbol,
                via: vias.len(),
            });
            vias.push(Via {
                to: format!("{verb} {template}"),
                relation: ViaRelation::Route,
            });
        }
    }
    if !out.routes.is_empty() {
        out.unfollowed.projects.clear();
    }
    Ok(out)
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

impl Requests {
    fn new(file: &FileSummary, text: &[u8], routes: &[Route]) -> Self {
        let mut paths = Vec::new();
        for path in path_texts(text) {
            let matching = routes.iter().enumerate();
            let matching = matching.filter(|(_, route)| route.has(&path));
            paths.extend(matching.map(|(at, _)| (path.clone(), at)));
        }
        Self {
            file: file.clone(),
            paths,
        }
    }

    /// The requests with the members around them; the index of their file is not known.
    fn places(&self, snapshot: &Snapshot, routes: &[Route]) -> Result<Vec<Found>, QueryError> {
        let mut out = Vec::new();
        for (project_at, project) in self.file.projects.iter().enumerate() {
            let declared = Declared::of(snapshot, &self.file, project)?;
            out.extend(self.paths.iter().map(|(path, route)| Found {
                want: Want {
                    member: None,
                    symbol: routes[*route].symbol,
                    via: Some(routes[*route].via),
                    runs: None,
                    on: None,
                },
                file: 0,
                project: project_at as u16,
                offset: path.offset,
                role: Role::Literal,
                certainty: Certainty::Possible,
                inside: declared.around(path.offset),
                receiver: Receiver::Any,
            }));
        }
        Ok(out)
    }
}
