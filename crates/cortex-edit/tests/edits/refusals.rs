//! Reasons for which edits are refused: a request that meets each, and the exact words.

use std::{collections::BTreeMap, fs};

use cortex_edit::{
    AddUsing, AddedParameter, Allowed, ChangeSignature, Edit, EditError, EncapsulateField,
    ExtractBase, ExtractMethod, Foreign, ImplementInterface, InlineMethod, InlineVariable,
    MemberAction, MemberEdit, MoveMember, MoveType, NestType, Rename, ReviewNeeded, Rewrite,
    Staging, apply, op::Op,
};
use cortex_wire::{FileText, OpState, ResidueKind};

use crate::world::{World, add};

/// A fixture, a request, and the reason why it is refused.
type Case<'c> = (&'c str, Edit<'c>, &'c str);

/// What a request comes to: the reason of a refusal, or what else it is.
fn outcome(planned: Result<Op, EditError>) -> String {
    match planned {
        Ok(op) => format!("planned ({:?}): {}", op.answer.verdict, op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => format!("{error:?}"),
    }
}

#[track_caller]
fn check(cases: &[Case<'_>]) {
    let mut wrong = String::new();
    for (fixture, request, reason) in cases {
        let found = outcome(World::new(fixture).one(request));
        if found != *reason {
            wrong += &format!("\n{fixture}\n  expected: {reason}\n  found: {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn member<'c>(symbol: &'c str, action: MemberAction<'c>) -> Edit<'c> {
    Edit::Member(MemberEdit {
        symbol,
        file: None,
        action,
    })
}

fn body<'c>(text: &'c str, accessor: Option<&'c str>) -> MemberAction<'c> {
    MemberAction::ReplaceBody { text, accessor }
}

#[test]
fn code_that_a_request_brings_fits_where_it_is_to_stand() {
    let long = format!("/*{}*/ int N;", " ".repeat(1 << 20));
    let text = "//- /X.cs project:X symbols:X\nclass X\n{\n}\n//- /A.cs project:A\nabstract class A\n{\n    public void M() { }\n    public abstract void N();\n    public int P { get; set; }\n    public event System.Action E;\n}\ndelegate void D();\n";
    check(&[
        (text, member("A.M", add("int N;")), "it is no type"),
        (
            text,
            member("D", add("int N;")),
            "a delegate has no members",
        ),
        (text, member("A", add(" ")), "there is no new text"),
        (
            text,
            member("A", add(&long)),
            "the new text is longer than 1 MiB",
        ),
        (
            text,
            member("A", add("// Nothing.")),
            "the new text declares nothing",
        ),
        (
            text,
            member(
                "D",
                MemberAction::InsertAfter {
                    text: "void M() { }",
                },
            ),
            "the new text has to declare types",
        ),
        (
            text,
            member("A.P", body("=> 1; int O => 2", None)),
            "the new text is more than a body",
        ),
        (text, member("A.N", body("{ }", None)), "it has no body"),
        (text, member("A.E", body("{ }", None)), "it has no body"),
        (
            text,
            member("A.P", body("{ }", Some("get"))),
            "it has no such accessor with a body",
        ),
        (
            text,
            member("M:A.#ctor", add("int N;")),
            "the compiler makes it, so that nothing declares it",
        ),
        (
            text,
            member("X", add("int N;\n#if X\n}\n#endif")),
            "line 7 of it would not parse",
        ),
    ]);
}

fn signature<'c>(
    symbol: &'c str,
    add: Option<AddedParameter<'c>>,
    order: &'c [String],
    retype: &'c BTreeMap<String, String>,
) -> Edit<'c> {
    static NOTHING: BTreeMap<String, String> = BTreeMap::new();
    Edit::ChangeSignature(ChangeSignature {
        symbol,
        add,
        remove: &[],
        order,
        rename: &NOTHING,
        retype,
    })
}

#[test]
fn parameters_are_those_that_the_language_allows() {
    let text = "//- /A.cs\nstatic class A\n{\n    public static void M(int a, int b) { }\n    public static void X(this int a, int b) { }\n    public static void P(int a, params int[] b) { }\n}\n";
    let none = BTreeMap::new();
    let names = |all: &[&str]| -> Vec<String> { all.iter().map(|&it| it.to_owned()).collect() };
    let (short, turned) = (names(&["a"]), names(&["b", "a"]));
    let new = |parameter, value, at| {
        Some(AddedParameter {
            parameter,
            value,
            at,
        })
    };
    let overloads = "//- /A.cs\npartial class A\n{\n    void M(int a) { }\n}\n//- /B.cs\npartial class A\n{\n    void M(string a) { }\n}\n";
    let family = "//- /A.cs\nusing N;\npublic interface I { void M(object a); }\n//- /B.cs\nusing O;\npublic class B : I { public void M(object a) { } }\n//- /N.cs\nnamespace N { public class T { } }\n//- /O.cs\nnamespace O { public class T { } }\n";
    let to_string = BTreeMap::from([("a".to_owned(), "string".to_owned())]);
    let to_t = BTreeMap::from([("a".to_owned(), "T".to_owned())]);
    check(&[
        (
            text,
            signature("A.M", new("int c", Some("1"), Some(3)), &[], &none),
            "there is no position 3: there are 3 parameters",
        ),
        (
            text,
            signature("A.M", None, &short, &none),
            "the order is not one of its parameters",
        ),
        (
            text,
            signature("A.X", None, &turned, &none),
            "the first parameter of an extension method stays where it is",
        ),
        (
            text,
            signature("A.P", None, &turned, &none),
            "a `params` parameter is the last one",
        ),
        (
            text,
            signature("A.M", new("params int[] c", None, None), &[], &none),
            "a new parameter is neither `this` nor `params`",
        ),
        (
            text,
            signature("A.M", new("int c", Some("1 +"), None), &[], &none),
            "the value does not parse as an expression",
        ),
        (
            text,
            signature("A", None, &turned, &none),
            "it is a type, and types have no parameters",
        ),
        (
            overloads,
            signature("M:A.M(System.Int32)", None, &[], &to_string),
            "another member of the type has the same parameters",
        ),
        (
            family,
            signature("I.M", None, &[], &to_t),
            "the type is another one in another file of the same family",
        ),
    ]);
}

fn using<'c>(at: &'c str, import: &'c str) -> Edit<'c> {
    Edit::AddUsing(AddUsing {
        at,
        import,
        file: None,
    })
}

#[test]
fn a_directive_goes_into_one_file_that_lacks_it() {
    let text = "//- /a/A.cs\nclass A { }\n//- /b/A.cs\nclass B { }\n//- /C.cs\n#if !X\nclass C { }\n#endif\n//- /G.cs\nglobal using System.Text;\n";
    check(&[
        (
            text,
            using("B", "System.Text"),
            "every project that compiles it imports the namespace everywhere already",
        ),
        (
            text,
            using("B", "One; class C { }"),
            "that is nothing to import",
        ),
        (text, using("D.cs", "System"), "there is no such C# file"),
        (text, using("A.cs", "System"), "2 files are called so"),
        (
            text,
            using("C.cs", "System"),
            "its code begins inside of an `#if`",
        ),
    ]);
}

#[test]
fn a_namespace_is_renamed_by_what_is_named() {
    let rename = |to, also| {
        Edit::Rename(Rename {
            symbol: "N",
            to,
            keep_file: false,
            also,
        })
    };
    let text = "//- /A.cs\nnamespace N { class StringBuilder { } }\n";
    check(&[
        (
            text,
            rename("System.Text", &[]),
            "`System.Text.StringBuilder` is a type from outside as well",
        ),
        (
            text,
            rename("O", &[ResidueKind::File]),
            "files that are not C# are listed and not changed for a namespace",
        ),
        (text, rename("", &[]), "a name has a character at least"),
    ]);
}

#[test]
fn a_base_class_gets_members_that_are_named() {
    let request = Edit::ExtractBase(ExtractBase {
        symbol: "A",
        name: "Base",
        members: &[],
        to: None,
    });
    let text = "//- /A.cs\nclass A { int n; }\n";
    check(&[(text, request, "no member is named")]);
}

#[test]
fn a_property_stands_for_a_plain_field() {
    let field = |symbol| Edit::EncapsulateField(EncapsulateField { symbol, name: None });
    check(&[
        (
            "//- /A.cs\nunsafe struct A { public fixed int B[4]; }\n",
            field("A.B"),
            "it is a buffer or a reference",
        ),
        (
            "//- /A.cs\nref struct A { public ref int B; }\n",
            field("A.B"),
            "it is a buffer or a reference",
        ),
        (
            "//- /A.cs\nclass A\n{\n    public int\n#if X\n        C,\n#endif\n        B;\n}\n",
            field("A.B"),
            "a directive stands in its declaration",
        ),
        (
            "//- /A.cs\nclass A\n{\n    public int Total;\n    int _total, _totalValue;\n}\n",
            field("A.Total"),
            "no name is free for the field",
        ),
    ]);
}

#[test]
fn members_of_an_interface_can_be_written() {
    let implement = || {
        Edit::Implement(ImplementInterface {
            symbol: "A",
            interface: None,
            file: None,
        })
    };
    check(&[
        (
            "//- /A.cs\nunsafe interface I { void M(delegate*<int> p); }\nclass A : I { }\n",
            implement(),
            "a member has a function pointer",
        ),
        (
            "//- /A.cs\ninterface I { Unknown M(); }\nclass A : I { }\n",
            implement(),
            "the type of a member is not known",
        ),
        (
            "//- /A.cs\ninterface I<T> where T : I<T> { static abstract T operator +(T a, T b); void M(); }\nclass A : I<A> { }\n",
            implement(),
            "the operator `op_Addition` is missing as well, and is not written",
        ),
    ]);
}

#[test]
fn a_method_stands_at_the_places_of_its_calls() {
    let inline = |symbol| Edit::InlineMethod(InlineMethod { symbol });
    check(&[
        (
            "//- /A.cs\ninterface I { int M(); }\nclass A : I\n{\n    public int M() => 1;\n    int U() => M();\n}\n",
            inline("A.M"),
            "it implements members, or members implement or override it",
        ),
        (
            "//- /A.cs\nclass A\n{\n    string M(int a) => nameof(a) + a;\n    string U() => M(1);\n}\n",
            inline("A.M"),
            "A.cs:3:31: `nameof` needs the parameter",
        ),
        (
            "//- /A.cs\nclass A\n{\n    int M(int a) => a + 1;\n    int U() => M(M(1));\n}\n",
            inline("A.M"),
            "a call stands in another one",
        ),
        (
            "//- /A.cs\nclass A\n{\n    public static void M() { System.Console.Write(1); System.Console.Write(2); }\n}\nclass B\n{\n    void U() { A.M(); }\n}\n",
            inline("A.M"),
            "A.cs:7:16: it is called outside of its type there, and has several statements",
        ),
        (
            "//- /A.cs\nclass A\n{\n    unsafe void M() { System.Console.Write(1); System.Console.Write(2); }\n    void U() { M(); }\n}\n",
            inline("A.M"),
            "A.cs:3:17: it is `unsafe`",
        ),
        (
            "//- /A.cs\nusing System;\nusing System.Linq.Expressions;\nclass A\n{\n    int N() => 1;\n    int M() => N() + 1;\n    void U() { Expression<Action> e = () => M(); }\n}\n",
            inline("A.M"),
            "A.cs:7:45: an expression tree cannot hold an assignment",
        ),
    ]);
}

#[test]
fn a_variable_is_inlined_by_its_place_and_its_value() {
    let inline = |at| Edit::InlineVariable(InlineVariable { at });
    let text = "//- /A.cs\nclass A\n{\n    void M() { System.Span<int> a = stackalloc int[4]; System.Console.Write(a.Length); }\n    /// <param name=\"a\">It.</param>\n    void N(int b) { int c = b; }\n}\n";
    check(&[
        (text, inline("A.cs:1:1"), "no local variable is there"),
        (
            "//- /A.cs\nclass A\n{\n    int[] M()\n    {\n        int n = -1;\n        return new int[n];\n    }\n}\n",
            inline("A.cs:5:13"),
            "A.cs:6:24: an array would have a negative size",
        ),
        (text, inline("A"), "no local variable is there"),
        (
            text,
            inline("A.cs:3:33"),
            "A.cs:3:37: `stackalloc` cannot stand elsewhere",
        ),
    ]);
}

#[test]
fn code_is_extracted_from_where_it_is() {
    let extract = |at| Edit::ExtractMethod(ExtractMethod { at, name: "Part" });
    let text = "//- /A.cs\nunsafe class A\n{\n    int P { set { value = 1; System.Console.Write(value); } }\n    int Q(int a)\n    {\n        var p = &a;\n        return *p;\n    }\n    int R()\n    {\n        System.Span<int> s = new int[4];\n        s[0] = 1;\n        return s[0];\n    }\n    int T()\n    {\n        var u = Unknown();\n        return u.Length;\n    }\n}\n";
    check(&[
        (text, extract("A.cs"), "that is no range of a file"),
        (text, extract("A.cs:99"), "the file has no such range"),
        (text, extract("B.cs:1"), "no project compiles that code"),
        (
            text,
            extract("A.cs:3:19-3:29"),
            "A.cs:3:19: `value` is written",
        ),
        (
            text,
            extract("A.cs:7"),
            "A.cs:6:13: `p` cannot be passed: its type is a pointer",
        ),
        (
            text,
            extract("A.cs:12"),
            "A.cs:11:26: `s` cannot be passed: its type is a `ref struct`",
        ),
        (
            text,
            extract("A.cs:18"),
            "A.cs:17:13: `u` cannot be passed: its type is not known",
        ),
    ]);
}

#[test]
fn a_static_member_moves_by_plain_names() {
    let into_b = |symbol| Edit::MoveMember(MoveMember { symbol, into: "B" });
    check(&[
        (
            "//- /A.cs\ninterface I { static abstract int M(); }\nclass A : I { static int I.M() => 1; }\nclass B { }\n",
            into_b("M:A.I#M"),
            "it belongs to an interface",
        ),
        (
            "//- /A.cs\nclass Base { public static int M() => 1; }\nclass A : Base { public new static int M() => 1; }\nclass B { }\n",
            into_b("A.M"),
            "it hides an inherited member",
        ),
        (
            "//- /A.cs\nclass A\n{\n    public static int M() =>\n#if X\n        2;\n#else\n        1;\n#endif\n}\nclass B { }\n",
            into_b("A.M"),
            "it has preprocessor directives in it",
        ),
        (
            "//- /A.cs\nclass A { public static int M() => 1; int U() => (A).M(); }\nclass B { }\n",
            into_b("A.M"),
            "A.cs:1: the member is not used through a plain name",
        ),
        (
            "//- /A.cs\nclass A { public static int M() => 1; int U() => A/**/.M(); }\nclass B { }\n",
            into_b("A.M"),
            "A.cs:1: the member is not used through a plain name",
        ),
    ]);
}

fn moved<'c>(symbol: &'c str, namespace: Option<&'c str>, to: Option<&'c str>) -> Edit<'c> {
    Edit::Move(MoveType {
        symbol,
        namespace,
        to,
    })
}

#[test]
fn a_type_moves_with_its_one_namespace_declaration() {
    check(&[
        (
            "//- /A.cs\nnamespace N { class A { } }\nnamespace N { }\n",
            moved("A", Some("O"), None),
            "`A.cs` has several namespace declarations",
        ),
        (
            "//- /A.cs\nnamespace N;\npartial class A { }\n//- /B.cs\nnamespace N;\npartial class A { }\n",
            moved("A", None, Some("C.cs")),
            "it is declared in several files",
        ),
    ]);
}

#[test]
fn a_nested_type_moves_by_plain_names() {
    let out = |symbol| Edit::Nest(NestType { symbol, into: None });
    let into = |symbol, into| Edit::MoveMember(MoveMember { symbol, into });
    check(&[
        (
            "//- /A.cs\nnamespace N;\nclass Base { public class In { } }\nclass Out : Base { public new class In { } }\n",
            out("N.Out.In"),
            "it hides an inherited type",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass Out\n{\n    static int s;\n    class In { int M() => s; }\n}\n",
            out("Out.In"),
            "it uses what only code inside of the type around it sees",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass Out\n{\n    class In\n    {\n#region X\n    }\n#endregion\n}\n",
            out("Out.In"),
            "a `#region` begins or ends in it",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass T { }\nfile class Out { }\n",
            into("T", "Out"),
            "`Out` is less accessible than it",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass T { }\n#if !X\nclass Out { }\n#endif\n",
            into("T", "Out"),
            "an `#if` stands in the other type",
        ),
        (
            "//- /A.cs project:P\nnamespace N;\npublic class T { }\n//- /B.cs project:Q\nnamespace N;\npublic class Out { }\n",
            into("T", "Out"),
            "`P.csproj` compiles it, and `Q.csproj` the other type",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass Out { public class In { } }\nclass U { Out/**/.In x; }\n",
            out("Out.In"),
            "A.cs:3: it is not named by plain names there",
        ),
    ]);
}

#[test]
fn code_is_rewritten_where_it_can_be() {
    let condition = ["Foo: System.String".to_owned()];
    let long = format!("$x == \"{}\"", "a".repeat(1 << 20));
    let rewrite = |pattern, conditions| {
        Edit::Rewrite(Rewrite {
            pattern,
            replacement: "F($x)",
            conditions,
            paths: &[],
        })
    };
    let text = "//- /A.cs\nclass A { bool M(object o) => o /* Nothing. */ == null; }\n";
    check(&[
        (
            text,
            rewrite("$x == null", &condition),
            "`Foo` is in no part of the pattern",
        ),
        (
            text,
            rewrite(&long, &[]),
            "the pattern: it is longer than 4096 bytes",
        ),
        (
            text,
            rewrite("$x == null", &[]),
            "one place is like it, where the new code cannot stand: with comments or directives in it, in strings, constants or expression trees",
        ),
    ]);
}

#[test]
fn a_patch_changes_texts_of_files_that_are_there() {
    let world = World::new("//- /A.cs\nclass A { } // \u{e9}\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("A.cs", world.work().join("L.cs")).expect("it is made");
    let mut latin =
        b"--- a/A.cs\n+++ b/A.cs\n@@ -1 +1,2 @@\n class A { } // \xc3\xa9\n+// ".to_vec();
    latin.extend(b"\xe9\n");
    let long = vec![b' '; (64 << 20) + 1];
    let texts = [FileText {
        file: "B.cs".to_owned(),
        text: Some(" ".repeat((64 << 20) + 1)),
    }];
    let diff = |diff: &'static str| Foreign::Diff(diff.as_bytes());
    let cases = [
        (Foreign::Diff(&long), "it is longer than 64 MiB"),
        (
            Foreign::Texts(&texts),
            "the text of `B.cs` is longer than 64 MiB",
        ),
        (
            diff(
                "diff --git a/B.bin b/B.bin\nnew file mode 100644\nindex 0000000..1111111\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n",
            ),
            "the change of `B.bin` is binary",
        ),
        (
            diff(
                "diff --git a/A.cs b/A.cs\nold mode 100644\nnew mode 100755\nindex 1111111..2222222\n--- a/A.cs\n+++ b/A.cs\n@@ -1 +1,2 @@\n class A { } // \u{e9}\n+// B\n",
            ),
            "it changes the mode of `A.cs`",
        ),
        (
            diff("--- a/B.cs\n+++ b/B.cs\n@@ -1 +1 @@\n-class A\n+class B\n"),
            "`B.cs` is no file of the repository",
        ),
        (
            diff("--- a/L.cs\n+++ b/L.cs\n@@ -1 +1 @@\n-class A\n+class B\n"),
            "`L.cs` is no regular file",
        ),
        (Foreign::Diff(&latin), "it changes the encoding of `A.cs`"),
    ];
    let mut wrong = String::new();
    for (foreign, reason) in cases {
        let found = outcome(world.foreign(foreign));
        if found != reason {
            wrong += &format!("\n  expected: {reason}\n  found: {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Projects by their folders, with what their project files contain, and files.
fn projects(all: &[(&str, &str)], files: &[(&str, &str)]) -> World {
    let world = World::new("//- /Z.cs project:Z\nclass Z { }\n");
    for path in ["Z.cs", "Z.csproj"] {
        fs::remove_file(world.work().join(path)).expect("it is there");
    }
    let write = |path: &str, text: &str| {
        let path = world.work().join(path);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    };
    for (name, content) in all {
        let text = format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>{content}</Project>"
        );
        write(&format!("{name}/{name}.csproj"), &text);
    }
    for (path, text) in files {
        write(path, text);
    }
    world
}

#[test]
fn a_file_moves_from_one_project_to_another_with_all_that_is_in_it() {
    let order = "namespace M;\npublic class Order { }\n";
    let both = "namespace M;\npublic class Order { }\npublic class Line { }\n";
    let part = "namespace M;\npublic partial class Order { }\n";
    let include = |path: &str| format!("<ItemGroup><Compile Include=\"{path}\" /></ItemGroup>");
    let exclude = |path: &str| format!("<ItemGroup><Compile Remove=\"{path}\" /></ItemGroup>");
    let plain = [("App", ""), ("Lib", "")];
    let shared = include("../S/*.cs");
    let of_both = [
        ("App", ""),
        ("Lib", shared.as_str()),
        ("Other", shared.as_str()),
    ];
    let b_of_other = [
        ("App", String::new()),
        ("Lib", exclude("B.cs")),
        ("Other", include("../Lib/B.cs")),
    ];
    let b_of_other = b_of_other.each_ref().map(|(name, it)| (*name, it.as_str()));
    let b_is_there = [("App", include("../Lib/B.cs")), ("Lib", exclude("B.cs"))];
    let b_is_there = b_is_there.each_ref().map(|(name, it)| (*name, it.as_str()));
    let cases = [
        (
            projects(
                &plain,
                &[("App/A.cs", order), ("Lib/L.cs", "class L { }\n")],
            ),
            (Some("N"), "Lib/"),
            "it would change its namespace as well",
        ),
        (
            projects(
                &plain,
                &[
                    ("App/A.cs", both),
                    ("Lib/L.cs", "namespace M;\npublic class Line { }\n"),
                ],
            ),
            (None, "Lib/"),
            "`Lib/Lib.csproj` has a type `Line` already",
        ),
        (
            projects(
                &plain,
                &[
                    (
                        "App/A.cs",
                        "namespace M;\npublic class Order { }\npublic partial class Part { }\n",
                    ),
                    ("App/B.cs", "namespace M;\npublic partial class Part { }\n"),
                    ("Lib/L.cs", "class L { }\n"),
                ],
            ),
            (None, "Lib/"),
            "`App/B.cs` declares a part of a type in it",
        ),
        (
            projects(
                &of_both,
                &[("App/A.cs", "class A { }\n"), ("S/S.cs", order)],
            ),
            (None, "App/"),
            "`Lib/Lib.csproj` and `Other/Other.csproj` compiles it, and `App/App.csproj` would",
        ),
        (
            projects(
                &b_of_other,
                &[
                    ("App/A.cs", part),
                    ("App/B.cs", part),
                    ("Lib/L.cs", "class L { }\n"),
                ],
            ),
            (None, "Lib/"),
            "its parts would go to several projects",
        ),
        (
            projects(&b_is_there, &[("App/A.cs", part), ("Lib/B.cs", part)]),
            (None, "Lib/"),
            "a part of it would stay in its project",
        ),
    ];
    let mut wrong = String::new();
    for (world, (namespace, to), reason) in cases {
        let symbol = "M.Order";
        let found = outcome(world.one(&moved(symbol, namespace, Some(to))));
        if found != reason {
            wrong += &format!("\n  expected: {reason}\n  found: {found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn projects_that_share_a_file_need_the_same_edits() {
    let include = "<ItemGroup><Compile Include=\"../S/*.cs\" /></ItemGroup>";
    let defined =
        format!("<PropertyGroup><DefineConstants>X</DefineConstants></PropertyGroup>{include}");
    let text = "class A\n{\n    int M(int a) => a;\n    int U(int a) =>\n#if X\n        M(1);\n#else\n        M(a) + 1;\n#endif\n}\n";
    let world = projects(&[("P", include), ("Q", &defined)], &[("S/A.cs", text)]);
    let inline = Edit::InlineMethod(InlineMethod { symbol: "A.M" });
    assert_eq!(
        outcome(world.one(&inline)),
        "two projects or target frameworks need other edits"
    );
    let text = "#if X\nusing T = System.Int32;\n#else\nusing T = System.Int64;\n#endif\nclass A\n{\n    static int k;\n    static T M(object o) => default;\n    object U() => M(M(k));\n}\n";
    let world = projects(&[("P", include), ("Q", &defined)], &[("S/A.cs", text)]);
    let condition = ["x: System.Int32".to_owned()];
    let rewrite = Edit::Rewrite(Rewrite {
        pattern: "M($x)",
        replacement: "M($x + 1)",
        conditions: &condition,
        paths: &[],
    });
    assert_eq!(
        outcome(world.one(&rewrite)),
        "`S/A.cs`: two projects or target frameworks need other edits"
    );
    let text = "#if X\nusing T = A;\n#else\nusing T = B;\n#endif\nclass A\n{\n    public virtual int M(int a, int b) => a;\n    static int N() => 1;\n    int U(T t) => t.M(N(), N());\n}\nclass B : A\n{\n    public override int M(int c, int d) => c;\n}\n";
    let world = projects(&[("P", include), ("Q", &defined)], &[("S/A.cs", text)]);
    let (none, turned) = (BTreeMap::new(), ["b".to_owned(), "a".to_owned()]);
    assert_eq!(
        outcome(world.one(&signature("A.M", None, &turned, &none))),
        "two projects or calls need other edits at one place of `S/A.cs`"
    );
}

#[test]
fn each_step_of_a_batch_keeps_the_meaning() {
    let world = World::new("//- /A.cs\nclass A { }\n//- /B.cs\nclass B { A a; }\n").with_globs();
    let rename = |symbol, to| {
        Edit::Rename(Rename {
            symbol,
            to,
            keep_file: false,
            also: &[],
        })
    };
    let found = outcome(world.batch(&[rename("A", "B")]));
    assert_eq!(found, "the code would mean something else");
}

/// Why an operation is not applied without anything being allowed.
fn state(world: &World, op: &mut Op) -> String {
    let allowed = Allowed {
        review: ReviewNeeded::Nothing,
        ..Allowed::default()
    };
    let repo = &world.index.repo;
    match apply(repo, &world.ops, op, (&allowed, &Staging::No), 1) {
        Ok(()) => "applied".to_owned(),
        Err(EditError::State { reason, .. }) => reason,
        Err(EditError::Unsafe { reason, .. }) => reason.to_owned(),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn an_operation_is_applied_in_the_state_and_with_the_verdict_that_allow_it() {
    let world = World::new(
        "//- /A.cs\nclass A\n{\n    public int M(object o) => 1;\n}\n//- /B.cs\nclass B\n{\n    int N(A a) => a.M(\"\");\n}\n",
    );
    let mut overload = world.edited("A", add("public int M(string s) => 2;"));
    assert_eq!(
        state(&world, &mut overload),
        "other code would mean something else"
    );
    let mut unknown = world.edited("A", add("Unknown field;"));
    assert_eq!(
        state(&world, &mut unknown),
        "it is not proven to keep what the code means"
    );
    let mut taken = world.rename("B", "A").expect("it is planned");
    assert_eq!(
        state(&world, &mut taken),
        "the code would mean something else"
    );
    let mut field = world.edited("A", add("int field;"));
    field.rejection = Some("it is late".to_owned());
    field.states.push((OpState::Rejected, 1));
    world.ops.write(&field).expect("it can be written");
    assert_eq!(state(&world, &mut field), "it was rejected: it is late");
    field.states.pop();
    world.ops.write(&field).expect("it can be written");
    assert_eq!(state(&world, &mut field), "applied");
    assert_eq!(state(&world, &mut field), "it is applied already");
    let made = "--- /dev/null\n+++ b/C.cs\n@@ -0,0 +1 @@\n+class C { }\n";
    let mut new = world.patch(made).expect("it is planned");
    fs::write(world.work().join("C.cs"), "").expect("it can be written");
    assert_eq!(state(&world, &mut new), "a file is there already");
    fs::remove_file(world.work().join("C.cs")).expect("it is there");
    fs::create_dir(world.work().join("C.cs")).expect("it can be made");
    assert_eq!(state(&world, &mut new), "it is no regular file");
}
