//! Whether the records of operations are true: read without writing, restoring or waiting.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use cortex_git::Repository;
use cortex_wire::{CheckRule, OpState};

use crate::{
    EditError,
    apply::{Contents, Journal, journal_of, name_of, place, read_regular},
    op::{Op, Ops, failed},
};

/// So many references are searched for the changes of an operation.
const MAX_REFERENCES: usize = 64;

/// What the records of a repository say, and which of them are wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Records {
    /// How many operations are recorded.
    pub n_ops: usize,
    /// What is wrong, by id.
    pub problems: Vec<RecordProblem>,
}

/// A record that is wrong, or that waits for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordProblem {
    /// What is wrong.
    pub rule: CheckRule,
    /// The operation.
    pub op: String,
    /// The file of the record.
    pub record: PathBuf,
    /// What is wrong exactly, as a lower-case fragment.
    pub detail: String,
}

/// Reads the records of all operations. Where another process applies or restores one at this time, its journal is no
/// problem. O(records + files of applied operations).
///
/// # Errors
/// Those of the folder of the operations.
pub fn check_records(repo: &Repository, ops: &Ops) -> Result<Records, EditError> {
    let ids = ops.ids()?;
    let mut out = Records {
        n_ops: ids.len(),
        problems: Vec::new(),
    };
    if ids.is_empty() {
        return Ok(out);
    }
    let is_busy = ops.is_locked()?;
    for id in ids {
        let record = ops.folder_of(&id).join("op.json");
        let mut add = |rule, detail| {
            let (op, record) = (id.clone(), record.clone());
            out.problems.push(RecordProblem {
                rule,
                op,
                record,
                detail,
            });
        };
        let op = match ops.read(&id) {
            Ok(op) => op,
            // It was dropped in the meantime.
            Err(EditError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                continue;
            }
            Err(EditError::Record { reason, .. }) => {
                add(CheckRule::OpUnreadable, reason);
                continue;
            }
            Err(error) => return Err(error),
        };
        if !is_busy && let Some(detail) = interrupted(repo, ops, &op)? {
            add(CheckRule::OpInterrupted, detail);
        } else if let Some(detail) = incomplete(ops, &op) {
            add(CheckRule::OpUnreadable, detail);
        } else if let Some(detail) = not_applied(repo, ops, &op)? {
            add(CheckRule::OpNotApplied, detail);
        } else if let Some(detail) = unreviewed(&op) {
            add(CheckRule::OpUnreviewed, detail);
        }
    }
    Ok(out)
}

/// A process that was to write the files of an operation in this work tree, and did not end.
fn interrupted(repo: &Repository, ops: &Ops, op: &Op) -> Result<Option<String>, EditError> {
    let journal = match fs::read(journal_of(ops, op.id())) {
        Err(_) => return Ok(None),
        Ok(bytes) => serde_json::from_slice::<Journal>(&bytes),
    };
    // One that cannot be read was not written to its end: no file was touched.
    let (Ok(journal), Some(root)) = (journal, repo.work_dir()) else {
        return Ok(None);
    };
    let is_elsewhere = !journal.work_tree.is_empty() && journal.work_tree != name_of(root);
    if is_elsewhere || op.state() == journal.then {
        return Ok(None);
    }
    let contents = Contents::at(ops, op);
    let mut n_written = 0;
    for change in &journal.changes {
        let after = contents.read(change.after.as_deref()).ok();
        let on_disk = on_disk(root, change.path.as_str());
        n_written += usize::from(after.is_some() && after == on_disk);
    }
    let doing = match journal.then {
        OpState::Undone => "undo",
        _ => "apply",
    };
    Ok(Some(format!(
        "{}: a process that was to {doing} it did not end; {n_written} of {} files are written",
        op.answer.title,
        journal.changes.len()
    )))
}

