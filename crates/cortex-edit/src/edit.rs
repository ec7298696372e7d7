//! From a request to an operation: planned, proven, recorded.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_wire::{EditAnswer, EditedFile, OpState};

use crate::{
    EditError,
    conflicts::add_conflicts,
    op::{Op, Ops},
    plan::Plan,
    proof::{EditSide, PlaceBefore, Proof, prove},
    rename::{Planned, Rename, plan_rename},
};

/// Plans a rename, proves it, and records it. `views`: the same files as each of their target frameworks sees them,
/// the one that answers are about first.
///
/// # Errors
/// Those of planning, of the index and of the files.
pub fn rename(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    request: &Rename<'_>,
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let mut sides = Vec::with_capacity(views.len());
    for view in views {
        sides.push((view, view.index.symbols(view.side, None)?));
    }
    let with_symbols: Vec<_> = sides
        .iter()
        .map(|(view, symbols)| (*view, symbols))
        .collect();
    let mut planned = plan_rename(&with_symbols, request)?;
    let mut proof = prove_everywhere(&with_symbols, &planned, progress)?;
    if !proof.differences.is_empty() && planned.plan.moves_files() {
        // Projects that list their files do not find one under another name.
        let request = Rename {
            keep_file: true,
            ..request.clone()
        };
        planned = plan_rename(&with_symbols, &request)?;
        proof = prove_everywhere(&with_symbols, &planned, progress)?;
    }
    let title = format!("rename `{}` to `{}`", request.symbol, planned.new_name);
    let mut answer = answer(title, &planned.plan, proof);
    answer.subject = planned.subject;
    answer.family = planned.n_family as u64;
    let index = views[0].index;
    ops.record(&index.repo, &planned.plan, answer, index.now)
}

/// Proves a rename for every target framework.
fn prove_everywhere(
    views: &[(&Viewpoint<'_>, &Symbols)],
    planned: &Planned,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let names = names_of(planned);
    let mut proof: Option<Proof> = None;
    for (view, symbols) in views {
        let found = prove_in(view, symbols, planned, &names, progress)?;
        proof = Some(match proof {
            None => found,
            Some(before) => before.and(found),
        });
    }
    Ok(proof.expect("there is a view at least"))
}

/// Proves a rename for one target framework.
fn prove_in(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    planned: &Planned,
    names: &BTreeSet<String>,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let index = view.index;
    let (side, _) = index.planned(view.side, &planned.plan.planned_files(), progress)?;
    let new_symbols = index.symbols(&side, Some(symbols))?;
    let old = EditSide {
        side: view.side,
        symbols,
    };
    let new = EditSide {
        side: &side,
        symbols: &new_symbols,
    };
    let names = (names, Some(&*planned.old_name));
    let mut proof = prove(index, (&old, &new), &planned.plan, names, progress)?;
    add_conflicts(view, &new, &planned.plan, &mut proof)?;
    Ok(proof)
}

/// The names that a rename takes away and brings, as code may write them.
fn names_of(planned: &Planned) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for name in [&planned.old_name, &planned.new_name] {
        names.insert(name.clone());
        if let Some(short) = name.strip_suffix("Attribute") {
            names.insert(short.to_owned());
        }
        // What is called so is an attribute where it is written without its ending.
        names.insert(format!("{name}Attribute"));
    }
    names
}

fn answer(title: String, plan: &Plan, proof: Proof) -> EditAnswer {
    let files = plan.files.values().map(|file| EditedFile {
        file: file.old.path.clone(),
        new_file: (file.new_path != file.old.path).then(|| file.new_path.clone()),
        edits: file.edits.all().len() as u64,
    });
    EditAnswer {
        op: String::new(),
        title,
        state: OpState::Planned,
        subject: None,
        verdict: proof.verdict(),
        files: files.collect(),
        total_edits: plan.n_edits() as u64,
        family: 0,
        compared_files: proof.n_files,
        compared_decisions: proof.n_decisions,
        total_differences: proof.differences.len() as u64,
        differences: first(proof.differences),
        total_doubts: proof.doubts.len() as u64,
        doubts: first(proof.doubts),
        total_residue: proof.residue.len() as u64,
        residue: first(proof.residue),
        patch: String::new(),
    }
}

/// So many places of each kind are listed.
const MAX_LISTED: usize = 50;

fn first<T>(all: BTreeMap<PlaceBefore, T>) -> Vec<T> {
    all.into_values().take(MAX_LISTED).collect()
}
