//! SQL that names what objects hold: columns and parameters of the table and the procedures that are called like a type.
//!
//! Owns: which files of SQL are a type's. Must not know: which properties changed.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Snapshot;
use cortex_look::{QueryError, mentioned::OtherTexts};
use cortex_model::{RepoPath, simple_name};
use cortex_wire::{
    CodePlace, Column, DataChange, DiffContext, FileLanguage, MemberChangeKind, SymbolImpact,
};

/// So many names are looked for.
const MAX_NAMES: usize = 12;

/// A shorter name is a word of every query.
const MIN_LETTERS: usize = 4;

/// Tells where unchanged SQL of the newer side names properties that came, went or have another declaration, and those that
/// changed code assigns. O(files of SQL that have such a word).
pub(crate) fn tell(
    snapshot: &Snapshot,
    others: &OtherTexts<'_>,
    answer: &mut DiffContext,
) -> Result<(), QueryError> {
    let wanted = wanted(answer);
    let words: BTreeSet<String> = wanted.keys().map(|(_, name)| name.clone()).collect();
    if words.is_empty() {
        return Ok(());
    }
    let changed: BTreeSet<&RepoPath> = answer.files.iter().map(|file| &file.path).collect();
    let mut lines: BTreeMap<(&str, RepoPath), u32> = BTreeMap::new();
    let found = others.words_in(&words, &[FileLanguage::Sql])?;
    for (word, mention) in &found {
        if !changed.contains(&mention.file) {
            let at = lines.entry((word, mention.file.clone()));
            at.or_insert(mention.line);
        }
    }
    let mut out = Vec::new();
    for ((ty, name), doc_id) in &wanted {
        let of_name = lines.iter().filter(|((word, _), _)| word == name);
        let mut places = Vec::new();
        for ((_, path), line) in of_name.filter(|((_, path), _)| is_of_type(path, ty)) {
            if !is_of_longer(path, ty, snapshot)? {
                places.push(CodePlace {
                    path: path.clone(),
                    line: *line,
                    inside: None,
                });
            }
        }
        if !places.is_empty() {
            out.push(Column {
                doc_id: doc_id.clone(),
                places,
            });
        }
    }
    answer.impact.columns = out;
    Ok(())
}

/// The documentation ids of properties by simple names of their types and their own. Those that code writes last: of many
/// names the first ones are looked for.
fn wanted(answer: &DiffContext) -> BTreeMap<(String, String), String> {
    let tests = answer.test_types();
    let is_other = |symbol: &&SymbolImpact| {
        let change = symbol.change;
        symbol.id.starts_with("P:")
            && !matches!(
                change,
                MemberChangeKind::Body | MemberChangeKind::Docs | MemberChangeKind::Registered
            )
            && !tests.contains(symbol.ty.as_str())
    };
    let changed = answer.impact.symbols.iter().filter(is_other);
    let changed = changed.filter_map(|it| Some((&it.ty, it.member.as_ref()?, &it.id)));
    let written = answer.impact.written_data.iter();
    let written =
        written.filter(|it| !it.change.is_of_constants() && it.change != DataChange::Called);
    let written = written.map(|it| (&it.ty, &it.member, &it.doc_id));
    let mut out = BTreeMap::new();
    for (ty, name, id) in changed.chain(written) {
        if name.len() >= MIN_LETTERS && out.len() < MAX_NAMES {
            let key = (simple_name(ty).to_owned(), name.clone());
            out.entry(key).or_insert_with(|| id.clone());
        }
    }
    out
}

/// Whether a file that begins with the name of a type begins with that of another one which is longer: `OrderItem_Create.sql`
/// is none of `Order` where there is an `OrderItem`.
fn is_of_longer(path: &RepoPath, ty: &str, snapshot: &Snapshot) -> Result<bool, QueryError> {
    let stem = path.file_stem();
    let head = stem.split('_').next().unwrap_or(stem);
    let ends = head
        .char_indices()
        .skip(1)
        .map(|(at, _)| at)
        .chain([head.len()]);
    let ends = ends.filter(|at| *at > ty.len());
    for end in ends.filter(|at| head[*at..].chars().next().is_none_or(char::is_uppercase)) {
        if !snapshot.types_named(&head[..end])?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a file is called like a type, or begins so: `Order.sql`, `Order_Create.sql`, `OrderView.sql`.
fn is_of_type(path: &RepoPath, ty: &str) -> bool {
    let rest = path.file_stem().strip_prefix(ty);
    rest.is_some_and(|rest| {
        let next = rest.chars().next();
        next.is_none_or(|next| !next.is_lowercase() && !next.is_numeric())
    })
}
