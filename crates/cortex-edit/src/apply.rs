//! Writes what an operation plans to the work tree, and takes it back: wholly or not at all, also where the process is
//! killed in between.
//!
//! Before the first file is touched, a journal says what each file was and will be. Whoever finds a journal of a
//! process that did not end restores the files that have the new content; what somebody edited since is left alone.
//! One process at a time does any of this ([`Ops::lock`]): a journal that is found under the lock is nobody's.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use cortex_git::{Ownership, Repository};
use cortex_model::RepoPath;
use cortex_wire::{EditVerdict, OpState};
use serde::{Deserialize, Serialize};

use crate::{
    EditError,
    approval::{ReviewNeeded, check_approval},
    op::{Op, Ops, failed, sync_folder, write_whole},
    plan::FileRecord,
    staging::{self, Staging},
};

/// What may be applied.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Allowed {
    /// Also what is not proven to keep its meaning.
    pub unproven: bool,
    /// Also what gives other code another meaning, but for renames.
    pub changed_meaning: bool,
    /// What is needed besides.
    pub review: ReviewNeeded,
}

/// One file that is written or removed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Change {
    pub(crate) path: RepoPath,
    /// Its bytes before, as a file of the journal; `None` where there is none.
    pub(crate) before: Option<String>,
    /// Its bytes afterwards.
    pub(crate) after: Option<String>,
    /// Whether it may be run.
    is_executable: bool,
}

/// What is about to happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Journal {
    pub(crate) changes: Vec<Change>,
    /// The work tree that it is about: those of one repository share their operations.
    #[serde(default)]
    pub(crate) work_tree: String,
    /// The state of the operation once it is done.
    pub(crate) then: OpState,
}

/// Writes the files of an operation.
///
/// # Errors
/// [`EditError::State`] where it must not be applied, [`EditError::Changed`] where a file is not what it was planned
/// on, [`EditError::Unsafe`]; then nothing is written. [`EditError::Io`] where the system refuses; then every file is
/// as it was.
pub fn apply(
    repo: &Repository,
    ops: &Ops,
    op: &mut Op,
    (allowed, staging): (&Allowed, &Staging),
    now: i64,
) -> Result<(), EditError> {
    let _lock = ops.lock()?;
    restore_all(repo, ops)?;
    // Another process may have decided about it, or applied it.
    *op = ops.read(op.id())?;
    check_state(op, allowed)?;
    let root = writable_root(repo)?;
    let staged = match staging {
        Staging::No => None,
        _ => Some(staging::plan(repo, op, staging)?),
    };
    let mut contents = Contents::new(ops, op)?;
    let mut changes = Vec::new();
    for (at, file) in op.files.clone().iter().enumerate() {
        changes.extend(changes_of(&root, ops, op, (at, file), &mut contents)?);
    }
    let journal = Journal {
        changes,
        work_tree: name_of(&root),
        then: OpState::Applied,
    };
    carry_out(&root, ops, op, &journal, now)?;
    match staged {
        None => Ok(()),
        Some(planned) => {
            let staged = staging::carry_out(repo, ops, op, (planned, staging));
            staged.map_err(|error| EditError::NotStaged {
                id: op.id().to_owned(),
                source: Box::new(error),
            })
        }
    }
}

