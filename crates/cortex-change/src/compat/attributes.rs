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
    let mut say = |rule, what, severity, attribute: &AttributeSurface, words: &str| {
        run.out.push(crate::compat::answer::difference(
            rule,
            what,
            format!("{symbol}:[{}]", attribute.id),
            severity,
            format!("{} {words}", text(attribute)),
            place,
        ));
    };
    for attribute in left {
        let mut there = right.iter().filter(|it| it.id == attribute.id).peekable();
        if there.peek().is_none() {
            say(
                "CP0014",
                What::Removed,
                Severity::Breaking,
                attribute,
                "removed",
            );
        } else if !there.any(|it| it == attribute) {
            say(
                "CP0015",
                What::Changed,
                Severity::Breaking,
                attribute,
                "has other arguments",
            );
        }
    }
    for attribute in right.iter().filter(|_| is_strict) {
        let mut there = left.iter().filter(|it| it.id == attribute.id).peekable();
        if there.peek().is_none() {
            say(
                "CP0016",
                What::Added,
                Severity::Compatible,
                attribute,
                "added",
            );
        } else if !there.any(|it| it == attribute) {
            say(
                "CP0015",
                What::Changed,
                Severity::Compatible,
                attribute,
                "has other arguments",
            );
        }
    }
}

/// An attribute as C# writes it, more or less.
fn text(attribute: &AttributeSurface) -> String {
    let class = attribute.id.rsplit(['.', ':']).next().unwrap_or_default();
    let class = class.strip_suffix("Attribute").unwrap_or(class);
    let arguments = attribute.arguments.iter().map(|value| value.text());
    let named = (attribute.named.iter()).map(|(name, value)| format!("{name} = {}", value.text()));
    let all: Vec<String> = arguments.chain(named).collect();
    if all.is_empty() {
        format!("`[{class}]`")
    } else {
        format!("`[{class}({})]`", all.join(", "))
    }
}
