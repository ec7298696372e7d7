//! The tables of types that differ, and what leads to them: which table a type is in, and which tables have types of
//! a name.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_bind::{TypeNode, TypeSymbol};
use cortex_model::{RepoPath, TypeKey};

use super::{Changes, PackedChanges};
use crate::{
    IndexError, keys,
    packed::{Packed, Spill},
    records::{TypeSymbols, decode},
    snapshot::names_value,
    tables::{self, TypeRecord},
    update::{bodies::Bodies, rebind::Rebound},
};

/// Changes of the maps of types.
pub(super) struct TableChanges {
    pub(super) types: Changes,
    pub(super) names: Changes,
    pub(super) tables: PackedChanges,
}

/// The types of one table that may differ.
#[derive(Default)]
struct Touched {
    /// Those that the older snapshot has in it.
    before: BTreeSet<TypeKey>,
    /// Those that are in it now.
    after: BTreeSet<TypeKey>,
}

pub(super) fn changes(
    base: Option<&crate::Snapshot>,
    rebound: &Rebound,
    bodies: &Bodies,
    spill: &Arc<Spill>,
) -> Result<TableChanges, IndexError> {
    let mut keys: BTreeSet<TypeKey> = rebound.types.keys().copied().collect();
    keys.extend(bodies.edges.keys().chain(bodies.symbols.keys()));
    let mut types = Changes::new();
    let mut touched: BTreeMap<RepoPath, Touched> = BTreeMap::new();
    for key in keys {
        let header = match base {
            Some(base) => base.type_header(key)?,
            None => None,
        };
        let before = header.and_then(|header| Some(header.parts.first()?.path.clone()));
        let after = match rebound.types.get(&key) {
            Some(merged) => merged.as_ref().map(|merged| merged.path.clone()),
            None => before.clone(),
        };
        if before != after {
            let prefix = after.as_ref().map(|path| keys::table_prefix(path).to_vec());
            types.insert(keys::ty(key), prefix);
        }
        if let Some(path) = before {
            touched.entry(path).or_default().before.insert(key);
        }
        if let Some(path) = after {
            touched.entry(path).or_default().after.insert(key);
        }
    }

    let mut out = PackedChanges::new();
    let mut counts: BTreeMap<Vec<u8>, i64> = BTreeMap::new();
    for (path, touched) in touched {
        let mut records = match base {
            Some(base) => base.table(&path)?,
            None => Vec::new(),
        };
        let mut count = |record: &TypeRecord, by: i64| {
            let name = keys::name(record.symbol.name(), keys::table_prefix(&path));
            *counts.entry(name).or_default() += by;
        };
        records.iter().for_each(|record| count(record, -1));
        // What an unchanged part of a record is taken from; of types that come from other tables, these have it.
        let mut known: BTreeMap<TypeKey, TypeRecord> = BTreeMap::new();
        records.retain(|record| {
            let is_touched = touched.before.contains(&record.symbol.key);
            if is_touched {
                known.insert(record.symbol.key, record.clone());
            }
            !is_touched
        });
        for &key in &touched.after {
            let old = match (known.remove(&key), base) {
                (None, Some(base)) => base.type_record(key)?,
                (old, _) => old,
            };
            records.extend(record(key, old, rebound, bodies)?);
        }
        records.iter().for_each(|record| count(record, 1));
        records.sort_by_key(place);
        let table = (!records.is_empty()).then(|| spill.put(tables::encode(&records)));
        out.insert(keys::table(&path).to_vec(), table);
    }

    let mut names = Changes::new();
    for (key, difference) in counts
        .into_iter()
        .filter(|(_, difference)| *difference != 0)
    {
        let before = match base {
            Some(base) => base.count_named(&key)?,
            None => 0,
        };
        names.insert(key, names_value((i64::from(before) + difference) as u32));
    }
    Ok(TableChanges {
        types,
        names,
        tables: out,
    })
}

/// Where a type stands among those of its table.
fn place(record: &TypeRecord) -> (u32, TypeKey) {
    let first = record.node.parts.first();
    (first.map_or(0, |part| part.range.start), record.symbol.key)
}

/// The record of a type on the new side.
fn record(
    key: TypeKey,
    old: Option<TypeRecord>,
    rebound: &Rebound,
    bodies: &Bodies,
) -> Result<Option<TypeRecord>, IndexError> {
    let node: Option<TypeNode> = match rebound.types.get(&key) {
        Some(Some(merged)) => Some(decode(&merged.bytes.bytes(), "type")?),
        Some(None) => None,
        None => old.as_ref().map(|old| old.node.clone()),
    };
    let symbol: Option<TypeSymbol> = match rebound.view.changed.get(&key) {
        Some(symbol) => symbol.clone(),
        None => old.as_ref().map(|old| old.symbol.clone()),
    };
    let (Some(node), Some(symbol)) = (node, symbol) else {
        return Ok(None);
    };
    let (symbols, written) = old
        .map(|old| (old.symbols, old.written))
        .unwrap_or_default();
    let symbols: TypeSymbols = match bodies.symbols.get(&key) {
        Some(bytes) => decode(&Packed::bytes(bytes), "symbols")?,
        None => symbols,
    };
    Ok(Some(TypeRecord {
        symbol,
        node,
        symbols,
        written: bodies.edges.get(&key).cloned().unwrap_or(written),
    }))
}
