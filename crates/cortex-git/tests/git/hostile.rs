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
