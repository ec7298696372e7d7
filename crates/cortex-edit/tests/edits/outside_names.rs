//! Names by which what C# does not bind finds methods and members: those of `[DllImport]`, `[LibraryImport]` and
//! `[UnsafeAccessor]`.

use cortex_wire::WarningReason;

use crate::{
    renames::{becomes, refusal},
    world::World,
};

#[test]
fn a_native_function_keeps_its_name() {
    becomes(
        "using System.Runtime.InteropServices;\n\
         partial class A {\n\
         [DllImport(\"c\")] static extern int abs(int n);\n\
         int M() => abs(1);\n}",
        "A.abs",
        "Absolute",
        "using System.Runtime.InteropServices;\n\
         partial class A {\n\
         [DllImport(\"c\", EntryPoint = \"abs\")] static extern int Absolute(int n);\n\
         int M() => Absolute(1);\n}",
    );
    becomes(
        "using System.Runtime.InteropServices;\n\
         partial class A {\n\
         [LibraryImport(\n    \"c\",\n    SetLastError = true)]\n\
         internal static partial int abs(int n);\n}\n\
         partial class A { internal static partial int abs(int n) => n; }",
        "A.abs",
        "Absolute",
        "using System.Runtime.InteropServices;\n\
         partial class A {\n\
         [LibraryImport(\n    \"c\",\n    SetLastError = true, EntryPoint = \"abs\")]\n\
         internal static partial int Absolute(int n);\n}\n\
         partial class A { internal static partial int Absolute(int n) => n; }",
    );
    becomes(
        "using System.Runtime.InteropServices;\n\
         class A { int M() { [DllImport(\"c\")] static extern int abs(int n); return abs(1); } }",
        "A.cs:2:56",
        "Absolute",
        "using System.Runtime.InteropServices;\n\
         class A { int M() { [DllImport(\"c\", EntryPoint = \"abs\")] static extern int Absolute(int n); return Absolute(1); } }",
    );
}

#[test]
fn an_entry_point_that_is_said_stays() {
    becomes(
        "using System.Runtime.InteropServices;\n\
         class A { [DllImport(\"c\", EntryPoint = \"labs\")] static extern int abs(int n); }",
        "A.abs",
        "Absolute",
        "using System.Runtime.InteropServices;\n\
         class A { [DllImport(\"c\", EntryPoint = \"labs\")] static extern int Absolute(int n); }",
    );
}

#[test]
fn the_name_that_is_written_out_is_reported() {
    let world = World::new(
        "//- /A.cs\nusing System.Runtime.InteropServices;\n\
         class A {\n[DllImport(\"c\")] static extern int abs(int n);\n}",
    );
    let op = world.rename("A.abs", "Absolute").expect("it is planned");
    let warnings = (op.answer.warnings.iter()).map(|it| (it.line, it.name.as_str(), it.reason));
    assert_eq!(
        warnings.collect::<Vec<_>>(),
        [(3, "abs", WarningReason::NamedOutside)]
    );
}

/// A class and what reaches its private members.
fn with_accessors(accessors: &str) -> String {
    format!(
        "using System.Runtime.CompilerServices;\n\
         class C {{\n\
         int field;\n\
         int Value {{ get; set; }}\n\
         void Run(int n) {{ }}\n\
         void Over(int n) {{ }}\n\
         void Over(string s) {{ }}\n}}\n\
         class D {{ int field; void Run(int n) {{ }} }}\n\
         static class E {{\n{accessors}\n}}"
    )
}

#[test]
fn an_accessor_that_gets_another_name_stands_for_the_same_member() {
    let text = with_accessors(
        "[UnsafeAccessor(UnsafeAccessorKind.Method)] static extern void Run(C c, int n);\n\
         [UnsafeAccessor(UnsafeAccessorKind.Constructor)] static extern C Make();\n\
         static void Use(C c) { Run(c, 1); Make(); }",
    );
    let named = text
        .replace(
            "Kind.Method)] static extern void Run(",
            "Kind.Method, Name = \"Run\")] static extern void Go(",
        )
        .replace("{ Run(c", "{ Go(c");
    becomes(&text, "E.Run", "Go", &named);
    becomes(&text, "E.Make", "Create", &text.replace("Make", "Create"));
}

#[test]
fn an_accessor_follows_the_member_that_it_names() {
    let text = with_accessors(
        "[UnsafeAccessor(UnsafeAccessorKind.Method)] static extern void Run(C c, int n);\n\
         [UnsafeAccessor(UnsafeAccessorKind.Method, Name = \"Run\")] static extern void RunIt(C c, int n);\n\
         [UnsafeAccessor(UnsafeAccessorKind.Method, Name = \"Run\")] static extern void RunOther(D d, int n);\n\
         [UnsafeAccessor(UnsafeAccessorKind.Field, Name = \"field\")] static extern ref int Field(C c);\n\
         [UnsafeAccessor(UnsafeAccessorKind.Method, Name = \"get_Value\")] static extern int Value(C c);\n\
         [UnsafeAccessor(UnsafeAccessorKind.Field, Name = \"<Value>k__BackingField\")] static extern ref int Back(C c);\n\
         static int Local(C c) { [UnsafeAccessor(UnsafeAccessorKind.Field)] static extern ref int field(C c); return field(c); }",
    );
    becomes(
        &text,
        "C.Run",
        "Go",
        &text
            .replace(
                "int field;\nint Value { get; set; }\nvoid Run(",
                "int field;\nint Value { get; set; }\nvoid Go(",
            )
            .replace(
                "Method)] static extern void Run",
                "Method, Name = \"Go\")] static extern void Run",
            )
            .replace(
                "Name = \"Run\")] static extern void RunIt",
                "Name = \"Go\")] static extern void RunIt",
            ),
    );
    becomes(
        &text,
        "C.field",
        "stored",
        &text
            .replace("class C {\nint field;", "class C {\nint stored;")
            .replace("\"field\"", "\"stored\"")
            .replace(
                "Kind.Field)] static extern ref int field",
                "Kind.Field, Name = \"stored\")] static extern ref int field",
            ),
    );
    becomes(
        &text,
        "C.Value",
        "Count",
        &text
            .replace("int Value { get", "int Count { get")
            .replace("get_Value", "get_Count")
            .replace("<Value>", "<Count>"),
    );
}

#[test]
fn an_accessor_that_may_stand_for_another_overload_is_refused() {
    let text = with_accessors(
        "[UnsafeAccessor(UnsafeAccessorKind.Method)] static extern void Over(C c, string s);",
    );
    let reason = refusal(&text, "C.Over(int)", "Past");
    assert!(reason.contains("another overload"), "{reason}");
}
