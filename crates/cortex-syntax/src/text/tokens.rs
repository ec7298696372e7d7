//! The tokens of a text as a list, for comparing two texts: white space and comments are not in it.
//!
//! Owns: which directives mean something. Must not know: the grammar, which branches of `#if` are active.

use cortex_model::ByteRange;

use super::lexer::{Lexer, TokenKind, line_length};

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeToken {
    /// Its place.
    pub range: ByteRange,
    /// What it is.
    pub kind: CodeTokenKind,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeTokenKind {
    /// An identifier or keyword, `@` included.
    Word,
    /// A literal, or a part of an interpolated string.
    Literal,
    /// An operator, a bracket or another punctuator.
    Punctuator,
    /// A whole directive that decides what is compiled or how: not `#region`, `#pragma`, `#line`, `#error` and
    /// `#warning`.
    Directive,
}

/// The tokens of a text, in order, those that `#if` leaves out among them. O(bytes).
pub fn tokens(text: &[u8]) -> Vec<CodeToken> {
    let mut out = Vec::new();
    let mut lexer = Lexer::new(text);
    if text.starts_with(b"\xEF\xBB\xBF") {
        lexer.seek(3);
    }
    let mut line_end = 0;
    while let Some(token) = lexer.next() {
        let range = token.range();
        let is_first = |at: u32| {
            let line = &text[line_end.min(at as usize)..at as usize];
            line.iter().any(|&byte| byte == b'\n' || byte == b'\r') || line_end == 0
        };
        if token.kind == TokenKind::Hash && lexer.is_outside_strings() && is_first(range.start) {
            let line = &text[range.start as usize..];
            let line = &line[..line_length(line)];
            let end = range.start as usize + line.len();
            let comment = memchr::memmem::find(line, b"//").unwrap_or(line.len());
            let line = &line[..comment];
            if is_meaningful(line) {
                out.push(CodeToken {
                    range: ByteRange {
                        start: range.start,
                        end: range.start + line.trim_ascii_end().len() as u32,
                    },
                    kind: CodeTokenKind::Directive,
                });
            }
            lexer.seek(end);
            line_end = end;
            continue;
        }
        let kind = match token.kind {
            TokenKind::Word => CodeTokenKind::Word,
            TokenKind::Number
            | TokenKind::Text
            | TokenKind::InterpolationStart
            | TokenKind::InterpolationText
            | TokenKind::VerbatimInterpolationText
            | TokenKind::HoleFormat
            | TokenKind::InterpolationEnd => CodeTokenKind::Literal,
            TokenKind::HoleOpen
            | TokenKind::HoleClose
            | TokenKind::Open
            | TokenKind::Close
            | TokenKind::Hash
            | TokenKind::Operator => CodeTokenKind::Punctuator,
        };
        line_end = range.end as usize;
        out.push(CodeToken { range, kind });
    }
    out
}

/// Whether a directive, from its `#` on, may change what the code means.
fn is_meaningful(line: &[u8]) -> bool {
    let words = line[1..].trim_ascii_start();
    let len = words
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric())
        .unwrap_or(words.len());
    !matches!(
        &words[..len],
        b"region" | b"endregion" | b"pragma" | b"line" | b"error" | b"warning"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(&str, CodeTokenKind)> {
        let all = tokens(text.as_bytes());
        all.iter()
            .map(|token| (&text[token.range.as_usize()], token.kind))
            .collect()
    }

    #[test]
    fn white_space_comments_and_regions_are_no_tokens() {
        use CodeTokenKind::{Literal, Punctuator, Word};
        let text = "#region don't\nclass /* a */ A // b\n{ }\n  #endregion\n#pragma warning disable X\nvar a = $\"x{y:N}\";";
        assert_eq!(
            texts(text),
            [
                ("class", Word),
                ("A", Word),
                ("{", Punctuator),
                ("}", Punctuator),
                ("var", Word),
                ("a", Word),
                ("=", Punctuator),
                ("$\"", Literal),
                ("x", Literal),
                ("{", Punctuator),
                ("y", Word),
                (":N", Literal),
                ("}", Punctuator),
                ("\"", Literal),
                (";", Punctuator),
            ]
        );
    }

    #[test]
    fn a_directive_that_decides_what_is_compiled_is_one_token() {
        let text = "a;\n  #if DEBUG && !X  // why\nb;\n#endif";
        let directives: Vec<&str> = (texts(text).into_iter())
            .filter(|(_, kind)| *kind == CodeTokenKind::Directive)
            .map(|(text, _)| text)
            .collect();
        assert_eq!(directives, ["#if DEBUG && !X", "#endif"]);
        assert_eq!(texts("a # b").len(), 3);
    }
}
