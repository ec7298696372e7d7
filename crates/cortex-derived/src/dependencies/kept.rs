//! What is read of a snapshot, what is kept beside it. The same as if all had been read, whatever was kept.

use crate::{
    DerivedError,
    dependencies::{
        Dependencies, Dependency, Edges, Project, Type, code,
        uses::{FileUses, Uses},
    },
    limits::Limits,
};

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Differing, FileSummary, Snapshot, TypeHeader};
use cortex_model::{EdgeKind, EdgeKinds, Hash, RepoPath, TypeKey};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What takes its time here.
const READING: &str = "read the dependencies of all types";

/// Under these names values are kept.
const TYPES: &str = "look-types";
const EDGES: &str = "look-edges";
const TOP: &str = "look-top";
const USES: &str = "look-uses";
const FILES: &str = "look-files";

/// Of types with no more dependents than that, these are asked one by one.
pub const MAX_DIRECT: usize = 4;

/// So many of the dependents of other types are kept.
pub const N_TOP: usize = 32;

/// A type before it has an index.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Record {
    key: TypeKey,
    head: Head,
    edges: Vec<(TypeKey, EdgeKinds, u32)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Head {
    fqn: String,
    kind: cortex_model::TypeKind,
    effective: cortex_model::Accessibility,
    project: RepoPath,
    path: RepoPath,
    line: u32,
}

impl Dependencies {
    /// Those of a snapshot. O(types + edges) where they are kept, which takes a hundredth of reading them; where
    /// another snapshot's are kept, also O(what differs).
    ///
    /// # Errors
    /// Those of reading the index, and [`DerivedError::TimedOut`].
    pub fn kept_or_read(snapshot: &Snapshot, limits: Limits) -> Result<Self, DerivedError> {
        if let Some(found) = Self::kept(snapshot) {
            return Ok(found);
        }
        Ok(read(snapshot, limits)?.0)
    }

    /// Those of a snapshot if they are kept.
    pub fn kept(snapshot: &Snapshot) -> Option<Self> {
        let edges = Edges::kept(snapshot)?;
        let (origin, bytes) = snapshot.kept(TYPES)?;
        (origin == snapshot.origin()).then(|| code::to_dependencies(&bytes, edges))?
    }

    /// The types that depend on one at most places: of those with more than [`MAX_DIRECT`] dependents the first
    /// [`N_TOP`], most places first, then by name. Where that is kept nothing else is read of types.
    pub fn top(
        snapshot: &Snapshot,
        target: TypeKey,
        limits: Limits,
    ) -> Result<Vec<(TypeKey, u32)>, DerivedError> {
        let kept = snapshot
            .kept(TOP)
            .filter(|(origin, _)| *origin == snapshot.origin());
        if let Some(found) = kept.and_then(|(_, bytes)| code::find_top(&bytes, target)) {
            return Ok(found);
        }
        let all = Self::kept_or_read(snapshot, limits)?;
        let Some(at) = all.index(target) else {
            return Ok(Vec::new());
        };
        Ok(all.top_of(all.reversed().of(at)))
    }

    /// See [`Self::top`].
    fn top_of(&self, users: &[Dependency]) -> Vec<(TypeKey, u32)> {
        let nested = EdgeKinds::EMPTY.with(EdgeKind::Nested);
        let mut users: Vec<&Dependency> = users.iter().filter(|it| it.kinds != nested).collect();
        users.sort_by_key(|it| {
            (
                std::cmp::Reverse(it.count),
                &self.types[it.target as usize].fqn,
                it.target,
            )
        });
        users.truncate(N_TOP);
        users
            .iter()
            .map(|it| (self.types[it.target as usize].key, it.count))
            .collect()
    }

    /// The same of every type with many dependents, by key.
    fn all_tops(&self) -> Vec<(TypeKey, Vec<(TypeKey, u32)>)> {
        let reversed = self.reversed();
        let many = (0..self.n_types()).filter(|&at| reversed.of(at).len() > MAX_DIRECT);
        many.map(|at| (self.types[at].key, self.top_of(reversed.of(at))))
            .collect()
    }

    /// The same with how often everything is used.
    ///
    /// # Errors
    /// Those of [`Self::kept_or_read`].
    pub fn with_uses(snapshot: &Snapshot, limits: Limits) -> Result<(Self, Uses), DerivedError> {
        let uses = snapshot
            .kept(USES)
            .filter(|(origin, _)| *origin == snapshot.origin());
        if let Some(uses) = uses.and_then(|(_, bytes)| code::to_uses(&bytes))
            && let Some(types) = Self::kept(snapshot)
            && types.n_types() == uses.types.len()
        {
            return Ok((types, uses));
        }
        read(snapshot, limits)
    }

