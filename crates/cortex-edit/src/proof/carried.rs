//! Code that goes to another file or type: what it meant where it was is compared with what it means where it will be.

use std::collections::BTreeSet;

use cortex_index::{FileInProject, IndexError, Symbols};
use cortex_model::RepoPath;
use cortex_semantics::{CARRIED, Decision, Fingerprint, Positions, Question};
use rustc_hash::FxHashSet;

use super::{Compared, MovesCode};
use crate::{
    EditError,
    plan::{After, Before, FileFate, Plan},
};

/// Takes out of what differs in files what is the same in the code that goes from one to another.
///
/// # Errors
/// Those of the index.
pub(super) fn settle(
    (old, new): (&Symbols, &Symbols),
    (plan, before, after): (&Plan, &Before<'_>, &After<'_>),
    compared: &mut [Compared],
    parallel: usize,
) -> Result<(), EditError> {
    if plan.carried.is_empty() {
        return Ok(());
    }
    let from: BTreeSet<&RepoPath> = plan.carried.iter().map(|it| &it.from).collect();
    let to: BTreeSet<&RepoPath> = plan.carried.iter().map(|it| &it.to).collect();
    let here = decided(old, &from, before, parallel)?;
    let there = decided(new, &to, after, parallel)?;
    for of_file in compared {
        of_file
            .gone
            .retain(|it| it.offset < CARRIED || !there.contains(&it.key()));
        of_file
            .come
            .retain(|it| it.offset < CARRIED || !here.contains(&it.key()));
        settle_implementations(of_file);
    }
    Ok(())
}

/// What is decided in the code that goes out of files which are removed with it: the other side has no file to compare it
/// with.
///
/// # Errors
/// Those of the index.
pub(super) fn left_files(
    symbols: &Symbols,
    (plan, before): (&Plan, &Before<'_>),
    parallel: usize,
) -> Result<Vec<(FileInProject, Compared)>, EditError> {
    let mut out = Vec::new();
    let is_removed = |path: &&RepoPath| {
        let file = plan.files.get(*path);
        file.is_some_and(|it| it.fate == FileFate::Removed)
    };
    let from: BTreeSet<&RepoPath> = plan.carried.iter().map(|it| &it.from).collect();
    for path in from.into_iter().filter(is_removed) {
        let units = symbols.projects_of(path)?.into_iter();
        let units: Vec<FileInProject> = units.map(|project| (path.clone(), project)).collect();
        let prints = symbols.fingerprints(&units, before, parallel)?;
        for (unit, mut print) in units.into_iter().zip(prints) {
            print.decisions.retain(|it| it.offset >= CARRIED);
            let nothing = Fingerprint {
                decisions: Vec::new(),
                caller_texts: Vec::new(),
            };
            out.push((unit, Compared::new(print, nothing, MovesCode::No)));
        }
    }
    Ok(out)
}

/// Takes out what a member implements that a base type has now: it is decided at the name of the type that has the
/// interface, and was decided at that of the member.
fn settle_implementations(compared: &mut Compared) {
    let answers = |all: &[Decision], is_of_member: bool| -> FxHashSet<cortex_model::Hash> {
        let all = all.iter().filter(|it| {
            it.question == Question::Implements && (it.offset >= CARRIED) == is_of_member
        });
        all.map(|it| it.answer).collect()
    };
    let left = answers(&compared.gone, true);
    let come = answers(&compared.come, false);
    let is_settled = |it: &Decision| {
        it.question == Question::Implements
            && left.contains(&it.answer)
            && come.contains(&it.answer)
    };
    compared.gone.retain(|it| !is_settled(it));
    compared.come.retain(|it| !is_settled(it));
}

/// Takes out what is decided where an expression starts, of names that get or lose a qualifier: what they name is compared
/// nevertheless.
pub(super) fn allow_requalified(
    path: &RepoPath,
    (plan, before): (&Plan, &Before<'_>),
    compared: &mut Compared,
) {
    if plan.requalified.is_empty() {
        return;
    }
    let (mut old, mut common) = (FxHashSet::default(), FxHashSet::default());
    for (file, offset) in &plan.requalified {
        let place = (before.of_file(file).offset)(*offset);
        if file == path {
            old.insert(*offset);
            common.extend(place);
        }
        common.extend(place.filter(|&it| it >= CARRIED));
    }
    let is_of_start = |it: &Decision| {
        !matches!(
            it.question,
            Question::Name(..)
                | Question::Local(_)
                | Question::Unbound(_)
                | Question::Namespace
                | Question::Misfit(_)
                | Question::CallerName
        )
    };
    (compared.gone).retain(|it| !(is_of_start(it) && old.contains(&it.own_offset)));
    (compared.come).retain(|it| !(is_of_start(it) && common.contains(&it.offset)));
}

type Key = (u32, Question, cortex_model::Hash);

/// What is decided in the code that goes, in every project that compiles its files.
fn decided(
    symbols: &Symbols,
    paths: &BTreeSet<&RepoPath>,
    positions: &(dyn Positions + Sync),
    parallel: usize,
) -> Result<FxHashSet<Key>, IndexError> {
    let mut units: Vec<FileInProject> = Vec::new();
    for &path in paths {
        let projects = symbols.projects_of(path)?.into_iter();
        units.extend(projects.map(|project| (path.clone(), project)));
    }
    let mut out = FxHashSet::default();
    for print in symbols.fingerprints(&units, positions, parallel)? {
        let carried = print.decisions.iter().filter(|it| it.offset >= CARRIED);
        out.extend(carried.map(Decision::key));
    }
    Ok(out)
}
