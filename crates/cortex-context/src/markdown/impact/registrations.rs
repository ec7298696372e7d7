//! Rows of registrations for dependency injection.

use std::collections::BTreeSet;

use cortex_wire::{Certainty, CodePlace, Registration};

use super::rows::{merged, use_line};
use crate::{
    markdown::{names::Names, places::in_members, plan::counted},
    text::line,
};

/// Registrations that differ in their places alone, each with how many more there are of it: the first of them in their
/// order.
pub(super) fn folded<'r>(
    all: &[&'r Registration],
) -> Vec<(&'r Registration, Vec<&'r Registration>)> {
    let mut out: Vec<(&Registration, Vec<&Registration>)> = Vec::new();
    for &registration in all {
        let same = |(first, _): &&mut (&Registration, Vec<&Registration>)| {
            (&first.id, &first.service) == (&registration.id, &registration.service)
                && injected(first) == injected(registration)
        };
        match out.iter_mut().find(same) {
            Some((_, more)) => more.push(registration),
            None => out.push((registration, Vec::new())),
        }
    }
    out
}

/// What is registered as what and where, and which types take it. `more`: the same elsewhere.
pub(super) fn registration_line(
    registration: &Registration,
    more: &[&Registration],
    names: &Names,
) -> String {
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
        + &also(more)
}

/// The further places of a registration.
fn also(more: &[&Registration]) -> String {
    let places = more.iter().map(|registration| CodePlace {
        path: registration.at.path.clone(),
        line: registration.at.at.line,
        inside: registration.at.inside.clone(),
    });
    let places: Vec<CodePlace> = places.collect();
    match places.is_empty() {
        true => String::new(),
        false => format!("; also at {}", in_members(&Vec::from_iter(&places))),
    }
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
