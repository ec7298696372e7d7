//! Code that goes to another file or type: what it meant where it was is compared with what it means where it will be.

use cortex_index::{FileInProject, IndexError, Symbols};
use cortex_model::RepoPath;
use cortex_semantics::{CARRIED, Decision, Positions, Question};
use rustc_hash::FxHashSet;

use super::Compared;
use crate::{
    EditError,
    plan::{After, Before, Plan},
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
    let Some(carried) = &plan.carried else {
        return Ok(());
    };
    let here = decided(old, &carried.from, before, parallel)?;
    let there = decided(new, &carried.to, after, parallel)?;
    for of_file in compared {
        of_file
            .gone
            .retain(|it| it.offset < CARRIED || !there.contains(&it.key()));
        of_file
            .come
            .retain(|it| it.offset < CARRIED || !here.contains(&it.key()));
    }
    Ok(())
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
            Question::Name(..) | Question::Local(_) | Question::Unbound(_) | Question::Namespace
        )
    };
    (compared.gone).retain(|it| !(is_of_start(it) && old.contains(&it.own_offset)));
    (compared.come).retain(|it| !(is_of_start(it) && common.contains(&it.offset)));
}

type Key = (u32, Question, cortex_model::Hash);

/// What is decided in the code that goes, in every project that compiles its file.
fn decided(
    symbols: &Symbols,
    path: &RepoPath,
    positions: &(dyn Positions + Sync),
    parallel: usize,
) -> Result<FxHashSet<Key>, IndexError> {
    let projects = symbols.projects_of(path)?.into_iter();
    let units: Vec<FileInProject> = projects.map(|project| (path.clone(), project)).collect();
    let mut out = FxHashSet::default();
    for print in symbols.fingerprints(&units, positions, parallel)? {
        let carried = print.decisions.iter().filter(|it| it.offset >= CARRIED);
        out.extend(carried.map(Decision::key));
    }
    Ok(out)
}
