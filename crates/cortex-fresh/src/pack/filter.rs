//! The language of filters: terms joined by `AND`, `OR`, `!` and parentheses.
//!
//! ```text
//! expr   = and { ("OR" | "||") and }
//! and    = factor { [ "AND" | "&&" ] factor }
//! factor = "!" factor | "(" expr ")" | term
//! term   = name ":" value        value: a word, or text in double quotes
//! ```
//!
//! Must not know: types, snapshots.

use std::fmt;

/// Expressions nested deeper are refused.
const MAX_DEPTH: usize = 64;

/// What a term is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermKind {
    /// `namespace:`: the namespace or one below it.
    Namespace,
    /// `type:`: the simple or the full name.
    Type,
    /// `access:`: who can use it.
    Access,
    /// `tag:`: a tag of the configuration.
    Tag,
    /// `depends:`: it depends on a type, with `+` at the end also through others.
    Depends,
    /// `project:`: the path of the project, or its assembly.
    Project,
    /// `path:`: a file that declares it.
    Path,
    /// `kind:`: class, interface, …
    Kind,
    /// `changed:`: it differs in a range.
    Changed,
    /// `scope:`: it is declared in a scope.
    Scope,
}

impl TermKind {
    /// All kinds with their names.
    pub const ALL: [(&str, Self); 10] = [
        ("namespace", Self::Namespace),
        ("type", Self::Type),
        ("access", Self::Access),
        ("tag", Self::Tag),
        ("depends", Self::Depends),
        ("project", Self::Project),
        ("path", Self::Path),
        ("kind", Self::Kind),
        ("changed", Self::Changed),
        ("scope", Self::Scope),
    ];
}

/// A term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// What it is about.
    pub kind: TermKind,
    /// What it looks for.
    pub value: String,
    /// Where the value starts, in characters from 1.
    pub position: usize,
}

/// A filter as a program for a stack: each operation takes what it needs from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Puts what a term selects on top.
    Term(Term),
    /// Takes two, leaves what is in both.
    And,
    /// Takes two, leaves what is in one of them.
    Or,
    /// Takes one, leaves everything else.
    Not,
}

/// What is wrong with a filter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterError {
    /// Where, in characters from 1; one past the end for what is missing there.
    pub position: usize,
    /// What, as a lower-case fragment.
    pub message: String,
    /// What to write instead, as a lower-case fragment.
    pub hint: String,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at position {}", self.message, self.position)
    }
}

impl std::error::Error for FilterError {}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    Not,
    And,
    Or,
    Term(Term),
}

/// Reads a filter.
///
/// # Errors
/// The first thing that is wrong, with its position and a hint.
pub fn parse(text: &str) -> Result<Vec<Step>, FilterError> {
    let tokens = tokens(text)?;
    let end = text.chars().count() + 1;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        end,
        out: Vec::new(),
    };
    parser.any(0)?;
    match tokens.get(parser.at) {
        None => Ok(parser.out),
        Some((position, _)) => Err(FilterError {
            position: *position,
            message: "unexpected `)`".to_owned(),
            hint: "remove it, or open a parenthesis before it".to_owned(),
        }),
    }
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, FilterError> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let position = at + 1;
        let pair = (c, chars.get(at + 1).copied());
        match pair {
            (c, _) if c.is_whitespace() => at += 1,
            ('(', _) => {
                out.push((position, Token::Open));
                at += 1;
            }
            (')', _) => {
                out.push((position, Token::Close));
                at += 1;
            }
            ('!', _) => {
                out.push((position, Token::Not));
                at += 1;
            }
            ('&', Some('&')) => {
                out.push((position, Token::And));
                at += 2;
            }
            ('|', Some('|')) => {
                out.push((position, Token::Or));
                at += 2;
            }
            _ => out.push((position, word(&chars, &mut at)?)),
        }
    }
    Ok(out)
}

