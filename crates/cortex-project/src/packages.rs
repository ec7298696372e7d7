//! The packages of a project: its own references, their central versions, and `packages.config`.

use std::collections::BTreeMap;

use crate::{
    items::Items,
    model::PackageReference,
    paths::join,
    xml::{Tree, attribute},
};

/// The packages that a project references, sorted by name without regard to case.
pub(crate) fn packages(items: &Items<'_, '_>) -> Vec<PackageReference> {
    let central = items
        .evaluation
        .is("ManagePackageVersionsCentrally", "true");
    let mut versions = BTreeMap::new();
    if central {
        for item in items.of("packageversion") {
            versions.insert(items.identity(item).to_lowercase(), item.get("version"));
        }
    }
    let mut packages: BTreeMap<String, PackageReference> = BTreeMap::new();
    let global = items
        .of("globalpackagereference")
        .iter()
        .filter(|_| central);
    for item in items.of("packagereference").iter().chain(global) {
        let name = items.identity(item);
        let key = name.to_lowercase();
        let version = ["versionoverride", "version"]
            .iter()
            .map(|metadatum| item.get(metadatum))
            .find(|version| !version.is_empty())
            .or_else(|| versions.get(&key).copied())
            .filter(|version| !version.is_empty())
            .map(str::to_owned);
        packages.insert(key, PackageReference { name, version });
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
            })
        })
        .collect()
}