    /// `records`: by key.
    fn new(projects: Vec<Project>, records: Vec<Record>) -> Self {
        let paths: BTreeSet<&RepoPath> = records.iter().map(|it| &it.head.path).collect();
        let paths: Vec<RepoPath> = paths.into_iter().cloned().collect();
        let by_path: FxHashMap<&RepoPath, u32> = (paths.iter().enumerate())
            .map(|(at, it)| (it, at as u32))
            .collect();
        let by_project: FxHashMap<&RepoPath, u32> = (projects.iter().enumerate())
            .map(|(at, it)| (&it.path, at as u32))
            .collect();
        let by_key: FxHashMap<TypeKey, u32> = (records.iter().enumerate())
            .map(|(at, it)| (it.key, at as u32))
            .collect();
        let mut out = Self {
            types: Vec::with_capacity(records.len()),
            edges: Edges {
                keys: records.iter().map(|it| it.key).collect(),
                starts: vec![0],
                all: Vec::new(),
            },
            ..Self::default()
        };
        for record in &records {
            let head = &record.head;
            out.types.push(Type {
                key: record.key,
                fqn: head.fqn.clone(),
                kind: head.kind,
                effective: head.effective,
                project: by_project.get(&head.project).copied().unwrap_or_default(),
                path: by_path[&head.path],
                line: head.line,
            });
            let edges = record
                .edges
                .iter()
                .filter(|(target, ..)| *target != record.key);
            let edges = edges.filter_map(|&(target, kinds, count)| {
                let target = *by_key.get(&target)?;
                Some(Dependency {
                    target,
                    kinds,
                    count,
                })
            });
            let from = out.edges.all.len();
            out.edges.all.extend(edges);
            out.edges.all[from..].sort_unstable();
            out.edges.starts.push(out.edges.all.len() as u32);
        }
        out.projects = projects;
        out.paths = paths;
        out
    }

    fn records(&self) -> Vec<Record> {
        let types = self.types.iter().enumerate();
        let records = types.map(|(at, ty)| Record {
            key: ty.key,
            head: Head {
                fqn: ty.fqn.clone(),
                kind: ty.kind,
                effective: ty.effective,
                project: self.project(ty).path.clone(),
                path: self.path(ty).clone(),
                line: ty.line,
            },
            edges: (self.of(at).iter())
                .map(|edge| (self.types[edge.target as usize].key, edge.kinds, edge.count))
                .collect(),
        });
        records.collect()
    }
}

impl Edges {
    fn kept(snapshot: &Snapshot) -> Option<Self> {
        let (origin, bytes) = snapshot.kept(EDGES)?;
        (origin == snapshot.origin()).then(|| code::to_edges(&bytes))?
    }
}

/// Reads a snapshot, as far as what is kept of another does not tell, and keeps what was found.
fn read(snapshot: &Snapshot, limits: Limits) -> Result<(Dependencies, Uses), DerivedError> {
    let (types, files) = match of_kept(snapshot, limits)? {
        Some(found) => found,
        None => whole(snapshot, limits)?,
    };
    let uses = Uses::of(&types, &files);
    snapshot.keep(&[
        (TYPES, &code::of_dependencies(&types)),
        (EDGES, &code::of_edges(&types.edges)),
        (TOP, &code::of_tops(&types.all_tops())),
        (USES, &code::of_uses(&uses)),
        (FILES, &code::of_files(&files)),
    ]);
    Ok((types, uses))
}

type Found = (Dependencies, Vec<FileUses>);

fn of_kept(snapshot: &Snapshot, limits: Limits) -> Result<Option<Found>, DerivedError> {
    let kept = [TYPES, EDGES, FILES].map(|name| snapshot.kept(name));
    let [
        Some((origin, types)),
        Some((of_edges, edges)),
        Some((of_files, files)),
    ] = kept
    else {
        return Ok(None);
    };
    if of_edges != origin || of_files != origin {
        return Ok(None);
    }
    let types = code::to_edges(&edges).and_then(|edges| code::to_dependencies(&types, edges));
    let Some((types, files)) = types.zip(code::to_files(&files)) else {
        return Ok(None);
    };
    let projects = projects(snapshot)?;
    // Which projects are of tests, and which there are, is part of every file's and type's value.
    if projects != types.projects {
        return Ok(None);
    }
    match snapshot.since(&origin)? {
        Some(differing) => {
            let kept = (types, files);
            Ok(Some(updated(snapshot, projects, kept, &differing, limits)?))
        }
        None => Ok(None),
    }
}

