//! Which type converts to which (C# specification, §10), and which conversion is better (§12.6.4.5).
//! STUB (owner: CONVERT)

use cortex_syntax::Op;

use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::{Arg, Expr},
    overload::Resolved,
    symbol::Sym,
    ty::Ty,
};

/// A conversion, best first where that matters to overload resolution.
#[derive(Clone, Debug)]
pub enum Conversion {
    /// There is none.
    None,
    /// §10.2.2, tuple names and `dynamic`/`object` aside.
    Identity,
    /// One side is unknown: taken as possible.
    Unknown,
    /// Numeric, enumeration, nullable, reference, boxing, constant, null and default literals, pointers,
    /// spans, dynamic, `throw`: everything that needs no member.
    Standard,
    /// A tuple literal or type, element by element.
    Tuple,
    /// An interpolated string to a handler, `FormattableString` or `IFormattable`.
    InterpolatedString,
    /// A collection expression to a collection type.
    Collection,
    /// `new(…)`.
    ImplicitNew,
    /// A conditional or switch expression, branch by branch.
    Branches,
    /// A lambda to a delegate or expression tree type.
    Lambda,
    /// A method group to a delegate type, with the method chosen.
    MethodGroup(Box<Resolved>),
    /// §10.5: the operator, as constructed.
    UserDefined(Sym),
}

impl Conversion {
    /// Whether there is one.
    pub fn exists(&self) -> bool {
        !matches!(self, Self::None)
    }
}

/// Which of two is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Better {
    /// The first.
    Left,
    /// The second.
    Right,
    /// Neither.
    Neither,
}

impl Compilation<'_> {
    /// §10.2: an implicit conversion between types that needs no member, identity included.
    pub fn standard_implicit(&self, _from: Ty, _to: Ty) -> bool {
        false
    }
    /// §10.3: an explicit conversion between types that needs no member, implicit ones included.
    pub fn standard_explicit(&self, _from: Ty, _to: Ty) -> bool {
        false
    }
    /// §10.2.2: whether two types are the same to conversions.
    pub fn is_identical(&self, a: Ty, b: Ty) -> bool {
        a == b
    }
    /// §10.5.4, §10.5.5: the user-defined conversion operator for a source type.
    pub fn user_defined_conversion(&self, _from: Ty, _to: Ty, _explicit: Explicit) -> Option<Sym> {
        None
    }
    /// §12.6.3.15: the best common type of expressions' types.
    pub fn best_common_type(&self, _types: &[Ty]) -> Option<Ty> {
        None
    }
    /// The parameters and return type of a delegate type, or of the delegate in `Expression<D>`.
    pub fn delegate_signature(&self, _ty: Ty) -> Option<DelegateSignature> {
        None
    }
}

/// Whether explicit conversions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explicit {
    /// Implicit ones only.
    No,
    /// Explicit ones as well: in a cast.
    Yes,
}

/// What a delegate's `Invoke` takes and returns, as constructed.
#[derive(Clone, PartialEq, Debug)]
pub struct DelegateSignature {
    /// Parameters.
    pub params: Vec<crate::symbol::Param>,
    /// Return type.
    pub ret: Ty,
    /// `Invoke`.
    pub invoke: Sym,
}

impl Binder<'_, '_> {
    /// §10.2: the implicit conversion of an expression to a type. Records nothing.
    pub(crate) fn implicit_conversion(&mut self, _expr: &Expr, _to: Ty) -> Conversion {
        Conversion::Unknown
    }
    /// §10.3: the explicit one, of a cast. Records nothing.
    pub(crate) fn explicit_conversion(&mut self, _expr: &Expr, _to: Ty) -> Conversion {
        Conversion::Unknown
    }
    /// Finishes an expression for the type that its place wants: binds a lambda's body for good, chooses
    /// the constructor of `new(…)` and the method of a group, records user-defined conversions (at the
    /// expression's first token), goes into tuples, branches and collections. Always succeeds: where
    /// nothing converts, the expression is finished on its own.
    pub(crate) fn convert(&mut self, expr: Expr, to: Ty) -> Expr {
        let _ = to;
        expr
    }
    /// The same for a cast.
    pub(crate) fn convert_explicit(&mut self, expr: Expr, to: Ty, _cast_offset: u32) -> Expr {
        let _ = to;
        expr
    }
    /// Finishes an expression that no type is wanted from: a lambda or method group gets its natural
    /// type (§12.19, §12.8.7), branches their common type.
    pub(crate) fn finish(&mut self, expr: Expr) -> Expr {
        expr
    }
    /// §12.6.4.5: the better conversion of an expression to two types.
    pub(crate) fn better_conversion(&mut self, _expr: &Expr, _left: Ty, _right: Ty) -> Better {
        Better::Neither
    }
    /// The natural type of an expression without one: of a lambda with typed parameters, a method group of one method.
    pub(crate) fn natural_type(&mut self, _expr: &Expr) -> Option<Ty> {
        None
    }
    /// §12.12, §12.9: a binary operator: user-defined ones recorded at `offset` (their token), else the
    /// predefined. Operands are finished here.
    pub(crate) fn binary_operator(
        &mut self,
        _op: Op,
        _offset: u32,
        left: Expr,
        _right: Expr,
    ) -> Expr {
        left
    }
    /// Compound assignment `left op= right`: instance operators (C# 14), then the binary one and the conversion back.
    pub(crate) fn compound_assignment(
        &mut self,
        _op: Op,
        _offset: u32,
        left: Expr,
        _right: Expr,
    ) -> Expr {
        left
    }
    /// §12.9: a unary operator, `++` and `--` included.
    pub(crate) fn unary_operator(&mut self, _op: Op, _offset: u32, operand: Expr) -> Expr {
        operand
    }
    /// §12.24: an expression as a condition: `bool`, or an operator `true` (`How::Other`).
    pub(crate) fn condition(&mut self, expr: Expr) -> Expr {
        expr
    }
    /// Not used by anyone but conversions themselves; see `overload`.
    pub(crate) fn finish_all(&mut self, args: &[Arg]) {
        for arg in args {
            self.finish(arg.expr.clone());
        }
    }
}
