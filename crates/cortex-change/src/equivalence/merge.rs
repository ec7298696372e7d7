//! What code means in the merge of two commits, beside what it means in each of them.
//!
//! Must not know: how a merge is made.

mod twice;

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::{PlannedFile, Side};
use cortex_index::{Index, IndexOutcome, IndexedSide, Progress};
use cortex_look::QueryError;
use cortex_model::{CommitId, RepoPath};
use cortex_wire::{MergedCommits, ProveAnswer};

use super::{
    MAX_ELSEWHERE, OtherFrameworks, compare_all,
    decisions::{Comparison, Differing, FrameworkSides},
    files_between, read_sources, units,
};
use crate::{comparison, diff_context::planned_entry};

/// The names of a merge that mean something else than in the commit that they come from; of those that both commits
/// have, than in both. The merge is made in memory.
///
/// # Errors
/// [`QueryError::MergeConflicts`] where a person must decide about code; those of the repository and the index.
pub fn prove_merge(
    index: &Index,
    others: &mut OtherFrameworks<'_>,
    [ours, theirs]: [&str; 2],
    progress: &dyn Progress,
) -> Result<comparison::Comparison<ProveAnswer>, QueryError> {
    let commits = [index.repo.resolve(ours)?, index.repo.resolve(theirs)?];
    let merged = index.repo.merged(commits[0], commits[1])?;
    let is_code = |path: &RepoPath| {
        let extension = path.extension().to_ascii_lowercase();
        matches!(
            &*extension,
            "cs" | "csproj" | "props" | "targets" | "sln" | "slnx"
        )
    };
    let (code, rest): (Vec<RepoPath>, Vec<RepoPath>) =
        merged.conflicts.into_iter().partition(is_code);
    if !code.is_empty() {
        return Err(QueryError::MergeConflicts {
            ours: ours.to_owned(),
            theirs: theirs.to_owned(),
            files: code,
        });
    }
    let mut outcome = IndexOutcome::default();
    let sides = MergeSides::of(index, commits, &merged.files, progress, &mut outcome)?;
    let others = others(&sides.merge)?;
    let mut other_sides = Vec::with_capacity(others.len());
    for other in &others {
        let sides = MergeSides::of(other, commits, &merged.files, progress, &mut outcome)?;
        other_sides.push(sides);
    }
    let mut all = vec![(index, &sides)];
    all.extend(others.iter().zip(&other_sides));
    let [a, b] = [0, 1].map(|parent| Parent::compare(&all, parent, progress));
    let (a, b) = (a?, b?);
    let mut found = Comparison {
        n_files: a.n_files + b.n_files,
        n_decisions: a.n_decisions + b.n_decisions,
        ..Comparison::default()
    };
    for (one, other) in [(&a, &b), (&b, &a)] {
        let differing = one.differing.iter();
        let told = differing
            .filter(|(place, _)| !other.has(place) || other.differing.contains_key(*place));
        (found.elsewhere).extend(told.map(|(place, it)| (place.clone(), it.clone())));
    }
    let files: BTreeSet<RepoPath> = a.shared.keys().chain(b.shared.keys()).cloned().collect();
    let mut twice = twice::declared_twice(index, &sides.merge, &files)?;
    if !twice.is_empty() {
        for parent in &sides.parents {
            let already = twice::declared_twice(index, parent, &files)?;
            twice.retain(|id, _| !already.contains_key(id));
        }
    }
    for (place, declared) in twice.into_values() {
        let differing = Differing {
            question: "what is declared twice",
            is_of_names: true,
            before: None,
            after: Some(declared),
        };
        found.elsewhere.insert(place, differing);
    }
    let elsewhere = units::elsewhere(
        &found,
        &sides.merge,
        &mut *index.blobs(&sides.merge),
        MAX_ELSEWHERE,
    )?;
    let entry = planned_entry(side(index, commits[0])?, [&sides.parents[0], &sides.merge]);
    let answer = ProveAnswer {
        range: cortex_wire::RangeEntry {
            spec: format!("{ours} {theirs}"),
            ..entry
        },
        is_proven: found.elsewhere.is_empty(),
        changed_files: a.n_changed,
        proven: Vec::new(),
        to_read: Vec::new(),
        total_elsewhere: found.elsewhere.len() as u64,
        elsewhere,
        not_compared: rest,
        compared_files: found.n_files,
        compared_decisions: found.n_decisions,
        merge: Some(MergedCommits {
            ours: commits[0].to_string(),
            theirs: commits[1].to_string(),
            base: merged.base.map(|base| base.to_string()),
        }),
    };
    let [old, _] = sides.parents;
    Ok(comparison::Comparison {
        answer,
        sides: [old, sides.merge],
        outcome,
    })
}

