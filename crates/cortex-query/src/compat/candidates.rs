//! Which assemblies are compared, and which of their types can differ.

use std::collections::BTreeMap;

use cortex_bind::TypeNode;
use cortex_index::{ProjectRecord, Snapshot, Symbols, TypeHeader};
use cortex_model::{DeclKind, EdgeKind, EdgeKinds, RepoPath, TypeKey};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    ApiQuestion,
    answer::{ApiAnswer, AssemblyDifferences, LoneAssembly},
    forwards::Forwards,
};
use crate::{QueryError, changes::differing_types, members::Side};

/// The version of [`ApiAnswer`]'s form.
const SCHEMA: u32 = 1;

/// The project that stands for each library, by assembly name: of several variants the one whose framework is
/// the newest, which is the first that has types of its own.
fn libraries(symbols: &Symbols) -> BTreeMap<&str, &ProjectRecord> {
    let mut out: BTreeMap<&str, &ProjectRecord> = BTreeMap::new();
    for record in symbols.projects() {
        let project = &record.project;
        if project.is_test || project.path.as_str() == cortex_project::LOOSE {
            continue;
        }
        let known = out.entry(&project.assembly).or_insert(record);
        let newer = cortex_project::compare_frameworks(&project.tfm, &known.project.tfm);
        if newer == std::cmp::Ordering::Greater {
            *known = record;
        }
    }
    out
}

/// The assemblies of both sides, without differences yet.
pub(super) fn assemblies(
    [old, new]: [&Symbols; 2],
    question: &ApiQuestion,
) -> Result<ApiAnswer, QueryError> {
    let (before, after) = (libraries(old), libraries(new));
    let is_wanted = |name: &str| {
        question.assemblies.is_empty() || question.assemblies.iter().any(|it| it == name)
    };
    for name in &question.assemblies {
        if !before.contains_key(name.as_str()) && !after.contains_key(name.as_str()) {
            return Err(QueryError::UnknownProject(name.clone()));
        }
    }
    let lone = |record: &ProjectRecord| LoneAssembly {
        assembly: record.project.assembly.clone(),
        project: record.project.path.clone(),
    };
    let mut answer = ApiAnswer {
        schema: SCHEMA,
        commits: [old, new].map(|side| match side.snapshot().id() {
            cortex_index::SnapshotId::Commit(id) => Some(id.to_string()),
            _ => None,
        }),
        ..ApiAnswer::default()
    };
    for (name, record) in before.iter().filter(|(name, _)| is_wanted(name)) {
        match after.get(name) {
            None => answer.gone.push(lone(record)),
            Some(newer) => answer.assemblies.push(AssemblyDifferences {
                assembly: (*name).to_owned(),
                project: newer.project.path.clone(),
                framework: [record.project.tfm.clone(), newer.project.tfm.clone()],
                other_frameworks: newer.project.other_tfms.clone(),
                differences: Vec::new(),
                undecided: Vec::new(),
            }),
        }
    }
    let came = after
        .iter()
        .filter(|(name, _)| is_wanted(name) && !before.contains_key(*name));
    answer.came = came.map(|(_, record)| lone(record)).collect();
    Ok(answer)
}

/// By assembly: every type that can differ for others. Those whose declarations differ, those that derive from
/// such a type or name one whose constants have other values, and all of a project that sees other assemblies than
/// before.
pub(super) fn types(
    sides: [&Symbols; 2],
    forwards: &[Forwards; 2],
    answer: &ApiAnswer,
) -> Result<BTreeMap<String, FxHashSet<TypeKey>>, QueryError> {
    let [old, new] = sides.map(Symbols::snapshot);
    let mut out = Wanted::new(answer, forwards);
    for (assembly, key) in forwards[0].that_differ(&forwards[1]) {
        out.insert(assembly, key);
    }
    let mut heads: Vec<TypeKey> = Vec::new();
    for ty in differing_types(old, new)? {
        for node in [&ty.old, &ty.new].into_iter().flatten() {
            out.add(ty.key, node);
        }
        let differs = |a: &TypeNode, b: &TypeNode| {
            a.signature != b.signature || a.accessibility != b.accessibility
        };
        match (&ty.old, &ty.new) {
            (Some(a), Some(b)) => {
                if differs(a, b) {
                    heads.push(ty.key);
                }
                let has_constants = |node: &TypeNode| {
                    let mut kinds = node.members.iter().map(|member| member.kind);
                    kinds.any(|it| matches!(it, DeclKind::Constant | DeclKind::EnumMember))
                };
                if has_constants(a) && has_other_constants(&Side::new(old, a)?, &Side::new(new, b)?)
                {
                    // Attributes and default values elsewhere can be made of it.
                    for (user, _) in new.dependents(ty.key)? {
                        out.add_key(new, user)?;
                    }
                }
            }
            _ => heads.push(ty.key),
        }
    }
    out.add_derived([old, new], heads)?;
    let others = seeing_others(sides, answer);
    if !others.is_empty() {
        // What is unchanged itself differs by what it derives from outside alone.
        let mut heads: Vec<TypeKey> = Vec::new();
        for snapshot in [old, new] {
            for (key, header) in snapshot.type_headers()? {
                let is_seen = header.effective.is_visible();
                let is_other = is_seen && others.contains(header.assembly.as_str());
                if is_other && derives_from_outside(&header) {
                    heads.push(key);
                    out.add_key(snapshot, key)?;
                }
            }
        }
        out.add_derived([old, new], heads)?;
    }
    Ok(out.by_assembly)
}

