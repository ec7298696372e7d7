//! What a symbol is called today, when today's name or one of long ago is asked for.

use crate::history::commits::Commits;
use cortex_look::{
    QueryError,
    follow::track::Tracked,
    symbol::{resolve, resolved::Stages},
};
use cortex_wire::SymbolRef;

/// A symbol as the walk starts with it.
pub(crate) struct Located {
    /// What it is called at the newest commit, or was when it was last there.
    pub(crate) newest: Tracked,
    /// The same for answers.
    pub(crate) symbol: SymbolRef,
    /// What it was called where it was found, if it was renamed since.
    pub(crate) redirected_from: Option<String>,
    /// Whether it is only nearly called as asked.
    pub(crate) is_guess: bool,
    /// Whether the newest commit has it.
    pub(crate) exists: bool,
}

/// Finds a symbol: as it is written at the newest commit, else at the newest first parent of it that has such a
/// symbol, else what is nearly called so at the newest commit.
pub(crate) fn locate(commits: &mut Commits<'_>, text: &str) -> Result<Located, QueryError> {
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
                further: commits.gap.as_ref().map(|gap| gap.fill.clone()),
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