/// Reads all of a snapshot.
pub(crate) fn whole(snapshot: &Snapshot, limits: Limits) -> Result<Found, DerivedError> {
    let projects = projects(snapshot)?;
    let headers = snapshot.type_headers()?;
    let mut records: Vec<Record> = (headers.into_par_iter())
        .map(|(key, header)| {
            limits.check(READING)?;
            record(snapshot, key, header)
        })
        .collect::<Result<_, _>>()?;
    records.sort_unstable_by_key(|it| it.key);
    let files = read_files(snapshot, &projects, &snapshot.files()?, limits)?;
    Ok((Dependencies::new(projects, records), files))
}

/// What is known of one snapshot, brought to another.
pub(crate) fn updated(
    snapshot: &Snapshot,
    projects: Vec<Project>,
    (types, mut files): Found,
    differing: &Differing,
    limits: Limits,
) -> Result<Found, DerivedError> {
    let gone: FxHashSet<u64> = differing.files.iter().map(path_of).collect();
    files.retain(|file| !gone.contains(&file.path));
    let mut read = Vec::new();
    for path in &differing.files {
        read.extend(snapshot.file(path)?);
    }
    files.extend(read_files(snapshot, &projects, &read, limits)?);
    files.sort_by_key(|file| file.path);
    let mut by_key: BTreeMap<TypeKey, Record> =
        types.records().into_iter().map(|it| (it.key, it)).collect();
    // What a type depends on is written in its files.
    let mut changed: BTreeSet<TypeKey> = differing.types.clone();
    for (key, header) in snapshot.type_headers()? {
        if header
            .parts
            .iter()
            .any(|part| differing.files.contains(&part.path))
        {
            changed.insert(key);
        }
    }
    for key in changed {
        match snapshot.type_header(key)? {
            Some(header) => _ = by_key.insert(key, record(snapshot, key, header)?),
            None => _ = by_key.remove(&key),
        }
    }
    Ok((
        Dependencies::new(projects, by_key.into_values().collect()),
        files,
    ))
}

/// By path.
pub(crate) fn projects(snapshot: &Snapshot) -> Result<Vec<Project>, DerivedError> {
    let records = snapshot.projects()?.into_iter();
    let projects = records.map(|record| Project {
        path: record.project.path,
        assembly: record.project.assembly,
        is_test: record.project.is_test,
    });
    Ok(projects.collect())
}

fn record(snapshot: &Snapshot, key: TypeKey, header: TypeHeader) -> Result<Record, DerivedError> {
    let edges = snapshot.edges(key)?;
    let part = header.parts.first();
    Ok(Record {
        key,
        edges: (edges.source.iter())
            .map(|edge| (edge.target, edge.kinds, edge.count))
            .collect(),
        head: Head {
            path: part.map_or_else(|| RepoPath::from(""), |part| part.path.clone()),
            line: part.map_or(0, |part| part.line),
            fqn: header.fqn,
            kind: header.kind,
            effective: header.effective,
            project: header.project,
        },
    })
}

/// By path.
fn read_files(
    snapshot: &Snapshot,
    projects: &[Project],
    files: &[FileSummary],
    limits: Limits,
) -> Result<Vec<FileUses>, DerivedError> {
    let wanted: Vec<(&FileSummary, &RepoPath)> = (files.iter())
        .flat_map(|file| file.projects.iter().map(move |project| (file, project)))
        .collect();
    let mut read: Vec<FileUses> = (wanted.into_par_iter())
        .map(|(file, project)| {
            limits.check(READING)?;
            let found = projects.binary_search_by(|it| it.path.cmp(project));
            let is_test = found.is_ok_and(|at| projects[at].is_test);
            let bindings = snapshot.bindings(&file.path, project)?;
            Ok(FileUses::new(path_of(&file.path), is_test, &bindings))
        })
        .collect::<Result<_, DerivedError>>()?;
    read.sort_by_key(|file| file.path);
    Ok(read)
}

/// What stands for a path.
fn path_of(path: &RepoPath) -> u64 {
    Hash::of(path.as_str().as_bytes()).to_u64()
}
