//! New text that uses what the language has only since a later version than its project's.

use cortex_edit::{Edit, MemberAction, MemberEdit, MoveType};
use cortex_wire::{EditAnswer, EditVerdict, WarningReason};

use crate::world::{World, add, replace};

/// Text of a class, the version before it compiles, the one with which it does, and the reason.
const NEWER: &[(&str, &str, &str, &str)] = &[
    (
        "int N() { int x = default; return x; }",
        "7.0",
        "7.1",
        "`default` without a type comes with C# 7.1",
    ),
    (
        "int N(int x) => x switch { 1 => 2, _ => 3 };",
        "7.3",
        "8",
        "switch expressions come with C# 8",
    ),
    (
        "void N(IDisposable d) { using var x = d; }",
        "7.3",
        "8",
        "using declarations come with C# 8",
    ),
    (
        "int N(int[] x) => x[^1];",
        "7.3",
        "8",
        "indices from the end come with C# 8",
    ),
    (
        "int[] N(int[] x) => x[1..];",
        "7.3",
        "8",
        "ranges come with C# 8",
    ),
    (
        "void N() { F(); static void F() { } }",
        "7.3",
        "8",
        "static local functions come with C# 8",
    ),
    (
        "string N(string x) { x ??= \"\"; return x; }",
        "7.3",
        "8",
        "`??=` comes with C# 8",
    ),
    (
        "bool N(string x) => x is { };",
        "7.3",
        "8",
        "patterns with parts come with C# 8",
    ),
    (
        "bool N((int, int) x) => x is (1, 2);",
        "7.3",
        "8",
        "patterns with parts come with C# 8",
    ),
    (
        "int N(string x) => x!.Length;",
        "7.3",
        "8",
        "nullable reference types come with C# 8",
    ),
    (
        "int N(object o) { string? s = null; return 1; }",
        "7.3",
        "8",
        "nullable reference types come with C# 8",
    ),
    (
        "async Task N(IAsyncDisposable d) { await using (d) { } }",
        "7.3",
        "8",
        "`await foreach` and `await using` come with C# 8",
    ),
    (
        "async Task N(IAsyncDisposable d) { await using var x = d; }",
        "7.3",
        "8",
        "`await foreach` and `await using` come with C# 8",
    ),
    (
        "interface INew { int N() => 1; }",
        "7.3",
        "8",
        "bodies of members of interfaces come with C# 8",
    ),
    (
        "struct SNew { public readonly int N() => 1; }",
        "7.3",
        "8",
        "readonly members come with C# 8",
    ),
    (
        "int? N(bool b) => b ? 1 : null;",
        "8.0",
        "9.0",
        "`?:` without a common type comes with C# 9",
    ),
    // Both values convert to what their own type does not convert to.
    (
        "short N(bool b) { short x = b ? 1 : 2; return x; }",
        "8.0",
        "9.0",
        "`?:` without a common type comes with C# 9",
    ),
    (
        "void N(bool b) { Take(b ? 1 : default); } void Take(byte x) { }",
        "8.0",
        "9.0",
        "`?:` without a common type comes with C# 9",
    ),
    (
        "Func<int> N(bool b) { Func<int> f = b ? () => 1 : () => 2; return f; }",
        "8.0",
        "9.0",
        "`?:` without a common type comes with C# 9",
    ),
    (
        "void N(Span<int> x) { scoped Span<int> y = x; }",
        "10.0",
        "11.0",
        "`scoped` comes with C# 11",
    ),
    (
        "void N(Span<int> x) { scoped ref int y = ref x[0]; }",
        "10.0",
        "11.0",
        "`scoped` comes with C# 11",
    ),
    (
        "void N(scoped Span<int> x) { }",
        "10.0",
        "11.0",
        "`scoped` comes with C# 11",
    ),
    (
        "ref struct R { public ref int N; }",
        "10.0",
        "11.0",
        "`ref` fields come with C# 11",
    ),
    (
        "int N { get => field; set => field = value; }",
        "13.0",
        "14.0",
        "`field` comes with C# 14",
    ),
    (
        "int N => field;",
        "13.0",
        "14.0",
        "`field` comes with C# 14",
    ),
    (
        "int N() { int x = default; return x; }",
        "ISO-2",
        "7.1",
        "`default` without a type comes with C# 7.1",
    ),
    (
        "int N() { int x = default; return x; }",
        "iso-1",
        "8",
        "`default` without a type comes with C# 7.1",
    ),
    (
        "bool N(object x) => x is not null;",
        "8.0",
        "9.0",
        "`and`, `or` and `not` in patterns come with C# 9",
    ),
    (
        "bool N(int x) => x is 1 or 2;",
        "8.0",
        "9.0",
        "`and`, `or` and `not` in patterns come with C# 9",
    ),
    (
        "bool N(int x) => x is > 1;",
        "8.0",
        "9.0",
        "relational patterns come with C# 9",
    ),
    (
        "int N(object x) => x switch { int => 1, _ => 2 };",
        "8.0",
        "9.0",
        "patterns that are types come with C# 9",
    ),
    (
        "object N() { Exception x = new(); return x; }",
        "8.0",
        "9.0",
        "`new` without a type comes with C# 9",
    ),
    (
        "int N() { Func<int> f = static () => 1; return f(); }",
        "8.0",
        "9.0",
        "static lambdas come with C# 9",
    ),
    (
        "int N() { Func<int, int, int> f = (_, _) => 1; return f(1, 2); }",
        "8.0",
        "9.0",
        "discards as parameters come with C# 9",
    ),
    (
        "void N() { F(); [Obsolete] void F() { } }",
        "8.0",
        "9.0",
        "attributes of local functions come with C# 9",
    ),
    (
        "record RNew(int N);",
        "8.0",
        "9.0",
        "records come with C# 9",
    ),
    (
        "public int N { get; init; }",
        "8",
        "9",
        "`init` comes with C# 9",
    ),
    (
        "record RNew(int N) { RNew M() => this with { N = 1 }; }",
        "8.0",
        "9.0",
        "records come with C# 9",
    ),
    (
        "record RWith(int N) { RWith M() => this with { N = 1 }; }",
        "8.0",
        "9.0",
        "`with` comes with C# 9",
    ),
    (
        "record struct RNew(int N);",
        "9.0",
        "10.0",
        "record structs come with C# 10",
    ),
    (
        "int N() { Func<int> f = [Obsolete] () => 1; return f(); }",
        "9.0",
        "10.0",
        "attributes of lambdas come with C# 10",
    ),
    (
        "int N() { Func<int> f = int () => 1; return f(); }",
        "9.0",
        "10.0",
        "return types of lambdas come with C# 10",
    ),
    (
        "int N() { var f = () => 1; return f(); }",
        "9.0",
        "10.0",
        "lambdas for `var` come with C# 10",
    ),
    (
        "bool N(Exception x) => x is { Message.Length: 1 };",
        "9.0",
        "10.0",
        "dots in property patterns come with C# 10",
    ),
    (
        "int N() { int x; (x, var y) = (1, 2); return x + y; }",
        "9.0",
        "10.0",
        "variables beside declarations in a deconstruction come with C# 10",
    ),
    (
        "string N() { const string x = $\"{\"a\"}\"; return x; }",
        "9.0",
        "10.0",
        "constant interpolated strings come with C# 10",
    ),
    (
        "struct SNew { public SNew() { } }",
        "9.0",
        "10.0",
        "constructors of structs without parameters come with C# 10",
    ),
    (
        "bool N(int[] x) => x is [1, ..];",
        "10.0",
        "11.0",
        "list patterns come with C# 11",
    ),
    (
        "string N() => \"\"\"a\"\"\";",
        "10.0",
        "11.0",
        "raw strings come with C# 11",
    ),
    (
        "string N() => $\"\"\"a{1}\"\"\";",
        "10.0",
        "11.0",
        "raw strings come with C# 11",
    ),
    (
        "int N() => \"a\"u8.Length;",
        "10.0",
        "11.0",
        "`u8` strings come with C# 11",
    ),
    (
        "int N(int x) => x >>> 1;",
        "10.0",
        "11.0",
        "`>>>` comes with C# 11",
    ),
    (
        "class ANew<T> : Attribute { } [ANew<int>] void N() { }",
        "10.0",
        "11.0",
        "generic attributes come with C# 11",
    ),
    (
        "string N(int x) => $\"{x +\n1}\";",
        "10.0",
        "11.0",
        "lines in the holes of interpolated strings come with C# 11",
    ),
    (
        "interface INew { static abstract int N(); }",
        "10.0",
        "11.0",
        "static abstract members come with C# 11",
    ),
    (
        "public required int N { get; set; }",
        "9.0",
        "11.0",
        "`required` comes with C# 11",
    ),
    (
        "void N() { var f = (N); }",
        "9.0",
        "10.0",
        "methods as values of `var` come with C# 10",
    ),
    (
        "void N() { int L(int x) => x; var f = L; }",
        "9.0",
        "10.0",
        "methods as values of `var` come with C# 10",
    ),
    (
        "struct SNew { int X; SNew N(SNew s) => s with { X = 1 }; }",
        "9.0",
        "10.0",
        "`with` of structs and anonymous types comes with C# 10",
    ),
    (
        "object N() => new { X = 1 } with { X = 2 };",
        "9.0",
        "10.0",
        "`with` of structs and anonymous types comes with C# 10",
    ),
    (
        "List<int> N() => [1];",
        "11.0",
        "12.0",
        "collection expressions come with C# 12",
    ),
    (
        "int N() { var f = (int x = 1) => x; return f(); }",
        "11.0",
        "12.0",
        "default values and `params` of lambdas come with C# 12",
    ),
    (
        "class CNew(int n) { int N => n; }",
        "11.0",
        "12.0",
        "primary constructors come with C# 12",
    ),
    (
        "void N(ref readonly int x) { }",
        "11.0",
        "12.0",
        "`ref readonly` parameters come with C# 12",
    ),
    (
        "void N(params List<int> x) { }",
        "12.0",
        "13.0",
        "`params` collections come with C# 13",
    ),
    (
        "string N() => \"\\e\";",
        "12.0",
        "13.0",
        "`\\e` comes with C# 13",
    ),
    (
        "partial class PNew { public partial int N { get; } public partial int N => 1; }",
        "12.0",
        "13.0",
        "partial properties come with C# 13",
    ),
    (
        "void N(Open x) { x?.M = 1; } int M;",
        "13.0",
        "14.0",
        "assignments behind `?.` come with C# 14",
    ),
    (
        "string N() => nameof(List<>);",
        "13.0",
        "14.0",
        "`nameof` without type arguments comes with C# 14",
    ),
    (
        "delegate void DNew(ref int x); void N() { DNew d = (ref x) => { }; }",
        "13.0",
        "14.0",
        "modifiers of lambda parameters without a type come with C# 14",
    ),
    (
        "partial class PNew { public partial PNew(); public partial PNew() { } }",
        "13.0",
        "14.0",
        "partial constructors and events come with C# 14",
    ),
];

