//! The overlay in the less common corners of git.

use std::{fs, time::Duration};

use cortex_git::{
    ChangeStatus, OverlayKind, OverlayNote, ReadBlob, RenameOptions, Repository, find_renames,
};

use crate::common::{TestRepo, changes_raw, open, overlay_raw, raw_lines};

#[track_caller]
fn check_work_tree(test: &TestRepo) {
    let ours = overlay_raw(&test.open(), OverlayKind::WorkTree);
    assert_eq!(ours, test.work_tree_raw("HEAD"));
}

#[track_caller]
fn check_index(test: &TestRepo) {
    let ours = overlay_raw(&test.open(), OverlayKind::Index);
    let raw = test.git(&[
        "diff-index",
        "--cached",
        "--raw",
        "--no-renames",
        "--no-abbrev",
        "HEAD",
    ]);
    assert_eq!(ours, raw_lines(&raw));
}

/// The letters and paths of the work tree's changes.
#[track_caller]
fn check_letters(repo: &Repository, kind: OverlayKind, expected: &[&str]) {
    let head = repo.head().expect("HEAD");
    let tree = head.map(|head| repo.commit(head).expect("a commit").tree);
    let overlay = repo.overlay(tree, kind).expect("an overlay");
    let letters: Vec<_> = overlay
        .changes
        .iter()
        .map(|change| format!("{} {}", change.status.letter(), change.path()))
        .collect();
    assert_eq!(letters, expected);
}

#[test]
fn line_ends_count_as_git_counts_them() {
    for (attributes, config) in [
        ("", "true"),
        ("", "input"),
        ("", "false"),
        ("* text=auto\n", "false"),
        ("*.cs text eol=crlf\n*.bin -text\n", "false"),
        ("*.cs text eol=lf\n", "true"),
        ("*.cs text=auto eol=crlf\n", "input"),
        ("*.cs crlf\n*.bin binary\n", "true"),
    ] {
        let test = TestRepo::new();
        test.git(&["config", "core.autocrlf", "false"]);
        test.write("lf.cs", "a\nb\n");
        test.write("crlf.cs", "a\r\nb\r\n");
        test.write("mixed.cs", "a\r\nb\n");
        test.write("x.bin", "a\r\nb\0\r\n");
        test.commit("without attributes");
        test.git(&["config", "core.autocrlf", config]);
        test.write(".gitattributes", attributes);
        for name in ["lf.cs", "mixed.cs", "x.bin", "new.cs"] {
            test.write(name, "a\r\nb\r\nc\r\n");
        }
        let ours = overlay_raw(&test.open(), OverlayKind::WorkTree);
        // A file with the very bytes of its blob is unchanged for us; git would convert it when it is next staged.
        let mut theirs = test.work_tree_raw("HEAD");
        theirs.retain(|line| !line.ends_with(" crlf.cs"));
        assert_eq!(ours, theirs, "{attributes:?}, core.autocrlf={config}");
    }
}

#[test]
fn a_checkout_with_other_line_ends_is_unchanged() {
    let test = TestRepo::new();
    test.write(
        ".gitattributes",
        "*.cs text eol=crlf\n*.id ident\n*.u16 text working-tree-encoding=UTF-16LE\n",
    );
    test.write("a.cs", "a\nb\n");
    test.write("v.id", "$Id$\n");
    test.write("t.u16", [b'a', 0, b'\n', 0]);
    test.commit("base");
    for name in ["a.cs", "v.id", "t.u16"] {
        fs::remove_file(test.work().join(name)).expect("a removed file");
    }
    test.git(&["checkout", "--", "."]);
    assert_eq!(
        fs::read(test.work().join("a.cs")).expect("a file"),
        b"a\r\nb\r\n"
    );
    // Written again: the times are no longer those of the index.
    for name in ["a.cs", "v.id", "t.u16"] {
        let content = fs::read(test.work().join(name)).expect("a file");
        fs::remove_file(test.work().join(name)).expect("a removed file");
        test.write(name, content);
    }
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
    test.write("a.cs", "a\r\nx\r\n");
    check_letters(&test.open(), OverlayKind::WorkTree, &["M a.cs"]);
    check_work_tree(&test);
    let repo = test.open();
    let tree = repo
        .commit(repo.head().expect("HEAD").expect("a commit"))
        .expect("a commit")
        .tree;
    let overlay = repo
        .overlay(Some(tree), OverlayKind::WorkTree)
        .expect("an overlay");
    let new = overlay.changes[0].new.as_ref().expect("modified");
    let content = overlay
        .reader(repo.blobs())
        .read_blob(new.blob)
        .expect("a content");
    assert_eq!(content, b"a\nx\n", "the content is in git's form");
}

