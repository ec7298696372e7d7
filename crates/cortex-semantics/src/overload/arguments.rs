//! Arguments (C# specification, §12.6.2): bound before a member is chosen, converted after.
//!
//! Must not know: how the member is chosen.

use cortex_syntax::{BodyId, BodyKind, ref_kind};

use super::{Recorded, Resolved, group::Called};
use crate::{
    binder::Binder,
    expr::{Arg, Element, Expr, ExprKind},
    expressions::Given,
    local_names::{LocalRole, LocalSymbol, Recording},
    name::{Name, known},
    output::{CallerText, Misfit},
    symbol::{CallerInfo, MemberFlags, MemberId, RefKind},
    ty::Ty,
};

/// Where a name stands that the compiler gives an argument.
pub(crate) const UNWRITTEN: u32 = u32::MAX;

impl Binder<'_, '_> {
    pub(super) fn bound_arguments(&mut self, node: BodyId) -> Vec<Arg> {
        let arguments = self.children(node);
        let mut args = Vec::new();
        for argument in arguments {
            if self.body_kind(argument) != BodyKind::Argument {
                continue;
            }
            let Some(value) = self.first(argument) else {
                continue;
            };
            let ref_kind = passed_as(self.node(argument).flags);
            let is_discard = ref_kind == RefKind::Out
                && self.body_kind(value) == BodyKind::Name
                && self.name_of(value) == known::UNDERSCORE
                && self.means_nothing(value);
            let expr = if is_discard {
                Expr::of(value, Ty::NONE, ExprKind::Discard)
            } else {
                self.bind(value)
            };
            if matches!(ref_kind, RefKind::Ref | RefKind::Out) {
                self.check_written(&expr, Given::Passed);
            }
            args.push(Arg {
                name: self.argument_name(argument),
                ref_kind,
                expr,
            });
        }
        args
    }

    /// The name before the colon of an argument, and its offset.
    pub(crate) fn argument_name(&self, argument: BodyId) -> Option<(Name, u32)> {
        let name = self.optional_name_of(argument)?;
        Some((name, self.node(argument).offset))
    }

    /// Records which parameters the named arguments of a call go to.
    pub(super) fn record_argument_names(&mut self, args: &[Arg], member: MemberId) {
        if self.recording == Recording::Off {
            return;
        }
        let c = self.c;
        let params = &c.member(member).signature.params;
        // What the compiler names is written nowhere.
        let written = args.iter().filter_map(|arg| arg.name.as_ref());
        for &(name, offset) in written.filter(|(_, offset)| *offset != UNWRITTEN) {
            if let Some(index) = params.iter().position(|param| param.name == name) {
                let symbol = self.parameter(member, index);
                self.record_local(offset, symbol, LocalRole::NamedArgument);
            } else if let Some(receiver) = &c.member(member).signature.receiver
                && receiver.name == name
            {
                // A member of an extension block, called as the method that it is compiled to.
                let symbol = LocalSymbol::Receiver(member);
                self.record_local(offset, symbol, LocalRole::NamedArgument);
            }
        }
    }

    /// Records the parameters that a call leaves out and for which the compiler passes text of the calling code.
    pub(super) fn record_caller_texts(
        &mut self,
        offset: u32,
        (receiver, args): (Option<&Expr>, &[Arg]),
        (member, called): (MemberId, Called),
    ) {
        let c = self.c;
        let params = &c.member(member).signature.params;
        let n_receivers = usize::from(called == Called::Extension);
        let passed = |at: usize| -> Option<BodyId> {
            let is_it = |index: usize, arg: &Arg| match arg.name {
                Some((name, _)) => name == params[at].name,
                None => index + n_receivers == at,
            };
            match at < n_receivers {
                true => receiver.map(|it| it.node),
                false => {
                    let mut args = args.iter().enumerate();
                    args.find(|&(index, arg)| is_it(index, arg))
                        .map(|(_, arg)| arg.expr.node)
                }
            }
        };
        for (at, param) in params.iter().enumerate() {
            let argument = match param.caller {
                CallerInfo::None => continue,
                CallerInfo::MemberName if self.recording == Recording::Off => continue,
                CallerInfo::MemberName => None,
                CallerInfo::Argument(source) => match passed(usize::from(source)) {
                    Some(argument) => Some(argument),
                    None => continue,
                },
            };
            if passed(at).is_none() {
                self.out.caller_texts.push(CallerText { offset, argument });
            }
        }
    }

