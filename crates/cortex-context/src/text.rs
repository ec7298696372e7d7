//! Text from a repository made harmless for Markdown and for terminals.
//!
//! Owns: which characters are shown by their number, how long a fence must be, code spans.
//! Must not know: what the text means.

use std::{borrow::Cow, fmt::Write, ops::Range};

/// What becomes of tabs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tabs {
    /// They stay: source code.
    Keep,
    /// They are shown by their number: names and paths.
    Show,
}

/// `text` with every control, bidirectional and invisible character written as `\u{…}`.
pub(crate) fn visible(text: &str, tabs: Tabs) -> Cow<'_, str> {
    let hidden = |c: char| is_hidden(c) && !(c == '\t' && tabs == Tabs::Keep);
    let Some(first) = text.find(hidden) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if hidden(c) {
            let _ = write!(out, "\\u{{{:x}}}", c as u32);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// One line of a name, path or message: [`visible`] with tabs shown.
pub fn line(text: &str) -> Cow<'_, str> {
    visible(text, Tabs::Show)
}

/// One line of prose outside a fence: neither HTML nor a link nor an image can start in it, and what a forge would
/// take for a person to tell or an issue to link (`@name`, `#1`) is a code span.
pub fn prose(text: &str) -> String {
    let text = line(text);
    // A span of its own would end one that the text has around it.
    if text.contains('`') && next_live(&text).is_some() {
        return span(&text);
    }
    let mut out = String::with_capacity(text.len());
    for piece in pieces(&text) {
        match piece {
            Piece::Live(text) => out.push_str(&span(text)),
            Piece::Plain(text) => out.push_str(&without_markup(text)),
        }
    }
    out
}

/// A part of a line of prose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece<'t> {
    Plain(&'t str),
    /// A forge would take it for a person, an issue or a change.
    Live(&'t str),
}

/// A line, taken to pieces in its order.
pub(crate) fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some(live) = next_live(rest) {
        out.push(Piece::Plain(&rest[..live.start]));
        out.push(Piece::Live(&rest[live.clone()]));
        rest = &rest[live.end..];
    }
    out.push(Piece::Plain(rest));
    out
}

/// The first `@name`, `#1`, `name/name#1`, `!1` or `GH-1` of a line.
fn next_live(line: &str) -> Option<Range<usize>> {
    let bytes = line.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-/.".contains(byte);
    let is_word = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let end_of = |at: usize, is_part: &dyn Fn(&u8) -> bool| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| is_part(byte)).count()
    };
    let found = line.bytes().enumerate().find(|&(at, byte)| match byte {
        b'@' => is_word(at + 1) && !(at > 0 && is_word(at - 1)),
        b'#' | b'!' => is_digit(at + 1),
        b'-' => is_digit(at + 1) && line[..at].to_ascii_uppercase().ends_with("GH"),
        _ => false,
    });
    let (at, byte) = found?;
    let before = bytes[..at].iter().rev().take_while(|byte| is_name(byte));
    Some(match byte {
        b'@' => at..end_of(at + 1, &is_name),
        _ => at - before.count()..end_of(at + 1, &u8::is_ascii_digit),
    })
}

/// Neither HTML nor a link nor an image can start in it.
pub(crate) fn without_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let opens = match c {
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            ']' => matches!(next, '(' | '[' | ':'),
            _ => false,
        };
        if opens {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// `text` as a code span that no backtick inside can close.
pub fn span(text: &str) -> String {
    let text = line(text);
    let run = longest_backtick_run(&text);
    if run == 0 {
        return format!("`{text}`");
    }
    let ticks = "`".repeat(run + 1);
    format!("{ticks} {text} {ticks}")
}

/// A fence that no line of a text with backtick runs of at most `run` can close.
pub fn fence(run: usize) -> String {
    "`".repeat(run.max(2) + 1)
}

/// The length of the longest run of backticks.
pub fn longest_backtick_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Whether a reader would not see `c`, or would see others in another order because of it:
/// controls, and what Unicode calls default ignorable, line breaking or a format control.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::{Tabs, fence, line, prose, span, visible};

    #[test]
    fn what_cannot_be_seen_is_shown_by_its_number() {
        assert_eq!(
            line("a\u{202e}b\u{1b}[31m\tc"),
            "a\\u{202e}b\\u{1b}[31m\\u{9}c"
        );
        assert_eq!(visible("\tint x;\r", Tabs::Keep), "\tint x;\\u{d}");
        assert_eq!(line("größer 漢字 🚀"), "größer 漢字 🚀");
        assert_eq!(
            line("a\u{e0041}\u{85}\u{2028}"),
            "a\\u{e0041}\\u{85}\\u{2028}"
        );
    }

    #[test]
    fn prose_opens_no_tag_link_or_image() {
        assert_eq!(
            prose("<img src=x> ![a](http://b) List<T> a < b [net8] x"),
            "\\<img src=x> ![a\\](http://b) List\\<T> a < b [net8] x"
        );
    }

    #[test]
    fn prose_tells_nobody_and_links_nothing() {
        let of = |text: &str, expected: &str| assert_eq!(prose(text), expected);
        of("Fix #12 (by @some-one)", "Fix `#12` (by `@some-one`)");
        of("a/b#3, GH-4 and !5", "`a/b#3`, `GH-4` and `!5`");
        of("`x` for @me", "`` `x` for @me ``");
        of(
            "mail a@b.c, C#, #region, !x, M:A.#ctor",
            "mail a@b.c, C#, #region, !x, M:A.#ctor",
        );
        of("größer@ @é #", "größer@ @é #");
    }

    #[test]
    fn a_code_span_and_a_fence_outlast_the_backticks_inside() {
        assert_eq!(span("HEAD~1"), "`HEAD~1`");
        assert_eq!(span("A`1``B"), "``` A`1``B ```");
        assert_eq!(fence(0), "```");
        assert_eq!(fence(5), "``````");
    }
}
