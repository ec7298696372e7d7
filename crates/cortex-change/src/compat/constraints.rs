//! Rules of type parameters (CP0021).

use crate::compat::run::{Run, is};
use cortex_wire::{Severity, What};

use cortex_model::TypeKind;
use cortex_semantics::{MemberFlags, MemberSurface, TypeFlags, TypeParamSurface, TypeSurface};

pub(crate) fn of_type(run: &mut Run<'_, '_>, left: &TypeSurface, right: &TypeSurface) {
    let is_sealed = left.flags.has(TypeFlags::SEALED) && left.kind != TypeKind::Interface;
    let params = [&*left.type_params, &*right.type_params];
    compare(run, params, &left.id, is_sealed, &right.place);
}

pub(crate) fn of_method(run: &mut Run<'_, '_>, left: &MemberSurface, right: &MemberSurface) {
    let params = [&*left.type_params, &*right.type_params];
    let is_final = !is(left, MemberFlags::VIRTUAL);
    compare(run, params, &left.id, is_final, &right.place);
}

/// `may_lose`: nobody derives from it or overrides it, so that a constraint less breaks no one.
fn compare(
    run: &mut Run<'_, '_>,
    [left, right]: [&[TypeParamSurface]; 2],
    id: &str,
    may_lose: bool,
    place: &cortex_semantics::Place,
) {
    let may_lose = may_lose && !run.is_strict();
    for (index, (left, right)) in left.iter().zip(right).enumerate() {
        let mut say = |what: What, constraint: &str| {
            run.out.push(crate::compat::answer::difference(
                "CP0021",
                what,
                format!("{id}``{index}:{constraint}"),
                Severity::Breaking,
                format!("constraint `{constraint}` {}", what.word()),
                place,
            ));
        };
        for word in right.words.iter().filter(|it| !left.words.contains(it)) {
            say(What::Added, word);
        }
        let has = |of: &TypeParamSurface, key: &str| of.types.iter().any(|(it, _)| it == key);
        for (_, doc_id) in right.types.iter().filter(|(key, _)| !has(left, key)) {
            say(What::Added, doc_id);
        }
        if may_lose {
            continue;
        }
        for word in left.words.iter().filter(|it| !right.words.contains(it)) {
            say(What::Removed, word);
        }
        for (_, doc_id) in left.types.iter().filter(|(key, _)| !has(right, key)) {
            say(What::Removed, doc_id);
        }
    }
}