/// What an answer says of versions of the language.
fn versions_told(answer: &EditAnswer) -> Vec<String> {
    let warnings = answer.warnings.iter();
    let told = warnings.filter(|it| it.reason == WarningReason::NotAllowed);
    let told = told.filter(|it| it.name.contains("with C# "));
    told.map(|it| it.name.clone()).collect()
}

fn code(version: &str, member: &str) -> String {
    format!(
        "//- /A.cs project:App properties:LangVersion={version}\nusing System;\nusing System.Collections.Generic;\nusing System.Threading.Tasks;\nclass Open\n{{\n    {member}\n}}\n"
    )
}

#[test]
fn new_text_of_a_later_version_is_not_proven_and_told_with_its_feature() {
    let mut wrong = Vec::new();
    for &(text, before, since, reason) in NEWER {
        let answer = World::new(&code(before, ""))
            .edited("Open", add(text))
            .answer;
        let is_told = versions_told(&answer).iter().any(|it| it.contains(reason));
        if !is_told || answer.verdict != EditVerdict::NotProven {
            wrong.push(format!("{text}: {before}: {:?}", answer.warnings));
        }
        let answer = World::new(&code(since, ""))
            .edited("Open", add(text))
            .answer;
        if !versions_told(&answer).is_empty() {
            wrong.push(format!("{text}: {since}: {:?}", answer.warnings));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn where_the_compiler_takes_its_newest_version_nothing_is_too_new() {
    let text = "List<int> New() => [1];";
    for version in ["latest", "latestMajor", "preview", "default", "12", "12.0"] {
        let op = World::new(&code(version, "")).edited("Open", add(text));
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{version}");
    }
}

#[test]
fn a_record_is_copied_and_a_method_called_before_structs_and_methods_are() {
    let text = "record RNew(int X); object N(RNew r) { var f = Own(); var g = f; Func<int> h = Own; return r with { X = f }; } int Own() => 1;";
    let op = World::new(&code("9.0", "")).edited("Open", add(text));
    assert_eq!(versions_told(&op.answer), Vec::<String>::new());
}

/// Without `LangVersion`, the target framework decides. Of an unknown one, nothing is known.
#[test]
fn a_project_without_a_version_has_the_default_of_its_framework() {
    let ranges = "int Last(int[] xs) => xs[^1];";
    let records = "record Own(int X);";
    let lists = "bool List(int[] xs) => xs is [];";
    let collections = "int[] New() => [1];";
    let params = "void Many(params List<int> xs) { }";
    let open = "string Name() => nameof(List<>);";
    let all = [ranges, records, lists, collections, params, open];
    let frameworks = [
        ("net472", 0),
        ("netstandard2.0", 0),
        ("netcoreapp3.1", 1),
        ("netstandard2.1", 1),
        ("net6.0", 2),
        ("net7.0", 3),
        ("net8.0", 4),
        ("net9.0", 5),
        ("net10.0", 6),
        ("uap10.0", 6),
    ];
    for (framework, n_known) in frameworks {
        let code =
            code("7.3", "").replace("LangVersion=7.3", &format!("TargetFramework={framework}"));
        let world = World::new(&code);
        for (at, text) in all.into_iter().enumerate() {
            let told = versions_told(&world.edited("Open", add(text)).answer);
            assert_eq!(
                told.is_empty(),
                at < n_known,
                "{framework}: {text}: {told:?}"
            );
        }
    }
}

#[test]
fn each_framework_that_compiles_new_text_has_to_know_it() {
    let code = "class Open\n{\n#if NET8_0\n    int New() => 1;\n#endif\n    int All() => 1;\n}\n";
    let world = World::new(&format!("//- /A.cs project:App\n{code}"));
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net8.0;net6.0</TargetFrameworks></PropertyGroup></Project>";
    std::fs::write(world.work().join("App.csproj"), project).expect("its folder is there");
    let told = |frameworks: &[&str], symbol| {
        let request = MemberEdit {
            symbol,
            file: None,
            action: replace("int[] Many() => [1];"),
        };
        let op = world.in_frameworks(frameworks, &Edit::Member(request));
        versions_told(&op.expect("it can be planned").answer).len()
    };
    let both = ["net8.0", "net6.0"];
    assert_eq!(told(&both[..1], "Open.All"), 0);
    assert_eq!(told(&both, "Open.All"), 1);
    assert_eq!(told(&both, "Open.New"), 0);
}

/// What was there is no part of an edit, and what its file has compiles.
#[test]
fn text_that_stays_is_of_no_later_version() {
    for &(text, before, ..) in NEWER {
        let other = format!("{text} void Other() {{ }}");
        let with = "void Other(int x) { }";
        for (symbol, action) in [("Open", add(with)), ("Open.Other", replace(with))] {
            let op = World::new(&code(before, &other)).edited(symbol, action);
            assert_eq!(versions_told(&op.answer), Vec::<String>::new(), "{text}");
        }
    }
    let world = World::new(&code("7.3", "int N(int x) => x switch { 1 => 2, _ => 3 };"));
    let action = MemberAction::ReplaceBody {
        text: "{ return x switch { 1 => 5, _ => 3 }; }",
        accessor: None,
    };
    let op = world.edited("Open.N", action);
    assert_eq!(versions_told(&op.answer), Vec::<String>::new());
}

#[test]
fn what_moves_within_a_project_is_of_no_later_version() {
    let world = World::new(
        "//- /A.cs project:App\nclass Next { string Own() => \"\"\"a\"\"\"; }\nclass Other { }\n//- /B.cs project:App\nclass B { }\n",
    );
    for path in world.files().keys().filter(|it| it.ends_with(".csproj")) {
        std::fs::remove_file(world.work().join(path)).expect("it is there");
    }
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework><LangVersion>9.0</LangVersion></PropertyGroup></Project>";
    std::fs::write(world.work().join("App.csproj"), project).expect("its folder is there");
    let request = MoveType {
        symbol: "Next",
        to: Some("Next.cs"),
        namespace: None,
    };
    let op = world.one(&Edit::Move(request)).expect("it can be planned");
    assert_eq!(versions_told(&op.answer), Vec::<String>::new());
    let added = world.edited("B", add("string Own() => \"\"\"a\"\"\";"));
    assert_eq!(versions_told(&added.answer).len(), 1);
}

#[test]
fn what_the_version_of_the_project_has_is_not_told() {
    let old = "int Old(object o, int[] xs, string s, (int, int) pair)\n    {\n\
        if (o is string a && o is int && !(o is null) && o is (1)) { }\n\
        switch (o) { case int n when n > 1: break; case null: break; case (2): break; default: break; }\n\
        (var b, var c) = (1, 2); (b, c) = (c, b); (_, c) = pair; var (d, _) = pair; Out(out _); Out(out var e);\n\
        Func<int, int> f = _ => 1; var g = new Func<int>(() => 1); Func<int, int, int> h = (_, x) => x; Action i = delegate { };\n\
        int? j = null; int[][] k = new int[][] { new[] { 1 } }; j = j ?? 1; int l = 1 >> 1; l >>= 1;\n\
        string m = $\"{1}\" + @\"a\" + $@\"{1 +\n1}\" + \"\\\\e\" + \"\" + nameof(List<int>); const string p = \"a\" + \"b\";\n\
        using (var q = (IDisposable)o) { int Local(in int r) => r; Local(1); }\n\
        return s?.Length ?? xs[l] ^ 1;\n    }\n\
        void Out(out int x) { x = default(int); } ref readonly int Ref(int[] xs) => ref xs[0]; readonly int _field; void Many(params int[] xs) { }\n\
        struct Value { public Value(int n) { } static Value() { } } interface Face { int P { get; } void M(); } [Obsolete] void Attr() { }\n\
        partial class Part { partial void M(); } Open Next; void Set() { Next.Next = null; Next?.Set(); }";
    let op = World::new(&code("7.3", "")).edited("Open", add(old));
    assert_eq!(versions_told(&op.answer), Vec::<String>::new());
}

#[test]
fn what_an_earlier_version_has_is_not_told_for_what_a_later_one_has() {
    let text = "int N(bool b, int scoped, object o) { int field = 1; long x = b ? 1 : 2; object y = scoped is int z ? (object)z : o; \
        return scoped + field + (b ? 1 : default); } int Named => Get(field: 1); int Get(int field) => @field + this.field; int field;";
    for version in ["8.0", "10.0"] {
        let op = World::new(&code(version, "")).edited("Open", add(text));
        assert_eq!(versions_told(&op.answer), Vec::<String>::new(), "{version}");
    }
}

#[test]
fn before_it_is_a_keyword_field_means_the_member_of_that_name() {
    for (version, expected) in [("13.0", "other"), ("14.0", "field")] {
        let world = World::new(&code(version, "int field; int N => field;"));
        let mut op = world.rename("Open.field", "other").expect("it is planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{version}");
        world.apply(&mut op).expect("it is applied");
        let after = String::from_utf8(world.files()["A.cs"].clone()).expect("it is text");
        let member = format!("int other; int N => {expected};");
        assert!(after.contains(&member), "{version}: {after}");
    }
}
