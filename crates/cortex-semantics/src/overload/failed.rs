//! Calls without an applicable candidate: what is likely meant, so that what follows is not lost.
//!
//! Must not know: why nothing was applicable.

use super::{
    Recorded,
    call::{Call, Form, Params, Statics, slots},
    candidate::{Candidate, receiver_converts},
    group::Called,
    mapping::Mapping,
    resolve::Alternatives,
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
            self.record_misfit(recorded);
            self.record_argument_names(&args, member);
            let skip = candidate.slots.len() - args.len();
            let targets: Vec<Ty> = (skip..candidate.slots.len())
                .map(|index| self.open(&candidate, candidate.formal(index)))
                .collect();
            self.finish_as_if(args, &targets);
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

    /// A member called on a value of unknown type: an extension method in scope where its receiver is as
    /// unknown, or where no other has the name. The result is known where all agree on it, as with
    /// written type arguments.
    pub(super) fn called_on_unknown(
        &mut self,
        node: BodyId,
        group: &MethodGroup,
        receiver: &Expr,
        args: Vec<Arg>,
        recorded: Recorded,
    ) -> Expr {
        let levels = self.c.extensions_in_scope(&self.scope, group.name);
        let all: Vec<Sym> = levels
            .iter()
            .flat_map(|level| self.extensions_of(level, Statics::Instance))
            .collect();
        let call = Call {
            receiver: Some(receiver),
            ..Call::of(&args, &group.type_args, Statics::Both)
        };
        let as_unknown: Vec<Sym> = all
            .iter()
            .copied()
            .filter(|sym| {
                let params = Params::of(self.c.member(sym.member), true);
                params.len() > 0 && params.get(0).ty.is_error()
            })
            .collect();
        let chosen = self.choose(&as_unknown, &call, Alternatives::Some);
        let chosen = chosen.filter(|choice| choice.certainty == Certainty::Exact);
        let (candidate, ty) = match chosen {
            Some(choice) => (Some(choice.candidate), choice.ty),
            None => {
                let mut shaped: Vec<Candidate<'c>> = all
                    .iter()
                    .filter_map(|&sym| self.shaped_somehow(sym, &call))
                    .collect();
                let mut results = shaped.iter().map(|it| self.open_result(it, &call));
                let first = results.next().unwrap_or(Ty::ERROR);
                let is_same = results.all(|ty| ty == first);
                let ty = if is_same { first } else { Ty::ERROR };
                let sole = shaped.pop().filter(|_| all.len() == 1);
                (sole, ty)
            }
        };
        self.settle(receiver.clone(), Reading::Value);
        match candidate {
            Some(candidate) => {
                let member = candidate.sym.member;
                self.record_called(recorded, member, Called::Extension, Certainty::Exact);
                self.record_argument_names(&args, member);
                let targets: Vec<Ty> = (1..candidate.slots.len())
                    .map(|index| self.open(&candidate, candidate.formal(index)))
                    .collect();
                self.finish_as_if(args, &targets);
            }
            None => {
                if let Recorded::Named(offset) = recorded {
                    self.record_unbound(offset, Why::UnknownReceiver);
                }
                self.finish_with(args, &[]);
            }
        }
        Expr::value(node, ty)
    }

    fn shaped_somehow(&mut self, sym: Sym, call: &Call<'_>) -> Option<Candidate<'c>> {
        let forms = [Form::Normal, Form::Expanded];
        forms
            .into_iter()
            .find_map(|form| self.shaped(sym, call, form))
    }

    /// The result of a candidate with the type arguments that are written.
    fn open_result(&self, candidate: &Candidate<'c>, call: &Call<'_>) -> Ty {
        let signature = &candidate.member.signature;
        if call.type_args.len() != signature.type_params.len() {
            return self.open(candidate, signature.ty);
        }
        let mapping = Mapping {
            types: self.c.args_of(candidate.sym.container),
            params: &signature.type_params,
            args: call.type_args,
        };
        mapping.apply(self.c, signature.ty)
    }

    /// Whether several members that a group's call may mean have the shape, so that an argument of
    /// unknown type leaves open which.
    pub(super) fn has_rivals(&mut self, group: &MethodGroup, args: &[Arg], called: Called) -> bool {
        let call = Call::of(args, &group.type_args, Statics::Both);
        let (syms, call): (Vec<Sym>, _) = match (called, &group.receiver) {
            (Called::Extension, Some(receiver)) => {
                let levels = self.c.extensions_in_scope(&self.scope, group.name);
                let all = levels.iter();
                let all = all.flat_map(|level| self.extensions_of(level, Statics::Instance));
                let call = Call {
                    receiver: Some(receiver),
                    ..call
                };
                (all.collect(), call)
            }
            _ => (group.methods.to_vec(), call),
        };
        self.are_several_shaped(&syms, &call)
    }

    /// Whether several of some constructors take so many arguments.
    pub(super) fn are_rivals(&mut self, constructors: &[Sym], args: &[Arg]) -> bool {
        self.are_several_shaped(constructors, &Call::of(args, &[], Statics::Both))
    }

    fn are_several_shaped(&mut self, syms: &[Sym], call: &Call<'_>) -> bool {
        let mut shaped = syms
            .iter()
            .filter(|sym| self.shaped_somehow(**sym, call).is_some());
        shaped.next().is_some() && shaped.next().is_some()
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
