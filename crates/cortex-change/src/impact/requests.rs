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
        actions::ReachedRoute,
        around::Declared,
        uses::{Found, Places, Want},
    },
    routes,
};
use cortex_look::QueryError;
use cortex_wire::{Certainty, Role, Via, ViaRelation};

use std::collections::{BTreeMap, BTreeSet};

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
pub(crate) const MAX_ACTIONS: usize = 64;

/// So many texts are read by one thread.
const N_TOGETHER: usize = 16;

/// A route of an action that runs what changed.
struct Route<'a> {
    of: &'a ReachedRoute,
    template: Template,
    via: usize,
}

impl Route<'_> {
    fn has(&self, path: &PathText) -> bool {
        let text = without_query(&path.text);
        // A word alone says little: it must be all of the route.
        path.verb
            .is_none_or(|verb| self.of.verb == verb || self.of.verb == routes::ANY)
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

/// The files that mention a client, by path.
pub(crate) fn of_clients(snapshot: &Snapshot) -> Result<Vec<FileSummary>, QueryError> {
    let mut files: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for name in CLIENTS {
        for file in snapshot.files_mentioning(name)? {
            files.entry(file.path.clone()).or_insert(file);
        }
    }
    Ok(files.into_values().collect())
}

/// Adds the requests that files with clients send to actions of a side: to those that run what changed, or are gone.
/// O(files).
pub(crate) fn find(
    compared: &Compared,
    snapshot: &Snapshot,
    (files, routes): (&[FileSummary], &[ReachedRoute]),
    source: BlobSource<'_>,
    places: &mut Places,
    vias: &mut Vec<Via>,
) -> Result<(), QueryError> {
    let routes = routes
        .iter()
        .filter_map(|route| Some((route, Template::new(&route.template)?)));
    let routes = routes.take(MAX_ACTIONS).map(|(of, template)| {
        let via = vias.len();
        vias.push(Via {
            to: format!("{} {}", of.verb, of.template),
            relation: ViaRelation::Route,
        });
        Route { of, template, via }
    });
    let routes: Vec<Route<'_>> = routes.collect();
    if routes.is_empty() {
        return Ok(());
    }
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
    Ok(())
}

/// Drops the requests that routing gives to another action of the project, whose template is more specific.
fn leave_to_others(
    compared: &Compared,
    snapshot: &Snapshot,
    routes: &[Route<'_>],
    requests: &mut [Requests],
) -> Result<(), QueryError> {
    let open = requests.iter().flat_map(|of_file| &of_file.paths);
    let open = open.filter(|(path, route)| routes[*route].takes_text(path));
    let projects: BTreeSet<&RepoPath> = open.map(|(_, route)| &routes[*route].of.project).collect();
    if projects.is_empty() {
        return Ok(());
    }
    let all = routes_in(compared, snapshot, &projects)?;
    for of_file in requests {
        of_file.paths.retain(|(path, route)| {
            let route = &routes[*route];
            let is_others = |(project, verb, template): &(RepoPath, &str, Template)| {
                *project == route.of.project
                    && *verb == route.of.verb
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
        let controller = routes::Controller::of(snapshot, &node)?;
        let found = (node.members.iter()).flat_map(|member| controller.routes_of(member));
        out.extend(found.filter_map(|(verb, template)| {
            Some((node.project.clone(), verb, Template::new(&template)?))
        }));
    }
    Ok(out)
}

impl Requests {
    fn new(file: &FileSummary, text: &[u8], routes: &[Route<'_>]) -> Self {
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
    fn places(&self, snapshot: &Snapshot, routes: &[Route<'_>]) -> Result<Vec<Found>, QueryError> {
        let mut out = Vec::new();
        for (project_at, project) in self.file.projects.iter().enumerate() {
            let declared = Declared::of(snapshot, &self.file, project)?;
            out.extend(self.paths.iter().map(|(path, route)| Found {
                want: Want {
                    via: Some(routes[*route].via),
                    ..Want::of(None, routes[*route].of.symbol)
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
