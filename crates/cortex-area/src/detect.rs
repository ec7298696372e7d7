//! From paths, sentinel files and configuration to areas.
//!
//! Three stages, and for each root the first that answers counts: the configuration, sentinel files, a sample of
//! files by their endings. Roots of one language below a root of that language that is a workspace or a project
//! belong to it; roots of other languages are areas of their own, nested or not. Of one language more projects side by
//! side than a reader would want listed, such as the inputs of a generator's tests, are one area together.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    area::{Area, AreaConfig, Confidence},
    language::{self, LANGUAGES, below, language_of},
    sentinel::{Weight, sentinel},
};

/// The file of the configuration.
pub(crate) const CONFIG: &str = ".context/config.toml";

/// Folders that are not looked at, whatever their depth.
pub const EXCLUDED_FOLDERS: &[&str] = &[
    ".git",
    "node_modules",
    "vendor",
    "target",
    "build",
    "dist",
    "bin",
    "obj",
];

/// How areas are detected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DetectOptions {
    /// So many files are sampled at most.
    pub sample_limit: usize,
    /// Further folders that are not looked at, by name or path.
    pub exclude_dirs: Vec<String>,
}

impl Default for DetectOptions {
    fn default() -> Self {
        Self {
            sample_limit: 200,
            exclude_dirs: Vec::new(),
        }
    }
}

/// A language needs so much of a sample to make an area.
const MIN_SHARE: f64 = 0.1;

/// And so many files.
const MIN_FILES: usize = 3;

/// The areas of a repository, by root, then language. A function of what is given.
///
/// `paths` are its files, sorted. `read` gives the text of a sentinel file.
pub fn detect(
    paths: &[&str],
    read: &dyn Fn(&str) -> Option<String>,
    configured: &[AreaConfig],
    options: &DetectOptions,
) -> Vec<Area> {
    let is_seen = |path: &&str| {
        let mut folders = path.split('/').rev().skip(1);
        !folders.any(|folder| EXCLUDED_FOLDERS.contains(&folder))
            && !options.exclude_dirs.iter().any(|excluded| {
                let excluded = excluded.trim_matches('/');
                let is_below = path
                    .strip_prefix(excluded)
                    .is_some_and(|rest| rest.starts_with('/'));
                is_below
                    || path
                        .split('/')
                        .rev()
                        .skip(1)
                        .any(|folder| folder == excluded)
            })
    };
    let paths: Vec<&str> = paths.iter().copied().filter(is_seen).collect();
    let mut areas: Vec<Area> = configured.iter().map(of_config).collect();
    let is_configured = |root: &str| {
        configured
            .iter()
            .any(|it| is_at_or_below(root, root_of(it)))
    };
    let mut found = by_sentinels(&paths, read);
    found.retain(|area| !is_configured(&area.root));
    areas.extend(found);
    areas.extend(by_sample(&paths, &areas, options.sample_limit));
    areas.sort_by(|a, b| (&a.root, &a.language, &a.name).cmp(&(&b.root, &b.language, &b.name)));
    name_apart(&mut areas);
    areas
}

fn root_of(config: &AreaConfig) -> &str {
    config.root.trim_matches('/').trim_start_matches("./")
}

/// Whether a folder is another one, or below it.
pub(crate) fn is_at_or_below(folder: &str, root: &str) -> bool {
    root.is_empty()
        || folder == root
        || folder
            .strip_prefix(root)
            .is_some_and(|rest| rest.starts_with('/'))
}

fn of_config(config: &AreaConfig) -> Area {
    let root = root_of(config).to_owned();
    let language = config.language.clone().unwrap_or_default();
    let known = language_of(&language);
    let globs = match (&config.globs[..], known) {
        ([], Some(known)) => known.globs(&root),
        ([], None) => vec![below(&root, "**")],
        (globs, _) => globs.to_vec(),
    };
    let mut exclude = config.exclude.clone();
    if exclude.is_empty() {
        exclude = known.map(|it| it.excludes(&root)).unwrap_or_default();
    }
    Area {
        name: config.name.clone(),
        language,
        root,
        confidence: Confidence::High,
        evidence: vec!["configured".to_owned()],
        suggested_globs: globs,
        exclude_globs: exclude,
    }
}

