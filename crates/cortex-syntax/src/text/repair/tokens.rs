//! The tokens of one text with their brackets matched.

use crate::text::lexer::{Lexer, Token, TokenKind};
use cortex_model::ByteRange;

/// How many tokens a rule looks ahead or back, so that the rules together stay linear.
pub(super) const REACH: usize = 256;

/// The index of no token: beyond every text, its neighbors as well.
pub(super) const NOWHERE: usize = usize::MAX / 2;

/// Random access to tokens. Beyond either end there are empty operators.
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    tokens: Vec<Token>,
    // Invariant: `partners[i]` is the matching bracket of token i, or `u32::MAX`.
    partners: Vec<u32>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let tokens: Vec<Token> = Lexer::new(text).collect();
        let mut partners = vec![u32::MAX; tokens.len()];
        let mut open: Vec<usize> = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Open | TokenKind::HoleOpen => open.push(i),
                TokenKind::Close | TokenKind::HoleClose => {
                    let first = |i: usize| text[tokens[i].start as usize];
                    if let Some(&top) = open.last()
                        && closes(first(top), first(i))
                    {
                        open.pop();
                        partners[top] = i as u32;
                        partners[i] = top as u32;
                    }
                }
                _ => {}
            }
        }
        Self {
            text,
            tokens,
            partners,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn kind(&self, i: usize) -> TokenKind {
        self.tokens
            .get(i)
            .map_or(TokenKind::Operator, |token| token.kind)
    }

    pub(super) fn range(&self, i: usize) -> ByteRange {
        let end = self.text.len() as u32;
        let beyond = ByteRange { start: end, end };
        self.tokens.get(i).map_or(beyond, |token| token.range())
    }

    pub(super) fn text(&self, i: usize) -> &'a [u8] {
        &self.text[self.range(i).as_usize()]
    }

    /// The bytes before token `i`, white space and comments; for the token after the last those
    /// at the end.
    pub(super) fn gap_before(&self, i: usize) -> ByteRange {
        ByteRange {
            start: i.checked_sub(1).map_or(0, |before| self.range(before).end),
            end: self.range(i).start,
        }
    }

    pub(super) fn bytes(&self, range: ByteRange) -> &'a [u8] {
        &self.text[range.as_usize()]
    }

    pub(super) fn is(&self, i: usize, text: &[u8]) -> bool {
        self.text(i) == text
    }

    pub(super) fn is_word(&self, i: usize) -> bool {
        self.kind(i) == TokenKind::Word
    }

    /// The bracket that belongs to token `i`, [`NOWHERE`] if there is none.
    pub(super) fn partner(&self, i: usize) -> usize {
        match self.partners.get(i) {
            Some(&u32::MAX) | None => NOWHERE,
            Some(&partner) => partner as usize,
        }
    }

    /// Whether token `i` is an identifier, contextual keywords included.
    pub(super) fn is_name(&self, i: usize) -> bool {
        self.is_word(i) && !is_keyword(self.text(i))
    }

    /// The token after the type arguments that start with the `<` at `i`; `i` itself if there are
    /// none.
    pub(super) fn after_type_arguments(&self, i: usize) -> usize {
        if !self.is(i, b"<") {
            return i;
        }
        let mut depth = 0_usize;
        let mut at = i;
        for _ in 0..REACH {
            match self.text(at) {
                b"<" => depth += 1,
                b">" => {
                    depth -= 1;
                    if depth == 0 {
                        return at + 1;
                    }
                }
                b"(" | b"[" => match self.partner(at) {
                    NOWHERE => return i,
                    partner => at = partner,
                },
                b"," | b"." | b"::" | b"?" | b"*" => {}
                _ if self.is_word(at) => {}
                _ => return i,
            }
            at += 1;
        }
        i
    }

    /// Whether an expression can end with token `i`, so that an operator after it is binary.
    pub(super) fn ends_expression(&self, i: usize) -> bool {
        match self.kind(i) {
            TokenKind::Word => {
                self.is_name(i)
                    || matches!(
                        self.text(i),
                        b"this" | b"base" | b"true" | b"false" | b"null" | b"default"
                    )
            }
            TokenKind::Number | TokenKind::Text | TokenKind::InterpolationEnd => true,
            TokenKind::Close => !self.is(i, b"}"),
            TokenKind::Operator => matches!(self.text(i), b"++" | b"--"),
            _ => false,
        }
    }
}

fn closes(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}

/// The keywords of C# that are reserved everywhere (C# specification, §6.4.4).
pub fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"abstract"
            | b"as"
            | b"base"
            | b"bool"
            | b"break"
            | b"byte"
            | b"case"
            | b"catch"
            | b"char"
            | b"checked"
            | b"class"
            | b"const"
            | b"continue"
            | b"decimal"
            | b"default"
            | b"delegate"
            | b"do"
            | b"double"
            | b"else"
            | b"enum"
            | b"event"
            | b"explicit"
            | b"extern"
            | b"false"
            | b"finally"
            | b"fixed"
            | b"float"
            | b"for"
            | b"foreach"
            | b"goto"
            | b"if"
            | b"implicit"
            | b"in"
            | b"int"
            | b"interface"
            | b"internal"
            | b"is"
            | b"lock"
            | b"long"
            | b"namespace"
            | b"new"
            | b"null"
            | b"object"
            | b"operator"
            | b"out"
            | b"override"
            | b"params"
            | b"private"
            | b"protected"
            | b"public"
            | b"readonly"
            | b"ref"
            | b"return"
            | b"sbyte"
            | b"sealed"
            | b"short"
            | b"sizeof"
            | b"stackalloc"
            | b"static"
            | b"string"
            | b"struct"
            | b"switch"
            | b"this"
            | b"throw"
            | b"true"
            | b"try"
            | b"typeof"
            | b"uint"
            | b"ulong"
            | b"unchecked"
            | b"unsafe"
            | b"ushort"
            | b"using"
            | b"virtual"
            | b"void"
            | b"volatile"
            | b"while"
    )
}

/// The keywords that name a type.
pub(in crate::text) fn is_predefined_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"bool"
            | b"byte"
            | b"char"
            | b"decimal"
            | b"double"
            | b"float"
            | b"int"
            | b"long"
            | b"object"
            | b"sbyte"
            | b"short"
            | b"string"
            | b"uint"
            | b"ulong"
            | b"ushort"
            | b"void"
            | b"nint"
            | b"nuint"
    )
}

/// The keywords whose parentheses hold a part of a statement.
pub(super) fn is_statement_head(word: &[u8]) -> bool {
    matches!(
        word,
        b"if"
            | b"while"
            | b"for"
            | b"foreach"
            | b"using"
            | b"lock"
            | b"fixed"
            | b"switch"
            | b"catch"
            | b"when"
    )
}
