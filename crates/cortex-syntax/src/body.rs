//! What a file's declarations do: a compact tree of statements, expressions, patterns and the types
//! named in them, one flat preorder array per file.
//!
//! Owns: the form of the tree. Must not know: what names mean.

use crate::facts::{DeclId, NameId};

/// An index into [`Bodies::nodes`].
pub type BodyId = u32;

/// The trees of one file, in source order. A root is a [`BodyKind::Decl`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bodies {
    /// Preorder: the first child of `i` is `i + 1`, the next sibling of `i` is `nodes[i].after`.
    pub nodes: Vec<BodyNode>,
}

/// One node; 20 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyNode {
    /// What it is; says what its children, `flags` and `value` are.
    pub kind: BodyKind,
    /// See [`BodyKind`]; 0 where it says nothing.
    pub flags: u8,
    /// Its first byte, or the byte of its name or operator where [`BodyKind`] says so.
    pub offset: u32,
    /// See [`BodyKind`]; 0 where it says nothing.
    pub value: u32,
    /// The node after its last descendant.
    pub after: BodyId,
}

impl BodyNode {
    /// The name that it writes or declares itself, if it does.
    pub fn name(&self) -> Option<NameId> {
        use BodyKind as K;
        match self.kind {
            K::Name
            | K::GenericName
            | K::Declarator
            | K::LocalFunction
            | K::TypeParameter
            | K::LambdaParameter
            | K::SingleDesignation
            | K::PredefinedType => Some(self.value),
            K::Argument | K::AnonymousMember | K::TupleElement => self.value.checked_sub(1),
            _ => None,
        }
    }
}

impl Bodies {
    /// A node.
    pub fn node(&self, id: BodyId) -> BodyNode {
        self.nodes[id as usize]
    }

    /// Every node, by id.
    pub fn nodes(&self) -> &[BodyNode] {
        &self.nodes
    }

    /// The kind of a node.
    pub fn kind(&self, id: BodyId) -> BodyKind {
        self.nodes[id as usize].kind
    }

    /// The children of a node, in source order.
    pub fn children(&self, id: BodyId) -> BodyChildren<'_> {
        BodyChildren {
            nodes: &self.nodes,
            next: id + 1,
            end: self.nodes[id as usize].after,
        }
    }

    /// The roots, in source order.
    pub fn roots(&self) -> BodyChildren<'_> {
        BodyChildren {
            nodes: &self.nodes,
            next: 0,
            end: self.nodes.len() as BodyId,
        }
    }

    /// The root of a declaration; none where it has nothing to say. O(roots).
    pub fn root_of(&self, decl: DeclId) -> Option<BodyId> {
        let is_it = |id: &BodyId| self.node(*id).value == decl + 1;
        self.roots().find(is_it)
    }
}

/// See [`Bodies::children`].
#[derive(Clone, Debug)]
pub struct BodyChildren<'b> {
    nodes: &'b [BodyNode],
    next: BodyId,
    end: BodyId,
}

impl Iterator for BodyChildren<'_> {
    type Item = BodyId;

    fn next(&mut self) -> Option<BodyId> {
        if self.next >= self.end {
            return None;
        }
        let id = self.next;
        self.next = self.nodes[id as usize].after;
        Some(id)
    }
}

/// `flags` of [`BodyKind::Argument`], [`BodyKind::LambdaParameter`], [`BodyKind::RefType`] and
/// [`BodyKind::RefExpression`].
pub mod ref_kind {
    /// By value.
    pub const NONE: u8 = 0;
    /// `ref`.
    pub const REF: u8 = 1;
    /// `out`.
    pub const OUT: u8 = 2;
    /// `in`.
    pub const IN: u8 = 3;
    /// `ref readonly`.
    pub const REF_READONLY: u8 = 4;
    /// Added to the above: `params`.
    pub const PARAMS: u8 = 8;
    /// Added to the above: a parameter with a default value.
    pub const OPTIONAL: u8 = 16;
}

