//! What a member of a base class needs so that the class goes on using it: private ones and accessors become protected.

use cortex_model::{Accessibility, ByteRange};
use cortex_semantics::{Compilation, MemberId};
use cortex_syntax::{AccessorKind, Decl, text::tokens};

use super::{Extracting, Moved, accessibility_of};
use crate::{
    accessible::least_accessible,
    member::insertion,
    text_edit::{StartIs, TextEdit},
};

/// Whether a declaration is private, as written or by default.
pub(super) fn is_private(decl: &Decl) -> bool {
    matches!(decl.accessibility, None | Some(Accessibility::Private))
}

/// What makes a private member visible to the class: `protected`, or `private protected` where its types are less
/// accessible than the class.
pub(super) fn widened(
    c: &Compilation<'_>,
    extracting: &Extracting<'_>,
    (moved, member): (&Moved, MemberId),
) -> TextEdit {
    let decl = extracting.decl(moved);
    let signature = &c.member(member).signature;
    let types = signature
        .params
        .iter()
        .map(|it| it.ty)
        .chain([signature.ty]);
    let least = types.map(|it| least_accessible(c, it)).min();
    let is_seen = least.is_none_or(|it| it >= accessibility_of(extracting.class));
    let word = match is_seen {
        true => "protected",
        false => "private protected",
    };
    let head = ByteRange {
        start: decl.range.start,
        end: decl.name_range.start,
    };
    let text: &str = &extracting.class.text;
    let mut depth = 0_usize;
    let mut first = None;
    for token in tokens_in(text, head) {
        match &text[token.as_usize()] {
            "[" => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            "private" if depth == 0 => return replaced(token, word),
            _ if depth == 0 => {
                first.get_or_insert(token.start);
            }
            _ => {}
        }
    }
    let at = first.unwrap_or(decl.name_range.start);
    insertion(at as usize, format!("{word} "))
}

/// What makes a private accessor visible to the class; `None` where the accessor is as visible as its member.
pub(super) fn widened_accessor(
    extracting: &Extracting<'_>,
    moved: &Moved,
    kind: AccessorKind,
) -> Option<TextEdit> {
    let decl = extracting.decl(moved);
    let accessor = decl.accessors.iter().find(|it| it.kind == kind)?;
    if accessor.accessibility != Some(Accessibility::Private) {
        return None;
    }
    let word = match decl.accessibility {
        Some(Accessibility::Public | Accessibility::ProtectedInternal) => "protected",
        _ => "private protected",
    };
    let text: &str = &extracting.class.text;
    let all = tokens_in(text, decl.body_range);
    let is_accessor = |pair: &&[ByteRange]| {
        &text[pair[0].as_usize()] == "private" && &text[pair[1].as_usize()] == word_of(kind)
    };
    let pair = all.windows(2).find(is_accessor)?;
    Some(replaced(pair[0], word))
}

fn word_of(kind: AccessorKind) -> &'static str {
    match kind {
        AccessorKind::Get => "get",
        AccessorKind::Set => "set",
        AccessorKind::Init => "init",
        AccessorKind::Add => "add",
        AccessorKind::Remove => "remove",
    }
}

fn tokens_in(text: &str, range: ByteRange) -> Vec<ByteRange> {
    let all = tokens(text[range.as_usize()].as_bytes()).into_iter();
    all.map(|it| ByteRange {
        start: range.start + it.range.start,
        end: range.start + it.range.end,
    })
    .collect()
}

fn replaced(range: ByteRange, word: &str) -> TextEdit {
    TextEdit {
        range,
        text: word.to_owned(),
        start: StartIs::New,
    }
}
