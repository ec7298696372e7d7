//! How well projects were understood: what was not on the machine, and counts of what could not be bound.
//!
//! Must not know: how names are bound, where assemblies are looked for.

use cortex_metadata::{
    ApproximatePackage, Assembly, Closure, FrameworkSource, MissingPackage, References,
};
use cortex_model::{Hash, Hasher};
use cortex_semantics::{Certainty, Why};
use serde::{Deserialize, Serialize};

use crate::{
    bindings::FileBindings,
    records::{FileStatus, FileSummary, ProjectRecord},
};

/// The assemblies from outside that a project was bound with.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProjectReferences {
    /// Where those of its framework are from.
    pub framework: FrameworkAssemblies,
    /// Packages and shared frameworks that were not on the machine, by name.
    pub missing: Vec<MissingReference>,
    /// Packages of which another version was taken, by name.
    pub approximate: Vec<ApproximateReference>,
    /// Names of files that should be assemblies and could not be read, sorted.
    pub unreadable: Vec<String>,
    /// Changes when any assembly that it sees changes.
    pub digest: Hash,
}

/// Where the assemblies of a framework are from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum FrameworkAssemblies {
    /// Nowhere: not even the built-in table could be read.
    #[default]
    None,
    /// The built-in table, made of reference assemblies of this version.
    BuiltIn(String),
    /// A reference pack or shared framework of the machine, of this version.
    Machine(String),
}

/// A package that was not on the machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct MissingReference {
    /// Its name.
    pub name: String,
    /// The version or range, as written; empty for any and for a shared framework.
    pub version: String,
}

/// A package of which another version was taken.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ApproximateReference {
    /// Its name.
    pub name: String,
    /// The version or range, as written; may be empty.
    pub wanted: String,
    /// The version that was taken.
    pub found: String,
}

/// Counts of what was read and bound in a project. A file that several projects compile counts in each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProjectCounts {
    /// C# files that it compiles.
    pub files: u64,
    /// Those of them that were parsed only in part.
    pub degraded: u64,
    /// Those of them that were not parsed.
    pub skipped: u64,
    /// Stretches that `#if` leaves out.
    pub inactive: u64,
    /// Names that mean something of this repository, those in documentation among them.
    pub bound: u64,
    /// Those of them whose overload is not certain.
    pub overload_sets: u64,
    /// Names that mean something from outside.
    pub outside: u64,
    /// Names that could not be bound, by [`Why`] in its order.
    pub unbound: [u64; Why::ALL.len()],
    /// Those of them in files that were parsed only in part.
    pub unbound_degraded: u64,
    /// Those of them in other files, parts of which `#if` leaves out.
    pub unbound_conditional: u64,
    /// Files with names that could not be bound.
    pub files_unbound: u64,
}

impl ProjectCounts {
    /// All names that could not be bound.
    pub fn n_unbound(&self) -> u64 {
        self.unbound.iter().sum()
    }

    /// All names.
    pub fn n_names(&self) -> u64 {
        self.bound + self.outside + self.n_unbound()
    }

    /// Adds the counts of another project.
    pub fn add(&mut self, other: &Self) {
        self.apply(other, u64::wrapping_add);
    }

    /// Takes away what was added.
    pub(crate) fn subtract(&mut self, other: &Self) {
        self.apply(other, u64::wrapping_sub);
    }

    fn apply(&mut self, other: &Self, op: fn(u64, u64) -> u64) {
        let Self {
            files,
            degraded,
            skipped,
            inactive,
            bound,
            overload_sets,
            outside,
            unbound,
            unbound_degraded,
            unbound_conditional,
            files_unbound,
        } = self;
        for (count, by) in [
            (files, other.files),
            (degraded, other.degraded),
            (skipped, other.skipped),
            (inactive, other.inactive),
            (bound, other.bound),
            (overload_sets, other.overload_sets),
            (outside, other.outside),
            (unbound_degraded, other.unbound_degraded),
            (unbound_conditional, other.unbound_conditional),
            (files_unbound, other.files_unbound),
        ] {
            *count = op(*count, by);
        }
        for (count, by) in unbound.iter_mut().zip(other.unbound) {
            *count = op(*count, by);
        }
    }

