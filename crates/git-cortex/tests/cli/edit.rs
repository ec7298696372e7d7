//! `edit`, `review`, `apply`, `undo` and `ops`: the way of an edit from a plan to files and back.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use crate::harness::{World, times};

const CODE: &str = "class Old\n{\n    Old next;\n}\n";
const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
<TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>\n";

fn world() -> World {
    World::with_files(&[("App.csproj", PROJECT), ("Old.cs", CODE)])
}

#[test]
fn an_edit_is_planned_reviewed_applied_and_undone() {
    let world = world();
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let answer = &planned;
    assert_eq!(answer["verdict"], "proven");
    assert_eq!(answer["files"][0]["newFile"], "New.cs");
    let op = answer["op"].as_str().expect("an id");
    // Planning writes nothing, and nobody has approved it.
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    let refused = world.run(&["apply", op]);
    assert_eq!(refused.status.code(), Some(1));
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(words.contains("nobody has approved it"), "{words}");
    // A process that is no person's terminal cannot approve.
    let review = world.run(&["review", op]);
    assert!(!review.status.success());
    assert_eq!(world.git(&["status", "--porcelain"]), "");

    let mut apply = world.command(&["apply", op]);
    apply.env("GIT_CORTEX_REQUIRE_REVIEW", "never");
    assert!(apply.status().expect("it runs").success());
    assert_eq!(world.read("New.cs"), "class New\n{\n    New next;\n}\n");
    assert!(!world.path().join("Old.cs").exists());

    world.answer(&["undo", op]);
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    assert_eq!(world.read("Old.cs"), CODE);
    assert!(world.answer(&["ops", "list"]).contains("undone"));
    world.answer(&["ops", "drop", op]);
    assert_eq!(world.answer(&["ops", "list"]), "no operations\n");
}

