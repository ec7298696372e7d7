//! Lines as they are shown, and columns as editors count them.

use cortex_model::ByteRange;

use crate::found::LineText;

/// So many characters of a line are shown.
pub const MAX_LINE_CHARS: usize = 500;

/// So many characters before a match are shown in a line that is cut before it.
const CHARS_BEFORE: usize = 100;

/// How many UTF-16 units a text has.
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

/// What is shown of a line that starts at a byte of a text, so that the byte `at` of the text is seen, and nothing
/// beyond a range of it.
pub(crate) fn part(line: &str, line_start: usize, at: usize, range: ByteRange) -> LineText {
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
    let found = shown(
        inside,
        at.saturating_sub(line_start + from).min(inside.len()),
    );
    LineText {
        first_column: found.first_column + utf16_len(&content[..from]),
        is_cut: found.is_cut || inside.len() < content.len(),
        ..found
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
