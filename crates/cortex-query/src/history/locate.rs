//! What a symbol is called today, when today's name or one of long ago is asked for.

use cortex_index::{Index, Snapshot};
use cortex_model::CommitId;

use super::{commits::Commits, track::Tracked};
use crate::{
    QueryError,
    symbol::{Stages, Symbol, SymbolRef, resolve},
};

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

/// A symbol as the walk starts with it.
pub(super) struct Located {
    /// What it is called at the newest commit, or was when it was last there.
    pub(super) newest: Tracked,
    /// The same for answers.
    pub(super) symbol: SymbolRef,
    /// What it was called where it was found, if it was renamed since.
    pub(super) redirected_from: Option<String>,
    /// Whether it is only nearly called as asked.
    pub(super) is_guess: bool,
    /// Whether the newest commit has it.
    pub(super) exists: bool,
}

/// Finds a symbol: as it is written at the newest commit, else at the newest first parent of it that has such a
/// symbol, else what is nearly called so at the newest commit.
pub(super) fn locate(commits: &mut Commits<'_>, text: &str) -> Result<Located, QueryError> {
    let newest_commit = commits.newest.clone();
    let newest = commits.snapshot(&newest_commit)?;
    let repo = commits.repo();
    let mut reader = repo.blobs();
    match resolve(&newest, text, Stages::Exact, &mut reader) {
        Err(QueryError::SymbolNotFound { .. }) => {}
        found => {
            let found = found?;
            return Ok(Located {
                newest: Tracked::new(&found),
                symbol: found.resolved(&newest)?,
                redirected_from: None,
                is_guess: false,
                exists: true,
            });
        }
    }
    let chain = commits.first_parents();
    let mut searched = newest.clone();
    for (nth, &at) in chain.iter().enumerate() {
        commits.make_ready(at)?;
        let commit = commits.list[at].clone();
        let snapshot = commits.snapshot(&commit)?;
        if snapshot.has_types_of(&searched) {
            continue;
        }
        searched = snapshot.clone();
        let found = match resolve(&snapshot, text, Stages::Exact, &mut reader) {
            Err(QueryError::SymbolNotFound { .. }) => continue,
            found => found?,
        };
        let was = found.resolved(&snapshot)?;
        let mut located = Located {
            newest: Tracked::new(&found),
            symbol: was.clone(),
            redirected_from: None,
            is_guess: false,
            exists: false,
        };
        let mut older = snapshot;
        for &at in chain[..nth].iter().rev() {
            let commit = commits.list[at].clone();
            let newer = commits.snapshot(&commit)?;
            located.newest = located.newest.step_forward(repo, &older, &newer)?;
            if let Some(symbol) = located.newest.find(&newer)? {
                located.symbol = symbol.resolved(&newer)?;
            }
            older = newer;
        }
        located.exists = located.newest.find(&newest)?.is_some();
        if located.symbol.path != was.path {
            located.redirected_from = Some(was.path);
        }
        return Ok(located);
    }
    let found = match resolve(&newest, text, Stages::All, &mut reader) {
        Err(QueryError::SymbolNotFound {
            symbol,
            suggestions,
            ..
        }) => {
            return Err(QueryError::SymbolNotFound {
                symbol,
                suggestions,
                further: commits.gap.as_ref().map(|gap| gap.command.clone()),
            });
        }
        found => found?,
    };
    Ok(Located {
        newest: Tracked::new(&found),
        symbol: found.resolved(&newest)?,
        redirected_from: None,
        is_guess: !text.contains(['*', '?']),
        exists: true,
    })
}
