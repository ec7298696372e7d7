//! The pieces that tokens never cross.
//!
//! The pattern of `o200k_base`, alternatives in their order, `U` and `L` as [`Class::is_upper`] and
//! [`Class::is_lower`]:
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! \p{N}{1,3}
//!  ?[^\s\p{L}\p{N}]+[\r\n/]*
//! \s*[\r\n]+
//! \s+(?!\S)
//! \s+
//! ```

use super::classes::Class;

/// The pieces of a text, in order; together they are the text. O(n).
pub(super) struct Pieces<'t> {
    rest: &'t str,
}

impl<'t> Pieces<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        let (piece, rest) = self.rest.split_at(piece_len(self.rest));
        self.rest = rest;
        Some(piece)
    }
}

/// The length of the first piece of a text that is not empty.
fn piece_len(text: &str) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    let class = Class::of(first);
    let behind = class.is_prefix().then(|| first.len_utf8());
    let word = behind
        .and_then(|at| lower_word(text, at))
        .or_else(|| lower_word(text, 0))
        .or_else(|| behind.and_then(|at| upper_word(text, at)))
        .or_else(|| upper_word(text, 0));
    if let Some(end) = word {
        return end + contraction_len(&text[end..]);
    }
    if class == Class::Number {
        return text
            .chars()
            .take(3)
            .take_while(|&c| Class::of(c) == Class::Number)
            .map(char::len_utf8)
            .sum();
    }
    let start = usize::from(first == ' ');
    let end = run(text, start, Class::is_punctuation);
    if end > start {
        let tail = text[end..]
            .bytes()
            .take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/'))
            .count();
        return end + tail;
    }
    let end = run(text, 0, Class::is_space);
    let space = &text[..end];
    if let Some(at) = space.rfind(['\r', '\n']) {
        return at + 1;
    }
    // All but the last one, which goes with what follows.
    match space.char_indices().next_back() {
        Some((last, _)) if last > 0 && end < text.len() => last,
        _ => end.max(first.len_utf8()),
    }
}

/// `U*L+` from `at`; its end.
fn lower_word(text: &str, at: usize) -> Option<usize> {
    let mut last_both = None;
    let mut end = at;
    for c in text[at..].chars() {
        let class = Class::of(c);
        if !class.is_upper() {
            break;
        }
        end += c.len_utf8();
        if class.is_lower() {
            last_both = Some(end);
        }
    }
    let lower = run(text, end, Class::is_lower);
    // Without a lower letter behind it, the run gives back all behind the last character of either case.
    if lower > end { Some(lower) } else { last_both }
}

/// `U+L*` from `at`; its end.
fn upper_word(text: &str, at: usize) -> Option<usize> {
    let end = run(text, at, Class::is_upper);
    (end > at).then(|| run(text, end, Class::is_lower))
}

/// The end of the run of such characters from `at`.
fn run(text: &str, at: usize, is_in: impl Fn(Class) -> bool) -> usize {
    text[at..]
        .char_indices()
        .find(|&(_, c)| !is_in(Class::of(c)))
        .map_or(text.len(), |(i, _)| at + i)
}

/// The length of `(?i:'s|'t|'re|'ve|'m|'ll|'d)` at the start; 0 where there is none.
fn contraction_len(text: &str) -> usize {
    let mut chars = text.chars();
    if chars.next() != Some('\'') {
        return 0;
    }
    match (
        chars.next().map(|c| c.to_ascii_lowercase()),
        chars.next().map(|c| c.to_ascii_lowercase()),
    ) {
        (Some('s' | 't' | 'm' | 'd'), _) => 2,
        // The long s: `s` whatever its case.
        (Some('\u{17f}'), _) => 3,
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}
