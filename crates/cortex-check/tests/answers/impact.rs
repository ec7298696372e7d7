//! Who uses what changed, in each way in which C# can use something; renames and moves; edits without impact.

use crate::moves::markdown;
use cortex_check::{Repository, Service, expect, json};
use cortex_wire::{
    CallReason, CodeLineKind, CopyChange, DataChange, ValueChange, ViaRelation, What,
};

/// A repository whose last commit replaces a text in `Changed.cs`, which `Users.cs` uses.
#[track_caller]
fn edited(changed: &str, old: &str, new: &str, users: &str) -> Repository {
    let fixture = format!("//- /Changed.cs\n{changed}//- /Users.cs\n{users}");
    Repository::edited(&fixture, old, new)
}

#[test]
fn a_changed_body_reaches_calls_by_name_and_through_interfaces_and_overrides() {
    let changed = "public interface I { int M(); }\npublic class B : I { public virtual int M() => 0; }\npublic class C : B { public override int M() => 1; }\n";
    edited(
        changed,
        "=> 1",
        "=> 2",
        "class U {\n  int a(I i) => i.M();\n  int b(B b) => b.M();\n  int c(C c) => c.M();\n}\n",
    )
    .check_impact(expect![[r#"
        body M:C.M
          Users.cs:4:19 call exact
          Users.cs:2:19 call possible interface M:I.M
          Users.cs:3:19 call possible override M:B.M
    "#]]);
}

#[test]
fn a_constructed_interface_reaches_only_implementations_of_it() {
    let changed = "public class O { }\npublic class P { }\npublic interface I<T> { int M(T t); }\npublic class C : I<O> { public int M(O o) => N(); int N() => 1; }\npublic class D : I<P> { public int M(P p) => 2; }\n";
    let users = "class U {\n  int a(I<O> i) => i.M(null);\n  int b(I<P> i) => i.M(null);\n  int c<T>(I<T> i) => i.M(default);\n}\n";
    edited(changed, "=> 2", "=> 3", users).check_impact(expect![[r#"
        body M:D.M(P)
          Users.cs:3:22 call possible interface M:I`1.M(`0)
          Users.cs:4:25 call possible interface M:I`1.M(`0)
    "#]]);
}

#[test]
fn product_code_does_not_use_what_tests_implement() {
    let product = "//- /A.cs project:App\npublic interface I { int M(); }\npublic class U { public int u(I i) => i.M(); }\n";
    let tests = "//- /T.cs project:Tests packages:xunit refs:App\npublic class Fake : I { public int M() => 1; }\npublic class Ts { [Xunit.Fact] public void t() { I i = new Fake(); i.M(); } }\n";
    let fixture = format!("{product}{tests}");
    Repository::edited(&fixture, "=> 1", "=> 2").check_impact(expect![[r#"
        body M:Fake.M
          T.cs:2:70 call possible interface M:I.M
    "#]]);
}

#[test]
fn users_of_what_runs_a_changed_override_on_itself_use_objects_that_have_it() {
    let changed = "public class O { }\npublic class P { }\npublic interface IStore<T> { int Upsert(T t); int Replace(T t); }\npublic abstract class Store<T> : IStore<T> {\n  public virtual int Upsert(T t) => Replace(t);\n  public virtual int Replace(T t) => 0;\n}\npublic interface IOs : IStore<O> { }\npublic interface IPs : IStore<P> { }\npublic class Os : Store<O>, IOs { public override int Replace(O o) => 11; }\npublic class Ps : Store<P>, IPs {\n  public override int Replace(P p) => 2;\n  public int Own() => base.Upsert(null);\n}\npublic class Qs : Os { public int Own() => base.Upsert(null); }\n";
    let users = "class U {\n  int a(IOs x) => x.Upsert(null);\n  int b(IPs x) => x.Upsert(null);\n  int c(IStore<O> x) => x.Upsert(null);\n  int d(IStore<P> x) => x.Upsert(null);\n  int e(Ps x) => x.Upsert(null);\n  int f<T>(Store<T> x) => x.Upsert(default);\n}\n";
    edited(changed, "=> 11", "=> 12", users).check_impact(expect![[r#"
        body M:Os.Replace(O)
          Changed.cs:5:37 call possible override M:Store`1.Replace(`0)
        next 1 M:Qs.Own through M:Store`1.Upsert(`0)
        next 1 M:U.a(IOs) through M:Store`1.Upsert(`0)
        next 1 M:U.c(IStore{O}) through M:Store`1.Upsert(`0)
        next 1 M:U.f``1(Store{``0}) through M:Store`1.Upsert(`0)
    "#]]);
}

#[test]
fn calls_of_base_and_on_the_type_around_reach_no_member_beside_it() {
    let changed = "public class A { public virtual int M() => 1; }\npublic class B : A { public override int M() => 2; }\n";
    let users = "class U : A {\n  int a() => M();\n  public override int M() => base.M();\n}\nclass V {\n  int b(A x) => x.M();\n}\n";
    edited(changed, "=> 2", "=> 3", users).check_impact(expect![[r#"
        body M:B.M
          Users.cs:6:19 call possible override M:A.M
    "#]]);
}

#[test]
fn a_changed_private_member_reaches_those_who_use_what_runs_it() {
    let changed = "public interface I { int M(); }\npublic class C : I {\n  public int M() => Deeper();\n  public int N() => M();\n  int Deeper() => Deepest();\n  int Deepest() => 1;\n}\n";
    edited(
        changed,
        "=> 1",
        "=> 2",
        "class U {\n  int a(I i) => i.M();\n  int b(C c) => c.M();\n  int c(C c) => c.N();\n}\n",
    )
    .check_impact(expect![[r#"
        body M:C.Deepest
          Changed.cs:5:19 call exact
          Changed.cs:4:21 call possible caller M:C.M
          Users.cs:2:19 call possible interface M:I.M
          Users.cs:3:19 call possible caller M:C.M
        next 1 M:C.M through M:C.Deeper
        next 1 M:U.c(C) through M:C.N
    "#]]);
}

#[test]
fn users_of_users_are_found_through_what_these_implement() {
    let users = "public interface J { int P(); }\npublic class A : J { public int P() => new C().M(); }\nclass B { int Q(J j) => j.P(); int R(A a) => a.P() + a.P(); int S() => 1; }\n";
    let changed = "public class C { public int M() => 1; }\n";
    edited(changed, "=> 1", "=> 2", users).check_impact(expect![[r#"
        body M:C.M
          Users.cs:2:48 call exact
        next 2 M:B.R(A) through M:A.P
        next 1 M:B.Q(J) through M:A.P
    "#]]);
}

/// Who calls another overload calls what that one calls.
#[test]
fn users_of_an_overload_are_found_behind_it() {
    let users = "public interface L { int Get(int q); int Get(string s); }\npublic class Lib : L { C c; public int Get(int q) => c.M(); public int Get(string s) => Get(1); }\nclass V { int Save(L l) => l.Get(\"\"); }\nclass W { int Far(V v) => v.Save(null); }\n";
    let users = users.replace("int Save", "public int Save");
    let changed = "public class C { public int M() => 1; }\n";
    edited(changed, "=> 1", "=> 2", &users).check_impact(expect![[r#"
        body M:C.M
          Users.cs:2:56 call exact
        next 1 M:Lib.Get(System.String) through M:Lib.Get(System.Int32)
        next 1 M:V.Save(L) through M:Lib.Get(System.String)
        next 1 M:W.Far(V) through M:V.Save(L)
    "#]]);
}

#[test]
fn extension_methods_operators_and_conversions_are_uses() {
    let changed = "public static class E { public static int Twice(this int n) => n + n; }\npublic struct S {\n  public static S operator +(S a, S b) => a;\n  public static implicit operator S(int n) => default;\n}\n";
    let users = "class U {\n  int a() => 1.Twice();\n  int b() => E.Twice(1);\n  S c(S s) => s + s;\n  S d() => 7;\n}\n";
    edited(changed, "n + n", "2 * n", users).check_impact(expect![[r#"
        body M:E.Twice(System.Int32)
          Users.cs:2:16 call exact
          Users.cs:3:16 call exact
    "#]]);
    edited(changed, "=> a", "=> b", users).check_impact(expect![[r#"
        body M:S.op_Addition(S,S)
          Users.cs:4:17 operator exact
    "#]]);
    edited(changed, "=> default", "=> new()", users).check_impact(expect![[r#"
        body M:S.op_Implicit(System.Int32)~S
          Users.cs:5:12 conversion exact
    "#]]);
}

#[test]
fn attributes_and_nameof_are_uses() {
    let changed = "public class MarkAttribute : System.Attribute {\n  public MarkAttribute(int n) { }\n  public int Level { get => 1; set { } }\n}\n";
    let users =
        "class U {\n  [Mark(1, Level = 2)]\n  string a() => nameof(MarkAttribute.Level);\n}\n";
    edited(changed, "(int n) { }", "(int n) { Level = n; }", users).check_impact(expect![[r#"
        body M:MarkAttribute.#ctor(System.Int32)
          Users.cs:2:4 creation exact
    "#]]);
    edited(changed, "=> 1", "=> 2", users).check_impact(expect![[r#"
        body P:MarkAttribute.Level
          Users.cs:2:12 write exact
          Users.cs:3:38 typeof exact
          Users.cs:2:4 attribute possible attribute T:MarkAttribute
    "#]]);
}

#[test]
fn what_is_removed_is_used_on_the_older_side() {
    let changed = "public class C {\n  public int M() => 1;\n  public int N() => 2;\n}\n";
    edited(
        changed,
        "  public int M() => 1;\n",
        "",
        "class U {\n  int a(C c) => c.M() + c.N();\n}\n",
    )
    .check_impact(expect![[r#"
        removed M:C.M
          Users.cs:2:19 call exact
    "#]]);
}

#[test]
fn a_string_with_the_name_is_possible_where_reflection_is_used() {
    let changed = "public class C {\n  public int Run() => 1;\n}\n";
    edited(changed, "=> 1", "=> 2", "class U {\n  object a() => typeof(C).GetMethod(\"Run\");\n  // \"Run\"\n}\nclass V { string b() => \"Runner\"; }\n").check_impact(expect![[r#"
        body M:C.Run
          Users.cs:2:37 literal possible
    "#]]);
}

/// A service and what implements it.
const SERVICE: &str = "public interface I { }\npublic class C : I {\n  public int Run() => 1;\n}\n";

#[test]
fn a_registration_names_the_service_and_its_consumers() {
    let users = "class Services { }\nstatic class Di {\n  public static Services AddScoped<A, B>(this Services s) => s;\n}\nclass Start {\n  void a(Services s) => s.AddScoped<I, C>();\n}\nclass Taker {\n  public Taker(I i) { }\n  void Other(I i) { }\n}\n";
    edited(SERVICE, "=> 1", "=> 2", users).check_impact(expect![[r#"
        registration T:C as T:I
          Users.cs:6:40 local possible
          Users.cs:9:16 parameter possible registration T:I
    "#]]);
}

#[test]
fn a_service_with_a_key_is_injected_where_that_is_asked_for() {
    let users = "class Services { }\nclass FromKeyedServicesAttribute : System.Attribute { public FromKeyedServicesAttribute(object key) { } }\nstatic class Di {\n  public static Services AddKeyedScoped<A, B>(this Services s, object key) => s;\n}\nclass Start {\n  void a(Services s) => s.AddKeyedScoped<I, C>(\"k\");\n}\nclass Taker {\n  public Taker(I i) { }\n}\nclass Other {\n  public Other([FromKeyedServices(\"o\")] I i) { }\n}\nclass Keyed {\n  public Keyed([FromKeyedServices(\"k\")] I i) { }\n}\n";
    edited(SERVICE, "=> 1", "=> 2", users).check_impact(expect![[r#"
        registration T:C as T:I
          Users.cs:7:45 local possible
          Users.cs:16:41 parameter possible registration T:I
    "#]]);
}

#[test]
fn a_registration_has_a_service_that_the_type_can_stand_for() {
    let changed = "public class User { }\npublic class Role {\n  public int Run() => 1;\n}\npublic class Guest : User {\n  public int Run() => 2;\n}\n";
    let users = "class Services { }\nstatic class Di {\n  public static Services AddScoped<A, B>(this Services s) => s;\n  public static Services AddIdentity<A, B>(this Services s) => s;\n}\nclass Start {\n  void a(Services s) => s.AddIdentity<User, Role>();\n  void b(Services s) => s.AddScoped<User, Guest>();\n}\nclass Taker {\n  public Taker(User user) { }\n}\n";
    edited(changed, "=> 1", "=> 3", users).check_impact(expect![[r#"
        registration T:Role as -
          Users.cs:7:45 local possible
    "#]]);
    // Neither is what a base is constructed with.
    let argument = users.replace(
        "s.AddIdentity<User, Role>()",
        "s.AddIdentity<Options, Handler>()",
    ) + "class Options { }\ninterface IHandle<T> { }\n";
    let handler = format!(
        "{changed}public class Handler : IHandle<Options> {{\n  public int Run() => 4;\n}}\n"
    );
    edited(&handler, "=> 4", "=> 3", &argument).check_impact(expect![[r#"
        registration T:Handler as -
          Users.cs:7:48 local possible
    "#]]);
    // A type that stands for its assembly is not registered.
    let of_assembly = users.replace(
        "s.AddIdentity<User, Role>()",
        "s.AddIdentity<User, User>(typeof(Role).Assembly)",
    );
    edited(changed, "=> 1", "=> 3", &of_assembly).check_impact(expect![[""]]);
    edited(changed, "=> 2", "=> 3", users).check_impact(expect![[r#"
        registration T:Guest as T:User
          Users.cs:8:43 local possible
          Users.cs:11:16 parameter possible registration T:User
    "#]]);
}

#[test]
fn who_enumerates_a_type_by_reflection_reads_what_it_gains_and_loses() {
    let changed = "using System;
public static class Keys {
  public const string One = \"one\";
  public static object All() => typeof(Keys).GetFields();
  public static object Name() => typeof(Keys).Name;
}
public enum Level { Low, High }
public class Settings { public int First { get; set; } }
";
    let users = "using System;
class U {
  object a() => Keys.All();
  object b() => Enum.GetValues<Level>();
  object c() => Enum.GetNames(typeof(Level));
  object d() => typeof(Settings)
    .GetProperties();
  object e() => Keys.Name();
}
";
    let two = "  public const string Two = \"two\";\n  public static object All";
    edited(changed, "  public static object All", two, users).check_impact(expect![[r#"
        added F:Keys.Two
          Changed.cs:5:40 typeof possible reflection M:Keys.All
          Users.cs:3:22 call possible reflection M:Keys.All
    "#]]);
    let one = "  public const string One = \"one\";\n";
    edited(changed, one, "", users).check_impact(expect![[r#"
        removed F:Keys.One
          Changed.cs:4:40 typeof possible reflection M:Keys.All
          Users.cs:3:22 call possible reflection M:Keys.All
    "#]]);
    edited(changed, "\"one\"", "\"ONE\"", users).check_impact(expect![[r#"
        body F:Keys.One
          Changed.cs:4:40 typeof possible reflection M:Keys.All
          Users.cs:3:22 call possible reflection M:Keys.All
    "#]]);
    edited(changed, "High }", "High, Top }", users).check_impact(expect![[r#"
        added F:Level.Top
          Users.cs:4:32 local possible reflection M:U.b
          Users.cs:5:38 typeof possible reflection M:U.c
    "#]]);
    let second = "First { get; set; } public int Second { get; set; }";
    edited(changed, "First { get; set; }", second, users).check_impact(expect![[r#"
        added P:Settings.Second
          Users.cs:6:24 typeof possible reflection M:U.d
    "#]]);
}

#[test]
fn white_space_comments_and_documentation_are_no_impact() {
    let changed = "public class C {\n  /// <summary>One.</summary>\n  public int M() => 1;\n  public int N() => 2;\n}\n";
    let users = "class U {\n  int a(C c) => c.M() + c.N();\n}\n";
    edited(
        changed,
        "  public int N",
        "\n    // Two.\n    public int N",
        users,
    )
    .check_impact(expect![[""]]);
    edited(changed, "One.", "The first.", users).check_impact(expect![[""]]);
}

#[test]
fn a_renamed_member_is_one_change() {
    let changed = "public class C {\n  public int First(int n) => n * 3 + 1;\n  public string Name { get; set; }\n}\n";
    let users = "class U {\n  int a(C c) => c.First(1);\n}\n";
    edited(changed, "First", "Initial", users).check_diff(expect![[r#"
        C
          signature Initial; renamed from `First`, otherwise unchanged
    "#]]);
    edited(changed, "Name", "Named", users).check_diff(expect![[r#"
        C
          signature Named; renamed from `Name`, otherwise unchanged
    "#]]);
    // Another name with another type is another member.
    edited(changed, "string Name", "int Count", users).check_diff(expect![[r#"
        C
          removed Name
          added Count
    "#]]);
}

#[test]
fn a_method_that_takes_the_same_under_another_name_is_one_change() {
    let body = "{\n    var sum = n;\n    sum += 1;\n    sum += m;\n    return s.Length + sum;\n  }";
    let changed =
        format!("public class C {{\n  public int Sum(int n, int m, string s) {body}\n}}\n");
    let diff = |name: &str, parameters: &str| {
        let after = changed
            .replace(
                "Sum(int n, int m, string s)",
                &format!("{name}({parameters})"),
            )
            .replace("sum += 1", "if (n > 3) return 0");
        edited(&changed, &changed, &after, "")
    };
    diff("Total", "int n, int m, string? s").check_diff(expect![[r#"
        C
          signature Total; renamed from `Sum`; body changed too
    "#]]);
    diff("Total", "string s, int n, int m").check_diff(expect![[r#"
        C
          removed Sum
          added Total
    "#]]);
}

#[test]
fn a_member_with_another_name_and_mostly_the_same_code_is_one_change() {
    let body =
        "{\n    var sum = n;\n    sum += 1;\n    sum += 2;\n    sum += 3;\n    return sum;\n  }";
    let changed = format!("public class C {{\n  public int Sum(int n) {body}\n}}\n");
    let edited_to = |name: &str, from: &str, to: &str| {
        let after = changed.replace("Sum", name).replace(from, to);
        edited(&changed, &changed, &after, "")
    };
    let repository = edited_to("SumOf", "sum += 2", "sum += 4");
    repository.check_diff(expect![[r#"
        C
          signature SumOf; renamed from `Sum`; body changed too
    "#]]);
    // Both sides are one text.
    let code = &repository.diff_context().types[0].members[0].code;
    let of_kind = |kind| code.iter().filter(|line| line.kind == kind).count();
    assert_eq!(of_kind(CodeLineKind::Removed), 2);
    assert_eq!(of_kind(CodeLineKind::Added), 2);
    // Names that have nothing in common need more in common.
    edited_to("Total", "sum += 2", "sum += 4").check_diff(expect![[r#"
        C
          removed Sum
          added Total
    "#]]);
}

#[test]
fn a_member_that_moves_to_another_type_is_noted_on_both() {
    let changed = "public class A {\n  public int Sum(int n)\n  {\n    var sum = n;\n    sum += 1;\n    sum += 2;\n    return sum;\n  }\n}\npublic class B {\n}\n";
    let moved = "public class A {\n}\npublic class B {\n  public int Sum(int n)\n  {\n    var sum = n;\n    sum += 1;\n    sum += 3;\n    return sum;\n  }\n}\n";
    let repository = edited(changed, changed, moved, "");
    repository.check_diff(expect![[r#"
        A
          removed Sum; moved to `B`
        B
          added Sum; moved from `A`
    "#]]);
    // What differs is shown where it stands now.
    let types = &repository.diff_context().types;
    assert!(types[0].members[0].code.is_empty());
    let differing = types[1].members[0].code.iter();
    let differing = differing.filter(|line| line.kind != CodeLineKind::Context);
    let texts: Vec<&str> = differing.map(|line| line.text.trim()).collect();
    assert_eq!(texts, ["sum += 2;", "sum += 3;"]);
}

#[test]
fn a_long_method_that_moves_under_another_name_is_noted_on_both() {
    let text = |name: &str, n: usize, last: &str| {
        let lines: String = (0..n).map(|i| format!("    sum += {i};\n")).collect();
        format!("  public int {name}(int n)\n  {{\n    var sum = n;\n{lines}    {last};\n  }}\n")
    };
    let types = |a: &str, b: &str| format!("public class A {{\n{a}}}\npublic class B {{\n{b}}}\n");
    let notes = |n: usize| -> Vec<String> {
        let before = types(&text("SignUp", n, "return sum"), "");
        let after = types("", &text("Create", n, "return sum + 1"));
        let answer = edited(&before, &before, &after, "").diff_context();
        let members = answer.types.iter().flat_map(|ty| &ty.members);
        members.flat_map(|it| it.notes.clone()).collect()
    };
    assert_eq!(notes(9), ["moved to `B.Create`", "moved from `A.SignUp`"]);
    assert_eq!(notes(6), [""; 0]);
}

#[test]
fn a_namespace_that_moves_is_reported_once() {
    let changed = "namespace Old;\npublic class A { public int M() => 1; public int N() => 2; }\npublic class B { public int O() => 3; public int P() => 4; }\n";
    edited(changed, "namespace Old", "namespace New.Place", "").check_diff(expect![[r#"
        2 types from Old to New.Place
        New.Place.A
        New.Place.B
    "#]]);
}

#[test]
fn reading_has_the_members_that_changed_lines_name() {
    let users = "public class Used { public int Named; public int Other; }\npublic class Unused { public int N; }\n";
    let changed = "public class C {\n  public int M(Used used, Unused unused) {\n    var n = unused.N;\n    return n;\n  }\n}\n";
    let repository = edited(changed, "return n;", "return n + used.Named;", users);
    let answer = repository.diff_context();
    let reading = answer.reading.iter();
    let listed: Vec<_> = reading
        .map(|outline| {
            (
                outline.ty.name.as_str(),
                outline.members.as_slice(),
                outline.n_members,
            )
        })
        .collect();
    assert_eq!(listed, [("Used", &["public int Named".to_owned()][..], 2)]);
}

#[test]
fn what_changed_lines_call_is_read_first_and_what_they_only_name_last() {
    let users = "public class Calls { public int Go() => 1; }\npublic class Reads { public int A, B; }\npublic class Bare { }\n";
    let changed =
        "public class C {\n  public object M(Calls calls, Reads reads) {\n    return 1;\n  }\n}\n";
    let new = "return (typeof(Bare), typeof(Bare), typeof(Bare), typeof(Bare), typeof(Bare), reads.A + reads.B, calls.Go());";
    let answer = edited(changed, "return 1;", new, users).diff_context();
    let names: Vec<&str> = answer
        .reading
        .iter()
        .map(|it| it.ty.name.as_str())
        .collect();
    assert_eq!(names, ["Calls", "Reads", "Bare"]);
}

#[test]
fn a_member_that_no_longer_implements_an_interface_is_not_listed_for_it() {
    let changed = "public interface I { int M(); }\npublic class C : I { public int M() => 1; }\npublic class D : C { }\n";
    let answer = edited(changed, "int M(); }", "long M(); }", "").diff_context();
    let symbol = &answer.impact.symbols[0];
    assert_eq!(
        (symbol.id.as_str(), symbol.implemented_by.len()),
        ("M:I.M", 0)
    );
}

#[test]
fn what_code_from_outside_calls_through_its_own_interface_is_told() {
    let changed = "public interface IOwn : System.IDisposable { void Run(); }\npublic class C : IOwn, System.IComparable<C> {\n  public void Run() { }\n  public void Dispose() { }\n  public int CompareTo(C other) => 1;\n  public override string ToString() => \"1\";\n  public void Free() { }\n}\n";
    let through = |old: &str, new: &str| -> Vec<(String, Option<String>)> {
        let answer = edited(changed, old, new, "").diff_context();
        let symbols = answer.impact.symbols.into_iter();
        symbols.map(|it| (it.id, it.called_through)).collect()
    };
    let one = |id: &str, through: Option<&str>| vec![(id.to_owned(), through.map(str::to_owned))];
    assert_eq!(
        through("Dispose() { }", "Dispose() { Free(); }"),
        one("M:C.Dispose", Some("M:System.IDisposable.Dispose"))
    );
    assert_eq!(
        through("=> 1;", "=> 2;"),
        one(
            "M:C.CompareTo(C)",
            Some("M:System.IComparable`1.CompareTo(`0)")
        )
    );
    assert_eq!(
        through("\"1\"", "\"2\""),
        one("M:C.ToString", Some("M:System.Object.ToString"))
    );
    assert_eq!(
        through("  public int CompareTo(C other) => 1;\n", "").last(),
        Some(&(
            "M:C.CompareTo(C)".to_owned(),
            Some("M:System.IComparable`1.CompareTo(`0)".to_owned())
        ))
    );
    // Its own interface calls for itself.
    assert_eq!(
        through("Run() { }", "Run() { Free(); }"),
        one("M:C.Run", None)
    );
}

#[test]
fn changed_code_that_no_test_reaches_is_told_beside_what_tests_reach() {
    let fixture = |n: u8| {
        format!(
            "//- /A.cs project:App
public interface I {{ int Through(); }}
public class A : I {{
  public int Tested() => Inner() + {n};
  int Inner() => {n};
  public int Through() => {n};
  public int Alone() => {n};
  public int Value {{ get; set; }} = {n};
}}
//- /T.cs project:Tests packages:xunit refs:App
public class T {{ [Xunit.Fact] public void t() {{ new A().Tested(); I i = new A(); i.Through(); }} }}
"
        )
    };
    let unreached = |after: &str| {
        let answer = Repository::history(&[&fixture(1), after]).diff_context();
        answer
            .impact
            .tests
            .expect("tests were looked for")
            .unreached
    };
    assert_eq!(unreached(&fixture(2)), ["M:A.Alone"]);
    let gone = fixture(2).replace("new A().Tested(); ", "");
    assert_eq!(unreached(&gone), ["M:A.Alone", "M:A.Inner", "M:A.Tested"]);
}

/// What changed code assigns, with the lines that assign or read it elsewhere.
fn written(old: &str, new: &str) -> Vec<(String, DataChange, Vec<String>, Vec<String>)> {
    let changed = "public class Order { public string State = \"\"; public int Size { get; set; } int own; public void Own() { own = 1; } }\npublic class Job {\n  public void Run(Order o) {\n    o.Size = 1;\n    o.State = \"a\";\n  }\n}\n";
    let users = "class U {\n  void a(Order o) { o.State = \"b\"; }\n  bool b(Order o) => o.State == \"a\";\n  Order c() => new Order { Size = 2 };\n}\n//- /T.cs project:Tests packages:xunit\nclass T { [Xunit.Fact] public void t() { new Order().State = \"c\"; } }\n";
    let places = |all: Vec<cortex_wire::CodePlace>| -> Vec<String> {
        let all = all.into_iter();
        all.map(|it| format!("{}:{} {}", it.path, it.line, it.inside.unwrap_or_default()))
            .collect()
    };
    let answer = edited(changed, old, new, users).diff_context();
    let data = answer.impact.written_data.into_iter();
    data.map(|it| (it.doc_id, it.change, places(it.writers), places(it.readers)))
        .collect()
}

#[test]
fn who_else_writes_and_reads_what_changed_code_writes_is_told() {
    let state = |change| {
        vec![(
            "F:Order.State".to_owned(),
            change,
            vec!["Users.cs:2 M:U.a(Order)".to_owned()],
            vec!["Users.cs:3 M:U.b(Order)".to_owned()],
        )]
    };
    assert_eq!(
        written("= \"a\"", "= \"aa\""),
        state(DataChange::AnotherValue)
    );
    // The value alone stands on a changed line.
    assert_eq!(
        written("= \"a\"", "=\n      \"aa\""),
        state(DataChange::AnotherValue)
    );
    let gone = written("    o.State = \"a\";\n", "");
    assert_eq!(gone, state(DataChange::NoLongerWritten));
    let moved = written(
        "    o.State = \"a\";\n  }\n",
        "  }\n  public void More(Order o) => o.State = \"b\";\n",
    );
    assert_eq!(moved, state(DataChange::AnotherValue));
    let size = written("o.Size = 1;", "o.Size = 1; o.State = \"z\"; o.Size = 1;");
    assert_eq!(size, state(DataChange::Written));
    let new = written("int own;", "int own; public void More() => State = \"m\";");
    let newly_read = written("own = 1;", "own = State.Length;");
    let writers: Vec<_> = newly_read
        .iter()
        .map(|it| (it.1, it.2.len(), it.3.len()))
        .collect();
    assert_eq!(writers, [(DataChange::NewlyRead, 2, 0)]);
    let mut both = state(DataChange::Written);
    both[0]
        .2
        .insert(0, "Changed.cs:5 M:Job.Run(Order)".to_owned());
    assert_eq!(new, both);
}

#[test]
fn what_a_member_wrote_that_nothing_ran_says_nothing_of_others() {
    let told = |name: &str, attribute: &str, user: &str| -> Vec<String> {
        let fixture = format!(
            "//- /A.cs\npublic class Order {{ public string State = \"\"; }}\npublic interface IJob {{ void Run(Order o); }}\npublic class Marked : System.Attribute {{ }}\npublic class {name} {{\n  {attribute}\n  public void Run(Order o) {{ o.State = \"a\"; }}\n  public void Other() {{ }}\n}}\n//- /B.cs\nclass U {{ void a(Order o) {{ o.State = \"b\"; }} {user} }}\n"
        );
        let gone = "  public void Run(Order o) { o.State = \"a\"; }\n";
        let answer = Repository::edited(&fixture, gone, "").diff_context();
        let data = answer.impact.written_data.into_iter();
        data.map(|it| it.doc_id).collect()
    };
    assert_eq!(told("Job", "", ""), [""; 0]);
    for (name, attribute, user) in [
        ("Job", "", "void b(Job job) => job.Run(null);"),
        ("Job : IJob", "", ""),
        ("JobController", "", ""),
        ("Job", "[Marked]", ""),
    ] {
        let told = told(name, attribute, user);
        assert_eq!(told, ["F:Order.State"], "{name} {attribute}{user}");
    }
}

#[test]
fn what_tools_write_is_no_user_of_a_type_that_a_framework_calls() {
    let fixture = "
//- /A.cs
public class UsesAttribute : System.Attribute { public UsesAttribute(System.Type t) { } }
public class Base { public virtual void Build() { } }
public class Context : Base { public override void Build() { System.Console.WriteLine(1); } }
//- /One.Designer.cs
[Uses(typeof(Context))] partial class One { }
//- /Two.cs
[Uses(typeof(Context))] class Two { }
";
    let answer = Repository::edited(fixture, "WriteLine(1)", "WriteLine(2)").diff_context();
    let uses = answer.impact.symbols.iter().flat_map(|it| &it.uses);
    let paths: Vec<&str> = uses.map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["Two.cs"]);
}

/// The texts that changed lines have newly or no longer, with the places that have them.
fn left_texts(fixture: &str, old: &str, new: &str) -> Vec<(String, ValueChange, Vec<String>)> {
    let answer = Repository::edited(fixture, old, new).diff_context();
    let left = answer.impact.left_values.into_iter();
    left.map(|it| {
        let places = it.places.iter();
        let places = places.map(|at| format!("{}:{}", at.path, at.line));
        (it.value, it.change, places.collect())
    })
    .collect()
}

#[test]
fn a_sentence_that_is_new_is_told_where_few_others_say_it() {
    let says = "throw new System.Exception(\"Cannot scale on your own host.\");";
    let fixture = |n: usize| {
        let others = (0..n).map(|n| format!("class O{n} {{ void M() {{ {says} }} }}\n"));
        let others: String = others.collect();
        format!(
            "//- /A.cs\nclass A {{ void M() {{ }} }}\n//- /B.cs\n// Cannot scale on your own host.\n{others}"
        )
    };
    let new = format!("class A {{ void M() {{ {says} }} }}");
    let told = |n: usize| left_texts(&fixture(n), "class A { void M() { } }", &new);
    let of = (
        "Cannot scale on your own host.".to_owned(),
        ValueChange::Added,
    );
    assert_eq!(told(1), [(of.0, of.1, vec!["B.cs:2".to_owned()])]);
    assert_eq!(told(7), []);
}

#[test]
fn a_text_that_has_a_name_now_is_told_where_others_still_write_it() {
    let fixture = "
//- /A.cs
static class Reasons { }
class A { bool M(string s) => s == \"order_cycle\"; }
//- /B.cs
class B { bool M(string s) => s == \"order_cycle\"; }
";
    let changed = "static class Reasons { }\nclass A { bool M(string s) => s == \"order_cycle\"; }";
    let named = "static class Reasons {\n  public const string Cycle = \"order_cycle\";\n}\nclass A { bool M(string s) => s == Reasons.Cycle; }";
    let told = left_texts(fixture, changed, named);
    let of = ("order_cycle".to_owned(), ValueChange::Replaced);
    assert_eq!(told, [(of.0, of.1, vec!["B.cs:1".to_owned()])]);
    // One that only moved has no other name.
    let moved = named.replace("public const", "public static readonly");
    assert_eq!(left_texts(fixture, changed, &moved), []);
    // Nor does a constant that is a constant.
    let was = fixture.replace(
        "static class Reasons { }",
        "static class Reasons { const string Old = \"order_cycle\"; }",
    );
    let [old, new] = ["const string Old", "public const string New"];
    assert_eq!(left_texts(&was, old, new), []);
}

/// A job and a configuration that frameworks run, and a type that nothing outside calls.
const RUN_BY_FRAMEWORKS: &str = "
//- /A.cs project:App
public class Job : System.IComparable { public int CompareTo(object o) => 1; }
public class OrderConfiguration : System.IDisposable { public void Dispose() { } }
public class Own { public void Run() { } }
//- /B.cs project:App
public class Builder { public static void Create<T>(int n) { } public static object ApplyConfigurationsFromAssembly(System.Reflection.Assembly a) => a; public static void AddScoped<T>() { } public static T GetRequiredService<T>() => default; }
public class Holder<T> { }
public class Context : System.IFormattable {
    public string ToString(string f, System.IFormatProvider p) => f;
    public void Start() => Builder.Create<Job>(1);
    public void Other() { Builder.AddScoped<Job>(); Builder.Create<Own>(2); Builder.GetRequiredService<Job>(); new Holder<Job>(); var all = new System.Collections.Generic.List<Job>[1]; }
    public void Build() => Builder.ApplyConfigurationsFromAssembly(typeof(Context).Assembly);
    public object Read() => typeof(Context).Assembly;
}
//- /T.cs project:Tests refs:App packages:xunit
public class Tests { [Xunit.Fact] public void Builds() { Builder.Create<Job>(1); new Context().Build(); } }
";

#[test]
fn what_hands_a_changed_type_to_a_framework_is_told() {
    let told = |old: &str, new: &str| -> (Vec<String>, usize) {
        let answer = Repository::edited(RUN_BY_FRAMEWORKS, old, new).diff_context();
        let handed = answer.impact.handed.iter().map(|it| {
            let places = it.places.iter().map(|at| at.line.to_string());
            let places: Vec<String> = places.collect();
            format!("{} {} {}", it.ty, it.call, places.join(" "))
        });
        let tests = answer.impact.tests.expect("tests were looked for");
        (handed.collect(), tests.tests.len())
    };
    let scan = "ApplyConfigurationsFromAssembly 7";
    assert_eq!(
        told("=> 1;", "=> 2;"),
        (vec!["Job Create 5".to_owned(), format!("Job {scan}")], 1)
    );
    assert_eq!(
        told("Dispose() { }", "Dispose() { System.Console.Write(1); }"),
        (vec![format!("OrderConfiguration {scan}")], 1)
    );
    assert_eq!(
        told("Run() { }", "Run() { System.Console.Write(1); }"),
        (vec![], 0)
    );
    // What the call names stands for the assembly.
    assert_eq!(told("=> f;", "=> f + f;").0, [""; 0]);
}

/// What is told of data in the last commit of a repository, with the lines that read or name it.
fn read_at(repository: &Repository) -> Vec<(String, DataChange, Vec<u32>)> {
    let data = repository.diff_context().impact.written_data.into_iter();
    data.map(|it| {
        let lines = it.readers.iter().map(|place| place.line);
        (it.doc_id, it.change, lines.collect())
    })
    .collect()
}

#[test]
fn constants_that_changed_code_names_newly_or_no_longer_are_told_with_who_else_names_them() {
    let changed = "public enum Right { Read, Write }\npublic class Flags { public const string New = \"new\"; }\nclass NeedsAttribute : System.Attribute { public NeedsAttribute(Right r) { } }\nclass Page {\n  [Needs(Right.Read)]\n  public int Show() => 1;\n  public bool Go(string s) => s == \"\";\n}\n";
    let users = "class U {\n  Right[] all = { Right.Read, Right.Write };\n  bool b(string s) => s == Flags.New;\n  string c = nameof(Flags.New);\n}\n";
    let named = |old: &str, new: &str| read_at(&edited(changed, old, new, users));
    let of = |id: &str, change, lines: &[u32]| (id.to_owned(), change, lines.to_vec());
    assert_eq!(
        named("[Needs(Right.Read)]", "[Needs(Right.Write)]"),
        [
            of("F:Right.Write", DataChange::Named, &[2]),
            of("F:Right.Read", DataChange::NoLongerNamed, &[2]),
        ]
    );
    assert_eq!(
        named("== \"\"", "== Flags.New"),
        [of("F:Flags.New", DataChange::Named, &[3, 4])]
    );
    // Attributes of types name it as well.
    let of_type = "[Needs(Right.Write)] class V { }\n";
    let answer = edited(
        changed,
        "[Needs(Right.Read)]",
        "[Needs(Right.Write)]",
        of_type,
    )
    .diff_context();
    let [data] = &answer.impact.written_data[..] else {
        panic!("{:?}", answer.impact.written_data);
    };
    assert_eq!(data.readers[0].inside.as_deref(), Some("T:V"));
    // What the same code named before is nothing new, and what it still names is not gone.
    let still = || of("F:Right.Read", DataChange::StillNamed, &[2]);
    assert_eq!(
        named("[Needs(Right.Read)]", "[Needs((Right.Read))]"),
        [still()]
    );
    let again = "[Needs(Right.Write)]\n  [Needs(Right.Read)]";
    assert_eq!(
        named("[Needs(Right.Read)]", again),
        [of("F:Right.Write", DataChange::Named, &[2])]
    );
    assert!(named("Show() => 1", "Show() => 2").is_empty());
}

#[test]
fn of_a_constant_that_much_code_names_the_comparisons_are_told() {
    let changed = "public enum Kind { Msp, Other }\nclass Page {\n  public bool Show(Kind k) => k == Kind.Msp;\n}\n";
    let others: String = (0..30)
        .map(|i| format!("  Kind k{i} = Kind.Msp;\n"))
        .collect();
    let users = format!(
        "class U {{\n  bool b(Kind k) => Kind.Msp != k;\n  bool c(Kind k) => k is Kind.Msp;\n{others}}}\n"
    );
    let answer = edited(changed, "k == Kind.Msp", "true", &users).diff_context();
    let [data] = &answer.impact.written_data[..] else {
        panic!("{:?}", answer.impact.written_data);
    };
    let lines: Vec<u32> = data.readers.iter().map(|place| place.line).collect();
    assert_eq!(
        (data.change, lines),
        (DataChange::NoLongerNamed, vec![2, 3])
    );
    assert!(data.only_comparisons);
}

#[test]
fn who_else_calls_what_changed_code_newly_calls_is_told() {
    let changed = "public class Page {\n  public void Show(Store s) { s.Load(); }\n}\n";
    let users = |n: usize| -> String {
        let calls: String = (0..n)
            .map(|i| format!("  void m{i}(Store s) => s.Save();\n"))
            .collect();
        format!(
            "public class Store {{ public void Load() {{ }} public void Save() {{ }} }}\nclass U {{\n{calls}}}\n"
        )
    };
    let called = |new: &str, n: usize| -> Vec<(String, DataChange, usize)> {
        let answer = edited(changed, "s.Load();", new, &users(n)).diff_context();
        let data = answer.impact.written_data.into_iter();
        data.map(|it| (it.doc_id, it.change, it.readers.len()))
            .collect()
    };
    let save = |n| vec![("M:Store.Save".to_owned(), DataChange::Called, n)];
    assert_eq!(called("s.Load(); s.Save();", 2), save(2));
    // What much code calls is a service of all, and what nobody else calls tells nothing.
    assert_eq!(called("s.Load(); s.Save();", 9), []);
    assert_eq!(called("s.Load(); s.Save();", 0), []);
    assert_eq!(called("s.Load(); s.Load();", 2), []);
}

#[test]
fn who_still_calls_what_changed_code_calls_no_longer_is_told() {
    let changed = "public class Page {\n  public void Show(Store s) { s.Load(); Check(); }\n  public void Edit(Store s) { Check(); }\n  public void Drop(Store s) { s.Save(); }\n  void Check() { }\n}\n";
    let users = "public class Store { public void Load() { } public void Save() { } }\nclass U {\n  void m(Store s) => s.Save();\n  void n(Store s) => s.Load();\n}\n";
    let called = |old: &str, new: &str| read_at(&edited(changed, old, new, users));
    let of = |id: &str, line: u32| vec![(id.to_owned(), DataChange::NoLongerCalled, vec![line])];
    // Its own type alone may call a private method.
    assert_eq!(
        called("s.Load(); Check();", "s.Load();"),
        of("M:Page.Check", 3)
    );
    assert_eq!(
        called("s.Load(); Check();", "Check();"),
        of("M:Store.Load", 4)
    );
    // It is called elsewhere in the same member, or by other changed code.
    assert_eq!(
        called("s.Load(); Check();", "s.Load(); if (s != null) Check();"),
        []
    );
    assert_eq!(
        called(
            "s.Load(); Check(); }\n",
            "s.Load(); }\n  public void More() { Check(); }\n"
        ),
        []
    );
    // The member that called it is gone.
    assert_eq!(
        called("  public void Drop(Store s) { s.Save(); }\n", ""),
        []
    );
}

#[test]
fn who_takes_a_service_from_outside_that_is_registered_otherwise_is_told() {
    let setup = "//- /Setup.cs project:P\nusing System;\npublic interface IServices { IServices AddStamps(Action<Options> o); IServices AddDistributedMemoryCache(); IServices AddOwn(int n); }\npublic class Options { public string Origin; public int N; }\npublic interface IOwn { }\nclass Setup {\n  void Services(IServices services) {\n    services.AddStamps(options =>\n    {\n      options.Origin = \"a\";\n    });\n    services.AddDistributedMemoryCache();\n    services.AddOwn(1);\n  }\n}\n";
    let users = "//- /A.cs\nclass A { IStamps own; A(IStamps s) { own = s; } }\nclass B { IDistributedCache cache; IOwn own; }\n//- /C.cs\nclass C : IStamps, IOwn { }\nstatic class Use { public static void Stamps(this IStamps s) { } }\n//- /T.cs project:T refs:P packages:xunit\nclass T { IStamps mine; }\n";
    let told = |old: &str, new: &str| -> Vec<String> {
        let fixture = format!("{setup}{users}");
        let answer = Repository::edited(&fixture, old, new).diff_context();
        let told = answer.impact.outside_services.into_iter();
        told.map(|it| {
            let taken = it.taken_at.iter();
            let taken = taken.map(|at| format!("{}:{} {:?}", at.path, at.line, at.inside));
            let taken: Vec<String> = taken.collect();
            format!(
                "{} {} {}: {}",
                it.call,
                it.service,
                it.at.line,
                taken.join(", ")
            )
        })
        .collect()
    };
    assert_eq!(
        told("= \"a\"", "= \"b\""),
        ["AddStamps IStamps 7: A.cs:1 Some(\"M:A.#ctor(IStamps)\")"]
    );
    assert_eq!(
        told(
            "AddDistributedMemoryCache();\n    s",
            "AddDistributedMemoryCache(); // new\n    s"
        ),
        ["AddDistributedMemoryCache IDistributedCache 11: A.cs:2 Some(\"F:B.cache\")"]
    );
    // A blank line changes nothing.
    assert_eq!(told("= \"a\";\n", "= \"a\";\n\n"), [""; 0]);
    let other = |n: usize| {
        let call = "void M(dynamic services) { services.AddStamps(null); }\n";
        let others: String = (0..n)
            .map(|n| format!("class O{n} {{ {call} }}\n"))
            .collect();
        let tests = format!("//- /U.cs project:T refs:P packages:xunit\nclass U {{ {call} }}\n");
        // Its methods are of the repository here, which binds them.
        let setup = setup.replace(
            "IServices services",
            "dynamic services /* IServiceCollection */",
        );
        let fixture = format!("{setup}{users}//- /O.cs project:P\n{others}{tests}");
        let answer = Repository::edited(&fixture, "= \"a\"", "= \"b\"").diff_context();
        let also = answer.impact.outside_services[0].also_called_at.iter();
        also.map(|at| format!("{}:{}", at.path, at.line))
            .collect::<Vec<_>>()
    };
    assert_eq!(other(1), ["O.cs:1"]);
    assert_eq!(other(5), [""; 0]);
    // A service of the repository is bound, and of no call a line changed.
    assert_eq!(told("AddOwn(1)", "AddOwn(2)"), [""; 0]);
    assert_eq!(told("int N;", "int M;"), [""; 0]);
}

#[test]
fn tests_that_open_a_changed_file_run_for_it() {
    let tests = "using Xunit;
public class Tests {
    [Fact] public void Opens() => Read(\"./data/open-id.json\");
    [Fact] public void Helped() => Help.Open();
    [Fact] public void Other() => Read(\"other.json\");
    static void Read(string path) { }
}
static class Help { public static void Open() => System.IO.File.OpenRead(\"App.data.open-id.json\"); }
";
    let world = Service::parse(&format!(
        "//- /App/A.cs project:App\npublic class A {{ }}\n//- /Tests/T.cs project:Tests packages:xunit refs:App\n{tests}"
    ));
    world.write("Tests/data/open-id.json", "{}");
    world.commit("data");
    world.write("Tests/data/open-id.json", "{ \"a\": 1 }");
    world.commit("change");
    let methods = |answer: &serde_json::Value| -> Vec<String> {
        let tests = answer.as_array().expect("tests").iter();
        let mut names: Vec<String> = tests
            .filter_map(|it| Some(it["method"].as_str()?.to_owned()))
            .collect();
        names.sort_unstable();
        names
    };
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let reached = &answer["answer"]["impact"]["tests"]["tests"];
    assert_eq!(methods(reached), ["Helped", "Opens"]);
    let answer = world.envelope("tests", json!({"subjects": ["HEAD~1..HEAD"]}));
    let reached = &answer["answer"]["subjects"][0]["tests"];
    assert_eq!(methods(reached), ["Helped", "Opens"]);
}

#[test]
fn unchanged_code_that_is_written_like_changed_code_is_told() {
    let with =
        "Store.Check(user.Owner, Order.Limit); Store.Save(user.Owner, Order.State, Order.Limit);";
    let class = |name: &str, body: &str| {
        format!("//- /{name}.cs\nclass {name} {{\n  void Run(User user) {{\n    {body}\n  }}\n}}\n")
    };
    let base = "//- /Order.cs project:P\npublic static class Order { public static int Limit, State; }\npublic class User { public int Owner; }\npublic static class Store { public static void Check(int owner, int limit) { } public static void Save(int owner, int state, int limit) { } public static void Log() { } }\n";
    let same = with.replace("user", "other");
    let other =
        format!("//- /Other.cs\nclass Other {{\n  void Run(User other) {{\n    {same}\n  }}\n}}\n");
    let far = with.replace("Limit", "State");
    let tests = "//- /Tests/T.cs project:T refs:P packages:xunit\nclass Tests { [Xunit.Fact] public void t() { var user = new User(); Store.Save(user.Owner, Order.State, Order.Limit); } }\n";
    let fixture = [
        base,
        &class("One", with),
        &other,
        &class("Far", &far),
        tests,
    ]
    .concat();
    let told = |old: &str, new: &str| -> Vec<(String, CopyChange, String, Vec<String>)> {
        let answer = Repository::edited(&fixture, old, new).diff_context();
        let copies = answer.impact.copies.into_iter();
        copies
            .map(|it| {
                let places = it.places.iter();
                let places = places.map(|at| format!("{}:{}", at.path, at.line));
                (it.code, it.change, it.by, places.collect())
            })
            .collect()
    };
    let of = |code: &str, change: CopyChange| {
        let by = "M:One.Run(User)".to_owned();
        vec![(code.to_owned(), change, by, vec!["Other.cs:3".to_owned()])]
    };
    let save = "Store.Save(user.Owner, Order.State, Order.Limit)";
    // What is replaced stands elsewhere, under another name of a variable.
    assert_eq!(
        told(
            &format!("{save};\n  }}\n}}\n//- /Other.cs"),
            "Store.Save(user.Owner, Order.State, 1);\n  }\n}\n//- /Other.cs"
        ),
        of(save, CopyChange::Gone)
    );
    // What has something more is not gone.
    let more = save.replace("Order.Limit", "Order.Most, Order.Limit");
    let rest = ";\n  }\n}\n//- /Other.cs";
    let answer = Repository::edited(&fixture, &format!("{save}{rest}"), &format!("{more}{rest}"))
        .diff_context();
    let [extended] = &answer.impact.copies[..] else {
        panic!("{:?}", answer.impact.copies);
    };
    assert_eq!(extended.change, CopyChange::Extended);
    assert_eq!(extended.code, save);
    assert_eq!(extended.inserted.as_deref(), Some("Order.Most,"));
    let chain = |between: &str| format!("return Store.Log().Where(it){between}.ToList()");
    let fixture = [
        base,
        &class("One", &format!("{};", chain(""))),
        &class("Other", &format!("{};", chain(""))),
    ];
    let (before, after) = (chain(""), chain(".Take(1)"));
    let answer = Repository::edited(&fixture.concat(), &before, &after).diff_context();
    let inserted = answer.impact.copies.iter().map(|it| it.inserted.as_deref());
    assert_eq!(Vec::from_iter(inserted), [Some(".Take(1)")]);
    // What came between two statements that stand together elsewhere.
    let check = "Store.Check(user.Owner, Order.Limit); ";
    assert_eq!(
        told(
            &format!("{check}{save}"),
            &format!("{check}\n    if (user.Owner == 1) Store.Log();\n    {save}")
        ),
        of("if (user.Owner == 1) Store.Log()", CopyChange::Added)
    );
    // Of one statement alone, who goes on with the new one lacks nothing.
    let step = |name: &str, rest: &str| class(name, &format!("user.Owner = Order.Limit; {rest}"));
    let new = "if (user.Owner == 1) Store.Log(); ";
    let alone = [
        base,
        &step("One", "Go();"),
        &step("Lacks", "Store.Log();"),
        &step("Has", &format!("{new}Store.Log();")),
    ];
    let alone = alone.concat();
    let answer = Repository::edited(&alone, "Go();", &format!("{new}Go();")).diff_context();
    let copies = answer.impact.copies.iter().flat_map(|it| &it.places);
    let copies: Vec<&str> = copies.map(|it| it.path.as_str()).collect();
    assert_eq!(copies, ["Lacks.cs"]);
    // What went to another place of the changed files is not gone.
    assert_eq!(
        told(
            &format!("{check}{save};\n  }}\n}}\n//- /Other.cs"),
            &format!(
                "Moved(user);\n  }}\n  void Moved(User user) {{\n    {check}{save};\n  }}\n}}\n//- /Other.cs"
            )
        ),
        []
    );
}

#[test]
fn what_is_thrown_behind_a_condition_is_told_where_the_same_is_thrown_behind_it() {
    let class = |name: &str, guard: &str, thrown: &str| {
        format!(
            "//- /{name}.cs\nclass {name} {{\n  Context _context;\n  public async void Go(int id) {{\n    if (!await _context.{guard}(id))\n    {{\n      throw new {thrown}();\n    }}\n  }}\n}}\n"
        )
    };
    let base = "//- /Base.cs project:P\nclass Denied : System.Exception { }\nclass Missing : System.Exception { }\nclass Context { public System.Threading.Tasks.Task<bool> IsAdmin(int id) => null; public System.Threading.Tasks.Task<bool> IsOwner(int id) => null; }\n";
    let fixture = [
        base,
        &class("One", "IsAdmin", "Denied"),
        &class("Same", "IsAdmin", "Denied"),
        &class("OtherGuard", "IsOwner", "Denied"),
        "class Both { Context _context; public void Ask() { _context.IsAdmin(1); } public void Deny() { throw new Denied(); } }\n",
        &class("Fixed", "IsAdmin", "Missing"),
    ]
    .concat();
    let after = fixture.replacen("throw new Denied()", "throw new Missing()", 1);
    let answer = Repository::history(&[&fixture, &after]).diff_context();
    let [copied] = &answer.impact.copies[..] else {
        panic!("{:?}", answer.impact.copies);
    };
    let places: Vec<&str> = copied.places.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(
        (copied.code.as_str(), &places[..]),
        ("throw new Denied()", &["Same.cs"][..])
    );
}

#[test]
fn comparisons_on_changed_lines_are_told_with_those_of_the_same_folder() {
    let fixture = "//- /A/Order.cs project:P\npublic class Order { public int Owner; public int State; }\n//- /A/Page.cs\nclass Page {\n  void Put(Order o, int user) { if (o.Owner != user) return; }\n  void Drop(Order order, int user) { if (order?.Owner == user) return; }\n  void Post(Order o, int user) { }\n}\n//- /A/More.cs\nclass More { bool m(Order it, int user) => it.Owner == user; bool n(Order it, int state) => it.Owner == state; }\n//- /B/Far.cs\nclass Far { bool m(Order it, int user) => it.Owner == user; }\n//- /A/T.cs project:T refs:P packages:xunit\nclass Tests { [Xunit.Fact] public void t() { var o = new Order(); int user = 1; _ = o.Owner == user; } }\n";
    let told = |old: &str, new: &str| -> Vec<(String, String, Vec<String>)> {
        let answer = Repository::edited(fixture, old, new).diff_context();
        let conditions = answer.impact.conditions.into_iter();
        conditions
            .map(|it| {
                let places = it.places.iter();
                let places = places.map(|at| format!("{}:{}", at.path, at.line));
                (it.condition, it.by, places.collect())
            })
            .collect()
    };
    let of = |condition: &str, by: &str, places: &[&str]| {
        let places = places.iter().map(|it| (*it).to_owned()).collect();
        vec![(condition.to_owned(), by.to_owned(), places)]
    };
    let post = "M:Page.Post(Order,System.Int32)";
    assert_eq!(
        told(
            "Post(Order o, int user) { }",
            "Post(Order o, int user) { if (o.Owner != user) return; }"
        ),
        of(
            "o.Owner != user",
            post,
            &["A/More.cs:1", "A/Page.cs:2", "A/Page.cs:3"]
        )
    );
    let drop = "M:Page.Drop(Order,System.Int32)";
    assert_eq!(
        told("if (order?.Owner == user) return;", ""),
        of("order.Owner == user", drop, &["A/More.cs:1", "A/Page.cs:2"])
    );
    assert_eq!(
        told(
            "Post(Order o, int user) { }",
            "Post(Order o, int user) { if (o.State != user) return; }"
        ),
        []
    );
    assert_eq!(
        told(
            "Post(Order o, int user) { }",
            "Post(Order o, int user) { user = 1; }"
        ),
        []
    );
}

#[test]
fn who_writes_what_much_code_reads_is_told_alone() {
    let changed = "public class Order { public bool IsOpen { get; set; } }\npublic class Job {\n  public void Run(Order o) { }\n}\n";
    let reads: String = (0..40)
        .map(|i| format!("  bool m{i}(Order o) => o.IsOpen;\n"))
        .collect();
    let users = format!("class U {{\n  void w(Order o) {{ o.IsOpen = true; }}\n{reads}}}\n");
    let answer = edited(
        changed,
        "Run(Order o) { }",
        "Run(Order o) { if (o.IsOpen) { } }",
        &users,
    )
    .diff_context();
    let [data] = &answer.impact.written_data[..] else {
        panic!("{:?}", answer.impact.written_data);
    };
    let lines: Vec<u32> = data.writers.iter().map(|place| place.line).collect();
    assert_eq!((data.change, lines), (DataChange::NewlyRead, vec![2]));
}

#[test]
fn code_that_asks_for_a_base_which_a_type_newly_has_is_told() {
    let changed = "public class Bad : Middle { }\npublic class Middle : System.Exception { }\npublic class Twice : System.Exception { }\n";
    let users = "class U {\n  bool a(object o) => o is Bad;\n  void b() { try { } catch (Middle) { throw new Bad(); } }\n  Bad c(object o) => (Bad)o;\n}\n//- /T.cs project:Tests packages:xunit\nclass T { [Xunit.Fact] public void t() { object o = null; _ = o is Bad; } }\n";
    let told = |old: &str, new: &str| -> Vec<String> {
        let answer = edited(changed, old, new, users).diff_context();
        let asked = answer.impact.type_tests.iter().map(|it| {
            let lines = it.places.iter().map(|place| place.line.to_string());
            let lines: Vec<String> = lines.collect();
            format!(
                "{} {} {}: {}",
                it.ty,
                it.what.word(),
                it.base,
                lines.join(" ")
            )
        });
        asked.collect()
    };
    assert_eq!(
        told("Twice : System.Exception", "Twice : Bad"),
        ["Twice added Bad: 2 4", "Twice added Middle: 3"]
    );
    assert_eq!(told("Bad : Middle", "Bad"), ["Bad removed Middle: 3"]);
    assert_eq!(told("Twice : System.Exception", "Twice"), [""; 0]);
}

#[test]
fn strings_that_a_change_has_newly_or_no_longer_are_told_where_else_they_stand() {
    let changed = "class Plan {\n  public string Price() => \"storage-gb-annually\";\n  public string Word() => \"storage\";\n  public string Text() => \"a sentence-like text\";\n}\n";
    let users = "class Preview {\n  string price() => Own(\"storage-gb-annually\"); string Own(string s) => s; // \"storage-gb-annually\"\n  string[] more = { \"storage\", \"a sentence-like text\", \"not-storage-gb-annually\" };\n  string key(int n) => $\"Key{Own(n + \"\")}\";\n}\n//- /appsettings.json\n{ \"a\": \"not-mail:reply-to\",\n  \"b\": \"mail:reply-to\" }\n//- /T.cs project:Tests packages:xunit\nclass T { [Xunit.Fact] public void t() { new Plan().Price().Equals(\"storage-gb-annually\"); } }\n";
    let left = |old: &str, new: &str| -> Vec<String> {
        let answer = edited(changed, old, new, users).diff_context();
        let values = answer.impact.left_values.into_iter();
        let places = values.flat_map(|left| {
            let places = left.places.into_iter();
            let value = format!("{} {}", left.change, left.value);
            places.map(move |it| {
                let inside = it.inside.unwrap_or_default();
                format!("{value} {}:{} {inside}", it.path, it.line)
            })
        });
        places.collect()
    };
    assert_eq!(
        left(
            "\"storage-gb-annually\"",
            "\"personal-storage-gb-annually\""
        ),
        [
            "replaced storage-gb-annually T.cs:1 M:T.t",
            "replaced storage-gb-annually Users.cs:2 M:Preview.price"
        ]
    );
    // One word, or words for people, name nothing.
    assert!(left("\"storage\"", "\"other\"").is_empty());
    assert!(left("\"a sentence-like text\"", "\"another\"").is_empty());
    let gone = "  public string Price() => \"storage-gb-annually\";\n";
    assert_eq!(
        left(gone, ""),
        [
            "removed storage-gb-annually T.cs:1 M:T.t",
            "removed storage-gb-annually Users.cs:2 M:Preview.price"
        ]
    );
    // What is new is found in settings too, as a whole.
    assert_eq!(
        left("\"a sentence-like text\"", "\"mail:reply-to\""),
        ["added mail:reply-to appsettings.json:2 "]
    );
    // Parts that are put in may have other names.
    assert_eq!(
        left("\"a sentence-like text\"", "$\"Key{1 + 1}\""),
        ["added Key{} Users.cs:4 M:Preview.key(System.Int32)"]
    );
}

#[test]
fn the_same_words_are_told_where_they_still_stand() {
    let changed = "class Plan {\n  // Hardcode seats to one here.\n  public int Seats() => 1;\n  public string Text() => \"Your renewal is updating soon\";\n}\n";
    let users = "class Preview {\n  /* Hardcode seats to one here. */\n  int seats() => 1;\n  string text = \"Your renewal is updating soon\";\n  // not: Hardcode seats to one here.\n  /// Hardcode seats to one here.\n  int more;\n}\n";
    let left = |old: &str, new: &str| -> Vec<String> {
        let answer = edited(changed, old, new, users).diff_context();
        let values = answer.impact.left_values.into_iter();
        let told = values.map(|left| {
            let lines = left.places.iter().map(|it| it.line.to_string());
            let lines: Vec<String> = lines.collect();
            format!("{} {}: {}", left.kind.word(), left.value, lines.join(" "))
        });
        told.collect()
    };
    assert_eq!(
        left("// Hardcode seats to one here.", "// One."),
        ["wording Hardcode seats to one here.: 2"]
    );
    assert_eq!(
        left("renewal is updating", "renewal comes"),
        ["wording Your renewal is updating soon: 4"]
    );
    assert!(left("  // Hardcode seats", "  /// Hardcode seats").len() == 1);
    // Few words, and new ones, say nothing of others.
    assert!(
        left(
            "public int Seats",
            "// Your renewal is updating soon\n  public int Seats"
        )
        .is_empty()
    );
}

#[test]
fn names_and_routes_that_are_gone_are_told_where_texts_still_have_them() {
    let changed = "using Microsoft.AspNetCore.Mvc;\nclass OldPlan { }\nclass Plan {\n  public int Price() => 1;\n  public int Rest() => 1;\n  public int CostInCents() => 1;\n  public int SeatsInUse() => 1;\n}\n\
        [Route(\"accounts\")] public class AccountsController : ControllerBase {\n  [HttpPost(\"register/start\")] public int Start() => 1;\n  [HttpPost(\"other/thing\")] public int Other() => 1;\n}\n";
    let users = "class Preview {\n  // As Plan.Price does, and OldPlan before; not Plan.PriceOf.\n  int seats() => 1;\n  int SeatsInUse() => 1;\n}\n\
        //- /README.md\nSee `OldPlan`,\n`Plan.Price` and MyPlan.Price.\nAsk for CostInCents() and SeatsInUse().\n\
        //- /appsettings.json\n{ \"Endpoint\": \"post:/accounts/register/start\",\n  \"Other\": \"post:/accounts/register/start/more\" }\n";
    let left = |old: &str, new: &str| -> Vec<String> {
        let answer = edited(changed, old, new, users).diff_context();
        let values = answer.impact.left_values.into_iter();
        let told = values.map(|left| {
            let places = left
                .places
                .iter()
                .map(|it| format!("{}:{}", it.path, it.line));
            let places: Vec<String> = places.collect();
            format!("{} {}: {}", left.kind.word(), left.value, places.join(" "))
        });
        told.collect()
    };
    assert_eq!(
        left("Price()", "Cost()"),
        ["name Plan.Price: README.md:2 Users.cs:2"]
    );
    assert_eq!(
        left("class OldPlan { }", ""),
        ["name OldPlan: README.md:1 Users.cs:2"]
    );
    // A name that nothing else has, of several words, means the member wherever it stands.
    assert_eq!(
        left("CostInCents", "Cents"),
        ["name Plan.CostInCents: README.md:3"]
    );
    assert!(left("SeatsInUse", "Seats").is_empty());
    // Another overload leaves the name, and so does a base that has it.
    let into_base = "class OldPlan { }\nclass Plan {\n  public int Price() => 1;";
    let base = "class OldPlan { public int Price() => 1; }\nclass Plan : OldPlan {";
    assert!(left(into_base, base).is_empty());
    assert!(left("Price() => 1;", "Price(int n) => 1;").is_empty());
    let overloads = "Price() => 1;\n  public int Rest() => 1;";
    assert!(left(overloads, "Rest() => 1;").len() == 1);
    assert!(left("=> 1;\n  public int Rest", "=> 2;\n  public int Rest").is_empty());
    assert_eq!(
        left("[HttpPost(\"register/start\")] ", ""),
        ["route POST /accounts/register/start: appsettings.json:1"]
    );
}

#[test]
fn new_members_that_are_written_like_unchanged_ones_of_their_folder_are_told() {
    let body = |of: &str, extra: &str| {
        format!(
            "  public int Replace{of}Policies(List<{of}Policy> all, int owner) {{\n    var kept = new List<{of}Policy>();\n    foreach (var one in all) {{\n      if (one.Owner != owner || one.IsDeleted) continue;\n      kept.Add(one);\n      Log.Write(nameof(Replace{of}Policies), one.Owner);\n    }}\n    if (kept.Count == 0) return 0;\n    {extra}return Db.Save{of}(kept.ToArray(), owner);\n  }}\n"
        )
    };
    let fixture = format!(
        "//- /A/Store.cs project:P\nusing System.Collections.Generic;\nclass Store {{\n{}}}\n//- /A/Other.cs\nclass Other {{ int m(int a) {{ var b = a; while (b > 1) {{ b = b / 2 + a * 3 - b % 7; a++; }} return new[] {{ b, a, 1, 2, 3, 4, 5, 6, 7, 8 }}[b % 9]; }} }}\n//- /B/New.cs\nclass New {{ }}\n",
        body("User", "")
    );
    let told = |old: &str, new: &str| -> Vec<(String, usize, String)> {
        let answer = Repository::edited(&fixture, old, new).diff_context();
        let copies = answer.impact.near_copies.into_iter();
        let copies = copies.map(|it| {
            let of = it.doc_id.split('(').next().unwrap_or_default().to_owned();
            (
                of,
                it.percent,
                format!("{}:{}", it.place.path, it.place.line),
            )
        });
        copies.collect()
    };
    let head = "class Store {\n";
    let with = |body: &str| format!("{head}{body}");
    let of_user = body("User", "").lines().count() as u32 + 3;
    let found = told(head, &with(&body("Group", "")));
    assert_eq!(
        found,
        [(
            "M:Store.ReplaceGroupPolicies".to_owned(),
            100,
            format!("A/Store.cs:{of_user}")
        )]
    );
    // A statement more is a part of it, and other code, or the same in another folder, is not alike.
    let more = told(head, &with(&body("Group", "Log.Write(1, 2); ")));
    assert!(more.len() == 1 && more[0].1 < 100, "{more:?}");
    let other = "  int k(int a) { switch (a) { case 1: return Log.Of(a); case 2: return a * a; default: throw new System.Exception(nameof(k) + a + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14); } }\n";
    assert_eq!(told(head, &with(other)), []);
    let elsewhere = format!("class New {{\n{}}}", body("Group", ""));
    assert_eq!(told("class New { }", &elsewhere), []);
    // But for one that has the same name.
    let taken = format!("class New {{\n{}}}", body("User", ""));
    assert_eq!(
        told("class New { }", &taken),
        [(
            "M:New.ReplaceUserPolicies".to_owned(),
            100,
            "A/Store.cs:3".to_owned()
        )]
    );
}

#[test]
fn places_that_name_a_type_for_a_framework_are_told_where_an_override_of_it_changed() {
    let fixture = "//- /A.cs project:App\nusing System.Text.Json.Serialization;\npublic class Loose : JsonConverter<string> {\n  public override string Read(int a) => \"1\";\n  public string Own(int a) => \"2\";\n}\n//- /B.cs\nclass Model {\n  [JsonConverter(typeof(Loose))] public string Name { get; set; }\n  string m() => new Loose().ToString();\n}\n";
    let told = |old: &str, new: &str| -> Vec<(u32, String)> {
        let answer = Repository::edited(fixture, old, new).diff_context();
        let uses = answer.impact.symbols.into_iter().flat_map(|it| it.uses);
        let uses = uses.filter(|it| {
            let via = it.via.as_ref();
            via.is_some_and(|via| via.relation == ViaRelation::Attribute)
        });
        uses.map(|it| (it.at.line, it.inside.unwrap_or_default()))
            .collect()
    };
    assert_eq!(told("\"1\"", "\"3\""), [(2, "P:Model.Name".to_owned())]);
    assert_eq!(told("\"2\"", "\"3\""), []);
}

#[test]
fn members_that_bases_got_or_lost_are_told_with_those_below_that_are_left() {
    let fixture = "//- /Base.cs project:App\npublic interface IStore { void Save(int id); void Load(int id); }\npublic class Entity {\n  public int Id;\n}\n//- /Below.cs\nclass Store : IStore { public void Save(int id) { } public void Load(int id) { } }\nclass Other : IStore { void IStore.Save(int id) { } public void Load(int id) { } }\nclass Row : Entity {\n  public int Created { get; set; }\n  public void Touch(int n) { }\n  public override string ToString() => \"\";\n}\nclass Deep : Row {\n  public new int Created;\n}\n";
    let told = |old: &str, new: &str| -> Vec<(String, What, Vec<u32>)> {
        let answer = Repository::edited(fixture, old, new).diff_context();
        let members = answer.impact.inherited.into_iter();
        let members = members.map(|it| {
            let lines = it.places.iter().map(|at| at.line);
            (it.doc_id, it.what, lines.collect())
        });
        members.collect()
    };
    let of = |id: &str, what: What, lines: &[u32]| vec![(id.to_owned(), what, lines.to_vec())];
    let id = "  public int Id;\n";
    let with = |member: &str| format!("{id}  {member}\n");
    assert_eq!(
        told(id, &with("public int Created { get; set; }")),
        of("P:Entity.Created", What::Added, &[4, 9])
    );
    // Another overload, an override and what nobody below sees hide nothing.
    assert_eq!(told(id, &with("public void Touch() { }")), []);
    assert_eq!(
        told(id, &with("public void Touch(int n) { }")),
        of("M:Entity.Touch(System.Int32)", What::Added, &[5])
    );
    assert_eq!(told(id, &with("private int Created;")), []);
    assert_eq!(
        told(id, &with("public override string ToString() => \"a\";")),
        []
    );
    // An explicit implementation of what is gone does not compile; a public one is left.
    assert_eq!(
        told(" void Load(int id);", ""),
        of("M:IStore.Load(System.Int32)", What::Removed, &[1, 2])
    );
    let into_base = "public interface IBase { void Load(int id); }\npublic interface IStore : IBase { void Save(int id); }";
    assert_eq!(
        told(
            "public interface IStore { void Save(int id); void Load(int id); }",
            into_base
        ),
        []
    );
}

#[test]
fn documentation_beside_changed_code_that_names_what_changed_lines_name_is_told() {
    let fixture = "//- /App/Send/Grants.cs project:App\nclass Grants {\n  const int NeverAuthenticate = 1, AlwaysAuthenticate = 2;\n  int Go() => NeverAuthenticate;\n}\n//- /App/Send/readme.md\n# Grants\nNeverAuthenticate is a Go.\nNeverAuthenticateUsers is not, AlwaysAuthenticate neither.\n//- /App/guide.txt\nNeverAuthenticate\n//- /App/Other/readme.md\nNeverAuthenticate\n//- /readme.md\nNeverAuthenticate\n";
    let told = |old: &str, new: &str| -> Vec<(String, u32, String)> {
        let answer = Repository::edited(fixture, old, new).diff_context();
        let texts = answer.impact.nearby_documentation.into_iter();
        let lines = texts.flat_map(|it| {
            let lines = it.lines.into_iter();
            let path = it.path.to_string();
            lines.map(move |at| (path.clone(), at.line, at.name))
        });
        lines.collect()
    };
    let of = |path: &str, line: u32| (path.to_owned(), line, "NeverAuthenticate".to_owned());
    assert_eq!(
        told("=> NeverAuthenticate;", "=> NeverAuthenticate + 1;"),
        [of("App/Send/readme.md", 2), of("App/guide.txt", 1)]
    );
    // What changed itself, and names of one word, need no look.
    let line = "  const int NeverAuthenticate = 1, AlwaysAuthenticate = 2;\n";
    assert_eq!(told(line, &format!("{line}  int Come() => 1;\n")), []);
    let both = "=> NeverAuthenticate;\n}\n//- /App/Send/readme.md\n# Grants\n";
    let new = both.replace(';', " + 1;").replace("# Grants", "# Sends");
    assert_eq!(told(both, &new), [of("App/guide.txt", 1)]);
    // What many files name is what many texts are about.
    let named_by = |n: usize| -> Vec<u32> {
        let users = (0..n).map(|i| {
            format!("//- /App/U{i}.cs\nclass U{i} {{ int m() => Grants.AlwaysAuthenticate; }}\n")
        });
        let fixture = fixture.replace("  const int", "  public const int");
        let fixture = [fixture, users.collect()].concat();
        let answer = Repository::edited(&fixture, "Authenticate = 2", "Authenticate = 3");
        let texts = answer
            .diff_context()
            .impact
            .nearby_documentation
            .into_iter();
        let lines = texts.flat_map(|it| it.lines);
        let lines = lines.filter(|it| it.name == "AlwaysAuthenticate");
        lines.map(|it| it.line).collect()
    };
    assert_eq!(named_by(3), [3]);
    assert!(named_by(25).is_empty());
}

#[test]
fn documents_and_scripts_with_a_string_that_is_gone_are_told() {
    let changed = "class Seeder { public string Of(string domain) => $\"admin@{domain}\"; public string Flag() => \"seed-users\"; }\n";
    let users = "class U { }\n//- /README.md\nLog in as admin@large.test, not as sysadmin@large.test.\nAsk the admin@ team. Set seed-users first, not seed-users-2.\n//- /run.sh\nseed --flag seed-users\n//- /a.csv\nseed-users\n";
    let told = |old: &str, new: &str| -> Vec<String> {
        let answer = edited(changed, old, new, users).diff_context();
        let values = answer.impact.left_values.iter();
        let places = values.flat_map(|it| {
            let places = it.places.iter();
            places.map(|at| format!("{} {}:{}", it.value, at.path, at.line))
        });
        places.collect()
    };
    assert_eq!(told("admin@", "owner@"), ["admin@{} README.md:1"]);
    let flag = ["seed-users README.md:2", "seed-users run.sh:1"];
    assert_eq!(told("\"seed-users\"", "\"seed\""), flag);
    assert!(told("=> $", "=> \"seed-users\" + $").is_empty());
}

#[test]
fn pages_that_still_say_what_a_changed_one_says_no_longer_are_told() {
    let page = "<i class=\"fa wide plus\" title=\"No Additional Storage\"></i>\n<b>Used by everybody here</b>\n";
    let users = format!(
        "class U {{ }}\n//- /Users.cshtml\n<i\n  title=\"No Additional Storage\">\n<b class=\"fa wide plus\">Used by everybody here</b>\n//- /Page.cshtml\n{page}"
    );
    let before = format!("//- /Changed.cs\nclass C {{ }}\n//- /Users.cs\n{users}");
    let answer = Repository::edited(&before, "title=\"No Additional Storage\"></i>", "></i>");
    let told: Vec<(String, String, u32)> = (answer.diff_context().impact.left_values.into_iter())
        .flat_map(|it| {
            let value = it.value;
            let places = it.places.into_iter();
            places.map(move |at| (value.clone(), at.path.to_string(), at.line))
        })
        .collect();
    let expected = (
        "No Additional Storage".to_owned(),
        "Users.cshtml".to_owned(),
        2,
    );
    assert_eq!(told, [expected]);
}

#[test]
fn who_uses_a_member_that_reads_what_gets_another_value_is_told() {
    let changed =
        "class Service { public void Go(User user, string mail) { user.Salt = null; } }\n";
    let users = "class User {
  public string Salt { get; set; }
  public string Mail { get; set; }
  public string SaltOrMail() => Salt ?? Mail;
}
class Kdf { public bool Is(User user, string salt) => user.SaltOrMail() == salt; }
class Other { public string Of(User user) => user.Mail; }
";
    let answer = edited(changed, "user.Salt = null", "user.Salt = mail", users).diff_context();
    let [data] = &answer.impact.written_data[..] else {
        panic!("{:?}", answer.impact.written_data);
    };
    let through = data.read_through.iter().flat_map(|it| {
        let places = it.places.iter();
        places.map(|at| (it.doc_id.as_str(), at.line))
    });
    let through: Vec<(&str, u32)> = through.collect();
    assert_eq!(through, [("M:User.SaltOrMail", 6)]);
}

#[test]
fn documentation_of_what_runs_otherwise_is_told() {
    let changed = "class EventTemplate {\n  public int Go() => 1;\n  public int RenderAsText() => 1;\n}\nstatic class Rendering { public static int RenderAsHtml() => 1; }\nclass Plan { public int Go() => 1; }\nnamespace A { class Extensions9Of { public static int Go() => 1; } }\nnamespace B { class Extensions9Of { } }\n";
    let users = "class U { } // EventTemplate\n//- /README.md\n`EventTemplate` says it, MyEventTemplate does not,\nPlan neither. RenderAsHtml() does, RenderAsText() need not, Extensions9Of may.\n//- /a.json\n{ \"EventTemplate\": 1 }\n";
    let described = |old: &str, new: &str| -> Vec<(String, u32)> {
        let answer = edited(changed, old, new, users).diff_context();
        let values = answer.impact.left_values.iter();
        let values = values.filter(|it| it.change == ValueChange::Described);
        values
            .flat_map(|it| it.places.iter().map(|at| (it.value.clone(), at.line)))
            .collect()
    };
    let body = described("Go() => 1;\n", "Go() => 2;\n");
    assert_eq!(body, [("EventTemplate".to_owned(), 1)]);
    let member = described("AsHtml() => 1;", "AsHtml() => 2;");
    assert_eq!(member, [("RenderAsHtml".to_owned(), 2)]);
    let of_objects = described("AsText() => 1;", "AsText() => 2;");
    assert_eq!(of_objects, [("EventTemplate".to_owned(), 1)]);
    // New members describe themselves, and a name of one word, or of several types, may be any thing's.
    let new = "Go() => 1;\n  public int More() => 2;\n";
    assert_eq!(described("Go() => 1;\n", new), []);
    assert_eq!(
        described("Plan { public int Go() => 1", "Plan { public int Go() => 2"),
        []
    );
    assert_eq!(
        described("static int Go() => 1", "static int Go() => 2"),
        []
    );
}

#[test]
fn documentation_that_names_what_its_code_names_no_longer_is_told() {
    let changed = "class Flags { public const string DeferRenewal = \"d\"; public static bool IsDevelopment() => true; }
interface IScheduler {
  /// <summary>Runs when <c>DeferRenewal</c> is on,
  /// in Development.</summary>
  [System.Obsolete]
  void Release(int id);
}
class Scheduler : IScheduler {
  /// <inheritdoc/>
  public void Release(int id) {
    if (Flags.DeferRenewal == null || Flags.IsDevelopment()) return;
    id++;
  }
}
";
    let told = |old: &str, new: &str| -> Vec<String> {
        let answer = edited(changed, old, new, "class U { } // DeferRenewal").diff_context();
        let values = answer.impact.left_values.iter();
        let values = values.filter(|it| it.change == ValueChange::Documented);
        let told = values.flat_map(|it| {
            let places = it.places.iter();
            places.map(|at| format!("{} {}", it.value, at.line))
        });
        told.collect()
    };
    assert_eq!(
        told(
            "    if (Flags.DeferRenewal == null || Flags.IsDevelopment()) return;\n",
            ""
        ),
        ["DeferRenewal 3", "Development 4"]
    );
    assert_eq!(told(" || Flags.IsDevelopment()", ""), ["Development 4"]);
    // What the code still names, in another way, and what is said anew, is no longer wrong.
    assert!(told("if (Flags.DeferRenewal", "id--; if (Flags.DeferRenewal").is_empty());
    assert!(
        told(
            "Flags.IsDevelopment()) return",
            "!Flags.IsDevelopment()) return"
        )
        .is_empty()
    );
}

#[test]
fn what_moved_or_nobody_else_has_to_do_with_is_not_written_anew() {
    let moved = written(
        "    o.Size = 1;\n    o.State = \"a\";\n",
        "    o.State  =  \"a\";\n    if (o != null) { o.Size = 1; }\n",
    );
    assert!(moved.is_empty(), "{moved:?}");
    let private = written("own = 1", "own = 2");
    assert!(private.is_empty(), "{private:?}");
}

#[test]
fn uses_that_are_not_listed_are_counted_by_file() {
    let calls: String = (0..60)
        .map(|i| format!("  int m{i}() => new C().M();\n"))
        .collect();
    let users =
        format!("class U {{\n{calls}}}\n//- /More.cs\nclass V {{ int n() => new C().M(); }}\n");
    let changed = "public class C { public int M() => 1; }\n";
    let repository = edited(changed, "=> 1", "=> 2", &users);
    for limit in [0, 1, 30, 45, 1_000] {
        let answer = repository.diff_context_with(cortex_change::UseLines::First(limit));
        let [symbol] = &answer.impact.symbols[..] else {
            panic!("one symbol changed: {answer:?}");
        };
        let n_rest: usize = symbol.rest.iter().map(|rest| rest.n_uses).sum();
        assert_eq!((symbol.n_uses, symbol.uses.len() + n_rest), (61, 61));
        assert!(symbol.uses.len() <= limit, "{limit}");
    }
    let whole = repository.diff_context();
    assert_eq!(whole.impact.symbols[0].uses.len(), 61);
    assert!(whole.impact.symbols[0].rest.is_empty());
}

#[test]
fn a_changed_handler_reaches_those_who_hand_something_over() {
    let changed = "public abstract class AuthorizationHandler<R, T> { protected abstract bool Handle(R r, T t); }
public class Requirement { }
public class Resource { }
public class Other { }
public class Handler : AuthorizationHandler<Requirement, Resource> {
  protected override bool Handle(Requirement r, Resource t) => Deeper(new Requirement());
  bool Deeper(Requirement r) => 1 > 2;
  const string Reason = \"1 > 2\";
}
";
    let users = "class Authorize<R> : System.Attribute { }
static class Operations { public static readonly Requirement Read = new(); }
class U {
  void Ask(object r) { }
  void a() => Ask(new Requirement());
  void b() => Ask(Operations.Read);
  [Authorize<Requirement>] void c() { }
  void d(Requirement r) => Ask(new Resource());
  [Authorize<Other>] void e() { }
}
";
    edited(changed, "1 > 2", "2 > 1", users).check_impact(expect![[r#"
        body M:Handler.Deeper(Requirement)
          Changed.cs:6:64 call exact
          Users.cs:2:69 creation possible handler T:Requirement
          Users.cs:5:19 creation possible handler T:Requirement
          Users.cs:6:30 read possible handler T:Requirement
          Users.cs:7:14 local possible handler T:Requirement
    "#]]);
}

#[test]
fn handlers_of_what_changed_code_hands_over_are_told() {
    let users = "public abstract class AuthorizationHandler<R> { protected abstract bool Handle(R r); }
public class Requirement { }
public class Other { }
public class Handler : AuthorizationHandler<Requirement> { protected override bool Handle(Requirement r) => Deep(); bool Deep() => true; }
public class OtherHandler : AuthorizationHandler<Other> { protected override bool Handle(Other r) => true; }
public class Authorize<R> : System.Attribute { }
public static class Operations { public static readonly Requirement Read = new(); public static int Count; }
";
    let changed = "class U {
  void Ask(object r) { }
  void a() => Ask(1);
  void b() { }
}
";
    let told = |to: &str| -> Vec<String> {
        let answer = edited(changed, "void a() => Ask(1);", to, users).diff_context();
        let handlers = answer.called.iter();
        let handlers = handlers.filter(|it| it.reason == cortex_wire::CallReason::Handles);
        handlers
            .map(|it| format!("{} for {}", it.doc_id, it.because))
            .collect()
    };
    let handled = ["M:Handler.Handle(Requirement) for U.a"];
    assert_eq!(told("void a() => Ask(Operations.Read);"), handled);
    assert_eq!(
        told("[Authorize<Requirement>] void a() => Ask(1);"),
        handled
    );
    assert_eq!(told("void a() => Ask(new Requirement());"), handled);
    assert!(told("void a() => Ask(Operations.Count);").is_empty());
}

#[test]
fn a_request_to_the_route_of_an_action_reaches_what_the_action_uses() {
    let changed = "using Microsoft.AspNetCore.Mvc;
[Route(\"orders\")] public class OrdersController {
  [HttpGet(\"{id}/items\")] public int Items(int id) => new Store().Load();
  [HttpPost(\"/orders\")] public int Add() => 3;
}
public class Store { public int Load() => 1; }
class Other { void f(System.Net.Http.HttpClient c) => c.SendAsync(null); }
";
    let users = "using System.Net.Http;
class U {
  void a(HttpClient c, int id) => c.GetAsync($\"/orders/{id}/items?all=1\");
  void b(HttpClient c) { var path = \"https://host/Orders/1/items\"; c.GetAsync(path); }
  void d(HttpClient c) => c.PostAsync(\"/orders/1/items\", null);
  void e(HttpClient c) => c.GetAsync(\"/orders/1\");
  // void f(HttpClient c) => c.GetAsync(\"/orders/1/items\");
}
";
    edited(changed, "=> 1", "=> 2", users).check_impact(expect![[r#"
        body M:Store.Load
          Changed.cs:3:67 call exact
          Users.cs:3:47 literal possible route GET /orders/{id}/items
          Users.cs:4:37 literal possible route GET /orders/{id}/items
    "#]]);
    // Of an action that changed itself as well.
    edited(
        changed,
        "=> 3",
        "=> 4",
        "class U { void a(HttpClient c) => c.PostAsJsonAsync(\"orders\", 1); }",
    )
    .check_impact(expect![[r#"
        body M:OrdersController.Add
          Users.cs:1:53 literal possible route POST /orders
    "#]]);
}

#[test]
fn a_request_without_a_slash_is_of_a_route_that_says_as_much() {
    let changed = "using Microsoft.AspNetCore.Mvc;
[Route(\"collect\")] public class CollectController {
  [HttpPost] public int Post() => 1;
  [HttpPost(\"/{any}\")] public int Any(string any) => 2;
}
";
    let users = "using System.Net.Http;
class U {
  void a(HttpClient c) => c.PostAsJsonAsync<List<Dictionary<int, U>?>>(\"collect\", null);
  void b(HttpClient c) => c.SendAsync(new HttpRequestMessage(HttpMethod.Post, \"collect\"));
  void d(HttpClient c) => c.GetAsync(\"collect\");
  void e(HttpClient c) { var word = \"collect\"; c.PostAsync(\"other\", null); }
}
";
    edited(changed, "=> 1", "=> 3", users).check_impact(expect![[r#"
        body M:CollectController.Post
          Users.cs:3:72 literal possible route POST /collect
          Users.cs:4:79 literal possible route POST /collect
    "#]]);
    edited(changed, "=> 2", "=> 3", users).check_impact(expect![""]);
}

#[test]
fn a_request_is_of_the_most_specific_route_that_it_fits() {
    let changed = "using Microsoft.AspNetCore.Mvc;
[Route(\"users\")] public class UsersController {
  [HttpPut(\"{id}\")] public int Put(string id) => 1;
  [HttpPut(\"revoke\")] public int Revoke() => 2;
  [HttpGet(\"all\")] public int All() => 3;
  [HttpPut(\"{id:int}/name\")] public int Name(int id) => 4;
}
";
    let users = "using System.Net.Http;
class U {
  void a(HttpClient c, int id) => c.PutAsync($\"/users/{id}\", null);
  void b(HttpClient c) => c.PutAsync(\"/users/ada\", null);
  void d(HttpClient c) => c.PutAsync(\"/users/revoke\", null);
  void e(HttpClient c) => c.PutAsync(\"/users/all\", null);
  void f(HttpClient c) => c.PutAsync(\"/users/7/name\", null);
  void g(HttpClient c) => c.PutAsync(\"/users/ada/name\", null);
}
";
    edited(changed, "=> 1", "=> 5", users).check_impact(expect![[r#"
        body M:UsersController.Put(System.String)
          Users.cs:3:47 literal possible route PUT /users/{id}
          Users.cs:4:38 literal possible route PUT /users/{id}
          Users.cs:6:38 literal possible route PUT /users/{id}
    "#]]);
    edited(changed, "=> 4", "=> 5", users).check_impact(expect![[r#"
        body M:UsersController.Name(System.Int32)
          Users.cs:7:38 literal possible route PUT /users/{id:int}/name
    "#]]);
}

#[test]
fn requests_reach_what_actions_use_by_other_members() {
    let changed = "using Microsoft.AspNetCore.Mvc;
public interface IConfirm { void ConfirmUser(); }
public class Confirm : IConfirm {
  public void ConfirmUser() => Save();
  void Save() => Send();
  internal void Send() => System.Console.WriteLine(1);
}
[Route(\"users\")] public class UsersController {
  readonly IConfirm c;
  [HttpPost(\"{id}/confirm\")] public void Go(string id) => c.ConfirmUser();
}
class Other { void f(System.Net.Http.HttpClient c) => c.SendAsync(null); }
";
    let users = "using System.Net.Http;
class U { void a(HttpClient c, int id) => c.PostAsync($\"/users/{id}/confirm\", null); }
";
    edited(changed, "(1)", "(2)", users).check_impact(expect![[r#"
        body M:Confirm.Send
          Changed.cs:5:18 call exact
          Users.cs:2:56 literal possible route POST /users/{id}/confirm
        next 1 M:Confirm.ConfirmUser through M:Confirm.Save
        next 1 M:UsersController.Go(System.String) through M:Confirm.ConfirmUser
    "#]]);
}

#[test]
fn code_that_tells_values_of_an_enum_apart_is_told_of_a_new_one() {
    let changed = "public enum Plan {\n  Free, Family,\n}\n";
    let users = "class U {
  int a(Plan plan) => plan switch { Plan.Free => 0, Plan.Family => 1, _ => 2 };
  int b(Plan plan) { switch (plan) { case Plan.Free: return 0; case Plan.Family: return 1; default: return 2; } }
  bool c(Plan plan) => plan is Plan.Free or Plan.Family;
  bool d(Plan plan) => plan is Plan.Free;
  bool e(Plan plan) => plan == Plan.Free || plan == Plan.Family;
  int f(Plan plan) => plan switch { Plan.Free => 0, Plan.Family => 1, Plan.Team => 3, _ => 2 };
}
";
    edited(changed, "Family,", "Family, Team,", users).check_impact(expect![[r#"
        added F:Plan.Team
          Users.cs:7:76 read exact
          Users.cs:2:42 pattern possible branch F:Plan.Free
          Users.cs:3:48 pattern possible branch F:Plan.Free
          Users.cs:4:37 pattern possible branch F:Plan.Free
          Users.cs:5:37 pattern possible branch F:Plan.Free
          Users.cs:6:37 pattern possible branch F:Plan.Free
    "#]]);
    // Of single comparisons only a few say something.
    let compares = |n: usize| -> String {
        let members: String = (0..n)
            .map(|i| format!("  bool m{i}(Plan plan) => plan == Plan.Free;\n"))
            .collect();
        format!("class U {{\n{members}  Plan n() => Plan.Free;\n}}\n")
    };
    for (n, n_told) in [(12, 12), (13, 0)] {
        let answer = edited(changed, "Family,", "Family, Team,", &compares(n)).diff_context();
        assert_eq!(answer.impact.symbols[0].n_uses, n_told);
    }
}

#[test]
fn who_depends_on_a_type_that_only_grew_is_not_affected() {
    let changed = "public class C {\n  public const int One = 1;\n}\n";
    let users = "class U {\n  C c;\n  int a() => C.One;\n}\nclass V {\n  U u;\n}\n";
    let around = |to: &str| {
        let answer = edited(changed, "int One = 1;", to, users).diff_context();
        answer.impact.direct.len() + answer.impact.further.len()
    };
    assert_eq!(around("int One = 1; public const int Two = 2;"), 0);
    assert_eq!(around("int Other = 1; public const int Two = 2;"), 2);
    let open = changed.replace("class C", "abstract class C");
    let answer = edited(
        &open,
        "int One = 1;",
        "int One = 1; public int M() => 1;",
        users,
    );
    assert_eq!(answer.diff_context().impact.direct.len(), 1);
}

#[test]
fn users_of_what_reads_a_new_field_by_reflection_are_told() {
    let changed = "using System;
public class Keys {
  public const string One = \"one\";
  public static object All() => typeof(Keys).GetFields();
}
";
    let users = "class Service { public object Read() => Keys.All(); }\nclass Page { object Show() => new Service().Read(); }\n";
    let repository = edited(changed, "One =", "Two = \"two\", One =", users);
    let next = repository.diff_context().impact.next;
    let next: Vec<_> = next.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(next, ["M:Page.Show"]);
}

#[test]
fn lines_that_only_moved_to_the_right_are_no_changed_code() {
    let changed = "public class C {\n  public int M(int n) {\n    n += 1;\n    return n;\n  }\n}\n";
    let after = "public class C {\n  public int M(int n) {\n    if (n > 0) {\n      n += 1;\n    }\n    return n;\n  }\n}\n";
    let answer = edited(changed, changed, after, "").diff_context();
    let code = answer.types[0].members[0].code.iter();
    let changed = code.filter(|line| line.kind != CodeLineKind::Context);
    let texts: Vec<&str> = changed.map(|line| line.text.trim()).collect();
    assert_eq!(texts, ["if (n > 0) {", "}"]);
}

#[test]
fn what_an_attribute_is_on_runs_its_changed_code() {
    let changed = "using System;
public class ShortAttribute : Attribute {
  public ShortAttribute(int n) { }
  public virtual bool IsValid(string text) => Check(text);
  private static bool Check(string text) => text.Length < 3;
}
";
    let users = "class A {
  [Short(1)] public string Name { get; set; }
  [Short(2)] string other;
  bool a(ShortAttribute it) => it != null;
  string b() => Name;
}
";
    edited(changed, "< 3", "< 4", users).check_impact(expect![[r#"
        body M:ShortAttribute.Check(System.String)
          Changed.cs:4:47 call exact
          Users.cs:2:4 attribute possible attribute T:ShortAttribute
          Users.cs:3:4 attribute possible attribute T:ShortAttribute
    "#]]);
}

#[test]
fn what_changed_lines_call_is_told_with_its_code() {
    let users = "\
public interface IPolicies { bool Applies(int user, Status least = Status.Accepted); }
public class Policies : IPolicies {
  public bool Applies(int user, Status least = Status.Accepted) {
    return user >= (int)least;
  }
}
public enum Status { Revoked = -1, Invited, Accepted = 1 }
public class Helper { public static int Twice(int n) => n * 2; public static int Same(int n) => n; }
";
    let changed = "\
public class C {
  IPolicies _policies;
  public bool M(int user) {
    var same = Helper.Same(user);
    return _policies.Applies(
      Own(user),
      Status.Invited);
  }
  int Own(int user) { return Helper.Twice(user); }
}
";
    let answer = edited(changed, "Status.Invited);", "Status.Revoked);", users).diff_context();
    let called: Vec<_> = answer
        .called
        .iter()
        .map(|it| (it.doc_id.as_str(), it.through.as_deref(), it.code.len()))
        .collect();
    // A private helper that did not change, and what implements the contract; not what another statement calls.
    assert_eq!(
        called,
        [
            ("M:C.Own(System.Int32)", None, 1),
            (
                "M:Policies.Applies(System.Int32,Status)",
                Some("M:IPolicies.Applies(System.Int32,Status)"),
                3
            )
        ]
    );
    let values = &answer.reading.iter().find(|it| it.ty.name == "Status");
    assert_eq!(
        values.unwrap().members,
        ["Revoked = -1", "Invited", "Accepted = 1"]
    );
    // Of implementations only a few say what runs.
    let ids = |users: &str| -> Vec<String> {
        let answer = edited(changed, "Own(user),", "Own(user + 1),", users).diff_context();
        let called = answer.called.into_iter();
        called.map(|it| it.doc_id).collect()
    };
    let other = |name: &str| {
        format!(
            "public class {name} : IPolicies {{ public bool Applies(int user, Status least) => true; }}\n"
        )
    };
    assert_eq!(ids(&(users.to_owned() + &other("A"))).len(), 3);
    let many = users.to_owned() + &other("A") + &other("B");
    assert_eq!(ids(&many), ["M:C.Own(System.Int32)"]);
}

#[test]
fn what_lost_its_last_use_in_the_product_is_told() {
    let text = "
//- /Shop.cs project:Shop
public static class Flags { public const string Old = \"old\"; public const string Kept = \"kept\"; }
public interface IOrders { void Cancel(int id); void Close(int id); }
public class Orders : IOrders {
    public void Cancel(int id) { if (id > 0) Cancel(id - 1); }
    public void Close(int id) { }
}
public class Legacy { public static int Run() => Legacy.Run(); }
public class Caller {
    public object Run(IOrders orders, Orders own) {
        orders.Cancel(1);
        own.Cancel(2);
        Legacy.Run();
        orders.Close(1);
        return Flags.Old + Flags.Kept;
    }
    public object Other(IOrders orders) { orders.Close(2); return Flags.Kept; }
}
//- /Tests.cs project:Tests refs:Shop packages:xunit
public class T { object M() => Flags.Old; }
";
    let gone = "        orders.Cancel(1);
        own.Cancel(2);
        Legacy.Run();
        orders.Close(1);
        return Flags.Old + Flags.Kept;
";
    let after = text.replace(gone, "        return null;\n");
    let told = |before: &str, after: &str| -> Vec<(String, usize)> {
        let answer = Repository::history(&[before, after]).diff_context();
        let unused = answer.impact.no_longer_used.into_iter();
        unused.map(|it| (it.doc_id, it.n_test_uses)).collect()
    };
    assert_eq!(
        told(text, &after),
        [
            ("F:Flags.Old".to_owned(), 1),
            // What implements it is called through it.
            ("M:IOrders.Cancel(System.Int32)".to_owned(), 0),
            ("T:Legacy".to_owned(), 0),
        ]
    );
    // What changed itself is told by its own row; here the type has no other user.
    let last = after
        .replace("Flags.Kept; }", "\"\"; }")
        .replace("Kept = \"kept\"", "Kept = \"other\"");
    assert_eq!(told(&after, &last), [("T:Flags".to_owned(), 1)]);
}

#[test]
fn what_lost_its_last_use_in_its_own_type_is_told_with_what_implements_it() {
    let text = "
//- /Shop.cs project:Shop
public interface IOrders { void Cancel(int id); }
public class Orders : IOrders {
    public void Cancel(int id) { }
}
public class Caller {
    private readonly IOrders orders;
    private readonly IOrders others;
    public string Name { get; private set; }
    public Caller(IOrders orders, IOrders others) {
        this.orders = orders;
        this.others = others;
        Name = \"a\";
    }
    public int Run() {
        orders.Cancel(Number(Name));
        return 0;
    }
    public int Other() => others.GetHashCode() + Kept();
    private int Number(string text) => text.Length;
    private int Kept() => 1;
}
";
    let after = text.replace("        orders.Cancel(Number(Name));\n", "");
    let answer = Repository::history(&[text, &after]).diff_context();
    let told = answer.impact.no_longer_used.iter().map(|it| {
        let places = it.implemented_by.iter().map(|place| place.line);
        let places: Vec<u32> = places.collect();
        (it.doc_id.as_str(), it.line, it.is_assigned, places)
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            ("F:Caller.orders", 6, true, vec![]),
            ("M:Caller.Number(System.String)", 18, false, vec![]),
            ("M:IOrders.Cancel(System.Int32)", 1, false, vec![3]),
        ]
    );
    let markdown = markdown(text, &after);
    assert!(
        markdown.contains(
            "no longer named by product code: Caller.orders Shop.cs:6 (assigned only), Caller.Number :18, IOrders.Cancel :1 (implemented at Shop.cs:3)"
        ),
        "{markdown}"
    );
}

#[test]
fn objects_that_start_with_another_value_are_told_where_they_are_made() {
    let changed = "public abstract class Mail { public abstract string Subject { get; } }\npublic class Renewal : Mail {\n  public override string Subject { get; } = \"a\";\n  int size = 1;\n  public int Size => size;\n}\n";
    let users =
        "class U {\n  object a() => new Renewal();\n  string b(Renewal r) => r.Subject;\n}\n";
    let lines = |old: &str, new: &str, id: &str| -> Vec<(u32, bool)> {
        let answer = edited(changed, old, new, users).diff_context();
        let symbol = answer.impact.symbols.iter().find(|it| it.id == id);
        let uses = symbol.expect("a changed symbol").uses.iter();
        uses.filter(|it| it.path.as_str() == "Users.cs")
            .map(|it| {
                let via = it.via.as_ref().map(|via| via.relation);
                (it.at.line, via == Some(ViaRelation::Creation))
            })
            .collect()
    };
    let subject = lines("= \"a\"", "= \"b\"", "P:Renewal.Subject");
    assert_eq!(subject, [(3, false), (2, true)]);
    assert_eq!(lines("size = 1", "size = 2", "F:Renewal.size"), [(2, true)]);
    // What a property gives when it is read is no value that objects start with.
    let read = lines("=> size;", "=> size + 1;", "P:Renewal.Size");
    assert_eq!(read, []);
}

#[test]
fn calls_of_extension_methods_use_a_class_that_has_another_namespace() {
    let text = "
//- /Ext.cs project:Shop
namespace Old { public static class OrderExtensions { public static int Twice(this int n) => 2 * n; } }
//- /Users.cs project:Shop
using Old;
class U { int a() => 3.Twice(); }
";
    let after = text
        .replace("namespace Old", "namespace New")
        .replace("using Old", "using New");
    let answer = Repository::history(&[text, &after]).diff_context();
    let ty = answer.impact.symbols.iter();
    let ty = ty.filter(|it| it.member.is_none() && it.ty == "New.OrderExtensions");
    let uses: Vec<(u32, Option<ViaRelation>)> = ty
        .flat_map(|it| &it.uses)
        .map(|it| (it.at.line, it.via.as_ref().map(|via| via.relation)))
        .collect();
    assert_eq!(uses, [(2, Some(ViaRelation::Member))]);
    let markdown = markdown(text, &after);
    assert!(!markdown.contains("not used by name"), "{markdown}");
}

#[test]
fn users_of_few_users_are_followed_ring_by_ring() {
    let changed = "public class C { public int M() => 1; }\n";
    let chain = |n: usize| -> String {
        let second: String = (0..n)
            .map(|i| format!("class B{i} {{ public int Go(A a) => a.Go(new C()); }}\n"))
            .collect();
        format!(
            "class A {{ public int Go(C c) => c.M(); }}\n{second}class D {{ int Go(B0 b) => b.Go(new A()); }}\n"
        )
    };
    let told = |n: usize| -> Vec<String> {
        let answer = edited(changed, "=> 1", "=> 2", &chain(n)).diff_context();
        let next = answer.impact.next.into_iter();
        next.map(|it| it.id.split('(').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(told(1), ["M:B0.Go", "M:D.Go"]);
    assert_eq!(told(12).len(), 13);
    assert_eq!(told(13).len(), 13);
}

#[test]
fn callers_of_a_contract_of_many_types_are_told_and_followed_where_few_files_call_it() {
    let changed = "public class Code { public int Run() => 1; }\n";
    let implementer =
        |n: usize| format!("class V{n} : IValidate {{ public int Check(Code c) => c.Own{n}; }}\n");
    let users = |n_callers: usize, n_files: usize| -> String {
        let implementers: String = (0..5)
            .map(|n| implementer(n).replace(&format!("c.Own{n}"), "0"))
            .collect();
        let callers: String = (0..n_callers)
            .map(|n| {
                let file = match n < n_files {
                    true => format!("//- /P{n}.cs\n"),
                    false => String::new(),
                };
                format!(
                    "{file}class P{n} {{ int Go(IValidate v) => v.Check(null); int On() => Go(null); }}\n"
                )
            })
            .collect();
        format!(
            "public interface IValidate {{ int Check(Code c); }}\nclass Own : IValidate {{ public int Check(Code c) => c.Run(); }}\n{implementers}{callers}"
        )
    };
    let told = |n_callers: usize, n_files: usize| -> Vec<(String, Option<String>)> {
        let users = users(n_callers, n_files);
        let answer = edited(changed, "=> 1", "=> 2", &users).diff_context();
        let next = answer.impact.next.into_iter();
        next.map(|it| (it.id.split('(').next().unwrap().to_owned(), it.contract))
            .collect()
    };
    let through = Some("M:IValidate.Check(Code)".to_owned());
    let followed = [
        ("M:P0.Go".to_owned(), through),
        ("M:P0.On".to_owned(), None),
    ];
    assert_eq!(told(1, 1), followed);
    assert_eq!(told(2, 2).len(), 4);
    // These are users of the contract, who choose nothing; what implements it counts as well.
    assert_eq!(told(3, 3).len(), 3);
    assert_eq!(told(6, 1).len(), 12);
    assert_eq!(told(7, 1), []);
}

#[test]
fn who_makes_objects_of_derived_types_runs_the_constructors_of_their_bases() {
    let changed = "public class Model { public Model() { Set(1); } void Set(int n) { } }\n";
    let makers: String = (0..14)
        .map(|n| format!("class Maker{n} {{ object Make() => new Detailed(); }}\n"))
        .collect();
    let users = format!(
        "public class Detailed : Model {{ public Detailed() : base() {{ }} }}\npublic class Full : Detailed {{ public Full() : base() {{ }} }}\n{makers}class Last {{ object Make() => new Full(); }}\n"
    );
    let answer = edited(changed, "Set(1)", "Set(2)", &users).diff_context();
    let next: Vec<&str> = answer.impact.next.iter().map(|it| &*it.id).collect();
    assert!(next.contains(&"M:Last.Make"), "{next:?}");
}

#[test]
fn code_that_reads_changed_data_from_text_is_told() {
    let changed = "public class Push { public int Id { get; set; } public void Go() { } }\n";
    let users = "class Json { public static T Deserialize<T>(string s) => default; }\nclass Box<T> { public T Value; }\nclass U {\n  object a(string s) => Json.Deserialize<Box<Push>>(s);\n  Push b(string s) { Box<Push> p = null; return p.Value; }\n}\n";
    let told = |new: &str| -> Vec<(String, Vec<u32>)> {
        let answer = edited(changed, "public int Id", new, users).diff_context();
        let read = answer.impact.deserialized.iter().map(|it| {
            let lines = it.places.iter().map(|place| place.line);
            (it.ty.clone(), lines.collect())
        });
        read.collect()
    };
    let read = [("Push".to_owned(), vec![4])];
    assert_eq!(told("public long Id"), read);
    assert_eq!(told("public int More { get; set; } public int Id"), read);
    assert_eq!(told("public void More() { } public int Id"), []);
}

#[test]
fn what_runs_where_an_override_went_is_shown() {
    let changed = "public class Twice : Token {\n  public override bool Valid => true;\n  public override int Size() => 1;\n}\n";
    let users = "public class Token : Base {\n  public override bool Valid => Own > 0;\n  public int Own;\n}\npublic abstract class Base {\n  public virtual bool Valid => false;\n  public abstract int Size();\n}\n";
    let told = |old: &str| -> Vec<(String, CallReason, String)> {
        let answer = edited(changed, old, "", users).diff_context();
        let called = answer.called.into_iter();
        called
            .map(|it| (it.doc_id, it.reason, it.because))
            .collect()
    };
    let valid = |because: &str| {
        (
            "P:Token.Valid".to_owned(),
            CallReason::RunsInPlace,
            because.to_owned(),
        )
    };
    assert_eq!(
        told("  public override bool Valid => true;\n"),
        [valid("Twice.Valid")]
    );
    // What has no body runs nowhere.
    assert_eq!(told("  public override int Size() => 1;\n"), []);
}

#[test]
fn what_changed_code_called_before_is_shown_where_it_calls_something_else_now() {
    let changed = "public class Job {\n  public int Run(Load load) => load.One(1);\n}\n";
    let users = "public class Load {\n  public int One(int n) => n;\n  public int Two(int n) => n + 1;\n  public int Any() => One(1) + Two(1);\n}\n";
    let told = |new: &str| -> Vec<(String, CallReason)> {
        let answer = edited(changed, "load.One(1)", new, users).diff_context();
        let called = answer.called.into_iter();
        called.map(|it| (it.doc_id, it.reason)).collect()
    };
    let one = |reason| ("M:Load.One(System.Int32)".to_owned(), reason);
    let two = |reason| ("M:Load.Two(System.Int32)".to_owned(), reason);
    let both = [one(CallReason::CalledBefore), two(CallReason::Called)];
    assert_eq!(told("load.Two(1)"), both);
    // Nothing takes its place.
    assert_eq!(told("1"), []);
    let fed = "public class Job {\n  public int Run(Load load) {\n    var one = load.One(1);\n    var two = load.Two(1);\n    return 0;\n  }\n}\n";
    let answer = edited(fed, "return 0", "return one", users).diff_context();
    let called = answer.called.into_iter();
    let called: Vec<_> = called.map(|it| (it.doc_id, it.reason)).collect();
    assert_eq!(called, [one(CallReason::Feeds)]);
    assert_eq!(
        told("load.Two(1) + load.One(1)"),
        [one(CallReason::Called), two(CallReason::Called)]
    );
    // What its own type has is near, wherever it is called.
    let own = "public class Job {\n  public int Run(Load load) {\n    Prepare();\n    load.One(1);\n    return 0;\n  }\n  void Prepare() { }\n}\n";
    let answer = edited(own, "return 0", "return load.Two(1)", users).diff_context();
    let called = answer.called.into_iter();
    let called: Vec<_> = called.map(|it| (it.doc_id, it.reason)).collect();
    let prepare = ("M:Job.Prepare".to_owned(), CallReason::Beside);
    assert_eq!(called, [two(CallReason::Called), prepare]);
}

#[test]
fn code_that_is_only_spelled_otherwise_changes_nothing_for_its_users() {
    let fixture = "//- /Changed.cs project:App\npublic class C {\n  public int[] Two(string s) => new[] { s.Length, 2 };\n}\n//- /T.cs project:Tests refs:App packages:xunit\nclass T { [Xunit.Fact] public void t() { new C().Two(\"\"); } }\n";
    let told = |old: &str, new: &str| {
        let answer = Repository::edited(fixture, old, new).diff_context();
        let notes = answer.types[0].members[0].notes.clone();
        (notes, answer.impact.symbols.len())
    };
    let alone = (vec!["runs the same".to_owned()], 0);
    assert_eq!(told("2 }", "2, }"), alone);
    assert_eq!(told("s.Length", "s!.Length"), alone);
    assert_eq!(told("2 }", "3, }"), (Vec::new(), 1));
}

#[test]
fn a_private_method_that_is_only_static_now_changes_nothing_for_its_users() {
    let fixture = "//- /Changed.cs project:App\npublic class C {\n  private int One() => 1;\n  public int Two() => One();\n  public int Seen() => 1;\n}\n//- /T.cs project:Tests refs:App packages:xunit\nclass T { [Xunit.Fact] public void t() { new C().Two(); new C().Seen(); } }\n";
    let told = |old: &str, new: &str| {
        let answer = Repository::edited(fixture, old, new).diff_context();
        let notes = answer.types[0].members[0].notes.clone();
        let n_tests = answer.impact.tests.map_or(0, |tests| tests.tests.len());
        (notes, answer.impact.symbols.len(), n_tests)
    };
    let alone = (vec!["static now".to_owned()], 0, 0);
    assert_eq!(told("int One()", "static int One()"), alone);
    // What others see has callers that do not compile, and another body runs otherwise.
    assert_eq!(told("public int Seen", "public static int Seen").1, 1);
    let (_, n_symbols, n_tests) = told("int One() => 1", "static int One() => 2");
    assert_eq!((n_symbols, n_tests), (1, 1));
}

#[test]
fn what_is_private_now_runs_what_it_ran() {
    let changed = "public class C {\n  public int One() => 1;\n  public int Two() => One();\n}\n";
    let users = "class U { int M(C c) => c.Two(); }\n";
    let answer = edited(changed, "public int One", "private int One", users).diff_context();
    assert_eq!(answer.types[0].members[0].notes, ["less accessible"]);
    // Who uses it is told, who uses these is not.
    assert_eq!(answer.impact.symbols[0].n_uses, 1);
    assert!(answer.impact.next.is_empty(), "{:?}", answer.impact.next);
    let reasons: Vec<&str> = answer.api.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, ["is now private"]);
    let answer = edited(changed, "public int One", "internal int One", users).diff_context();
    assert!(!answer.impact.next.is_empty());
}

#[test]
fn an_accessor_that_less_code_sees_says_so() {
    let changed = "public class C {\n  public int N { get; set; }\n}\n";
    let answer = edited(changed, "set;", "internal set;", "").diff_context();
    let reasons: Vec<&str> = answer.api.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, ["is now internal"]);
}

#[test]
fn of_tests_alone_what_they_call_themselves_is_told() {
    let text = "
//- /A.cs project:App
public interface ISender { void Send(); }
public class Sender : ISender { public void Send() { Twice(1); } public static int Twice(int n) { return n * 2; } }
//- /T.cs project:Tests refs:App packages:xunit
public class Tests { ISender sender; [Xunit.Fact] public void Sends() { int n = 1; } }
";
    let after = text.replace("int n = 1;", "sender.Send(); Sender.Twice(1);");
    let answer = Repository::history(&[text, &after]).diff_context();
    let called: Vec<&str> = answer.called.iter().map(|it| it.doc_id.as_str()).collect();
    assert_eq!(called, ["M:Sender.Twice(System.Int32)"]);
}
