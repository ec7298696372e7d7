//! `callee(args)` (C# specification, §12.8.10): what is called, and what becomes of it.
//!
//! Must not know: how the best candidate is found.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind};

use super::{
    Recorded,
    call::{Call, Forms, Params, Statics, slots},
    candidate::Candidate,
    group::Called,
    resolve::Alternatives,
};
use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind, Extensions, MethodGroup},
    expressions::Reading,
    name::{Name, known},
    names::MemberLookup,
    output::{Certainty, Target, Why},
    symbol::{MemberId, RefKind, Sym},
    ty::{Ty, TyKind},
};

impl<'c> Binder<'c, '_> {
    pub(super) fn invocation(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(callee), Some(arguments)) = (children.next(), children.next()) else {
            return Expr::error(node);
        };
        if self.is_nameof(callee) {
            return self.name_of_expression(node, arguments);
        }
        let callee = match self.body_kind(callee) {
            BodyKind::MemberAccess => self.called_access(callee),
            BodyKind::MemberBinding => match (self.first(callee), self.conditional.last()) {
                (Some(name), Some(receiver)) => {
                    let receiver = receiver.clone();
                    self.called_member(receiver, name)
                }
                _ => Expr::error(callee),
            },
            _ => self.bind(callee),
        };
        let args = self.bind_arguments(arguments);
        match &callee.kind {
            ExprKind::Methods(group) => {
                let group = group.clone();
                self.call_group(node, &group, args, Recorded::Named(group.offset))
            }
            _ => self.call_value(node, callee, args),
        }
    }

    /// `a.b` before `(…)`.
    fn called_access(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(left), Some(name)) = (children.next(), children.next()) else {
            return Expr::error(node);
        };
        let mut receiver = self.bind_receiver(left);
        if self.node(node).flags & 1 != 0 {
            let pointed = match *self.c.kind(receiver.ty) {
                TyKind::Pointer(element) => element,
                _ => Ty::ERROR,
            };
            receiver = Expr::variable(left, pointed);
        }
        self.called_member(receiver, name)
    }

    /// A member that is called: what cannot be is no member here (§12.5.1), so that extension methods of
    /// the same name are found.
    fn called_member(&mut self, receiver: Expr, name: BodyId) -> Expr {
        let c = self.c;
        let is_plain = receiver.ty.is_error()
            || receiver.ty.is_none()
            || receiver.ty == Ty::DYNAMIC
            || matches!(receiver.kind, ExprKind::Namespace(_) | ExprKind::Base);
        if is_plain {
            return self.bind_member_access(receiver, name);
        }
        let text = self.name_of(name);
        let is_type = matches!(receiver.kind, ExprKind::Type);
        let arity = match self.body_kind(name) {
            BodyKind::GenericName => self.children(name).count() as u16,
            _ => 0,
        };
        let through = (!is_type).then_some(receiver.ty);
        let found = c.lookup_member(receiver.ty, text, Some(arity), self.access(through));
        let uncallable = match found {
            MemberLookup::Member(sym) => !self.is_callable(c.type_of(sym)),
            MemberLookup::Type(..) => true,
            _ => false,
        };
        if !uncallable || matches!(c.kind(receiver.ty), TyKind::Tuple { .. }) {
            return self.bind_member_access(receiver, name);
        }
        let levels = c.extensions_in_scope(&self.scope, text);
        if levels.iter().all(Vec::is_empty) {
            return self.bind_member_access(receiver, name);
        }
        let type_args = self.type_arguments(name);
        let group = MethodGroup {
            name: text,
            offset: self.node(name).offset,
            receiver: Some(receiver),
            methods: Box::default(),
            type_args,
            extensions: Extensions::Allowed,
        };
        Expr::of(name, Ty::NONE, ExprKind::Methods(group.into()))
    }

    /// Whether a value of a type can be called.
    fn is_callable(&self, ty: Ty) -> bool {
        ty.is_error()
            || ty == Ty::DYNAMIC
            || self.c.is_delegate(ty)
            || matches!(self.c.kind(ty), TyKind::FunctionPointer(_))
    }

    /// §12.8.10.4: a value of a delegate or function pointer type called.
    fn call_value(&mut self, node: BodyId, callee: Expr, args: Vec<Arg>) -> Expr {
        let c = self.c;
        let callee = match callee.kind {
            ExprKind::Type | ExprKind::Namespace(_) => Expr::error(callee.node),
            _ => self.finish(callee),
        };
        if callee.ty == Ty::DYNAMIC {
            self.finish_with(args, &[]);
            return Expr::value(node, Ty::DYNAMIC);
        }
        if let TyKind::FunctionPointer(parts) = c.kind(callee.ty) {
            let (ret, params) = parts.split_last().expect("a return type is always there");
            self.finish_with(args, params);
            return Expr::value(node, *ret);
        }
        let invoke = match c.def_of(callee.ty) {
            Some(def) if c.is_delegate(callee.ty) => {
                c.members(def).named(known::INVOKE).first().copied()
            }
            _ => None,
        };
        let Some(member) = invoke else {
            self.finish_with(args, &[]);
            return Expr::error(node);
        };
        let sym = Sym {
            member,
            container: callee.ty,
        };
        self.call_sole(node, sym, args)
    }

    /// A call of what has no overloads.
    fn call_sole(&mut self, node: BodyId, sym: Sym, args: Vec<Arg>) -> Expr {
        let call = Call::of(&args, &[], Statics::Both);
        match self.choose(&[sym], &call, Alternatives::None) {
            Some(choice) => {
                let resolved = choice.resolved();
                self.finish_with(args, &resolved.targets);
                self.result(node, sym.member, resolved.ty)
            }
            None => {
                self.finish_with(args, &[]);
                let ty = self.c.type_of(sym);
                self.result(node, sym.member, ty)
            }
        }
    }

    pub(super) fn result(&mut self, node: BodyId, member: MemberId, ty: Ty) -> Expr {
        self.touch(ty);
        match self.c.member(member).signature.ref_kind {
            RefKind::None => Expr::value(node, ty),
            _ => Expr::variable(node, ty),
        }
    }

    pub(super) fn group_called(
        &mut self,
        node: BodyId,
        group: &MethodGroup,
        args: Vec<Arg>,
        recorded: Recorded,
    ) -> Expr {
        let is_dynamic = args.iter().any(|arg| arg.expr.ty == Ty::DYNAMIC);
        let Some(found) = self.choose_in_group(group, &args, Forms::All) else {
            return self.call_failed(node, group, args, recorded);
        };
        let resolved = found.resolved;
        // With a `dynamic` argument the choice is made when the program runs (§12.6.5).
        let is_late = is_dynamic && group.methods.len() > 1;
        let certainty = if resolved.is_exact && !is_late {
            Certainty::Exact
        } else {
            Certainty::OverloadSet
        };
        self.settle_group(group, resolved.sym.member);
        self.record_called(recorded, resolved.sym.member, found.called, certainty);
        self.finish_with(args, &resolved.targets);
        let ty = if is_dynamic && !self.c.is_void(resolved.ty) && is_late {
            Ty::DYNAMIC
        } else {
            resolved.ty
        };
        self.result(node, resolved.sym.member, ty)
    }

    /// Decides what a name before the dot is that is both a value and its type.
    pub(super) fn settle_group(&mut self, group: &MethodGroup, member: MemberId) {
        if let Some(receiver) = &group.receiver
            && matches!(receiver.kind, ExprKind::ColorColor(_))
        {
            let member = self.c.member(member);
            let is_value = !member.is_static() || self.is_extension_of_values(member.id);
            let reading = if is_value {
                Reading::Value
            } else {
                Reading::Type
            };
            self.settle(receiver.clone(), reading);
        }
    }

    fn is_extension_of_values(&self, member: MemberId) -> bool {
        self.c
            .member(member)
            .is(crate::symbol::MemberFlags::EXTENSION)
    }

    pub(super) fn record_called(
        &mut self,
        recorded: Recorded,
        member: MemberId,
        called: Called,
        certainty: Certainty,
    ) {
        match recorded {
            Recorded::Named(offset) => {
                let kind = match called {
                    Called::Ordinary => EdgeKind::Calls,
                    Called::Extension => EdgeKind::Extension,
                };
                self.record(offset, Target::Member(member), kind, certainty);
            }
            Recorded::Hidden(offset, how) => self.record_use(offset, member, how),
            Recorded::Nowhere => {}
        }
    }

    /// Nothing is applicable. Where a single method has the name and takes as many arguments, it is what
    /// is meant, whatever is wrong with the arguments; the arguments are finished in any case.
    fn call_failed(
        &mut self,
        node: BodyId,
        group: &MethodGroup,
        args: Vec<Arg>,
        recorded: Recorded,
    ) -> Expr {
        let sole = self.sole_shaped(group, &args);
        match (sole, recorded) {
            (Some(candidate), recorded) => {
                self.settle_group(group, candidate.sym.member);
                let member = candidate.sym.member;
                self.record_called(recorded, member, Called::Ordinary, Certainty::Exact);
                let targets: Vec<Ty> = (0..args.len())
                    .map(|index| self.open_target(&candidate, index))
                    .collect();
                self.finish_with(args, &targets);
                let ty = candidate.result(self.c);
                let ty = self.without_own_params(&candidate, ty);
                self.result(node, member, ty)
            }
            (None, Recorded::Named(offset)) => {
                match group.methods.first() {
                    Some(first) => {
                        let member = first.member;
                        self.settle_group(group, member);
                        let certainty = Certainty::OverloadSet;
                        self.record_called(recorded, member, Called::Ordinary, certainty);
                    }
                    None => {
                        if let Some(receiver) = &group.receiver {
                            self.settle(receiver.clone(), Reading::Value);
                        }
                        self.record_unbound(offset, Why::NoOverload);
                    }
                }
                self.finish_with(args, &[]);
                Expr::error(node)
            }
            (None, _) => {
                self.finish_with(args, &[]);
                Expr::error(node)
            }
        }
    }

    /// The only method of a group that takes so many arguments.
    fn sole_shaped(&mut self, group: &MethodGroup, args: &[Arg]) -> Option<Candidate<'c>> {
        use super::call::Form;
        let call = Call::of(args, &group.type_args, Statics::Both);
        let mut found: Option<Candidate<'c>> = None;
        for &sym in &group.methods {
            let params = Params::of(self.c.member(sym.member), false);
            let fits = slots(&call, params, Form::Normal).is_some()
                || slots(&call, params, Form::Expanded).is_some();
            if !fits {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = self.shaped(sym, &call, Form::Normal);
            if found.is_none() {
                found = self.shaped(sym, &call, Form::Expanded);
            }
            found.as_ref()?;
        }
        found
    }

    fn open_target(&self, candidate: &Candidate<'c>, index: usize) -> Ty {
        let target = candidate
            .mapping(self.c)
            .apply(self.c, candidate.formal(index));
        self.without_own_params(candidate, target)
    }

    /// A type with the candidate's type parameters unknown.
    fn without_own_params(&self, candidate: &Candidate<'c>, ty: Ty) -> Ty {
        let unknown = vec![Ty::ERROR; candidate.member.signature.type_params.len()];
        let mapping = super::mapping::Mapping {
            types: &[],
            params: &candidate.member.signature.type_params,
            args: &unknown,
        };
        mapping.apply(self.c, ty)
    }

    /// A member of a name called on a value.
    pub(super) fn named_called(
        &mut self,
        receiver: &Expr,
        name: Name,
        args: Vec<Arg>,
        recorded: Recorded,
    ) -> Option<Expr> {
        let c = self.c;
        let receiver = match receiver.kind {
            ExprKind::ColorColor(_) => self.settle(receiver.clone(), Reading::Value),
            _ => receiver.clone(),
        };
        if receiver.ty.is_error() || receiver.ty.is_none() || receiver.ty == Ty::DYNAMIC {
            return None;
        }
        let is_type = matches!(receiver.kind, ExprKind::Type);
        let through = (!is_type).then_some(receiver.ty);
        let found = c.lookup_member(receiver.ty, name, None, self.access(through));
        let methods = match found {
            MemberLookup::Methods(methods) => methods.into_vec().into(),
            MemberLookup::Member(sym) if self.is_callable(c.type_of(sym)) => {
                let value = Expr::value(receiver.node, c.type_of(sym));
                return Some(self.call_value(receiver.node, value, args));
            }
            _ => Box::default(),
        };
        let group = MethodGroup {
            name,
            offset: 0,
            receiver: Some(receiver),
            methods,
            type_args: Box::default(),
            extensions: Extensions::Allowed,
        };
        let found = self.choose_in_group(&group, &args, Forms::All)?;
        let resolved = found.resolved;
        let node = group.receiver.as_ref().map_or(0, |receiver| receiver.node);
        self.record_called(
            recorded,
            resolved.sym.member,
            found.called,
            Certainty::Exact,
        );
        self.finish_with(args, &resolved.targets);
        Some(self.result(node, resolved.sym.member, resolved.ty))
    }
}
