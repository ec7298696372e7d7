//! Calls and their arguments, by the tokens of C#.
//!
//! Must not know: what calls mean.

use cortex_syntax::text::{self, CodeTokenKind};

/// A token with its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    kind: CodeTokenKind,
    /// The 1-based line where it begins.
    line: u32,
}

impl Token<'_> {
    fn is_word(&self) -> bool {
        self.kind == CodeTokenKind::Word
    }
}

/// The tokens of a text of C#. O(bytes).
pub(super) fn tokens(code: &str) -> Vec<Token<'_>> {
    let (mut line, mut counted) = (1, 0);
    let all = text::tokens(code.as_bytes()).into_iter();
    let all = all.map(|token| {
        let start = token.range.start as usize;
        line += memchr::memchr_iter(b'\n', &code.as_bytes()[counted..start]).count() as u32;
        counted = start;
        Token {
            text: &code[token.range.as_usize()],
            kind: token.kind,
            line,
        }
    });
    all.collect()
}

/// A call on a variable.
pub(super) struct Call<'t> {
    pub(super) method: &'t str,
    /// The one type argument.
    pub(super) type_argument: Option<String>,
    pub(super) line: u32,
    arguments: Vec<(Option<&'t str>, &'t [Token<'t>])>,
}

impl<'t> Call<'t> {
    /// The tokens of an argument, by the name of its parameter or by its place.
    pub(super) fn value(&self, name: &str, place: Option<usize>) -> Option<&'t [Token<'t>]> {
        let named = self.arguments.iter().find(|(it, _)| *it == Some(name));
        let placed = place.and_then(|place| self.arguments.get(place));
        let found = named.or(placed.filter(|(name, _)| name.is_none()))?;
        Some(found.1)
    }

    /// The same of a string.
    pub(super) fn text(&self, name: &str, place: Option<usize>) -> Option<String> {
        string(self.value(name, place)?)
    }
}

/// The bodies of `Up` of the classes whose first base is called `Migration`, each with the name of its parameter.
pub(super) fn up_bodies<'t>(
    all: &'t [Token<'t>],
) -> impl Iterator<Item = (&'t [Token<'t>], &'t str)> {
    let classes = (0..all.len()).filter(|&at| all[at].text == "class");
    classes.filter_map(|at| up_of(class_body(&all[at..])?))
}

/// The body of the class that tokens begin with, if that is a migration.
fn class_body<'t>(all: &'t [Token<'t>]) -> Option<&'t [Token<'t>]> {
    let ends = |it: &Token<'_>| matches!(it.text, "{" | ";" | "class");
    let open = 1 + all[1..].iter().position(ends)?;
    let head = &all[..open];
    let bases = &head[head.iter().position(|it| it.text == ":")? + 1..];
    let first = bases.split(|it| matches!(it.text, "," | "where")).next()?;
    let is_migration = first.last().is_some_and(|it| it.text == "Migration");
    (is_migration && all[open].text == "{").then(|| within(all, open))
}

/// The body of the method `Up` that takes one parameter, and the name of that.
fn up_of<'t>(class: &'t [Token<'t>]) -> Option<(&'t [Token<'t>], &'t str)> {
    let mut depth = 0_usize;
    for (at, token) in class.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "Up" if depth == 0 && class.get(at + 1).is_some_and(|it| it.text == "(") => {
                let parameters = within(class, at + 1);
                let name = parameters.last().filter(|it| it.is_word())?;
                let rest = &class[(at + parameters.len() + 3).min(class.len())..];
                let body = match rest.first()?.text {
                    "{" => within(rest, 0),
                    "=>" => {
                        let end = rest.iter().position(|it| it.text == ";");
                        &rest[..end.unwrap_or(rest.len())]
                    }
                    _ => return None,
                };
                return Some((body, name.text));
            }
            _ => {}
        }
    }
    None
}

/// The calls that are made on a variable, in their order, but for those in arguments of others.
pub(super) fn on<'t>(
    body: &'t [Token<'t>],
    variable: &'t str,
) -> impl Iterator<Item = Call<'t>> + use<'t> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < body.len() {
            let here = at;
            let is_member = here > 0 && body[here - 1].text == ".";
            at += 1;
            if body[here].text == variable
                && !is_member
                && let Some((call, n_tokens)) = call(&body[here..])
            {
                at = here + n_tokens;
                return Some(call);
            }
        }
        None
    })
}

/// The call on a variable that tokens begin with, and how many tokens it has up to the end of its arguments.
fn call<'t>(tokens: &'t [Token<'t>]) -> Option<(Call<'t>, usize)> {
    let [first, dot, method, rest @ ..] = tokens else {
        return None;
    };
    if dot.text != "." || !method.is_word() {
        return None;
    }
    let n_generic = type_arguments(rest);
    rest.get(n_generic).filter(|it| it.text == "(")?;
    let arguments = within(rest, n_generic);
    let inner = rest.get(1..n_generic.saturating_sub(1));
    let call = Call {
        method: method.text,
        type_argument: inner.filter(|it| !it.is_empty()).map(written),
        line: first.line,
        arguments: split(arguments).map(argument).collect(),
    };
    Some((call, n_generic + arguments.len() + 4))
}

