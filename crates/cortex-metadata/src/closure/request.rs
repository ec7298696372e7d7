//! What a project asks for.
//!
//! Must not know: how it is answered.

use cortex_model::{Hash, Hasher};

use super::nuspec::Compile;

/// What a project asks for.
#[derive(Clone, Debug, Default)]
pub struct ProjectRequest<'a> {
    /// The short name of the target framework, such as `net10.0`; empty or unknown means the newest.
    pub framework: &'a str,
    /// The shared frameworks that it references, such as `Microsoft.AspNetCore.App`.
    pub framework_references: &'a [String],
    /// The packages that it references itself.
    pub packages: &'a [PackageRequest<'a>],
    /// The packages that come with referenced projects. Its own win over them.
    pub inherited: &'a [PackageRequest<'a>],
    /// The names of its own assembly and of those of the projects that it references: they win over
    /// packages of the same id or assembly name.
    pub projects: &'a [&'a str],
    /// The bytes of its `obj/project.assets.json`, which then decides about packages.
    pub assets: Option<&'a [u8]>,
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
        let mut hasher = Hasher::new("closure-request-v1");
        hasher.field(self.framework.as_bytes());
        hasher.number(self.framework_references.len() as u64);
        for name in self.framework_references {
            hasher.field(name.as_bytes());
        }
        for list in [self.packages, self.inherited] {
            hasher.number(list.len() as u64);
            for package in list {
                hasher.field(package.id.as_bytes());
                hasher.number(u64::from(package.version.is_some()));
                hasher.field(package.version.unwrap_or_default().as_bytes());
                hasher.number(package.compile as u64);
            }
        }
        hasher.number(self.projects.len() as u64);
        for name in self.projects {
            hasher.field(name.as_bytes());
        }
        hasher.number(u64::from(self.assets.is_some()));
        hasher.field(self.assets.unwrap_or_default());
        hasher.finish()
    }
}
