//! Texts of changed members and files, line by line.

pub(crate) mod generated;

use crate::diff_context::{compared::Compared, question::Hunks};
use cortex_git::{ChangeStatus, FileChange, FileMode, LineHunk, diff_lines, is_binary};
use cortex_look::follow::place::Place;
use cortex_model::RepoPath;
use cortex_wire::{
    ChangedFile, CodeLine, CodeLineKind, CodeShown, FileKind, FileStatus, Hunk, MemberChangeKind,
    TypeChange,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The hunks of a text that is no code are told wherever so many lines of it changed at most.
const MAX_SHORT: usize = 300;

/// Lines of context around a change in a patch.
const CONTEXT: u32 = 3;

/// The whole text of a member, both sides merged line by line. Empty where its file is not among
/// the changed ones (a name in it means something else, its text is the same).
pub(crate) fn member_code(
    compared: &Compared,
    [old, new]: [Option<Place>; 2],
    extent: Extent,
) -> Vec<CodeLine> {
    let old = old
        .map(|place| text_at(compared, place, Half::Old, extent))
        .unwrap_or_default();
    let new = new
        .map(|place| text_at(compared, place, Half::New, extent))
        .unwrap_or_default();
    merged(&without_returns(&old), &without_returns(&new))
}

/// A text with the line endings of Unix: where those of a whole file changed, its code did not.
fn without_returns(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in lines(text) {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// How much of a declaration is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// What stands before its body.
    Header,
}

#[derive(Clone, Copy)]
enum Half {
    Old,
    New,
}

/// So many bytes of a line around a member are shown with it: where a whole program stands in one line, each member
/// would have all of it.
const MAX_AROUND: usize = 200;

/// The whole lines that a range covers; the range alone where more than [`MAX_AROUND`] bytes stand beside it.
fn text_at(compared: &Compared, mut place: Place, half: Half, extent: Extent) -> Vec<u8> {
    let side = match half {
        Half::Old => compared.old_side(&place.path),
        Half::New => compared.new_side(&place.path),
    };
    let Some(side) = side else { return Vec::new() };
    let text = compared.texts.get(side.blob);
    if extent == Extent::Header {
        place.end = header_end(text, &place);
    }
    let (start, end) = (place.start as usize, place.end as usize);
    if end > text.len() || start > end {
        return Vec::new();
    }
    let before = &text[start.saturating_sub(MAX_AROUND)..start];
    let from = match before.iter().rposition(|&b| b == b'\n') {
        Some(at) => start - before.len() + at + 1,
        None if before.len() == start => 0,
        None => start,
    };
    let behind = &text[end..text.len().min(end + MAX_AROUND)];
    let to = match behind.iter().position(|&b| b == b'\n') {
        Some(at) => end + at + 1,
        None if end + behind.len() == text.len() => text.len(),
        None => end,
    };
    text[from..to].to_vec()
}

/// Where the header of a type ends: behind its semicolon, or before the white space that its body follows.
fn header_end(text: &[u8], place: &Place) -> u32 {
    let range = place.start as usize..(place.end as usize).min(text.len());
    let Some(declaration) = text.get(range) else {
        return place.end;
    };
    let mut depth = 0_i32;
    for (at, byte) in declaration.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => {
                return place.start + declaration[..at].trim_ascii_end().len() as u32;
            }
            b';' if depth == 0 => return place.start + at as u32 + 1,
            _ => {}
        }
    }
    place.end
}

/// The text of a member that one side has here and the other one elsewhere, merged line by line.
pub(crate) fn merged_sides(old: &[CodeLine], new: &[CodeLine]) -> Vec<CodeLine> {
    let text = |code: &[CodeLine]| -> Vec<u8> {
        let lines = code.iter().flat_map(|line| [line.text.as_str(), "\n"]);
        lines.collect::<String>().into_bytes()
    };
    merged(&text(old), &text(new))
}

