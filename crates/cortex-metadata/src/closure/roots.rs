//! Where a machine keeps assemblies.

use std::path::PathBuf;

/// Where a machine keeps assemblies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roots {
    /// Installations of .NET, each with `packs` and `shared`. The first that has something wins.
    pub dotnet: Vec<PathBuf>,
    /// Package folders, each with `id/version`. The first that has a version wins.
    pub packages: Vec<PathBuf>,
}

impl Roots {
    /// The usual places, given the environment: `DOTNET_ROOT`, or else where installers put .NET;
    /// `NUGET_PACKAGES`, or else the folder in the home directory, and `NUGET_FALLBACK_PACKAGES` (separated
    /// by `;`). As for .NET itself, a named place stands for all usual ones, also if nothing is there.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Self {
        let path = |name: &str| {
            let value = variable(name)?;
            (!value.is_empty()).then(|| PathBuf::from(value))
        };
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        let usual = || {
            let programs = path("ProgramFiles").map(|folder| folder.join("dotnet"));
            let system = [
                "/usr/share/dotnet",
                "/usr/lib/dotnet",
                "/usr/lib64/dotnet",
                "/usr/local/share/dotnet",
            ];
            let in_home = home.as_ref().map(|home| home.join(".dotnet"));
            let system = system.into_iter().map(PathBuf::from);
            programs.into_iter().chain(system).chain(in_home).collect()
        };
        let dotnet = path("DOTNET_ROOT").map_or_else(usual, |root| vec![root]);
        let configured = path("NUGET_PACKAGES");
        let mut packages: Vec<PathBuf> = configured
            .or_else(|| Some(home?.join(".nuget").join("packages")))
            .into_iter()
            .collect();
        let fallback = variable("NUGET_FALLBACK_PACKAGES").unwrap_or_default();
        packages.extend(
            fallback
                .split(';')
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from),
        );
        Self { dotnet, packages }
    }
}
