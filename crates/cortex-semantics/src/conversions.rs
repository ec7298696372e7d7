//! Which type converts to which (C# specification, §10), and which conversion is better (§12.6.4.5).
//!
//! Owns: the vocabulary of conversions. Must not know: how operators and calls are chosen.

mod better;
pub(crate) mod builtin;
mod delegate;
mod explicit;
mod expression;
mod finish;
mod lambda;
mod lambda_rules;
mod reference;
mod standard;
mod user_defined;

pub(crate) use delegate::DelegateSignature;

use crate::symbol::Sym;

/// A conversion, best first where that matters to overload resolution.
#[derive(Clone, Debug)]
pub(crate) enum Conversion {
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
    /// A method group to a delegate type.
    MethodGroup,
    /// §10.5: the operator, as constructed.
    UserDefined(Sym),
}

impl Conversion {
    /// Whether there is one.
    pub(crate) fn exists(&self) -> bool {
        !matches!(self, Self::None)
    }
}

/// Which of two is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Better {
    /// The first.
    Left,
    /// The second.
    Right,
    /// Neither.
    Neither,
}

impl Better {
    /// `Left` where only the first holds, `Right` where only the second does.
    pub(crate) fn of(left: bool, right: bool) -> Self {
        match (left, right) {
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            _ => Self::Neither,
        }
    }
}

/// Whether explicit conversions count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Explicit {
    /// Implicit ones only.
    No,
    /// Explicit ones as well: in a cast.
    Yes,
}