fn merged(old: &[u8], new: &[u8]) -> Vec<CodeLine> {
    let (before, after) = (lines(old), lines(new));
    let mut out = Vec::new();
    let push = |out: &mut Vec<CodeLine>, kind, lines: &[&[u8]]| {
        out.extend(lines.iter().map(|line| CodeLine {
            kind,
            text: text_of(line),
        }));
    };
    let mut at = 0;
    for hunk in hunks_of(old, new) {
        push(
            &mut out,
            CodeLineKind::Context,
            &after[at..hunk.new.start as usize],
        );
        push(
            &mut out,
            CodeLineKind::Removed,
            &before[hunk.old.start as usize..hunk.old.end as usize],
        );
        push(
            &mut out,
            CodeLineKind::Added,
            &after[hunk.new.start as usize..hunk.new.end as usize],
        );
        at = hunk.new.end as usize;
    }
    push(&mut out, CodeLineKind::Context, &after[at..]);
    out
}

/// Where two texts differ beside white space before lines; where that is all, where it does.
fn hunks_of(old: &[u8], new: &[u8]) -> Vec<LineHunk> {
    let unindented = |text: &[u8]| -> Vec<u8> {
        let lines = lines(text).into_iter();
        let lines = lines.map(|line| match line.trim_ascii_start() {
            [] => b"\n",
            line => line,
        });
        lines.collect::<Vec<_>>().concat()
    };
    let found = diff_lines(&unindented(old), &unindented(new)).hunks;
    match found.is_empty() {
        true => diff_lines(old, new).hunks,
        false => found,
    }
}

/// Lines of context around changed lines where members are not wanted whole.
const AROUND: usize = 2;

/// At most so many first lines of a member are its head.
const MAX_HEAD: usize = 6;

/// Stands for unchanged lines that are left out: no C# is such a line.
const GAP: &str = "…";

/// Leaves out lines of a member that are not wanted.
pub(crate) fn shorten(code: &mut Vec<CodeLine>, wanted: CodeShown) {
    match wanted {
        CodeShown::Full => return,
        CodeShown::None => return code.clear(),
        CodeShown::Changed => {}
    }
    let is_changed = |line: &CodeLine| line.kind != CodeLineKind::Context;
    let opens = |line: &CodeLine| {
        let text = line.text.trim_end();
        text.ends_with(['{', ';']) || text.contains("=>")
    };
    let head = code.iter().take(MAX_HEAD).position(opens);
    let n_head = head.map_or(1, |at| at + 1);
    let mut is_kept: Vec<bool> = (0..code.len()).map(|at| at < n_head).collect();
    for at in (0..code.len()).filter(|&at| is_changed(&code[at])) {
        let end = (at + AROUND + 1).min(code.len());
        is_kept[at.saturating_sub(AROUND)..end].fill(true);
    }
    let mut out: Vec<CodeLine> = Vec::new();
    let mut is_gap = false;
    for (line, is_kept) in std::mem::take(code).into_iter().zip(is_kept) {
        if is_kept {
            out.push(line);
        } else if !is_gap {
            out.push(CodeLine {
                kind: CodeLineKind::Context,
                text: GAP.to_owned(),
            });
        }
        is_gap = !is_kept;
    }
    *code = out;
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&b| b == b'\n').collect()
}

fn text_of(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    String::from_utf8_lossy(line).into_owned()
}

/// Every changed file with its hunks, each labeled with the member or type that it touches.
pub(crate) fn changed_files(
    compared: &Compared,
    types: &[TypeChange],
    wanted: Hunks,
) -> Vec<ChangedFile> {
    let mut by_path: FxHashMap<&RepoPath, Vec<&TypeChange>> = FxHashMap::default();
    for ty in types {
        for path in &ty.files {
            by_path.entry(path).or_default().push(ty);
        }
    }
    let types = |file: &FileChange| {
        let found = by_path.get(file.path());
        found.map(Vec::as_slice).unwrap_or_default()
    };
    compared
        .files
        .par_iter()
        .map(|file| changed_file(compared, file, types(file), wanted))
        .collect()
}

