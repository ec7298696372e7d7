//! Scopes over a repository: the files of one snapshot, and what git and the index know of them.
//!
//! Owns: what `cortex-scope` asks of a universe. Must not know: how programs and patterns are evaluated, how an
//! answer is rendered.
//!
//! How it is done. A [`Scopes`] lies over one indexed side. Which files there are is known at once: those of the
//! side's tree with the overlay on top (`places.rs`), each with the projects that compile it or, for other files
//! than C#, in whose folder it lies; and the assemblies that the projects see, as files of their packages.
//! Everything else is asked of git (`git.rs`), of the snapshot (`symbols.rs`, `reached.rs`) or of the side's texts
//! (`owners.rs`, `named.rs`) when an atom needs it. An atom that means nothing is told by the evaluation; a
//! repository or an index that fails is kept aside and ends the question.

pub(crate) mod git;
pub(crate) mod named;
pub(crate) mod owners;
pub(crate) mod packs;
pub(crate) mod places;
pub(crate) mod reached;
pub(crate) mod symbols;
mod universe;

use crate::{
    QueryError,
    scope::{named::Named, places::Places},
};
use cortex_derived::files::side::side_files;

use cortex_git::Advice;
use cortex_index::{Index, IndexedSide, Progress};
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_scope::{
    CallerContext, Catalog, Counted, Coverage, Diagnostic, Extent, FileId, NamedScope, Scope,
    ScopeRequest, ScopeShape, ScopedPaths, Unavailable, extent,
};
use cortex_syntax::text::decode;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The scopes of one side of a range.
pub struct Scopes<'i> {
    index: &'i Index,
    side: &'i IndexedSide,
    progress: &'i dyn Progress,
    context: CallerContext,
    places: Places,
    named: Vec<NamedScope>,
    /// What keeps some from being known.
    named_problems: Vec<String>,
    /// The work tree, without symbolic links.
    root: Option<PathBuf>,
    root_url: Option<String>,
    /// What was not looked at in full.
    warnings: RefCell<Vec<String>>,
    /// What kept the repository or the index from answering.
    failure: RefCell<Option<QueryError>>,
}

/// A program that means something, and what.
pub use cortex_scope::Resolved as ResolvedScope;

impl<'i> Scopes<'i> {
    /// Lists the files of a side with their projects, and the named scopes.
    ///
    /// # Errors
    /// Those of reading the side.
    pub fn open(
        index: &'i Index,
        side: &'i IndexedSide,
        context: CallerContext,
        progress: &'i dyn Progress,
    ) -> Result<Self, QueryError> {
        let places = Places::of(index, side)?;
        let named = named::read(index, side, &places)?;
        Ok(Self::with(index, side, context, progress, places, named))
    }

    fn with(
        index: &'i Index,
        side: &'i IndexedSide,
        context: CallerContext,
        progress: &'i dyn Progress,
        places: Places,
        (named, named_problems): Named,
    ) -> Self {
        let root = index.repo.work_dir();
        let root = root.and_then(|root| root.canonicalize().ok());
        let root_url = root.as_deref().and_then(file_url);
        Self {
            index,
            side,
            progress,
            context,
            places,
            named,
            named_problems,
            root,
            root_url,
            warnings: RefCell::default(),
            failure: RefCell::new(None),
        }
    }

    /// The same as far as a program asks for it, so that the files that count are the same. Where paths are enough,
    /// the graph of the side is not looked at.
    ///
    /// # Errors
    /// Those of reading the side.
    pub fn open_for(
        (request, counted): (&ScopeRequest, Counted),
        index: &'i Index,
        side: &'i IndexedSide,
        context: CallerContext,
        progress: &'i dyn Progress,
    ) -> Result<Self, QueryError> {
        let (places, named) = match extent(request, counted) {
            Extent::Paths => (Places::listed(index, side)?, Named::default()),
            Extent::Projects => {
                let places = Places::of_projects(index, side)?;
                let named = named::read(index, side, &places)?;
                (places, named)
            }
            Extent::Assemblies => return Self::open(index, side, context, progress),
        };
        Ok(Self::with(index, side, context, progress, places, named))
    }

