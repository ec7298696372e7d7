//! Reading a snapshot: each question reads the pages that it needs and no more.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    sync::Arc,
};

use cortex_bind::{TypeNode, TypeSymbol};
use cortex_git::{FileSide, Side};
use cortex_model::{
    CommitId, EdgeKind, EdgeKinds, Hash, Interrupt, RepoPath, TypeKey, put_varint, take_varint,
};
use cortex_store::{
    Store,
    merkle::{self, MapRoot},
};
use cortex_syntax::{FileFacts, Sections};
use rayon::prelude::*;

use crate::{
    Index, IndexError,
    bindings::{FileBindings, MemberTag, WantedPlace, name_key},
    keys::{self, MENTION_FILE, TablePrefix},
    recent::RecentTables,
    records::{
        FileSummary, Implementation, ProjectRecord, Roots, SnapshotRecord, Stats, TypeEdges,
        TypeSymbols, decode,
    },
    tables::{Table, TypeHeader, TypeRecord},
};

/// So many keys are looked up by one thread.
const N_TOGETHER: usize = 64;

/// Takes an entry of a map: key and value.
type EachEntry<'e> = dyn FnMut(&[u8], &[u8]) -> Result<(), IndexError> + 'e;

/// What a snapshot describes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SnapshotId {
    /// Nothing: before the first commit.
    Empty,
    /// A commit.
    Commit(CommitId),
    /// The index or the work tree, by the digest of its difference to a commit.
    Overlay(Hash),
}

/// The bound graph of one commit or overlay. Cheap to clone; reads the store on demand.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) store: Arc<Store>,
    pub(crate) interrupt: Interrupt,
    pub(crate) id: SnapshotId,
    pub(crate) record: SnapshotRecord,
    /// The files that the side consists of are found from here.
    pub(crate) side: Side,
    /// Its tables that were asked for lately.
    pub(crate) recent: Arc<RecentTables>,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot")
            .field("id", &self.id)
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}

impl Snapshot {
    /// What an index has of a side.
    pub(crate) fn of(index: &Index, id: SnapshotId, record: SnapshotRecord, side: Side) -> Self {
        Self {
            store: index.store.clone(),
            interrupt: index.interrupt.clone(),
            id,
            record,
            side,
            recent: Arc::default(),
        }
    }

    /// What it describes.
    pub fn id(&self) -> SnapshotId {
        self.id
    }

    /// The side of a range that it describes.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Its counts.
    pub fn stats(&self) -> Stats {
        self.record.stats
    }

    /// One hash over all its maps: equal exactly when the snapshots are equal.
    pub fn root_hash(&self) -> Hash {
        Hash::of(&crate::records::encode(&self.record.roots))
    }

    /// A type by its key.
    pub fn type_node(&self, key: TypeKey) -> Result<Option<TypeNode>, IndexError> {
        self.of_type(key, |table, at| table.node(at))
    }

    /// What lookup of names sees of a type.
    pub(crate) fn type_symbol(&self, key: TypeKey) -> Result<Option<TypeSymbol>, IndexError> {
        self.of_type(key, |table, at| table.symbol(at))
    }

    /// Everything that is kept of a type.
    pub(crate) fn type_record(&self, key: TypeKey) -> Result<Option<TypeRecord>, IndexError> {
        self.of_type(key, |table, at| table.record_of(at))
    }

    /// Everything that is kept of the types whose first declarations stand in a file.
    pub(crate) fn table(&self, path: &RepoPath) -> Result<Vec<TypeRecord>, IndexError> {
        self.interrupt.check()?;
        let found = merkle::get(self.roots().tables, &keys::table(path), &*self.store)?;
        found.map_or_else(|| Ok(Vec::new()), |bytes| records_of(&bytes))
    }

