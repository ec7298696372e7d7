//! Projects of a snapshot: evaluated anew only when a project file or the set of sources changed.

use std::{cell::RefCell, collections::BTreeSet};

use cortex_bind::{GlobalUsing, InternalsVisible, ProjectScope};
use cortex_git::{ReadBlob, TreeFile};
use cortex_model::{BlobId, Hash, Hasher, RepoPath};
use cortex_project::{
    EvaluationOptions, LOOSE, Project, ProjectFiles, UsingKind, compare_frameworks, evaluate, loose,
};
use cortex_syntax::ParseOptions;
use rustc_hash::FxHashMap;

use crate::{
    damage::{ProjectCounts, ProjectReferences},
    records::ProjectRecord,
    unread::{UnreadFile, UnreadReason},
};

/// Files that describe projects are not read where they have more bytes.
const MAX_PROJECT_FILE_BYTES: u64 = 16 << 20;

/// The files of a tree as project evaluation asks for them.
pub(crate) struct TreeFiles<'a> {
    paths: Vec<RepoPath>,
    blobs: FxHashMap<RepoPath, BlobId>,
    reader: RefCell<Box<dyn ReadBlob + 'a>>,
    unread: RefCell<BTreeSet<UnreadFile>>,
}

impl<'a> TreeFiles<'a> {
    /// `files` sorted by path.
    pub(crate) fn new(files: &[TreeFile], reader: Box<dyn ReadBlob + 'a>) -> Self {
        let files = files.iter().filter(|file| file.mode.is_file());
        let (paths, blobs) = files
            .map(|file| (file.path.clone(), (file.path.clone(), file.blob)))
            .unzip();
        Self {
            paths,
            blobs,
            reader: RefCell::new(reader),
            unread: RefCell::default(),
        }
    }

    /// The files that evaluation asked for and git could not read, sorted.
    pub(crate) fn into_unread(self) -> Vec<UnreadFile> {
        self.unread.into_inner().into_iter().collect()
    }
}

impl ProjectFiles for TreeFiles<'_> {
    fn paths(&self) -> &[RepoPath] {
        &self.paths
    }

    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        let blob = *self.blobs.get(path)?;
        let mut reader = self.reader.borrow_mut();
        let read = match reader.blob_size(blob) {
            Ok(size) if size > MAX_PROJECT_FILE_BYTES => return None,
            Ok(_) => reader.read_blob(blob),
            Err(error) => Err(error),
        };
        let error = match read {
            Ok(content) => return Some(content),
            Err(error) => error,
        };
        let reason = UnreadReason::of(&error).unwrap_or(UnreadReason::Damaged);
        self.unread.borrow_mut().insert(UnreadFile {
            path: path.clone(),
            blob,
            reason,
        });
        None
    }
}

/// Evaluated projects, with the sources of each.
pub(crate) struct Evaluated {
    /// Sorted by path.
    pub(crate) records: Vec<ProjectRecord>,
    /// By project, as in `records`: its sources, sorted.
    pub(crate) sources: Vec<Vec<RepoPath>>,
}

/// Evaluates every project of a tree.
pub(crate) fn evaluate_tree(files: &TreeFiles<'_>, tfm: Option<&str>) -> Evaluated {
    let options = EvaluationOptions {
        tfm: tfm.map(str::to_owned),
        ..EvaluationOptions::default()
    };
    let graph = evaluate(files, &options);
    let loose = loose(files, &graph);
    let mut projects = graph.projects;
    projects.extend(loose);
    projects.sort_by(|a, b| a.path.cmp(&b.path));
    let mut evaluated = Evaluated {
        records: Vec::new(),
        sources: Vec::new(),
    };
    for mut project in projects {
        let sources = std::mem::take(&mut project.sources);
        let libraries = project.libraries.iter();
        let libraries = libraries.map(|path| files.blobs.get(path).copied());
        let libraries = libraries.collect();
        let mut hasher = Hasher::new("sources-v1");
        sources.iter().for_each(|path| {
            hasher.field(path.as_str().as_bytes());
        });
        evaluated.records.push(ProjectRecord {
            project,
            sources: hasher.finish(),
            global_usings: Vec::new(),
            friends: Vec::new(),
            libraries,
            references: ProjectReferences::default(),
            counts: ProjectCounts::default(),
        });
        evaluated.sources.push(sources);
    }
    evaluated
}

/// What decides how the text of a project's files is read.
pub(crate) fn parse_options(record: &ProjectRecord) -> ParseOptions {
    ParseOptions {
        symbols: record
            .project
            .symbols
            .iter()
            .cloned()
            .collect::<BTreeSet<_>>(),
    }
}