/// What is written and removed for one file, the new one first.
fn changes_of(
    root: &Path,
    ops: &Ops,
    op: &Op,
    (at, file): (usize, &FileRecord),
    contents: &mut Contents,
) -> Result<Vec<Change>, EditError> {
    let mut on_disk = None;
    let mut changes = Vec::new();
    if let Some(old) = &file.old {
        let found = read_regular(&place(root, &old.path)?)?;
        let found = found.ok_or_else(|| changed(op, &old.path))?;
        let before = contents.keep(&format!("{at}.before"), &found)?;
        on_disk = Some((found, ops.blob(op, old.blob)?));
        changes.push(Change {
            path: old.path.clone(),
            before: Some(before),
            after: None,
            is_executable: old.is_executable(),
        });
    }
    if let Some(new) = &file.new {
        let mut becomes = ops.blob(op, new.blob)?;
        if let (Some((found, planned_on)), Some(old)) = (&on_disk, &file.old) {
            becomes =
                as_checked_out(found, planned_on, becomes).ok_or_else(|| changed(op, &old.path))?;
        }
        let after = contents.keep(&format!("{at}.after"), &becomes)?;
        if let Some(change) = changes.iter_mut().find(|change| change.path == new.path) {
            change.after = Some(after);
            change.is_executable = new.is_executable();
            return Ok(changes);
        }
        if read_regular(&place(root, &new.path)?)?.is_some() {
            return Err(EditError::Unsafe {
                path: new.path.clone(),
                reason: "a file is there already",
            });
        }
        let made = Change {
            path: new.path.clone(),
            before: None,
            after: Some(after),
            is_executable: new.is_executable(),
        };
        changes.insert(0, made);
    } else if let (Some((found, planned_on)), Some(old)) = (&on_disk, &file.old) {
        // What somebody edited is not removed.
        as_checked_out(found, planned_on, Vec::new()).ok_or_else(|| changed(op, &old.path))?;
    }
    Ok(changes)
}

fn changed(op: &Op, path: &RepoPath) -> EditError {
    EditError::Changed {
        doing: "apply",
        id: op.id().to_owned(),
        path: path.clone(),
    }
}

/// Takes an applied operation back: every file gets the bytes that it had.
///
/// # Errors
/// As those of [`apply`]; [`EditError::Changed`] where a file is not as the operation left it.
pub fn undo(repo: &Repository, ops: &Ops, op: &mut Op, now: i64) -> Result<(), EditError> {
    let _lock = ops.lock()?;
    restore_all(repo, ops)?;
    *op = ops.read(op.id())?;
    if op.state() != OpState::Applied {
        return Err(EditError::State {
            doing: "undo",
            id: op.id().to_owned(),
            reason: format!("it is {}", op.state().word()),
            help: Some("only what is applied can be undone"),
        });
    }
    let root = writable_root(repo)?;
    let contents = Contents::new(ops, op)?;
    let path = contents.folder.join("done.json");
    let bytes = fs::read(&path).map_err(failed("read", &path))?;
    let done: Journal = serde_json::from_slice(&bytes).map_err(|error| EditError::Record {
        id: op.id().to_owned(),
        reason: error.to_string(),
    })?;
    let mut changes = Vec::with_capacity(done.changes.len());
    for change in done.changes.into_iter().rev() {
        let on_disk = read_regular(&place(&root, &change.path)?)?;
        if on_disk != contents.read(change.after.as_deref())? {
            return Err(EditError::Changed {
                doing: "undo",
                id: op.id().to_owned(),
                path: change.path,
            });
        }
        changes.push(Change {
            before: change.after,
            after: change.before,
            ..change
        });
    }
    let journal = Journal {
        changes,
        work_tree: name_of(&root),
        then: OpState::Undone,
    };
    carry_out(&root, ops, op, &journal, now)?;
    staging::take_back(repo, op)?;
    ops.write(op)
}

/// Restores what a process left that did not end: of every operation with a journal of this work tree. The operations
/// that were restored. Waits for a process that is at work; where there is no journal, nothing is waited for or written.
///
/// # Errors
/// Those of the files.
pub fn recover(repo: &Repository, ops: &Ops) -> Result<Vec<String>, EditError> {
    let mut all = ops.list()?.into_iter();
    if !all.any(|op| journal_of(ops, op.id()).is_file()) {
        return Ok(Vec::new());
    }
    let _lock = ops.lock()?;
    restore_all(repo, ops)
}

