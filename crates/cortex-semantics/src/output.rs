//! What binding a file finds: which symbol each name means, and what is used without being named.
//!
//! Must not know: how it was found.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, DeclId};

use crate::{
    expr::Constant,
    local_names::LocalName,
    name::Name,
    symbol::{MemberId, TypeId},
    ty::Ty,
};

/// A symbol that a name means. Locals, parameters, type parameters, labels and namespaces are not told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// A type.
    Type(TypeId),
    /// A member; of a constructed type or method, the definition.
    Member(MemberId),
}

/// How sure a target is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// The language says so.
    Exact,
    /// Name and type are certain, the overload is not.
    OverloadSet,
}

/// One name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ref {
    /// Its first byte.
    pub offset: u32,
    /// What it means.
    pub target: Target,
    /// How it is used.
    pub kind: EdgeKind,
    /// How sure.
    pub certainty: Certainty,
}

/// How a member is used without being named; the words are those of the export format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// A constructor: creation (at `new`), `this` and `base` initializers, attributes and base types
    /// with arguments (at their first token).
    New,
    /// An indexer (at `[`).
    Index,
    /// An operator (at its token).
    Operator,
    /// A user-defined conversion (at the expression's first token; at `(` of a cast).
    Conversion,
    /// `Add` of a collection initializer (at the element's first token).
    Add,
    /// `GetEnumerator`, `MoveNext`, `Current` (at `foreach`).
    Foreach,
    /// `Deconstruct` (at `=` or `foreach`; in a pattern, at `(`).
    Deconstruct,
    /// `GetAwaiter` (at `await`).
    Await,
    /// A query operator (at the clause's first token).
    Query,
    /// `Dispose` of `using` and `foreach`.
    Dispose,
    /// Anything else: what counts, slices, `IsCompleted` and `GetResult` of `await`, builders, handlers, true and false
    /// operators.
    Other,
}

impl How {
    /// Every value, in declaration order.
    pub const ALL: &'static [Self] = &[
        Self::New,
        Self::Index,
        Self::Operator,
        Self::Conversion,
        Self::Add,
        Self::Foreach,
        Self::Deconstruct,
        Self::Await,
        Self::Query,
        Self::Dispose,
        Self::Other,
    ];
}

/// One use without a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Use {
    /// The first byte of the token that stands for it, see [`How`].
    pub offset: u32,
    /// The member.
    pub target: MemberId,
    /// How.
    pub how: How,
}

/// A name that could not be bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unbound {
    /// Its first byte.
    pub offset: u32,
    /// Why.
    pub why: Why,
}

/// Why a name could not be bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Why {
    /// No type, namespace or member of the name was found.
    NotFound,
    /// Several, and the language does not choose.
    Ambiguous,
    /// The type of what stands before the dot is not known, or `dynamic`.
    UnknownReceiver,
    /// No overload takes the arguments.
    NoOverload,
}

impl Why {
    /// Every value, in declaration order.
    pub const ALL: &'static [Self] = &[
        Self::NotFound,
        Self::Ambiguous,
        Self::UnknownReceiver,
        Self::NoOverload,
    ];
}

/// What an expression is, or becomes where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Typed {
    /// The expression.
    pub(crate) node: BodyId,
    /// Its first byte.
    pub(crate) offset: u32,
    /// Whether this is what its place makes of it.
    pub(crate) is_converted: bool,
    /// Its type.
    pub(crate) ty: Ty,
    /// Its value, where it is a constant that is known.
    pub(crate) constant: Option<Constant>,
}

/// What a member is accessed on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Receiver {
    /// `base`: exactly the member that is named runs.
    Base,
    /// A value or a type, `this` where nothing is written.
    Of(Ty),
}