    /// Reads a part of what is kept of a type.
    fn of_type<T>(
        &self,
        key: TypeKey,
        read: impl Fn(&Table, usize) -> Option<T>,
    ) -> Result<Option<T>, IndexError> {
        self.interrupt.check()?;
        let Some(prefix) = merkle::get(self.roots().types, &keys::ty(key), &*self.store)? else {
            return Ok(None);
        };
        for table in &*self.tables_starting(&prefix)? {
            if let Some(at) = table.find(key) {
                return read(table, at).map(Some).ok_or(DAMAGED);
            }
        }
        // What leads to it is there, so it is there.
        Err(DAMAGED)
    }

    /// The tables with a prefix, mostly one. Those that were asked for lately are at hand.
    fn tables_starting(&self, prefix: &[u8]) -> Result<Arc<[Table]>, IndexError> {
        let prefix: TablePrefix = prefix.try_into().map_err(|_| DAMAGED)?;
        if let Some(tables) = self.recent.get(prefix) {
            return Ok(tables);
        }
        let mut tables = Vec::new();
        self.scan(self.roots().tables, &prefix, &mut |_, bytes| {
            tables.push(parse(bytes)?);
            Ok(())
        })?;
        let tables: Arc<[Table]> = tables.into();
        self.recent.put(prefix, &tables);
        Ok(tables)
    }

