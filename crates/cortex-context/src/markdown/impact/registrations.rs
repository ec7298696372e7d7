//! Rows of registrations for dependency injection.

use cortex_model::simple_name;
use cortex_wire::{CodePlace, Registration};

use super::rows::{member_name, merged};
use crate::{
    look::only_in,
    markdown::{
        names::Names,
        places::{in_files, in_members},
        plan::counted,
    },
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
        let name = id.strip_prefix("T:").unwrap_or(id);
        format!(" as {}", line(simple_name(name)))
    });
    let inside = registration.at.inside.as_deref().and_then(member_name);
    let inside = inside.map_or_else(String::new, |name| format!(" in {}", line(name)));
    format!(
        "{} registered{}: {}:{}{inside}{}",
        names.listed(&registration.ty),
        service.unwrap_or_default(),
        line(registration.at.path.as_str()),
        registration.at.at.line,
        only_in(&registration.at.frameworks),
    ) + &injected(registration)
        + &also(more)
        + &others(registration)
}

/// The other implementations of a service that is registered anew.
fn others(registration: &Registration) -> String {
    let shown = registration.others.iter().map(|other| {
        let ty = other.at.inside.as_deref().map_or("", crate::look::short);
        let registered: Vec<&CodePlace> = other.registered.iter().collect();
        let registered = match registered.is_empty() {
            true => String::new(),
            false => format!(" registered at {}", in_files(&registered)),
        };
        let at = in_files(&[&other.at]);
        format!("{} {at}{registered}", line(ty))
    });
    let shown: Vec<String> = shown.collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!("; other implementations: {}", shown.join(", ")),
    }
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

/// So many places that take a service are named.
const MAX_TAKING: usize = 4;

/// Who takes a service; of many, how often it is taken.
fn injected(registration: &Registration) -> String {
    let taken = merged(registration.consumers.iter());
    let places = taken.iter().map(|(used, _)| {
        let inside = used.inside.as_deref().unwrap_or_default();
        let ty = inside.split(".#ctor").next().unwrap_or(inside);
        let ty = ty.rsplit(['.', ':']).next().unwrap_or(ty);
        let place = format!("{}:{}", line(used.path.as_str()), used.at.line);
        match ty.is_empty() {
            true => place,
            false => format!("{} {place}", line(ty)),
        }
    });
    match taken.len() {
        0 => String::new(),
        1..=MAX_TAKING => format!(" (injected in {})", places.collect::<Vec<_>>().join(", ")),
        n => format!(" (injected in {})", counted(n, "place", "places")),
    }
}
