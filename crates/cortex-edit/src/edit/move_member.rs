//! A move of a static member with its proof.

use cortex_index::Progress;

use super::{Sides, prove_everywhere};
use crate::{
    EditError,
    draft::Draft,
    move_member::{MoveMember, Naming, plan_move_member},
    proof::Proof,
};

/// Plans and proves it. Where the simple name of the other type means something else, its full name is written.
///
/// # Errors
/// Those of planning and of the index.
pub(super) fn moved_member(
    sides: &Sides<'_, '_>,
    request: &MoveMember<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let draft = plan_move_member(sides, request, Naming::Simple)?;
    let proof = prove_everywhere(sides, &draft, progress)?;
    if proof.differences.is_empty() {
        return Ok((draft, proof));
    }
    let full = plan_move_member(sides, request, Naming::Full)?;
    let again = prove_everywhere(sides, &full, progress)?;
    Ok(match again.differences.len() < proof.differences.len() {
        true => (full, again),
        false => (draft, proof),
    })
}
