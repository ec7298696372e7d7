//! Histories that once came out otherwise than a full index, each with the rule that was missed.

use cortex_fixture::Fixture;
use cortex_index::{Form, Keep};

use crate::harness::{History, Tree, check_order};

/// Compares the index of `after`, made from that of `before`, with a full one; and the way back.
#[track_caller]
fn check(before: &str, after: &str) {
    let trees =
        [before, after].map(|text| Fixture::parse(text).tree().into_iter().collect::<Tree>());
    check_order(&trees, &[0, 1]);
    check_order(&trees, &[1, 0]);
}

#[test]
fn two_projects_of_one_assembly_name_that_compile_one_file_declare_its_types_once() {
    let project = |references: &str| {
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>{references}</Project>\n"
        )
    };
    let tree = |references: &str| -> Tree {
        let linked = "<PropertyGroup><AssemblyName>P</AssemblyName></PropertyGroup><ItemGroup><Compile Include=\"../P/a.cs\" /></ItemGroup>";
        [
            (
                "P/a.cs",
                "public class A { public void M() { } }\n".to_owned(),
            ),
            ("P/P.csproj", project(references)),
            ("Q/Q.csproj", project(linked)),
            ("Z/Z.csproj", project("")),
        ]
        .into_iter()
        .map(|(path, text)| (path.to_owned(), text))
        .collect()
    };
    let trees = [
        tree(""),
        tree("<ItemGroup><ProjectReference Include=\"../Z/Z.csproj\" /></ItemGroup>"),
    ];
    check_order(&trees, &[0, 1]);
}

#[test]
fn a_parameter_that_begins_to_take_the_text_of_an_argument_is_known_where_it_is_left_out() {
    let program = |attribute: &str| {
        format!(
            "
//- /A.cs
using System.Runtime.CompilerServices;
public static class Check
{{
    public static void That(object value, {attribute}string text = null) {{ }}
}}
//- /B.cs
class Caller {{ void M(int x) => Check.That(x); }}
"
        )
    };
    check(
        &program(""),
        &program("[CallerArgumentExpression(\"value\")] "),
    );
}

#[test]
fn a_member_that_appears_in_a_base_hides_an_alias() {
    let derived = "
//- /B.cs
using Alias = Item;
class Derived : Base { int M() => Alias.Count; }
class Item { public static int Count; }
";
    check(
        &format!("//- /A.cs\nclass Base {{ }}{derived}"),
        &format!("//- /A.cs\nclass Base {{ protected string Alias; }}{derived}"),
    );
}

#[test]
fn a_new_base_of_a_type_brings_nested_types_to_whoever_names_it() {
    let user = "
//- /B.cs
class User { Derived.Item a; }
//- /C.cs
class Base { public class Item { } }
";
    check(
        &format!("//- /A.cs\nclass Derived {{ }}{user}"),
        &format!("//- /A.cs\nclass Derived : Base {{ }}{user}"),
    );
}

#[test]
fn a_new_base_of_a_type_brings_nested_types_to_a_using_static() {
    let user = "
//- /B.cs
using static Derived;
class User { Item a; }
//- /C.cs
public class Base { public class Item { } }
//- /D.cs usings:static:Derived
class Other { Item a; }
";
    check(
        &format!("//- /A.cs\npublic class Derived {{ }}{user}"),
        &format!("//- /A.cs\npublic class Derived : Base {{ }}{user}"),
    );
}

#[test]
fn a_new_base_of_a_base_brings_nested_types_to_whoever_names_a_derived_type() {
    let user = "
//- /B.cs
class User { Derived.Item a; }
//- /C.cs
class Base { public class Item { } }
class Derived : Middle { }
";
    check(
        &format!("//- /A.cs\nclass Middle {{ }}{user}"),
        &format!("//- /A.cs\nclass Middle : Base {{ }}{user}"),
    );
}

#[test]
fn a_new_base_makes_protected_nested_types_accessible() {
    let user = "
//- /B.cs
partial class User { Base.Item a; }
//- /C.cs
public class Base { protected class Item { } }
";
    check(
        &format!("//- /A.cs\npartial class User {{ }}{user}"),
        &format!("//- /A.cs\npartial class User : Base {{ }}{user}"),
    );
}

