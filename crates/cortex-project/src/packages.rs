//! The packages of a project: its own references, their central versions, and `packages.config`.

use std::collections::BTreeMap;

use cortex_model::RepoPath;

use crate::{
    evaluation::Evaluation,
    items::{Item, Items},
    model::{CompileAssets, PackageInheritance, PackageReference, PinnedPackage},
    paths::{Location, join, resolve},
    xml::{Tree, attribute},
};

/// The packages that a project references, sorted by name without regard to case.
pub(crate) fn packages(items: &Items<'_, '_>) -> Vec<PackageReference> {
    let central = is_central(items);
    let mut versions = BTreeMap::new();
    if central {
        for item in items.of("packageversion") {
            versions.insert(items.identity(item).to_lowercase(), item.get("version"));
        }
    }
    let mut packages: BTreeMap<String, PackageReference> = BTreeMap::new();
    let declared = items.of("packagereference").iter();
    let declared = declared.map(|item| (item, compile_assets(item), inheritance(item)));
    let global = items
        .of("globalpackagereference")
        .iter()
        .filter(|_| central)
        .map(|item| (item, CompileAssets::Hidden, PackageInheritance::Private));
    for (item, compile, inheritance) in declared.chain(global) {
        let name = items.identity(item);
        let key = name.to_lowercase();
        let version = ["versionoverride", "version"]
            .iter()
            .map(|metadatum| item.get(metadatum))
            .find(|version| !version.is_empty())
            .or_else(|| versions.get(&key).copied())
            .filter(|version| !version.is_empty())
            .map(str::to_owned);
        let package = PackageReference {
            name,
            version,
            compile,
            inheritance,
        };
        packages.insert(key, package);
    }
    if items.evaluation.sdks.is_empty() {
        for package in packages_config(items) {
            packages
                .entry(package.name.to_lowercase())
                .or_insert(package);
        }
    }
    packages.into_values().collect()
}

/// The central versions that also packages get which the project does not reference itself, sorted by name
/// without regard to case.
pub(crate) fn pinned(items: &Items<'_, '_>) -> Vec<PinnedPackage> {
    let evaluation = &items.evaluation;
    if !is_central(items) || !evaluation.is("CentralPackageTransitivePinningEnabled", "true") {
        return Vec::new();
    }
    let mut pinned = BTreeMap::new();
    for item in items.of("packageversion") {
        let name = items.identity(item);
        let version = item.get("version").to_owned();
        if !version.is_empty() {
            pinned.insert(name.to_lowercase(), PinnedPackage { name, version });
        }
    }
    pinned.into_values().collect()
}

/// Where NuGet puts what it restores.
pub(crate) fn restore(evaluation: &Evaluation<'_>) -> Option<RepoPath> {
    let folder = match evaluation.text("MSBuildProjectExtensionsPath") {
        folder if !folder.is_empty() => folder,
        _ => evaluation.text("BaseIntermediateOutputPath"),
    };
    let folder = if folder.is_empty() { "obj" } else { &*folder };
    match resolve(evaluation.project_folder, folder) {
        Location::Inside(folder) => Some(join(&folder, "project.assets.json").as_str().into()),
        Location::Outside(_) => None,
    }
}

fn is_central(items: &Items<'_, '_>) -> bool {
    let evaluation = &items.evaluation;
    evaluation.is("ManagePackageVersionsCentrally", "true")
}

/// Whether the project's compiler sees a package: NuGet's documentation, "Controlling dependency assets".
fn compile_assets(item: &Item) -> CompileAssets {
    let included = item.get("includeassets");
    let is_included = included.trim().is_empty() || names_compile(included);
    match is_included && !names_compile(item.get("excludeassets")) {
        true => CompileAssets::Visible,
        false => CompileAssets::Hidden,
    }
}

fn inheritance(item: &Item) -> PackageInheritance {
    let private = item.get("privateassets");
    if lists(private, "all") {
        PackageInheritance::Private
    } else if lists(private, "compile") || compile_assets(item) == CompileAssets::Hidden {
        PackageInheritance::NotCompile
    } else {
        PackageInheritance::Inherited
    }
}

fn names_compile(assets: &str) -> bool {
    lists(assets, "compile") || lists(assets, "all")
}

/// Whether a list of assets has a name, in any case.
pub(crate) fn lists(assets: &str, name: &str) -> bool {
    assets
        .split([';', ','])
        .any(|part| part.trim().eq_ignore_ascii_case(name))
}

/// What the `packages.config` beside an older project lists.
fn packages_config(items: &Items<'_, '_>) -> Vec<PackageReference> {
    let evaluation = &*items.evaluation;
    let path = join(evaluation.project_folder, "packages.config");
    let Some(id) = evaluation.workspace.table.find(&path) else {
        return Vec::new();
    };
    let text = evaluation.workspace.text(id);
    let Ok(tree) = Tree::parse(&text) else {
        return Vec::new();
    };
    tree.root()
        .children()
        .filter(|node| node.is_element() && node.tag_name().name() == "package")
        .filter_map(|node| {
            Some(PackageReference {
                name: attribute(node, "id")?.to_owned(),
                version: attribute(node, "version").map(str::to_owned),
                compile: CompileAssets::Visible,
                // Such lists name all packages; nothing is followed.
                inheritance: PackageInheritance::Private,
            })
        })
        .collect()
}
