//! Operations: planned edits with their records, kept beside the index until they are dropped.
//!
//! A folder for each: `op.json` (the record), `patch.diff`, and `blobs` with every content that it reads or writes.
//!
//! Owns: ids, states, approvals. Must not know: how an edit is planned, how files are written.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use cortex_git::Repository;
use cortex_model::{BlobId, Hash, Hasher};
use cortex_wire::{Approval, EditAnswer, EditVerdict, OpState, OpSummary, Verification};
use serde::{Deserialize, Serialize};

use crate::{
    EditError,
    bindings::Base,
    plan::{FileRecord, FileState, Plan},
    staging::StagedPath,
};

/// The record of an operation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Op {
    /// Version of this form.
    pub version: u32,
    /// What was said of it when it was planned.
    pub answer: EditAnswer,
    /// The files, by old path.
    pub files: Vec<FileRecord>,
    /// When it was planned, in seconds since 1970.
    pub created: i64,
    /// What an approval is for: request, paths, modes, old and new contents, verdict and version of the program.
    pub digest: String,
    /// Who approved it, if anybody has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// Why an approval does not count any more, if one does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided: Option<String>,
    /// What it was planned on, or what its approval was found to be good for since.
    #[serde(default)]
    pub base: Base,
    /// Why it was rejected, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<String>,
    /// What the user's command said of it, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// What it staged, as long as that is not committed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub staged: Vec<StagedPath>,
    /// The commit that was made of it, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its states with when they began, the first one first.
    pub states: Vec<(OpState, i64)>,
}

/// The version of [`Op`].
const VERSION: u32 = 1;

impl Op {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.answer.op
    }

    /// Its state.
    pub fn state(&self) -> OpState {
        self.states
            .last()
            .map_or(OpState::Planned, |(state, _)| *state)
    }

    /// Whether its files and its verdict are those of its digest.
    pub(crate) fn is_as_digested(&self) -> bool {
        self.digest == hex(&digest(&self.answer, &self.files))
    }

    /// What lists say of it.
    pub fn summary(&self) -> OpSummary {
        OpSummary {
            op: self.id().to_owned(),
            title: self.answer.title.clone(),
            state: self.state(),
            verdict: self.answer.verdict,
            files: self.files.len() as u64,
            created: cortex_git::iso_time(self.created),
        }
    }
}

/// The operations of a repository.
pub struct Ops {
    folder: PathBuf,
}

impl Ops {
    /// Those below the folder of an index.
    pub fn beside(index_folder: &Path) -> Self {
        Self {
            folder: index_folder.join("ops"),
        }
    }

    /// The folder of an operation.
    pub(crate) fn folder_of(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    /// The file that whoever changes files for operations locks.
    pub(crate) fn lock_path(&self) -> PathBuf {
        self.folder.join("lock")
    }

    /// Lets one process at a time change files for operations: waits for the one that does. Ends with the value, or with
    /// the process, however that ends.
    ///
    /// # Errors
    /// Those of the file that is locked.
    pub fn lock(&self) -> Result<OpsLock, EditError> {
        let path = self.lock_path();
        fs::create_dir_all(&self.folder).map_err(failed("create the folder", &self.folder))?;
        let open = fs::File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        let file = open.map_err(failed("open", &path))?;
        file.lock().map_err(failed("lock", &path))?;
        Ok(OpsLock { _file: file })
    }

    /// The file that names the copy of the work tree in which a command runs; who has it open has it alone. Waits for who
    /// has it.
    ///
    /// # Errors
    /// Those of the file.
    pub(crate) fn verify_note(&self) -> Result<(fs::File, PathBuf), EditError> {
        let path = self.folder.join("verify");
        let open = fs::File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path);
        let file = open.map_err(failed("open", &path))?;
        file.lock().map_err(failed("lock", &path))?;
        Ok((file, path))
    }