    /// Resolves a program; what is wrong with it otherwise.
    ///
    /// # Errors
    /// Those of the repository and of the index.
    pub fn resolve(
        &self,
        request: &ScopeRequest,
    ) -> Result<Result<ResolvedScope, Vec<Diagnostic>>, QueryError> {
        let resolved = cortex_scope::resolve(request, self);
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(resolved),
        }
    }

    /// All scopes that one can choose.
    ///
    /// # Errors
    /// Those of the repository and of the index.
    pub fn catalog(&self) -> Result<Catalog, QueryError> {
        let catalog = cortex_scope::catalog(self);
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(catalog),
        }
    }

    /// The files that a scope has something of, from the one at `offset` on, at most `limit` of them.
    ///
    /// # Errors
    /// Those of reading the files of which it has ranges.
    pub fn files_of(
        &self,
        scope: &Scope,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<ScopedFile>, QueryError> {
        let page = scope.files().skip(offset).take(limit);
        page.filter_map(|(file, coverage)| self.scoped(file, coverage).transpose())
            .collect()
    }

    fn scoped(
        &self,
        file: FileId,
        coverage: Coverage<'_>,
    ) -> Result<Option<ScopedFile>, QueryError> {
        let mut reader = self.index.blobs(self.side);
        let url = self.places.files[file.index()].url.clone();
        let ranges = match coverage {
            Coverage::Nothing => return Ok(None),
            Coverage::Whole => None,
            Coverage::Ranges(ranges) => {
                let blob = self.places.blob(file);
                let text = blob.map(|blob| reader.read_blob(blob)).transpose()?;
                // Ranges are of the text, whatever its encoding.
                let table = LineTable::new(decode(&text.unwrap_or_default()).as_bytes());
                let each = ranges.as_slice().iter();
                Some(
                    each.map(|range| ScopedRange {
                        start: range.start,
                        end: range.end,
                        first_line: table.position(range.start).line,
                        last_line: table.position(range.end.saturating_sub(1)).line,
                    })
                    .collect(),
                )
            }
        };
        Ok(Some(ScopedFile { url, ranges }))
    }

    /// Whether a scope has every file that is known, as a whole.
    pub fn is_all(&self, scope: &Scope) -> bool {
        scope.shape() == ScopeShape::Global && scope.n_files() == self.places.files.len()
    }

    /// A scope by paths of the repository, for other questions to be limited to.
    pub fn paths_of(&self, scope: &Scope) -> ScopedPaths {
        ScopedPaths::new(scope, &self.places.files)
    }

    /// What of a file is in a scope, by its URL; `None` for nothing.
    ///
    /// # Errors
    /// [`QueryError::NoSuchFile`], and those of reading the file.
    pub fn part_of(&self, scope: &Scope, url: &str) -> Result<Option<ScopedFile>, QueryError> {
        let file = cortex_scope::find_file(self, url)
            .map_err(|Unavailable(why)| QueryError::NoSuchFile(why))?;
        self.scoped(file, scope.coverage(file))
    }

    /// What of a file of the repository is in a scope.
    pub fn coverage<'s>(&self, scope: &'s Scope, path: &str) -> Coverage<'s> {
        let file = self.places.find(path);
        file.map_or(Coverage::Nothing, |file| scope.coverage(file))
    }

    /// What an evaluation can go on with, and what it cannot.
    fn answer<T>(&self, result: Result<T, QueryError>) -> Result<T, Unavailable> {
        let error = match result {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        let told = match &error {
            QueryError::SymbolNotFound { suggestions, .. } => {
                let near: Vec<&str> = suggestions.iter().map(|it| it.name.as_str()).collect();
                Some(match near.as_slice() {
                    [] => format!("failed to {error}"),
                    near => format!("failed to {error}; did you mean `{}`?", near.join("`, `")),
                })
            }
            QueryError::AmbiguousSymbol { candidates, .. } => {
                let each = candidates.iter();
                let all: Vec<String> = each.map(|it| format!("{} {}", it.name, it.id)).collect();
                Some(format!("failed to {error}: {}", all.join(", ")))
            }
            QueryError::Git(git) if git.is_usage() => {
                let hint = match git.advice() {
                    Some(Advice::Text(text)) => Some(format!("; {text}")),
                    _ => None,
                };
                Some(format!(
                    "failed to {}{}",
                    chain(git),
                    hint.unwrap_or_default()
                ))
            }
            _ => None,
        };
        match told {
            Some(message) => Err(Unavailable(message)),
            None => {
                self.failure.replace(Some(error));
                Err(Unavailable("the repository could not be read".to_owned()))
            }
        }
    }

    /// The files of paths; those that the side does not have are left out.
    fn files_at<'p>(&self, paths: impl IntoIterator<Item = &'p RepoPath>) -> Vec<FileId> {
        let files: BTreeSet<FileId> = paths
            .into_iter()
            .filter_map(|path| self.places.find(path.as_str()))
            .collect();
        files.into_iter().collect()
    }
}

/// A file of which a scope has something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopedFile {
    /// Its URL.
    pub url: String,
    /// What of it; `None` for all.
    pub ranges: Option<Vec<ScopedRange>>,
}

/// A stretch of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopedRange {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
    /// The 1-based line of the first byte.
    pub first_line: u32,
    /// The 1-based line of the last byte.
    pub last_line: u32,
}

/// The bytes of some 1-based lines of a file, of any language; `None` where the side does not have the file.
///
/// # Errors
/// Those of reading.
pub fn lines_of(
    index: &Index,
    side: &IndexedSide,
    path: &RepoPath,
    lines: RangeInclusive<u32>,
) -> Result<Option<ByteRange>, QueryError> {
    let files = side_files(index, side)?;
    let Some(file) = files
        .iter()
        .find(|it| it.path == *path && it.mode.is_file())
    else {
        return Ok(None);
    };
    let bytes = index.blobs(side).read_blob(file.blob)?;
    let text = decode(&bytes);
    let table = LineTable::new(text.as_bytes());
    let end = u32::try_from(text.as_bytes().len()).unwrap_or(u32::MAX);
    let start_of = |line: u32| table.line_start(line).unwrap_or(end);
    Ok(Some(ByteRange {
        start: start_of(*lines.start()),
        end: start_of(lines.end().saturating_add(1)),
    }))
}

/// An error with what caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut out = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        out.push_str(": ");
        out.push_str(&error.to_string());
        cause = error.source();
    }
    out
}

/// The URL of an absolute path, if it is UTF-8.
fn file_url(path: &Path) -> Option<String> {
    let path = path.to_str()?.replace('\\', "/");
    Some(format!("file:///{}", path.trim_start_matches('/')))
}
