//! `rename`, case by case: each with what the files become, or why it is refused.

use cortex_edit::{Edit, EditError, Rename};
use cortex_look::QueryError;
use cortex_wire::{DoubtReason, EditVerdict, OpState, WarningReason};

use crate::world::World;

/// Renames in one file `A.cs`, and applies what is proven: the verdict, and the file afterwards.
fn renamed(text: &str, symbol: &str, to: &str) -> (EditVerdict, String) {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let mut op = world.rename(symbol, to).expect("it can be planned");
    let verdict = op.answer.verdict;
    if verdict == EditVerdict::ChangedMeaning {
        return (verdict, String::new());
    }
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    let (_, text) = (files.iter())
        .find(|(path, _)| path.ends_with(".cs"))
        .expect("the file is there");
    (verdict, String::from_utf8_lossy(text).into_owned())
}

/// What a proven rename makes of one file.
#[track_caller]
pub(crate) fn becomes(text: &str, symbol: &str, to: &str, expected: &str) {
    let (verdict, new) = renamed(text, symbol, to);
    assert_eq!(new.trim_end(), expected.trim_end());
    assert_eq!(verdict, EditVerdict::Proven);
}

/// A rename after which the code would mean something else.
#[track_caller]
pub(crate) fn changes_meaning(text: &str, symbol: &str, to: &str) {
    assert_eq!(renamed(text, symbol, to).0, EditVerdict::ChangedMeaning);
}

