//! Rules of base classes and interfaces (CP0007, CP0008).

use crate::compat::run::Run;
use cortex_wire::{Severity, What};

use cortex_model::TypeKind;
use cortex_semantics::TypeSurface;

pub(crate) fn compare(run: &mut Run<'_, '_>, left: &TypeSurface, right: &TypeSurface) {
    let lost = Severity::Breaking;
    let is_known = !left.is_base_unknown && !right.is_base_unknown;
    if is_known && left.kind != TypeKind::Interface && right.kind != TypeKind::Interface {
        base(run, left, right, lost, "no longer derives from");
        if run.is_strict() {
            base(run, right, left, Severity::Compatible, "now derives from");
        }
    }
    interfaces(run, left, right, lost, "no longer implements");
    if run.is_strict() {
        interfaces(run, right, left, Severity::Compatible, "now implements");
    }
}

/// The nearest base class of one must be one of the other's. Those above it are told where they went.
fn base(
    run: &mut Run<'_, '_>,
    one: &TypeSurface,
    other: &TypeSurface,
    severity: Severity,
    words: &str,
) {
    let Some(nearest) = one.bases.first() else {
        return;
    };
    if !other.bases.contains(nearest) {
        run.out.push(crate::compat::answer::difference(
            "CP0007",
            What::Changed,
            other.id.clone(),
            severity,
            format!("{words} `{nearest}`"),
            &other.place,
        ));
    }
}

/// The first interface that the other lacks. As in the SDK, an interface that others cannot name ends the search.
fn interfaces(
    run: &mut Run<'_, '_>,
    one: &TypeSurface,
    other: &TypeSurface,
    severity: Severity,
    words: &str,
) {
    let seen = one.interfaces.iter().take_while(|it| it.is_visible);
    let mut missing = seen.filter(|it| !other.interfaces.iter().any(|there| there.key == it.key));
    if let Some(missing) = missing.next() {
        run.out.push(crate::compat::answer::difference(
            "CP0008",
            What::Changed,
            other.id.clone(),
            severity,
            format!("{words} `{}`", missing.key),
            &other.place,
        ));
    }
}
