//! Parses tokens by the IDE's grammar, with the IDE's errors.

use std::fmt;

use super::{
    Leaf, LeafKind, PatternSet,
    body::{Matcher, to_regex},
    lexer::{Token, TokenKind, tokens},
    module::ModulePattern,
};

/// How deep `!` and parentheses may nest, so that hostile text cannot exhaust the stack.
const MAX_DEPTH: usize = 200;
/// How many characters a body or a module may have: the longest path of Linux.
const MAX_LENGTH: usize = 4096;

/// Why a text is not a pattern, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// The kind of error.
    pub kind: PatternErrorKind,
    /// The start of the token with the error, 1-based and in characters; at the end of the text, its length + 1.
    pub position: usize,
}

/// The kind of a pattern error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PatternErrorKind {
    /// A token follows the end of the pattern.
    Unexpected(String),
    /// A body or a module is empty.
    PatternExpected,
    /// A parenthesis is not closed.
    ParenExpected,
    /// The word before `:` or `[` is not a known id.
    UnknownScope,
    /// The pattern is nested too deep.
    TooDeep,
    /// A body or module is too long.
    TooLong,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PatternErrorKind::Unexpected(token) => write!(f, "Unexpected '{token}'")?,
            PatternErrorKind::PatternExpected => f.write_str("Package pattern expected")?,
            PatternErrorKind::ParenExpected => f.write_str("')' expected")?,
            PatternErrorKind::UnknownScope => f.write_str("Unknown scope type")?,
            PatternErrorKind::TooDeep => write!(f, "Nested more than {MAX_DEPTH} deep")?,
            PatternErrorKind::TooLong => write!(f, "Longer than {MAX_LENGTH} characters")?,
        }
        write!(f, " at position {}", self.position)
    }
}

impl std::error::Error for PatternError {}

