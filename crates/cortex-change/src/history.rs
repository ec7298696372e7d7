//! The question of `history`: what happened to one symbol over the commits of a range.
//!
//! Owns: the walk from the newest commit to the oldest. Must not know: how entries are rendered.

mod answer;
pub(crate) mod api;
pub(crate) mod commits;
pub(crate) mod drift;
pub(crate) mod entry;
pub(crate) mod locate;
pub mod question;
mod relevance;

use crate::history::{
    commits::Commits, drift::Drifting, question::HistoryQuestion, relevance::Watched,
};
use cortex_git::{Commit, Parents};
use cortex_index::{Index, IndexOutcome, Progress, Snapshot};
use cortex_look::{
    QueryError,
    follow::track::{Difference, Tracked},
};
use cortex_model::{CommitId, by_key};
use cortex_wire::{HistoryEntry, HistoryRange, SymbolHistory};
use rustc_hash::FxHashMap;
use std::{collections::hash_map::Entry, rc::Rc};

/// Answers `history`.
///
/// A merge is compared with its first parent; where all parents are followed, what a merge merely brings together
/// is told of the commits that it brings. Costs one look at the type for each commit that changes any type, and
/// the size of the change for each commit that changes this one.
///
/// # Errors
/// Those of [`cortex_look::symbol::resolve`], of the repository and of the index.
pub fn history(
    index: &Index,
    question: &HistoryQuestion,
    progress: &dyn Progress,
) -> Result<(SymbolHistory, IndexOutcome), QueryError> {
    let mut commits = match &question.range {
        None => Commits::indexed(index, progress)?,
        Some(range) => {
            Commits::of_range(index, progress, range, question.parents, question.max_count)?
        }
    };
    let located = locate::locate(&mut commits, &question.symbol)?;
    let mut entries = Vec::new();
    // What the symbol is called at commits that are still to come, as the first child of each has it.
    let mut names: FxHashMap<CommitId, Tracked> = FxHashMap::default();
    names.insert(commits.newest.id, located.newest.clone());
    // What decides about its type at those, as the same child has it.
    let mut watched: FxHashMap<CommitId, Rc<Watched>> = FxHashMap::default();
    let mut all_watched = Watched::of_name(&located.symbol.path);
    let mut existed_before = Some(false);
    let mut drifting = Drifting::from(commits.newest.time);
    for at in 0..commits.list.len() {
        if question.max_count.is_some_and(|max| entries.len() >= max) {
            existed_before = None;
            break;
        }
        commits.check()?;
        let commit = commits.list[at].clone();
        let Some(tracked) = names.remove(&commit.id) else {
            continue;
        };
        let known = watched.remove(&commit.id);
        if !commits.has_before(at) {
            let snapshot = commits.snapshot(&commit)?;
            if tracked.find(&snapshot)?.is_some() {
                existed_before = Some(true);
            }
            continue;
        }
        let parents = commits.parents_of(&commit);
        if commits.is_indexed_on_demand() {
            let known = match known {
                Some(known) => known,
                None => Rc::new(commits.watched(&commit, &tracked, &all_watched)?),
            };
            all_watched.add_names(&known);
            if commits.is_same_in(&parents, &commit, &known)? {
                for parent in parents {
                    if let Entry::Vacant(entry) = names.entry(parent) {
                        entry.insert(tracked.clone());
                        watched.insert(parent, known.clone());
                    }
                }
                continue;
            }
            commits.make_ready_for(at, &known)?;
        }
        let step = step(&mut commits, &commit, &tracked, &mut names)?;
        if let Some(entry) = &step {
            drifting.add(entry.change.class, &entry.commit.id, commit.time);
        }
        entries.extend(step.filter(|entry| entry::is_wanted(entry, question)));
    }
    // What is left is called so before the oldest commits of the range.
    if existed_before == Some(false) {
        for (&id, tracked) in by_key(&names) {
            let snapshot = commits.snapshot_of(id)?;
            if tracked.find(&snapshot)?.is_some() {
                existed_before = Some(true);
            }
        }
    }
    let oldest = commits.list.last().unwrap_or(&commits.newest);
    let answer = SymbolHistory {
        asked: question.symbol.clone(),
        symbol: located.symbol,
        redirected_from: located.redirected_from,
        is_guess: located.is_guess,
        exists: located.exists,
        existed_before,
        drift: drifting.finish(existed_before.is_some()),
        range: HistoryRange {
            spec: question.range.clone(),
            parents: match commits.parents {
                Parents::First => cortex_wire::Parents::First,
                Parents::All => cortex_wire::Parents::All,
            },
            newest: commits.newest.id.to_string(),
            oldest: oldest.id.to_string(),
            n_commits: commits.list.len(),
        },
        gap: commits.gap,
        entries,
    };
    Ok((answer, commits.outcome))
}

/// Compares a commit with its parents, notes what the symbol is called in them, and tells what the commit did: for
/// a merge only what none of the parents that are followed has.
fn step(
    commits: &mut Commits<'_>,
    commit: &Commit,
    tracked: &Tracked,
    names: &mut FxHashMap<CommitId, Tracked>,
) -> Result<Option<HistoryEntry>, QueryError> {
    let repo = commits.repo();
    let new = commits.snapshot(commit)?;
    let told = |difference: Option<Difference>, older: &Tracked, old: &Snapshot| {
        let Some(it) = difference else {
            return Ok(None);
        };
        let parts = [&tracked.part, &older.part];
        entry::entry(repo, commit, &it, parts, [old, &new])
    };
    let parents = commits.parents_of(commit);
    if parents.is_empty() {
        let old = commits.nothing();
        let (older, difference) = tracked.step_back(repo, &old, &new)?;
        return told(difference, &older, &old);
    }
    let mut entry_of_first = None;
    let mut is_change = true;
    for (nth, parent) in parents.into_iter().enumerate() {
        let old = commits.snapshot_of(parent)?;
        let (older, difference) = tracked.step_back(repo, &old, &new)?;
        let entry = told(difference, &older, &old)?;
        is_change &= entry.is_some();
        if nth == 0 {
            entry_of_first = entry;
        }
        names.entry(parent).or_insert(older);
    }
    Ok(entry_of_first.filter(|_| is_change))
}
