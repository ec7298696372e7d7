//! The assemblies of a framework itself: reference packs, packages of reference assemblies, shared frameworks.

use std::path::{Path, PathBuf};

use super::{
    folder::{Folders, folder_name},
    framework::{Family, Framework},
    version::Version,
};

/// The shared framework that every project sees.
pub(crate) const BASE: &str = "Microsoft.NETCore.App";

/// A folder of assemblies that belong to a framework.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pack {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) version: String,
    /// The framework that it belongs to, where that is not the one that was asked for.
    pub(crate) stands_in: Option<Framework>,
}

/// The shared frameworks that are made of assemblies which also come as packages.
pub(crate) const SHARED: [&str; 2] = ["Microsoft.AspNetCore.App", "Microsoft.WindowsDesktop.App"];

/// The assemblies of the base framework for a target framework: its own, else the newest that there are.
pub(crate) fn base(dotnet: &[PathBuf], folders: &Folders, framework: &Framework) -> Option<Pack> {
    let specific = match framework.family {
        Family::Core => None,
        Family::Standard if framework.version >= [2, 1, 0] => {
            pack(dotnet, folders, "NETStandard.Library.Ref", framework).map(|pack| Pack {
                stands_in: None,
                ..pack
            })
        }
        Family::Standard => standard_package(folders),
        Family::Framework | Family::Portable => framework_package(folders, framework),
    };
    specific.or_else(|| shared(dotnet, folders, BASE, framework))
}

/// The assemblies of a shared framework: its reference pack, else what is there to run it.
pub(crate) fn shared(
    dotnet: &[PathBuf],
    folders: &Folders,
    name: &str,
    framework: &Framework,
) -> Option<Pack> {
    // The name becomes a folder's.
    folder_name(name)?;
    pack(dotnet, folders, &format!("{name}.Ref"), framework).or_else(|| {
        let versions = dotnet
            .iter()
            .flat_map(|root| versions(folders, &root.join("shared").join(name)))
            .collect();
        let (version, folder) = best(versions, framework)?;
        Some(of(&version, folder))
    })
}

fn of(version: &Version, folder: PathBuf) -> Pack {
    let (major, minor) = version.major_minor();
    Pack {
        folders: vec![folder],
        version: version.to_string(),
        stands_in: Some(Framework::core(major, minor)),
    }
}

fn pack(dotnet: &[PathBuf], folders: &Folders, name: &str, framework: &Framework) -> Option<Pack> {
    let installed = dotnet
        .iter()
        .flat_map(|root| versions(folders, &root.join("packs").join(name)));
    let present = folders.present(name);
    let restored = present
        .versions
        .iter()
        .cloned()
        .zip(present.folders.clone());
    let candidates = installed
        .chain(restored)
        .filter_map(|(version, folder)| {
            // A pack has the assemblies of one framework.
            let inside = folders
                .entries(&folder.join("ref"))
                .into_iter()
                .find(|folder| {
                    let name = folder.file_name().and_then(|name| name.to_str());
                    name.is_some_and(|name| Framework::parse(name).is_some())
                })?;
            Some((version, inside))
        })
        .collect();
    let (version, folder) = best(candidates, framework)?;
    Some(of(&version, folder))
}

/// The highest of the framework's own version, else the highest.
fn best(
    mut candidates: Vec<(Version, PathBuf)>,
    framework: &Framework,
) -> Option<(Version, PathBuf)> {
    candidates.sort_by(|a, b| a.0.cmp(&b.0));
    let [major, minor, _] = framework.version;
    let same_release = candidates
        .iter()
        .rposition(|(version, _)| version.is_of(u32::from(major), u32::from(minor)));
    let newest = candidates.len().checked_sub(1)?;
    Some(candidates.swap_remove(same_release.unwrap_or(newest)))
}

fn versions(folders: &Folders, folder: &Path) -> Vec<(Version, PathBuf)> {
    folders
        .entries(folder)
        .into_iter()
        .filter_map(|folder| {
            let version = Version::parse(folder.file_name()?.to_str()?)?;
            Some((version, folder))
        })
        .collect()
}

/// The reference assemblies of .NET Standard 2.0, which come as a package.
fn standard_package(folders: &Folders) -> Option<Pack> {
    package_folder(folders, "NETStandard.Library", |folder| {
        vec![folder.join("build/netstandard2.0/ref")]
    })
}

/// The reference assemblies of .NET Framework, which come as one package for each version.
fn framework_package(folders: &Folders, framework: &Framework) -> Option<Pack> {
    let [major, minor, patch] = framework.version;
    let (digits, dots) = match patch {
        0 => (format!("{major}{minor}"), format!("{major}.{minor}")),
        _ => (
            format!("{major}{minor}{patch}"),
            format!("{major}.{minor}.{patch}"),
        ),
    };
    let id = format!("Microsoft.NETFramework.ReferenceAssemblies.net{digits}");
    package_folder(folders, &id, |folder| {
        let folder = folder.join(format!("build/.NETFramework/v{dots}"));
        let facades = folder.join("Facades");
        vec![folder, facades]
    })
}

fn package_folder(
    folders: &Folders,
    id: &str,
    inside: impl Fn(&Path) -> Vec<PathBuf>,
) -> Option<Pack> {
    let present = folders.present(id);
    let newest_first = present.versions.iter().zip(&present.folders).rev();
    newest_first
        .map(|(version, folder)| Pack {
            folders: inside(folder),
            version: version.to_string(),
            stands_in: None,
        })
        .find(|pack| {
            pack.folders
                .first()
                .is_some_and(|folder| folders.is_folder(folder))
        })
}
