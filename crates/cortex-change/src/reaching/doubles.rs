//! Which projects make doubles of types: objects that stand for others in tests.

use std::collections::BTreeMap;

use cortex_index::{IndexError, Snapshot};
use cortex_model::RepoPath;

/// Packages that make them, in lower case: these, and those whose names go on behind a dot.
const PACKAGES: [&str; 9] = [
    "autofixture.autofakeiteasy",
    "autofixture.automoq",
    "autofixture.autonsubstitute",
    "fakeiteasy",
    "justmock",
    "moq",
    "nsubstitute",
    "rhinomocks",
    "telerik.justmock",
];

/// Whether a project may call doubles: a call of a contract in one that cannot runs what implements the contract.
#[derive(Default)]
pub(super) struct Doubles(BTreeMap<RepoPath, bool>);

impl Doubles {
    /// Whether a project references a package that makes doubles, or another project does that it sees.
    pub(super) fn in_project(
        &mut self,
        snapshot: &Snapshot,
        project: &RepoPath,
    ) -> Result<bool, IndexError> {
        if let Some(&known) = self.0.get(project) {
            return Ok(known);
        }
        let mut found = false;
        let record = snapshot.project(project)?;
        let seen = record.iter().flat_map(|it| &it.project.all_references);
        for path in std::iter::once(project).chain(seen) {
            let record = snapshot.project(path)?;
            let mut packages = record.iter().flat_map(|it| &it.project.packages);
            found |= packages.any(|package| makes_doubles(&package.name));
        }
        self.0.insert(project.clone(), found);
        Ok(found)
    }
}

fn makes_doubles(package: &str) -> bool {
    let package = package.to_ascii_lowercase();
    PACKAGES.iter().any(|name| {
        let rest = package.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}