/// How many tokens a list of type arguments has that tokens begin with.
fn type_arguments(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        let n = |c: char| token.text.matches(c).count();
        if matches!(token.text, ";" | "(" | "{") {
            return 0;
        }
        if !token.is_word() {
            depth += n('<');
            depth = depth.saturating_sub(n('>'));
        }
        match depth {
            0 if at == 0 => return 0,
            0 => return at + 1,
            _ => {}
        }
    }
    0
}

/// An argument with the name that it may have.
fn argument<'t>(tokens: &'t [Token<'t>]) -> (Option<&'t str>, &'t [Token<'t>]) {
    match tokens {
        [name, colon, value @ ..] if name.is_word() && colon.text == ":" => {
            (Some(name.text), value)
        }
        _ => (None, tokens),
    }
}

fn is_open(token: &Token<'_>) -> bool {
    token.kind == CodeTokenKind::Punctuator && matches!(token.text, "(" | "[" | "{")
}

fn is_close(token: &Token<'_>) -> bool {
    token.kind == CodeTokenKind::Punctuator && matches!(token.text, ")" | "]" | "}")
}

/// What stands between a bracket and the one that closes it, or the end.
pub(super) fn within<'t>(tokens: &'t [Token<'t>], open: usize) -> &'t [Token<'t>] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += usize::from(is_open(token));
        depth = depth.saturating_sub(usize::from(is_close(token)));
        if depth == 0 {
            return tokens.get(open + 1..at).unwrap_or_default();
        }
    }
    tokens.get(open + 1..).unwrap_or_default()
}

/// The parts of a list between its commas, without an empty one.
pub(super) fn split<'t>(list: &'t [Token<'t>]) -> impl Iterator<Item = &'t [Token<'t>]> {
    let mut depth = 0_i32;
    let parts = list.split(move |it| {
        depth += i32::from(is_open(it)) - i32::from(is_close(it));
        depth == 0 && it.text == ","
    });
    parts.filter(|it| !it.is_empty())
}

/// Tokens without what stands between them, but for a space between two words.
pub(super) fn written(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    let mut is_behind_word = false;
    for token in tokens {
        let is_word = token.kind != CodeTokenKind::Punctuator;
        if is_word && is_behind_word {
            out.push(' ');
        }
        out.push_str(token.text);
        is_behind_word = is_word;
    }
    out
}

/// The text of a value: a string, `nameof`, or several strings put together.
pub(super) fn string(value: &[Token<'_>]) -> Option<String> {
    match value {
        [one] => literal(one),
        [name, open, inner @ .., last, _] if name.text == "nameof" && open.text == "(" => {
            let is_name = |it: &Token<'_>| it.is_word() || it.text == ".";
            let is_plain = inner.iter().chain([last]).all(is_name);
            is_plain.then(|| last.text.trim_start_matches('@').to_owned())
        }
        _ => {
            let parts = value.split(|it| it.text == "+");
            let parts: Option<Vec<String>> = parts
                .map(|part| match part {
                    [one] => literal(one),
                    _ => None,
                })
                .collect();
            Some(parts?.concat())
        }
    }
}

/// What a string says; escapes that stand for other characters than a quote, a backslash or white space stay.
fn literal(token: &Token<'_>) -> Option<String> {
    let text = token.text;
    if token.kind != CodeTokenKind::Literal {
        return None;
    }
    if let Some(rest) = text.strip_prefix("@\"") {
        return Some(rest.strip_suffix('"')?.replace("\"\"", "\""));
    }
    let n_quotes = text.bytes().take_while(|&byte| byte == b'"').count();
    if n_quotes >= 3 {
        return text.get(n_quotes..text.len() - n_quotes).map(str::to_owned);
    }
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next()? {
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                other => out.push(other),
            },
            (c, false) => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{string, tokens};

    #[test]
    fn strings_say_what_they_say() {
        let text = |code: &str| string(&tokens(code));
        for code in [
            "\"a\\\"b\"",
            "@\"a\"\"b\"",
            "\"a\" + \"\\\"b\"",
            "\"\"\"a\"b\"\"\"",
        ] {
            assert_eq!(text(code).as_deref(), Some("a\"b"), "{code}");
        }
        assert_eq!(text("nameof(A.@B)").as_deref(), Some("B"));
        for other in ["a", "$\"a{b}\"", "nameof(A<B>)", "1", "F(\"a\")"] {
            assert_eq!(text(other), None, "{other}");
        }
    }
}
