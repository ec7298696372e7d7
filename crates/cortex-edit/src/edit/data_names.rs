//! Renamed properties and fields whose names may be data: columns, keys of JSON, options.
//!
//! Must not know: how a rename is planned and proven.

use cortex_derived::target::Target;
use cortex_look::{unused::doubts::may_be_used, uses::edit_target, viewpoint::Viewpoint};
use cortex_model::Accessibility;
use cortex_wire::{EditWarning, UnusedWhy, WarningReason};

use crate::{
    EditError,
    proof::Proof,
    rename::{Planned, Rename},
};

/// Warns of a renamed property or field that may be read and written under its name by what no code calls.
pub(super) fn add_names_that_are_data(
    view: &Viewpoint<'_>,
    request: &Rename<'_>,
    planned: &Planned,
    found: &mut Proof,
) -> Result<(), EditError> {
    let doc_id = (planned.subject.as_ref()).and_then(|it| it.resolved.doc_id.as_deref());
    let is_value = doc_id.is_some_and(|id| id.starts_with("P:") || id.starts_with("F:"));
    if !is_value {
        return Ok(());
    }
    for target in edit_target(view, request.symbol)?.symbols {
        // Of a private member all uses are in the files that were read.
        let Target::Member(key, tag) = target else {
            continue;
        };
        let symbols = view.snapshot().symbols(key)?;
        let tags = symbols.tags().zip(&symbols.members);
        let mut others = tags.filter(|(it, _)| *it == tag);
        if others.all(|(_, member)| member.accessibility == Accessibility::Private) {
            continue;
        }
        let Some(used) = may_be_used(view, target)? else {
            continue;
        };
        if matches!(
            used.reason.why,
            UnusedWhy::Serialized | UnusedWhy::TypeArgument
        ) {
            let warning = EditWarning {
                file: used.file,
                line: used.line,
                name: planned.old_name.clone(),
                reason: WarningReason::NameIsData,
            };
            let key = (warning.file.clone(), warning.line);
            found.warnings.entry(key).or_insert(warning);
        }
    }
    Ok(())
}
