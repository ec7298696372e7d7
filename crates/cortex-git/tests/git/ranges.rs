//! Ranges, revisions that do not resolve, path patterns, and repositories that are not whole.

use std::{fs, path::Path};

use cortex_git::{Advice, Cached, ConfigScope, GitError, Range, RangeSpec, Repository, Side};
use cortex_model::RepoPath;

use crate::common::{TestRepo, changes_raw, open, raw_lines};

fn spec(revisions: &[&str], cached: Cached) -> RangeSpec {
    RangeSpec {
        revisions: revisions.iter().map(|&revision| revision.into()).collect(),
        cached,
        paths: Vec::new(),
    }
}

#[track_caller]
fn range(repo: &Repository, revisions: &[&str]) -> Range {
    repo.resolve_range(&spec(revisions, Cached::No))
        .expect("a range")
}

#[track_caller]
fn check_error(repo: &Repository, revisions: &[&str], cached: Cached, message: &str, text: &str) {
    let advice = match text {
        "" => None,
        text => Some(Advice::Text(text.to_owned())),
    };
    check_advice(repo, revisions, cached, message, advice);
}

#[track_caller]
fn check_advice(
    repo: &Repository,
    revisions: &[&str],
    cached: Cached,
    message: &str,
    advice: Option<Advice>,
) {
    let error = repo
        .resolve_range(&spec(revisions, cached))
        .expect_err("no range");
    assert_eq!(error.to_string(), message);
    assert_eq!(error.advice(), advice);
}

/// main: one - two - three, side: one - four.
fn two_branches() -> TestRepo {
    let test = TestRepo::new();
    test.write("a.cs", "1\n");
    test.commit("one");
    test.git(&["checkout", "-q", "-b", "side"]);
    test.write("s.cs", "4\n");
    test.commit("four");
    test.git(&["checkout", "-q", "main"]);
    test.write("a.cs", "2\n");
    test.commit("two");
    test.write("b.cs", "3\n");
    test.commit("three");
    test
}

#[test]
fn ranges_of_commits_mean_what_git_diff_means() {
    let test = two_branches();
    let repo = test.open();
    let ranges: [&[&str]; 12] = [
        &["main..side"],
        &["main...side"],
        &["side...main"],
        &["main", "side"],
        &["..side"],
        &["side.."],
        &["...side"],
        &["side..."],
        &["HEAD~2..HEAD"],
        &["HEAD^!"],
        &["HEAD~2^!"],
        &["4b825dc642cb6eb9a060e54bf8d69288fbee4904", "HEAD"],
    ];
    for revisions in ranges {
        let range = range(&repo, revisions);
        let changes = repo
            .diff_trees(range.old.tree(), range.new.tree())
            .expect("a difference");
        let raw = match *revisions {
            // On a first commit git shows nothing for `^!`.
            ["HEAD~2^!"] => test.git(&[
                "diff",
                "--raw",
                "--no-abbrev",
                "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
                "HEAD~2",
            ]),
            _ => {
                let mut args = vec!["diff", "--raw", "--no-abbrev", "--no-renames"];
                args.extend(revisions);
                test.git(&args)
            }
        };
        assert_eq!(changes_raw(&changes), raw_lines(&raw), "{revisions:?}");
    }
}

#[test]
fn the_commits_of_a_range_are_those_of_git_log() {
    let test = two_branches();
    test.git(&["merge", "-q", "-m", "five", "side"]);
    let repo = test.open();
    for revisions in [
        "HEAD~1..HEAD",
        "side..HEAD",
        "HEAD..side",
        "HEAD~1...side",
        "HEAD~2",
    ] {
        let range = range(&repo, &[revisions]);
        let ours: Vec<_> = range
            .commits
            .iter()
            .map(|commit| commit.subject.as_str())
            .collect();
        let log = if revisions == "HEAD~2" {
            "HEAD~2..HEAD"
        } else {
            revisions
        };
        let log = log.replace("...", "..");
        let theirs = test.git(&["log", "--format=%s", &log]);
        assert_eq!(ours, theirs.lines().collect::<Vec<_>>(), "{revisions}");
        assert_eq!(range.n_commits, ours.len());
    }
}