    /// Records an edit. The same edit of the same files has the same id, and what was decided about it stays; of an
    /// approval, `void` says why it does not.
    ///
    /// # Errors
    /// Those of the files, and of `void`.
    pub fn record(
        &self,
        repo: &Repository,
        plan: &Plan,
        mut answer: EditAnswer,
        (base, now): (Base, i64),
        void: &dyn Fn(&Op) -> Result<Option<String>, EditError>,
    ) -> Result<Op, EditError> {
        let (patch, new_ids) = crate::patch::patch(repo, plan)?;
        let mut files = Vec::with_capacity(plan.files.len());
        for (file, new_id) in plan.files.values().zip(&new_ids) {
            let old = FileState::new(&file.old.path, file.old.blob, file.old.mode);
            let new = FileState::new(&file.new_path, *new_id, file.old.mode);
            files.push(FileRecord {
                old: file.is_before().then_some(old),
                new: file.is_after().then_some(new),
            });
        }
        let digest = digest(&answer, &files);
        answer.op = digest.short();
        answer.patch = String::from_utf8_lossy(&patch).into_owned();
        let state = state_of(answer.verdict);
        answer.state = state;
        let mut voided = None;
        if let Ok(known) = self.read(&answer.op)
            && !matches!(
                known.state(),
                OpState::Planned | OpState::Proven | OpState::NotProven | OpState::ChangedMeaning
            )
        {
            // An approval is for what the files bind to as well.
            voided = match (known.state(), &known.approval) {
                (OpState::Approved, Some(_)) => void(&known)?,
                _ => None,
            };
            if voided.is_none() {
                return Ok(known);
            }
        }
        let folder = self.folder_of(&answer.op);
        let blobs = folder.join("blobs");
        fs::create_dir_all(&blobs).map_err(failed("create the folder", &blobs))?;
        for (file, new_id) in plan.files.values().zip(&new_ids) {
            write_blob(&blobs, file.old.blob, &file.old_bytes)?;
            write_blob(&blobs, *new_id, &file.new_bytes)?;
        }
        let diff = folder.join("patch.diff");
        write_whole(&diff, &patch)?;
        let op = Op {
            version: VERSION,
            answer,
            files,
            created: now,
            digest: hex(&digest),
            approval: None,
            voided,
            base,
            rejection: None,
            verification: None,
            staged: Vec::new(),
            commit: None,
            states: vec![(state, now)],
        };
        self.write(&op)?;
        Ok(op)
    }

    /// Writes the record of an operation, whole or not at all.
    ///
    /// # Errors
    /// Those of the files.
    pub fn write(&self, op: &Op) -> Result<(), EditError> {
        let bytes = serde_json::to_vec_pretty(op).expect("records are plain data");
        write_whole(&self.folder_of(op.id()).join("op.json"), &bytes)
    }

    /// Reads an operation by its id or the beginning of it.
    ///
    /// # Errors
    /// [`EditError::NoOp`], [`EditError::Record`], and those of the files.
    pub fn read(&self, id: &str) -> Result<Op, EditError> {
        let found = &self.find(id)?;
        let path = self.folder_of(found).join("op.json");
        let bytes = fs::read(&path).map_err(failed("read", &path))?;
        let unreadable = |reason: String| EditError::Record {
            id: found.clone(),
            reason,
        };
        let op: Op =
            serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        if op.version != VERSION {
            return Err(unreadable(format!(
                "it has version {}, and this program reads {VERSION}",
                op.version
            )));
        }
        Ok(op)
    }

    /// The id that begins like this.
    ///
    /// # Errors
    /// [`EditError::NoOp`], and those of the files.
    pub fn find(&self, id: &str) -> Result<String, EditError> {
        let ids = self.ids()?;
        let mut matching = ids.iter().filter(|known| known.starts_with(id));
        match (matching.next(), matching.next()) {
            (Some(one), None) if !id.is_empty() => Ok(one.clone()),
            _ => Err(EditError::NoOp {
                id: id.to_owned(),
                known: ids.into_iter().take(20).collect(),
            }),
        }
    }

    /// The operations that can be read, the newest first.
    ///
    /// # Errors
    /// Those of the files.
    pub fn list(&self) -> Result<Vec<Op>, EditError> {
        let ids = self.ids()?;
        let mut all: Vec<Op> = ids.iter().filter_map(|id| self.read(id).ok()).collect();
        all.sort_by(|a, b| (b.created, b.id()).cmp(&(a.created, a.id())));
        Ok(all)
    }

