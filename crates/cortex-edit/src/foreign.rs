//! `patch`: a unified diff, or whole texts of files, that somebody else made, planned and proven like any other edit.
//!
//! It is applied strictly: every line stands where the diff says, and every path is one that every system has, inside
//! of the repository. Files may come, go and get other paths. Must not know: who made it.

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::{FileMode, PlannedFile, TreeFile};
use cortex_index::{Index, IndexedSide, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::RepoPath;
use cortex_syntax::{ParseOptions, Sections, extract, text::decode};
use cortex_wire::{EditKind, FileText};
use diffy::{
    Line, Patch,
    patch_set::{FileOperation, ParseOptions as DiffOptions, PatchSet},
};

use crate::{
    EditError,
    apply::unsafe_name,
    conflicts::Locals,
    difference::edits_between,
    draft::Draft,
    identifier::bare,
    new_path::check_new_path,
    patch::similarity,
    plan::{FileFate, FilePlan, Plan, find_file},
};

/// What somebody else made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign<'r> {
    /// A unified diff.
    Diff(&'r [u8]),
    /// Texts that files are to have.
    Texts(&'r [FileText]),
}

/// Longer diffs are refused.
const MAX_BYTES: usize = 64 << 20;

const DOING: &str = "apply the patch";

fn refused(reason: impl Into<String>) -> EditError {
    EditError::Refused {
        doing: DOING.to_owned(),
        reason: reason.into(),
        help: Vec::new(),
    }
}

/// Plans what a diff or texts of files change.
///
/// # Errors
/// [`EditError::Refused`] for what is no diff, for lines that stand elsewhere, and for files that must not be touched;
/// [`EditError::Unsafe`] for their paths; [`EditError::NoChange`]; those of the index.
pub(crate) fn plan_patch(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    foreign: Foreign<'_>,
) -> Result<Draft, EditError> {
    let files = read_files(view.index, view.side, foreign)?;
    files.check_disk()?;
    let plan = files.plan()?;
    Ok(Draft {
        kind: EditKind::Patch,
        title: match foreign {
            Foreign::Diff(_) => "apply a patch".to_owned(),
            Foreign::Texts(texts) => format!("write texts of files ({})", texts.len()),
        },
        subject: None,
        n_family: 0,
        locals: Locals::Renamed,
        names: names(view, symbols, &plan)?,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    })
}

/// What a diff or texts make of the files of a side, for questions about it.
///
/// # Errors
/// [`EditError::Refused`] for what is no diff, for lines that stand elsewhere, and for files that must not be touched;
/// [`EditError::Unsafe`] for their paths; [`EditError::NoChange`]; those of the index.
pub fn patched_files(
    index: &Index,
    side: &IndexedSide,
    foreign: Foreign<'_>,
) -> Result<Vec<PlannedFile>, EditError> {
    let files = read_files(index, side, foreign).map_err(|error| match error {
        EditError::Refused { doing, reason, .. } => EditError::Refused {
            doing,
            reason,
            help: vec!["name the commit that it was made for, behind the patch".to_owned()],
        },
        error => error,
    })?;
    Ok(files.plan()?.planned_files())
}

fn read_files<'a>(
    index: &'a Index,
    side: &'a IndexedSide,
    foreign: Foreign<'_>,
) -> Result<Files<'a>, EditError> {
    let mut files = Files {
        index,
        side,
        by_old_path: BTreeMap::new(),
        paths: BTreeSet::new(),
    };
    match foreign {
        Foreign::Diff(diff) => files.add_diff(diff)?,
        Foreign::Texts(texts) => {
            for text in texts {
                files.add_text(text)?;
            }
        }
    }
    files.pair_moved();
    files.check_new_paths()?;
    Ok(files)
}

/// The files of a plan, as far as they are read.
struct Files<'a> {
    index: &'a Index,
    side: &'a IndexedSide,
    by_old_path: BTreeMap<RepoPath, FilePlan>,
    /// Every path that is named, on either side.
    paths: BTreeSet<RepoPath>,
}

