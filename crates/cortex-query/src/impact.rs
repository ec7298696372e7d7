//! Who depends on what changed: the lines that use it, then types ring by ring, then tests.

mod dispatch;
mod lines;
mod literals;
mod registrations;
mod rings;
pub(crate) mod symbols;
mod uses;

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_index::{Snapshot, TypeHeader};
use cortex_model::{ChangeClass, RepoPath, TypeKey};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    QueryError,
    answer::{Impact, ImpactedType, TestEntry, TypeRef},
    changes::{ChangedType, type_ref},
    diff_context::{Compared, Reader, UseLines},
    propagation::Propagation,
};
use symbols::ChangedSymbol;

pub(crate) use rings::Rings;

/// Types listed beyond the direct users.
const MAX_FURTHER: usize = 400;

/// So many types are read by one thread.
const N_TOGETHER: usize = 32;

/// Finds the uses of changed symbols, and follows the dependents of every type whose users may notice.
pub(crate) fn impact(
    compared: &Compared,
    changed: &[ChangedType],
    symbols: Vec<ChangedSymbol>,
    propagation: &Propagation<'_>,
    reader: &mut Reader<'_>,
    wanted: UseLines,
) -> Result<Impact, QueryError> {
    let sources: Vec<&ChangedType> = changed
        .iter()
        .filter(|ty| {
            matches!(
                ty.class,
                ChangeClass::Structure | ChangeClass::Removed | ChangeClass::PublicBehavior
            )
        })
        .collect();
    let Rings {
        reached,
        degrees,
        n_cut,
    } = Rings::around(compared, &sources)?;
    let tests: BTreeMap<RepoPath, bool> = if changed.is_empty() {
        BTreeMap::new()
    } else {
        let records = compared.new.projects()?.into_iter();
        records
            .map(|record| (record.project.path, record.project.is_test))
            .collect()
    };
    let registrations = lines::registrations(compared, changed, &tests, reader)?;
    let lines::Told { symbols, n_inside } = lines::uses(compared, symbols, &tests, reader, wanted)?;
    let mut names: FxHashMap<TypeKey, String> = changed
        .iter()
        .map(|ty| (ty.key, ty.node().fqn.clone()))
        .collect();

    // Nearest first, then those that others depend on most.
    let mut ranked: Vec<_> = reached.iter().map(|(&key, reach)| (key, reach)).collect();
    ranked.sort_by_key(|(key, reach)| {
        let weight = degrees.get(key).copied().unwrap_or(0);
        (
            reach.distance,
            !reach.kinds.is_structural(),
            std::cmp::Reverse(weight),
            *key,
        )
    });
    let mut impact = Impact {
        symbols,
        registrations,
        n_beyond: n_cut,
        ..Impact::default()
    };
    let mut heads = heads(&compared.new, reached.keys().copied().collect())?;
    for (key, reach) in ranked {
        let Some((header, id)) = heads.remove(&key) else {
            continue;
        };
        let is_test = tests.get(&header.project).copied().unwrap_or(false);
        let shown = reach.distance == 1 || impact.further.len() < MAX_FURTHER;
        impact.n_beyond += usize::from(!shown);
        if !shown && !is_test {
            continue;
        }
        let ty = TypeRef {
            name: header.fqn,
            id,
            kind: header.kind,
        };
        names.entry(key).or_insert_with(|| ty.name.clone());
        let node = match is_test {
            true => compared.new.type_node(key)?,
            false => None,
        };
        if node.as_ref().is_some_and(declares_tests) {
            let project = header.project.clone();
            impact.tests.push(TestEntry {
                ty: ty.clone(),
                distance: reach.distance,
                project,
            });
        }
        if !shown {
            continue;
        }
        let entry = ImpactedType {
            ty,
            distance: reach.distance,
            via: names.get(&reach.via).cloned().unwrap_or_default(),
            kinds: reach.kinds.iter().collect(),
            project: header.project,
            is_test,
            n_uses: n_inside.get(&key).copied().unwrap_or(0),
            propagated: propagation.reaching(key)?,
        };
        match reach.distance {
            1 => impact.direct.push(entry),
            _ => impact.further.push(entry),
        }
    }
    // A changed test class runs as well.
    for ty in changed
        .iter()
        .filter(|ty| ty.new.is_some() && ty.class <= ChangeClass::Internal)
    {
        let node = ty.node();
        if tests.get(&node.project).copied().unwrap_or(false) && declares_tests(node) {
            let project = node.project.clone();
            impact.tests.push(TestEntry {
                ty: type_ref(&compared.new, ty.key, node)?,
                distance: 0,
                project,
            });
        }
    }
    impact
        .tests
        .sort_by(|a, b| (a.distance, &a.ty).cmp(&(b.distance, &b.ty)));
    impact.test_filter = filter(&impact.tests);
    Ok(impact)
}

/// The heads of types with their ids as users see them. `keys`: ascending, as the store keeps them.
fn heads(
    snapshot: &Snapshot,
    keys: Vec<TypeKey>,
) -> Result<FxHashMap<TypeKey, (TypeHeader, String)>, QueryError> {
    let read = keys.into_par_iter().with_min_len(N_TOGETHER).map(|key| {
        let header = snapshot.type_header(key)?;
        let told = header.map(|header| Ok((key, (header, snapshot.display_id(key)?))));
        told.transpose()
    });
    read.filter_map(Result::transpose).collect()
}

/// Whether a type has test methods of a framework that is known by its attributes.
fn declares_tests(node: &TypeNode) -> bool {
    const ATTRIBUTES: [&str; 12] = [
        "Fact",
        "Theory",
        "Test",
        "TestCase",
        "TestCaseSource",
        "TestMethod",
        "DataTestMethod",
        "ConditionalFact",
        "ConditionalTheory",
        "SkippableFact",
        "Property",
        "Arguments",
    ];
    node.members.iter().any(|member| {
        ATTRIBUTES.iter().any(|attribute| {
            member.shape.split('[').skip(1).any(|text| {
                let name = text.split([']', '(']).next().unwrap_or(text);
                let name = name.rsplit('.').next().unwrap_or(name);
                name == *attribute || name.strip_suffix("Attribute") == Some(*attribute)
            })
        })
    })
}

/// `FullyQualifiedName~…` terms for `dotnet test --filter`.
fn filter(tests: &[TestEntry]) -> String {
    let classes: BTreeSet<String> = tests
        .iter()
        .map(|test| {
            let name = test.ty.name.split('`').next().unwrap_or(&test.ty.name);
            format!("FullyQualifiedName~{name}.")
        })
        .collect();
    classes.into_iter().collect::<Vec<_>>().join("|")
}
