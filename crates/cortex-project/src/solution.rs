//! Solutions: `.sln` text, `.slnx` XML and `.slnf` filters, down to the projects that they list.

use crate::{
    files::has_extension,
    model::{ProjectNote, Solution},
    paths::{Location, PathId, resolve},
    workspace::Workspace,
    xml::{Tree, attribute},
};

/// Reads all solutions, sorted by path; what cannot be read is noted.
pub(crate) fn solutions(workspace: &Workspace<'_>, notes: &mut Vec<ProjectNote>) -> Vec<Solution> {
    let mut solutions = Vec::new();
    for (id, path) in workspace.table.iter() {
        let listed = if has_extension(path, "sln") {
            Ok(listed_in_sln(&workspace.text(id)))
        } else if has_extension(path, "slnx") {
            listed_in_slnx(&workspace.text(id))
        } else if has_extension(path, "slnf") {
            listed_in_slnf(&workspace.text(id))
        } else {
            continue;
        };
        match listed {
            Ok(listed) => {
                let mut projects: Vec<PathId> = listed
                    .paths
                    .iter()
                    .filter_map(|project| {
                        tracked(workspace, path.folder(), listed.base.as_deref(), project)
                    })
                    .collect();
                projects.sort_unstable();
                projects.dedup();
                solutions.push(Solution {
                    path: path.clone(),
                    projects: projects
                        .into_iter()
                        .map(|id| workspace.table.path(id).clone())
                        .collect(),
                });
            }
            Err(message) => notes.push(ProjectNote {
                path: path.clone(),
                line: 0,
                message: format!("not a solution: {message}"),
            }),
        }
    }
    solutions
}

#[derive(Default)]
struct Listed {
    /// The solution that a filter narrows; its folder is where the paths start.
    base: Option<String>,
    paths: Vec<String>,
}

fn tracked(
    workspace: &Workspace<'_>,
    folder: &str,
    base: Option<&str>,
    project: &str,
) -> Option<PathId> {
    let inside = |folder: &str, path: &str| match resolve(folder, path) {
        Location::Inside(path) => Some(path),
        Location::Outside(_) => None,
    };
    let path = match base {
        Some(base) => {
            let base = inside(folder, base)?;
            inside(base.rfind('/').map_or("", |end| &base[..end]), project)?
        }
        None => inside(folder, project)?,
    };
    // Solution folders are listed as projects too; they are no files.
    workspace.table.find(&path)
}

/// `Project("{type}") = "Name", "path", "{id}"`.
fn listed_in_sln(text: &str) -> Listed {
    let paths = text
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("Project("))
        .filter_map(|line| line.split('"').nth(5).map(str::to_owned))
        .collect();
    Listed { base: None, paths }
}

fn listed_in_slnx(text: &str) -> Result<Listed, String> {
    let tree = Tree::parse(text).map_err(|malformed| malformed.message)?;
    let paths = tree
        .root()
        .descendants()
        .filter(|node| node.is_element() && node.tag_name().name() == "Project")
        .filter_map(|node| attribute(node, "Path").map(str::to_owned))
        .collect();
    Ok(Listed { base: None, paths })
}

fn listed_in_slnf(text: &str) -> Result<Listed, String> {
    #[derive(serde::Deserialize)]
    struct Filter {
        solution: Narrowed,
    }
    #[derive(serde::Deserialize)]
    struct Narrowed {
        path: String,
        #[serde(default)]
        projects: Vec<String>,
    }
    let filter: Filter = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(Listed {
        base: Some(filter.solution.path),
        paths: filter.solution.projects,
    })
}
