//! Histories against `git rev-list`: the same commits, parents before children.

use std::collections::HashMap;

use cortex_git::{GitError, Parents, Repository};

use fastrand::Rng;

use crate::common::TestRepo;

/// Random commits and merges; some clocks are far off. Returns their ids, older ones first.
fn random_graph(test: &TestRepo, numbers: &mut Rng) -> Vec<String> {
    test.write("a", "");
    let mut commits = vec![test.commit("root")];
    let tree = test.git(&["rev-parse", "HEAD^{tree}"]);
    for i in 0..40 {
        let n_parents = [1, 1, 1, 2, 2, 3, 0][numbers.usize(..7)];
        let mut parents: Vec<&String> = Vec::new();
        for _ in 0..n_parents {
            let back = 1 + numbers.usize(..commits.len().min(6));
            let parent = &commits[commits.len() - back];
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        let subject = format!("commit {i}");
        let mut arguments = vec!["commit-tree", tree.trim(), "-m", &subject];
        for parent in parents {
            arguments.extend(["-p", parent]);
        }
        let skew = if numbers.usize(..5) == 0 { 100_000 } else { 0 };
        let time = 1_700_000_000 + i * 60 - skew;
        let output = test
            .command(test.work(), &arguments)
            .env("GIT_COMMITTER_DATE", format!("{time} +0000"))
            .output()
            .expect("git starts");
        assert!(output.status.success());
        let id = String::from_utf8(output.stdout).expect("UTF-8");
        commits.push(id.trim().to_owned());
    }
    commits
}

fn check_history(test: &TestRepo, repo: &Repository, range: &str, parents: Parents) {
    let (old, new) = repo.resolve_history(range).expect("a range");
    let ours = repo.history(old, new, parents, usize::MAX).expect("a walk");
    let ids: Vec<String> = ours.iter().map(|commit| commit.id.to_string()).collect();
    let mut arguments = vec!["rev-list", "--topo-order", "--reverse"];
    if parents == Parents::First {
        arguments.push("--first-parent");
    }
    arguments.push(range);
    let theirs = test.git(&arguments);
    let theirs: Vec<&str> = theirs.lines().collect();
    if parents == Parents::First {
        assert_eq!(ids, theirs, "{range}: one line has one order");
    }
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    let theirs = theirs.into_iter().map(str::to_owned).collect();
    assert_eq!(sorted(ids.clone()), sorted(theirs), "{range} {parents:?}");
    let place: HashMap<&String, usize> = ids.iter().enumerate().map(|(at, id)| (id, at)).collect();
    for (at, commit) in ours.iter().enumerate() {
        for parent in &commit.parents {
            let parent = place.get(&parent.to_string());
            assert!(parent.is_none_or(|parent| *parent < at), "{range}: {at}");
        }
    }
}

#[test]
fn a_history_has_the_commits_of_git_and_parents_come_first() {
    for seed in 1..=8 {
        let test = TestRepo::new();
        let numbers = &mut Rng::with_seed(seed * 31);
        let commits = random_graph(&test, numbers);
        let repo = test.open();
        for _ in 0..12 {
            let a = &commits[numbers.usize(..commits.len())];
            let b = &commits[numbers.usize(..commits.len())];
            for range in [b.clone(), format!("{a}..{b}")] {
                check_history(&test, &repo, &range, Parents::All);
                check_history(&test, &repo, &range, Parents::First);
            }
        }
    }
}

#[test]
fn the_newest_commits_are_those_of_git_where_clocks_are_right() {
    let test = TestRepo::new();
    for i in 0..6 {
        test.commit(&format!("commit {i}"));
    }
    test.git(&["checkout", "-q", "-b", "side", "HEAD~3"]);
    test.commit("aside");
    test.git(&["checkout", "-q", "main"]);
    test.git(&["merge", "-q", "-s", "ours", "-m", "merge", "side"]);
    let repo = test.open();
    let head = repo.resolve("HEAD").expect("a commit");
    for n in 0..9 {
        for parents in [Parents::All, Parents::First] {
            let ours = repo.history(None, head, parents, n).expect("a walk");
            let mut ours: Vec<String> = ours.iter().map(|commit| commit.id.to_string()).collect();
            let max_count = format!("-n{n}");
            let mut arguments = vec!["rev-list", &max_count, "HEAD"];
            if parents == Parents::First {
                arguments.push("--first-parent");
            }
            let theirs = test.git(&arguments);
            let mut theirs: Vec<&str> = theirs.lines().collect();
            ours.sort();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "{n} {parents:?}");
        }
    }
}

#[test]
fn a_range_has_the_ends_of_git() {
    let test = TestRepo::new();
    for i in 0..3 {
        test.commit(&format!("commit {i}"));
    }
    let repo = test.open();
    let id = |revision: &str| repo.resolve(revision).expect("a commit");
    let ends = |range: &str| repo.resolve_history(range).expect("a range");
    assert_eq!(ends("HEAD~1"), (None, id("HEAD~1")));
    assert_eq!(ends("HEAD~2..HEAD~1"), (Some(id("HEAD~2")), id("HEAD~1")));
    assert_eq!(ends("HEAD~2.."), (Some(id("HEAD~2")), id("HEAD")));
    assert_eq!(ends("..HEAD~1"), (Some(id("HEAD")), id("HEAD~1")));
    let both = repo.resolve_history("HEAD~2...HEAD");
    assert!(matches!(both, Err(GitError::InvalidRange { .. })));
}