/// Applies an operation that nobody needs to approve; whether that succeeded, and what it said.
fn apply_as(world: &World, op: &str, more: &[&str]) -> (bool, String) {
    let mut apply = world.command(&[&["apply", op], more].concat());
    apply.env("GIT_CORTEX_REQUIRE_REVIEW", "never");
    let output = apply.output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn an_edit_is_staged_as_git_adds_it_and_taken_back() {
    let world = world();
    world.write("Other.cs", "class Other { }\n");
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    let (is_applied, said) = apply_as(&world, op, &["--index"]);
    assert!(is_applied && said.contains("staged"), "{said}");
    let staged = world.git(&["diff", "--cached", "--raw", "--no-abbrev", "-M"]);
    world.git(&["reset", "-q"]);
    world.git(&["add", "Old.cs", "New.cs"]);
    assert_eq!(
        world.git(&["diff", "--cached", "--raw", "--no-abbrev", "-M"]),
        staged
    );
    // What is not of the edit stays as it was.
    assert!(
        world
            .git(&["status", "--porcelain"])
            .contains("?? Other.cs")
    );
    world.answer(&["undo", op]);
    assert_eq!(world.git(&["status", "--porcelain"]), "?? Other.cs\n");

    // What is staged already is of somebody else.
    world.write("Old.cs", "class Old\n{\n    Old next; // staged\n}\n");
    world.git(&["add", "Old.cs"]);
    world.write("Old.cs", CODE);
    let (is_applied, said) = apply_as(&world, op, &["--index"]);
    assert!(
        !is_applied && said.contains("`Old.cs` has changes that are not staged"),
        "{said}"
    );
    assert_eq!(world.read("Old.cs"), CODE);
}

#[test]
fn an_edit_is_merged_with_what_changed_since_and_decided_about_again() {
    let world = world();
    let long = "class Old\n{\n    Old next;\n\n    int a;\n\n    int b;\n}\n";
    world.write("Old.cs", long);
    world.git(&["commit", "-aqm", "Longer"]);
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    let elsewhere = long.replace("int b", "int changed");
    world.write("Old.cs", &elsewhere);
    let (is_applied, said) = apply_as(&world, op, &[]);
    assert!(
        !is_applied && said.contains("`Old.cs` has changed since"),
        "{said}"
    );

    let merged = world.json(&["apply", op, "--3way"]);
    let new = merged["edit"]["op"].as_str().expect("an id");
    assert_ne!(new, op);
    assert_eq!(merged["state"], "proven", "{merged}");
    assert_eq!(world.read("Old.cs"), elsewhere);
    // An approval of the first one says nothing about the second.
    assert!(!world.run(&["apply", new]).status.success());
    assert!(apply_as(&world, new, &[]).0);
    assert_eq!(world.read("New.cs"), elsewhere.replace("Old", "New"));
    world.answer(&["undo", new]);
    assert_eq!(world.read("Old.cs"), elsewhere);

    world.write("Old.cs", long.replace("Old next", "Old last"));
    let (is_planned, said) = apply_as(&world, op, &["--3way"]);
    assert!(
        !is_planned && said.contains("the same lines of `Old.cs`"),
        "{said}"
    );
}

#[test]
fn an_edit_is_committed_alone() {
    let world = world();
    let hook = world.path().join(".git/hooks/pre-commit");
    world.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch hook-ran\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    world.write("Other.cs", "class Other { }\n");
    world.git(&["add", "Other.cs"]);
    let commit = ["--commit", "-m", "Rename Old"];
    let (is_applied, said) = apply_as(&world, op, &commit);
    assert!(!is_applied && said.contains("identity unknown"), "{said}");
    assert_eq!(world.read("Old.cs"), CODE);
    world.git(&["config", "user.name", "A. U. Thor"]);
    world.git(&["config", "user.email", "author@example.com"]);
    let (is_applied, said) = apply_as(&world, op, &commit);
    assert!(
        !is_applied && said.contains("other changes are staged"),
        "{said}"
    );
    assert_eq!(world.read("Old.cs"), CODE);

    world.git(&["reset", "-q"]);
    let before = world.git(&["rev-parse", "HEAD"]);
    world.git(&["config", "filter.own.clean", "touch filter-ran; cat"]);
    world.git(&["config", "commit.gpgSign", "true"]);
    world.git(&["config", "gpg.program", "touch signer-ran"]);
    world.write(".git/info/attributes", "*.cs filter=own\n");
    let (is_applied, said) = apply_as(&world, op, &commit);
    assert!(is_applied && said.contains("committed as"), "{said}");
    for ran in ["hook-ran", "filter-ran", "signer-ran"] {
        assert!(!world.path().join(ran).exists(), "{ran}");
    }
    fs::remove_file(world.path().join(".git/info/attributes")).expect("a removed file");
    assert_eq!(world.git(&["rev-parse", "HEAD~1"]), before);
    assert_eq!(world.git(&["log", "-1", "--format=%s"]), "Rename Old\n");
    let files = world.git(&["show", "--format=", "--name-status", "--no-renames"]);
    assert_eq!(files, "A\tNew.cs\nD\tOld.cs\n");
    assert_eq!(world.git(&["status", "--porcelain"]), "?? Other.cs\n");
    assert!(world.answer(&["ops", "show", op]).contains("committed as"));

    // The commit stays, the files do not.
    world.answer(&["undo", op]);
    assert_eq!(world.read("Old.cs"), CODE);
    assert_eq!(world.git(&["log", "-1", "--format=%s"]), "Rename Old\n");
}

#[test]
fn the_patch_is_what_git_applies() {
    let world = world();
    let patch = world.answer(&["edit", "rename", "Old", "New", "--format", "patch"]);
    world.write(".git/patch.diff", &patch);
    world.git(&["apply", ".git/patch.diff"]);
    assert_eq!(world.read("New.cs"), "class New\n{\n    New next;\n}\n");
}

#[test]
fn a_repository_cannot_waive_reviews() {
    let world = world();
    world.git(&["config", "cortex.requireReview", "never"]);
    world.write(".context/config.toml", "requireReview = \"never\"\n");
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    assert!(!world.run(&["apply", op]).status.success());
    assert_eq!(world.read("Old.cs"), CODE);
}

/// Makes a key, and says whose it is.
fn key_of(world: &World, name: &str) -> (PathBuf, String) {
    let path = world.beside(name);
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f"])
        .arg(&path)
        .status();
    assert!(
        made.is_ok_and(|status| status.success()),
        "this test needs `ssh-keygen` of OpenSSH"
    );
    let public = fs::read_to_string(path.with_extension("pub")).expect("it is made");
    (path, public)
}

/// The signature that a key makes of what approves an operation.
fn signed(world: &World, (op, namespace): (&str, &str), key: &Path) -> PathBuf {
    let text = world.beside("text");
    fs::write(&text, world.answer(&["review", op, "--digest"])).expect("it is written");
    let signature = world.beside("text.sig");
    let _ = fs::remove_file(&signature);
    let made = Command::new("ssh-keygen")
        .args(["-q", "-Y", "sign", "-n", namespace, "-f"])
        .args([key, &text])
        .output()
        .expect("it runs");
    assert!(made.status.success(), "{made:?}");
    signature
}

#[test]
fn an_allowed_signer_approves_with_a_signature() {
    let world = world();
    let (alice, public) = key_of(&world, "alice");
    let (mallory, _) = key_of(&world, "mallory");
    fs::write(
        world.beside("signers"),
        format!("alice@example.com {public}"),
    )
    .expect("it is written");
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    let other = world.json(&["edit", "rename", "Old", "Other", "--format", "json"]);
    let other = other["op"].as_str().expect("an id");
    let run = |arguments: &[&str]| {
        let mut command = world.command(arguments);
        command.env("GIT_CORTEX_REQUIRE_REVIEW", "signature");
        let out = command.output().expect("it runs");
        let said = [out.stdout, out.stderr].concat();
        (
            out.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    };
    let approve = |signature: &Path| {
        let file = signature.to_str().expect("a path in UTF-8");
        run(&["review", op, "--signature", file])
    };
    // A repository names no signers.
    let signers = world
        .beside("signers")
        .display()
        .to_string()
        .replace('\\', "/");
    world.git(&["config", "gpg.ssh.allowedSignersFile", &signers]);
    let (is_approved, said) = approve(&signed(&world, (op, "git-cortex"), &alice));
    assert!(
        !is_approved && said.contains("no file of allowed signers"),
        "{said}"
    );
    world.git(&["config", "--unset", "gpg.ssh.allowedSignersFile"]);
    let user = format!("[gpg \"ssh\"]\n\tallowedSignersFile = {signers}\n");
    fs::write(world.beside("home").join(".gitconfig"), user).expect("it is written");
    // Of another signer, of another operation, and for another purpose.
    let wrong = [
        (op, "git-cortex", &mallory, "no allowed signer"),
        (other, "git-cortex", &alice, "not one of this operation"),
        (op, "file", &alice, "not one of this operation"),
    ];
    for (of, namespace, key, why) in wrong {
        let (is_approved, said) = approve(&signed(&world, (of, namespace), key));
        assert!(!is_approved && said.contains(why), "{said}");
    }
    assert!(!run(&["apply", op]).0);
    let (is_approved, said) = approve(&signed(&world, (op, "git-cortex"), &alice));
    assert!(is_approved, "{said}");
    let shown = world.answer(&["ops", "show", op]);
    assert!(
        shown.contains("approved by alice@example.com with a signature"),
        "{shown}"
    );
    // Who is no signer any more approves nothing.
    fs::write(world.beside("signers"), "").expect("it is written");
    let (is_applied, said) = run(&["apply", op]);
    assert!(!is_applied && said.contains("no allowed signer"), "{said}");
    fs::write(
        world.beside("signers"),
        format!("alice@example.com {public}"),
    )
    .expect("it is written");
    let (is_applied, said) = run(&["apply", op]);
    assert!(is_applied, "{said}");
    assert!(world.path().join("New.cs").exists());
}

#[test]
fn a_record_with_an_approval_of_another_kind_is_not_signed() {
    let world = world();
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    let record = world
        .path()
        .join(".git/cortex/ops")
        .join(op)
        .join("op.json");
    let text = fs::read_to_string(&record).expect("there is a record");
    let mut value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    value["approval"] = serde_json::json!({"by": "x", "how": "signature",
        "digest": value["digest"], "time": "2020-01-01T00:00:00Z"});
    fs::write(&record, value.to_string()).expect("it is written");
    // What HEAD asks for cannot be waived; what the work tree says does not matter.
    world.commit_files(
        &[(".context/config.toml", "requireReview = \"signature\"\n")],
        "Ask for signatures",
    );
    world.write(".context/config.toml", "requireReview = \"never\"\n");
    let (is_applied, said) = apply_as(&world, op, &[]);
    assert!(
        !is_applied && said.contains("without a signature"),
        "{said}"
    );
    let shown = world.answer(&["config"]);
    assert!(
        shown.contains("cortex.requireReview = signature"),
        "{shown}"
    );
    assert_eq!(world.read("Old.cs"), CODE);
}

#[test]
#[cfg(unix)]
fn a_repository_names_no_command_to_verify_with() {
    let world = world();
    world.git(&["config", "cortex.verify", "touch ../../ran"]);
    world.write(".context/config.toml", "verify = \"touch ../../ran\"\n");
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    let refused = world.run(&["verify", op]);
    assert!(!refused.status.success());
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        words.contains("no command is configured") && words.contains("set `cortex.verify`"),
        "{words}"
    );
}

#[test]
#[cfg(unix)]
fn an_edit_is_verified_with_the_command_of_the_user() {
    let world = world();
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    let verify = |command: &str| {
        let mut verify = world.command(&["verify", op]);
        verify.env("GIT_CORTEX_VERIFY", command);
        let out = verify.output().expect("it runs");
        let shown = String::from_utf8_lossy(&out.stdout).into_owned();
        (out.status.code(), shown)
    };
    let (status, shown) = verify("! test -e New.cs || echo 'New.cs(3,4): error CS1234: no'");
    assert_eq!(status, Some(1), "{shown}");
    let told = "not verified: `! test -e New.cs || echo 'New.cs(3,4): error CS1234: no'` succeeded before (0 diagnostics) and succeeded after (1 diagnostic)\n    new: New.cs:3: CS1234: no\n";
    assert_eq!(shown, told);
    let mut apply = world.command(&["apply", op]);
    apply.env("GIT_CORTEX_REQUIRE_REVIEW", "never");
    assert!(!apply.output().expect("it runs").status.success());
    assert_eq!(world.read("Old.cs"), CODE);
    let (status, shown) = verify("test -e New.cs -o -e Old.cs");
    assert_eq!(status, Some(0), "{shown}");
    assert!(
        world
            .answer(&["ops", "show", op])
            .contains("verified: `test -e")
    );
    let mut apply = world.command(&["apply", op]);
    apply.env("GIT_CORTEX_REQUIRE_REVIEW", "never");
    assert!(apply.output().expect("it runs").status.success());
    assert!(world.read("New.cs").contains("New"));
}

#[test]
fn a_rejected_edit_stays_rejected() {
    let world = world();
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    world.answer(&["review", op, "--reject", "-m", "a bad name"]);
    let mut apply = world.command(&["apply", op]);
    apply.env("GIT_CORTEX_REQUIRE_REVIEW", "never");
    let refused = apply.output().expect("it runs");
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(words.contains("a bad name"), "{words}");
    assert_eq!(world.read("Old.cs"), CODE);
}

#[test]
fn new_text_comes_from_an_argument_a_file_or_standard_input() {
    let world = world();
    let add = ["edit", "add-member", "Old", "--format", "patch"];
    let patch = world.answer(&[&add[..], &["--text", "int x;"]].concat());
    assert!(patch.contains("+    int x;"), "{patch}");
    world.write(".git/new.cs", "int x;");
    let path = world.path().join(".git/new.cs");
    let from_file = world.answer(&[&add[..], &["--file", &path.to_string_lossy()]].concat());
    assert_eq!(from_file, patch);
    let mut command = world.command(&add);
    command.stdin(std::fs::File::open(&path).expect("a file"));
    let from_input = command.output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&from_input.stdout), patch);
}

