//! The tests that start an application in their process and send it requests that no route of an action says.
//!
//! Owns: what starts which application. Must not know: what of an application changed.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_derived::target::Target;
use cortex_index::{BoundTarget, Snapshot};
use cortex_look::QueryError;
use cortex_model::{EdgeKind, RepoPath, TypeKey};
use cortex_wire::StartingTests;

use crate::reaching::TestReach;

/// The class of ASP.NET Core that starts the application of its type argument.
const FACTORY: &str = "WebApplicationFactory";

/// The tests that start one of some applications, by application and test project.
///
/// Reads nothing where no application is named or no type derives from the factory; else as much as `git cortex tests` of
/// these types does.
pub(crate) fn starting_tests(
    snapshot: &Snapshot,
    applications: &BTreeSet<RepoPath>,
) -> Result<Vec<StartingTests>, QueryError> {
    if applications.is_empty() {
        return Ok(Vec::new());
    }
    let mut by_application: BTreeMap<RepoPath, Vec<Target>> = BTreeMap::new();
    for (key, application) in factories(snapshot)? {
        if applications.contains(&application) {
            let of_it = by_application.entry(application).or_default();
            of_it.push(Target::Type(key));
        }
    }
    if by_application.is_empty() {
        return Ok(Vec::new());
    }
    let (applications, targets): (Vec<_>, Vec<_>) = by_application.into_iter().unzip();
    let found = TestReach::of(snapshot)?.reaching(&targets, 0)?;
    let mut out = Vec::new();
    for (application, found) in applications.into_iter().zip(found) {
        let mut counts: BTreeMap<RepoPath, usize> = BTreeMap::new();
        let run = (found.tests.into_iter().chain(found.set_up)).filter(|test| !test.skipped);
        for test in run {
            *counts.entry(test.project).or_default() += 1;
        }
        out.extend(counts.into_iter().map(|(project, n_tests)| StartingTests {
            application: application.clone(),
            project,
            n_tests,
        }));
    }
    Ok(out)
}

/// The types that start an application, with its project.
fn factories(snapshot: &Snapshot) -> Result<Vec<(TypeKey, RepoPath)>, QueryError> {
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
    let mut all = ring.clone();
    while !ring.is_empty() {
        let mut next = BTreeSet::new();
        for key in ring {
            let derived = snapshot.dependents(key)?.into_iter();
            let derived = derived.filter(|(_, kinds)| kinds.contains(EdgeKind::Inherits));
            next.extend(derived.map(|(key, _)| key).filter(|key| all.insert(*key)));
        }
        ring = next;
    }
    let mut out = Vec::new();
    for &key in &all {
        for argument in named_in_header(snapshot, key)?.difference(&all) {
            let header = snapshot.type_header(*argument)?;
            out.extend(header.map(|header| (key, header.project)));
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