/// See [`recover`]; under the lock.
fn restore_all(repo: &Repository, ops: &Ops) -> Result<Vec<String>, EditError> {
    let mut restored = Vec::new();
    for op in ops.list()? {
        let path = journal_of(ops, op.id());
        let Ok(bytes) = fs::read(&path) else {
            continue;
        };
        if let Ok(journal) = serde_json::from_slice::<Journal>(&bytes) {
            let root = writable_root(repo)?;
            if !journal.work_tree.is_empty() && journal.work_tree != name_of(&root) {
                continue;
            }
            for change in &journal.changes {
                remove_temporary(&temporary_of(&place(&root, &change.path)?, op.id()))?;
            }
            if op.state() != journal.then {
                let contents = Contents::new(ops, &op)?;
                restore(&root, &contents, op.id(), &journal.changes)?;
                restored.push(op.id().to_owned());
            }
        }
        fs::remove_file(&path).map_err(failed("remove", &path))?;
    }
    Ok(restored)
}

/// Where the journal of an operation is while it is carried out.
pub(crate) fn journal_of(ops: &Ops, id: &str) -> PathBuf {
    ops.folder_of(id).join("apply").join("journal.json")
}

/// A work tree as journals name it.
pub(crate) fn name_of(root: &Path) -> String {
    root.to_string_lossy().into_owned()
}

/// Whether an operation may be applied.
fn check_state(op: &Op, allowed: &Allowed) -> Result<(), EditError> {
    let refused = |reason: String, help| {
        Err(EditError::State {
            doing: "apply",
            id: op.id().to_owned(),
            reason,
            help,
        })
    };
    match op.state() {
        OpState::Applied => return refused("it is applied already".to_owned(), None),
        OpState::Rejected => {
            let reason = op.rejection.as_deref().unwrap_or("no reason was given");
            return refused(format!("it was rejected: {reason}"), None);
        }
        _ => {}
    }
    match op.answer.verdict {
        EditVerdict::ChangedMeaning if !op.answer.kind.may_change_meaning() => {
            return refused(
                "the code would mean something else".to_owned(),
                Some("choose another name, or change the code that is in the way first"),
            );
        }
        EditVerdict::ChangedMeaning if !allowed.changed_meaning => {
            return refused(
                "other code would mean something else".to_owned(),
                Some("allow a changed meaning if that is what you want"),
            );
        }
        EditVerdict::NotProven if !allowed.unproven => {
            return refused(
                "it is not proven to keep what the code means".to_owned(),
                Some("read the places that are listed, and allow what is not proven"),
            );
        }
        _ => {}
    }
    let failed = op.verification.as_ref().filter(|it| !it.passed);
    if let Some(failed) = failed.filter(|_| !allowed.unproven) {
        return refused(
            format!("`{}` finds something new in it", failed.command),
            Some("read what it finds, and allow what is not proven"),
        );
    }
    check_approval(op, &allowed.review)
}

fn writable_root(repo: &Repository) -> Result<PathBuf, EditError> {
    let root = repo.work_dir().ok_or(EditError::NoWorkTree)?;
    if repo.ownership() != Ownership::Trusted {
        return Err(EditError::Unsafe {
            path: RepoPath::from("."),
            reason: "the repository belongs to another user",
        });
    }
    Ok(root.to_owned())
}

/// What a file that is checked out becomes: the planned bytes, with the line ends that the file has on disk. `None`
/// where the file is not what was planned on.
fn as_checked_out(on_disk: &[u8], planned_on: &[u8], becomes: Vec<u8>) -> Option<Vec<u8>> {
    if on_disk == planned_on {
        return Some(becomes);
    }
    let is_all_crlf = (on_disk.iter().enumerate())
        .filter(|(_, byte)| **byte == b'\n')
        .all(|(at, _)| at > 0 && on_disk[at - 1] == b'\r');
    let mut as_lf = Vec::with_capacity(on_disk.len());
    for (at, &byte) in on_disk.iter().enumerate() {
        if byte != b'\r' || on_disk.get(at + 1) != Some(&b'\n') {
            as_lf.push(byte);
        }
    }
    if !is_all_crlf || as_lf != planned_on {
        return None;
    }
    let mut out = Vec::with_capacity(becomes.len() + becomes.len() / 20);
    for byte in becomes {
        if byte == b'\n' && out.last() != Some(&b'\r') {
            out.push(b'\r');
        }
        out.push(byte);
    }
    Some(out)
}

