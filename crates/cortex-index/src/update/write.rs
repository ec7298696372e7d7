//! Step 4: what differs from the older snapshot, as changes of its maps. Values that came out
//! equal are left alone, so a snapshot costs pages in proportion to what really changed.

mod tables;
mod twins;

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeSymbol;
use cortex_model::{RepoPath, TypeKey, by_key};
use cortex_store::{
    Batch,
    merkle::{self, MapRoot},
};
use cortex_syntax::{FileFacts, Sections};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use self::twins::Twins;
use super::{Change, Prepared, bodies::Bodies, inputs::Inputs, rebind::Rebound};
use crate::{
    IndexError,
    bindings::{BoundTarget, FileBindings, name_key},
    damage::{Lacking, ProjectCounts},
    facts::{FactsSource, Stored},
    keys,
    packed::Packed,
    records::{
        Edge, FileStatus, FileSummary, ProjectRecord, SnapshotRecord, Stats, TypeEdges,
        TypeSymbols, decode, encode,
    },
    update::invalidate::Unit,
};

/// Changes of one map, by key.
type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// The same, where values are large.
type PackedChanges = BTreeMap<Vec<u8>, Option<Packed>>;

pub(super) fn write<'s>(
    change: &Change<'_>,
    inputs: Inputs,
    rebound: Rebound,
    mut bodies: Bodies,
    facts: &FactsSource<'s, '_>,
) -> Result<Prepared<'s>, IndexError> {
    let record = change
        .base
        .as_ref()
        .map(|base| base.record.clone())
        .unwrap_or_default();
    let mut writer = Writer {
        batch: facts.begin_snapshot()?,
        stats: record.stats,
        roots: record.roots,
    };
    let n_rebound = bodies.uses.len();

    // Each map is written as soon as it is known: a cold index has tens of megabytes of changes for some.
    count_types(&rebound, &mut writer.stats)?;
    let removed = rebound.types.iter().filter(|(_, merged)| merged.is_none());
    let removed: Vec<TypeKey> = removed.map(|(&key, _)| key).collect();
    let mut users = dependency_changes(change, &rebound, &bodies, &removed, &mut writer.stats)?;
    let tables = tables::changes(change.base.as_ref(), &rebound, &bodies, &facts.spill)?;
    drop((
        std::mem::take(&mut bodies.edges),
        std::mem::take(&mut bodies.symbols),
    ));
    writer.apply_packed(|roots| &mut roots.tables, tables.tables)?;
    writer.apply(|roots| &mut roots.types, tables.types)?;
    writer.apply(|roots| &mut roots.names, tables.names)?;

    // What lookups of names and of extension members start from.
    let namespaces = namespace_changes(change, &rebound)?;
    let extensions = extension_changes(change, &rebound)?;
    let occupied = occupied_changes(change, &rebound)?;
    writer.apply(|roots| &mut roots.namespaces, namespaces)?;
    writer.apply(|roots| &mut roots.extensions, extensions)?;
    writer.apply(|roots| &mut roots.occupied, occupied)?;
    drop(rebound);

    // The files, and how they use the types.
    let (files, mut mentions, summaries) = writer.file_changes(&inputs, facts);
    writer.apply(|roots| &mut roots.files, files)?;
    let twins = Twins::new(change.base.as_ref(), &inputs, summaries.values());
    mentions.keep(|path| twins.mentioned(path, facts))?;
    writer.apply(|roots| &mut roots.mentions, mentions.into_changes())?;
    let bound = std::mem::take(&mut bodies.uses);
    let (uses, referrers, counts) = binding_changes(change, &inputs, bound, &summaries, &twins)?;
    let records = counted(&inputs, &counts);
    let projects = project_changes(&inputs.old.records, &records);

    users.extend(referrers);
    writer.apply(|roots| &mut roots.users, users)?;
    writer.apply_packed(|roots| &mut roots.uses, uses)?;
    writer.apply(|roots| &mut roots.projects, projects)?;
    let record = SnapshotRecord {
        roots: writer.roots,
        stats: writer.stats,
        lacking: Lacking::of(&records),
        untracked: inputs.externals.untracked.clone(),
        retagged: bodies.retagged.into_iter().collect(),
        unread: inputs.unread.clone(),
    };
    Ok(Prepared {
        record,
        batch: writer.batch,
        rebound: n_rebound,
        externals: inputs.externals,
    })
}

