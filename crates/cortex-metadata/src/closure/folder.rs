//! Package folders: which versions are present, and which of a package's files compilers see.
//!
//! Owns: every path that is made of names from outside. Ids and versions come from repositories that
//! nobody vouches for: what could leave the package folder is not looked at.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use rustc_hash::FxHashMap;

use crate::regular::open_regular;

use super::{
    framework::Framework,
    looks::Watcher,
    nuspec::{self, Nuspec},
    version::Version,
};

/// Ids longer than this are none (NuGet's own limit).
const MAX_ID: usize = 100;
/// Folders of more entries than this are read this far.
const MAX_ENTRIES: usize = 10_000;

/// The package folders of a machine, and what was already read in them.
pub(crate) struct Folders {
    roots: Vec<PathBuf>,
    versions: Mutex<FxHashMap<String, Arc<Present>>>,
    nuspecs: Mutex<FxHashMap<PathBuf, Arc<Nuspec>>>,
    files: Mutex<FxHashMap<FilesKey, Arc<[PathBuf]>>>,
    instead: Mutex<FxHashMap<PathBuf, Option<(PathBuf, String)>>>,
    pub(crate) watcher: Watcher,
}

/// The folder of a package, and the framework that sees it.
type FilesKey = (PathBuf, Framework);

/// The versions of one package that are present, sorted ascending, with their folders.
#[derive(Default, Debug)]
pub(crate) struct Present {
    pub(crate) versions: Vec<Version>,
    pub(crate) folders: Vec<PathBuf>,
}

impl Folders {
    pub(crate) fn new(roots: Vec<PathBuf>) -> Self {
        Self {
            roots,
            versions: Mutex::default(),
            nuspecs: Mutex::default(),
            files: Mutex::default(),
            instead: Mutex::default(),
            watcher: Watcher::default(),
        }
    }

    pub(crate) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// The present versions of a package.
    pub(crate) fn present(&self, id: &str) -> Arc<Present> {
        let Some(id) = folder_name(id) else {
            return Arc::default();
        };
        let mut cache = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(present) = cache.get(&id) {
            return present.clone();
        }
        let mut found: Vec<(Version, PathBuf)> = Vec::new();
        for root in &self.roots {
            for folder in self.entries(&root.join(&id)) {
                let name = folder.file_name().and_then(|name| name.to_str());
                if let Some(version) = name.and_then(Version::parse) {
                    found.push((version, folder));
                }
            }
        }
        // Of equal versions the first folder's.
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found.dedup_by(|later, first| later.0 == first.0);
        let (versions, folders) = found.into_iter().unzip();
        let present = Arc::new(Present { versions, folders });
        cache.insert(id, present.clone());
        present
    }