#[test]
fn a_file_changed_in_the_moment_of_staging_is_seen() {
    let test = TestRepo::new();
    test.write("a.cs", "old\n");
    test.commit("base");
    for i in 0..20 {
        test.write("a.cs", format!("x{i:02}\n"));
        test.git(&["add", "a.cs"]);
        test.write("a.cs", format!("y{i:02}\n"));
        let repo = test.open();
        assert_eq!(
            overlay_raw(&repo, OverlayKind::WorkTree),
            test.work_tree_raw("HEAD")
        );
    }
}

/// Rewrites a file so that its size and its time of change say nothing.
fn rewrite_unseen(test: &TestRepo, path: &str, content: &str) {
    let full = test.work().join(path);
    let time = fs::metadata(&full)
        .and_then(|metadata| metadata.modified())
        .expect("a time");
    fs::write(&full, content).expect("a file");
    set_time(&full, time);
}

fn set_time(path: &std::path::Path, time: std::time::SystemTime) {
    let file = fs::File::options().write(true).open(path).expect("a file");
    file.set_modified(time).expect("a set time");
}

#[test]
fn a_racy_file_is_read() {
    let test = TestRepo::new();
    test.git(&["config", "core.trustCTime", "false"]);
    test.write("a.cs", "x\n");
    test.write("b.cs", "b\n");
    test.commit("base");
    let written = fs::metadata(test.work().join("a.cs"))
        .and_then(|metadata| metadata.modified())
        .expect("a time");
    set_time(&test.work().join(".git/index"), written);
    rewrite_unseen(&test, "a.cs", "y\n");
    check_letters(&test.open(), OverlayKind::WorkTree, &["M a.cs"]);

    // When git writes the index again, it marks such a file by the size zero. That is not the size of the file.
    test.write("b.cs", "staged\n");
    test.git(&["update-index", "b.cs"]);
    let later = written + Duration::from_secs(10);
    set_time(&test.work().join(".git/index"), later);
    check_letters(&test.open(), OverlayKind::WorkTree, &["M a.cs", "M b.cs"]);
    rewrite_unseen(&test, "a.cs", "");
    check_letters(&test.open(), OverlayKind::WorkTree, &["M a.cs", "M b.cs"]);
}

#[test]
fn an_overlay_is_laid_over_any_tree() {
    let test = TestRepo::new();
    test.write("a.cs", "1\n");
    test.write("b.cs", "1\n");
    test.commit("one");
    test.write("a.cs", "2\n");
    test.commit("two");
    // The index now knows that it equals the second tree.
    let repo = test.open();
    let tree = |spec| {
        repo.commit(repo.resolve(spec).expect("a commit"))
            .expect("a commit")
            .tree
    };
    for kind in [OverlayKind::Index, OverlayKind::WorkTree] {
        let overlay = repo
            .overlay(Some(tree("HEAD~1")), kind)
            .expect("an overlay");
        assert_eq!(changes_raw(&overlay.changes), test.work_tree_raw("HEAD~1"));
        let overlay = repo.overlay(Some(tree("HEAD")), kind).expect("an overlay");
        assert_eq!(overlay.changes, []);
        let overlay = repo.overlay(None, kind).expect("an overlay");
        assert_eq!(overlay.changes.len(), 2);
    }
}

#[test]
fn an_announced_file_is_in_the_work_tree_but_not_in_the_index() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    test.commit("base");
    test.write("new.cs", "n\n");
    test.git(&["add", "-N", "new.cs"]);
    check_letters(&test.open(), OverlayKind::Index, &[]);
    check_letters(&test.open(), OverlayKind::WorkTree, &["A new.cs"]);
    check_work_tree(&test);
    fs::remove_file(test.work().join("new.cs")).expect("a removed file");
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
}

