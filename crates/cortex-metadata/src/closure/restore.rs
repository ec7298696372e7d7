//! `project.assets.json`: what NuGet restored, where a restore was made.
//!
//! A restore answers a request of its own day. It holds where the request is still the same: then NuGet
//! knew more than is known here, such as which versions its sources had.

use std::collections::BTreeMap;

use cortex_model::{Hash, Hasher};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, de::IgnoredAny};

use super::{
    folder::folder_name,
    framework::Framework,
    nuspec::Compile,
    request::{PackageRequest, ProjectRequest, ReferencedProject},
    version::{Range, Version},
};

/// Packages that SDKs add to projects by themselves, in lower case.
const AUTOMATIC: [&str; 3] = [
    "netstandard.library",
    "microsoft.netcore.app",
    "microsoft.netframework.referenceassemblies",
];

/// What NuGet restored for one project.
#[derive(Debug)]
pub struct Restore {
    digest: Hash,
    targets: Vec<Target>,
}

/// What was restored for one target framework.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Target {
    framework: Framework,
    asked: Vec<Asked>,
    projects: Vec<RestoredProject>,
    /// By id.
    pub(super) packages: Vec<Restored>,
    /// The shared frameworks that packages need, sorted.
    pub(super) frameworks: Vec<String>,
}

/// A package of a restore.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Restored {
    id: String,
    version: Option<Version>,
    /// The files that compilers see, relative to the package folders.
    pub(super) files: Vec<String>,
}

/// A package that the project itself asked for.
#[derive(PartialEq, Eq, Debug)]
struct Asked {
    id: String,
    range: Option<Range>,
    compile: Compile,
    is_automatic: bool,
}

/// Another project of a restore.
#[derive(PartialEq, Eq, Debug)]
struct RestoredProject {
    /// The name of its file in lower case.
    file: String,
    framework: Option<Framework>,
    /// What it depends on, by id in lower case.
    dependencies: BTreeMap<String, Option<Range>>,
}

impl Restore {
    /// Files of more bytes are of no use to [`parse`](Self::parse).
    pub const MAX_BYTES: u64 = 16 << 20;

    /// Reads the bytes of a `project.assets.json`. `None` where they are none.
    pub fn parse(text: &[u8]) -> Option<Self> {
        if text.len() as u64 > Self::MAX_BYTES {
            return None;
        }
        let file: File = serde_json::from_slice(text).ok()?;
        let mut targets = Vec::new();
        for (name, libraries) in &file.targets {
            // Targets with a runtime identifier after a slash list what is needed to run.
            let Some(framework) = Framework::parse(name).filter(|_| !name.contains('/')) else {
                continue;
            };
            let mut asked = file.project.frameworks.iter();
            let asked = asked.find(|(name, _)| Framework::parse(name).as_ref() == Some(&framework));
            if let Some((_, asked)) = asked {
                targets.push(target(framework, libraries, &file.libraries, asked));
            }
        }
        let mut hasher = Hasher::new("restore-v1");
        hasher.field(text);
        Some(Self {
            digest: hasher.finish(),
            targets,
        })
    }

    /// Changes with the file.
    pub(super) fn digest(&self) -> Hash {
        self.digest
    }

    /// What was restored, if the same was asked for.
    pub(super) fn answer(
        &self,
        request: &ProjectRequest<'_>,
        framework: &Framework,
    ) -> Option<&Target> {
        let mut targets = self.targets.iter();
        let target = targets.find(|target| target.framework == *framework)?;
        let names: FxHashSet<String> = request
            .projects
            .iter()
            .map(|it| it.to_lowercase())
            .collect();
        let is_answer = target.has_asked(request.packages, &names)
            && target.has_seen(request.referenced, &names)
            && target.has_pinned(request.pinned);
        is_answer.then_some(target)
    }
}

