//! Diffs from outside, planned and proven like other edits.

use cortex_edit::{Edit, Foreign, Rename};
use cortex_wire::{DoubtReason, EditVerdict, FileText};

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
    assert!(refusal(&elsewhere).contains("line 4 of `A.cs` is not the one"));
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
    assert!(refusal("no diff at all").contains("it is no unified diff"));
    for path in [
        "a.cs",
        "B.cs/C.cs",
        "NUL.cs",
        "x/aux",
        "C.cs ",
        "\u{202e}C.cs",
    ] {
        let error = refusal(&made(path, "class C { }\n"));
        assert!(error.starts_with("write `"), "{path}: {error}");
    }
    let binary = "diff --git a/A.cs b/A.cs\nnew file mode 120000\n--- /dev/null\n+++ b/L.cs\n@@ -0,0 +1 @@\n+A.cs\n";
    assert!(refusal(binary).contains("no regular file"));
    let twice = format!(
        "{}{}",
        made("C.cs", "class C { }\n"),
        made("C.cs", "class C { }\n")
    );
    assert!(refusal(&twice).contains("it names `C.cs` twice"));
    let twins = format!(
        "{}{}",
        made("C.cs", "class C { }\n"),
        made("c.cs", "class D { }\n")
    );
    assert!(refusal(&twins).contains("case alone"));
    let half = "--- a/A.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-class A\n";
    assert!(refusal(half).contains("leaves lines"));
}

#[cfg(unix)]
#[test]
fn no_file_is_made_through_a_link() {
    let world = World::new(FILES);
    let elsewhere = tempfile::tempdir().expect("a temporary folder can be made");
    std::os::unix::fs::symlink(elsewhere.path(), world.work().join("link")).expect("it is made");
    let error = world
        .patch(&made("link/C.cs", "class C { }\n"))
        .expect_err("it is refused");
    assert!(error.to_string().contains("symbolic link"), "{error}");
    assert!(world.patch(&made("link", "text\n")).is_err());
}

/// A repository with one project that compiles every file below its folder.
fn project_of(files: &str) -> World {
    let world = World::new(files);
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>";
    std::fs::write(world.work().join("App.csproj"), project).expect("it is written");
    world
}

/// A diff that makes a file of lines.
fn made(path: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    let n = text.lines().count();
    format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{n} @@\n{lines}")
}

/// A diff that removes a file.
fn removed(path: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("-{line}\n")).collect();
    let n = text.lines().count();
    format!("--- a/{path}\n+++ /dev/null\n@@ -1,{n} +0,0 @@\n{lines}")
}

/// Plans, applies and undoes a diff, and compares what git makes of its patch.
fn round(world: &World, diff: &str) -> cortex_edit::op::Op {
    let before = world.files();
    let mut op = world.patch(diff).expect("it can be planned");
    assert_eq!(world.files(), before, "planning writes nothing");
    let patch = world.work().join("../plan.diff");
    std::fs::write(&patch, &op.answer.patch).expect("it can be written");
    let n = op.answer.total_differences;
    assert_eq!(n, 0, "{:?} {}", op.answer.differences, op.answer.patch);
    world.apply(&mut op).expect("it can be applied");
    let applied = world.files();
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    assert!(
        !world.work().join("new").exists(),
        "folders that were made go"
    );
    let patch = patch.to_string_lossy().into_owned();
    cortex_fixture::Fixture::git(&world.work(), &["apply", &patch]).expect("git applies it");
    assert_eq!(world.files(), applied);
    op
}

#[test]
fn files_come_go_and_move_and_come_back() {
    let world = project_of(
        "//- /A.cs\nclass A\n{\n    public int M() => 1;\n}\n//- /Unused.cs\nclass Unused { }\n//- /notes.txt\nold\n",
    );
    let diff = format!(
        "{}{}{}",
        made("new/deep/C.cs", "class C { int N(A a) => a.M(); }\n"),
        removed("Unused.cs", "class Unused { }\n"),
        "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n old\n+new\n",
    );
    let op = round(&world, &diff);
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:?}", op.answer);
}

