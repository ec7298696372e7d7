//! What the index knows of files: the namespaces that they declare something in, and where symbols are declared.

use crate::{
    QueryError,
    symbol::{
        resolve,
        resolved::{Stages, Symbol, SymbolPart},
    },
};

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_index::{MemberDetails, Snapshot};
use cortex_model::{ByteRange, RepoPath};
use cortex_scope::{Family, Ranges};

/// The namespaces of each file that declares a type.
pub(crate) fn namespaces(
    snapshot: &Snapshot,
) -> Result<BTreeMap<RepoPath, BTreeSet<String>>, QueryError> {
    let mut names: BTreeMap<_, String> = BTreeMap::new();
    for symbol in snapshot.all_symbols()? {
        names.insert(symbol.key, symbol.namespace().to_owned());
    }
    let mut out: BTreeMap<RepoPath, BTreeSet<String>> = BTreeMap::new();
    for (key, header) in snapshot.type_headers()? {
        let Some(namespace) = names.get(&key) else {
            continue;
        };
        for part in header.parts {
            out.entry(part.path).or_default().insert(namespace.clone());
        }
    }
    Ok(out)
}

/// Where a symbol is declared, documentation included: itself, or its members.
pub(crate) fn ranges(
    snapshot: &Snapshot,
    symbol: &str,
    family: Family,
    reader: &mut dyn ReadBlob,
) -> Result<Vec<(RepoPath, Ranges)>, QueryError> {
    let symbol = named(snapshot, symbol, reader)?;
    let node = &symbol.node;
    let mut out: BTreeMap<RepoPath, Vec<ByteRange>> = BTreeMap::new();
    if symbol.part == SymbolPart::Whole && family == Family::Type {
        for part in &node.parts {
            let whole = with_documentation(part.range, part.doc_range);
            out.entry(part.path.clone()).or_default().push(whole);
        }
    } else {
        let details = MemberDetails::new(snapshot).of(node)?;
        for (at, (member, detail)) in node.members.iter().zip(details).enumerate() {
            let is_meant = match &symbol.part {
                // What a primary constructor declares stands in the type's own head.
                SymbolPart::Whole => !member.primary,
                SymbolPart::Group(all) => all.contains(&at),
                SymbolPart::Member(one) => *one == at,
            };
            if let (true, Some(part)) = (is_meant, node.parts.get(member.part as usize)) {
                let whole = with_documentation(detail.range, detail.doc_range);
                out.entry(part.path.clone()).or_default().push(whole);
            }
        }
    }
    Ok(out
        .into_iter()
        .map(|(path, ranges)| (path, Ranges::new(ranges)))
        .collect())
}

/// The symbol of a name. One that is nearly the name is suggested, never taken: a scope must not mean something
/// else than what was written.
fn named(snapshot: &Snapshot, text: &str, reader: &mut dyn ReadBlob) -> Result<Symbol, QueryError> {
    if text.contains('*') {
        return resolve(snapshot, text, Stages::All, reader);
    }
    match resolve(snapshot, text, Stages::Exact, reader) {
        Err(QueryError::SymbolNotFound { .. }) => {
            let near = resolve(snapshot, text, Stages::All, reader)?;
            Err(QueryError::SymbolNotFound {
                symbol: text.to_owned(),
                suggestions: vec![near.candidate(snapshot)?],
                further: None,
            })
        }
        found => found,
    }
}

fn with_documentation(range: ByteRange, documentation: ByteRange) -> ByteRange {
    match documentation.start < documentation.end {
        true => ByteRange {
            start: range.start.min(documentation.start),
            end: range.end.max(documentation.end),
        },
        false => range,
    }
}
