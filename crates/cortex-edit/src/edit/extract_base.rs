//! A base class of some members of a class, with its proof.

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::Progress;
use cortex_look::{unused::doubts::may_be_used_otherwise, uses::edit_target, viewpoint::Viewpoint};
use cortex_wire::UnusedWhy;

use super::{Sides, prove_everywhere};
use crate::{
    EditError,
    draft::Draft,
    extract_base::{ExtractBase, Extracted, plan_extract_base},
    proof::Proof,
};

/// What reaches members that a class inherits as it reaches those that it declares, or what the proof decides about.
const FOLLOWED: [UnusedWhy; 8] = [
    UnusedWhy::Overrides,
    UnusedWhy::Implements,
    UnusedWhy::Convention,
    UnusedWhy::Derived,
    UnusedWhy::UnknownBase,
    UnusedWhy::TypeArgument,
    UnusedWhy::NotBound,
    UnusedWhy::Inactive,
];

/// Plans and proves it. What finds the members by other means than their names may look for them in the class alone.
///
/// # Errors
/// Those of planning and of the index.
pub(super) fn with_base(
    sides: &Sides<'_, '_>,
    request: &ExtractBase<'_>,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let extracted = plan_extract_base(sides, request, progress)?;
    let mut proof = prove_everywhere(sides, &extracted.draft, progress)?;
    add_other_users(sides[0].0, request, &extracted, &mut proof)?;
    proof.warn(extracted.warnings);
    Ok((extracted.draft, proof))
}

/// Adds the members that go which frameworks, serializers or reflection may reach.
fn add_other_users(
    view: &Viewpoint<'_>,
    request: &ExtractBase<'_>,
    extracted: &Extracted,
    found: &mut Proof,
) -> Result<(), EditError> {
    for class in edit_target(view, request.symbol)?.symbols {
        let key = class.key();
        let symbols = view.snapshot().symbols(key)?;
        let mut ids = DocIds::new(view.snapshot());
        for tag in (0..symbols.members.len()).map(|at| symbols.tag(at)) {
            let id = ids.of(key, Some(tag))?;
            if !id.is_some_and(|id| extracted.doc_ids.contains(&id)) {
                continue;
            }
            let member = Target::Member(key, tag);
            if let Some(used) = may_be_used_otherwise(view, member, &FOLLOWED)? {
                found.doubt_use(used);
            }
        }
    }
    Ok(())
}
