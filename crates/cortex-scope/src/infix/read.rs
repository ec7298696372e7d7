//! Compiles infix notation to programs.

use std::fmt;

use crate::{
    data::{ModuleFlavor, ScopeRequest, ScopeToken, TokenOp},
    target::{Target, written_url},
};

/// How deep `!` and parentheses may nest, so that hostile text cannot exhaust the stack.
const MAX_DEPTH: usize = 200;

/// Why a text is not an expression, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InfixError {
    /// The message.
    pub message: String,
    /// 1-based, in characters; at the end of the text, its length + 1.
    pub position: usize,
    /// A suggestion: the name with the quotes that it needs.
    pub quoted: Option<String>,
}

impl fmt::Display for InfixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at position {}", self.message, self.position)
    }
}

impl std::error::Error for InfixError {}

/// Compiles an expression to a strict program; equal scopes become one atom.
pub fn compile(text: &str) -> Result<ScopeRequest, InfixError> {
    compile_in(text, "")
}

/// Compiles an expression written in a folder of the repository: paths that start with `./` or `../` are relative to
/// that folder.
pub fn compile_in(text: &str, folder: &str) -> Result<ScopeRequest, InfixError> {
    let mut reader = Reader {
        text,
        folder,
        at: 0,
        word: 0,
        depth: 0,
        targets: Vec::new(),
        tokens: Vec::new(),
    };
    reader.union()?;
    if let Some(c) = reader.peek() {
        let error = reader.error(format!("Unexpected '{c}'"));
        return Err(reader.with_quotes(error, &['&', '|', '(', ')', ',']));
    }
    let atoms = reader
        .targets
        .iter()
        .enumerate()
        .map(|(index, target)| target.to_atom(&atom_id(index)))
        .collect();
    Ok(ScopeRequest::new(atoms, reader.tokens))
}

fn atom_id(index: usize) -> String {
    format!("a{}", index + 1)
}