    /// The description of a package in one of its folders; an empty one where there is none.
    pub(crate) fn nuspec(&self, id: &str, folder: &Path) -> Arc<Nuspec> {
        let mut cache = self.nuspecs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nuspec) = cache.get(folder) {
            return nuspec.clone();
        }
        let text = folder_name(id)
            .and_then(|id| self.read(&folder.join(format!("{id}.nuspec")), nuspec::MAX_BYTES));
        let text = text.unwrap_or_default();
        let nuspec = Arc::new(Nuspec::parse(&String::from_utf8_lossy(&text)));
        cache.insert(folder.to_owned(), nuspec.clone());
        nuspec
    }

    /// The files of a package that compilers see for a framework, sorted.
    pub(crate) fn compile_files(
        &self,
        id: &str,
        folder: &Path,
        framework: &Framework,
    ) -> Arc<[PathBuf]> {
        let key = (folder.to_owned(), framework.clone());
        let mut cache = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = cache.get(&key) {
            return files.clone();
        }
        let nuspec = self.nuspec(id, folder);
        let files: Arc<[PathBuf]> = self.find_compile_files(folder, &nuspec, framework).into();
        cache.insert(key, files.clone());
        files
    }

    /// Another version of a package, with its folder, where a folder has no files and NuGet did not finish it:
    /// the nearest higher one with assemblies, else the highest.
    pub(crate) fn instead_of(&self, id: &str, folder: &Path) -> Option<(PathBuf, String)> {
        let cache = || self.instead.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().get(folder) {
            return known.clone();
        }
        let other = self.find_instead(id, folder);
        cache().insert(folder.to_owned(), other.clone());
        other
    }

    fn find_instead(&self, id: &str, folder: &Path) -> Option<(PathBuf, String)> {
        if self.is_whole(folder) {
            return None;
        }
        let present = self.present(id);
        let position = present.folders.iter().position(|other| other == folder)?;
        let higher = position + 1..present.folders.len();
        let place = higher
            .chain((0..position).rev())
            .find(|&place| self.has_assemblies(&present.folders[place]))?;
        let version = present.versions[place].to_string();
        Some((present.folders[place].clone(), version))
    }

    /// A file of a package by the relative path that a lock file names, if it is in a package folder.
    pub(crate) fn file(&self, relative: &str) -> Option<PathBuf> {
        let is_plain = relative.split('/').all(|part| {
            !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':', '\0'])
        });
        if !is_plain {
            return None;
        }
        self.roots
            .iter()
            .map(|root| root.join(relative))
            .find(|path| self.watcher.note(path) && path.is_file())
    }

    fn has_assemblies(&self, folder: &Path) -> bool {
        self.watcher.note(folder) && (folder.join("lib").is_dir() || folder.join("ref").is_dir())
    }

    /// Whether NuGet marked the folder as complete, or it has something.
    pub(crate) fn is_whole(&self, folder: &Path) -> bool {
        self.has_assemblies(folder) || folder.join(".nupkg.metadata").is_file()
    }

    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        self.watcher.note(path) && path.is_dir()
    }

    /// What is in a folder, sorted; nothing where it cannot be read.
    pub(crate) fn entries(&self, folder: &Path) -> Vec<PathBuf> {
        if !self.watcher.note(folder) {
            return Vec::new();
        }
        let Ok(read) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = read
            .take(MAX_ENTRIES)
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort_unstable();
        paths
    }

    /// The content of a file, as far as the limit.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Option<Vec<u8>> {
        self.watcher.note(path);
        let mut bytes = Vec::new();
        let file = open_regular(path).ok()?;
        file.take(limit).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn find_compile_files(
        &self,
        folder: &Path,
        nuspec: &Nuspec,
        framework: &Framework,
    ) -> Vec<PathBuf> {
        if let Some(files) = self.nearest_files(&folder.join("ref"), framework, Loose::Ignored) {
            return files;
        }
        let mut files = self
            .nearest_files(&folder.join("lib"), framework, Loose::OldFramework)
            .unwrap_or_default();
        if let Some(listed) = nuspec.references(framework) {
            files.retain(|file| {
                let name = file.file_name().and_then(|name| name.to_str());
                name.is_some_and(|name| listed.iter().any(|other| other.eq_ignore_ascii_case(name)))
            });
        }
        files
    }

    /// The assemblies in the subfolder of the nearest framework; `None` where none fits.
    fn nearest_files(
        &self,
        folder: &Path,
        framework: &Framework,
        loose: Loose,
    ) -> Option<Vec<PathBuf>> {
        let mut frameworks = Vec::new();
        let mut lists = Vec::new();
        let mut loose_files = Vec::new();
        for entry in self.entries(folder) {
            if is_assembly(&entry) {
                loose_files.push(entry);
                continue;
            }
            let name = entry.file_name().and_then(|name| name.to_str());
            if let Some(made_for) = name.and_then(Framework::parse) {
                let inside = self.entries(&entry);
                let is_group = inside.iter().any(|file| {
                    is_assembly(file) || file.file_name().is_some_and(|name| name == "_._")
                });
                if is_group {
                    frameworks.push(Some(made_for));
                    lists.push(inside);
                }
            }
        }
        if !loose_files.is_empty() && loose == Loose::OldFramework {
            frameworks.push(Framework::parse("net00"));
            lists.push(loose_files);
        }
        let nearest = framework.nearest(&frameworks)?;
        let mut files = lists.swap_remove(nearest);
        files.retain(|file| is_assembly(file));
        Some(files)
    }
}

/// What assemblies directly in the folder are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loose {
    Ignored,
    /// They were made for any .NET Framework.
    OldFramework,
}

fn is_assembly(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        ["dll", "exe", "winmd"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// The folder of a package id, if it is an id.
pub(crate) fn folder_name(id: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let is_id = !id.is_empty()
        && id.len() <= MAX_ID
        && id.bytes().all(is_plain)
        && !id.starts_with('.')
        && !id.ends_with('.');
    is_id.then(|| id.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_never_leaves_the_package_folder() {
        for bad in [
            "..", ".", "", "a/b", "a\\b", "../a", "c:", "a\0", "/etc", ".a", "a.",
        ] {
            assert_eq!(folder_name(bad), None, "{bad:?}");
        }
        assert_eq!(
            folder_name("Newtonsoft.Json"),
            Some("newtonsoft.json".into())
        );
    }

    #[test]
    fn a_path_of_a_lock_file_never_leaves_the_package_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("secret.dll"), "").expect("a file");
        fs::create_dir(folder.path().join("packages")).expect("a folder");
        fs::write(folder.path().join("packages/a.dll"), "").expect("a file");
        let folders = Folders::new(vec![folder.path().join("packages")]);
        assert!(folders.file("a.dll").is_some());
        let secret = folder.path().join("secret.dll");
        for bad in ["../secret.dll", "./a.dll", "a.dll/", "", "..\\secret.dll"] {
            assert_eq!(folders.file(bad), None, "{bad}");
        }
        assert_eq!(folders.file(&secret.to_string_lossy()), None);
    }
}
