//! Contents of the work tree: read, brought into the form that git stores, and hashed.

use std::{io, path::Path};

use cortex_model::{BlobId, ObjectId, RepoPath};
use gix::{
    attrs::{StateRef, search::Outcome},
    bstr::{BStr, ByteSlice},
    filter::plumbing::{Pipeline, eol, pipeline},
    objs::Find as _,
};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustc_hash::FxHashMap;

use super::{
    Held, OverlayNote, SideFile,
    disk::{hash_blob, hash_stream, place_id, read_link, read_regular},
    staged::{Staged, StagedFile},
    walk::{FoundFile, Seen, Tracked},
};
use crate::{
    change::FileMode,
    error::GitError,
    ids,
    repository::{ConfigScope, Repository, open_reduced},
};

/// A larger file is hashed without being held in memory at once, and without conversion, as git does with big files.
const MAX_CONVERTED_BYTES: u64 = 64 << 20;
/// A larger content is read again when it is asked for.
const MAX_HELD_BYTES: usize = 1 << 20;
/// Once this much is held, further contents are read again when they are asked for.
const MAX_HELD_IN_ALL: usize = 256 << 20;

/// The work tree as one side of a comparison.
#[derive(Default)]
pub(super) struct WorkTreeSide {
    /// Sorted by path.
    pub(super) side: Vec<SideFile>,
    pub(super) contents: FxHashMap<BlobId, Held>,
    pub(super) notes: Vec<OverlayNote>,
}

/// Reads what the walk was not sure of.
pub(super) fn read(
    repository: &Repository,
    index: &gix::index::State,
    staged: &Staged,
    seen: Seen,
) -> Result<WorkTreeSide, GitError> {
    let mut out = WorkTreeSide {
        notes: seen.notes,
        ..WorkTreeSide::default()
    };
    let mut unsure: Vec<(&FoundFile, Option<&StagedFile>)> = Vec::new();
    for (file, tracked) in staged.files.iter().zip(&seen.tracked) {
        match tracked {
            Tracked::Absent => {}
            Tracked::Unchanged(mode) => out.side.push(SideFile {
                mode: *mode,
                ..file.side()
            }),
            Tracked::Unsure(found) => unsure.push((found, Some(file))),
            Tracked::Submodule(folder) => out.side.push(SideFile {
                id: submodule_head(folder).unwrap_or(ids::from_gix(&file.id)),
                ..file.side()
            }),
        }
    }
    unsure.extend(seen.untracked.iter().map(|found| (found, None)));
    let results: Vec<Result<ReadFile, GitError>> = unsure
        .par_iter()
        .map_init(
            || (repository.local(), None),
            |(repo, converter), (found, staged)| {
                let mut reader = FileReader {
                    repo,
                    index,
                    converter,
                };
                reader.read(found, *staged)
            },
        )
        .collect();
    let mut n_held = 0;
    for result in results {
        let read = result?;
        out.notes.extend(read.notes);
        out.side.extend(read.side);
        if let Some((id, held, fallback)) = read.content {
            let n_bytes = match &held {
                Held::Memory(content) => content.len(),
                Held::File { .. } => 0,
            };
            let held = match fallback {
                Some(file) if n_held + n_bytes > MAX_HELD_IN_ALL => file,
                _ => {
                    n_held += n_bytes;
                    held
                }
            };
            out.contents.insert(id, held);
        }
    }
    out.side.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(out)
}

#[derive(Default)]
struct ReadFile {
    /// `None` if it is gone meanwhile.
    side: Option<SideFile>,
    /// Its content, and where to read it again if memory runs out.
    content: Option<(BlobId, Held, Option<Held>)>,
    notes: Vec<OverlayNote>,
}

/// Reads files on one thread.
struct FileReader<'t, 'r> {
    repo: &'r gix::Repository,
    index: &'t gix::index::State,
    converter: &'t mut Option<(gix::worktree::Stack, Pipeline)>,
}

impl FileReader<'_, '_> {
    fn read(
        &mut self,
        found: &FoundFile,
        staged: Option<&StagedFile>,
    ) -> Result<ReadFile, GitError> {
        match self.try_read(found, staged) {
            Err(Refused::Git(error)) => Err(error),
            Ok(read) => Ok(read),
            Err(Refused::System(error)) if error.kind() == io::ErrorKind::NotFound => {
                Ok(ReadFile::default())
            }
            Err(Refused::System(error)) => Ok(ReadFile {
                side: staged.map(StagedFile::side),
                notes: vec![OverlayNote::Unreadable {
                    path: RepoPath::from_bytes(&found.path),
                    reason: error.to_string(),
                }],
                content: None,
            }),
        }
    }

    fn try_read(
        &mut self,
        found: &FoundFile,
        staged: Option<&StagedFile>,
    ) -> Result<ReadFile, Refused> {
        let kind = self.repo.object_hash();
        let on_disk = Held::File {
            path: found.on_disk.clone(),
            n_bytes: found.n_bytes,
        };
        if found.mode == FileMode::Symlink {
            let content = read_link(&found.on_disk)?;
            let id = hash_blob(kind, &content)?;
            return Ok(ReadFile::new(
                found,
                id,
                Held::Memory(content.into()),
                None,
                Vec::new(),
            ));
        }
        if found.n_bytes > MAX_CONVERTED_BYTES {
            // What git does not have, or has with another length, need not be read to be told apart.
            let is_other = staged.is_none_or(|staged| {
                staged.stat.size != 0 && staged.stat.size != found.n_bytes as u32
            });
            let id = if is_other {
                place_id(kind, &found.on_disk)?
            } else {
                hash_stream(kind, &found.on_disk)?
            };
            return Ok(ReadFile::new(found, id, on_disk, None, Vec::new()));
        }
        let content = read_regular(&found.on_disk)?;
        let id = hash_blob(kind, &content)?;
        if let Some(staged) = staged
            && staged.id == ids::to_gix(id)
        {
            return Ok(ReadFile {
                side: Some(SideFile {
                    mode: found.mode,
                    ..staged.side()
                }),
                ..ReadFile::default()
            });
        }
        let mut notes = Vec::new();
        let converted = self.undo_checkout(found, &content, staged, &mut notes)?;
        Ok(match converted {
            Some(converted) => {
                let id = hash_blob(kind, &converted)?;
                ReadFile::new(found, id, Held::Memory(converted.into()), None, notes)
            }
            None if content.len() > MAX_HELD_BYTES => {
                ReadFile::new(found, id, on_disk, None, notes)
            }
            None => ReadFile::new(
                found,
                id,
                Held::Memory(content.into()),
                Some(on_disk),
                notes,
            ),
        })
    }