struct Reader<'t> {
    text: &'t str,
    folder: &'t str,
    /// In bytes.
    at: usize,
    /// Where the last name started, in bytes.
    word: usize,
    depth: usize,
    targets: Vec<Target>,
    tokens: Vec<ScopeToken>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space and returns the next character without consuming it.
    fn peek(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn take_if(&mut self, expected: char) -> bool {
        let is_next = self.peek() == Some(expected);
        self.at += if is_next { expected.len_utf8() } else { 0 };
        is_next
    }

    /// `&` or `&&`, `|` or `||`.
    fn take_operator(&mut self, operator: char) -> bool {
        let is_next = self.take_if(operator);
        if is_next && self.rest().starts_with(operator) {
            self.at += operator.len_utf8();
        }
        is_next
    }

    fn error(&self, message: impl Into<String>) -> InfixError {
        InfixError {
            message: message.into(),
            position: self.text[..self.at].chars().count() + 1,
            quoted: None,
        }
    }

    /// Suggests quotes for the last name, taking everything up to one of `ends` as part of the name.
    fn with_quotes(&self, error: InfixError, ends: &[char]) -> InfixError {
        let rest = &self.text[self.word..];
        let end = rest.find(ends).unwrap_or(rest.len());
        let name = rest[..end].trim();
        let is_quoted = rest.starts_with(['\'', '"']);
        let quoted = (!is_quoted && name.chars().any(|c| !is_word(c)))
            .then(|| format!("'{}'", name.replace('\'', "''")));
        InfixError { quoted, ..error }
    }

    fn union(&mut self) -> Result<(), InfixError> {
        self.intersection()?;
        while self.take_operator('|') {
            self.intersection()?;
            self.tokens.push(ScopeToken::operator(TokenOp::Or));
        }
        Ok(())
    }

    fn intersection(&mut self) -> Result<(), InfixError> {
        self.term()?;
        while self.take_operator('&') {
            self.term()?;
            self.tokens.push(ScopeToken::operator(TokenOp::And));
        }
        Ok(())
    }

    fn term(&mut self) -> Result<(), InfixError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(format!("Nested more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        if self.take_if('!') {
            self.term()?;
            self.tokens.push(ScopeToken::operator(TokenOp::Not));
        } else if self.take_if('(') {
            self.union()?;
            if let Err(error) = self.close() {
                return Err(self.with_quotes(error, &['&', '|', '(', ')', ',']));
            }
        } else {
            let target = self.scope()?;
            let index = match self.targets.iter().position(|known| *known == target) {
                Some(index) => index,
                None => {
                    self.targets.push(target);
                    self.targets.len() - 1
                }
            };
            self.tokens.push(ScopeToken::push(atom_id(index)));
        }
        self.depth -= 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), InfixError> {
        match self.take_if(')') {
            true => Ok(()),
            false => Err(self.error("')' expected")),
        }
    }

    fn scope(&mut self) -> Result<Target, InfixError> {
        let is_quoted = matches!(self.peek(), Some('\'' | '"'));
        let start = self.at;
        let name = self.name()?;
        if is_quoted || !self.rest().starts_with('(') {
            return Ok(Target::from_text(&name));
        }
        self.at += 1;
        match name.as_str() {
            "pattern" => self.pattern(),
            "module" => {
                let (name, second) = self.one_or_two("module")?;
                let flavor = match second {
                    None => ModuleFlavor::Module,
                    Some((flavor, at)) => ModuleFlavor::from_text(&flavor).ok_or_else(|| {
                        self.at = at;
                        let known: Vec<&str> =
                            ModuleFlavor::ALL.iter().map(|it| it.as_str()).collect();
                        self.error(format!(
                            "Unknown flavor '{flavor}', expected one of {}",
                            known.join(", ")
                        ))
                    })?,
                };
                Ok(Target::Module { name, flavor })
            }
            "named" => Ok(match self.one_or_two("named")? {
                (name, None) => Target::Named { name, holder: None },
                (holder, Some((name, _))) => Target::Named {
                    name,
                    holder: Some(holder),
                },
            }),
            "dir" => {
                let start = self.at;
                let arguments = self.arguments()?;
                match arguments.as_slice() {
                    [(path, at)] => {
                        let url = self.url(path, *at)?;
                        Ok(Target::from_text(&format!("directory:{url}")))
                    }
                    _ => {
                        self.at = start;
                        Err(self.error("dir(…) takes one path"))
                    }
                }
            }
            "files" => {
                let arguments = self.arguments()?;
                let urls = arguments.iter().map(|(path, at)| self.url(path, *at));
                let urls = urls.collect::<Result<Vec<String>, _>>()?;
                Ok(Target::files(urls.iter().map(String::as_str)))
            }
            _ => {
                self.at = start;
                Err(self.error(format!(
                    "Unknown function '{name}', expected pattern, module, named, dir or files"
                )))
            }
        }
    }

    /// Converts the path at byte `at` to a URL.
    fn url(&mut self, path: &str, at: usize) -> Result<String, InfixError> {
        let path = if path.is_empty() { "." } else { path };
        written_url(path, self.folder).ok_or_else(|| {
            self.at = at;
            self.error(format!("'{path}' leads out of the repository"))
        })
    }

    /// A word or a quoted text.
    fn name(&mut self) -> Result<String, InfixError> {
        let first = self.peek();
        self.word = self.at;
        match first {
            Some(quote @ ('\'' | '"')) => self.quoted(quote),
            Some(c) if is_word(c) => {
                let end = self.rest().find(|c| !is_word(c));
                let word = &self.rest()[..end.unwrap_or(self.rest().len())];
                self.at += word.len();
                Ok(word.to_owned())
            }
            _ => Err(self.error("Scope expected")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, InfixError> {
        let start = self.at;
        self.at += quote.len_utf8();
        let mut out = String::new();
        loop {
            let Some(length) = self.rest().find(quote) else {
                self.at = start;
                return Err(self.error("Quote is not closed"));
            };
            out.push_str(&self.rest()[..length]);
            self.at += length + quote.len_utf8();
            if !self.rest().starts_with(quote) {
                return Ok(out);
            }
            out.push(quote);
            self.at += quote.len_utf8();
        }
    }

    /// Reads names up to the closing parenthesis, each with its start in bytes.
    fn arguments(&mut self) -> Result<Vec<(String, usize)>, InfixError> {
        let mut out = Vec::new();
        loop {
            self.peek();
            let start = self.at;
            out.push((self.name()?, start));
            if !self.take_if(',') {
                break;
            }
        }
        match self.close() {
            Ok(()) => Ok(out),
            Err(error) => Err(self.with_quotes(error, &[')', ','])),
        }
    }

    fn one_or_two(
        &mut self,
        function: &str,
    ) -> Result<(String, Option<(String, usize)>), InfixError> {
        let start = self.at;
        let mut arguments = self.arguments()?.into_iter();
        match (arguments.next(), arguments.next(), arguments.next()) {
            (Some((first, _)), second, None) => Ok((first, second)),
            _ => {
                self.at = start;
                Err(self.error(format!("{function}(…) takes one or two names")))
            }
        }
    }

    /// Reads the text of a pattern verbatim, because white space is significant in it.
    fn pattern(&mut self) -> Result<Target, InfixError> {
        if let Some(quote @ ('\'' | '"')) = self.rest().chars().next() {
            let text = self.quoted(quote)?;
            self.close()?;
            return Ok(Target::Pattern(text));
        }
        let mut depth = 0_usize;
        for (index, c) in self.rest().char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    let text = self.rest()[..index].to_owned();
                    self.at += index + 1;
                    return Ok(Target::Pattern(text));
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        self.at = self.text.len();
        Err(self.error("')' expected"))
    }
}

/// Whether a character can stand in a name without quotes.
pub(super) fn is_word(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '&' | '|' | '!' | '(' | ')' | '\'' | '"' | ',')
}