#[test]
fn a_part_elsewhere_makes_nested_types_public() {
    let user = "
//- /B.cs
partial class Outer { public class Inner { } }
";
    check(
        &format!("//- /A.cs\npartial class Outer {{ }}{user}"),
        &format!("//- /A.cs\npublic partial class Outer {{ }}{user}"),
    );
}

#[test]
fn a_project_file_that_asks_for_another_file_is_evaluated_when_that_appears() {
    let tree = |extra: Option<&str>| -> Tree {
        let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>\n\
            <PropertyGroup Condition=\"Exists('flag.txt')\"><DefineConstants>X</DefineConstants></PropertyGroup></Project>\n";
        let files = [
            ("a.cs", "class A {\n#if X\n int x;\n#endif\n}\n"),
            ("P.csproj", project),
        ];
        let extra = extra.map(|path| (path.to_owned(), String::new()));
        files
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .into_iter()
            .chain(extra)
            .collect()
    };
    check_order(&[tree(None), tree(Some("flag.txt"))], &[0, 1]);
    check_order(&[tree(None), tree(Some("flag.txt"))], &[1, 0]);
}

#[test]
fn a_member_named_by_a_pattern_is_mentioned_where_a_local_has_its_name() {
    let user = "
//- /B.cs
class User { void M(object o, A a) { if (o is A { x.Next: null }) { } var (x, y) = a; } }
class Item { public Item Next; }
";
    check(
        &format!("//- /A.cs\nclass A {{ public Item x; }}{user}"),
        &format!("//- /A.cs\nclass A {{ public int x; }}{user}"),
    );
}

#[test]
fn a_field_is_mentioned_beside_a_lambda_whose_parameter_has_its_name() {
    let user = "
//- /B.cs
class User : A { object M(System.Func<int, int> f) { f = x => x; return x.Next; } }
class Item { public Item Next; }
";
    check(
        &format!("//- /A.cs\nclass A {{ public Item x; }}{user}"),
        &format!("//- /A.cs\nclass A {{ public int x; }}{user}"),
    );
}

#[test]
fn an_extension_enumerator_reaches_a_loop_that_does_not_name_it() {
    let user = "
//- /B.cs
class User { void M(D d) { foreach (var i in d) i.Go(); } }
//- /C.cs
class D { }
class Walker { public bool MoveNext() => false; public Item Current => null; }
class Item { public void Go() { } }
";
    check(
        &format!("//- /A.cs\nstatic class X {{ }}{user}"),
        &format!(
            "//- /A.cs\nstatic class X {{ public static Walker GetEnumerator(this D d) => null; }}{user}"
        ),
    );
}

#[test]
fn a_type_that_only_a_rejected_overload_names_decides_as_well() {
    let user = "
//- /B.cs
class User { void M(Over o) { o.Take(o.Give()); } }
//- /C.cs
class Over { public void Take(Rare r) { } public void Take(object o) { } public Item Give() => null; }
class Item { }
";
    check(
        &format!("//- /A.cs\nclass Rare {{ }}{user}"),
        &format!(
            "//- /A.cs\nclass Rare {{ public static implicit operator Rare(Item i) => null; }}{user}"
        ),
    );
}

#[test]
fn a_namespace_is_left_by_a_project_while_another_has_types_in_it() {
    let others = "
//- /P/a.cs
public class A : N.A { }
//- /P/P.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>
//- /Q/a.cs
namespace N { public class A { } }
";
    check(
        &format!("//- /P/b.cs\nnamespace N {{ public class B {{ }} }}{others}"),
        &format!("//- /P/b.cs\nnamespace N {{ }}{others}"),
    );
}