#[test]
fn conflicts_are_named_and_ours_is_the_index() {
    let test = TestRepo::new();
    for name in ["both.cs", "ours.cs", "theirs.cs"] {
        test.write(name, "base\n");
    }
    test.commit("base");
    test.git(&["checkout", "-q", "-b", "other"]);
    test.write("both.cs", "theirs\n");
    test.write("theirs.cs", "theirs\n");
    fs::remove_file(test.work().join("ours.cs")).expect("a removed file");
    test.commit("theirs");
    test.git(&["checkout", "-q", "main"]);
    test.write("both.cs", "ours\n");
    test.write("ours.cs", "ours\n");
    fs::remove_file(test.work().join("theirs.cs")).expect("a removed file");
    test.commit("ours");
    assert!(!test.try_git(&["merge", "other"]).status.success());
    let repo = test.open();
    let tree = repo
        .commit(repo.head().expect("HEAD").expect("a commit"))
        .expect("a commit")
        .tree;
    let overlay = repo
        .overlay(Some(tree), OverlayKind::WorkTree)
        .expect("an overlay");
    let conflicts: Vec<_> = overlay.conflicts.iter().map(|path| path.as_str()).collect();
    assert_eq!(conflicts, ["both.cs", "ours.cs", "theirs.cs"]);
    assert_eq!(changes_raw(&overlay.changes), test.work_tree_raw("HEAD"));
    check_letters(&repo, OverlayKind::Index, &[]);
}

#[test]
fn files_marked_as_unchanged_count_as_the_index_has_them() {
    let test = TestRepo::new();
    test.write("assumed.cs", "a\n");
    test.write("skipped.cs", "a\n");
    test.commit("base");
    test.git(&["update-index", "--assume-unchanged", "assumed.cs"]);
    test.git(&["update-index", "--skip-worktree", "skipped.cs"]);
    test.write("assumed.cs", "b\n");
    fs::remove_file(test.work().join("skipped.cs")).expect("a removed file");
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
    check_work_tree(&test);
}

#[test]
fn sparse_checkouts_are_read_with_and_without_a_sparse_index() {
    for index in ["--no-sparse-index", "--sparse-index"] {
        let test = TestRepo::new();
        for path in ["in/a.cs", "out/b.cs", "out/deep/c.cs", "top.cs"] {
            test.write(path, format!("{path}\n"));
        }
        test.commit("base");
        test.git(&["sparse-checkout", "set", "--cone", index, "in"]);
        assert!(!test.work().join("out").exists());
        check_letters(&test.open(), OverlayKind::Index, &[]);
        check_letters(&test.open(), OverlayKind::WorkTree, &[]);
        test.write("in/a.cs", "changed\n");
        test.write("in/new.cs", "new\n");
        check_letters(
            &test.open(),
            OverlayKind::WorkTree,
            &["M in/a.cs", "A in/new.cs"],
        );
        check_index(&test);
        // Git looks at files that are there against the rule, and so do we.
        test.write("out/b.cs", "present\n");
        check_letters(
            &test.open(),
            OverlayKind::WorkTree,
            &["M in/a.cs", "A in/new.cs", "M out/b.cs"],
        );
    }
}

#[test]
fn other_forms_of_the_index_are_read() {
    let forms: [&[&str]; 3] = [
        &["update-index", "--index-version", "4"],
        &["update-index", "--split-index"],
        &["update-index", "--untracked-cache"],
    ];
    for form in forms {
        let test = TestRepo::new();
        for path in ["a/a.cs", "a/b.cs", "b.cs", "c.cs"] {
            test.write(path, format!("{path}\n"));
        }
        test.commit("base");
        test.git(form);
        test.write("b.cs", "staged\n");
        fs::remove_file(test.work().join("c.cs")).expect("a removed file");
        test.git(&["add", "-A"]);
        test.write("a/a.cs", "changed\n");
        test.write("d.cs", "new\n");
        check_index(&test);
        check_work_tree(&test);
    }
}

#[test]
fn a_submodule_counts_by_the_commit_that_is_checked_out() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    test.commit("base");
    let library = test.root().join("library");
    test.git_in(test.root(), &["init", "-q", "-b", "main", "library"]);
    fs::write(library.join("l.cs"), "l\n").expect("a file");
    test.git_in(&library, &["add", "-A"]);
    test.git_in(&library, &["commit", "-q", "-m", "one"]);
    test.git(&["submodule", "--quiet", "add", "../library", "sub"]);
    test.commit("with a submodule");
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
    test.write("sub/l.cs", "dirty\n");
    test.write("sub/untracked.cs", "dirty\n");
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
    let sub = test.work().join("sub");
    test.git_in(&sub, &["commit", "-q", "-a", "-m", "two"]);
    check_letters(&test.open(), OverlayKind::WorkTree, &["M sub"]);
    check_work_tree(&test);
    fs::remove_dir_all(&sub).expect("a removed folder");
    fs::create_dir(&sub).expect("a folder");
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
    fs::remove_dir(&sub).expect("a removed folder");
    check_letters(&test.open(), OverlayKind::WorkTree, &["D sub"]);
}

