//! Which parts of a text are comments, and which stand in strings.
//!
//! Must not know: the grammar, which parts conditional compilation leaves out.

use cortex_model::ByteRange;

use super::lexer::{Lexer, Token, TokenKind, blank_length, comment_length, line_length};

/// What a place of a text is to the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LexicalKind {
    /// Code, directives and white space.
    Code,
    /// A comment, its marks included.
    Comment,
    /// A string or character literal, its quotes included; the holes of interpolated ones are code.
    String,
}

/// The comments and strings of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lexical {
    // Invariant: ascending, none overlap, none is empty, none is code.
    parts: Vec<(ByteRange, LexicalKind)>,
}

/// Directives whose line may end in a comment; the others have a message.
const COMMENTED: [&[u8]; 9] = [
    b"if",
    b"elif",
    b"else",
    b"endif",
    b"define",
    b"undef",
    b"nullable",
    b"line",
    b"pragma",
];

/// With these bytes comments, strings, their prefixes and directives begin.
const BEGINS: [bool; 256] = {
    let mut out = [false; 256];
    let marks = br#"/"'@$#"#;
    let mut at = 0;
    while at < marks.len() {
        out[marks[at] as usize] = true;
        at += 1;
    }
    out
};

impl Lexical {
    /// Reads a text. Takes anything, O(bytes).
    pub fn of(text: &[u8]) -> Self {
        Self::read(text, &BEGINS)
    }

    /// The same; code without one of these bytes is passed over without being taken apart into tokens.
    fn read(text: &[u8], begins: &[bool; 256]) -> Self {
        let mut out = Self::default();
        let mut lexer = Lexer::new(text);
        let mut end = 0;
        loop {
            if lexer.is_outside_strings() {
                // No string and no comment begins before.
                let code = text[end..]
                    .iter()
                    .take_while(|byte| !begins[usize::from(**byte)]);
                end += code.count();
                lexer.seek(end);
            }
            let Some(token) = lexer.next() else { break };
            let start = token.start as usize;
            out.comments(text, end, start);
            end = token.end as usize;
            if token.kind == TokenKind::Hash
                && lexer.is_outside_strings()
                && is_first_of_line(text, start)
            {
                end = out.directive(text, start);
                lexer.seek(end);
            } else if is_string(token) {
                out.add(start, end, LexicalKind::String);
            }
        }
        out.comments(text, end, text.len());
        out
    }

    /// What stands at an offset. O(log parts).
    pub fn at(&self, offset: u32) -> LexicalKind {
        let after = self.parts.partition_point(|(range, _)| range.end <= offset);
        match self.parts.get(after) {
            Some((range, kind)) if range.start <= offset => *kind,
            _ => LexicalKind::Code,
        }
    }

    /// All comments and strings, ascending.
    pub fn parts(&self) -> &[(ByteRange, LexicalKind)] {
        &self.parts
    }

    fn add(&mut self, start: usize, end: usize, kind: LexicalKind) {
        if start < end {
            let range = ByteRange {
                start: start as u32,
                end: end as u32,
            };
            self.parts.push((range, kind));
        }
    }

    /// What stands between two tokens: white space and comments.
    fn comments(&mut self, text: &[u8], mut at: usize, end: usize) {
        while at < end {
            at += blank_length(&text[at..end]);
            if at >= end {
                return;
            }
            let len = comment_length(&text[at..end]).max(1);
            self.add(at, at + len, LexicalKind::Comment);
            at += len;
        }
    }

    /// The line of a directive; gives its end.
    fn directive(&mut self, text: &[u8], start: usize) -> usize {
        let end = start + line_length(&text[start..]);
        let line = &text[start + 1..end];
        let name = line.trim_ascii_start();
        let len = name.iter().take_while(|b| b.is_ascii_lowercase()).count();
        if COMMENTED.contains(&&name[..len])
            && let Some(at) = comment_start(line)
        {
            self.add(start + 1 + at, end, LexicalKind::Comment);
        }
        end
    }
}

/// Where a comment begins in a directive, whose names of files may have slashes.
fn comment_start(line: &[u8]) -> Option<usize> {
    let mut is_quoted = false;
    (0..line.len()).find(|&at| {
        is_quoted ^= line[at] == b'"';
        !is_quoted && line[at..].starts_with(b"//")
    })
}

fn is_string(token: Token) -> bool {
    use TokenKind as K;
    matches!(
        token.kind,
        K::Text
            | K::InterpolationStart
            | K::InterpolationText
            | K::VerbatimInterpolationText
            | K::HoleFormat
            | K::InterpolationEnd
    )
}

/// Whether only white space stands before an offset in its line.
fn is_first_of_line(text: &[u8], at: usize) -> bool {
    let line = text[..at].iter().rposition(|b| matches!(b, b'\n' | b'\r'));
    let before = &text[line.map_or(0, |end| end + 1)..at];
    before
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(before)
        .trim_ascii()
        .is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Lexical, LexicalKind};

    /// Comments as `«…»`, strings as `‹…›`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut out = String::new();
        let mut at = 0;
        for (range, kind) in Lexical::of(text.as_bytes()).parts() {
            out.push_str(&text[at..range.start as usize]);
            let (open, close) = match kind {
                LexicalKind::Comment => ('«', '»'),
                _ => ('‹', '›'),
            };
            out.push(open);
            out.push_str(&text[range.start as usize..range.end as usize]);
            out.push(close);
            at = range.end as usize;
        }
        out.push_str(&text[at..]);
        assert_eq!(out, expected);
    }

    #[test]
    fn comments_and_strings_are_told_apart() {
        check("a /* b */ c // d\ne", "a «/* b */» c «// d»\ne");
        check("/// <c>d</c>\nx", "«/// <c>d</c>»\nx");
        check(r#"f("a // b", 'c')"#, r#"f(‹"a // b"›, ‹'c'›)"#);
        check(r#"@"a""b" + x"#, r#"‹@"a""b"› + x"#);
        check(r#"$"a{b + "c"}d""#, r#"‹$"›‹a›{b + ‹"c"›}‹d›‹"›"#);
        check(
            "\"\"\"\n// no\n\"\"\" // yes",
            "‹\"\"\"\n// no\n\"\"\"› «// yes»",
        );
    }

    #[test]
    fn what_directives_say_is_code_but_for_their_comments() {
        check("#region don't /* say\nx", "#region don't /* say\nx");
        check("  #endif // DEBUG\nx", "  #endif «// DEBUG»\nx");
        check("a # b // c", "a # b «// c»");
        check(
            "#pragma warning disable CA1 // why\nx",
            "#pragma warning disable CA1 «// why»\nx",
        );
        check("#line 1 \"http://a\" // b", "#line 1 \"http://a\" «// b»");
    }

    proptest! {
        #[test]
        fn code_that_is_passed_over_changes_nothing(text in r#"[a1.é"'/*#@$&{}():\n\\ \u{A0}-]{0,40}"#) {
            let by_tokens = Lexical::read(text.as_bytes(), &[true; 256]);
            prop_assert_eq!(Lexical::of(text.as_bytes()), by_tokens);
        }

        #[test]
        fn parts_ascend_and_lie_in_the_text(text in r#"[a"'/*#@${} \n\\]{0,40}"#) {
            let lexical = Lexical::of(text.as_bytes());
            let mut end = 0;
            for (range, _) in lexical.parts() {
                prop_assert!(range.start >= end && range.start < range.end);
                end = range.end;
            }
            prop_assert!(end as usize <= text.len());
        }
    }
}
