//! From the packages that a project asks for to those that it gets.
//!
//! The rules are those of NuGet's documentation, "How NuGet resolves package dependencies": the lowest
//! applicable version, or the highest that a floating one allows; what is asked for nearer to the project
//! wins over what is asked for below it, higher or not; of wishes in different parts of the graph the
//! highest wins, and what a version that loses asks for counts no more. Pinned central versions ("Central
//! Package Management", transitive pinning) win as if the project itself asked for them.

use std::{
    collections::{BTreeMap, VecDeque},
    path::PathBuf,
    rc::Rc,
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    folder::{Folders, folder_name},
    framework::Framework,
    nuspec::{Compile, Dependency},
    version::Choice,
};

/// Wishes may change versions that change wishes: after this many rounds the last one counts.
const MAX_ROUNDS: usize = 12;
/// Graphs of more packages are followed this far.
const MAX_PACKAGES: usize = 2048;
/// Graphs in which more ways lead to packages are followed this far.
const MAX_VISITS: usize = 20_000;
/// A package that is reached in more ways is not looked at in further ones.
const MAX_WAYS: usize = 64;

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

/// What a project asks for.
pub(crate) struct Wishes<'a> {
    pub(crate) direct: &'a [Dependency],
    /// Versions that packages get where others ask for them.
    pub(crate) pinned: &'a [Dependency],
    /// Places in `projects` of those that it references itself.
    pub(crate) references: &'a [usize],
    /// The other projects that it sees.
    pub(crate) projects: &'a [ProjectWishes],
    /// The names of projects in lower case: a project is taken for a package of its name.
    pub(crate) names: &'a FxHashSet<String>,
}

/// What another project hands on.
pub(crate) struct ProjectWishes {
    pub(crate) packages: Vec<Dependency>,
    /// Places of other projects.
    pub(crate) references: Vec<usize>,
}

