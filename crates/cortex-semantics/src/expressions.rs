//! Expressions (C# specification, §12), but for calls, operators and queries.
//! STUB (owner: EXPR)

use cortex_syntax::BodyId;

use crate::{binder::Binder, expr::Expr, ty::Ty};

impl Binder<'_, '_> {
    /// An expression, bound as far as it can be without the type that its place wants.
    pub(crate) fn bind(&mut self, node: BodyId) -> Expr {
        Expr::error(node)
    }
    /// The same, finished on its own: for operands, receivers, statements.
    pub(crate) fn bind_value(&mut self, node: BodyId) -> Expr {
        let e = self.bind(node);
        self.finish(e)
    }
    /// The same, converted to a type.
    pub(crate) fn bind_to(&mut self, node: BodyId, ty: Ty) -> Expr {
        let e = self.bind(node);
        self.convert(e, ty)
    }
    /// `receiver.name`: `name` is a `Name` or `GenericName`.
    pub(crate) fn bind_member_access(&mut self, receiver: Expr, _name: BodyId) -> Expr {
        receiver
    }
    /// An object or collection initialiser for a value of a type.
    pub(crate) fn bind_initializer(&mut self, _node: BodyId, _ty: Ty) {}
    /// Finishes `new(…)` for a type: constructor, initialiser.
    pub(crate) fn finish_creation(&mut self, expr: Expr, _ty: Ty) -> Expr {
        expr
    }
    /// The type of the elements of a collection type that a collection expression builds (§12.8 of C# 12's
    /// specification: arrays, spans, builders, collection initialisers, interfaces), and whether it is one.
    pub(crate) fn collection_element(&mut self, _ty: Ty) -> Option<Ty> {
        None
    }
    /// Finishes a collection expression for a type: elements converted, builder or `Add` recorded.
    pub(crate) fn finish_collection(&mut self, expr: Expr, _ty: Ty) -> Expr {
        expr
    }
    /// Finishes an interpolated string as a handler type: its parts through `AppendFormatted`.
    pub(crate) fn finish_interpolated_string(&mut self, expr: Expr, _ty: Option<Ty>) -> Expr {
        expr
    }
}