    /// Forgets an operation of an id, also one whose record cannot be read.
    ///
    /// # Errors
    /// [`EditError::NoOp`], and those of the files.
    pub fn drop(&self, id: &str) -> Result<(), EditError> {
        let folder = self.folder_of(&self.find(id)?);
        fs::remove_dir_all(&folder).map_err(failed("remove", &folder))
    }

    /// A content that an operation reads or writes.
    pub(crate) fn blob(&self, op: &Op, id: BlobId) -> Result<Vec<u8>, EditError> {
        let path = self.folder_of(op.id()).join("blobs").join(id.to_string());
        let bytes = fs::read(&path).map_err(failed("read", &path))?;
        if !cortex_git::is_content_of(id, &bytes) {
            return Err(EditError::Record {
                id: op.id().to_owned(),
                reason: format!("the content {id} is damaged"),
            });
        }
        Ok(bytes)
    }

    pub(crate) fn ids(&self) -> Result<Vec<String>, EditError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed("read", &self.folder))?,
        };
        let mut ids: Vec<String> = entries
            .flatten()
            .filter(|entry| entry.path().join("op.json").is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        ids.sort();
        Ok(ids)
    }
}

/// See [`Ops::lock`].
#[derive(Debug)]
pub struct OpsLock {
    _file: fs::File,
}

/// The state of an operation that nobody decided about.
pub(crate) fn state_of(verdict: EditVerdict) -> OpState {
    match verdict {
        EditVerdict::Proven => OpState::Proven,
        EditVerdict::NotProven => OpState::NotProven,
        EditVerdict::ChangedMeaning => OpState::ChangedMeaning,
    }
}

/// The digest that an approval is for.
fn digest(answer: &EditAnswer, files: &[FileRecord]) -> Hash {
    let mut hasher = Hasher::new("edit-op-v1");
    hasher.field(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.field(answer.title.as_bytes());
    hasher.field(format!("{:?}", answer.verdict).as_bytes());
    hasher.number(files.len() as u64);
    for file in files {
        for side in [&file.old, &file.new] {
            match side {
                Some(side) => {
                    hasher.field(side.path.as_str().as_bytes());
                    hasher.field(side.blob.0.as_slice());
                    hasher.number(u64::from(side.mode));
                }
                None => _ = hasher.number(u64::MAX),
            }
        }
    }
    hasher.finish()
}

/// All digits of a hash: what is signed must not be something else of the same beginning.
pub(crate) fn hex(hash: &Hash) -> String {
    let bytes = hash.as_bytes().iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Keeps a content, unless it is kept. It need not outlast a loss of power: who reads it checks it ([`Ops::blob`]), and
/// `apply` keeps copies of its own that do.
fn write_blob(folder: &Path, id: BlobId, bytes: &[u8]) -> Result<(), EditError> {
    let path = folder.join(id.to_string());
    if fs::read(&path).is_ok_and(|kept| kept == bytes) {
        return Ok(());
    }
    write_in_place_of(&path, bytes, |_| Ok(()), |_| Ok(()))
}

/// Writes a file so that whoever reads finds it as it was or as it will be, also after a loss of power.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), EditError> {
    write_in_place_of(path, bytes, fs::File::sync_all, sync_folder)
}

/// Writes a file beside another one, and gives it its name. `written`: what is done with it before that, `named`:
/// afterwards.
fn write_in_place_of(
    path: &Path,
    bytes: &[u8],
    written: fn(&fs::File) -> io::Result<()>,
    named: fn(&Path) -> io::Result<()>,
) -> Result<(), EditError> {
    use io::Write;
    let temporary = path.with_extension(format!("tmp-{}", std::process::id()));
    let write = || {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        written(&file)?;
        fs::rename(&temporary, path)?;
        named(path)
    };
    let result = write();
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result.map_err(failed("write", path))
}

/// Makes the entries of a file's folder last. Where folders cannot be opened as files, the system does it.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent().map(fs::File::open) {
        Some(Ok(folder)) => folder.sync_all().or(Ok(())),
        _ => Ok(()),
    }
}

pub(crate) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> EditError {
    let path = path.to_owned();
    move |source| EditError::Io {
        action,
        path,
        source,
    }
}
