//! Text from a repository made harmless for Markdown and for terminals.
//!
//! Owns: which characters are shown by their number, how long a fence must be, code spans.
//! Must not know: what the text means.

use std::{borrow::Cow, fmt::Write};

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

/// One line of prose outside a fence: neither HTML nor a link nor an image can start in it.
pub fn prose(text: &str) -> String {
    let text = line(text);
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
fn is_hidden(c: char) -> bool {
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
    fn a_code_span_and_a_fence_outlast_the_backticks_inside() {
        assert_eq!(span("HEAD~1"), "`HEAD~1`");
        assert_eq!(span("A`1``B"), "``` A`1``B ```");
        assert_eq!(fence(0), "```");
        assert_eq!(fence(5), "``````");
    }
}
