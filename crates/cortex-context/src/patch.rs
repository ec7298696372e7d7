//! The plain unified diff of an answer, as `git diff` prints it, with what each hunk touches.
//!
//! Owns: git's patch syntax. Must not know: budgets, Markdown.

use std::{borrow::Cow, fmt::Write};

use cortex_wire::{ChangedFile, CodeLineKind, DiffContext, FileKind, Hunk};

use crate::text;

const LINK_MODE: u32 = 0o160_000;

/// Writes the patch that `git apply` takes from the old side to the new one.
///
/// Object ids are whole, so that `git apply --3way` and binary files whose blobs are at hand work.
/// The label of a hunk stands behind its second `@@`, where git prints a function's name.
/// A file whose type changed is written as deleted and added again, as git does; its hunks must then
/// cover it whole.
pub fn patch(answer: &DiffContext) -> String {
    let n_lines: usize = answer
        .files
        .iter()
        .flat_map(|file| &file.hunks)
        .map(|hunk| hunk.lines.len())
        .sum();
    let mut out = String::with_capacity(n_lines * 40 + answer.files.len() * 200);
    for file in &answer.files {
        if file.old_mode != 0 && file.new_mode != 0 && file.old_mode >> 12 != file.new_mode >> 12 {
            let (gone, made) = halves(file);
            write_file(&mut out, &gone);
            write_file(&mut out, &made);
        } else {
            write_file(&mut out, file);
        }
    }
    out
}

fn write_file(out: &mut String, file: &ChangedFile) {
    let new_path = file.path.as_str();
    let old_path = file
        .old_path
        .as_ref()
        .map_or(new_path, |path| path.as_str());
    let (old_name, new_name) = (quoted("a/", old_path), quoted("b/", new_path));
    let _ = writeln!(out, "diff --git {old_name} {new_name}");
    match (file.old_mode, file.new_mode) {
        (0, mode) => {
            let _ = writeln!(out, "new file mode {mode:06o}");
        }
        (mode, 0) => {
            let _ = writeln!(out, "deleted file mode {mode:06o}");
        }
        (old, new) if old != new => {
            let _ = writeln!(out, "old mode {old:06o}\nnew mode {new:06o}");
        }
        _ => {}
    }
    if file.old_path.is_some() {
        if let Some(similarity) = file.similarity {
            let _ = writeln!(out, "similarity index {similarity}%");
        }
        let _ = writeln!(
            out,
            "rename from {}\nrename to {}",
            quoted("", old_path),
            quoted("", new_path)
        );
    }
    let (old_id, new_id) = &file.blobs;
    if old_id == new_id {
        return;
    }
    let width = old_id.as_ref().or(new_id.as_ref()).map_or(40, String::len);
    let id = |id: &Option<String>| id.clone().unwrap_or_else(|| "0".repeat(width));
    let _ = write!(out, "index {}..{}", id(old_id), id(new_id));
    if file.old_mode == file.new_mode {
        let _ = write!(out, " {:06o}", file.new_mode);
    }
    out.push('\n');
    let old_name = if file.old_mode == 0 {
        Cow::Borrowed("/dev/null")
    } else {
        old_name
    };
    let new_name = if file.new_mode == 0 {
        Cow::Borrowed("/dev/null")
    } else {
        new_name
    };
    if file.kind == FileKind::Binary {
        let _ = writeln!(out, "Binary files {old_name} and {new_name} differ");
        return;
    }
    if file.kind == FileKind::Submodule || (file.old_mode | file.new_mode) & 0o170_000 == LINK_MODE
    {
        write_names(out, &old_name, &new_name);
        write_submodule(out, old_id.as_deref(), new_id.as_deref());
    } else if !file.hunks.is_empty() {
        write_names(out, &old_name, &new_name);
        for hunk in &file.hunks {
            write_hunk(out, hunk);
        }
    }
}

/// Both names; one with a space gets a tab behind it, which tells readers where it ends.
fn write_names(out: &mut String, old_name: &str, new_name: &str) {
    for (sign, name) in [("---", old_name), ("+++", new_name)] {
        let end = if name.contains(' ') && !name.starts_with('"') {
            "\t"
        } else {
            ""
        };
        let _ = writeln!(out, "{sign} {name}{end}");
    }
}