/// What each project's files can see, as in `records`.
/// The order of preference among projects that compile the same file into assemblies of one name, lowest
/// first: the newest framework, then the shortest path.
pub(crate) fn ranks(records: &[ProjectRecord]) -> Vec<u32> {
    let mut in_order: Vec<usize> = (0..records.len()).collect();
    in_order.sort_by(|&a, &b| {
        let (a, b) = (&records[a].project, &records[b].project);
        compare_frameworks(&b.tfm, &a.tfm)
            .then_with(|| a.path.as_str().len().cmp(&b.path.as_str().len()))
            .then_with(|| a.path.cmp(&b.path))
    });
    let mut ranks = vec![0; records.len()];
    for (rank, project) in (0..).zip(in_order) {
        ranks[project] = rank;
    }
    ranks
}

/// What each project sees. Project files of one folder that make assemblies of one name are variants of one
/// project, and one of them may stand for a type of all ([`Speakers`](cortex_bind::Speakers)): who sees one, sees all.
pub(crate) fn scopes(records: &[ProjectRecord]) -> Vec<ProjectScope> {
    let mut variants: FxHashMap<(&str, &str), Vec<&RepoPath>> = FxHashMap::default();
    for ProjectRecord { project, .. } in records {
        let key = (project.path.folder(), project.assembly.as_str());
        variants.entry(key).or_default().push(&project.path);
    }
    let by_path: FxHashMap<&RepoPath, &ProjectRecord> = records
        .iter()
        .map(|record| (&record.project.path, record))
        .collect();
    records
        .iter()
        .map(|record| {
            let project = &record.project;
            let mut scope = ProjectScope {
                path: Some(project.path.clone()),
                assembly: project.assembly.clone(),
                sees_all: project.path.as_str() == LOOSE,
                usings: project.usings.iter().map(global_using).collect(),
                ..ProjectScope::default()
            };
            scope.usings.extend(
                record
                    .global_usings
                    .iter()
                    .flat_map(|(_, usings)| usings.iter().cloned()),
            );
            scope.usings.sort();
            scope.usings.dedup();
            let mut see = |other: &Project, internals| {
                let key = (other.path.folder(), other.assembly.as_str());
                for &path in variants.get(&key).into_iter().flatten() {
                    let known = scope.visible.entry(path.clone()).or_insert(internals);
                    if internals == InternalsVisible::Yes {
                        *known = internals;
                    }
                }
            };
            see(project, InternalsVisible::Yes);
            for other in project
                .all_references
                .iter()
                .filter_map(|path| by_path.get(path))
            {
                let in_source = other.friends.iter().flat_map(|(_, friends)| friends);
                let is_friend = in_source
                    .chain(&other.project.friends)
                    .any(|friend| friend_name(friend) == project.assembly);
                let internals = if is_friend {
                    InternalsVisible::Yes
                } else {
                    InternalsVisible::No
                };
                see(&other.project, internals);
            }
            scope
        })
        .collect()
}

/// The assembly's name in an `InternalsVisibleTo`, without its key.
fn friend_name(friend: &str) -> &str {
    friend.split(',').next().unwrap_or(friend).trim()
}

fn global_using(using: &cortex_project::GlobalUsing) -> GlobalUsing {
    match &using.kind {
        UsingKind::Namespace => GlobalUsing::Namespace(using.target.clone()),
        UsingKind::Static => GlobalUsing::Static(using.target.clone()),
        UsingKind::Alias(alias) => GlobalUsing::Alias(alias.clone(), using.target.clone()),
    }
}

/// A digest of everything that decides how a project's files bind.
pub(crate) fn scope_digest(scope: &ProjectScope, record: &ProjectRecord) -> Hash {
    let mut hasher = Hasher::new("scope-v2");
    hasher
        .field(scope.assembly.as_bytes())
        .number(u64::from(scope.sees_all));
    let mut visible: Vec<_> = scope.visible.iter().collect();
    visible.sort_by_key(|(path, _)| (*path).clone());
    for (path, internals) in visible {
        hasher
            .field(path.as_str().as_bytes())
            .number(*internals as u64);
    }
    for using in &scope.usings {
        hasher.field(format!("{using:?}").as_bytes());
    }
    let language = record.project.language_version.as_deref();
    hasher
        .field(language.unwrap_or_default().as_bytes())
        .field(record.references.digest.as_bytes());
    hasher.finish()
}
