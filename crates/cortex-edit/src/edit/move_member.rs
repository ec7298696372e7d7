//! A move of a static member or type into another type, or of a type out of one, with its proof.

use cortex_index::Progress;

use super::{Sides, prove_everywhere};
use crate::{
    EditError,
    draft::Draft,
    located::locate,
    member::add_other_time,
    move_member::{MoveMember, Naming, plan_move_member},
    nest_type::{NestType, plan_nest},
    proof::Proof,
};

/// Plans a move into another type, and proves it.
///
/// # Errors
/// Those of planning and of the index.
pub(super) fn moved_member(
    sides: &Sides<'_, '_>,
    request: &MoveMember<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let (view, symbols) = sides[0];
    let located = locate(view, symbols, request.symbol, &|| request.title())?;
    if located.declarations[0].decl().kind.type_kind().is_some() {
        let nest = NestType {
            symbol: request.symbol,
            into: Some(request.into),
        };
        return nested_type(sides, &nest, progress);
    }
    let (draft, mut proof) = with_fewest_differences(sides, progress, |naming| {
        plan_move_member(sides, request, naming)
    })?;
    let target = locate(view, symbols, request.into, &|| request.title())?;
    let member = &located.declarations[0];
    add_other_time(sides[0], (member, &target.declarations), &mut proof)?;
    Ok((draft, proof))
}

/// Plans a move of a type out of another one or into one, and proves it.
///
/// # Errors
/// Those of planning and of the index.
pub(super) fn nested_type(
    sides: &Sides<'_, '_>,
    request: &NestType<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    with_fewest_differences(sides, progress, |naming| plan_nest(sides, request, naming))
}

/// Plans and proves a move. Where the simple name of a type means something else, its full name is written.
fn with_fewest_differences(
    sides: &Sides<'_, '_>,
    progress: &dyn Progress,
    plan: impl Fn(Naming) -> Result<Draft, EditError>,
) -> Result<(Draft, Proof), EditError> {
    let draft = plan(Naming::Simple)?;
    let proof = prove_everywhere(sides, &draft, progress)?;
    if proof.differences.is_empty() {
        return Ok((draft, proof));
    }
    let full = plan(Naming::Full)?;
    let again = prove_everywhere(sides, &full, progress)?;
    Ok(match again.differences.len() < proof.differences.len() {
        true => (full, again),
        false => (draft, proof),
    })
}
