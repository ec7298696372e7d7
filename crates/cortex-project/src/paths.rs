//! The tracked files as one sorted table, and the arithmetic of paths that MSBuild does on them.
//!
//! Must not know: projects, properties, globs.

use std::{cell::OnceCell, ops::Range};

use cortex_model::RepoPath;
use rustc_hash::FxHashMap;

/// The absolute folder that stands for the root of the repository wherever MSBuild wants one.
pub(crate) const ROOT: &str = "/_/";
/// The absolute folder that stands for the .NET installation, of which nothing is read.
pub(crate) const INSTALLATION: &str = "/_dotnet/";

/// Where a path of a project file leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Location {
    /// Relative to the root of the repository, normalized, without a trailing `/`; empty for the root.
    Inside(String),
    /// Elsewhere, normalized and absolute.
    Outside(String),
}

/// The index of a file in the table.
pub(crate) type PathId = u32;

/// All tracked files, sorted by bytes, so that a folder is a range.
pub(crate) struct PathTable<'a> {
    // Invariant: ascending by bytes.
    paths: &'a [RepoPath],
    folded: OnceCell<FxHashMap<String, Option<PathId>>>,
}

impl<'a> PathTable<'a> {
    pub(crate) fn new(paths: &'a [RepoPath]) -> Self {
        Self {
            paths,
            folded: OnceCell::new(),
        }
    }

    pub(crate) fn path(&self, id: PathId) -> &'a RepoPath {
        &self.paths[id as usize]
    }

    pub(crate) fn as_str(&self, id: PathId) -> &'a str {
        self.paths[id as usize].as_str()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PathId, &'a RepoPath)> {
        (0..).zip(self.paths)
    }

    /// The file of this exact path.
    fn find_exact(&self, path: &str) -> Option<PathId> {
        self.paths
            .binary_search_by(|candidate| candidate.as_str().cmp(path))
            .ok()
            .map(|index| index as PathId)
    }

    /// The file of this path; else the only one that differs from it in case alone, as a project
    /// written on a file system that ignores case may name it.
    pub(crate) fn find(&self, path: &str) -> Option<PathId> {
        self.find_exact(path).or_else(|| {
            let folded = self.folded.get_or_init(|| {
                let mut folded = FxHashMap::default();
                for (id, path) in self.iter() {
                    folded
                        .entry(path.as_str().to_lowercase())
                        .and_modify(|only| *only = None)
                        .or_insert(Some(id));
                }
                folded
            });
            folded.get(&path.to_lowercase()).copied().flatten()
        })
    }

    /// The files anywhere below a folder (`""` is the root). O(log files).
    pub(crate) fn below(&self, folder: &str) -> Range<PathId> {
        if folder.is_empty() {
            return 0..self.paths.len() as PathId;
        }
        let bytes = folder.as_bytes();
        let relation = |path: &RepoPath| {
            let path = path.as_str().as_bytes();
            let shared = path.len().min(bytes.len());
            path[..shared].cmp(&bytes[..shared]).then_with(|| {
                if path.len() > bytes.len() {
                    path[bytes.len()].cmp(&b'/')
                } else {
                    std::cmp::Ordering::Less
                }
            })
        };
        let start = self.paths.partition_point(|path| relation(path).is_lt());
        let end = start + self.paths[start..].partition_point(|path| relation(path).is_le());
        start as PathId..end as PathId
    }

    /// Whether a folder holds any file.
    pub(crate) fn has_folder(&self, folder: &str) -> bool {
        !self.below(folder).is_empty()
    }

    /// The file `name` in `folder` or the nearest folder above it.
    pub(crate) fn nearest_above(&self, folder: &str, name: &str) -> Option<PathId> {
        let mut folder = folder;
        loop {
            if let Some(id) = self.find_exact(&join(folder, name)) {
                return Some(id);
            }
            if folder.is_empty() {
                return None;
            }
            folder = folder.rfind('/').map_or("", |end| &folder[..end]);
        }
    }
}

