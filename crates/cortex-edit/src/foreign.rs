//! `patch`: a unified diff that somebody else made, planned and proven like any other edit.
//!
//! It is applied strictly: every line stands where the diff says, and every path is one of a file of the repository.
//! Must not know: who made it.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::RepoPath;
use cortex_syntax::{Sections, text::decode};
use cortex_wire::EditKind;
use diffy::{
    Line, Patch,
    patch_set::{FileOperation, ParseOptions, PatchSet},
};

use crate::{
    EditError, apply::unsafe_name, conflicts::Locals, difference::edits_between, draft::Draft,
    identifier::bare, plan::Plan, text_edit::TextEdits,
};

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

/// Plans what a diff changes.
///
/// # Errors
/// [`EditError::Refused`] for what is no diff, for lines that stand elsewhere, and for files that the diff must not
/// touch; [`EditError::NoChange`]; those of the index.
pub(crate) fn plan_patch(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    diff: &[u8],
) -> Result<Draft, EditError> {
    if diff.len() > MAX_BYTES {
        return Err(refused("it is longer than 64 MiB"));
    }
    let is_of_git = diff.starts_with(b"diff --git ")
        || diff.windows(12).any(|window| window == b"\ndiff --git ");
    let options = match is_of_git {
        true => ParseOptions::gitdiff(),
        false => ParseOptions::unidiff(),
    };
    let mut edits: BTreeMap<RepoPath, TextEdits> = BTreeMap::new();
    let mut moved = BTreeMap::new();
    let mut reader = view.blobs();
    for file in PatchSet::parse_bytes(diff, options) {
        let file = file.map_err(|error| refused(format!("it is no unified diff: {error}")))?;
        let (old_path, new_path) = paths(file.operation())?;
        let Some(summary) = view.snapshot().file(&old_path)? else {
            let reason = format!("`{old_path}` is no C# file of the repository");
            return Err(refused(reason));
        };
        if edits.contains_key(&old_path) {
            return Err(refused(format!("it changes `{old_path}` twice")));
        }
        if old_path != new_path {
            if view.snapshot().file(&new_path)?.is_some() {
                return Err(refused(format!("`{new_path}` is there already")));
            }
            moved.insert(old_path.clone(), new_path);
        }
        let Some(patch) = file.patch().as_text() else {
            return Err(refused(format!("the change of `{old_path}` is binary")));
        };
        let old_bytes = reader.read_blob(summary.blob)?;
        let new_bytes = applied(&old_bytes, patch)
            .map_err(|line| refused(format!("line {line} of `{old_path}` is another one")))?;
        let (old_text, new_text) = (decode(&old_bytes), decode(&new_bytes));
        let found = edits_between(old_text.as_str(), new_text.as_str());
        if found.apply(&old_bytes)? != new_bytes {
            return Err(refused(format!("it changes the encoding of `{old_path}`")));
        }
        edits.insert(old_path, found);
    }
    let plan = Plan::of_edits(view.index, view.side, edits, &moved)?;
    let is_same = |file: &crate::plan::FilePlan| {
        file.old_bytes == file.new_bytes && file.old.path == file.new_path
    };
    if plan.files.values().all(is_same) {
        return Err(EditError::NoChange {
            doing: DOING.to_owned(),
        });
    }
    Ok(Draft {
        kind: EditKind::Patch,
        title: "apply a patch".to_owned(),
        subject: None,
        n_family: 0,
        locals: Locals::Renamed,
        names: names(view, symbols, &plan)?,
        old_name: None,
        plan,
    })
}

/// The paths of a file before and after.
fn paths(operation: &FileOperation<'_, [u8]>) -> Result<(RepoPath, RepoPath), EditError> {
    let path = |bytes: &[u8], prefix: &[u8]| -> Result<RepoPath, EditError> {
        let bytes = bytes.strip_prefix(prefix).unwrap_or(bytes);
        let path = RepoPath::from_bytes(bytes);
        let mut parts = path.as_str().split('/');
        if let Some(reason) = parts.find_map(unsafe_name) {
            return Err(EditError::Unsafe { path, reason });
        }
        Ok(path)
    };
    match operation {
        FileOperation::Modify { original, modified } => {
            Ok((path(original, b"a/")?, path(modified, b"b/")?))
        }
        FileOperation::Rename { from, to } => Ok((path(from, b"")?, path(to, b"")?)),
        FileOperation::Create(name) | FileOperation::Delete(name) => {
            let name = String::from_utf8_lossy(name).into_owned();
            Err(refused(format!("it makes or removes a file: `{name}`")))
        }
        FileOperation::Copy { to, .. } => {
            let name = String::from_utf8_lossy(to).into_owned();
            Err(refused(format!("it makes a file: `{name}`")))
        }
    }
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
        let source = decode(&file.old_bytes);
        for edit in file.edits.all() {
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
                let mut edits = file.edits.all().iter();
                if edits.any(|it| it.range.start < end && it.range.end >= decl.range.start) {
                    heads.push(facts.name(decl.name).to_owned());
                }
            }
        }
    }
    names.extend(heads);
    Ok(names)
}
