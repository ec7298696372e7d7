//! The graph of a snapshot, from what is kept of it or of another one.
//!
//! Owns: what is read of a snapshot, what is kept beside it. Must not know: what makes what run.
//!
//! Two things are kept: the graph, and the digests of types and files. For another snapshot the digests of what differs
//! are made anew, then the graph of all digests: it is the same as if all had been read.

use crate::{
    DerivedError,
    kept::{self, Derived, Part, Parts, View, WHOLE},
    reach::{
        build::member_graph,
        code,
        digest::{FileDigest, Project, Written, hash_of, is_busy, is_invoking, may_invoke},
        digests::Digests,
        graph::MemberGraph,
        services::{asked_types, looked_for_types},
    },
};
use cortex_index::{Differing, FileSummary, Snapshot};
use cortex_model::{DeclKind, RepoPath};
use cortex_syntax::Sections;
use rustc_hash::FxHashSet;
use std::{collections::BTreeSet, sync::Arc};

/// The graph of a snapshot. O(its size) where it is kept, which takes a hundredth of reading a snapshot; where
/// another is kept, also O(what differs).
///
/// # Errors
/// Those of reading the snapshot.
pub fn graph(snapshot: &Snapshot) -> Result<Arc<MemberGraph>, DerivedError> {
    kept::get::<MemberGraph, MemberGraph>(snapshot)
}

impl Derived for MemberGraph {
    const NAME: &'static str = "members";
    const VERSION: u32 = 3;
    const N_SLOTS: u8 = 3;
    type Source<'a> = &'a Snapshot;

    fn read(snapshot: &Snapshot) -> Result<Self, DerivedError> {
        let digests = kept::get::<Digests, Digests>(snapshot)?;
        Ok(member_graph(&digests.types, &digests.files))
    }

    /// The graph of what differs is no smaller work: its digests are.
    fn update(_: &Parts<'_>, _: &Snapshot, _: &Differing) -> Result<Option<Self>, DerivedError> {
        Ok(None)
    }

    fn parts(&self) -> Vec<Part<'_>> {
        vec![Part::packed(WHOLE, code::of_graph(self))]
    }
}

impl View<Self> for MemberGraph {
    const NAME: &'static str = "members";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        code::to_graph(&parts.get(WHOLE)?)
    }

    fn of(all: Self) -> Self {
        all
    }

    fn n_bytes(&self) -> usize {
        self.n_nodes() * 32
    }
}

/// The paths of the projects of tests.
pub(crate) fn test_projects(snapshot: &Snapshot) -> Result<BTreeSet<RepoPath>, DerivedError> {
    let projects = snapshot.projects()?.into_iter();
    let tests = projects.filter(|record| record.project.is_test);
    Ok(tests.map(|record| record.project.path).collect())
}

pub(crate) fn hash_of_all(paths: &BTreeSet<RepoPath>) -> u64 {
    let paths: Vec<&str> = paths.iter().map(RepoPath::as_str).collect();
    hash_of(&paths.join("\n"))
}

/// What is looked for in a file beyond its bindings.
pub(crate) struct LookFor<'p> {
    /// The declarations that are properties.
    pub(crate) properties: &'p FxHashSet<u32>,
    /// Whether it is of tests and mentions a call that asks a container for an object, or what looks for registrations:
    /// product code that does so runs with a substitute of the container in most of its tests.
    pub(crate) services: bool,
}

pub(crate) fn read_file(
    snapshot: &Snapshot,
    file: &FileSummary,
    project: &RepoPath,
    look: LookFor<'_>,
    of: Project,
) -> Result<FileDigest, DerivedError> {
    let bindings = snapshot.bindings(&file.path, project)?;
    // Only of a property that names anything it matters whether it has an initial value.
    let mut busy = bindings.decls.iter().filter(|decl| is_busy(decl));
    let has_busy = busy.any(|decl| decl.decl.is_some_and(|it| look.properties.contains(&it)));
    let invoking = bindings.decls.iter();
    let invoking: Vec<u32> = invoking
        .filter(|decl| may_invoke(&bindings, decl))
        .filter_map(|decl| decl.decl)
        .collect();
    let needs_names = !invoking.is_empty() || look.services;
    let sections = match needs_names {
        true => Sections::All,
        false => Sections::Declarations,
    };
    let mut written = Written::default();
    if (has_busy || needs_names)
        && let Some(facts) = snapshot.facts(file, project, sections)?
    {
        let properties = facts.decls.iter().enumerate();
        written.with_value = properties
            .filter(|(_, decl)| decl.kind == DeclKind::Property && decl.value.is_some())
            .map(|(at, _)| at as u32)
            .collect();
        let names = facts.refs.iter();
        let calls: Vec<u32> = names
            .filter(|found| is_invoking(facts.name(found.name)))
            .map(|found| found.offset)
            .collect();
        let invokes = |decl: &u32| {
            let range = facts.decls.get(*decl as usize).map(|decl| decl.range);
            range.is_some_and(|range| calls.iter().any(|&at| range.start <= at && at < range.end))
        };
        written.invoking = invoking.into_iter().filter(invokes).collect();
        if look.services {
            written.services = asked_types(&facts);
            written.looked_for = looked_for_types(&facts);
        }
    }
    Ok(FileDigest::new(&file.path, &bindings, &written, of))
}
