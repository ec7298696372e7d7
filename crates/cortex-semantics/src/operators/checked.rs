//! Operators in a checked context (C# specification, §12.8.20; operators declared `checked`, C# 11).
//!
//! Must not know: how an operator is chosen. Beside every `checked` one stands a regular one of the same
//! signature, so the regular ones are chosen from, and the `checked` one then stands in.

use cortex_model::DeclKind;
use cortex_syntax::BodyId;

use crate::{
    binder::{Binder, Overflow},
    symbol::Sym,
    types::signature::{Seen, same_parameters, same_result},
};

impl Binder<'_, '_> {
    /// Binds in another context, and goes back to the one before.
    pub(crate) fn in_context<T>(
        &mut self,
        overflow: Overflow,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = std::mem::replace(&mut self.overflow, overflow);
        let result = run(self);
        self.overflow = before;
        result
    }

    /// The context that `checked(…)` or `unchecked(…)` makes.
    pub(crate) fn context_of(&self, node: BodyId) -> Overflow {
        match self.node(node).flags {
            0 => Overflow::Checked,
            _ => Overflow::Unchecked,
        }
    }

    /// What is used for an operator here: in a checked context the `checked` one beside it.
    pub(crate) fn operator_here(&self, sym: Sym) -> Sym {
        let c = self.c;
        let regular = c.member(sym.member);
        if self.overflow == Overflow::Unchecked
            || !matches!(regular.kind, DeclKind::Operator | DeclKind::Conversion)
        {
            return sym;
        }
        let Some(rest) = c.text(regular.name).strip_prefix("op_") else {
            return sym;
        };
        let checked = c.name(&format!("op_Checked{rest}"));
        let mut named = c.members(regular.owner).named(checked).iter();
        let seen = |member| Seen { member, types: &[] };
        let regular = seen(regular);
        let found = named.find(|&&id| {
            let checked = seen(c.member(id));
            same_parameters(c, checked, regular) && same_result(c, checked, regular)
        });
        found.map_or(sym, |&member| Sym { member, ..sym })
    }
}
