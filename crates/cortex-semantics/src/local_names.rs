//! Declarations and uses of what a snapshot does not store: locals, parameters, type parameters, labels,
//! aliases and namespaces. Read on demand, for one file.
//!
//! Owns: which of these a name in a file refers to. Must not know: who asks, what an edit does with it.

mod assemble;

use cortex_model::ByteRange;

use crate::{
    name::Name,
    symbol::{MemberId, TypeParamId, UnitId},
};

/// A symbol that snapshots do not store. Comparable within one [`crate::Compilation`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LocalSymbol {
    /// Declared in the body of a member, by the name at this offset of the file.
    Declared(u32),
    /// A parameter by position: of a method, constructor, indexer, operator or delegate, or of a type's
    /// primary constructor. A partial method has one for both of its parts.
    Parameter(MemberId, u16),
    /// The receiver of an extension block, by the first member of the block.
    Receiver(MemberId),
    /// A type parameter. All parts of a partial type share theirs; those of an extension block belong to its
    /// first member.
    TypeParameter(TypeParamId),
    /// The alias of a using directive or an `extern alias`, by the position of the directive in its file.
    Alias(UnitId, u32),
    /// A namespace, by its full name.
    Namespace(Name),
    /// `value`, `field` or `args`, which nothing in the source declares.
    Implicit,
    /// An element of a tuple or a member of an anonymous object, by its position; of which type is not known. A local
    /// variable may give it its name: `(x, y)`, `new { x }`.
    Element(u16),
}

/// What a local symbol is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LocalKind {
    /// A local variable or constant, however it is declared.
    Local,
    /// A local function.
    LocalFunction,
    /// A parameter of a declaration, local function, lambda or anonymous method.
    Parameter,
    /// A type parameter of a type, method, local function or extension block.
    TypeParameter,
    /// A variable of a query.
    RangeVariable,
    /// A label.
    Label,
    /// A using alias or `extern alias`.
    Alias,
    /// A namespace.
    Namespace,
}

/// What a name does with its symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LocalRole {
    /// It is the name in the declaration.
    Declaration(LocalKind),
    /// Code refers to the symbol; `goto` to a label.
    Use,
    /// The name before the colon of an argument, or of a part of a positional pattern.
    NamedArgument,
    /// The type parameter of a `where` clause.
    Constraint,
    /// A documentation comment names it: `<param name="…">`, `<typeparamref name="…">`, `cref`.
    Documentation,
}

/// One declaration in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalDeclaration {
    /// The symbol.
    pub symbol: LocalSymbol,
    /// What it is.
    pub kind: LocalKind,
    /// Its name, without `@` and with escapes read; of a namespace, this segment.
    pub name: Box<str>,
    /// The name as written.
    pub range: ByteRange,
    /// The innermost declaration, block or similar construct that contains the declaration: the symbol has no
    /// uses in this file outside of it. Of a namespace or alias, the whole file.
    pub scope: ByteRange,
}

/// One use in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LocalUse {
    /// The name as written, `@` included.
    pub range: ByteRange,
    /// The symbol.
    pub symbol: LocalSymbol,
    /// What the name does; never a declaration.
    pub role: LocalRole,
}

/// The local symbols of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocalBindings {
    /// Ascending by offset. A namespace, and a parameter of a partial method, may have several.
    pub declarations: Vec<LocalDeclaration>,
    /// Ascending by offset.
    pub uses: Vec<LocalUse>,
}

impl LocalBindings {
    /// The symbol that the name at an offset declares or refers to.
    pub fn symbol_at(&self, offset: u32) -> Option<LocalSymbol> {
        self.name_at(offset).map(|(_, symbol)| symbol)
    }

    /// The name at an offset, and the symbol that it declares or refers to.
    pub fn name_at(&self, offset: u32) -> Option<(ByteRange, LocalSymbol)> {
        let declared = self.declarations.iter();
        let mut declared = declared.map(|declaration| (declaration.range, declaration.symbol));
        let mut used = self.uses.iter().map(|used| (used.range, used.symbol));
        let contains = |(range, _): &(ByteRange, LocalSymbol)| range.contains(offset);
        declared.find(contains).or_else(|| used.find(contains))
    }

    /// The declarations of a symbol in this file.
    pub fn declarations_of(
        &self,
        symbol: LocalSymbol,
    ) -> impl Iterator<Item = &LocalDeclaration> + '_ {
        let declared = self.declarations.iter();
        declared.filter(move |declaration| declaration.symbol == symbol)
    }

    /// The uses of a symbol in this file.
    pub fn uses_of(&self, symbol: LocalSymbol) -> impl Iterator<Item = &LocalUse> + '_ {
        self.uses.iter().filter(move |used| used.symbol == symbol)
    }
}

/// Whether a binder records the names of local symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recording {
    /// It does not: nothing is stored, and nothing is spent.
    Off,
    /// It does.
    On,
}

/// A name of a local symbol, as binding meets it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LocalName {
    pub(crate) offset: u32,
    pub(crate) symbol: LocalSymbol,
    pub(crate) role: LocalRole,
}