/// A folder and a name as one path; both relative to the root of the repository.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// Resolves a path of a project file against a folder of the repository. `\` and `/` both separate.
pub(crate) fn resolve(folder: &str, text: &str) -> Location {
    let text = text.replace('\\', "/");
    let bytes = text.as_bytes();
    let drive = bytes.len() > 1 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic();
    if drive {
        return Location::Outside(text);
    }
    let (start, rest) = match text.strip_prefix('/') {
        Some(_) if text == ROOT.trim_end_matches('/') => ("", ""),
        Some(_) => match text.strip_prefix(ROOT) {
            Some(rest) => ("", rest),
            None => return Location::Outside(collapse(&text)),
        },
        None => (folder, text.as_str()),
    };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    let mut above = 0;
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." if above > 0 || parts.is_empty() => above += 1,
            ".." => {
                parts.pop();
            }
            // Climbing out of the root and back in under its own name cannot be told from leaving it.
            _ if above > 0 => return Location::Outside(format!("{ROOT}{}", &text)),
            _ => parts.push(part),
        }
    }
    if above > 0 {
        return Location::Outside("/".to_owned());
    }
    Location::Inside(parts.join("/"))
}

/// The absolute form of a folder of the repository, with a trailing `/`.
pub(crate) fn absolute_folder(folder: &str) -> String {
    if folder.is_empty() {
        ROOT.to_owned()
    } else {
        format!("{ROOT}{folder}/")
    }
}

/// The absolute form of a location, without a trailing `/`.
pub(crate) fn absolute(location: &Location) -> String {
    match location {
        Location::Inside(path) if path.is_empty() => ROOT.trim_end_matches('/').to_owned(),
        Location::Inside(path) => format!("{ROOT}{path}"),
        Location::Outside(path) => path.clone(),
    }
}

/// Removes empty parts, `.` and `..` from an absolute path.
fn collapse(text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use cortex_model::RepoPath;

    use super::{Location, PathTable, resolve};

    #[test]
    fn a_folder_is_a_range_that_its_prefixes_do_not_enter() {
        let paths: Vec<RepoPath> = ["a", "a-b/x", "a.c", "a/x", "a/y/z", "ab/x", "b"]
            .map(RepoPath::from)
            .to_vec();
        let table = PathTable::new(&paths);
        assert_eq!(table.below("a"), 3..5);
        assert_eq!(table.below("a-b"), 1..2);
        assert_eq!(table.below("a/y"), 4..5);
        assert_eq!(table.below("c"), 7..7);
        assert_eq!(table.below(""), 0..7);
    }

    #[test]
    fn a_path_that_differs_in_case_is_found_when_it_is_the_only_one() {
        let paths: Vec<RepoPath> = ["A/x.props", "B/X.props", "B/x.props"]
            .map(RepoPath::from)
            .to_vec();
        let table = PathTable::new(&paths);
        assert_eq!(table.find("a/X.props"), Some(0));
        assert_eq!(table.find("B/x.props"), Some(2));
        assert_eq!(table.find("b/x.PROPS"), None);
    }

    #[test]
    fn paths_resolve_against_the_folder_and_the_root() {
        let inside = |path: &str| Location::Inside(path.to_owned());
        assert_eq!(resolve("a/b", r"..\c\.\d.cs"), inside("a/c/d.cs"));
        assert_eq!(resolve("a/b", "/_/x//y"), inside("x/y"));
        assert_eq!(resolve("a/b", "/_"), inside(""));
        assert_eq!(resolve("a", ".."), inside(""));
        assert!(matches!(resolve("a", r"..\..\x"), Location::Outside(_)));
        assert!(matches!(resolve("a", r"C:\x"), Location::Outside(_)));
        assert_eq!(
            resolve("a", "/_dotnet/a/../b"),
            Location::Outside("/_dotnet/b".to_owned())
        );
    }
}
