//! Documentation comments: where they stand, what they say, and the names in their `cref`s.

use cortex_model::{ByteRange, Hash};

use crate::{
    arena::{Arena, NodeId},
    kind::Kind,
};

/// The run of `///` lines or the `/** … */` before a declaration, with nothing but other comments
/// between; empty where there is none. Of several runs the last counts, as for the compiler.
pub(crate) fn comment_before(arena: &Arena<'_>, node: NodeId) -> ByteRange {
    let mut range = ByteRange::default();
    // Comments directly before a node end at its preorder index; walk back over leaf comments.
    let parent = arena.node(node).parent;
    let mut before = node;
    while before > parent + 1 {
        let id = before - 1;
        let comment = arena.node(id);
        if comment.kind != Kind::Comment || comment.parent != parent {
            break;
        }
        before = id;
        if is_doc(arena.bytes(id)) {
            range = ByteRange {
                start: comment.start,
                end: if range.end == 0 {
                    comment.end
                } else {
                    range.end
                },
            };
        } else if range.end > 0 {
            break;
        }
    }
    range
}

/// Whether a comment documents (C# specification, §D.2): `////` and `/***` do not.
fn is_doc(comment: &[u8]) -> bool {
    match comment {
        [b'/', b'/', b'/', rest @ ..] => rest.first() != Some(&b'/'),
        [b'/', b'*', b'*', rest @ ..] => !matches!(rest.first(), Some(b'*' | b'/')),
        _ => false,
    }
}

/// Hashes what a documentation comment says: its markers left out, white space folded; 0 for none.
pub(crate) fn hash(text: &[u8], range: ByteRange) -> u64 {
    if range.start == range.end {
        return 0;
    }
    let words = text[range.as_usize()]
        .split(|byte| byte.is_ascii_whitespace())
        .map(|word| word.strip_prefix(b"///").unwrap_or(word))
        .filter(|word| !word.is_empty() && !matches!(*word, b"/**" | b"*/" | b"*"));
    let mut folded = Vec::with_capacity((range.end - range.start) as usize);
    for word in words {
        folded.extend_from_slice(word);
        folded.push(b' ');
    }
    Hash::of(&folded).to_u64()
}

/// Calls `each` with every `cref` value of a documentation comment and its byte offset.
pub(crate) fn each_cref<'a>(text: &'a [u8], range: ByteRange, mut each: impl FnMut(&'a str, u32)) {
    let mut from = range.start as usize;
    let end = range.end as usize;
    while let Some(at) = memchr::memmem::find(&text[from..end], b"cref") {
        let mut value = from + at + 4;
        from = value;
        while text.get(value).is_some_and(|&b| b == b' ' || b == b'=') && value < end {
            value += 1;
        }
        let Some(&quote @ (b'"' | b'\'')) = text.get(value) else {
            continue;
        };
        let start = value + 1;
        let Some(len) = text[start.min(end)..end]
            .iter()
            .position(|&b| b == quote || b == b'\n')
        else {
            continue;
        };
        if let Ok(cref) = std::str::from_utf8(&text[start..start + len]) {
            each(cref, start as u32);
        }
        from = start + len;
    }
}