impl Target {
    /// Whether these are the packages that the project asked for itself.
    fn has_asked(&self, packages: &[PackageRequest<'_>], names: &FxHashSet<String>) -> bool {
        let mut wanted = by_id(packages, names);
        self.asked.iter().all(|asked| {
            let Some(package) = wanted.remove(&asked.id) else {
                return asked.is_automatic || names.contains(&asked.id);
            };
            package.compile == asked.compile && is_same(package, asked.range.as_ref())
        }) && wanted.is_empty()
    }

    /// Whether these are the projects that it saw, and what they asked for.
    fn has_seen(&self, projects: &[ReferencedProject<'_>], names: &FxHashSet<String>) -> bool {
        let files: FxHashSet<String> = projects.iter().map(|it| it.file.to_lowercase()).collect();
        let is_seen = |project: &RestoredProject| files.contains(&project.file);
        let is_csharp = |project: &&RestoredProject| project.file.ends_with(".csproj");
        self.projects.iter().filter(is_csharp).all(is_seen)
            && projects.iter().all(|project| {
                let file = project.file.to_lowercase();
                let own = Framework::parse(project.framework);
                let mut others = self.projects.iter().filter(|other| other.file == file);
                others.any(|other| {
                    // What it asks for may depend on the framework.
                    other.framework != own || other.has_asked(&project.packages, names)
                })
            })
    }

    /// Whether the central versions were those that were restored.
    fn has_pinned(&self, pinned: &[PackageRequest<'_>]) -> bool {
        let pinned = by_id(pinned, &FxHashSet::default());
        let is_direct = |id: &str| self.asked.iter().any(|asked| asked.id == id);
        self.packages.iter().all(|package| {
            let id = package.id.to_lowercase();
            let range = pinned.get(&id).filter(|_| !is_direct(&id));
            let range = range.and_then(|package| Range::parse(package.version?));
            range.is_none_or(|range| {
                let version = package.version.as_ref();
                version.is_some_and(|version| range.accepts(version))
            })
        })
    }
}

impl RestoredProject {
    fn has_asked(&self, packages: &[PackageRequest<'_>], names: &FxHashSet<String>) -> bool {
        let mut wanted = by_id(packages, names);
        self.dependencies.iter().all(|(id, range)| {
            let Some(package) = wanted.remove(id) else {
                return names.contains(id) || AUTOMATIC.contains(&id.as_str());
            };
            is_same(package, range.as_ref())
        }) && wanted.keys().all(|id| AUTOMATIC.contains(&id.as_str()))
    }
}

/// What is a package, by id in lower case.
fn by_id<'p>(
    packages: &'p [PackageRequest<'p>],
    names: &FxHashSet<String>,
) -> FxHashMap<String, &'p PackageRequest<'p>> {
    packages
        .iter()
        .filter_map(|package| Some((folder_name(package.id)?, package)))
        .filter(|(id, _)| !names.contains(id))
        .collect()
}

/// Whether a version that is asked for is the one that was; without one anything is.
fn is_same(package: &PackageRequest<'_>, range: Option<&Range>) -> bool {
    let wanted = package.version.and_then(Range::parse);
    wanted.is_none_or(|wanted| Some(&wanted) == range)
}

fn target(
    framework: Framework,
    libraries: &BTreeMap<String, Library>,
    places: &BTreeMap<String, Place>,
    asked: &AskedFor,
) -> Target {
    let mut packages = Vec::new();
    let mut projects = Vec::new();
    let mut frameworks = Vec::new();
    for (key, library) in libraries {
        frameworks.extend_from_slice(&library.framework_references);
        let Some((id, version)) = key.split_once('/') else {
            continue;
        };
        let place = places.get(key).and_then(|place| place.path.as_deref());
        match library.kind.as_str() {
            "package" => {
                let folder = place.map_or_else(|| key.to_ascii_lowercase(), str::to_owned);
                let files = library.compile.keys();
                packages.push(Restored {
                    id: id.to_owned(),
                    version: Version::parse(version),
                    files: files
                        .filter(|file| !file.ends_with("_._"))
                        .map(|file| format!("{folder}/{file}"))
                        .collect(),
                });
            }
            "project" => {
                let dependencies = library.dependencies.iter();
                projects.push(RestoredProject {
                    file: place
                        .and_then(|place| place.rsplit(['/', '\\']).next())
                        .unwrap_or_default()
                        .to_lowercase(),
                    framework: library.framework.as_deref().and_then(Framework::parse),
                    dependencies: dependencies
                        .map(|(id, version)| (id.to_lowercase(), Range::parse(version)))
                        .collect(),
                });
            }
            _ => {}
        }
    }
    frameworks.sort_unstable();
    frameworks.dedup();
    let asked = asked.dependencies.iter();
    Target {
        framework,
        asked: asked
            .filter(|(_, package)| package.target.as_deref().is_none_or(|it| it == "Package"))
            .map(|(id, package)| Asked {
                id: id.to_lowercase(),
                range: package.version.as_deref().and_then(Range::parse),
                compile: package.compile(),
                is_automatic: package.auto_referenced,
            })
            .collect(),
        projects,
        packages,
        frameworks,
    }
}

/// The file, as far as it matters.
#[derive(Deserialize)]
struct File {
    targets: BTreeMap<String, BTreeMap<String, Library>>,
    #[serde(default)]
    libraries: BTreeMap<String, Place>,
    project: Asking,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Library {
    #[serde(rename = "type", default)]
    kind: String,
    framework: Option<String>,
    #[serde(default)]
    dependencies: BTreeMap<String, String>,
    #[serde(default)]
    compile: BTreeMap<String, IgnoredAny>,
    #[serde(default)]
    framework_references: Vec<String>,
}

#[derive(Deserialize)]
struct Place {
    path: Option<String>,
}

#[derive(Deserialize)]
struct Asking {
    #[serde(default)]
    frameworks: BTreeMap<String, AskedFor>,
}

#[derive(Deserialize)]
struct AskedFor {
    #[serde(default)]
    dependencies: BTreeMap<String, AskedPackage>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AskedPackage {
    target: Option<String>,
    version: Option<String>,
    include: Option<String>,
    #[serde(default)]
    auto_referenced: bool,
}

impl AskedPackage {
    fn compile(&self) -> Compile {
        let is_compile = |word: &str| {
            let word = word.trim();
            word.eq_ignore_ascii_case("all") || word.eq_ignore_ascii_case("compile")
        };
        match &self.include {
            Some(list) if !list.split(',').any(is_compile) => Compile::Hidden,
            _ => Compile::Visible,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
      "version": 3,
      "targets": {
        ".NETStandard,Version=v2.0": {"Old/1.0.0": {"type": "package", "compile": {"lib/x.dll": {}}}},
        "net8.0": {
          "B/2.0.0": {"type": "package", "compile": {"lib/net6.0/B.dll": {}}, "frameworkReferences": ["F"]},
          "A/1.0.0": {"type": "package", "compile": {"lib/net6.0/_._": {}}},
          "P/1.0.0": {"type": "project", "framework": ".NETCoreApp,Version=v8.0",
            "dependencies": {"B": "2.0.0", "Q": "1.0.0", "NETStandard.Library": "2.0.3"}, "compile": {"bin/P.dll": {}}},
          "Q/1.0.0": {"type": "project", "framework": ".NETStandard,Version=v2.0", "dependencies": {"X": "1.0.0"}}
        },
        "net8.0/linux-x64": {}
      },
      "libraries": {"B/2.0.0": {"path": "b/2.0.0", "files": ["b.nuspec"]},
        "P/1.0.0": {"type": "project", "path": "../P/P.csproj"}, "Q/1.0.0": {"path": "..\\Q\\Q.csproj"}},
      "project": {"frameworks": {"net8.0": {"dependencies": {
        "A": {"target": "Package", "version": "[1.0.0, )"},
        "Run": {"include": "Runtime, Build", "target": "Package", "version": "[1.*, )"},
        "Tasks": {"target": "Package", "version": "[8.0.0, )", "autoReferenced": true},
        "P": {"target": "Project"}}}}}
    }"#;

    fn package<'a>(id: &'a str, version: &'a str) -> PackageRequest<'a> {
        PackageRequest {
            id,
            version: Some(version),
            compile: match id {
                "Run" => Compile::Hidden,
                _ => Compile::Visible,
            },
        }
    }

    /// Whether the restore is the answer to `id version` of the project, of P and of its central versions.
    fn is_answer(own: &[(&str, &str)], of_p: &[(&str, &str)], pinned: &[(&str, &str)]) -> bool {
        let list = |packages: &[(&'static str, &'static str)]| -> Vec<PackageRequest<'static>> {
            packages
                .iter()
                .map(|(id, version)| package(id, version))
                .collect()
        };
        let leak = |packages: &[(&str, &str)]| -> Vec<(&'static str, &'static str)> {
            let leak = |text: &str| -> &'static str { text.to_owned().leak() };
            packages
                .iter()
                .map(|(id, version)| (leak(id), leak(version)))
                .collect()
        };
        let referenced = [
            ReferencedProject {
                file: "P.csproj",
                framework: "net8.0",
                packages: list(&leak(of_p)),
                references: vec![1],
            },
            ReferencedProject {
                file: "Q.csproj",
                framework: "net8.0",
                ..ReferencedProject::default()
            },
        ];
        let request = ProjectRequest {
            packages: &list(&leak(own)),
            pinned: &list(&leak(pinned)),
            referenced: &referenced,
            references: &[0],
            projects: &["P", "Q"],
            ..ProjectRequest::default()
        };
        let framework = Framework::parse("net8.0").expect("a framework");
        let restore = Restore::parse(TEXT.as_bytes()).expect("a restore");
        restore.answer(&request, &framework).is_some()
    }

    const OWN: &[(&str, &str)] = &[("a", "1.0"), ("Run", "1.*")];
    const OF_P: &[(&str, &str)] = &[("B", "2.0.0")];

    #[test]
    fn the_compile_files_of_the_own_target_are_listed() {
        let restore = Restore::parse(TEXT.as_bytes()).expect("a restore");
        let [target] = &*restore.targets else {
            panic!("the project has one framework");
        };
        let files: Vec<_> = target
            .packages
            .iter()
            .map(|p| (&*p.id, &*p.files))
            .collect();
        assert_eq!(
            files,
            [
                ("A", &[][..]),
                ("B", &["b/2.0.0/lib/net6.0/B.dll".to_owned()])
            ]
        );
        assert_eq!(target.frameworks, ["F"]);
        for text in ["{}", "[", r#"{"targets": {"net8.0": 1}, "project": {}}"#] {
            assert!(Restore::parse(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_restore_answers_what_it_was_asked_and_nothing_else() {
        assert!(is_answer(OWN, OF_P, &[]));
        assert!(is_answer(
            OWN,
            OF_P,
            &[("b", "2.0.0"), ("A", "9.0"), ("Other", "1.0")]
        ));
        assert!(!is_answer(OWN, OF_P, &[("b", "3.0.0")]), "pinned since");
        assert!(
            !is_answer(&[("A", "1.1"), ("Run", "1.*")], OF_P, &[]),
            "another version"
        );
        assert!(
            !is_answer(&[("A", "1.0")], OF_P, &[]),
            "no longer referenced"
        );
        assert!(
            !is_answer(&[("A", "1.0"), ("Run", "1.*"), ("New", "1.0")], OF_P, &[]),
            "new"
        );
        assert!(!is_answer(OWN, &[], &[]), "P no longer references it");
        assert!(
            !is_answer(OWN, &[("B", "2.1")], &[]),
            "P wants another version"
        );
    }

    #[test]
    fn a_restore_of_other_projects_is_no_answer() {
        let framework = Framework::parse("net8.0").expect("a framework");
        let restore = Restore::parse(TEXT.as_bytes()).expect("a restore");
        let packages = [package("A", "1.0"), package("Run", "1.*")];
        let mut request = ProjectRequest {
            packages: &packages,
            ..ProjectRequest::default()
        };
        assert!(restore.answer(&request, &framework).is_none());
        let other = Framework::parse("net9.0").expect("a framework");
        request.projects = &["P", "Q"];
        assert!(restore.answer(&request, &other).is_none());
    }
}
