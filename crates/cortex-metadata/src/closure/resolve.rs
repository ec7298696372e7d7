//! From the packages that a project asks for to those that it gets.
//!
//! The rules are those of NuGet's documentation, "Package dependency resolution": the lowest applicable
//! version; what the project itself asks for wins over what packages ask for; of several packages' wishes
//! the highest wins.

use std::{
    collections::{BTreeMap, VecDeque},
    path::PathBuf,
};

use rustc_hash::FxHashSet;

use super::{
    folder::{Folders, folder_name},
    framework::Framework,
    nuspec::{Compile, Dependency},
    version::Choice,
};

/// Wishes may change versions that change wishes: after this many rounds the last one counts.
const MAX_ROUNDS: usize = 12;
/// Graphs of more packages are followed this far.
const MAX_PACKAGES: usize = 4096;

/// A package as a project gets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Resolved {
    /// As first written.
    pub(crate) id: String,
    /// The version or range that won, as written.
    pub(crate) wanted: String,
    pub(crate) compile: Compile,
    pub(crate) found: Found,
}

/// Where a package is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Absent,
    /// In this folder; the version is that which NuGet would have restored, or another one.
    Exact(PathBuf),
    Approximate(PathBuf, String),
}

impl Found {
    pub(crate) fn folder(&self) -> Option<&PathBuf> {
        match self {
            Self::Absent => None,
            Self::Exact(folder) | Self::Approximate(folder, _) => Some(folder),
        }
    }
}

struct Wish {
    dependency: Dependency,
    is_direct: bool,
    /// What its dependencies were followed as.
    followed: Compile,
}

/// What a project asks for.
pub(crate) struct Wishes<'a> {
    pub(crate) direct: &'a [Dependency],
    /// What comes with referenced projects.
    pub(crate) inherited: &'a [Dependency],
    /// The names of projects in lower case: a project is taken for a package of its name.
    pub(crate) projects: &'a FxHashSet<String>,
}

/// Resolves packages, by id.
pub(crate) fn resolve(
    folders: &Folders,
    framework: &Framework,
    wishes: &Wishes<'_>,
) -> Vec<Resolved> {
    let mut chosen: BTreeMap<String, Resolved> = BTreeMap::new();
    for _ in 0..MAX_ROUNDS {
        let wanted = walk(folders, framework, wishes, &chosen);
        let next: BTreeMap<String, Resolved> = wanted
            .into_iter()
            .map(|(key, wish)| {
                let found = choose(folders, &wish.dependency);
                let resolved = Resolved {
                    id: wish.dependency.id,
                    wanted: wish.dependency.version,
                    compile: wish.dependency.compile,
                    found,
                };
                (key, resolved)
            })
            .collect();
        if next == chosen {
            break;
        }
        chosen = next;
    }
    chosen.into_values().collect()
}

/// Where a package is: the version that a wish gets, wishes of others left out.
pub(crate) fn choose(folders: &Folders, dependency: &Dependency) -> Found {
    let present = folders.present(&dependency.id);
    let folder = |place: usize| present.folders[place].clone();
    match dependency.range.choose(&present.versions) {
        Choice::Exact(place) => Found::Exact(folder(place)),
        Choice::Approximate(place) => {
            Found::Approximate(folder(place), present.versions[place].to_string())
        }
        Choice::Absent => Found::Absent,
    }
}

/// Collects all wishes, breadth first, following the versions of the round before.
fn walk(
    folders: &Folders,
    framework: &Framework,
    asked: &Wishes<'_>,
    chosen: &BTreeMap<String, Resolved>,
) -> BTreeMap<String, Wish> {
    let mut wishes: BTreeMap<String, Wish> = BTreeMap::new();
    let direct = asked.direct.iter().map(|dependency| (dependency, true));
    let inherited = asked.inherited.iter().map(|dependency| (dependency, false));
    let mut queue: VecDeque<(Dependency, bool)> = direct
        .chain(inherited)
        .map(|(dependency, is_direct)| (dependency.clone(), is_direct))
        .collect();
    while let Some((dependency, is_direct)) = queue.pop_front() {
        let Some(key) = folder_name(&dependency.id) else {
            continue;
        };
        if asked.projects.contains(&key) {
            continue;
        }
        let compile = dependency.compile;
        let is_full = wishes.len() >= MAX_PACKAGES;
        let is_new = match wishes.get_mut(&key) {
            None if is_full => false,
            None => {
                let wish = Wish {
                    dependency: dependency.clone(),
                    is_direct,
                    followed: compile,
                };
                wishes.insert(key.clone(), wish);
                true
            }
            Some(wish) => {
                let known = &mut wish.dependency;
                let becomes_visible = compile > wish.followed;
                if becomes_visible {
                    wish.followed = compile;
                    // What the project itself says of a package is final.
                    if !wish.is_direct {
                        known.compile = compile;
                    }
                }
                let is_higher = dependency.range.minimum() > known.range.minimum();
                if is_higher && (is_direct || !wish.is_direct) {
                    known.range = dependency.range.clone();
                    known.version = dependency.version.clone();
                }
                becomes_visible
            }
        };
        if !is_new {
            continue;
        }
        let found = match chosen.get(&key) {
            Some(resolved) => resolved.found.clone(),
            None => choose(folders, &dependency),
        };
        let Some(folder) = found.folder() else {
            continue;
        };
        let nuspec = folders.nuspec(&key, folder);
        for inner in nuspec.dependencies(framework) {
            let inner = Dependency {
                compile: inner.compile.min(compile),
                ..inner.clone()
            };
            queue.push_back((inner, false));
        }
    }
    wishes
}