impl Files<'_> {
    fn add_diff(&mut self, diff: &[u8]) -> Result<(), EditError> {
        if diff.len() > MAX_BYTES {
            return Err(refused("it is longer than 64 MiB"));
        }
        let is_of_git = diff.starts_with(b"diff --git ")
            || diff.windows(12).any(|window| window == b"\ndiff --git ");
        let options = match is_of_git {
            true => DiffOptions::gitdiff(),
            false => DiffOptions::unidiff(),
        };
        for file in PatchSet::parse_bytes(diff, options) {
            let file = file.map_err(|error| refused(format!("it is no unified diff: {error}")))?;
            let paths = paths(file.operation())?;
            let name = paths.new.as_ref().or(paths.old.as_ref());
            let name = name.map(ToString::to_string).unwrap_or_default();
            let Some(patch) = file.patch().as_text() else {
                return Err(refused(format!("the change of `{name}` is binary")));
            };
            let mode = mode_of(file.new_mode())
                .ok_or_else(|| refused(format!("`{name}` would be no regular file")))?;
            if paths.old.is_some() && paths.new.is_some() && file.old_mode() != file.new_mode() {
                return Err(refused(format!("it changes the mode of `{name}`")));
            }
            let made = |old: &[u8]| {
                applied(old, patch).map_err(|line| {
                    refused(format!(
                        "line {line} of `{name}` is not the one that it changes"
                    ))
                })
            };
            match (paths.old, paths.new) {
                (Some(old_path), Some(new_path)) if paths.keeps_old => {
                    let (_, old_bytes) = self.read(&old_path)?;
                    self.make(new_path, mode, made(&old_bytes)?)?;
                }
                (Some(old_path), Some(new_path)) => {
                    let (old, old_bytes) = self.read(&old_path)?;
                    let new_bytes = made(&old_bytes)?;
                    self.change(old, new_path, (old_bytes, new_bytes))?;
                }
                (Some(old_path), None) => {
                    let (old, old_bytes) = self.read(&old_path)?;
                    if !made(&old_bytes)?.is_empty() {
                        return Err(refused(format!(
                            "it removes `{name}` and leaves lines of it"
                        )));
                    }
                    self.remove(old, old_bytes)?;
                }
                (None, Some(new_path)) => self.make(new_path, mode, made(&[])?)?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn add_text(&mut self, text: &FileText) -> Result<(), EditError> {
        let path = safe_path(text.file.as_bytes())?;
        let is_there = find_file(self.index, self.side, &path)?.is_some();
        let Some(text) = &text.text else {
            let (old, old_bytes) = self.read(&path)?;
            return self.remove(old, old_bytes);
        };
        if text.len() > MAX_BYTES {
            return Err(refused(format!(
                "the text of `{path}` is longer than 64 MiB"
            )));
        }
        if !is_there {
            return self.make(path, FileMode::Regular, text.clone().into_bytes());
        }
        let (old, old_bytes) = self.read(&path)?;
        let source = decode(&old_bytes);
        let mut text = with_line_ends_of(source.as_str(), text.trim_start_matches(MARK));
        if source.as_str().starts_with(MARK) {
            text.insert(0, MARK);
        }
        let edits = edits_between(source.as_str(), &text);
        let new_bytes = edits.apply(&old_bytes)?;
        self.change(old, path, (old_bytes, new_bytes))
    }

    /// A file that is there.
    fn read(&self, path: &RepoPath) -> Result<(TreeFile, Vec<u8>), EditError> {
        let Some(file) = find_file(self.index, self.side, path)? else {
            return Err(refused(format!("`{path}` is no file of the repository")));
        };
        if !file.mode.is_file() {
            return Err(refused(format!("`{path}` is no regular file")));
        }
        let bytes = self.index.blobs(self.side).read_blob(file.blob)?;
        Ok((file, bytes))
    }

    fn change(
        &mut self,
        old: TreeFile,
        new_path: RepoPath,
        (old_bytes, new_bytes): (Vec<u8>, Vec<u8>),
    ) -> Result<(), EditError> {
        self.name(&old.path)?;
        if old.path != new_path {
            self.name(&new_path)?;
        }
        let edits = {
            let (old_text, new_text) = (decode(&old_bytes), decode(&new_bytes));
            edits_between(old_text.as_str(), new_text.as_str())
        };
        let is_same_encoding = edits
            .apply(&old_bytes)
            .is_ok_and(|bytes| bytes == new_bytes);
        let file = FilePlan {
            fate: FileFate::Changed,
            new_path,
            edits,
            old_bytes: old_bytes.into(),
            new_bytes: new_bytes.into(),
            old,
        };
        let path = file.old.path.clone();
        if !is_same_encoding && file.is_csharp() {
            return Err(refused(format!("it changes the encoding of `{path}`")));
        }
        self.by_old_path.insert(path, file);
        Ok(())
    }

    fn make(&mut self, path: RepoPath, mode: FileMode, bytes: Vec<u8>) -> Result<(), EditError> {
        self.name(&path)?;
        let repo = &self.index.repo;
        let file = FilePlan::made(repo, path.clone(), mode, bytes.into())?;
        self.by_old_path.insert(path, file);
        Ok(())
    }

    fn remove(&mut self, old: TreeFile, bytes: Vec<u8>) -> Result<(), EditError> {
        self.name(&old.path)?;
        let path = old.path.clone();
        self.by_old_path
            .insert(path, FilePlan::removed(old, bytes.into()));
        Ok(())
    }

    /// Remembers a path that is named: each is once.
    fn name(&mut self, path: &RepoPath) -> Result<(), EditError> {
        match self.paths.insert(path.clone()) {
            true => Ok(()),
            false => Err(refused(format!("it names `{path}` twice"))),
        }
    }

    /// Takes a file that goes and one like it that comes for one that gets another path, as git does.
    fn pair_moved(&mut self) {
        let of = |fate: FileFate| -> Vec<RepoPath> {
            let files = self.by_old_path.iter();
            let files = files.filter(|(_, file)| file.fate == fate && file.is_csharp());
            files.map(|(path, _)| path.clone()).collect()
        };
        let (removed, made) = (of(FileFate::Removed), of(FileFate::Made));
        if removed.len() * made.len() > MAX_PAIRS {
            return;
        }
        let mut pairs = Vec::new();
        for old in &removed {
            for new in &made {
                let (a, b) = (&self.by_old_path[old], &self.by_old_path[new]);
                let percent = similarity(&a.old_bytes, &b.new_bytes);
                if percent >= MIN_SIMILARITY && a.old.mode == b.old.mode {
                    pairs.push((std::cmp::Reverse(percent), old, new));
                }
            }
        }
        pairs.sort();
        for (_, old, new) in pairs {
            let (Some(a), Some(b)) = (self.by_old_path.get(old), self.by_old_path.get(new)) else {
                continue;
            };
            if a.fate != FileFate::Removed {
                continue;
            }
            let (old_text, new_text) = (decode(&a.old_bytes), decode(&b.new_bytes));
            let edits = edits_between(old_text.as_str(), new_text.as_str());
            if !edits
                .apply(&a.old_bytes)
                .is_ok_and(|bytes| *bytes == *b.new_bytes)
            {
                continue;
            }
            let moved = FilePlan {
                fate: FileFate::Changed,
                old: a.old.clone(),
                new_path: b.new_path.clone(),
                edits,
                old_bytes: a.old_bytes.clone(),
                new_bytes: b.new_bytes.clone(),
            };
            self.by_old_path.remove(new);
            self.by_old_path.insert(old.clone(), moved);
        }
    }

    /// Whether a file leaves a path.
    fn is_vacated(&self, path: &RepoPath) -> bool {
        let file = self.by_old_path.get(path);
        file.is_some_and(|file| {
            file.fate != FileFate::Made && (!file.is_after() || file.new_path != *path)
        })
    }

    /// The files that come to paths, those that stay where they are left out.
    fn coming(&self) -> impl Iterator<Item = &FilePlan> {
        let files = self.by_old_path.values().filter(|file| file.is_after());
        files.filter(|file| !file.is_before() || file.new_path != file.old.path)
    }

    /// Refuses paths where the side has another file, and such as differ by case alone.
    fn check_new_paths(&self) -> Result<(), EditError> {
        for file in self.coming() {
            let path = &file.new_path;
            if find_file(self.index, self.side, path)?.is_some() && !self.is_vacated(path) {
                return Err(refused(format!("`{path}` is there already")));
            }
        }
        let mut new: BTreeMap<String, &RepoPath> = BTreeMap::new();
        for file in self.by_old_path.values().filter(|file| file.is_after()) {
            let twin = new.insert(file.new_path.as_str().to_lowercase(), &file.new_path);
            if let Some(twin) = twin {
                return Err(refused(format!(
                    "`{twin}` and `{}` differ by case alone",
                    file.new_path
                )));
            }
        }
        Ok(())
    }

    /// Refuses paths that files of the work tree must not come to.
    fn check_disk(&self) -> Result<(), EditError> {
        let Some(root) = self.index.repo.work_dir() else {
            return Err(EditError::NoWorkTree);
        };
        let is_vacated = |path: &RepoPath| self.is_vacated(path);
        for file in self.coming() {
            check_new_path(root, &file.new_path, &is_vacated)?;
        }
        Ok(())
    }

    /// What becomes of the files.
    fn plan(self) -> Result<Plan, EditError> {
        let plan = Plan {
            files: self.by_old_path,
            ..Plan::default()
        };
        match plan.files.values().all(FilePlan::is_same) {
            true => Err(EditError::NoChange {
                doing: DOING.to_owned(),
            }),
            false => Ok(plan),
        }
    }
}

/// What tells the encoding at the start of a file.
const MARK: char = '\u{feff}';

/// A file that comes and one that goes are one where so much of them is the same, in percent.
const MIN_SIMILARITY: usize = 50;

/// More pairs of files that come and go are not compared.
const MAX_PAIRS: usize = 400;

/// The mode of a new file; `None` for what is no regular one.
fn mode_of(mode: Option<&diffy::patch_set::FileMode>) -> Option<FileMode> {
    match mode {
        None | Some(diffy::patch_set::FileMode::Regular) => Some(FileMode::Regular),
        Some(diffy::patch_set::FileMode::Executable) => Some(FileMode::Executable),
        Some(diffy::patch_set::FileMode::Symlink | diffy::patch_set::FileMode::Gitlink) => None,
    }
}

/// A text with the line ends of another one, where that has one kind of them.
fn with_line_ends_of(old: &str, new: &str) -> String {
    let n_lines = old.matches('\n').count();
    let n_crlf = old.matches("\r\n").count();
    if n_lines == 0 || n_crlf != 0 && n_crlf != n_lines {
        return new.to_owned();
    }
    let lf = new.replace("\r\n", "\n");
    match n_crlf {
        0 => lf,
        _ => lf.replace('\n', "\r\n"),
    }
}

/// The paths of a file before and after.
struct Paths {
    old: Option<RepoPath>,
    new: Option<RepoPath>,
    /// Whether the old one stays: the file is copied.
    keeps_old: bool,
}

/// A path inside of the repository.
fn safe_path(bytes: &[u8]) -> Result<RepoPath, EditError> {
    let path = RepoPath::from_bytes(bytes);
    let mut parts = path.as_str().split('/');
    match parts.find_map(unsafe_name) {
        Some(reason) => Err(EditError::Unsafe { path, reason }),
        None => Ok(path),
    }
}

fn paths(operation: &FileOperation<'_, [u8]>) -> Result<Paths, EditError> {
    let path = |bytes: &[u8], prefix: &[u8]| -> Result<Option<RepoPath>, EditError> {
        safe_path(bytes.strip_prefix(prefix).unwrap_or(bytes)).map(Some)
    };
    let (old, new) = match operation {
        FileOperation::Modify { original, modified } => {
            (path(original, b"a/")?, path(modified, b"b/")?)
        }
        FileOperation::Rename { from, to } | FileOperation::Copy { from, to } => {
            (path(from, b"")?, path(to, b"")?)
        }
        FileOperation::Create(name) => (None, path(name, b"b/")?),
        FileOperation::Delete(name) => (path(name, b"a/")?, None),
    };
    Ok(Paths {
        old,
        new,
        keeps_old: matches!(operation, FileOperation::Copy { .. }),
    })
}

/// The bytes that a diff makes of others, or the line that is not as it says.
fn applied(old: &[u8], patch: &Patch<'_, [u8]>) -> Result<Vec<u8>, usize> {
    let lines: Vec<&[u8]> = old.split_inclusive(|&byte| byte == b'\n').collect();
    let mut out = Vec::with_capacity(old.len());
    let mut at = 0;
    for hunk in patch.hunks() {
        let range = hunk.old_range();
        let start = match range.is_empty() {
            true => range.start(),
            false => range.start().saturating_sub(1),
        };
        if start < at || start > lines.len() {
            return Err(start + 1);
        }
        out.extend(lines[at..start].iter().copied().flatten());
        at = start;
        for line in hunk.lines() {
            match line {
                Line::Insert(line) => out.extend_from_slice(line),
                Line::Context(old) | Line::Delete(old) => {
                    if lines.get(at) != Some(old) {
                        return Err(at + 1);
                    }
                    if matches!(line, Line::Context(_)) {
                        out.extend_from_slice(old);
                    }
                    at += 1;
                }
            }
        }
    }
    out.extend(lines[at..].iter().copied().flatten());
    Ok(out)
}

/// Longer new files are not parsed in this process: all of their words count.
const MAX_PARSED: usize = 1 << 20;

/// The words that a plan takes away or brings, and the names of the declarations whose head it changes.
fn names(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    plan: &Plan,
) -> Result<BTreeSet<String>, EditError> {
    let mut names = BTreeSet::new();
    let mut add_words = |text: &str| {
        let words = text.split(|it: char| !it.is_alphanumeric() && it != '_' && it != '@');
        let named = words.filter(|word| word.starts_with(|it: char| !it.is_numeric()));
        names.extend(named.map(bare));
    };
    let mut heads = Vec::new();
    for (path, file) in &plan.files {
        if !file.is_csharp() {
            continue;
        }
        if file.fate == FileFate::Made && file.new_bytes.len() <= MAX_PARSED {
            let facts = extract(&file.new_bytes, &ParseOptions::default());
            heads.extend((facts.decls.iter()).map(|decl| facts.name(decl.name).to_owned()));
            continue;
        }
        let source = decode(&file.old_bytes);
        for edit in file
            .edits
            .all()
            .iter()
            .filter(|_| file.fate != FileFate::Removed)
        {
            add_words(&source.as_str()[edit.range.as_usize()]);
            add_words(&edit.text);
        }
        let Some(summary) = view.snapshot().file(path)? else {
            continue;
        };
        let projects = summary.projects.iter();
        for project in projects.filter_map(|it| symbols.project_index(it)) {
            let Some(facts) = symbols.facts(path, project, Sections::All)? else {
                continue;
            };
            for decl in &facts.decls {
                let end = match decl.body_range.start < decl.body_range.end {
                    true => decl.body_range.start,
                    false => decl.range.end,
                };
                // Another folder may be another project.
                let is_moved = file.new_path != *path;
                let mut edits = file.edits.all().iter();
                if is_moved
                    || edits.any(|it| it.range.start < end && it.range.end >= decl.range.start)
                {
                    heads.push(facts.name(decl.name).to_owned());
                }
            }
        }
    }
    for head in heads {
        if let Some(short) = head.strip_suffix("Attribute") {
            names.insert(short.to_owned());
        }
        names.insert(head);
    }
    Ok(names)
}
