//! Names short enough for people: what all share is said once, qualifiers inside signatures are left out.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_wire::{DiffContext, MemberChangeKind, TypeChange};

use crate::text;

/// How many types there must be for a shared namespace to be worth a line.
const MIN_SHARED: usize = 3;

/// Of how many types in a hundred a namespace must be to go without saying.
const MIN_PERCENT: usize = 80;

/// So many parts of a namespace are looked at.
const MAX_PARTS: usize = 16;

/// Shortens the names of one answer.
pub(crate) struct Names {
    // Invariant: empty, or ends with a dot.
    prefix: String,
    /// Full names of changed types by their simple names, where those are one type's alone.
    simple: BTreeMap<String, String>,
}

impl Names {
    /// Finds the longest namespace that most changed types share.
    pub(crate) fn new(answer: &DiffContext) -> Self {
        let n_types = answer.types.len();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for change in &answer.types {
            *counts.entry(namespace(&change.ty.name)).or_default() += 1;
        }
        let mut shared: BTreeMap<&str, usize> = BTreeMap::new();
        for (namespace, n) in counts {
            for (dot, _) in namespace.match_indices('.').take(MAX_PARTS) {
                *shared.entry(&namespace[..=dot]).or_default() += n;
            }
        }
        let is_common = |n: usize| n >= MIN_SHARED && n * 100 >= n_types * MIN_PERCENT;
        let longest = shared
            .into_iter()
            .filter(|&(_, n)| is_common(n))
            .max_by_key(|(prefix, _)| prefix.len());
        let mut simple: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for change in &answer.types {
            let name = change.ty.name.as_str();
            simple.entry(simple_name(name)).or_default().insert(name);
        }
        // What is registered otherwise stands below with its file.
        let registered = (answer.impact.symbols.iter())
            .filter(|symbol| symbol.change == MemberChangeKind::Registered);
        for symbol in registered {
            let name = symbol.ty.as_str();
            simple.entry(simple_name(name)).or_default().insert(name);
        }
        let single = simple.into_iter().filter(|(_, names)| names.len() == 1);
        Self {
            prefix: longest.map_or("", |(prefix, _)| prefix).to_owned(),
            simple: single
                .flat_map(|(simple, names)| names.into_iter().map(move |name| (simple, name)))
                .map(|(simple, name)| (simple.to_owned(), name.to_owned()))
                .collect(),
        }
    }

    /// A type's simple name where it is listed as changed, and no other one with that name is; else as [`Names::of`].
    pub(crate) fn listed<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let simple = simple_name(name);
        match self.simple.get(simple).is_some_and(|known| known == name) {
            true => text::line(simple),
            false => self.of(name),
        }
    }

    /// What [`Names::of`] leaves out, with its dot; empty where nothing is shared.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// A type's name without the shared namespace.
    pub(crate) fn of<'n>(&self, name: &'n str) -> Cow<'n, str> {
        text::line(name.strip_prefix(&*self.prefix).unwrap_or(name))
    }
}

/// The name of a type with the types around it, without its namespace.
fn simple_name(name: &str) -> &str {
    &name[namespace(name).len()..]
}

/// The namespace of a type with its dot; empty for the global one.
fn namespace(name: &str) -> &str {
    let outer = name.split(['+', '`']).next().unwrap_or(name);
    outer.rfind('.').map_or("", |dot| &name[..=dot])
}

/// The namespace of a type, without a dot behind.
pub(crate) fn namespace_of(name: &str) -> &str {
    namespace(name).trim_end_matches('.')
}

/// A namespace as a sentence names it.
pub(crate) fn global_or(namespace: &str) -> Cow<'_, str> {
    match namespace {
        "" => "the global namespace".into(),
        namespace => text::line(namespace),
    }
}

/// The namespaces of a type that went to another one under its own name, without the parts at their ends that both have:
/// `A.Old.X` and `A.New.X` of `A.Old.X.T` and `A.New.X.T` are `A.Old` and `A.New`.
pub(crate) fn moved_between<'n>(old: &'n str, new: &'n str) -> Option<(&'n str, &'n str)> {
    if simple_name(old) != simple_name(new) {
        return None;
    }
    let (mut from, mut to) = (namespace_of(old), namespace_of(new));
    while let (Some((outer, last)), Some((other, same))) =
        (from.rsplit_once('.'), to.rsplit_once('.'))
        && last == same
    {
        (from, to) = (outer, other);
    }
    (from != to).then_some((from, to))
}

/// What to call that a type has another name, if it has.
pub(crate) fn new_name(change: &TypeChange) -> Option<&'static str> {
    let old = change.renamed_from.as_deref()?;
    Some(match namespace_of(old) == namespace_of(&change.ty.name) {
        true => "renamed",
        false => "moved",
    })
}

