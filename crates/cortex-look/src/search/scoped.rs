//! Which of the files that may be searched are in a scope.

use crate::scope::Scopes;
use cortex_derived::files::Candidate;
use cortex_scope::{Coverage, Scope};

/// Leaves what is in a scope.
pub(crate) fn limit_to(candidates: &mut Vec<Candidate>, scopes: &Scopes<'_>, scope: &Scope) {
    candidates.retain_mut(|file| match scopes.coverage(scope, file.path.as_str()) {
        Coverage::Nothing => false,
        Coverage::Whole => true,
        Coverage::Ranges(ranges) => {
            file.part = Some(ranges.clone());
            true
        }
    });
}
