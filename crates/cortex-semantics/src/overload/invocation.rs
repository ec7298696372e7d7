//! `callee(args)` (C# specification, §12.8.10): what is called, and what becomes of it.
//!
//! Must not know: how the best candidate is found.

use cortex_model::{DeclKind, EdgeKind};
use cortex_syntax::{BodyId, BodyKind};

use super::{
    Recorded,
    call::{Call, Forms, Statics},
    group::Called,
    resolve::Alternatives,
};
use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind, Extensions, MethodGroup},
    expressions::Reading,
    local_names::Recording,
    name::{Name, known},
    names::{Called as Use, MemberLookup},
    output::{Certainty, Receiver, Target},
    symbol::{MemberFlags, MemberId, RefKind, Sym},
    ty::{Ty, TyKind},
};

impl<'c> Binder<'c, '_> {
    pub(super) fn invocation(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(callee), Some(arguments)) = (children.next(), children.next()) else {
            return Expr::error(node);
        };
        if self.is_nameof(callee) {
            return self.name_of_expression(node, callee, arguments);
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
        let text = self.name_of(name);
        if receiver.is_error()
            && receiver.is_value()
            && !matches!(receiver.kind, ExprKind::Base)
            && c.extensions_in_scope(&self.scope, text)
                .iter()
                .any(|level| !level.is_empty())
        {
            let type_args = self.type_arguments(name);
            let group = MethodGroup {
                name: text,
                offset: self.node(name).offset,
                receiver: Some(receiver),
                methods: Box::default(),
                type_args,
                extensions: Extensions::Allowed,
            };
            return Expr::of(name, Ty::NONE, ExprKind::Methods(group.into()));
        }
        let is_plain = receiver.ty.is_error()
            || receiver.ty.is_none()
            || receiver.ty == Ty::DYNAMIC
            || matches!(receiver.kind, ExprKind::Namespace(_) | ExprKind::Base);
        if is_plain {
            return self.bind_member_access(receiver, name);
        }
        let is_type = matches!(receiver.kind, ExprKind::Type);
        let arity = match self.body_kind(name) {
            BodyKind::GenericName => self.children(name).count() as u16,
            _ => 0,
        };
        let through = (!is_type).then_some(receiver.ty);
        let from = self.access(through);
        let methods: Vec<Sym> =
            match c.lookup_called(receiver.ty, text, Some(arity), Use::Yes, from) {
                MemberLookup::Methods(methods) if is_type => {
                    let mut methods = methods.into_vec();
                    methods.extend(self.behind_blocks(receiver.ty, text));
                    methods
                }
                MemberLookup::Methods(methods) => methods.into_vec(),
                MemberLookup::None if is_type => self.behind_blocks(receiver.ty, text),
                MemberLookup::None => Vec::new(),
                _ => return self.bind_member_access(receiver, name),
            };
        if methods.is_empty() {
            let levels = c.extensions_in_scope(&self.scope, text);
            if levels.iter().all(Vec::is_empty) {
                return self.bind_member_access(receiver, name);
            }
        }
        self.touch(receiver.ty);
        if !is_type {
            self.record_receiver(self.node(name).offset, Receiver::Of(receiver.ty));
        }
        let type_args = self.type_arguments(name);
        let group = MethodGroup {
            name: text,
            offset: self.node(name).offset,
            receiver: Some(receiver),
            methods: methods.into(),
            type_args,
            extensions: Extensions::Allowed,
        };
        Expr::of(name, Ty::NONE, ExprKind::Methods(group.into()))
    }

    /// The static methods behind the methods of extension blocks of a static class.
    fn behind_blocks(&self, ty: Ty, name: Name) -> Vec<Sym> {
        let c = self.c;
        let Some(def) = c.def_of(ty) else {
            return Vec::new();
        };
        let named = c.members(def).named(name).iter();
        let of_blocks = named.copied().filter(|&id| {
            let member = c.member(id);
            member.is(MemberFlags::EXTENSION_BLOCK) && member.kind == DeclKind::Method
        });
        of_blocks
            .map(|member| Sym {
                member,
                container: ty,
            })
            .collect()
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
        if self.recording == Recording::On && c.member(member).signature.ref_kind == RefKind::None {
            self.given_values.push(node);
        }
        self.call_sole(node, sym, args)
    }

    /// A call of what has no overloads.
    fn call_sole(&mut self, node: BodyId, sym: Sym, args: Vec<Arg>) -> Expr {
        let call = Call::of(&args, &[], Statics::Both);
        match self.choose(&[sym], &call, Alternatives::None) {
            Some(choice) => {
                let resolved = choice.resolved(self.c);
                self.record_argument_names(&args, sym.member);
                self.finish_call(args, &resolved, self.start_of(node));
                self.result(node, sym.member, resolved.ty)
            }
            None => {
                self.note_misfit();
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
        if let Some(receiver) = &group.receiver
            && receiver.is_error()
            && receiver.is_value()
        {
            return self.called_on_unknown(node, group, receiver, args, recorded);
        }
        let is_dynamic = args.iter().any(|arg| arg.expr.ty == Ty::DYNAMIC);
        let Some(found) = self.choose_in_group(group, &args, Forms::All) else {
            return self.call_failed(node, group, args, recorded);
        };
        let resolved = found.resolved;
        // With a `dynamic` argument the choice is made when the program runs (§12.6.5): among those that take so many.
        let is_late = is_dynamic && self.has_rivals(group, &args, found.called);
        let is_doubtful =
            has_doubt(&args, &resolved.targets) && self.has_rivals(group, &args, found.called);
        let certainty = if resolved.is_exact && !is_late && !is_doubtful {
            Certainty::Exact
        } else {
            Certainty::OverloadSet
        };
        self.settle_group(group, resolved.sym.member);
        self.record_called(recorded, resolved.sym.member, found.called, certainty);
        if group.receiver.is_none() {
            self.check_named_alone(group.offset, resolved.sym.member);
        }
        self.record_type_arguments(recorded, &resolved);
        self.record_argument_names(&args, resolved.sym.member);
        self.record_caller_texts(
            group.offset,
            (group.receiver.as_ref(), &args),
            (resolved.sym.member, found.called),
        );
        self.finish_call(args, &resolved, recorded.offset());
        // Whatever there is to choose from (§12.8.10.1).
        let ty = if is_dynamic && !self.c.is_void(resolved.ty) {
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
        self.c.member(member).is(MemberFlags::EXTENSION)
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
        }
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
        self.record_argument_names(&args, resolved.sym.member);
        self.finish_call(args, &resolved, recorded.offset());
        Some(self.result(node, resolved.sym.member, resolved.ty))
    }
}

/// Whether an argument is of unknown type although its parameter is not.
pub(super) fn has_doubt(args: &[Arg], targets: &[Ty]) -> bool {
    let mut pairs = args.iter().zip(targets);
    pairs.any(|(arg, target)| arg.expr.is_error() && !target.is_error())
}