/// Counts types and members.
fn count_types(rebound: &Rebound, stats: &mut Stats) -> Result<(), IndexError> {
    for (&key, merged) in &rebound.types {
        let old = rebound.view.old_node(key)?;
        stats.types = stats.types + u64::from(merged.is_some()) - u64::from(old.is_some());
        let members = old.as_ref().map_or(0, |node| node.members.len() as u64);
        stats.members =
            stats.members + merged.as_ref().map_or(0, |merged| merged.members) - members;
    }
    Ok(())
}

/// Which types depend on which: from signatures and from what files write; counts edges.
fn dependency_changes(
    change: &Change<'_>,
    rebound: &Rebound,
    bodies: &Bodies,
    removed: &[TypeKey],
    stats: &mut Stats,
) -> Result<Changes, IndexError> {
    let mut dependents = Changes::new();
    let mut touched: BTreeSet<TypeKey> = bodies.edges.keys().copied().collect();
    touched.extend(bodies.symbols.keys().chain(removed));
    for key in touched {
        let (written, signature) = match &change.base {
            Some(base) => (base.written(key)?, base.symbols(key)?.signature),
            None => Default::default(),
        };
        let before = TypeEdges::merged(&signature, &written);
        let is_removed = rebound.types.get(&key).is_some_and(Option::is_none);
        let after = if is_removed {
            TypeEdges::default()
        } else {
            let signature = match bodies.symbols.get(&key) {
                Some(bytes) => decode::<TypeSymbols>(&bytes.bytes(), "symbols")?.signature,
                None => signature,
            };
            let written = bodies.edges.get(&key).unwrap_or(&written);
            TypeEdges::merged(&signature, written)
        };
        edge_changes(key, &before.source, &after.source, &mut dependents);
        stats.edges = stats.edges + after.source.len() as u64 - before.source.len() as u64;
    }
    Ok(dependents)
}

/// What namespaces contain.
fn namespace_changes(change: &Change<'_>, rebound: &Rebound) -> Result<Changes, IndexError> {
    let mut namespaces = Changes::new();
    let mut put = |symbol: &TypeSymbol, exists: bool| {
        if symbol.outer.is_none() {
            let entry = keys::namespace_type(symbol.namespace(), symbol.key);
            namespaces.insert(entry, exists.then(Vec::new));
        }
    };
    for (&key, new) in by_key(&rebound.view.changed) {
        let old = match &change.base {
            Some(base) => base.type_symbol(key)?,
            None => None,
        };
        if old != *new {
            // What stands in another namespace has another key in this map.
            if let Some(old) = &old {
                put(old, false);
            }
            if let Some(new) = new {
                put(new, true);
            }
        }
    }
    for (namespace, exists) in by_key(&rebound.view.namespaces) {
        let parent = namespace.rfind('.').map_or("", |end| &namespace[..end]);
        namespaces.insert(
            keys::namespace_child(parent, namespace),
            exists.then(Vec::new),
        );
    }
    Ok(namespaces)
}

/// How the counts of projects differ, by path.
type CountChanges = FxHashMap<RepoPath, ProjectCounts>;

/// The new projects with their counts.
fn counted(inputs: &Inputs, changes: &CountChanges) -> Vec<ProjectRecord> {
    let mut records = inputs.new.records.clone();
    for record in &mut records {
        let path = &record.project.path;
        let before = inputs.old.by_path.get(path);
        record.counts = before.map_or_else(ProjectCounts::default, |&before| {
            inputs.old.records[before].counts
        });
        if let Some(change) = changes.get(path) {
            record.counts.add(change);
        }
    }
    records
}

