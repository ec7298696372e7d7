//! What a symbol is called today that was called otherwise in older commits.

use crate::{
    QueryError, Viewpoint,
    aliases::committed,
    follow::track::Tracked,
    symbol::{
        resolve,
        resolved::{Stages, Symbol, SymbolPart},
    },
};
use cortex_bind::TypeNode;
use cortex_index::{Index, Snapshot};
use cortex_model::{CommitId, member_short_id, simple_name};

/// Follows a symbol that a snapshot does not have under this name, by the aliases that its side commits: what it is
/// called now, and what its type was called.
pub(crate) fn aliased(
    view: &Viewpoint<'_>,
    text: &str,
) -> Result<Option<(Symbol, String)>, QueryError> {
    let aliases = committed(view.index, view.side)?;
    if aliases.aliases.is_empty() {
        return Ok(None);
    }
    let (snapshot, mut reader) = (view.snapshot(), view.blobs());
    let mut found: Vec<(Symbol, String)> = Vec::new();
    for followed in aliases.followed(text.trim()) {
        let symbol = match resolve(snapshot, &followed.text, Stages::Exact, &mut *reader) {
            Ok(symbol) => symbol,
            Err(QueryError::SymbolNotFound { .. } | QueryError::AmbiguousSymbol { .. }) => continue,
            Err(error) => return Err(error),
        };
        let symbol = match &followed.member {
            None => Some(symbol),
            Some(id) => former_member(symbol, &followed.was, id),
        };
        found.extend(symbol.map(|symbol| (symbol, followed.was)));
    }
    found.dedup_by(|(a, _), (b, _)| a == b);
    // One of several: none of them is the one that is meant.
    match <[_; 1]>::try_from(found) {
        Ok([one]) => Ok(Some(one)),
        Err(_) => Ok(None),
    }
}

/// The member of a type that had an id when the type was called otherwise.
fn former_member(symbol: Symbol, was: &str, id: &str) -> Option<Symbol> {
    let (now, simple) = (&symbol.node.fqn, simple_name_of(was));
    let former = TypeNode {
        fqn: was.to_owned(),
        ..symbol.node.clone()
    };
    let at = symbol.node.members.iter().position(|member| {
        let mut member = member.clone();
        if member.name == simple_name_of(now) {
            member.name = simple.to_owned();
        }
        let signature = former.full_member_signature(&member);
        // Its own type may stand in its signature.
        let whole = signature.replace(now.as_str(), was);
        [signature, whole]
            .iter()
            .any(|it| member_short_id(it) == id)
    })?;
    Some(Symbol {
        part: SymbolPart::Member(at),
        ..symbol
    })
}

/// The last part of a canonical name.
fn simple_name_of(name: &str) -> &str {
    let last = name.rsplit(['.', '+']).next().unwrap_or(name);
    simple_name(last)
}

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
