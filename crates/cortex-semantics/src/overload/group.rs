//! The method of a group that a call or a delegate type means (C# specification, §12.8.10.2, §12.8.10.3,
//! §10.8): its own methods first, then extension members, innermost level first.
//!
//! Must not know: what is recorded.

use cortex_model::DeclKind;
use cortex_syntax::BodyId;
use smallvec::SmallVec;

use super::{
    Resolved,
    call::{Call, Forms, Statics},
    infer::delegate_arguments,
    resolve::Alternatives,
};
use crate::{
    binder::{Binder, Instance},
    compilation::Compilation,
    expr::{Arg, Expr, ExprKind, Extensions, MethodGroup},
    name::Name,
    symbol::{MemberFlags, RefKind, Sym},
    ty::{Ty, TyKind},
};

/// How the members of a group were called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Called {
    /// As they stand.
    Ordinary,
    /// As extension members: the receiver is an argument.
    Extension,
}

/// A member of a group.
pub(super) struct GroupChoice {
    /// Targets are those of the arguments as written, without the receiver.
    pub(super) resolved: Resolved,
    pub(super) called: Called,
}

/// Extension members by level that a receiver may have.
pub(super) type Levels = std::rc::Rc<[Vec<Sym>]>;

impl Binder<'_, '_> {
    /// The best of a group's members, extension members where it allows them and no other is applicable.
    pub(super) fn choose_in_group(
        &mut self,
        group: &MethodGroup,
        args: &[Arg],
        forms: Forms,
    ) -> Option<GroupChoice> {
        if !group.methods.is_empty() {
            // A lambda that does not fit lets extension methods be tried, if there are any.
            let has_lambdas = args
                .iter()
                .any(|arg| matches!(arg.expr.kind, ExprKind::Lambda));
            let alternatives = match has_lambdas.then(|| self.extension_levels(group)).flatten() {
                Some(levels) if levels.iter().any(|level| !level.is_empty()) => Alternatives::Some,
                _ => Alternatives::None,
            };
            let call = Call {
                receiver: None,
                args,
                type_args: &group.type_args,
                statics: self.statics(group.receiver.as_ref()),
                forms,
            };
            if let Some(choice) = self.choose(&group.methods, &call, alternatives) {
                return Some(GroupChoice {
                    resolved: choice.resolved(self.c),
                    called: Called::Ordinary,
                });
            }
        }
        let receiver = group.receiver.as_ref()?;
        let levels = self.extension_levels(group)?;
        self.choose_extension(&levels, receiver, args, &group.type_args, forms)
    }

    /// Extension members of a group's name in scope; `None` where the group takes none.
    pub(super) fn extension_levels(&self, group: &MethodGroup) -> Option<Levels> {
        let receiver = group.receiver.as_ref()?;
        let may_extend = group.extensions == Extensions::Allowed && self.is_extendable(receiver);
        may_extend.then(|| self.c.extensions_in_scope(&self.scope, group.name))
    }

    fn is_extendable(&self, receiver: &Expr) -> bool {
        match receiver.kind {
            ExprKind::Base | ExprKind::Namespace(_) => false,
            ExprKind::Type => !receiver.ty.is_error(),
            _ => !receiver.ty.is_none() && !receiver.ty.is_error() && receiver.ty != Ty::DYNAMIC,
        }
    }

    /// §12.8.10.3: the best of the innermost level that has an applicable one.
    fn choose_extension(
        &mut self,
        levels: &[Vec<Sym>],
        receiver: &Expr,
        args: &[Arg],
        type_args: &[Ty],
        forms: Forms,
    ) -> Option<GroupChoice> {
        let (as_value, as_type) = match receiver.kind {
            ExprKind::Type => (None, Some(receiver.ty)),
            ExprKind::ColorColor(ty) => (Some(receiver), Some(ty)),
            _ => (Some(receiver), None),
        };
        for (index, level) in levels.iter().enumerate() {
            let alternatives = if levels[index + 1..].iter().any(|it| !it.is_empty()) {
                Alternatives::Some
            } else {
                Alternatives::None
            };
            if let Some(receiver) = as_value {
                let instance = self.extensions_of(level, Statics::Instance);
                let call = Call {
                    receiver: Some(receiver),
                    args,
                    type_args,
                    statics: Statics::Both,
                    forms,
                };
                let found = self.choose(&instance, &call, alternatives);
                if let Some(choice) = found {
                    return Some(reduced(choice.resolved(self.c)));
                }
            }
            if let Some(ty) = as_type {
                let of_types = self.extensions_of(level, Statics::Static);
                if of_types.is_empty() {
                    continue;
                }
                let value = Expr::value(receiver.node, ty);
                let call = Call {
                    receiver: Some(&value),
                    args,
                    type_args,
                    statics: Statics::Both,
                    forms,
                };
                let found = self.choose(&of_types, &call, alternatives);
                if let Some(choice) = found {
                    return Some(reduced(choice.resolved(self.c)));
                }
            }
        }
        None
    }

