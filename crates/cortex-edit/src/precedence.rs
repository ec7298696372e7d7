//! How tightly expressions hold together, and where one may stand without parentheses.
//!
//! Source: C# specification, 12.4.2 (operator precedence and associativity).

use cortex_syntax::{BodyId, BodyKind, Op};

use crate::body_tree::BodyTree;

/// The loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Precedence {
    /// Assignments, lambdas, queries, `throw`, and what is not known.
    Lowest,
    Conditional,
    Coalesce,
    LogicalOr,
    LogicalAnd,
    Or,
    Xor,
    And,
    Equality,
    /// `is` and `as` as well.
    Relational,
    Shift,
    Additive,
    Multiplicative,
    /// `switch` and `with`.
    Switch,
    Range,
    /// A prefix operator or a cast.
    Unary,
    /// Anything may stand behind it.
    Primary,
}

impl Precedence {
    /// That of an expression.
    pub(crate) fn of(tree: &BodyTree<'_>, id: BodyId) -> Self {
        match tree.kind(id) {
            BodyKind::Name
            | BodyKind::GenericName
            | BodyKind::MemberAccess
            | BodyKind::AliasQualified
            | BodyKind::Invocation
            | BodyKind::ElementAccess
            | BodyKind::ObjectCreation
            | BodyKind::ImplicitCreation
            | BodyKind::AnonymousObject
            | BodyKind::Postfix
            | BodyKind::SuppressNull
            | BodyKind::Checked
            | BodyKind::Parenthesized
            | BodyKind::Tuple
            | BodyKind::TypeOf
            | BodyKind::SizeOf
            | BodyKind::Default
            | BodyKind::DefaultLiteral
            | BodyKind::Literal
            | BodyKind::InterpolatedString
            | BodyKind::This
            | BodyKind::Base
            | BodyKind::PredefinedType
            | BodyKind::ArrayType
            | BodyKind::NullableType
            | BodyKind::TupleType
            | BodyKind::PointerType => match holds_conditional(tree, id) {
                true => Self::Unary,
                false => Self::Primary,
            },
            BodyKind::ConditionalAccess | BodyKind::Unary | BodyKind::Cast | BodyKind::Await => {
                Self::Unary
            }
            BodyKind::Range => Self::Range,
            BodyKind::SwitchExpression | BodyKind::With => Self::Switch,
            BodyKind::Binary => Self::of_operator(tree.node(id).flags),
            BodyKind::Is | BodyKind::As => Self::Relational,
            BodyKind::Conditional => Self::Conditional,
            _ => Self::Lowest,
        }
    }

    fn of_operator(flags: u8) -> Self {
        match Op::ALL.get(usize::from(flags)) {
            Some(Op::Coalesce) => Self::Coalesce,
            Some(Op::LogicalOr) => Self::LogicalOr,
            Some(Op::LogicalAnd) => Self::LogicalAnd,
            Some(Op::Or) => Self::Or,
            Some(Op::Xor) => Self::Xor,
            Some(Op::And) => Self::And,
            Some(Op::Equal | Op::NotEqual) => Self::Equality,
            Some(Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual) => Self::Relational,
            Some(Op::ShiftLeft | Op::ShiftRight | Op::UnsignedShiftRight) => Self::Shift,
            Some(Op::Add | Op::Subtract) => Self::Additive,
            Some(Op::Multiply | Op::Divide | Op::Modulo) => Self::Multiplicative,
            _ => Self::Lowest,
        }
    }

    /// The next tighter one.
    fn tighter(self) -> Self {
        match self {
            Self::Lowest => Self::Conditional,
            Self::Conditional => Self::Coalesce,
            Self::Coalesce => Self::LogicalOr,
            Self::LogicalOr => Self::LogicalAnd,
            Self::LogicalAnd => Self::Or,
            Self::Or => Self::Xor,
            Self::Xor => Self::And,
            Self::And => Self::Equality,
            Self::Equality => Self::Relational,
            Self::Relational => Self::Shift,
            Self::Shift => Self::Additive,
            Self::Additive => Self::Multiplicative,
            Self::Multiplicative => Self::Switch,
            Self::Switch => Self::Range,
            Self::Range => Self::Unary,
            Self::Unary | Self::Primary => Self::Primary,
        }
    }
}

/// Whether a chain begins with `a?.b`, so that what is behind it would belong to it.
fn holds_conditional(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let mut at = id;
    loop {
        match tree.kind(at) {
            BodyKind::ConditionalAccess => return true,
            BodyKind::MemberAccess
            | BodyKind::Invocation
            | BodyKind::ElementAccess
            | BodyKind::SuppressNull => at += 1,
            _ => return false,
        }
    }
}

