//! What is decided by the value of `nameof`, which a rename changes.

use cortex_wire::{EditVerdict, WarningReason};

use crate::world::{World, replace};

const COUNT: &str = "int Count;";

fn verdict(text: &str, symbol: &str, to: &str) -> EditVerdict {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    world
        .rename(symbol, to)
        .expect("it is planned")
        .answer
        .verdict
}

/// The verdicts of renaming `Count` to `Total` in a class with some code.
fn all_are(expected: EditVerdict, cases: &[&str]) {
    for code in cases {
        let found = verdict(&format!("class A {{ {COUNT} {code} }}"), "A.Count", "Total");
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn a_label_gets_no_value_that_another_one_has() {
    all_are(
        EditVerdict::ChangedMeaning,
        &[
            "void N(string n) { switch (n) { case \"Total\": break; case nameof(Count): break; } }",
            "void N(string n) { switch (n) { case nameof(Count): break; case \"Total\": break; } }",
            "int N(string n) => n switch { \"Total\" => 1, nameof(Count) => 2, _ => 3 };",
            "int N(string n) => n switch { \"x\" or \"Total\" => 1, (nameof(Count)) => 2, _ => 3 };",
            "int N(string n) => n switch { \"My\" + \"Total\" => 1, \"My\" + nameof(A.Count) => 2, _ => 3 };",
            "int N(string n, int m) => (n, m) switch { (\"Total\", 1) => 1, (nameof(Count), 1) => 2, _ => 3 };",
            "const string S = nameof(Count); int N(string n) => n switch { \"Total\" => 1, S => 2, _ => 3 };",
            "const string S = \"x\" + T; const string T = nameof(Count); int N(string n) => n switch { \"xTotal\" => 1, S => 2, _ => 3 };",
            "int N(string n) { const string s = nameof(Count); switch (n) { case \"Total\": return 1; case s: return 2; } return 3; }",
            "int N(string n) { switch (n) { case \"Count\": return 1; case \"x\": goto case nameof(Count); } return 2; }",
            "int N(string n) { switch (n) { case nameof(Count): return 1; case \"x\": goto case \"Count\"; } return 2; }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "void N(string n) { switch (n) { case \"total\": break; case nameof(Count): break; } }",
            "int N(string n) => n switch { \"Total\" when n == \"\" => 1, nameof(Count) => 2, _ => 3 };",
            "int N(string n, int m) => (n, m) switch { (\"Total\", 1) => 1, (nameof(Count), 2) => 2, _ => 3 };",
            "int N(string n) { switch (n) { case nameof(Count): return 1; case \"x\": goto case nameof(Count); } return 2; }",
            "const string S = nameof(Count); int N(string n, string S) { switch (n) { case \"Total\": return S.Length; } return 3; }",
            "int N(string n) { if (n == nameof(Count)) { return 1; } return 2; }",
            "int N(object n) => n switch { 1 => 1, 1L => 2, nameof(Count) => 3, _ => 4 };",
        ],
    );
}

#[test]
fn a_local_name_is_a_value_too() {
    let text = "class A { int N(string n, int count) { switch (n) { case \"total\": return count; case nameof(count): return 2; } return 3; } }";
    assert_eq!(
        verdict(text, "A.cs:1:31", "total"),
        EditVerdict::ChangedMeaning
    );
    assert_eq!(verdict(text, "A.cs:1:31", "other"), EditVerdict::Proven);
    let text =
        "class A { int N(string n) => n switch { \"Total\" => 1, nameof(A) => 2, _ => 3 }; }";
    assert_eq!(verdict(text, "A", "Total"), EditVerdict::ChangedMeaning);
    assert_eq!(verdict(text, "A", "Other"), EditVerdict::Proven);
}

#[test]
fn a_constant_takes_the_new_value_to_other_files() {
    let text = "//- /A.cs project:App\npublic class A { public int Count; public const string S = nameof(Count); }\n\
        //- /B.cs project:App\nclass B { const string Mine = A.S;\n}\n\
        //- /C.cs project:Other refs:App\nclass C { int N(string n) => n switch { \"Total\" => 1, A.S => 2, _ => 3 }; }\n";
    let answer = World::new(text)
        .rename("A.Count", "Total")
        .expect("it is planned")
        .answer;
    assert_eq!(answer.verdict, EditVerdict::ChangedMeaning);
    let places: Vec<_> = (answer.differences.iter())
        .map(|it| (it.file.as_str(), it.question.as_str()))
        .collect();
    assert_eq!(places, [("C.cs", "which label the value reaches")]);
    let other = World::new(text)
        .rename("A.Count", "Sum")
        .expect("it is planned")
        .answer;
    assert_eq!(other.verdict, EditVerdict::Proven);
    // An edit that writes another value as well.
    let text = text.replace("nameof(Count)", "\"Count\"");
    let world = World::new(&text);
    let op = world.edited("A.S", replace("public const string S = \"Total\";"));
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn a_constant_condition_keeps_its_value() {
    all_are(
        EditVerdict::ChangedMeaning,
        &[
            "int N() { if (nameof(Count) == \"Total\") { return 1; } return 2; }",
            "int N() { while (nameof(Count) != \"Total\") { } return 2; }",
            "const bool B = nameof(Count) == \"Count\";",
            "const string S = nameof(Count); int N() => S == \"Count\" ? 1 : 2;",
            "int N() { switch (nameof(Count)) { case \"Total\": return 1; } return 2; }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "int N() { if (nameof(Count) == \"Other\") { return 1; } return 2; }",
            "const bool B = nameof(Count) != \"x\";",
        ],
    );
}

#[test]
fn an_attribute_keeps_the_text_that_it_is_read_for() {
    all_are(
        EditVerdict::ChangedMeaning,
        &[
            "[System.Diagnostics.Conditional(nameof(Count))] void M() { } void U() { M(); }",
            "const string S = nameof(Count); [System.Diagnostics.Conditional(S)] void M() { } void U() { M(); }",
            "[System.Runtime.InteropServices.DllImport(\"x\", EntryPoint = nameof(Count))] static extern void M();",
            "[System.Runtime.CompilerServices.IndexerName(nameof(Count) + \"s\")] int this[int i] => i;",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &["[System.Obsolete(nameof(Count))] void M() { }"],
    );
}

#[test]
fn what_is_kept_or_compared_is_told_to_have_the_new_name() {
    let reasons = |code: &str| {
        let text = format!("//- /A.cs\nclass A {{ {COUNT} {code} }}\n");
        let op = World::new(&text)
            .rename("A.Count", "Total")
            .expect("it is planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{code}");
        let told = op.answer.warnings.into_iter();
        told.map(|it| (it.name, it.reason)).collect::<Vec<_>>()
    };
    for (code, name) in [
        ("const string S = nameof(Count);", "S"),
        ("void M(string s = nameof(Count)) { }", "nameof(Total)"),
        ("bool M(string s) => s == nameof(Count);", "nameof(Total)"),
        ("bool M(string s) => s is nameof(Count);", "nameof(Total)"),
    ] {
        let told = reasons(code);
        assert_eq!(told, [(name.to_owned(), WarningReason::NameOf)], "{code}");
    }
    for code in [
        "string M() => nameof(Count);",
        "void M() => throw new System.ArgumentException(nameof(Count));",
    ] {
        assert_eq!(reasons(code), [], "{code}");
    }
}