    /// Those of a level that are called on values, or on types.
    pub(super) fn extensions_of(&self, level: &[Sym], statics: Statics) -> SmallVec<[Sym; 8]> {
        let wanted = |sym: &&Sym| {
            let member = self.c.member(sym.member);
            if member.signature.params.is_empty() && member.signature.receiver.is_none()
                || member.kind != DeclKind::Method
            {
                return false;
            }
            let of_type = member.is(MemberFlags::EXTENSION_BLOCK) && member.is_static();
            of_type == (statics == Statics::Static)
        };
        level.iter().filter(wanted).copied().collect()
    }

    /// Which members a receiver allows.
    pub(super) fn statics(&self, receiver: Option<&Expr>) -> Statics {
        match receiver.map(|receiver| &receiver.kind) {
            Some(ExprKind::Type) => Statics::Static,
            Some(ExprKind::ColorColor(_)) => Statics::Both,
            Some(_) => Statics::Instance,
            None if self.instance == Instance::This => Statics::Both,
            None => Statics::PreferStatic,
        }
    }

    /// §10.8: the method of a group that a delegate type means.
    pub(super) fn method_for_delegate(
        &mut self,
        group: &MethodGroup,
        delegate: Ty,
    ) -> Option<GroupChoice> {
        let node = group.receiver.as_ref().map_or(0, |receiver| receiver.node);
        let at = Expr::error(node);
        let (args, ret) = match self.c.kind(delegate) {
            TyKind::FunctionPointer(parts) => {
                let (&ret, params) = parts.split_last()?;
                (pointer_arguments(node, params), ret)
            }
            _ => {
                let signature = self.c.delegate_signature(delegate)?;
                let args = delegate_arguments(&at, &signature.params, |ty| ty);
                (args, signature.ret)
            }
        };
        self.choose_in_group(group, &args, Forms::Returning(ret))
    }

    /// Extension members in scope of a name that fit a receiver, whatever the arguments: the innermost
    /// level that has any.
    pub(super) fn extensions_for(&mut self, receiver: &Expr, name: Name) -> SmallVec<[Sym; 4]> {
        let levels = self.c.extensions_in_scope(&self.scope, name);
        for level in levels.iter() {
            let mut fitting = SmallVec::new();
            for sym in self.extensions_of(level, Statics::Instance) {
                let member = self.c.member(sym.member);
                let first = member.signature.receiver.as_ref();
                let Some(param) = first.or(member.signature.params.first()) else {
                    continue;
                };
                let open = !member.signature.type_params.is_empty();
                if open || super::candidate::receiver_converts(self.c, receiver, param.ty) {
                    fitting.push(sym);
                }
            }
            if !fitting.is_empty() {
                return fitting;
            }
        }
        SmallVec::new()
    }
}

impl Compilation<'_> {
    /// Whether a delegate type can be made of the method that was chosen for it, which needs more than that the method
    /// takes the parameters (C# specification, §20.4).
    pub(super) fn becomes_delegate(&self, chosen: Option<&Resolved>, delegate: Ty) -> bool {
        let (params, ret): (Vec<Ty>, Ty) = match self.kind(delegate) {
            TyKind::FunctionPointer(parts) => match parts.split_last() {
                Some((&ret, params)) => (params.to_vec(), ret),
                None => return true,
            },
            _ => match self.delegate_signature(delegate) {
                Some(signature) => {
                    let params = signature.params.iter().map(|param| param.ty);
                    (params.collect(), signature.ret)
                }
                // What is no delegate type has other errors.
                None => return true,
            },
        };
        let Some(chosen) = chosen else { return false };
        let mut params = params.iter().zip(&chosen.targets);
        params.all(|(&param, &target)| self.stands_for(param, target))
            && self.stands_for(chosen.ty, ret)
    }

    /// Whether a value of a type is one of another type as it is: nothing is made of it.
    fn stands_for(&self, from: Ty, to: Ty) -> bool {
        from == to
            || from.is_error()
            || to.is_error()
            || self.without_names(from) == self.without_names(to)
            || self.is_reference_type(from) && self.standard_implicit(from, to)
    }
}

/// The parameters of a function pointer as arguments; how they are passed is not known.
fn pointer_arguments(node: BodyId, params: &[Ty]) -> SmallVec<[Arg; 4]> {
    let params = params.iter();
    params
        .map(|&ty| Arg {
            name: None,
            ref_kind: RefKind::None,
            expr: Expr::variable(node, ty),
        })
        .collect()
}

fn reduced(mut resolved: Resolved) -> GroupChoice {
    resolved.targets = resolved.targets[1..].into();
    if let Some(collected) = &mut resolved.collected {
        collected.is_element = collected.is_element[1..].into();
    }
    GroupChoice {
        resolved,
        called: Called::Extension,
    }
}