/// Bindings of files, which files have to do with which types, and how counts differ. `summaries`: of the
/// changed files on the new side, by path. `twins`: what shares its entries with others.
fn binding_changes(
    change: &Change<'_>,
    inputs: &Inputs,
    bound: Vec<(Unit, Packed)>,
    summaries: &BTreeMap<RepoPath, FileSummary>,
    twins: &Twins<'_>,
) -> Result<(PackedChanges, Changes, CountChanges), IndexError> {
    let (mut uses, mut referrers) = (PackedChanges::new(), Changes::new());
    let mut counts = CountChanges::default();
    let mut paths: BTreeSet<&RepoPath> = inputs.changed.keys().collect();
    paths.extend(bound.iter().map(|(unit, _)| &unit.path));
    let mut fresh: BTreeMap<(&RepoPath, &RepoPath), &Packed> = BTreeMap::new();
    for (unit, bytes) in &bound {
        let project = &inputs.new.records[unit.project].project.path;
        fresh.insert((&unit.path, project), bytes);
    }
    for path in paths {
        let mut before: BTreeMap<TypeKey, BTreeSet<u8>> = BTreeMap::new();
        let mut after: BTreeMap<TypeKey, BTreeSet<u8>> = BTreeMap::new();
        let old = match &change.base {
            Some(base) => base.file(path)?,
            None => None,
        };
        let new = if inputs.changed.contains_key(path) {
            summaries.get(path)
        } else {
            old.as_ref()
        };
        let mut bound_now: BTreeMap<RepoPath, FileBindings> = BTreeMap::new();
        if let (Some(base), Some(old)) = (&change.base, &old) {
            for project in old.projects.iter().cloned() {
                let bindings = base.bindings(path, &project)?;
                tags(&bindings, &mut before);
                let counted = counts.entry(project.clone()).or_default();
                counted.subtract(&ProjectCounts::of_file(old, &bindings));
                let is_gone = match inputs.changed.get(path) {
                    Some(file) => !file
                        .new
                        .iter()
                        .flat_map(|new| &new.projects)
                        .any(|&it| inputs.new.records[it].project.path == project),
                    None => !inputs.new.by_path.contains_key(&project),
                };
                if is_gone {
                    uses.insert(keys::uses(path, &project), None);
                } else if !fresh.contains_key(&(path, &project)) {
                    tags(&bindings, &mut after);
                    bound_now.insert(project, bindings);
                }
            }
        }
        let first = RepoPath::from_bytes(b"");
        for ((_, project), bytes) in fresh
            .range((path, &first)..)
            .take_while(|((other, _), _)| *other == path)
        {
            let bindings = FileBindings::decode(&bytes.bytes()).unwrap_or_default();
            tags(&bindings, &mut after);
            bound_now.insert((*project).clone(), bindings);
        }
        if let Some(new) = new {
            let nothing = FileBindings::default();
            for project in &new.projects {
                let bindings = bound_now.get(project).unwrap_or(&nothing);
                let counted = counts.entry(project.clone()).or_default();
                counted.add(&ProjectCounts::of_file(new, bindings));
            }
        }
        for twin in twins.of(path)? {
            for project in &twin.projects {
                match (fresh.get(&(&twin.path, project)), &change.base) {
                    (Some(bytes), _) => {
                        let bindings = FileBindings::decode(&bytes.bytes()).unwrap_or_default();
                        tags(&bindings, &mut after);
                    }
                    (None, Some(base)) => tags(&base.bindings(&twin.path, project)?, &mut after),
                    (None, None) => {}
                }
            }
        }
        for key in before.keys().filter(|key| !after.contains_key(key)) {
            referrers.insert(keys::referrer(*key, path), None);
        }
        for (key, tags) in after {
            if before.get(&key) != Some(&tags) {
                let value = tags.into_iter().collect();
                referrers.insert(keys::referrer(key, path), Some(value));
            }
        }
    }
    for (unit, bytes) in bound {
        let project = &inputs.new.records[unit.project].project.path;
        uses.insert(keys::uses(&unit.path, project), Some(bytes));
    }
    Ok((uses, referrers, counts))
}

/// The types that bindings have to do with, and bits of the members that they use.
fn tags(bindings: &FileBindings, out: &mut BTreeMap<TypeKey, BTreeSet<u8>>) {
    for target in &bindings.targets {
        if let Some(key) = target.key() {
            let tags = out.entry(key).or_default();
            if let BoundTarget::Member(_, member) = target {
                tags.insert(member.low());
            }
        }
    }
    for hidden in bindings.hidden.iter() {
        out.entry(hidden.key()).or_default();
    }
    for name in &bindings.unmentioned {
        out.entry(name_key(name)).or_default();
    }
}

/// Which types declare extension members of which names.
fn extension_changes(change: &Change<'_>, rebound: &Rebound) -> Result<Changes, IndexError> {
    let mut changes = Changes::new();
    if let Some(base) = &change.base {
        for (&key, _) in by_key(&rebound.view.changed) {
            for member in &base.symbols(key)?.members {
                let name = member.simple_name();
                if base.extension_types(name)?.contains(&key) {
                    changes.insert(keys::extension(name, key), None);
                }
            }
        }
    }
    for (name, types) in by_key(&rebound.view.extensions) {
        for &key in types {
            changes.insert(keys::extension(name, key), Some(Vec::new()));
        }
    }
    Ok(changes)
}

