//! The files of a pack: those that declare the types which its file lists.

use std::collections::BTreeSet;

use cortex_index::{Index, IndexedSide, Snapshot, TypeHeader};
use cortex_model::RepoPath;
use rustc_hash::FxHashMap;

use super::places::Places;
use crate::QueryError;

/// The folder of packs.
const FOLDER: &str = ".context/packs/";

/// So many characters a short id has where it is unique.
const N_CHARS: usize = 8;

/// The same with its mark.
const SHORT: usize = "T_".len() + N_CHARS;

/// Files of more bytes are not read.
const MAX_BYTES: u64 = 4 << 20;

/// The names of the packs of a side, sorted.
pub(crate) fn names(places: &Places) -> Vec<String> {
    let names = places.paths().filter_map(|(path, _)| {
        let name = path.strip_prefix(FOLDER)?.strip_suffix(".md")?;
        (!name.contains('/')).then(|| name.to_owned())
    });
    let names: BTreeSet<String> = names.collect();
    names.into_iter().collect()
}

/// The files that declare the types of a pack; `None` where there is no such pack.
pub(crate) fn files(
    index: &Index,
    side: &IndexedSide,
    places: &Places,
    name: &str,
) -> Result<Option<BTreeSet<RepoPath>>, QueryError> {
    let wanted = format!("{FOLDER}{name}.md");
    let Some((_, blob)) = places.paths().find(|(path, _)| *path == wanted) else {
        return Ok(None);
    };
    let mut reader = index.blobs(side);
    if reader.blob_size(blob)? > MAX_BYTES {
        return Ok(Some(BTreeSet::new()));
    }
    let text = reader.read_blob(blob)?;
    let ids = listed(&String::from_utf8_lossy(&text));
    let types = types_with_ids(&side.snapshot, &ids)?;
    let parts = types.into_iter().flat_map(|header| header.parts);
    Ok(Some(parts.map(|part| part.path).collect()))
}

/// The heads of the types that short ids refer to: `T_2H7F3K9Q`, with `@Assembly` where several declare the type.
/// Reads the heads of all types.
fn types_with_ids(snapshot: &Snapshot, ids: &[String]) -> Result<Vec<TypeHeader>, QueryError> {
    let short_of = |id: &str| -> String { id.chars().take(SHORT).collect() };
    let mut wanted: FxHashMap<String, Vec<&str>> = FxHashMap::default();
    for id in ids {
        wanted.entry(short_of(id)).or_default().push(id);
    }
    let mut out = Vec::new();
    for (key, header) in snapshot.type_headers()? {
        let Some(candidates) = wanted.get(&key.short_id(N_CHARS)) else {
            continue;
        };
        let is_meant = |text: &&str| {
            let (id, assembly) = match text.split_once('@') {
                Some((id, assembly)) => (id, Some(assembly)),
                None => (*text, None),
            };
            let n_chars = id.len().saturating_sub("T_".len());
            assembly.is_none_or(|assembly| assembly == header.assembly)
                && key.short_id(n_chars.max(N_CHARS)) == id
        };
        if candidates.iter().any(is_meant) {
            out.push(header);
        }
    }
    Ok(out)
}

/// The ids of the types that a pack lists: its headings of the second level outside of code.
pub fn listed(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        let id = line.strip_prefix("## `").and_then(|rest| {
            let (_, id) = rest.rsplit_once(' ')?;
            id.starts_with("T_").then(|| id.to_owned())
        });
        out.extend(id);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn headings_of_types_count_and_no_others() {
        let text = "# Pack `x`\n\n## `A.B` T_12345678\n\n### Methods\n\n```\n## `C` T_22345678\n```\n## Left out\n## `D<T>` T_32345678@App\n## `` a`b `` T_42345678\n";
        assert_eq!(listed(text), ["T_12345678", "T_32345678@App", "T_42345678"]);
    }
}
