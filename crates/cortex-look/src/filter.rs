//! What an answer may speak of: one predicate on files, as projects compile them.
//!
//! Must not know: what is asked.

use crate::{QueryError, scope::Scopes};
use cortex_wire::{Filter as LimitedTo, TestScope};

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use cortex_bind::{PartRef, TypeNode, main_part};
use cortex_git::PathFilter;
use cortex_index::{
    FileSummary, Index, IndexedSide, MemberDetails, Progress, Snapshot, TypeHeader,
};
use cortex_model::{ByteRange, RepoPath};
use cortex_scope::{CallerContext, Counted, Diagnostic, ScopeRequest, ScopedPaths};
use cortex_syntax::text::decode;

/// What a question is limited to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FilterOptions {
    /// Projects, each by its path or its assembly's name; all where it is empty.
    pub projects: Vec<String>,
    /// Paths, as git's pathspecs; all where it is empty.
    pub paths: Vec<String>,
    /// Tests or other code.
    pub tests: TestScope,
    /// A scope; everything where there is none.
    pub scope: Option<ScopeRequest>,
    /// The scope as it was written.
    pub scope_text: String,
}

/// What options limit an answer to; `None` where that is everything.
pub(crate) fn limited_to(options: &FilterOptions) -> Option<LimitedTo> {
    let out = LimitedTo {
        scope: (options.scope.is_some()).then(|| options.scope_text.clone()),
        projects: options.projects.clone(),
        paths: options.paths.clone(),
        tests: options.tests,
    };
    (out != LimitedTo::default()).then_some(out)
}

/// Whether an answer may speak of a file.
pub struct Filter {
    limited_to: Option<LimitedTo>,
    /// `None`: all.
    projects: Option<BTreeSet<RepoPath>>,
    /// `None`: all. Matching changes what the matcher remembers, hence the lock.
    paths: Option<Mutex<PathFilter>>,
    /// `None`: everything.
    scope: Option<Scoped>,
}

/// A scope, resolved.
struct Scoped {
    paths: ScopedPaths,
    /// Of files that are not in it as a whole: the lines that are, from 1. White space does not count.
    lines: BTreeMap<RepoPath, BTreeSet<u32>>,
    warnings: Vec<Diagnostic>,
    /// Whether it has all that is known, assemblies among it.
    is_all: bool,
}

impl Filter {
    /// Reads what is asked for. Reads the projects of the snapshot where that is about projects.
    ///
    /// # Errors
    /// [`QueryError::UnknownProject`], [`QueryError::Scope`], and [`cortex_git::GitError::InvalidPath`] for a malformed
    /// pathspec.
    pub fn new(
        index: &Index,
        side: &IndexedSide,
        options: &FilterOptions,
        progress: &dyn Progress,
    ) -> Result<Self, QueryError> {
        let scope = match &options.scope {
            Some(request) => Some(Scoped::resolve(index, side, request, progress)?),
            None => None,
        };
        let paths = match options.paths.as_slice() {
            [] => None,
            patterns => Some(Mutex::new(index.repo.path_filter(patterns)?)),
        };
        Ok(Self {
            limited_to: limited_to(options),
            projects: projects(&side.snapshot, options)?,
            paths,
            scope,
        })
    }

    /// What looks wrong in the scope, though it means something.
    pub fn warnings(&self) -> &[Diagnostic] {
        let scope = self.scope.as_ref();
        scope.map_or(&[], |scope| &scope.warnings)
    }

    /// One that lets everything pass.
    pub const fn everything() -> Self {
        Self {
            limited_to: None,
            projects: None,
            paths: None,
            scope: None,
        }
    }

    /// What was asked for; `None` where that is everything.
    pub fn limited_to(&self) -> Option<&LimitedTo> {
        self.limited_to.as_ref()
    }

    /// Whether it lets everything pass.
    pub fn is_everything(&self) -> bool {
        self.projects.is_none() && self.paths.is_none() && self.has_outside()
    }

