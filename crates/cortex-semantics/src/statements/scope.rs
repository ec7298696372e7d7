//! What is in scope where a value stands that is finished later: the values that a lambda returns, the
//! arms of a switch expression.

use std::rc::Rc;

use cortex_syntax::BodyId;

use crate::{
    binder::{Binder, Local},
    expr::Expr,
};

/// The innermost locals somewhere.
#[derive(Clone, Debug)]
pub(crate) struct SavedScope {
    /// How many locals are around them.
    base: usize,
    locals: Vec<Local>,
    /// See [`Binder::env`].
    env: u32,
}

impl Binder<'_, '_> {
    /// The locals from a number on.
    pub(super) fn save_scope(&self, base: usize) -> SavedScope {
        let base = base.min(self.locals.len());
        SavedScope {
            base,
            locals: self.locals[base..].to_vec(),
            env: self.env,
        }
    }

    /// Runs with a saved scope in place of the locals that are there now; without one, as it is.
    pub(super) fn in_scope<T>(
        &mut self,
        scope: Option<&SavedScope>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Some(scope) = scope else { return run(self) };
        let env = std::mem::replace(&mut self.env, scope.env);
        let base = scope.base.min(self.locals.len());
        let outside = self.locals.split_off(base);
        self.locals.extend_from_slice(&scope.locals);
        let result = run(self);
        self.locals.truncate(base);
        self.locals.extend(outside);
        self.env = env;
        result
    }

    /// Remembers what is in scope for a branch that is finished later, from a local's number on.
    pub(super) fn keep_scope_of(&mut self, branch: &Expr, base: usize) {
        if self.locals.len() > base && super::lambda::needs_target(branch) {
            let scope = Rc::new(self.save_scope(base));
            let key = (self.env, branch.node);
            self.statements.scopes.insert(key, scope);
        }
    }

    /// Runs with what is in scope at a branch of a [`crate::expr::ExprKind::Branches`].
    pub(crate) fn in_scope_of<T>(&mut self, branch: BodyId, run: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.statements.scopes.get(&(self.env, branch)).cloned();
        self.in_scope(scope.as_deref(), run)
    }
}
