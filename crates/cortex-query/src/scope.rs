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

mod git;
mod named;
mod owners;
mod places;
mod reached;
mod since;
mod symbols;

use std::{cell::RefCell, collections::BTreeSet, ops::RangeInclusive, path::Path};

use cortex_git::RangeSpec;
use cortex_index::{FileStatus, Index, IndexedSide, Progress};
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_scope::{
    CallerContext, Catalog, Coverage, Diagnostic, Family, FileId, NamedScope, Property, Provided,
    Provider, RootKind, Scope, ScopeFile, ScopeLibrary, ScopeModule, ScopeRequest, ScopeShape,
    ScopedPaths, Unavailable, Universe,
};
use cortex_syntax::text::decode;

use self::places::Places;
pub(crate) use self::places::side_files;
use crate::QueryError;

/// The scopes of one side of a range.
pub struct Scopes<'i> {
    index: &'i Index,
    side: &'i IndexedSide,
    progress: &'i dyn Progress,
    context: CallerContext,
    places: Places,
    named: Vec<NamedScope>,
    root_url: Option<String>,
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
        let root_url = index.repo.work_dir().and_then(url_of);
        Ok(Self {
            index,
            side,
            progress,
            context,
            places,
            named,
            root_url,
            failure: RefCell::new(None),
        })
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

    /// What of a file is in a scope, by its path in the repository or its URL; `None` for nothing.
    ///
    /// # Errors
    /// Those of reading the file.
    pub fn part_of(&self, scope: &Scope, path: &str) -> Result<Option<ScopedFile>, QueryError> {
        let in_work_tree = self
            .root_url()
            .and_then(|root| path.strip_prefix(root)?.strip_prefix('/'));
        let file = match in_work_tree {
            Some(path) => self.places.find(path),
            None if path.contains(":/") => self.places.find_url(path),
            None => self.places.find(path.trim_start_matches("./")),
        };
        let Some(file) = file else {
            return Ok(None);
        };
        self.scoped(file, scope.coverage(file))
    }

    /// What of a file of the repository is in a scope.
    pub(crate) fn coverage<'s>(&self, scope: &'s Scope, path: &str) -> Coverage<'s> {
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
                let hint = git.hint().map(|hint| format!("; {hint}"));
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

/// The URL of a folder, whose path may be relative.
fn url_of(folder: &Path) -> Option<String> {
    let folder = std::fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
    let path = folder.ok()?.to_str()?.replace('\\', "/");
    // Windows writes whole paths so.
    let path = path.strip_prefix("//?/").unwrap_or(&path);
    Some(format!("file:///{}", path.trim_matches('/')))
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
        let paths = match property {
            Property::Changed => self.answer(git::differing_from_head(
                self.index,
                cortex_git::OverlayKind::WorkTree,
            ))?,
            Property::RecentlyChanged => {
                self.answer(git::recently_changed(self.index, self.side))?
            }
            Property::RecentlyViewed => {
                let message = "what was asked for before is not recorded";
                return Err(Unavailable(message.to_owned()));
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
            Family::GitAuthor => {
                // Times may have colons, the names of people hardly ever.
                let (name, since) = argument.split_once(':').ok_or_else(|| {
                    let usage = Family::GitAuthor.usage();
                    Unavailable(format!("`{}` says no time; write `{usage}`", provider.id()))
                })?;
                let since = since::parse(since, index.now).ok_or_else(|| {
                    Unavailable(format!(
                        "`{since}` is no time; write one as `2.weeks`, `3 months ago`, `2026-01-31` or `yesterday`"
                    ))
                })?;
                let Some(found) = self.answer(git::authored(index, side, name, since))? else {
                    return Err(Unavailable(format!(
                        "nobody called `{name}` is the author of a commit"
                    )));
                };
                found
            }
            Family::GitChurn => {
                let n = argument
                    .parse()
                    .map_err(|_| Unavailable(format!("`{argument}` is no number of files")))?;
                let is_there = |path: &RepoPath| self.places.find(path.as_str()).is_some();
                self.answer(git::churn(index, side, n, &is_there))?
            }
            Family::CodeOwners => return self.owned(argument).map(Provided::Files),
            Family::Area => {
                let found = self.answer(crate::search::area_files(index, side, argument))?;
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
                let message = "there are no packs yet; give the files instead";
                return Err(Unavailable(message.to_owned()));
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
        let owners = self.answer(self.code_owners());
        let owners = owners.ok().flatten().map(|owners| owners.names());
        let each = |family, arguments: Vec<String>| {
            arguments
                .into_iter()
                .filter_map(move |argument| Provider::new(family, argument))
        };
        each(Family::CodeOwners, owners.unwrap_or_default())
            .chain(each(
                Family::Submodule,
                self.places.submodules.keys().cloned().collect(),
            ))
            .collect()
    }
}

impl Scopes<'_> {
    fn code_owners(&self) -> Result<Option<owners::CodeOwners>, QueryError> {
        for path in owners::PLACES {
            if let Some(blob) = self
                .places
                .find(path)
                .and_then(|file| self.places.blob(file))
            {
                let text = self.index.blobs(self.side).read_blob(blob)?;
                let text = String::from_utf8_lossy(&text);
                return Ok(Some(owners::CodeOwners::parse(&text)));
            }
        }
        Ok(None)
    }

    fn owned(&self, owner: &str) -> Result<Vec<FileId>, Unavailable> {
        let Some(owners) = self.answer(self.code_owners())? else {
            let message = "the repository has no CODEOWNERS";
            return Err(Unavailable(message.to_owned()));
        };
        let known = owners.names();
        if !known.iter().any(|name| name == owner) {
            return Err(Unavailable(format!(
                "CODEOWNERS names no `{owner}`, but {}",
                known.join(", ")
            )));
        }
        let files = self.places.files.iter().enumerate();
        Ok(files
            .filter(|(_, file)| {
                let path = file
                    .repository_path()
                    .filter(|_| file.root != RootKind::Outside);
                path.is_some_and(|path| owners.own(owner, path))
            })
            .map(|(index, _)| FileId::new(index))
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
