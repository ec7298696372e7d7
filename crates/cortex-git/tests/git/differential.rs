//! Random small histories: what this crate says must be what the real `git` says.

use std::{collections::BTreeSet, fs, path::Path};

use fastrand::Rng;

use crate::common::{TestRepo, changes_raw, open, overlay_raw, raw_lines, snapshot};
use cortex_git::{
    ChangeStatus, OverlayKind, RenameOptions, Repository, diff_lines, find_renames, is_binary,
};

const PATHS: [&str; 14] = [
    "a.cs",
    "b.cs",
    "a",
    "a.b/c.cs",
    "a/x.cs",
    "a/y.cs",
    "a-b",
    "lib/a.cs",
    "lib/deep/er/z.cs",
    "bin/out.dll",
    "obj/x.cs",
    "ä ö.cs",
    "lib.cs",
    "Z.txt",
];

/// Does something random to the work tree.
fn disturb(repo: &TestRepo, numbers: &mut Rng) {
    let path = PATHS[numbers.usize(..PATHS.len())];
    let full = repo.work().join(path);
    match numbers.usize(..10) {
        0..=4 => {
            clear_way(repo.work(), path);
            let text: String = (0..numbers.usize(..30))
                .map(|_| format!("line {}\n", numbers.usize(..12)))
                .collect();
            repo.write(path, text);
        }
        5 => {
            let _ = fs::remove_file(&full);
        }
        6 => make_executable(&full),
        7 => {
            let other = PATHS[numbers.usize(..PATHS.len())];
            if full.is_file() && !other.starts_with(&format!("{path}/")) && other != path {
                clear_way(repo.work(), other);
                if full.is_file() {
                    fs::create_dir_all(repo.work().join(other).parent().expect("a parent"))
                        .expect("folders");
                    fs::rename(&full, repo.work().join(other)).expect("a moved file");
                }
            }
        }
        8 => {
            clear_way(repo.work(), path);
            make_link(
                repo,
                path,
                ["a.cs", "lib", "../outside"][numbers.usize(..3)],
            );
        }
        _ => {
            clear_way(repo.work(), path);
            repo.write(path, [0, 1, 2, numbers.usize(..256) as u8]);
        }
    }
}

/// Removes what keeps a path from being written: a file where a folder must be, or the other way round.
fn clear_way(root: &Path, path: &str) {
    for (at, _) in path.match_indices('/') {
        let folder = root.join(&path[..at]);
        if fs::symlink_metadata(&folder).is_ok_and(|metadata| !metadata.is_dir()) {
            fs::remove_file(folder).expect("a removed file");
        }
    }
    let full = root.join(path);
    match fs::symlink_metadata(&full) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(full).expect("a removed folder"),
        Ok(_) => fs::remove_file(full).expect("a removed file"),
        Err(_) => {}
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if let Ok(metadata) = fs::symlink_metadata(path)
        && metadata.is_file()
    {
        let mode = metadata.permissions().mode() ^ 0o111;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("changed permissions");
    }
}

#[cfg(not(unix))]
fn make_executable(_: &Path) {}

#[cfg(unix)]
fn make_link(repo: &TestRepo, path: &str, target: &str) {
    let full = repo.work().join(path);
    fs::create_dir_all(full.parent().expect("a parent")).expect("folders");
    std::os::unix::fs::symlink(target, full).expect("a link");
}

#[cfg(not(unix))]
fn make_link(repo: &TestRepo, path: &str, target: &str) {
    repo.write(path, target);
}

/// A history with branches and merges. Returns its commits.
fn random_history(repo: &TestRepo, numbers: &mut Rng) -> Vec<String> {
    let mut commits = Vec::new();
    for i in 0..12 {
        for _ in 0..=numbers.usize(..6) {
            disturb(repo, numbers);
        }
        commits.push(repo.commit(&format!("commit {i}")));
        match numbers.usize(..5) {
            0 => {
                repo.git(&["checkout", "-q", "-b", &format!("branch-{i}")]);
            }
            1 => {
                let other = commits[numbers.usize(..commits.len())].clone();
                repo.git(&["checkout", "-q", "-B", &format!("again-{i}"), &other]);
            }
            2 => {
                let other = commits[numbers.usize(..commits.len())].clone();
                repo.git(&["merge", "-q", "-s", "ours", "-m", "merge", &other]);
                commits.push(repo.git(&["rev-parse", "HEAD"]).trim().to_owned());
            }
            _ => {}
        }
    }
    commits
}

