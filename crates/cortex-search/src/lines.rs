//! The part of a line that is shown, and columns as editors count them.

use cortex_model::ByteRange;

use crate::found::LineText;

/// The maximum number of characters shown of a line.
pub const MAX_LINE_CHARS: usize = 500;

/// The number of characters shown before a match in a line whose start is cut.
const CHARS_BEFORE: usize = 100;

/// The length of a text in UTF-16 units.
pub fn utf16_len(text: &str) -> u32 {
    match text.is_ascii() {
        true => text.len() as u32,
        false => text.chars().map(|c| c.len_utf16() as u32).sum(),
    }
}

/// The byte order mark, which belongs to no line.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// A line without its end.
pub(crate) fn trimmed(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// The part of a line that is shown: it includes the byte `at` of the text and stays inside `range`. `line_start` is the
/// byte of the text at which the line starts.
pub(crate) fn part(
    line: &str,
    line_start: usize,
    at: usize,
    column: u32,
    range: ByteRange,
) -> LineText {
    let content = trimmed(line);
    let within = |byte: u32| {
        (byte as usize)
            .saturating_sub(line_start)
            .min(content.len())
    };
    let (mut from, mut to) = (within(range.start), within(range.end));
    while !content.is_char_boundary(from) {
        from += 1;
    }
    while !content.is_char_boundary(to) {
        to -= 1;
    }
    let to = to.max(from);
    let inside = &content[from..to];
    let at = at.saturating_sub(line_start + from).min(inside.len());
    let found = shown(inside, at, column);
    LineText {
        is_cut: found.is_cut || inside.len() < content.len(),
        ..found
    }
}

/// The part of a line that is shown, including the byte `at` of the line, which is at a column. Takes constant time,
/// because a line may have as many hits as bytes.
pub(crate) fn shown(line: &str, at: usize, column: u32) -> LineText {
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
        first_column: column - utf16_len(&line[start..at]),
        is_cut: text.len() < line.len(),
        is_cut_behind: end.is_some(),
    }
}