/// Resolves packages, by id.
pub(crate) fn resolve(
    folders: &Folders,
    framework: &Framework,
    wishes: &Wishes<'_>,
) -> Vec<Resolved> {
    let mut chosen: BTreeMap<String, Resolved> = BTreeMap::new();
    for _ in 0..MAX_ROUNDS {
        let wanted = Walk::new(folders, framework, wishes, &chosen).wanted();
        let next: BTreeMap<String, Resolved> = wanted
            .into_iter()
            .map(|(key, dependency)| {
                let found = choose(folders, &dependency);
                let resolved = Resolved {
                    id: dependency.id,
                    wanted: dependency.version,
                    compile: Compile::Hidden,
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
    show(folders, framework, wishes, &mut chosen);
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

/// The packages that are asked for nearer to the project than some place of the graph, ascending: wishes
/// for them at that place do not count.
type Nearer = Rc<[u32]>;

/// One look at the whole graph, breadth first, with the versions of the round before.
struct Walk<'a> {
    folders: &'a Folders,
    framework: &'a Framework,
    asked: &'a Wishes<'a>,
    chosen: &'a BTreeMap<String, Resolved>,
    pinned: FxHashMap<String, &'a Dependency>,
    /// Numbers of the packages, by key.
    numbers: FxHashMap<String, u32>,
    /// What is asked for, by key.
    wanted: BTreeMap<String, Dependency>,
    /// Where packages and projects were already reached.
    packages: FxHashMap<u32, Vec<Nearer>>,
    projects: FxHashMap<usize, Vec<Nearer>>,
    queue: VecDeque<(Next, Nearer)>,
}

/// What is reached next.
enum Next {
    Package(String, Box<Dependency>),
    Project(usize),
}

impl<'a> Walk<'a> {
    fn new(
        folders: &'a Folders,
        framework: &'a Framework,
        asked: &'a Wishes<'a>,
        chosen: &'a BTreeMap<String, Resolved>,
    ) -> Self {
        let key = |dependency: &'a Dependency| Some((folder_name(&dependency.id)?, dependency));
        let mut pinned: FxHashMap<_, _> = asked.pinned.iter().filter_map(key).collect();
        for (direct, _) in asked.direct.iter().filter_map(key) {
            pinned.remove(&direct);
        }
        Self {
            folders,
            framework,
            asked,
            chosen,
            pinned,
            numbers: FxHashMap::default(),
            wanted: BTreeMap::new(),
            packages: FxHashMap::default(),
            projects: FxHashMap::default(),
            queue: VecDeque::new(),
        }
    }

    fn wanted(mut self) -> BTreeMap<String, Dependency> {
        self.ask(self.asked.direct, self.asked.references, &Nearer::from([]));
        for _ in 0..MAX_VISITS {
            let Some((next, nearer)) = self.queue.pop_front() else {
                break;
            };
            match next {
                Next::Package(key, dependency) => self.follow(&key, &dependency, &nearer),
                Next::Project(place) => {
                    if is_new(self.projects.entry(place).or_default(), &nearer) {
                        let project = &self.asked.projects[place];
                        self.ask(&project.packages, &project.references, &nearer);
                    }
                }
            }
        }
        self.wanted
    }

    /// Follows a package to what it depends on, if this place of the graph gets the chosen version.
    fn follow(&mut self, key: &str, dependency: &Dependency, nearer: &Nearer) {
        let chosen_folder = choose(self.folders, dependency);
        let is_chosen = |chosen: &Resolved| chosen.found == chosen_folder;
        if !self.chosen.get(key).is_none_or(is_chosen) {
            return;
        }
        if let Some(folder) = chosen_folder.folder()
            && let Some(number) = self.number(key)
            && is_new(self.packages.entry(number).or_default(), nearer)
        {
            let nuspec = self.folders.nuspec(key, folder);
            self.ask(nuspec.dependencies(self.framework), &[], nearer);
        }
    }

    /// Notes what a project or package asks for, which itself is at a place with these nearer packages.
    fn ask(&mut self, packages: &[Dependency], projects: &[usize], nearer: &Nearer) {
        let mut below = nearer.to_vec();
        let mut asked = Vec::new();
        for dependency in packages {
            let Some(key) = folder_name(&dependency.id) else {
                continue;
            };
            if self.asked.names.contains(&key) {
                continue;
            }
            let Some(number) = self.number(&key) else {
                continue;
            };
            if nearer.binary_search(&number).is_ok() {
                continue;
            }
            below.push(number);
            let pinned = self.pinned.get(&key).copied();
            let dependency = pinned.unwrap_or(dependency).clone();
            self.want(&key, &dependency);
            asked.push(Next::Package(key, Box::new(dependency)));
        }
        asked.extend(projects.iter().copied().map(Next::Project));
        below.sort_unstable();
        below.dedup();
        let below = Nearer::from(below);
        let next = asked.into_iter().map(|next| (next, below.clone()));
        self.queue.extend(next);
    }

    fn want(&mut self, key: &str, dependency: &Dependency) {
        match self.wanted.get_mut(key) {
            Some(known) if known.range.minimum() < dependency.range.minimum() => {
                known.range = dependency.range.clone();
                known.version.clone_from(&dependency.version);
            }
            Some(_) => {}
            None => {
                self.wanted.insert(key.to_owned(), dependency.clone());
            }
        }
    }

    /// The number of a package; `None` for those that are too many.
    fn number(&mut self, key: &str) -> Option<u32> {
        if let Some(&number) = self.numbers.get(key) {
            return Some(number);
        }
        let next = self.numbers.len();
        let number = (next < MAX_PACKAGES).then_some(next as u32)?;
        self.numbers.insert(key.to_owned(), number);
        Some(number)
    }
}

/// Whether a place adds anything to those that are known: not where one of them sees at least as much.
fn is_new(known: &mut Vec<Nearer>, nearer: &Nearer) -> bool {
    let is_part = |part: &Nearer| part.iter().all(|id| nearer.binary_search(id).is_ok());
    if known.len() >= MAX_WAYS || known.iter().any(is_part) {
        return false;
    }
    known.push(nearer.clone());
    true
}

/// Finds out which packages compilers see: NuGet's documentation, "Controlling dependency assets". What the
/// project itself says of a package is final.
fn show(
    folders: &Folders,
    framework: &Framework,
    asked: &Wishes<'_>,
    chosen: &mut BTreeMap<String, Resolved>,
) {
    let others = asked.projects.iter().flat_map(|project| &project.packages);
    let key = |dependency: &Dependency| Some((folder_name(&dependency.id)?, dependency.compile));
    let direct: FxHashMap<_, _> = asked.direct.iter().filter_map(key).collect();
    let all = asked.direct.iter().chain(others);
    let mut queue: VecDeque<_> = all.filter_map(key).collect();
    let mut seen: FxHashMap<String, Compile> = FxHashMap::default();
    while let Some((key, compile)) = queue.pop_front() {
        let Some(package) = chosen.get_mut(&key) else {
            continue;
        };
        if seen.get(&key).is_some_and(|&known| known >= compile) {
            continue;
        }
        package.compile = direct.get(&key).copied().unwrap_or(compile);
        if let Some(folder) = package.found.folder() {
            let nuspec = folders.nuspec(&key, folder);
            let inner = nuspec.dependencies(framework).iter();
            queue.extend(
                inner.filter_map(|inner| {
                    Some((folder_name(&inner.id)?, inner.compile.min(compile)))
                }),
            );
        }
        seen.insert(key, compile);
    }
}