fn check_trees(test: &TestRepo, repo: &Repository, old: &str, new: &str) {
    let tree = |spec: &str| {
        repo.commit(repo.resolve(spec).expect("a commit"))
            .expect("a commit")
            .tree
    };
    let listed: Vec<String> = repo
        .tree_files(tree(new))
        .expect("a tree")
        .iter()
        .map(|file| {
            let kind = if file.mode == cortex_git::FileMode::Submodule {
                "commit"
            } else {
                "blob"
            };
            format!(
                "{:06o} {kind} {}\t{}",
                file.mode.bits(),
                file.blob,
                file.path
            )
        })
        .collect();
    let expected = test.git(&["ls-tree", "-r", new]);
    assert_eq!(listed, expected.lines().collect::<Vec<_>>());

    let changes = repo
        .diff_trees(Some(tree(old)), Some(tree(new)))
        .expect("a difference");
    let raw = test.git(&["diff", "--raw", "--no-abbrev", "--no-renames", old, new]);
    assert_eq!(changes_raw(&changes), raw_lines(&raw), "{old} {new}");

    let numstat = test.git(&[
        "diff",
        "--numstat",
        "--no-renames",
        "--diff-filter=M",
        old,
        new,
    ]);
    let mut blobs = repo.blobs();
    let mut counted = Vec::new();
    for change in changes
        .iter()
        .filter(|change| change.status.letter() == 'M')
    {
        let (before, after) = (
            change.old.as_ref().expect("both"),
            change.new.as_ref().expect("both"),
        );
        let (before, after) = (
            blobs.read(before.blob).expect("a blob"),
            blobs.read(after.blob).expect("a blob"),
        );
        let diff = diff_lines(&before, &after);
        counted.push(if is_binary(&before) || is_binary(&after) {
            format!("-\t-\t{}", change.path())
        } else {
            format!("{}\t{}\t{}", diff.n_added, diff.n_deleted, change.path())
        });
    }
    assert_eq!(counted, numstat.lines().collect::<Vec<_>>(), "{old} {new}");

    let exact = RenameOptions {
        min_similarity: 100,
        ..RenameOptions::default()
    };
    let renames = find_renames(changes, &mut blobs, &exact).changes;
    let letters = |letters: Vec<char>| {
        let mut letters = letters;
        letters.sort_unstable();
        letters.into_iter().collect::<String>()
    };
    let ours = letters(
        renames
            .iter()
            .map(|change| change.status.letter())
            .collect(),
    );
    let theirs = test.git(&["diff", "--name-status", "-M100%", old, new]);
    let theirs = letters(
        theirs
            .lines()
            .filter_map(|line| line.chars().next())
            .collect(),
    );
    assert_eq!(ours, theirs, "{old} {new}");
}

#[test]
fn trees_and_their_differences_are_those_of_git() {
    for seed in 1..=6 {
        let test = TestRepo::new();
        let numbers = &mut Rng::with_seed(seed);
        let commits = random_history(&test, numbers);
        let repo = test.open();
        for _ in 0..8 {
            let old = &commits[numbers.usize(..commits.len())];
            let new = &commits[numbers.usize(..commits.len())];
            check_trees(&test, &repo, old, new);
        }
        for _ in 0..8 {
            let a = &commits[numbers.usize(..commits.len())];
            let b = &commits[numbers.usize(..commits.len())];
            let resolve = |spec: &str| repo.resolve(spec).expect("a commit");
            let base = repo.merge_base(resolve(a), resolve(b)).expect("a walk");
            let all = test.try_git(&["merge-base", "--all", a, b]).stdout;
            let all: BTreeSet<String> = String::from_utf8(all)
                .expect("UTF-8")
                .lines()
                .map(Into::into)
                .collect();
            match base {
                Some(base) => assert!(all.contains(&base.to_string())),
                None => assert!(all.is_empty()),
            }
        }
    }
}

#[test]
fn unambiguous_renames_are_those_of_git() {
    let test = TestRepo::new();
    let text = |name: &str, n: usize| {
        (0..n)
            .map(|i| format!("{name} has line {i}\n"))
            .collect::<String>()
    };
    for i in 0..20 {
        test.write(&format!("src/old{i}.cs"), text(&format!("file {i}"), 20));
    }
    test.write("empty.cs", "");
    test.commit("one");
    for i in 0..20 {
        fs::remove_file(test.work().join(format!("src/old{i}.cs"))).expect("a removed file");
        let more = text("new", i * 2);
        test.write(
            &format!("lib/new{i}.cs"),
            text(&format!("file {i}"), 20) + &more,
        );
    }
    fs::rename(test.work().join("empty.cs"), test.work().join("void.cs")).expect("a moved file");
    test.commit("two");
    let repo = test.open();
    let tree = |spec| {
        repo.commit(repo.resolve(spec).expect("a commit"))
            .expect("a commit")
            .tree
    };
    let changes = repo
        .diff_trees(Some(tree("HEAD~1")), Some(tree("HEAD")))
        .expect("a difference");
    let renames = find_renames(changes, &mut repo.blobs(), &RenameOptions::default());
    let mut ours: Vec<_> = renames
        .changes
        .iter()
        .map(|change| {
            let path = |side: &Option<cortex_git::FileSide>| {
                side.as_ref()
                    .map_or_else(String::new, |side| format!("\t{}", side.path))
            };
            let similarity = match change.status {
                ChangeStatus::Renamed { similarity } => format!("{similarity:03}"),
                _ => String::new(),
            };
            let letter = change.status.letter();
            format!(
                "{letter}{similarity}{}{}",
                path(&change.old),
                path(&change.new)
            )
        })
        .collect();
    ours.sort();
    let theirs = test.git(&["diff", "--name-status", "-M", "HEAD~1", "HEAD"]);
    let mut theirs: Vec<_> = theirs.lines().collect();
    theirs.sort_unstable();
    assert_eq!(ours, theirs);
}

