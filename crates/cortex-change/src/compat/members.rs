//! Rules of members: existence, abstract and interface members, `virtual`, visibility, names of parameters
//! (CP0002, CP0005, CP0006, CP0012, CP0013, CP0017–CP0020).

use crate::compat::{
    attributes, constraints,
    run::{Run, is, is_included, is_method},
    types,
};
use cortex_look::follow::overloads::pair_overloads;
use cortex_wire::{Severity, What};

use std::collections::BTreeMap;

use cortex_model::TypeKind;
use cortex_semantics::{
    MemberFlags, MemberKind, MemberSurface, MethodShape, TypeParamSurface, TypeSurface,
};

pub(crate) fn compare(run: &mut Run<'_, '_>, left: &TypeSurface, right: &TypeSurface) {
    let mut pairs: BTreeMap<&str, [Option<&MemberSurface>; 2]> = BTreeMap::new();
    for (side, ty) in [left, right].into_iter().enumerate() {
        for member in ty.members.iter().filter(|member| is_included(ty, member)) {
            pairs.entry(&member.key).or_default()[side] = Some(member);
        }
    }
    for pair in pairs.into_values() {
        match pair {
            [Some(before), Some(after)] => both(run, [left, right], before, after),
            [Some(before), None] => removed(run, [left, right], before),
            [None, Some(after)] => added(run, [left, right], after),
            [None, None] => {}
        }
    }
}

fn removed(run: &mut Run<'_, '_>, sides: [&TypeSurface; 2], member: &MemberSurface) {
    if must_be_there(run, member, 1) {
        let (severity, reason) = match other_this(sides[1], member) {
            Some(told) => told,
            None => (Severity::Breaking, why_missing(run, sides, member)),
        };
        run.out.push(crate::compat::answer::difference(
            "CP0002",
            What::Removed,
            member.id.clone(),
            severity,
            reason,
            &member.place,
        ));
    }
}

/// What it means that a method has `this` before its first parameter on one side alone: to compiled code nothing.
fn other_this(right: &TypeSurface, member: &MemberSurface) -> Option<(Severity, String)> {
    let was = is(member, MemberFlags::EXTENSION);
    let same = right.members.iter().find(|it| {
        let bare = |key: &str| key.replacen("(this ", "(", 1);
        is(it, MemberFlags::EXTENSION) != was
            && bare(&it.key) == bare(&member.key)
            && it.accessibility == member.accessibility
    });
    same.map(|_| match was {
        true => {
            let reason = "no longer an extension method: `this` was removed";
            (Severity::SourceBreaking, reason.to_owned())
        }
        false => (
            Severity::Compatible,
            "is an extension method now".to_owned(),
        ),
    })
}

/// What became of a member that the newer side lacks.
fn why_missing(
    run: &Run<'_, '_>,
    [left, right]: [&TypeSurface; 2],
    member: &MemberSurface,
) -> String {
    let others = of_name(right, member);
    let Some(same) = others.iter().find(|other| other.id == member.id) else {
        if let Some(became) = overload_of(left, &others, member) {
            let name = &became.place.name;
            return match takes_more(member, became) {
                true => format!("its parameters changed, calls still compile: `{name}`"),
                false => format!("its parameters changed: `{name}`"),
            };
        }
        let hidden = run.ids[1].and_then(|id| run.sides.new.accessibility_of(id, &member.id));
        return match hidden {
            Some(accessibility) => format!("is now {accessibility}"),
            None if member.kind == MemberKind::Accessor => {
                "removed, or no longer visible to others".to_owned()
            }
            None => "removed".to_owned(),
        };
    };
    if !is_included(right, same) && same.accessibility != member.accessibility {
        return format!("is now {}", same.accessibility);
    }
    if !is_included(right, same) {
        return "no longer visible: its type can no longer be derived from".to_owned();
    }
    if same.ty != member.ty && (same.has_unknown || member.has_unknown) {
        return "its type changed".to_owned();
    }
    if same.ty != member.ty {
        return format!("its type was {}, is {}", member.ty, same.ty);
    }
    if same.key.ends_with(".init") != member.key.ends_with(".init") {
        let [was, is] = [member, same].map(|it| {
            if it.key.ends_with(".init") {
                "init"
            } else {
                "set"
            }
        });
        return format!("was `{was}`, is `{is}`");
    }
    "names of type parameters or tuple elements changed".to_owned()
}

