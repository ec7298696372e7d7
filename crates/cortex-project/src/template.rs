//! Text with `$(…)` in it, parsed once per file: property references and property functions.
//!
//! `@(…)` and `%(…)` stay text: MSBuild expands them after properties, so a property may bring them in.
//! Must not know: the values of properties, what functions do.

/// How deep `$(…)` may nest in the arguments of functions; deeper is kept as text.
const MAX_DEPTH: usize = 16;

/// Parsed text: literal parts and property expressions, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Template {
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Part {
    Text(Box<str>),
    Property(Box<Expression>),
}

/// What stands between `$(` and `)`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expression {
    /// As written, with `$(` and `)`.
    pub(crate) source: Box<str>,
    pub(crate) head: Head,
    pub(crate) calls: Vec<Call>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Head {
    /// `Name`, in lower case.
    Property(Box<str>),
    /// `[Type]::Member` or `[Type]::Member(…)`, both in lower case.
    Static {
        class: Box<str>,
        member: Box<str>,
        arguments: Vec<Template>,
    },
    /// What is neither, such as `registry:…`.
    Unknown,
}

/// `.Name(…)`, `.Name` or `[…]` after a head.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    /// In lower case; `[]` for an index.
    pub(crate) name: Box<str>,
    pub(crate) arguments: Vec<Template>,
}

impl Template {
    pub(crate) fn parse(text: &str) -> Self {
        Self::parse_at(text, 0)
    }

    fn parse_at(text: &str, depth: usize) -> Self {
        let mut parts = Vec::new();
        let mut start = 0;
        let mut from = 0;
        while let Some(found) = text[from..].find("$(") {
            let open = from + found;
            let Some(close) = closing(text, open + 1).filter(|_| depth < MAX_DEPTH) else {
                break;
            };
            if start < open {
                parts.push(Part::Text(text[start..open].into()));
            }
            let expression = Expression::parse(&text[open..=close], depth);
            parts.push(Part::Property(Box::new(expression)));
            start = close + 1;
            from = start;
        }
        if start < text.len() {
            parts.push(Part::Text(text[start..].into()));
        }
        Self { parts }
    }

    /// The text, where it has no expression.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The properties that it reads without a function, in order: name in lower case and source.
    pub(crate) fn plain_references(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Property(expression) if expression.calls.is_empty() => match &expression.head {
                Head::Property(name) => Some((&**name, &*expression.source)),
                _ => None,
            },
            _ => None,
        })
    }
}

impl Expression {
    fn parse(source: &str, depth: usize) -> Self {
        let body = source[2..source.len() - 1].trim();
        let (head, rest) = parse_head(body, depth).unwrap_or((Head::Unknown, ""));
        let calls = match head {
            Head::Unknown => Some(Vec::new()),
            _ => parse_calls(rest, depth),
        };
        match calls {
            Some(calls) => Self {
                source: source.into(),
                head,
                calls,
            },
            None => Self {
                source: source.into(),
                head: Head::Unknown,
                calls: Vec::new(),
            },
        }
    }
}

fn parse_head(body: &str, depth: usize) -> Option<(Head, &str)> {
    if let Some(rest) = body.strip_prefix('[') {
        let (class, rest) = rest.split_once(']')?;
        let rest = rest.trim_start().strip_prefix("::")?.trim_start();
        let end = identifier_end(rest);
        let member = &rest[..end];
        if member.is_empty() {
            return None;
        }
        let (arguments, rest) = parse_arguments(&rest[end..], depth)?;
        let head = Head::Static {
            class: class.trim().to_ascii_lowercase().into(),
            member: member.to_ascii_lowercase().into(),
            arguments,
        };
        return Some((head, rest));
    }
    let end = identifier_end(body);
    if end == 0 {
        return None;
    }
    let name = body[..end].to_ascii_lowercase();
    Some((Head::Property(name.into()), &body[end..]))
}

fn parse_calls(rest: &str, depth: usize) -> Option<Vec<Call>> {
    let mut calls = Vec::new();
    let mut rest = rest.trim_start();
    while !rest.is_empty() {
        if rest.starts_with('[') {
            let close = rest.find(']')?;
            calls.push(Call {
                name: "[]".into(),
                arguments: vec![Template::parse_at(rest[1..close].trim(), depth + 1)],
            });
            rest = rest[close + 1..].trim_start();
        } else {
            rest = rest.strip_prefix('.')?.trim_start();
            let end = identifier_end(rest);
            if end == 0 {
                return None;
            }
            let name = rest[..end].to_ascii_lowercase();
            let (arguments, after) = parse_arguments(&rest[end..], depth)?;
            calls.push(Call {
                name: name.into(),
                arguments,
            });
            rest = after.trim_start();
        }
    }
    Some(calls)
}

