#define FAST
#if FAST && !(NET8_0_OR_GREATER || false)
class A
#elif true == FAST
class B
#else
class C
#endif
{
#region r
#nullable enable
#pragma warning disable 1591
    int x = 1 +
#if DEBUG
        2 +
#endif
        3;
#endregion
}