#[test]
fn linked_work_trees_have_their_own_head_and_share_the_rest() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    let first = test.commit("one");
    test.write("a.cs", "b\n");
    test.commit("two");
    let linked = test.root().join("linked");
    test.git(&["worktree", "add", "-q", "--detach", "../linked", &first]);
    let repo = open(&linked);
    assert_eq!(
        repo.head().expect("HEAD").expect("a commit").to_string(),
        first
    );
    assert_eq!(
        repo.common_dir().canonicalize().expect("a folder"),
        test.work().join(".git").canonicalize().expect("a folder")
    );
    assert_ne!(repo.git_dir(), repo.common_dir());
    check_letters(&repo, OverlayKind::WorkTree, &[]);
    fs::write(linked.join("a.cs"), "c\n").expect("a file");
    check_letters(&repo, OverlayKind::WorkTree, &["M a.cs"]);
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
}

#[test]
fn a_bare_repository_has_an_empty_overlay() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    test.commit("one");
    test.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    let repo = open(&test.root().join("bare.git"));
    assert!(repo.is_bare());
    check_letters(&repo, OverlayKind::WorkTree, &[]);
}

#[test]
fn before_the_first_commit_everything_is_added() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    test.write("b.cs", "b\n");
    check_letters(&test.open(), OverlayKind::WorkTree, &["A a.cs", "A b.cs"]);
    check_letters(&test.open(), OverlayKind::Index, &[]);
    test.git(&["add", "a.cs"]);
    check_letters(&test.open(), OverlayKind::Index, &["A a.cs"]);
}

#[test]
fn ignored_files_are_left_out_unless_they_are_tracked() {
    let test = TestRepo::new();
    test.write(
        ".gitignore",
        "bin/\n*.log\n!keep.log\n/top.cs\nsub/*\n!sub/kept/\n",
    );
    test.write("bin/tracked.cs", "t\n");
    test.git(&["add", "-f", "bin/tracked.cs"]);
    test.commit("base");
    for path in [
        "bin/other.cs",
        "x.log",
        "keep.log",
        "top.cs",
        "deep/top.cs",
        "deep/bin/x.cs",
        "sub/x.cs",
        "sub/kept/x.cs",
        "obj/x.cs",
        "deep/er/.gitignore",
        "deep/er/x.log",
        "deep/er/y.cs",
    ] {
        test.write(path, format!("{path}\n"));
    }
    test.write("deep/er/.gitignore", "!x.log\ny.cs\n");
    test.write("bin/tracked.cs", "changed\n");
    fs::write(test.work().join(".git/info/exclude"), "obj\n").expect("a file");
    check_work_tree(&test);
}

#[test]
fn a_repository_inside_is_left_out_and_noted() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    test.commit("base");
    test.git(&["init", "-q", "inner/nested"]);
    test.write("inner/nested/x.cs", "x\n");
    test.write("inner/y.cs", "y\n");
    let repo = test.open();
    check_letters(&repo, OverlayKind::WorkTree, &["A inner/y.cs"]);
    let tree = repo
        .commit(repo.head().expect("HEAD").expect("a commit"))
        .expect("a commit")
        .tree;
    let overlay = repo
        .overlay(Some(tree), OverlayKind::WorkTree)
        .expect("an overlay");
    assert_eq!(
        overlay.notes,
        [OverlayNote::NestedRepository {
            path: "inner/nested".into()
        }]
    );
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_never_followed() {
    use std::os::unix::fs::symlink;
    let test = TestRepo::new();
    test.write("folder/a.cs", "a\n");
    test.write("link.cs", "l\n");
    test.commit("base");
    let outside = test.root().join("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("a.cs"), "secret\n").expect("a file");
    fs::remove_dir_all(test.work().join("folder")).expect("a removed folder");
    symlink(&outside, test.work().join("folder")).expect("a link");
    fs::remove_file(test.work().join("link.cs")).expect("a removed file");
    symlink(outside.join("a.cs"), test.work().join("link.cs")).expect("a link");
    let repo = test.open();
    check_letters(
        &repo,
        OverlayKind::WorkTree,
        &["A folder", "D folder/a.cs", "T link.cs"],
    );
    check_work_tree(&test);
}

#[test]
fn equal_contents_have_equal_digests() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    test.commit("base");
    let digest = || {
        let repo = test.open();
        let tree = repo
            .commit(repo.head().expect("HEAD").expect("a commit"))
            .expect("a commit")
            .tree;
        repo.overlay(Some(tree), OverlayKind::WorkTree)
            .expect("an overlay")
            .digest
    };
    let clean = digest();
    test.write("a.cs", "b\n");
    let changed = digest();
    assert_ne!(clean, changed);
    test.git(&["add", "-A"]);
    assert_eq!(
        changed,
        digest(),
        "staging changes nothing in the work tree"
    );
    test.write("a.cs", "c\n");
    assert_ne!(changed, digest());
    std::thread::sleep(Duration::from_millis(30));
    test.write("a.cs", "a\n");
    assert_eq!(clean, digest(), "other times, equal contents");
}

