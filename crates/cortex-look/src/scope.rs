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

use crate::{
    AccessLog, QueryError,
    scope::{named::Named, places::Places},
    search::areas::AreasQuestion,
};
use cortex_derived::files::side::side_files;

use std::{
    cell::RefCell,
    collections::BTreeSet,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use cortex_git::{Advice, RangeSpec, parse_time};
use cortex_index::{FileStatus, Index, IndexedSide, Progress};
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_scope::{
    CallerContext, Catalog, Counted, Coverage, Diagnostic, Extent, Family, FileId, NamedScope,
    Property, Provided, Provider, REPOSITORY, RootKind, Scope, ScopeFile, ScopeLibrary,
    ScopeModule, ScopeRequest, ScopeShape, ScopedPaths, Unavailable, Universe, extent,
};
use cortex_syntax::text::decode;

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

/// What git keeps beside commits, in the words of an error.
#[derive(Clone, Copy)]
enum Kept {
    Index,
    WorkTree,
}

impl Kept {
    /// Why there is none in a bare repository, and what one can ask there.
    fn missing(self) -> Unavailable {
        let what = match self {
            Self::Index => "index",
            Self::WorkTree => "work tree",
        };
        Unavailable(format!(
            "a bare repository has no {what}; ask for commits, as in `git:changed:HEAD~1..HEAD`, or in a clone that is checked out"
        ))
    }
}

impl Universe for Scopes<'_> {
    fn files(&self) -> &[ScopeFile] {
        &self.places.files
    }

    fn modules(&self) -> &[ScopeModule] {
        &self.places.modules
    }

    fn libraries(&self) -> &[ScopeLibrary] {
        &self.places.libraries
    }

    fn named_scopes(&self) -> &[NamedScope] {
        &self.named
    }

    fn context(&self) -> &CallerContext {
        &self.context
    }

    fn root_url(&self) -> Option<&str> {
        self.root_url.as_deref()
    }

    /// A path is in the work tree if a folder around it is the work tree under another name.
    fn url_in_repository(&self, url: &str) -> Option<String> {
        let root = self.root.as_deref()?;
        let path = Path::new(url.strip_prefix("file://")?);
        let around = path.ancestors().find(|folder| {
            let real = folder.canonicalize();
            real.is_ok_and(|real| real == root)
        })?;
        let inside = path.strip_prefix(around).ok()?.to_str()?;
        Some(format!("{REPOSITORY}{}", inside.replace('\\', "/")))
    }

    fn named_problems(&self) -> &[String] {
        &self.named_problems
    }

    fn take_warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    /// Of C# files, by the types that they declare; of assemblies, by their metadata.
    fn namespaces(&self) -> Result<Vec<Vec<String>>, Unavailable> {
        let mut out: Vec<BTreeSet<String>> = vec![BTreeSet::new(); self.places.files.len()];
        let types = self.answer(symbols::namespaces(&self.side.snapshot))?;
        for (path, namespaces) in types {
            if let Some(file) = self.places.find(path.as_str()) {
                out[file.index()].extend(namespaces);
            }
        }
        for (file, assembly) in &self.places.assemblies {
            out[file.index()].extend(assembly.namespaces());
        }
        Ok(out
            .into_iter()
            .map(|namespaces| namespaces.into_iter().collect())
            .collect())
    }

    fn files_with(&self, property: Property) -> Result<Vec<FileId>, Unavailable> {
        let is_bare = self.index.repo.is_bare();
        let paths = match property {
            Property::Changed | Property::Scratch if is_bare => {
                return Err(Kept::WorkTree.missing());
            }
            Property::Changed => self.answer(git::differing_from_head(
                self.index,
                cortex_git::OverlayKind::WorkTree,
            ))?,
            Property::RecentlyChanged => {
                self.answer(git::recently_changed(self.index, self.side))?
            }
            Property::RecentlyViewed => {
                let files = AccessLog::read(self.index.store.folder()).files();
                if files.is_empty() {
                    let message = "no request on this machine is recorded";
                    return Err(Unavailable(message.to_owned()));
                }
                files.into_iter().collect()
            }
            Property::Generated => {
                let files = self.places.files.iter().enumerate();
                let is_generated = |file: &ScopeFile| {
                    file.root.is_in_repository() && file.repository_path().is_some_and(is_generated)
                };
                return Ok(files
                    .filter(|(_, file)| is_generated(file))
                    .map(|(index, _)| FileId::new(index))
                    .collect());
            }
            Property::Erroneous => {
                let files = self.side.snapshot.files().map_err(QueryError::from);
                let files = self.answer(files)?.into_iter();
                files
                    .filter(|file| file.status != FileStatus::Indexed)
                    .map(|file| file.path)
                    .collect()
            }
            Property::Scratch => {
                let mut untracked = self.answer(git::untracked(self.index))?;
                untracked.retain(|path| is_scratch(path.as_str()));
                untracked
            }
        };
        Ok(self.files_at(&paths))
    }

    fn provide(&self, provider: &Provider) -> Result<Provided, Unavailable> {
        let (index, side) = (self.index, self.side);
        let argument = provider.argument();
        let range = || RangeSpec {
            revisions: vec![argument.to_owned()],
            ..RangeSpec::default()
        };
        let paths: BTreeSet<RepoPath> = match provider.family() {
            Family::GitStaged if index.repo.is_bare() => return Err(Kept::Index.missing()),
            Family::GitWorktree | Family::GitUntracked if index.repo.is_bare() => {
                return Err(Kept::WorkTree.missing());
            }
            Family::GitChanged => self.answer(git::changed(index, &range()))?,
            Family::GitStaged => {
                let kind = cortex_git::OverlayKind::Index;
                self.answer(git::differing_from_head(index, kind))?
            }
            Family::GitWorktree => {
                let kind = cortex_git::OverlayKind::WorkTree;
                self.answer(git::differing_from_head(index, kind))?
            }
            Family::GitUntracked => self.answer(git::untracked(index))?,
            Family::GitAuthor => self.authored(provider)?,
            Family::GitChurn => {
                let n = argument
                    .parse()
                    .map_err(|_| Unavailable(format!("`{argument}` is no number of files")))?;
                let is_there = |path: &RepoPath| self.places.find(path.as_str()).is_some();
                let (found, has_older) = self.answer(git::churn(index, side, n, &is_there))?;
                if has_older {
                    self.warnings.borrow_mut().push(format!(
                        "`{}` counts the changes of the last {} commits; there are older ones",
                        provider.id(),
                        git::MAX_COMMITS
                    ));
                }
                found
            }
            Family::CodeOwners => return self.owned(argument).map(Provided::Files),
            Family::Area => {
                let (found, problems) =
                    self.answer(crate::search::area_files::area_files(index, side, argument))?;
                self.warnings.borrow_mut().extend(problems);
                found
                    .map_err(|known| {
                        let known = known.join("`, `");
                        Unavailable(format!(
                            "no area is called `{argument}`; there are `{known}`"
                        ))
                    })?
                    .into_iter()
                    .collect()
            }
            Family::Pack => {
                let found = packs::files(index, side, &self.places, argument);
                self.answer(found)?.ok_or_else(|| {
                    Unavailable(match packs::names(&self.places).as_slice() {
                        [] => "the repository has no packs".to_owned(),
                        known => format!(
                            "no pack is called `{argument}`; there are `{}`",
                            known.join("`, `")
                        ),
                    })
                })?
            }
            Family::Submodule => {
                let known = &self.places.submodules;
                let path = argument.trim_end_matches('/');
                return match known.get(path) {
                    Some(file) => Ok(Provided::Files(vec![*file])),
                    None => Err(Unavailable(match known.is_empty() {
                        true => "the repository has no submodules".to_owned(),
                        false => {
                            let known: Vec<&str> = known.keys().map(String::as_str).collect();
                            format!(
                                "no submodule is at `{path}`; there are {}",
                                known.join(", ")
                            )
                        }
                    })),
                };
            }
            Family::Impact => self.answer(reached::reached(index, &range(), self.progress))?,
            Family::Type | Family::Members => {
                let mut reader = index.blobs(side);
                let found =
                    symbols::ranges(&side.snapshot, argument, provider.family(), reader.as_mut());
                let each = self.answer(found)?.into_iter();
                return Ok(Provided::Ranges(
                    each.filter_map(|(path, ranges)| {
                        Some((self.places.find(path.as_str())?, ranges))
                    })
                    .collect(),
                ));
            }
        };
        Ok(Provided::Files(self.files_at(&paths)))
    }

    fn providers(&self) -> Vec<Provider> {
        let owners = self.code_owners().unwrap_or_else(|Unavailable(why)| {
            self.warnings.borrow_mut().push(why);
            None
        });
        let owners = owners.map(|text| owners::CodeOwners::parse(&text).names());
        let each = |family, arguments: Vec<String>| {
            arguments
                .into_iter()
                .filter_map(move |argument| Provider::new(family, argument))
        };
        let areas = crate::search::areas::areas(self.index, self.side, &AreasQuestion::default());
        let areas = self.answer(areas).map(|answer| {
            self.warnings.borrow_mut().extend(answer.answer.diagnostics);
            let mut names: Vec<String> = answer
                .answer
                .areas
                .into_iter()
                .map(|area| area.name)
                .collect();
            names.sort();
            names
        });
        each(Family::CodeOwners, owners.unwrap_or_default())
            .chain(each(Family::Area, areas.unwrap_or_default()))
            .chain(each(Family::Pack, packs::names(&self.places)))
            .chain(each(
                Family::Submodule,
                self.places.submodules.keys().cloned().collect(),
            ))
            .collect()
    }
}