/// A type of which one file is for one framework only, in a library with a project file for each.
#[test]
fn a_type_that_several_projects_of_one_assembly_declare_is_of_the_one_that_has_all_its_parts() {
    let project = |inside: &str| {
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework><AssemblyName>P</AssemblyName><EnableDefaultCompileItems>false</EnableDefaultCompileItems></PropertyGroup><ItemGroup>{inside}</ItemGroup></Project>\n"
        )
    };
    let user = |body: &str| -> Tree {
        let compile = |path: &str| format!("<Compile Include=\"{path}\" />");
        [
            ("P/P.csproj", project(&(compile("a.cs") + &compile("a.more.cs")))),
            ("P/P.old.csproj", project(&compile("a.cs"))),
            ("P/a.cs", "namespace N; public partial class A { public void M() { } }\n".to_owned()),
            ("P/a.more.cs", "namespace N; public partial class A { public void More() { } }\n".to_owned()),
            (
                "T/T.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup><ProjectReference Include=\"../P/P.old.csproj\" /></ItemGroup></Project>\n".to_owned(),
            ),
            ("T/t.cs", format!("class T {{ void Call(N.A a) {{ {body} }} }}\n")),
        ]
        .into_iter()
        .map(|(path, text)| (path.to_owned(), text))
        .collect()
    };
    let trees = [user("a.M();"), user("a.M(); a.M();")];
    check_order(&trees, &[0, 1]);
    check_order(&trees, &[1, 0]);
    let history = History::new(&trees);
    let (snapshot, _) = history.snapshot(&history.index("store"), 1);
    let bound = snapshot.bindings(&"T/t.cs".into(), &"T/T.csproj".into());
    let bound = bound.expect("the store reads");
    assert!(
        bound.decls.iter().all(|decl| decl.unbound.is_empty()),
        "{bound:?}"
    );
}

#[test]
fn a_declaration_is_gone_while_another_of_its_type_is_not_bound_again() {
    let other = "\n//- /a.cs\npublic class A { }";
    check(
        &format!("//- /b.cs\npublic class A {{ public class A {{ }} }}{other}"),
        &format!("//- /c.cs\nclass Other {{ }}{other}"),
    );
}

#[test]
fn a_file_of_one_variant_is_not_taken_for_one_of_another_that_speaks_for_the_type() {
    let project = |tfm: &str, file: &str| {
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>{tfm}</TargetFramework><AssemblyName>P</AssemblyName><EnableDefaultCompileItems>false</EnableDefaultCompileItems></PropertyGroup><ItemGroup><Compile Include=\"{file}\" /></ItemGroup></Project>\n"
        )
    };
    // Both say a name that appears, so that they are bound again.
    let class = |ty: &str| format!("public class A {{ public void M({ty} it) {{ }} B b; }}\n");
    let before: Tree = [
        ("P/P.csproj", project("net8.0", "a.cs")),
        ("P/P.old.csproj", project("net6.0", "a.old.cs")),
        ("P/a.cs", class("int")),
        ("P/a.old.cs", class("long")),
    ]
    .into_iter()
    .map(|(path, text)| (path.to_owned(), text))
    .collect();
    let mut after = before.clone();
    after.insert("Q/b.cs".to_owned(), "class B { }\n".to_owned());
    check_order(&[before, after], &[0, 1]);
}

#[test]
fn a_collection_drops_derived_values_of_earlier_versions() {
    let tree = Fixture::parse("//- /A.cs\nclass A { }\n").tree();
    let history = History::new(&[tree.into_iter().collect()]);
    let index = history.index("store");
    let (snapshot, _) = history.snapshot(&index, 0);
    snapshot.keep(&[("names/0/all", b"current"), ("names-commit", b"earlier")]);
    let is_kept = |name| snapshot.kept(name).is_some();
    assert!(is_kept("names/0/all") && is_kept("names-commit"));
    let keep = Keep {
        max_age: 0,
        max_bytes: None,
        reads_derived: |name| name.starts_with("names/"),
    };
    index.collect(keep).expect("the index can be collected");
    assert!(is_kept("names/0/all") && !is_kept("names-commit"));
    index.collect_all().expect("the index can be collected");
    assert!(!is_kept("names/0/all"));
}

