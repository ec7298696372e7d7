//! Types that the language itself knows.

use std::cell::OnceCell;

use crate::symbol::TypeId;

macro_rules! specials {
    ($($variant:ident = $namespace:literal $name:literal $arity:literal),* $(,)?) => {
        /// A type that the language itself knows.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "each is its name")]
        pub enum Special { $($variant),* }

        impl Special {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Namespace, simple name, arity.
            pub const fn full_name(self) -> (&'static str, &'static str, u16) {
                match self { $(Self::$variant => ($namespace, $name, $arity)),* }
            }
        }
    };
}

specials! {
    Object = "System" "Object" 0, Void = "System" "Void" 0, Boolean = "System" "Boolean" 0,
    Char = "System" "Char" 0, SByte = "System" "SByte" 0, Byte = "System" "Byte" 0,
    Int16 = "System" "Int16" 0, UInt16 = "System" "UInt16" 0, Int32 = "System" "Int32" 0,
    UInt32 = "System" "UInt32" 0, Int64 = "System" "Int64" 0, UInt64 = "System" "UInt64" 0,
    IntPtr = "System" "IntPtr" 0, UIntPtr = "System" "UIntPtr" 0, Single = "System" "Single" 0,
    Double = "System" "Double" 0, Decimal = "System" "Decimal" 0, String = "System" "String" 0,
    Enum = "System" "Enum" 0, ValueType = "System" "ValueType" 0, Delegate = "System" "Delegate" 0,
    MulticastDelegate = "System" "MulticastDelegate" 0, Array = "System" "Array" 0,
    Nullable = "System" "Nullable" 1, Type = "System" "Type" 0, Exception = "System" "Exception" 0,
    Attribute = "System" "Attribute" 0, TypedReference = "System" "TypedReference" 0,
    Index = "System" "Index" 0, Range = "System" "Range" 0,
    Span = "System" "Span" 1, ReadOnlySpan = "System" "ReadOnlySpan" 1,
    IDisposable = "System" "IDisposable" 0, IAsyncDisposable = "System" "IAsyncDisposable" 0,
    FormattableString = "System" "FormattableString" 0, IFormattable = "System" "IFormattable" 0,
    IEquatable = "System" "IEquatable" 1,
    IEnumerable = "System.Collections" "IEnumerable" 0, IEnumerator = "System.Collections" "IEnumerator" 0,
    IEnumerableT = "System.Collections.Generic" "IEnumerable" 1,
    IEnumeratorT = "System.Collections.Generic" "IEnumerator" 1,
    ICollectionT = "System.Collections.Generic" "ICollection" 1,
    IListT = "System.Collections.Generic" "IList" 1,
    IReadOnlyCollectionT = "System.Collections.Generic" "IReadOnlyCollection" 1,
    IReadOnlyListT = "System.Collections.Generic" "IReadOnlyList" 1,
    ListT = "System.Collections.Generic" "List" 1,
    IAsyncEnumerableT = "System.Collections.Generic" "IAsyncEnumerable" 1,
    IAsyncEnumeratorT = "System.Collections.Generic" "IAsyncEnumerator" 1,
    Task = "System.Threading.Tasks" "Task" 0, TaskT = "System.Threading.Tasks" "Task" 1,
    ValueTask = "System.Threading.Tasks" "ValueTask" 0, ValueTaskT = "System.Threading.Tasks" "ValueTask" 1,
    Expression = "System.Linq.Expressions" "Expression" 0,
    ExpressionT = "System.Linq.Expressions" "Expression" 1,
    DefaultInterpolatedStringHandler = "System.Runtime.CompilerServices" "DefaultInterpolatedStringHandler" 0,
    ITuple = "System.Runtime.CompilerServices" "ITuple" 0,
    Action0 = "System" "Action" 0, Action1 = "System" "Action" 1, Action2 = "System" "Action" 2,
    Action3 = "System" "Action" 3, Action4 = "System" "Action" 4, Action5 = "System" "Action" 5,
    Action6 = "System" "Action" 6, Action7 = "System" "Action" 7, Action8 = "System" "Action" 8,
    Func1 = "System" "Func" 1, Func2 = "System" "Func" 2, Func3 = "System" "Func" 3,
    Func4 = "System" "Func" 4, Func5 = "System" "Func" 5, Func6 = "System" "Func" 6,
    Func7 = "System" "Func" 7, Func8 = "System" "Func" 8, Func9 = "System" "Func" 9,
    ValueTuple1 = "System" "ValueTuple" 1, ValueTuple2 = "System" "ValueTuple" 2,
    ValueTuple3 = "System" "ValueTuple" 3, ValueTuple4 = "System" "ValueTuple" 4,
    ValueTuple5 = "System" "ValueTuple" 5, ValueTuple6 = "System" "ValueTuple" 6,
    ValueTuple7 = "System" "ValueTuple" 7, ValueTuple8 = "System" "ValueTuple" 8,
}

/// Where found special types are kept.
pub(crate) struct SpecialTypes {
    slots: Box<[OnceCell<Option<TypeId>>]>,
}

impl Default for SpecialTypes {
    fn default() -> Self {
        Self {
            slots: Special::ALL.iter().map(|_| OnceCell::new()).collect(),
        }
    }
}

impl SpecialTypes {
    pub(crate) fn slot(&self, special: Special) -> &OnceCell<Option<TypeId>> {
        &self.slots[special as usize]
    }
}
