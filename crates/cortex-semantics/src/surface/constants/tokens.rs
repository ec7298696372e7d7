//! The tokens of a constant expression.

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Integer(i64),
    /// A number that is no integer.
    Number(&'a str),
    Text(String),
    Operator(&'static str),
}

/// Reads tokens; what it does not know ends them with [`Token::Operator`] of an empty text.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

const OPERATORS: [&str; 24] = [
    "::", "<<", ">>", "(", ")", "[", "]", "{", "}", ",", ".", "+", "-", "*", "/", "|", "&", "^",
    "~", "!", "<", ">", "?", ":",
];

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.clone().next()
    }

    /// Takes an operator, if it is the next token.
    pub(super) fn accept(&mut self, operator: &'static str) -> bool {
        self.take_operator(&[operator]).is_some()
    }

    /// Takes one of some operators, if the next token is one.
    pub(super) fn take_operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let mut ahead = self.clone();
        let Some(Token::Operator(found)) = ahead.next() else {
            return None;
        };
        let taken = operators.iter().copied().find(|it| *it == found)?;
        *self = ahead;
        Some(taken)
    }

    /// Passes over everything up to a closing token that belongs to what is open, and returns the text before it.
    pub(super) fn skip_to(&mut self, close: &'static str) -> Option<&'a str> {
        let start = self.rest;
        let mut depth = 0usize;
        loop {
            let before = self.rest;
            match self.next()? {
                Token::Operator(found) if found == close && depth == 0 => {
                    return Some(&start[..start.len() - before.len()]);
                }
                Token::Operator("(" | "[" | "{") => depth += 1,
                Token::Operator(")" | "]" | "}") => depth = depth.checked_sub(1)?,
                Token::Operator("") => return None,
                _ => {}
            }
        }
    }

    /// The bytes that a prefix takes, taken.
    fn cut(&mut self, n_bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(n_bytes);
        self.rest = rest.trim_start();
        taken
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let first = self.rest.chars().next()?;
        if let Some((text, n_bytes)) = string(self.rest) {
            self.cut(n_bytes);
            return Some(text.map_or(Token::Operator(""), Token::Text));
        }
        if first == '\'' {
            let end = self.rest[1..].find('\'').map(|at| at + 1)?;
            // `'\''`
            let end = if &self.rest[1..=end] == "\\'" {
                end + 1
            } else {
                end
            };
            let text = self.rest.get(1..end)?;
            let character = unescaped(text).first().copied();
            self.cut(end + 1);
            return Some(Token::Integer(i64::from(character?)));
        }
        if first.is_ascii_digit() {
            return Some(self.number());
        }
        if first.is_alphabetic() || matches!(first, '_' | '@') {
            let is_word = |it: char| it.is_alphanumeric() || it == '_' || it == '@';
            let end = self.rest.find(|it| !is_word(it)).unwrap_or(self.rest.len());
            return Some(Token::Word(self.cut(end).trim_start_matches('@')));
        }
        let operator = OPERATORS.iter().find(|it| self.rest.starts_with(**it));
        match operator {
            Some(operator) => {
                self.cut(operator.len());
                Some(Token::Operator(operator))
            }
            None => {
                self.cut(first.len_utf8());
                Some(Token::Operator(""))
            }
        }
    }
}

impl<'a> Tokens<'a> {
    fn number(&mut self) -> Token<'a> {
        let mut end = 0;
        let bytes = self.rest.as_bytes();
        while let Some(&byte) = bytes.get(end) {
            let is_fraction = byte == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            let is_hex = self.rest.starts_with("0x") || self.rest.starts_with("0X");
            let is_sign =
                !is_hex && matches!(byte, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_fraction || is_sign) {
                break;
            }
            end += 1;
        }
        let text = self.cut(end);
        integer(text).map_or(Token::Number(text), Token::Integer)
    }
}

fn integer(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']).replace('_', "");
    let (radix, digits) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        _ => (10, &digits[..]),
    };
    // The upper half of `ulong` wraps, as metadata has it.
    let value = u64::from_str_radix(digits, radix).ok()?;
    Some(value as i64)
}

/// A string literal at the start of a text, with the bytes that it takes: `"…"`, `@"…"` or `"""…"""`. The text of one
/// with half of a surrogate pair is not known.
fn string(text: &str) -> Option<(Option<String>, usize)> {
    if let Some(rest) = text.strip_prefix("@\"") {
        let mut from = 0;
        loop {
            let end = from + rest[from..].find('"')?;
            if rest[end + 1..].starts_with('"') {
                from = end + 2;
                continue;
            }
            return Some((Some(rest[..end].replace("\"\"", "\"")), end + 3));
        }
    }
    let n_quotes = text.bytes().take_while(|&byte| byte == b'"').count();
    if n_quotes >= 3 {
        let quotes = &text[..n_quotes];
        let rest = &text[n_quotes..];
        let end = rest.find(quotes)?;
        return Some((Some(raw(&rest[..end])), end + 2 * n_quotes));
    }
    let rest = text.strip_prefix('"')?;
    let mut is_escaped = false;
    for (at, character) in rest.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => {
                let text = String::from_utf16(&unescaped(&rest[..at])).ok();
                return Some((text, at + 2));
            }
            _ => {}
        }
    }
    None
}

