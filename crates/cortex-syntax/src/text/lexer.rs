//! A small C# lexer: which bytes are code, comment, string, and where each token lies.
//!
//! It serves the two passes before the parse, which must not mistake the inside of a string or a
//! comment for code. Linear in time; the only growing state is one small frame per open
//! interpolated string. It takes anything: ill-formed text yields some tokens.
//! Must not know: directives (a `#` is one token), the grammar.

use cortex_model::ByteRange;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// An identifier or keyword, `@` included.
    Word,
    /// A numeric literal.
    Number,
    /// A whole string or character literal without holes.
    Text,
    /// `$"`, `$@"`, `$$"""`: everything up to the content.
    InterpolationStart,
    /// Content between holes.
    InterpolationText,
    /// Content between holes of a verbatim string, where a quote is doubled.
    VerbatimInterpolationText,
    /// `{` or several of them: the start of a hole.
    HoleOpen,
    /// `:format` before the end of a hole.
    HoleFormat,
    /// The end of a hole.
    HoleClose,
    /// The closing quotes.
    InterpolationEnd,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// `#`.
    Hash,
    /// Any other operator or punctuator, the longest there is; `>` always stands alone, but for
    /// `>=`.
    Operator,
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: TokenKind,
}

impl Token {
    pub(super) fn range(self) -> ByteRange {
        ByteRange {
            start: self.start,
            end: self.end,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Regular,
    Verbatim,
    Raw,
}

/// An interpolated string that has begun and not ended.
#[derive(Clone, Copy, Debug)]
struct Frame {
    style: Style,
    // How many braces open a hole.
    braces: usize,
    // How many quotes end the string.
    quotes: usize,
    in_hole: bool,
    // Brackets open inside the hole.
    depth: usize,
}

/// The tokens of a text, in order.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    pos: usize,
    frames: Vec<Frame>,
}

/// What stands at a position of an interpolated string's content.
enum Content {
    Literal(usize),
    Hole(usize),
    End(usize),
    // A regular string does not cross a line.
    Unterminated,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            pos: 0,
            frames: Vec::new(),
        }
    }

    /// Continues at `pos`, which must be at or after the last token's end.
    pub(super) fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Whether the last token lies outside every interpolated string.
    pub(super) fn is_outside_strings(&self) -> bool {
        self.frames.is_empty()
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.pos..]
    }

    fn token(&mut self, kind: TokenKind, len: usize) -> Token {
        let start = self.pos;
        self.pos = self.text.len().min(start + len);
        Token {
            start: start as u32,
            end: self.pos as u32,
            kind,
        }
    }

    fn content(&mut self, frame: Frame) -> Option<Token> {
        let mut len = 0;
        loop {
            let rest = &self.rest()[len..];
            if rest.is_empty() {
                self.frames.clear();
                return (len > 0).then(|| self.token(frame.text_kind(), len));
            }
            let content = frame.content_at(rest);
            match content {
                Content::Literal(n) => len += n,
                _ if len > 0 => return Some(self.token(frame.text_kind(), len)),
                Content::Hole(n) => {
                    if let Some(top) = self.frames.last_mut() {
                        top.in_hole = true;
                        top.depth = 0;
                    }
                    return Some(self.token(TokenKind::HoleOpen, n));
                }
                Content::End(n) => {
                    self.frames.pop();
                    return Some(self.token(TokenKind::InterpolationEnd, n));
                }
                Content::Unterminated => {
                    self.frames.pop();
                    return None;
                }
            }
        }
    }

    /// The tokens that mean something else inside a hole.
    fn in_hole(&mut self, frame: Frame) -> Option<Token> {
        let rest = self.rest();
        let top = self.frames.last_mut()?;
        match rest[0] {
            b'}' if frame.depth == 0 => {
                top.in_hole = false;
                let n = run_length(rest, b'}').min(frame.braces);
                Some(self.token(TokenKind::HoleClose, n))
            }
            b'(' | b'[' | b'{' => {
                top.depth += 1;
                Some(self.token(TokenKind::Open, 1))
            }
            b')' | b']' | b'}' => {
                top.depth = top.depth.saturating_sub(1);
                Some(self.token(TokenKind::Close, 1))
            }
            b':' if frame.depth == 0 && !rest.starts_with(b"::") => {
                let n = rest
                    .iter()
                    .position(|byte| matches!(byte, b'}' | b'"' | b'\r' | b'\n'))
                    .unwrap_or(rest.len());
                Some(self.token(TokenKind::HoleFormat, n))
            }
            _ => None,
        }
    }

    fn start_of_interpolation(&mut self, rest: &[u8]) -> Option<Token> {
        let at_first = usize::from(rest[0] == b'@');
        let dollars = run_length(&rest[at_first..], b'$');
        if dollars == 0 {
            return None;
        }
        let mut prefix = at_first + dollars;
        let verbatim = at_first == 1 || rest.get(prefix) == Some(&b'@');
        if verbatim && at_first == 0 {
            prefix += 1;
        }
        let quotes = run_length(&rest[prefix..], b'"');
        let (style, braces, quotes) = match quotes {
            0 => return None,
            _ if verbatim => (Style::Verbatim, 1, 1),
            1 | 2 => (Style::Regular, 1, 1),
            _ => (Style::Raw, dollars, quotes),
        };
        self.frames.push(Frame {
            style,
            braces,
            quotes,
            in_hole: false,
            depth: 0,
        });
        Some(self.token(TokenKind::InterpolationStart, prefix + quotes))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let frame = self.frames.last().copied();
            if let Some(frame) = frame.filter(|frame| !frame.in_hole) {
                match self.content(frame) {
                    Some(token) => return Some(token),
                    None => continue,
                }
            }
            self.pos += blank_length(self.rest());
            let rest = self.rest();
            let first = *rest.first()?;
            if let Some(token) = frame.and_then(|frame| self.in_hole(frame)) {
                return Some(token);
            }
            let (kind, len) = match first {
                b'/' if matches!(rest.get(1), Some(b'/' | b'*')) => {
                    self.pos += comment_length(rest);
                    continue;
                }
                b'"' | b'\'' => (TokenKind::Text, literal_length(rest)),
                b'@' if rest.get(1) == Some(&b'"') => {
                    (TokenKind::Text, 1 + verbatim_length(&rest[1..]))
                }
                b'@' | b'$' => match self.start_of_interpolation(rest) {
                    Some(token) => return Some(token),
                    None => (TokenKind::Word, 1 + word_length(&rest[1..])),
                },
                b'0'..=b'9' => (TokenKind::Number, number_length(rest)),
                b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => {
                    (TokenKind::Number, number_length(rest))
                }
                b'(' | b'[' | b'{' => (TokenKind::Open, 1),
                b')' | b']' | b'}' => (TokenKind::Close, 1),
                b'#' => (TokenKind::Hash, 1),
                _ if is_word_byte(first) => (TokenKind::Word, word_length(rest)),
                _ => (TokenKind::Operator, operator_length(rest)),
            };
            return Some(self.token(kind, len));
        }
    }
}

