//! Which of two applicable candidates is better (C# specification, §12.6.4.3), and which are left out
//! because a more derived type has one (§12.8.10.2) or a higher priority is declared.
//!
//! Must not know: how candidates became applicable.

use cortex_model::TypeKind;
use smallvec::SmallVec;

use super::{
    call::{Call, Form},
    candidate::Candidate,
};
use crate::{
    binder::Binder,
    compilation::Compilation,
    conversions::Better,
    expr::ExprKind,
    special::Special,
    symbol::{MemberFlags, RefKind, Sym},
    ty::{Ty, TyKind},
};

impl<'c> Binder<'c, '_> {
    /// The candidate that is better than all others; `None` where there is none.
    pub(super) fn best_of(
        &mut self,
        candidates: &[Candidate<'c>],
        call: &Call<'_>,
    ) -> Option<usize> {
        let mut best = 0;
        for other in 1..candidates.len() {
            if self.better(&candidates[best], &candidates[other], call) != Better::Left {
                best = other;
            }
        }
        let is_best = (0..candidates.len()).all(|other| {
            other == best
                || self.better(&candidates[best], &candidates[other], call) == Better::Left
        });
        is_best.then_some(best)
    }

    /// §12.6.4.3.
    fn better(&mut self, a: &Candidate<'c>, b: &Candidate<'c>, call: &Call<'_>) -> Better {
        let c = self.c;
        let mut result = Better::Neither;
        // What a lambda says of delegate types counts only where no other argument says otherwise.
        let (mut result_gives_way, mut is_settled) = (false, false);
        let mut is_same = true;
        for index in 0..call.len() {
            let (left, right) = (a.targets[index], b.targets[index]);
            if c.is_identical(left, right) {
                continue;
            }
            is_same = false;
            let arg = call.expr(index);
            let is_silent = matches!(arg.kind, ExprKind::ImplicitOut(_) | ExprKind::Discard);
            if is_silent || left.is_error() || right.is_error() || arg.is_error() {
                continue;
            }
            let it = self.better_conversion(arg, left, right);
            if it == Better::Neither {
                continue;
            }
            let gives_way = self.gives_way(arg, left, right);
            if result == Better::Neither {
                if !(gives_way && is_settled) {
                    result = it;
                    result_gives_way = gives_way;
                }
            } else if result == it {
                result_gives_way &= gives_way;
            } else if result_gives_way {
                // Of two lambdas that disagree, neither counts, nor any that comes after.
                is_settled |= gives_way;
                result = if gives_way { Better::Neither } else { it };
                result_gives_way = false;
            } else if !gives_way {
                result = Better::Neither;
                break;
            }
        }
        if result != Better::Neither {
            return result;
        }
        let used = |it: &Candidate<'_>| match it.form {
            Form::Normal => it.params.len(),
            // Without elements, the `params` parameter is not used.
            Form::Expanded if call.len() < it.params.len() => it.params.len() - 1,
            Form::Expanded => call.len(),
        };
        if !is_same || used(a) != used(b) {
            if used(a) != used(b) {
                match (a.form, b.form) {
                    (Form::Expanded, Form::Normal) => return Better::Right,
                    (Form::Normal, Form::Expanded) => return Better::Left,
                    _ => {}
                }
                if used(a) == call.len() {
                    return Better::Left;
                }
                if used(b) == call.len() {
                    return Better::Right;
                }
            }
            return by_value(a, b, call);
        }
        tie(c, a, b)
            .or_else(|| self.params_collection(a, b))
            .or_else(|| more_specific(c, a, b))
            .unwrap_or_else(|| by_value(a, b, call))
    }

    /// C# 13: of two expanded `params` collections, the better collection of the same elements.
    fn params_collection(&mut self, a: &Candidate<'c>, b: &Candidate<'c>) -> Option<Better> {
        let c = self.c;
        if (a.form, b.form) != (Form::Expanded, Form::Expanded) {
            return None;
        }
        let of = |it: &Candidate<'_>| {
            let last = it.params.get(it.params.len() - 1).ty;
            it.mapping(c).apply(c, last)
        };
        let (left, right) = (of(a), of(b));
        if left == right {
            return None;
        }
        let rank = |ty: Ty| {
            if c.is_special(ty, Special::ReadOnlySpan) {
                0
            } else if c.is_special(ty, Special::Span) {
                1
            } else {
                2
            }
        };
        match rank(left).cmp(&rank(right)) {
            std::cmp::Ordering::Less => return Some(Better::Left),
            std::cmp::Ordering::Greater => return Some(Better::Right),
            std::cmp::Ordering::Equal => {}
        }
        match (
            c.standard_implicit(left, right),
            c.standard_implicit(right, left),
        ) {
            (true, false) => Some(Better::Left),
            (false, true) => Some(Better::Right),
            _ => None,
        }
    }
}