/// A raw string without the line breaks and the indentation that belong to its quotes.
fn raw(text: &str) -> String {
    let Some(body) = text
        .strip_prefix('\n')
        .or_else(|| text.strip_prefix("\r\n"))
    else {
        return text.to_owned();
    };
    let (body, indent) = body.rsplit_once('\n').unwrap_or(("", body));
    let lines = body
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The UTF-16 units of a text, escape sequences replaced (C# specification, §6.4.5.5, §6.4.5.6).
fn unescaped(text: &str) -> Vec<u16> {
    let mut out = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(character) = chars.next() {
        if character != '\\' {
            out.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            continue;
        }
        let Some(escape) = chars.next() else { break };
        let value = match escape {
            '0' => 0,
            'a' => 7,
            'b' => 8,
            'e' => 27,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'x' | 'u' => hex(&mut chars, 4),
            'U' => hex(&mut chars, 8),
            other => u32::from(other),
        };
        // One half of a surrogate pair is a unit, and no character.
        match u16::try_from(value) {
            Ok(unit) => out.push(unit),
            Err(_) => {
                let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            }
        }
    }
    out
}

fn hex(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, most: usize) -> u32 {
    let mut value = 0;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|it| it.to_digit(16)) else {
            break;
        };
        chars.next();
        value = value << 4 | digit;
    }
    value
}

/// The parts of an argument list.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut tokens = Tokens::new(text);
    let (mut start, mut depth) = (tokens.rest, 0usize);
    loop {
        let before = tokens.rest;
        match tokens.next() {
            Some(Token::Operator(",")) if depth == 0 => {
                out.push(&start[..start.len() - before.len()]);
                start = tokens.rest;
            }
            // A type argument list is no expression, but its commas are no separators either.
            Some(Token::Operator("(" | "[" | "{" | "<")) => depth += 1,
            Some(Token::Operator(")" | "]" | "}" | ">")) => depth = depth.saturating_sub(1),
            Some(_) => {}
            None => {
                out.push(start);
                return out;
            }
        }
    }
}

/// `name = expression` or `name: expression`.
pub(super) fn assigned(text: &str) -> Option<(&str, char, &str)> {
    let end = text.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == '@'))?;
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let sign = rest.chars().next().filter(|it| matches!(it, '=' | ':'))?;
    let expression = &rest[1..];
    let is_name = !name.is_empty() && !name.starts_with(|it: char| it.is_ascii_digit());
    // `a == b`, `a::b`
    (is_name && !expression.starts_with(sign)).then_some((name, sign, expression))
}

#[cfg(test)]
mod tests {
    use super::{Token, Tokens, assigned, split};

    #[test]
    fn literals_are_read_as_the_language_does() {
        let one = |text| Tokens::new(text).next();
        let text = |text: &str| Some(Token::Text(text.to_owned()));
        assert_eq!(one(r#""a\tb\"c\u0041""#), text("a\tb\"cA"));
        assert_eq!(one(r#"@"a""b\n""#), text("a\"b\\n"));
        assert_eq!(one("\"\"\"\n  a\n   b\n  \"\"\""), text("a\n b"));
        assert_eq!(one("0x1F_FFUL"), Some(Token::Integer(0x1FFF)));
        assert_eq!(one("1.5e-3f"), Some(Token::Number("1.5e-3f")));
        assert_eq!(one("'\\''"), Some(Token::Integer(39)));
        assert_eq!(one("'\\uD83D'"), Some(Token::Integer(0xD83D)));
        assert_eq!(one(r#""\uD83D\uDE00""#), text("\u{1F600}"));
        assert_eq!(one(r#""\U0001F600""#), text("\u{1F600}"));
        assert_eq!(one(r#""\uD83D""#), Some(Token::Operator("")));
        assert_eq!(one("@class.X"), Some(Token::Word("class")));
    }

    #[test]
    fn arguments_are_parted_at_their_commas_alone() {
        assert_eq!(
            split(r#""a, b", typeof(D<int, C>), X = new[] { 1, 2 }"#),
            [r#""a, b""#, "typeof(D<int, C>)", "X = new[] { 1, 2 }"]
        );
        assert_eq!(assigned("X = 1"), Some(("X", '=', " 1")));
        assert_eq!(assigned("x:1"), Some(("x", ':', "1")));
        assert_eq!(assigned("x == 1"), None);
        assert_eq!(assigned("global::N.X"), None);
    }
}
