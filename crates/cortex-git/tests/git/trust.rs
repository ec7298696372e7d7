//! The proof of reduced trust: a repository that names programs wherever git would run one, and none is run.

use std::{fs, path::Path};

use cortex_git::{
    Cached, OverlayKind, OverlayNote, RangeSpec, ReadBlob, RenameOptions, Repository, find_renames,
};

use crate::common::{TestRepo, snapshot};

/// Makes a repository whose configuration and attributes name a program for everything.
fn trap(test: &TestRepo) {
    let marker = |name: &str| {
        format!(
            "touch '{}'; cat",
            test.root().join(format!("ran-{name}")).display()
        )
    };
    test.write("a.cs", "a\n");
    test.write("b.lfs", "b\n");
    test.write("old.txt", "one\ntwo\nthree\n");
    test.commit("one");
    test.write("a.cs", "b\n");
    test.commit("two");
    test.write(
        ".gitattributes",
        "* filter=trap diff=trap merge=trap\n*.cs -filter diff=trap\n",
    );
    test.git(&["add", ".gitattributes"]);
    test.git(&["commit", "-q", "-m", "three"]);
    let hooks = test.work().join(".git/hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    for hook in [
        "post-index-change",
        "fsmonitor-watchman",
        "reference-transaction",
        "post-checkout",
        "pre-commit",
        "query-watchman",
    ] {
        write_program(&hooks.join(hook), &marker(&format!("hook-{hook}")));
    }
    let program = test.root().join("program");
    write_program(&program, &marker("program"));
    let program = program.to_str().expect("UTF-8").to_owned();
    for (key, value) in [
        ("core.fsmonitor", program.as_str()),
        ("core.hooksPath", hooks.to_str().expect("UTF-8")),
        ("core.pager", &marker("pager")),
        ("core.editor", &marker("editor")),
        ("core.sshCommand", &marker("ssh")),
        ("core.askPass", &program),
        ("core.gitProxy", &program),
        ("core.alternateRefsCommand", &marker("alternate-refs")),
        ("filter.trap.clean", &marker("clean")),
        ("filter.trap.smudge", &marker("smudge")),
        ("filter.trap.process", &marker("process")),
        ("filter.trap.required", "true"),
        ("diff.external", &program),
        ("diff.trap.command", &program),
        ("diff.trap.textconv", &marker("textconv")),
        ("merge.trap.driver", &marker("merge")),
        ("credential.helper", &format!("!{}", marker("credential"))),
        ("gpg.program", &program),
        ("remote.origin.url", "ssh://example.invalid/x"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", &marker("upload-pack")),
        ("extensions.partialClone", "origin"),
        ("core.repositoryFormatVersion", "1"),
        ("safe.directory", "*"),
        ("include.path", "included"),
    ] {
        test.git(&["config", key, value]);
    }
    fs::write(
        test.work().join(".git/included"),
        "[cortex]\n included = yes\n",
    )
    .expect("a file");
    // Dirty in every way, with other times than the index has.
    test.write("a.cs", "changed\n");
    test.write("b.lfs", "bb\n");
    fs::remove_file(test.work().join("old.txt")).expect("a removed file");
    test.write("new.txt", "one\ntwo\nthree\nfour\n");
}

#[cfg(unix)]
fn write_program(path: &Path, command: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, format!("#!/bin/sh\n{command}\n")).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("changed permissions");
}

#[cfg(not(unix))]
fn write_program(path: &Path, command: &str) {
    fs::write(path, format!("#!/bin/sh\n{command}\n")).expect("a file");
}

/// The names of the programs that were run.
fn ran(test: &TestRepo) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(test.root())
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name.starts_with("ran-"))
        .collect();
    names.sort();
    names
}

