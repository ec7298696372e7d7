//! Rules of types: existence, sealing, enums, visibility (CP0001, CP0009–CP0011, CP0019, CP0020).

use crate::compat::run::Run;
use cortex_wire::{Severity, What};

use cortex_model::{Accessibility, TypeKind};
use cortex_semantics::{MemberKind, TypeSurface};

pub(crate) fn must_exist(
    run: &mut Run<'_, '_>,
    left: Option<&TypeSurface>,
    right: Option<&TypeSurface>,
) {
    let [removed, added] = if run.is_hidden {
        [
            "no longer visible outside its assembly",
            "now visible outside its assembly",
        ]
    } else {
        ["removed", "added"]
    };
    match (left, right) {
        (Some(left), None) => run.out.push(crate::compat::answer::difference(
            "CP0001",
            What::Removed,
            left.id.clone(),
            Severity::Breaking,
            removed.to_owned(),
            &left.place,
        )),
        (None, Some(right)) if run.is_strict() => run.out.push(crate::compat::answer::difference(
            "CP0001",
            What::Added,
            right.id.clone(),
            Severity::Compatible,
            added.to_owned(),
            &right.place,
        )),
        _ => {}
    }
}

pub(crate) fn compare(run: &mut Run<'_, '_>, left: &TypeSurface, right: &TypeSurface) {
    seal(run, left, right);
    enums(run, left, right);
    let order = compare_accessibility(left.accessibility, right.accessibility);
    visibility(
        run,
        order,
        [left.accessibility, right.accessibility],
        &left.id,
        &right.place,
    );
}

fn seal(run: &mut Run<'_, '_>, left: &TypeSurface, right: &TypeSurface) {
    if left.kind == TypeKind::Interface || right.kind == TypeKind::Interface {
        return;
    }
    let is_strict = run.is_strict();
    let mut say = |symbol: &str, severity, reason: &str| {
        run.out.push(crate::compat::answer::difference(
            "CP0009",
            What::Changed,
            symbol.to_owned(),
            severity,
            reason.to_owned(),
            &right.place,
        ));
    };
    if left.is_inheritable && !right.is_inheritable {
        say(
            &right.id,
            Severity::Breaking,
            "can no longer be derived from",
        );
    } else if is_strict && right.is_inheritable && !left.is_inheritable {
        say(&left.id, Severity::Compatible, "can now be derived from");
    }
}

fn enums(run: &mut Run<'_, '_>, left: &TypeSurface, right: &TypeSurface) {
    if left.kind != TypeKind::Enum || right.kind != TypeKind::Enum {
        return;
    }
    if left.underlying != right.underlying {
        let text = |ty: &TypeSurface| ty.underlying.clone().unwrap_or_default();
        run.out.push(crate::compat::answer::difference(
            "CP0010",
            What::Changed,
            right.id.clone(),
            Severity::Breaking,
            format!("values were `{}`, are `{}`", text(left), text(right)),
            &right.place,
        ));
        return;
    }
    let is_field = |kind: MemberKind| kind == MemberKind::Field;
    for before in left.members.iter().filter(|member| is_field(member.kind)) {
        let mut fields = right.members.iter().filter(|member| is_field(member.kind));
        let Some(after) = fields.find(|member| member.name == before.name) else {
            continue;
        };
        if let (Some(a), Some(b)) = (&before.value, &after.value)
            && a != b
        {
            run.out.push(crate::compat::answer::difference(
                "CP0011",
                What::Changed,
                after.id.clone(),
                Severity::Breaking,
                format!("was {}, is {}", a.text(), b.text()),
                &after.place,
            ));
        }
    }
}

/// CP0019 and CP0020. `order`: how the older accessibility stands to the newer one.
pub(crate) fn visibility(
    run: &mut Run<'_, '_>,
    order: std::cmp::Ordering,
    [before, after]: [Accessibility; 2],
    symbol: &str,
    place: &cortex_semantics::Place,
) {
    let (rule, severity) = match order {
        std::cmp::Ordering::Greater => ("CP0019", Severity::Breaking),
        std::cmp::Ordering::Less if run.is_strict() => ("CP0020", Severity::Compatible),
        _ => return,
    };
    run.out.push(crate::compat::answer::difference(
        rule,
        What::Changed,
        symbol.to_owned(),
        severity,
        format!("was {before}, is {after}"),
        place,
    ));
}

/// How visible the first is to other assemblies beside the second.
pub(crate) fn compare_accessibility(a: Accessibility, b: Accessibility) -> std::cmp::Ordering {
    let rank = |it: Accessibility| match it {
        Accessibility::Public => 2,
        Accessibility::Protected | Accessibility::ProtectedInternal => 1,
        _ => 0,
    };
    rank(a).cmp(&rank(b))
}
