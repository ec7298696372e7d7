//! The places that use symbols, with the bytes that they take in their files: what edits consume.
//!
//! Must not know: how symbols are found, how places are shown.

use std::collections::BTreeSet;

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::FileSummary;
use cortex_model::{ByteRange, RepoPath};
use cortex_wire::{Place, Subject};

use crate::{
    QueryError, family,
    places::{Outside, Place as FoundPlace, Text, Texts, Wanted, files_using, places},
    subject::find_asked,
    symbol::{Candidate, doc_id::of_doc_id, place::is_left_out, place_of},
    usages::role_at,
    viewpoint::Viewpoint,
};

/// What a text means, to whoever changes code.
pub struct EditTarget {
    /// What answers say of it.
    pub subject: Subject,
    /// The type, or members: overloads of each other where the text means several, and the same symbol in each assembly
    /// that compiles it.
    pub symbols: Vec<Target>,
}

/// Finds what `text` means. What is only nearly called so is suggested and never taken, and of several symbols none that is
/// only the likeliest, unless the text is its whole name; nor is what stands around code that
/// `#if` leaves out: nobody asked for it to change.
///
/// # Errors
/// [`QueryError::SymbolNotFound`] with suggestions, [`QueryError::AmbiguousSymbol`] with the candidates.
pub fn edit_target(view: &Viewpoint<'_>, text: &str) -> Result<EditTarget, QueryError> {
    if let Some((path, line, column)) = place_of(text)
        && is_left_out(view.snapshot(), &path, (line, column), &mut *view.blobs())?
    {
        return Err(QueryError::SymbolNotFound {
            symbol: text.to_owned(),
            suggestions: Vec::new(),
            further: None,
        });
    }
    let asked = find_asked(view, text)?;
    if let Some(text) = asked.subject.corrected_from {
        let near = asked.subject.resolved;
        return Err(QueryError::SymbolNotFound {
            symbol: text,
            suggestions: vec![Candidate {
                id: near.id(),
                name: near.path,
                kind: near.kind,
            }],
            further: None,
        });
    }
    let subject = &asked.subject;
    let path = &*subject.resolved.path;
    let is_whole_name = path == text || path.split('(').next() == Some(text);
    if subject.total_others > 0 && !is_whole_name {
        let all = std::iter::once(&subject.resolved).chain(&subject.others);
        let candidates = all.map(|it| Candidate {
            id: it.id(),
            name: it.path.clone(),
            kind: it.kind,
        });
        return Err(QueryError::AmbiguousSymbol {
            symbol: text.to_owned(),
            candidates: candidates.collect(),
        });
    }
    Ok(EditTarget {
        subject: asked.subject,
        symbols: asked.targets,
    })
}

/// Members that must keep one name and one signature: what they override and implement, what overrides and implements
/// that, and what the same declarations are in other projects that compile the file, until nothing is added.
pub struct WholeFamily {
    /// Themselves and all others of the repository, sorted.
    pub members: Vec<Target>,
    /// Members from outside that are among them, by documentation id, sorted.
    pub outside: Vec<String>,
}

/// The whole family of some members.
///
/// # Errors
/// Those of the index.
pub fn whole_family(view: &Viewpoint<'_>, members: &[Target]) -> Result<WholeFamily, QueryError> {
    let mut ids = DocIds::new(view.snapshot());
    let mut known: BTreeSet<Target> = members.iter().copied().collect();
    let mut outside = BTreeSet::new();
    let mut new: Vec<Target> = members.to_vec();
    while !new.is_empty() {
        let twins = twins(&mut ids, &new)?;
        new.extend(twins.into_iter().filter(|&twin| known.insert(twin)));
        let found = family::relatives(&mut ids, &new)?;
        new.clear();
        for relative in found {
            match relative.target {
                Some(target) => {
                    if known.insert(target) {
                        new.push(target);
                    }
                }
                None => _ = outside.insert(relative.doc_id),
            }
        }
    }
    Ok(WholeFamily {
        members: known.into_iter().collect(),
        outside: outside.into_iter().collect(),
    })
}

