//! Rules of attributes (CP0014–CP0016). Those whose class others cannot name count as well: they are in the
//! assembly, and tools read them (nullability).

use crate::compat::run::{Run, is_method};
use cortex_wire::{Severity, What};

use cortex_semantics::{AttributeSurface, MemberSurface, Place, TypeParamSurface, TypeSurface};

pub(crate) fn of_type(run: &mut Run<'_, '_>, left: &TypeSurface, right: &TypeSurface) {
    let params = [&*left.type_params, &*right.type_params];
    of_type_params(run, params, &left.id, &right.place);
    compare(
        run,
        [&left.attributes, &right.attributes],
        left.id.clone(),
        &right.place,
    );
}

pub(crate) fn of_member(run: &mut Run<'_, '_>, left: &MemberSurface, right: &MemberSurface) {
    let (id, place) = (&left.id, &right.place);
    if is_method(left) && is_method(right) {
        compare(
            run,
            [&left.return_attributes, &right.return_attributes],
            format!("{id}->{}", left.ty_text),
            place,
        );
        if left.params.len() == right.params.len() {
            for (index, (a, b)) in left.params.iter().zip(&right.params).enumerate() {
                let symbol = format!("{id}${index}");
                compare(run, [&a.attributes, &b.attributes], symbol, place);
            }
        }
        let params = [&*left.type_params, &*right.type_params];
        of_type_params(run, params, id, place);
    }
    compare(
        run,
        [&left.attributes, &right.attributes],
        id.clone(),
        place,
    );
}

fn of_type_params(
    run: &mut Run<'_, '_>,
    [left, right]: [&[TypeParamSurface]; 2],
    id: &str,
    place: &Place,
) {
    if left.len() != right.len() {
        return;
    }
    for (index, (a, b)) in left.iter().zip(right).enumerate() {
        let symbol = format!("{id}<{index}>");
        compare(run, [&a.attributes, &b.attributes], symbol, place);
    }
}

fn compare(
    run: &mut Run<'_, '_>,
    [left, right]: [&[AttributeSurface]; 2],
    symbol: String,
    place: &Place,
) {
    let is_strict = run.is_strict();
    let mut say = |rule, what, severity, attribute: &AttributeSurface, reason: String| {
        run.out.push(crate::compat::answer::difference(
            rule,
            what,
            format!("{symbol}:[{}]", attribute.id),
            severity,
            reason,
            place,
        ));
    };
    for attribute in left {
        let mut there = right.iter().filter(|it| it.id == attribute.id).peekable();
        if there.peek().is_none() {
            let reason = format!("{} removed", text(attribute));
            let severity = Severity::Breaking;
            say("CP0014", What::Removed, severity, attribute, reason);
        } else if let Some(reason) = other_arguments(attribute, there) {
            let severity = Severity::Breaking;
            say("CP0015", What::Changed, severity, attribute, reason);
        }
    }
    for attribute in right.iter().filter(|_| is_strict) {
        let mut there = left.iter().filter(|it| it.id == attribute.id).peekable();
        if there.peek().is_none() {
            let reason = format!("{} added", text(attribute));
            let severity = Severity::Compatible;
            say("CP0016", What::Added, severity, attribute, reason);
        } else if let Some(reason) = other_arguments(attribute, there) {
            let severity = Severity::Compatible;
            say("CP0015", What::Changed, severity, attribute, reason);
        }
    }
}

/// Why an attribute differs from those of its class on the other side; `None` if one of them is equal.
///
/// The SDK compares the arguments of an enum's type by their numbers, and so does this. Where the source is the same
/// on both sides, the reason is the constant that has another value: one cause for all attributes that name it.
fn other_arguments<'s>(
    attribute: &AttributeSurface,
    there: impl Iterator<Item = &'s AttributeSurface>,
) -> Option<String> {
    let others: Vec<&AttributeSurface> = there.collect();
    if others.contains(&attribute) {
        return None;
    }
    let as_written = others.iter().find(|it| it.written == attribute.written);
    let cause = as_written.and_then(|other| other_value([attribute, other]));
    Some(match cause {
        Some(cause) => format!("`[{}]` {OTHER_ARGUMENTS}: {cause}", class_of(attribute)),
        None => format!("{} {OTHER_ARGUMENTS}", text(attribute)),
    })
}

/// What is said of an attribute whose arguments differ.
pub(crate) const OTHER_ARGUMENTS: &str = "has other arguments";

/// The constant that has another value on the other side, of two attributes with the same source.
fn other_value([attribute, other]: [&AttributeSurface; 2]) -> Option<String> {
    let constants = attribute.constants.iter().zip(&other.constants);
    let mut differing = constants.filter(|(a, b)| {
        let is_same = (&a.ty, &a.name) == (&b.ty, &b.name);
        is_same && a.value != b.value
    });
    let (constant, _) = differing.next()?;
    Some(match constant.is_of_enum {
        true => format!("enum `{}` was renumbered", constant.ty),
        false => format!("constant `{}` has another value", constant.name),
    })
}

/// The class of an attribute as C# writes it.
fn class_of(attribute: &AttributeSurface) -> &str {
    let class = attribute.id.rsplit(['.', ':']).next().unwrap_or_default();
    class.strip_suffix("Attribute").unwrap_or(class)
}

/// An attribute as C# writes it, more or less.
fn text(attribute: &AttributeSurface) -> String {
    let class = class_of(attribute);
    let arguments = attribute.arguments.iter().map(|value| value.text());
    let named = (attribute.named.iter()).map(|(name, value)| format!("{name} = {}", value.text()));
    let all: Vec<String> = arguments.chain(named).collect();
    if all.is_empty() {
        format!("`[{class}]`")
    } else {
        format!("`[{class}({})]`", all.join(", "))
    }
}