/// Whether all that differs are parameters behind the others which a call may leave out.
fn takes_more(before: &MemberSurface, after: &MemberSurface) -> bool {
    let n_before = before.params.len();
    let (Some(same), Some(more)) = (after.params.get(..n_before), after.params.get(n_before..))
    else {
        return false;
    };
    // Types stand in the id alone.
    let open = before.id.strip_suffix(')').unwrap_or(&before.id);
    let has_same_types = after.id.starts_with(open);
    has_same_types
        && before.ty == after.ty
        && before.type_params.len() == after.type_params.len()
        && same.iter().zip(&before.params).all(|(new, old)| {
            new.name == old.name && new.ref_kind == old.ref_kind && !old.is_params
        })
        && !more.is_empty()
        && more.iter().all(|it| it.default.is_some())
}

/// The members of a type that have the name and kind of one.
fn of_name<'t>(ty: &'t TypeSurface, member: &MemberSurface) -> Vec<&'t MemberSurface> {
    let members = ty.members.iter();
    let same = members.filter(|other| other.name == member.name && other.kind == member.kind);
    same.collect()
}

/// Which of the overloads that are new on the newer side one became that is gone. `after`: all of its name there.
fn overload_of<'t>(
    left: &TypeSurface,
    after: &[&'t MemberSurface],
    member: &MemberSurface,
) -> Option<&'t MemberSurface> {
    let before = of_name(left, member);
    let lacks = |all: &[&MemberSurface], one: &MemberSurface| all.iter().all(|it| it.id != one.id);
    let came: Vec<&MemberSurface> = (after.iter().copied())
        .filter(|one| lacks(&before, one))
        .collect();
    let gone: Vec<&MemberSurface> = (before.into_iter())
        .filter(|one| lacks(after, one))
        .collect();
    let names = |all: &[&'_ MemberSurface]| -> Vec<String> {
        all.iter().map(|it| it.place.name.clone()).collect()
    };
    let (old, new) = (names(&gone), names(&came));
    let [old, new] = [&old, &new].map(|it| it.iter().map(String::as_str).collect::<Vec<_>>());
    let pairs = pair_overloads(&old, &new).into_iter();
    let mut own = pairs.filter(|&(at, _)| gone[at].id == member.id);
    own.next().map(|(_, to)| came[to])
}

fn added(run: &mut Run<'_, '_>, [left, right]: [&TypeSurface; 2], member: &MemberSurface) {
    if run.is_strict() {
        if must_be_there(run, member, 0) {
            run.out.push(crate::compat::answer::difference(
                "CP0002",
                What::Added,
                member.id.clone(),
                Severity::Compatible,
                "added".to_owned(),
                &member.place,
            ));
        }
        return;
    }
    let mut say = |rule, severity, reason: &str| {
        run.out.push(crate::compat::answer::difference(
            rule,
            What::Added,
            member.id.clone(),
            severity,
            reason.to_owned(),
            &member.place,
        ));
    };
    let is_abstract = is(member, MemberFlags::ABSTRACT);
    if is_abstract && left.kind != TypeKind::Interface && left.is_inheritable {
        say(
            "CP0005",
            Severity::Breaking,
            "derived types must implement it",
        );
    }
    let has_default = is(member, MemberFlags::VIRTUAL) && !is_abstract;
    let is_counted = !matches!(member.kind, MemberKind::Field | MemberKind::Accessor);
    if right.kind == TypeKind::Interface && is_counted && !has_default {
        // The SDK's check asks for an implementation, which a static member with a body needs none of.
        let reason = match is(member, MemberFlags::STATIC) && !is_abstract {
            true => "static: implementing types need not add it, though the SDK's check says so",
            false => "implementing types must add it",
        };
        say("CP0006", Severity::Breaking, reason);
    }
}

