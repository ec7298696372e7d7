//! Which assemblies are compared, and which of their types can differ.

use crate::compat::{forwards::Forwards, question::ApiQuestion};
use cortex_look::{
    QueryError,
    follow::{
        differing::{ChangedType, differing_types},
        pairing::Side,
    },
};
use cortex_wire::{ApiAnswer, AssemblyDifferences, LoneAssembly};

use std::collections::BTreeMap;

use cortex_bind::TypeNode;
use cortex_index::{MemberDetails, ProjectRecord, Snapshot, Symbols, TypeHeader};
use cortex_model::{ChangeClass, DeclKind, EdgeKind, Modifier, RepoPath, TypeKey, TypeKind};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

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
pub(crate) fn assemblies(
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

/// How much of a type is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Extent {
    /// Its bases and interfaces: it is unchanged itself.
    Head,
    /// Everything.
    Whole,
}

/// The types that can differ, by assembly.
pub(crate) type Candidates = BTreeMap<String, FxHashMap<TypeKey, Candidate>>;

/// A type that can differ.
pub(crate) struct Candidate {
    /// Where it is declared first: types of one file are read together.
    path: RepoPath,
    extent: Extent,
}

/// By assembly: every type that can differ for others. Those whose declarations differ, those that derive from
/// such a type or name one whose constants have other values, and what derives from outside in a project that sees
/// other assemblies than before.
pub(crate) fn types(
    sides: [&Symbols; 2],
    forwards: &[Forwards; 2],
    answer: &ApiAnswer,
    known: Option<&[ChangedType]>,
) -> Result<Candidates, QueryError> {
    let [old, new] = sides.map(Symbols::snapshot);
    let mut out = Wanted::new(answer, forwards);
    for (assembly, key) in forwards[0].that_differ(&forwards[1]) {
        out.insert(assembly, key, &RepoPath::from(""), Extent::Whole);
    }
    let others = seeing_others(sides, answer);
    let (differing, headers) = rayon::join(
        || match known {
            Some(_) => Ok(Vec::new()),
            None => differing_types(old, new),
        },
        || match others.is_empty() {
            true => Ok(Vec::new()),
            false => new.type_headers(),
        },
    );
    let found = differing?;
    let mut differing: Vec<&ChangedType> = known.unwrap_or(&found).iter().collect();
    // The store keeps what belongs to neighboring files together.
    differing.sort_by(|a, b| place(a).cmp(&place(b)));
    let looked_at = differing.par_chunks(N_TOGETHER).flat_map_iter(|types| {
        let mut details = [old, new].map(MemberDetails::new);
        let looked_at = types.iter().map(|ty| look(&mut details, &out, ty));
        looked_at.collect::<Vec<_>>()
    });
    let looked_at: Vec<Looked> = looked_at.collect::<Result<_, _>>()?;
    let mut heads: Vec<TypeKey> = Vec::new();
    for (ty, looked) in differing.iter().zip(looked_at) {
        if looked.has_other_head {
            heads.push(ty.key);
        }
        if looked.has_other_constants {
            // Attributes and default values elsewhere can be made of it.
            for (user, _) in new.dependents(ty.key)? {
                out.add_key(new, user, Extent::Whole)?;
            }
        }
        if looked.has_other_constructors {
            // Assemblies hold an attribute with a value for every parameter of its constructor.
            for (user, kinds) in new.dependents(ty.key)? {
                if kinds.contains(EdgeKind::Attribute) {
                    out.add_key(new, user, Extent::Whole)?;
                }
            }
        }
        if looked.can_differ {
            for node in [&ty.old, &ty.new].into_iter().flatten() {
                out.add(ty.key, node);
            }
        }
    }
    // What is unchanged itself differs by what it derives from outside alone.
    for (key, header) in headers? {
        if others.contains(header.assembly.as_str()) && derives_from_outside(&header) {
            heads.push(key);
            out.add_header(key, &header, Extent::Head);
        }
    }
    out.add_derived([old, new], heads)?;
    Ok(out.by_assembly)
}

/// So many types, in the order of their files, are looked at by one thread.
const N_TOGETHER: usize = 64;

/// The first file of a type.
fn place(ty: &ChangedType) -> Option<&RepoPath> {
    ty.node().parts.first().map(|part| &part.path)
}

