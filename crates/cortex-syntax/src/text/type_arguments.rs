//! Where a list of type arguments ends, and whether it is one (C# specification, §6.2.5).
//!
//! Must not know: the tree.

use super::lexer::{Lexer, TokenKind};
use super::repair::{is_keyword, is_predefined_type};

/// How many bytes a list may take, so that looking at every `<` of a text stays linear.
const REACH: usize = 2048;

/// What stands before a `<`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Before {
    /// A name in an expression: what follows the list decides.
    Expression,
    /// The type of a `new`: there are no comparisons.
    Creation,
}

/// The end of the type arguments that start with the `<` at an offset. `None` where it is an
/// operator. What stands between the two is not looked at closely: it may still be no types.
pub(crate) fn end_of_type_arguments(text: &[u8], less: u32, before: Before) -> Option<u32> {
    let window = &text[less as usize..];
    let window = &window[..window.len().min(REACH)];
    let mut tokens = Lexer::new(window);
    let mut depth = 0_u32;
    let mut brackets = 0_u32;
    let end = loop {
        let token = tokens.next()?;
        let bytes = &window[token.range().as_usize()];
        match (token.kind, bytes) {
            (TokenKind::Word, word) if !is_keyword(word) || is_predefined_type(word) => {}
            (TokenKind::Operator, b"<") => depth += 1,
            (TokenKind::Operator, b">") => {
                depth -= 1;
                if depth == 0 {
                    break token.end;
                }
            }
            (TokenKind::Operator, b"," | b"." | b"::" | b"?" | b"*") => {}
            (TokenKind::Open, b"(" | b"[") => brackets += 1,
            (TokenKind::Close, _) => brackets = brackets.checked_sub(1)?,
            _ => return None,
        }
    };
    let follower = tokens.next().map(|token| &window[token.range().as_usize()]);
    let is_list = before == Before::Creation || follower.is_none_or(follows_type_arguments);
    (is_list && brackets == 0).then_some(less + end)
}

/// The tokens before which what can be a list of type arguments is one: those of the specification,
/// and those before which it could else only be wrong.
fn follows_type_arguments(token: &[u8]) -> bool {
    matches!(
        token,
        b"(" | b")"
            | b"["
            | b"]"
            | b"{"
            | b"}"
            | b":"
            | b";"
            | b","
            | b"."
            | b"?"
            | b"?."
            | b"=="
            | b"!="
            | b"|"
            | b"^"
            | b"&&"
            | b"||"
            | b"&"
            | b"<"
            | b"<="
            | b">="
            | b"is"
            | b"as"
    )
}

#[cfg(test)]
mod tests {
    use super::{Before, end_of_type_arguments};

    #[track_caller]
    fn check(text: &str, before: Before, list: Option<&str>) {
        let less = text.find('<').expect("there is one") as u32;
        let end = end_of_type_arguments(text.as_bytes(), less, before);
        assert_eq!(
            end.map(|end| &text[less as usize..end as usize]),
            list,
            "{text}"
        );
    }

    #[test]
    fn the_token_after_decides() {
        check("F(G<A, B>(7))", Before::Expression, Some("<A, B>"));
        check("F(G<A, B>7)", Before::Expression, None);
        check("F(G<A, B>>7)", Before::Expression, None);
        check("a<b>c", Before::Expression, None);
        check("a<b>-c", Before::Expression, None);
        check(
            "a<b<c>, (d, e)[]>.f",
            Before::Expression,
            Some("<b<c>, (d, e)[]>"),
        );
        check("a<b && c>(d)", Before::Expression, None);
        check("a<1>(d)", Before::Expression, None);
        check("f(a<b)>(c)", Before::Expression, None);
        check("a<b", Before::Expression, None);
    }

    #[test]
    fn a_creation_makes_no_comparison() {
        check("new A<B> c", Before::Creation, Some("<B>"));
        check(
            "new A<(int B, C D)> { }",
            Before::Creation,
            Some("<(int B, C D)>"),
        );
    }
}
