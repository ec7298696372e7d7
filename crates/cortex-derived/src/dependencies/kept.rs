//! What is read of a snapshot, what is kept beside it. The same as if all had been read, whatever was kept.

use crate::{
    DerivedError,
    blocks::{self, Blocks, Packing},
    dependencies::{
        Dependencies, Dependency, Edges, Project, Type, code,
        uses::{FileUses, Uses},
    },
    kept::{self, Derived, Part, Parts, Timed, View},
    limits::Limits,
};

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_bind::main_part;
use cortex_index::{Differing, FileSummary, Snapshot, TypeHeader};
use cortex_model::{EdgeKind, EdgeKinds, Hash, RepoPath, TypeKey, put_varint, take_varint};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What takes its time here.
const READING: &str = "read the dependencies of all types";

/// The parts that are kept.
const TYPES: &str = "types";
const EDGES: &str = "edges";
const KEYS: &str = "keys";
const TOP: &str = "top";
const USES: &str = "uses";
const FILES: &str = "files";

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
    pub fn of_snapshot(source: Timed<'_>) -> Result<Arc<Self>, DerivedError> {
        kept::get::<Whole, Self>(source)
    }

    /// The types that depend on one at most places: the first `n`, at most [`N_TOP`], most places first, then by name.
    /// Where that is kept of this or a similar snapshot for a type with more than [`MAX_DIRECT`] dependents, nothing
    /// else is read but the types that differ.
    ///
    /// # Errors
    /// Those of [`Self::of_snapshot`].
    pub fn top(
        source: Timed<'_>,
        target: TypeKey,
        n: usize,
    ) -> Result<Vec<(TypeKey, u32)>, DerivedError> {
        if let Some((tops, differing)) = kept::nearest::<Whole, Tops>(source.snapshot)?
            && let Some(found) = tops.brought_to(source.snapshot, &differing, target, n)?
        {
            return Ok(found);
        }
        let all = Self::of_snapshot(source)?;
        let Some(at) = all.index(target) else {
            return Ok(Vec::new());
        };
        let users = all.top_of(all.reversed().of(at)).into_iter();
        Ok(users
            .map(|(user, count)| (all.types[user as usize].key, count))
            .take(n)
            .collect())
    }

    /// See [`Self::top`].
    fn top_of(&self, users: &[Dependency]) -> Vec<(u32, u32)> {
        let nested = EdgeKinds::EMPTY.with(EdgeKind::Nested);
        let mut users: Vec<&Dependency> = users.iter().filter(|it| it.kinds != nested).collect();
        users.sort_by_key(|it| {
            (
                Reverse(it.count),
                &self.types[it.target as usize].fqn,
                it.target,
            )
        });
        users.truncate(N_TOP);
        users.iter().map(|it| (it.target, it.count)).collect()
    }

    /// The same of every type, by index; none of types with few dependents.
    pub(crate) fn all_tops(&self) -> Vec<Vec<(u32, u32)>> {
        let reversed = self.reversed();
        let each = (0..self.n_types()).map(|at| match reversed.of(at) {
            few if few.len() <= MAX_DIRECT => Vec::new(),
            users => self.top_of(users),
        });
        each.collect()
    }

    /// `records`: by key.
    fn new(projects: Vec<Project>, records: Vec<Record>) -> Self {
        let paths: FxHashSet<&RepoPath> = records.iter().map(|it| &it.head.path).collect();
        let mut paths: Vec<RepoPath> = paths.into_iter().cloned().collect();
        paths.sort_unstable();
        let by_path: FxHashMap<RepoPath, u32> = (paths.iter().enumerate())
            .map(|(at, it)| (it.clone(), at as u32))
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
        for record in records {
            let head = record.head;
            out.types.push(Type {
                key: record.key,
                fqn: head.fqn,
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

    /// What it was made of, by key.
    fn into_records(self) -> (Vec<Project>, Vec<Record>) {
        let types = self.types.iter().enumerate();
        let edges: Vec<Vec<(TypeKey, EdgeKinds, u32)>> = types
            .map(|(at, _)| {
                let edges = self.edges.of(at).iter();
                let keyed = edges.map(|edge| {
                    let target = self.types[edge.target as usize].key;
                    (target, edge.kinds, edge.count)
                });
                keyed.collect()
            })
            .collect();
        let records = self.types.into_iter().zip(edges).map(|(ty, edges)| Record {
            key: ty.key,
            head: Head {
                fqn: ty.fqn,
                kind: ty.kind,
                effective: ty.effective,
                project: self.projects[ty.project as usize].path.clone(),
                path: self.paths[ty.path as usize].clone(),
                line: ty.line,
            },
            edges,
        });
        let records = records.collect();
        (self.projects, records)
    }
}

/// Everything that is read of a snapshot at once.
pub struct Whole {
    types: Dependencies,
    files: Vec<FileUses>,
    uses: Uses,
}

impl Whole {
    fn of((types, files): Found) -> Self {
        Self {
            uses: Uses::of(&types, &files),
            types,
            files,
        }
    }
}

impl Derived for Whole {
    const NAME: &'static str = "dependencies";
    const VERSION: u32 = 3;
    const N_SLOTS: u8 = 3;
    type Source<'a> = Timed<'a>;

    fn read(source: Timed<'_>) -> Result<Self, DerivedError> {
        whole(source.snapshot, source.limits).map(Self::of)
    }

    fn update(
        kept: &Parts<'_>,
        source: Timed<'_>,
        differing: &Differing,
    ) -> Result<Option<Self>, DerivedError> {
        let files = kept.get(FILES).and_then(|bytes| code::to_files(&bytes));
        let Some((types, files)) = Dependencies::open(kept).zip(files) else {
            return Ok(None);
        };
        let projects = projects(source.snapshot)?;
        // Which projects are of tests, and which there are, is part of every file's and type's value.
        if projects != types.projects {
            return Ok(None);
        }
        let known = (types, files);
        let found = updated(source.snapshot, known, differing, source.limits)?;
        Ok(Some(Self::of(found)))
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let types = &self.types;
        let tops = Tops::encode(types);
        vec![
            Part::packed(TYPES, code::of_dependencies(types)),
            Part::packed(EDGES, code::of_edges(&types.edges)),
            Part::in_place(KEYS, tops.keys),
            Part::in_place(TOP, tops.users),
            Part::packed(USES, code::of_uses(&self.uses)),
            Part::packed(FILES, code::of_files(&self.files)),
        ]
    }
}

impl View<Whole> for Dependencies {
    const NAME: &'static str = "dependencies";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        let edges = code::to_edges(&parts.get(EDGES)?)?;
        code::to_dependencies(&parts.get(TYPES)?, edges)
    }

    fn of(all: Whole) -> Self {
        all.types
    }

    fn n_bytes(&self) -> usize {
        self.types.len() * 160 + self.edges.all.len() * size_of::<Dependency>()
    }
}

/// The dependencies of a snapshot with how often everything is used.
pub struct WithUses {
    /// The types and what they depend on.
    pub types: Dependencies,
    /// How often each is used.
    pub uses: Uses,
}

impl WithUses {
    /// Those of a snapshot.
    ///
    /// # Errors
    /// Those of [`Dependencies::of_snapshot`].
    pub fn of_snapshot(source: Timed<'_>) -> Result<Arc<Self>, DerivedError> {
        kept::get::<Whole, Self>(source)
    }
}

impl View<Whole> for WithUses {
    const NAME: &'static str = "dependencies with uses";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        let types = Dependencies::open(parts)?;
        let uses = code::to_uses(&parts.get(USES)?)?;
        (types.n_types() == uses.types.len()).then_some(Self { types, uses })
    }

    fn of(all: Whole) -> Self {
        Self {
            types: all.types,
            uses: all.uses,
        }
    }

    fn n_bytes(&self) -> usize {
        let uses = self.uses.types.iter();
        self.types.n_bytes() + uses.map(|it| 48 + it.members.len() * 16).sum::<usize>()
    }
}

/// Who depends most on each type, read type by type.
struct Tops {
    /// The keys of all types, one behind the other.
    keys: Vec<u8>,
    /// By type: indices of users with counts.
    users: Blocks,
}

/// [`Tops`] as they are kept.
struct EncodedTops {
    keys: Vec<u8>,
    users: Vec<u8>,
}

impl Tops {
    fn encode(types: &Dependencies) -> EncodedTops {
        let users = types.all_tops().into_iter().map(|users| {
            let mut out = Vec::new();
            for (user, count) in users {
                put_varint(&mut out, user);
                put_varint(&mut out, count);
            }
            out
        });
        EncodedTops {
            keys: (types.types.iter())
                .flat_map(|ty| *ty.key.as_bytes())
                .collect(),
            users: blocks::encode(users, Packing::Fast),
        }
    }

    fn decode(encoded: EncodedTops) -> Option<Self> {
        let users = Blocks::open(encoded.users)?;
        let is_whole = encoded.keys.len() == users.len() as usize * KEY;
        is_whole.then_some(Self {
            keys: encoded.keys,
            users,
        })
    }

    /// The users of a type; `None` where they are not kept.
    fn get(&self, target: TypeKey) -> Option<Vec<(TypeKey, u32)>> {
        let (keys, _) = self.keys.as_chunks::<KEY>();
        let at = keys.binary_search(target.as_bytes()).ok()?;
        let mut rest = self.users.get(at as u32)?;
        let mut out = Vec::new();
        while !rest.is_empty() {
            let user = keys.get(take_varint(&mut rest)? as usize)?;
            out.push((TypeKey::from_bytes(*user), take_varint(&mut rest)?));
        }
        (!out.is_empty()).then_some(out)
    }

    /// The first `n` users of a type in a snapshot, of which the types that differ are read; `None` where what is kept
    /// does not tell.
    fn brought_to(
        &self,
        snapshot: &Snapshot,
        differing: &Differing,
        target: TypeKey,
        n: usize,
    ) -> Result<Option<Vec<(TypeKey, u32)>>, DerivedError> {
        let Some(mut known) = self.get(target) else {
            return Ok(None);
        };
        let changed: BTreeSet<TypeKey> = differing.types.union(&differing.edges).copied().collect();
        if changed.is_empty() {
            known.truncate(n);
            return Ok(Some(known));
        }
        if changed.len() > MAX_DIFFERING {
            return Ok(None);
        }
        let ranked = |user: TypeKey, count: u32| -> Result<_, DerivedError> {
            let header = snapshot.type_header(user)?;
            Ok(header.map(|header| (Reverse(count), header.fqn, user)))
        };
        let is_cut = known.len() == N_TOP;
        // Whoever comes after the last user that is known may be behind one that is not.
        let last = match known.last().filter(|_| is_cut) {
            Some((user, _)) if changed.contains(user) => return Ok(None),
            Some(&(user, count)) => ranked(user, count)?,
            None => None,
        };
        known.retain(|(user, _)| !changed.contains(user));
        let nested = EdgeKinds::EMPTY.with(EdgeKind::Nested);
        for user in changed.into_iter().filter(|&user| user != target) {
            let edges = snapshot.edges(user)?.source.into_iter();
            let counted = edges.filter(|edge| edge.target == target && edge.kinds != nested);
            known.extend(counted.map(|edge| (user, edge.count)));
        }
        let mut users = Vec::with_capacity(known.len());
        for (user, count) in known {
            users.extend(ranked(user, count)?);
        }
        users.sort_unstable();
        if let Some(last) = last {
            users.retain(|user| *user <= last);
            if users.len() < n.min(N_TOP) {
                return Ok(None);
            }
        }
        let users = users.into_iter().take(n.min(N_TOP));
        Ok(Some(
            users.map(|(count, _, user)| (user, count.0)).collect(),
        ))
    }
}

/// How long the key of a type is.
const KEY: usize = 14;

/// Where more types differ, reading all of them anew costs little more.
const MAX_DIFFERING: usize = 500;

impl View<Whole> for Tops {
    const NAME: &'static str = "top dependents";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        Self::decode(EncodedTops {
            keys: parts.get(KEYS)?,
            users: parts.get(TOP)?,
        })
    }

    fn of(all: Whole) -> Self {
        Self::decode(Self::encode(&all.types)).expect("what was encoded is sound")
    }

    fn n_bytes(&self) -> usize {
        self.keys.len() + self.users.bytes().len() * 2
    }
}

type Found = (Dependencies, Vec<FileUses>);

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

/// What is known of one snapshot, brought to another with the same projects.
fn updated(
    snapshot: &Snapshot,
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
    files.extend(read_files(snapshot, &types.projects, &read, limits)?);
    files.sort_by_key(|file| file.path);
    let (projects, records) = types.into_records();
    let mut by_key: BTreeMap<TypeKey, Record> =
        records.into_iter().map(|it| (it.key, it)).collect();
    for &key in differing.types.union(&differing.edges) {
        match snapshot.type_header(key)? {
            Some(header) => _ = by_key.insert(key, record(snapshot, key, header)?),
            None => _ = by_key.remove(&key),
        }
    }
    let records = by_key.into_values().collect();
    Ok((Dependencies::new(projects, records), files))
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
    let part = main_part(&header.fqn, &header.parts);
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