/// `types`: those that the file declares.
fn changed_file(
    compared: &Compared,
    file: &FileChange,
    types: &[&TypeChange],
    wanted: Hunks,
) -> ChangedFile {
    let text = |side: &Option<cortex_git::FileSide>| {
        side.as_ref()
            .filter(|side| side.mode != FileMode::Submodule)
            .map_or(&[][..], |side| compared.texts.get(side.blob))
    };
    let (old, new) = (text(&file.old), text(&file.new));
    let path = file.path().clone();
    let is_submodule = [&file.old, &file.new]
        .into_iter()
        .flatten()
        .any(|side| side.mode == FileMode::Submodule);
    let is_absent = [&file.old, &file.new]
        .into_iter()
        .flatten()
        .any(|side| compared.texts.absence(side.blob).is_some());
    let kind = if is_submodule {
        FileKind::Submodule
    } else if is_absent || is_binary(old) || is_binary(new) {
        FileKind::Binary
    } else if path.extension().eq_ignore_ascii_case("cs") {
        FileKind::Source
    } else if cortex_index::is_project_file(&path) {
        FileKind::Project
    } else {
        FileKind::Text
    };
    let written = if file.new.is_some() { new } else { old };
    let is_generated = kind == FileKind::Source && generated::is_generated(&path, written);
    let is_text = !matches!(kind, FileKind::Binary | FileKind::Submodule);
    let (mut added, mut deleted) = (0, 0);
    if is_text {
        for change in diff_lines(old, new).hunks {
            added += change.new.len();
            deleted += change.old.len();
        }
    }
    // What changed in code is told by members, where there are any.
    let is_told = kind == FileKind::Source && (is_generated || !types.is_empty());
    let is_short = is_text && !is_told && added + deleted <= MAX_SHORT;
    let hunks = match wanted {
        Hunks::Told if is_text => hunks(old, new, &path, types),
        Hunks::Counted if is_short => hunks(old, new, &path, types),
        _ => Vec::new(),
    };
    let (status, similarity) = match file.status {
        ChangeStatus::Added => (FileStatus::Added, None),
        ChangeStatus::Deleted => (FileStatus::Deleted, None),
        ChangeStatus::Modified => (FileStatus::Modified, None),
        ChangeStatus::ModeChanged => (FileStatus::ModeChanged, None),
        ChangeStatus::TypeChanged => (FileStatus::TypeChanged, None),
        ChangeStatus::Renamed { similarity } => (FileStatus::Renamed, Some(similarity)),
    };
    ChangedFile {
        old_path: file
            .old
            .as_ref()
            .map(|side| side.path.clone())
            .filter(|old| *old != path),
        status,
        kind,
        is_generated,
        old_mode: file.old.as_ref().map_or(0, |side| side.mode.bits()),
        new_mode: file.new.as_ref().map_or(0, |side| side.mode.bits()),
        blobs: (
            file.old.as_ref().map(|side| side.blob.to_string()),
            file.new.as_ref().map(|side| side.blob.to_string()),
        ),
        similarity,
        added,
        deleted,
        hunks,
        beside: Vec::new(),
        same_section: Vec::new(),
        named_at: Vec::new(),
        path,
    }
}

fn hunks(old: &[u8], new: &[u8], path: &RepoPath, types: &[&TypeChange]) -> Vec<Hunk> {
    let (before, after) = (lines(old), lines(new));
    let changes = diff_lines(old, new).hunks;
    let mut out = Vec::new();
    let mut next = 0;
    while next < changes.len() {
        let first = next;
        while next + 1 < changes.len()
            && changes[next + 1].old.start - changes[next].old.end <= 2 * CONTEXT
        {
            next += 1;
        }
        let group = &changes[first..=next];
        next += 1;
        let lead = group[0].old.start.min(CONTEXT);
        let end = group[group.len() - 1].old.end;
        let tail = (before.len() as u32 - end).min(CONTEXT);
        let mut lines = Vec::new();
        let mut at = group[0].old.start - lead;
        let old_start = at;
        let new_start = group[0].new.start - lead;
        let mut push = |kind, texts: &[&[u8]]| {
            lines.extend(texts.iter().map(|line| CodeLine {
                kind,
                text: text_of(line),
            }))
        };
        for change in group {
            push(
                CodeLineKind::Context,
                &before[at as usize..change.old.start as usize],
            );
            push(
                CodeLineKind::Removed,
                &before[change.old.start as usize..change.old.end as usize],
            );
            push(
                CodeLineKind::Added,
                &after[change.new.start as usize..change.new.end as usize],
            );
            at = change.old.end;
        }
        push(
            CodeLineKind::Context,
            &before[at as usize..(end + tail) as usize],
        );
        let new_end = group[group.len() - 1].new.end + tail;
        let (n_old, n_new) = (end + tail - old_start, new_end - new_start);
        let number = |start: u32, count: u32| if count == 0 { start } else { start + 1 };
        let ends_here = |covered: u32, all: &[&[u8]]| {
            covered as usize == all.len() && all.last().is_some_and(|line| !line.ends_with(b"\n"))
        };
        out.push(Hunk {
            old: (number(old_start, n_old), n_old),
            new: (number(new_start, n_new), n_new),
            label: label(
                path,
                group[0].new.start + 1,
                group[group.len() - 1].new.end,
                types,
            ),
            lines,
            no_newline: (
                n_old > 0 && ends_here(end + tail, &before),
                n_new > 0 && ends_here(new_end, &after),
            ),
        });
    }
    out
}