fn side(index: &Index, commit: CommitId) -> Result<Side, QueryError> {
    let tree = index.repo.commit(commit)?.tree;
    Ok(Side::Commit { commit, tree })
}

/// Both commits and their merge, for one target framework.
struct MergeSides {
    parents: [IndexedSide; 2],
    merge: IndexedSide,
}

impl MergeSides {
    fn of(
        index: &Index,
        [ours, theirs]: [CommitId; 2],
        merged: &[PlannedFile],
        progress: &dyn Progress,
        outcome: &mut IndexOutcome,
    ) -> Result<Self, QueryError> {
        let (ours, first) = index.side(side(index, ours)?, progress)?;
        let (theirs, second) = index.side(side(index, theirs)?, progress)?;
        let (merge, third) = index.planned(&ours, merged, progress)?;
        [first, second, third]
            .into_iter()
            .for_each(|it| outcome.add(it));
        Ok(Self {
            parents: [ours, theirs],
            merge,
        })
    }
}

/// One of the commits, compared with the merge.
struct Parent {
    /// What means something else in the merge: by path and offset there.
    differing: BTreeMap<(RepoPath, u32), Differing>,
    /// Of the files of the merge that differ from the commit's, the offsets of the tokens that both have.
    shared: BTreeMap<RepoPath, BTreeSet<u32>>,
    n_changed: u64,
    n_files: u64,
    n_decisions: u64,
}

impl Parent {
    fn compare(
        all: &[(&Index, &MergeSides)],
        parent: usize,
        progress: &dyn Progress,
    ) -> Result<Self, QueryError> {
        let frameworks: Vec<FrameworkSides<'_>> = (all.iter())
            .map(|(index, sides)| FrameworkSides {
                index,
                sides: [&sides.parents[parent], &sides.merge],
            })
            .collect();
        let (index, both) = (frameworks[0].index, frameworks[0].sides);
        let files = files_between(index, &[], both)?;
        let sources = read_sources(index, both, &files)?;
        let (alignment, _, found) = compare_all(&frameworks, &sources, &files, progress)?;
        let places = alignment.places(1);
        let files = alignment.files[1];
        let mut shared: BTreeMap<RepoPath, BTreeSet<u32>> = (files.iter())
            .map(|file| (file.path.clone(), BTreeSet::new()))
            .collect();
        for (at, file) in files.iter().enumerate() {
            let tokens = (0..file.tokens.len()).filter(|&token| alignment.has_number(1, at, token));
            let starts = tokens.map(|token| file.tokens[token].range.start);
            shared.entry(file.path.clone()).or_default().extend(starts);
        }
        let of_changed = found.differing.into_iter().map(|(number, differing)| {
            let (file, offset) = places[number as usize];
            ((files[file].path.clone(), offset), differing)
        });
        let mut differing: BTreeMap<(RepoPath, u32), Differing> = of_changed.collect();
        differing.extend(found.elsewhere);
        Ok(Self {
            differing,
            n_changed: files.len() as u64,
            shared,
            n_files: found.n_files,
            n_decisions: found.n_decisions,
        })
    }

    /// Whether the commit has what stands at a place of the merge.
    fn has(&self, (path, offset): &(RepoPath, u32)) -> bool {
        let shared = self.shared.get(path);
        shared.is_none_or(|shared| shared.contains(offset))
    }
}