/// Why a rename is refused.
#[track_caller]
pub(crate) fn refusal(text: &str, symbol: &str, to: &str) -> String {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    match world.rename(symbol, to) {
        Ok(op) => panic!("it is planned: {:?}", op.answer.verdict),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_an_interface_implements_of_another_one_is_renamed_with_it() {
    let text = "interface IA { int V(); int P { get; } }\n\
        interface IB : IA { new int V(); int IA.V() => 10; int IA.P => 1; }\n\
        class I2 : IB { public int V() => 3; }\n\
        class U { int M(IA a, IB b) => a.V() + b.V() + a.P; }";
    let renamed = text.replace("int V()", "int W()");
    let renamed = renamed.replace("IA.V()", "IA.W()").replace(".V()", ".W()");
    for symbol in ["IA.V", "I2.V"] {
        becomes(text, symbol, "W", &renamed);
    }
    becomes(
        text,
        "IA.P",
        "Q",
        &text
            .replace("int P", "int Q")
            .replace("IA.P", "IA.Q")
            .replace("a.P", "a.Q"),
    );
}

#[test]
fn a_type_is_renamed_with_constructors_references_and_comments_that_refer_to_it() {
    becomes(
        "/// <summary>See <see cref=\"Old\"/>.</summary>\nclass Old { public Old() {} ~Old() {} static Old Make() => new Old(); string N => nameof(Old); }\n\
         class User { Old f; System.Collections.Generic.List<Old> l; Old[] a = { new() }; bool Is(object o) => o is Old; }",
        "Old",
        "New",
        "/// <summary>See <see cref=\"New\"/>.</summary>\nclass New { public New() {} ~New() {} static New Make() => new New(); string N => nameof(New); }\n\
         class User { New f; System.Collections.Generic.List<New> l; New[] a = { new() }; bool Is(object o) => o is New; }",
    );
}

#[test]
fn an_attribute_is_renamed_where_its_ending_is_left_out() {
    becomes(
        "class OldAttribute : System.Attribute { }\n[Old] class A { [OldAttribute] void M() { } }",
        "OldAttribute",
        "NewAttribute",
        "class NewAttribute : System.Attribute { }\n[New] class A { [NewAttribute] void M() { } }",
    );
    becomes(
        "class OldAttribute : System.Attribute { }\n[Old] class A { }",
        "OldAttribute",
        "Mark",
        "class Mark : System.Attribute { }\n[Mark] class A { }",
    );
}

#[test]
fn a_member_is_renamed_with_its_whole_family() {
    becomes(
        "interface I { void M(); }\nclass Base : I { public virtual void M() { } }\nclass Derived : Base { public override void M() => base.M(); }\n\
         class Explicit : I { void I.M() { } }\nclass User { void U(I i, Derived d) { i.M(); d.M(); System.Action a = d.M; } }",
        "Derived.M",
        "N",
        "interface I { void N(); }\nclass Base : I { public virtual void N() { } }\nclass Derived : Base { public override void N() => base.N(); }\n\
         class Explicit : I { void I.N() { } }\nclass User { void U(I i, Derived d) { i.N(); d.N(); System.Action a = d.N; } }",
    );
}

#[test]
fn an_interface_that_is_implemented_through_a_base_class_belongs_to_the_family() {
    becomes(
        "interface I { int P { get; } }\nclass Base { public int P => 1; }\nclass Both : Base, I { }\nclass User { int U(I i) => i.P; }",
        "I.P",
        "Q",
        "interface I { int Q { get; } }\nclass Base { public int Q => 1; }\nclass Both : Base, I { }\nclass User { int U(I i) => i.Q; }",
    );
}

#[test]
fn a_parameter_is_renamed_with_named_arguments_and_its_documentation() {
    becomes(
        "class A {\n/// <param name=\"old\">See <paramref name=\"old\"/>.</param>\nint M(int old, int other) => old + other;\nint U() => M(other: 1, old: 2); }",
        "A.cs:3:11",
        "renamed",
        "class A {\n/// <param name=\"renamed\">See <paramref name=\"renamed\"/>.</param>\nint M(int renamed, int other) => renamed + other;\nint U() => M(other: 1, renamed: 2); }",
    );
}

#[test]
fn locals_labels_type_parameters_and_aliases_are_renamed_where_they_are_meant() {
    becomes(
        "class A { int x; int M() { int y = 1; System.Func<int, int> f = y => y; return y + f(x); } }",
        "A.cs:1:32",
        "z",
        "class A { int x; int M() { int z = 1; System.Func<int, int> f = y => y; return z + f(x); } }",
    );
    becomes(
        "class A<T> where T : class { T M<U>(T t, U u) => t; }",
        "A.cs:1:9",
        "TItem",
        "class A<TItem> where TItem : class { TItem M<U>(TItem t, U u) => t; }",
    );
    becomes(
        "using Old = System.Text.StringBuilder;\nclass A { Old b = new Old(); }",
        "A.cs:1:7",
        "Text",
        "using Text = System.Text.StringBuilder;\nclass A { Text b = new Text(); }",
    );
    becomes(
        "class A { void M() { old: goto old; } }",
        "A.cs:1:22",
        "again",
        "class A { void M() { again: goto again; } }",
    );
}

#[test]
fn a_property_of_a_record_is_renamed_as_a_parameter_as_well() {
    becomes(
        "record Old(int Old1);\nclass U { int M(Old o) => new Old(Old1: o.Old1).Old1 + (o with { Old1 = 2 }).Old1; }",
        "Old.Old1",
        "Count",
        "record Old(int Count);\nclass U { int M(Old o) => new Old(Count: o.Count).Count + (o with { Count = 2 }).Count; }",
    );
}

#[test]
fn a_name_that_is_a_keyword_is_written_with_its_sign() {
    becomes(
        "class A { int m; int U() => m; }",
        "A.m",
        "class",
        "class A { int @class; int U() => @class; }",
    );
    becomes(
        "class @class { @class M() => null; }",
        "class",
        "Plain",
        "class Plain { Plain M() => null; }",
    );
}

#[test]
fn what_would_mean_something_else_is_told() {
    // A field would be hidden by a parameter.
    changes_meaning(
        "class A { int old; int M(int name) => old + name; }",
        "A.old",
        "name",
    );
    // A local would capture a field.
    changes_meaning(
        "class A { int x; int M() { int old = 1; return x + old; } }",
        "A.cs:1:32",
        "x",
    );
    // An overload would become better.
    changes_meaning(
        "class A { void M(object o) { } void Old(string s) { } void U() => M(\"\"); }",
        "A.Old",
        "M",
    );
    // A type would hide another one.
    changes_meaning(
        "namespace N { class X { } }\nnamespace N.M { class Old { } class User { X x; Old o; } }",
        "N.M.Old",
        "X",
    );
    // A pattern gained: `foreach` would find it.
    changes_meaning(
        "class A : System.Collections.IEnumerable { System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null;\n\
         public System.Collections.Generic.List<int>.Enumerator Old() => default; void M() { foreach (var x in this) { } } }",
        "A.Old",
        "GetEnumerator",
    );
}

#[test]
fn names_that_members_of_anonymous_objects_infer_are_written_out() {
    becomes(
        "class A { int Old; A Next; object M() => new { Old, B = Old, this.Next.Old.Length }; object N(A a) => new { X = 1, a.Next?.Old }; }",
        "A.Old",
        "New",
        "class A { int New; A Next; object M() => new { Old = New, B = New, this.Next.New.Length }; object N(A a) => new { X = 1, Old = a.Next?.New }; }",
    );
    becomes(
        "class A { int M(int old) { var it = new { old }; return it.old; } }",
        "A.cs:1:21",
        "other",
        "class A { int M(int other) { var it = new { old = other }; return it.old; } }",
    );
    becomes(
        "class A { object M(int @class) => new\n{\n  @class // 1\n}; }",
        "A.cs:1:24",
        "other",
        "class A { object M(int other) => new\n{\n  @class = other // 1\n}; }",
    );
}

#[test]
fn names_that_elements_of_tuples_infer_are_written_out_where_code_uses_them() {
    becomes(
        "class A { int Old; int M() { var t = (Old, 1); return t.Old; } }",
        "A.Old",
        "New",
        "class A { int New; int M() { var t = (Old: New, 1); return t.Old; } }",
    );
    becomes(
        "class A { int M(A a, int x) { var t = (x, a.Old); return t.Old; } int Old; }",
        "A.Old",
        "New",
        "class A { int M(A a, int x) { var t = (x, Old: a.New); return t.Old; } int New; }",
    );
    // Nobody asks for the name.
    becomes(
        "class A { int Old; (int a, int b) M() => (Old, 1); }",
        "A.Old",
        "New",
        "class A { int New; (int a, int b) M() => (New, 1); }",
    );
    becomes(
        "class A { int Old; object M() => (Old, 1); T F<T>(T it) => it; int N() => F((Old, 1)).Old; }",
        "A.Old",
        "New",
        "class A { int New; object M() => (New, 1); T F<T>(T it) => it; int N() => F((Old: New, 1)).Old; }",
    );
}

#[test]
fn files_that_use_a_member_without_naming_it_are_compared_as_well() {
    let list = "public class List : System.Collections.IEnumerable {\n\
         System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null;\n\
         public System.Collections.Generic.List<int>.Enumerator Old() => default; }";
    let user = "class User { void M(List list) { foreach (var x in list) { } } }";
    let world = World::new(&format!("//- /List.cs\n{list}\n//- /User.cs\n{user}"));
    let op = world
        .rename("List.Old", "GetEnumerator")
        .expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    assert!(
        op.answer
            .differences
            .iter()
            .any(|it| it.file.as_str().ends_with("User.cs"))
    );
}

#[test]
fn two_declarations_of_one_name_are_told_although_nothing_uses_them() {
    changes_meaning("class A { int old; int taken; }", "A.old", "taken");
    changes_meaning(
        "class A { void Old(int x) { } void Taken(int y) { } }",
        "A.Old",
        "Taken",
    );
    changes_meaning(
        "class A { void Old() { } int Taken => 1; }",
        "A.Old",
        "Taken",
    );
    changes_meaning(
        "class A { void Old() { } class Taken { } }",
        "A.Old",
        "Taken",
    );
    changes_meaning("class A { void Old() { } }", "A.Old", "A");
    changes_meaning("class Old { } class Taken { }", "Old", "Taken");
    changes_meaning(
        "class A { void M() { int old = 1; { int taken = 2; } } }",
        "A.cs:1:26",
        "taken",
    );
    changes_meaning(
        "class A { void M(int old, int taken) { } }",
        "A.cs:1:22",
        "taken",
    );
    // Overloads, and locals of blocks side by side, may share a name.
    becomes(
        "class A { void Old(int x) { } void Taken(string y) { } }",
        "A.Old",
        "Taken",
        "class A { void Taken(int x) { } void Taken(string y) { } }",
    );
    becomes(
        "class A { void M() { { int old = 1; } { int taken = 2; } } }",
        "A.cs:1:28",
        "taken",
        "class A { void M() { { int taken = 1; } { int taken = 2; } } }",
    );
}

#[test]
fn what_cannot_be_renamed_is_refused_with_the_reason() {
    let foreign = "class A { public override string ToString() => \"\"; }";
    assert!(refusal(foreign, "A.ToString", "Text").contains("not declared here"));
    let overloads = "class A { void M() { } void M(int x) { } }";
    assert!(refusal(overloads, "A.M", "N").contains("several overloads"));
    let operator = "class A { public static A operator +(A a, A b) => a; }";
    assert!(refusal(operator, "M:A.op_Addition(A,A)", "Add").contains("operators have no names"));
    let constructor = "class A { public A(int x) { } }";
    assert!(refusal(constructor, "M:A.#ctor(System.Int32)", "B").contains("rename the type"));
    assert!(refusal("class A { }", "A", "1x").contains("starts with a letter"));
    assert!(refusal("class A { }", "A", "A").contains("would change nothing"));
    assert!(refusal("class A { }", "A", "@A").contains("would change nothing"));
}

#[test]
fn what_nobody_compiles_is_a_doubt() {
    let text = "class Old { }\n#if NEVER\nclass U { Old o; }\n#endif";
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let op = world.rename("Old", "New").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
    assert_eq!(op.state(), OpState::NotProven);
    assert_eq!(op.answer.doubts[0].line, 3);
}

#[test]
fn the_file_of_a_type_is_renamed_with_it() {
    let world = World::new("//- /README.cs\n");
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>";
    for (path, text) in [
        ("App.csproj", project),
        ("Old.cs", "public partial class Old { }"),
        ("Old.More.cs", "public partial class Old { Old o; }"),
    ] {
        std::fs::write(world.work().join(path), text).expect("a file");
    }
    let mut op = world.rename("Old", "New").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
    world.apply(&mut op).expect("it can be applied");
    let names: Vec<String> = world.files().into_keys().collect();
    assert!(
        names.iter().any(|name| name.ends_with("New.cs")),
        "{names:?}"
    );
    assert!(
        !names
            .iter()
            .any(|name| name.ends_with("/Old.cs") || name == "Old.cs")
    );
}

#[test]
fn the_parameter_of_a_record_is_its_property() {
    becomes(
        "record A(int Old) { int M() => Old; }\nclass B { int M(A a) => a.Old; A N() => new A(Old: 1) with { Old = 2 }; }",
        "A.cs:1:14",
        "New",
        "record A(int New) { int M() => New; }\nclass B { int M(A a) => a.New; A N() => new A(New: 1) with { New = 2 }; }",
    );
}

#[test]
fn what_stands_behind_a_dot_is_no_parameter_and_what_another_file_says_no_local() {
    let world = World::new(
        "//- /A.cs\nclass A { void M(int old) { int inner = old; _ = Missing.old; } }\n\
         //- /B.cs\n// inner\nclass B { void M() => Missing.old(); object N() => Missing.inner; }\n\
         #if NEVER\nclass C { int inner; }\n#endif\n",
    );
    let parameter = world
        .rename("A.cs:1:22", "fresh")
        .expect("it can be planned");
    assert_eq!(
        parameter.answer.verdict,
        EditVerdict::Proven,
        "{parameter:#?}"
    );
    let local = world
        .rename("A.cs:1:33", "fresh")
        .expect("it can be planned");
    assert_eq!(local.answer.verdict, EditVerdict::Proven, "{local:#?}");
    assert_eq!(local.answer.total_residue, 0);
    // What the own file leaves out may mean it.
    let world = World::new(
        "//- /A.cs\nclass A { void M() { int old = 1;\n#if NEVER\n_ = old;\n#endif\n} }\n",
    );
    let local = world
        .rename("A.cs:1:26", "fresh")
        .expect("it can be planned");
    assert_eq!(local.answer.verdict, EditVerdict::NotProven);
}

#[test]
fn an_alias_that_is_called_like_its_type_keeps_its_name() {
    let world = World::new(
        "//- /Lib.cs\nnamespace Lib { public class Old { } }\n\
         //- /A.cs\nusing Old = Lib.Old;\nclass A { Old a = new Old(); Lib.Old b; }\n\
         //- /sub/Global.cs\nglobal using Other = Lib.Old;\n//- /sub/B.cs\nclass B { Other a; }\n",
    );
    let mut op = world.rename("Lib.Old", "New").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let text = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    assert_eq!(
        text,
        "using Old = Lib.New;\nclass A { Old a = new Old(); Lib.New b; }\n"
    );
}

#[test]
fn a_file_keeps_its_name_where_another_one_is_called_so() {
    let world = World::new(
        "//- /Old.cs\nnamespace N { class Old { } }\n//- /New.cs\nnamespace N { class New { } }\n",
    );
    let op = world.rename("Old", "New").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    // Of another namespace, the type may be called so.
    let world = World::new(
        "//- /Old.cs\nnamespace N { class Old { } }\n//- /New.cs\nnamespace M { class New { } }\n",
    );
    let before = world.files();
    let mut op = world.rename("Old", "New").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let after = world.files();
    assert_eq!(after["New.cs"], before["New.cs"]);
    assert!(String::from_utf8_lossy(&after["Old.cs"]).contains("class New"));
}

#[test]
fn a_type_gets_no_name_that_it_or_the_type_around_it_gives_away() {
    changes_meaning("class Old { void Run() { } }", "Old", "Run");
    changes_meaning("class Old { class Run { } }", "Old", "Run");
    changes_meaning("class Old<T> { }", "Old", "T");
    changes_meaning("class Outer { class Old { } }", "Old", "Outer");
    changes_meaning("class Outer<T> { class Old { } }", "Old", "T");
    becomes(
        "interface Old { void Run(); }",
        "Old",
        "Run",
        "interface Run { void Run(); }",
    );
}

#[test]
fn a_type_parameter_gets_no_name_of_what_declares_it_or_of_its_members() {
    changes_meaning("class C<T> { void Run() { } }", "A.cs:1:9", "Run");
    changes_meaning("class C<T> { class Run { } }", "A.cs:1:9", "Run");
    changes_meaning("class C<T> { }", "A.cs:1:9", "C");
    changes_meaning("class C<T> { void Old() { } }", "C.Old", "T");
    // A method may be called like its type parameter.
    becomes(
        "class C { void M<T>() { } }",
        "A.cs:1:18",
        "M",
        "class C { void M<M>() { } }",
    );
    becomes(
        "class C { void Old<T>() { } }",
        "C.Old",
        "T",
        "class C { void T<T>() { } }",
    );
}

#[test]
fn a_variable_gets_no_name_of_a_type_parameter_of_its_method() {
    changes_meaning("class C { void M<T>(int old) { } }", "A.cs:1:25", "T");
    changes_meaning("class C { void M<T>() { int old = 1; } }", "A.cs:1:29", "T");
    changes_meaning("class C { void M<T>(int x) { } }", "A.cs:1:18", "x");
    becomes(
        "class C<T> { void M(int old) { } }",
        "A.cs:1:25",
        "T",
        "class C<T> { void M(int T) { } }",
    );
}

#[test]
fn a_member_gets_no_name_of_an_accessor() {
    changes_meaning(
        "class C { int P { get; } void Old() { } }",
        "C.Old",
        "get_P",
    );
    changes_meaning(
        "class C { int Old { get; } void set_P(int x) { } }",
        "C.Old",
        "P",
    );
    changes_meaning(
        "class C { event System.Action E; void Old(System.Action a) { } }",
        "C.Old",
        "remove_E",
    );
    // Nor does the type around it.
    changes_meaning("class Old { int P { get; } }", "Old", "get_P");
    becomes(
        "class C { int F; void Old() { } }",
        "C.Old",
        "get_F",
        "class C { int F; void get_F() { } }",
    );
}

#[test]
fn a_member_that_hides_an_inherited_one_under_its_new_name_is_told() {
    let world = World::new(
        "//- /A.cs\nclass Base { protected int Size => 1; }\nclass A : Base { int Old => 2; int Hash() => 3; }",
    );
    let hiding = |symbol: &str, to: &str| {
        let op = world.rename(symbol, to).expect("it can be planned");
        let warnings = op.answer.warnings.into_iter();
        warnings.map(|it| (it.name, it.reason)).collect::<Vec<_>>()
    };
    let found = hiding("A.Old", "Size");
    assert_eq!(
        found,
        [("Size (Base.Size)".to_owned(), WarningReason::Hides)]
    );
    assert_eq!(hiding("A.Hash", "GetHashCode").len(), 1);
    assert_eq!(hiding("A.Old", "Other"), []);
}

#[test]
fn a_place_without_a_name_is_no_symbol() {
    let discards = "class A { void M() { System.Action<int, int> f = (_, _) => { }; } }";
    let column = discards.find('_').expect("it is there") + 1;
    assert_eq!(
        refusal(discards, &format!("A.cs:1:{column}"), "N"),
        "no name of a symbol is at that place"
    );
    assert_eq!(
        refusal("class A { void M() { return; } }", "A.cs:1:23", "N"),
        "no name of a symbol is at that place"
    );
    becomes(
        "class A { void M() { M(); } }",
        "A.cs:1:22",
        "N",
        "class A { void N() { N(); } }",
    );
}

#[test]
fn a_member_of_a_file_that_two_projects_compile_is_one_symbol() {
    let project = |more: &str| {
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>{more}</Project>"
        )
    };
    let world = World::new("//- /README.cs\n");
    let linked = "<ItemGroup><Compile Include=\"../a/Base.cs\" /></ItemGroup>";
    for (path, text) in [
        ("a/A.csproj", project("")),
        (
            "a/Base.cs",
            "public abstract class Base { protected abstract void Old(); }".to_owned(),
        ),
        (
            "a/InA.cs",
            "class InA : Base { protected override void Old() { } }".to_owned(),
        ),
        ("b/B.csproj", project(linked)),
        (
            "b/InB.cs",
            "class InB : Base { protected override void Old() { } }".to_owned(),
        ),
    ] {
        let path = world.work().join(path);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    for symbol in ["Base.Old", "InA.Old", "InB.Old"] {
        let op = world.rename(symbol, "New").expect("it can be planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{symbol}");
        let files: Vec<String> = (op.answer.files.iter())
            .map(|it| it.file.to_string())
            .collect();
        assert_eq!(files, ["a/Base.cs", "a/InA.cs", "b/InB.cs"], "{symbol}");
    }
}

#[test]
fn documentation_names_a_parameter_without_the_sign_of_a_keyword() {
    becomes(
        "class A {\n/// <summary><paramref name=\"old\"/> <see cref=\"M(int)\"/></summary>\n/// <param name=\"old\"></param>\nvoid M(int old) { } }",
        "A.cs:4:12",
        "int",
        "class A {\n/// <summary><paramref name=\"int\"/> <see cref=\"M(int)\"/></summary>\n/// <param name=\"int\"></param>\nvoid M(int @int) { } }",
    );
}

#[test]
fn a_cref_follows_the_overload_that_its_parameters_say() {
    let text = "class A {\n/// <summary><see cref=\"Old(int)\"/> <see cref=\"Old(string)\"/> <see cref=\"Old\"/></summary>\n\
         void Old(int x) { }\nvoid Old(string x) { }\nvoid M() { Old(1); Old(null); } }";
    becomes(
        text,
        "A.Old(int)",
        "New",
        "class A {\n/// <summary><see cref=\"New(int)\"/> <see cref=\"Old(string)\"/> <see cref=\"New\"/></summary>\n\
         void New(int x) { }\nvoid Old(string x) { }\nvoid M() { New(1); Old(null); } }",
    );
    becomes(
        text,
        "A.Old(string)",
        "New",
        "class A {\n/// <summary><see cref=\"Old(int)\"/> <see cref=\"New(string)\"/> <see cref=\"Old\"/></summary>\n\
         void Old(int x) { }\nvoid New(string x) { }\nvoid M() { Old(1); New(null); } }",
    );
}

#[test]
fn a_variable_of_a_query_may_have_any_name_where_clauses_hand_several_on() {
    becomes(
        "using System.Linq;\nclass A { object M(int[] xs) => from old in xs let y = old * 2 from z in xs where z > old select old + y + z; }",
        "A.cs:2:38",
        "now",
        "using System.Linq;\nclass A { object M(int[] xs) => from now in xs let y = now * 2 from z in xs where z > now select now + y + z; }",
    );
}

#[test]
fn a_parameter_of_a_record_that_begins_or_ends_to_make_a_property_is_told() {
    let inherited = "record P(int X);\nrecord Q(int X, int Y) : P(X);";
    changes_meaning(inherited, "P.X", "Left");
    changes_meaning(inherited, "P.X", "Y");
    let beside = "record B { public int Foo { get; init; } }\nrecord D(int Id) : B;";
    changes_meaning(beside, "B.Foo", "Id");
    changes_meaning(beside, "D.Id", "Foo");
    becomes(
        beside,
        "B.Foo",
        "Bar",
        "record B { public int Bar { get; init; } }\nrecord D(int Id) : B;",
    );
}

#[test]
fn strings_in_attributes_that_name_a_parameter_follow_it() {
    becomes(
        "class A {\n\
         void M(object old, [Runtime.CallerArgumentExpression(\"old\")] string text = \"old\") { _ = old; }\n\
         [return: NotNullIfNotNull(\"old\")] object N(object old) => old;\n\
         void O(object other, [CallerArgumentExpression(\"old\")] string old = null) { }\n}",
        "A.cs:2:15",
        "fresh",
        "class A {\n\
         void M(object fresh, [Runtime.CallerArgumentExpression(\"fresh\")] string text = \"old\") { _ = fresh; }\n\
         [return: NotNullIfNotNull(\"old\")] object N(object old) => old;\n\
         void O(object other, [CallerArgumentExpression(\"old\")] string old = null) { }\n}",
    );
}

#[test]
fn strings_in_attributes_that_name_a_member_of_the_type_follow_it() {
    becomes(
        "class A { public static int[] Old; [MemberData(\"Old\")] void M() { } [Other(\"Old\")] void N() { } }\n\
         class B : A { [MemberNotNull(@\"Old\")] void M() { } }\n\
         class C { [MemberData(\"Old\", MemberType = typeof(A))] void M() { } [MemberData(\"Old\")] void N() { } }",
        "A.Old",
        "New",
        "class A { public static int[] New; [MemberData(\"New\")] void M() { } [Other(\"Old\")] void N() { } }\n\
         class B : A { [MemberNotNull(@\"New\")] void M() { } }\n\
         class C { [MemberData(\"New\", MemberType = typeof(A))] void M() { } [MemberData(\"Old\")] void N() { } }",
    );
}

#[test]
fn targets_of_suppressions_follow_what_they_name() {
    let before = "[assembly: SuppressMessage(\"D\", \"C1\", Scope = \"member\", Target = \"~M:N.Old.M(N.Old)\")]\n\
                  namespace N { class Old { void M(Old old) { } void M(int old) { } } }";
    becomes(
        before,
        "N.Old",
        "New",
        "[assembly: SuppressMessage(\"D\", \"C1\", Scope = \"member\", Target = \"~M:N.New.M(N.New)\")]\n\
         namespace N { class New { void M(New old) { } void M(int old) { } } }",
    );
    becomes(
        before,
        "N.Old.M(N.Old)",
        "New",
        "[assembly: SuppressMessage(\"D\", \"C1\", Scope = \"member\", Target = \"~M:N.Old.New(N.Old)\")]\n\
         namespace N { class Old { void New(Old old) { } void M(int old) { } } }",
    );
}

/// A name in code, documentation, comments and strings, and in files that do not mention it in code.
const TEXTS: &str = "//- /A.cs\n\
    /// <summary>An Old, see <see cref=\"Old\"/>.</summary>\n\
    class Old { const string Name = \"Old\"; string s = Name + \" and Olds\"; }\n\
    //- /B.cs\n\
    class B { string s = $\"{1} Old\"; } // Old\n\
    //- /Page.cshtml\n\
    <p>@Old.X</p>\n";

#[test]
fn texts_that_mention_a_name_are_listed_with_what_they_are() {
    let world = World::new(TEXTS);
    let op = world.rename("Old", "New").expect("it can be planned");
    let shown: Vec<String> = (op.answer.residue.iter())
        .map(|it| format!("{} {} {:?}", it.file, it.line, it.kind))
        .collect();
    let expected = [
        "A.cs 1 Comment",
        "A.cs 2 String",
        "B.cs 1 String",
        "B.cs 1 Comment",
        "Page.cshtml 1 File",
    ];
    assert_eq!(shown, expected);
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{op:#?}");
}

#[test]
fn texts_get_the_new_name_where_the_request_names_their_kind() {
    use cortex_wire::ResidueKind as Kind;
    let kinds = [Kind::Comment, Kind::String, Kind::File];
    for also in [
        &kinds[..0],
        &kinds[..1],
        &kinds[1..2],
        &kinds[2..],
        &kinds[..2],
    ] {
        let world = World::new(TEXTS);
        let before = world.files();
        let request = cortex_edit::Rename {
            symbol: "Old",
            to: "New",
            keep_file: false,
            also,
        };
        let mut op = world
            .one(&Edit::Rename(request))
            .expect("it can be planned");
        let left: Vec<Kind> = op.answer.residue.iter().map(|it| it.kind).collect();
        for kind in kinds {
            assert_eq!(
                left.contains(&kind),
                !also.contains(&kind),
                "{also:?} {kind:?}"
            );
        }
        // What a page is compiled to is not compared.
        let verdict = match also.contains(&Kind::File) {
            true => EditVerdict::NotProven,
            false => EditVerdict::Proven,
        };
        assert_eq!(op.answer.verdict, verdict, "{op:#?}");
        world.apply(&mut op).expect("it is applied");
        let text =
            |path: &str| String::from_utf8(world.files()[path].clone()).expect("it is UTF-8");
        let all = text("A.cs") + &text("B.cs") + &text("Page.cshtml");
        let has = |text: &str| all.contains(text);
        assert_eq!(has("An New"), also.contains(&Kind::Comment));
        assert_eq!(has("= \"New\""), also.contains(&Kind::String));
        assert_eq!(has("{1} New"), also.contains(&Kind::String));
        assert_eq!(has("@New.X"), also.contains(&Kind::File));
        assert!(has("cref=\"New\"") && has("and Olds"));
        world.undo(&mut op).expect("it is undone");
        assert_eq!(world.files(), before);
    }
}

#[test]
fn calls_that_receive_the_new_name_as_text_are_warned_of() {
    let world = World::new(
        "//- /A.cs\nusing System;\nusing System.Runtime.CompilerServices;\n\
         class A {\n\
         object name;\n\
         object Name { set { name = value; Raise(); Raise(\"Name\"); } }\n\
         object Other { set { Raise(); ArgumentNullException.ThrowIfNull(Name2); } }\n\
         object Name2 => null;\n\
         void Raise([CallerMemberName] string member = null) { }\n\
         void M(object value) { Check(value); value.Own(); Check(value, \"value\"); }\n\
         void Check(object it, [CallerArgumentExpression(\"it\")] string text = null) { }\n\
         }\n\
         static class E { public static void Own(this object it, [CallerArgumentExpression(nameof(it))] string text = null) { } }\n",
    );
    let warned = |symbol: &str| -> Vec<String> {
        let op = world.rename(symbol, "Fresh").expect("it can be planned");
        let all = op.answer.warnings.iter();
        all.map(|it| format!("{} {} {:?}", it.line, it.name, it.reason))
            .collect()
    };
    assert_eq!(warned("A.Name"), ["5 Raise CallerMemberName"]);
    assert_eq!(
        warned("A.Name2"),
        ["6 ThrowIfNull CallerArgumentExpression"]
    );
    // That the text of an argument follows a variable is what it is for.
    assert_eq!(warned("A.cs:9:15"), [""; 0]);
    assert_eq!(warned("A.name"), [""; 0]);
}

#[test]
fn a_member_that_begins_to_implement_or_override_another_one_changes_what_runs() {
    let interface = "interface I { void New() { } }\n";
    changes_meaning(
        &format!("{interface}class A : I {{ public void Old() {{ }} }}"),
        "A.Old",
        "New",
    );
    // The class that implements it mentions neither name.
    let world = World::new(&format!(
        "//- /I.cs\n{interface}//- /Base.cs\nclass Base {{ public void Old() {{ }} }}\n\
         //- /Derived.cs\nclass Derived : Base, I {{ }}\n"
    ));
    let op = world.rename("Base.Old", "New").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning, "{op:#?}");
    assert_eq!(op.answer.differences[0].file.as_str(), "Derived.cs");
    // It implements what it implemented, and a new interface is nobody's until code uses it.
    becomes(
        "interface I { void Old(); } class Base { public void Old() { } } class Derived : Base, I { }",
        "I.Old",
        "New",
        "interface I { void New(); } class Base { public void New() { } } class Derived : Base, I { }",
    );
}

#[test]
fn a_local_takes_over_names_of_its_block_that_stand_before_it() {
    let of_old = |text: &str| format!("A.cs:1:{}", text.find("old").expect("a local") + 1);
    for code in [
        "var old = taken.Length; }",
        "string old = taken + 1; }",
        "System.Console.Write(taken); var old = 1; }",
        "{ M(taken); } int old; } void M(string s) { }",
    ] {
        let text = format!("class A {{ string taken; void M() {{ {code} }}");
        changes_meaning(&text, &of_old(&text), "taken");
    }
    // The type and a member that an initializer sets are no variables.
    for text in [
        "class Taken { public int X; } class B { void M() { Taken old = new Taken { X = 1 }; } }",
        "class P { public int Taken; } class B { void M() { var old = new P { Taken = 1 }; } }",
    ] {
        let verdict = renamed(text, &of_old(text), "Taken").0;
        assert_eq!(verdict, EditVerdict::Proven, "{text}");
    }
}

#[test]
fn a_property_whose_name_may_be_data_is_warned_of() {
    let text = "static class Json { public static string Write<T>(T it) => null; }\nclass Order { public int Old { get; set; } int Own { get; set; } }\nclass Plain { public int Old { get; set; } }\nclass U { string M(Order order) => Json.Write<Order>(order); }\n";
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let warned = |symbol: &str| {
        let op = world.rename(symbol, "New").expect("it can be planned");
        let all = op.answer.warnings.iter();
        all.map(|it| (it.line, it.name.clone(), it.reason))
            .collect::<Vec<_>>()
    };
    let expected = (2, "Old".to_owned(), WarningReason::NameIsData);
    assert_eq!(warned("Order.Old"), [expected]);
    assert_eq!(warned("Order.Own"), []);
    assert_eq!(warned("Plain.Old"), []);
}

#[test]
fn what_is_nearly_called_so_is_suggested_and_not_renamed() {
    let world = World::new("//- /A.cs\nclass Widget { int Size; }");
    for (asked, near) in [("Widget.Siz", "Widget.Size"), ("Widgte", "Widget")] {
        let Err(EditError::Query(QueryError::SymbolNotFound { suggestions, .. })) =
            world.rename(asked, "N")
        else {
            panic!("{asked} is no symbol");
        };
        let suggested: Vec<&str> = suggestions.iter().map(|it| &*it.name).collect();
        assert_eq!(suggested, [near]);
    }
}

#[test]
fn a_type_has_no_name_of_a_variable_that_is_declared_behind_its_use() {
    let text = "static class Foo { public static int X; } class Bar { public static int X; }\n\
        class A {\n\
        void M() { int n = Foo.X; { int yy = 3; } int.TryParse(\"\", out var zz); }\n\
        void N() { Bar.X = 1; Bar own = null; new Bar(); int one = 2; }\n\
        void P() { int two = 2; two = Foo.X; }\n\
        }";
    let (verdict, _) = renamed(text, "Foo", "zz");
    assert_eq!(verdict, EditVerdict::ChangedMeaning);
    let column = text.lines().nth(2).and_then(|line| line.find("zz"));
    let place = format!("A.cs:3:{}", column.expect("it is there") + 1);
    assert_eq!(renamed(text, &place, "Foo").0, EditVerdict::ChangedMeaning);
    assert_eq!(renamed(text, "Bar", "one").0, EditVerdict::ChangedMeaning);
    // Its block ends before, it is called like its type, no use stands before it.
    for (old, new) in [("Foo", "yy"), ("Bar", "own"), ("Bar", "two")] {
        assert_eq!(renamed(text, old, new).0, EditVerdict::Proven, "{new}");
    }
}

#[test]
fn a_variable_has_no_name_of_one_that_the_language_declares() {
    let text = "System.Action run = () => { int inner = 1; }; foreach (var one in args) { }\n\
        class A {\n\
        int f; int P { get { int got = 1; return got; } set { int two = 1; System.Action a = () => { int sub = 2; }; } }\n\
        event System.Action E { add { int three = 1; } remove { } }\n\
        }";
    let place = |name: &str| {
        let line = text.lines().position(|line| line.contains(name));
        let line = line.expect("it is there");
        let written = text.lines().nth(line).expect("it is there");
        let column = written.find(&format!(" {name}")).expect("it is there");
        format!("A.cs:{}:{}", line + 1, column + 2)
    };
    for (name, new) in [("one", "args"), ("two", "value"), ("three", "value")] {
        let (verdict, _) = renamed(text, &place(name), new);
        assert_eq!(verdict, EditVerdict::ChangedMeaning, "{name}");
    }
    for (name, new) in [
        ("inner", "args"),
        ("got", "value"),
        ("sub", "value"),
        ("two", "args"),
    ] {
        let (verdict, _) = renamed(text, &place(name), new);
        assert_eq!(verdict, EditVerdict::Proven, "{name}");
    }
}

#[test]
fn a_member_behind_a_dot_may_have_the_name_of_a_later_variable() {
    let uses = [
        "v.Name = null;",
        "System.Console.WriteLine(v.Name);",
        "var q = v?.Name;",
        "var q = v is { Name: null };",
        "var q = new Vm { Name = null };",
        "var q = new { Own = v.Name };",
        "var q = (v.Name, 1).Item2;",
    ];
    for used in uses {
        let text = format!(
            "class Vm {{ public string Name; }}\nclass A {{ void M(Vm v) {{ {used} int late = 3; }} }}"
        );
        assert_eq!(
            renamed(&text, "Vm.Name", "late").0,
            EditVerdict::Proven,
            "{used}"
        );
    }
}

#[test]
fn a_type_parameter_gets_its_name_in_all_parts_of_its_type() {
    let files = "//- /A.cs\npartial class A<T>\n{\nT own;\npartial void M<U>(U u);\n}\n\
        //- /B.cs\npartial class A<T>\n{\npartial void M<U>(U u) { }\n}\n";
    for (place, to, expected) in [
        (
            "A.cs:1:17",
            "V",
            "partial class A<V>\n{\npartial void M<U>(U u) { }\n}\n",
        ),
        (
            "A.cs:4:16",
            "V",
            "partial class A<T>\n{\npartial void M<V>(V u) { }\n}\n",
        ),
    ] {
        let world = World::new(files);
        let mut op = world.rename(place, to).expect("it is planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{place}");
        world.apply(&mut op).expect("it can be applied");
        let after = String::from_utf8_lossy(&world.files()["B.cs"]).into_owned();
        assert_eq!(after.trim_end(), expected.trim_end(), "{place}");
    }
}

#[test]
fn a_variable_gets_no_name_that_a_discard_before_it_has() {
    let verdict = |body: &str| {
        let text = format!(
            "class A {{ static int G() => 1; static void H(out int n) => n = 1; void M() {{ {body} }} }}"
        );
        let column = text.find("$0").expect("the name is marked") + 1;
        let world = World::new(&format!("//- /A.cs\n{}\n", text.replace("$0", "")));
        let symbol = format!("A.cs:1:{column}");
        let op = world.rename(&symbol, "_");
        op.unwrap_or_else(|error| panic!("{body}: {error:?}"))
            .answer
            .verdict
    };
    for body in [
        "_ = G(); int $0m = 1; G();",
        "H(out _); int $0m = 1;",
        "{ _ = G(); } int $0m = 1;",
        "System.Action a = () => { _ = G(); }; int $0m = 1;",
    ] {
        assert_ne!(verdict(body), EditVerdict::Proven, "{body}");
    }
    assert_eq!(verdict("int $0m = 1;"), EditVerdict::Proven);
    assert_eq!(
        verdict("{ _ = G(); } { int $0m = 1; }"),
        EditVerdict::Proven
    );
}

#[test]
fn a_variable_that_each_framework_declares_on_its_own_is_one() {
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net10.0;net8.0</TargetFrameworks></PropertyGroup></Project>";
    let text = "class A\n{\n#if NET10_0\n    long M(int count, long size)\n#else\n    long M(int count, int size)\n#endif\n    {\n        \
        return count + size;\n    }\n}\n";
    for place in ["A.cs:4:16", "A.cs:6:16", "A.cs:9:16"] {
        let world = World::new(&format!("//- /A.cs project:App\n{text}"));
        std::fs::write(world.work().join("App.csproj"), project).expect("its folder is there");
        let request = Edit::Rename(Rename {
            symbol: place,
            to: "total",
            keep_file: false,
            also: &[],
        });
        let op = world.in_frameworks(&["net10.0", "net8.0"], &request);
        let mut op = op.expect("it is planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{place}");
        world.apply(&mut op).expect("it can be applied");
        let files = world.files();
        let renamed = String::from_utf8_lossy(&files["A.cs"]);
        assert_eq!(renamed, text.replace("count", "total"), "{place}");
    }
}

#[test]
fn what_names_several_overloads_is_a_doubt_where_one_of_them_gets_another_name() {
    for code in ["string N() => nameof(M);", "void N(Unknown n) { M(n); }"] {
        let text = format!(
            "//- /A.cs\nclass A {{ void M(int a) {{ }} void M(string a) {{ }}\n{code} }}\n"
        );
        for symbol in ["M:A.M(System.Int32)", "M:A.M(System.String)"] {
            let op = World::new(&text).rename(symbol, "Fresh");
            let answer = op.expect("it is planned").answer;
            assert_eq!(answer.verdict, EditVerdict::NotProven, "{symbol}, {code}");
            let doubts: Vec<_> = answer.doubts.iter().map(|it| it.reason).collect();
            assert_eq!(doubts, [DoubtReason::Undecided], "{symbol}, {code}");
        }
    }
}

#[test]
fn a_type_has_no_name_of_a_namespace_of_its_project() {
    let inside = "namespace N.Inner { class A { } }\nnamespace N { class B { } class C<T> { } }";
    changes_meaning(inside, "N.B", "Inner");
    becomes(inside, "N.C", "Inner", &inside.replace("C<T>", "Inner<T>"));
    let below = "namespace Outer.Inner { class A { } }\nclass B { }";
    changes_meaning(below, "B", "Outer");
    becomes(below, "B", "Inner", &below.replace('B', "Inner"));
}

#[test]
fn a_member_has_no_name_that_an_indexer_is_compiled_under() {
    let text = "class A { [System.Runtime.CompilerServices.IndexerName(\"Row\")] public int this[int i] => i; int Count() => 1; }";
    changes_meaning(text, "A.Count", "Row");
    becomes(text, "A.Count", "Line", &text.replace("Count", "Line"));
    // Then the language's own name for it is free, and so is that of its accessor.
    becomes(text, "A.Count", "Item", &text.replace("Count", "Item"));
    becomes(text, "A", "Item", &text.replace("class A", "class Item"));
    let accessor = text.replace("Count()", "Count(int i)");
    becomes(
        &accessor,
        "A.Count",
        "get_Item",
        &accessor.replace("Count", "get_Item"),
    );
    changes_meaning(&accessor, "A.Count", "get_Row");
    // A method with other parameters is no accessor.
    becomes(
        text,
        "A.Count",
        "get_Row",
        &text.replace("Count", "get_Row"),
    );
    let named = text
        .replace("\"Row\"", "nameof(A) + Rest")
        .replace("int Count", "const string Rest = \"s\"; int Count");
    changes_meaning(&named, "A.Count", "As");
    becomes(&named, "A.Count", "Item", &named.replace("Count", "Item"));
    let plain = "class A { public int this[int i] => i; int Count() => 1; }";
    for name in ["Item", "get_Item"] {
        changes_meaning(&plain.replace("Count()", "Count(int i)"), "A.Count", name);
    }
    changes_meaning(plain, "A", "Item");
}

#[test]
fn an_attribute_that_the_compiler_knows_by_its_name_keeps_it() {
    let text = "namespace System.Runtime.CompilerServices { class CallerMemberNameAttribute : Attribute { } }\n\
        class A { void M([System.Runtime.CompilerServices.CallerMemberName] string name = null) { } void N() { M(); } }";
    let symbol = "System.Runtime.CompilerServices.CallerMemberNameAttribute";
    changes_meaning(text, symbol, "CallerAttribute");
}

#[test]
fn a_partial_type_does_not_become_a_part_of_another_one() {
    let cases = [
        "partial class A { int x; } partial class B { int y; }",
        "partial interface A { } partial interface B { void M(); } class C : A { }",
        "partial class A<T> { } partial class B<T> { }",
    ];
    for text in cases {
        let symbol = if text.contains('<') { "A`1" } else { "A" };
        changes_meaning(text, symbol, "B");
    }
    let parts = "partial class A { int x; } partial class A { int y; }";
    becomes(parts, "A", "B", &parts.replace('A', "B"));
}

#[test]
fn a_required_member_is_not_hidden() {
    let text = "class B { public required int Y { get; set; } } class C : B { public int X { get; set; } }";
    changes_meaning(text, "C.X", "Y");
    becomes(text, "C.X", "Z", &text.replace('X', "Z"));
}

#[test]
fn methods_from_outside_that_nameof_names_are_no_doubt() {
    for (text, symbol, to) in [
        (
            "class A { int Parse; string N() => nameof(System.Enum.Parse) + Parse; }",
            "A.Parse",
            "Try",
        ),
        (
            "class A { int Count; string N() => nameof(System.Enum.Parse) + Count; }",
            "A.Count",
            "Parse",
        ),
        (
            "class A { int Count() => 1; string N() => nameof(System.Enum.Parse) + Count(); }",
            "A.Count",
            "Parse",
        ),
        (
            "class A { int Count; System.Func<string> N() => () => nameof(System.Enum.Parse) + Count; }",
            "A.Count",
            "Parse",
        ),
    ] {
        let world = World::new(&format!("//- /A.cs\n{text}"));
        let op = world.rename(symbol, to).expect("it is planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{text}");
    }
    // Some of them are the repository's own.
    let verdict = |text: &str, symbol, to| {
        let world = World::new(&format!("//- /A.cs\n{text}"));
        let op = world.rename(symbol, to).expect("it is planned");
        op.answer.verdict
    };
    let text = "class B : System.IO.StringWriter { public void Write(A a) { } public void Log(A a) { } } class A { string N() => nameof(B.Write); }";
    assert_eq!(verdict(text, "B.Write", "Put"), EditVerdict::NotProven);
    let text = text.replace("void Write", "void Put");
    assert_ne!(verdict(&text, "B.Put", "Write"), EditVerdict::Proven);
}