#[test]
fn large_contents_are_read_again_and_checked() {
    let test = TestRepo::new();
    test.write("a.cs", "a\n");
    test.commit("base");
    let large = vec![b'x'; 3 << 20];
    test.write("large.txt", &large);
    let repo = test.open();
    let tree = repo
        .commit(repo.head().expect("HEAD").expect("a commit"))
        .expect("a commit")
        .tree;
    let overlay = repo
        .overlay(Some(tree), OverlayKind::WorkTree)
        .expect("an overlay");
    let id = overlay.changes[0].new.as_ref().expect("added").blob;
    assert_eq!(
        overlay.content(id).expect("unchanged").expect("held"),
        large
    );
    let mut reader = overlay.reader(repo.blobs());
    assert_eq!(reader.blob_size(id).expect("a size"), large.len() as u64);
    test.write("large.txt", "other");
    assert!(overlay.content(id).is_err());
}

#[test]
fn renames_are_found_in_the_work_tree() {
    let test = TestRepo::new();
    let text: String = (0..40).map(|i| format!("line {i}\n")).collect();
    test.write("old.cs", &text);
    test.commit("base");
    fs::remove_file(test.work().join("old.cs")).expect("a removed file");
    test.write("new.cs", text + "more\n");
    let repo = test.open();
    let tree = repo
        .commit(repo.head().expect("HEAD").expect("a commit"))
        .expect("a commit")
        .tree;
    let overlay = repo
        .overlay(Some(tree), OverlayKind::WorkTree)
        .expect("an overlay");
    let mut reader = overlay.reader(repo.blobs());
    let renames = find_renames(
        overlay.changes.clone(),
        &mut reader,
        &RenameOptions::default(),
    );
    assert!(matches!(
        renames.changes[0].status,
        ChangeStatus::Renamed { similarity: 90.. }
    ));
}

#[cfg(unix)]
#[test]
fn without_the_executable_bit_modes_come_from_the_index() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestRepo::new();
    test.write("a.sh", "a\n");
    test.commit("base");
    let path = test.work().join("a.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("changed permissions");
    check_letters(&test.open(), OverlayKind::WorkTree, &["M a.sh"]);
    test.git(&["config", "core.fileMode", "false"]);
    check_letters(&test.open(), OverlayKind::WorkTree, &[]);
}

#[test]
fn a_large_file_that_git_does_not_have_is_not_read() {
    let test = TestRepo::new();
    test.write("a.cs", "class A { }\n");
    test.commit("one");
    let large = std::fs::File::create(test.work().join("disk.img")).expect("a new file");
    // Sparse: reading it would take minutes.
    large.set_len(1 << 40).expect("a length");
    let repo = test.open();
    let overlay = repo.overlay(None, cortex_git::OverlayKind::WorkTree);
    let overlay = overlay.expect("an overlay");
    let paths: Vec<&str> = (overlay.changes.iter())
        .map(|change| change.path().as_str())
        .collect();
    assert_eq!(paths, ["a.cs", "disk.img"]);
    let id = overlay.changes[1].new.as_ref().expect("it is new").blob;
    let size = overlay.reader(repo.blobs()).blob_size(id);
    assert_eq!(size.expect("a size"), 1 << 40);
}
