//! Names in code that no project compiles, in any file: nothing tells what they mean.
//!
//! Owns: which of them may be those of a rename. Must not know: what was compared.

use std::collections::BTreeSet;

use cortex_derived::names::inactive::inactive_words;
use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::{decode, token_at};
use cortex_wire::{Doubt, DoubtReason};

use super::{Planned, SeenBy};
use crate::{EditError, identifier::bare, proof::Proof};

impl Planned {
    /// Adds the places of code that no framework compiles which have the old or the new name. `sides`: the same files as each
    /// framework sees them. O(such places), and the texts of their files.
    ///
    /// # Errors
    /// Those of the index and of reading files.
    pub(crate) fn add_inactive(
        &self,
        sides: &[(&Viewpoint<'_>, &Symbols)],
        found: &mut Proof,
    ) -> Result<(), EditError> {
        if self.seen_by != SeenBy::Everywhere {
            return Ok(());
        }
        let mut places = BTreeSet::new();
        for name in [&self.old_name, &self.new_name] {
            places.extend(places_of(sides, name)?);
        }
        if places.is_empty() {
            return Ok(());
        }
        if let Some(parts) = &self.seen_in {
            // It may be code of a part of the type, which has its name.
            let owner = self.owner_name().unwrap_or_default();
            let named = places_of(sides, owner)?;
            let naming: BTreeSet<&RepoPath> = named.iter().map(|(path, _)| path).collect();
            places.retain(|(path, _)| parts.contains(path) || naming.contains(path));
        }
        let view = sides[0].0;
        let places: Vec<_> = places.into_iter().collect();
        for of_file in places.chunk_by(|a, b| a.0 == b.0) {
            let path = &of_file[0].0;
            let Some(file) = view.snapshot().file(path)? else {
                continue;
            };
            let bytes = view.blobs().read_blob(file.blob)?;
            let source = decode(&bytes);
            let text = source.as_bytes();
            let lines = LineTable::new(text);
            for &(_, offset) in of_file {
                let token = String::from_utf8_lossy(&text[token_at(text, offset).as_usize()]);
                // Words are kept by their hashes.
                if ![&self.old_name, &self.new_name].contains(&&bare(&token)) {
                    continue;
                }
                (found.doubts.entry((path.clone(), offset))).or_insert_with(|| Doubt {
                    file: path.clone(),
                    line: lines.position(offset).line,
                    reason: DoubtReason::Inactive,
                    used_by: None,
                });
            }
        }
        Ok(())
    }

    /// The simple name of the type of a member.
    fn owner_name(&self) -> Option<&str> {
        let id = self.subject.as_ref()?.resolved.doc_id.as_deref()?;
        let (path, _) = id.split_once('(').unwrap_or((id, ""));
        let (owner, _) = path.rsplit_once('.')?;
        let name = owner.rsplit(['.', ':']).next()?;
        name.split('`').next()
    }
}

/// The places that have a word in code which no side compiles, and a few others.
fn places_of(
    sides: &[(&Viewpoint<'_>, &Symbols)],
    name: &str,
) -> Result<BTreeSet<(RepoPath, u32)>, EditError> {
    let Some(((first, _), others)) = sides.split_first() else {
        return Ok(BTreeSet::new());
    };
    // Every side has all projects.
    let mut places: BTreeSet<_> = inactive_words(first.source())?
        .of(name)
        .into_iter()
        .collect();
    for (view, _) in others {
        if places.is_empty() {
            break;
        }
        let own: BTreeSet<_> = inactive_words(view.source())?
            .of(name)
            .into_iter()
            .collect();
        let mut compiled = BTreeSet::new();
        for (path, _) in &places {
            let file = view.snapshot().file(path)?;
            if file.is_some_and(|file| !file.projects.is_empty()) {
                compiled.insert(path.clone());
            }
        }
        // One that does not compile the file says nothing.
        places.retain(|place| own.contains(place) || !compiled.contains(&place.0));
    }
    Ok(places)
}
