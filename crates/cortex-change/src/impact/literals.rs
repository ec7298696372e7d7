//! Strings that are equal to the name of a changed symbol: reflection by name.
//!
//! Owns: in which files they are looked for. These are the files that declare the symbol's type, and those that
//! have to do with the type and mention a call of reflection.

use crate::{
    diff_context::blobs::BlobSource,
    impact::{
        symbols::ChangedSymbol,
        uses::{Found, Places, Want},
    },
};
use cortex_look::QueryError;
use cortex_wire::{Certainty, MemberChangeKind, UseSide};

use cortex_wire::Role;
use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_index::{FileSummary, Receiver, Snapshot};
use cortex_model::{BlobId, RepoPath, TypeKey};
use cortex_syntax::text::decode;
use rayon::prelude::*;

/// Calls that take the name of a type or member.
const REFLECTION: [&str; 16] = [
    "GetMethod",
    "GetRuntimeMethod",
    "GetDeclaredMethod",
    "GetProperty",
    "GetRuntimeProperty",
    "GetDeclaredProperty",
    "GetField",
    "GetRuntimeField",
    "GetDeclaredField",
    "GetEvent",
    "GetMember",
    "GetNestedType",
    "GetType",
    "InvokeMember",
    "CreateInstance",
    "CreateDelegate",
];

/// A shorter name is a word like any other.
const MIN_NAME: usize = 3;

/// So many texts are read by one thread.
const N_TOGETHER: usize = 16;

/// Adds the strings of one side to the places.
pub(crate) fn find(
    snapshot: &Snapshot,
    symbols: &[ChangedSymbol],
    side: UseSide,
    source: BlobSource<'_>,
    places: &mut Places,
) -> Result<(), QueryError> {
    // What is new is not named by anything that was there.
    let is_wanted = |symbol: &&(usize, &ChangedSymbol)| {
        symbol.1.side == side
            && symbol.1.change != MemberChangeKind::Added
            && name_of(symbol.1).is_some_and(|name| name.len() >= MIN_NAME)
    };
    let mut by_type: BTreeMap<TypeKey, Vec<(usize, &ChangedSymbol)>> = BTreeMap::new();
    for found in symbols.iter().enumerate().filter(|it| is_wanted(&it)) {
        by_type.entry(found.1.key).or_default().push(found);
    }
    if by_type.is_empty() {
        return Ok(());
    }
    let mut reflecting: BTreeSet<RepoPath> = BTreeSet::new();
    for name in REFLECTION {
        let files = snapshot.files_mentioning(name)?;
        reflecting.extend(files.into_iter().map(|file| file.path));
    }
    let by_type: Vec<_> = by_type.into_iter().collect();
    let files = by_type.par_iter().map(|(key, _)| {
        let Some(node) = snapshot.type_node(*key)? else {
            return Ok(Vec::new());
        };
        let declares = |path: &RepoPath| node.parts.iter().any(|part| part.path == *path);
        let mut files = snapshot.referrers(*key, None)?;
        files.retain(|file| declares(&file.path) || reflecting.contains(&file.path));
        Ok(files)
    });
    let files = files.collect::<Result<Vec<_>, QueryError>>()?;
    // Each text is read once, and all strings that are looked for in it.
    let mut by_blob: BTreeMap<BlobId, Vec<(usize, &FileSummary)>> = BTreeMap::new();
    for (ty, file) in
        (files.iter().enumerate()).flat_map(|(ty, it)| it.iter().map(move |it| (ty, it)))
    {
        by_blob.entry(file.blob).or_default().push((ty, file));
    }
    let by_blob: Vec<_> = by_blob.into_iter().collect();
    let found = by_blob.par_chunks(N_TOGETHER).flat_map_iter(|blobs| {
        let mut reader = source.open();
        let found = blobs.iter().map(|(blob, wanted)| {
            let text = reader.read_blob(*blob)?;
            let text = decode(&text);
            let mut found = Vec::new();
            for &(ty, file) in wanted {
                for (nth, (_, symbol)) in by_type[ty].1.iter().enumerate() {
                    let name = name_of(symbol).unwrap_or_default();
                    let offsets = literals(text.as_bytes(), name).into_iter();
                    found.extend(offsets.map(|offset| (ty, &file.path, nth, offset, file)));
                }
            }
            Ok(found)
        });
        found.collect::<Vec<_>>()
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    found.sort_by_key(|&(ty, path, nth, offset, _)| (ty, path, nth, offset));
    for (ty, _, nth, offset, file) in found {
        let (at, symbol) = by_type[ty].1[nth];
        let file_at = places.file(file);
        places
            .found
            .extend((0..file.projects.len()).map(|project| Found {
                want: Want::of(symbol.member, at),
                file: file_at,
                project: project as u16,
                offset,
                role: Role::Literal,
                certainty: Certainty::Possible,
                inside: None,
                receiver: Receiver::Any,
            }));
    }
    Ok(())
}

/// The name that a string would have; none for what has no name of its own.
fn name_of(symbol: &ChangedSymbol) -> Option<&str> {
    let name = match &symbol.name {
        Some(name) => name,
        None => symbol.ty.rsplit(['.', '+']).next()?.split('`').next()?,
    };
    (!name.starts_with('#') && !name.starts_with("op_")).then_some(name)
}

/// Where whole strings are equal to a name, comments of a line left out.
fn literals(text: &[u8], name: &str) -> Vec<u32> {
    let quoted = format!("\"{name}\"");
    let quoted = quoted.as_bytes();
    let found = memchr::memmem::find_iter(text, quoted).filter(|&at| {
        let start = text[..at].iter().rposition(|&b| b == b'\n');
        let before = text[start.map_or(0, |at| at + 1)..at].trim_ascii_start();
        !before.starts_with(b"//") && !before.starts_with(b"#")
    });
    found.map(|at| at as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn a_string_is_a_name_only_as_a_whole_and_outside_of_comments() {
        let text =
            b"Get(\"Run\"); // \"x\"\n// \"Run\"\nGet(\"Runner\", @\"Run\");\n#region \"Run\"\n";
        assert_eq!(literals(text, "Run"), [4, 43]);
    }
}