fn write_submodule(out: &mut String, old_id: Option<&str>, new_id: Option<&str>) {
    let count = |id: Option<&str>| if id.is_some() { "1" } else { "0,0" };
    let _ = writeln!(out, "@@ -{} +{} @@", count(old_id), count(new_id));
    for (sign, id) in [('-', old_id), ('+', new_id)] {
        if let Some(id) = id {
            let _ = writeln!(out, "{sign}Subproject commit {id}");
        }
    }
}

fn write_hunk(out: &mut String, hunk: &Hunk) {
    out.push_str("@@ -");
    write_extent(out, hunk.old);
    out.push_str(" +");
    write_extent(out, hunk.new);
    out.push_str(" @@");
    if let Some(label) = &hunk.label {
        out.push(' ');
        out.push_str(&text::line(label));
    }
    out.push('\n');
    let last_of = |other: CodeLineKind| hunk.lines.iter().rposition(|line| line.kind != other);
    let last_old = last_of(CodeLineKind::Added).filter(|_| hunk.no_newline.0);
    let last_new = last_of(CodeLineKind::Removed).filter(|_| hunk.no_newline.1);
    for (i, line) in hunk.lines.iter().enumerate() {
        out.push(match line.kind {
            CodeLineKind::Context => ' ',
            CodeLineKind::Added => '+',
            CodeLineKind::Removed => '-',
        });
        out.push_str(&line.text);
        out.push('\n');
        if last_old == Some(i) || last_new == Some(i) {
            out.push_str("\\ No newline at end of file\n");
        }
    }
}

/// First line and number of lines; git leaves out a number of one.
fn write_extent(out: &mut String, (start, count): (u32, u32)) {
    let _ = write!(out, "{start}");
    if count != 1 {
        let _ = write!(out, ",{count}");
    }
}

/// A change of type as a deletion and an addition.
fn halves(file: &ChangedFile) -> (ChangedFile, ChangedFile) {
    let mut gone = file.clone();
    gone.path = file.old_path.clone().unwrap_or_else(|| file.path.clone());
    gone.old_path = None;
    gone.new_mode = 0;
    gone.blobs.1 = None;
    gone.hunks = one_side(&file.hunks, CodeLineKind::Removed);
    let mut made = file.clone();
    made.old_path = None;
    made.old_mode = 0;
    made.blobs.0 = None;
    made.hunks = one_side(&file.hunks, CodeLineKind::Added);
    (gone, made)
}

/// The lines of one side as one hunk of nothing but them.
fn one_side(hunks: &[Hunk], side: CodeLineKind) -> Vec<Hunk> {
    let mut lines: Vec<_> = hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind == side || line.kind == CodeLineKind::Context)
        .cloned()
        .collect();
    for line in &mut lines {
        line.kind = side;
    }
    if lines.is_empty() {
        return Vec::new();
    }
    let extent = (1, lines.len() as u32);
    let no_newline = hunks.last().map_or((false, false), |hunk| hunk.no_newline);
    vec![match side {
        CodeLineKind::Removed => Hunk {
            old: extent,
            new: (0, 0),
            label: None,
            lines,
            no_newline: (no_newline.0, false),
        },
        _ => Hunk {
            old: (0, 0),
            new: extent,
            label: None,
            lines,
            no_newline: (false, no_newline.1),
        },
    }]
}

/// A path as git quotes it (`core.quotePath`, its default): in double quotes with C escapes, and every
/// byte outside ASCII in octal, if it holds anything unusual.
fn quoted<'a>(prefix: &str, path: &'a str) -> Cow<'a, str> {
    let plain = |byte: u8| (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    if path.bytes().all(plain) {
        return if prefix.is_empty() {
            Cow::Borrowed(path)
        } else {
            Cow::Owned(format!("{prefix}{path}"))
        };
    }
    let mut out = format!("\"{prefix}");
    for byte in path.bytes() {
        let short = match byte {
            0x07 => 'a',
            0x08 => 'b',
            b'\t' => 't',
            b'\n' => 'n',
            0x0b => 'v',
            0x0c => 'f',
            b'\r' => 'r',
            b'"' | b'\\' => char::from(byte),
            _ if plain(byte) => {
                out.push(char::from(byte));
                continue;
            }
            _ => {
                let _ = write!(out, "\\{byte:03o}");
                continue;
            }
        };
        out.push('\\');
        out.push(short);
    }
    out.push('"');
    Cow::Owned(out)
}

#[cfg(test)]
mod tests;
