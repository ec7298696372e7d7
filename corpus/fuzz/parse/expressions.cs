class C
{
    async System.Threading.Tasks.Task M(bool async)
    {
        a?.b = 3; a?[0] ??= 4; (b ? ref x : ref y) = 2;
        var q = from x in xs where x is { P: > 1 and not 3, Q: [1, .., var z] } select new { x, z };
        object[] o = [1, ..xs, F(static (ref int i) => i >>> 2)];
        await foreach (var (l, r) in G<int>(nameof(List<>), out _)) goto case 1;
        unsafe { *(int*)p = 1; *p++ = sizeof(int); }
        var w = p with { X = async ? default! : typeof(G<,>) };
    }
}