/// A language and a folder.
type RootKey = (&'static str, String);

/// What sentinels say of one folder for one language.
struct Root {
    weight: Weight,
    /// Names of the sentinels with what they weigh.
    names: Vec<(Weight, String)>,
    /// How many roots further down belong to it.
    n_below: usize,
}

impl Root {
    /// Whether it is described from folder to folder, the outermost first.
    fn is_build_tree(&self) -> bool {
        self.names.iter().any(|(_, name)| name == "CMakeLists.txt")
    }
}

fn by_sentinels(paths: &[&str], read: &dyn Fn(&str) -> Option<String>) -> Vec<Area> {
    let mut roots: BTreeMap<RootKey, Root> = BTreeMap::new();
    for path in paths {
        let Some(said) = sentinel(path) else { continue };
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let weight = weight_of(path, name, said.weight, read);
        let root = roots
            .entry((said.language, folder.to_owned()))
            .or_insert_with(|| Root {
                weight,
                names: Vec::new(),
                n_below: 0,
            });
        root.weight = root.weight.max(weight);
        root.names.push((weight, name.to_owned()));
    }
    // A setting or a weak sentinel says something only where files of the language are below it.
    let mut languages: BTreeMap<&'static str, BTreeSet<&str>> = BTreeMap::new();
    for path in paths {
        if let Some(language) = language::of_path(path) {
            let folders = languages.entry(language.id).or_default();
            let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            while folders.insert(folder) && !folder.is_empty() {
                folder = folder.rsplit_once('/').map_or("", |(outer, _)| outer);
            }
        }
    }
    roots.retain(|(language, folder), _| {
        languages
            .get(language)
            .is_some_and(|folders| folders.contains(folder.as_str()))
    });
    drop_shells(paths, &mut roots);
    let keys: Vec<RootKey> = roots.keys().cloned().collect();
    let mut absorbed: Vec<(RootKey, RootKey)> = Vec::new();
    for (language, folder) in &keys {
        // The outermost root of the language around it that makes an area.
        let owner = keys.iter().find(|(other, root)| {
            other == language
                && root != folder
                && is_at_or_below(folder, root)
                && roots
                    .get(&(*other, root.clone()))
                    .is_some_and(|root| root.weight >= Weight::Setting || root.is_build_tree())
        });
        if let Some(owner) = owner {
            absorbed.push(((language, folder.clone()), owner.clone()));
        }
    }
    for (root, owner) in absorbed {
        let removed = roots.remove(&root);
        if let (Some(removed), Some(owner)) = (removed, roots.get_mut(&owner)) {
            owner.n_below += 1 + removed.n_below;
        }
    }
    group_many(&mut roots);
    // Where another language has a project, a makefile is how that is built.
    let owned: Vec<String> = roots
        .iter()
        .filter(|(_, root)| root.weight > Weight::Weak)
        .map(|((_, folder), _)| folder.clone())
        .collect();
    roots.retain(|(language, folder), root| {
        root.weight > Weight::Weak
            || !owned.iter().any(|other| is_at_or_below(folder, other))
            || has_most(paths, language, folder)
    });
    roots
        .into_iter()
        .map(|((language, folder), root)| of_root(language, folder, root))
        .collect()
}

/// A project around others needs so many files of its own to be one.
const MIN_OWN: usize = 3;

/// Lets roots go that only hold others: a `package.json` for the tools of a repository is no project around those
/// further down.
fn drop_shells(paths: &[&str], roots: &mut BTreeMap<RootKey, Root>) {
    let keys: Vec<RootKey> = roots.keys().cloned().collect();
    for (language, folder) in &keys {
        let nested: Vec<&str> = keys
            .iter()
            .filter(|(other, root)| other == language && root != folder)
            .map(|(_, root)| root.as_str())
            .filter(|root| is_at_or_below(root, folder))
            .collect();
        let outermost = nested.iter().filter(|root| {
            let mut others = nested.iter().filter(|other| other != root);
            !others.any(|other| is_at_or_below(root, other))
        });
        let Some(root) = roots.get(&(*language, folder.clone())) else {
            continue;
        };
        let holds_by_nature = match root.weight {
            Weight::Workspace => true,
            // What is set for one project alone says nothing of where that is.
            Weight::Setting => *language == "csharp" && outermost.count() > 1,
            Weight::Project => false,
            Weight::Weak => root.is_build_tree(),
        };
        if holds_by_nature || nested.is_empty() {
            continue;
        }
        let is_around_projects = nested.iter().any(|nested| {
            let nested = roots.get(&(*language, (*nested).to_owned()));
            nested.is_some_and(|nested| nested.weight >= Weight::Project)
        });
        // Tools that are named for a repository have no files of their own, whatever lies beside its projects.
        if root.weight == Weight::Setting && is_around_projects {
            roots.remove(&(*language, folder.clone()));
            continue;
        }
        let in_language = paths.iter().filter(|path| {
            is_at_or_below(path, folder)
                && language::of_path(path).is_some_and(|it| it.id == *language)
                && !nested.iter().any(|root| is_at_or_below(path, root))
        });
        if in_language.take(MIN_OWN).count() < MIN_OWN {
            roots.remove(&(*language, folder.clone()));
        }
    }
}

/// More projects of one language in a folder are one area: nobody chooses among so many.
const MAX_SIDE_BY_SIDE: usize = 12;

/// Makes one root of the projects of a folder that has too many of a language, for the innermost such folders. What
/// somebody put together, as in a solution, stays apart.
fn group_many(roots: &mut BTreeMap<RootKey, Root>) {
    let mut counts: BTreeMap<RootKey, usize> = BTreeMap::new();
    let is_single = |root: &Root| root.weight < Weight::Workspace;
    for (language, root) in roots.iter().filter(|it| is_single(it.1)).map(|it| it.0) {
        let mut folder = root.as_str();
        while let Some((outer, _)) = folder.rsplit_once('/') {
            folder = outer;
            *counts.entry((language, folder.to_owned())).or_default() += 1;
        }
        // A whole repository is an area of projects that lie in it side by side, and of no others.
        if !root.is_empty() && !root.contains('/') {
            *counts.entry((language, String::new())).or_default() += 1;
        }
    }
    let mut crowded: Vec<RootKey> = counts
        .into_iter()
        .filter(|(_, n)| *n > MAX_SIDE_BY_SIDE)
        .map(|(key, _)| key)
        .collect();
    crowded.sort_by_key(|(_, folder)| std::cmp::Reverse(folder.len()));
    for (language, folder) in crowded {
        let inside: Vec<RootKey> = roots
            .iter()
            .filter(|((other, root), found)| {
                let is_inside = *root != folder && is_at_or_below(root, &folder);
                *other == language && is_inside && is_single(found)
            })
            .map(|(key, _)| key.clone())
            .collect();
        // What was grouped further in counts once.
        if inside.len() <= MAX_SIDE_BY_SIDE {
            continue;
        }
        let mut group = roots.remove(&(language, folder.clone())).unwrap_or(Root {
            weight: Weight::Weak,
            names: Vec::new(),
            n_below: 0,
        });
        for key in inside {
            if let Some(gone) = roots.remove(&key) {
                group.weight = group.weight.max(gone.weight);
                group.n_below += 1 + gone.n_below;
            }
        }
        roots.insert((language, folder), group);
    }
}

/// Whether most of the files that are of any language below a folder are of this one.
fn has_most(paths: &[&str], language: &str, folder: &str) -> bool {
    let inside = paths.iter().filter(|path| is_at_or_below(path, folder));
    let (mut n, mut n_own) = (0_usize, 0_usize);
    for found in inside.filter_map(|path| language::of_path(path)) {
        n += 1;
        n_own += usize::from(found.id == language);
    }
    n_own * 2 > n
}

/// What a `package.json` has one of that is more than a list of tools.
const PROJECT_KEYS: [&str; 6] = [
    "dependencies",
    "peerDependencies",
    "main",
    "module",
    "exports",
    "bin",
];

/// What a sentinel weighs, by what is in it where its name leaves that open.
fn weight_of(
    path: &str,
    name: &str,
    weight: Weight,
    read: &dyn Fn(&str) -> Option<String>,
) -> Weight {
    match name {
        "package.json" => {
            let json = read(path).and_then(|text| serde_json::from_str(&text).ok());
            let json: Option<serde_json::Value> = json;
            match json {
                Some(json) if json.get("workspaces").is_some() => Weight::Workspace,
                // One that lists tools alone, or has no name, sets something for what is around it.
                Some(json)
                    if PROJECT_KEYS.iter().all(|key| json.get(key).is_none())
                        && (json.get("devDependencies").is_some()
                            || json.get("name").is_none()) =>
                {
                    Weight::Setting
                }
                _ => weight,
            }
        }
        "Cargo.toml" => match read(path) {
            Some(text) if text.contains("[workspace]") => Weight::Workspace,
            _ => weight,
        },
        "pom.xml" => match read(path) {
            Some(text) if text.contains("<modules>") => Weight::Workspace,
            _ => weight,
        },
        _ => weight,
    }
}

/// So many names are told as evidence.
const MAX_EVIDENCE: usize = 4;

fn of_root(language: &'static str, root: String, found: Root) -> Area {
    let Root {
        weight,
        mut names,
        n_below,
    } = found;
    names.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let n_names = names.len();
    let mut evidence: Vec<String> = names
        .into_iter()
        .take(MAX_EVIDENCE)
        .map(|(_, name)| name)
        .collect();
    if n_names > MAX_EVIDENCE {
        evidence.push(format!("{} more", n_names - MAX_EVIDENCE));
    }
    match n_below {
        0 => {}
        1 => evidence.push("1 root below".to_owned()),
        n => evidence.push(format!("{n} roots below")),
    }
    let confidence = match weight {
        Weight::Weak => Confidence::Low,
        Weight::Setting => Confidence::Medium,
        Weight::Project | Weight::Workspace => Confidence::High,
    };
    made(language, root, confidence, evidence)
}

fn made(language: &str, root: String, confidence: Confidence, evidence: Vec<String>) -> Area {
    let known = language_of(language);
    Area {
        name: match root.rsplit('/').next().unwrap_or_default().to_lowercase() {
            folder if folder.is_empty() || folder == language => language.to_owned(),
            folder => format!("{folder}-{language}"),
        },
        language: language.to_owned(),
        confidence,
        evidence,
        suggested_globs: known.map(|it| it.globs(&root)).unwrap_or_default(),
        exclude_globs: known.map(|it| it.excludes(&root)).unwrap_or_default(),
        root,
    }
}

/// What the evidence of a sample ends with.
const SAMPLED: &str = "sampled files";

impl Area {
    /// Whether a sample of files says that it is there, so that any file that comes or goes may change that.
    pub fn is_sampled(&self) -> bool {
        self.evidence.iter().any(|it| it.ends_with(SAMPLED))
    }
}

/// Areas of languages that no sentinel speaks for, by a sample of the files that no area has.
fn by_sample(paths: &[&str], areas: &[Area], limit: usize) -> Vec<Area> {
    let has = |path: &str| {
        let language = language::of_path(path).map(|it| it.id);
        areas.iter().any(|area| {
            is_at_or_below(path, &area.root)
                && (language == Some(area.language.as_str()) || area.evidence == ["configured"])
        })
    };
    let left: Vec<&str> = paths.iter().copied().filter(|path| !has(path)).collect();
    if left.is_empty() || limit == 0 {
        return Vec::new();
    }
    // Evenly spread, so that each folder has its part.
    let step = left.len().div_ceil(limit);
    let sample: Vec<&str> = left.iter().copied().step_by(step).collect();
    let mut by_language: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
    for path in &sample {
        if let Some(language) = language::of_path(path) {
            by_language.entry(language.id).or_default().push(path);
        }
    }
    let mut out = Vec::new();
    for language in LANGUAGES {
        let Some(files) = by_language.get(language.id) else {
            continue;
        };
        let share = files.len() as f64 / sample.len() as f64;
        if files.len() < MIN_FILES || share < MIN_SHARE {
            continue;
        }
        let root = common_folder(files);
        let confidence = match share >= 0.8 {
            true => Confidence::Medium,
            false => Confidence::Low,
        };
        let evidence = format!("{} of {} {SAMPLED}", files.len(), sample.len());
        out.push(made(language.id, root, confidence, vec![evidence]));
    }
    out
}

/// The innermost folder around all paths.
fn common_folder(paths: &[&str]) -> String {
    let folder = |path: &str| -> Vec<String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let parts = folder.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let mut common = paths.first().map(|path| folder(path)).unwrap_or_default();
    for path in paths {
        let parts = folder(path);
        let same = common
            .iter()
            .zip(&parts)
            .take_while(|(a, b)| a == b)
            .count();
        common.truncate(same);
    }
    common.join("/")
}

/// Gives areas of one name that of their whole root, and numbers where that is not enough.
fn name_apart(areas: &mut [Area]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for area in areas.iter() {
        *counts.entry(area.name.clone()).or_default() += 1;
    }
    for area in areas.iter_mut() {
        let is_shared = counts.get(&area.name).is_some_and(|n| *n > 1);
        if is_shared && !area.root.is_empty() && area.evidence != ["configured"] {
            let folders = area.root.replace('/', "-").to_lowercase();
            area.name = format!("{folders}-{}", area.language);
        }
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for area in areas {
        let mut name = area.name.clone();
        let mut n = 1;
        while !taken.insert(name.clone()) {
            n += 1;
            name = format!("{}-{n}", area.name);
        }
        area.name = name;
    }
}