/// Parses a whole text.
pub(super) fn parse(text: &str) -> Result<PatternSet, PatternError> {
    let mut parser = Parser {
        tokens: tokens(text),
        next: 0,
        depth: 0,
        end: text.chars().count() + 1,
    };
    let set = parser.union()?;
    match parser.peek() {
        None => Ok(set),
        Some(token) => Err(parser.error(PatternErrorKind::Unexpected(token.text.to_owned()))),
    }
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    depth: usize,
    /// The position after the text.
    end: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).copied()
    }

    fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|token| token.kind)
    }

    fn take_if(&mut self, kind: TokenKind) -> bool {
        let is_next = self.kind() == Some(kind);
        self.next += usize::from(is_next);
        is_next
    }

    fn error(&self, kind: PatternErrorKind) -> PatternError {
        PatternError {
            kind,
            position: self.peek().map_or(self.end, |token| token.position),
        }
    }

    fn union(&mut self) -> Result<PatternSet, PatternError> {
        let mut sets = vec![self.intersection()?];
        while self.take_if(TokenKind::Or) {
            sets.push(self.intersection()?);
        }
        Ok(one_or(sets, PatternSet::Or))
    }

    fn intersection(&mut self) -> Result<PatternSet, PatternError> {
        let mut sets = vec![self.term()?];
        while self.take_if(TokenKind::And) {
            sets.push(self.term()?);
        }
        Ok(one_or(sets, PatternSet::And))
    }

    fn term(&mut self) -> Result<PatternSet, PatternError> {
        match self.peek() {
            Some(token) if token.kind == TokenKind::Not => self.nested(|parser| {
                let negated = parser.term()?;
                Ok(PatternSet::Not(Box::new(negated)))
            }),
            Some(token) if token.kind == TokenKind::LeftParen => self.nested(|parser| {
                let set = parser.union()?;
                if !parser.take_if(TokenKind::RightParen) {
                    return Err(parser.error(PatternErrorKind::ParenExpected));
                }
                Ok(set)
            }),
            Some(token) if token.kind == TokenKind::Identifier => {
                match token.text.strip_prefix('$') {
                    Some(name) => {
                        self.next += 1;
                        Ok(PatternSet::Named(name.to_owned()))
                    }
                    None => self.leaf(),
                }
            }
            _ => self.leaf(),
        }
    }

    /// Skips the next token and parses what follows, one level deeper.
    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<PatternSet, PatternError>,
    ) -> Result<PatternSet, PatternError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(PatternErrorKind::TooDeep));
        }
        self.next += 1;
        self.depth += 1;
        let set = read(self);
        self.depth -= 1;
        set
    }

    fn leaf(&mut self) -> Result<PatternSet, PatternError> {
        let kind = self.leaf_kind()?;
        let module = self.module()?;
        self.take_if(TokenKind::Colon);
        let start = self.next;
        let body = self.body(kind)?;
        let too_long = || PatternError {
            kind: PatternErrorKind::TooLong,
            position: self.tokens[start].position,
        };
        if body.chars().count() > MAX_LENGTH {
            return Err(too_long());
        }
        // The IDE ignores one leading separator in the match, but displays it.
        let compared = match kind {
            LeafKind::ProjectPath => body.strip_prefix('/').unwrap_or(&body),
            _ => &body,
        };
        let matcher = Matcher::new(&to_regex(compared, kind.separator())).ok_or_else(too_long)?;
        Ok(PatternSet::Leaf(Leaf {
            kind,
            module,
            body,
            matcher,
        }))
    }

    /// Parses an id, which is one only directly before `:` or `[`; elsewhere a word starts a body.
    fn leaf_kind(&mut self) -> Result<LeafKind, PatternError> {
        let Some(token) = self
            .peek()
            .filter(|token| token.kind == TokenKind::Identifier)
        else {
            return Ok(LeafKind::Any);
        };
        let after = self.tokens.get(self.next + 1).map(|token| token.kind);
        if !matches!(after, Some(TokenKind::Colon | TokenKind::LeftBracket)) {
            return Ok(LeafKind::Any);
        }
        let kind = match LeafKind::from_id(token.text) {
            Some(LeafKind::ProjectPath) if after != Some(TokenKind::Colon) => None,
            kind => kind,
        };
        let kind = kind.ok_or_else(|| self.error(PatternErrorKind::UnknownScope))?;
        self.next += 1;
        Ok(kind)
    }

    /// Parses any tokens up to `]`, or to the end, in which case the body is missing.
    fn module(&mut self) -> Result<Option<ModulePattern>, PatternError> {
        if !self.take_if(TokenKind::LeftBracket) {
            return Ok(None);
        }
        let start = self.error(PatternErrorKind::TooLong);
        let mut text = String::new();
        while let Some(token) = self.peek() {
            self.next += 1;
            if token.kind == TokenKind::RightBracket {
                break;
            }
            text.push_str(token.text);
        }
        if text.is_empty() {
            return Err(self.error(PatternErrorKind::PatternExpected));
        }
        if text.chars().count() > MAX_LENGTH {
            return Err(start);
        }
        ModulePattern::new(text).map(Some).ok_or(start)
    }

    fn body(&mut self, kind: LeafKind) -> Result<String, PatternError> {
        let mut body = String::new();
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Identifier | TokenKind::Dot | TokenKind::Asterisk => {
                    body.push_str(token.text);
                }
                TokenKind::Space if kind.is_file_like() => body.push(' '),
                TokenKind::Integer
                | TokenKind::Slash
                | TokenKind::Minus
                | TokenKind::Tilde
                | TokenKind::Sharp
                    if kind.is_file_like() =>
                {
                    body.push_str(token.text);
                }
                _ => break,
            }
            self.next += 1;
        }
        if body.is_empty() {
            return Err(self.error(PatternErrorKind::PatternExpected));
        }
        Ok(body)
    }
}

fn one_or(mut sets: Vec<PatternSet>, several: fn(Vec<PatternSet>) -> PatternSet) -> PatternSet {
    match sets.len() {
        1 => sets.remove(0),
        _ => several(sets),
    }
}
