//! Declarations on one line, without attributes, bodies and initial values: of members as they are written, else as
//! they are bound.
//!
//! Must not know: symbols, the snapshot.

use cortex_bind::{MemberNode, TypeNode};
use cortex_model::DeclKind;
use cortex_syntax::{Decl, FileFacts};

/// Longer values are cut.
const MAX_VALUE: usize = 60;

/// The declaration of a member. `text`: of the file that the facts are of.
pub(crate) fn declared(text: &str, facts: &FileFacts, member: &MemberNode) -> Option<String> {
    let decl = facts.decls.get(member.decl as usize)?;
    if member.primary {
        return None;
    }
    let written = match member.kind {
        DeclKind::Field | DeclKind::Constant => named(text, decl)?,
        DeclKind::Event if decl.accessors.is_empty() => named(text, decl)?,
        DeclKind::EnumMember => member.name.clone(),
        DeclKind::TopLevel => return Some("top-level statements".to_owned()),
        _ => head(text, decl)?,
    };
    let mut out = written;
    if matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember)
        && let Some(value) = decl.value
    {
        let value = facts.name(value);
        let end = value
            .char_indices()
            .nth(MAX_VALUE)
            .map_or(value.len(), |(at, _)| at);
        out.push_str(" = ");
        out.push_str(&value[..end]);
        if end < value.len() {
            out.push('…');
        }
    }
    if matches!(member.kind, DeclKind::Property | DeclKind::Indexer) {
        out.push_str(&accessors(decl));
    }
    Some(out)
}

/// What stands before the end of the name; `None` for a second name of one declaration.
fn named(text: &str, decl: &Decl) -> Option<String> {
    let text = text.get(decl.range.start as usize..decl.name_range.end as usize)?;
    let out = folded(without_attributes(text));
    (!out.starts_with(',')).then_some(out)
}

/// A type as bound: ``public class Ns.A<T> : Ns.B<T> where T : class``, its own name without the namespace.
pub(crate) fn declared_type(node: &TypeNode) -> String {
    let signature = node.signature.as_str();
    let (head, rest) = match signature.split_once(&format!(" {}", node.fqn)) {
        Some((head, rest)) => (head, rest),
        None => return signature.to_owned(),
    };
    let (bases, shape) = match rest.strip_prefix(" : ") {
        Some(rest) => {
            let end = bases_end(rest);
            (&rest[..end], &rest[end..])
        }
        None => ("", rest),
    };
    let start = node
        .fqn
        .split(['+', '`'])
        .next()
        .unwrap_or(&node.fqn)
        .rfind('.')
        .map_or(0, |dot| dot + 1);
    let names: Vec<&str> = node.fqn[start..]
        .split('+')
        .map(|it| it.split('`').next().unwrap_or(it))
        .collect();
    let params = type_params(shape);
    let mut out = format!(
        "{head} {}{}",
        names.join("."),
        angles(&params, node.arity as usize)
    );
    if !bases.is_empty() {
        out.push_str(" : ");
        out.push_str(bases);
    }
    for (name, constraints) in params
        .iter()
        .filter(|(_, constraints)| !constraints.is_empty())
    {
        out.push_str(&format!(
            " where {name} : {}",
            constraints.replace(',', ", ")
        ));
    }
    out
}

/// A member as bound: `public System.Int32 Count<T>(T)`.
pub(crate) fn declared_member(member: &MemberNode) -> String {
    let (tail, arity) = match member.tail.rsplit_once('#') {
        Some((tail, digits)) => (tail, digits.parse().unwrap_or(0)),
        None => (member.tail.as_str(), 0),
    };
    let params = if arity > 0 {
        type_params(&member.shape)
    } else {
        Vec::new()
    };
    let angles = angles(&params, arity);
    match member.kind {
        DeclKind::EnumMember => member.name.clone(),
        _ => format!(
            "{} {}{}{angles}{}",
            member.accessibility,
            member.head,
            member.name,
            tail.replace(',', ", ")
        ),
    }
}

/// `<T, U>`; nothing where there is no type parameter.
fn angles(params: &[(String, String)], arity: usize) -> String {
    let names: Vec<&str> = params
        .iter()
        .map(|(name, _)| name.as_str())
        .take(arity)
        .collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("<{}>", names.join(", ")),
    }
}

/// Where a list of bases ends: at the first space between brackets of no kind that no comma stands before.
fn bases_end(text: &str) -> usize {
    let (mut depth, mut before) = (0i32, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' if !(c == '[' && before == ' ') => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ' ' if depth == 0 && before != ',' => return at,
            _ => {}
        }
        before = c;
    }
    text.len()
}

