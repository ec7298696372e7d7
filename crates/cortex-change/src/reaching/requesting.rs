//! The tests that send requests over HTTP, themselves or through helpers.
//!
//! Must not know: how requests and their routes are found.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::target::Target;
use cortex_index::Snapshot;
use cortex_look::{QueryError, symbol::doc_id::of_doc_id};
use cortex_wire::{RequestingTest, RouteChange, SymbolImpact, ViaRelation};

use crate::reaching::TestReach;

/// The tests that reach the test code around requests, for each route the nearest first; a test once. Routes whose own
/// handler changed come first, then those of actions that name what changed, what the fewest run first. `changed`: what is
/// known of the routes.
///
/// Reads nothing where test code sends no request; else as much as `git cortex tests` of each of these members does.
pub(crate) fn requesting_tests(
    snapshot: &Snapshot,
    symbols: &[SymbolImpact],
    changed: &[RouteChange],
) -> Result<Vec<RequestingTest>, QueryError> {
    let mut routes: Vec<(&str, BTreeSet<&str>)> = Vec::new();
    for used in symbols.iter().flat_map(|symbol| &symbol.uses) {
        let via = used.via.as_ref();
        let via = via.filter(|via| used.is_test && via.relation == ViaRelation::Route);
        let sender = used.inside.as_deref().filter(|id| !id.starts_with("T:"));
        let (Some(via), Some(sender)) = (via, sender) else {
            continue;
        };
        match routes.iter_mut().find(|(route, _)| *route == via.to) {
            Some((_, senders)) => _ = senders.insert(sender),
            None => routes.push((&via.to, BTreeSet::from([sender]))),
        }
    }
    if routes.is_empty() {
        return Ok(Vec::new());
    }
    let n_through = RouteChange::n_through(changed);
    let mut far: BTreeMap<String, (bool, usize)> = BTreeMap::new();
    for it in changed {
        let n = it
            .through
            .as_deref()
            .map_or(0, |through| n_through[through]);
        let (name, distance) = (format!("{} {}", it.verb, it.template), (it.is_indirect, n));
        let known = far.entry(name).or_insert(distance);
        *known = distance.min(*known);
    }
    routes.sort_by_key(|(route, _)| far.get(*route).copied().unwrap_or((true, usize::MAX)));
    let mut senders: Vec<Vec<Target>> = Vec::new();
    for (_, ids) in &routes {
        let mut targets = Vec::new();
        for id in ids {
            targets.extend(of_doc_id(snapshot, id)?);
        }
        senders.push(targets);
    }
    let found = TestReach::of(snapshot)?.reaching(&senders, usize::MAX)?;
    let mut known = BTreeSet::new();
    let mut out = Vec::new();
    for ((route, _), found) in routes.into_iter().zip(found) {
        for test in found.tests.into_iter().chain(found.set_up) {
            if known.insert((test.project.clone(), test.class.clone(), test.id.clone())) {
                out.push(RequestingTest {
                    test,
                    route: route.to_owned(),
                });
            }
        }
    }
    Ok(out)
}