    /// Records that a member does not take the arguments of a call, where that is requested.
    pub(super) fn record_misfit(&mut self, recorded: Recorded) {
        self.record_misfit_at(recorded.offset(), Misfit::Arguments);
    }

    /// Records that the type arguments of a call are not those that its method wants, where that is requested.
    pub(super) fn record_type_arguments(&mut self, recorded: Recorded, resolved: &Resolved) {
        if self.recording == Recording::On && !self.c.method_takes(resolved) {
            let misfit = (recorded.offset(), Misfit::TypeArguments);
            self.out.misfits.push(misfit);
        }
    }

    /// A parameter of a member; of a local function, as its body declares it.
    fn parameter(&self, member: MemberId, index: usize) -> LocalSymbol {
        let by_member = LocalSymbol::Parameter(member, index as u16);
        if !self.c.member(member).is(MemberFlags::LOCAL) {
            return by_member;
        }
        let function = self.function_node(member);
        let parameter = function.and_then(|function| {
            let children = self.children(function);
            let mut params =
                children.filter(|&child| self.body_kind(child) == BodyKind::LambdaParameter);
            params.nth(index)
        });
        parameter.map_or(by_member, |node| {
            LocalSymbol::Declared(self.node(node).offset)
        })
    }

    /// Converts each argument to its target; `out var` gets its type. Arguments without a target are
    /// finished on their own.
    pub(super) fn finish_with(&mut self, args: Vec<Arg>, targets: &[Ty]) {
        for (index, arg) in args.into_iter().enumerate() {
            self.finish_one(arg, targets.get(index).copied());
        }
    }

    /// Converts the arguments of the call of a member that was chosen; those that a `params` collection takes are given to
    /// it.
    pub(super) fn finish_call(&mut self, args: Vec<Arg>, resolved: &Resolved, offset: u32) {
        let Some(collected) = &resolved.collected else {
            return self.finish_with(args, &resolved.targets);
        };
        // Constructors and `Add` may make collections themselves: what makes one of its own type would never end.
        let around = self.collections_around.iter();
        if around.filter(|&&it| it == offset).count() >= MAX_COLLECTIONS {
            return self.finish_with(args, &resolved.targets);
        }
        let mut elements = Vec::new();
        for (index, arg) in args.into_iter().enumerate() {
            if collected.is_element.get(index) == Some(&true) {
                elements.push((arg.expr, Element::One));
            } else {
                self.finish_one(arg, resolved.targets.get(index).copied());
            }
        }
        self.collections_around.push(offset);
        self.fill_collection(collected.ty, &elements, offset);
        self.collections_around.pop();
    }

    /// The same for the parameters of a member that does not take them, or may not be the one that is called: that one
    /// does not convert says nothing.
    pub(super) fn finish_as_if(&mut self, args: Vec<Arg>, targets: &[Ty]) {
        let n_misfits = self.out.misfits.len();
        self.finish_with(args, targets);
        self.out.misfits.truncate(n_misfits);
    }

    fn finish_one(&mut self, arg: Arg, target: Option<Ty>) {
        match (&arg.expr.kind, target) {
            (ExprKind::Discard, _) => {}
            (ExprKind::ImplicitOut(local), _) => {
                if let Some(local) = self.locals.get_mut(*local as usize) {
                    local.ty = target.unwrap_or(Ty::ERROR);
                }
            }
            (_, Some(target)) if arg.ref_kind == RefKind::None && !target.is_error() => {
                self.convert(arg.expr, target);
            }
            _ => {
                self.finish(arg.expr);
            }
        }
    }
}

/// How many collections one place makes to make another one.
const MAX_COLLECTIONS: usize = 2;

fn passed_as(flags: u8) -> RefKind {
    match flags & (ref_kind::PARAMS - 1) {
        ref_kind::REF => RefKind::Ref,
        ref_kind::OUT => RefKind::Out,
        ref_kind::IN => RefKind::In,
        ref_kind::REF_READONLY => RefKind::RefReadonly,
        _ => RefKind::None,
    }
}