    /// Undoes what a checkout did to a file: line ends, `ident`, encoding. No filter is known to the pipeline, so
    /// none can be run. `None` if nothing is to be undone.
    fn undo_checkout(
        &mut self,
        found: &FoundFile,
        content: &[u8],
        staged: Option<&StagedFile>,
        notes: &mut Vec<OverlayNote>,
    ) -> Result<Option<Vec<u8>>, GitError> {
        let (stack, pipeline) = match &mut *self.converter {
            Some(converter) => converter,
            none => none.insert(converter(self.repo, self.index)?),
        };
        let path = found.path.as_bstr();
        let objects = &self.repo.objects;
        let mut filter = None;
        let mut attributes = |path: &BStr, outcome: &mut Outcome| {
            if let Ok(platform) = stack.at_entry(path, None, objects) {
                platform.matching_attributes(outcome);
            }
            filter = outcome
                .iter_selected()
                .find(|found| found.assignment.name.as_str() == "filter")
                .and_then(|found| match found.assignment.state {
                    StateRef::Value(value) => Some(value.as_bstr().to_str_lossy().into_owned()),
                    _ => None,
                });
        };
        let mut staged_content = |buffer: &mut Vec<u8>| {
            let Some(staged) = staged else {
                return Ok(None);
            };
            let object = objects.try_find(&staged.id, buffer)?;
            Ok(object.map(|_| ()))
        };
        let native = gix::path::from_bstr(path)
            .map_err(|error| GitError::engine(format!("read the path `{path}`"), error))?;
        let converted = pipeline
            .convert_to_git(content, &native, &mut attributes, &mut staged_content)
            .map(|outcome| match outcome {
                pipeline::convert::ToGitOutcome::Buffer(converted) => Ok(Some(converted.to_vec())),
                pipeline::convert::ToGitOutcome::Unchanged(_) => Ok(None),
                pipeline::convert::ToGitOutcome::Process(_) => {
                    Err("a filter was about to be run".to_owned())
                }
            })
            .unwrap_or_else(|error| Err(error.to_string()));
        let path = RepoPath::from_bytes(&found.path);
        if let Some(filter) = filter {
            notes.push(OverlayNote::FilterNotRun {
                path: path.clone(),
                filter,
            });
        }
        Ok(converted.unwrap_or_else(|reason| {
            notes.push(OverlayNote::NotConverted { path, reason });
            None
        }))
    }
}

impl ReadFile {
    fn new(
        found: &FoundFile,
        id: ObjectId,
        held: Held,
        fallback: Option<Held>,
        notes: Vec<OverlayNote>,
    ) -> Self {
        Self {
            side: Some(SideFile {
                path: found.path.clone(),
                mode: found.mode,
                id,
            }),
            content: Some((BlobId(id), held, fallback)),
            notes,
        }
    }
}

enum Refused {
    System(io::Error),
    Git(GitError),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl From<GitError> for Refused {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

/// Attributes and a pipeline without any filter.
fn converter(
    repo: &gix::Repository,
    index: &gix::index::State,
) -> Result<(gix::worktree::Stack, Pipeline), GitError> {
    let source = gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping;
    let stack = repo
        .attributes_only(index, source)
        .map_err(|error| GitError::engine("read the attribute files", error))?
        .detach();
    let config = repo.config_snapshot();
    let auto_crlf = match config.string("core.autocrlf") {
        Some(value) if value.eq_ignore_ascii_case(b"input") => eol::AutoCrlf::Input,
        Some(_) if config.boolean("core.autocrlf") == Some(true) => eol::AutoCrlf::Enabled,
        _ => eol::AutoCrlf::Disabled,
    };
    let eol = match config.string("core.eol") {
        Some(value) if value.eq_ignore_ascii_case(b"lf") => Some(eol::Mode::Lf),
        Some(value) if value.eq_ignore_ascii_case(b"crlf") => Some(eol::Mode::CrLf),
        _ => None,
    };
    let options = pipeline::Options {
        drivers: Vec::new(),
        eol_config: eol::Configuration { auto_crlf, eol },
        crlf_roundtrip_check: pipeline::CrlfRoundTripCheck::Skip,
        encodings_with_roundtrip_check: Vec::new(),
    };
    let pipeline = Pipeline::new(
        gix::command::Context::default(),
        repo.object_hash(),
        options,
    );
    Ok((stack, pipeline))
}

/// The commit that is checked out in the folder of a submodule; `None` if it is not a repository.
fn submodule_head(folder: &Path) -> Option<ObjectId> {
    gix::discover::is_git(&folder.join(".git")).ok()?;
    let repo = open_reduced(folder, ConfigScope::RepositoryOnly).ok()?;
    let repo = repo.to_thread_local();
    let head = repo.head_id().ok()?;
    Some(ids::from_gix(&head))
}