/// What a differing type means to others.
struct Looked {
    /// Bases, accessibility or modifiers differ, or it came or went.
    has_other_head: bool,
    has_other_constants: bool,
    /// Parameters of constructors differ, or their default values.
    has_other_constructors: bool,
    can_differ: bool,
}

fn look(
    details: &mut [MemberDetails<'_>; 2],
    wanted: &Wanted<'_>,
    ty: &ChangedType,
) -> Result<Looked, QueryError> {
    let (Some(before), Some(after)) = (&ty.old, &ty.new) else {
        return Ok(Looked {
            has_other_head: true,
            has_other_constants: false,
            has_other_constructors: false,
            can_differ: true,
        });
    };
    let is_seen = wanted.is_wanted(before) || wanted.is_wanted(after);
    Ok(Looked {
        has_other_head: !before.has_signature_of(after)
            || before.accessibility != after.accessibility,
        has_other_constants: has_constants(before)
            && has_other_constants(&sides(details, [before, after])?),
        has_other_constructors: (has_parameters(before) || has_parameters(after))
            && has_other_constructors(&sides(details, [before, after])?),
        can_differ: is_seen && can_differ(details, ty, [before, after])?,
    })
}

/// Whether a type that differs somewhere can differ for others: not where only bodies, documentation and layout do.
fn can_differ(
    details: &mut [MemberDetails<'_>; 2],
    ty: &ChangedType,
    [before, after]: [&TypeNode; 2],
) -> Result<bool, QueryError> {
    if ty.class == ChangeClass::Structure {
        return Ok(true);
    }
    let [old, new] = [&details[0], &details[1]].map(|it| it.snapshot());
    let (a, b) = (old.symbols(ty.key)?, new.symbols(ty.key)?);
    if a.header != b.header || a.members != b.members {
        return Ok(true);
    }
    if ty.class != ChangeClass::PublicBehavior {
        return Ok(false);
    }
    // Constants, default values, and bodies that are called virtually.
    let [a, b] = sides(details, [before, after])?;
    let bodies = a.bodies().zip(b.bodies());
    let mut changed = (after.members.iter().zip(b.params()).zip(bodies))
        .filter(|(_, (before, after))| before != after)
        .map(|(member, _)| member);
    Ok(changed.any(|(member, params)| {
        after.kind == TypeKind::Interface
            || matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember)
            || params.contains('=')
            || [Modifier::Virtual, Modifier::Override, Modifier::Abstract]
                .into_iter()
                .any(|modifier| member.has(modifier))
    }))
}

/// Both sides of a type, with what its members are made of.
fn sides<'a>(
    [old, new]: &mut [MemberDetails<'_>; 2],
    [before, after]: [&'a TypeNode; 2],
) -> Result<[Side<'a>; 2], QueryError> {
    Ok([Side::of(old, before)?, Side::of(new, after)?])
}

fn has_constants(node: &TypeNode) -> bool {
    let mut kinds = node.members.iter().map(|member| member.kind);
    kinds.any(|it| matches!(it, DeclKind::Constant | DeclKind::EnumMember))
}

/// Whether a constructor of a type has parameters.
fn has_parameters(node: &TypeNode) -> bool {
    (node.members.iter())
        .any(|member| member.kind == DeclKind::Constructor && member.params != Some(Vec::new()))
}

/// Whether constructors have other parameters than before, or other default values.
fn has_other_constructors([old, new]: &[Side<'_>; 2]) -> bool {
    constructors(old) != constructors(new)
}

/// The parameters of the constructors of a type, with their default values.
fn constructors<'a>(side: &'a Side<'_>) -> Vec<&'a str> {
    let members = side.node().members.iter().zip(side.params());
    let constructors = members.filter(|(member, _)| member.kind == DeclKind::Constructor);
    let mut found: Vec<&str> = constructors.map(|(_, params)| params).collect();
    found.sort_unstable();
    found
}

/// Whether a type lists a base or interface that this repository does not declare.
fn derives_from_outside(header: &TypeHeader) -> bool {
    header.base_list.len() > header.bases.len()
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
fn has_other_constants([old, new]: &[Side<'_>; 2]) -> bool {
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
    by_assembly: Candidates,
    forwards: &'a [Forwards; 2],
}

impl<'a> Wanted<'a> {
    fn new(answer: &ApiAnswer, forwards: &'a [Forwards; 2]) -> Self {
        let names = answer.assemblies.iter().map(|it| it.assembly.clone());
        Self {
            by_assembly: names.map(|name| (name, FxHashMap::default())).collect(),
            forwards,
        }
    }

    fn insert(&mut self, assembly: &str, key: TypeKey, path: &RepoPath, extent: Extent) {
        if let Some(types) = self.by_assembly.get_mut(assembly) {
            let path = || path.clone();
            let known = types.entry(key).or_insert_with(|| Candidate {
                path: path(),
                extent,
            });
            known.extent = known.extent.max(extent);
        }
    }

    /// The assemblies that have a type: its own, and those that forward it.
    fn assemblies<'n>(&'n self, assembly: &'n str, name: &str) -> Vec<&'n str> {
        let forwarding = self.forwards.iter().flat_map(|it| it.assemblies_of(name));
        let all = [assembly].into_iter().chain(forwarding.map(String::as_str));
        all.filter(|it| self.by_assembly.contains_key(*it))
            .collect()
    }

    /// Whether others see a type in an assembly that is compared.
    fn is_wanted(&self, node: &TypeNode) -> bool {
        node.effective.is_visible() && !self.assemblies(&node.assembly, &node.fqn).is_empty()
    }

    fn add(&mut self, key: TypeKey, node: &TypeNode) {
        if node.effective.is_visible() {
            let path = node.parts.first().map(|part| &part.path);
            self.add_all(key, [&node.assembly, &node.fqn], path, Extent::Whole);
        }
    }

    fn add_header(&mut self, key: TypeKey, header: &TypeHeader, extent: Extent) {
        if header.effective.is_visible() {
            let path = header.parts.first().map(|part| &part.path);
            self.add_all(key, [&header.assembly, &header.fqn], path, extent);
        }
    }

    fn add_all(
        &mut self,
        key: TypeKey,
        [assembly, name]: [&String; 2],
        path: Option<&RepoPath>,
        extent: Extent,
    ) {
        let assemblies = self.assemblies(assembly, name);
        let assemblies: Vec<String> = assemblies.into_iter().map(str::to_owned).collect();
        let nowhere = RepoPath::from("");
        for assembly in assemblies {
            self.insert(&assembly, key, path.unwrap_or(&nowhere), extent);
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
                    let derives =
                        kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements);
                    if derives && seen.insert(user) {
                        heads.push(user);
                        self.add_key(snapshot, user, Extent::Head)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_key(
        &mut self,
        snapshot: &Snapshot,
        key: TypeKey,
        extent: Extent,
    ) -> Result<(), QueryError> {
        if let Some(header) = snapshot.type_header(key)? {
            self.add_header(key, &header, extent);
        }
        Ok(())
    }
}

/// Types that one thread compares.
pub(crate) struct Chunk<'a> {
    /// With their assemblies, those of one file side by side.
    pub(crate) types: Vec<(&'a str, TypeKey, Extent)>,
}

/// Fewer types than this are compared on one thread: each loads symbols of its own.
const PARALLEL: usize = 96;

/// Splits the work for a few threads, assemblies kept together as far as that goes.
pub(crate) fn chunks(wanted: &Candidates) -> Vec<Chunk<'_>> {
    let mut all: Vec<(&str, TypeKey, Extent)> = Vec::new();
    for (assembly, types) in wanted {
        let mut types: Vec<(&TypeKey, &Candidate)> = types.iter().collect();
        types.sort_unstable_by(|(a, x), (b, y)| (&x.path, a).cmp(&(&y.path, b)));
        let types = types.into_iter();
        all.extend(types.map(|(key, it)| (assembly.as_str(), *key, it.extent)));
    }
    let n_chunks = match all.len() {
        0 => return Vec::new(),
        n if n < PARALLEL => 1,
        _ => std::thread::available_parallelism().map_or(1, |n| n.get().min(4)),
    };
    let size = all.len().div_ceil(n_chunks);
    let chunks = all.chunks(size);
    chunks
        .map(|types| Chunk {
            types: types.to_vec(),
        })
        .collect()
}

/// Paths by which projects are known, with their assemblies.
pub(crate) fn assemblies_by_project(symbols: &Symbols) -> FxHashMap<&RepoPath, &str> {
    let records = symbols.projects().iter();
    records
        .map(|record| (&record.project.path, record.project.assembly.as_str()))
        .collect()
}
