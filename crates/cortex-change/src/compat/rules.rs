//! The rules, and how they are run over one type.
//!
//! The rules of the SDK are those of its package validation, strict mode included, with the attribute and
//! parameter name rules on. Whatever strict mode says in other words than the default one is told once.

use crate::compat::{
    attributes, constraints, hierarchy, members, own,
    run::{Pair, Run, Sides, Strictness},
    types,
};
use cortex_wire::{ApiDifference, Mode, Severity};

/// Everything that differs in a type, with its members. Nested types are compared on their own.
pub(crate) fn run(sides: &Sides<'_, '_>, pair: &Pair) -> Vec<ApiDifference> {
    let ids = [
        pair.left.as_ref().map(|(id, _)| *id),
        pair.right.as_ref().map(|(id, _)| *id),
    ];
    let in_mode = |strictness| {
        let mut run = Run {
            sides,
            strictness,
            ids,
            is_hidden: pair.is_hidden,
            out: Vec::new(),
        };
        let left = pair.left.as_ref().map(|(_, surface)| surface);
        let right = pair.right.as_ref().map(|(_, surface)| surface);
        types::must_exist(&mut run, left, right);
        if let (Some(left), Some(right)) = (left, right) {
            types::compare(&mut run, left, right);
            hierarchy::compare(&mut run, left, right);
            constraints::of_type(&mut run, left, right);
            attributes::of_type(&mut run, left, right);
            members::compare(&mut run, left, right);
        }
        run.out
    };
    let default = in_mode(Strictness::Default);
    let strict = in_mode(Strictness::Strict);
    let is_same = |a: &ApiDifference, b: &ApiDifference| {
        (&a.rule, a.what, &a.symbol) == (&b.rule, b.what, &b.symbol)
    };
    let mut out: Vec<ApiDifference> = Vec::new();
    for mut it in default {
        let is_in_both = strict.iter().any(|other| is_same(&it, other));
        it.mode = if is_in_both {
            Mode::Both
        } else {
            Mode::Breaking
        };
        out.push(it);
    }
    for mut it in strict {
        if !out.iter().any(|other| is_same(&it, other)) {
            it.mode = Mode::Strict;
            // What the default mode does not report breaks nobody.
            it.severity = Severity::Compatible;
            out.push(it);
        }
    }
    if let (Some((_, left)), Some((_, right))) = (&pair.left, &pair.right) {
        own::compare(left, right, &mut out);
    }
    for it in &mut out {
        it.ty = pair
            .surface()
            .map_or_else(String::new, |ty| ty.name.clone());
    }
    out
}
