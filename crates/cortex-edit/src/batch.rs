//! `batch`: several edits as one: each is planned and proven on what the earlier ones leave, and all of them are
//! applied or none.

use cortex_index::{IndexedSide, Progress};
use cortex_look::viewpoint::Viewpoint;
use cortex_wire::EditVerdict;

use crate::{
    EditError,
    edit::{Edit, planned, record},
    op::{Op, Ops},
    together::{Together, sides_after, views_of},
};

/// Plans edits one after another, proves each, and records them as one. `views`: the same files as each of their
/// target frameworks sees them, the one that answers are about first.
///
/// # Errors
/// Those of each edit, with its number; [`EditError::Refused`] for a rename that would change what code means.
pub fn batch(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    edits: &[Edit<'_>],
    progress: &dyn Progress,
) -> Result<Op, EditError> {
    let mut sides: Option<Vec<IndexedSide>> = None;
    let mut together = Together::default();
    for (at, edit) in edits.iter().enumerate() {
        let planned_views = sides.as_deref().map(|sides| views_of(views.iter(), sides));
        let views = planned_views.as_deref().unwrap_or(views);
        let planned = planned(views, edit, progress);
        let (draft, proof) = planned.map_err(|error| in_step(at, error))?;
        if proof.verdict() == EditVerdict::ChangedMeaning && !draft.kind.may_change_meaning() {
            let first = proof.differences.values().next();
            let place = first.map(|it| format!("the first place is {}:{}", it.file, it.line));
            return Err(EditError::Refused {
                doing: format!("edit {}: {}", at + 1, draft.title),
                reason: "the code would mean something else".to_owned(),
                help: place.into_iter().collect(),
            });
        }
        sides = Some(sides_after(views.iter(), &draft.plan, progress)?);
        together.add(draft, proof);
    }
    let (draft, proof) = together.finish()?;
    record(views, ops, (draft, proof), progress)
}

/// An error of one edit of several.
fn in_step(at: usize, error: EditError) -> EditError {
    let number = at + 1;
    match error {
        EditError::Refused {
            doing,
            reason,
            help,
        } => EditError::Refused {
            doing: format!("edit {number}: {doing}"),
            reason,
            help,
        },
        EditError::NoChange { doing } => EditError::NoChange {
            doing: format!("edit {number}: {doing}"),
        },
        error => error,
    }
}
