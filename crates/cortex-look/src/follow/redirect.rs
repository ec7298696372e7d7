//! What a symbol is called today that was called otherwise in older commits.

use crate::{
    QueryError,
    follow::track::Tracked,
    symbol::{
        resolve,
        resolved::{Stages, Symbol},
    },
};
use cortex_index::{Index, Snapshot};
use cortex_model::CommitId;

/// So many commits back a name is looked for that a snapshot does not have.
const MAX_BACK: usize = 100;

/// Follows a symbol that a snapshot does not have under this name, and that an indexed commit before it had: what it
/// is called in the snapshot, and what it was called. `commit` is the one that the snapshot is of, or lies over.
pub(crate) fn redirected(
    index: &Index,
    commit: CommitId,
    newest: &Snapshot,
    text: &str,
) -> Result<Option<(Symbol, String)>, QueryError> {
    let mut reader = index.repo.blobs();
    // Newest first, those with the same types left out.
    let mut newer: Vec<Snapshot> = vec![newest.clone()];
    for id in index.repo.first_parents(commit).take(MAX_BACK) {
        let Some(snapshot) = index.indexed(&index.repo.commit(id?)?)? else {
            break;
        };
        let is_same = newer.last().is_some_and(|last| snapshot.has_types_of(last));
        if is_same {
            continue;
        }
        let found = match resolve(&snapshot, text, Stages::Exact, &mut reader) {
            Ok(found) => found,
            Err(QueryError::SymbolNotFound { .. }) => {
                newer.push(snapshot);
                continue;
            }
            // One of several: none of them is the one that is meant.
            Err(QueryError::AmbiguousSymbol { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let was = found.resolved(&snapshot)?.path;
        let mut tracked = Tracked::new(&found);
        let mut older = snapshot;
        for newer in newer.into_iter().rev() {
            tracked = tracked.step_forward(&index.repo, &older, &newer)?;
            older = newer;
        }
        return Ok(tracked.find(newest)?.map(|symbol| (symbol, was)));
    }
    Ok(None)
}