impl Frame {
    fn text_kind(self) -> TokenKind {
        match self.style {
            Style::Verbatim => TokenKind::VerbatimInterpolationText,
            Style::Regular | Style::Raw => TokenKind::InterpolationText,
        }
    }

    fn content_at(self, rest: &[u8]) -> Content {
        match (rest[0], self.style) {
            (b'"', Style::Verbatim) if rest.get(1) == Some(&b'"') => Content::Literal(2),
            (b'"', Style::Raw) => match run_length(rest, b'"') {
                n if n >= self.quotes => Content::End(n),
                n => Content::Literal(n),
            },
            (b'"', _) => Content::End(1),
            (b'{', Style::Raw) => match run_length(rest, b'{') {
                n if n < self.braces => Content::Literal(n),
                n if n == self.braces => Content::Hole(n),
                n => Content::Literal(n - self.braces),
            },
            (b'{', _) if rest.get(1) == Some(&b'{') => Content::Literal(2),
            (b'{', _) => Content::Hole(1),
            (b'\\', Style::Regular) if !matches!(rest.get(1), None | Some(b'\r' | b'\n')) => {
                Content::Literal(2)
            }
            (b'\r' | b'\n', Style::Regular) => Content::Unterminated,
            _ => Content::Literal(1),
        }
    }
}

/// The length of the line break at the start of `text`, 0 if there is none
/// (C# specification, §6.3.2).
pub(super) fn line_break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] | [0xC2, 0x85, ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}

