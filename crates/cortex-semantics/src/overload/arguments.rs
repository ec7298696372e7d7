//! Arguments (C# specification, §12.6.2): bound before a member is chosen, converted after.
//!
//! Must not know: how the member is chosen.

use cortex_syntax::{BodyId, BodyKind, ref_kind};

use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind},
    name::known,
    symbol::RefKind,
    ty::Ty,
};

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
                && self.local(known::UNDERSCORE).is_none();
            let expr = if is_discard {
                Expr::of(value, Ty::NONE, ExprKind::Discard)
            } else {
                self.bind(value)
            };
            args.push(Arg {
                name: self.optional_name_of(argument),
                ref_kind,
                expr,
            });
        }
        args
    }

    /// Converts each argument to its target; `out var` gets its type. Arguments without a target are
    /// finished on their own.
    pub(super) fn finish_with(&mut self, args: Vec<Arg>, targets: &[Ty]) {
        for (index, arg) in args.into_iter().enumerate() {
            self.finish_one(arg, targets.get(index).copied());
        }
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

fn passed_as(flags: u8) -> RefKind {
    match flags & (ref_kind::PARAMS - 1) {
        ref_kind::REF => RefKind::Ref,
        ref_kind::OUT => RefKind::Out,
        ref_kind::IN => RefKind::In,
        ref_kind::REF_READONLY => RefKind::RefReadonly,
        _ => RefKind::None,
    }
}
