//! Which types may be in a window, the most important first.

use std::cmp::Reverse;

use cortex_derived::source::Source;
use cortex_look::access::types_of_id;
use cortex_model::TypeKey;
use cortex_wire::{WindowPart, WindowReason};
use rustc_hash::FxHashSet;

use super::WindowOptions;
use crate::{
    FreshError,
    committed::Committed,
    configured::types_called,
    pack::files::pack_types,
    pins::{Pin, Pins},
};

/// For so many seconds what was requested is what the user is at.
const FOCUS_SECONDS: i64 = 30 * 60;

/// So many of the last requests are what the user is at.
const N_FOCUS: usize = 8;

/// So many types that one of these depends on belong to it.
const N_DEPENDENCIES: usize = 6;

/// Types of the pack that the user works on count so much more, in percent.
const PACK_WEIGHT: usize = 150;

/// A type that may be in the window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) key: TypeKey,
    pub(super) type_id: String,
    pub(super) part: WindowPart,
    pub(super) reason: WindowReason,
}

/// All that may be in a window.
pub(super) struct Found {
    /// The most important first, each type once.
    pub(super) candidates: Vec<Candidate>,
    /// Pins that mean nothing.
    pub(super) unknown_pins: Vec<String>,
}

struct Finding<'a> {
    source: Source<'a>,
    seen: FxHashSet<TypeKey>,
    dismissed: FxHashSet<&'a str>,
    out: Vec<Candidate>,
}

/// The types that may be in a window.
pub(super) fn candidates(
    source: Source<'_>,
    committed: &Committed,
    pins: &Pins,
    options: &WindowOptions<'_>,
) -> Result<Found, FreshError> {
    let log = options.log;
    let mut finding = Finding {
        source,
        seen: FxHashSet::default(),
        dismissed: log.dismissed.iter().map(String::as_str).collect(),
        out: Vec::new(),
    };
    let mut unknown_pins = Vec::new();
    for pin in &pins.pins {
        let keys = pinned_types(source, pin)?;
        if keys.is_empty() {
            unknown_pins.push(pin.clone());
        }
        for key in keys {
            finding.add(key, WindowPart::Pinned, WindowReason::Pinned)?;
        }
    }
    let mut centers = Vec::new();
    for choice in log.added.iter().filter(|it| it.until > options.now) {
        for key in types_of_id(source.snapshot(), &choice.type_id)? {
            finding.add(key, WindowPart::Focus, WindowReason::Added)?;
            centers.push(key);
        }
    }
    let is_focus = |time: i64| (0..FOCUS_SECONDS).contains(&(options.now - time));
    let requested = log.accesses.iter().filter(|it| is_focus(it.time));
    for access in requested.take(N_FOCUS) {
        for key in types_of_id(source.snapshot(), &access.type_id)? {
            if finding.is_dismissed(key)? {
                continue;
            }
            finding.add(key, WindowPart::Focus, WindowReason::Requested)?;
            centers.push(key);
        }
    }
    finding.neighbors(&centers)?;

    let pack: FxHashSet<TypeKey> = match &log.pack {
        Some(name) => pack_types(source, committed, name)?.into_iter().collect(),
        None => FxHashSet::default(),
    };
    let mut recent: Vec<(usize, usize, TypeKey)> = Vec::new();
    for (at, access) in log.accesses.iter().enumerate() {
        for key in types_of_id(source.snapshot(), &access.type_id)? {
            let weight = if pack.contains(&key) {
                PACK_WEIGHT
            } else {
                100
            };
            recent.push(((log.accesses.len() - at) * weight, at, key));
        }
    }
    recent.sort_by_key(|(weight, at, key)| (Reverse(*weight), *at, *key));
    for (_, _, key) in recent {
        finding.add(key, WindowPart::Recent, WindowReason::Requested)?;
    }
    Ok(Found {
        candidates: finding.out,
        unknown_pins,
    })
}

/// The types that a pin means, by name.
pub(crate) fn pinned_types(source: Source<'_>, pin: &str) -> Result<Vec<TypeKey>, FreshError> {
    match Pin::read(pin) {
        Pin::Type(name) => {
            let mut keys = types_called(source, name)?;
            keys.sort_unstable();
            Ok(keys)
        }
        Pin::Path(path) => {
            let mut found: Vec<(String, TypeKey)> = Vec::new();
            for (key, header) in source.snapshot().type_headers()? {
                let mut parts = header.parts.iter();
                if parts.any(|part| is_in(path, part.path.as_str())) {
                    found.push((header.fqn, key));
                }
            }
            found.sort();
            Ok(found.into_iter().map(|(_, key)| key).collect())
        }
    }
}

/// Whether a file is the one of a pin, or in its folder.
fn is_in(pin: &str, file: &str) -> bool {
    file == pin || pin.ends_with('/') && file.starts_with(pin)
}

impl Finding<'_> {
    fn add(
        &mut self,
        key: TypeKey,
        part: WindowPart,
        reason: WindowReason,
    ) -> Result<(), FreshError> {
        let type_id = self.source.snapshot().display_id(key)?;
        let is_out = part != WindowPart::Pinned && self.dismissed.contains(type_id.as_str());
        if !is_out && self.seen.insert(key) {
            self.out.push(Candidate {
                key,
                type_id,
                part,
                reason,
            });
        }
        Ok(())
    }

    fn is_dismissed(&self, key: TypeKey) -> Result<bool, FreshError> {
        let id = self.source.snapshot().display_id(key)?;
        Ok(self.dismissed.contains(id.as_str()))
    }

    /// Adds what types derive from, then what they depend on most.
    fn neighbors(&mut self, centers: &[TypeKey]) -> Result<(), FreshError> {
        let snapshot = self.source.snapshot();
        for key in centers {
            let header = snapshot.type_header(*key)?;
            for base in header.into_iter().flat_map(|header| header.bases) {
                self.add(base, WindowPart::Focus, WindowReason::Base)?;
            }
        }
        for key in centers {
            let mut edges = snapshot.edges(*key)?.source;
            edges.retain(|edge| edge.target != *key);
            edges.sort_by_key(|edge| (Reverse(edge.count), edge.target));
            for edge in edges.into_iter().take(N_DEPENDENCIES) {
                self.add(edge.target, WindowPart::Focus, WindowReason::Dependency)?;
            }
        }
        Ok(())
    }
}