/// The changed member that starts last before the end of a stretch of new lines, else the type.
fn label(path: &RepoPath, from: u32, to: u32, here: &[&TypeChange]) -> Option<String> {
    let members = here
        .iter()
        .flat_map(|ty| ty.members.iter().map(move |member| (*ty, member)));
    let inside = members.filter(|(_, member)| {
        let length = member
            .code
            .iter()
            .filter(|line| line.kind != CodeLineKind::Removed)
            .count() as u32;
        member.path == *path
            && member.change != MemberChangeKind::Removed
            && member.line <= to.max(from)
            && member.line + length >= from
    });
    if let Some((ty, member)) = inside.max_by_key(|(_, member)| member.line) {
        let what = match member.change {
            MemberChangeKind::Removed => "removed",
            MemberChangeKind::Added => "added",
            MemberChangeKind::Signature => "signature",
            MemberChangeKind::Shape => "shape",
            MemberChangeKind::Body => "body",
            MemberChangeKind::Docs => "docs",
            MemberChangeKind::Registered => "registered",
        };
        return Some(format!("{}.{} [{what}]", ty.ty.name, member.name));
    }
    here.iter()
        .max_by_key(|ty| (ty.line <= to.max(from), ty.line))
        .map(|ty| format!("{} [{}]", ty.ty.name, ty.class))
}

/// By 0-based line: whether it stands between conditional directives.
pub(crate) fn conditional_lines(text: &[u8]) -> Vec<bool> {
    let mut depth = 0u32;
    let inside = lines(text).into_iter().map(|line| {
        let directive = line
            .trim_ascii_start()
            .strip_prefix(b"#")
            .map(|rest| rest.trim_ascii_start());
        if directive.is_some_and(|rest| rest.starts_with(b"if")) {
            depth += 1;
        } else if directive.is_some_and(|rest| rest.starts_with(b"endif")) {
            depth = depth.saturating_sub(1);
        }
        depth > 0
    });
    inside.collect()
}

#[cfg(test)]
mod tests {
    use cortex_wire::{CodeLine, CodeLineKind, CodeShown};

    use super::{merged, shorten};

    fn texts(code: &[CodeLine]) -> Vec<&str> {
        code.iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn changed_code_keeps_the_head_and_every_changed_line() {
        let old: String = (0..20).map(|i| format!("line {i};\n")).collect();
        let new = old.replace("line 12;", "other 12;");
        let code = merged(old.as_bytes(), new.as_bytes());
        let mut shown = code.clone();
        shorten(&mut shown, CodeShown::Changed);
        assert_eq!(
            texts(&shown),
            [
                "line 0;",
                "…",
                "line 10;",
                "line 11;",
                "line 12;",
                "other 12;",
                "line 13;",
                "line 14;",
                "…"
            ]
        );
        let changed = |code: &[CodeLine]| {
            let lines = code
                .iter()
                .filter(|line| line.kind != CodeLineKind::Context);
            lines.cloned().collect::<Vec<_>>()
        };
        assert_eq!(changed(&shown), changed(&code));
        let mut none = code.clone();
        shorten(&mut none, CodeShown::None);
        assert!(none.is_empty());
        let mut full = code.clone();
        shorten(&mut full, CodeShown::Full);
        assert_eq!(full, code);
    }
}