/// A canonical signature without the declaring type and without namespaces.
pub(crate) fn signature(signature: &str, declaring: &str) -> String {
    let Some((before, member)) = split(signature, declaring) else {
        return text::line(&unqualified(signature)).into_owned();
    };
    let (member, arity) = match member.rsplit_once('#') {
        Some((rest, digits)) => match digits.parse::<usize>() {
            Ok(arity @ 1..=64) => (rest, arity),
            _ => (member, 0),
        },
        None => (member, 0),
    };
    let name_end = member.find(['(', '[']).unwrap_or(member.len());
    let (name, rest) = member.split_at(name_end);
    let mut out = unqualified(before);
    match name.rsplit_once('.') {
        Some((interface, simple)) if !simple.contains(['>', ')']) => {
            // C# has no accessibility of explicit implementations.
            if let Some(rest) = out.strip_prefix("public ") {
                out = rest.to_owned();
            }
            out.push_str(&unqualified(interface));
            out.push('.');
            out.push_str(simple);
        }
        _ => out.push_str(name),
    }
    if arity > 0 {
        out.push('<');
        out.push_str(&",".repeat(arity - 1));
        out.push('>');
    }
    out.push_str(&unqualified(rest));
    text::line(&out).into_owned()
}

/// A member's text before its list of parameters, and the list: `Send` and `(int,bool)` of `Send(int,bool)`.
pub(crate) fn parameter_list(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    if !text.ends_with([')', ']']) {
        return None;
    }
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(text.split_at(at));
        }
    }
    None
}

/// Two signatures for `old → new`: short, unless that would make them look the same.
pub(crate) fn change(old: &str, new: &str, declaring: &str) -> String {
    let (short_old, short_new) = (signature(old, declaring), signature(new, declaring));
    if short_old != short_new {
        return format!("{short_old} → {short_new}");
    }
    format!("{} → {}", text::line(old), text::line(new))
}

/// Splits a signature before the member's name: at the declaring type that stands as a word of its own.
fn split<'s>(signature: &'s str, declaring: &str) -> Option<(&'s str, &'s str)> {
    if declaring.is_empty() {
        return None;
    }
    signature
        .match_indices(declaring)
        .filter(|&(at, _)| at == 0 || signature.as_bytes()[at - 1] == b' ')
        .find_map(|(at, name)| {
            let member = signature[at + name.len()..].strip_prefix('.')?;
            // A return type of a namespace named as the type is followed by a space.
            let end = member.find([' ', '(', '[', '#']).unwrap_or(member.len());
            (!member[end..].starts_with(' ') || member.starts_with("operator"))
                .then_some((&signature[..at], member))
        })
}

/// `text` with each dotted name cut to its last part; literals stay.
pub(crate) fn unqualified(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '`');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '"' | '\'' => literal_end(rest, c),
            _ if c.is_ascii_digit() => rest
                .find(|c: char| !is_part(c) && c != '.')
                .unwrap_or(rest.len()),
            _ if is_part(c) => {
                let end = name_end(rest, is_part);
                let name = &rest[..end];
                let last = name.rfind('.').map_or(0, |dot| dot + 1);
                out.push_str(&name[last..].replace('+', "."));
                rest = &rest[end..];
                continue;
            }
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// The end of a dotted name: `.` and `+` belong to it between parts only.
fn name_end(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = matches!(c, '.' | '+') && chars.peek().is_some_and(|&(_, next)| is_part(next));
        if !is_part(c) && !joins {
            return at;
        }
    }
    text.len()
}

/// The end of a string or character literal; the end of the text if it never closes.
fn literal_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{change, parameter_list, signature, unqualified};

    #[test]
    fn the_list_of_parameters_is_the_last_one() {
        for (text, head, list) in [
            (
                "(int, int) Send(int,(int, bool))",
                "(int, int) Send",
                "(int,(int, bool))",
            ),
            ("int this[int]", "int this", "[int]"),
            ("Send()", "Send", "()"),
        ] {
            assert_eq!(parameter_list(text), Some((head, list)));
        }
        assert_eq!(parameter_list("int Count"), None);
    }

    #[test]
    fn signatures_lose_their_qualifiers() {
        let check = |full, short: &str| assert_eq!(signature(full, "A.B.C"), short);
        check(
            "public System.Threading.Task<A.B.X> A.B.C.Load(A.B.Reader,ref int)#2",
            "public Task<X> Load<,>(Reader,ref int)",
        );
        check("public A.B.C A.B.C.Self", "public C Self");
        check("private void A.B.C.N.IFoo.Bar()", "private void IFoo.Bar()");
        check("public A.B.C.this[int]", "public this[int]");
        check(
            "public sealed class A.B.C : X.Y, Z.W<Q.R>",
            "public sealed class C : Y, W<R>",
        );
        check(
            "public int A.B.C.operator +(A.B.C,A.B.C)",
            "public int operator +(C,C)",
        );
    }

    #[test]
    fn literals_and_numbers_keep_their_dots() {
        assert_eq!(
            unqualified("[A.B(\"x.y\\\"z.w\", 1.5)] N.O+I"),
            "[B(\"x.y\\\"z.w\", 1.5)] O.I"
        );
    }

    #[test]
    fn a_change_of_namespace_alone_is_shown_in_full() {
        assert_eq!(
            change("void T.M(A.X)", "void T.M(B.X)", "T"),
            "void T.M(A.X) → void T.M(B.X)"
        );
        assert_eq!(
            change("void T.M(A.X)", "int T.M(A.X)", "T"),
            "void M(X) → int M(X)"
        );
    }
}
