//! Merges that nobody made: what this crate says must be what `git merge-tree` says.

use fastrand::Rng;

use crate::common::{TestRepo, changes_raw, raw_lines};

const FILES: [&str; 4] = ["a.cs", "b.cs", "lib/c.cs", "lib/d.cs"];

/// A file of lines that no other file has.
fn text(path: &str) -> Vec<String> {
    (0..30).map(|line| format!("{path} {line}")).collect()
}

/// Does something random to some files of a branch.
fn work(repo: &TestRepo, numbers: &mut Rng, branch: &str) {
    for path in FILES {
        let full = repo.work().join(path);
        match numbers.usize(..12) {
            0..=5 => {
                let mut lines = text(path);
                for _ in 0..numbers.usize(1..4) {
                    let at = numbers.usize(..lines.len());
                    match numbers.usize(..3) {
                        0 => lines[at] = format!("{path} {at} of {branch}"),
                        1 => _ = lines.remove(at),
                        _ => lines.insert(at, format!("new of {} at {at}", numbers.usize(..2))),
                    }
                }
                repo.write(path, lines.join("\n") + "\n");
            }
            6 => std::fs::remove_file(&full).expect("a removed file"),
            7 => {
                let other = format!("moved/{}{}", numbers.usize(..2), path.replace('/', "-"));
                repo.write(&other, std::fs::read(&full).expect("a file"));
                std::fs::remove_file(&full).expect("a removed file");
            }
            8 => repo.write(
                &format!("new-{}.cs", numbers.usize(..3)),
                text(branch).join("\n"),
            ),
            _ => {}
        }
    }
}

#[test]
fn a_merge_is_the_one_that_git_would_make() {
    let (mut n_clean, mut n_conflicts) = (0, 0);
    for seed in 0..60 {
        let mut numbers = Rng::with_seed(seed);
        let repo = TestRepo::new();
        for path in FILES {
            repo.write(path, text(path).join("\n") + "\n");
        }
        repo.commit("base");
        repo.git(&["branch", "other"]);
        work(&repo, &mut numbers, "main");
        let ours = repo.commit("ours");
        repo.git(&["checkout", "-q", "other"]);
        work(&repo, &mut numbers, "other");
        let theirs = repo.commit("theirs");

        let opened = repo.open();
        let id = |spec: &str| opened.resolve(spec).expect("a commit");
        let merged = opened.merged(id(&ours), id(&theirs)).expect("a merge");
        let output = repo.try_git(&[
            // A file that comes into a folder that was renamed stays where it is.
            "-c",
            "merge.directoryRenames=false",
            "merge-tree",
            "--write-tree",
            "--name-only",
            "--no-messages",
            &ours,
            &theirs,
        ]);
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        let mut lines = out.lines();
        let tree = lines.next().unwrap_or_default();
        if !output.status.success() {
            // Git names every path of a conflict, this crate the one on our side.
            assert!(!merged.conflicts.is_empty(), "seed {seed}: {out}");
            n_conflicts += 1;
            continue;
        }
        assert_eq!(merged.conflicts, [], "seed {seed}");
        n_clean += 1;
        let raw = repo.git(&[
            "diff-tree",
            "-r",
            "--no-renames",
            "--raw",
            "--no-abbrev",
            &ours,
            tree,
        ]);
        let overlay = (opened.planned_overlay(None, &merged.files)).expect("an overlay");
        assert_eq!(
            changes_raw(&overlay.changes),
            raw_lines(&raw),
            "seed {seed}"
        );
    }
    assert!(n_clean > 10, "only {n_clean} merges without conflicts");
    assert!(n_conflicts > 10, "only {n_conflicts} merges with conflicts");
}