#[test]
fn a_changed_meaning_is_applied_where_it_is_wanted() {
    let world = world();
    let remove = ["edit", "remove-member", "Old.next", "--format", "json"];
    let op = world.json(&remove)["op"]
        .as_str()
        .expect("an id")
        .to_owned();
    world.answer(&["ops", "drop", &op]);
    world.write(
        "User.cs",
        "class User { object M(Old old) => old.ToString(); }\n",
    );
    let replace = [
        "edit",
        "replace-member",
        "T:Old",
        "--text",
        "class Other { }",
    ];
    let planned = world.run(&[&replace[..], &["--format", "json"]].concat());
    let planned: serde_json::Value = serde_json::from_slice(&planned.stdout).expect("JSON");
    assert_eq!(planned["answer"]["verdict"], "changed-meaning");
    let op = planned["answer"]["op"].as_str().expect("an id");
    let apply = |more: &[&str]| {
        let mut apply = world.command(&[&["apply", op], more].concat());
        apply.env("GIT_CORTEX_REQUIRE_REVIEW", "never");
        apply.output().expect("it runs").status.success()
    };
    assert!(!apply(&[]));
    assert!(apply(&["--allow-changed-meaning"]));
    assert_eq!(world.read("Old.cs"), "class Other { }\n");
}

