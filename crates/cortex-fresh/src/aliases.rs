//! Ids that types had under other names, written on request.

use cortex_index::{Index, IndexedSide, Progress};
use cortex_look::{
    aliases::{Alias, Aliases, committed},
    renamed_types,
};
use cortex_model::RepoPath;

pub use cortex_look::aliases::{FILE, read, text};

use crate::{FreshError, committed::Committed, configured::types_called, write::Writes};
use cortex_derived::source::Source;

/// So many aliases are kept, those of the last renames first.
const MAX_ALIASES: usize = 10_000;

/// What writes the aliases of a side: those of its last commits, and those that it has already, as far as their types
/// exist. Nothing where the file is as it should be.
///
/// # Errors
/// Those of indexing and reading the commits.
pub fn alias_writes(
    index: &Index,
    side: &IndexedSide,
    progress: &dyn Progress,
) -> Result<Writes, FreshError> {
    let source = Source { index, side };
    let mut all: Vec<Alias> = renamed_types(index, side, progress)?;
    for mut old in committed(index, side)?.aliases {
        if all.iter().any(|alias| alias.id == old.id) {
            continue;
        }
        if let Some(next) = all.iter().find(|alias| alias.was == old.now) {
            old.now.clone_from(&next.now);
        }
        if !types_called(source, &old.now)?.is_empty() {
            all.push(old);
        }
    }
    all.truncate(MAX_ALIASES);
    all.sort();
    let text = text(&Aliases { aliases: all });
    let known = Committed::read(index, side)?.text(index, side, FILE)?;
    let mut writes = Writes::default();
    if known.as_ref() != Some(&text) {
        writes.files.push((RepoPath::from(FILE), text.into_bytes()));
    }
    Ok(writes)
}