/// The type parameters in a shape, with their constraints, each once.
fn type_params(shape: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut rest = without_attributes(shape);
    while let Some((param, after)) = rest.split_once(';') {
        let param = without_attributes(param);
        let (name, constraints) = param.split_once(':').unwrap_or((param, ""));
        let name = name.trim().rsplit(' ').next().unwrap_or(name);
        let is_accessor = matches!(name, "get" | "set" | "init" | "add" | "remove" | "");
        match out.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) if known.is_empty() => *known = constraints.to_owned(),
            Some(_) => {}
            None if is_accessor => {}
            None => out.push((name.to_owned(), constraints.to_owned())),
        }
        rest = without_attributes(after);
    }
    out
}

/// What stands before the body.
fn head(text: &str, decl: &Decl) -> Option<String> {
    let end = match decl.body_range.end > decl.body_range.start {
        true => decl.body_range.start,
        false => decl.range.end,
    };
    let text = text.get(decl.range.start as usize..end.max(decl.range.start) as usize)?;
    let folded = folded(without_attributes(text));
    let head = folded.trim_end_matches([';', ' ', '{', '=', '>', ':']);
    // An operator may end like a body starts: `operator >`, `operator ==`.
    Some(match folded.contains('(') && !head.contains('(') {
        true => folded.trim_end_matches([';', ' ']).to_owned(),
        false => head.to_owned(),
    })
}

fn accessors(decl: &Decl) -> String {
    if decl.accessors.is_empty() {
        return " { get; }".to_owned();
    }
    let words = decl.accessors.iter().map(|it| match it.accessibility {
        Some(accessibility) => format!("{accessibility} {};", it.kind.name()),
        None => format!("{};", it.kind.name()),
    });
    format!(" {{ {} }}", words.collect::<Vec<_>>().join(" "))
}

/// What follows the attributes and comments at the start of a declaration.
fn without_attributes(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if rest.starts_with('[') {
            closing(rest)
        } else if rest.starts_with("//") || rest.starts_with('#') {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 1)
        } else {
            return rest;
        };
        match after {
            Some(at) => rest = rest[at + 1..].trim_start(),
            None => return rest,
        }
    }
}

/// Where the bracket at the start is closed, strings and characters passed over.
fn closing(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0u32, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            quote @ (b'"' | b'\'') => {
                let is_verbatim = at > 0 && bytes[at - 1] == b'@';
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' && !is_verbatim {
                        2
                    } else {
                        1
                    };
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// White space and comments folded to single spaces, none inside of brackets at their ends; strings stay.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_space = false;
    while let Some(c) = rest.chars().next() {
        let comment = match () {
            () if rest.starts_with("//") => Some(rest.find('\n')),
            () if rest.starts_with("/*") => Some(rest.find("*/").map(|at| at + 2)),
            () => None,
        };
        if let Some(end) = comment {
            is_space = true;
            rest = &rest[end.unwrap_or(rest.len())..];
            continue;
        }
        if c.is_whitespace() {
            is_space = true;
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let opens = out.is_empty() || out.ends_with(['(', '<', '[']);
        if is_space && !opens && !matches!(c, ')' | ']') {
            out.push(' ');
        }
        is_space = false;
        let end = match c {
            '"' => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    without_inner_attributes(&out)
}

/// Without the attributes of parameters and type parameters: what stands in brackets where a name could start.
fn without_inner_attributes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        let opens = out.trim_end().ends_with(['(', ',', '<']);
        match closing(&rest[at..]).filter(|_| opens) {
            Some(end) => rest = rest[at + end + 1..].trim_start(),
            None => {
                out.push('[');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{bases_end, folded, type_params, without_attributes};

    #[test]
    fn a_shape_has_type_parameters_after_attributes() {
        let of = |shape: &str| {
            let params = type_params(shape).into_iter();
            params
                .map(|(name, it)| format!("{name}:{it}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            of(" [A][typevar 0:B(C)]TEntity:class;out U;get;"),
            "TEntity:class U:"
        );
        assert_eq!(of(" T; [A]T:new();"), "T:new()");
        assert_eq!(of("get;private set;"), "");
        assert_eq!(bases_end("A<B, (C, D)>, E[] [F]T:x;"), 17);
        assert_eq!(bases_end("A, B"), 4);
    }

    #[test]
    fn attributes_and_comments_before_a_declaration_are_passed_over() {
        for (text, rest) in [
            ("[A] public void M()", "public void M()"),
            ("[A(\"]\", ']')]\n  [B]\n// c\n/* d */ int M()", "int M()"),
            ("#if X\n[A]\n#endif\nint M()", "int M()"),
            ("[A", "[A"),
            ("int this[int a]", "int this[int a]"),
        ] {
            assert_eq!(without_attributes(text), rest, "{text}");
        }
    }

    #[test]
    fn a_declaration_is_one_line() {
        assert_eq!(
            folded("void M(\n    int a, // first\n    string b = \"x  y\"\n)"),
            "void M(int a, string b = \"x  y\")"
        );
        assert_eq!(
            folded("void M<[A(1)] T>([B][C(\"]\")] int[] a, [D] params int[,] b)"),
            "void M<T>(int[] a, params int[,] b)"
        );
    }
}
