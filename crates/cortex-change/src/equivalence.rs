//! What of a change keeps the meaning of the code: renamed, moved, reordered, laid out otherwise, with other usings.
//!
//! Both sides are cut into declarations and tokens; what is one on both sides gets a number
//! ([`alignment`]); both sides are bound, and decisions about tokens of one number are compared ([`decisions`]).
//! A declaration whose tokens all have a partner, and about whose tokens nothing is decided otherwise, means the same.
//!
//! Must not know: which edit made the change.

mod alignment;
mod decisions;
mod merge;
mod order;
mod pairing;
mod source;
mod units;

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::{FileChange, PlannedFile, Range, RangeSpec, Side};
use cortex_index::{Index, IndexOutcome, IndexedSide, Progress};
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_wire::{ProveAnswer, RangeEntry};

use crate::{
    comparison,
    diff_context::{blobs::BlobSource, changed_files, planned_entry, range_entry},
};
use alignment::Alignment;
use decisions::{Comparison, FrameworkSides, compare};
use order::Reordered;
use source::SourceFile;

pub use merge::prove_merge;

/// What of a change is proven to keep what the code means. `others`: indexes of the same repository that look at
/// further target frameworks.
///
/// Costs two bindings of each changed file, and of each file that may see another meaning, for each framework.
///
/// # Errors
/// Those of the range, the repository and the index.
pub fn prove(
    index: &Index,
    others: &mut OtherFrameworks<'_>,
    spec: &RangeSpec,
    progress: &dyn Progress,
) -> Result<comparison::Comparison<ProveAnswer>, QueryError> {
    let range = index.repo.resolve_range(spec)?;
    let mut outcome = IndexOutcome::default();
    let sides = sides_of(index, &range, progress, &mut outcome)?;
    let others = others(&sides[1])?;
    let mut other_sides = Vec::with_capacity(others.len());
    for other in &others {
        other_sides.push(sides_of(other, &range, progress, &mut outcome)?);
    }
    let entry = range_entry(spec, &range, [&sides[0], &sides[1]]);
    let answer = prove_between(
        &frameworks(index, &sides, &others, &other_sides),
        (&range.paths, entry),
        progress,
    )?;
    Ok(comparison::Comparison {
        answer,
        sides,
        outcome,
    })
}

/// [`prove`] of a side and of the same side with some files as they are planned to be. `spec`: the change in words.
///
/// # Errors
/// Those of the repository and the index.
pub fn prove_planned(
    index: &Index,
    others: &mut OtherFrameworks<'_>,
    (base, spec): (Side, String),
    planned: &[PlannedFile],
    progress: &dyn Progress,
) -> Result<comparison::Comparison<ProveAnswer>, QueryError> {
    let mut outcome = IndexOutcome::default();
    let mut sides_of = |index: &Index| -> Result<[IndexedSide; 2], QueryError> {
        let (old, first) = index.side(base, progress)?;
        let (new, second) = index.planned(&old, planned, progress)?;
        outcome.add(first);
        outcome.add(second);
        Ok([old, new])
    };
    let sides = sides_of(index)?;
    let others = others(&sides[0])?;
    let other_sides = (others.iter().map(&mut sides_of)).collect::<Result<Vec<_>, _>>()?;
    let mut entry = planned_entry(base, [&sides[0], &sides[1]]);
    entry.spec = spec;
    let answer = prove_between(
        &frameworks(index, &sides, &others, &other_sides),
        (&[], entry),
        progress,
    )?;
    Ok(comparison::Comparison {
        answer,
        sides,
        outcome,
    })
}

/// Gives the indexes for the further target frameworks of a side.
pub type OtherFrameworks<'a> = dyn FnMut(&IndexedSide) -> Result<Vec<Index>, QueryError> + 'a;

/// Two sides for every target framework, the one of the index first.
fn frameworks<'a>(
    index: &'a Index,
    sides: &'a [IndexedSide; 2],
    others: &'a [Index],
    other_sides: &'a [[IndexedSide; 2]],
) -> Vec<FrameworkSides<'a>> {
    let first = FrameworkSides {
        index,
        sides: [&sides[0], &sides[1]],
    };
    let rest = others.iter().zip(other_sides);
    let rest = rest.map(|(index, sides)| FrameworkSides {
        index,
        sides: [&sides[0], &sides[1]],
    });
    [first].into_iter().chain(rest).collect()
}

fn prove_between(
    frameworks: &[FrameworkSides<'_>],
    (paths, range): (&[String], RangeEntry),
    progress: &dyn Progress,
) -> Result<ProveAnswer, QueryError> {
    let (index, both) = (frameworks[0].index, frameworks[0].sides);
    let files = files_between(index, paths, both)?;
    let sources = read_sources(index, both, &files)?;
    let (alignment, order, found) = compare_all(frameworks, &sources, &files, progress)?;
    answer(range, (&alignment, &order), &files, found, (both[1], index))
}

/// The files that differ between two sides.
fn files_between(
    index: &Index,
    paths: &[String],
    sides: [&IndexedSide; 2],
) -> Result<Vec<FileChange>, QueryError> {
    let source = BlobSource { index, sides };
    changed_files(index, paths, sides[0], sides[1], &mut source.open())
}

/// Aligns changed files, and compares for every target framework.
fn compare_all<'s>(
    frameworks: &[FrameworkSides<'_>],
    sources: &'s [Vec<SourceFile>; 2],
    files: &[FileChange],
    progress: &dyn Progress,
) -> Result<(Alignment<'s>, BTreeMap<usize, Reordered>, Comparison), QueryError> {
    let alignment = Alignment::of(&sources[0], &sources[1], &renamed(files));
    let order = order::reordered(&alignment);
    let names = names_to_look_for(&alignment, &order);
    let mut found = Comparison::default();
    for sides in frameworks {
        found = found.and(compare(sides, &alignment, &names, progress)?);
    }
    Ok((alignment, order, found))
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
        merge: None,
    })
}
