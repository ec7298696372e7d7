//! What an operation says of an edit, and its record.

use std::collections::BTreeMap;

use cortex_index::Progress;
use cortex_look::viewpoint::Viewpoint;
use cortex_wire::{EditAnswer, EditKind, EditedFile, EditedFileChange, LeftAlone, OpState};

use crate::{
    EditError,
    bindings::{Base, void_reason},
    draft::Draft,
    op::{Op, Ops},
    plan::{FileFate, Plan},
    proof::{PlaceBefore, Proof},
};

/// Records an edit that is proven.
pub(crate) fn record(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    (draft, proof): (Draft, Proof),
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let mut answer = answer(draft.title, &draft.plan, proof);
    answer.kind = draft.kind;
    answer.subject = draft.subject;
    answer.family = draft.n_family as u64;
    answer.total_left_alone = draft.left_alone.len() as u64;
    let left_alone = draft.left_alone.into_iter().take(MAX_LISTED);
    answer.left_alone = left_alone
        .map(|(file, reason)| LeftAlone { file, reason })
        .collect();
    let index = views[0].index;
    let base = Base::planned(views);
    let void = |op: &Op| void_reason(views, ops, op, progress);
    ops.record(&index.repo, &draft.plan, answer, (base, index.now), &void)
}

fn answer(title: String, plan: &Plan, proof: Proof) -> EditAnswer {
    let files = plan.files.values().map(|file| EditedFile {
        file: file.old.path.clone(),
        change: match file.fate {
            FileFate::Changed => EditedFileChange::Changed,
            FileFate::Made => EditedFileChange::Made,
            FileFate::Removed => EditedFileChange::Removed,
        },
        new_file: (file.new_path != file.old.path).then(|| file.new_path.clone()),
        edits: file.edits.all().len() as u64,
    });
    EditAnswer {
        op: String::new(),
        kind: EditKind::default(),
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
        total_warnings: proof.warnings.len() as u64,
        warnings: first(proof.warnings),
        total_left_alone: 0,
        left_alone: Vec::new(),
        patch: String::new(),
    }
}

/// So many places of each kind are listed.
const MAX_LISTED: usize = 50;

fn first<T>(all: BTreeMap<PlaceBefore, T>) -> Vec<T> {
    all.into_values().take(MAX_LISTED).collect()
}
