//! Which types of a side have outlines.

use cortex_derived::source::Source;
use cortex_index::{Index, IndexedSide, Progress};
use cortex_look::{Filter, FilterOptions};
use cortex_model::{BlobId, RepoPath, TypeKey};
use cortex_scope::{AtomKind, ScopeRequest, infix};
use cortex_wire::{ExportedTypes, OutlineSelection};

use crate::{
    FreshError,
    committed::{Committed, OUTLINE_END, OUTLINES},
    configured::types_called,
    error::scope_error,
    outline::table::{OutlineTable, Row, file_stems, outlines},
};

/// Where a repository records its selection.
pub const SELECTION: &str = ".context/outlines.json";

/// An outline that there should be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Expected {
    /// Its file.
    pub path: RepoPath,
    /// The id of its bytes.
    pub blob: BlobId,
    /// Its type.
    pub key: TypeKey,
}

/// The outlines that there should be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selected {
    /// By path.
    pub outlines: Vec<Expected>,
    /// Types that the selection lists and that do not exist.
    pub unknown: Vec<String>,
}

/// The selection that a side records: its own, all public types where outlines are committed without one, `None` where
/// none are.
///
/// # Errors
/// [`FreshError::Selection`] for one that cannot be read.
pub fn recorded(
    index: &Index,
    side: &IndexedSide,
    committed: &Committed,
) -> Result<Option<OutlineSelection>, FreshError> {
    let text = committed.text(index, side, SELECTION)?;
    let Some(text) = text else {
        let has_outlines = committed.outlines().next().is_some();
        return Ok(has_outlines.then(OutlineSelection::default));
    };
    let selection = serde_json::from_str(&text).map_err(|error| FreshError::Selection {
        path: RepoPath::from(SELECTION),
        reason: error.to_string(),
    })?;
    Ok(Some(selection))
}

/// The bytes that record a selection.
pub fn selection_text(selection: &OutlineSelection) -> String {
    let json = serde_json::to_string_pretty(selection);
    format!("{}\n", json.expect("a selection is plain data"))
}

/// The outlines that a selection asks of a side.
///
/// # Errors
/// Those of reading the side, and of the scope.
pub fn select(
    source: Source<'_>,
    selection: &OutlineSelection,
    progress: &dyn Progress,
) -> Result<Selected, FreshError> {
    let table = outlines(source)?;
    let stems = file_stems(&table.rows);
    let mut unknown = Vec::new();
    let rows: Vec<usize> = match selection.only.as_slice() {
        [] => by_rule(source, selection, &table, progress)?,
        names => listed(source, names, &table, &mut unknown)?,
    };
    let mut outlines: Vec<Expected> = (rows.into_iter())
        .map(|at| Expected {
            path: RepoPath::from(format!("{OUTLINES}{}{OUTLINE_END}", stems[at]).as_str()),
            blob: table.rows[at].blob,
            key: table.rows[at].key,
        })
        .collect();
    outlines.sort();
    outlines.dedup();
    Ok(Selected { outlines, unknown })
}

/// The rows that a rule selects, in the order of the table.
fn by_rule(
    source: Source<'_>,
    selection: &OutlineSelection,
    table: &OutlineTable,
    progress: &dyn Progress,
) -> Result<Vec<usize>, FreshError> {
    let is_selected = |row: &Row| selection.types == ExportedTypes::All || row.is_public;
    let rows = (0..table.rows.len()).filter(|&at| is_selected(&table.rows[at]));
    let Some(text) = &selection.scope else {
        return Ok(rows.collect());
    };
    let options = FilterOptions {
        scope: Some(stable_scope(text)?),
        scope_text: text.clone(),
        ..FilterOptions::default()
    };
    let filter = Filter::new(source.index, source.side, &options, progress);
    let filter = filter.map_err(|error| scope_error(text, error))?;
    let mut out = Vec::new();
    for at in rows {
        let header = source.snapshot().type_header(table.rows[at].key)?;
        if header.is_some_and(|header| filter.part_of(&header).is_some()) {
            out.push(at);
        }
    }
    Ok(out)
}

/// The rows of types that a list names, in its order.
fn listed(
    source: Source<'_>,
    names: &[String],
    table: &OutlineTable,
    unknown: &mut Vec<String>,
) -> Result<Vec<usize>, FreshError> {
    let mut out = Vec::new();
    for name in names {
        let keys = types_called(source, name)?;
        let before = out.len();
        out.extend(keys.into_iter().filter_map(|key| table.position(key)));
        if out.len() == before {
            unknown.push(name.clone());
        }
    }
    Ok(out)
}

/// Reads a scope that selects the same files of the same commit at any time.
///
/// # Errors
/// [`FreshError::Scope`] and [`FreshError::UnstableScope`].
pub fn stable_scope(text: &str) -> Result<ScopeRequest, FreshError> {
    const UNSTABLE: [&str; 5] = [
        "Recently Viewed Files",
        "Recently Changed Files",
        "Open Files",
        "Current File",
        "Selection",
    ];
    let request = infix::compile_in(text, "").map_err(|source| FreshError::Scope {
        scope: text.to_owned(),
        source,
    })?;
    let unstable = request.atoms.iter().find_map(|atom| match atom.kind {
        AtomKind::Standard => {
            let id = atom.standard_scope_id.as_deref()?;
            UNSTABLE.contains(&id).then(|| id.to_owned())
        }
        AtomKind::ProviderScope => {
            let id = atom.provider_scope_id.as_deref()?;
            let is_unstable = id.starts_with("git:") || id.starts_with("impact:");
            is_unstable.then(|| id.to_owned())
        }
        _ => None,
    });
    match unstable {
        None => Ok(request),
        Some(atom) => Err(FreshError::UnstableScope {
            scope: text.to_owned(),
            atom,
        }),
    }
}
