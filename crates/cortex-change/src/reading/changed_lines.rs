//! Which lines of a file a change touches.

use std::ops::Range;

use cortex_git::FileSide;
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::{CodeToken, CodeTokenKind, decode, tokens};
use rustc_hash::FxHashSet;

use crate::diff_context::compared::Compared;

/// The lines of a file that are not as they were, but for blank ones that came or went alone.
pub(crate) struct ChangedLines {
    text: Vec<u8>,
    table: LineTable,
    /// Ascending, from 0.
    hunks: Vec<Range<u32>>,
}

impl ChangedLines {
    /// Of a file of the newer side; `None` where it did not change.
    pub(crate) fn of(compared: &Compared, path: &RepoPath) -> Option<Self> {
        let new = compared.new_side(path)?;
        let old = compared.file_at(path)?.old.as_ref();
        let [old, new] = texts(compared, [old, Some(new)]);
        let hunks = hunks(&old, &new).into_iter();
        Some(Self::new(new, hunks.map(|(_, new)| new).collect()))
    }

    /// The lines of a file of the older side that are gone or changed; `None` where the file did not change.
    pub(crate) fn of_old(compared: &Compared, path: &RepoPath) -> Option<Self> {
        let old = compared.old_side(path)?;
        let mut files = compared.files.iter();
        let new = files.find(|file| file.old.as_ref().is_some_and(|it| it.path == *path))?;
        let [old, new] = texts(compared, [Some(old), new.new.as_ref()]);
        let hunks = hunks(&old, &new).into_iter();
        Some(Self::new(old, hunks.map(|(old, _)| old).collect()))
    }

    fn new(text: Vec<u8>, hunks: Vec<Range<u32>>) -> Self {
        Self {
            table: LineTable::new(&text),
            text,
            hunks,
        }
    }

    /// The decoded text of the file.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The 1-based line of an offset.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        self.table.position(offset).line
    }

    /// Whether a 1-based line is one of them.
    pub(crate) fn has_line(&self, line: u32) -> bool {
        let line = line.saturating_sub(1);
        let at = self.hunks.partition_point(|hunk| hunk.end <= line);
        self.hunks.get(at).is_some_and(|hunk| hunk.start <= line)
    }

    /// Whether what stands at an offset is in one of them.
    pub(crate) fn has(&self, offset: u32) -> bool {
        self.has_any(offset..offset)
    }

    /// Whether a line from the one of an offset to that of another is one of them.
    pub(crate) fn has_any(&self, offsets: Range<u32>) -> bool {
        let line = |offset| self.table.position(offset).line.saturating_sub(1);
        let (first, last) = (line(offsets.start), line(offsets.end));
        let at = self.hunks.partition_point(|hunk| hunk.end <= first);
        self.hunks.get(at).is_some_and(|hunk| hunk.start <= last)
    }

    /// The code of the file, by the places of names.
    pub(crate) fn code(&self) -> CodeOfFile<'_> {
        let tokens = tokens(&self.text);
        let words = tokens.iter().filter(|it| it.kind == CodeTokenKind::Word);
        let on_changed = words.filter(|it| self.has(it.range.start));
        let text =
            |it: &CodeToken| self.text[it.range.start as usize..it.range.end as usize].to_vec();
        CodeOfFile {
            named: on_changed.map(text).collect(),
            lines: self,
            tokens,
        }
    }
}

/// The lines of both sides that differ, but where nothing but blank ones came or went.
fn hunks(old: &[u8], new: &[u8]) -> Vec<(Range<u32>, Range<u32>)> {
    let lines = |text| -> Vec<&[u8]> { <[u8]>::split(text, |byte| *byte == b'\n').collect() };
    let sides = [lines(old), lines(new)];
    let says = |side: &[&[u8]], range: &Range<u32>| {
        let lines = side.get(range.start as usize..range.end as usize);
        lines.is_some_and(|lines| lines.iter().any(|line| !line.trim_ascii().is_empty()))
    };
    let hunks = cortex_git::diff_lines(old, new).hunks.into_iter();
    let told = hunks.filter(|it| says(&sides[0], &it.old) || says(&sides[1], &it.new));
    told.map(|it| (it.old, it.new)).collect()
}

/// The decoded texts of both sides of a file; empty where there is none.
fn texts(compared: &Compared, sides: [Option<&FileSide>; 2]) -> [Vec<u8>; 2] {
    sides.map(|side| {
        let text = side.map_or(&[][..], |side| compared.texts.get(side.blob));
        decode(text).as_bytes().to_vec()
    })
}

/// The statements of a file, by the names in them.
pub(crate) struct CodeOfFile<'l> {
    lines: &'l ChangedLines,
    tokens: Vec<CodeToken>,
    /// The words on changed lines.
    named: FxHashSet<Vec<u8>>,
}

impl CodeOfFile<'_> {
    /// The text of an assignment from what it assigns to the end of its value, without white space and comments; `None`
    /// where no line of that changed. `name`: where the name of what it assigns stands.
    pub(crate) fn assignment(&self, name: u32) -> Option<Vec<u8>> {
        let start = self.tokens.partition_point(|it| it.range.start < name);
        let text = |token: &CodeToken| {
            &self.lines.text[token.range.start as usize..token.range.end as usize]
        };
        let mut depth = 0;
        let mut ends = |token: &&CodeToken| {
            match text(token) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth -= 1,
                b"," if depth == 0 => return true,
                b";" => return depth <= 0,
                _ => {}
            }
            depth < 0
        };
        let rest = &self.tokens[start..];
        let n = rest
            .iter()
            .position(|token| ends(&token))
            .unwrap_or(rest.len());
        let (first, last) = (rest[..n].first()?, rest[..n].last()?);
        let is_changed = self.lines.has_any(first.range.start..last.range.start);
        is_changed.then(|| rest[..n].iter().flat_map(text).copied().collect())
    }

    /// Whether a changed line has a part of the statement around the name of a call: what decides about the call stands
    /// there, as well as its arguments. `name`: where the name stands.
    pub(super) fn is_changed(&self, name: u32) -> bool {
        let statement = self.statement(name);
        let start = statement.first().map_or(name, |it| it.range.start);
        let end = statement.last().map_or(name, |it| it.range.end);
        self.lines.has_any(start..end.max(name))
    }

    /// Whether the statement around the name of a call gives a local its value that a changed line names: `var x = …;`.
    /// `name`: where the name stands.
    pub(super) fn feeds_changed(&self, name: u32) -> bool {
        let statement = self.statement(name);
        let text = |token: &CodeToken| self.text(token);
        let equals = statement.iter().position(|it| text(it) == b"=");
        let Some(local) = equals.and_then(|at| statement.get(at.checked_sub(1)?)) else {
            return false;
        };
        let is_declared = equals.is_some_and(|at| at > 1) && local.kind == CodeTokenKind::Word;
        is_declared && local.range.end < name && self.named.contains(text(local))
    }

    fn text(&self, token: &CodeToken) -> &[u8] {
        &self.lines.text[token.range.start as usize..token.range.end as usize]
    }

    /// The tokens of the statement around an offset, without what ends it.
    fn statement(&self, at: u32) -> &[CodeToken] {
        let ends = |token: &CodeToken| matches!(self.text(token), b";" | b"{" | b"}");
        let at = self.tokens.partition_point(|it| it.range.start < at);
        let (before, behind) = self.tokens.split_at(at);
        let start = before.iter().rposition(ends).map_or(0, |last| last + 1);
        let end = behind.iter().position(ends).unwrap_or(behind.len());
        &self.tokens[start..at + end]
    }
}
