//! A plan as a unified diff that `git apply` takes.
//!
//! Source: the extended headers of git's `diff-generate-patch`. Must not know: how a diff is shown to people.

use std::fmt::Write as _;

use cortex_git::Repository;
use cortex_model::{BlobId, RepoPath};

use crate::{
    EditError,
    plan::{FileFate, FilePlan, Plan},
};

/// The diff of a plan, with the ids of the new blobs; file by file, by old path, those that stay as they are left out of the
/// diff.
///
/// # Errors
/// Those of hashing.
pub fn patch(repo: &Repository, plan: &Plan) -> Result<(Vec<u8>, Vec<BlobId>), EditError> {
    let mut out = Vec::new();
    let mut ids = Vec::with_capacity(plan.files.len());
    for file in plan.files.values() {
        let new_id = repo.blob_id(&file.new_bytes)?;
        ids.push(new_id);
        // git takes no header without anything behind it.
        if !file.is_kept() {
            write_file(file, new_id, &mut out);
        }
    }
    Ok((out, ids))
}

/// Writes what becomes of one file.
fn write_file(file: &FilePlan, new_id: BlobId, out: &mut Vec<u8>) {
    let (old_path, new_path) = (&file.old.path, &file.new_path);
    let mode = file.old.mode.bits();
    let mut header = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        header
            .write_fmt(text)
            .and_then(|()| header.write_char('\n'))
            .expect("a string takes everything");
    };
    line(format_args!(
        "diff --git {} {}",
        quoted("a/", old_path),
        quoted("b/", new_path)
    ));
    match file.fate {
        FileFate::Made => line(format_args!("new file mode {mode:06o}")),
        FileFate::Removed => line(format_args!("deleted file mode {mode:06o}")),
        FileFate::Changed if old_path != new_path => {
            let percent = similarity(&file.old_bytes, &file.new_bytes);
            line(format_args!("similarity index {percent}%"));
            line(format_args!("rename from {}", quoted("", old_path)));
            line(format_args!("rename to {}", quoted("", new_path)));
        }
        FileFate::Changed => {}
    }
    let none = "0".repeat(new_id.to_string().len());
    match file.fate {
        FileFate::Made => line(format_args!("index {none}..{new_id}")),
        FileFate::Removed => line(format_args!("index {}..{none}", file.old.blob)),
        FileFate::Changed if new_id != file.old.blob => {
            line(format_args!("index {}..{new_id} {mode:06o}", file.old.blob));
        }
        FileFate::Changed => {}
    }
    let is_same = file.old_bytes == file.new_bytes;
    if !is_same {
        let name = |is_there: bool, prefix, path| match is_there {
            true => quoted(prefix, path),
            false => "/dev/null".to_owned(),
        };
        line(format_args!(
            "--- {}",
            name(file.is_before(), "a/", old_path)
        ));
        line(format_args!(
            "+++ {}",
            name(file.is_after(), "b/", new_path)
        ));
    }
    out.extend_from_slice(header.as_bytes());
    if is_same {
        return;
    }
    let diff = diffy::create_patch_bytes(&file.old_bytes, &file.new_bytes);
    let mut bytes = Vec::new();
    diffy::PatchFormatter::new()
        .suppress_blank_empty(false)
        .write_patch_into(&diff, &mut bytes)
        .expect("memory takes everything");
    // Its own first two lines name no files.
    let mut line_ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let hunks = line_ends.nth(1).map_or(0, |(at, _)| at + 1);
    out.extend_from_slice(&bytes[hunks..]);
}

/// How much of a file stays, in percent: what git writes is only told, never checked.
pub(crate) fn similarity(old: &[u8], new: &[u8]) -> usize {
    let lines = |bytes: &[u8]| bytes.split_inclusive(|&byte| byte == b'\n').count().max(1);
    let (n_old, n_new) = (lines(old), lines(new));
    let patch = diffy::create_patch_bytes(old, new);
    let n_changed: usize = (patch.hunks().iter())
        .flat_map(diffy::Hunk::lines)
        .filter(|line| !matches!(line, diffy::Line::Context(_)))
        .count();
    100 - (n_changed * 100 / (n_old + n_new)).min(100)
}

/// A path as git writes it: quoted as in C where it has other characters than printable ones.
fn quoted(prefix: &str, path: &RepoPath) -> String {
    let text = path.as_str();
    let is_plain = text
        .bytes()
        .all(|byte| byte > 0x1f && byte != b'"' && byte != b'\\' && byte < 0x7f);
    if is_plain {
        return format!("{prefix}{text}");
    }
    let mut out = format!("\"{prefix}");
    for byte in text.bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            0x20..=0x7e => out.push(char::from(byte)),
            _ => {
                write!(out, "\\{byte:03o}").expect("a string takes everything");
            }
        }
    }
    out.push('"');
    out
}
