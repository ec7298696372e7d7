//! Several edits as one: each on what the earlier ones leave.

use std::collections::BTreeMap;

use cortex_index::{IndexedSide, Progress};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::RepoPath;
use cortex_syntax::text::decode;
use cortex_wire::{EditKind, LeftAloneReason};

use crate::{
    EditError,
    conflicts::Locals,
    difference::edits_between,
    draft::Draft,
    plan::{FilePlan, Plan},
    proof::Proof,
};

/// Views as they would be after a plan: a side for each.
///
/// # Errors
/// Those of the index.
pub(crate) fn sides_after<'v, 'a: 'v>(
    views: impl Iterator<Item = &'v Viewpoint<'a>>,
    plan: &Plan,
    progress: &dyn Progress,
) -> Result<Vec<IndexedSide>, EditError> {
    let files = plan.planned_files();
    let mut sides = Vec::new();
    for view in views {
        sides.push(view.index.planned(view.side, &files, progress)?.0);
    }
    Ok(sides)
}

/// The same views of other sides.
pub(crate) fn views_of<'v, 'a: 'v>(
    views: impl Iterator<Item = &'v Viewpoint<'a>>,
    sides: &'v [IndexedSide],
) -> Vec<Viewpoint<'v>> {
    let both = views.zip(sides);
    both.map(|(view, side)| Viewpoint {
        index: view.index,
        side,
        filter: view.filter,
        limits: view.limits,
    })
    .collect()
}

/// What the edits so far come to.
#[derive(Default)]
pub(crate) struct Together {
    titles: Vec<String>,
    /// By the path that each file has now.
    files: BTreeMap<RepoPath, FilePlan>,
    n_family: usize,
    left_alone: BTreeMap<RepoPath, LeftAloneReason>,
    proof: Proof,
}

impl Together {
    pub(crate) fn add(&mut self, draft: Draft, proof: Proof) {
        self.titles.push(draft.title);
        self.n_family += draft.n_family;
        self.left_alone.extend(draft.left_alone);
        let mut changed = Vec::with_capacity(draft.plan.files.len());
        for (path, file) in draft.plan.files {
            changed.extend(match self.files.remove(&path) {
                Some(before) => before.then(file),
                None => Some(file),
            });
        }
        for file in changed {
            self.files.insert(file.new_path.clone(), file);
        }
        let all = &mut self.proof;
        all.differences.extend(proof.differences);
        all.doubts.extend(proof.doubts);
        all.residue.extend(proof.residue);
        all.warnings.extend(proof.warnings);
        all.n_files += proof.n_files;
        all.n_decisions += proof.n_decisions;
    }

    pub(crate) fn finish(self) -> Result<(Draft, Proof), EditError> {
        let title = match self.titles.len() {
            1 => self.titles[0].clone(),
            n => format!("{n} edits: {}", self.titles.join("; ")),
        };
        let mut files = BTreeMap::new();
        for mut file in self.files.into_values() {
            if file.is_same() {
                continue;
            }
            let texts = [&file.old_bytes, &file.new_bytes].map(|bytes| decode(bytes));
            file.edits = edits_between(texts[0].as_str(), texts[1].as_str());
            if let Some(other) = files.insert(file.old.path.clone(), file) {
                return Err(EditError::Refused {
                    doing: title,
                    reason: format!(
                        "one edit gives `{}` another path, and another one makes a file there",
                        other.old.path
                    ),
                    help: vec!["plan and apply them one after another".to_owned()],
                });
            }
        }
        if files.is_empty() {
            return Err(EditError::NoChange { doing: title });
        }
        let draft = Draft {
            kind: EditKind::Batch,
            title,
            subject: None,
            n_family: self.n_family,
            locals: Locals::Kept,
            names: Default::default(),
            old_name: None,
            left_alone: self.left_alone,
            plan: Plan {
                files,
                ..Plan::default()
            },
        };
        Ok((draft, self.proof))
    }
}
