//! What scopes are asked while they are evaluated: files, modules, and the atoms that git, the snapshot or texts answer.
//!
//! Owns: which source answers which atom. Must not know: how the sources know it.

use super::{Scopes, git, owners, packs, reached, symbols};
use crate::{AccessLog, QueryError, search::areas::AreasQuestion};
use cortex_git::{RangeSpec, parse_time};
use cortex_index::FileStatus;
use cortex_model::RepoPath;
use cortex_scope::{
    CallerContext, Family, FileId, NamedScope, Property, Provided, Provider, REPOSITORY, RootKind,
    ScopeFile, ScopeLibrary, ScopeModule, Unavailable, Universe,
};
use std::collections::BTreeSet;
use std::path::Path;

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