#[test]
fn what_an_edit_wrote_is_proven_and_what_a_hand_adds_is_left_to_read() {
    let world = world();
    let patch = world.answer(&["edit", "rename", "Old", "New", "--format", "patch"]);
    world.write(".git/patch.diff", &patch);
    world.git(&["apply", ".git/patch.diff"]);
    world.git(&["add", "-N", "."]);
    let answer = world.answer(&["prove"]);
    assert!(answer.starts_with("proven: "), "{answer}");
    assert!(
        answer.contains("New.cs:1  New: renamed from Old out of Old.cs"),
        "{answer}"
    );

    world.edit("New.cs", "New next;", "New next = null;");
    let left = world.run(&["prove"]);
    assert_eq!(left.status.code(), Some(1));
    let text = String::from_utf8_lossy(&left.stdout).into_owned();
    assert!(
        text.contains("New.cs:3  New.next: changed (2 tokens)"),
        "{text}"
    );
}

#[test]
fn several_edits_are_one_operation() {
    let world = world();
    let edits = r#"[{"edit": "rename", "symbol": "Old", "to": "New"},
        {"edit": "add-member", "symbol": "New", "text": "int x;"}]"#;
    world.write(".git/edits.json", edits);
    let path = world.path().join(".git/edits.json");
    let patch = world.answer(&[
        "edit",
        "batch",
        &path.to_string_lossy(),
        "--format",
        "patch",
    ]);
    let short = world.run(&["edit", "batch", &path.to_string_lossy(), "--no-patch"]);
    let short = String::from_utf8_lossy(&short.stdout).into_owned();
    assert!(
        short.contains("proven") && !short.contains("diff --git"),
        "{short}"
    );
    // The request of the library is the same, and an error names the edit.
    let batch = |text: &str| {
        world.write(".git/edits.json", text);
        world.run(&[
            "edit",
            "batch",
            &path.to_string_lossy(),
            "--format",
            "patch",
        ])
    };
    let request = batch(&format!("{{\"edits\": {edits}}}"));
    assert_eq!(String::from_utf8_lossy(&request.stdout), patch);
    let wrong = batch(&edits.replace("\"text\"", "\"txt\""));
    let error = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(error.contains("edit 2 of the batch"), "{error}");
    world.write(".git/patch.diff", &patch);
    world.git(&["apply", ".git/patch.diff"]);
    assert_eq!(
        world.read("New.cs"),
        "class New\n{\n    New next;\n    int x;\n}\n"
    );
}

