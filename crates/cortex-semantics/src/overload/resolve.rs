//! The steps of overload resolution in order (C# specification, §12.6.4.1): shape, applicability, most
//! derived types, priority, the best of what is left.
//!
//! Must not know: what is done with the answer.

use smallvec::SmallVec;

use super::{
    Resolved,
    better::keep_most_derived,
    call::{Call, Form, Forms, Statics},
    candidate::Candidate,
};
use crate::{
    binder::Binder,
    compilation::Compilation,
    conversions::DelegateSignature,
    expr::ExprKind,
    output::Certainty,
    symbol::{MemberFlags, Sym},
    ty::Ty,
};

/// How thoroughly lambdas decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Alternatives {
    /// Nothing else would be tried: the only candidate is taken without binding lambdas for it.
    None,
    /// Others would be: a lambda that does not fit makes a candidate inapplicable.
    Some,
}

/// A choice and how sure it is.
pub(super) struct Choice<'c> {
    pub(super) candidate: Candidate<'c>,
    pub(super) certainty: Certainty,
    /// The result type, constructed; unknown where several candidates differ in it.
    pub(super) ty: Ty,
}

impl<'c> Binder<'c, '_> {
    /// §12.6.4: the best candidate. `None`: none is applicable.
    pub(super) fn choose(
        &mut self,
        candidates: &[Sym],
        call: &Call<'_>,
        alternatives: Alternatives,
    ) -> Option<Choice<'c>> {
        let c = self.c;
        self.count_candidates(candidates.len());
        if self.is_exhausted() {
            return None;
        }
        let mut applicable: Vec<Candidate<'c>> = Vec::new();
        for &sym in candidates {
            for form in [Form::Normal, Form::Expanded] {
                let Some(mut candidate) = self.shaped(sym, call, form) else {
                    continue;
                };
                if self.apply(&mut candidate, call) {
                    applicable.push(candidate);
                    break;
                }
            }
        }
        if let Forms::Returning(wanted) = call.forms {
            applicable.retain(|it| returns(c, it.result(c), wanted));
        }
        let has_lambdas =
            (0..call.len()).any(|index| matches!(call.expr(index).kind, ExprKind::Lambda));
        if has_lambdas
            && (applicable.len() > 1 && !self.lambdas_agree(&applicable, call)
                || alternatives == Alternatives::Some)
        {
            self.keep_converting(&mut applicable, call, alternatives);
        }
        if call.receiver.is_none() {
            keep_most_derived(c, &mut applicable);
        } else {
            keep_prior(&mut applicable);
        }
        keep_statics(&mut applicable, call.statics);
        match applicable.len() {
            0 => None,
            1 => applicable.pop().map(|candidate| certain(c, candidate)),
            _ => Some(match self.best_of(&applicable, call) {
                Some(best) => certain(c, applicable.swap_remove(best)),
                None => {
                    let ty = applicable[0].result(c);
                    let is_same = applicable.iter().all(|it| it.result(c) == ty);
                    Choice {
                        candidate: applicable.swap_remove(0),
                        certainty: Certainty::OverloadSet,
                        ty: if is_same { ty } else { Ty::ERROR },
                    }
                }
            }),
        }
    }

    /// Whether all candidates want the same of every lambda: then binding it decides nothing.
    fn lambdas_agree(&mut self, candidates: &[Candidate<'c>], call: &Call<'_>) -> bool {
        let c = self.c;
        (0..call.len()).all(|index| {
            if !matches!(call.expr(index).kind, ExprKind::Lambda) {
                return true;
            }
            let first = candidates[0].targets[index];
            let mut others = candidates[1..].iter().map(|it| it.targets[index]);
            if others.clone().all(|other| other == first) {
                return true;
            }
            let Some(signature) = c.delegate_signature(first) else {
                return false;
            };
            others.all(|other| {
                other == first
                    || c.delegate_signature(other)
                        .is_some_and(|other| is_same_signature(&signature, &other))
            })
        })
    }

    /// Leaves out candidates whose lambdas do not convert; where that leaves nothing, and nothing else
    /// would be tried, all stay: something in the lambda is not known.
    fn keep_converting(
        &mut self,
        candidates: &mut Vec<Candidate<'c>>,
        call: &Call<'_>,
        alternatives: Alternatives,
    ) {
        let keep: SmallVec<[bool; 8]> = candidates
            .iter()
            .map(|candidate| self.lambdas_convert(candidate, call))
            .collect();
        if keep.contains(&true) || alternatives == Alternatives::Some {
            let mut keep = keep.into_iter();
            candidates.retain(|_| keep.next().unwrap_or(true));
        }
    }
}

fn certain<'c>(c: &Compilation<'_>, candidate: Candidate<'c>) -> Choice<'c> {
    Choice {
        ty: candidate.result(c),
        candidate,
        certainty: Certainty::Exact,
    }
}

impl Choice<'_> {
    /// The answer without what led to it.
    pub(super) fn resolved(self, c: &Compilation<'_>) -> Resolved {
        Resolved {
            collected: self.candidate.collected(c),
            sym: self.candidate.sym,
            targets: self.candidate.targets.as_slice().into(),
            ty: self.ty,
            is_exact: self.certainty == Certainty::Exact,
            type_args: self.candidate.method_args.as_slice().into(),
        }
    }
}

fn is_same_signature(a: &DelegateSignature, b: &DelegateSignature) -> bool {
    a.ret == b.ret
        && a.params.len() == b.params.len()
        && a.params
            .iter()
            .zip(&b.params)
            .all(|(a, b)| a.ty == b.ty && a.ref_kind == b.ref_kind)
}

/// §10.8, §20.4: whether a method with this result can be called through a delegate with that one.
fn returns(c: &Compilation<'_>, result: Ty, wanted: Ty) -> bool {
    if result.is_error() || wanted.is_error() || c.is_identical(result, wanted) {
        return true;
    }
    !c.is_void(result)
        && !c.is_void(wanted)
        && !c.is_value_type(result)
        && c.standard_implicit(result, wanted)
}

/// Only the highest priority of each declaring type.
fn keep_prior(candidates: &mut Vec<Candidate<'_>>) {
    if candidates
        .iter()
        .all(|it| it.member.signature.priority == 0)
    {
        return;
    }
    let all: SmallVec<[(Ty, i32); 8]> = candidates
        .iter()
        .map(|it| (it.sym.container, it.member.signature.priority))
        .collect();
    candidates.retain(|it| {
        let own = it.member.signature.priority;
        all.iter()
            .all(|&(ty, priority)| ty != it.sym.container || priority <= own)
    });
}

/// §12.8.10.2: leaves out members that the receiver does not allow.
fn keep_statics(candidates: &mut Vec<Candidate<'_>>, statics: Statics) {
    let fits = |it: &Candidate<'_>| {
        let is_static = it.member.is_static()
            // The method behind an extension block's is static.
            || it.member.is(MemberFlags::EXTENSION_BLOCK);
        match statics {
            Statics::Both => true,
            Statics::Instance => !is_static,
            Statics::Static | Statics::PreferStatic => is_static,
        }
    };
    if statics == Statics::PreferStatic && !candidates.iter().any(fits) {
        return;
    }
    candidates.retain(fits);
}
