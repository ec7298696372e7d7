[assembly: System.CLSCompliant(false)]
namespace N.M;
using G = System.Collections.Generic.Dictionary<string, (int a, int? b)[]>;
/// <summary>See <see cref="G{K}.M(int)"/>.</summary>
public sealed partial record R<in T>(T P, int Q = 3) : B<T>(P), I<T> where T : class?, new(), allows ref struct
{
    public required int X { get; private init; }
    public static explicit operator checked int(R<T> r) => 0;
    event System.Action I<T>.E { add { } remove { } }
    public ref readonly int this[int i] => throw null!;
    delegate*<in int, void> f;
    ~R() { }
}
file enum E : byte { A = 1, B = A << 1, }
static class X { extension(string s) { public int L => s.Length; } }
