//! Step 4: what every name of the files in play means, and what types depend on therefore.
//!
//! A file's names are bound again where it changed, where a type name that it mentions may mean something
//! else (`invalidate`), and where a member may: it mentions the name of a member that changed and has to
//! do with its type, or uses its type in a way that needs no name.

mod affected;
mod names;
mod symbols;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use cortex_bind::TypeNode;
use cortex_model::{BlobId, RepoPath, TypeKey};
use cortex_semantics::{Compilation, ProjectId, UnitKey};
use cortex_syntax::{FileFacts, Sections};
use rustc_hash::FxHashSet;

use self::{
    names::{NameIds, Retagged},
    symbols::ReadNode,
};
use super::{
    Change, Progress,
    inputs::Inputs,
    invalidate::{Unit, fetch, report},
    rebind::Rebound,
};
use crate::{
    IndexError,
    bindings::{FileBindings, MemberTag},
    facts::FactsSource,
    packed::{Packed, Spill},
    records::{TypeEdges, TypeSymbols, decode, encode},
    view::View,
    world::{ReadFacts, SnapshotWorld},
};

/// What binding bodies found.
#[derive(Default)]
pub(super) struct Bodies {
    /// Encoded bindings of each unit that was bound, sorted by unit.
    pub(super) uses: Vec<(Unit, Packed)>,
    /// By type: what it depends on; every type of those units.
    pub(super) edges: BTreeMap<TypeKey, TypeEdges>,
    /// By type: its symbols, encoded; every type whose declarations or bases changed.
    pub(super) symbols: BTreeMap<TypeKey, Packed>,
    /// Every type with members whose tags are not those of their ids.
    pub(super) retagged: BTreeSet<TypeKey>,
}

/// After this many units a thread starts a new compilation: what the old one has loaded is mostly of
/// projects that are done, and it grows with every file.
const RENEW: usize = 1_200;

/// Fewer units than this are bound on one thread: a compilation of its own for each costs more.
const PARALLEL: usize = 48;

pub(super) fn bind(
    change: &Change<'_>,
    inputs: &Inputs,
    rebound: &Rebound,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<Bodies, IndexError> {
    let mut units: Vec<Unit> = rebound.units.clone();
    let keys: Vec<TypeKey> = rebound
        .types
        .iter()
        .filter(|(_, merged)| merged.is_some())
        .map(|(&key, _)| key)
        .collect();
    let mut bodies = Bodies::default();
    let mut retagged = Retagged::default();
    let node = |key: TypeKey| match rebound.types.get(&key) {
        Some(merged) => (merged.as_ref()).and_then(|merged| {
            let node = decode::<TypeNode>(&merged.bytes.bytes(), "type");
            rebound.view.or_fail(node.map(Some))
        }),
        None => rebound
            .view
            .or_fail(rebound.view.old_node(key))
            .map(|node| (*node).clone()),
    };
    if let Some(base) = &change.base {
        // What changed decides which other files are bound.
        let affected = {
            let read = reader(&rebound.view, inputs, facts);
            let world = world(&rebound.view, inputs, &read);
            let compilation = Compilation::new(&world);
            let mut symbols: BTreeMap<TypeKey, TypeSymbols> =
                symbols::of(&compilation, &keys, &node)
                    .into_iter()
                    .collect();
            rebound.view.take_failure()?;
            let read = |keys: &[TypeKey]| symbols::of(&compilation, keys, &node);
            let affected = affected::find(base, inputs, rebound, &mut symbols, &read)?;
            retagged = known_retagged(base, rebound, &symbols)?;
            let all = symbols.into_iter();
            bodies.symbols = all
                .map(|(key, found)| (key, facts.spill.put(encode(&found))))
                .collect();
            affected
        };
        rebound.view.take_failure()?;
        let known: BTreeSet<Unit> = units.iter().cloned().collect();
        let more: Vec<Unit> = affected.difference(&known).cloned().collect();
        units.extend(more);
        units.sort();
        fetch(&units, inputs, facts, progress)?;
    }
    let read = reader(&rebound.view, inputs, facts);
    let world = world(&rebound.view, inputs, &read);
    // Neighbors of one project have most symbols in common.
    let mut in_order: Vec<&Unit> = units.iter().collect();
    in_order.sort_by(|a, b| (a.project, &a.path).cmp(&(b.project, &b.path)));
    let wanted_symbols = match change.base {
        None => keys.iter().copied().collect(),
        Some(_) => FxHashSet::default(),
    };
    let found = loop {
        let binding = Binding {
            world: &world,
            wanted: &wanted_symbols,
            node: &node,
            retagged: &retagged,
            spill: &facts.spill,
            progress,
        };
        let found = run(&binding, &in_order, facts.parallel());
        rebound.view.take_failure()?;
        if progress.interrupted() {
            return Err(IndexError::Interrupted);
        }
        // A full index knows of two members with one tag only now: their users are bound once more.
        if found.retagged.keys().all(|key| retagged.contains_key(key)) {
            break found;
        }
        retagged = found.retagged;
    };
    bodies.retagged = retagged.into_keys().collect();
    bodies.symbols.extend(found.symbols);
    let mut partial: BTreeMap<TypeKey, TypeEdges> = BTreeMap::new();
    let mut bound: FxHashSet<(RepoPath, usize)> = FxHashSet::default();
    for (unit, bytes, edges) in found.units {
        bound.insert((unit.path.clone(), unit.project));
        bodies.uses.push((unit, bytes));
        for (key, edges) in edges {
            names::merge(partial.entry(key).or_default(), edges);
        }
    }
    bodies.uses.sort_by(|(a, _), (b, _)| a.cmp(b));
    add_other_parts(change, inputs, rebound, facts, &bound, &mut partial)?;
    bodies.edges = partial;
    Ok(bodies)
}

/// The members whose tags are not those of their ids, on the new side.
fn known_retagged(
    base: &crate::Snapshot,
    rebound: &Rebound,
    symbols: &BTreeMap<TypeKey, TypeSymbols>,
) -> Result<Retagged, IndexError> {
    let mut out = Retagged::default();
    let mut add = |key: TypeKey, symbols: &TypeSymbols| {
        let members = symbols.retagged().map(|(id, tag)| (id.into(), tag));
        let members: Vec<(Box<str>, MemberTag)> = members.collect();
        if !members.is_empty() {
            out.insert(key, members);
        }
    };
    for &key in &base.record.retagged {
        let is_gone = rebound.types.get(&key).is_some_and(Option::is_none);
        if !is_gone && !symbols.contains_key(&key) {
            add(key, &base.symbols(key)?);
        }
    }
    for (&key, symbols) in symbols {
        add(key, symbols);
    }
    Ok(out)
}

/// The files that declare a type, each with every project that compiles it into the type's assembly, on the
/// new side.
fn compiling(
    view: &View,
    inputs: &Inputs,
    key: TypeKey,
) -> Result<Vec<(RepoPath, usize)>, IndexError> {
    if let Some(units) = view.units.get(&key) {
        return Ok(units.clone());
    }
    let declared = view.declaring(key)?.into_iter();
    Ok(declared
        .filter_map(|(path, project)| Some((path, *inputs.new.by_path.get(&project)?)))
        .collect())
}

/// The facts of a file on the new side.
pub(super) fn reader<'a>(
    view: &'a View,
    inputs: &'a Inputs,
    facts: &'a FactsSource<'_, '_>,
) -> impl Fn(&RepoPath, usize, Sections) -> FileFacts + Sync + 'a {
    move |path, project, sections| {
        blob_of(view, inputs, path).map_or_else(FileFacts::default, |blob| {
            facts.read(blob, inputs.new.sets[project]).facts(sections)
        })
    }
}

