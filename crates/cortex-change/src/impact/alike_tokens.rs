//! Tokens as code that is written alike has them: what a variable is called says nothing.
//!
//! Must not know: what is compared.

use std::borrow::Cow;

use cortex_syntax::text::{CodeToken, CodeTokenKind, is_keyword};

/// A token of code.
pub(super) enum AlikeToken<'t> {
    /// A name that begins small or with `_` and is no member of something: a variable, a parameter or a field.
    Variable,
    /// Another name.
    Name(Cow<'t, str>),
    /// A keyword, a literal, a sign or a directive.
    Other(Cow<'t, str>),
}

/// Some tokens of a text, in their order.
pub(super) fn alike_tokens<'t>(
    text: &'t [u8],
    tokens: &'t [CodeToken],
) -> impl Iterator<Item = AlikeToken<'t>> {
    let mut is_behind_dot = false;
    tokens.iter().map(move |token| {
        let range = token.range.start as usize..token.range.end as usize;
        let written = String::from_utf8_lossy(&text[range]);
        let is_member = std::mem::replace(&mut is_behind_dot, written.ends_with('.'));
        if token.kind != CodeTokenKind::Word || is_keyword(written.as_bytes()) {
            return AlikeToken::Other(written);
        }
        let is_small = written.starts_with(|c: char| c.is_lowercase() || c == '_');
        match is_small && !is_member {
            true => AlikeToken::Variable,
            false => AlikeToken::Name(written),
        }
    })
}
