//! Objects that no honest repository has: what they unfold to is bounded, and every walk over them ends.

use cortex_git::{ConfigScope, GitError, OverlayKind, Parents, Repository};

use crate::common::TestRepo;

/// The id of a tree of ten folders that are all equal, so many levels deep: ten to that power files.
fn bomb(test: &TestRepo, n_levels: usize, name: &str) -> String {
    test.write("a.cs", "class A { }\n");
    test.git(&["add", "-A"]);
    let mut tree = test.git(&["write-tree"]).trim().to_owned();
    for _ in 0..n_levels {
        let entries: String = (0..10)
            .map(|i| format!("040000 tree {tree}\t{name}{i}\n"))
            .collect();
        test.write("../entries", entries);
        let entries = std::fs::File::open(test.root().join("entries")).expect("a written file");
        let mut command = test.command(test.work(), &["mktree"]);
        let output = command.stdin(entries).output().expect("git starts");
        tree = String::from_utf8(output.stdout)
            .expect("UTF-8")
            .trim()
            .to_owned();
    }
    let commit = test.git(&["commit-tree", &tree, "-m", "bomb"]);
    commit.trim().to_owned()
}

#[test]
fn a_tree_that_unfolds_to_billions_of_files_is_refused() {
    let test = TestRepo::new();
    test.commit("one");
    for name in ["d", &"long".repeat(60)] {
        let bomb = bomb(&test, 10, name);
        let repo = test.open();
        let tree = |spec: &str| {
            let commit = repo.resolve(spec).expect("a commit");
            repo.commit(commit).expect("a commit").tree
        };
        let (head, bomb) = (tree("HEAD"), tree(&bomb));
        let is_refused = |error: GitError| matches!(error, GitError::TooLarge { .. });
        assert!(repo.tree_files(bomb).is_err_and(is_refused));
        let folder = format!("{name}1");
        assert!(repo.folder_files(bomb, &folder).is_err_and(is_refused));
        assert!(
            repo.diff_trees(Some(head), Some(bomb))
                .is_err_and(is_refused)
        );
        assert!(repo.diff_trees(Some(bomb), None).is_err_and(is_refused));
        let overlay = repo.overlay(Some(bomb), OverlayKind::WorkTree);
        assert!(overlay.map(|_| ()).is_err_and(is_refused));
    }
}

#[test]
fn equal_folders_as_real_repositories_have_them_are_listed() {
    let test = TestRepo::new();
    let bomb = bomb(&test, 4, "d");
    let repo = test.open();
    let commit = repo.commit(repo.resolve(&bomb).expect("a commit"));
    let files = repo.tree_files(commit.expect("a commit").tree);
    assert_eq!(files.expect("a tree").len(), 10_000);
}