/// So many files use the type that is renamed.
const N_FILES: usize = 40;

/// Every file of a work tree.
fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let named = files.map(|entry| {
        let bytes = fs::read(entry.path()).expect("a file");
        (entry.file_name().to_string_lossy().into_owned(), bytes)
    });
    named.collect()
}

#[test]
fn killed_at_any_instant_an_edit_is_done_wholly_or_not_at_all() {
    let users: Vec<(String, String)> = (0..N_FILES)
        .map(|at| {
            (
                format!("User{at}.cs"),
                format!("class User{at} {{ Old old; }}\n"),
            )
        })
        .collect();
    let mut all = vec![("App.csproj", PROJECT), ("Old.cs", CODE)];
    all.extend(users.iter().map(|(path, text)| (&**path, &**text)));
    let world = World::with_files(&all);
    let planned = world.json(&["edit", "rename", "Old", "New", "--format", "json"]);
    let op = planned["op"].as_str().expect("an id");
    let command = |does: &str| {
        let mut command = world.command(&[does, op]);
        command.env("GIT_CORTEX_REQUIRE_REVIEW", "never");
        command.stdout(std::process::Stdio::null());
        command
    };
    let before = files_of(world.path());
    let start = Instant::now();
    assert!(command("apply").status().expect("it runs").success());
    let takes = start.elapsed();
    let after = files_of(world.path());
    assert_ne!(before, after);

    let mut is_applied = true;
    let mut n_killed = 0;
    // A step that meets the instants of a run in no order, and all of them in the long run.
    let mut at = 0.0_f64;
    for _ in 0..times("CORTEX_EDIT_KILLS", 24) {
        at = (at + 0.618_033_988_75) % 1.0;
        let mut child = command(if is_applied { "undo" } else { "apply" })
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it runs");
        std::thread::sleep(Duration::from_secs_f64(takes.as_secs_f64() * 1.1 * at));
        n_killed += usize::from(child.try_wait().expect("it is asked").is_none());
        let _ = child.kill();
        child.wait().expect("it ends");

        let listed = world.json(&["ops", "list", "--format", "json"]);
        is_applied = listed["ops"][0]["state"] == "applied";
        let expected = if is_applied { &after } else { &before };
        let found = files_of(world.path());
        let names: Vec<_> = found.keys().collect();
        assert!(found == *expected, "applied: {is_applied}, {names:?}");
    }
    assert!(n_killed > 0);
}