/// Contents of a journal.
pub(crate) struct Contents {
    pub(crate) folder: PathBuf,
}

impl Contents {
    fn new(ops: &Ops, op: &Op) -> Result<Self, EditError> {
        let contents = Self::at(ops, op);
        let folder = &contents.folder;
        fs::create_dir_all(folder).map_err(failed("create the folder", folder))?;
        Ok(contents)
    }

    /// Those of an operation, without making the folder.
    pub(crate) fn at(ops: &Ops, op: &Op) -> Self {
        Self {
            folder: ops.folder_of(op.id()).join("apply"),
        }
    }

    fn keep(&mut self, name: &str, bytes: &[u8]) -> Result<String, EditError> {
        write_whole(&self.folder.join(name), bytes)?;
        Ok(name.to_owned())
    }

    pub(crate) fn read(&self, name: Option<&str>) -> Result<Option<Vec<u8>>, EditError> {
        let Some(name) = name else { return Ok(None) };
        let path = self.folder.join(name);
        Ok(Some(fs::read(&path).map_err(failed("read", &path))?))
    }
}

fn carry_out(
    root: &Path,
    ops: &Ops,
    op: &mut Op,
    journal: &Journal,
    now: i64,
) -> Result<(), EditError> {
    let contents = Contents::new(ops, op)?;
    let path = journal_of(ops, op.id());
    let bytes = serde_json::to_vec(journal).expect("journals are plain data");
    write_whole(&path, &bytes)?;
    for (at, change) in journal.changes.iter().enumerate() {
        let done = contents
            .read(change.after.as_deref())
            .and_then(|after| put(root, op.id(), change, after.as_deref()));
        if let Err(error) = done {
            restore(root, &contents, op.id(), &journal.changes[..=at])?;
            fs::remove_file(&path).map_err(failed("remove", &path))?;
            return Err(error);
        }
    }
    // What undoing reads: it stays what was applied, also where undoing does not end.
    if journal.then == OpState::Applied {
        write_whole(&contents.folder.join("done.json"), &bytes)?;
    }
    op.states.push((journal.then, now));
    ops.write(op)?;
    fs::remove_file(&path).map_err(failed("remove", &path))
}

/// Gives files that have the new content the old one again.
fn restore(
    root: &Path,
    contents: &Contents,
    id: &str,
    changes: &[Change],
) -> Result<(), EditError> {
    for change in changes.iter().rev() {
        let on_disk = read_regular(&place(root, &change.path)?)?;
        if on_disk == contents.read(change.after.as_deref())? {
            let before = contents.read(change.before.as_deref())?;
            put(root, id, change, before.as_deref())?;
        }
    }
    Ok(())
}

/// Writes or removes one file, for an operation.
fn put(root: &Path, id: &str, change: &Change, bytes: Option<&[u8]>) -> Result<(), EditError> {
    let path = place(root, &change.path)?;
    let Some(bytes) = bytes else {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failed("remove", &path)(error))
            }
            _ => {
                sync_folder(&path).map_err(failed("remove", &path))?;
                remove_empty_folders(root, &path);
                Ok(())
            }
        };
    };
    let folder = path.parent().unwrap_or(&path);
    fs::create_dir_all(folder).map_err(failed("create the folder", folder))?;
    let temporary = temporary_of(&path, id);
    let write = || {
        create_new(&temporary, bytes)?;
        keep_mode(&path, &temporary, change.is_executable)?;
        fs::rename(&temporary, &path)?;
        sync_folder(&path)
    };
    let result = write();
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result.map_err(failed("write", &path))
}

/// Removes the folders above a file that have nothing left, as git does: what it stores has no empty folders.
fn remove_empty_folders(root: &Path, path: &Path) {
    for folder in path.ancestors().skip(1) {
        if folder == root || !folder.starts_with(root) || fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Where a file is written before it takes its place: a name that whoever restores an operation finds again.
fn temporary_of(path: &Path, id: &str) -> PathBuf {
    path.with_file_name(format!(".git-cortex-edit-{id}.tmp"))
}

fn remove_temporary(path: &Path) -> Result<(), EditError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("remove", path)(error)),
        _ => Ok(()),
    }
}