/// Whether an expression, written like this, may stand in the place of another one without parentheses.
pub(crate) fn fits(
    tree: &BodyTree<'_>,
    place: BodyId,
    precedence: Precedence,
    written: &str,
) -> bool {
    if joins_token(tree, place, written) || starts_format(tree, place, written) {
        return false;
    }
    if precedence == Precedence::Primary {
        return true;
    }
    let Some(parent) = tree.parent(place) else {
        return false;
    };
    if precedence < least(tree, parent, tree.index_in_parent(place)) {
        return false;
    }
    let first = written.chars().next().unwrap_or_default();
    match tree.kind(parent) {
        // `F(a < b, c > (d))` may be a generic call.
        BodyKind::Argument
        | BodyKind::ElementInitializer
        | BodyKind::ArrayInitializer
        | BodyKind::CollectionInitializer
        | BodyKind::CollectionExpression => {
            let list = tree.parent(parent).unwrap_or(parent);
            let start = tree.span(list).start.min(tree.span(place).start) as usize;
            let opens = tree.text[start..tree.span(place).start as usize].contains('<');
            precedence >= Precedence::Unary
                || !(written.contains('<') || opens && written.contains('>'))
        }
        // `(T)-a` is a difference.
        BodyKind::Cast => !matches!(first, '+' | '-' | '&' | '*'),
        _ => true,
    }
}

/// Whether what stands right before a place would be one token with the start of the new text: `--a` is another operator,
/// `a/*p` begins a comment.
fn joins_token(tree: &BodyTree<'_>, place: BodyId, written: &str) -> bool {
    let before = &tree.text[..tree.span(place).start as usize];
    let (Some(before), Some(first)) = (before.chars().next_back(), written.chars().next()) else {
        return false;
    };
    let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '@');
    match (before, first) {
        ('+', '+') | ('-', '-') | ('&', '&') | ('/', '*' | '/') | ('.', '.') => true,
        (before, first) => is_word(before) && is_word(first),
    }
}

/// Whether a `:` of the new text would begin the format of a hole (C# specification, 12.8.3): `{global::A}`.
fn starts_format(tree: &BodyTree<'_>, place: BodyId, written: &str) -> bool {
    let mut around = tree.ancestors(place);
    let enclosing = around.find(|&it| {
        matches!(
            tree.kind(it),
            BodyKind::Interpolation
                | BodyKind::Parenthesized
                | BodyKind::Arguments
                | BodyKind::Tuple
                | BodyKind::Block
        )
    });
    if enclosing.is_none_or(|it| tree.kind(it) != BodyKind::Interpolation) {
        return false;
    }
    let mut depth = 0_usize;
    written.chars().any(|it| {
        match it {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ':' && depth == 0
    })
}

/// The loosest expression that may be a child of a node without parentheses.
fn least(tree: &BodyTree<'_>, parent: BodyId, index: usize) -> Precedence {
    use Precedence as P;
    match (tree.kind(parent), index) {
        (
            BodyKind::Argument
            | BodyKind::ElementInitializer
            | BodyKind::ArrayInitializer
            | BodyKind::CollectionInitializer
            | BodyKind::CollectionExpression
            | BodyKind::Body
            | BodyKind::Accessor
            | BodyKind::Initializer
            | BodyKind::ParameterDefault
            | BodyKind::ExpressionStatement
            | BodyKind::Declarator
            | BodyKind::Return
            | BodyKind::Throw
            | BodyKind::Yield
            | BodyKind::Parenthesized
            | BodyKind::AnonymousMember
            | BodyKind::Lambda
            | BodyKind::LocalFunction
            | BodyKind::Switch
            | BodyKind::Lock
            | BodyKind::Using
            | BodyKind::ForCondition
            | BodyKind::ForStep
            | BodyKind::Checked
            | BodyKind::Arm,
            _,
        )
        | (BodyKind::If | BodyKind::While, 0)
        | (BodyKind::Do | BodyKind::ForEachDeconstruct, 1)
        | (BodyKind::ForEach, 2)
        | (BodyKind::Assignment | BodyKind::MemberInit, 1) => P::Lowest,
        (BodyKind::Conditional, 0) => P::Coalesce,
        (BodyKind::Conditional, _) => P::Conditional,
        // A `:` in a hole begins its format.
        (BodyKind::Interpolation, _) => P::Coalesce,
        (BodyKind::Binary, index) => {
            let own = P::of_operator(tree.node(parent).flags);
            // `a ?? b ?? c` is `a ?? (b ?? c)`.
            match (own == P::Coalesce, index) {
                (true, 0) | (false, 1) => own.tighter(),
                _ => own,
            }
        }
        (BodyKind::Is | BodyKind::As, 0) => P::Relational,
        (BodyKind::Unary | BodyKind::Cast | BodyKind::Await, _) => P::Unary,
        _ => P::Primary,
    }
}