/// How many outermost types each project declares in which namespaces.
fn occupied_changes(change: &Change<'_>, rebound: &Rebound) -> Result<Changes, IndexError> {
    let mut changes = Changes::new();
    for (namespace, differences) in &rebound.view.occupied {
        let before: BTreeMap<RepoPath, u32> = match &change.base {
            Some(base) => base.occupants(namespace)?.into_iter().collect(),
            None => BTreeMap::new(),
        };
        for (project, difference) in differences {
            let count = i64::from(before.get(project).copied().unwrap_or(0)) + difference;
            let value = (count > 0).then(|| encode(&(project, count as u32)));
            changes.insert(keys::occupied(namespace, project), value);
        }
    }
    Ok(changes)
}

/// Which mentions came, and which are gone: a cold index has hundreds of thousands that came, for which a map has no
/// room.
#[derive(Default)]
struct MentionChanges {
    came: Vec<keys::Mention>,
    /// By file, names.
    gone: Vec<(RepoPath, Vec<Box<str>>)>,
}

impl MentionChanges {
    /// Keeps of what is gone the names that are mentioned elsewhere as well, in what shares the entries of a file.
    fn keep(
        &mut self,
        elsewhere: impl Fn(&RepoPath) -> Result<BTreeSet<Box<str>>, IndexError>,
    ) -> Result<(), IndexError> {
        for (path, names) in &mut self.gone {
            let kept = elsewhere(path)?;
            names.retain(|name| !kept.contains(name));
        }
        Ok(())
    }

    /// By key; of files that share an entry, one that came to need it decides.
    fn into_changes(self) -> impl Iterator<Item = merkle::Change> {
        let came = self.came.into_iter().map(|key| (key, false));
        let gone = self.gone.iter().flat_map(|(path, names)| {
            let keys = names.iter().map(|name| keys::mention(name, path));
            keys.map(|key| (key, true))
        });
        let mut all: Vec<(keys::Mention, bool)> = came.chain(gone).collect();
        all.sort_unstable();
        all.dedup_by_key(|(key, _)| *key);
        let change =
            |(key, is_gone): (keys::Mention, bool)| (key.to_vec(), (!is_gone).then(Vec::new));
        all.into_iter().map(change)
    }
}

struct Writer<'a> {
    batch: Batch<'a>,
    roots: crate::records::Roots,
    stats: Stats,
}

impl Writer<'_> {
    /// Applies changes, some at a time, so that those that are applied take no memory any more. Maps are functions of
    /// their content, so where the parts end shows in nothing but pages that nobody refers to.
    fn apply(
        &mut self,
        map: impl Fn(&mut crate::records::Roots) -> &mut MapRoot,
        changes: impl IntoIterator<Item = merkle::Change>,
    ) -> Result<(), IndexError> {
        const AT_ONCE: usize = 32 << 10;
        let root = map(&mut self.roots);
        let mut changes = changes.into_iter();
        loop {
            let part: Vec<merkle::Change> = changes.by_ref().take(AT_ONCE).collect();
            if part.is_empty() {
                return Ok(());
            }
            *root = self.batch.update_map(*root, &part)?;
        }
    }

    /// As [`Writer::apply`], with a part of the values in memory at a time.
    fn apply_packed(
        &mut self,
        map: impl Fn(&mut crate::records::Roots) -> &mut MapRoot,
        changes: PackedChanges,
    ) -> Result<(), IndexError> {
        const AT_ONCE: usize = 8 << 20;
        let root = map(&mut self.roots);
        let mut part: Vec<merkle::Change> = Vec::new();
        let mut n_bytes = 0;
        for (key, value) in changes {
            let value = value.map(Packed::into_bytes);
            n_bytes += value.as_ref().map_or(0, Vec::len);
            part.push((key, value));
            if n_bytes >= AT_ONCE {
                *root = self.batch.update_map(*root, &part)?;
                part.clear();
                n_bytes = 0;
            }
        }
        *root = self.batch.update_map(*root, &part)?;
        Ok(())
    }

    /// Summaries and mentions of the changed files; the new summaries also as values, by path.
    fn file_changes(
        &mut self,
        inputs: &Inputs,
        facts: &FactsSource<'_, '_>,
    ) -> (Changes, MentionChanges, BTreeMap<RepoPath, FileSummary>) {
        let (mut files, mut mentions) = (Changes::new(), MentionChanges::default());
        let mut summaries = BTreeMap::new();
        let changed: Vec<_> = inputs.changed.iter().collect();
        let read = |(path, file): &(&RepoPath, &super::inputs::ChangedFile)| {
            let side = |state: &Option<super::inputs::FileState>,
                        projects: &super::inputs::Projects| {
                let state = state.as_ref()?;
                let stored = |&project: &usize| facts.get(state.blob, projects.sets[project]);
                let stored: Vec<Stored> = state.projects.iter().map(stored).collect();
                Some(SideFacts::new(path, state, &stored, projects))
            };
            (side(&file.old, &inputs.old), side(&file.new, &inputs.new))
        };
        // Not all at once: each has the names that its file mentions.
        const AT_ONCE: usize = 256;
        let sides = changed.chunks(AT_ONCE).flat_map(|some| {
            let sides: Vec<_> = some.par_iter().map(read).collect();
            some.iter().zip(sides)
        });
        for ((path, _), (old, new)) in sides {
            let empty = BTreeSet::new();
            let before = old.as_ref().map_or(&empty, |side| &side.mentions);
            let after = new.as_ref().map_or(&empty, |side| &side.mentions);
            let gone: Vec<Box<str>> = before.difference(after).cloned().collect();
            if !gone.is_empty() {
                mentions.gone.push(((*path).clone(), gone));
            }
            let came = after.difference(before);
            let came = came.map(|name| keys::mention(name, path));
            mentions.came.extend(came);
            if let Some(old) = &old {
                old.count(&mut self.stats, u64::wrapping_sub);
            }
            if let Some(new) = &new {
                new.count(&mut self.stats, u64::wrapping_add);
            }
            let summary = new.map(|side| side.summary);
            files.insert(keys::file(path), summary.as_ref().map(encode));
            summaries.extend(summary.map(|summary| ((*path).clone(), summary)));
        }
        (files, mentions, summaries)
    }
}

