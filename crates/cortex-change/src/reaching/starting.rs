//! The tests that start an application in their process and send it requests that no route of an action says.
//!
//! Owns: what starts which application. Must not know: what of an application changed.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_derived::{reach::graph::Node, target::Target};
use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, Snapshot};
use cortex_look::QueryError;
use cortex_model::{EdgeKind, LineTable, RepoPath, TypeKey};
use cortex_syntax::text::decode;
use cortex_wire::{RemovedService, StartingTests};

use crate::{
    diff_context::blobs::BlobSource,
    impact::actions::Running,
    reaching::{
        TestReach,
        hosted::Hosted,
        overrides::{Removal, overrides},
        solve::solve,
    },
};

/// The class of ASP.NET Core that starts the application of its type argument.
const FACTORY: &str = "WebApplicationFactory";

/// A class that starts an application.
struct Factory {
    application: RepoPath,
    key: TypeKey,
    /// Why the application does not run what changed when this class starts it.
    removed: Option<RemovedService>,
}

/// The tests that start an application which runs what changed, by application and test project; and those that start it
/// by a factory which takes out what would run it.
///
/// Reads nothing where no member that runs what changed is of an application or no type derives from the factory; else the
/// files of these types, as much as `git cortex tests` of them does, and, where members of at most 400 types run the change,
/// those that mention these types and what they implement.
pub(crate) fn starting_tests(
    snapshot: &Snapshot,
    running: &Running,
    source: BlobSource<'_>,
) -> Result<Vec<StartingTests>, QueryError> {
    let applications = running.projects();
    if applications.is_empty() {
        return Ok(Vec::new());
    }
    let mut hosted = Hosted::new(snapshot, running, source);
    let mut factories = Vec::new();
    for (hierarchy, application) in all_factories(snapshot)? {
        if applications.contains(&application) {
            let mut removed = None;
            if !hosted.is_wide() {
                let overrides = overrides(snapshot, &hierarchy)?;
                if let Some((ty, removal)) = hosted.removed(&application, &overrides)? {
                    removed = Some(described(snapshot, ty, removal, source)?);
                }
            }
            factories.push(Factory {
                application,
                key: hierarchy[0],
                removed,
            });
        }
    }
    match factories.is_empty() {
        true => Ok(Vec::new()),
        false => counted(&TestReach::of(snapshot)?, &factories),
    }
}

/// What takes an implementation out.
fn described(
    snapshot: &Snapshot,
    ty: TypeKey,
    removal: &Removal,
    source: BlobSource<'_>,
) -> Result<RemovedService, QueryError> {
    let header = snapshot.type_header(ty)?;
    let text = source.open().read_blob(removal.file.blob)?;
    let lines = LineTable::new(decode(&text).as_bytes());
    Ok(RemovedService {
        ty: header.map_or_else(String::new, |it| it.fqn),
        path: removal.file.path.clone(),
        line: lines.position(removal.offset).line,
    })
}

/// How many tests start each application. One that makes a factory starts the application as this one does, whatever its
/// bases would.
fn counted(reach: &TestReach<'_>, factories: &[Factory]) -> Result<Vec<StartingTests>, QueryError> {
    let own = factories.iter().map(|it| it.key);
    let asked = own.clone().map(|key| reach.goals(&[Target::Type(key)]));
    let made = own.map(|key| reach.made_goal(key));
    let asked: Vec<Vec<Node>> = asked.chain(made).collect();
    let found = solve(&reach.graph, &reach.reversed, &asked);
    // By application and test: of each factory, whether the test makes it.
    let mut uses: BTreeMap<(&RepoPath, u32), Vec<(usize, bool)>> = BTreeMap::new();
    for (at, tests) in found.iter().enumerate() {
        let factory = at % factories.len();
        for &(test, _) in tests {
            let by_test = uses.entry((&factories[factory].application, test));
            by_test.or_default().push((factory, at >= factories.len()));
        }
    }
    let mut counts: BTreeMap<(&RepoPath, RepoPath, Option<&RemovedService>), usize> =
        BTreeMap::new();
    for ((application, test), of_test) in uses {
        let entry = &reach.graph.entries[test as usize];
        if entry.is_skipped {
            continue;
        }
        let makes_any = of_test.iter().any(|(_, is_made)| *is_made);
        let used = of_test.iter().filter(|(_, is_made)| *is_made || !makes_any);
        let removed = used.map(|&(factory, _)| factories[factory].removed.as_ref());
        // Where one of them leaves all in, that one counts.
        let removed = removed.min().flatten();
        let class = reach.graph.types[entry.class as usize];
        if let Some(header) = reach.snapshot.type_header(class)? {
            *counts
                .entry((application, header.project, removed))
                .or_default() += 1;
        }
    }
    let all = counts.into_iter();
    let all = all.map(|((application, project, removed), n_tests)| StartingTests {
        application: application.clone(),
        project,
        n_tests,
        removed: removed.cloned(),
    });
    Ok(all.collect())
}

