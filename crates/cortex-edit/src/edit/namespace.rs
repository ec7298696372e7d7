//! A rename of a namespace with its proof.

use std::collections::BTreeSet;

use cortex_index::Progress;
use cortex_wire::{Difference, WarningReason};

use super::{Sides, prove_everywhere};
use crate::{
    EditError,
    draft::Draft,
    proof::{PlaceBefore, Proof},
    rename::namespace::{NamespaceRename, add_mentions, plan_namespace},
};

/// Plans and proves it. Where the new name means something else, names are written from `global::` on.
///
/// # Errors
/// Those of planning and of the index.
pub(super) fn renamed_namespace(
    sides: &Sides<'_, '_>,
    renaming: &NamespaceRename,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let mut draft = plan_namespace(sides, renaming, &BTreeSet::new())?;
    let mut proof = prove_everywhere(sides, &draft, progress)?;
    let differing: BTreeSet<PlaceBefore> = proof.differences.keys().cloned().collect();
    if !differing.is_empty() {
        let qualified = plan_namespace(sides, renaming, &differing)?;
        let mut files = qualified.plan.files.iter();
        let is_other = files.any(|(path, file)| {
            let before = draft.plan.files.get(path);
            before.is_none_or(|before| before.edits != file.edits)
        });
        if is_other {
            let again = prove_everywhere(sides, &qualified, progress)?;
            if again.differences.len() < proof.differences.len() {
                (draft, proof) = (qualified, again);
            }
        }
    }
    // What is written takes the place of names that meant something.
    for (place, warning) in std::mem::take(&mut proof.warnings) {
        if warning.reason == WarningReason::CallerArgumentExpression {
            proof.warnings.insert(place, warning);
            continue;
        }
        let difference = Difference {
            file: warning.file,
            line: warning.line,
            question: "what the name means".to_owned(),
            before: None,
            after: Some(format!("nothing certain: `{}`", warning.name)),
        };
        proof.differences.entry(place).or_insert(difference);
    }
    add_mentions(sides[0].0, (renaming, &draft.plan), &mut proof)?;
    Ok((draft, proof))
}