/// Whether a type lists a base or interface that this repository does not declare.
fn derives_from_outside(header: &TypeHeader) -> bool {
    let Some((_, bases)) = header.signature.split_once(" : ") else {
        return false;
    };
    // What follows the list has commas of its own: it is only taken for longer than it is.
    let mut depth = 0;
    let n_commas = bases.chars().filter(|it| {
        depth += i32::from(*it == '<') - i32::from(*it == '>');
        *it == ',' && depth == 0
    });
    n_commas.count() + 1 > header.bases.len()
}

/// Whether a dependency shows in the head of a type: its bases, or its attributes.
fn is_head(kinds: EdgeKinds) -> bool {
    let head = [
        EdgeKind::Inherits,
        EdgeKind::Implements,
        EdgeKind::Attribute,
    ];
    head.into_iter().any(|kind| kinds.contains(kind))
}

/// Assemblies whose projects see something else from outside than before.
fn seeing_others<'a>([old, new]: [&Symbols; 2], answer: &'a ApiAnswer) -> FxHashSet<&'a str> {
    let (before, after) = (libraries(old), libraries(new));
    let differs = |name: &str| match (before.get(name), after.get(name)) {
        (Some(a), Some(b)) => a.project.tfm != b.project.tfm || a.references != b.references,
        _ => false,
    };
    let names = answer.assemblies.iter().map(|it| it.assembly.as_str());
    names.filter(|name| differs(name)).collect()
}

/// Whether a constant or enum member has another value than before, or may have: an enum member that is put
/// before others moves theirs.
fn has_other_constants(old: &Side<'_>, new: &Side<'_>) -> bool {
    let (before, after) = (constants(old), constants(new));
    !after.starts_with(&before)
}

/// The constants of a type in order of declaration, with what their values are told apart by.
fn constants<'a>(side: &Side<'a>) -> Vec<(&'a str, u64)> {
    let members = side.node().members.iter().zip(side.bodies());
    let is_constant = |kind| matches!(kind, DeclKind::Constant | DeclKind::EnumMember);
    let mut found: Vec<_> = members
        .filter(|(member, _)| is_constant(member.kind))
        .map(|(member, body)| ((member.part, member.decl), (member.name.as_str(), body)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, constant)| constant).collect()
}

struct Wanted<'a> {
    by_assembly: BTreeMap<String, FxHashSet<TypeKey>>,
    forwards: &'a [Forwards; 2],
}

impl<'a> Wanted<'a> {
    fn new(answer: &ApiAnswer, forwards: &'a [Forwards; 2]) -> Self {
        let names = answer.assemblies.iter().map(|it| it.assembly.clone());
        Self {
            by_assembly: names.map(|name| (name, FxHashSet::default())).collect(),
            forwards,
        }
    }

    fn insert(&mut self, assembly: &str, key: TypeKey) {
        if let Some(types) = self.by_assembly.get_mut(assembly) {
            types.insert(key);
        }
    }

    fn add(&mut self, key: TypeKey, node: &TypeNode) {
        if !node.effective.is_visible() {
            return;
        }
        self.insert(&node.assembly, key);
        for forwards in self.forwards {
            for assembly in forwards.assemblies_of(&node.fqn) {
                self.insert(assembly, key);
            }
        }
    }

    /// Adds what derives from some types: bases and interfaces come down to it.
    fn add_derived(
        &mut self,
        snapshots: [&Snapshot; 2],
        mut heads: Vec<TypeKey>,
    ) -> Result<(), QueryError> {
        let mut seen: FxHashSet<TypeKey> = heads.iter().copied().collect();
        while let Some(key) = heads.pop() {
            for snapshot in snapshots {
                for (user, kinds) in snapshot.dependents(key)? {
                    if is_head(kinds) && seen.insert(user) {
                        heads.push(user);
                        self.add_key(snapshot, user)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_key(&mut self, snapshot: &Snapshot, key: TypeKey) -> Result<(), QueryError> {
        if let Some(node) = snapshot.type_node(key)? {
            self.add(key, &node);
        }
        Ok(())
    }
}

/// Types that one thread compares.
pub(super) struct Chunk<'a> {
    /// With their assemblies.
    pub(super) types: Vec<(&'a str, TypeKey)>,
}

/// Fewer types than this are compared on one thread: each loads symbols of its own.
const PARALLEL: usize = 96;

/// Splits the work for two threads, assemblies kept together as far as that goes.
pub(super) fn chunks(wanted: &BTreeMap<String, FxHashSet<TypeKey>>) -> Vec<Chunk<'_>> {
    let mut all: Vec<(&str, TypeKey)> = Vec::new();
    for (assembly, types) in wanted {
        let mut types: Vec<TypeKey> = types.iter().copied().collect();
        types.sort_unstable();
        all.extend(types.into_iter().map(|key| (assembly.as_str(), key)));
    }
    let n_chunks = match all.len() {
        0 => return Vec::new(),
        n if n < PARALLEL => 1,
        _ => std::thread::available_parallelism().map_or(1, |n| n.get().min(4)),
    };
    let size = all.len().div_ceil(n_chunks);
    all.chunks(size)
        .map(|types| Chunk {
            types: types.to_vec(),
        })
        .collect()
}

/// Paths by which projects are known, with their assemblies.
pub(super) fn assemblies_by_project(symbols: &Symbols) -> FxHashMap<&RepoPath, &str> {
    let records = symbols.projects().iter();
    records
        .map(|record| (&record.project.path, record.project.assembly.as_str()))
        .collect()
}
