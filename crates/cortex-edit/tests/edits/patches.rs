//! Diffs from outside, planned and proven like other edits.

use cortex_wire::EditVerdict;

use crate::world::World;

const FILES: &str = "//- /A.cs\nclass A\n{\n    public int M() => 1;\n    public int N() => M();\n}\n\
                     //- /B.cs\nclass B { int U(A a) => a.M() + a.N(); }\n";

fn diff(lines: &str) -> String {
    format!("diff --git a/A.cs b/A.cs\n--- a/A.cs\n+++ b/A.cs\n{lines}")
}

#[test]
fn a_diff_is_planned_proven_applied_and_undone() {
    let world = World::new(FILES);
    let before = world.files();
    let body = diff(
        "@@ -2,3 +2,3 @@\n {\n-    public int M() => 1;\n+    public int M() => 2;\n     public int N() => M();\n",
    );
    let mut op = world.patch(&body).expect("it can be planned");
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{:?}",
        op.answer.differences
    );
    assert_eq!(world.files(), before);
    world.apply(&mut op).expect("it can be applied");
    let expected = String::from_utf8_lossy(&before["A.cs"]).replace("=> 1", "=> 2");
    assert_eq!(world.files()["A.cs"], expected.as_bytes());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
}

#[test]
fn a_diff_that_changes_what_other_files_mean_is_told() {
    let world = World::new(FILES);
    let ty = diff("@@ -3 +3 @@\n-    public int M() => 1;\n+    public long M() => 1;\n");
    let op = world.patch(&ty).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    let files: Vec<_> = op
        .answer
        .differences
        .iter()
        .map(|it| it.file.as_str())
        .collect();
    assert!(files.contains(&"B.cs"), "{files:?}");
}

#[test]
fn lines_that_stand_elsewhere_and_paths_outside_are_refused() {
    let world = World::new(FILES);
    let refusal = |diff: &str| match world.patch(diff) {
        Ok(op) => panic!("it is planned: {}", op.answer.patch),
        Err(error) => error.to_string(),
    };
    let elsewhere = diff("@@ -4 +4 @@\n-    public int M() => 1;\n+    public int M() => 2;\n");
    assert!(refusal(&elsewhere).contains("line 4 of `A.cs`"));
    for path in [
        "../A.cs",
        "/etc/passwd",
        ".git/config",
        "x/.GIT /hooks/a.cs",
        "A.cs:stream",
        "git~1/a.cs",
    ] {
        let hunk = "@@ -1 +1 @@\n-class A\n+class C\n";
        let error = refusal(&format!("--- a/{path}\n+++ b/{path}\n{hunk}"));
        assert!(error.starts_with("write `"), "{path}: {error}");
    }
    assert!(refusal("no diff at all").contains("patch"));
    let made = "--- /dev/null\n+++ b/C.cs\n@@ -0,0 +1 @@\n+class C { }\n";
    assert!(refusal(made).contains("makes or removes a file"));
}