/// The types that start an application, each with its bases as far as they do, and the project of the application.
fn all_factories(snapshot: &Snapshot) -> Result<Vec<(Vec<TypeKey>, RepoPath)>, QueryError> {
    let mut ring: BTreeSet<TypeKey> = BTreeSet::new();
    for file in snapshot.files_mentioning(FACTORY)? {
        for project in &file.projects {
            let bindings = snapshot.bindings(&file.path, project)?;
            let declared = bindings.decls.iter().filter_map(|decl| decl.symbol);
            let declared = declared.filter_map(|symbol| match bindings.targets[symbol as usize] {
                BoundTarget::Type(key) => Some(key),
                _ => None,
            });
            for key in declared {
                if (snapshot.type_node(key)?).is_some_and(|node| is_factory(&node)) {
                    ring.insert(key);
                }
            }
        }
    }
    let mut all: BTreeMap<TypeKey, Option<TypeKey>> = ring.iter().map(|&key| (key, None)).collect();
    while !ring.is_empty() {
        let mut next = BTreeSet::new();
        for base in ring {
            for (key, kinds) in snapshot.dependents(base)? {
                if kinds.contains(EdgeKind::Inherits) && !all.contains_key(&key) {
                    all.insert(key, Some(base));
                    next.insert(key);
                }
            }
        }
        ring = next;
    }
    let mut out = Vec::new();
    for &key in all.keys() {
        let above = |key: &TypeKey| all.get(key).copied().flatten();
        let hierarchy: Vec<TypeKey> = std::iter::successors(Some(key), above).collect();
        for ty in &hierarchy {
            let mut named = named_in_header(snapshot, *ty)?;
            named.retain(|it| !all.contains_key(it));
            for argument in &named {
                if let Some(header) = snapshot.type_header(*argument)? {
                    out.push((hierarchy.clone(), header.project));
                }
            }
            if !named.is_empty() {
                break;
            }
        }
    }
    Ok(out)
}

fn is_factory(node: &TypeNode) -> bool {
    (node.base_list.iter()).any(|base| base.to_string().starts_with(FACTORY))
}

/// The types that the header of a type names.
fn named_in_header(snapshot: &Snapshot, key: TypeKey) -> Result<BTreeSet<TypeKey>, QueryError> {
    let mut out = BTreeSet::new();
    let Some(node) = snapshot.type_node(key)? else {
        return Ok(out);
    };
    for part in &node.parts {
        let bindings = snapshot.bindings(&part.path, &node.project)?;
        let is_own = |symbol: u32| matches!(bindings.targets[symbol as usize], BoundTarget::Type(it) if it == key);
        for decl in bindings
            .decls
            .iter()
            .filter(|decl| decl.symbol.is_some_and(is_own))
        {
            out.extend(decl.refs.iter().filter_map(|found| {
                match bindings.targets[found.target as usize] {
                    BoundTarget::Type(key) => Some(key),
                    _ => None,
                }
            }));
        }
    }
    Ok(out)
}