#[test]
fn a_commit_that_is_its_own_ancestor_ends_every_walk() {
    let test = TestRepo::new();
    for i in 0..3 {
        test.commit(&format!("commit {i}"));
    }
    let looped = test.git(&["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "loop"]);
    test.git(&["replace", "HEAD~1", looped.trim()]);
    let repo = test.open();
    let head = repo.resolve("HEAD").expect("a commit");
    assert_eq!(repo.first_parents(head).count(), 2);
    for parents in [Parents::All, Parents::First] {
        let commits = repo.history(None, head, parents, usize::MAX);
        assert_eq!(commits.expect("a walk").len(), 2, "{parents:?}");
    }
    let all = repo.history_since(head, i64::MIN).expect("a walk");
    assert_eq!(all.len(), 2);
    let parent = repo.resolve("HEAD~1").expect("a commit");
    repo.merge_base(head, parent).expect("a base");
    assert!(repo.resolve("HEAD~1000000000").is_err());
}

#[test]
fn what_git_refuses_of_a_repository_is_refused() {
    for (key, value) in [
        ("core.repositoryFormatVersion", "2"),
        ("extensions.unheardOf", "true"),
    ] {
        let test = TestRepo::new();
        test.commit("one");
        test.git(&["config", "core.repositoryFormatVersion", "1"]);
        test.git(&["config", key, value]);
        assert!(!test.try_git(&["status"]).status.success(), "{key}");
        let opened = Repository::open_with(test.work(), ConfigScope::RepositoryOnly);
        assert!(opened.is_err(), "{key}");
    }
    let test = TestRepo::new();
    test.commit("one");
    test.write(".git/shallow", "no id\n");
    assert!(!test.try_git(&["log"]).status.success());
    let opened = Repository::open_with(test.work(), ConfigScope::RepositoryOnly);
    assert!(matches!(opened.map(drop), Err(GitError::Engine { .. })));
}

#[test]
fn an_index_with_paths_of_any_length_is_read() {
    let test = TestRepo::new();
    test.write("a.cs", "class A { }\n");
    test.write("z.cs", "class Z { }\n");
    test.git(&["add", "-A"]);
    test.commit("one");
    let blob = test.git(&["rev-parse", "HEAD:a.cs"]);
    let folder = ["d".repeat(200).as_str(); 20].join("/");
    let long = |n: usize| format!("{folder}/{}.cs", "x".repeat(n - folder.len() - 4));
    let entries: String = (4_093..4_110)
        .map(|n| format!("100644 {}\t{}\n", blob.trim(), long(n)))
        .collect();
    test.write("../entries", entries);
    for version in ["2", "3", "4"] {
        // With the extensions that say where entries are, and an entry of the longer form.
        test.git(&["config", "index.threads", "2"]);
        let entries = std::fs::File::open(test.root().join("entries")).expect("a written file");
        let mut command = test.command(test.work(), &["update-index", "--index-info"]);
        assert!(
            command
                .stdin(entries)
                .status()
                .expect("git starts")
                .success()
        );
        test.write("b.cs", "class B { }\n");
        test.git(&["add", "-N", "b.cs"]);
        test.git(&["update-index", "--index-version", version]);
        let repo = test.open();
        let head = repo.resolve("HEAD").expect("a commit");
        let tree = repo.commit(head).expect("a commit").tree;
        let overlay = repo.overlay(Some(tree), OverlayKind::Index);
        let overlay = overlay.expect("a readable index");
        let added: Vec<usize> = (overlay.changes.iter())
            .map(|change| change.path().as_str().len())
            .collect();
        assert_eq!(added, (4_093..4_110).collect::<Vec<_>>(), "{version}");
    }
}

#[test]
fn a_commit_that_cannot_be_read_is_named_and_no_other_one_is_suggested() {
    let test = TestRepo::new();
    test.commit("one");
    test.commit("two");
    let head = test.git(&["rev-parse", "HEAD"]);
    let (folder, name) = head.trim().split_at(2);
    let object = test.work().join(".git/objects").join(folder).join(name);
    std::fs::remove_file(object).expect("a new object is loose");
    for spec in ["HEAD", "HEAD~1", "main~1", "@^"] {
        let error = test.open().resolve(spec).expect_err("it is gone");
        let is_named = |id: cortex_model::ObjectId| id.to_string() == head.trim();
        assert!(
            matches!(error, GitError::MissingObject { id, .. } if is_named(id)),
            "{spec}: {error}"
        );
    }
}

#[test]
fn a_pack_that_came_since_is_seen_by_who_asked_before() {
    let test = TestRepo::new();
    for name in ["a.cs", "b.cs"] {
        test.write(name, format!("// {name}\n"));
        test.git(&["add", "-A"]);
        test.commit(name);
        test.git(&["repack", "-d"]);
    }
    let blob = test.git(&["rev-parse", "HEAD:b.cs"]);
    let blob = cortex_model::ObjectId::from_hex(blob.trim()).map(cortex_model::BlobId);
    let blob = blob.expect("an id");
    let packs = test.work().join(".git/objects/pack");
    let newest = std::fs::read_dir(&packs)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "idx"))
        .find(|path| {
            let listed = test.try_git(&["verify-pack", "-v", &path.to_string_lossy()]);
            String::from_utf8_lossy(&listed.stdout).contains(&blob.to_string())
        })
        .expect("a pack has it");
    let parts = ["idx", "pack", "rev"].map(|it| newest.with_extension(it));
    let aside = |path: &std::path::Path| test.root().join(path.file_name().expect("a name"));
    for part in parts.iter().filter(|part| part.exists()) {
        std::fs::rename(part, aside(part)).expect("it is moved");
    }
    let repo = test.open();
    assert_eq!(repo.absent(&[blob]), [blob]);
    for part in &parts {
        let _ = std::fs::rename(aside(part), part);
    }
    assert_eq!(repo.absent(&[blob]), []);
}