    /// Of one file inside one project.
    pub(crate) fn of_file(summary: &FileSummary, bindings: &FileBindings) -> Self {
        let mut counts = Self {
            files: 1,
            inactive: u64::from(summary.inactive),
            outside: u64::from(bindings.outside),
            ..Self::default()
        };
        for decl in &bindings.decls {
            counts.bound += decl.refs.len() as u64;
            let unsure = |found: &&crate::BoundRef| found.certainty == Certainty::OverloadSet;
            counts.overload_sets += decl.refs.iter().filter(unsure).count() as u64;
            for unbound in &decl.unbound {
                counts.unbound[unbound.why as usize] += 1;
            }
        }
        let unbound = counts.n_unbound();
        counts.files_unbound = u64::from(unbound > 0);
        match summary.status {
            FileStatus::Degraded(_) => {
                counts.degraded = 1;
                counts.unbound_degraded = unbound;
            }
            FileStatus::Skipped(_) => counts.skipped = 1,
            FileStatus::Indexed if summary.inactive > 0 => counts.unbound_conditional = unbound,
            FileStatus::Indexed => {}
        }
        counts
    }
}

impl ProjectReferences {
    /// Of a project with what was found for it, the assemblies that it sees, and the names of libraries that
    /// it names by file and that cannot be read.
    pub(crate) fn new<'a>(
        closure: &Closure,
        seen: impl Iterator<Item = &'a Assembly>,
        libraries: &[String],
    ) -> Self {
        let mut hasher = Hasher::new("project-references-v1");
        for assembly in seen {
            hasher.field(assembly.digest().as_bytes());
        }
        let name = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let mut unreadable: Vec<String> = closure.unreadable.iter().map(name).collect();
        unreadable.extend_from_slice(libraries);
        unreadable.sort_unstable();
        Self {
            framework: match &closure.source {
                FrameworkSource::Pack(version) => FrameworkAssemblies::Machine(version.clone()),
                FrameworkSource::BuiltIn(version) => FrameworkAssemblies::BuiltIn(version.clone()),
                FrameworkSource::None => FrameworkAssemblies::None,
            },
            missing: closure
                .missing
                .iter()
                .map(|package| MissingReference {
                    name: package.id.clone(),
                    version: package.version.clone(),
                })
                .collect(),
            approximate: closure
                .approximate
                .iter()
                .map(|package| ApproximateReference {
                    name: package.id.clone(),
                    wanted: package.wanted.clone(),
                    found: package.found.clone(),
                })
                .collect(),
            unreadable,
            digest: hasher.finish(),
        }
    }
}

/// What a snapshot was made without: it is made again when any of it appears.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lacking {
    /// Each with the target framework that it was wanted for; sorted.
    missing: Vec<(MissingReference, String)>,
    /// Sorted.
    approximate: Vec<ApproximateReference>,
    /// Target frameworks whose own assemblies were not on the machine, sorted.
    frameworks: Vec<String>,
}

impl Lacking {
    pub(crate) fn of(records: &[ProjectRecord]) -> Self {
        let mut out = Self::default();
        for record in records {
            let (references, tfm) = (&record.references, &record.project.tfm);
            let missing = references.missing.iter();
            out.missing
                .extend(missing.map(|package| (package.clone(), tfm.clone())));
            out.approximate
                .extend(references.approximate.iter().cloned());
            if !matches!(references.framework, FrameworkAssemblies::Machine(_)) {
                out.frameworks.push(tfm.clone());
            }
        }
        out.missing.sort_unstable();
        out.missing.dedup();
        out.approximate.sort_unstable();
        out.approximate.dedup();
        out.frameworks.sort_unstable();
        out.frameworks.dedup();
        out
    }

    /// The ids of the packages that are missing, or stand in for another version.
    pub(crate) fn packages(&self) -> impl Iterator<Item = &str> {
        let missing = self
            .missing
            .iter()
            .map(|(package, _)| package.name.as_str());
        missing.chain(self.approximate.iter().map(|package| package.name.as_str()))
    }

    /// Whether something of it is on the machine now. Costs looks at a few folders for each entry.
    pub(crate) fn is_found(&self, references: &References) -> bool {
        let frameworks = &mut self.frameworks.iter();
        frameworks.any(|framework| references.has_framework(framework))
            || self.missing.iter().any(|(package, framework)| {
                let missing = MissingPackage {
                    id: package.name.clone(),
                    version: package.version.clone(),
                };
                references.is_present(&missing, framework)
            })
            || self.approximate.iter().any(|package| {
                references.is_exact(&ApproximatePackage {
                    id: package.name.clone(),
                    wanted: package.wanted.clone(),
                    found: package.found.clone(),
                })
            })
    }
}