#[test]
fn the_overlay_is_what_git_would_stage() {
    for seed in 1..=25 {
        let test = TestRepo::new();
        let numbers = &mut Rng::with_seed(seed * 77);
        if seed % 2 == 0 {
            test.write(".gitignore", "bin/\n*.dll\n!lib/*.dll\nobj\n/Z.txt\n");
        }
        for _ in 0..10 {
            disturb(&test, numbers);
        }
        if seed % 3 == 0 {
            test.git(&["add", "-A", "-f"]);
        }
        test.commit("base");
        for _ in 0..numbers.usize(..8) {
            disturb(&test, numbers);
        }
        test.git(&["add", "-A"]);
        for _ in 0..numbers.usize(..12) {
            disturb(&test, numbers);
        }
        check_overlay(&test, &format!("seed {seed}"));
    }
}

#[track_caller]
fn check_overlay(test: &TestRepo, what: &str) {
    let before = snapshot(&test.work().join(".git"));
    let repo = test.open();
    let index = overlay_raw(&repo, OverlayKind::Index);
    let work_tree = overlay_raw(&repo, OverlayKind::WorkTree);
    assert!(
        before == snapshot(&test.work().join(".git")),
        "nothing is written"
    );

    let staged = test.git(&[
        "diff-index",
        "--cached",
        "--raw",
        "--no-renames",
        "--no-abbrev",
        "HEAD",
    ]);
    assert_eq!(index, raw_lines(&staged), "{what}: the index");
    assert_eq!(
        work_tree,
        test.work_tree_raw("HEAD"),
        "{what}: the work tree"
    );

    let path = |line: &String| line.splitn(6, ' ').last().expect("a path").to_owned();
    let ours: BTreeSet<_> = index.iter().chain(&work_tree).map(path).collect();
    let status = test.git(&["status", "--porcelain", "-uall", "--no-renames", "-z"]);
    let theirs: BTreeSet<_> = status
        .split_terminator('\0')
        .map(|line| line[3..].to_owned())
        .collect();
    assert_eq!(ours, theirs, "{what}: status");
}

#[test]
fn revisions_resolve_as_git_resolves_them() {
    let test = TestRepo::new();
    let numbers = &mut Rng::with_seed(6);
    let commits = random_history(&test, numbers);
    test.git(&["tag", "light", &commits[3]]);
    test.git(&["tag", "-a", "-m", "a tag", "heavy", &commits[4]]);
    let repo = test.open();
    let short = &commits[2][..9];
    for spec in [
        "HEAD",
        "@",
        "main",
        "HEAD~1",
        "HEAD^",
        "HEAD~2^1",
        "light",
        "heavy",
        "heavy~1",
        "refs/heads/main",
        short,
        "heavy^{commit}",
        "HEAD^0",
        ":/commit 3",
        "@{1}",
        "main@{0}",
        "tags/light",
    ] {
        let theirs = test.git(&["rev-list", "-1", spec]);
        let ours = repo
            .resolve(spec)
            .unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_eq!(ours.to_string(), theirs.trim(), "{spec}");
    }
    let ours: Vec<_> = repo
        .first_parents(repo.resolve("HEAD").expect("a commit"))
        .map(|id| id.expect("a commit").to_string())
        .collect();
    let theirs = test.git(&["rev-list", "--first-parent", "HEAD"]);
    assert_eq!(ours, theirs.lines().collect::<Vec<_>>());
}

#[test]
fn sha256_repositories_are_read_alike() {
    let test = TestRepo::with_init(&["--object-format=sha256"]);
    let numbers = &mut Rng::with_seed(9);
    let commits = random_history(&test, numbers);
    let repo = open(test.work());
    check_trees(&test, &repo, &commits[0], &commits[9]);
    for _ in 0..5 {
        disturb(&test, numbers);
    }
    check_overlay(&test, "sha256");
}