    /// Whether what lies outside of the repository passes: no scope leaves anything out.
    pub fn has_outside(&self) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.is_all)
    }

    /// Whether code of every project may pass.
    pub fn has_every_project(&self) -> bool {
        self.projects.is_none()
    }

    /// Whether nothing but the project of a file decides.
    pub fn is_of_projects_alone(&self) -> bool {
        self.paths.is_none() && self.has_outside()
    }

    /// Whether a file passes as it is compiled into a project.
    pub fn has(&self, path: &RepoPath, project: &RepoPath) -> bool {
        self.has_project(project) && self.has_path(path)
    }

    /// Whether what stands on a line of such a file passes.
    pub fn has_line(&self, path: &RepoPath, project: &RepoPath, line: u32) -> bool {
        let scope = self.scope.as_ref();
        let lines = scope.and_then(|scope| scope.lines.get(path));
        self.has(path, project) && lines.is_none_or(|lines| lines.contains(&line))
    }

    /// Whether what begins at a byte of a file passes, as it is compiled into a project.
    pub fn has_place(&self, path: &RepoPath, project: &RepoPath, offset: u32) -> bool {
        self.has(path, project) && self.has_offset(path, offset)
    }

    /// The ranges of a file that may be shown; `None` where all of it may.
    pub fn ranges(&self, path: &RepoPath) -> Option<&[ByteRange]> {
        self.scope.as_ref()?.paths.ranges(path.as_str())
    }

    /// Whether what begins at a byte of a file passes, where the file does.
    pub fn has_offset(&self, path: &RepoPath, offset: u32) -> bool {
        let scope = self.scope.as_ref();
        scope.is_none_or(|scope| scope.paths.has(path.as_str(), offset))
    }

    /// Whether a file passes in any of its projects; one without a project where no projects are asked for.
    pub fn has_file(&self, file: &FileSummary) -> bool {
        let is_in = self.projects.is_none() || file.projects.iter().any(|it| self.has_project(it));
        is_in && self.has_path(&file.path)
    }

    /// Whether a type passes with any of its parts.
    pub fn has_type(&self, node: &TypeNode) -> bool {
        let mut parts = node.parts.iter();
        parts.any(|part| self.has_line(&part.path, node.project_of(part), part.line))
    }

    /// The part of a type that passes: the one in the file that is called like it, else the first.
    pub fn part_of<'h>(&self, header: &'h TypeHeader) -> Option<&'h PartRef> {
        let passes =
            |part: &&PartRef| self.has_line(&part.path, header.project_of(part), part.line);
        let main = main_part(&header.fqn, &header.parts).filter(passes);
        main.or_else(|| header.parts.iter().find(passes))
    }

    /// Of each member of a type, whether it passes. Reads facts where only some lines of a file pass.
    ///
    /// # Errors
    /// Those of reading facts.
    pub fn members(
        &self,
        details: &mut MemberDetails<'_>,
        node: &TypeNode,
    ) -> Result<Vec<bool>, QueryError> {
        let is_by_line = node
            .parts
            .iter()
            .any(|part| self.ranges(&part.path).is_some());
        let details = match is_by_line {
            true => details.of(node)?,
            false => Vec::new(),
        };
        let passes = |at: usize| {
            let part = node.parts.get(node.members[at].part as usize)?;
            let line = details.get(at).map(|it| it.line).filter(|line| *line > 0);
            Some(match self.ranges(&part.path) {
                None => self.has(&part.path, node.project_of(part)),
                Some(_) => {
                    self.has_line(&part.path, node.project_of(part), line.unwrap_or(part.line))
                }
            })
        };
        Ok((0..node.members.len())
            .map(|at| passes(at).unwrap_or(false))
            .collect())
    }

    /// Whether the code of a project may pass.
    pub fn has_project(&self, project: &RepoPath) -> bool {
        let projects = self.projects.as_ref();
        projects.is_none_or(|projects| projects.contains(project))
    }

    /// Whether a path may pass.
    pub fn has_path(&self, path: &RepoPath) -> bool {
        let scope = self.scope.as_ref();
        if !scope.is_none_or(|scope| scope.paths.has_path(path.as_str())) {
            return false;
        }
        self.paths.as_ref().is_none_or(|paths| {
            let mut paths = paths.lock().unwrap_or_else(PoisonError::into_inner);
            paths.matches(path)
        })
    }
}

impl Scoped {
    fn resolve(
        index: &Index,
        side: &IndexedSide,
        request: &ScopeRequest,
        progress: &dyn Progress,
    ) -> Result<Self, QueryError> {
        let scopes = Scopes::open_for(
            (request, Counted::Repository),
            index,
            side,
            CallerContext::default(),
            progress,
        )?;
        let resolved = scopes.resolve(request)?.map_err(QueryError::Scope)?;
        let paths = scopes.paths_of(&resolved.scope);
        let is_all = scopes.is_all(&resolved.scope);
        let mut reader = index.blobs(side);
        let mut lines = BTreeMap::new();
        for path in paths.paths() {
            let Some(ranges) = paths.ranges(path) else {
                continue;
            };
            let path = RepoPath::from(path);
            let text = match side.snapshot.file(&path)? {
                Some(file) => reader.read_blob(file.blob)?,
                None => Vec::new(),
            };
            lines.insert(path, whole_lines(decode(&text).as_bytes(), ranges));
        }
        Ok(Self {
            paths,
            lines,
            warnings: resolved.descriptor.diagnostics,
            is_all,
        })
    }
}

/// The lines, from 1, of which all that is not white space lies in one of some ranges.
pub(crate) fn whole_lines(text: &[u8], ranges: &[ByteRange]) -> BTreeSet<u32> {
    let mut out = BTreeSet::new();
    let mut start = 0;
    for (line, bytes) in (1..).zip(text.split_inclusive(|&b| b == b'\n')) {
        let blank = bytes.len() - bytes.trim_ascii_start().len();
        let (first, end) = (start + blank, start + blank + bytes.trim_ascii().len());
        let is_in = |range: &&ByteRange| range.start as usize <= first && end <= range.end as usize;
        if first < end && ranges.iter().any(|range| is_in(&range)) {
            out.insert(line);
        }
        start += bytes.len();
    }
    out
}

fn projects(
    snapshot: &Snapshot,
    options: &FilterOptions,
) -> Result<Option<BTreeSet<RepoPath>>, QueryError> {
    if options.projects.is_empty() && options.tests == TestScope::Any {
        return Ok(None);
    }
    let records = snapshot.projects()?;
    let mut left: BTreeMap<&str, bool> = (options.projects.iter())
        .map(|name| (name.as_str(), false))
        .collect();
    let mut out = BTreeSet::new();
    for record in &records {
        let project = &record.project;
        let mut is_asked = left.is_empty();
        for (name, is_known) in &mut left {
            if project.path.as_str() == *name || project.assembly.eq_ignore_ascii_case(name) {
                (is_asked, *is_known) = (true, true);
            }
        }
        let is_in = match options.tests {
            TestScope::Any => true,
            TestScope::Only => project.is_test,
            TestScope::Without => !project.is_test,
        };
        if is_asked && is_in {
            out.insert(project.path.clone());
        }
    }
    match left.iter().find(|(_, is_known)| !**is_known) {
        Some((name, _)) => Err(QueryError::UnknownProject((*name).to_owned())),
        None => Ok(Some(out)),
    }
}