/// Whether members of the repository override or implement one of some members.
///
/// # Errors
/// Those of the index.
pub fn is_overridden(view: &Viewpoint<'_>, members: &[Target]) -> Result<bool, QueryError> {
    let mut ids = DocIds::new(view.snapshot());
    let relatives = family::relatives(&mut ids, members)?;
    let mut below = relatives.iter().filter(|it| !family::is_above(it.relation));
    Ok(below.any(|it| it.target.is_some()))
}

/// The members that the same declarations declare in other projects, which compile the same files.
fn twins(ids: &mut DocIds<'_>, members: &[Target]) -> Result<Vec<Target>, QueryError> {
    let snapshot = ids.snapshot();
    let files_of = |key| -> Result<BTreeSet<RepoPath>, QueryError> {
        let header = snapshot.type_header(key)?;
        let parts = header.into_iter().flat_map(|header| header.parts);
        Ok(parts.map(|part| part.path).collect())
    };
    let mut out = Vec::new();
    for &member in members {
        let Target::Member(key, tag) = member else {
            continue;
        };
        let files = files_of(key)?;
        let is_shared = {
            let mut projects = Vec::new();
            for path in &files {
                let file = snapshot.file(path)?;
                projects.extend(file.map(|file| file.projects.len()));
            }
            projects.into_iter().any(|n_projects| n_projects > 1)
        };
        if !is_shared {
            continue;
        }
        let Some(id) = ids.of(key, Some(tag))? else {
            continue;
        };
        for twin in of_doc_id(snapshot, &id)? {
            if twin != member && !files_of(twin.key())?.is_disjoint(&files) {
                out.push(twin);
            }
        }
    }
    Ok(out)
}

/// Every place that uses one of the symbols and that the filter of the viewpoint lets pass, by file and position,
/// each once. Reads the files that the places stand in.
///
/// # Errors
/// [`QueryError`] where the time is over, since an edit of some of the places is none, or where a file cannot be
/// read.
pub fn uses(view: &Viewpoint<'_>, symbols: &[Target]) -> Result<Vec<Place>, QueryError> {
    let mut out = Vec::new();
    each_file(view, symbols, &mut |file, text, places| {
        out.extend(places.iter().map(|place| {
            let position = text.position(place.offset);
            Place {
                file: file.path.clone(),
                blob: file.blob,
                range: text.token(place.offset),
                line: position.line,
                column: position.column,
                role: role_at(text, place),
                certainty: place.certainty,
            }
        }));
    })?;
    Ok(out)
}

/// Hands each file that [`uses`] finds something in to `each`: its decoded text, and the tokens there, ascending.
///
/// # Errors
/// Those of [`uses`].
pub fn tokens_of_uses(
    view: &Viewpoint<'_>,
    symbols: &[Target],
    each: &mut dyn FnMut(&RepoPath, &str, Vec<ByteRange>),
) -> Result<(), QueryError> {
    each_file(view, symbols, &mut |file, text, places| {
        let tokens = places.iter().map(|place| text.token_in_text(place.offset));
        each(&file.path, text.as_str(), tokens.collect());
    })
}

/// So many files are read side by side.
const FILES_AT_ONCE: usize = 128;

fn each_file(
    view: &Viewpoint<'_>,
    symbols: &[Target],
    each: &mut dyn FnMut(&FileSummary, &Text, &[FoundPlace]),
) -> Result<(), QueryError> {
    let snapshot = view.snapshot();
    let wanted: Wanted = symbols.iter().map(|&symbol| (symbol, 0)).collect();
    let files = files_using(snapshot, &wanted)?;
    let passing = (view.filter, Outside::Skipped);
    let mut found = places(snapshot, &files, &wanted, passing, &|| {
        view.limits.is_over()
    })?;
    view.limits.check("find all uses")?;
    found.dedup_by_key(|place| (place.file, place.offset));
    let by_file: Vec<&[FoundPlace]> = found.chunk_by(|a, b| a.file == b.file).collect();
    for some in by_file.chunks(FILES_AT_ONCE) {
        let of_some: Vec<&FileSummary> = (some.iter())
            .map(|places| &files[places[0].file as usize])
            .collect();
        let mut texts = Texts::new(view.blobs());
        texts.load(view, &of_some)?;
        for (file, places) in of_some.into_iter().zip(some) {
            each(file, texts.of(file)?, places);
        }
    }
    Ok(())
}