struct SideFacts {
    summary: FileSummary,
    mentions: BTreeSet<Box<str>>,
}

impl SideFacts {
    fn new(
        path: &RepoPath,
        state: &super::inputs::FileState,
        stored: &[Stored],
        projects: &super::inputs::Projects,
    ) -> Self {
        let mut summary = FileSummary {
            path: path.clone(),
            blob: state.blob,
            status: FileStatus::Indexed,
            projects: state
                .projects
                .iter()
                .map(|&i| projects.records[i].project.path.clone())
                .collect(),
            inactive: 0,
        };
        let mut mentions = BTreeSet::new();
        for stored in stored {
            match stored {
                Stored::Skipped(reason) => summary.status = FileStatus::Skipped(*reason as u8),
                Stored::Facts(_) => {
                    let facts = stored.facts(Sections::All);
                    summary.inactive = summary.inactive.max(facts.inactive.len() as u32);
                    if facts.is_degraded() && summary.status == FileStatus::Indexed {
                        summary.status = FileStatus::Degraded(facts.errors.len() as u32);
                    }
                    mentions.extend(mentioned(&facts));
                }
            }
        }
        Self { summary, mentions }
    }

    fn count(&self, stats: &mut Stats, apply: fn(u64, u64) -> u64) {
        stats.files = apply(stats.files, 1);
        match self.summary.status {
            FileStatus::Indexed => {}
            FileStatus::Degraded(_) => stats.degraded = apply(stats.degraded, 1),
            FileStatus::Skipped(_) => stats.skipped = apply(stats.skipped, 1),
        }
    }
}

/// The distinct names that a file uses.
fn mentioned(facts: &FileFacts) -> Vec<Box<str>> {
    let mut used = vec![false; facts.names.len()];
    facts
        .refs
        .iter()
        .for_each(|reference| used[reference.name as usize] = true);
    let names = facts.names.iter().zip(used).filter(|(_, used)| *used);
    names.map(|(name, _)| name.clone()).collect()
}

fn edge_changes(user: TypeKey, old: &[Edge], new: &[Edge], out: &mut Changes) {
    for edge in old {
        if new
            .binary_search_by_key(&edge.target, |e| e.target)
            .is_err()
        {
            out.insert(keys::dependent(edge.target, user), None);
        }
    }
    for edge in new {
        let before = old
            .binary_search_by_key(&edge.target, |e| e.target)
            .ok()
            .map(|i| old[i].kinds);
        if before != Some(edge.kinds) {
            out.insert(
                keys::dependent(edge.target, user),
                Some(encode(&edge.kinds)),
            );
        }
    }
}

fn project_changes(old: &[ProjectRecord], new: &[ProjectRecord]) -> Changes {
    let mut changes: Changes = old
        .iter()
        .map(|record| (keys::project(&record.project.path), None))
        .collect();
    changes.extend(
        new.iter()
            .map(|record| (keys::project(&record.project.path), Some(encode(record)))),
    );
    changes
}
