//! Names as numbers. Owns the strings; must not know what they name.

use elsa::FrozenIndexSet;

/// An interned name; equal names have equal numbers within one [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(u32);

/// Every name of a compilation once.
pub struct Names {
    set: FrozenIndexSet<Box<str>>,
}

impl Names {
    /// The number of a name.
    pub fn intern(&self, text: &str) -> Name {
        let index = match self.set.get_full(text) {
            Some((index, _)) => index,
            None => self.set.insert_full(text.into()).0,
        };
        Name(index as u32)
    }

    /// The number of a name that was interned before.
    pub fn try_find(&self, text: &str) -> Option<Name> {
        self.set.get_full(text).map(|(index, _)| Name(index as u32))
    }

    /// The text behind a number.
    pub fn text(&self, name: Name) -> &str {
        self.set.get_index(name.0 as usize).unwrap_or_default()
    }
}

macro_rules! known {
    ($($constant:ident = $text:literal),* $(,)?) => {
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "numbers behind the constants below")]
        enum Number { $($constant),* }

        /// Names that the language itself looks for.
        #[expect(missing_docs, reason = "each is its text")]
        pub mod known {
            use super::{Name, Number};
            $(pub const $constant: Name = Name(Number::$constant as u32);)*
        }

        impl Default for Names {
            fn default() -> Self {
                let names = Self { set: FrozenIndexSet::new() };
                $(names.set.insert($text.into());)*
                names
            }
        }
    };
}

known! {
    EMPTY = "", SYSTEM = "System", GLOBAL = "global", VAR = "var", DYNAMIC = "dynamic",
    UNDERSCORE = "_", NAMEOF = "nameof", NINT = "nint", NUINT = "nuint", NOTNULL = "notnull",
    UNMANAGED = "unmanaged", FIELD = "field", VALUE = "value", THIS = "this",
    CTOR = ".ctor", CCTOR = ".cctor", FINALIZE = "Finalize", ITEM = "Item", INVOKE = "Invoke",
    GET_ENUMERATOR = "GetEnumerator", GET_ASYNC_ENUMERATOR = "GetAsyncEnumerator",
    MOVE_NEXT = "MoveNext", MOVE_NEXT_ASYNC = "MoveNextAsync", CURRENT = "Current",
    GET_AWAITER = "GetAwaiter", GET_RESULT = "GetResult", IS_COMPLETED = "IsCompleted",
    DISPOSE = "Dispose", DISPOSE_ASYNC = "DisposeAsync", DECONSTRUCT = "Deconstruct",
    ADD = "Add", COUNT = "Count", LENGTH = "Length", SLICE = "Slice", SUBSTRING = "Substring",
    GET_PINNABLE_REFERENCE = "GetPinnableReference", HAS_VALUE = "HasValue",
    GET_VALUE_OR_DEFAULT = "GetValueOrDefault", NULLABLE_VALUE = "Value",
    SELECT = "Select", SELECT_MANY = "SelectMany", WHERE = "Where", JOIN = "Join",
    GROUP_JOIN = "GroupJoin", GROUP_BY = "GroupBy", ORDER_BY = "OrderBy",
    ORDER_BY_DESCENDING = "OrderByDescending", THEN_BY = "ThenBy",
    THEN_BY_DESCENDING = "ThenByDescending", CAST = "Cast",
    EQUALS = "Equals", GET_HASH_CODE = "GetHashCode", TO_STRING = "ToString",
    APPEND_LITERAL = "AppendLiteral", APPEND_FORMATTED = "AppendFormatted", REST = "Rest",
    OP_IMPLICIT = "op_Implicit", OP_EXPLICIT = "op_Explicit", OP_CHECKED_EXPLICIT = "op_CheckedExplicit",
    OP_EQUALITY = "op_Equality", OP_INEQUALITY = "op_Inequality", OP_TRUE = "op_True", OP_FALSE = "op_False",
}

/// Words that mean something of their own in some place, and names that are looked for as text.
const OTHER_SPECIAL: [&str; 53] = [
    "AsyncMethodBuilder",
    "AsyncMethodBuilderAttribute",
    "AttributeUsage",
    "AttributeUsageAttribute",
    "BeginInvoke",
    "CallerArgumentExpression",
    "CallerArgumentExpressionAttribute",
    "CallerMemberName",
    "CallerMemberNameAttribute",
    "CollectionBuilder",
    "CollectionBuilderAttribute",
    "CompareTo",
    "Conditional",
    "ConditionalAttribute",
    "Create",
    "EndInvoke",
    "EqualityContract",
    "IndexerName",
    "IndexerNameAttribute",
    "InlineArray",
    "InlineArrayAttribute",
    "InterpolatedStringHandler",
    "InterpolatedStringHandlerAttribute",
    "LambdaExpression",
    "Main",
    "OnCompleted",
    "OverloadResolutionPriority",
    "OverloadResolutionPriorityAttribute",
    "PrintMembers",
    "Program",
    "SetsRequiredMembers",
    "SetsRequiredMembersAttribute",
    "StringBuilder",
    "StructLayout",
    "StructLayoutAttribute",
    "UnsafeOnCompleted",
    "Lock",
    "EnterScope",
    "AsyncCallback",
    "IAsyncResult",
    "Extension",
    "ExtensionAttribute",
    "TupleElementNames",
    "args",
    "await",
    "record",
    "with",
    "when",
    "where",
    "yield",
    "partial",
    "scoped",
    "extension",
];

/// Whether binding may look for a name that no code has, or decides by its text: names of members that patterns,
/// queries and the compiler's own members have, of types and attributes that the language knows, and words that mean
/// something of their own in some place. Names of accessors and operators are among them.
pub fn is_special_name(text: &str) -> bool {
    let is_element = text.strip_prefix("Item").is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    let has_prefix = ["op_", "get_", "set_", "add_", "remove_", "init_"]
        .iter()
        .any(|prefix| text.starts_with(prefix));
    is_element
        || has_prefix
        || OTHER_SPECIAL.contains(&text)
        || Names::default().try_find(text).is_some()
        || (crate::special::Special::ALL.iter()).any(|special| special.full_name().1 == text)
}