/// Contents that an operation needs and that are not there.
fn incomplete(ops: &Ops, op: &Op) -> Option<String> {
    let folder = ops.folder_of(op.id());
    let is_missing = match op.state() {
        OpState::Rejected | OpState::Undone => return None,
        OpState::Applied => !folder.join("apply/done.json").is_file(),
        _ => {
            let files = op.files.iter().flat_map(|file| [&file.old, &file.new]);
            let mut blobs = files.flatten().map(|file| file.blob.to_string());
            blobs.any(|blob| !folder.join("blobs").join(blob).is_file())
        }
    };
    is_missing.then(|| format!("{}: contents that it needs are missing", op.answer.title))
}

/// An operation that claims to be applied, while every file has the bytes from before it, and no reference has others.
fn not_applied(repo: &Repository, ops: &Ops, op: &Op) -> Result<Option<String>, EditError> {
    let contents = Contents::at(ops, op);
    let Some(root) = repo.work_dir().filter(|_| op.state() == OpState::Applied) else {
        return Ok(None);
    };
    let Ok(done) = fs::read(contents.folder.join("done.json")) else {
        return Ok(None);
    };
    let Ok(done) = serde_json::from_slice::<Journal>(&done) else {
        return Ok(None);
    };
    if !done.work_tree.is_empty() && done.work_tree != name_of(root) {
        return Ok(None);
    }
    for change in &done.changes {
        let before = contents.read(change.before.as_deref())?;
        if on_disk(root, change.path.as_str()) != Some(before) {
            return Ok(None);
        }
    }
    if done.changes.is_empty() || is_in_a_reference(repo, op)? {
        return Ok(None);
    }
    Ok(Some(format!(
        "{}: its files are as they were before, and no branch has the change",
        op.answer.title
    )))
}

/// Whether a commit since an operation was applied may have what it changed.
fn is_in_a_reference(repo: &Repository, op: &Op) -> Result<bool, EditError> {
    let applied = op.states.last().map_or(0, |(_, time)| *time);
    let mut n_read = 0;
    for tip in repo.reference_tips()? {
        let commit = repo.commit(tip)?;
        if commit.time < applied {
            continue;
        }
        n_read += 1;
        if n_read > MAX_REFERENCES {
            return Ok(true);
        }
        for file in &op.files {
            let old_path = file.old.as_ref().map(|old| &old.path);
            let is_as_before = match &file.old {
                Some(old) => (repo.tree_file(commit.tree, &old.path)?)
                    .is_some_and(|file| file.blob == old.blob),
                None => true,
            };
            let new_path = file.new.as_ref().map(|new| &new.path);
            let is_there = match new_path.filter(|path| Some(*path) != old_path) {
                Some(path) => repo.tree_file(commit.tree, path)?.is_some(),
                None => false,
            };
            if !is_as_before || is_there {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// What waits for a person, or did not.
fn unreviewed(op: &Op) -> Option<String> {
    let title = &op.answer.title;
    match op.state() {
        OpState::Planned | OpState::Proven | OpState::NotProven | OpState::ChangedMeaning => Some(
            format!("{title}: {}, and nobody has reviewed it", op.state().word()),
        ),
        OpState::Applied if op.approval.is_none() => {
            Some(format!("{title}: applied, although nobody reviewed it"))
        }
        _ => None,
    }
}

/// The bytes of a regular file of the work tree; `Some(None)` where nothing is, `None` where something else is.
fn on_disk(root: &Path, path: &str) -> Option<Option<Vec<u8>>> {
    let place = place(root, &path.into()).ok()?;
    read_regular(&place).ok()
}

impl Ops {
    /// Whether a process applies, undoes or restores operations at this time.
    pub(crate) fn is_locked(&self) -> Result<bool, EditError> {
        let path = self.lock_path();
        match fs::File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed("open", &path)(error)),
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => Ok(false),
                Err(fs::TryLockError::WouldBlock) => Ok(true),
                Err(fs::TryLockError::Error(error)) => Err(failed("lock", &path)(error)),
            },
        }
    }
}
