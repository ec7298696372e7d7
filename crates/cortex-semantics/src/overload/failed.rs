//! Calls without an applicable candidate: what is likely meant, so that what follows is not lost.
//!
//! Must not know: why nothing was applicable.

use super::{
    Recorded,
    call::{Call, Form, Params, Statics, slots},
    candidate::{Candidate, receiver_converts},
    group::Called,
    mapping::Mapping,
};
use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind, MethodGroup},
    expressions::Reading,
    output::{Certainty, Why},
    symbol::Sym,
    ty::Ty,
};
use cortex_syntax::BodyId;

impl<'c> Binder<'c, '_> {
    /// Where a single method of the name takes as many arguments, it is what is meant, whatever is wrong
    /// with them. The arguments are finished in any case.
    pub(super) fn call_failed(
        &mut self,
        node: BodyId,
        group: &MethodGroup,
        args: Vec<Arg>,
        recorded: Recorded,
    ) -> Expr {
        if let Some((candidate, called)) = self.sole_shaped(group, &args) {
            let member = candidate.sym.member;
            self.settle_group(group, member);
            self.record_called(recorded, member, called, Certainty::Exact);
            let skip = candidate.slots.len() - args.len();
            let targets: Vec<Ty> = (skip..candidate.slots.len())
                .map(|index| self.open(&candidate, candidate.formal(index)))
                .collect();
            self.finish_with(args, &targets);
            let ty = self.open(&candidate, candidate.member.signature.ty);
            return self.result(node, member, ty);
        }
        if let Recorded::Named(offset) = recorded {
            if let Some(first) = group.methods.first() {
                self.settle_group(group, first.member);
                let certainty = Certainty::OverloadSet;
                self.record_called(recorded, first.member, Called::Ordinary, certainty);
            } else {
                if let Some(receiver) = &group.receiver {
                    self.settle(receiver.clone(), Reading::Value);
                }
                self.record_unbound(offset, Why::NoOverload);
            }
        }
        self.finish_with(args, &[]);
        Expr::error(node)
    }

    /// The only member of a group, extension members included, that takes so many arguments.
    fn sole_shaped(
        &mut self,
        group: &MethodGroup,
        args: &[Arg],
    ) -> Option<(Candidate<'c>, Called)> {
        let call = Call::of(args, &group.type_args, Statics::Both);
        if let Some(found) = self.sole_of(&group.methods, &call)? {
            return Some((found, Called::Ordinary));
        }
        let receiver = group.receiver.as_ref()?;
        if matches!(receiver.kind, ExprKind::Type) {
            return None;
        }
        let levels = self.extension_levels(group)?;
        let call = Call {
            receiver: Some(receiver),
            ..call
        };
        let all: Vec<Sym> = levels
            .iter()
            .flat_map(|level| self.extensions_of(level, Statics::Instance))
            .collect();
        let found = self.sole_of(&all, &call)??;
        Some((found, Called::Extension))
    }

    /// The only one of some candidates that has the shape; `None` where there are several.
    fn sole_of(&mut self, syms: &[Sym], call: &Call<'_>) -> Option<Option<Candidate<'c>>> {
        let mut found: Option<Candidate<'c>> = None;
        for &sym in syms {
            let params = Params::of(self.c.member(sym.member), call.receiver.is_some());
            let form = [Form::Normal, Form::Expanded];
            let form = form
                .into_iter()
                .find(|&form| slots(call, params, form).is_some());
            let Some(form) = form else { continue };
            let Some(candidate) = self.shaped(sym, call, form) else {
                continue;
            };
            let receives = call.receiver.is_none_or(|receiver| {
                receiver_converts(self.c, receiver, self.open(&candidate, candidate.formal(0)))
            });
            if receives && found.replace(candidate).is_some() {
                return None;
            }
        }
        Some(found)
    }

    /// A type of a candidate's signature with the candidate's own type parameters unknown.
    fn open(&self, candidate: &Candidate<'c>, ty: Ty) -> Ty {
        let params = &candidate.member.signature.type_params;
        let unknown = vec![Ty::ERROR; params.len()];
        let mapping = Mapping {
            types: self.c.args_of(candidate.sym.container),
            params,
            args: &unknown,
        };
        mapping.apply(self.c, ty)
    }
}
