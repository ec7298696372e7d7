//! Rows of registrations for dependency injection.

use std::collections::BTreeSet;

use cortex_wire::{Certainty, Registration};

use super::rows::{merged, use_line};
use crate::{
    markdown::{names::Names, plan::counted},
    text::line,
};

/// What is registered as what and where, and which types take it.
pub(super) fn registration_line(registration: &Registration, names: &Names) -> String {
    let service = registration.service.as_deref();
    let service = service.map(|id| {
        let name = names.of(id.strip_prefix("T:").unwrap_or(id)).into_owned();
        format!(" as {name}")
    });
    format!(
        "{} registered{}: {}",
        names.listed(&registration.ty),
        service.unwrap_or_default(),
        use_line(&registration.at, Certainty::Exact, None)
    ) + &injected(registration)
}

/// So many types that take a service are named.
const MAX_TAKING: usize = 2;

/// Which types take a service; of many, how often it is taken.
fn injected(registration: &Registration) -> String {
    let taken = merged(registration.consumers.iter());
    let types: BTreeSet<&str> = (taken.iter())
        .filter_map(|(used, _)| used.inside.as_deref())
        .filter_map(|inside| inside.split(".#ctor").next())
        .filter_map(|ty| ty.rsplit(['.', ':']).next())
        .collect();
    let types: Vec<_> = types.into_iter().map(line).collect();
    match taken.len() {
        0 => String::new(),
        1..=MAX_TAKING if !types.is_empty() => format!(" (injected in {})", types.join(", ")),
        n => format!(" (injected in {})", counted(n, "place", "places")),
    }
}