/// A term, or `AND` or `OR`.
fn word(chars: &[char], at: &mut usize) -> Result<Token, FilterError> {
    let start = *at;
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ':' | '"' | '!' | '&' | '|');
    while chars.get(*at).is_some_and(|c| !ends(*c)) {
        *at += 1;
    }
    let name: String = chars[start..*at].iter().collect();
    let error = |position: usize, message: String, hint: String| FilterError {
        position,
        message,
        hint,
    };
    if chars.get(*at) != Some(&':') {
        match name.to_ascii_lowercase().as_str() {
            "and" => return Ok(Token::And),
            "or" => return Ok(Token::Or),
            "not" => return Ok(Token::Not),
            "" => {
                let shown = chars[start];
                let message = format!("unexpected `{shown}`");
                let hint = "write a term such as namespace:Shop.*, joined by AND, OR or !";
                return Err(error(start + 1, message, hint.to_owned()));
            }
            _ => {
                let message = format!("`{name}` has no `:`");
                return Err(error(start + 1, message, format!("write type:{name}")));
            }
        }
    }
    let known = TermKind::ALL.iter();
    let mut known = known.filter(|(known, _)| known.eq_ignore_ascii_case(&name));
    let Some((_, kind)) = known.next() else {
        let names: Vec<String> = TermKind::ALL
            .iter()
            .map(|(name, _)| format!("{name}:"))
            .collect();
        let message = format!("unknown term `{name}:`");
        return Err(error(
            start + 1,
            message,
            format!("choose one of {}", names.join(", ")),
        ));
    };
    *at += 1;
    let position = *at + 1;
    let value = value(chars, at)?;
    if value.is_empty() {
        let message = format!("`{name}:` has no value");
        let hint = format!(
            "write a value directly behind it, such as {name}:{}",
            example(*kind)
        );
        return Err(error(position, message, hint));
    }
    Ok(Token::Term(Term {
        kind: *kind,
        value,
        position,
    }))
}

fn value(chars: &[char], at: &mut usize) -> Result<String, FilterError> {
    let start = *at;
    if chars.get(start) == Some(&'"') {
        let end = chars[start + 1..].iter().position(|c| *c == '"');
        let Some(len) = end else {
            return Err(FilterError {
                position: start + 1,
                message: "unclosed `\"`".to_owned(),
                hint: "close the quotation".to_owned(),
            });
        };
        *at = start + len + 2;
        return Ok(chars[start + 1..start + 1 + len].iter().collect());
    }
    while let Some(&c) = chars.get(*at) {
        let next = chars.get(*at + 1).copied();
        let is_operator = matches!((c, next), ('&', Some('&')) | ('|', Some('|')));
        if c.is_whitespace() || matches!(c, '(' | ')' | '"') || is_operator {
            break;
        }
        *at += 1;
    }
    Ok(chars[start..*at].iter().collect())
}

fn example(kind: TermKind) -> &'static str {
    match kind {
        TermKind::Namespace => "Shop.*",
        TermKind::Type => "Order*",
        TermKind::Access => "public",
        TermKind::Tag => "core",
        TermKind::Depends => "IOrders+",
        TermKind::Project => "Shop",
        TermKind::Path => "src/*",
        TermKind::Kind => "interface",
        TermKind::Changed => "main...HEAD",
        TermKind::Scope => "\"'Project Files' & !Tests\"",
    }
}

struct Parser<'t> {
    tokens: &'t [(usize, Token)],
    at: usize,
    end: usize,
    out: Vec<Step>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn position(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(at, _)| *at)
    }

    fn any(&mut self, depth: usize) -> Result<(), FilterError> {
        self.all(depth)?;
        while self.peek() == Some(&Token::Or) {
            self.at += 1;
            self.all(depth)?;
            self.out.push(Step::Or);
        }
        Ok(())
    }

    fn all(&mut self, depth: usize) -> Result<(), FilterError> {
        self.factor(depth)?;
        loop {
            match self.peek() {
                Some(Token::And) => self.at += 1,
                Some(Token::Open | Token::Not | Token::Term(_)) => {}
                Some(Token::Or | Token::Close) | None => return Ok(()),
            }
            self.factor(depth)?;
            self.out.push(Step::And);
        }
    }

    fn factor(&mut self, depth: usize) -> Result<(), FilterError> {
        let position = self.position();
        if depth >= MAX_DEPTH {
            return Err(FilterError {
                position,
                message: "parentheses are nested too deeply".to_owned(),
                hint: "write a simpler filter".to_owned(),
            });
        }
        let mut n_not = 0;
        while self.peek() == Some(&Token::Not) {
            self.at += 1;
            n_not += 1;
        }
        match self.peek().cloned() {
            Some(Token::Term(term)) => {
                self.at += 1;
                self.out.push(Step::Term(term));
            }
            Some(Token::Open) => {
                self.at += 1;
                self.any(depth + 1)?;
                if self.peek() != Some(&Token::Close) {
                    return Err(FilterError {
                        position: self.position(),
                        message: "`)` expected".to_owned(),
                        hint: format!("close the parenthesis of position {position}"),
                    });
                }
                self.at += 1;
            }
            _ => {
                return Err(FilterError {
                    position: self.position(),
                    message: "a term is missing".to_owned(),
                    hint: "write a term such as namespace:Shop.* or type:Order*".to_owned(),
                });
            }
        }
        if n_not % 2 == 1 {
            self.out.push(Step::Not);
        }
        Ok(())
    }
}

