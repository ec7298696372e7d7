//! Types that the compiler looks for by itself, under names that no code has to write: another type of the repository
//! that gets or loses such a name changes what the language has.
//!
//! Source: C# specification, §22.5, and the lists of well-known types and members of the compiler.

/// The namespaces that such types are in.
const NAMESPACES: [&str; 9] = [
    "System",
    "System.Collections.Generic",
    "System.Diagnostics",
    "System.Diagnostics.CodeAnalysis",
    "System.Runtime.CompilerServices",
    "System.Runtime.InteropServices",
    "System.Threading",
    "System.Threading.Tasks",
    "System.Threading.Tasks.Sources",
];

/// Types of which the compiler uses members as well.
const USED: [&str; 20] = [
    "AsyncIteratorMethodBuilder",
    "AsyncTaskMethodBuilder",
    "AsyncValueTaskMethodBuilder",
    "AsyncVoidMethodBuilder",
    "DefaultInterpolatedStringHandler",
    "FormattableString",
    "FormattableStringFactory",
    "IAsyncDisposable",
    "IAsyncEnumerable",
    "IAsyncEnumerator",
    "ITuple",
    "Index",
    "Lock",
    "ManualResetValueTaskSourceCore",
    "Range",
    "ReadOnlySpan",
    "RuntimeHelpers",
    "Span",
    "ValueTask",
    "ValueTuple",
];

/// Types that only have to be there.
const NAMED: [&str; 36] = [
    "AsyncMethodBuilderAttribute",
    "AttributeUsageAttribute",
    "CallerArgumentExpressionAttribute",
    "CallerFilePathAttribute",
    "CallerLineNumberAttribute",
    "CallerMemberNameAttribute",
    "CollectionBuilderAttribute",
    "CompilerFeatureRequiredAttribute",
    "ConditionalAttribute",
    "DynamicAttribute",
    "EnumeratorCancellationAttribute",
    "ExperimentalAttribute",
    "ExtensionAttribute",
    "InAttribute",
    "IndexerNameAttribute",
    "InlineArrayAttribute",
    "InterpolatedStringHandlerArgumentAttribute",
    "InterpolatedStringHandlerAttribute",
    "IsByRefLikeAttribute",
    "IsExternalInit",
    "IsReadOnlyAttribute",
    "IsUnmanagedAttribute",
    "ModuleInitializerAttribute",
    "NativeIntegerAttribute",
    "NullableAttribute",
    "NullableContextAttribute",
    "ObsoleteAttribute",
    "OverloadResolutionPriorityAttribute",
    "ParamCollectionAttribute",
    "RequiredMemberAttribute",
    "RequiresLocationAttribute",
    "ScopedRefAttribute",
    "SetsRequiredMembersAttribute",
    "SkipLocalsInitAttribute",
    "TupleElementNamesAttribute",
    "UnscopedRefAttribute",
];

/// Whether the compiler looks for a type.
pub(super) fn is_known(namespace: &str, name: &str) -> bool {
    NAMESPACES.contains(&namespace) && (USED.contains(&name) || NAMED.contains(&name))
}

/// Whether the compiler uses members of a type by their names.
pub(super) fn has_known_members(namespace: &str, name: &str) -> bool {
    NAMESPACES.contains(&namespace) && USED.contains(&name)
}

/// Whether types that the compiler looks for may be in a namespace.
pub(crate) fn may_be_in(namespace: &str) -> bool {
    NAMESPACES.contains(&namespace)
}
