//! Classes that are mapped to changed tables, by the model snapshots of Entity Framework Core.
//!
//! Owns: which class stands for a table. Must not know: how changes of tables are found.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::TypeHeader;
use cortex_look::QueryError;
use cortex_model::{TypeKey, simple_name};
use cortex_syntax::text::decode;
use cortex_wire::{DatabaseChange, DatabaseObject, TableEntity};

use super::{is_sql, migrations::entities};
use crate::{code::generated::is_model_snapshot, diff_context::compared::Compared};

/// Adds to tables whose columns migrations change the classes that are mapped to them and are the same on both sides. Reads
/// model snapshots among the changed files, where there is such a table.
pub(super) fn tell(changes: &mut [DatabaseChange], compared: &Compared) -> Result<(), QueryError> {
    let is_asked = |it: &&mut DatabaseChange| {
        let mut paths = it.also_in.iter().chain([&it.path]);
        it.object == DatabaseObject::Table && !it.parts.is_empty() && paths.any(|it| !is_sql(it))
    };
    let mut asked = changes.iter_mut().filter(is_asked).peekable();
    if asked.peek().is_none() {
        return Ok(());
    }
    let mut mapped: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let sides = compared.files.iter().filter_map(|file| file.new.as_ref());
    for side in sides.filter(|it| is_model_snapshot(&it.path)) {
        let text = decode(compared.texts.get(side.blob));
        for (class, table) in entities(text.as_str()) {
            mapped
                .entry(table.to_lowercase())
                .or_default()
                .insert(class);
        }
    }
    for change in asked {
        let classes = mapped.get(&change.name.to_lowercase());
        let mut found = BTreeSet::new();
        for class in classes.into_iter().flatten() {
            found.extend(unchanged(compared, class)?);
        }
        change.entities = found.into_iter().collect();
    }
    Ok(())
}

/// The class of a full name, or the one of the same simple name that it derives from in the end; nothing where one of these
/// changed.
fn unchanged(compared: &Compared, class: &str) -> Result<Option<TableEntity>, QueryError> {
    let name = simple_name(class);
    let mut all = compared.new.types_named(name)?.into_iter();
    let Some(symbol) = all.find(|it| it.fqn == class) else {
        return Ok(None);
    };
    let mut seen: BTreeSet<TypeKey> = BTreeSet::new();
    let mut next = Some(symbol.key);
    let mut last: Option<TypeHeader> = None;
    while let Some(key) = next.take().filter(|key| seen.insert(*key)) {
        let Some(header) = compared.new.type_header(key)? else {
            break;
        };
        if !compared.new.has_same_type(&compared.old, key)? {
            return Ok(None);
        }
        for &base in &header.bases {
            let base_header = compared.new.type_header(base)?;
            if base_header.is_some_and(|it| simple_name(&it.fqn) == name) {
                next = Some(base);
            }
        }
        last = Some(header);
    }
    Ok(last.and_then(|header| {
        let part = header.parts.first()?;
        Some(TableEntity {
            name: header.fqn.clone(),
            path: part.path.clone(),
        })
    }))
}
