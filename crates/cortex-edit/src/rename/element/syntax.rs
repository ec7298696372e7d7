//! Names of elements as tuple types and literals write them.
//!
//! Must not know: what they mean.

use cortex_model::ByteRange;
use cortex_syntax::BodyKind;

use crate::{body_tree::BodyTree, identifier::bare};

/// A tuple type or literal, around the name of one of its elements.
pub(super) struct TupleText {
    /// The name.
    pub(super) name: ByteRange,
    /// Where the tuple starts.
    pub(super) start: u32,
    /// The position of the element.
    pub(super) position: usize,
    /// The names of the other elements.
    pub(super) others: Vec<String>,
}

impl TupleText {
    /// The tuple type around the name at an offset: `(int Count, string Name)`. Whether that is a list of parameters is for
    /// the caller to know.
    pub(super) fn around(text: &str, offset: u32) -> Option<Self> {
        let is_part = |it: char| it == '_' || it == '@' || it.is_alphanumeric();
        let offset = offset as usize;
        let start = text.get(..offset)?.trim_end_matches(is_part).len();
        let len = text[start..].find(|it| !is_part(it))?;
        let name = ByteRange {
            start: start as u32,
            end: (start + len) as u32,
        };
        let open = opening(&text.as_bytes()[..start])?;
        let close = start + closing(&text.as_bytes()[start..])?;
        let parts = split(text, open + 1, close);
        if parts.len() < 2 {
            return None;
        }
        let mut position = None;
        let mut others = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let text = text[part.as_usize()].trim_end();
            let end = part.start as usize + text.len();
            let before = text.trim_end_matches(is_part);
            let ty = before.trim_end();
            let is_type =
                ty.ends_with(|it: char| is_part(it) || matches!(it, '>' | ']' | '?' | ')' | '*'));
            let is_named = is_type && !text[before.len()..].is_empty();
            if part.contains(name.start) {
                if !is_named || end != name.end as usize {
                    return None;
                }
                position = Some(at);
            } else if is_named {
                others.push(bare(&text[before.len()..]));
            }
        }
        Some(Self {
            name,
            start: open as u32,
            position: position?,
            others,
        })
    }
}

/// The literal that names an element at an offset: `(Count: 1, Name: "a")`.
pub(super) fn named_arguments(tree: &BodyTree<'_>, offset: u32) -> Option<TupleText> {
    let all = 0..tree.facts.bodies.nodes().len() as u32;
    let mut arguments = all.filter(|&it| tree.kind(it) == BodyKind::Argument);
    let argument = arguments.find(|&it| {
        let is_named = tree.node(it).value != 0 && tree.span(it).start <= offset;
        let name = tree.text_of(it).split(':').next().unwrap_or_default();
        is_named && offset < tree.span(it).start + name.trim_end().len() as u32
    })?;
    let tuple = tree.parent(argument)?;
    if tree.kind(tuple) != BodyKind::Tuple {
        return None;
    }
    let name_of = |it: u32| {
        let text = tree.text_of(it);
        let name = match tree.node(it).value {
            0 => text.rsplit(['.', '?']).next(),
            _ => text.split(':').next(),
        };
        name.unwrap_or_default().trim().to_owned()
    };
    let start = tree.span(argument).start;
    let others = tree
        .children(tuple)
        .into_iter()
        .filter(|&it| it != argument);
    Some(TupleText {
        name: ByteRange {
            start,
            end: start + name_of(argument).len() as u32,
        },
        start: tree.span(tuple).start,
        position: tree.index_in_parent(argument),
        others: others.map(|it| bare(&name_of(it))).collect(),
    })
}

/// Where the parenthesis is that is open at the end of a text.
fn opening(text: &[u8]) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in text.iter().enumerate().rev() {
        match byte {
            b')' | b']' | b'>' => depth += 1,
            b'(' if depth == 0 => return Some(at),
            b'(' | b'[' | b'<' => depth = depth.checked_sub(1)?,
            b';' | b'{' | b'}' | b'=' | b'"' | b'\'' | b'/' => return None,
            _ => {}
        }
    }
    None
}

/// How long a text is up to the parenthesis that closes what is open at its start.
pub(super) fn closing(text: &[u8]) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'<' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' | b']' | b'>' => depth = depth.checked_sub(1)?,
            b';' | b'{' | b'}' | b'=' | b'"' | b'\'' | b'/' => return None,
            _ => {}
        }
    }
    None
}

/// What commas separate between two offsets, outside of brackets.
fn split(text: &str, start: usize, end: usize) -> Vec<ByteRange> {
    let mut parts = Vec::new();
    let mut depth = 0_u32;
    let mut first = start;
    for (at, byte) in text.bytes().enumerate().take(end).skip(start) {
        match byte {
            b'(' | b'[' | b'<' => depth += 1,
            b')' | b']' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push((first, at));
                first = at + 1;
            }
            _ => {}
        }
    }
    parts.push((first, end));
    let range = |(start, end)| ByteRange {
        start: start as u32,
        end: end as u32,
    };
    parts.into_iter().map(range).collect()
}
