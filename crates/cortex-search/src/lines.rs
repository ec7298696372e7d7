//! Lines as they are shown, and columns as editors count them.

use crate::found::LineText;

/// So many characters of a line are shown.
pub const MAX_LINE_CHARS: usize = 500;

/// So many characters before a match are shown in a line that is cut before it.
const CHARS_BEFORE: usize = 100;

/// The byte order mark, which belongs to no line.
const MARK: &str = "\u{FEFF}";

/// How many UTF-16 units a text has.
pub fn utf16_len(text: &str) -> u32 {
    match text.is_ascii() {
        true => text.len() as u32,
        false => text.chars().map(|c| c.len_utf16() as u32).sum(),
    }
}

/// A line without its end, and without a byte order mark; how many bytes were taken from its start.
pub(crate) fn trimmed(line: &str) -> (&str, usize) {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    match line.strip_prefix(MARK) {
        Some(rest) => (rest, MARK.len()),
        None => (line, 0),
    }
}

/// What is shown of a line so that the byte `at` is seen.
pub(crate) fn shown(line: &str, at: usize) -> LineText {
    let start = match line.char_indices().nth(MAX_LINE_CHARS) {
        Some((end, _)) if at >= end => {
            let before = line[..at].char_indices().rev().nth(CHARS_BEFORE - 1);
            before.map_or(0, |(start, _)| start)
        }
        _ => 0,
    };
    let rest = &line[start..];
    let end = rest.char_indices().nth(MAX_LINE_CHARS);
    let text = end.map_or(rest, |(end, _)| &rest[..end]);
    LineText {
        text: text.to_owned(),
        first_column: 1 + utf16_len(&line[..start]),
        is_cut: text.len() < line.len(),
        is_cut_behind: end.is_some(),
    }
}