/// `flags` of declarations of locals, lambdas, local functions and statements with `await`.
pub mod body_flags {
    /// `const`.
    pub const CONST: u8 = 1;
    /// `using`.
    pub const USING: u8 = 2;
    /// `await`.
    pub const AWAIT: u8 = 4;
    /// `async`.
    pub const ASYNC: u8 = 8;
    /// `static`.
    pub const STATIC: u8 = 16;
}

/// `flags` of [`BodyKind::Literal`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "each is the C# type of the literal")]
pub enum LiteralKind {
    Null,
    True,
    False,
    Int,
    UInt,
    Long,
    ULong,
    Float,
    Double,
    Decimal,
    Char,
    String,
    /// `"…"u8`: `ReadOnlySpan<byte>`.
    Utf8String,
}

impl LiteralKind {
    /// Every value, in declaration order.
    pub const ALL: &'static [Self] = &[
        Self::Null,
        Self::True,
        Self::False,
        Self::Int,
        Self::UInt,
        Self::Long,
        Self::ULong,
        Self::Float,
        Self::Double,
        Self::Decimal,
        Self::Char,
        Self::String,
        Self::Utf8String,
    ];
}

macro_rules! operators {
    ($($(#[$doc:meta])* $variant:ident = $token:literal),* $(,)?) => {
        /// An operator; `flags` of the nodes that have one.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "each is its token")]
        pub enum Op { $($(#[$doc])* $variant),* }

        impl Op {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The token; of an assignment that computes (`+=`), the operator alone.
            pub const fn token(self) -> &'static str {
                match self { $(Self::$variant => $token),* }
            }
        }
    };
}

operators! {
    Add = "+", Subtract = "-", Multiply = "*", Divide = "/", Modulo = "%",
    And = "&", Or = "|", Xor = "^", ShiftLeft = "<<", ShiftRight = ">>", UnsignedShiftRight = ">>>",
    LogicalAnd = "&&", LogicalOr = "||", Coalesce = "??",
    Equal = "==", NotEqual = "!=", Less = "<", LessOrEqual = "<=", Greater = ">", GreaterOrEqual = ">=",
    Not = "!", Complement = "~", Increment = "++", Decrement = "--", Dereference = "*p", AddressOf = "&p",
    /// `^1`.
    FromEnd = "^1", Assign = "=",
}

macro_rules! body_kinds {
    ($($(#[$doc:meta])* $variant:ident),* $(,)?) => {
        /// The kinds of nodes. Children in order; `?` may be missing, `*` any number, `|` either.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum BodyKind { $($(#[$doc])* $variant),* }

        impl BodyKind {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
        }
    };
}

body_kinds! {
    // ---- declarations ----
    /// Root: everything of one declaration that is not in its `Decl`. `value`: [`crate::DeclId`] + 1;
    /// 0 for the attributes of the assembly. Children: `Attribute*`, `ParameterDefault*`,
    /// `BaseArguments?`, `Initializer?`, `Accessor*`, `Body?`, in source order. The attributes of its
    /// parameters, type parameters, accessors and return value count as its own. Declarators of one
    /// field share their attributes: they belong to the first. Declarations nested in it are roots of
    /// their own. Declarations with nothing to say have no root.
    Decl,
    /// `[Name(arguments)]`: type, `Arguments?`. Offset: the name.
    Attribute,
    /// A parameter's default value: expression. `value`: the parameter's index.
    ParameterDefault,
    /// `: base(…)`, `: this(…)` of a constructor (flags 0, 1; offset at the keyword) or `: Base(…)` of
    /// a type with a primary constructor (flags 2; offset at the base type): `Arguments`.
    BaseArguments,
    /// The initial value of a field, property, event field or enum member: expression. The size of a
    /// `fixed` buffer is an `OtherExpression` in it.
    Initializer,
    /// An accessor with a body. `value`: its index in `Decl::accessors`: `Block` | expression.
    Accessor,
    /// `Block` | expression (after `=>`); of top-level statements, the statements.
    Body,

    // ---- statements ----
    /// Statements.
    Block,
    /// `T a = …, b;`: type, `Declarator*`. `flags`: [`body_flags`]. `var (a, b) = e;` is an
    /// `ExpressionStatement` of an `Assignment` to a `DeclarationExpression`.
    LocalDeclaration,
    /// `value`: name, at offset: initial value?.
    Declarator,
    /// `value`: name, at offset. `Attribute*`, `TypeParameter*`, return type, `LambdaParameter*`,
    /// (`Block` | expression)?. `flags`: [`body_flags`].
    LocalFunction,
    /// `value`: name, at offset: constraint types*.
    TypeParameter,
    /// An expression.
    ExpressionStatement,
    /// Expression?.
    Return,
    /// Expression?.
    Throw,
    /// Condition, statement, else statement?.
    If,
    /// Condition, statement.
    While,
    /// Statement, condition.
    Do,
    /// `ForInit`, `ForCondition`, `ForStep`, statement.
    For,
    /// `LocalDeclaration` | expressions*.
    ForInit,
    /// Expression?.
    ForCondition,
    /// Expressions*.
    ForStep,
    /// `foreach (T x in e)`: type, `Declarator`, expression, statement. Offset: `foreach`. `flags`: [`body_flags`].
    ForEach,
    /// `foreach (var (a, b) in e)`, `foreach ((a, b) in e)`: target, expression, statement. Offset: `foreach`.
    ForEachDeconstruct,
    /// `using (…) …`: `LocalDeclaration` | expression, statement. `flags`: [`body_flags`].
    Using,
    /// Expression, statement.
    Lock,
    /// `LocalDeclaration`, statement.
    Fixed,
    /// `Block`, `Catch*`, `Finally?`.
    Try,
    /// Type?, `Declarator?`, `When?`, `Block`.
    Catch,
    /// Expression.
    When,
    /// `Block`.
    Finally,
    /// Expression (a tuple for `switch (a, b)`), `Section*`.
    Switch,
    /// `CaseLabel*`, statements.
    Section,
    /// Pattern, `When?`. `default:` is left out.
    CaseLabel,
    /// `yield return e`: expression; `yield break` is [`BodyKind::Empty`].
    Yield,
    /// `goto case e`: expression.
    GotoCase,
    /// A statement with a label, `checked`, `unchecked` or `unsafe`: statement. `flags`: 1 `checked`, 2 `unchecked`.
    Wrapped,
    /// A statement that names nothing.
    Empty,

    // ---- expressions ----
    /// `value`: name: a simple name without type arguments, in an expression or a type. `var`, `dynamic`,
    /// `nint`, `field`, `value`, `_` are names like any other. `flags` 1: written with `@`, so that it is
    /// no contextual keyword.
    Name,
    /// `value`: name: types*, `OmittedType` where left out.
    GenericName,
    /// `a.b`: expression, `Name` | `GenericName`. Offset: the dot. Also names with dots in types.
    /// `flags` 1: `a->b`.
    MemberAccess,
    /// `alias::b`: `Name`, `Name` | `GenericName`. `global` is a name here.
    AliasQualified,
    /// `a?.b…`, `a?[b]…`: expression, the rest with `MemberBinding` or `ElementBinding` in its place.
    /// `a?.b = c` has the whole `Assignment` for the rest.
    ConditionalAccess,
    /// `.b`: `Name` | `GenericName`.
    MemberBinding,
    /// `[b]`: `Arguments`. Offset: the bracket.
    ElementBinding,
    /// Callee, `Arguments`. `nameof` as well.
    Invocation,
    /// `Argument*`.
    Arguments,
    /// Expression. `value`: name + 1 of a named one. `flags`: [`ref_kind`]. In an attribute, `X = 1`
    /// is a [`BodyKind::MemberInit`] instead. Offset: the name, or the expression.
    Argument,
    /// `a[b]`: expression, `Arguments`. Offset: the bracket.
    ElementAccess,
    /// `new T(…) { … }`: type, `Arguments?`, (`ObjectInitializer` | `CollectionInitializer`)?. Offset: `new`.
    ObjectCreation,
    /// `new(…) { … }`: `Arguments`, (`ObjectInitializer` | `CollectionInitializer`)?. Offset: `new`.
    ImplicitCreation,
    /// `new T[n] { … }`: the array's type, sizes*, `ArrayInitializer?`.
    ArrayCreation,
    /// `new[] { … }`: `ArrayInitializer`. `value`: rank.
    ImplicitArray,
    /// `stackalloc T[n] { … }`, `stackalloc[] { … }`: the array's type?, sizes*, `ArrayInitializer?`. `flags` 1: has a type.
    Stackalloc,
    /// `new { … }`: `AnonymousMember*`.
    AnonymousObject,
    /// Expression. `value`: name + 1 of `a = e`.
    AnonymousMember,
    /// `{ a = …, [i] = … }`: `MemberInit*`. An empty `{ }` is one.
    ObjectInitializer,
    /// `Name` | `ElementBinding` | expression, then value | `ObjectInitializer` | `CollectionInitializer`.
    MemberInit,
    /// `{ e, { a, b } }`: expression | `ElementInitializer`*.
    CollectionInitializer,
    /// `{ a, b }`: expressions*.
    ElementInitializer,
    /// `{ a, { b } }`: expression | `ArrayInitializer`*. Also `int[] a = { … }`.
    ArrayInitializer,
    /// `e with { … }`: expression, `ObjectInitializer`.
    With,
    /// `LambdaParameter*`, return type?, `Block` | expression, `Attribute*` (its own and those of its
    /// parameters, out of the order of the text). `value` 1: there is a return type. `flags`: [`body_flags`].
    Lambda,
    /// `delegate (…) { … }`: `LambdaParameter*`, `Block`, `Attribute*`. `value` 1: there is a parameter list. `flags`: [`body_flags`].
    AnonymousMethod,
    /// `value`: name, at offset: type?, default value? (then there is a type, `OmittedType` where it is
    /// left out). `flags`: [`ref_kind`].
    LambdaParameter,
    /// Left, right. `flags`: [`Op`]: `Assign`, `Coalesce` for `??=`, else the operator of `+=` and its like.
    /// Offset: the token.
    Assignment,
    /// Left, right. `flags`: [`Op`]. Offset: the token.
    Binary,
    /// Operand. `flags`: [`Op`]. Offset: the token.
    Unary,
    /// Operand. `flags`: [`Op`]: `Increment`, `Decrement`. Offset: the token.
    Postfix,
    /// `a!`: operand.
    SuppressNull,
    /// Condition, two branches.
    Conditional,
    /// `e is …`: expression, pattern | type (where the parser cannot tell, a name is a [`BodyKind::ConstantPattern`]).
    Is,
    /// Expression, type.
    As,
    /// `(T)e`: type, expression. Offset: the parenthesis.
    Cast,
    /// Expression.
    Parenthesized,
    /// `(a, b)`: `Argument*`.
    Tuple,
    /// `T x`, `var x`, `var (x, y)` inside an expression: type, designation.
    DeclarationExpression,
    /// `value`: name, at offset.
    SingleDesignation,
    /// Designations.
    ParenthesizedDesignation,
    /// `_`.
    DiscardDesignation,
    /// Type.
    TypeOf,
    /// Type.
    SizeOf,
    /// `default(T)`: type.
    Default,
    /// `default`.
    DefaultLiteral,
    /// `flags`: [`LiteralKind`]; `value`: the value of an integer or `Char` below `u32::MAX`, `u32::MAX` of
    /// any other number; for a `String`, 1 where it is empty.
    Literal,
    /// `Interpolation*`.
    InterpolatedString,
    /// Expression, alignment?. `value` 1: there is a format.
    Interpolation,
    /// `this`.
    This,
    /// `base`.
    Base,
    /// Expression. Offset: `await`.
    Await,
    /// `a..b`: expressions. `flags`: 1 has a left one, 2 has a right one.
    Range,
    /// `e switch { … }`: expression, `Arm*`.
    SwitchExpression,
    /// Pattern, `When?`, expression.
    Arm,
    /// `throw e` as an expression: expression.
    ThrowExpression,
    /// `ref e`: expression.
    RefExpression,
    /// `checked(e)`, `unchecked(e)`: expression. `flags` 1: `unchecked`.
    Checked,
    /// `[a, ..b]`: expression | `Spread`*. Offset: the bracket.
    CollectionExpression,
    /// `..e`: expression.
    Spread,
    /// Clauses in source order, continuations (`into`) in line: `FromClause`, `LetClause`, `WhereClause`,
    /// `JoinClause`, `OrderByClause`, `SelectClause`, `GroupClause`, `IntoClause`. Offset of each: its
    /// first token.
    Query,
    /// `from T x in e`: `Declarator`, expression, type?.
    FromClause,
    /// `let x = e`: `Declarator`, expression.
    LetClause,
    /// `where e`: expression.
    WhereClause,
    /// `join T x in e on a equals b into g`: `Declarator`, expression, expression, expression, then
    /// `Declarator` of `into`?, type?. `flags`: 1 has `into`, 2 has a type.
    JoinClause,
    /// `OrderKey*`.
    OrderByClause,
    /// Expression. `flags` 1: `descending`. Offset: the key's first token.
    OrderKey,
    /// `select e`: expression.
    SelectClause,
    /// `group e by k`: expression, expression.
    GroupClause,
    /// `into x`: `Declarator`.
    IntoClause,
    /// Any other expression (`__makeref`, …): the expressions in it.
    OtherExpression,
    /// What did not parse, or is missing.
    ErrorExpression,

    // ---- patterns ----
    /// Expression; a name may turn out to be a type.
    ConstantPattern,
    /// `T x`: type, designation.
    DeclarationPattern,
    /// `var x`, `var (x, y)`: designation.
    VarPattern,
    /// `T (…) { … } x`: type?, `PositionalClause?`, `PropertyClause?`, designation?.
    RecursivePattern,
    /// `Subpattern*`. Offset: the parenthesis.
    PositionalClause,
    /// `Subpattern*`.
    PropertyClause,
    /// (`Name` | `MemberAccess`)? before the colon, pattern.
    Subpattern,
    /// `> e`: expression. `flags`: [`Op`]. Offset: the token.
    RelationalPattern,
    /// `a and b`, `a or b`: patterns. `flags` 1: `or`.
    BinaryPattern,
    /// Pattern.
    NotPattern,
    /// Pattern.
    ParenthesizedPattern,
    /// Type.
    TypePattern,
    /// `_`.
    DiscardPattern,
    /// `[…] x`: patterns*, designation?. Offset: the bracket.
    ListPattern,
    /// `..`: pattern?.
    SlicePattern,

    // ---- types (names are the kinds above) ----
    /// `value`: name of the keyword.
    PredefinedType,
    /// Element type. `value`: rank. `int[][,]` is an array of rank 1 of arrays of rank 2.
    ArrayType,
    /// Type.
    NullableType,
    /// Type.
    PointerType,
    /// `TupleElement*`.
    TupleType,
    /// Type. `value`: name + 1.
    TupleElement,
    /// Type. `flags`: [`ref_kind`].
    RefType,
    /// Parameter types (`RefType` for `ref`), return type last.
    FunctionPointerType,
    /// A type argument left out: `List<>`.
    OmittedType,
}