impl Scopes<'_> {
    /// The files that commits of an author changed since a time.
    fn authored(&self, provider: &Provider) -> Result<BTreeSet<RepoPath>, Unavailable> {
        let (index, side) = (self.index, self.side);
        // Times may have colons, the names of people hardly ever.
        let (name, since) = provider.argument().split_once(':').ok_or_else(|| {
            let usage = Family::GitAuthor.usage();
            Unavailable(format!("`{}` says no time; write `{usage}`", provider.id()))
        })?;
        if name.trim().is_empty() {
            let usage = Family::GitAuthor.usage();
            return Err(Unavailable(format!(
                "`{}` names nobody; write `{usage}`",
                provider.id()
            )));
        }
        let since = parse_time(since, index.now).ok_or_else(|| {
            Unavailable(format!(
                "`{since}` is no time; write one as `2.weeks`, `1.year.2.months`, `3 months ago`, `2026-01-31` or `yesterday`"
            ))
        })?;
        match self.answer(git::authored(index, side, name, since))? {
            git::Authored::Files(found) => Ok(found),
            git::Authored::Nobody => Err(Unavailable(format!(
                "no commit has an author with `{name}` in `Name <email>`"
            ))),
        }
    }

    /// The text of CODEOWNERS.
    fn code_owners(&self) -> Result<Option<String>, Unavailable> {
        let places = owners::PLACES.iter();
        let mut blobs = places.filter_map(|path| self.places.blob(self.places.find(path)?));
        let Some(blob) = blobs.next() else {
            return Ok(None);
        };
        let mut reader = self.index.blobs(self.side);
        let size = self.answer(reader.blob_size(blob).map_err(QueryError::from))?;
        if size > owners::MAX_BYTES {
            return Err(Unavailable(format!(
                "CODEOWNERS has {size} bytes; more than {} are not read, by GitHub neither",
                owners::MAX_BYTES
            )));
        }
        let text = self.answer(reader.read_blob(blob).map_err(QueryError::from))?;
        Ok(Some(String::from_utf8_lossy(&text).into_owned()))
    }

    fn owned(&self, owner: &str) -> Result<Vec<FileId>, Unavailable> {
        /// So many names are shown where one is not there.
        const MAX_SHOWN: usize = 20;
        let Some(text) = self.code_owners()? else {
            let message = "the repository has no CODEOWNERS";
            return Err(Unavailable(message.to_owned()));
        };
        let owners = owners::CodeOwners::parse(&text);
        let known = owners.names();
        if !known.iter().any(|name| name == owner) {
            let shown = known[..known.len().min(MAX_SHOWN)].join(", ");
            let more = match known.len().saturating_sub(MAX_SHOWN) {
                0 => String::new(),
                n => format!(", and {n} more"),
            };
            return Err(Unavailable(format!(
                "CODEOWNERS names no `{owner}`, but {shown}{more}"
            )));
        }
        let files = self.places.files.iter().enumerate();
        let (ids, paths): (Vec<FileId>, Vec<&str>) = files
            .filter(|(_, file)| file.root != RootKind::Outside)
            .filter_map(|(index, file)| Some((FileId::new(index), file.repository_path()?)))
            .unzip();
        let owned = owners.owned(owner, &paths).map_err(|costly| {
            Unavailable(format!(
                "the {} rules of CODEOWNERS on {} files take too many comparisons",
                costly.n_rules,
                paths.len()
            ))
        })?;
        let each = ids.into_iter().zip(owned);
        Ok(each
            .filter_map(|(file, is_theirs)| is_theirs.then_some(file))
            .collect())
    }
}

/// Whether a tool wrote a file, by the endings that Roslyn takes for generated code.
fn is_generated(path: &str) -> bool {
    let path = path.to_lowercase();
    let endings = [".designer.cs", ".generated.cs", ".g.cs", ".g.i.cs"];
    let name = path.rsplit('/').next().unwrap_or(&path);
    endings.iter().any(|ending| path.ends_with(ending))
        || name.starts_with("temporarygeneratedfile_")
}

/// Whether an untracked file is something to try things in.
fn is_scratch(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_folder = |folder: &str| {
        let folder = folder.trim_start_matches('.').to_lowercase();
        matches!(folder.as_str(), "scratch" | "scratches")
    };
    name.ends_with(".csx") || name.ends_with(".http") || folders.split('/').any(is_folder)
}
