//! Which project's view counts where several projects of one assembly name compile the same file: a
//! library is often built by one project file for each framework.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::RepoPath;

/// The projects that speak for the declarations of one type.
pub struct Speakers<'a> {
    leader: u32,
    by_path: BTreeMap<&'a RepoPath, u32>,
}

impl<'a> Speakers<'a> {
    /// Of the files that declare the type, each with the rank of a project that compiles it; lower ranks are
    /// preferred. The project that compiles most of the files leads, of several the preferred one. It speaks
    /// for its files, and for each other file the preferred project that has it. O(n log n).
    pub fn of(declarations: impl IntoIterator<Item = (&'a RepoPath, u32)>) -> Self {
        let mut paths: BTreeMap<u32, BTreeSet<&RepoPath>> = BTreeMap::new();
        for (path, project) in declarations {
            paths.entry(project).or_default().insert(path);
        }
        let order =
            |(project, paths): &(&u32, &BTreeSet<&RepoPath>)| (paths.len(), Reverse(**project));
        let leader = paths.iter().max_by_key(order).map(|(&project, _)| project);
        let leader = leader.unwrap_or_default();
        let mut by_path: BTreeMap<&RepoPath, u32> = BTreeMap::new();
        for (project, paths) in paths {
            for path in paths {
                let speaker = by_path.entry(path).or_insert(project);
                if project == leader {
                    *speaker = leader;
                }
            }
        }
        Self { leader, by_path }
    }

    /// The rank of the project that the type is said to be of.
    pub fn leader(&self) -> u32 {
        self.leader
    }

    /// Whether the declarations of a file count as a project sees them.
    pub fn counts(&self, path: &RepoPath, project: u32) -> bool {
        self.by_path.get(path) == Some(&project)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_all_parts_speaks_for_them() {
        let (a, b, other): (RepoPath, RepoPath, RepoPath) =
            ("a.cs".into(), "b.cs".into(), "c.cs".into());
        let speakers = Speakers::of([(&a, 0), (&a, 1), (&b, 1), (&other, 2)]);
        assert_eq!(speakers.leader(), 1);
        assert!(speakers.counts(&a, 1) && speakers.counts(&b, 1) && speakers.counts(&other, 2));
        assert!(!speakers.counts(&a, 0));
        let equal = Speakers::of([(&a, 3), (&a, 2)]);
        assert_eq!(equal.leader(), 2);
    }
}