/// Whether a member that one side lacks is missed there. `side`: the side that lacks it, 0 the older.
fn must_be_there(run: &Run<'_, '_>, member: &MemberSurface, side: usize) -> bool {
    match member.kind {
        // Told of their accessors.
        MemberKind::Property | MemberKind::Event => false,
        MemberKind::Field | MemberKind::Constructor => true,
        MemberKind::Method | MemberKind::Accessor => {
            let shape = MethodShape {
                name: member.name.clone(),
                n_params: member.params.len(),
                ty: member.ty.clone(),
                arity: member.type_params.len(),
            };
            !is(member, MemberFlags::OVERRIDE) && !run.inherits(side, &shape)
        }
    }
}

fn both(
    run: &mut Run<'_, '_>,
    types: [&TypeSurface; 2],
    before: &MemberSurface,
    after: &MemberSurface,
) {
    virtuality(run, types, before, after);
    let order = types::compare_accessibility(before.accessibility, after.accessibility);
    let both = [before.accessibility, after.accessibility];
    types::visibility(run, order, both, &before.id, &after.place);
    if is_method(before) && is_method(after) {
        constraints::of_method(run, before, after);
        names(run, before, after);
    }
    attributes::of_member(run, before, after);
}

fn virtuality(
    run: &mut Run<'_, '_>,
    [left, right]: [&TypeSurface; 2],
    before: &MemberSurface,
    after: &MemberSurface,
) {
    let is_strict = run.is_strict();
    let mut say = |rule, what, severity, reason: &str| {
        run.out.push(crate::compat::answer::difference(
            rule,
            what,
            after.id.clone(),
            severity,
            reason.to_owned(),
            &after.place,
        ));
    };
    let (virtual_, abstract_) = (MemberFlags::VIRTUAL, MemberFlags::ABSTRACT);
    if left.kind == TypeKind::Interface || right.kind == TypeKind::Interface {
        let is_sealed = |member| {
            is(member, MemberFlags::SEALED) || !is(member, virtual_) && !is(member, abstract_)
        };
        if !is_sealed(before) && is_sealed(after) {
            say(
                "CP0018",
                What::Added,
                Severity::Breaking,
                "types that implement the interface can no longer implement it",
            );
        }
        return;
    }
    if is(before, virtual_) {
        if !left.is_inheritable {
            return;
        }
        if !is(after, virtual_) {
            say(
                "CP0012",
                What::Removed,
                Severity::Breaking,
                "`virtual` removed",
            );
        }
    } else if is_strict && is(after, virtual_) {
        say(
            "CP0013",
            What::Added,
            Severity::Compatible,
            "`virtual` added",
        );
    }
    if is(before, abstract_) && !is(after, abstract_) && !is(after, virtual_) {
        say(
            "CP0012",
            What::Removed,
            Severity::Breaking,
            "`abstract` removed",
        );
    }
}

fn names(run: &mut Run<'_, '_>, before: &MemberSurface, after: &MemberSurface) {
    for (index, (a, b)) in before.params.iter().zip(&after.params).enumerate() {
        if a.name != b.name {
            renamed(run, before, after, [&a.name, &b.name], format!("${index}"));
        }
    }
    let type_params = before.type_params.iter().zip(&after.type_params);
    let name = |param: &TypeParamSurface| param.name.clone();
    for (index, (a, b)) in type_params.enumerate() {
        if a.name != b.name {
            let names = [name(a), name(b)];
            renamed(
                run,
                before,
                after,
                [&names[0], &names[1]],
                format!("``{index}"),
            );
        }
    }
}

fn renamed(
    run: &mut Run<'_, '_>,
    before: &MemberSurface,
    after: &MemberSurface,
    [old, new]: [&str; 2],
    suffix: String,
) {
    run.out.push(crate::compat::answer::difference(
        "CP0017",
        What::Changed,
        format!("{}{suffix}", before.id),
        Severity::SourceBreaking,
        format!("`{old}` renamed to `{new}`"),
        &after.place,
    ));
}
