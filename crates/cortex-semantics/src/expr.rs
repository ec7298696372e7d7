//! What an expression turns out to be, before it is converted to the type that its place wants.
//!
//! Owns: the value passed between binding, inference, conversion and overload resolution. Must not
//! know: how any of them works.

use std::rc::Rc;

use cortex_syntax::BodyId;

use crate::{
    name::Name,
    symbol::{RefKind, Sym},
    ty::Ty,
};

/// A bound expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// Its node.
    pub node: BodyId,
    /// Its type: [`Ty::NONE`] where it has none of its own, [`Ty::ERROR`] where it is unknown.
    pub ty: Ty,
    /// See [`ExprKind`].
    pub kind: ExprKind,
    /// Its value, where it is a constant that is known.
    pub constant: Option<Constant>,
}

/// What kind of thing an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// A value of a type (§12.2.1); with [`Ty::ERROR`], something unknown.
    Value,
    /// A variable of a type, so that it can be passed by `ref` and assigned.
    Variable,
    /// A type: `ty`.
    Type,
    /// A namespace.
    Namespace(Name),
    /// `base`: a value whose virtual members are called as they stand.
    Base,
    /// Methods of one name, not called.
    Methods(Rc<MethodGroup>),
    /// A lambda or anonymous method; its body is bound when its delegate type is known.
    Lambda,
    /// `null`.
    Null,
    /// `default`.
    Default,
    /// `new(…)`; resolved when the type is known. Its arguments, bound.
    ImplicitNew(Rc<[Arg]>),
    /// A tuple literal: its elements and names. `ty` is its natural type, if all elements have one.
    Tuple(Rc<[(Expr, Option<Name>)]>),
    /// A collection expression: its elements (of a spread, what is spread).
    Collection(Rc<[(Expr, Element)]>),
    /// `c ? a : b` without a natural type, or any `e switch { … }` (whose `ty` is its natural type, if it
    /// has one): the branches, not finished. A branch is converted inside of
    /// [`crate::binder::Binder::in_scope_of`] its node: an arm's pattern variables are in scope there.
    Branches(Rc<[Expr]>),
    /// An interpolated string; its type is `string` unless it is converted to a handler.
    InterpolatedString,
    /// `throw e`: converts to everything.
    Throw,
    /// `_` as a target, `out _`.
    Discard,
    /// `out var x`, `var (a, b)` before its type is known: the local's number.
    ImplicitOut(u32),
    /// `stackalloc`: `Span<T>` or a pointer. `ty` is `Span<T>`.
    Stackalloc,
    /// `ref e`, `&Method`.
    AddressOf(Rc<MethodGroup>),
    /// A name that is both a value and its type (Color Color, §12.8.7.2): the value is `ty`, the type is this.
    ColorColor(Ty),
}

/// An element of a collection expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    /// `e`.
    One,
    /// `..e`.
    Spread,
}

/// Methods of one name (§12.2.1, method group).
#[derive(Clone, Debug)]
pub(crate) struct MethodGroup {
    /// The name.
    pub name: Name,
    /// The first byte of the name, where the chosen method is recorded.
    pub offset: u32,
    /// What stands before the dot: a value or a type. `None` for a simple name.
    pub receiver: Option<Expr>,
    /// Methods found by member lookup, hidden ones left out, most derived type first.
    pub methods: Box<[Sym]>,
    /// Type arguments as written; empty where none are.
    pub type_args: Box<[Ty]>,
    /// Whether extension methods are looked for (a receiver that is a value, or, for static extension
    /// members, a type).
    pub extensions: Extensions,
}

/// Whether extension members are candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extensions {
    /// Looked for where no ordinary method is applicable.
    Allowed,
    /// Not looked for.
    No,
}

/// An argument, bound as far as it can be without its parameter's type.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    /// `name:`, with the offset of the name.
    pub name: Option<(Name, u32)>,
    /// `ref`, `out`, `in`.
    pub ref_kind: RefKind,
    /// The value.
    pub expr: Expr,
}

/// A compile-time constant (§12.25), as far as conversions ask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Constant {
    /// Of any integral type, `char` or enum.
    Int(i128),
    /// One of `long`, `ulong` or an enum of them whose value is not kept: a literal, or what is computed from one. It is
    /// taken for one that is not negative.
    Large,
    /// A `bool`.
    Bool(bool),
    /// A string, with whether it is empty.
    String,
    /// `null` of a reference type.
    Null,
    /// Any other.
    Other,
}

impl Expr {
    /// A value.
    pub(crate) fn value(node: BodyId, ty: Ty) -> Self {
        Self::of(node, ty, ExprKind::Value)
    }

    /// A variable.
    pub(crate) fn variable(node: BodyId, ty: Ty) -> Self {
        Self::of(node, ty, ExprKind::Variable)
    }

    /// Something unknown.
    pub(crate) fn error(node: BodyId) -> Self {
        Self::of(node, Ty::ERROR, ExprKind::Value)
    }

    /// An expression without a constant value.
    pub(crate) fn of(node: BodyId, ty: Ty, kind: ExprKind) -> Self {
        Self {
            node,
            ty,
            kind,
            constant: None,
        }
    }

    /// With a constant value.
    #[must_use]
    pub(crate) fn with_constant(mut self, constant: Option<Constant>) -> Self {
        self.constant = constant;
        self
    }

    /// Whether it is of unknown type.
    pub(crate) fn is_error(&self) -> bool {
        self.ty.is_error()
    }

    /// Whether it stands for a value, with or without a type of its own.
    pub(crate) fn is_value(&self) -> bool {
        !matches!(self.kind, ExprKind::Type | ExprKind::Namespace(_))
    }
}
