//! What a project asks for.
//!
//! Must not know: how it is answered.

use std::sync::Arc;

use cortex_model::{Hash, Hasher};

use super::{nuspec::Compile, restore::Restore};
use crate::assembly::Assembly;

/// What a project asks for.
#[derive(Clone, Default)]
pub struct ProjectRequest<'a> {
    /// The short name of the target framework, such as `net10.0`; empty or unknown means the newest.
    pub framework: &'a str,
    /// The shared frameworks that it references, such as `Microsoft.AspNetCore.App`.
    pub framework_references: &'a [String],
    /// The packages that it references itself. They win over those of others.
    pub packages: &'a [PackageRequest<'a>],
    /// The versions that packages get wherever others ask for them: central ones, where they are pinned.
    pub pinned: &'a [PackageRequest<'a>],
    /// The other projects that it sees, each once.
    pub referenced: &'a [ReferencedProject<'a>],
    /// Places in `referenced` of those that it references itself.
    pub references: &'a [usize],
    /// The assemblies that it references by their files.
    pub libraries: &'a [Arc<Assembly>],
    /// The names of its own assembly and of those of the projects that it references: they win over
    /// packages of the same id or assembly name.
    pub projects: &'a [&'a str],
    /// What NuGet restored for it. It decides about packages if it answers this very request and all its
    /// files are on the machine.
    pub restore: Option<&'a Restore>,
}

/// Another project that a project sees.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ReferencedProject<'a> {
    /// The name of the project file, such as `App.csproj`.
    pub file: &'a str,
    /// The short name of its target framework.
    pub framework: &'a str,
    /// The packages that it hands on.
    pub packages: Vec<PackageRequest<'a>>,
    /// Places of the projects that it references itself.
    pub references: Vec<usize>,
}

/// A package that a project asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PackageRequest<'a> {
    /// The id, in any case. What is no id is skipped.
    pub id: &'a str,
    /// The version or range, as written. Without one the highest that is present is taken.
    pub version: Option<&'a str>,
    /// Whether the project sees its assemblies, and those that it depends on.
    pub compile: Compile,
}

impl ProjectRequest<'_> {
    /// Tells it from all other requests.
    pub(super) fn key(&self) -> Hash {
        let mut hasher = Hasher::new("closure-request-v2");
        hasher.field(self.framework.as_bytes());
        hasher.number(self.framework_references.len() as u64);
        for name in self.framework_references {
            hasher.field(name.as_bytes());
        }
        packages(&mut hasher, self.packages);
        packages(&mut hasher, self.pinned);
        hasher.number(self.referenced.len() as u64);
        for project in self.referenced {
            hasher.field(project.file.as_bytes());
            hasher.field(project.framework.as_bytes());
            packages(&mut hasher, &project.packages);
            places(&mut hasher, &project.references);
        }
        places(&mut hasher, self.references);
        hasher.number(self.libraries.len() as u64);
        for library in self.libraries {
            hasher.field(library.digest().as_bytes());
        }
        hasher.number(self.projects.len() as u64);
        for name in self.projects {
            hasher.field(name.as_bytes());
        }
        hasher.number(u64::from(self.restore.is_some()));
        if let Some(restore) = self.restore {
            hasher.field(restore.digest().as_bytes());
        }
        hasher.finish()
    }
}

fn packages(hasher: &mut Hasher, list: &[PackageRequest<'_>]) {
    hasher.number(list.len() as u64);
    for package in list {
        hasher.field(package.id.as_bytes());
        hasher.number(u64::from(package.version.is_some()));
        hasher.field(package.version.unwrap_or_default().as_bytes());
        hasher.number(package.compile as u64);
    }
}

fn places(hasher: &mut Hasher, list: &[usize]) {
    hasher.number(list.len() as u64);
    for &place in list {
        hasher.number(place as u64);
    }
}
