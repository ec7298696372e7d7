//! Types that take what another one holds under the same names, each value by itself: models made of entities, views of
//! events.
//!
//! Must not know: what the other type newly holds.

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_index::MemberTag;
use cortex_look::QueryError;
use cortex_model::{BlobId, RepoPath, TypeKey};
use cortex_syntax::text::decode;

use super::{User, Users};
use crate::diff_context::blobs::Reader;

/// So many values are hardly taken under their own names for something else.
const MIN_COPIED: usize = 5;

/// A type that takes less of what there is, as one of so many, is about something else.
const MIN_SHARE: usize = 3;

/// So many types are read.
const MAX_READ: usize = 40;

/// A type that takes values under their own names.
pub(super) struct Mirror {
    pub(super) ty: TypeKey,
    pub(super) path: RepoPath,
    pub(super) blob: BlobId,
    /// Where the first of them is read.
    pub(super) first: u32,
    pub(super) n_copied: usize,
}

/// The types among users of a type's members that take a third of these, and five at least, under their own names. `names`:
/// of the members; `left_out`: types that are not wanted. By type. Reads the files of those that use so many.
pub(super) fn of(
    users: &Users,
    names: &BTreeMap<MemberTag, &str>,
    left_out: &BTreeSet<TypeKey>,
    reader: &mut Reader<'_>,
) -> Result<Vec<Mirror>, QueryError> {
    let mut by_type: BTreeMap<TypeKey, Vec<(&RepoPath, &User)>> = BTreeMap::new();
    for ((path, (ty, _)), user) in &users.members {
        if !left_out.contains(ty) {
            by_type.entry(*ty).or_default().push((path, user));
        }
    }
    let is_enough = |n: usize| n >= MIN_COPIED && n * MIN_SHARE >= names.len();
    by_type.retain(|_, users| {
        let used: BTreeSet<_> = users.iter().flat_map(|(_, user)| &user.tags).collect();
        is_enough(used.len())
    });
    let mut out = Vec::new();
    for (ty, users) in by_type.into_iter().take(MAX_READ) {
        let mut copied: BTreeSet<MemberTag> = BTreeSet::new();
        let mut first: Option<(&RepoPath, u32, BlobId)> = None;
        for (path, user) in users {
            let blob = reader.read_blob(user.blob)?;
            let text = decode(&blob);
            for (tag, offset) in &user.places {
                let is_copy = names
                    .get(tag)
                    .is_some_and(|name| is_taken_as(text.as_bytes(), *offset as usize, name));
                if is_copy {
                    copied.insert(*tag);
                    let place = (path, *offset, user.blob);
                    first = Some(first.map_or(place, |it| it.min(place)));
                }
            }
        }
        if let Some((path, first, blob)) = first.filter(|_| is_enough(copied.len())) {
            out.push(Mirror {
                ty,
                path: path.clone(),
                blob,
                first,
                n_copied: copied.len(),
            });
        }
    }
    Ok(out)
}

/// Whether the name at an offset is read for something of the same name: `Name = it.Name`, `Name => it.Name`, `Name: it.Name`.
fn is_taken_as(text: &[u8], offset: usize, name: &str) -> bool {
    let start = text[..offset.min(text.len())]
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b';' | b'{' | b','))
        .map_or(0, |at| at + 1);
    let Ok(before) = std::str::from_utf8(&text[start..offset.min(text.len())]) else {
        return false;
    };
    let Some((target, _)) = before.split_once(['=', ':']) else {
        return false;
    };
    let target = target.trim_end();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    target
        .strip_suffix(name)
        .is_some_and(|rest| !rest.ends_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::is_taken_as;

    #[test]
    fn what_is_read_for_something_of_its_name_is_told_from_other_reads() {
        let taken = |text: &str| {
            let offset = text.rfind("Name").expect("it is there");
            is_taken_as(text.as_bytes(), offset, "Name")
        };
        for copy in [
            "Name = it.Name",
            "public string Name => _event.Name",
            "new Row(Name: it.Name",
            "A = 1, Name = it.Name",
            "this.Name = (it as Event)?.Name",
        ] {
            assert!(taken(copy), "{copy}");
        }
        for other in [
            "if (it.Name",
            "FirstName = it.Name",
            "Name = other; x = it.Name",
            "Title = it.Name",
        ] {
            assert!(!taken(other), "{other}");
        }
    }
}