#[test]
fn a_single_revision_is_compared_with_the_work_tree_or_the_index() {
    let test = two_branches();
    let repo = test.open();
    let head = range(&repo, &[]);
    assert_eq!((head.new, head.commits.len()), (Side::WorkTree, 0));
    let Side::Commit { commit, .. } = head.old else {
        panic!("HEAD is a commit");
    };
    assert_eq!(Some(commit), repo.head().expect("HEAD"));
    assert_eq!(range(&repo, &["HEAD~1"]).new, Side::WorkTree);
    let cached = repo
        .resolve_range(&spec(&[], Cached::Yes))
        .expect("a range");
    assert_eq!((cached.old, cached.new), (head.old, Side::Index));
}

#[test]
fn a_bare_repository_has_its_head_for_a_work_tree() {
    let test = two_branches();
    test.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    let repo = open(&test.root().join("bare.git"));
    let range = range(&repo, &["HEAD~1"]);
    let head = repo.resolve("HEAD").expect("a commit");
    assert!(matches!(range.new, Side::Commit { commit, .. } if commit == head));
}

#[test]
fn before_the_first_commit_the_old_side_is_empty() {
    let test = TestRepo::new();
    let repo = test.open();
    let range = range(&repo, &[]);
    assert_eq!((range.old, range.new), (Side::Empty, Side::WorkTree));
    check_error(
        &repo,
        &["HEAD"],
        Cached::No,
        "resolve revision `HEAD`: no reference and no object has this name",
        "the current branch has no commit yet",
    );
}

#[test]
fn errors_say_what_to_write_instead() {
    let test = two_branches();
    test.git(&["tag", "v1.0.0"]);
    let repo = test.open();
    let unknown =
        |name: &str| format!("resolve revision `{name}`: no reference and no object has this name");
    check_error(
        &repo,
        &["mian"],
        Cached::No,
        &unknown("mian"),
        "did you mean `main`?",
    );
    check_error(
        &repo,
        &["mian~1..HEAD"],
        Cached::No,
        &unknown("mian~1"),
        "did you mean `main~1`?",
    );
    check_error(&repo, &["v1.0"], Cached::No, &unknown("v1.0"), "");
    check_error(
        &repo,
        &["v1.0.1"],
        Cached::No,
        &unknown("v1.0.1"),
        "did you mean `v1.0.0`?",
    );
    check_error(
        &repo,
        &["a.cs"],
        Cached::No,
        &unknown("a.cs"),
        "it is a path: write `-- a.cs`",
    );
    check_error(
        &repo,
        &["HEAD~2^"],
        Cached::No,
        "resolve revision `HEAD~2^`: `HEAD~2` has no parent",
        "`HEAD~2` is the first commit; `4b825dc642cb6eb9a060e54bf8d69288fbee4904` stands for the state before it",
    );
    check_error(
        &repo,
        &["HEAD~7"],
        Cached::No,
        "resolve revision `HEAD~7`: `HEAD` has no such ancestor (2 along first parents)",
        "the first commit is `HEAD~2`",
    );
    check_advice(
        &repo,
        &["main..side"],
        Cached::Yes,
        "understand the range `main..side`: the index is compared with one revision",
        Some(Advice::OneRevision),
    );
    check_error(
        &repo,
        &["main..side", "HEAD"],
        Cached::No,
        "understand the range `main..side HEAD`: two revisions cannot be ranges themselves",
        "write `A..B`, or `A B`",
    );
    test.git(&["checkout", "-q", "--orphan", "island"]);
    test.commit("alone");
    check_error(
        &test.open(),
        &["main...island"],
        Cached::No,
        "understand the range `main...island`: the two have no common ancestor",
        "write `A..B` to compare them nevertheless",
    );
    assert!(matches!(
        test.open().resolve("HEAD:a.cs"),
        Err(GitError::WrongKind { .. })
    ));
}