/// The content of a file on the new side.
fn blob_of(view: &View, inputs: &Inputs, path: &RepoPath) -> Option<BlobId> {
    if let Some(file) = inputs.changed.get(path) {
        return file.new.as_ref().map(|state| state.blob);
    }
    let base = view.base.as_ref()?;
    view.or_fail(base.file(path)).map(|file| file.blob)
}

pub(super) fn world<'a>(
    view: &'a View,
    inputs: &Inputs,
    read: &'a ReadFacts<'a>,
) -> SnapshotWorld<'a> {
    SnapshotWorld::new(
        view,
        &inputs.new.records,
        &inputs.new.scopes,
        &inputs.externals,
        read,
    )
}

/// A unit with its bindings and what its types depend on by them.
type BoundUnit = (Unit, Packed, Vec<(TypeKey, TypeEdges)>);

/// What all threads found.
#[derive(Default)]
struct Found {
    units: Vec<BoundUnit>,
    symbols: Vec<(TypeKey, Packed)>,
    retagged: Retagged,
}

/// What all threads bind with.
struct Binding<'b> {
    world: &'b SnapshotWorld<'b>,
    /// Types whose symbols are read where their first files are bound.
    wanted: &'b FxHashSet<TypeKey>,
    node: &'b ReadNode<'b>,
    retagged: &'b Retagged,
    spill: &'b Arc<Spill>,
    progress: &'b dyn Progress,
}

/// Chunks of units that no thread has taken: a range of their indices.
struct Left<'u> {
    chunks: Vec<&'u [&'u Unit]>,
    range: Mutex<Range<usize>>,
    n_units: usize,
    n_done: AtomicUsize,
}

/// The end from which a thread takes chunks.
#[derive(Clone, Copy)]
enum End {
    Front,
    Back,
}

impl<'u> Left<'u> {
    fn take(&self, end: End) -> Option<&'u [&'u Unit]> {
        let mut range = self.range.lock().expect("no thread panics");
        let at = match end {
            End::Front => range.next(),
            End::Back => range.next_back(),
        };
        at.map(|at| self.chunks[at])
    }
}