/// How many bytes come before the first line break.
pub(super) fn line_length(text: &[u8]) -> usize {
    text.iter()
        .enumerate()
        .position(|(i, &byte)| {
            matches!(byte, b'\r' | b'\n' | 0xC2 | 0xE2) && line_break_length(&text[i..]) > 0
        })
        .unwrap_or(text.len())
}

/// The length of the comment at the start of `text`, 0 if there is none.
pub(super) fn comment_length(text: &[u8]) -> usize {
    match text {
        [b'/', b'/', ..] => line_length(text),
        [b'/', b'*', rest @ ..] => {
            memchr::memmem::find(rest, b"*/").map_or(text.len(), |at| at + 4)
        }
        _ => 0,
    }
}

/// The length of one white-space character other than ASCII's, 0 if there is none.
pub(super) fn wide_blank_length(text: &[u8]) -> usize {
    match text {
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

pub(super) fn blank_length(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some(&byte) = text.get(len) {
        match byte {
            b' ' | b'\t'..=b'\r' => len += 1,
            0x80.. => match wide_blank_length(&text[len..]) {
                0 => break,
                n => len += n,
            },
            _ => break,
        }
    }
    len
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\\' | 0x80..)
}

fn word_length(text: &[u8]) -> usize {
    text.iter()
        .enumerate()
        .position(|(i, &byte)| {
            !is_word_byte(byte) || (byte >= 0x80 && wide_blank_length(&text[i..]) > 0)
        })
        .unwrap_or(text.len())
}

fn number_length(text: &[u8]) -> usize {
    let is_hex = text.starts_with(b"0x") || text.starts_with(b"0X");
    let mut len = 1;
    while let Some(&byte) = text.get(len) {
        let continues = match byte {
            b'.' => text.get(len + 1).is_some_and(u8::is_ascii_digit),
            b'+' | b'-' => !is_hex && matches!(text[len - 1], b'e' | b'E'),
            _ => byte.is_ascii_alphanumeric() || byte == b'_',
        };
        if !continues {
            break;
        }
        len += 1;
    }
    len
}

/// The length of a literal that starts with `"` or `'`.
fn literal_length(text: &[u8]) -> usize {
    let quote = text[0];
    let len = match run_length(text, quote) {
        2 if quote == b'"' => 2,
        n @ 3.. if quote == b'"' => raw_length(text, n),
        _ => {
            let mut len = 1;
            loop {
                match text.get(len) {
                    Some(b'\\') if !matches!(text.get(len + 1), None | Some(b'\r' | b'\n')) => {
                        len += 2;
                    }
                    Some(b'\r' | b'\n') | None => return len,
                    Some(&byte) => {
                        len += 1;
                        if byte == quote {
                            break;
                        }
                    }
                }
            }
            len
        }
    };
    len + suffix_length(&text[len..])
}

fn raw_length(text: &[u8], quotes: usize) -> usize {
    let mut len = quotes;
    while let Some(at) = memchr::memchr(b'"', &text[len..]) {
        let n = run_length(&text[len + at..], b'"');
        len += at + n;
        if n >= quotes {
            return len;
        }
    }
    text.len()
}

fn verbatim_length(text: &[u8]) -> usize {
    let mut len = 1;
    while let Some(at) = memchr::memchr(b'"', &text[len..]) {
        len += at + 1;
        if text.get(len) != Some(&b'"') {
            return len + suffix_length(&text[len..]);
        }
        len += 1;
    }
    text.len()
}

fn suffix_length(text: &[u8]) -> usize {
    if matches!(text, [b'u' | b'U', b'8', ..]) {
        2
    } else {
        0
    }
}

fn run_length(text: &[u8], byte: u8) -> usize {
    text.iter().take_while(|&&b| b == byte).count()
}

fn operator_length(text: &[u8]) -> usize {
    match text {
        [b'?', b'?', b'=', ..] | [b'<', b'<', b'=', ..] => 3,
        [b'=', b'>' | b'=', ..]
        | [
            b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'!' | b'<' | b'>',
            b'=',
            ..,
        ]
        | [b'+', b'+', ..]
        | [b'-', b'-' | b'>', ..]
        | [b'&', b'&', ..]
        | [b'|', b'|', ..]
        | [b'?', b'?', ..]
        | [b'<', b'<', ..]
        | [b'.', b'.', ..]
        | [b':', b':', ..] => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests;
