//! The folders that a solution shows its projects in.

use std::collections::BTreeMap;

use crate::{
    files::has_extension,
    paths::{Location, resolve},
    xml::{Tree, attribute},
};
use cortex_model::RepoPath;

/// Folders in folders beyond this depth are a circle.
const MAX_DEPTH: usize = 64;

/// The projects of a solution that stand in folders, by path, with the names of these folders, outermost first.
/// Empty for what is no solution.
pub fn solution_folders(solution: &RepoPath, text: &str) -> Vec<(RepoPath, Vec<String>)> {
    let listed = if has_extension(solution, "sln") {
        of_sln(text)
    } else if has_extension(solution, "slnx") {
        of_slnx(text)
    } else {
        Vec::new()
    };
    let mut out: Vec<(RepoPath, Vec<String>)> = listed
        .into_iter()
        .filter(|(_, folders)| !folders.is_empty())
        .filter_map(|(path, folders)| match resolve(solution.folder(), &path) {
            Location::Inside(path) => Some((RepoPath::from(path.as_str()), folders)),
            Location::Outside(_) => None,
        })
        .collect();
    out.sort();
    out.dedup_by(|a, b| a.0 == b.0);
    out
}

/// `Project("{type}") = "Name", "path", "{id}"`, and in the section `NestedProjects`: `{child} = {parent}`.
fn of_sln(text: &str) -> Vec<(String, Vec<String>)> {
    /// The type of a solution folder.
    const FOLDER: &str = "{2150E333-8FDC-42A3-9474-1A3956D46DE8}";
    let mut folders: BTreeMap<String, &str> = BTreeMap::new();
    let mut projects: Vec<(String, &str)> = Vec::new();
    let mut parents: BTreeMap<String, String> = BTreeMap::new();
    let mut is_nesting = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("Project(") {
            let parts: Vec<&str> = line.split('"').collect();
            if let [_, kind, _, name, _, path, _, id, ..] = parts.as_slice() {
                match kind.eq_ignore_ascii_case(FOLDER) {
                    true => drop(folders.insert(id.to_uppercase(), name)),
                    false => projects.push((id.to_uppercase(), path)),
                }
            }
        } else if line.starts_with("GlobalSection(NestedProjects)") {
            is_nesting = true;
        } else if line == "EndGlobalSection" {
            is_nesting = false;
        } else if is_nesting && let Some((child, parent)) = line.split_once('=') {
            parents.insert(child.trim().to_uppercase(), parent.trim().to_uppercase());
        }
    }
    projects
        .into_iter()
        .map(|(id, path)| {
            let mut around = Vec::new();
            let mut at = &id;
            while let Some(parent) = parents.get(at)
                && around.len() < MAX_DEPTH
            {
                around.extend(folders.get(parent).map(|name| (*name).to_owned()));
                at = parent;
            }
            around.reverse();
            (path.to_owned(), around)
        })
        .collect()
}

/// `<Folder Name="/src/core/"><Project Path="…" /></Folder>`.
fn of_slnx(text: &str) -> Vec<(String, Vec<String>)> {
    let Ok(tree) = Tree::parse(text) else {
        return Vec::new();
    };
    let is = |node: &roxmltree::Node<'_, '_>, name: &str| {
        node.is_element() && node.tag_name().name() == name
    };
    tree.root()
        .descendants()
        .filter(|node| is(node, "Project"))
        .filter_map(|node| {
            let path = attribute(node, "Path")?.to_owned();
            let folder = node.parent().filter(|parent| is(parent, "Folder"));
            let name = folder.and_then(|folder| attribute(folder, "Name"));
            let names = name.unwrap_or_default().split('/');
            let folders = names.filter(|name| !name.is_empty()).map(str::to_owned);
            Some((path, folders.collect()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(path: &str, text: &str) -> Vec<String> {
        let found = solution_folders(&RepoPath::from(path), text).into_iter();
        found
            .map(|(path, folders)| format!("{path}: {}", folders.join(" > ")))
            .collect()
    }

    #[test]
    fn folders_of_a_solution_are_nested_by_their_ids() {
        let text = r#"
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "src", "src", "{A}"
EndProject
Project("{2150e333-8fdc-42a3-9474-1a3956d46de8}") = "core", "core", "{B}"
EndProject
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "App", "..\src\App\App.csproj", "{c}"
EndProject
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "Bare", "Bare.csproj", "{D}"
EndProject
Global
	GlobalSection(NestedProjects) = preSolution
		{b} = {A}
		{C} = {b}
		{A} = {A}
	EndGlobalSection
EndGlobal
"#;
        // A folder in itself ends somewhere.
        assert_eq!(listed("build/All.sln", text).len(), 1);
        let text = text.replace("{A} = {A}", "");
        assert_eq!(
            listed("build/All.sln", &text),
            ["src/App/App.csproj: src > core"]
        );
    }

    #[test]
    fn folders_of_an_xml_solution_are_written_as_paths() {
        let text = r#"<Solution>
  <Folder Name="/src/core/"><Project Path="src/App/App.csproj" /></Folder>
  <Project Path="Bare.csproj" />
</Solution>"#;
        assert_eq!(listed("All.slnx", text), ["src/App/App.csproj: src > core"]);
        assert_eq!(listed("All.slnx", "<Solution"), [""; 0]);
        assert_eq!(listed("All.csproj", text), [""; 0]);
    }
}