/// Whether a text fits a pattern as a whole: `*` for any characters, `?` for one; case does not matter. O(text ·
/// pattern) at most.
pub fn fits(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().flat_map(char::to_lowercase).collect();
    let text: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let (mut at, mut from) = (0, 0);
    // Where the last `*` is, and up to where it reaches.
    let mut star: Option<(usize, usize)> = None;
    while from < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(c) if *c == '?' || *c == text[from] => {
                at += 1;
                from += 1;
            }
            _ => {
                let Some((star_at, reached)) = star else {
                    return false;
                };
                star = Some((star_at, reached + 1));
                at = star_at + 1;
                from = reached + 1;
            }
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::{Step, fits, parse};

    fn shown(text: &str) -> String {
        match parse(text) {
            Err(error) => format!("{error}; {}", error.hint),
            Ok(steps) => {
                let words = steps.iter().map(|step| match step {
                    Step::Term(term) => format!("{:?}={}", term.kind, term.value),
                    Step::And => "&".to_owned(),
                    Step::Or => "|".to_owned(),
                    Step::Not => "!".to_owned(),
                });
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn filters_are_read_as_the_grammar_says() {
        for (text, expected) in [
            ("namespace:Shop.*", "Namespace=Shop.*"),
            (
                "TYPE:A b:c",
                "unknown term `b:` at position 8; choose one of namespace:, type:, access:, tag:, depends:, project:, path:, kind:, changed:, scope:",
            ),
            ("type:A type:B", "Type=A Type=B &"),
            ("type:A or type:B and type:C", "Type=A Type=B Type=C & |"),
            ("type:A||type:B&&!type:C", "Type=A Type=B Type=C ! & |"),
            (
                "!(type:A OR kind:enum) access:public",
                "Type=A Kind=enum | ! Access=public &",
            ),
            ("!!type:A", "Type=A"),
            (
                "scope:\"'A B' & !c\" depends:X+",
                "Scope='A B' & !c Depends=X+ &",
            ),
            (
                "",
                "a term is missing at position 1; write a term such as namespace:Shop.* or type:Order*",
            ),
            (
                "type:A OR",
                "a term is missing at position 10; write a term such as namespace:Shop.* or type:Order*",
            ),
            (
                "(type:A",
                "`)` expected at position 8; close the parenthesis of position 1",
            ),
            (
                "type:A)",
                "unexpected `)` at position 7; remove it, or open a parenthesis before it",
            ),
            (
                "Order",
                "`Order` has no `:` at position 1; write type:Order",
            ),
            (
                "type: A",
                "`type:` has no value at position 6; write a value directly behind it, such as type:Order*",
            ),
            (
                "scope:\"a",
                "unclosed `\"` at position 7; close the quotation",
            ),
            ("ä & type:A", "`ä` has no `:` at position 1; write type:ä"),
            (
                "type:A & type:B",
                "unexpected `&` at position 8; write a term such as namespace:Shop.*, joined by AND, OR or !",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn wildcards_fit_whole_texts_in_any_case() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("shop.*", "Shop.Orders", true),
            ("shop", "Shop.Orders", false),
            ("a?c", "ABC", true),
            ("a?c", "ac", false),
            ("*a*b*", "xaxbx", true),
            ("*a*b", "xaxbx", false),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = format!("{}type:A{}", "(".repeat(200), ")".repeat(200));
        assert!(parse(&deep).is_err());
        let long = "!".repeat(100_000) + "type:A";
        assert!(parse(&long).is_ok());
    }
}
