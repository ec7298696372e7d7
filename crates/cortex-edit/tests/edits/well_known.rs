//! Types of the repository that the compiler looks for by their names.

use cortex_wire::EditVerdict;

use crate::world::World;

fn verdict(text: &str, symbol: &str, to: &str) -> EditVerdict {
    let header = "//- /A.cs project:App properties:LangVersion=latest\n";
    let world = World::new(&format!("{header}{text}"));
    let op = world.rename(symbol, to).expect("it is planned");
    op.answer.verdict
}

#[test]
fn a_type_that_the_compiler_looks_for_keeps_its_name() {
    let services = "System.Runtime.CompilerServices";
    let init = "namespace System.Runtime.CompilerServices { class IsExternalInit { } class Own { } }\n\
        class A { public int P { get; init; } }";
    let required = "namespace System.Runtime.CompilerServices { class RequiredMemberAttribute : Attribute { } }\n\
        class A { public required int P { get; set; } }";
    let index = "namespace System { public readonly struct Index { public Index(int value) { } public int Offset() => 1; } struct Own { } }\n\
        class A { int M(int[] a) => a[^1]; }";
    for (text, symbol, to) in [
        (init, format!("{services}.IsExternalInit"), "Fresh"),
        (
            init,
            format!("{services}.Own"),
            "ModuleInitializerAttribute",
        ),
        (
            required,
            format!("{services}.RequiredMemberAttribute"),
            "FreshAttribute",
        ),
        (index, "System.Index".to_owned(), "Fresh"),
        (index, "System.Own".to_owned(), "Range"),
        (index, "System.Index.Offset".to_owned(), "GetOffset"),
    ] {
        let found = verdict(text, &symbol, to);
        assert_eq!(found, EditVerdict::ChangedMeaning, "{symbol} to {to}");
    }
    for (text, symbol, to) in [
        (init, format!("{services}.Own"), "Fresh"),
        (index, "System.Own".to_owned(), "Fresh"),
    ] {
        let found = verdict(text, &symbol, to);
        assert_eq!(found, EditVerdict::Proven, "{symbol} to {to}");
    }
    let elsewhere =
        "namespace App { class IsExternalInit { } class Index { public int Offset() => 1; } }";
    for (symbol, to) in [
        ("App.IsExternalInit", "Fresh"),
        ("App.Index.Offset", "Fresh"),
        ("App.Index", "Range"),
    ] {
        assert_eq!(
            verdict(elsewhere, symbol, to),
            EditVerdict::Proven,
            "{symbol}"
        );
    }
}

#[test]
fn a_receiver_of_an_extension_block_is_named_by_arguments() {
    let text = "static class E { extension(string text) { public int Size(int i) => text.Length + i; } }\n\
        class A { int M(string s) => E.Size(text: s, i: 1) + E.Size(i: 2, text: s); }";
    let world = World::new(&format!(
        "//- /A.cs project:App properties:LangVersion=preview\n{text}"
    ));
    let mut op = world.rename("A.cs:1:35", "value").expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let expected = text.replace("text", "value");
    assert_eq!(String::from_utf8_lossy(&world.files()["A.cs"]), expected);
}