/// The tie-breaking rules that come before specificity.
fn tie(c: &Compilation<'_>, a: &Candidate<'_>, b: &Candidate<'_>) -> Option<Better> {
    let prefer = |left: bool, right: bool| match (left, right) {
        (true, false) => Some(Better::Left),
        (false, true) => Some(Better::Right),
        _ => None,
    };
    let is_generic = |it: &Candidate<'_>| it.member.arity() > 0;
    prefer(!is_generic(a), !is_generic(b))
        .or_else(|| prefer(a.form == Form::Normal, b.form == Form::Normal))
        .or_else(|| {
            let both = a.form == Form::Expanded && b.form == Form::Expanded;
            let more = a.params.len().cmp(&b.params.len());
            prefer(both && more.is_gt(), both && more.is_lt())
        })
        .or_else(|| prefer(a.uses_no_defaults(), b.uses_no_defaults()))
        .or_else(|| {
            let is_lifted = |it: &Candidate<'_>| c.nullable_underlying(it.sym.container).is_some();
            prefer(!is_lifted(a), !is_lifted(b))
        })
}

/// By-value parameters are better than `in` ones for arguments without a modifier.
fn by_value(a: &Candidate<'_>, b: &Candidate<'_>, call: &Call<'_>) -> Better {
    let mut result = Better::Neither;
    for index in 0..call.len() {
        let plain = matches!(call.ref_kind(index), None | Some(RefKind::None));
        let (left, right) = (a.ref_kind(index), b.ref_kind(index));
        if !plain || left == right {
            continue;
        }
        let better = match (left, right) {
            (RefKind::None, _) => Better::Left,
            (_, RefKind::None) => Better::Right,
            _ => continue,
        };
        if result != Better::Neither && result != better {
            return Better::Neither;
        }
        result = better;
    }
    result
}

/// Whose declared parameter types are more specific (§12.6.4.3, last rules).
fn more_specific(c: &Compilation<'_>, a: &Candidate<'_>, b: &Candidate<'_>) -> Option<Better> {
    let mut result = Better::Neither;
    for index in 0..a.slots.len() {
        let better = more_specific_type(c, a.formal(index), b.formal(index), 0);
        if better == Better::Neither {
            continue;
        }
        if result != Better::Neither && result != better {
            return None;
        }
        result = better;
    }
    (result != Better::Neither).then_some(result)
}

fn more_specific_type(c: &Compilation<'_>, a: Ty, b: Ty, depth: u32) -> Better {
    if a == b || depth > 32 {
        return Better::Neither;
    }
    let all = |a: &[Ty], b: &[Ty]| {
        let mut result = Better::Neither;
        for (&left, &right) in a.iter().zip(b) {
            let better = more_specific_type(c, left, right, depth + 1);
            if better != Better::Neither {
                if result != Better::Neither && result != better {
                    return Better::Neither;
                }
                result = better;
            }
        }
        result
    };
    match (c.kind(a), c.kind(b)) {
        (TyKind::Param(_), TyKind::Param(_)) => Better::Neither,
        (TyKind::Param(_), _) => Better::Right,
        (_, TyKind::Param(_)) => Better::Left,
        (TyKind::Array(a, rank), TyKind::Array(b, other)) if rank == other => {
            more_specific_type(c, *a, *b, depth + 1)
        }
        (TyKind::Pointer(a), TyKind::Pointer(b)) => more_specific_type(c, *a, *b, depth + 1),
        (TyKind::Dynamic, _) => Better::Right,
        (_, TyKind::Dynamic) => Better::Left,
        (TyKind::Tuple { elements: a, .. }, TyKind::Tuple { elements: b, .. })
        | (TyKind::FunctionPointer(a), TyKind::FunctionPointer(b))
            if a.len() == b.len() =>
        {
            all(a, b)
        }
        (TyKind::Named { def: d, args: a }, TyKind::Named { def: e, args: b }) if d == e => {
            all(a, b)
        }
        _ => Better::Neither,
    }
}

