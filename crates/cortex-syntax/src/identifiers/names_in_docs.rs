//! The parameters and type parameters that documentation comments name: `<param name="…">`,
//! `<paramref name="…"/>`, `<typeparam name="…">` and `<typeparamref name="…"/>` (C# specification, annex D).
//!
//! Must not know: `cref`.

use cortex_model::ByteRange;

use super::{DeclaredName, Identifiers, Link, LinkKind};
use crate::{declarations::Declarations, facts::DeclId, names::identifier_text};

/// What a tag names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Parameter,
    TypeParameter,
}

const TAGS: &[(&[u8], Tag)] = &[
    (b"<param ", Tag::Parameter),
    (b"<paramref ", Tag::Parameter),
    (b"<typeparam ", Tag::TypeParameter),
    (b"<typeparamref ", Tag::TypeParameter),
];

/// Links the names in the documentation of every declaration.
pub(super) fn collect(text: &[u8], declared: &Declarations, found: &mut Identifiers) {
    for (id, decl) in declared.decls.iter().enumerate() {
        let mut from = decl.doc_range.start as usize;
        let end = decl.doc_range.end as usize;
        while let Some(at) = memchr::memchr(b'<', &text[from..end]) {
            let start = from + at;
            from = start + 1;
            let tag = TAGS
                .iter()
                .find(|(tag, _)| text[start..end].starts_with(tag));
            let Some(&(_, tag)) = tag else { continue };
            let Some(range) = name_attribute(text, start, end) else {
                continue;
            };
            let link = declaration(text, declared, found, id as DeclId, tag, range);
            found.links.extend(link.map(|declared| Link {
                range,
                declared,
                kind: LinkKind::Documentation,
            }));
        }
    }
}

/// The value of `name="…"` in the tag that begins at `start`.
fn name_attribute(text: &[u8], start: usize, end: usize) -> Option<ByteRange> {
    let close = start + memchr::memchr(b'>', &text[start..end])?;
    let tag = &text[start..close];
    let mut value = memchr::memmem::find(tag, b" name")? + b" name".len();
    while tag
        .get(value)
        .is_some_and(|&byte| byte == b' ' || byte == b'=')
    {
        value += 1;
    }
    let quote = *tag.get(value).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let first = value + 1;
    let len = memchr::memchr(quote, &tag[first..])?;
    Some(ByteRange {
        start: (start + first) as u32,
        end: (start + first + len) as u32,
    })
}

/// Where the parameter or type parameter is declared: by the documented declaration or, of type parameters,
/// by one around it.
fn declaration(
    text: &[u8],
    declared: &Declarations,
    found: &Identifiers,
    decl: DeclId,
    tag: Tag,
    name: ByteRange,
) -> Option<u32> {
    let names: &[DeclaredName] = match tag {
        Tag::Parameter => &found.parameters,
        Tag::TypeParameter => &found.type_parameters,
    };
    let read = |range: ByteRange| std::str::from_utf8(&text[range.as_usize()]).unwrap_or_default();
    let wanted = identifier_text(read(name));
    let mut next = Some(decl);
    while let Some(at) = next {
        let first = names.partition_point(|declared| declared.decl < at);
        let mut of_decl = names[first..]
            .iter()
            .take_while(|declared| declared.decl == at);
        if let Some(found) = of_decl.find(|name| identifier_text(read(name.range)) == wanted) {
            return Some(found.range.start);
        }
        next = declared.decls[at as usize].parent;
    }
    None
}
