//! `nameof(…)` (C# specification, §12.8.23): every name in it is recorded, nothing is called.
//!
//! Must not know: what calls mean.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::{Binder, Instance},
    expr::{Constant, Expr, ExprKind, MethodGroup},
    expressions::Reading,
    name::known,
    output::{Certainty, Misfit, Ref, Target},
    special::Special,
    symbol::MemberOrigin,
};

impl Binder<'_, '_> {
    /// Whether a callee is the operator: `nameof` where nothing that can be called has this name.
    pub(super) fn is_nameof(&self, callee: BodyId) -> bool {
        if self.body_kind(callee) != BodyKind::Name || self.name_of(callee) != known::NAMEOF {
            return false;
        }
        !self.names_what_is_called(callee)
    }

    /// The operator's own name is told where a variable has it, which the compiler takes for what is called. Types, and
    /// members that cannot be called, leave it the operator.
    pub(super) fn name_of_expression(
        &mut self,
        node: BodyId,
        callee: BodyId,
        arguments: BodyId,
    ) -> Expr {
        self.record_variable_alone(callee);
        let instance = std::mem::replace(&mut self.instance, Instance::This);
        let n_before = self.out.refs.len();
        let n_misfits = self.out.misfits.len();
        for argument in self.children(arguments) {
            if let Some(value) = self.first(argument) {
                if !self.has_name(value) {
                    self.record_misfit_at(self.start_of(value), Misfit::Nameless);
                }
                let named = self.bind(value);
                self.finish_named(named);
            }
        }
        self.instance = instance;
        let misfits = self.out.misfits.split_off(n_misfits).into_iter();
        let is_used = |it: &(u32, Misfit)| !matches!(it.1, Misfit::Event | Misfit::Instance);
        let left = misfits.filter(is_used);
        self.out.misfits.extend(left);
        let members = |found: &&mut Ref| matches!(found.target, Target::Member(_));
        for found in self.out.refs[n_before..].iter_mut().filter(members) {
            found.kind = EdgeKind::TypeOf;
        }
        let string = self.c.special(Special::String);
        Expr::value(node, string).with_constant(Some(Constant::String))
    }

    /// Whether an expression is a name, or names with dots between them.
    fn has_name(&self, node: BodyId) -> bool {
        let mut at = node;
        loop {
            match self.body_kind(at) {
                BodyKind::Name | BodyKind::GenericName | BodyKind::AliasQualified => return true,
                BodyKind::MemberAccess => match self.first(at) {
                    Some(left) => at = left,
                    None => return true,
                },
                BodyKind::Parenthesized => return false,
                // `this.Count`, `string.Length`
                _ => return at != node,
            }
        }
    }

    /// A group means its first method; with several, none for sure.
    fn finish_named(&mut self, named: Expr) {
        match &named.kind {
            ExprKind::Methods(group) => {
                let group = group.clone();
                let mut methods = group.methods.iter();
                if methods.all(|it| self.c.member(it.member).origin == MemberOrigin::External) {
                    self.out.outside_groups.push(group.offset);
                }
                self.record_group(&group, EdgeKind::Reads);
            }
            ExprKind::ColorColor(_) => {
                self.settle(named, Reading::Value);
            }
            _ => {}
        }
    }

    /// Records a group that nothing chooses from.
    pub(super) fn record_group(&mut self, group: &MethodGroup, kind: EdgeKind) {
        let mut methods = group.methods.to_vec();
        if methods.is_empty()
            && let Some(receiver) = &group.receiver
        {
            methods = self.extensions_for(receiver, group.name).to_vec();
        }
        let certainty = if methods.len() == 1 {
            Certainty::Exact
        } else {
            Certainty::OverloadSet
        };
        if let Some(first) = methods.first() {
            self.settle_group(group, first.member);
            self.record(group.offset, Target::Member(first.member), kind, certainty);
        } else if let Some(receiver) = &group.receiver {
            self.settle(receiver.clone(), Reading::Value);
            self.record_unbound(group.offset, crate::output::Why::NotFound);
        }
    }
}