impl Compilation<'_> {
    /// The declaration that an override overrides in the end; itself otherwise. Betterness and hiding go
    /// by it (§12.8.10.2: overrides are no candidates).
    pub(super) fn least_overridden(&self, sym: Sym) -> Sym {
        let member = self.member(sym.member);
        if !member.is(MemberFlags::OVERRIDE) {
            return sym;
        }
        let params = self.params_of(sym);
        for base in self.self_and_bases(sym.container).skip(1) {
            let Some(def) = self.def_of(base) else { break };
            for &id in self.members(def).named(member.name) {
                let other = self.member(id);
                let is_it = !other.is(MemberFlags::OVERRIDE)
                    && (other.is(MemberFlags::VIRTUAL) || other.is(MemberFlags::ABSTRACT))
                    && other.arity() == member.arity()
                    && other.signature.params.len() == params.len();
                if !is_it {
                    continue;
                }
                let sym = Sym {
                    member: id,
                    container: base,
                };
                let mut pairs = other.signature.params.iter().zip(&params);
                let by = self.container_args(sym);
                let fits = pairs.all(|(theirs, ours)| {
                    (theirs.ref_kind == RefKind::None) == (ours.ref_kind == RefKind::None)
                        && (member.arity() > 0
                            || self.is_identical(self.substitute(theirs.ty, by), ours.ty))
                });
                if fits {
                    return sym;
                }
            }
        }
        sym
    }
}

/// Leaves out applicable candidates of types that are less derived than another candidate's (§12.8.10.2),
/// and those of less priority than another of the same type.
pub(super) fn keep_most_derived(c: &Compilation<'_>, candidates: &mut Vec<Candidate<'_>>) {
    if candidates.len() < 2 {
        return;
    }
    let first = candidates[0].sym.container;
    let is_flat = candidates.iter().all(|it| {
        it.sym.container == first
            && it.member.signature.priority == 0
            && !it.member.is(MemberFlags::OVERRIDE)
    });
    if is_flat {
        return;
    }
    let origins: SmallVec<[Sym; 8]> = candidates
        .iter()
        .map(|it| c.least_overridden(it.sym))
        .collect();
    let priority = |index: usize| c.member(origins[index].member).signature.priority;
    let keep: SmallVec<[bool; 8]> = (0..origins.len())
        .map(|it| {
            (0..origins.len()).all(|other| {
                let (ours, theirs) = (origins[it].container, origins[other].container);
                if ours == theirs {
                    priority(it) >= priority(other)
                } else {
                    !is_less_derived(c, ours, theirs)
                }
            })
        })
        .collect();
    let mut keep = keep.into_iter();
    candidates.retain(|_| keep.next().unwrap_or(true));
}

/// Whether a type is a base class or interface of another.
fn is_less_derived(c: &Compilation<'_>, ty: Ty, than: Ty) -> bool {
    let (Some(def), Some(other)) = (c.def_of(ty), c.def_of(than)) else {
        return false;
    };
    if def == other {
        return false;
    }
    let interface = |def| c.def(def).kind == TypeKind::Interface;
    if interface(other) {
        c.is_special(ty, Special::Object)
            || interface(def)
                && c.all_interfaces(than)
                    .iter()
                    .any(|&it| c.def_of(it) == Some(def))
    } else {
        c.derives_from(other, def)
    }
}