/// Binds units and reads symbols of types, each thread with a compilation of its own: the first thread
/// from the front, the second from the back, so that they share few symbols.
fn run(binding: &Binding<'_>, units: &[&Unit], threads: usize) -> Found {
    const CHUNK: usize = 16;
    let chunks: Vec<&[&Unit]> = units.chunks(CHUNK).collect();
    let threads = if units.len() < PARALLEL {
        1
    } else {
        threads.clamp(1, chunks.len().max(1))
    };
    let left = Left {
        range: Mutex::new(0..chunks.len()),
        chunks,
        n_units: units.len(),
        n_done: AtomicUsize::new(0),
    };
    let all = Mutex::new(Found::default());
    let work = |end: End| {
        let found = binding.thread(&left, end);
        let mut all = all.lock().expect("no thread panics");
        all.units.extend(found.units);
        all.symbols.extend(found.symbols);
        all.retagged.extend(found.retagged);
    };
    std::thread::scope(|scope| {
        let work = &work;
        for thread in 1..threads {
            let end = match thread % 2 {
                1 => End::Back,
                _ => End::Front,
            };
            scope.spawn(move || work(end));
        }
        work(End::Front);
    });
    all.into_inner().expect("no thread panics")
}

impl Binding<'_> {
    /// What one thread binds.
    fn thread(&self, left: &Left<'_>, end: End) -> Found {
        let take = || left.take(end).filter(|_| !self.progress.interrupted());
        let mut found = Found::default();
        let mut next = take();
        while next.is_some() {
            let compilation = Compilation::new(self.world);
            let mut ids = NameIds::new(&compilation, self.retagged);
            let mut n_bound = 0;
            while let Some(chunk) = next.filter(|_| n_bound < RENEW) {
                for &unit in chunk {
                    self.unit(&compilation, &mut ids, unit, &mut found);
                    let n_done = left.n_done.fetch_add(1, Ordering::Relaxed) + 1;
                    report(self.progress, n_done, left.n_units);
                }
                n_bound += chunk.len();
                next = take();
            }
        }
        found
    }

    fn unit(
        &self,
        compilation: &Compilation<'_>,
        ids: &mut NameIds<'_, '_>,
        unit: &Unit,
        found: &mut Found,
    ) {
        let key = UnitKey {
            path: unit.path.clone(),
            project: ProjectId::new(unit.project),
        };
        let facts = world_facts(self.world, &key);
        let bound = compilation.bind_unit(&key, &facts);
        let (bindings, edges) = ids.of_unit(&key, &facts, &bound);
        let bindings = self.spill.put(bindings.encode());
        found.units.push((unit.clone(), bindings, edges));
        for (key, symbols) in symbols::first_declared(compilation, &key, self.wanted, self.node) {
            let retagged = symbols.retagged().map(|(id, tag)| (id.into(), tag));
            let retagged: Vec<(Box<str>, MemberTag)> = retagged.collect();
            if !retagged.is_empty() {
                found.retagged.insert(key, retagged);
            }
            found.symbols.push((key, self.spill.put(encode(&symbols))));
        }
    }
}

fn world_facts(world: &SnapshotWorld<'_>, unit: &UnitKey) -> std::sync::Arc<FileFacts> {
    cortex_semantics::World::facts(world, unit, Sections::Bodies)
}

/// Adds what parts of types in files that were not bound depend on, as the older snapshot has it.
fn add_other_parts(
    change: &Change<'_>,
    inputs: &Inputs,
    rebound: &Rebound,
    facts: &FactsSource<'_, '_>,
    bound: &FxHashSet<(RepoPath, usize)>,
    partial: &mut BTreeMap<TypeKey, TypeEdges>,
) -> Result<(), IndexError> {
    let Some(base) = &change.base else {
        return Ok(());
    };
    let view = &rebound.view;
    // A declaration may be gone while no other one of its type is bound again.
    let touched = rebound.types.iter().filter(|(_, merged)| merged.is_some());
    for (&key, _) in touched.filter(|(key, _)| view.changed.contains_key(key)) {
        partial.entry(key).or_default();
    }
    let mut wanted: BTreeMap<(RepoPath, usize), Vec<TypeKey>> = BTreeMap::new();
    for &key in partial.keys() {
        let places = compiling(view, inputs, key)?.into_iter();
        for place in places.filter(|place| !bound.contains(place)) {
            wanted.entry(place).or_default().push(key);
        }
    }
    for ((path, project), keys) in wanted {
        let Some(blob) = blob_of(view, inputs, &path) else {
            continue;
        };
        let record = &inputs.new.records[project].project;
        let declared = facts
            .read(blob, inputs.new.sets[project])
            .facts(Sections::Declarations);
        let types = cortex_bind::declared_types(&declared, &path, &record.path, &record.assembly);
        let bindings: FileBindings = base.bindings(&path, &record.path)?;
        for (key, edges) in names::edges(&declared, &types, &bindings) {
            if keys.contains(&key) {
                names::merge(partial.entry(key).or_default(), edges);
            }
        }
    }
    Ok(())
}
