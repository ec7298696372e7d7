//! The graph of a snapshot, from what is kept of it or of another one.
//!
//! Owns: what is read of a snapshot, what is kept beside it. Must not know: what makes what run.
//!
//! Two things are kept, each with what it was made of: the graph of the last snapshot that was asked, and the digests of
//! its types and files. For another snapshot the digests of what differs are made anew, then the graph of all
//! digests: it is the same as if all had been read.

use std::collections::BTreeSet;

use cortex_index::{Differing, FileSummary, Snapshot};
use cortex_model::{DeclKind, RepoPath, TypeKey};
use cortex_syntax::Sections;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    build::member_graph,
    code,
    digest::{
        FileDigest, Kind, Project, TypeDigest, Written, hash_of, is_busy, is_invoking, may_invoke,
        path_of,
    },
    graph::MemberGraph,
};
use crate::QueryError;

/// Under this name digests are kept.
const DIGESTS: &str = "tests-digests";

/// Which graph is kept in place of which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// That of the newer side, and of symbols.
    Newer,
    /// That of the older side of a range.
    Older,
}

impl Slot {
    fn name(self) -> &'static str {
        match self {
            Self::Newer => "tests-newer",
            Self::Older => "tests-older",
        }
    }
}

/// The graph of a snapshot. O(its size) where it is kept, which takes a hundredth of reading a snapshot; where
/// another is kept, also O(what differs).
pub(crate) fn graph(snapshot: &Snapshot, slot: Slot) -> Result<MemberGraph, QueryError> {
    let origin = snapshot.origin();
    for slot in [slot, Slot::Newer, Slot::Older] {
        let kept = snapshot.kept(slot.name());
        if let Some((_, bytes)) = kept.filter(|(found, _)| *found == origin)
            && let Some(graph) = code::to_graph(&bytes)
        {
            return Ok(graph);
        }
    }
    let digests = Digests::kept_or_read(snapshot)?;
    let graph = member_graph(&digests.types, &digests.files);
    let graph_bytes = code::of_graph(&graph);
    let mut values = vec![(slot.name(), &*graph_bytes)];
    let digest_bytes;
    if slot == Slot::Newer {
        digest_bytes = code::of_digests(&digests);
        values.push((DIGESTS, &digest_bytes));
    }
    snapshot.keep(&values);
    Ok(graph)
}

/// What is known of a snapshot.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Digests {
    /// Of the paths of the projects of tests.
    pub(super) projects: u64,
    /// By key.
    pub(super) types: Vec<TypeDigest>,
    /// By the hash of the path.
    pub(super) files: Vec<FileDigest>,
}

impl Digests {
    fn kept_or_read(snapshot: &Snapshot) -> Result<Self, QueryError> {
        if let Some((origin, bytes)) = snapshot.kept(DIGESTS)
            && let Some(kept) = code::to_digests(&bytes)
            && kept.projects == hash_of_all(&test_projects(snapshot)?)
            && let Some(differing) = snapshot.since(&origin)?
        {
            return kept.updated(snapshot, &differing);
        }
        Self::read(snapshot)
    }

    /// Reads a snapshot. O(snapshot).
    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, QueryError> {
        let mut types: Vec<TypeDigest> = (snapshot.types()?.into_par_iter())
            .map(|(key, node)| Ok(TypeDigest::new(key, &node, &snapshot.symbols(key)?)))
            .collect::<Result<_, QueryError>>()?;
        types.sort_by_key(|ty| ty.key);
        let mut out = Self {
            projects: hash_of_all(&test_projects(snapshot)?),
            types,
            files: Vec::new(),
        };
        out.read_files(snapshot, &snapshot.files()?)?;
        Ok(out)
    }

    /// Those of another snapshot.
    pub(super) fn updated(
        mut self,
        snapshot: &Snapshot,
        differing: &Differing,
    ) -> Result<Self, QueryError> {
        let mut types = Vec::new();
        for &key in &differing.types {
            if let Some(node) = snapshot.type_node(key)? {
                types.push(TypeDigest::new(key, &node, &snapshot.symbols(key)?));
            }
        }
        let gone: FxHashSet<TypeKey> = differing.types.iter().copied().collect();
        self.types.retain(|ty| !gone.contains(&ty.key));
        self.types.extend(types);
        self.types.sort_by_key(|ty| ty.key);
        let gone: FxHashSet<u64> = differing.files.iter().map(path_of).collect();
        self.files.retain(|file| !gone.contains(&file.path));
        let mut files = Vec::new();
        for path in &differing.files {
            files.extend(snapshot.file(path)?);
        }
        self.read_files(snapshot, &files)?;
        Ok(self)
    }

    /// Adds files, of which there are none yet; their types are there.
    fn read_files(&mut self, snapshot: &Snapshot, files: &[FileSummary]) -> Result<(), QueryError> {
        let tests = test_projects(snapshot)?;
        let mut properties: FxHashMap<u64, FxHashSet<u32>> = (files.iter())
            .map(|file| (path_of(&file.path), FxHashSet::default()))
            .collect();
        for declared in self.types.iter().flat_map(|ty| &ty.declared) {
            if declared.kind == Kind::Property
                && let Some(of_file) = properties.get_mut(&declared.path)
            {
                of_file.insert(declared.decl);
            }
        }
        let wanted: Vec<_> = (files.iter())
            .flat_map(|file| file.projects.iter().map(move |project| (file, project)))
            .collect();
        let read = wanted.par_iter().map(|(file, project)| {
            let of = if tests.contains::<RepoPath>(project) {
                Project::Tests
            } else {
                Project::Other
            };
            read_file(
                snapshot,
                file,
                project,
                &properties[&path_of(&file.path)],
                of,
            )
        });
        let read: Vec<FileDigest> = read.collect::<Result<_, QueryError>>()?;
        self.files.extend(read);
        self.files.sort_by_key(|file| file.path);
        Ok(())
    }
}

/// The paths of the projects of tests.
fn test_projects(snapshot: &Snapshot) -> Result<BTreeSet<RepoPath>, QueryError> {
    let projects = snapshot.projects()?.into_iter();
    let tests = projects.filter(|record| record.project.is_test);
    Ok(tests.map(|record| record.project.path).collect())
}

fn hash_of_all(paths: &BTreeSet<RepoPath>) -> u64 {
    let paths: Vec<&str> = paths.iter().map(RepoPath::as_str).collect();
    hash_of(&paths.join("\n"))
}

fn read_file(
    snapshot: &Snapshot,
    file: &FileSummary,
    project: &RepoPath,
    properties: &FxHashSet<u32>,
    of: Project,
) -> Result<FileDigest, QueryError> {
    let bindings = snapshot.bindings(&file.path, project)?;
    // Only of a property that names anything it matters whether it has an initial value.
    let mut busy = bindings.decls.iter().filter(|decl| is_busy(decl));
    let has_busy = busy.any(|decl| decl.decl.is_some_and(|it| properties.contains(&it)));
    let invoking = bindings.decls.iter();
    let invoking: Vec<u32> = invoking
        .filter(|decl| may_invoke(&bindings, decl))
        .filter_map(|decl| decl.decl)
        .collect();
    let sections = if invoking.is_empty() {
        Sections::Declarations
    } else {
        Sections::All
    };
    let mut written = Written::default();
    if (has_busy || !invoking.is_empty())
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
    }
    Ok(FileDigest::new(&file.path, &bindings, &written, of))
}