/// Uses every verb there is.
fn use_all(repo: &Repository) -> Vec<OverlayNote> {
    let head = repo.head().expect("HEAD").expect("a commit");
    let tree = repo.commit(head).expect("a commit").tree;
    assert!(!repo.is_bare() && !repo.is_shallow());
    assert!(repo.config_string("core.pager").is_some());
    for revisions in [
        vec![],
        vec!["HEAD~1"],
        vec!["HEAD~2..HEAD"],
        vec!["HEAD~2...HEAD"],
    ] {
        let spec = RangeSpec {
            revisions: revisions.into_iter().map(Into::into).collect(),
            cached: Cached::No,
            paths: Vec::new(),
        };
        repo.resolve_range(&spec).expect("a range");
    }
    assert!(repo.resolve("nothing").is_err());
    assert!(repo.resolve(&"1".repeat(40)).is_err());
    let first = repo
        .first_parents(head)
        .last()
        .expect("a commit")
        .expect("a commit");
    repo.merge_base(head, first).expect("a base");
    let mut blobs = repo.blobs();
    for file in repo.tree_files(tree).expect("a tree") {
        blobs.read(file.blob).expect("a blob");
        blobs.header_size(file.blob).expect("a size");
    }
    let missing = cortex_model::ObjectId::from_hex(&"2".repeat(40)).expect("an id");
    assert!(blobs.read(cortex_model::BlobId(missing)).is_err());
    repo.path_filter(&["*.cs".into()]).expect("patterns");
    repo.folder_files(tree, "nothing").expect("a tree");
    repo.reference_tips().expect("references");
    let old = repo.commit(first).expect("a commit").tree;
    repo.diff_trees(Some(old), Some(tree))
        .expect("a difference");
    repo.overlay(Some(tree), OverlayKind::Index)
        .expect("an overlay");
    let overlay = repo
        .overlay(Some(tree), OverlayKind::WorkTree)
        .expect("an overlay");
    let mut reader = overlay.reader(repo.blobs());
    for change in &overlay.changes {
        for side in [&change.old, &change.new].into_iter().flatten() {
            reader.read_blob(side.blob).expect("a content");
        }
    }
    find_renames(
        overlay.changes.clone(),
        &mut reader,
        &RenameOptions::default(),
    );
    overlay.notes
}

/// Says in the environment of a child process which repository it is to use.
const REPOSITORY: &str = "CORTEX_GIT_TEST_REPOSITORY";

/// Uses every verb in a process of its own, whose user trusts every folder and has a filter of his own.
fn use_all_as_a_trusting_user(test: &TestRepo) {
    let marker = test.root().join("ran-user-filter");
    let config = format!(
        "[safe]\n directory = *\n[filter \"trap\"]\n clean = touch {0}\n smudge = touch {0}\n[core]\n excludesFile = {1}\n\
         [cortex]\n dir = user\n",
        marker.display(),
        test.root().join("ignored").display(),
    );
    fs::write(test.root().join("home/.gitconfig"), config).expect("a file");
    fs::write(test.root().join("ignored"), "*.ignored\n").expect("a file");
    test.write("x.ignored", "x\n");
    let output = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "trust::a_trusting_user_reads_as_safely",
            "--nocapture",
        ])
        .env("HOME", test.root().join("home"))
        .env_remove("XDG_CONFIG_HOME")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env(REPOSITORY, test.work())
        .output()
        .expect("a process");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn a_trusting_user_reads_as_safely() {
    let Some(path) = std::env::var_os(REPOSITORY) else {
        return;
    };
    let repo = Repository::open(Path::new(&path)).expect("a repository");
    assert_eq!(repo.config_string("cortex.dir").as_deref(), Some("user"));
    assert_eq!(
        repo.user_config_string("cortex.dir").as_deref(),
        Some("user")
    );
    assert!(repo.config_string("core.sshCommand").is_some());
    assert_eq!(repo.user_config_string("core.sshCommand"), None);
    assert_eq!(
        repo.config_string("cortex.included").as_deref(),
        Some("yes")
    );
    assert_eq!(repo.user_config_string("cortex.included"), None);
    use_all(&repo);
    let head = repo.head().expect("HEAD").expect("a commit");
    let tree = repo.commit(head).expect("a commit").tree;
    let overlay = repo
        .overlay(Some(tree), OverlayKind::WorkTree)
        .expect("an overlay");
    let is_ignored = overlay
        .changes
        .iter()
        .all(|change| change.path().as_str() != "x.ignored");
    assert!(is_ignored, "the user's own ignore file counts");
}

#[test]
fn no_program_of_a_repository_is_run_and_nothing_is_written() {
    let test = TestRepo::new();
    trap(&test);
    let trapped = ran(&test);
    for name in trapped {
        fs::remove_file(test.root().join(name)).expect("a removed marker");
    }
    let before = snapshot(&test.work().join(".git"));
    let notes = use_all(&test.open());
    use_all_as_a_trusting_user(&test);
    assert_eq!(ran(&test), [""; 0]);
    assert!(
        before == snapshot(&test.work().join(".git")),
        "no byte changed"
    );
    let unfiltered: Vec<_> = notes
        .iter()
        .map(|note| match note {
            OverlayNote::FilterNotRun { path, filter } => format!("{path} {filter}"),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(unfiltered, ["b.lfs trap", "new.txt trap"]);

    // The trap is one: git itself falls into it.
    let _ = test.try_git(&["status"]);
    let _ = test.try_git(&["diff"]);
    assert!(ran(&test).len() > 1, "git runs {:?}", ran(&test));
}