#[test]
fn a_long_derived_value_is_kept_in_pieces_and_read_whole() {
    let tree = Fixture::parse("//- /A.cs\nclass A { }\n").tree();
    let history = History::new(&[tree.into_iter().collect()]);
    let index = history.index("store");
    let (snapshot, _) = history.snapshot(&index, 0);
    let read = |name| snapshot.kept(name).map(|(_, value)| value);
    // Bytes that compression makes no shorter.
    let value = |n: usize, seed: u64| -> Vec<u8> {
        let mut state = seed;
        let next = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 56) as u8
        };
        (0..n).map(next).collect()
    };
    for n in [0, 1, 32_575, 32_576, 32_577, 300_000, 65_152, 40_000, 10] {
        for form in [Form::InPlace, Form::Packed] {
            let expected = value(n, n as u64);
            snapshot.keep_as(&[("names/0/all", &expected, form)]);
            assert_eq!(read("names/0/all"), Some(expected), "{n} bytes, {form:?}");
        }
    }
    let (long, longer) = (value(100_000, 1), value(200_000, 2));
    snapshot.keep_as(&[
        ("names/0/all", &long, Form::InPlace),
        ("names/1/all", &longer, Form::InPlace),
    ]);
    let keep = Keep {
        max_age: 0,
        max_bytes: None,
        reads_derived: |name| name == "names/1/all",
    };
    index.collect(keep).expect("the index can be collected");
    assert_eq!(
        (read("names/0/all"), read("names/1/all")),
        (None, Some(longer))
    );
    snapshot.keep_as(&[("names/0/all", &long[..50_000], Form::InPlace)]);
    assert_eq!(read("names/0/all"), Some(long[..50_000].to_vec()));
}

#[test]
fn an_override_of_a_member_that_is_no_longer_virtual_overrides_nothing() {
    let derived = "
//- /B.cs
class Derived : Base { public override void Value() { } }
";
    check(
        &format!("//- /A.cs\nabstract class Base {{ public virtual void Value() {{ }} }}{derived}"),
        &format!("//- /A.cs\nabstract class Base {{ public void Value() {{ }} }}{derived}"),
    );
}

#[test]
fn what_an_inherited_member_implements_is_read_again_where_the_contract_of_a_base_changes() {
    let program = |member: &str| {
        format!(
            "
//- /IThing.cs
public interface IThing {{ {member} }}
//- /B.cs
public class B : IThing {{ public int Do(int a) => a; }}
//- /Kept.cs
public class Kept : B {{ }}
"
        )
    };
    check(&program("int Do(int a);"), &program(""));
}

#[test]
fn what_derived_types_inherit_is_read_again_where_a_base_no_longer_implements_its_contract() {
    let program = |member: &str| {
        format!(
            "
//- /IThing.cs
public interface IThing {{ int Do(int a); }}
//- /Base.cs
public class Base {{ {member} }}
//- /B.cs
public class B : Base, IThing {{ }}
//- /C.cs
public class C : Base {{ }}
//- /Kept.cs
public class Kept : B {{ }}
"
        )
    };
    check(&program("public int Do(int a) => a;"), &program(""));
}

#[test]
fn what_derived_types_inherit_is_read_again_where_the_one_that_lists_the_contract_changes() {
    let program = |member: &str| {
        format!(
            "
//- /B.cs
public class B : System.IDisposable {{ {member} }}
//- /IThing.cs
public interface IThing {{ void Dispose(); }}
//- /C.cs
public class C : IThing {{ {member} }}
//- /Kept.cs
public class Kept : B {{ }}
public class Left : C {{ }}
"
        )
    };
    check(&program("public void Dispose() { }"), &program(""));
}

#[test]
fn a_using_of_a_project_names_no_type_that_one_file_sees() {
    let tree = |line: &str| -> Tree {
        let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup><Using Include=\"D\" Static=\"true\" /></ItemGroup></Project>\n";
        let b = format!("{line}class C {{ public int M() => Value; public int N() => x; }}\n");
        let files = [
            ("R/R.csproj", project),
            (
                "R/a.cs",
                "file class D { public static int Value = 1; int M() => Value; }\n",
            ),
            ("R/b.cs", &b),
        ];
        files
            .into_iter()
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .collect()
    };
    let trees = [tree("// One.\n"), tree("using System;\n")];
    check_order(&trees, &[0, 1]);
    check_order(&trees, &[1, 0]);
    // What the file hides from itself is there for the project.
    let hiding = |it: Tree| -> Tree {
        let text = |text: String| {
            text.replace("\"D\"", "\"System.Math\"")
                .replace("file class D", "namespace System; file class Math")
                .replace("Value;", "Abs(1);")
        };
        it.into_iter().map(|(path, it)| (path, text(it))).collect()
    };
    let trees = trees.map(hiding);
    check_order(&trees, &[0, 1]);
    check_order(&trees, &[1, 0]);
}
