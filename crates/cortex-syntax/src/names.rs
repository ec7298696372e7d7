//! Interning of names and of token texts for one file.

use std::borrow::Cow;

use cortex_model::{ByteRange, Hash};
use rustc_hash::FxHashMap;

use crate::{
    arena::{Arena, NodeId},
    facts::NameId,
    kind::Kind,
};

/// Gives each distinct text of a file one number, in order of first use.
#[derive(Default)]
pub(crate) struct Names {
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, NameId>,
}

impl Names {
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.texts.len() as NameId;
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    /// Interns an identifier token: without `@` and formatting characters, with its Unicode escapes read (C#
    /// specification, §6.4.3).
    pub(crate) fn identifier(&mut self, token: &str) -> NameId {
        self.intern(&identifier_text(token))
    }

    /// Interns identifier tokens with dots between them, each as [`Names::identifier`] does.
    pub(crate) fn qualified(&mut self, tokens: &str) -> NameId {
        let name = tokens.replace('@', "");
        let name = match is_plain(&name) {
            true => name,
            false => unescape(&name),
        };
        self.intern(&name)
    }

    pub(crate) fn into_texts(self) -> Vec<Box<str>> {
        self.texts
    }
}

/// The identifier that a token writes: without `@` and formatting characters, with its Unicode escapes read (C#
/// specification, §6.4.3).
pub(crate) fn identifier_text(token: &str) -> Cow<'_, str> {
    let name = token.strip_prefix('@').unwrap_or(token);
    match is_plain(name) {
        true => Cow::Borrowed(name),
        false => Cow::Owned(unescape(name)),
    }
}

/// Whether an identifier is what is written.
fn is_plain(name: &str) -> bool {
    !name.contains('\\') && (name.is_ascii() || !name.contains(is_formatting))
}

/// Whether a character is of the Unicode class Cf: it is no part of the identifier that it stands in.
fn is_formatting(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0001}'
            | '\u{e0020}'..='\u{e007f}'
    )
}

fn unescape(name: &str) -> String {
    let mut out = without_escapes(name);
    out.retain(|c| !is_formatting(c));
    out
}

fn without_escapes(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        let digits = match escape.as_bytes().get(1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let read = escape.get(2..2 + digits).and_then(|hex| {
            (digits > 0).then(|| u32::from_str_radix(hex, 16).ok().and_then(char::from_u32))?
        });
        match read {
            Some(c) => {
                out.push(c);
                rest = &escape[2 + digits..];
            }
            None => {
                out.push('\\');
                rest = &escape[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Calls `each` with the text of every token in the nodes `from..to` (preorder), comments left out.
pub(crate) fn each_token<'a>(
    arena: &Arena<'a>,
    from: NodeId,
    to: NodeId,
    mut each: impl FnMut(&'a [u8]),
) {
    for id in from..to {
        let node = arena.node(id);
        if node.after == id + 1 && node.kind != Kind::Comment && node.start < node.end {
            each(arena.bytes(id));
        }
    }
}

/// The tokens of a subtree as one text: without comments, one space only where two words would meet.
pub(crate) fn token_text(arena: &Arena<'_>, from: NodeId, to: NodeId) -> String {
    let mut out: Vec<u8> = Vec::new();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    each_token(arena, from, to, |token| {
        if out.last().is_some_and(|&b| is_word(b)) && token.first().is_some_and(|&b| is_word(b)) {
            out.push(b' ');
        }
        push_lf(&mut out, token);
    });
    String::from_utf8(out).unwrap_or_default()
}

/// Collects what goes into one implementation hash.
#[derive(Default)]
pub(crate) struct TokenHash(Vec<u8>);

impl TokenHash {
    /// Adds a subtree's tokens under a label that tells apart bodies, accessors and values.
    pub(crate) fn add(&mut self, label: u8, arena: &Arena<'_>, from: NodeId, to: NodeId) {
        self.0.push(0);
        self.0.push(label);
        each_token(arena, from, to, |token| {
            self.0.push(1);
            push_lf(&mut self.0, token);
        });
    }

    /// Adds the hash of what came before, so that a hash can be continued.
    pub(crate) fn add_number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// The hash; 0 when nothing was added.
    pub(crate) fn finish(self) -> u64 {
        if self.0.is_empty() {
            0
        } else {
            Hash::of(&self.0).to_u64()
        }
    }
}

/// Hashes a stretch of text with CRLF and CR read as LF.
pub(crate) fn text_hash(text: &[u8], range: ByteRange) -> u64 {
    let mut out = Vec::new();
    push_lf(&mut out, &text[range.as_usize()]);
    Hash::of(&out).to_u64()
}

/// Appends text with CRLF and CR read as LF.
pub(crate) fn push_lf(out: &mut Vec<u8>, text: &[u8]) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\r', rest) {
        out.extend_from_slice(&rest[..at]);
        out.push(b'\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::{Names, push_lf};

    #[test]
    fn identifiers_lose_their_at_sign_escapes_and_formatting_characters() {
        let mut names = Names::default();
        let plain = names.identifier("class");
        assert_eq!(names.identifier("@class"), plain);
        assert_eq!(names.identifier("cl\\u0061ss"), plain);
        assert_ne!(names.identifier("cl\\u00"), plain);
        assert_eq!(names.identifier("cl\u{200d}ass\u{ad}"), plain);
        assert_eq!(names.identifier("cl\\u200dass"), plain);
        let dotted = names.intern("a.Core");
        assert_eq!(names.qualified("@a.\\u0043ore"), dotted);
    }

    #[test]
    fn every_line_break_reads_as_lf() {
        let mut out = Vec::new();
        push_lf(&mut out, b"a\r\nb\rc\nd\r");
        assert_eq!(out, b"a\nb\nc\nd\n");
    }
}
