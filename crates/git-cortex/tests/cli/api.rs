//! `api`: the gate, its forms, and sides of whole repositories.

use crate::{
    harness::{World, check, shown},
    ranges::PROJECT,
};

/// A repository with one library and one file, which a second commit changes.
fn changed(before: &str, after: &str) -> World {
    let world = World::with_files(&[("Lib.csproj", PROJECT), ("A.cs", before)]);
    world.commit_files(&[("A.cs", after)], "Change");
    world
}

#[test]
fn a_gate_fails_for_what_breaks_and_passes_what_is_allowed() {
    let world = changed(
        "public class A { public void F() { } public void G(int x = 1) { } }",
        "public class A { public void G(int x = 2) { } public void H() { } }",
    );
    let code = |arguments: &[&str]| {
        let all = [&["api", "HEAD~1", "HEAD", "--exit-code"], arguments].concat();
        world.run(&all).status.code()
    };
    assert_eq!(code(&[]), Some(1));
    assert_eq!(code(&["--allow", "cp0002"]), Some(0));
    assert_eq!(
        code(&["--allow", "CP0002", "--fail-on", "behavioral"]),
        Some(1)
    );
    // Its former spelling.
    assert_eq!(
        code(&["--allow", "CP0002", "--fail-on", "behavioural"]),
        Some(1)
    );
    assert_eq!(
        code(&["--assembly", "Lib", "--fail-on", "breaking"]),
        Some(1)
    );
    let file = |entries: &str| {
        world.write(
            "../allowed.xml",
            format!("\u{feff}<Suppressions>{entries}</Suppressions>"),
        );
    };
    file(
        "<Suppression><DiagnosticId>CP0002</DiagnosticId><Target>M:A.F</Target><Left>lib/net8.0/Lib.dll</Left></Suppression>",
    );
    assert_eq!(code(&["--allow-file", "../allowed.xml"]), Some(0));
    file("<Suppression><DiagnosticId>CP0002</DiagnosticId><Target>M:A.G</Target></Suppression>");
    assert_eq!(code(&["--allow-file", "../allowed.xml"]), Some(1));
    file("<Suppression />");
    check(
        "api_empty_suppression",
        &world.show(&["api", "--allow-file", "../allowed.xml"]),
    );
    check(
        "api_unknown_assembly",
        &world.show(&["api", "--assembly", "Libb"]),
    );
}

#[test]
fn a_gate_does_not_pass_what_was_not_understood() {
    let world = changed("public class A { }", "public class A { void F( }");
    let output = world.run(&["api", "HEAD~1", "HEAD", "--exit-code"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    let allowed = ["api", "HEAD~1", "HEAD", "--exit-code", "--allow-undecided"];
    assert_eq!(world.run(&allowed).status.code(), Some(0));
    let world = changed("public class A { }", "public class A : Missing.Base { }");
    let output = world.run(&["api", "HEAD~1", "HEAD", "--exit-code"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

#[test]
fn every_form_says_the_same() {
    let world = changed(
        "namespace N; public class A { public void F() { } public int P { get; set; } }\npublic enum E { X }",
        "namespace N; public class A { public void F(int times) { } public int P { get; init; } }\npublic enum E { X, Y }",
    );
    world.write("Other/Other.csproj", PROJECT);
    for format in ["text", "md", "json", "jsonl", "sarif", "github"] {
        let arguments = ["api", "HEAD~1", "HEAD", "--format", format];
        let first = world.show(&arguments);
        check(&format!("api_{format}"), &first);
        assert_eq!(
            world.show(&arguments),
            first,
            "the same question has the same answer"
        );
    }
    check("api_all", &world.show(&["api", "HEAD~1", "HEAD", "--all"]));
}
