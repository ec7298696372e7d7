//! Symbols as people and programs write them, found in a snapshot.
//!
//! Owns: the stages of resolving and their order, what is suggested where nothing is found.
//! Must not know: what is asked of a symbol.

pub mod doc_id;
pub mod path;
pub(crate) mod place;
pub mod resolved;
#[cfg(test)]
mod tests;
pub(crate) mod types;

pub use path::place_of;
pub use place::offset_at;

use crate::{
    QueryError,
    symbol::{
        path::SymbolPath,
        resolved::{Stages, Symbol, SymbolPart},
    },
};
use cortex_bind::{MemberNode, TypeNode};
use cortex_derived::{doc_ids::members, target::Target};
use cortex_git::ReadBlob;
use cortex_index::Snapshot;
use cortex_model::{DeclKind, TypeKey};
use cortex_wire::SymbolKind;

/// One of several symbols that may be meant, or of those that are nearly what was written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// Its canonical name, or its signature where names are equal.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// An id that means it alone.
    pub id: String,
}

/// How many symbols are suggested.
const MAX_SUGGESTIONS: usize = 5;

/// Finds what `text` means: a path (`Ns.Type.Member(int)`, or its end), a documentation id (`M:Ns.Type.Member`),
/// a type's or member's id (`T_7XPKJFH2`), or a place (`src/File.cs:12`). `Name@Assembly` tells twins apart.
///
/// The first stage with a result decides: exact, ignoring case, end of the name, wildcards, nearly the name.
///
/// # Errors
/// [`QueryError::SymbolNotFound`] with suggestions, [`QueryError::AmbiguousSymbol`] with the candidates.
pub fn resolve(
    snapshot: &Snapshot,
    text: &str,
    stages: Stages,
    reader: &mut dyn ReadBlob,
) -> Result<Symbol, QueryError> {
    let mut found = resolve_all(snapshot, text, stages, reader)?;
    // What several projects compile from one file is one symbol.
    if found.iter().all(|it| it.is_twin(&found[0])) {
        found.truncate(1);
    }
    match <[Symbol; 1]>::try_from(found) {
        Ok([symbol]) => Ok(symbol),
        Err(found) => Err(ambiguous(snapshot, text, &found)?),
    }
}

/// Everything that `text` may mean in the first stage with a result, most likely first; never empty.
///
/// # Errors
/// [`QueryError::SymbolNotFound`] with suggestions, [`QueryError::EmptySymbol`].
pub(crate) fn resolve_all(
    snapshot: &Snapshot,
    text: &str,
    stages: Stages,
    reader: &mut dyn ReadBlob,
) -> Result<Vec<Symbol>, QueryError> {
    if text.trim().is_empty() {
        return Err(QueryError::EmptySymbol);
    }
    let path = SymbolPath::parse(text);
    let found = match &path {
        SymbolPath::Place { path, line, column } => {
            place::find(snapshot, path, (*line, *column), reader)?
        }
        SymbolPath::Id { ty, member } => types::by_id(snapshot, ty, member.as_deref())?,
        SymbolPath::DocId { .. } => match by_doc_id(snapshot, text.trim())? {
            exact if !exact.is_empty() => exact,
            _ => types::by_name(snapshot, &path, stages)?,
        },
        SymbolPath::Name(_) => match types::by_path(snapshot, text.trim())? {
            exact if !exact.is_empty() => exact,
            _ => types::by_name(snapshot, &path, stages)?,
        },
    };
    if !found.is_empty() {
        return Ok(found);
    }
    Err(QueryError::SymbolNotFound {
        symbol: text.to_owned(),
        suggestions: match stages {
            Stages::Exact => Vec::new(),
            Stages::All => types::suggestions(snapshot, &path, MAX_SUGGESTIONS, &|_| true)?,
        },
        further: None,
    })
}

/// What has exactly this documentation id. A member that the compiler makes is shown by its type, where it has no
/// declaration of its own.
fn by_doc_id(snapshot: &Snapshot, text: &str) -> Result<Vec<Symbol>, QueryError> {
    let mut out = Vec::new();
    for target in doc_id::of_doc_id(snapshot, text)? {
        let key = target.key();
        let Some(node) = snapshot.type_node(key)? else {
            continue;
        };
        let part = match target {
            Target::Type(_) => SymbolPart::Whole,
            Target::Member(_, tag) => {
                let symbols = snapshot.symbols(key)?;
                let is_it = |found: Option<usize>| found.is_some_and(|at| symbols.tag(at) == tag);
                let written = symbols.declared().position(is_it);
                written.map_or(SymbolPart::Whole, SymbolPart::Member)
            }
        };
        out.push(Symbol { key, node, part });
    }
    sort_by_likelihood(&mut out);
    Ok(out)
}

/// The name and the parameters of a text that may name a member without its type.
pub(crate) fn member_name(text: &str) -> Option<(String, Option<Vec<String>>)> {
    match SymbolPath::parse(text) {
        SymbolPath::Name(name) if !name.is_pattern() && name.assembly.is_none() => {
            let [only] = name.segments.as_slice() else {
                return None;
            };
            Some((only.name.clone(), name.params))
        }
        _ => None,
    }
}

/// The members of a type that have a name, and parameters where some are given.
pub(crate) fn member_of(
    snapshot: &Snapshot,
    key: TypeKey,
    name: &str,
    params: Option<&[String]>,
) -> Result<Option<Symbol>, QueryError> {
    let Some(node) = snapshot.type_node(key)? else {
        return Ok(None);
    };
    let found = members::named(&node, name, params, members::Case::Same);
    Ok(types::part_of(found).map(|part| Symbol { key, node, part }))
}

/// Types and members whose names are nearest to what was asked for, nearest first, of types that pass.
///
/// # Errors
/// Those of reading the index.
pub(crate) fn nearest(
    snapshot: &Snapshot,
    text: &str,
    passes: &dyn Fn(&TypeNode) -> bool,
) -> Result<Vec<Candidate>, QueryError> {
    let path = SymbolPath::parse(text);
    types::suggestions(snapshot, &path, MAX_SUGGESTIONS, passes)
}

/// Puts the most likely first, as [`resolve_all`] does.
pub(crate) fn sort_by_likelihood(symbols: &mut [Symbol]) {
    symbols.sort_by(|a, b| types::order(a).cmp(&types::order(b)));
}

/// The error of a text that may mean several symbols.
pub(crate) fn ambiguous(
    snapshot: &Snapshot,
    text: &str,
    found: &[Symbol],
) -> Result<QueryError, QueryError> {
    let candidates = found.iter().map(|symbol| symbol.candidate(snapshot));
    Ok(QueryError::AmbiguousSymbol {
        symbol: text.to_owned(),
        candidates: candidates.collect::<Result<_, _>>()?,
    })
}

pub(crate) fn member_kind(member: &MemberNode) -> SymbolKind {
    match member.kind {
        DeclKind::Constructor if member.primary => SymbolKind::PrimaryConstructor,
        kind => kind.into(),
    }
}