    /// Reads a part of what is kept of every type, in no order that means anything.
    fn of_all_types<T>(
        &self,
        read: impl Fn(&Table, usize) -> Option<T>,
    ) -> Result<Vec<(TypeKey, T)>, IndexError> {
        let mut out = Vec::new();
        self.scan(self.roots().tables, &[], &mut |_, bytes| {
            let table = parse(bytes)?;
            for at in 0..table.len() {
                let key = table.key_of(at).ok_or(DAMAGED)?;
                out.push((key, read(&table, at).ok_or(DAMAGED)?));
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// Whether another snapshot has the same types in the same places, and all names in them mean the same. Reads
    /// nothing.
    pub fn has_types_of(&self, other: &Self) -> bool {
        self.roots().tables == other.roots().tables
    }

    /// Whether another snapshot has a type unchanged and in the same places, or neither has it. Reads the way to
    /// it in both.
    pub fn has_same_type(&self, other: &Self, key: TypeKey) -> Result<bool, IndexError> {
        Ok(self.has_types_of(other) || self.type_node(key)? == other.type_node(key)?)
    }

    /// What every answer shows of a type, without its members.
    pub fn type_header(&self, key: TypeKey) -> Result<Option<TypeHeader>, IndexError> {
        self.of_type(key, |table, at| table.header(at))
    }

    /// Every type, by key. Reads all tables.
    pub fn types(&self) -> Result<Vec<(TypeKey, TypeNode)>, IndexError> {
        let mut types = self.of_all_types(|table, at| table.node(at))?;
        types.sort_by_key(|(key, _)| *key);
        Ok(types)
    }

    /// The heads of all types, by key. Reads all tables.
    pub fn type_headers(&self) -> Result<Vec<(TypeKey, TypeHeader)>, IndexError> {
        let mut types = self.of_all_types(|table, at| table.header(at))?;
        types.sort_by_key(|(key, _)| *key);
        Ok(types)
    }

    /// The types that depend on a type, by key, with why.
    pub fn dependents(&self, target: TypeKey) -> Result<Vec<(TypeKey, EdgeKinds)>, IndexError> {
        let mut out = Vec::new();
        let prefix = keys::dependents_prefix(target);
        self.scan(self.roots().users, &prefix, &mut |key, value| {
            out.push((type_key(&key[prefix.len()..])?, decode(value, "edge")?));
            Ok(())
        })?;
        Ok(out)
    }

    /// The types whose base list names a type, or has it as an argument of a base; by key.
    pub(crate) fn derived_types(&self, key: TypeKey) -> Result<Vec<TypeKey>, IndexError> {
        let derives = |kinds: &EdgeKinds| {
            kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
        };
        let dependents = self.dependents(key)?.into_iter();
        Ok(dependents
            .filter(|(_, kinds)| derives(kinds))
            .map(|(user, _)| user)
            .collect())
    }

    /// The types of a simple name, any case, by key.
    pub fn types_named(&self, name: &str) -> Result<Vec<TypeSymbol>, IndexError> {
        let wanted = keys::name_prefix(name);
        let mut tables = BTreeSet::new();
        self.scan(self.roots().names, &wanted, &mut |key, _| {
            tables.insert(key[wanted.len()..].to_vec());
            Ok(())
        })?;
        let mut out: Vec<TypeSymbol> = Vec::new();
        for prefix in tables {
            for table in &*self.tables_starting(&prefix)? {
                for at in table.named(wanted).ok_or(DAMAGED)? {
                    out.push(table.symbol(at).ok_or(DAMAGED)?);
                }
            }
        }
        out.sort_unstable_by_key(|symbol| symbol.key);
        Ok(out)
    }

    /// How many types of a name are in the tables with a prefix.
    pub(crate) fn count_named(&self, names_key: &[u8]) -> Result<u32, IndexError> {
        let found = merkle::get(self.roots().names, names_key, &*self.store)?;
        found.map_or(Ok(0), |bytes| names_count(&bytes).ok_or(DAMAGED))
    }

    /// Every type's symbol, in no order that means anything. Reads all tables.
    pub fn all_symbols(&self) -> Result<Vec<TypeSymbol>, IndexError> {
        let symbols = self.of_all_types(|table, at| table.symbol(at))?.into_iter();
        Ok(symbols.map(|(_, symbol)| symbol).collect())
    }

    /// Whether a type stands in a namespace or below it.
    pub fn has_namespace(&self, namespace: &str) -> Result<bool, IndexError> {
        let mut found = false;
        let prefix = keys::namespace_prefix(namespace);
        merkle::scan_prefix(
            self.roots().namespaces,
            &prefix,
            &*self.store,
            &mut |_, _| {
                found = true;
                ControlFlow::Break(())
            },
        )?;
        Ok(found)
    }

    /// How many entries a namespace has directly, types and namespaces.
    pub(crate) fn namespace_entries(&self, namespace: &str) -> Result<Vec<Vec<u8>>, IndexError> {
        let mut out = Vec::new();
        self.scan(
            self.roots().namespaces,
            &keys::namespace_prefix(namespace),
            &mut |key, _| {
                out.push(key.to_vec());
                Ok(())
            },
        )?;
        Ok(out)
    }

    /// A C# file by its path.
    pub fn file(&self, path: &RepoPath) -> Result<Option<FileSummary>, IndexError> {
        self.value(self.roots().files, &keys::file(path), "file")
    }

    /// Every tracked C# file, by path.
    pub fn files(&self) -> Result<Vec<FileSummary>, IndexError> {
        let mut out: Vec<FileSummary> = Vec::new();
        self.scan(self.roots().files, &[], &mut |_, value| {
            out.push(decode(value, "file")?);
            Ok(())
        })?;
        out.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(out)
    }

    /// A project.
    pub fn project(&self, path: &RepoPath) -> Result<Option<ProjectRecord>, IndexError> {
        self.value(self.roots().projects, &keys::project(path), "project")
    }

    /// Every project, by path.
    pub fn projects(&self) -> Result<Vec<ProjectRecord>, IndexError> {
        let mut out: Vec<ProjectRecord> = Vec::new();
        self.scan(self.roots().projects, &[], &mut |_, value| {
            out.push(decode(value, "project")?);
            Ok(())
        })?;
        out.sort_by(|a, b| a.project.path.cmp(&b.project.path));
        Ok(out)
    }

    /// The files that mention an identifier, by path; a few that do not may be among them.
    pub fn files_mentioning(&self, identifier: &str) -> Result<Vec<FileSummary>, IndexError> {
        let mut prefixes = Vec::new();
        self.scan(
            self.roots().mentions,
            &keys::mention_prefix(identifier),
            &mut |key, _| {
                prefixes.push(key[key.len() - MENTION_FILE..].to_vec());
                Ok(())
            },
        )?;
        let unmentioned = keys::referrers_prefix(name_key(identifier));
        self.scan(self.roots().users, &unmentioned, &mut |key, _| {
            prefixes.push(key[unmentioned.len()..].to_vec());
            Ok(())
        })?;
        self.files_of(prefixes)
    }

    /// The files whose keys start with one of these, by path.
    fn files_of(&self, mut prefixes: Vec<Vec<u8>>) -> Result<Vec<FileSummary>, IndexError> {
        prefixes.sort_unstable();
        prefixes.dedup();
        let found = prefixes.par_chunks(N_TOGETHER).map(|prefixes| {
            let mut out: Vec<FileSummary> = Vec::new();
            for prefix in prefixes {
                self.scan(self.roots().files, prefix, &mut |_, value| {
                    out.push(decode(value, "file")?);
                    Ok(())
                })?;
            }
            Ok(out)
        });
        let found = found.collect::<Result<Vec<_>, IndexError>>()?;
        let mut out: Vec<FileSummary> = found.into_iter().flatten().collect();
        out.sort_by(|a, b| a.path.cmp(&b.path));
        out.dedup_by(|a, b| a.path == b.path);
        Ok(out)
    }

    /// What the names of a file mean inside one project.
    pub fn bindings(
        &self,
        path: &RepoPath,
        project: &RepoPath,
    ) -> Result<FileBindings, IndexError> {
        self.interrupt.check()?;
        match merkle::get(self.roots().uses, &keys::uses(path, project), &*self.store)? {
            None => Ok(FileBindings::default()),
            Some(bytes) => {
                FileBindings::decode(&bytes).ok_or(IndexError::Damaged { what: "bindings" })
            }
        }
    }

    /// Calls `each` with the places of a file inside one project that mean something for which there is a number.
    pub fn places(
        &self,
        path: &RepoPath,
        project: &RepoPath,
        number_of: &dyn Fn(TypeKey, Option<MemberTag>) -> Option<u32>,
        each: &mut dyn FnMut(WantedPlace),
    ) -> Result<(), IndexError> {
        self.interrupt.check()?;
        let Some(bytes) = merkle::get(self.roots().uses, &keys::uses(path, project), &*self.store)?
        else {
            return Ok(());
        };
        FileBindings::scan(&bytes, number_of, each).ok_or(IndexError::Damaged { what: "bindings" })
    }

    /// What orders files as the store keeps what is said of them: in this order they are read fastest.
    pub fn stored_order(path: &RepoPath) -> Vec<u8> {
        keys::table(path).to_vec()
    }

    /// The types whose ids start with these bits, by key.
    pub fn types_starting(&self, bits: [u8; 5]) -> Result<Vec<TypeKey>, IndexError> {
        let mut out = Vec::new();
        self.scan(self.roots().types, &bits, &mut |key, _| {
            out.push(type_key(key)?);
            Ok(())
        })?;
        Ok(out)
    }

    /// What a type depends on.
    pub fn edges(&self, key: TypeKey) -> Result<TypeEdges, IndexError> {
        self.of_type(key, |table, at| {
            let symbols = table.symbols(at)?;
            Some(TypeEdges::merged(&symbols.signature, &table.written(at)?))
        })
        .map(Option::unwrap_or_default)
    }

    /// What a type depends on by what is written in it.
    pub(crate) fn written(&self, key: TypeKey) -> Result<TypeEdges, IndexError> {
        Ok(self
            .of_type(key, |table, at| table.written(at))?
            .unwrap_or_default())
    }

    /// The symbols that a type declares, and what they implement.
    pub fn symbols(&self, key: TypeKey) -> Result<TypeSymbols, IndexError> {
        Ok(self
            .of_type(key, |table, at| table.symbols(at))?
            .unwrap_or_default())
    }

    /// What the members of a type or of a base override or implement, sorted; see [`TypeSymbols::implementations`].
    pub fn implementations(&self, key: TypeKey) -> Result<Vec<Implementation>, IndexError> {
        Ok(self.symbols(key)?.implementations)
    }

    /// The files that mean a type or one of its members, or have a value of it, by path; those that use
    /// one of these members alone where some are given. A few others may be among them.
    pub fn referrers(
        &self,
        target: TypeKey,
        members: Option<&[MemberTag]>,
    ) -> Result<Vec<FileSummary>, IndexError> {
        let mut prefixes = Vec::new();
        let all = keys::referrers_prefix(target);
        self.scan(self.roots().users, &all, &mut |key, value| {
            let wanted = members
                .is_none_or(|members| members.iter().any(|member| value.contains(&member.low())));
            if wanted {
                prefixes.push(key[all.len()..].to_vec());
            }
            Ok(())
        })?;
        self.files_of(prefixes)
    }

    /// The projects that declare a type in a namespace or below it, with how many.
    pub(crate) fn occupants(&self, namespace: &str) -> Result<Vec<(RepoPath, u32)>, IndexError> {
        let mut out = Vec::new();
        self.scan(
            self.roots().occupied,
            &keys::namespace_prefix(namespace),
            &mut |_, value| {
                out.push(decode(value, "namespace")?);
                Ok(())
            },
        )?;
        Ok(out)
    }

    /// The types that may declare extension members of a name, by key.
    pub(crate) fn extension_types(&self, name: &str) -> Result<Vec<TypeKey>, IndexError> {
        let mut out = Vec::new();
        let prefix = keys::extension_prefix(name);
        self.scan(self.roots().extensions, &prefix, &mut |key, _| {
            out.push(type_key(&key[prefix.len()..])?);
            Ok(())
        })?;
        Ok(out)
    }

    /// The facts of a file inside one project; `None` where it was skipped. Damage where the store lost
    /// them: an answer without them would be a wrong one.
    pub fn facts(
        &self,
        file: &FileSummary,
        project: &RepoPath,
        sections: Sections,
    ) -> Result<Option<FileFacts>, IndexError> {
        self.interrupt.check()?;
        let neutral = self.store.fact(&crate::facts::facts_key(file.blob, 0))?;
        let bytes = match neutral {
            Some(bytes) => Some(bytes),
            None => {
                let record: Option<ProjectRecord> =
                    self.value(self.roots().projects, &keys::project(project), "project")?;
                let options = record
                    .as_ref()
                    .map(crate::projects::parse_options)
                    .unwrap_or_default();
                self.store
                    .fact(&crate::facts::facts_key(file.blob, options.digest()))?
            }
        };
        let stored = bytes.and_then(|bytes| crate::facts::Stored::from_bytes(&bytes));
        match stored {
            Some(stored @ crate::facts::Stored::Facts(_)) => Ok(Some(stored.facts(sections))),
            Some(crate::facts::Stored::Skipped(_)) => Ok(None),
            None => Err(IndexError::Damaged { what: "facts" }),
        }
    }

    /// Calls `each` with every type that differs between two snapshots, by key. O(differing pages).
    pub fn differing_types(
        old: &Self,
        new: &Self,
        each: &mut dyn FnMut(TypeKey, Option<TypeNode>, Option<TypeNode>),
    ) -> Result<(), IndexError> {
        let (before, after) = (old.roots().tables, new.roots().tables);
        for differing in differing_records(&new.store, before, after)? {
            let node = |record: Option<TypeRecord>| record.map(|record| record.node);
            let (before, after) = (node(differing.before), node(differing.after));
            if before != after {
                each(differing.key, before, after);
            }
        }
        Ok(())
    }

    /// The files in which some name means something else in two snapshots, or something is used without being named;
    /// as each of them has it, by path. A file that only one of them has is among them. O(differing pages + files).
    pub fn files_bound_otherwise(
        old: &Self,
        new: &Self,
    ) -> Result<[Vec<FileSummary>; 2], IndexError> {
        let mut prefixes: BTreeSet<Vec<u8>> = BTreeSet::new();
        let (before, after) = (old.roots().uses, new.roots().uses);
        merkle::diff(before, after, &*new.store, &mut |key, _, _| {
            prefixes.insert(keys::file_of_uses(key).to_vec());
        })?;
        let files = |snapshot: &Self| -> Result<Vec<FileSummary>, IndexError> {
            let mut out: Vec<FileSummary> = Vec::with_capacity(prefixes.len());
            for prefix in &prefixes {
                snapshot.scan(snapshot.roots().files, prefix, &mut |_, value| {
                    out.push(decode(value, "file")?);
                    Ok(())
                })?;
            }
            out.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(out)
        };
        Ok([files(old)?, files(new)?])
    }

    /// The types of the older of two snapshots whose members override or implement something else in the newer one,
    /// sorted. O(differing pages).
    pub fn types_implementing_otherwise(
        old: &Self,
        new: &Self,
    ) -> Result<Vec<TypeKey>, IndexError> {
        let (before, after) = (old.roots().tables, new.roots().tables);
        let differing = differing_records(&new.store, before, after)?;
        let otherwise = differing.into_iter().filter(|it| {
            let (Some(before), Some(after)) = (&it.before, &it.after) else {
                return false;
            };
            before.symbols.implementations != after.symbols.implementations
        });
        Ok(otherwise.map(|it| it.key).collect())
    }

    /// The id of a type as users see it: long enough to be the only one of this snapshot, with its
    /// assembly where several declare the same type.
    pub fn display_id(&self, key: TypeKey) -> Result<String, IndexError> {
        let (mut chars, mut several) = (8, false);
        self.scan(self.roots().types, &key.bare()[..5], &mut |other, _| {
            let same_bits = other[..10]
                .iter()
                .zip(key.bare())
                .take_while(|(a, b)| a == b)
                .count();
            match same_bits {
                10 if other != key.as_bytes() => several = true,
                10 => {}
                8.. => chars = 16,
                _ => chars = chars.max(12),
            }
            Ok(())
        })?;
        let id = key.short_id(chars);
        if !several {
            return Ok(id);
        }
        let assembly = self
            .type_node(key)?
            .map(|node| node.assembly)
            .unwrap_or_default();
        Ok(format!("{id}@{assembly}"))
    }

    /// Types whose shortest ids are equal although the types are not, in groups of names.
    pub fn id_conflicts(&self) -> Result<Vec<Vec<String>>, IndexError> {
        let mut alike: Vec<[TypeKey; 2]> = Vec::new();
        let mut before: Option<TypeKey> = None;
        self.scan(self.roots().types, &[], &mut |key, _| {
            let key = type_key(key)?;
            if let Some(last) = before.replace(key)
                && last.bare()[..5] == key.bare()[..5]
                && last.bare() != key.bare()
            {
                alike.push([last, key]);
            }
            Ok(())
        })?;
        let name = |key: TypeKey| -> Result<String, IndexError> {
            Ok(self
                .type_header(key)?
                .map(|header| header.fqn)
                .unwrap_or_default())
        };
        let mut groups: Vec<Vec<String>> = Vec::new();
        for [last, key] in alike {
            let (last, key) = (name(last)?, name(key)?);
            match groups
                .last_mut()
                .filter(|group| group.last() == Some(&last))
            {
                Some(group) => group.push(key),
                None => groups.push(vec![last, key]),
            }
        }
        Ok(groups)
    }

    pub(crate) fn roots(&self) -> &Roots {
        &self.record.roots
    }

    fn value<T: serde::de::DeserializeOwned>(
        &self,
        root: MapRoot,
        key: &[u8],
        what: &'static str,
    ) -> Result<Option<T>, IndexError> {
        self.interrupt.check()?;
        merkle::get(root, key, &*self.store)?
            .map(|bytes| decode(&bytes, what))
            .transpose()
    }

    pub(crate) fn scan(
        &self,
        root: MapRoot,
        prefix: &[u8],
        each: &mut EachEntry<'_>,
    ) -> Result<(), IndexError> {
        self.interrupt.check()?;
        let mut result = Ok(());
        merkle::scan_prefix(root, prefix, &*self.store, &mut |key, value| {
            result = each(key, value);
            if result.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        result
    }
}

const DAMAGED: IndexError = IndexError::Damaged { what: "type" };

fn parse(bytes: &[u8]) -> Result<Table, IndexError> {
    Table::parse(bytes).ok_or(DAMAGED)
}

fn records_of(bytes: &[u8]) -> Result<Vec<TypeRecord>, IndexError> {
    let table = parse(bytes)?;
    let all = 0..table.len();
    all.map(|at| table.record_of(at).ok_or(DAMAGED)).collect()
}

/// A type that differs between two states.
pub(crate) struct DifferingType {
    pub(crate) key: TypeKey,
    pub(crate) before: Option<TypeRecord>,
    pub(crate) after: Option<TypeRecord>,
}

/// The types of which anything differs between two maps of tables, by key. O(differing pages).
pub(crate) fn differing_records(
    store: &Store,
    before: MapRoot,
    after: MapRoot,
) -> Result<Vec<DifferingType>, IndexError> {
    let mut found: BTreeMap<TypeKey, DifferingType> = BTreeMap::new();
    let mut add = |before: Option<&[u8]>, after: Option<&[u8]>| -> Result<(), IndexError> {
        let read = |bytes: Option<&[u8]>| bytes.map_or_else(|| Ok(Vec::new()), records_of);
        let before = read(before)?;
        let mut after: BTreeMap<TypeKey, TypeRecord> = (read(after)?.into_iter())
            .map(|record| (record.symbol.key, record))
            .collect();
        let mut sides = Vec::with_capacity(before.len());
        for record in before {
            let now = after.remove(&record.symbol.key);
            if now.as_ref() != Some(&record) {
                sides.push((Some(record), now));
            }
        }
        sides.extend(after.into_values().map(|record| (None, Some(record))));
        for (before, after) in sides {
            let Some(key) = before.as_ref().or(after.as_ref()).map(|it| it.symbol.key) else {
                continue;
            };
            // A type that moved is in two tables.
            let differing = found.entry(key).or_insert_with(|| DifferingType {
                key,
                before: None,
                after: None,
            });
            differing.before = differing.before.take().or(before);
            differing.after = differing.after.take().or(after);
        }
        Ok(())
    };
    let mut result: Result<(), IndexError> = Ok(());
    merkle::diff(before, after, store, &mut |_, before, after| {
        if result.is_ok() {
            result = add(before, after);
        }
    })?;
    result?;
    let all = found.into_values();
    Ok(all.filter(|it| it.before != it.after).collect())
}

/// How many types of a name a table has: what stands for it in the map of names.
pub(crate) fn names_value(count: u32) -> Option<Vec<u8>> {
    match count {
        0 => None,
        1 => Some(Vec::new()),
        count => {
            let mut value = Vec::new();
            put_varint(&mut value, count);
            Some(value)
        }
    }
}

fn names_count(mut value: &[u8]) -> Option<u32> {
    match value {
        [] => Some(1),
        _ => take_varint(&mut value),
    }
}

fn type_key(bytes: &[u8]) -> Result<TypeKey, IndexError> {
    bytes
        .try_into()
        .map(TypeKey::from_bytes)
        .map_err(|_| IndexError::Damaged { what: "type key" })
}

/// Whether a path is a C# source file.
pub(crate) fn is_source(side: &FileSide) -> bool {
    side.mode.is_file() && side.path.extension().eq_ignore_ascii_case("cs")
}
