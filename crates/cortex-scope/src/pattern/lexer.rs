//! Splits the text of a pattern into tokens as the IDE's lexer does. Characters without a rule become `Bad`.

use std::sync::LazyLock;

use regex::Regex;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    Identifier,
    Integer,
    Space,
    Or,
    And,
    Not,
    Minus,
    Tilde,
    Sharp,
    LeftBracket,
    RightBracket,
    LeftParen,
    RightParen,
    Dot,
    Colon,
    Asterisk,
    Slash,
    Bad,
}

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    /// 1-based, in characters.
    pub(super) position: usize,
}

/// Splits a text into tokens, whose texts concatenate to it.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let (mut rest, mut position) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next(rest, first);
        let (token, after) = rest.split_at(length);
        out.push(Token {
            kind,
            text: token,
            position,
        });
        position += token.chars().count();
        rest = after;
    }
    out
}

/// The kind and length in bytes of the token at the start of `text`.
fn next(text: &str, first: char) -> (TokenKind, usize) {
    let run = |is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    match first {
        '|' if text.starts_with("||") => (TokenKind::Or, 2),
        '&' if text.starts_with("&&") => (TokenKind::And, 2),
        '!' => (TokenKind::Not, 1),
        '-' => (TokenKind::Minus, 1),
        '~' => (TokenKind::Tilde, 1),
        '#' => (TokenKind::Sharp, 1),
        '[' => (TokenKind::LeftBracket, 1),
        ']' => (TokenKind::RightBracket, 1),
        '(' => (TokenKind::LeftParen, 1),
        ')' => (TokenKind::RightParen, 1),
        '.' => (TokenKind::Dot, 1),
        ':' => (TokenKind::Colon, 1),
        '*' => (TokenKind::Asterisk, 1),
        '/' => (TokenKind::Slash, 1),
        '0'..='9' => (TokenKind::Integer, run(|c| c.is_ascii_digit())),
        c if is_space(c) => (TokenKind::Space, run(is_space)),
        c if is_identifier_start(c) => (TokenKind::Identifier, run(is_identifier_part)),
        c => (TokenKind::Bad, c.len_utf8()),
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\r' | '\t' | '\u{c}')
}

/// As Java's `Character.isJavaIdentifierStart`, which the IDE uses.
fn is_identifier_start(c: char) -> bool {
    static OTHERS: LazyLock<Regex> = LazyLock::new(|| class(r"^[\p{L}\p{Nl}\p{Sc}\p{Pc}]$"));
    match c {
        'a'..='z' | 'A'..='Z' | '_' | '$' => true,
        c => !c.is_ascii() && OTHERS.is_match(c.encode_utf8(&mut [0; 4])),
    }
}

/// As Java's `Character.isJavaIdentifierPart`, which accepts some control characters.
fn is_identifier_part(c: char) -> bool {
    static OTHERS: LazyLock<Regex> =
        LazyLock::new(|| class(r"^[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}\x80-\x9F]$"));
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '$' => true,
        '\0'..='\u{8}' | '\u{e}'..='\u{1b}' | '\u{7f}' => true,
        c => !c.is_ascii() && OTHERS.is_match(c.encode_utf8(&mut [0; 4])),
    }
}

fn class(text: &str) -> Regex {
    Regex::new(text).expect("the class is written in this file")
}
