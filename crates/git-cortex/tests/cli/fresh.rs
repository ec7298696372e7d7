//! `check` as CI runs it: exit codes, formats, clones and checkouts, and a `.context` that means harm.

use std::path::Path;

use serde_json::Value;

use crate::harness::{World, shown};

const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"/>\n";

/// A repository with fresh context in its second commit.
fn world() -> World {
    let world = World::with_files(&[
        ("src/App.csproj", PROJECT),
        (
            "src/A.cs",
            "public class A\n{\n    public int M() => 1;\n}\n",
        ),
        (
            "src/B.cs",
            "public class B\n{\n    public A Other() => null;\n}\n",
        ),
    ]);
    world.answer(&["export-context"]);
    world.commit("Add context");
    world
}

/// A change of the shape of `A`, not committed.
fn edit(world: &World) {
    world.edit("src/A.cs", "int M", "long M");
}

fn code(world: &World, arguments: &[&str]) -> Option<i32> {
    world.run(&[&["check"], arguments].concat()).status.code()
}

/// What a check prints, which must end with a status.
#[track_caller]
fn printed(world: &World, arguments: &[&str], status: i32) -> String {
    let output = world.run(&[&["check"], arguments].concat());
    assert_eq!(output.status.code(), Some(status), "{}", shown(&output));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

#[test]
fn exit_codes_say_fresh_stale_and_undecided() {
    let world = world();
    assert_eq!(code(&world, &[]), Some(0));
    edit(&world);
    assert_eq!(code(&world, &[]), Some(1));
    assert_eq!(
        code(&world, &["--policy", "outline-stale=warning"]),
        Some(0)
    );
    assert_eq!(code(&world, &["--policy", "outline-stale=loud"]), Some(2));
    assert_eq!(code(&world, &["--base", "nowhere"]), Some(2));
    assert_eq!(code(&world, &["--at", "HEAD"]), Some(0));
    assert_eq!(code(&world, &["--fix"]), Some(0));
    assert_eq!(code(&world, &[]), Some(0));
    let outside = world.beside("home");
    let output = world.run_in(&outside, &["check"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

#[test]
fn what_is_staged_counts_and_what_is_not_does_not() {
    let world = world();
    edit(&world);
    assert_eq!(code(&world, &["--cached"]), Some(0), "nothing is staged");
    world.git(&["add", "src"]);
    assert_eq!(code(&world, &["--cached"]), Some(1));
    world.answer(&["export-context"]);
    assert_eq!(code(&world, &[]), Some(0));
    assert_eq!(
        code(&world, &["--cached"]),
        Some(1),
        "the outline is not staged"
    );
    world.git(&["add", "--all"]);
    assert_eq!(code(&world, &["--cached"]), Some(0));
}

#[test]
fn every_format_has_the_problem_and_the_way_out() {
    let world = world();
    edit(&world);
    let json: Value =
        serde_json::from_str(&printed(&world, &["--format", "json"], 1)).expect("it is JSON");
    let file = json["answer"]["problems"][0]["file"].as_str();
    let file = file.expect("a problem has a file").to_owned();
    assert!(file.starts_with(".context/types/T_"), "{file}");

    let sarif: Value =
        serde_json::from_str(&printed(&world, &["--format", "sarif"], 1)).expect("it is JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "outline-stale");
    let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(place.as_str(), Some(file.as_str()));

    let github = printed(&world, &["--format", "github"], 1);
    assert!(
        github.starts_with(&format!("::error file={file}")),
        "{github}"
    );
    let junit = printed(&world, &["--format", "junit"], 1);
    assert!(junit.starts_with("<?xml"), "{junit}");
    assert!(
        junit.contains("<failure") && junit.contains(&file),
        "{junit}"
    );
    let text = printed(&world, &[], 1);
    assert!(text.contains("git cortex check --fix"), "{text}");

    printed(&world, &["--fix"], 0);
    let sarif: Value =
        serde_json::from_str(&printed(&world, &["--format", "sarif"], 0)).expect("it is JSON");
    assert_eq!(
        sarif["runs"][0]["results"].as_array().map(Vec::len),
        Some(0)
    );
    assert!(!printed(&world, &["--format", "junit"], 0).contains("<failure"));
    assert!(!printed(&world, &["--format", "github"], 0).contains("::error"));
}

/// A clone of one commit of the repository.
fn shallow(world: &World, name: &str) -> std::path::PathBuf {
    let clone = world.beside(name);
    let url = format!("file://{}", world.path().display());
    let target = clone.to_string_lossy().into_owned();
    world.git(&["clone", "--quiet", "--depth", "1", &url, &target]);
    clone
}

#[test]
fn a_clone_of_depth_one_is_enough_without_a_base() {
    let world = world();
    let status = |folder: &Path, arguments: &[&str]| {
        let output = world.run_in(folder, &[&["check"], arguments].concat());
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let clone = shallow(&world, "fresh");
    assert_eq!(status(&clone, &[]).0, Some(0));
    let (code, errors) = status(&clone, &["--base", "HEAD~1"]);
    assert_eq!(code, Some(2), "{errors}");
    edit(&world);
    world.commit("Change A and forget its outline");
    let clone = shallow(&world, "stale");
    assert_eq!(status(&clone, &[]).0, Some(1));
    assert_eq!(status(&clone, &["--at", "HEAD"]).0, Some(1));
}

#[test]
fn the_verdict_is_the_same_with_other_line_ends() {
    let world = world();
    let clone = world.beside("crlf");
    let url = format!("file://{}", world.path().display());
    let target = clone.to_string_lossy().into_owned();
    world.git(&[
        "-c",
        "core.autocrlf=true",
        "clone",
        "--quiet",
        "-c",
        "core.autocrlf=true",
        &url,
        &target,
    ]);
    let text = std::fs::read_to_string(clone.join("src/A.cs")).expect("it is there");
    assert!(
        text.contains("\r\n"),
        "the checkout has the line ends of Windows"
    );
    let check = |arguments: &[&str]| {
        let output = world.run_in(&clone, &[&["check"], arguments].concat());
        output.status.code()
    };
    assert_eq!(check(&[]), Some(0));
    std::fs::write(clone.join("src/A.cs"), text.replace("int M", "long M"))
        .expect("it can be written");
    assert_eq!(check(&[]), Some(1));
    assert_eq!(check(&["--fix"]), Some(0));
    assert_eq!(check(&[]), Some(0));
}

#[cfg(unix)]
#[test]
fn a_context_that_is_a_link_is_not_followed() {
    let world = world();
    let outside = world.beside("outside");
    std::fs::rename(world.path().join(".context"), &outside).expect("it can be moved");
    std::os::unix::fs::symlink(&outside, world.path().join(".context")).expect("links can be made");
    let before = std::fs::read_dir(outside.join("types"))
        .expect("it is there")
        .count();
    edit(&world);
    assert_eq!(code(&world, &[]), Some(1));
    let output = world.run(&["check", "--fix"]);
    assert_ne!(output.status.code(), Some(0), "{}", shown(&output));
    let output = world.run(&["export-context"]);
    assert_ne!(output.status.code(), Some(0), "{}", shown(&output));
    let after = std::fs::read_dir(outside.join("types"))
        .expect("it is there")
        .count();
    assert_eq!(before, after, "nothing outside is written");
    world.git(&["add", "--all"]);
    let text = printed(&world, &["--cached"], 1);
    assert!(text.contains("symbolic link"), "{text}");
}

#[cfg(unix)]
#[test]
fn hostile_names_do_no_harm_in_any_format() {
    let world = world();
    let name = ".context/types/T_\u{1b}[31m\n::error::x]]><&\".outline.md";
    world.write(name, "# x\n");
    for format in ["text", "json", "sarif", "github", "junit"] {
        let text = printed(&world, &["--format", format], 1);
        assert!(!text.contains('\u{1b}'), "{format}: {text}");
        assert!(!text.contains("\n::error::x"), "{format}: {text}");
        if format == "junit" {
            assert!(!text.contains("]]><&"), "{text}");
        }
    }
    assert_eq!(code(&world, &["--fix"]), Some(0));
    assert!(!world.path().join(name).exists());
}

#[test]
fn a_pack_is_a_scope() {
    let world = world();
    world.answer(&["pack", "build", "one", "--filter", "type:A"]);
    let files = |scope: &str| world.answer(&["scope", "files", scope]);
    assert_eq!(files("pack:one"), "src/A.cs\n");
    world.answer(&["pack", "build", "two", "--filter", "type:B"]);
    assert_eq!(
        files("pack:two"),
        "src/A.cs\nsrc/B.cs\n",
        "with its dependency"
    );
    assert_eq!(files("pack:two & !pack:one"), "src/B.cs\n");
    let output = world.run(&["scope", "files", "pack:three"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("`one`, `two`") || errors.contains("`one`"),
        "{errors}"
    );
    let list = world.answer(&["scope", "list"]);
    assert!(list.contains("pack:one"), "{list}");
}

#[test]
fn operations_of_this_clone_are_checked_with_its_work_tree_alone() {
    let world = world();
    let planned = world.json(&["edit", "rename", "A", "Amount", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id").to_owned();
    let text = printed(&world, &[], 0);
    assert!(
        text.contains(&format!("operation {op} is not reviewed")),
        "{text}"
    );
    assert!(text.contains(&format!("git cortex review {op}")), "{text}");
    assert!(text.contains("1 operation checked"), "{text}");
    let strict = ["--policy", "op-unreviewed=error"];
    printed(&world, &strict, 1);
    // Neither what is staged nor a commit has operations.
    printed(&world, &[&strict[..], &["--cached"]].concat(), 0);
    printed(&world, &[&strict[..], &["--at", "HEAD"]].concat(), 0);
    // The same holds for a change: operations are its own.
    printed(&world, &[&strict[..], &["--base", "HEAD"]].concat(), 1);
    for format in ["json", "sarif", "github", "junit"] {
        let text = printed(&world, &[&strict[..], &["--format", format]].concat(), 1);
        assert!(text.contains(&format!("ops/{op}/op.json")), "{text}");
    }
    let record = world.path().join(format!(".git/cortex/ops/{op}/op.json"));
    std::fs::write(&record, "{").expect("it can be written");
    let text = printed(&world, &[], 1);
    assert!(
        text.contains(&format!("git cortex ops drop {op}")),
        "{text}"
    );
    world.answer(&["ops", "drop", &op]);
    printed(&world, &strict, 0);
}

#[test]
fn a_shallow_clone_cannot_tell_how_long_semantics_are_stale() {
    let world = world();
    let outline = world.json(&["resolve", "A"]);
    let id = outline["subject"]["symbol"]["typeId"]
        .as_str()
        .expect("an id");
    let text = format!("# Semantic: A {id}\nStructureHash: 0\nROLE: x\n");
    world.write(&format!(".context/semantic/{id}.semantic.md"), &text);
    world.commit("Describe A");
    // The commits of tests are old: days count from today for the work tree, from the commit for a commit.
    let limit = ["--policy", "max-stale-semantics-days=7"];
    let policy = [&limit[..], &["--at", "HEAD"]].concat();
    assert_eq!(code(&world, &[]), Some(0), "stale semantics are a warning");
    assert_eq!(code(&world, &limit), Some(1), "the text is old");
    assert_eq!(code(&world, &policy), Some(0), "the text was new");
    let clone = shallow(&world, "shallow");
    let check = |arguments: &[&str]| {
        let output = world.run_in(&clone, &[&["check"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    };
    assert_eq!(check(&[]).0, Some(0));
    let (status, text) = check(&policy);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("shallow clone"), "{text}");
}
