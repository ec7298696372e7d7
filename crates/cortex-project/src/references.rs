//! Which projects' assemblies the compiler sees: references followed through references.

use std::collections::BTreeMap;

use cortex_model::RepoPath;

use crate::project::Evaluated;

/// Fills in the transitive references of all projects. O(projects × references).
pub(crate) fn follow(evaluated: &mut [Evaluated]) {
    let index: BTreeMap<RepoPath, usize> = evaluated
        .iter()
        .enumerate()
        .map(|(at, one)| (one.project.path.clone(), at))
        .collect();
    let mut seen = vec![usize::MAX; evaluated.len()];
    for start in 0..evaluated.len() {
        if !evaluated[start].transitive {
            continue;
        }
        let mut all: Vec<RepoPath> = evaluated[start].project.references.clone();
        seen[start] = start;
        let mut open: Vec<usize> = Vec::new();
        for path in &all {
            if let Some(&at) = index.get(path)
                && seen[at] != start
            {
                seen[at] = start;
                open.push(at);
            }
        }
        while let Some(at) = open.pop() {
            for reference in evaluated[at].references.iter().filter(|r| r.flows) {
                match index.get(&reference.path) {
                    Some(&next) if seen[next] != start => {
                        seen[next] = start;
                        open.push(next);
                        all.push(reference.path.clone());
                    }
                    Some(_) => {}
                    // A project of another language: its assembly is seen, its references unknown.
                    None => all.push(reference.path.clone()),
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        evaluated[start].project.all_references = all;
    }
}
