//! The tokens of a text of SQL, of whichever dialect.
//!
//! Must not know: statements.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A keyword, a name, a parameter (`@Id`) or a number.
    Word,
    /// A name in brackets, quotes or backticks.
    Quoted,
    /// A string.
    Text,
    /// One character of anything else.
    Sign,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    /// As it is written; of a quoted name, what it says.
    pub(super) text: &'t str,
    /// The 1-based line.
    pub(super) line: u32,
}

impl Token<'_> {
    /// Whether it is a keyword, in any case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(keyword)
    }

    /// Whether it is one of some keywords.
    pub(super) fn is_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|it| self.is(it))
    }

    /// Whether it is a sign.
    pub(super) fn is_sign(&self, sign: char) -> bool {
        self.kind == TokenKind::Sign && self.text.starts_with(sign)
    }

    /// Whether it may name something.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Quoted)
    }
}

/// The tokens of a text, without its comments. O(bytes).
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut out, mut line) = (Vec::new(), 1);
    let mut at = text.len() - text.trim_start_matches('\u{feff}').len();
    while at < bytes.len() {
        let start = at;
        let next = bytes.get(at + 1).copied();
        let kind = match bytes[at] {
            b'-' if next == Some(b'-') => {
                at = find(text, at, "\n");
                None
            }
            b'/' if next == Some(b'*') => {
                at = end_of_comment(bytes, at);
                None
            }
            b'\'' => {
                at = end_of_quoted(bytes, at, b'\'');
                Some(TokenKind::Text)
            }
            b'$' if next == Some(b'$') => {
                at = (find(text, at + 2, "$$") + 2).min(bytes.len());
                Some(TokenKind::Text)
            }
            open @ (b'[' | b'"' | b'`') => {
                at = end_of_quoted(bytes, at, if open == b'[' { b']' } else { open });
                Some(TokenKind::Quoted)
            }
            byte if is_in_word(byte) => {
                at += bytes[at..].iter().take_while(|it| is_in_word(**it)).count();
                Some(TokenKind::Word)
            }
            byte => {
                at += 1;
                (!byte.is_ascii_whitespace()).then_some(TokenKind::Sign)
            }
        };
        if let Some(kind) = kind {
            let written = &text[start..at];
            let text = match kind {
                TokenKind::Quoted => written.get(1..written.len() - 1).unwrap_or_default(),
                _ => written,
            };
            out.push(Token { kind, text, line });
        }
        line += memchr::memchr_iter(b'\n', &bytes[start..at]).count() as u32;
    }
    out
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@' | b'#' | b'$') || byte >= 0x80
}

fn find(text: &str, from: usize, what: &str) -> usize {
    let rest = &text.as_bytes()[from..];
    memchr::memmem::find(rest, what.as_bytes()).map_or(text.len(), |at| from + at)
}

/// Past a comment; those of SQL nest.
fn end_of_comment(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Past a quote that ends what begins at a place; two of them stand for one.
fn end_of_quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        let is_end = bytes[at] == quote;
        at += 1;
        if is_end {
            match bytes.get(at) == Some(&quote) {
                true => at += 1,
                false => return at,
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn names_strings_and_signs_are_told_apart_and_comments_left_out() {
        let sql = "\u{feff}-- first\nCREATE /* a /* b */ c */ PROC [dbo].[A]]b]\n  @P NVARCHAR(50) = N'it''s' -- x";
        let found = tokens(sql);
        let texts: Vec<&str> = found.iter().map(|it| it.text).collect();
        assert_eq!(
            texts,
            [
                "CREATE", "PROC", "dbo", ".", "A]]b", "@P", "NVARCHAR", "(", "50", ")", "=", "N",
                "'it''s'"
            ]
        );
        let lines: Vec<u32> = found.iter().map(|it| it.line).collect();
        assert_eq!(lines, [2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
    }

    #[test]
    fn what_never_ends_ends_with_the_text() {
        for sql in ["'a", "[a", "[", "/* a", "-- a", "$$ a", "\"é", "'", "a'é"] {
            let n = tokens(sql).len();
            assert!(n <= 2, "{sql}: {n}");
        }
    }
}