#[test]
fn the_tips_of_references_are_commits_alone() {
    let test = two_branches();
    let side = test.git(&["rev-parse", "side"]);
    test.git(&["tag", "-a", "-m", "a tag", "heavy", "HEAD~1"]);
    test.git(&["tag", "of-a-blob", "HEAD:a.cs"]);
    test.git(&["tag", "of-a-tree", "HEAD^{tree}"]);
    test.git(&["checkout", "-q", "--detach", "HEAD~2"]);
    let mut expected = vec![side.trim().to_owned()];
    for revision in ["main", "main~1", "main~2"] {
        expected.push(test.git(&["rev-parse", revision]).trim().to_owned());
    }
    expected.sort();
    let tips = test.open().reference_tips().expect("references");
    assert_eq!(
        tips.iter().map(ToString::to_string).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn the_files_of_one_folder_are_those_of_the_tree() {
    let test = TestRepo::new();
    for path in [
        ".context/a.md",
        ".context/deep/b.md",
        ".contexts/c.md",
        "x/.context/d.md",
        "file",
    ] {
        test.write(path, path);
    }
    test.commit("base");
    let repo = test.open();
    let tree = repo
        .commit(repo.resolve("HEAD").expect("a commit"))
        .expect("a commit")
        .tree;
    for folder in [".context", "x", "file", "nothing", ""] {
        let ours = repo.folder_files(tree, folder).expect("a tree");
        let prefix = format!("{folder}/");
        let mut all = repo.tree_files(tree).expect("a tree");
        all.retain(|file| file.path.as_str().starts_with(&prefix));
        assert_eq!(ours, all, "{folder}");
    }
}

#[test]
fn no_repository_is_a_plain_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let result = Repository::open_with(folder.path(), ConfigScope::RepositoryOnly);
    assert!(matches!(result, Err(GitError::NotARepository { .. })));
}

#[test]
fn a_shallow_clone_says_where_history_ends() {
    let test = two_branches();
    let source = format!("file://{}", test.work().display());
    test.git_in(
        test.root(),
        &["clone", "-q", "--depth", "2", &source, "shallow"],
    );
    let repo = open(&test.root().join("shallow"));
    assert!(repo.is_shallow());
    let head = repo.resolve("HEAD").expect("a commit");
    assert_eq!(repo.first_parents(head).filter_map(Result::ok).count(), 2);
    let oldest = repo.resolve("HEAD~1").expect("a commit");
    assert_eq!(repo.commit(oldest).expect("a commit").parents, []);
    assert_eq!(range(&repo, &["HEAD~1^!"]).old, Side::Empty);
    assert_eq!(range(&repo, &["HEAD~1..HEAD"]).n_commits, 1);
    let error = repo.resolve("HEAD~2").expect_err("cut off");
    assert_eq!(error.advice(), Some(Advice::Unshallow), "{error}");
}

#[test]
fn a_partial_clone_fetches_nothing_and_names_what_is_missing() {
    let test = two_branches();
    test.git(&["config", "uploadpack.allowFilter", "true"]);
    let source = format!("file://{}", test.work().display());
    let args = [
        "clone",
        "-q",
        "--filter=blob:none",
        "--no-checkout",
        &source,
        "partial",
    ];
    test.git_in(test.root(), &args);
    let repo = open(&test.root().join("partial"));
    let head = repo.resolve("HEAD").expect("a commit");
    let files = repo
        .tree_files(repo.commit(head).expect("a commit").tree)
        .expect("trees are there");
    let error = repo.blobs().read(files[0].blob).expect_err("blobs are not");
    assert!(matches!(&error, GitError::MissingObject { id, .. } if *id == files[0].blob.0));
    assert_eq!(error.advice(), Some(Advice::FetchObject(files[0].blob.0)));
    assert!(repo.blobs().header_size(files[0].blob).is_err());
}

#[test]
fn a_missing_tree_is_named() {
    let test = two_branches();
    test.write("deep/x.cs", "x\n");
    test.commit("deep");
    let tree = test.git(&["rev-parse", "HEAD:deep"]);
    let tree = tree.trim();
    let object = test
        .work()
        .join(".git/objects")
        .join(&tree[..2])
        .join(&tree[2..]);
    fs::remove_file(object).expect("a removed object");
    let repo = test.open();
    let tree_of = |spec| {
        repo.commit(repo.resolve(spec).expect("a commit"))
            .expect("a commit")
            .tree
    };
    let errors = [
        repo.tree_files(tree_of("HEAD"))
            .expect_err("a tree is gone"),
        repo.diff_trees(Some(tree_of("HEAD~1")), Some(tree_of("HEAD")))
            .expect_err("a tree is gone"),
    ];
    for error in errors {
        assert!(
            matches!(&error, GitError::MissingObject { id, .. } if id.to_string() == tree),
            "{error}"
        );
    }
}

#[test]
fn other_storage_of_references_is_refused() {
    let test = TestRepo::new();
    let output = test.try_git(&["init", "-q", "--ref-format=reftable", "../reftable"]);
    if !output.status.success() {
        return;
    }
    let result = Repository::open_with(&test.root().join("reftable"), ConfigScope::RepositoryOnly);
    let error = result.err().expect("refused");
    assert!(matches!(error, GitError::Unsupported { .. }), "{error}");
    assert_eq!(error.advice(), Some(Advice::ConvertReferences));
}

#[test]
fn configuration_is_read_by_key() {
    let test = TestRepo::new();
    test.git(&["config", "cortex.dir", "elsewhere"]);
    let repo = test.open();
    assert_eq!(
        repo.config_string("cortex.dir").as_deref(),
        Some("elsewhere")
    );
    assert_eq!(repo.config_string("cortex.other"), None);
    assert_eq!(repo.config_string("nonsense"), None);
}

#[track_caller]
fn check_paths(start: &Path, patterns: &[&str], expected: &[&str]) {
    let repo = open(start);
    let patterns: Vec<_> = patterns.iter().map(|&pattern| pattern.into()).collect();
    let mut filter = repo.path_filter(&patterns).expect("patterns");
    let all = [
        "a.cs",
        "src/a.cs",
        "src/b.txt",
        "src/deep/c.cs",
        "srcs/x.cs",
    ];
    let matched: Vec<_> = all
        .into_iter()
        .filter(|&path| filter.matches(&RepoPath::from(path)))
        .collect();
    assert_eq!(matched, expected);
}

#[test]
fn path_patterns_mean_what_git_means() {
    let test = TestRepo::new();
    test.write("src/a.cs", "a\n");
    let (root, src) = (test.work(), &test.work().join("src"));
    check_paths(root, &["src"], &["src/a.cs", "src/b.txt", "src/deep/c.cs"]);
    check_paths(root, &["src/"], &["src/a.cs", "src/b.txt", "src/deep/c.cs"]);
    check_paths(
        root,
        &["*.cs"],
        &["a.cs", "src/a.cs", "src/deep/c.cs", "srcs/x.cs"],
    );
    check_paths(root, &[":(glob)*.cs"], &["a.cs"]);
    check_paths(
        root,
        &["src", ":(exclude)src/deep"],
        &["src/a.cs", "src/b.txt"],
    );
    check_paths(root, &[":!src"], &["a.cs", "srcs/x.cs"]);
    check_paths(src, &["a.cs"], &["src/a.cs"]);
    check_paths(src, &["."], &["src/a.cs", "src/b.txt", "src/deep/c.cs"]);
    check_paths(src, &[":/a.cs"], &["a.cs"]);
    check_paths(
        root,
        &[],
        &[
            "a.cs",
            "src/a.cs",
            "src/b.txt",
            "src/deep/c.cs",
            "srcs/x.cs",
        ],
    );
    let repo = open(root);
    for pattern in ["../outside", ":(attr:x)a", ":(nonsense)a"] {
        let result = repo.path_filter(&[pattern.into()]);
        assert!(
            matches!(result, Err(GitError::InvalidPath { .. })),
            "{pattern}"
        );
    }
}