#[test]
fn a_file_that_goes_and_one_like_it_that_comes_is_moved() {
    let world = project_of(
        "//- /A.cs\nclass A\n{\n    public int M() => 1;\n}\n//- /C.cs\nclass C { int N(A a) => a.M(); }\n",
    );
    let text = "class A\n{\n    public int M() => 1;\n}\n";
    let op = round(
        &world,
        &format!("{}{}", removed("A.cs", text), made("new/A.cs", text)),
    );
    assert!(
        op.answer.patch.contains("rename from A.cs"),
        "{}",
        op.answer.patch
    );
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
}

#[test]
fn what_a_removed_file_declared_and_a_new_one_hides_is_told() {
    let world = project_of(
        "//- /Lib.cs\nnamespace Lib { public class Helper { public static int N; } }\n\
         //- /B.cs\nusing Lib;\nnamespace App.Inner { class B { int U() => Helper.N; } }\n",
    );
    let hiding = made(
        "H.cs",
        "namespace App { class Helper { public static long N; } }\n",
    );
    let op = world.patch(&hiding).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    assert_eq!(op.answer.differences[0].file.as_str(), "B.cs");
    let lib = "namespace Lib { public class Helper { public static int N; } }\n";
    let op = world
        .patch(&removed("Lib.cs", lib))
        .expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn a_project_file_is_applied_and_not_proven() {
    let world = World::new(
        "//- /a.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\">\n</Project>\n//- /A.cs\nclass A { }\n",
    );
    let diff = "--- a/a.csproj\n+++ b/a.csproj\n@@ -1,2 +1,3 @@\n <Project Sdk=\"Microsoft.NET.Sdk\">\n+  <!-- -->\n </Project>\n";
    let op = round(&world, diff);
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
    assert_eq!(op.answer.doubts[0].reason, DoubtReason::NotCSharp);
}

#[test]
fn texts_of_files_keep_encoding_and_line_ends() {
    let world = World::new("//- /A.cs\nclass A { }\n//- /Old.cs\nclass Old { }\n");
    let crlf = "\u{feff}class A\r\n{\r\n}\r\n";
    std::fs::write(world.work().join("A.cs"), crlf).expect("it is written");
    let text = |file: &str, text: Option<&str>| FileText {
        file: file.to_owned(),
        text: text.map(str::to_owned),
    };
    let texts = [
        text("A.cs", Some("class A\n{\n    int a;\n}\n")),
        text("New.cs", Some("class New { }\n")),
        text("Old.cs", None),
    ];
    let before = world.files();
    let mut op = world
        .foreign(Foreign::Texts(&texts))
        .expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    let expected = "\u{feff}class A\r\n{\r\n    int a;\r\n}\r\n";
    assert_eq!(String::from_utf8_lossy(&files["A.cs"]), expected);
    assert_eq!(files["New.cs"], b"class New { }\n");
    assert!(!files.contains_key("Old.cs"));
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
}

#[test]
fn steps_that_make_change_and_remove_a_file_come_to_one() {
    let world = World::new(FILES);
    let make = made("C.cs", "class C { }\n");
    let steps = [
        Edit::Patch(Foreign::Diff(make.as_bytes())),
        Edit::Rename(Rename {
            symbol: "C",
            to: "D",
            keep_file: false,
            also: &[],
        }),
    ];
    let mut op = world.batch(&steps).expect("it can be planned");
    assert!(
        op.answer.patch.contains("new file mode 100644"),
        "{}",
        op.answer.patch
    );
    world.apply(&mut op).expect("it can be applied");
    assert_eq!(world.files()["D.cs"], b"class D { }\n");
    world.undo(&mut op).expect("it can be undone");
    let gone = [FileText {
        file: "C.cs".to_owned(),
        text: None,
    }];
    let steps = [
        Edit::Patch(Foreign::Diff(make.as_bytes())),
        Edit::Patch(Foreign::Texts(&gone)),
    ];
    assert!(matches!(
        world.batch(&steps),
        Err(cortex_edit::EditError::NoChange { .. })
    ));
}
