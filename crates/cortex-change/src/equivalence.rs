//! What of a change keeps the meaning of the code: renamed, moved, reordered, laid out otherwise, with other usings.
//!
//! Both sides are cut into declarations and tokens; what is one on both sides gets a number
//! ([`alignment`]); both sides are bound, and decisions about tokens of one number are compared ([`decisions`]).
//! A declaration whose tokens all have a partner, and about whose tokens nothing is decided otherwise, means the same.
//!
//! Must not know: which edit made the change.

mod alignment;
mod decisions;
mod order;
mod pairing;
mod source;
mod units;

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::{FileChange, Range, RangeSpec};
use cortex_index::{Index, IndexOutcome, IndexedSide, Progress};
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_wire::{ProveAnswer, RangeEntry};

use crate::{
    comparison,
    diff_context::{blobs::BlobSource, changed_files, range_entry},
};
use alignment::Alignment;
use decisions::{Comparison, FrameworkSides, compare};
use order::Reordered;
use source::SourceFile;

/// What of a change is proven to keep what the code means. `others`: indexes of the same repository that look at
/// further target frameworks.
///
/// Costs two bindings of each changed file, and of each file that may see another meaning, for each framework.
///
/// # Errors
/// Those of the range, the repository and the index.
pub fn prove(
    index: &Index,
    others: &mut dyn FnMut(&IndexedSide) -> Result<Vec<Index>, QueryError>,
    spec: &RangeSpec,
    progress: &dyn Progress,
) -> Result<comparison::Comparison<ProveAnswer>, QueryError> {
    let range = index.repo.resolve_range(spec)?;
    let mut outcome = IndexOutcome::default();
    let sides = sides_of(index, &range, progress, &mut outcome)?;
    let files = {
        let source = BlobSource {
            index,
            sides: [&sides[0], &sides[1]],
        };
        changed_files(index, &range, &sides[0], &sides[1], &mut source.open())?
    };
    let others = others(&sides[1])?;
    let mut other_sides = Vec::with_capacity(others.len());
    for other in &others {
        other_sides.push(sides_of(other, &range, progress, &mut outcome)?);
    }
    let both = [&sides[0], &sides[1]];
    let sources = read_sources(index, both, &files)?;
    let alignment = Alignment::of(&sources[0], &sources[1], &renamed(&files));
    let order = order::reordered(&alignment);
    let names = names_to_look_for(&alignment, &order);
    let main = FrameworkSides { index, sides: both };
    let mut compared = vec![compare(&main, &alignment, &names, progress)?];
    for (index, sides) in others.iter().zip(&other_sides) {
        let seen = FrameworkSides {
            index,
            sides: [&sides[0], &sides[1]],
        };
        compared.push(compare(&seen, &alignment, &names, progress)?);
    }
    let found = compared.into_iter().reduce(Comparison::and);
    let found = found.unwrap_or_default();
    let range = range_entry(spec, &range, both);
    let answer = answer(range, (&alignment, &order), &files, found, (both[1], index))?;
    Ok(comparison::Comparison {
        answer,
        sides,
        outcome,
    })
}

fn sides_of(
    index: &Index,
    range: &Range,
    progress: &dyn Progress,
    outcome: &mut IndexOutcome,
) -> Result<[IndexedSide; 2], QueryError> {
    let (old, first) = index.side(range.old, progress)?;
    let (new, second) = index.side(range.new, progress)?;
    outcome.add(first);
    outcome.add(second);
    Ok([old, new])
}

/// The changed files of each side that projects may compile.
fn read_sources(
    index: &Index,
    sides: [&IndexedSide; 2],
    files: &[FileChange],
) -> Result<[Vec<SourceFile>; 2], QueryError> {
    let mut sources = [Vec::new(), Vec::new()];
    for (at, side) in sides.into_iter().enumerate() {
        let mut blobs = index.blobs(side);
        for file in files {
            let there = [&file.old, &file.new][at];
            let Some(there) = there else { continue };
            let found = SourceFile::read(side, &there.path, &mut *blobs)?;
            sources[at].extend(found.filter(|it| !it.projects.is_empty()));
        }
        sources[at].sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(sources)
}

/// The new paths of renamed files.
fn renamed(files: &[FileChange]) -> BTreeMap<RepoPath, RepoPath> {
    (files.iter())
        .filter_map(|file| {
            let (old, new) = (file.old.as_ref()?, file.new.as_ref()?);
            (old.path != new.path).then(|| (old.path.clone(), new.path.clone()))
        })
        .collect()
}

/// The names by which other files may see that something changed: of what is declared on one side only, and of what
/// has another header, constant, type or value.
fn names_to_look_for(
    alignment: &Alignment<'_>,
    order: &BTreeMap<usize, Reordered>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, unit) in alignment.units.iter().enumerate() {
        let declared: Vec<_> = (0..2)
            .filter_map(|side| {
                let (file, decl) = unit.sides[side]?;
                Some((
                    side,
                    &alignment.files[side][file].decls[decl? as usize],
                    file,
                ))
            })
            .collect();
        let has_other_header = |&(side, decl, file): &(usize, &source::Declaration, usize)| {
            let file = &alignment.files[side][file];
            let is_header = |token: &usize| {
                let start = file.tokens[*token].range.start;
                start < decl.body_range.start || decl.body_range.start >= decl.body_range.end
            };
            decl.kind.type_kind().is_some() && !unit.unmatched[side].is_empty()
                || decl.is_constant && !unit.unmatched[side].is_empty()
                || unit.unmatched[side].iter().any(is_header)
        };
        let is_renamed = match &declared[..] {
            [(_, old, _), (_, new, _)] => old.name != new.name,
            _ => true,
        };
        let has_other_place = order.get(&at) == Some(&Reordered::WithEffect);
        if has_other_place
            || is_renamed
            || !unit.renamed.is_empty()
            || declared.iter().any(has_other_header)
        {
            for (_, decl, _) in &declared {
                names.insert(decl.name.trim_start_matches('@').to_owned());
                if let Some(short) = decl.name.strip_suffix("Attribute") {
                    names.insert(short.to_owned());
                }
            }
        }
    }
    names
}

/// So many places elsewhere are listed.
const MAX_ELSEWHERE: usize = 100;

fn answer(
    range: RangeEntry,
    (alignment, order): (&Alignment<'_>, &BTreeMap<usize, Reordered>),
    files: &[FileChange],
    found: Comparison,
    (side, index): (&IndexedSide, &Index),
) -> Result<ProveAnswer, QueryError> {
    let (proven, to_read) = units::judge(alignment, &found, order);
    let elsewhere = units::elsewhere(&found, side, &mut *index.blobs(side), MAX_ELSEWHERE)?;
    let read: BTreeSet<&RepoPath> = (alignment.files.iter())
        .flat_map(|files| files.iter().map(|file| &file.path))
        .collect();
    let is_read = |file: &FileChange| read.contains(file.path());
    let not_compared = files.iter().filter(|file| !is_read(file));
    let not_compared: Vec<RepoPath> = not_compared.map(|file| file.path().clone()).collect();
    Ok(ProveAnswer {
        range,
        is_proven: to_read.is_empty() && found.elsewhere.is_empty() && not_compared.is_empty(),
        changed_files: files.iter().filter(|file| is_read(file)).count() as u64,
        proven,
        to_read,
        total_elsewhere: found.elsewhere.len() as u64,
        elsewhere,
        not_compared,
        compared_files: found.n_files,
        compared_decisions: found.n_decisions,
    })
}