#[test]
fn what_one_framework_alone_compiles_is_edited() {
    let project = PROJECT.replace(
        "<TargetFramework>net8.0</TargetFramework>",
        "<TargetFrameworks>net8.0;netstandard2.0</TargetFrameworks>",
    );
    for symbol in ["NET8_0", "NETSTANDARD2_0"] {
        let code = format!(
            "class A\n{{\n    int B;\n#if {symbol}\n    int M(int old) => old + 1;\n#endif\n}}\n"
        );
        let world = World::with_files(&[("App.csproj", &project), ("A.cs", &code)]);
        for (named, written) in [
            ("A.cs:5:15", "M(int N) => N + 1;"),
            ("A.M", "N(int old) => old + 1;"),
        ] {
            let answer = world.json(&["edit", "rename", named, "N", "--format", "json"]);
            assert_eq!(answer["verdict"], "proven");
            let patch = answer["patch"].as_str().expect("a patch");
            assert!(patch.contains(&format!("+    int {written}")), "{patch}");
        }
        let swap = [
            "edit",
            "change-signature",
            "A.cs:5:9",
            "--rename",
            "old=N",
            "--format",
            "json",
        ];
        let answer = world.json(&swap);
        assert_eq!(answer["verdict"], "proven");
        let patch = answer["patch"].as_str().expect("a patch");
        assert!(patch.contains("+    int M(int N) => N + 1;"), "{patch}");
        let extract = [
            "edit",
            "extract-method",
            "A.cs:5:23-5:30",
            "Zq",
            "--format",
            "json",
        ];
        let answer = world.json(&extract);
        assert_eq!(answer["verdict"], "proven");
        for named in ["A.cs:5:9", "A.cs:5", "A.M"] {
            let answer = world.json(&["edit", "safe-delete", named, "--format", "json"]);
            assert_eq!(answer["verdict"], "proven");
            let patch = answer["patch"].as_str().expect("a patch");
            assert_eq!(patch.matches("\n-").count(), 2, "{patch}");
        }
    }
}