/// Reads `(…)` where there is one; else there are no arguments.
fn parse_arguments(rest: &str, depth: usize) -> Option<(Vec<Template>, &str)> {
    let trimmed = rest.trim_start();
    if !trimmed.starts_with('(') {
        return Some((Vec::new(), rest));
    }
    let close = closing(trimmed, 0)?;
    let arguments = split_arguments(&trimmed[1..close])
        .into_iter()
        .map(|argument| Template::parse_at(argument, depth + 1))
        .collect();
    Some((arguments, &trimmed[close + 1..]))
}

/// The arguments between the parentheses of a call: trimmed, without the quotes around each.
pub(crate) fn split_arguments(inner: &str) -> Vec<&str> {
    if inner.trim().is_empty() {
        return Vec::new();
    }
    let mut arguments = Vec::new();
    let mut start = 0;
    let mut nesting = 0_usize;
    let mut quote = None;
    for (at, byte) in inner.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (None, b'(') => nesting += 1,
            (None, b')') => nesting = nesting.saturating_sub(1),
            (None, b',') if nesting == 0 => {
                arguments.push(unquote(&inner[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(unquote(&inner[start..]));
    arguments
}

fn unquote(text: &str) -> &str {
    let text = text.trim();
    for quote in ['\'', '"', '`'] {
        if text.len() >= 2
            && let Some(inner) = text.strip_prefix(quote)
            && let Some(inner) = inner.strip_suffix(quote)
        {
            return inner;
        }
    }
    text
}

/// How many bytes at the start of a text are a name: letters, digits, `_`, and `-` inside.
pub(crate) fn identifier_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    if !bytes
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
    {
        return 0;
    }
    let end = bytes
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')))
        .unwrap_or(bytes.len());
    // The `-` of `->` is no part of the name before it.
    text[..end].trim_end_matches('-').len()
}

/// Where the parenthesis at `open` closes. Quoted text is skipped, except where a quote is never
/// closed: MSBuild then takes it literally.
pub(crate) fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut nesting = 0_usize;
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => nesting += 1,
            b')' => {
                nesting -= 1;
                if nesting == 0 {
                    return Some(at);
                }
            }
            quote @ (b'\'' | b'"' | b'`') => {
                let end = memchr(quote, &bytes[at + 1..])?;
                at += end + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|candidate| *candidate == byte)
}

#[cfg(test)]
mod tests {
    use super::{Head, Part, Template};

    fn only(text: &str) -> super::Expression {
        match Template::parse(text).parts.as_slice() {
            [Part::Property(expression)] => (**expression).clone(),
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn a_property_a_method_and_an_index_chain() {
        let expression = only("$( Foo.Split(';')[0] )");
        assert_eq!(expression.head, Head::Property("foo".into()));
        let names: Vec<&str> = expression.calls.iter().map(|call| &*call.name).collect();
        assert_eq!(names, ["split", "[]"]);
        assert_eq!(expression.calls[0].arguments[0].literal(), Some(";"));
    }

    #[test]
    fn arguments_nest_and_quotes_hide_commas_and_parentheses() {
        let expression = only("$([MSBuild]::Add($([System.Version]::Parse('$(A)').Major), '1,)'))");
        let Head::Static {
            class,
            member,
            arguments,
        } = expression.head
        else {
            panic!("static");
        };
        assert_eq!((&*class, &*member, arguments.len()), ("msbuild", "add", 2));
        assert_eq!(arguments[1].literal(), Some("1,)"));
    }

    #[test]
    fn what_is_never_closed_is_text() {
        for text in ["$(A", "a $('b)", "$(", "$($($("] {
            assert_eq!(Template::parse(text).literal(), Some(text));
        }
        assert_eq!(only("$(Registry:HKEY@x)").head, Head::Unknown);
        assert_eq!(only("$()").head, Head::Unknown);
    }

    #[test]
    fn deep_nesting_ends() {
        let text = format!("{}{}", "$([A]::B(".repeat(2_000), "))".repeat(2_000));
        Template::parse(&text);
    }
}
