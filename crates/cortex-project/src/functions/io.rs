//! `System.IO`: paths by arithmetic, files and folders by what is tracked.

use crate::{
    glob::Pattern,
    paths::{Location, absolute, absolute_folder, resolve},
};

use super::{Site, Value};

pub(super) fn call(
    site: Site<'_>,
    class: &str,
    member: &str,
    arguments: &[String],
) -> Option<Value> {
    let text = |text: String| Some(Value::Text(text));
    let slashed: Vec<String> = arguments.iter().map(|a| a.replace('\\', "/")).collect();
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    match (class, member, slashed.as_slice()) {
        ("io.path", "combine", parts) => text(combine(parts)),
        ("io.path", "join", parts) => text(parts.join("/")),
        ("io.path", "getfilename", [path]) => text(name(path)),
        ("io.path", "getfilenamewithoutextension", [path]) => text(split_name(&name(path)).0),
        ("io.path", "getextension", [path]) => text(split_name(&name(path)).1),
        ("io.path", "hasextension", [path]) => {
            Some(Value::truth(!split_name(&name(path)).1.is_empty()))
        }
        ("io.path", "changeextension", [path, extension]) => {
            let end = path.len() - split_name(&name(path)).1.len();
            let dot = if extension.is_empty() || extension.starts_with('.') {
                ""
            } else {
                "."
            };
            text(format!("{}{dot}{extension}", &path[..end]))
        }
        ("io.path", "getdirectoryname", [path]) => {
            text(path.rfind('/').map_or("", |end| &path[..end]).to_owned())
        }
        ("io.path", "getfullpath", [path]) => text(full_path(site, path)),
        ("io.path", "getfullpath", [path, base]) => {
            text(full_path(site, &combine(&[base.clone(), path.clone()])))
        }
        ("io.path", "ispathrooted" | "ispathfullyqualified", [path]) => {
            Some(Value::truth(path.starts_with('/')))
        }
        ("io.path", "directoryseparatorchar" | "altdirectoryseparatorchar", []) => {
            text("/".to_owned())
        }
        ("io.path", "pathseparator", []) => text(":".to_owned()),
        ("io.path", "gettempfilename" | "getrandomfilename" | "gettemppath", []) => {
            Some(Value::empty())
        }
        ("io.file", "exists", [path]) => Some(Value::truth(
            matches!(resolve(site.project_folder, path), Location::Inside(path) if site.table.find(&path).is_some()),
        )),
        ("io.directory", "exists", [path]) => Some(Value::truth(
            matches!(resolve(site.project_folder, path), Location::Inside(path) if site.table.has_folder(&path)),
        )),
        ("io.directory", "getparent", [path]) => {
            let full = full_path(site, path.trim_end_matches('/'));
            text(full.rfind('/').map_or("", |end| &full[..end]).to_owned())
        }
        ("io.directory", "getcurrentdirectory", []) => text(
            absolute_folder(site.project_folder)
                .trim_end_matches('/')
                .to_owned(),
        ),
        ("io.directory", "getfiles", [folder, rest @ ..]) => files(site, folder, rest),
        _ => None,
    }
}

/// The tracked files in a folder that match a pattern, and below it where all folders are asked for.
fn files(site: Site<'_>, folder: &str, rest: &[String]) -> Option<Value> {
    let mut pattern = rest.first().map_or("*", String::as_str).to_owned();
    if rest
        .get(1)
        .is_some_and(|option| option.ends_with("AllDirectories"))
    {
        pattern.insert_str(0, "**/");
    }
    let Location::Inside(folder) = resolve(site.project_folder, folder) else {
        return Some(Value::List(Vec::new()));
    };
    let pattern = Pattern::new(&folder, &pattern)?;
    let found = pattern
        .candidates(site.table)
        .map(|id| site.table.as_str(id))
        .filter(|path| pattern.matches(path))
        .map(|path| absolute(&Location::Inside(path.to_owned())));
    Some(Value::List(found.collect()))
}

/// Joins paths; an absolute one starts anew.
pub(super) fn combine(parts: &[String]) -> String {
    let mut out = String::new();
    for part in parts {
        if part.starts_with('/') {
            out.clear();
        } else if !out.is_empty() && !out.ends_with('/') && !part.is_empty() {
            out.push('/');
        }
        out.push_str(part);
    }
    out
}

/// The absolute, normalized form of a path that is relative to the project.
pub(super) fn full_path(site: Site<'_>, path: &str) -> String {
    let mut full = absolute(&resolve(site.project_folder, path));
    if path.ends_with(['/', '\\']) && !full.ends_with('/') {
        full.push('/');
    }
    full
}

/// A file name before and from its last dot.
fn split_name(name: &str) -> (String, String) {
    match name.rfind('.') {
        Some(dot) if dot + 1 < name.len() => (name[..dot].to_owned(), name[dot..].to_owned()),
        Some(dot) => (name[..dot].to_owned(), String::new()),
        None => (name.to_owned(), String::new()),
    }
}