/// What one declaration of a file uses.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// Names, in the order in which they were bound.
    pub refs: Vec<Ref>,
    /// Uses without a name.
    pub uses: Vec<Use>,
    /// Names that could not be bound.
    pub unbound: Vec<Unbound>,
    /// What members are accessed on, by the offset of their names.
    pub receivers: Vec<(u32, Receiver)>,
    /// Types that something here has, or that were asked whether something converts to them: what their
    /// members are decides what the names here mean. Each once.
    pub touched: Vec<Ty>,
    /// Names that were looked up among members and types: a local variable of the same name elsewhere in the
    /// declaration does not make them names of locals. Each once.
    pub asked: Vec<Name>,
    /// Names of local symbols, in the order in which they were bound; empty unless they are recorded.
    pub(crate) locals: Vec<LocalName>,
    /// What expressions are and become, in the order in which they were bound; empty unless it is recorded.
    pub(crate) typed: Vec<Typed>,
    /// Calls that pass text of the code around them; without recording, those alone that pass the text of an argument.
    pub(crate) caller_texts: Vec<CallerText>,
    /// Where the language forbids what the names there mean; empty unless it is recorded.
    pub(crate) misfits: Vec<(u32, Misfit)>,
    /// Where `nameof` names several methods that are all declared outside of the repository.
    pub(crate) outside_groups: Vec<u32>,
}

impl Findings {
    /// Whether a call passes the text of one of its arguments: to `[CallerArgumentExpression]`.
    pub fn passes_argument_text(&self) -> bool {
        self.caller_texts.iter().any(|it| it.argument.is_some())
    }
}

/// What the language does not allow although every name of it means something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Misfit {
    /// A member is called with arguments that it does not take.
    Arguments,
    /// A type or method has type arguments that its type parameters do not take (C# specification, §8.4.5).
    TypeArguments,
    /// An event of another type is used otherwise than by `+=` and `-=` (C# specification, §15.8.1).
    Event,
    /// A statement returns a value where none is wanted (C# specification, §13.10.5).
    Return,
    /// An operator has operands that no operator of its name takes (C# specification, §12.4).
    Operator,
    /// A value stands where its type does not convert to the one that is wanted (C# specification, §10.2).
    Conversion,
    /// An attribute is none, may not stand there, or stands there twice (C# specification, §23.2.2).
    Attribute,
    /// A type or namespace stands where a value is wanted (C# specification, §12.2.2).
    Value,
    /// What `nameof` is given has no name (C# specification, §12.8.23).
    Nameless,
    /// An object is made of a type that has none of its own: abstract and static classes, interfaces (C# specification,
    /// §12.8.17.2).
    Creation,
    /// A new object lacks a member that it must set (C# specification, §15.3.1).
    Required,
    /// A static class stands where the type of a value is wanted (C# specification, §15.2.2.4).
    StaticType,
    /// A type derives from what it cannot derive from (C# specification, §15.2.4).
    Base,
    /// A type parameter is constrained by what is no constraint (C# specification, §15.2.5).
    Constraint,
    /// A declaration names a type that less code sees (C# specification, §7.5.5).
    Unseen,
    /// An object is wanted where there is none: by `this`, `base` or a member of objects (C# specification, §12.8.7).
    Instance,
    /// A constructor calls that of its base without arguments, which has none that takes them (C# specification,
    /// §15.11.2).
    BaseConstructor,
    /// A variant type parameter stands where its variance does not allow it (C# specification, §18.2.3.2).
    Variance,
    /// `foreach` goes over what has no elements (C# specification, §13.9.5.2).
    Elements,
    /// `yield` stands in a function whose result is no sequence (C# specification, §15.15.1).
    Yield,
    /// `lock` or `using` takes a value that it cannot take (C# specification, §13.13, §13.14).
    Resource,
    /// A value is given to what cannot have another one (C# specification, §12.21.2, §15.5.3, §15.7.3).
    ReadOnly,
    /// A value that is computed when code runs stands where a constant is wanted (C# specification, §12.25).
    Constant,
    /// A type derives from or consists of itself, or a constant is computed from itself (C# specification, §15.2.4.2,
    /// §15.4, §16.2.2).
    Cycle,
    /// A type has a member that a type like it cannot have (C# specification, §15.2.2.4, §15.6.10, §16.4, §19.4).
    Member,
}

/// A call that leaves out a parameter for which the compiler passes text of the calling code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CallerText {
    /// Where the called member is named.
    pub(crate) offset: u32,
    /// The argument whose text it is; `None` for the name of the member around the call.
    pub(crate) argument: Option<BodyId>,
}

/// What one file uses, by declaration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoundUnit {
    /// In declaration order; the file itself (its usings and assembly attributes) under `None`.
    pub decls: Vec<(Option<DeclId>, Findings)>,
}
