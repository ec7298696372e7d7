//! Statements (C# specification, §13), patterns (§11), queries (§12.20), anonymous functions (§12.19).
//! STUB (owner: STMT)

pub(crate) mod lambda;

use cortex_syntax::BodyId;

use crate::{binder::Binder, expr::Expr, ty::Ty};

impl Binder<'_, '_> {
    /// A `Block`, or an expression after `=>` that is returned.
    pub(crate) fn bind_body(&mut self, _node: BodyId) {}
    /// A statement.
    pub(crate) fn bind_statement(&mut self, _node: BodyId) {}
    /// A pattern against a value of a type; its variables are declared.
    pub(crate) fn bind_pattern(&mut self, _node: BodyId, _input: Ty) {}
    /// `e is …`, `e switch { … }`.
    pub(crate) fn bind_is(&mut self, node: BodyId) -> Expr {
        Expr::error(node)
    }
    /// See [`Self::bind_is`].
    pub(crate) fn bind_switch_expression(&mut self, node: BodyId) -> Expr {
        Expr::error(node)
    }
    /// §12.20: a query expression; operators recorded as `How::Query`.
    pub(crate) fn bind_query(&mut self, node: BodyId) -> Expr {
        Expr::error(node)
    }
    /// §12.7: the types that a value of a type is taken apart into, `count` of them; `Deconstruct` recorded
    /// at `offset`. Unknown ones are errors.
    pub(crate) fn deconstruct(&mut self, _value: &Expr, count: usize, _offset: u32) -> Vec<Ty> {
        vec![Ty::ERROR; count]
    }
    /// `(a, var b) = e`, `var (a, b) = e`: the left side's node, the value, the offset of `=`.
    pub(crate) fn bind_deconstruction(&mut self, _left: BodyId, value: Expr, _offset: u32) -> Expr {
        value
    }
    /// §13.9.5: the type that `foreach` takes from a collection; its members recorded at `offset`.
    pub(crate) fn foreach_element(
        &mut self,
        _collection: &Expr,
        _offset: u32,
        _asynchronous: Asynchronous,
    ) -> Ty {
        Ty::ERROR
    }
    /// §12.9.8.2: the result type of `await`; `GetAwaiter` recorded at `offset`.
    pub(crate) fn await_result(&mut self, _value: &Expr, _offset: u32) -> Ty {
        Ty::ERROR
    }
}

/// Whether a `foreach` or `using` is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asynchronous {
    /// `await foreach`.
    Yes,
    /// Not.
    No,
}