/// A file that was left by a process that was killed gives way.
fn create_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use io::Write;
    let open = || fs::File::options().write(true).create_new(true).open(path);
    let mut file = match open() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(path)?;
            open()?
        }
        result => result?,
    };
    file.write_all(bytes)?;
    file.sync_all()
}

/// Gives a new file the permissions of the one whose place it takes.
#[cfg(unix)]
fn keep_mode(old: &Path, new: &Path, is_executable: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = match fs::metadata(old) {
        Ok(found) => found.permissions(),
        Err(_) if is_executable => {
            let readers = fs::metadata(new)?.permissions().mode() & 0o444;
            let mode = fs::metadata(new)?.permissions().mode() | readers >> 2;
            fs::Permissions::from_mode(mode)
        }
        Err(_) => return Ok(()),
    };
    fs::set_permissions(new, permissions)
}

/// Gives a new file the permissions of the one whose place it takes.
#[cfg(not(unix))]
fn keep_mode(old: &Path, new: &Path, _is_executable: bool) -> io::Result<()> {
    match fs::metadata(old) {
        Ok(found) => fs::set_permissions(new, found.permissions()),
        Err(_) => Ok(()),
    }
}

/// The bytes of a regular file; `None` where nothing is.
pub(crate) fn read_regular(path: &Path) -> Result<Option<Vec<u8>>, EditError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", path)(error)),
        Ok(found) if !found.is_file() => Err(EditError::Unsafe {
            path: RepoPath::from(path.to_string_lossy().as_ref()),
            reason: "it is no regular file",
        }),
        Ok(_) => Ok(Some(fs::read(path).map_err(failed("read", path))?)),
    }
}

/// Where a file is on disk: inside of the work tree, reached through folders alone.
pub(crate) fn place(root: &Path, path: &RepoPath) -> Result<PathBuf, EditError> {
    let refuse = |reason| EditError::Unsafe {
        path: path.clone(),
        reason,
    };
    let mut place = root.to_owned();
    let mut parts = path.as_str().split('/').peekable();
    while let Some(part) = parts.next() {
        if let Some(reason) = unsafe_name(part) {
            return Err(refuse(reason));
        }
        place.push(part);
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_symlink() => {
                return Err(refuse("a symbolic link leads elsewhere"));
            }
            Ok(found) if parts.peek().is_some() && !found.is_dir() => {
                return Err(refuse("a file is in the place of its folder"));
            }
            _ => {}
        }
    }
    Ok(place)
}

/// Why nothing is written where a part of a path is called so.
pub(crate) fn unsafe_name(part: &str) -> Option<&'static str> {
    if matches!(part, "" | "." | "..") || part.contains(['\\', ':', '\0']) {
        return Some("its name is not one that every system has");
    }
    let short = part.trim_end_matches(['.', ' ']);
    let is_of_git = short.eq_ignore_ascii_case(".git") || short.eq_ignore_ascii_case("git~1");
    is_of_git.then_some("it is in the git directory")
}

#[cfg(test)]
mod tests {
    use super::as_checked_out;

    #[test]
    fn line_ends_are_those_of_the_file_on_disk() {
        let becomes = |on_disk: &[u8], planned_on: &[u8], new: &[u8]| {
            as_checked_out(on_disk, planned_on, new.to_vec())
        };
        assert_eq!(
            becomes(b"a\n", b"a\n", b"b\n").as_deref(),
            Some(&b"b\n"[..])
        );
        assert_eq!(
            becomes(b"a\r\nx\r\n", b"a\nx\n", b"b\nx\n").as_deref(),
            Some(&b"b\r\nx\r\n"[..])
        );
        assert_eq!(
            becomes(b"a\r\n", b"a\r\n", b"b\r\n").as_deref(),
            Some(&b"b\r\n"[..])
        );
        assert_eq!(becomes(b"a\r\nx\n", b"a\nx\n", b"b\nx\n"), None);
        assert_eq!(becomes(b"edited\n", b"a\n", b"b\n"), None);
    }
}
